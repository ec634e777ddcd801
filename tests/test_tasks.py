"""Every task can be done from its page: its commands run and print what the page says."""

import shlex
from doctest import ELLIPSIS, OutputChecker

import pytest

from irx_measures import parse_measure
from irx_measures.cli.main import _parser
from tests.console import PAGES, outputs, shown_only, steps

TASKS = {page.stem: page.read_text(encoding="utf-8") for page in PAGES.glob("tasks/*.rst")}
BEGINNERS = PAGES.joinpath("getting_started.rst").read_text(encoding="utf-8")
FILES = PAGES.joinpath("tasks", "files.txt").read_text(encoding="utf-8")
RUN = {name: text for name, text in (TASKS | {"getting_started": BEGINNERS}).items() if steps(text)}


def test_there_are_ten_tasks():
    assert len(TASKS) == 10


@pytest.mark.parametrize("name", TASKS)
def test_a_task_begins_with_its_answer(name):
    """A reader who copies the first block has the answer: it stands before the first section."""
    title, underline, *rest = TASKS[name].splitlines()
    assert (title != "", underline) == (True, "=" * 55)
    assert ".. code-block:: " in "\n".join(rest).split("-" * 55)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_the_commands_print_what_the_page_says(name, tmp_path):
    before = steps(FILES) if ".. include:: files.txt" in RUN[name] else []
    all_steps = before + steps(RUN[name])
    printed = outputs([step.command for step in all_steps], tmp_path)
    for step, output in zip(all_steps, printed, strict=True):
        if step.printed:
            same = OutputChecker().check_output(f"{step.printed}\n", f"{output}\n", ELLIPSIS)
            assert same, f"$ {step.command}\n{output}"


@pytest.mark.parametrize("name", [name for name, text in TASKS.items() if shown_only(text)])
def test_commands_that_are_not_run_can_be_parsed(name):
    for command in shown_only(TASKS[name]):
        options = _parser().parse_args(shlex.split(command)[1:])
        assert all(parse_measure(text) for text in options.measures)
