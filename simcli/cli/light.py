"""Plain parameters without a validation library: typer loads one even to turn text into text, which takes two thirds
of the time in which an error in a config is shown. Text, flags, lists of text and words of an Enum are converted here;
other types are left to typer.
"""

from enum import Enum
from functools import partial
from typing import Any

import typer

from simcli.cli.examples import lines
from simcli.errors import suggestion


class _Plain:
    """Stands in for typer's converter of a parameter."""

    def __init__(self, annotation: Any) -> None:
        self._annotation = annotation

    def itself(self) -> "_Plain":
        """What typer asks for when it needs the converter."""
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value given on the command line, converted."""
        if param.multiple or param.nargs == -1:
            return () if value is None else list(value)
        if value is None or self._annotation is str or isinstance(value, self._annotation):
            return value
        return self._word(value, param, ctx)

    def _word(self, value: str, param: Any, ctx: Any) -> Enum:
        words = [str(member.value) for member in self._annotation]
        if value not in words:
            message = f"{value!r} is not allowed; one of {', '.join(words)}{suggestion(value, words)}"
            raise typer.BadParameter(message, ctx, param)
        member: Enum = self._annotation(value)
        return member


HELP = ["-h", "--help"]


def lighten(command: Any, path: str = "") -> Any:
    """Give every plain parameter of a command, and of its subcommands, the light converter; show arguments by name, and
    examples. path: the words of the command."""
    help_option = command.get_help_option(typer.Context(command, help_option_names=HELP))
    if help_option:
        help_option.opts.sort(key=HELP.index)  # typer has them in a set
    for param in [*command.params, *([help_option] if help_option else [])]:
        annotation = param.type_descriptor.annotation
        if _is_plain(annotation):
            param.get_runtime_param = _Plain(annotation).itself
        if param.param_type_name == "argument":
            _show_by_name(param)
    if lines(path):
        command.format_epilog = partial(_show_examples, lines(path))
    for name, child in getattr(command, "commands", {}).items():
        lighten(child, f"{path} {name}")
    return command


def _show_examples(examples: list[str], ctx: Any, formatter: Any) -> None:
    """At the end of help, command lines as they are typed: none is broken."""
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"  {example}\n")


def _show_by_name(argument: Any) -> None:
    """In help, an argument is its name: in brackets if it may be left out, without braces, dots or types added."""
    name = argument.metavar or argument.name.upper()
    shown = name if argument.required else f"[{name}]"
    argument.get_usage_pieces = lambda ctx: [shown]
    argument.display_type_rich = lambda ctx: ""


def _is_plain(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return annotation in (str, bool) or issubclass(annotation, Enum)
    return bool(annotation == list[str])
