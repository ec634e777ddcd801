"""The mathematics of the measures: numpy in, numpy out, one file per paper.

A kernel does not know identifiers. The documents of a query are columns. A run is an array of
ranks: the rank of each document, or 0 if the run does not return it. Kernels do not validate their
input.

The arguments of several files are explained here, those of one file in its docstring. A function
explains the arguments that only it has, and says where one differs from the tables. If a result
has axes ``...``, they are those of the ranks.

    rank          (queries, documents) ints     from 1; 0 if not returned within the cutoff
    grade         (queries, documents) ints     grade of each document
    gain          (queries, documents) floats   gain of each document
    relevant      (queries, documents) bools    whether each document is relevant
    relevant      (queries,) ints               number of relevant documents
    returned      (queries,) ints               number of documents returned
    stop          (..., documents) floats       probability, in [0, 1], that the user stops at it
    rel           int                           lowest relevant grade, at least 1
    cutoff        int, or None                  k, at least 1; None, if allowed: no cutoff
    depth         int                           deepest rank, at least 0
    base          nDCG, P, RBP or RR            base measure
    phi           float                         persistence, in (0, 1)

`bootstrap`, `ndcg_bounds` and `worlds` represent grades as levels: positions in the sorted list of
all grades. Level 0 is grade 0. An axis of levels is one of grades, ascending.

    levels        int                           number of levels
    level         (queries, documents) ints     level of each document, from 0 to ``levels - 1``
    left          (queries, levels) ints        number, by level, of judged documents not returned
    draws         floats                        uniform random numbers in [0, 1)

`rank_biased`, `rank_overlap` and `tie_orders` compare an observation B with a reference R. The
columns are the ranks of R: column j is rank j + 1.

    rank          (queries, depth of R) ints    rank in B of each document of R; 0 if B lacks it
    observed      Groups                        tie groups of B
    reference     Groups                        tie groups of R
    length        (queries,) ints               length of each ranking
"""
