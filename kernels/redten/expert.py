"""Players."""

from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.redten import plays
from kernels.redten.dealing import NOBODY
from kernels.redten.game import legal
from kernels.redten.judgement import PERCENT, fewest_left, friendship, stands, strength, unseen_by, winners
from kernels.redten.packed import BLACK_TEN, RANK_MASK, RED_BIT, RED_TEN, at_least, place_of_rank
from kernels.redten.plays import DECLINE, MAX_STRAIGHT, MIN_STRAIGHT, NOTHING, PAIR, PASS, SHOW, SINGLE, STRAIGHT, code
from kernels.redten.splits import fewest


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
    for size in range(MAX_STRAIGHT, MIN_STRAIGHT - 1, -1):
        if first >= 0 and plays.starts_of(hand, size) >> first & 1:
            straight = code(STRAIGHT, first, size)
            over_ten = plays.covers_ten(first, size)
            return straight | plays.RED_STRAIGHT if over_ten and not ranks >> BLACK_TEN & 1 else straight
    if at_least(hand, 2) >> rank & 1 and rank != RED_TEN:
        return code(PAIR, rank, 2)
    return code(SINGLE, rank, 1)


# The strong player.


@jit
def worth(params, hand, unseen):
    """Value of a hand: its strength, less what the plays cost that it still takes."""
    return strength(params, hand, unseen) - params.play * fewest(hand)


@jit
def chance_to_win(params, hand, unseen):
    """Percent of the decided hands that a side showing both red tens wins with this hand in it."""
    value = worth(params, hand, unseen)
    if at_least(hand, 2) & RED_BIT:
        return params.lone_base + params.lone_slope * value // PERCENT
    return params.pair_base + params.pair_slope * value // PERCENT


@jit
def _showing(rules, params, state, seat):
    """Show if the gain in hands won outweighs the loss in hands lost."""
    chance = chance_to_win(params, int(state.hand[seat]), unseen_by(state, seat))
    gain = chance * (rules.scoring_shown_won - 1)
    loss = (PERCENT - chance) * (rules.scoring_shown_lost - 1)
    return SHOW if gain > loss else DECLINE


@jit
def _lead_risk(params, action, unseen, danger):
    """What it costs to lead what an opponent with so few cards may well go out on."""
    if plays.size_of(action) != danger or plays.kind_of(action) > PAIR:
        return 0
    return params.guard * (PERCENT - stands(action, unseen)) // PERCENT


@jit
def _lead_value(params, state, seat, action, unseen):
    """What speaks for a lead beside the hand it leaves: whom it lets go out."""
    danger = fewest_left(state, seat, False)
    value = -_lead_risk(params, action, unseen, danger)
    if plays.size_of(action) == fewest_left(state, seat, True) and plays.kind_of(action) <= PAIR:
        value += params.help * (PERCENT - stands(action, unseen)) // PERCENT
    return value


@jit
def _answer_value(params, state, seat, action, unseen):
    """What speaks for beating the play on the table beside the hand it leaves: whose play it is."""
    winner = int(state.table_seat)
    friend = friendship(state, seat, winner)
    if friend > 0:
        standing = stands(int(state.table), unseen)
        return -friend * (params.respect + params.ally * standing // PERCENT) // PERCENT
    danger = fewest_left(state, seat, False)
    rivalry = params.rivalry + params.press // max(1, int(state.left[winner]))
    return rivalry * -friend // PERCENT + params.guard * stands(action, unseen) // (PERCENT * max(1, danger))


@jit
def _play_value(params, state, seat, action, unseen):
    """How good a play is: the plays and the strength left, the chance to lead next, and whom it helps."""
    hand = plays.without(int(state.hand[seat]), action)
    if hand == 0:
        return params.finish
    left = fewest(hand)
    standing = stands(action, unseen)
    value = strength(params, hand, unseen) - params.play * left
    if standing >= params.sure and left - winners(hand, unseen) <= 1:
        value += params.run
    if state.table == NOTHING:
        return value + params.calm * (PERCENT - standing) // PERCENT + _lead_value(params, state, seat, action, unseen)
    return value + params.initiative * standing // PERCENT + _answer_value(params, state, seat, action, unseen)


@jit
def expert(rules, params, state, streams, actions, seat):
    """The action of the highest value; on equal ones the first."""
    if state.asking != NOBODY:
        return _showing(rules, params, state, seat)
    count = legal(rules, state, actions, 0)
    if count == 1:
        return int(actions[0])
    unseen = unseen_by(state, seat)
    best = int(actions[0])
    best_value = worth(params, int(state.hand[seat]), unseen) if best == PASS else -params.finish
    for number in range(int(best == PASS), count):
        action = int(actions[number])
        value = _play_value(params, state, seat, action, unseen)
        if value > best_value:
            best = action
            best_value = value
    return best
