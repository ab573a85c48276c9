"""Options that mean the same in every command, and the scenario they lead to."""

import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcli.cli import completion
from simcli.config.loading import MAX_GAMES, Hand, load, option_of
from simcli.config.nodes import Node
from simcli.config.scenario import Scenario
from simcli.errors import UserError, cut

if TYPE_CHECKING:
    from simcli.runs.runfolder import RunFolder

MAX_JOBS = 4096
NO_OTHER_GAMES = "a run's games are what they are; ask its config instead"


class Output(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


def argument(metavar: str, text: str, offers: Any = None) -> Any:
    """A place on the command line, for `Annotated`; offers: a function of `simcli.cli.completion`."""
    return typer.Argument(metavar=metavar, help=text, autocompletion=offers)


def option(names: str, metavar: str, text: str, offers: Any = None) -> Any:
    """An option that takes a value, by its names, for `Annotated`; offers: a function of `simcli.cli.completion`."""
    return typer.Option(*names.split(), metavar=metavar, help=text, autocompletion=offers)


Text = str | None
Texts = list[str] | None

Config = Annotated[
    str, argument("CONFIG", "A YAML file, or the name of a config that comes with simcli.", completion.configs)
]
Target = Annotated[str, argument("CONFIG-or-RUN", "A config, or the folder of a run.", completion.targets)]
GameName = Annotated[str, argument("GAME", "Name of a game; see `simcli rules list`.", completion.games)]
GameNames = Annotated[Texts, argument("GAME...", "Names of games; all by default.", completion.games)]
Run = Annotated[str, argument("RUN", "The folder of a run.", completion.runs)]
Questions = Annotated[
    Texts,
    argument("QUESTION...", "A question of the config by name, or an event such as 'turns < 9'.", completion.questions),
]

Sets = Annotated[
    Texts, option("-s --set", "KEY=VALUE", "Change a key of the config, e.g. rules.players=5.", completion.changes)
]
Hands = Annotated[
    Texts, option("--hand", "[SEAT=]CARDS", "Cards that seat 0, or SEAT, holds when the first round begins.")
]
Given = Annotated[Text, option("--given", "EVENT", "Count only where this holds.")]
Per = Annotated[Text, option("--per", "UNIT", "What is counted: round, or seat (each seat of each round).")]
Mean = Annotated[Text, option("--mean", "EXPR", "Estimate the mean of a number.")]
Quantiles = Annotated[Text, option("--quantiles", "EXPR", "Estimate the quantiles of a number.")]
By = Annotated[Text, option("--by", "COLUMN,...", "Answer for each group of rows, too.", completion.columns)]
Precision = Annotated[Text, option("--precision", "W", "Half-width to reach: 2% of the estimate, or 0.1pp.")]
Level = Annotated[Text, option("--level", "L", "Level of the interval; 0.95 by default.")]
Games = Annotated[Text, option("-n --games", "N", "Number of games.")]
Seed = Annotated[Text, option("--seed", "SEED", "0 to 2^64-1; drawn at random by default.")]
Jobs = Annotated[Text, option("-j --jobs", "N", "Number of threads; all cores by default.")]
Results = Annotated[str, option("--results", "DIR", "Folder that holds the runs.")]
Format = Annotated[Output, typer.Option("-o", "--output", help="How the answer is printed.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print no progress and no notes.")]
Summary = Annotated[bool, typer.Option("--summary", help="Print a line for every column instead of answers.")]


def changes(sets: Sequence[str] | None, hands: Sequence[str] | None) -> list[str]:
    """The changes of the config that `--set` and `--hand` give. Raises UserError for two hands of one seat."""
    dealt = [Hand(written) for written in hands or ()]
    seats = [change.partition("=")[0] for change in dealt]
    for seat in seats:
        if seats.count(seat) > 1:
            raise UserError("--hand", f"{seat.removeprefix('predeal.')} is given twice; give all its cards at once")
    return [*(sets or ()), *dealt]


def load_scenario(config: str, sets: Sequence[str] | None = None, games: Text = None, seed: Text = None) -> Scenario:
    """The scenario of CONFIG and the common options. Raises UserError."""
    return load(config, sets or (), games, seed)


def open_target(
    target: str, sets: Sequence[str] | None = None, games: Text = None, seed: Text = None
) -> "tuple[RunFolder | None, Scenario]":
    """The run that CONFIG-or-RUN names, if it is one, and the scenario. Raises UserError."""
    if not target or not Path(target).is_dir():
        return None, load_scenario(target, sets, games, seed)
    from simcli.runs.runfolder import open_run

    folder = open_run(Path(target))
    given = [*dict.fromkeys(option_of(change)[0] for change in sets or ()), *(["--seed"] if seed else [])]
    if given:
        raise UserError(f"{target} {given[0]}", NO_OTHER_GAMES)
    return folder, folder.scenario


def print_seed(scenario: Scenario, quiet: bool) -> None:
    """Say on stderr which seed was drawn, if one was, once nothing can be wrong with what was asked."""
    if not quiet and "seed" not in scenario.places:
        print(f"seed {scenario.seed} (drawn)", file=sys.stderr)


def question_keys(level: Text = None, **texts: Text) -> dict[str, Any]:
    """The keys of a question that were given as options. Raises UserError."""
    return given_only(**texts, level=None if level is None else positive("--level", level))


def limits(
    games: Text = None,
    precision: Text = None,
    hits: Text = None,
    decide: Text = None,
    min_games: Text = None,
    max_games: Text = None,
    time_limit: Text = None,
) -> dict[str, Any]:
    """What `ask` stops at, from the options. Raises UserError."""
    return {
        "games": None if games is None else game_count("-n", games),
        "precision": precision,
        "hits": None if hits is None else game_count("--hits", hits),
        "decide": decide,
        "min_games": None if min_games is None else game_count("--min-games", min_games),
        "max_games": None if max_games is None else game_count("--max-games", max_games),
        "time_limit": None if time_limit is None else duration("--time-limit", time_limit),
    }


def given_only(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def number(name: str, text: str, low: int | None = None, high: int | None = None) -> int:
    """An option's whole number, refused with a hint as in a config. Raises UserError."""
    return Node(text.strip(), f"{name} {cut(text)}", plain=True).integer(low, high)


def count(name: str, text: str, high: int) -> int:
    """An option's number of things, at least one, also as 10k, 2.5M or 1e6. Raises UserError."""
    return Node(text.strip(), f"{name} {cut(text)}", plain=True).count(1, high)


def game_count(name: str, text: str) -> int:
    """An option's number of games, or of something that happens at most once per game. Raises UserError."""
    return count(name, text, MAX_GAMES)


def positive(name: str, text: str) -> float:
    """An option's positive number. Raises UserError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise UserError(f"{name} {text}", "not a positive number")
    return value


def duration(name: str, text: str) -> float:
    """An option's seconds, given as 30, 30s, 1.5m or 2h. Raises UserError."""
    seconds = {"s": 1, "m": 60, "h": 3600}
    found = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*([smh]?)", text.strip())
    value = float(found[1]) * seconds[found[2] or "s"] if found else 0.0
    if not 0 < value < float("inf"):
        raise UserError(f"{name} {cut(text)}", "not a time; write 30, 30s, 1m or 2h")
    return value


def job_count(jobs: Text) -> int:
    """Number of threads to use."""
    if jobs is not None:
        return number("-j", jobs, 1, MAX_JOBS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
