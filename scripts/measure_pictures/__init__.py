"""The pictures of the measures' pages, one for each measure: functions that return Axes."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.axes import Axes

from . import chance, rank_biased, rareness, relative, unjudged

PICTURES: dict[str, Callable[[], Axes]] = {
    "NRG": relative.nrg,
    "UniqueRel": relative.unique_rel,
    "TaSC": relative.tasc,
    "P_Rareness": rareness.p_rareness,
    "AP_Rareness": rareness.ap_rareness,
    "RBR": rank_biased.rbr,
    "RBA": rank_biased.rba,
    "RBO": rank_biased.rbo_by_depth,
    "RBPBound": rank_biased.rbp_bound,
    "nDCG_UE": chance.ndcg_ue,
    "AP_UE": chance.ap_ue,
    "UE": chance.ue,
    "Expected": chance.expected,
    "UpperBound": chance.upper_bound,
    "BootNDCG": unjudged.boot_ndcg,
    "Boot": unjudged.boot,
    "nDCGBound": unjudged.ndcg_bound,
}
