"""The parser of the commands of ``irx``: each argument says what it is to the results."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module
from typing import Any, NamedTuple, NoReturn, cast

from ..common.escapes import printable
from ..common.nearest import did_you_mean

USAGE_ERROR = 2  # argparse's own exit status


@dataclass(frozen=True, eq=False)
class Input:
    """The role of an argument that names inputs: files and ir_datasets ids.

    Attributes
    ----------
    role
        What the inputs are to the command, as ``-o json`` calls it.
    is_run
        Whether they are runs, which have names in the results.
    """

    role: str
    is_run: bool = False


QRELS = Input("qrels")
HUMAN_QRELS = Input("human qrels")
MACHINE_QRELS = Input("machine qrels")
RUN = Input("run", is_run=True)
PRIOR = Input("prior", is_run=True)
REFERENCE = Input("reference", is_run=True)
OTHER_QRELS = Input("other qrels")
OTHER_RUN = Input("other run", is_run=True)
RUN_OF_MEASURE = Input("run of a measure", is_run=True)
QRELS_OF_MEASURE = Input("machine qrels")
GROUPS = Input("groups")
QUERY_GROUPS = Input("query groups")
COSTS = Input("costs")
SCORES = Input("scores")
LETOR = Input("letor")
TEXTS = Input("texts")


class Effect(Enum):
    """The role of an argument that names no inputs."""

    PARAMETER = auto()
    """It can change the results."""

    MEASURES = auto()
    """It can change the results, and its measures may name inputs."""

    DISPLAY = auto()
    """It changes how the results are computed or shown, and never the results."""


Role = Effect | Input | tuple[Input, Input]
"""Two inputs: the first value of the argument is the one, and all later values are the other."""


class Command(NamedTuple):
    """A command of ``irx``, or of one of its groups of commands.

    Attributes
    ----------
    module
        The module in this folder whose ``add_arguments(parser)`` adds its arguments.
    summary
        What it does, in one line without an initial capital or a full stop.
    """

    module: str
    summary: str


class Commands(argparse._SubParsersAction):  # type: ignore[type-arg]  # generic in stubs only
    """Commands whose arguments are added when they are named: only that module is imported."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._incomplete: dict[str, Command] = {}

    def add(self, table: Mapping[str, Command]) -> None:
        """Add the names and summaries of commands."""
        self._incomplete |= table
        for name, command in table.items():
            summary = command.summary
            self.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")

    def fill(self, name: str) -> None:
        """Add the arguments of a command; a second call has no effect."""
        command = self._incomplete.pop(name, None)
        if command is not None:
            import_module(f"{__package__}.{command.module}").add_arguments(self.choices[name])

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        self.fill(values[0])
        super().__call__(parser, namespace, values, option_string)


class Instead(argparse._ExtendAction):
    """An option with one or more values that takes the place of required arguments."""

    def __init__(self, *args: Any, replaces: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.replaces = replaces

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        for action in parser._actions:
            if action.dest in self.replaces:
                action.required = False
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """A parser with ``--debug``; errors are one line, without the usage that argparse prints.

    The parsed options have the parser of their command, as ``parser``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._roles: dict[str, Role] = {}
        super().__init__(*args, **kwargs)
        self.set_defaults(parser=self)
        self.add_argument(
            "--debug",
            action="store_true",
            default=argparse.SUPPRESS,  # otherwise a command's default would override `irx --debug`
            help="print the traceback of an internal error",
            role=Effect.DISPLAY,
        )

    def add_argument(
        self, *names: str, role: Role = Effect.PARAMETER, **kwargs: Any
    ) -> argparse.Action:
        """Add an argument, with its role."""
        action = super().add_argument(*names, **kwargs)
        self._roles[action.dest] = role
        return action

    def describe(self, description: str, epilog: str | None = None) -> None:
        """Set the texts of the help; the lines of a text with an epilog stay as they are."""
        self.description, self.epilog = description, epilog
        if epilog is not None:
            self.formatter_class = argparse.RawDescriptionHelpFormatter

    def add_commands(self, dest: str, metavar: str, table: Mapping[str, Command]) -> None:
        """Add the commands of a table; each is imported when it is named."""
        commands = self.add_subparsers(action=Commands, dest=dest, required=True, metavar=metavar)
        cast(Commands, commands).add(table)

    def filled(self) -> Parser:
        """This parser, with the arguments of all commands below it."""
        for action in self._actions:
            if isinstance(action, Commands):
                for name, parser in action.choices.items():
                    action.fill(name)
                    parser.filled()
        return self

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, Commands) and value not in action.choices:
            hint = did_you_mean(value, {name: name for name in action.choices})
            if hint:
                raise argparse.ArgumentError(action, f"no command is called {value!r}{hint}")
        super()._check_value(action, value)

    def in_options(self, message: str) -> str:
        """A message about a parameter of a function, with the option that the user wrote."""
        if not message.startswith("`"):  # names within a message may be those of a measure
            return message
        names: dict[str, str] = {}
        for action in self._actions:
            shown = action.option_strings[-1] if action.option_strings else str(action.metavar)
            names |= {action.dest: shown, shown.lstrip("-").replace("-", "_"): shown}
        return re.sub(r"`(\w+)`", lambda found: names.get(found[1], found[0]), message)

    def roles(self) -> dict[str, Role]:
        """The role of every argument by its name in the parsed options."""
        return {
            action.dest: self._roles.get(action.dest, Effect.PARAMETER) for action in self._actions
        }

    def error(self, message: str) -> NoReturn:
        line = f"{self.prog}: error: {printable(message)} (see {self.prog} --help)\n"
        self.exit(USAGE_ERROR, line if sys.stderr else None)  # Python 3.10 writes to a closed one
