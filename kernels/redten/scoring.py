"""The end of a hand: its outcome, and what it pays."""

from kernels.compiler.jit import jit
from kernels.redten.columns import OUTCOMES
from kernels.redten.options import PLAYERS

RED_BIG, RED_SMALL, DRAWN, BLACK_SMALL, BLACK_BIG, SOLO_WIN, SOLO_DRAWN, SOLO_LOSS = range(len(OUTCOMES))
FIRST, SECOND, THIRD, LAST = range(1, PLAYERS + 1)


@jit
def _judge_pairs(rules, state):
    """Two against two: the outcome, and the points of each on the side that came in first."""
    winner = int(state.places[0])
    red = state.side[winner] != 0
    if state.side[state.places[SECOND - 1]] == state.side[winner]:
        return RED_BIG if red else BLACK_BIG, rules.scoring_first_second
    if state.side[state.places[THIRD - 1]] == state.side[winner]:
        return RED_SMALL if red else BLACK_SMALL, rules.scoring_first_third
    return DRAWN, rules.scoring_first_fourth


@jit
def _judge_solo(rules, state):
    """One against three: the outcome, the lone player's points and each other's."""
    for place in range(PLAYERS):
        if state.side[state.places[place]]:
            if place + 1 == FIRST:
                return SOLO_WIN, rules.scoring_lone_first_lone, rules.scoring_lone_first_others
            if place + 1 == LAST:
                return SOLO_LOSS, rules.scoring_lone_last_lone, rules.scoring_lone_last_others
    return SOLO_DRAWN, rules.scoring_lone_middle_lone, rules.scoring_lone_middle_others


@jit
def _multiplier(rules, state, outcome):
    """What showing makes of the points; a drawn hand counts once."""
    if not state.shown or outcome in (DRAWN, SOLO_DRAWN):
        return 1
    won = outcome in (RED_BIG, RED_SMALL, SOLO_WIN)
    return rules.scoring_shown_won if won else rules.scoring_shown_lost


@jit
def score(rules, state):
    """Points of the hand, added to the totals."""
    winner = int(state.places[0])
    if state.solo:
        outcome, ours, theirs = _judge_solo(rules, state)
        side = 1
    else:
        outcome, ours = _judge_pairs(rules, state)
        theirs = -ours
        side = int(state.side[winner])
    state.outcome = outcome
    state.multiplier = _multiplier(rules, state, outcome)
    for seat in range(PLAYERS):
        points = ours if state.side[seat] == side else theirs
        state.points[seat] = points * int(state.multiplier)
        state.totals[seat] += state.points[seat]
