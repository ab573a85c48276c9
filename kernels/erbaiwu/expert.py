"""Players of Er Bai Wu."""

from kernels.erbaiwu import actions as act
from kernels.erbaiwu import choices
from kernels.erbaiwu.masks import count, lowest
from kernels.jit import jit
from kernels.notation import SMALL_JOKER


@jit
def shed(state, action):
    """Points that a reduction takes from the hand, fines for dead names deducted."""
    stand_ins = act.jokers_of(action)
    naturals = act.named_by(action) & ~stand_ins
    dead = stand_ins & int(state.gone)
    return (
        choices.points_of(state, naturals)
        + count(stand_ins) * int(state.values[SMALL_JOKER])
        - count(dead) * int(state.fine_outlaw)
    )


@jit
def dearest(state, cards):
    """Bit of the card of a set with most points."""
    best = lowest(cards)
    while cards:
        bit = lowest(cards)
        if state.values[bit] > state.values[best]:
            best = bit
        cards &= cards - 1
    return best


@jit
def _discard_dearest(state, seat):
    free = choices.free_to_discard(state, seat)
    if state.opening and free == 0:
        free = int(state.hands[seat]) & int(state.outlaws)
    return act.single(act.DISCARD, dearest(state, free)) if free else act.KEEP


@jit
def _reduce_most(state, actions, seat):
    """The reduction that sheds most, but none that costs as much as it sheds; -1 if there is none."""
    best = -1
    most = 0
    for i in range(choices.put_reductions(state, actions, 0, 0, seat)):
        points = shed(state, int(actions[i]))
        if points > most:
            most = points
            best = int(actions[i])
    return best


@jit
def greedy(rules, params, state, streams, actions, seat):
    """Reduces all it can, settles when it can, pongs always, and throws what counts most."""
    if state.phase == choices.DISCARD:
        return _discard_dearest(state, seat)
    if state.phase == choices.PONG:
        choices.put_pongs(state, actions, 0, seat)
        return int(actions[0])
    reduction = _reduce_most(state, actions, seat)
    if reduction >= 0:
        return reduction
    if choices.may_settle(state, seat):
        return act.SETTLE
    if state.opening:
        return _discard_dearest(state, seat)
    outlaws = int(state.hands[seat]) & int(state.outlaws)
    return act.single(act.OUTLAW, lowest(outlaws)) if outlaws else act.DRAW


@jit
def expert(rules, params, state, streams, actions, seat):
    return greedy(rules, params, state, streams, actions, seat)
