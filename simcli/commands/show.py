"""`simcli show`: games move by move."""

from enum import StrEnum
from typing import Annotated

import typer

from simcli.cli.options import Hands, Quiet, Seed, Sets, Target, changes, number, open_target, print_seed
from simcli.errors import UserError


class Form(StrEnum):
    """How a transcript is written."""

    text = "text"
    jsonl = "jsonl"


def main(
    target: Target,
    game: Annotated[str | None, typer.Option("--game", metavar="I", help="Which game, from 0.")] = None,
    games: Annotated[str | None, typer.Option("--games", metavar="A:B", help="Games A to B-1.")] = None,
    form: Annotated[Form, typer.Option("--format", help="Text for people, JSON Lines for programs.")] = Form.text,
    legal: Annotated[bool, typer.Option("--legal", help="Add how many actions each player had.")] = False,
    sets: Sets = None,
    hands: Hands = None,
    seed: Seed = None,
    quiet: Quiet = False,
) -> None:
    """Show one game, or several, move by move."""
    wanted = _range(game, games)
    folder, scenario = open_target(target, changes(sets, hands), None, seed)

    from kernels.registry import Game
    from simcli.cli.colour import print_line
    from simcli.play import threads
    from simcli.play.simulate import Table
    from simcli.progress import Progress
    from simcli.transcript.write import json_lines, text_lines

    if folder is None:
        print_seed(scenario, quiet)
    rules = threads.prepare(scenario, Progress(None, quiet))
    table = Table(scenario, rules)
    write = json_lines if form is Form.jsonl else text_lines
    for index in wanted:
        for line in write(Game(scenario.game), table, index, legal):
            print_line(line)


def _range(game: str | None, games: str | None) -> range:
    from simcli.config.loading import MAX_GAMES

    if game is not None and games is not None:
        raise UserError("show", "--game and --games exclude each other")
    if games is None:
        first = number("--game", game or "0", 0, MAX_GAMES)
        return range(first, first + 1)
    start, colon, end = games.partition(":")
    if not colon:
        raise UserError(f"--games {games}", "not a range; A:B means games A to B-1")
    first, last = number("--games", start, 0, MAX_GAMES), number("--games", end, 0, MAX_GAMES)
    if first >= last:
        raise UserError(f"--games {games}", "an empty range; A:B means games A to B-1")
    return range(first, last)
