"""The parser of the commands of ``irx``."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from ..common.escapes import printable
from ..common.writing import did_you_mean, one_line
from ..exceptions import message_line

USAGE_ERROR = 2  # argparse's own exit status

SEVERAL = ("+", "*")  # what argparse calls one or more values, and any number

REQUIRED = "the following arguments are required"  # how argparse begins this message

EXAMPLE = re.compile(r"^ +(irx .*)", re.MULTILINE)  # the first one of a help

NARROWEST = 11  # characters of a line of help, as in argparse itself

NARROW = 60  # characters: in narrower helps, what options do stands below them, not beside

INDENT = 4  # of the further lines of a line that is folded

COLOUR = re.compile("\x1b\\[[0-9;]*m")  # Python 3.14 has coloured helps

# The parts between which a command line is folded, and those of another line of a help.
ARGUMENTS = re.compile(r"(?:'[^']*'|[^ '])+ *")
PARTS = re.compile(r"\[[^]]*\],? *|[^ ,]*, *|[^ ,]+ *| +")

QUOTES = "'\""

# How messages name a parameter of the function that was called, and an argument of a call:
# `strict=False`, `limits=`, or `RunSet(..., format='msmarco')`.
PARAMETER = re.compile(r"`(\w+)`")
ARGUMENT = re.compile(r"(?<!`)`(?:\w+\([^`=]*?\b)?(\w+)=([^`()]*)\)?`(?!`)")

REMARK = re.compile(r" \((?:[^()]|\([^()]*\))*\)")

COMMAND = "COMMAND"  # what helps call the name of a command

DETAILS = "irx help options: what shared options do, in full"  # at the end of helps

FORMAT = "--output_format"  # the option of the format of what is printed, as ir_measures calls it

ENDINGS = {"tex": "latex", "md": "markdown", "htm": "html", "txt": "table"}
"""Formats by endings of files; of the others, the ending is the format's name."""

MOST_NEAR = 3  # options that begin with one letter, of which a message names all

FIRST_WORD = re.compile(r"\w+")


def takes_all(option: str) -> str:
    """Why an option took the arguments of a command, and how to write it."""
    return f"{option} takes all that follows it: write {option} last, or -- before the other files"


class Store(argparse._StoreAction):
    """An option or an argument; the values of an option that is given again are joined.

    This is so of options that take several values, as trec_eval's ``-m map -m P.5``.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        before: Any = getattr(namespace, self.dest, None)
        is_again = before is not None and before is not self.default
        if is_again and self.option_strings and self.nargs in SEVERAL:
            values = [*before, *values]
        super().__call__(parser, namespace, values, option_string)


class Instead(Store):
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


class Help(argparse.RawDescriptionHelpFormatter):
    """A formatter whose lines fit the terminal; names of options are not broken."""

    def __init__(self, prog: str, **kwargs: Any) -> None:
        super().__init__(prog, **kwargs)
        if self._width < NARROW:
            self._max_help_position = min(self._max_help_position, 2 * INDENT)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """The names of an option, and its values once; Python 3.13 writes them so."""
        if not action.option_strings or action.nargs == 0 or sys.version_info >= (3, 13):
            return super()._format_action_invocation(action)
        metavar = self._get_default_metavar_for_optional(action)
        return f"{', '.join(action.option_strings)} {self._format_args(action, metavar)}"

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(one_line(text), width, break_on_hyphens=False)

    def format_help(self) -> str:
        width = max(self._width, NARROWEST)
        lines = super().format_help().split("\n")
        return "\n".join(folded_line(line, width) for line in lines)


def folded_line(line: str, width: int) -> str:
    """A line of a help in lines of a width; a command stays one for the shell, by backslashes."""
    if _visible(line) <= width:
        return line
    text = line.lstrip()
    indent = " " * (len(line) - len(text))
    is_command = text.startswith("irx ")
    parts, end = (ARGUMENTS, " \\") if is_command else (PARTS, "")
    lines = [indent]
    for part in parts.findall(text):
        begun = lines[-1].strip()
        if begun and _visible((lines[-1] + part).rstrip()) + len(end) > width:
            lines[-1] = lines[-1].rstrip() + end
            lines.append(indent + " " * INDENT)
        lines[-1] += part
    return "\n".join(lines)


def _visible(text: str) -> int:
    """How many characters a terminal shows."""
    return len(COLOUR.sub("", text))


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, without the usage that argparse prints.

    Where a command is missing, the help with the list of commands stands above that line.

    The help begins with what the command answers, and with examples. The parsed options have the
    parser of their command, as ``parser``.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(formatter_class=Help, **kwargs)
        self.register("action", None, Store)
        self.set_defaults(parser=self)
        self._more: Any = None
        self._took_all = ""  # the option that was given last with several values

    @property
    def more(self) -> Any:
        """The group of the options that few users need; the first use adds it to the help."""
        if self._more is None:
            self._more = self.add_argument_group("more")
        return self._more

    @property
    def is_shortened(self) -> bool:
        """Whether `irx help options` says more of an option than the help of this command."""
        return any(getattr(action, "is_shortened", False) for action in self._actions)

    def describe(self, answers: str, usage: str = "", examples: str = "") -> None:
        """Set the beginning of the help: what the command answers, examples, the arguments."""
        self.description = answers
        self.usage = f"%(prog)s {usage}" if usage else None
        self.epilog = f"examples:\n{examples}" if examples else None

    def format_help(self) -> str:
        """The help, in the order in which it is read."""
        formatter = self._get_formatter()
        width = max(formatter._width, NARROWEST)
        description = textwrap.fill(self.description or "", width, break_on_hyphens=False)
        formatter.add_text(description)
        formatter.add_text(self.epilog)
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        if self.is_shortened:
            formatter.add_text(DETAILS)
        return formatter.format_help()

    def add_commands(
        self, dest: str, metavar: str, table: Mapping[str, str], fill: Callable[[Parser, str], None]
    ) -> None:
        """Add commands: their names with summaries; `fill` adds the arguments of one by its name.

        A summary says in one line what the command does, without an initial capital or a full stop.
        """
        commands = self.add_subparsers(dest=dest, required=True, metavar=metavar)
        for name, summary in table.items():
            description = f"{summary[0].upper()}{summary[1:]}."
            parser = commands.add_parser(name, help=summary, description=description)
            fill(parser, name)
            parser.add_debug()

    def add_debug(self) -> None:
        """Add ``--debug``, at the end of the help."""
        group = self if self._more is None else self._more
        group.add_argument(
            "--debug",
            action="store_true",
            default=argparse.SUPPRESS,  # otherwise a command's default would override `irx --debug`
            help="print the traceback of an internal error",
        )

    def commands(self) -> Iterator[Parser]:
        """The parsers of the commands, and of the commands below them."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    yield from (parser, *parser.commands())

    def parsed(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """The options of a command; an unknown one is an error that names the nearest."""
        options, unknown = self.parse_known_args(arguments)
        if unknown:
            parser: Parser = options.parser
            parser.error(f"unknown argument {unknown[0]}{parser._nearest(unknown[0])}")
        return options

    def _nearest(self, unknown: str) -> str:
        """The end of a message about an option of another name; all letters are near each other."""
        if not unknown.startswith("--"):
            return self._of_letter(unknown[1:2])
        form = self._format_of(unknown)
        if form:
            return f"; did you mean -o {form}?"
        spelled = {
            written.replace("_", "-").lower(): " or ".join(action.option_strings)
            for action in self._actions
            for written in action.option_strings
        }
        return did_you_mean(unknown.partition("=")[0].replace("_", "-"), spelled)

    def _of_letter(self, letter: str) -> str:
        """The end of a message about a short option: the few long ones with this first letter."""
        if not letter:
            return ""
        found = [
            written
            for action in self._actions
            for written in action.option_strings
            if written.startswith(f"--{letter}")
        ]
        if not found or len(found) > MOST_NEAR:
            return ""
        return f"; did you mean {' or '.join(found)}?"

    def _format_of(self, text: str) -> str:
        """The format that the end of a text names, such as csv of out.csv; empty if it names none.

        The parser must have an option of the format.
        """
        ending = text.lstrip("-").rpartition(".")[2].lower()
        form = ENDINGS.get(ending, ending)
        choices = [action.choices for action in self._actions if FORMAT in action.option_strings]
        return form if choices and form in (choices[0] or ()) else ""

    def _check_format(self, action: argparse.Action, value: str) -> None:
        """ArgumentError if a format is a file's name or its ending: how to write the file."""
        form = self._format_of(value)
        if re.search(r"[./\\]", value):
            written = f"-o {form or 'csv'} > {shlex.quote(value)}"
            raise argparse.ArgumentError(action, f"takes a format, no file; write {written}")
        if form and form != value:
            raise argparse.ArgumentError(action, f"no format is {value!r}; did you mean {form}?")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if FORMAT in action.option_strings:
            self._check_format(action, value)
        is_command = isinstance(action, argparse._SubParsersAction) or action.metavar == COMMAND
        if is_command and action.choices is not None and value not in action.choices:
            hint = did_you_mean(value, {name: name for name in action.choices})
            if hint:
                raise argparse.ArgumentError(action, f"no command is called {value!r}{hint}")
        super()._check_value(action, value)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and action.nargs in SEVERAL and len(arg_strings) > 1:
            self._took_all = action.option_strings[0]
        return super()._get_values(action, arg_strings)

    def in_options(self, message: str) -> str:
        """A message of a function in the words of this command: options in place of parameters.

        - ```name=value``` is an argument of a call. A remark in brackets that names one for which
          this command has no option is left out.
        - ```name``` is a parameter. If the name of a measure begins a part of the message before
          it, such as what follows the name of a group or a collection, it is the measure's.
        """
        import ir_measures  # for messages only

        message = REMARK.sub(self._remark, message)
        message = ARGUMENT.sub(
            lambda found: self._argument(found[1], found[2]) or found[2], message
        )
        about = message.partition("`")[0].split(": ")
        begins = [FIRST_WORD.match(part) for part in about]
        names = [found[0] for found in begins if found]
        if not ir_measures.measures.registry.keys().isdisjoint(names):
            return message
        return PARAMETER.sub(lambda found: self._parameter(found[1]), message)

    def _remark(self, found: re.Match[str]) -> str:
        """A remark in brackets; nothing if it names an argument that is no option."""
        named = ARGUMENT.findall(found[0])
        return found[0] if all(self._argument(name, value) for name, value in named) else ""

    def _argument(self, name: str, value: str) -> str:
        """The option, with its value, that is this argument of a function; empty if none is."""
        for action in self._called(name):
            if not action.option_strings:
                return ""
            flag = action.option_strings[-1]
            if action.nargs == 0:  # a switch
                return flag if value == repr(action.const) else ""
            return f"{flag} {value.strip(QUOTES)}".rstrip()
        return ""

    def _parameter(self, name: str) -> str:
        """The option or the argument of the command that is this parameter, else a plain word."""
        for action in self._called(name):
            return action.option_strings[-1] if action.option_strings else str(action.metavar)
        if name == "measure":
            return self._parameter("measures")
        return name.replace("_", " ")

    def _called(self, name: str) -> list[argparse.Action]:
        """The option of a parameter: that of this destination, else that of this name."""
        of_dest = [action for action in self._actions if action.dest == name]
        flag = f"--{name.replace('_', '-')}"
        of_name = [action for action in self._actions if flag in action.option_strings]
        return [*of_dest, *of_name][:1]

    def error(self, message: str) -> NoReturn:
        above = ""
        if message.startswith(REQUIRED) and any(self.commands()):
            above = f"{self.format_help()}\n"
        elif message.startswith(REQUIRED):
            message = f"{message}{self._how_to_go_on(message)}"
        line = f"{self.prog}: error: {message_line(printable(message))} (see {self.prog} --help)\n"
        printed = f"{above}{line}" if sys.stderr else None  # Python 3.10 writes to a closed one
        self.exit(USAGE_ERROR, printed)

    def _how_to_go_on(self, message: str) -> str:
        """The end of a message on what is missing: why, where it is known, else an example."""
        is_argument = message.startswith(REQUIRED) and not message.startswith(f"{REQUIRED}: -")
        if is_argument and self._took_all:
            return f"; {takes_all(self._took_all)}"
        example = EXAMPLE.search(self.epilog or "")
        return f"; example: {example[1]}" if example else ""
