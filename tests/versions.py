"""Compare this checkout with another revision: public names, measure strings and numbers.

``python -m tests.versions REV`` prints a line per difference and exits with 1 where there is one.
TREC data is compared where it is present (``IRX_DATA``); a simulated campaign always is.
"""

import argparse
import difflib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARAMS = {
    "NRG": [{"base": base} for base in ("nDCG", "P", "RBP", "RR")]
    + [{"prior": "others"}, {"prior": "others", "select": "best-per-group"}, {"ideal": "all"}],
    "UniqueRel": [{"prior": "others"}, {"prior": "others", "select": "earlier"}],
    "TaSC": [{"prior": "others"}, {"prior": "others", "agg": "mean", "base": "RR"}],
    "P_Rareness": [{"systems": "others"}, {"systems": "others", "form": "mixture"}],
    "AP_Rareness": [{"systems": "others"}, {"systems": "others", "dcg": "log2"}],
    "UE": [{"base": base} for base in ("nDCG", "AP", "P", "RBP", "ERR", "RR")],
    "BootNDCG": [{"stat": stat} for stat in ("mode", "mean", "q05")] + [{"pool": "all"}],
    "Boot": [{"base": base, "stat": "median"} for base in ("nDCG", "AP", "P", "RBP")],
    "nDCGBound": [{"kind": kind, "bound": "upper"} for kind in ("naive", "rbp", "guaranteed")],
} | {
    name: [{"bound": bound, "ties": ties} for bound in ("lower", "upper") for ties in ties_of]
    for name, ties_of in {"RBR": ("share", "break"), "RBA": ("share", "break"), "RBO": ("break",)}
    .items()
}  # fmt: skip


def facts() -> list[str]:
    """Facts about the imported package that must not change, one per line."""
    import irx_measures

    lines = [
        f"name {module.__name__}.{name}"
        for module in (irx_measures, *_public_modules())
        for name in sorted(module.__all__)
    ]
    measures = []
    for info in irx_measures.measure_info():
        lines.append(f"measure {info.name} {info.range} {info.needs_cutoff}")
        lines += [f"parameter {info.name} {key}={p.default!r}" for key, p in info.params.items()]
        measure = getattr(irx_measures, info.name) @ 10
        measures += [measure, *(measure(**given) for given in PARAMS.get(info.name, []))]
    lines += [f"string {measure}" for measure in measures]
    return lines + list(chain.from_iterable(map(_scores, _campaigns(), [measures] * 3)))


def _public_modules():
    """The public modules that this revision has."""
    for name in ("judging", "meta", "persistence", "plots"):
        if importlib.util.find_spec(f"irx_measures.{name}"):
            yield importlib.import_module(f"irx_measures.{name}")


def _campaigns():
    import irx_measures

    campaign = irx_measures.simulate_campaign(systems=9, queries=12, depth=60, seed=5)
    yield "simulated", campaign.runs, campaign.qrels, campaign.groups
    data = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")
    for track in ("trec-dl-2019-passage", "trec8-adhoc"):
        runs = sorted(data.glob(f"{track}/runs/*.gz"))[:12]
        if runs:
            groups = {
                run.name.removesuffix(".gz").removesuffix(".run"): run.name[0] for run in runs
            }
            yield track, dict(zip(groups, runs, strict=True)), data / track / "qrels.txt.gz", groups


def _scores(campaign, measures):
    import irx_measures

    name, runs, qrels, groups = campaign
    asked = [*measures, "nDCG@10", "AP", "RR@5"]
    matrix = irx_measures.evaluate(runs, qrels, asked, groups, progress=False)
    for measure, means in zip(matrix.measures, matrix.scores.mean(axis=2).tolist(), strict=True):
        yield f"scores {name} {measure} {json.dumps(dict(zip(matrix.systems, means, strict=True)))}"


def _facts_of(checkout: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    code = f"import runpy; print(*runpy.run_path({str(Path(__file__))!r})['facts'](), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, env=environment,
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", help="what git calls it, as in v0.1.0 or HEAD~3")
    revision = parser.parse_args().revision
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", folder, revision], check=True)
        try:
            before = _facts_of(Path(folder))
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)
    after = _facts_of(ROOT)
    changed = [
        line for line in difflib.unified_diff(before, after, revision, "here", lineterm="", n=0)
        if not line.startswith("@@")
    ]  # fmt: skip
    print(*changed, f"{len(before)} facts compared", sep="\n")
    return 1 if changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
