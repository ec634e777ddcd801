"""The notebooks run, with and without TREC data, and their claims hold on TREC data."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import nbclient
import nbformat
import pytest
from traitlets.config import Config

FOLDER = Path(__file__).parent.parent / "notebooks"
SIMULATED = "SIMULATED"
# Code to run after the last cell, if the TREC data is present.
CLAIMS = {
    "rareness": """
assert table_1.largest_difference <= 2
blocks = with_blocks.in_shape()["TREC-8 95%"].tolist()
assert blocks == [3035, 2962, 2873, 3090, 3121, 3110]
assert table_2.largest_difference < .01
of_more = [number for number in table_3.numbers if number.column != "N=2"]
assert max(abs(number.difference) for number in of_more) < .015  # of 100 trials
for curve in curves.values():
    tau = pd.Series({alpha: found.value for alpha, found in curve.items()})
    assert (tau.diff().dropna() < 0).all() and tau.min() > .9
""",
    "residual_gain": """
assert abs(table_1["the other two"] - [.8417, .8316, .8681]).max() < 5e-5
baseline = means["group"] == "BASELINE"
split = means.groupby(baseline).mean(numeric_only=True).round(3)
assert split["nDCG@10"].tolist() == [.646, .529]
assert split["2"].tolist() == [.120, .149]
assert split["3"].round(2).tolist() == [.69, .77]
assert (means.sort_values("2")["group"].tail(8) == "BASELINE").sum() == 5
assert (follows["tau"].round(2).tolist()[2:]) == [.85, .91] and (follows["tau"] < 0).sum() == 2
lowest = ideals[ideals["group"] == "BASELINE"].min(numeric_only=True)
assert ideals.loc["idst_bert_pr1", "all"] < lowest["all"]
assert ideals.loc["idst_bert_pr1", "cutoff"] > lowest["cutoff"]
for chosen, expected in ((baseline, .71), (~baseline, -.23)):
    found = rank_correlation(
        matrix["nDCG@10"][chosen], matrix[FIGURES["2"]][chosen], samples=2
    ).value
    assert round(found, 2) == expected
""",
    "rank_biased": """
assert np.allclose(table_1, [.711, .002], atol=5e-4)
assert np.allclose(table_2.T, [[.500, .397, .315, .250, .414, .529],
                               [.700, .469, .314, .210, .431, .657]], atol=5e-4)
assert np.allclose(table_3.iloc[3:, 1:], [[.04, .10, .22, .51, .68, .77],
                                          [.04, .10, .22, .40, .60, .73]], atol=5.5e-3)
assert np.allclose(table_4, [[.536, .589, .659], [.680, .774, .863], [.775, .739, .718]], atol=.02)
assert chosen.sum() > 100
assert (held[base][chosen] <= held[whole][chosen] + 1e-12).all()
assert (held[whole][chosen] <= held[upper][chosen] + 1e-12).all()
assert np.ptp(held[base][chosen]) > .25
""",
    "bootstrap": """
assert table_1.largest_difference < .005
of_all = table_7.to_frame()[lambda frame: frame["row"].str.endswith("All Topics")]
default = of_all[of_all["column"] == "Default"]
assert default["difference"].abs().max() < 5e-4 and len(default) == 4
errors, correlations, preferences = (table.in_shape() for table in (table_4, table_5, table_6))
assert errors["Actual"].idxmin() == "Bootstr. P+R"
assert errors["Actual"].idxmax() == correlations["tau"].idxmin() == "Naive (U)"
assert (correlations.idxmax() == "Bootstr. P+R").all()
assert errors.loc["Condensed", "Lower"] > errors.loc["Condensed", "Upper"]
assert errors.loc["Bootstr. R", "Lower"] > errors.loc["Bootstr. R", "Upper"]
ranges = preferences[preferences.index.str.startswith("Range")]
assert ranges["Prec."].idxmax() == ranges["Rec."].idxmin() == "Range, Naive (U)"
quantiles = ranges[ranges.index.str.contains("BS P+R@", regex=False)]
assert (quantiles["Prec."] > .99).all() and len(quantiles) == 3
""",
    "upper_expected": """
for base in VERSIONS:
    of_base = means[base].T.groupby(level=0).mean().T
    assert (of_base[["V1", "V2"]].max(axis=1) < of_base["original"]).all()
    assert np.ptp(of_base["V2"]) > np.ptp(of_base["original"])
    assert tau(base, "V1", sets[base]["all"]) > tau(base, "V2", sets[base]["all"])
    assert tau(base, "V2", sets[base]["uninformative"]) < tau(base, "V2", sets[base]["ideal"])
assert counts["significant", "uninformative"].eq(0).all()
assert counts["significant", "all"].eq(5 * len(CUTOFFS)).all()
""",
}
each_notebook = pytest.mark.parametrize(
    "name", sorted(path.stem for path in FOLDER.glob("*.ipynb"))
)


def printed(name, data, monkeypatch, claims=""):
    """The text that a notebook prints."""
    monkeypatch.setenv("IRX_DATA", str(data))
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(claims))
    with TemporaryDirectory() as sockets:
        run = nbclient.NotebookClient(
            notebook,
            timeout=600,
            resources={"metadata": {"path": str(FOLDER)}},
            # Files, because notebooks that start at the same time might choose the same ports.
            config=Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/kernel"}),
        )
        run.execute()
    return "".join(
        output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])
    )


def test_every_notebook_states_its_claims():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(CLAIMS)


@pytest.mark.slow
@each_notebook
def test_it_runs_on_the_real_data_and_its_claims_hold(name, data, monkeypatch):
    assert SIMULATED not in printed(name, data, monkeypatch, CLAIMS[name])


@pytest.mark.slow
@each_notebook
def test_without_the_data_it_runs_on_a_simulation_and_says_so(name, tmp_path, monkeypatch):
    assert SIMULATED in printed(name, tmp_path, monkeypatch)


@each_notebook
def test_outputs_are_stripped(name):
    cells = json.loads(FOLDER.joinpath(f"{name}.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 3
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
