"""Cards on their way out of hands: onto chains and groups, to the discard pile, from the stock.

Named cards are masks: `chain` all cards in chains, `open` those that may be laid off next, `ends` the end cards that
may be locked, `fourth` the cards that lift a group. Which joker stands for what is kept beside them.
"""

from kernels import cards
from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.erbaiwu import actions as act
from kernels.erbaiwu.masks import BELOW_SEVEN, BIT_OF, NATURALS, SUITS, rank_mask
from kernels.notation import BIG_JOKER, SMALL_JOKER

BIG = 1 << BIG_JOKER
SMALL = 1 << SMALL_JOKER

ONE_SUIT = 0x1111111111111
"""The spades of every rank; shifted by a suit's number, the cards of that suit."""
IN_CHAIN, IN_DISCARDS = -1, -2
"""Places of a joker, beside the number of its group."""


@jit
def draw_card(state, streams, seat):
    """The top card of the stock goes to a hand."""
    state.hands[seat] = int(state.hands[seat]) | (1 << int(BIT_OF[cards.draw(state, streams)]))


@jit
def to_discards(state, bit):
    """The card is on top of the discard pile."""
    state.discards[state.discards_n] = bit
    state.discards_n += 1


@jit
def _joker_out_of_hand(state, seat):
    """Take a joker out of the hand: `joker_next` first, if the hand holds both. Returns its number, 0 small, 1 big."""
    hand = int(state.hands[seat])
    number = int(state.joker_next)
    if hand & (SMALL << number) == 0:
        number = 1 - number
    state.hands[seat] = hand & ~(SMALL << number)
    return number


@jit
def _fine(state, seat):
    state.fines[seat] += state.fine_outlaw
    state.outlaw_fines += 1


@jit
def _lay_joker(state, seat, bit, place):
    """A joker of the seat stands for a card from now on, which becomes an outlaw; a dead one costs a fine."""
    number = _joker_out_of_hand(state, seat)
    state.joker_as[number] = bit
    state.joker_at[number] = place
    state.outlaws = int(state.outlaws) | (1 << bit)
    if (int(state.gone) >> bit) & 1:
        _fine(state, seat)


@jit
def _lay_cards(state, seat, action, place):
    """Take the cards of a reduction out of the hand."""
    state.changed = state.turns
    stand_ins = act.jokers_of(action)
    naturals = act.named_by(action) & ~stand_ins
    state.hands[seat] = int(state.hands[seat]) & ~naturals
    state.gone = int(state.gone) | naturals
    while stand_ins:
        _lay_joker(state, seat, lowest(stand_ins), place)
        stand_ins &= stand_ins - 1


@jit
def _neighbour(card):
    """The next card outward in a chain, both ways for a 7; as a mask, empty beyond ace and king."""
    down = card >> SUITS
    up = (card << SUITS) & NATURALS
    if card <= BELOW_SEVEN:
        return down
    if card > BELOW_SEVEN << SUITS:
        return up
    return down | up


@jit
def _show_seven(state, seat, action):
    card = act.named_by(action)
    _lay_cards(state, seat, action, IN_CHAIN)
    state.chain = int(state.chain) | card
    state.open = int(state.open) | _neighbour(card)
    if state.first_seven_turn == 0:
        state.first_seven_turn = state.turns


@jit
def _lay_off(state, seat, action):
    card = act.named_by(action)
    _lay_cards(state, seat, action, IN_CHAIN)
    inner = card << SUITS if card <= BELOW_SEVEN else card >> SUITS
    state.chain = int(state.chain) | card
    state.ends = (int(state.ends) & ~inner) | card
    state.open = (int(state.open) & ~card) | _neighbour(card)


@jit
def _new_group(state, three, end):
    """Three named cards lie together from now on; `end` is the one that lies in a chain."""
    number = int(state.groups_n)
    state.groups[number] = three
    state.group_end[number] = end
    state.groups_n = number + 1
    state.fourth = int(state.fourth) | (rank_mask(lowest(three)) & ~three)


@jit
def _show_string(state, seat, action):
    _lay_cards(state, seat, action, int(state.groups_n))
    _new_group(state, act.named_by(action), 0)


@jit
def _lock(state, seat, action):
    end = act.end_of(action)
    _lay_cards(state, seat, action, int(state.groups_n))
    state.ends = int(state.ends) & ~end
    state.open = int(state.open) & ~_neighbour(end)
    _new_group(state, act.named_by(action) | end, end)


@jit
def pong(state, seat, action):
    """The seat lays two cards and the last discard together."""
    _lay_cards(state, seat, action, int(state.groups_n))
    state.discards_n -= 1
    _new_group(state, act.named_by(action) | (1 << int(state.last)), 0)


@jit
def lying_at(state, bit, place):
    """What lies as the named card at this place: the card's own bit, or that of a joker."""
    for number in range(2):
        if state.joker_as[number] == bit and state.joker_at[number] == place:
            return SMALL_JOKER + number
    return bit


@jit
def _group_number(state, three):
    number = 0
    while int(state.groups[number]) != three:
        number += 1
    return number


@jit
def _group_to_discards(state, number):
    """Lay a group on the discard pile, its end card taken out of the chain."""
    end = int(state.group_end[number])
    three = int(state.groups[number])
    while three:
        bit = lowest(three)
        card = lying_at(state, bit, IN_CHAIN if (end >> bit) & 1 else number)
        to_discards(state, card)
        if card >= SMALL_JOKER:
            state.joker_at[card - SMALL_JOKER] = IN_DISCARDS
        three &= three - 1
    state.chain = int(state.chain) & ~end
    state.groups[number] = 0
    state.group_end[number] = 0


@jit
def _lift(state, seat, action):
    """The fourth card takes the three of its group off the table."""
    fourth = act.named_by(action)
    bit = lowest(fourth)
    rank = rank_mask(bit)
    _group_to_discards(state, _group_number(state, rank & ~fourth))
    _lay_cards(state, seat, action, IN_DISCARDS)
    by_joker = act.jokers_of(action) != 0
    to_discards(state, lying_at(state, bit, IN_DISCARDS) if by_joker else bit)
    state.fourth = int(state.fourth) & ~rank


@jit
def reduce_hand(state, seat, action):
    """Carry out a reduction."""
    kind = act.kind_of(action)
    if kind == act.LAYOFF:
        _lay_off(state, seat, action)
    elif kind == act.SHOW7:
        _show_seven(state, seat, action)
    elif kind == act.STRING:
        _show_string(state, seat, action)
    elif kind == act.LOCK:
        _lock(state, seat, action)
    else:
        _lift(state, seat, action)


@jit
def throw(state, seat, bit):
    """A card goes from the hand to the discard pile; the third to follow the dealer's first has the dealer fined."""
    card = 1 << bit
    state.hands[seat] = int(state.hands[seat]) & ~card
    state.gone = int(state.gone) | card
    state.last = bit
    to_discards(state, bit)
    if state.row_n >= 0:
        _follow(state, seat, bit >> 2)


ROW = 4
ROW_OVER = -1


@jit
def _follow(state, seat, rank):
    """Keep count of discards of the rank of the dealer's first one; `row_n` is negative once it does not matter."""
    if state.row_n == 0:
        if seat == state.dealer:
            state.row_rank = rank
            state.row_n = 1
        return
    if rank != state.row_rank:
        state.row_n = ROW_OVER
        return
    state.row_n += 1
    if state.row_n == ROW:
        state.row_n = ROW_OVER
        state.followed = 1
        state.fines[state.dealer] += state.fine_followed
