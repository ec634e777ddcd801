"""What is written replaces an empty file or one of its own kind, and nothing else."""

import pytest

from irx_measures import InputError
from irx_measures.cli.output import PAGES, PICTURES, check_file
from irx_measures.io.saving import PAGE_MARK, write_whole

OWN = {
    ".png": b"\x89PNG\r\n\x1a\n\0\0",
    ".svg": b'<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "">',
    ".pdf": b"%PDF-1.4",
    ".html": f"<!doctype html>\n<html>\n<head>\n{PAGE_MARK}".encode(),
}

OTHERS = {
    "a run": b"q1 Q0 d1 1 1.0 t\n",
    "another page": b"<!doctype html>\n<html><head><title>mine</title>",
    "another XML": b'<?xml version="1.0"?>\n<topics>',
    "binary": b"\0\xff" * 2000,
} | OWN


@pytest.mark.parametrize("before", OTHERS)
@pytest.mark.parametrize("ending", OWN)
def test_only_a_file_of_the_same_kind_is_replaced(tmp_path, ending, before):
    path = tmp_path / f"it{ending}"
    kinds = PICTURES | PAGES
    for content in (None, b"", OWN[ending]):
        if content is not None:
            path.write_bytes(content)
        assert check_file(path, "--plot", kinds) == (content is not None)
        write_whole(path, OWN[ending] + b"new")
        assert path.read_bytes() == OWN[ending] + b"new"
    path.write_bytes(OTHERS[before])
    if before == ending:
        return
    for write in (
        lambda: check_file(path, "--plot", kinds),
        lambda: write_whole(path, OWN[ending]),
    ):
        with pytest.raises(InputError, match=rf"it{ending}: the file is no .*; it was not replace"):
            write()
    assert path.read_bytes() == OTHERS[before]


@pytest.mark.parametrize("name", ["a.run", "a.htm", "html", "a.html.gz"])
def test_a_page_has_its_ending(tmp_path, name):
    with pytest.raises(InputError, match=r"--output must end in \.html; got "):
        check_file(tmp_path / name, "--output", PAGES)
