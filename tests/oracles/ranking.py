"""The order of a run's documents, and the runs of a set that count as priors."""

import numpy as np


def ranking(scored, cutoff=None):
    """trec_eval's order: score as float32, descending; then document id, descending."""
    order = sorted(scored, key=lambda doc: (np.float32(scored[doc]), doc), reverse=True)
    return order[:cutoff]


def counted(own, names, groups, select, exclude_self, mean):
    """Names of the runs that count against the run `own` (None: a run outside the set).

    `groups` maps names to groups. `mean` maps names to mean base scores, by which the best run of a
    group is chosen.
    """
    if select == "all":
        return [name for name in names if not (exclude_self and name == own)]
    if select == "earlier":
        return names[: names.index(own)]
    others = [name for name in names if groups[name] != groups[own]]
    if select == "other-groups":
        return others
    best = {}
    for name in others:
        if groups[name] not in best or mean[name] > mean[best[groups[name]]]:
            best[groups[name]] = name
    return list(best.values())


def first_alike(run, runs, query_ids, cutoff):
    """Name of the first run with the same rankings down to the cutoff, or None."""
    for name, other in runs.items():
        if all(
            ranking(run.get(query, {}), cutoff) == ranking(other.get(query, {}), cutoff)
            for query in query_ids
        ):
            return name
    return None
