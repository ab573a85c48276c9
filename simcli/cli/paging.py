"""Long texts for people: on a terminal Markdown is rendered and all is paged, elsewhere it is as it is."""

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence

from simcli.cli import layout
from simcli.cli.colour import is_coloured

_WIDEST = 100
_LESS = "FRX"
"""Options of less: print at once what fits the screen, let colours through, leave what was shown."""


def page(texts: Sequence[str | Sequence[str]]) -> None:
    """Print texts in Markdown, and lines as they are. On a terminal PAGER shows them: less by default, which prints at
    once what needs no paging."""
    if not sys.stdout.isatty():
        for text in texts:
            print(text if isinstance(text, str) else "\n".join(text))
        return
    size, coloured = min(layout.width(), _WIDEST), is_coloured()
    pieces = (rendered(text, size, coloured) if isinstance(text, str) else "\n".join([*text, ""]) for text in texts)
    if not _paged("".join(pieces)):
        print("\n".join(rendered(text, size, False) if isinstance(text, str) else "\n".join(text) for text in texts))


def _paged(text: str) -> bool:
    """Whether there is a pager, which has then shown the text."""
    words = shlex.split(os.environ.get("PAGER") or "less")
    try:
        with subprocess.Popen(words, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ}) as pager:
            try:
                pager.communicate(text.encode())
            except KeyboardInterrupt:  # the pager's own business
                pager.wait()
    except OSError:
        return False
    return True


def rendered(markdown: str, width: int, coloured: bool) -> str:
    """A text in Markdown as a terminal shows it."""
    from rich.console import Console
    from rich.markdown import Markdown

    file = io.StringIO()
    console = Console(file=file, width=width, color_system="standard" if coloured else None, force_terminal=coloured)
    console.print(Markdown(markdown))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"
