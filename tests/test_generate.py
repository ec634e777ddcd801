"""Generated files are up to date."""

import pytest

from scripts.generate import ROOT, generated, replace_block


@pytest.mark.slow
@pytest.mark.parametrize("path", generated())
def test_a_generated_file_is_what_the_generator_writes(path):
    text = ROOT.joinpath(path).read_text(encoding="utf-8")
    assert text == generated()[path], "run: python -m scripts.generate"


def test_only_the_block_is_replaced():
    text = "before\n# names: made by hand\nold\nold\n# end of names\nafter\n"
    assert replace_block(text, "names", "new") == (
        "before\n# names: made by hand\nnew\n# end of names\nafter\n"
    )
    for wrong in (text * 2, text.replace("end of names", "the end")):
        with pytest.raises(ValueError, match="one block 'names'"):
            replace_block(wrong, "names", "new")
