"""Options that mean the same in every command, and the scenario they lead to."""

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Annotated

import typer

from simcli.config.nodes import Node
from simcli.config.scenario import Scenario
from simcli.errors import cut

MOST_JOBS = 4096


class Output(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


Config = Annotated[str, typer.Argument(metavar="CONFIG", help="A YAML file, or the name of a config that comes along.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("-s", "--set", metavar="KEY=VALUE", help="Change a key of the config, e.g. rules.players=5."),
]
Questions = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUESTION...", help="A question of the config by name, or an event such as 'turns < 9'."),
]
Given = Annotated[str | None, typer.Option("--given", metavar="EVENT", help="Only count where this holds.")]
Per = Annotated[
    str | None, typer.Option("--per", metavar="UNIT", help="Count rounds (round) or seats of rounds (seat).")
]
Mean = Annotated[str | None, typer.Option("--mean", metavar="EXPR", help="The mean of a number.")]
Games = Annotated[str | None, typer.Option("-n", "--games", metavar="N", help="Number of games.")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="SEED", help="0 to 2^64-1; drawn if left out.")]
Jobs = Annotated[str | None, typer.Option("-j", "--jobs", metavar="N", help="Threads; all cores if left out.")]
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
    from simcli.config.loading import load

    return load(config, sets or (), games, seed)


def tell_seed(scenario: Scenario, quiet: bool) -> None:
    """Say on stderr which seed was drawn, if one was, once nothing can be wrong with what was asked."""
    if not quiet and "seed" not in scenario.places:
        _tell_drawn(scenario.seed)


@cache
def _tell_drawn(seed: int) -> None:
    print(f"seed {seed} (drawn)", file=sys.stderr)


def number(option: str, text: str, low: int | None = None, high: int | None = None) -> int:
    """A whole number given on the command line, refused with a hint as in a config."""
    return Node(text.strip(), f"{option} {cut(text)}", plain=True).integer(low, high)


def job_count(jobs: str | None) -> int:
    """Number of threads to use."""
    if jobs is not None:
        return number("-j", jobs, 1, MOST_JOBS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
