"""A mistake is one line that names what to correct, status 2, and nothing on stdout."""

import ast
import re
import shlex
from pathlib import Path

import ir_measures
import pytest

import irx_measures
from irx_measures.cli.help import options_parser
from irx_measures.cli.main import _parser
from irx_measures.cli.options import memory
from irx_measures.cli.parser import ARGUMENT
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

E = "evaluate qrels.txt runs/dense-a.run.gz -m P@5"
C = "compare qrels.txt RUNS -m P@5"
X = "explain qrels.txt RUNS -m P@5"
M = "meta {} qrels.txt RUNS -m P@5"
N = "judge next new.txt RUNS"
OF_PYTHON = re.compile(
    r"`\w+(?:=[^`]*)?`|\b(?:strict|limits|groups|format|unjudged|test|correction)="
)
OF_MEASURE = re.compile(rf"(?:{'|'.join(ir_measures.measures.registry)})\b")
META = ("power", "concordance", "stability", "swap", "systems", "correlation")

MISTAKES = {
    # the command line itself
    "index": "invalid choice: 'index'",
    "evalute": "no command is called 'evalute'; did you mean evaluate?",
    "meta pwer": "no command is called 'pwer'; did you mean power?",
    "evaluate qrels.txt RUNS": "required: -m/--measures; example: irx evaluate qrels.txt bm25.run "
    "-m nDCG@10 AP (see irx evaluate --help)",
    # an option that takes what other arguments should take
    "evaluate -m AP no.txt a": "required: QRELS, RUN; -m takes all that follows it: write -m last",
    "evaluate qrels.txt -m AP a --quiet": "required: RUN; -m takes all that follows it",
    "evaluate -m AP qrels.txt RUNS": "argument -m/--measures: qrels.txt is a file; -m takes all",
    "compare no.txt --lower-is-better a b -m AP": "RUN; --lower-is-better takes all that follows",
    "explain -m P@5 no.txt a --query q01": "required: QRELS, RUN; -m takes all that follows it",
    "report -m P@5 AP": "required: QRELS, RUN; -m takes all that follows it",
    "meta power -m AP no.txt a": "required: QRELS, RUN; -m takes all that follows it",
    "judge next -m P@5 no.txt a": "required: QRELS, RUN; -m takes all that follows it",
    "judge audit qrels.txt machine.txt -m P@5 RUNS": "is a file; -m takes all that follows it",
    "judge audit --machine machine.txt a": "required: HUMAN, MACHINE; --machine takes all that",
    "meta pareto qrels.txt RUNS -m P@5 AP": "required: --costs; example: irx meta pareto ",
    "measures NRG -o json": "unknown argument -o (see",
    f"{E} --per-query": "unknown argument --per-query; did you mean -q or --by_query?",
    f"{C} --base dense-a --levl 90": "unknown argument --levl; did you mean --level?",
    f"{E} -o xml": "invalid choice: 'xml'",
    # a file, or another option, in the place of -o with a format
    f"{C} -o out.csv": "output_format: takes a format, no file; write -o csv > out.csv (see",
    f"{C} -o tables/table.tex": "no file; write -o latex > tables/table.tex (see",
    f"{C} --out out.dat": "no file; write -o csv > out.dat (see",
    f"{E} -o csv.gz": "no file; write -o csv > csv.gz (see",
    f"{M.format('power')} -o power.json": "no file; write -o json > power.json (see",
    f"{N} -o batch.csv": "no file; write -o csv > batch.csv (see",
    f"{C} -o tex": "no format is 'tex'; did you mean latex? (see",
    f"{C} -o CSV": "no format is 'CSV'; did you mean csv? (see",
    f"{C} --csv": "unknown argument --csv; did you mean -o csv? (see",
    f"{C} --latex": "unknown argument --latex; did you mean -o latex? (see",
    f"{E} --md": "unknown argument --md; did you mean -o markdown? (see",
    f"{X} --query q01 --csv-safe": "unknown argument --csv-safe; did you mean -o csv-safe? (see",
    "report qrels.txt RUNS -m P@5 -o csv": "--output (-o) names the file of the report, such as",
    "report qrels.txt RUNS -m P@5 --latex": "unknown argument --latex",
    f"{C} --resamples 1.5": "argument --resamples: invalid int value: '1.5'",
    "evaluate qrels.txt -p 3": "required: RUN, -m/--measures; example: irx evaluate q",
    # levels, places, pictures
    **{
        f"{E} --limits {text}": "argument --limits: must be an amount of memory such as 2GB"
        for text in ("0GB", "much", "1XB", "GB", "-1")
    },
    f"{E} --interval 5": "argument --interval: must be a confidence level",
    f"{E} --interval 100": "argument --interval: must be a confidence level",
    f"{C} --level 5": "argument --level: must be a confidence level",
    "judge estimate qrels.txt qrels.txt RUNS -m P@5 --level nan": "must be a confidence level",
    **{
        f"{command} --level {text}": "argument --level: must be a confidence level"
        for command in (C, M.format("power"), "judge audit qrels.txt machine.txt")
        for text in ("0.999999999999999", "99.99999999999999")
    },
    f"{E} --interval 0.999999999999999": "argument --interval: must be a confidence level",
    f"--debug {E} -p -2": "--places must be a whole number from -1 to 1000; got -2",
    f"{C} --plot it.gif": "--plot must end in .png, .svg or .pdf; got 'it.gif'",
    f"{C} --plot /nowhere/it.png": "--plot: no folder /nowhere",
    f"{C} --plot runs": "--plot must end in",
    f"{C} --width 3.3": "--width goes with --plot",
    f"{C} --plot x.svg --width 0.3": "--width must lie in [2, 40] inches; got 0.3",
    "report qrels.txt RUNS -m P@5 -o x.pdf": "--output must end in .html; got 'x.pdf'",
    # runs, qrels and what goes with them
    **{
        f"{command} -m EMPTY": "error: a measure is missing: name at least one, such as nDCG@10"
        for command in (
            "evaluate qrels.txt RUNS",
            "compare qrels.txt RUNS",
            "report qrels.txt RUNS",
            "explain qrels.txt RUNS --query q01",
            "judge audit qrels.txt machine.txt",
            "judge estimate qrels.txt machine.txt RUNS",
            N,
            "judge status new.txt RUNS",
            "meta pareto qrels.txt RUNS --costs costs.csv",
            *(f"meta {study} qrels.txt RUNS" for study in META),
        )
    },
    "evaluate none RUNS -m P@5": "none: neither a file nor an ir_datasets id",
    "evaluate qrels.txt none.run -m P@5": "none.run: no such file",
    "evaluate qrels.txt none/* -m P@5": "error: none/*: no such file",
    "evaluate none*.txt RUNS -m P@5": "error: none*.txt: no such file",
    "evaluate [bh]*.txt RUNS -m P@5": "QRELS must be one file; [bh]*.txt matches binary.txt, h",
    "evaluate - RUNS --reference runs/* -m RBO@5": "--reference must be one file; runs/* matches",
    "evaluate qrels.txt RUNS -m NRG@5 --prior none*": "--prior must be a file or the name of a RUN",
    "judge next none*.txt RUNS": "error: none*.txt: no such file",
    f"{C} --by none*.csv": "error: none*.csv: no such file",
    "compare --scores none*.csv": "error: none*.csv: no such file",
    "evaluate qrels.txt irds:nosuch -m P@5": "irds:nosuch: no such ir_datasets id",
    "evaluate qrels.txt irds: -m P@5": "a run must be a file or an ir_datasets id; got 'irds:'",
    "evaluate qrels.txt RUNS RUNS -m P@5": "would both be called 'dense-a'",
    f"{E} --groups by.csv": "by.csv:1: the header needs a column 'run'",
    f"{E} --by none.csv": "none.csv",
    f"{E} --by part.csv": "no group for 11 of 12 queries: ",
    f"{C} --by costs.csv": "costs.csv:1: the header needs a column 'query_id' or 'qid' or 'query-i",
    f"{E} -n": "--no_summary (-n) goes with --by_query (-q)",
    f"{E} --interval-method t": "--interval-method goes with --interval",
    f"{E} --prior dense-a.txt": "would both be called 'dense-a'",
    f"{E} --prior none": "--prior must be a file or the name of a RUN, such as 'dense-a'; got",
    f"{E} BootNDCG(b=100000)@30 --limits 1MB": "BootNDCG(b=100000)@30 would take about",
    "evaluate - RUNS -m RBR": "needed by RBR, or give a reference run",
    "evaluate qrels.txt RUNS -m nRG@10": "measure not found: nRG; did you mean NRG?",
    "evaluate - RUNS -m NRG(prior='a/b.run')@5 --no-files": "files are not allowed here",
    # what another option would change
    "evaluate qrels.txt empty.run -m P@5": "it has no rows (--no-strict scores it as such)",
    "evaluate qrels.txt doubt.run -m P@5": "(--no-strict takes it as a comment)",
    "evaluate machine.txt three.run -m P@5": "(--format msmarco reads MS MARCO's query, document",
    "evaluate - RUNS -m RBR(phi=.8)": ", or give a reference run (--reference)",
    f"{E} NRG(prior=others,select='other-groups')@5": "has none (--groups gives them)",
    f"{E} BootNDCG(b=100000)@30 --limits 2MB": " (--limits allows another amount)",
    "compare qrels.txt RUNS -m AP --unjudged learned": "--unjudged learned compares ",
    f"{C} --test bootstrap --resamples 9999999": "1000000; --test t draws none; got 9999999",
    f"{C} --by by.csv --test wilcoxon --level .9999": "--test and --correction must be able to rej",
    f"{M.format('power')} --test wilcoxon --level .9999999": "got --test wilcoxon and --correction",
    "meta power qrels.txt runs/dense-a.run.gz -m P@5": "scores must hold at least 2 systems; got 1",
    "compare --scores gap.csv": "(--no-strict leaves out queries without a score of every system)",
    # compare and report
    f"{C} --baseline nobody": "--baseline must be a file or the name of a RUN, such as 'dense-a'",
    "compare qrels.txt RUNS -m NRG(prior=dense-a)@5 --baseline dense-a": "its own only prior; "
    "omit --baseline to test the other systems against each other on it\n",
    "compare qrels.txt runs/dense-a.run.gz runs/dense-b.run.gz -m NRG(prior=dense-a)@5 "
    "--baseline dense-a": "it is its own only prior\n",
    f"{C} --show topics": "--show topics needs a --baseline",
    f"{C} --rename dense=ours": "--rename must be of systems or measures with scores; got 'dense'; "
    "did you mean 'dense-",
    f"{E} --rename MAP=ours": "--rename must be of systems or measures with scores; got 'MAP'",
    f"{C} --rename dense-a=ours dense-b=ours": "--rename must keep systems apart; got 'ours' for 2",
    f"{C} AP --rename P@5=AP": "--rename must keep measures apart; got 'AP' for 2 of them",
    f"{C} --rename dense-a": "argument --rename: must be a name and another one, such as ",
    f"{C} --rename dense-a=": "a name and another one, such as lexical-a=BM25; got 'dense-a='",
    f"{C} --rename dense-a=x dense-a=y": "--rename must name each once; got 'dense-a' twice",
    f"{C} --resamples 0 --test bootstrap": "--resamples must be a whole number of at least 1",
    f"{C} --by by.csv --unjudged learned": "--unjudged is for all queries: omit --by",
    f"{C} --lower-is-better AP": "--lower-is-better goes with --scores",
    "compare qrels.txt runs/dense-a.run.gz -m P@5": "at least 2 systems; got 1",
    "compare qrels.txt a.run --scores scores.csv": "QRELS goes with runs",
    "compare --scores scores.csv --prior a.run": "--prior goes with runs",
    "compare --scores scores.csv --unjudged learned": "--unjudged goes with runs",
    "compare --scores scores.csv --baseline d": "must name one of the 2 systems",
    "compare --scores scores.csv -m AP": "no measure 'AP'",
    "compare --scores scores.csv --lower-is-better time": "no measure 'time'",
    "compare --scores": "expected at least one argument",
    "compare -m AP": "required: QRELS, RUN",
    # explain
    X: "--query --against is required: --query ID explains a query, --against RUN lists the quer",
    f"{X} -q q01": "unknown argument -q; did you mean --query or --quiet? (see",
    f"{X} --query q01 --against dense-a": "argument --against: not allowed with argument --query",
    f"{X} --against dense-a --missing": "--missing and --texts go with --query",
    f"{X} --query q01": "--system must be the name of a RUN, such as 'dense-a'",
    f"{X} --against dense-a": "'lexical-c': it says which of the 5 is explained",
    f"{X} --query q01 --system no": "--system must be the name of a RUN, such as 'dense-a'",
    f"{X} --against no --system dense-a": "--against must be a file or the name of a RUN, such as",
    f"{X} --against none.run": "--against must be a file or the name of a RUN, such as",
    f"{X} --against dense-a --system dense-a": "must be another run than --system; got 'dense-a'",
    "explain qrels.txt runs/dense-a.run.gz -m P@5 --against dense-a": "another run than --system",
    f"{X} --query no --system dense-a": "the query must be one of the qrels",
    "explain qrels.txt RUNS -m P@5 AP --system dense-a --query q01": "must name one measure; got 2",
    # meta
    M.format("correlation"): "--measures must be at least two",
    f"{M.format('power')} --test tukey --correction holm": "--correction must be 'none' for",
    f"{M.format('power')} --seed -1 --test bootstrap": "--seed must be a whole number of at least",
    f"{M.format('stability')} --topics 13": "--topics must be a whole number from 1 to 12; got 13",
    f"{M.format('swap')} --rate 0": "--rate must lie in (0, 1); got 0",
    f"{M.format('pareto')}": "required: --costs",
    "meta pareto qrels.txt RUNS -m P@5 --costs none.csv": "none.csv",
    # judge
    "judge audit qrels.txt machine.txt --show groups": "--show groups needs RUNs",
    "judge audit qrels.txt machine.txt runs/dense-a.run.gz": "RUN must hold at least 2 runs",
    "judge audit qrels.txt none.txt": "none.txt",
    "judge audit qrels.txt binary.txt": "--relevant and --machine-relevant (from which grade and "
    "label on a document is relevant) or --mapping (the grade that a label means) must make labels "
    "and grades comparable: binary has the labels 0, 1, and the human grades are 0, 1, 2, 3",
    "judge audit qrels.txt binary.txt --mapping 1:3": "must be a label and its grade, as in 1=3; g",
    "judge audit qrels.txt human.txt --machine ./human.txt": "files of different names",
    "meta correlation qrels.txt RUNS -m AP P@5 RR --plot a.svg": "goes with two measures; got 3",
    "meta pareto qrels.txt RUNS -m AP P@5 --costs costs.csv --plot a.svg": "one measure; got 2",
    "judge audit qrels.txt human.txt --machine machine.txt --plot a.svg": "--plot goes with one",
    "judge estimate qrels.txt machine.txt RUNS -m P@5": "at least 2 topics that",
    f"{N} --grades 1 2": "--grades must be 0 and 1 to 100 higher grades; got (1, 2)",
    f"{N} --question a,b": "--question must name two of the systems; got 'a'",
    f"{N} --tolerance 0": "--tolerance goes with the question 'best'",
    f"{N} -m P@5 P@10": "--measures (-m) must name one measure; got 2",
    f"{N} -m DCG@10": "--measures must be nDCG@k",
    f"{N} -n 0": "-n must be a whole number of at least 1; got 0",
    f"{N} --texts none-such": "none-such",
    "judge next new.txt runs/dense-a.run.gz": "RUN must hold at least 2 systems; got 1",
    "judge next irds:vaswani RUNS": "QRELS must be a file in a folder that exists",
    "judge status none/qrels.txt RUNS": "QRELS must be a file in a folder that exists",
    "judge add new.txt human.txt": "error: `irx judge next` has not asked for a document yet",
    "judge add qrels.csv by.csv": "QRELS must be a TREC file; got csv",
    # help
    "help juge": "no command is called 'juge'; did you mean judge?",
    "help judge nxt": "irx judge has no command 'nxt'; did you mean next?",
    "help options more": "irx help options takes no other name; got 'more'",
    # the others
    "measures NRGG": "did you mean NRG?",
    "measures ndcgg": "did you mean nDCG?",
    "measures EMPTY": "error: a measure is missing",
    **{
        f"measures {name}": f"error: no measure means {name}: "
        for name in ("gm_map", "unj_10", "rbp_resid", "relative_P", "11pt_avg", "dcg@10")
    },
    "measures num_nonrel_judged_ret": "error: no measure means num_nonrel_judged_ret: ir_measures",
    "measures hit_rate": "error: hit_rate needs a cutoff, as in hit_rate@10\n",
    "measures hit@10": "error: no measure means hit@10: write hit_rate@k or Success@k for",
    f"{E} HitRate@5": "error: no measure means HitRate@5: write hit_rate@k or Success@k",
    "measures P(rel=2)": "error: P(rel=2): needs `cutoff`",
    "measures NRG(select=x)": "NRG: `select` must be one of",
    "measures NRG AP bogus": "error: measure not found: bogus\n",
    "cite precision": "error: precision needs a cutoff, as in precision@10\n",
    "simulate few --systems 1": "must be a whole number of at least 2",
    "simulate few --seed -1": "--seed must be",
    "simulate few --systems 2000000000 --queries 2000000000": "must be at most 20000000 rows",
    "reproduce": "PAPER must be one of residual-gain, ",
    "reproduce rareness --dataset q.txt": "needs both --dataset and --runs",
    "reproduce rareness --runs a.run": "needs both --dataset and --runs",
    "reproduce rareness --dataset qrels.txt --runs no/*.run": "no/*.run",
    "reproduce residual-gain --groups g.csv": "--groups is for the runs of --runs",
    "reproduce all --groups g.csv": "all takes --dataset ID, and builds runs and groups itself",
    "reproduce rareness --plot qrels.txt": "--plot must be a folder",
}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("1KB", 1000),
        ("2 kB", 2000),
        ("1.5M", 1_500_000),
        ("500 MB", 500_000_000),
        ("2gb", 2 * 10**9),
        ("3T", 3 * 10**12),
    ],
)
def test_amounts_of_memory_have_the_prefixes_of_si(text, size):
    assert memory(text) == size


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_one_line(irx, folder, command):
    before = sorted(folder.iterdir())
    done = irx(command)
    lines = [line for line in done.stderr.splitlines() if "does not exist yet" not in line]
    assert (done.returncode, done.stdout, len(lines)) == (2, "", 1), done.stderr
    assert lines[0].startswith("irx ") or lines[0].startswith("irx: ")
    assert ": error: " in lines[0]
    if "pip install 'irx-measures[" in lines[0]:
        pytest.skip(f"could not import: {lines[0]}")
    assert MISTAKES[command] in f"{lines[0]}\n"
    _, _, message = lines[0].partition(": error: ")
    if not OF_MEASURE.match(message):
        assert not OF_PYTHON.search(message), "a parameter of Python"
    assert sorted(folder.iterdir()) == before


IN_OPTIONS = {
    ("compare", "`level` must be"): "--level must be",
    (
        "compare",
        "group 'de': `test` and `correction` must",
    ): "group 'de': --test and --correction must",
    (
        "compare",
        "(`limits=` allows more); `baseline` names",
    ): "(--limits allows more); --baseline names",
    ("compare", "give it (`reference=`)"): "give it (--reference)",
    ("compare", "use `test='t'`"): "use --test t",
    ("compare", "(`strict=False` leaves it out)"): "(--no-strict leaves it out)",
    ("compare", "so (`strict=True` is usual)"): "so",
    ("compare", "BootNDCG: `level` must be"): "BootNDCG: `level` must be",
    (
        "compare",
        "group 'a': NRG: `prior` (`strict=False`)",
    ): "group 'a': NRG: `prior` (--no-strict)",
    ("compare", "`measure` of `qrels` and `other_thing`"): "--measures of QRELS and other thing",
    ("explain", "at most 2 MB are allowed (`limits=` allows more)"): "at most 2 MB are allowed",
    (
        "explain",
        "2 columns (f(x) is not read) (`level=` is (not) here)",
    ): "2 columns (f(x) is not read)",
}


@pytest.mark.parametrize(("command", "message"), IN_OPTIONS)
def test_messages_of_functions_are_in_the_words_of_the_command(command, message):
    parser = _parser()._subparsers._group_actions[0].choices[command]
    assert parser.in_options(message) == IN_OPTIONS[command, message]


PACKAGE = Path(irx_measures.__file__).parent

BELOW = sorted(file for file in PACKAGE.rglob("*.py") if PACKAGE / "cli" not in file.parents)

KNOWN = {
    name
    for parser in _parser().commands()
    for action in parser._actions
    for name in (
        action.dest,
        *(flag.strip("-").replace("-", "_") for flag in action.option_strings),
    )
}

OPTION = re.compile(r"(?<![\w-])--[a-z]")

BARE = re.compile(r"(?<![`\w])(?:strict|limits|groups|format|unjudged|test|correction|relative)=")


def texts_of(file):
    """The texts of a module, without docstrings; {} stands for what an f-string fills in."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    parts = {
        part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
    }
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            parts.add(node.body[0].value)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            filled = (getattr(part, "value", None) for part in node.values)
            yield "".join(text if isinstance(text, str) else "{}" for text in filled)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            yield node.value


@pytest.mark.parametrize("file", BELOW, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_texts_of_python_name_no_option_and_mark_arguments(file):
    """The command line puts its options in the place of arguments, which are in backticks."""
    for text in texts_of(file):
        assert not OPTION.search(text), text
        assert not BARE.search(ARGUMENT.sub("", text)), text
        assert {name for name, _ in ARGUMENT.findall(text)} <= KNOWN, text


def test_helps_speak_to_people_at_a_command_line():
    of_python = re.compile(r"\b(None|True|False|Whether)\b|irx_measures\.|[A-Z][a-z]\w+\.\w")
    for parser in [*_parser().commands(), options_parser()]:
        for text in [parser.description, *(action.help or "" for action in parser._actions)]:
            assert not of_python.search(text), text
        for action in parser._actions:
            assert action.help or not action.option_strings, action.dest
            assert not (action.help or "").endswith(".")


def test_long_helps_have_their_numbers_of_options():
    limits = {"compare": 31, "evaluate": 22, "report": 26, "explain": 18}
    commands = _parser()._subparsers._group_actions[0].choices
    for name, most in limits.items():
        assert sum(bool(action.option_strings) for action in commands[name]._actions) <= most


def test_long_helps_have_their_numbers_of_words(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    limits = {"compare": 460, "evaluate": 350, "report": 450, "explain": 350}
    commands = _parser()._subparsers._group_actions[0].choices
    for name, most in limits.items():
        assert len(commands[name].format_help().split()) <= most


EXAMPLE = re.compile(r"^ +(irx .*)$", re.MULTILINE)


def test_examples_of_helps_parse(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    whole = _parser()
    for parser in [*whole.commands(), options_parser()]:
        for line in EXAMPLE.findall(parser.epilog or ""):
            command, _, _ = line.partition(" > ")
            assert whole.parsed(shlex.split(command)[1:]).run, line
