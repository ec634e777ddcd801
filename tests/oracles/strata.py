"""Tests of macro means over groups of queries, one pair and one group at a time."""

from math import gamma, inf, nan, sqrt
from statistics import mean, variance

from scipy import stats


def queries_question(first, second, level, factor=1):
    """What is found of one pair with other queries of the same groups: a dict.

    `first` and `second` are lists of groups, which are lists of scores; `factor` multiplies p.
    """
    groups = [
        [one - two for one, two in zip(own, other, strict=True)]
        for own, other in zip(first, second, strict=True)
    ]
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
    below = 0.0
    for value, values in zip(of_means, groups, strict=True):
        below += value**2 / (len(values) - 1)
    freedom = sum(of_means) ** 2 / below
    found["p"] = 2 * stats.t.sf(abs(difference) / error, freedom)
    half = stats.t.isf((1 - level) / factor / 2, freedom) * error
    found |= {"lower": difference - half, "upper": difference + half}
    below = 0.0
    for value, values in zip(spreads, groups, strict=True):
        below += value**2 / (len(values) - 1)
    nu = sum(spreads) ** 2 / below
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
