"""Options that mean the same in every command, and the scenario they lead to."""

import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from simcli.config.loading import MAX_GAMES, load
from simcli.config.nodes import Node
from simcli.config.scenario import Scenario
from simcli.errors import UserError, cut

MAX_JOBS = 4096


class Output(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


Text = str | None

Config = Annotated[str, typer.Argument(metavar="CONFIG", help="A YAML file, or the name of a config that comes along.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("-s", "--set", metavar="KEY=VALUE", help="Change a key of the config, e.g. rules.players=5."),
]
Questions = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUESTION...", help="A question of the config by name, or an event such as 'turns < 9'."),
]
Given = Annotated[Text, typer.Option("--given", metavar="EVENT", help="Only count where this holds.")]
Per = Annotated[Text, typer.Option("--per", metavar="UNIT", help="Count rounds (round) or seats of rounds (seat).")]
Mean = Annotated[Text, typer.Option("--mean", metavar="EXPR", help="The mean of a number.")]
Precision = Annotated[Text, typer.Option("--precision", metavar="W", help="Half-width of the interval: 2% or 0.1pp.")]
Level = Annotated[Text, typer.Option("--level", metavar="L", help="Level of the interval; 0.95 if left out.")]
Games = Annotated[Text, typer.Option("-n", "--games", metavar="N", help="Number of games.")]
Seed = Annotated[Text, typer.Option("--seed", metavar="SEED", help="0 to 2^64-1; drawn if left out.")]
Jobs = Annotated[Text, typer.Option("-j", "--jobs", metavar="N", help="Threads; all cores if left out.")]
Results = Annotated[str, typer.Option("--results", metavar="DIR", help="Folder that holds the runs.")]
Format = Annotated[Output, typer.Option("-o", "--output", help="How the answer is printed.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress, no notes.")]


def load_scenario(
    config: str,
    sets: Sequence[str] | None = None,
    games: str | None = None,
    seed: str | None = None,
) -> Scenario:
    """The scenario of CONFIG and the common options."""
    return load(config, sets or (), games, seed)


def print_seed(scenario: Scenario, quiet: bool) -> None:
    """Say on stderr which seed was drawn, if one was, once nothing can be wrong with what was asked."""
    if not quiet and "seed" not in scenario.places:
        print(f"seed {scenario.seed} (drawn)", file=sys.stderr)


def given_only(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def number(option: str, text: str, low: int | None = None, high: int | None = None) -> int:
    """A whole number given on the command line, refused with a hint as in a config."""
    return Node(text.strip(), f"{option} {cut(text)}", plain=True).integer(low, high)


def game_count(option: str, text: str) -> int:
    """A number of games, or of something that happens at most once a game."""
    return number(option, text, 1, MAX_GAMES)


def positive(option: str, text: str) -> float:
    """A positive number given on the command line. Raises UserError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise UserError(f"{option} {text}", "not a positive number")
    return value


def duration(option: str, text: str) -> float:
    """Seconds, given as 30, 30s, 1.5m or 2h. Raises UserError."""
    seconds = {"s": 1, "m": 60, "h": 3600}
    found = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*([smh]?)", text.strip())
    value = float(found[1]) * seconds[found[2] or "s"] if found else 0.0
    if not 0 < value < float("inf"):
        raise UserError(f"{option} {cut(text)}", "not a time; write 30, 30s, 1m or 2h")
    return value


def job_count(jobs: str | None) -> int:
    """Number of threads to use."""
    if jobs is not None:
        return number("-j", jobs, 1, MAX_JOBS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
