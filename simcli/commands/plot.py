"""`simcli plot`: a picture of games, as text or in a file."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli import options
from simcli.cli.options import Text, argument, option
from simcli.errors import UserError

if TYPE_CHECKING:
    from simcli.pictures.sources import Source


class Kind(StrEnum):
    """What a picture shows."""

    distribution = "distribution"
    groups = "groups"
    cumulative = "cumulative"


def main(
    target: options.Target,
    show: Annotated[str, argument("EXPR", "An event, a number, or a column of words, as in questions.")],
    by: Annotated[Text, option("--by", "COLUMN,...", "The groups, or what shares are cumulated along.")] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="What it shows; groups with --by, a distribution without.")
    ] = None,
    given: options.Given = None,
    per: options.Per = None,
    against: Annotated[
        Text, option("--against", "OTHER", "Draw another run or config, a policy, or KEY=VALUE,... over it.")
    ] = None,
    file: Annotated[Text, option("-O --file", "FILE", "Draw into this .png, .svg or .pdf, replacing it.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Draw light on dark.")] = False,
    games: options.Games = None,
    sets: options.Sets = None,
    hands: options.Hands = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    quiet: options.Quiet = False,
) -> None:
    """Draw how a number is distributed, a share or a mean by groups, or a share that grows with orbit or turn.

    Every value comes with its interval, as `simcli ask` gives it. Without -O the picture is text.
    """
    from kernels.pictures import DISTRIBUTION, GROUPS, Picture
    from simcli.pictures import paper
    from simcli.pictures.making import chart_of

    path = None if file is None else paper.check(file)
    sources = _sources(target, against, (options.changes(sets, hands), games, seed), options.job_count(jobs), quiet)
    chosen = kind.value if kind else GROUPS if by else DISTRIBUTION
    picture = Picture(show, chosen, by or "", given or "", per or "round")
    chart = chart_of(picture, sources)
    if path is None:
        from simcli.cli import colour, layout
        from simcli.pictures.blocks import lines

        for style, line in lines(chart, layout.width()):
            colour.print_line(line, style)
    else:
        from simcli.runs import files

        files.replace(path, paper.draw(chart, path.suffix.lower(), dark))


def _sources(
    target: str, against: Text, common: tuple[list[str] | None, Text, Text], jobs: int, quiet: bool
) -> "list[Source]":
    sets, games, seed = common
    folder, scenario = options.open_target(target, sets, games, seed)

    from simcli.pictures import making

    if folder is None:
        options.print_seed(scenario, quiet)
    count = None if games is None else options.game_count("-n", games)
    first = making.source(target, sets or (), scenario, folder, count, jobs, quiet)
    if against is None:
        return [first]
    if Path(against).is_dir():
        other, its_own = options.open_target(against)
        return [first, making.source(against, (), its_own, other, count, jobs, quiet)]
    if folder is not None:
        raise UserError(f"--against {against}", f"is not a run; {options.NO_OTHER_GAMES}")
    return [first, making.changed(first, against)]
