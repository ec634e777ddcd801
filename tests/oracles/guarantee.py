"""The guaranteed stop by plain loops, from the argument in judging/planning/guarantee.py."""

ASSUMED, AT_RISK = (0.03, 0.1, 0.3), 0.8


def capitals(difference, batches, relevance):
    """The capitals of both systems.

    Parameters
    ----------
    difference : what each document adds to the difference of the scores
    batches : for each batch, its draws in order, and the predicted relevance of every document;
        None if it was judged before
    relevance : that of each document
    """
    most = sum(abs(a) for a in difference)
    capital = [[1.0] * len(ASSUMED), [1.0] * len(ASSUMED)]
    drawn = set()
    for draws, predicted in batches:
        never = [d for d, m in enumerate(predicted) if m is not None and d not in drawn]
        above = {d: predicted[d] if difference[d] > 0 else 1 - predicted[d] for d in never}
        over = max((above[d] for d in never if difference[d]), default=0)
        under = max((1 - above[d] for d in never if difference[d]), default=0)
        for draw in draws:
            estimate = rest = variance = 0.0
            for document, a in enumerate(difference):
                m = predicted[document]
                if m is None or document in drawn:
                    estimate += a * relevance[document]
                    continue
                estimate += a * m
                rest += abs(a)
                variance += abs(a) * m * (1 - m)
            sign = 1 if difference[draw] > 0 else -1
            payoff = estimate + rest * sign * (relevance[draw] - predicted[draw])
            for side, risk, bettors in zip(
                (1, -1), (rest * over - estimate, rest * under + estimate), capital, strict=True
            ):
                for bettor, part in enumerate(ASSUMED):
                    assumed = part * most
                    bet = assumed / (rest * variance + assumed**2)
                    factor = 1 + side * payoff * min(bet, AT_RISK / max(risk, 1e-12 * most))
                    assert factor >= (1 - AT_RISK) * (1 - 1e-9)
                    bettors[bettor] *= factor
            drawn.add(draw)
    return tuple(sum(bettors) / len(ASSUMED) for bettors in capital)
