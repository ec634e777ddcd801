"""Every task can be done from its page: its commands run and print what the page says."""

import re
import shlex
from doctest import ELLIPSIS, OutputChecker

import pytest

from irx_measures import parse_measure, simulate_campaign
from irx_measures.cli.main import _parser
from tests.console import PAGES, inside, outputs, python_code, shown_only, steps

# The pages draw, write reports and run PyTerrier, as most of their readers can.
for package in ("matplotlib", "jinja2", "pyterrier"):
    pytest.importorskip(package)

TASKS = {page.stem: page.read_text(encoding="utf-8") for page in PAGES.glob("tasks/*.rst")}
BEGINNERS = PAGES.joinpath("index.rst").read_text(encoding="utf-8")
INPUTS = PAGES.joinpath("inputs.rst").read_text(encoding="utf-8")
PAGES_RUN = TASKS | {"index": BEGINNERS, "inputs": INPUTS}
LONG = {"judge_next"}  # tests/cli/test_campaign.py has its commands
WITH_STEPS = [
    pytest.param(name, marks=[pytest.mark.whole] if name in LONG else [])
    for name, text in PAGES_RUN.items()
    if steps(text)
]


@pytest.mark.parametrize("name", TASKS)
def test_a_task_begins_with_its_answer(name):
    """A reader who copies the first block has the answer: it stands before the first section."""
    title, underline, *rest = TASKS[name].splitlines()
    assert (title != "", underline) == (True, "=" * 55)
    assert ".. code-block:: " in "\n".join(rest).split("-" * 55)[0]
    assert rest[1][0].isalpha() or rest[1].startswith("``"), "a page opens with a sentence"


@pytest.mark.parametrize("name", PAGES_RUN)
def test_commands_fit_a_terminal(name):
    commands = [step.command for step in steps(PAGES_RUN[name])] + shown_only(PAGES_RUN[name])
    lines = [line for command in commands for line in f"$ {command}".splitlines()]
    assert [line for line in lines if len(line) > 80] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_STEPS)
def test_the_commands_print_what_the_page_says(name, tmp_path):
    all_steps = steps(PAGES_RUN[name])
    printed = outputs([step.command for step in all_steps], tmp_path)
    for step, output in zip(all_steps, printed, strict=True):
        if step.printed:
            same = OutputChecker().check_output(f"{step.printed}\n", f"{output}\n", ELLIPSIS)
            assert same, f"$ {step.command}\n{output}"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """The folder that ``irx simulate`` writes."""
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign().write(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, text in PAGES_RUN.items() if python_code(text)])
def test_the_python_of_a_page_runs(name, campaign):
    """The examples and the blocks without output, in their order, in the folder of the example."""
    code = python_code(PAGES_RUN[name])
    with inside(campaign):
        exec(code, {"__name__": "__main__"})
    for picture in re.findall(r"\w+\.png", code):
        assert campaign.joinpath(picture).stat().st_size > 5000


@pytest.mark.parametrize("name", [name for name, text in TASKS.items() if shown_only(text)])
def test_commands_that_are_not_run_can_be_parsed(name):
    for command in shown_only(TASKS[name]):
        options = _parser().parse_args(shlex.split(command.replace("\\\n", ""))[1:])
        assert all(parse_measure(text) for text in options.measures)
