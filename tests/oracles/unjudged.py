"""The features of the learned prior and the transferred prior, one document at a time."""

from math import exp, log, log1p

from tests.oracles.ranking import ranking

DEPTH_OF_RUNS = 100


class World:
    """Runs and the judgments that may be used.

    Parameters
    ----------
    runs : name -> query -> document -> score
    qrels : query -> document -> grade
        A query may have no judgment left.
    grades
        The distinct grades of all judgments, ascending.
    depth
        The depth of the top of a run.
    """

    def __init__(self, runs, qrels, grades, depth):
        self.runs, self.depth = runs, depth
        self.levels = {
            query: {doc: grades.index(max(grade, 0)) for doc, grade in judged.items()}
            for query, judged in qrels.items()
        }
        self.highest = len(grades) - 1

    def ranking(self, name, query):
        return ranking(self.runs[name].get(query, {}), DEPTH_OF_RUNS)

    def top(self, name, query):
        return self.ranking(name, query)[: self.depth]

    def own(self, name, query):
        """The levels of the judged documents in the top of a run."""
        judged = self.levels[query]
        return [judged[doc] for doc in self.top(name, query) if doc in judged]

    def pool(self, query):
        """The levels of a query's judged documents; of all queries if none is judged."""
        return list(self.levels[query].values()) or [
            level for judged in self.levels.values() for level in judged.values()
        ]

    def all_own(self, name):
        return [level for query in self.levels for level in self.own(name, query)]

    def returned(self, name):
        return sum(len(self.top(name, query)) for query in self.levels)

    def fusion(self, name, query, doc):
        """The number of other runs that return a document, and the sum of 1 / (10 + rank)."""
        ranks = [
            self.ranking(other, query).index(doc) + 1
            for other in self.runs
            if other != name and doc in self.ranking(other, query)
        ]
        return len(ranks), sum(1 / (10 + rank) for rank in ranks)

    def kernel_mean(self, name, query, doc):
        place = log1p(self.fusion(name, query, doc)[1])
        total, weights = 3 * mean(self.pool(query)), 3.0
        for judged, level in self.levels[query].items():
            distance = (place - log1p(self.fusion(name, query, judged)[1])) / 0.25
            total += exp(-distance * distance / 2) * level
            weights += exp(-distance * distance / 2)
        return total / weights

    def features(self, name, query, doc):
        pool, own, all_own = self.pool(query), self.own(name, query), self.all_own(name)
        of_all = mean([level for other in self.runs for level in self.all_own(other)])
        finders, score = self.fusion(name, query, doc)
        return [
            log(self.ranking(name, query).index(doc) + 1),
            log1p(finders),
            score,
            mean(pool),
            mean([2 * level > self.highest for level in pool]),
            (sum(own) + 0.5) / (len(own) + 1),
            len(own) / len(self.top(name, query)),
            (sum(all_own) + 5 * of_all) / (len(all_own) + 5),
            len(all_own) / self.returned(name),
            self.kernel_mean(name, query, doc),
        ]

    def transferred(self, name, query, doc):
        """The probability of each level."""
        own, all_own = self.own(name, query), self.all_own(name)
        run_share = mean([level > 0 for level in all_own])
        if not all_own:
            run_share = mean([level > 0 for other in self.runs for level in self.all_own(other)])
        logit = (
            -1.451
            - 0.203 * log(self.ranking(name, query).index(doc) + 1)
            + 0.449 * lg(mean([level > 0 for level in self.pool(query)]))
            + 0.560 * lg((sum(level > 0 for level in own) + 0.5) / (len(own) + 1))
            + 0.686 * len(own) / len(self.top(name, query))
            + 0.363 * lg(run_share)
            + 0.302 * len(all_own) / self.returned(name)
        )
        relevant = 1 / (1 + exp(-logit))
        pool = self.pool(query)
        if not any(pool):
            pool = [level for other in self.levels for level in self.pool(other)]
        weights = [pool.count(level) * 0.5 ** (level - 1) for level in range(1, self.highest + 1)]
        if not sum(weights):
            return [1.0] + [0.0] * self.highest
        positive = [relevant * weight / sum(weights) for weight in weights]
        return [1 - sum(positive), *positive]


def examples(runs, groups, qrels, depth):
    """(run, query, document, features, transferred, level) of every training example."""
    grades = sorted({0, *(max(grade, 0) for judged in qrels.values() for grade in judged.values())})
    finders = {}
    for name, run in runs.items():
        for query in qrels:
            for doc in ranking(run.get(query, {}), depth):
                finders.setdefault((query, doc), set()).add(groups[name])
    for group in set(groups.values()):
        left = {
            query: {
                doc: grade for doc, grade in judged.items() if finders.get((query, doc)) != {group}
            }
            for query, judged in qrels.items()
        }
        world = World(runs, left, grades, depth)
        for name in (name for name in runs if groups[name] == group):
            for query, judged in qrels.items():
                for doc in world.top(name, query):
                    if doc in judged and finders[query, doc] == {group}:
                        yield (
                            (name, query, doc),
                            world.features(name, query, doc),
                            world.transferred(name, query, doc),
                            grades.index(max(judged[doc], 0)),
                        )


def mean(values):
    return sum(values) / len(values) if values else 0.0


def lg(share):
    clipped = min(max(share, 0.005), 0.995)
    return log(clipped / (1 - clipped))
