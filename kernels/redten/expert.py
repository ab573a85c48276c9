"""Players."""

from kernels.jit import jit
from kernels.redten import plays
from kernels.redten.bits import lowest
from kernels.redten.dealing import NOBODY
from kernels.redten.game import legal
from kernels.redten.packed import BLACK_TEN, RANK_MASK, RED_TEN, at_least, place_of_rank
from kernels.redten.plays import DECLINE, LONGEST, NOTHING, PAIR, PASS, SHORTEST, SINGLE, STRAIGHT, code


@jit
def greedy(rules, params, state, streams, actions, seat):
    """Shows nothing, beats with the lowest play that does, and leads its lowest card with as many as go along."""
    if state.asking != NOBODY:
        return DECLINE
    if state.table == NOTHING:
        return lowest_lead(int(state.hand[seat]))
    return int(actions[1]) if legal(rules, state, actions, 0) > 1 else PASS


@jit
def lowest_lead(hand):
    """The longest straight that starts at the lowest rank; else the pair of it, or the single card."""
    ranks = hand & RANK_MASK
    rank = lowest(ranks)
    first = place_of_rank(rank)
    for size in range(LONGEST, SHORTEST - 1, -1):
        if first >= 0 and plays.starts_of(hand, size) >> first & 1:
            straight = code(STRAIGHT, first, size)
            over_ten = plays.covers_ten(first, size)
            return straight | plays.RED_STRAIGHT if over_ten and not ranks >> BLACK_TEN & 1 else straight
    if at_least(hand, 2) >> rank & 1 and rank != RED_TEN:
        return code(PAIR, rank, 2)
    return code(SINGLE, rank, 1)


@jit
def expert(rules, params, state, streams, actions, seat):
    """As the simple player, for now."""
    return greedy(rules, params, state, streams, actions, seat)
