"""PPI and PPI++ in plain loops, straight from the definitions."""

from statistics import covariance, fmean, variance

from scipy.stats import t


def weight(human, machine, m, n):
    """PPI++'s weight from these topics; n is the number of all topics with human scores."""
    if variance(machine) == 0:
        return 0.0
    return min(max(covariance(human, machine) / (variance(machine) * (1 + n / m)), 0.0), 1.0)


def interval(human, machine, machine_only, level, method):
    """Estimate, lower, upper, mean weight and degrees of freedom."""
    n, m = len(human), len(machine_only)
    if method == "human":
        lam = [0.0] * n
    elif method == "ppi":
        lam = [1.0] * n
    else:
        lam = [
            weight(human[:i] + human[i + 1 :], machine[:i] + machine[i + 1 :], m, n)
            for i in range(n)
        ]
    expected = fmean(machine_only)
    corrected = [h - w * (x - expected) for h, w, x in zip(human, lam, machine, strict=True)]
    estimate = fmean(corrected)
    first = variance(corrected) / n
    second = fmean(lam) ** 2 * variance(machine_only) / m
    freedom_first = n - 2 if method == "ppi++" else n - 1
    if first + second == 0:
        return estimate, estimate, estimate, fmean(lam), freedom_first
    freedom = (first + second) ** 2 / (first**2 / freedom_first + second**2 / (m - 1))
    half = t.isf((1 - level) / 2, freedom) * (first + second) ** 0.5
    return estimate, estimate - half, estimate + half, fmean(lam), freedom
