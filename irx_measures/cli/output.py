"""Other output of the commands of ``irx``: pictures, lines on stderr, and ``-o json``."""

from __future__ import annotations

import argparse
import importlib.util
import io
import os
import sys
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..common.escapes import printable
from ..common.validators import integer
from ..common.version import VERSION
from ..common.writing import MOST_PLACES, one_line
from ..exceptions import InputError, MissingExtraError
from ..io.opened import FileState, Opened
from ..io.reading import sha256_of
from ..io.saving import PAGE, PDF, PNG, SVG, check_writable
from ..results.column import PAPER_PLACES
from ..results.tables import FOR_READERS, TextTable, content_of, json_text
from ..typing import Axes

PICTURES = {".png": PNG, ".svg": SVG, ".pdf": PDF}

PAGES = {".html": PAGE}

SCHEMA = "irx_measures.results/3"  # of -o json


def check_output(options: argparse.Namespace) -> None:
    """Reject what no command can print or draw, before the long computation starts."""
    places = getattr(options, "places", None)
    plot = getattr(options, "plot", None)
    figures = getattr(options, "figures", None)
    width = getattr(options, "width", None)
    if places is not None:
        integer(-1, MOST_PLACES).check("places", places)
    if plot is not None:
        check_file(plot, "--plot", PICTURES)
    drawn = plot or figures
    if drawn is not None and importlib.util.find_spec("matplotlib") is None:
        raise MissingExtraError("--plot needs matplotlib: pip install 'irx-measures[plots]'")
    if width is None:
        return
    if drawn is None:
        raise InputError("--width goes with --plot")
    from ..plots.style import NARROWEST, WIDEST

    if not NARROWEST <= width <= WIDEST:
        raise InputError(f"--width must lie in [{NARROWEST:g}, {WIDEST:g}] inches; got {width:g}")


def check_streams() -> None:
    """Text that stdout cannot encode is escaped; without stderr, its lines are dropped."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the exit
    if sys.stdout is None:
        raise OSError("stdout is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def check_file(path: Path, option: str, kinds: Mapping[str, str] | None = None) -> bool:
    """Reject a file that cannot or must not be written, before work starts.

    `kinds` are the kinds of files that the option writes, by their endings: an input, or another
    file of the user, is never replaced. None: the option adds to a file. Returns whether the file
    exists.
    """
    if kinds is not None and path.suffix not in kinds:
        *others, last = kinds
        endings = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"{option} must end in {endings}; got {path.name!r}")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InputError(f"{option}: no folder {folder}")
    kind = "" if kinds is None else kinds[path.suffix]
    try:
        replaces = check_writable(path, kind)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
    if not os.access(folder, os.W_OK):
        raise InputError(f"{option}: the folder {folder} cannot be written to")
    return replaces


def places(
    options: argparse.Namespace,
    for_readers: int = PAPER_PLACES,
    rounded: Collection[str] = FOR_READERS,
) -> int:
    """The decimal places: as many as were asked for, else few for readers, all for programs.

    `rounded` are the formats for readers.
    """
    if options.places is not None:
        return int(options.places)
    return for_readers if options.output_format in rounded else -1


def add_plot(options: argparse.Namespace, draw: Sequence[Callable[..., Axes]]) -> None:
    """Have a picture drawn after the results are printed, if the options ask for it.

    Each `draw` takes `irx_measures.plots`, then ``width`` or ``ax``; several are panels of one
    figure.
    """
    if options.plot is not None:
        options.pictures.append(partial(_draw_plot, options, draw))


def _draw_plot(options: argparse.Namespace, draw: Sequence[Callable[..., Axes]]) -> None:
    from .. import plots  # slow to import

    draw_picture(options, [partial(one, plots) for one in draw], options.plot)


def draw_picture(
    options: argparse.Namespace, draw: Sequence[Callable[..., Axes]], path: Path
) -> None:
    """Draw a picture into a file, and report its path and captions that it does not show.

    InputError if matplotlib cannot draw it, for instance because a font cannot be loaded.
    """
    from .. import plots
    from ..plots.panels import panels
    from ..plots.style import NothingToDrawError, part_of

    try:
        drawn = panels(draw, options.width)
        replaces = check_writable(path)
        plots.save(drawn[0], path)
    except NothingToDrawError as error:  # the results show the undefined values
        tell(options, f"no picture: {error}")
        return
    except (InputError, OSError, MemoryError):
        raise
    except Exception as error:  # of matplotlib: the results are printed already
        if options.debug:
            traceback.print_exc()
        reason = f"{type(error).__name__}: {printed_line(error)}"
        raise InputError(f"{path}: not drawn: {reason} (--debug shows where)") from None
    tell_written(options, path, replaces)
    untold = [ax for ax in drawn if not part_of(ax).get_suptitle()]
    captions = [getattr(ax, "irx_caption", "") for ax in untold]
    for caption in filter(None, dict.fromkeys(captions)):
        tell(options, f"caption: {caption}")


def tell_written(options: argparse.Namespace, path: Path, replaces: bool) -> None:
    """Say that a file was written, or replaced."""
    done = "replaced" if replaces else "wrote"
    tell(options, f"{done} {path}")


def tell(options: argparse.Namespace, message: str) -> None:
    """Print a line on stderr; results are printed on stdout only."""
    print(f"{options.parser.prog}: {printed_line(message)}", file=sys.stderr)


def printed_line(message: object) -> str:
    """A message in one line of characters that print: names of files may have others."""
    return printable(one_line(message))


def with_provenance(command: str, table: TextTable, warnings: Sequence[str], opened: Opened) -> str:
    """The results of a command as one JSON object.

    The command is the command line, and `opened` is what the command read. Files are hashed
    now; one that changed in between has no digest, because nobody knows which content was read.
    There is no date in it: the same input has the same bytes.
    """
    import ir_measures

    content = {
        "schema": SCHEMA,
        "irx_measures": VERSION,
        "ir_measures": ir_measures.__version__,
        "command": command,
        "inputs": [_described(path, state) for path, state in opened.items()],
        "warnings": list(warnings),
        **content_of(table),
    }
    return json_text(content)


def _described(path: str, before: FileState | None) -> dict[str, Any]:
    """An input with its digest, or with the reason why it has none."""
    if before is None:
        return {"path": path, "sha256": None, "no_digest": "not a file"}
    digest = sha256_of(Path(path)) if os.path.isfile(path) else None
    if digest is None or FileState.of(path) != before:
        return {"path": path, "sha256": None, "no_digest": "changed while the command ran"}
    return {"path": path, "sha256": digest}
