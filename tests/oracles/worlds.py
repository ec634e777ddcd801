"""Worlds: the grades of unjudged documents, one document at a time."""

import numpy as np

from irx_measures.common.numeric import random_stream
from tests.oracles.bootstrap import base_score, clipped
from tests.oracles.ranking import ranking


def worlds(table, grades, count, seed):
    """The drawn grade of every (query, document), a list with one dict per world.

    `table` has the rows of `JudgmentModel.grade_probabilities`.
    """
    chances = {}
    for row in table.to_dict("records"):
        of_run = [row[f"P({grade})"] for grade in grades]
        chances.setdefault((row["query_id"], row["doc_id"]), []).append(of_run)
    drawn = [{} for _ in range(count)]
    for (query, doc), of_runs in chances.items():
        mean = [sum(column) / len(of_runs) for column in zip(*of_runs, strict=True)]
        draws = random_stream(seed, query, doc).random(count, dtype=np.float32)
        for world, draw in zip(drawn, draws.tolist(), strict=True):
            below, chosen = 0.0, grades[0]
            for grade, chance in zip(grades, mean, strict=True):
                if draw >= below:
                    chosen = grade
                below += chance
            world[query, doc] = chosen
    return drawn


def in_ideal(qrels, runs, name, query, k):
    """The documents of the ideal ranking of one of several runs; each run is a group."""
    tops = {other: ranking(run.get(query, {}), k) for other, run in runs.items()}
    returned = [doc for top in tops.values() for doc in top]
    shared = {doc for doc in returned if returned.count(doc) > 1}
    return {*qrels[query], *tops[name], *shared}


def scores(qrels, runs, name, world, base, k, **params):
    """The score of every query of a run in one world."""
    result = {}
    for query, judged in qrels.items():
        grades = clipped(judged) | {doc: g for (of, doc), g in world.items() if of == query}
        top = [grades[doc] for doc in ranking(runs[name].get(query, {}), k)]
        ideal = [grades[doc] for doc in in_ideal(qrels, runs, name, query, k)]
        result[query] = base_score(top, ideal, base, k, **params)
    return result


def tilted(probability, tilt):
    """The probability of each level, proportional to p exp(tilt x level)."""
    raised = [p * np.exp(tilt * level) for level, p in enumerate(probability)]
    return [p / sum(raised) for p in raised]
