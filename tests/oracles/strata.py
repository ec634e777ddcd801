"""Tests of macro means over groups of queries, one pair and one group at a time."""

from math import gamma, inf, nan, sqrt
from statistics import mean, variance

from scipy import stats


def differences_of(first, second):
    """By group, one system minus another."""
    return [
        [one - two for one, two in zip(own, other, strict=True)]
        for own, other in zip(first, second, strict=True)
    ]


def satterthwaite(variances, sizes):
    """Degrees of freedom of a sum of the variances of means of so many values."""
    below = 0.0
    for value, size in zip(variances, sizes, strict=True):
        below += value**2 / (size - 1)
    return sum(variances) ** 2 / below if below else inf


def mean_freedom(pairs):
    """The degrees of freedom of the mean variances of pairs (first, second)."""
    every = [differences_of(*pair) for pair in pairs]
    sizes = [len(values) for values in every[0]]
    of_means = []
    for place, size in enumerate(sizes):
        of_means.append(mean(variance(groups[place]) for groups in every) / size)
    return satterthwaite(of_means, sizes)


def queries_question(first, second, level, factor=1, most=inf):
    """What is found of one pair with other queries of the same groups: a dict.

    `first` and `second` are lists of groups, which are lists of scores; `factor` multiplies p, and
    tests have at most `most` degrees of freedom.
    """
    groups = differences_of(first, second)
    sizes = [len(values) for values in groups]
    count = len(groups)
    of_groups = [mean(values) for values in groups]
    spreads = [variance(values) for values in groups]
    of_means = [spread / len(values) for spread, values in zip(spreads, groups, strict=True)]
    difference = mean(of_groups)
    error = sqrt(sum(of_means)) / count
    found = {"difference": difference, "error": error}
    if error == 0:
        p = 1.0 if difference == 0 else 0.0
        effect = 0.0 if difference == 0 else inf * difference
        return found | {"p": p, "lower": difference, "upper": difference, "effect": effect}
    freedom = min(satterthwaite(of_means, sizes), most)
    found["p"] = 2 * stats.t.sf(abs(difference) / error, freedom)
    half = stats.t.isf((1 - level) / factor / 2, freedom) * error
    found |= {"lower": difference - half, "upper": difference + half}
    nu = satterthwaite(spreads, sizes)
    found["effect"] = nan
    if nu > 2:
        correction = gamma(nu / 2) / (gamma((nu - 1) / 2) * sqrt(nu / 2))
        found["effect"] = correction * difference / sqrt(mean(spreads))
    return found


def groups_question(first, second, level, factor=1):
    """What is found of one pair with other groups like these: a dict."""
    differences = [mean(own) - mean(other) for own, other in zip(first, second, strict=True)]
    test = stats.ttest_1samp(differences, 0)
    interval = test.confidence_interval(1 - (1 - level) / factor)
    return {"groups_p": test.pvalue, "groups_lower": interval.low, "groups_upper": interval.high}


def heterogeneity(first, second, level):
    """The spread between groups beyond chance, and the interval of one further group."""
    differences, of_means = [], []
    for own, other in zip(first, second, strict=True):
        values = [one - two for one, two in zip(own, other, strict=True)]
        differences.append(mean(values))
        of_means.append(variance(values) / len(values))
    count, spread = len(differences), variance(differences)
    half = stats.t.isf((1 - level) / 2, count - 1) * sqrt(spread * (1 + 1 / count))
    return {
        "between": sqrt(max(0.0, spread - mean(of_means))),
        "new_lower": mean(differences) - half,
        "new_upper": mean(differences) + half,
    }
