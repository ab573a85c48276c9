"""`simcli report`: one page about the games of a run or a config."""

from pathlib import Path
from typing import Annotated

from simcli.cli import options
from simcli.cli.options import Text, option
from simcli.errors import UserError

_ENDINGS = (".html", ".htm")


def main(
    target: options.Target,
    compare: Annotated[Text, option("--compare", "OTHER", "Set another run, or config, beside it.")] = None,
    file: Annotated[Text, option("-O --file", "FILE", "The page, replacing it; report-NAME.html by default.")] = None,
    games: options.Games = None,
    sets: options.Sets = None,
    hands: options.Hands = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    quiet: options.Quiet = False,
) -> None:
    """Write one HTML page: the questions answered, pictures of the games, what rules and players move, a game.

    The page is one file that needs no network. Other rules and players are played anew; all else comes from the run,
    where one is given.
    """
    sets = options.changes(sets, hands)
    folder, scenario = options.open_target(target, sets, games, seed)
    path = _checked(Path(file or f"report-{scenario.name}.html"))

    from dataclasses import replace

    from simcli.pictures import making
    from simcli.report.gathering import gather
    from simcli.report.page import page
    from simcli.runs import files

    if folder is None:
        options.print_seed(scenario, quiet)
    threads = options.job_count(jobs)
    count = None if games is None else options.game_count("-n", games)
    sources = [making.source(target, sets, scenario, folder, count, threads, quiet)]
    if compare is not None:
        other, its_own = options.open_target(compare, None, games, None if folder else str(scenario.seed))
        _check_game(compare, its_own.game, scenario.game)
        sources.append(making.source(compare, (), its_own, other, count, threads, quiet))
        sources = [replace(source, label=name) for source, name in zip(sources, "AB", strict=True)]
    files.replace(path, page(gather(sources)).encode())
    print(path)


def _check_game(place: str, game: str, wanted: str) -> None:
    if game != wanted:
        raise UserError(f"--compare {place}", f"is of {game}, not of {wanted}")


def _checked(path: Path) -> Path:
    if path.suffix.lower() not in _ENDINGS:
        raise UserError(f"-O {path}", f"not a page; its name ends in {' or '.join(_ENDINGS)}")
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(f"-O {path}", "is a folder" if path.is_dir() else "its folder does not exist")
    return path
