"""The cost and effects of importing the package, in a new process."""

import gzip
import subprocess
import sys

import pytest

import irx_measures
from irx_measures.measures.catalogue import catalogue

HEAVY = [
    "pandas",
    "pyarrow",
    "rich",
    "scipy",
    "matplotlib",
    "pyterrier",
    "statsmodels",
    "ir_datasets",
]

# ir_measures imports cwl-eval if it is installed. The source of cwl-eval causes this warning.
STRICT = ["-W", "error", "-W", "ignore:invalid escape sequence"]


def python(code, *flags):
    """The output of a Python program."""
    done = subprocess.run(
        [sys.executable, *flags, "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


@pytest.fixture(scope="module")
def loaded():
    """Modules that importing the package loads, with every warning an error."""
    return set(python("import irx_measures, sys; print(*sys.modules)", *STRICT))


@pytest.mark.parametrize("module", HEAVY)
def test_importing_loads_nothing_heavy(loaded, module):
    assert "irx_measures.runsets.runset" in loaded
    assert module not in loaded


@pytest.mark.parametrize(
    "module",
    [
        "comparison", "explaining", "integrations.pyterrier", "io.letor", "reporting", "scoring",
        "simulate", "unjudged.model",
    ],
)  # fmt: skip
def test_importing_loads_no_module_that_is_used_later(loaded, module):
    assert f"irx_measures.{module}" not in loaded


def test_importing_meta_evaluation_loads_nothing_heavy():
    code = "import irx_measures.meta, sys; print(*sys.modules)"
    loaded = set(python(code, *STRICT))
    assert "irx_measures.meta.power" in loaded
    assert not set(HEAVY) & loaded


@pytest.mark.slow
def test_judging_measures_loads_no_pandas_before_a_table_is_asked_for():
    code = """
import sys
from irx_measures.meta import discriminative_power, rank_correlation, split_swap_rate, stability
scores = [[0.9, 0.7, 0.8], [0.5, 0.2, 0.4]]
results = [
    discriminative_power(scores), rank_correlation(scores, scores), stability(scores),
    split_swap_rate(scores),
]
before = "pandas" in sys.modules
print(before, len([result.to_frame() for result in results]), "pandas" in sys.modules)
"""
    assert python(code, *STRICT) == ["False", "4", "True"]


def test_scoring_plain_data_loads_nothing_heavy():
    code = """
import sys, irx_measures, ir_measures
qrels, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
with irx_measures.scope({"a": run, "b": run}):
    for text in ("NRG(prior=others)@10", "P_Rareness(systems=others)@5"):
        print(ir_measures.parse_measure(text).calc_aggregate(qrels, run))
print(*sys.modules)
"""
    first, second, *loaded = python(code, *STRICT)
    assert (float(first), float(second)) == (0.0, 0.2)
    assert not set(HEAVY) & set(loaded)


def test_importing_twice_is_importing_once():
    code = """
import importlib, ir_measures, irx_measures
before = dict(ir_measures.measures.registry), list(ir_measures.DefaultPipeline.providers)
importlib.reload(irx_measures)
import irx_measures
print(before == (ir_measures.measures.registry, ir_measures.DefaultPipeline.providers))
"""
    assert python(code, *STRICT) == ["True"]


def test_measures_and_strings_are_known_after_importing():
    code = """
import ir_measures
try:
    ir_measures.parse_measure("NRG")
except NameError:
    print("unknown")
import irx_measures
print(ir_measures.parse_measure("NRG(prior=others)@10"))
"""
    assert python(code) == ["unknown", "NRG(prior=others)@10"]


MEASURES = [
    "AP_Rareness", "AP_UE", "Boot", "BootNDCG", "Expected", "NRG", "P_Rareness", "RBA", "RBO",
    "RBPBound", "RBR", "TaSC", "UE", "UniqueRel", "UpperBound", "nDCGBound", "nDCG_UE",
]  # fmt: skip

FUNCTIONS_AND_CLASSES = [
    "Campaign", "Comparison", "EvaluationWarning", "Experiment", "Explanation",
    "GroupedScores", "InputError",
    "JudgingPlan", "JudgmentModel", "LetorData", "PredictionPowered", "RunSet", "ScoreMatrix",
    "SubsetScorer",
    "accelerate", "bibtex", "bootstrap_ndcg", "compare", "evaluate", "explain",
    "measure_info", "parse_measure", "prediction_powered",
    "rba", "rbo", "rbr", "read_letor", "register_runs", "report",
    "scope", "simulate_campaign",
]  # fmt: skip

MODULES = ["distributed", "judging", "meta", "persistence", "plots", "stats", "typing"]

WORDS_OF_MEASURE_STRINGS = ["others", "pool", "run"]


def test_these_names_are_public_and_no_others():
    exported = [*MEASURES, *FUNCTIONS_AND_CLASSES]
    assert sorted(irx_measures.__all__) == sorted(exported)
    assert dir(irx_measures) == sorted(
        [*exported, *MODULES, *WORDS_OF_MEASURE_STRINGS, "__version__"]
    )
    for name in dir(irx_measures):
        assert getattr(irx_measures, name) is not None


def test_measures_are_those_of_the_catalogue():
    assert sorted(catalogue) == sorted(MEASURES)


def test_importing_everything_keeps_a_scripts_own_names():
    code = """
run, pool, others = "mine", "mine", "mine"
from irx_measures import *
print(run, pool, others, RunSet.__name__)
from irx_measures import run, pool, others
print(run, pool, others)
"""
    assert python(code, *STRICT) == [*["mine"] * 3, "RunSet", "run", "pool", "others"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["distributed", "judging", "meta", "persistence", "plots", "stats"]
)
def test_modules_are_loaded_on_first_use(name):
    code = f"""
import sys, irx_measures
print("irx_measures.{name}" in sys.modules, irx_measures.{name}.__name__)
"""
    assert python(code, *STRICT) == ["False", f"irx_measures.{name}"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'irx_measures' has no attribute 'nothing'"):
        irx_measures.nothing  # noqa: B018


COMMAND = """
import sys
from irx_measures.cli.main import main
assert not main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""


NOT_FOR_TREC_FILES = [
    "matplotlib", "scipy.stats", "pandas", "pyarrow", "jinja2", "sklearn", "statsmodels", "tqdm",
    "asyncio", "ssl", "importlib.metadata", "difflib", "irx_measures.comparison.compare",
    "irx_measures.meta", "irx_measures.plots", "irx_measures.reporting.report",
    "irx_measures.reproductions",
]  # fmt: skip


def command(*arguments):
    """What a command prints, and the modules that it loads beyond those of ir_measures."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    hosts = set(python("import ir_measures, sys; print(*sys.modules)"))
    return done.stdout, set(done.stderr.split()) - hosts


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".run", ".run.gz", ".json"])
@pytest.mark.parametrize("output", ["table", "tsv", "latex"])
def test_evaluating_small_files_loads_nothing_else(tmp_path, ending, output):
    qrels, run = tmp_path / "qrels", tmp_path / f"a{ending}"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    if ending == ".json":
        run.write_text('{"q1": {"d1": 2.0, "d3": 1.0}}')
    else:
        text = b"q1 Q0 d1 1 2.0 a\nq1 Q0 d3 2 1.0 a\n"
        run.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    measures = ["nDCG@10", "NRG(prior=others)@10"]
    printed, loaded = command("evaluate", qrels, run, "-m", *measures, "-o", output)
    assert "1.0" in printed
    assert "irx_measures.scoring.evaluate" in loaded
    assert not loaded & set(NOT_FOR_TREC_FILES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "module"),
    [(["measures", "NRG"], "irx_measures.cli.measures"), (["cite"], "irx_measures.cli.cite")],
)
def test_a_command_imports_no_other_command(arguments, module):
    _, loaded = command(*arguments)
    base = {f"irx_measures.cli.{name}" for name in ("main", "output", "parser")}
    assert {name for name in loaded if name.startswith("irx_measures.cli.")} == base | {module}


WITHOUT_OLD_NODES = """
import ast
for name in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis", "__getattr__"):
    vars(ast).pop(name, None)
import ir_measures, irx_measures
for text in ("P(rel=2)@5", "nDCG(dcg='log2')@10", "NRG(prior=x)@10", "BootNDCG(stat=q05)@10"):
    assert str(ir_measures.parse_measure(text)) == str(irx_measures.parse_measure(text))
assert [*ir_measures.parse_trec_measure("P_5,10")] == [ir_measures.P @ 5, ir_measures.P @ 10]
qrels, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
measure = ir_measures.parse_measure("P(rel=1)@1")
print(ir_measures.calc_aggregate([measure], qrels, run)[measure])
"""


def test_measures_are_read_without_the_nodes_that_python_3_14_removed():
    # ir_measures 0.4.3 needs them; this package's reader takes its place.
    assert python(WITHOUT_OLD_NODES) == ["1.0"]
