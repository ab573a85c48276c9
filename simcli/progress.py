"""How far a long computation is: a bar on a terminal, a line every 30 seconds elsewhere, nothing with `-q`."""

import sys
import threading
import time
from typing import Any

from simcli.errors import printable

_PATIENCE = 1.0
_LINE_SECONDS = 30.0


class Progress:
    """Counts games as threads play them; `tick` shows it, from the main thread.

    `note` is the current estimate, as short text.
    """

    def __init__(self, total: int | None, quiet: bool = False) -> None:
        self.total = total
        self.note = ""
        self._quiet = quiet
        self._played = 0
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._last_line = self._start
        self._bar: Any = None
        self._task: Any = None

    @property
    def played(self) -> int:
        """Games played so far."""
        return self._played

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.monotonic() - self._start

    @property
    def rate(self) -> float:
        """Games a second so far."""
        return self._played / max(self.seconds, 1e-9)

    def begin(self) -> None:
        """Start the clock (after compiling, say)."""
        self._start = self._last_line = time.monotonic()

    def advance(self, games: int) -> None:
        """Count games; called by the threads that play them."""
        with self._lock:
            self._played += games

    def say(self, message: str) -> None:
        """A remark on stderr, unless quiet."""
        if not self._quiet:
            print(printable(message), file=sys.stderr, flush=True)

    def tick(self) -> None:
        """Show the state, if it is time to."""
        if self._quiet or self.seconds < _PATIENCE:
            return
        if sys.stderr.isatty():
            self._show_bar()
        elif time.monotonic() - self._last_line >= _LINE_SECONDS:
            self._last_line = time.monotonic()
            self.say(self.line())

    def line(self) -> str:
        """The state in one line."""
        of = f" of {self.total:,}" if self.total else ""
        left = f", {_duration(self._left())} left" if self.total else ""
        note = f", {self.note}" if self.note else ""
        return f"{self._played:,}{of} games, {self.rate:,.0f} games/s{note}{left}"

    def _left(self) -> float:
        return ((self.total or 0) - self._played) / max(self.rate, 1e-9)

    def _show_bar(self) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                BarColumn(20), TextColumn("{task.description}"), console=Console(stderr=True), transient=True
            )
            self._task = self._bar.add_task("", total=self.total)
            self._bar.start()
        self._bar.update(self._task, completed=self._played, description=self.line())

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
