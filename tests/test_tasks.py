"""Every task can be done from its page: its commands run, in order, and print what the page says."""

from doctest import ELLIPSIS, OutputChecker

import pytest

from tests.console import PAGES, outputs, steps

TASKS = sorted(PAGES.glob("tasks/*.rst"))
SIMULATE = steps(PAGES.joinpath("tasks", "files.txt").read_text(encoding="utf-8"))
OTHERS = [PAGES / "getting_started.rst"]


def test_there_are_ten_tasks():
    assert len(TASKS) == 10


@pytest.mark.parametrize("page", TASKS, ids=lambda page: page.stem)
def test_a_task_begins_with_its_answer(page):
    """A reader who copies the first block has the answer."""
    text = page.read_text(encoding="utf-8")
    title, underline, *rest = text.splitlines()
    assert underline == "=" * 55
    before_the_first_section = "\n".join(rest).split("-" * 55)[0]
    assert ".. code-block:: " in before_the_first_section


@pytest.mark.slow
@pytest.mark.parametrize("page", [*TASKS, *OTHERS], ids=lambda page: page.stem)
def test_the_commands_print_what_the_page_says(page, tmp_path):
    own = steps(page.read_text(encoding="utf-8"))
    before = SIMULATE if ".. include:: files.txt" in page.read_text(encoding="utf-8") else []
    all_steps = before + own
    printed = outputs([step.command for step in all_steps], tmp_path)
    for step, output in zip(all_steps, printed, strict=True):
        if step.printed:
            same = OutputChecker().check_output(f"{step.printed}\n", f"{output}\n", ELLIPSIS)
            assert same, f"$ {step.command}\n{output}"
