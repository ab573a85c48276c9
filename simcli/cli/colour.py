"""Colour on a terminal, unless NO_COLOR is set: bold, dim, and red for red suits. Elsewhere lines are as they are.

Only the codes here reach a terminal; the text between them is guarded as everything printed is.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator

from simcli.cli.characters import Guarded

PLAIN, BOLD, DIM, RED = "", "\x1b[1m", "\x1b[2m", "\x1b[31m"
_RESET = "\x1b[0m"
_RED_SUITS = re.compile("([♥♦](?:10|[A2-9JQK])?)")

Part = tuple[str, str]
"""A style and a text."""


def is_coloured() -> bool:
    """Whether what is printed has colours."""
    terminal = isinstance(sys.stdout, Guarded) and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return terminal and not os.environ.get("NO_COLOR")


def print_line(text: str, style: str = PLAIN) -> None:
    """Print a line in a style, red suits in red."""
    print_parts([(style, text)])


def print_parts(parts: Iterable[Part]) -> None:
    """Print a line made of parts in different styles, red suits in red."""
    stream = sys.stdout
    if not is_coloured():
        print("".join(text for _, text in parts))
        return
    assert isinstance(stream, Guarded)
    for style, text in _with_red_suits(parts):
        if style:
            stream.command(style)
        stream.write(text)
        if style:
            stream.command(_RESET)
    stream.write("\n")


def _with_red_suits(parts: Iterable[Part]) -> Iterator[Part]:
    for style, text in parts:
        for place, piece in enumerate(_RED_SUITS.split(text)):
            if piece:
                yield (RED if place % 2 else style), piece
