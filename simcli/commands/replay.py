"""`simcli replay`: transcripts checked move by move."""

from typing import Annotated, Any

import typer

from simcli.cli.options import Quiet, Sets
from simcli.errors import DONE, VIOLATION, printable


def main(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Transcripts in JSON Lines; - is stdin.")],
    config: Annotated[str | None, typer.Option("--config", metavar="CONFIG", help="The rules played by.")] = None,
    sets: Sets = None,
    partial: Annotated[bool, typer.Option("--partial", help="The order of the stock is not known.")] = False,
    quiet: Quiet = False,
) -> int:
    """Check transcripts move by move against the rules and name everything that is wrong.

    The last line counts rounds, events and violations; the exit code is 5 if there are violations.
    """
    from simcli.config.reading import open_text
    from simcli.transcript.replay import Findings

    new_referee = _referees(config, tuple(sets or ()), quiet)
    rounds = events = violations = 0
    for name in files:
        findings = Findings(new_referee, partial)
        with open_text(name) as file:
            for finding in findings.check(file):
                print(f"{printable(name)}:{finding.line}: {finding.message}")
        rounds += findings.rounds
        events += findings.events
        violations += findings.violations
    print(f"{rounds} rounds, {events} events, {violations} violations")
    return VIOLATION if violations else DONE


def _referees(config: str | None, sets: tuple[str, ...], quiet: bool) -> Any:
    """A function that makes a referee for the game that a `deal` line names."""
    from kernels.registry import GAMES, Game
    from simcli.config.loading import from_plain, load
    from simcli.errors import shorten, suggestion
    from simcli.transcript.replay import Unjudged

    ruled = load(config, sets) if config else None

    def new_referee(name: object, partial: bool) -> Any:
        if not isinstance(name, str) or name not in GAMES:
            known = f"one of {', '.join(GAMES)}{suggestion(str(name), GAMES)}"
            raise Unjudged(f"there is no game {shorten(str(name))}; {known}")
        if ruled is not None and ruled.game != name:
            raise Unjudged(f"the game is {name}, but the config is about {ruled.game}")
        return _seated(Game(name), ruled or from_plain({"game": name}, "replay", "replay", sets), partial, quiet)

    return new_referee


def _seated(game: Any, scenario: Any, partial: bool, quiet: bool) -> Any:
    from simcli.play.simulate import compiled_rules

    return game.transcript.Referee(game, compiled_rules(scenario), partial)
