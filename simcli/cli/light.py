"""Plain options without a validation library: typer loads one even to turn text into text, which takes as long as all
the rest of the start. Text, flags, lists of text and words of an Enum are converted here; other types are typer's.
"""

from enum import Enum
from typing import Any

import typer

from simcli.errors import suggestion


class _Plain:
    """Stands where typer keeps its converter of a parameter."""

    def __init__(self, annotation: Any) -> None:
        self._annotation = annotation

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value given on the command line, converted."""
        if param.multiple or param.nargs == -1:
            return list(value or ())
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


def lighten(command: Any) -> Any:
    """Give every plain parameter of a command, and of its subcommands, the light converter."""
    help_option = command.get_help_option(typer.Context(command))
    for param in [*command.params, *([help_option] if help_option else [])]:
        annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
        if _is_plain(annotation) and getattr(param, "_runtime_param", param) is None:
            param._runtime_param = _Plain(annotation)
        if getattr(param, "param_type_name", "") == "argument":
            _show_plainly(param)
    for child in getattr(command, "commands", {}).values():
        lighten(child)
    return command


def _show_plainly(argument: Any) -> None:
    """In help, an argument is its name: in brackets if it may be left out, without braces, dots or types added."""
    name = argument.metavar or argument.name.upper()
    shown = name if argument.required else f"[{name}]"
    argument._usage_display_name = lambda: shown
    argument.display_type_rich = lambda ctx: ""


def _is_plain(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return annotation in (str, bool) or issubclass(annotation, Enum)
    return bool(annotation == list[str])
