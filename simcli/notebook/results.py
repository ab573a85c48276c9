"""What the functions of the module return: fields as in the JSON of commands, and a picture for notebooks."""

import html
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simcli.cli.printing import figure, percent, text_of

if TYPE_CHECKING:
    import polars as pl

    from simcli.asking import answers
    from simcli.runs.runfolder import RunFolder

T = TypeVar("T")


class Rows(list[T]):
    """A list whose items stand below each other in a notebook, and one a line elsewhere."""

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        return "".join(item._repr_html_() for item in self)  # type: ignore[attr-defined]


class Answer:
    """An answered question; the attributes are the fields of the JSON of `simcli ask`."""

    name: str
    """Its name in the config, or `question`."""
    kind: str
    """share, mean, quantiles or table."""
    question: str
    given: str | None
    per: str
    """round or seat."""
    by: list[str]
    estimate: float | None
    interval: list[float | None]
    """Its two limits; None where there is none."""
    level: float
    method: str
    hits: int | None
    eligible: int
    games: int
    stopped: str
    game: str
    rules_hash: str
    policies: list[str]
    predeal: dict[str, str] | None
    """The predealt cards of each hand, if there are any."""
    seed: int
    identity: str
    exact: dict[str, Any] | None
    """favourable and total, as text, and p."""
    examples: list[int]
    """Games in which the event happened, for `show`."""
    unfinished: dict[str, float]
    """Shares of rounds that came to no end."""
    warnings: list[str]
    reproduce: str
    """The command that gives the answer again."""
    groups: Sequence[Mapping[str, Any]] = ()
    """With `by`: key, estimate, interval, hits, eligible and games of each group."""
    level_each: float | None = None
    quantiles: Sequence[Mapping[str, Any]] = ()
    """p, value and interval of each."""
    histogram: Sequence[Mapping[str, Any]] = ()
    """low, high and count of each bar."""
    decision: str | None = None
    expected: Mapping[str, Any] | None = None
    styles: Sequence[Mapping[str, Any]] = ()
    """name, estimate, interval, hits, eligible, games and strength under each style of the game's players."""

    def __init__(self, found: "answers.Answer") -> None:
        self._found = found
        vars(self).update(found.describe())

    def describe(self) -> dict[str, Any]:
        """The JSON of the answer."""
        return self._found.describe()

    def __repr__(self) -> str:
        from simcli.cli.answers import paragraph

        return "\n".join(paragraph(self._found))

    def _repr_html_(self) -> str:
        given = f" given {self.given}" if self.given else ""
        return (
            f'<div style="margin:0.5em 0">{html.escape(self.question + given)}<br>{"".join(self._lines())}'
            f"<small>{html.escape(self._foot())}</small></div>"
        )

    def _lines(self) -> Iterator[str]:
        if self.estimate is not None:
            yield f"<b>{self._number(self.estimate)}</b> {self._limits(self.interval)}, {100 * self.level:g}%<br>"
            yield self._bar(self.estimate)
        rows = [(text_of(group["key"]), group["estimate"], group["interval"]) for group in self.groups]
        rows += [(f"{100 * found['p']:g}%", found["value"], found["interval"]) for found in self.quantiles]
        yield _table([[label, self._number(value), self._limits(interval)] for label, value, interval in rows])

    def _bar(self, estimate: float) -> str:
        """A share and its interval on a scale that ends at 1%, 10% or 100%; nothing for other kinds."""
        low, high = self.interval
        if self.kind != "share" or low is None or high is None:
            return ""
        end = next(end for end in (0.01, 0.1, 1.0) if high <= end)
        line = f"left:{100 * low / end:.2f}%;width:{100 * (high - low) / end:.2f}%;top:7px;height:2px"
        dot = f"left:calc({100 * estimate / end:.2f}% - 4px);width:8px;top:4px;height:8px;border-radius:4px"
        marks = "".join(f'<span style="position:absolute;background:#0072b2;{style}"></span>' for style in (line, dot))
        scale = "position:relative;width:20em;height:16px;border:solid #888;border-width:0 1px"
        return f'<div style="{scale}">{marks}</div><small>0 to {percent(end)}</small><br>'

    def _foot(self) -> str:
        unit = "seats" if self.per == "seat" else "rounds"
        return (
            f"{self.eligible:,} {unit}, {self.games:,} games of {self.game}; rules {self.rules_hash}, "
            f"players {', '.join(self.policies)}, seed {self.seed}"
            + (f"; predealt: {text_of(self.predeal)}" if self.predeal else "")
        )

    def _number(self, value: float | None) -> str:
        if value is None:
            return "unknown"
        return percent(value) if self.kind in ("share", "table") else figure(value)

    def _limits(self, interval: Sequence[float | None]) -> str:
        low, high = (
            self._number(infinite if limit is None else limit)
            for limit, infinite in zip(interval, (-math.inf, math.inf), strict=True)
        )
        return f"[{low}, {high}]"


@dataclass(frozen=True)
class Difference:
    """One row of a comparison: the estimate of setting `a` less that of `b` is from `low` to `high`."""

    question: str
    kind: str
    """share, mean or quantiles."""
    group: str
    a: str
    b: str
    estimate_a: float | None
    estimate_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    level: float
    a_is: str
    """better or worse (of points), higher or lower, or undecided."""
    games: int
    pairing_saves: float | None
    method: str
    game: str
    rules_hash_a: str
    rules_hash_b: str
    predeal_a: Mapping[str, str] | None
    predeal_b: Mapping[str, str] | None
    seed: int
    reproduce: str

    def _repr_html_(self) -> str:
        return _fields(self)


@dataclass(frozen=True)
class Count:
    """An exact probability: `favourable` of `total` equally likely dealt hands."""

    event: str
    favourable: int
    total: int
    p: float
    game: str
    rules: Mapping[str, Any]
    meaning: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Count":
        """From the JSON of `simcli exact`, where whole numbers are text."""
        found = {field.name: row[field.name] for field in fields(cls)}
        return cls(**{**found, "favourable": int(row["favourable"]), "total": int(row["total"])})

    def _repr_html_(self) -> str:
        return _fields(self)


@dataclass(frozen=True, repr=False)
class Transcript:
    """One game: `text` for people, `events` for programs (dicts, as `show --format jsonl` writes them)."""

    text: str
    events: list[dict[str, Any]]

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


class Run:
    """A run on disk, and its tables as polars LazyFrames that read part by part."""

    def __init__(self, folder: "RunFolder") -> None:
        self.path: Path = folder.path
        self._folder = folder

    def describe(self) -> dict[str, Any]:
        """All that decides its games: game, rules, policies, shuffle, seed, versions."""
        return self._folder.describe()

    @property
    def rounds(self) -> "pl.LazyFrame":
        """One row a round."""
        return self._table("rounds")

    @property
    def seats(self) -> "pl.LazyFrame":
        """One row a seat of a round."""
        return self._table("seats")

    @property
    def games(self) -> "pl.LazyFrame":
        """One row a game."""
        return self._table("games")

    def _table(self, name: str) -> "pl.LazyFrame":
        from simcli.runs.lazy import table

        return table(self._folder, name)

    def __repr__(self) -> str:
        about = self._folder.scenario
        games = self._folder.prefix()[-1].end
        return f"Run({str(self.path)!r}: {games:,} games of {about.game}, rules {about.rules_hash}, seed {about.seed})"


def _fields(row: Any) -> str:
    return _table([[field.name, text_of(getattr(row, field.name))] for field in fields(row)])


def _table(rows: Iterable[Sequence[str]]) -> str:
    lines = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{lines}</table>" if lines else ""
