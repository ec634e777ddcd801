"""Significance tests and meta-evaluation by loops, straight from the definitions."""

import itertools
import math
from statistics import mean, median, stdev, variance

from scipy.stats import t as student


def pairs(systems):
    return list(itertools.combinations(range(systems), 2))


def randomisation(first, second, samples):
    """Samples are signs, one per query."""
    difference = [x - y for x, y in zip(first, second, strict=True)]
    observed = abs(mean(difference))
    reached = sum(
        abs(mean(sign * d for sign, d in zip(signs, difference, strict=True))) >= observed - 1e-12
        for signs in samples
    )
    return (reached + 1) / (len(samples) + 1)


def studentised(sample):
    spread = stdev(sample)
    if spread < 1e-12:
        return 0.0 if abs(mean(sample)) < 1e-12 else math.inf
    return abs(mean(sample)) / (spread / math.sqrt(len(sample)))


def bootstrap(first, second, samples):
    """Sakai (2006), Figure 1. Samples are topics, drawn with replacement."""
    difference = [x - y for x, y in zip(first, second, strict=True)]
    observed = studentised(difference)
    moved = [d - mean(difference) for d in difference]
    reached = sum(
        studentised([moved[topic] for topic in topics]) >= observed - 1e-9 for topics in samples
    )
    return (reached + 1) / (len(samples) + 1)


def randomised_tukey(scores, samples):
    """Samples are score tables, permuted within each topic."""
    means = [mean(row) for row in scores]
    ranges = [max(map(mean, table)) - min(map(mean, table)) for table in samples]
    return [
        (sum(r >= abs(means[i] - means[j]) - 1e-12 for r in ranges) + 1) / (len(samples) + 1)
        for i, j in pairs(len(scores))
    ]


def moderated_variances(rows, prior):
    """A variance for every row of differences, from the variances of all rows."""
    own = [variance(row) for row in rows]
    middle, freedom = median(own), len(rows[0]) - 1
    return [max(v, (prior * middle + freedom * v) / (prior + freedom)) for v in own]


def moderated_t(rows, prior):
    """t of every row of differences."""
    topics = len(rows[0])
    return [
        sum(row) / topics / math.sqrt(v / topics)
        for row, v in zip(rows, moderated_variances(rows, prior), strict=True)
    ]


def moderated_p_values(rows, prior):
    """Two-sided p-values, without a correction."""
    return [2 * student.sf(abs(t), len(rows[0]) - 1) for t in moderated_t(rows, prior)]


def kendall(first, second):
    """Tau and tau_b, NaN where a ranking has all systems tied."""
    concordant = discordant = only_first = only_second = 0
    for i, j in pairs(len(first)):
        product = (first[i] - first[j]) * (second[i] - second[j])
        concordant += product > 0
        discordant += product < 0
        only_first += first[i] != first[j]
        only_second += second[i] != second[j]
    untied = math.sqrt(only_first * only_second)
    if not untied:
        return math.nan, math.nan
    difference = concordant - discordant
    return difference / math.comb(len(first), 2), difference / untied


def tau_ap(first, second):
    """Mean over all orders of the ties of the second ranking; ties of the first count half.

    NaN where a ranking has all systems tied.
    """
    if len(set(first)) == 1 or len(set(second)) == 1:
        return math.nan
    systems = range(len(first))
    orders = [
        order
        for order in itertools.permutations(systems)
        if [second[system] for system in order] == sorted(second, reverse=True)
    ]
    values = []
    for order in orders:
        total = 0.0
        for rank in range(2, len(order) + 1):
            here = order[rank - 1]
            right = 0.0
            for above in order[: rank - 1]:
                right += (first[above] > first[here]) + 0.5 * (first[above] == first[here])
            total += right / (rank - 1)
        values.append(2 * total / (len(order) - 1) - 1)
    return mean(values)


def stability(scores, topic_sets, fuzziness, relative):
    """Wins of the first and of the second system of every pair."""
    wins, losses = [], []
    for i, j in pairs(len(scores)):
        won = lost = 0
        for topics in topic_sets:
            one, other = (mean(scores[system][topic] for topic in topics) for system in (i, j))
            margin = fuzziness * max(abs(one), abs(other)) if relative else fuzziness
            won += one - other > margin
            lost += other - one > margin
        wins.append(won)
        losses.append(lost)
    return wins, losses


def swaps(scores, splits, width, bins):
    """Comparisons and swaps of every bin, over pairs of topic sets."""
    compared, swapped = [0] * bins, [0] * bins
    for one_set, other_set in splits:
        for i, j in pairs(len(scores)):
            one, other = (
                mean(scores[i][topic] for topic in topics)
                - mean(scores[j][topic] for topic in topics)
                for topics in (one_set, other_set)
            )
            place = min(math.floor(abs(one) / width + 1e-9), bins - 1)
            compared[place] += 1
            swapped[place] += one * other < 0
    return compared, swapped
