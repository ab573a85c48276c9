"""How far an answer depends on the players: the same question under each style that people play the game in."""

from collections.abc import Sequence
from dataclasses import replace

from kernels.options import EXPERT
from kernels.registry import Game
from simcli.asking.answers import Answer, Styled
from simcli.asking.collector import Collector
from simcli.asking.questions import MEAN, PROPORTION
from simcli.asking.request import Asked, answer
from simcli.config.loading import make_policy
from simcli.play.threads import Interrupts
from simcli.progress import Progress
from simcli.stats import stopping

_FRACTION = 10
"""A style plays the first games of this part of all, on the same deals."""
_LEAST_GAMES = 100


def compare(
    asked: Asked, found: Sequence[Answer], jobs: int, progress: Progress, interrupts: Interrupts
) -> list[Answer]:
    """The answers, shares and means with what they are under each style of the game.

    Without styles where seats are not all played by the expert as it is, where games come from a run, or where a tenth
    of them would be too few.
    """
    scenario = asked.scenario
    options = Game(scenario.game).options
    usual = make_policy(options, EXPERT)
    games = found[0].games // _FRACTION
    if asked.folder is not None or set(map(repr, scenario.policies)) != {repr(usual)} or games < _LEAST_GAMES:
        return list(found)
    styled = list(found)
    for name, style in options.STYLES.items():
        players = (make_policy(options, name),) * scenario.players
        questions = [each.question for each in found]
        collector = Collector(replace(scenario, policies=players), questions, stopping.Rule(games))
        for number, each in enumerate(answer(Asked(asked.request, collector), jobs, progress, interrupts)):
            if each.question.kind in (PROPORTION, MEAN):
                row = Styled(name, each.total, style.strength)
                styled[number] = replace(styled[number], styles=(*styled[number].styles, row))
        if interrupts():
            break
    return styled
