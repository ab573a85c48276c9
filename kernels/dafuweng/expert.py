"""Players of Da Fu Weng.

Both weigh every legal action and take the first of the best. The expert adds up, in integers: what the card is worth
in the hand, how likely the next player is stuck at the N it leaves, and what happens to hands and lives. It knows the
cards it has seen by exchange or seven, by the marks that travel with them (see `hands`), and hand sizes, nothing else.
"""

import numpy as np

from kernels.compiler.jit import jit, jit_inline
from kernels.dafuweng import hands
from kernels.dafuweng.choices import DECLINE, EMPTY_HAND, FIRST_PAIR, FLIP, PLACE_BITS
from kernels.dafuweng.game import next_present

_SIMPLE_ORDER = (
    hands.NINE, hands.EIGHT, hands.SIX, hands.THREE, hands.TWO, hands.KING, hands.JOKER, hands.BRUTE,
    hands.FIVE, hands.FOUR, hands.JACK, hands.QUEEN, hands.TEN, hands.SEVEN, hands.ACE,
)  # fmt: skip
_SIMPLE = np.array(
    [len(_SIMPLE_ORDER) - _SIMPLE_ORDER.index(kind) if kind in _SIMPLE_ORDER else 0 for kind in range(hands.KINDS)],
    np.int64,
)
"""How gladly the simple player parts with a kind of card: high numbers first, escapes last."""
_RIGHT_TEAM = hands.KINDS
"""A target on the right team is worth more than any kind."""

ONE_BITS = 10
ONE = 1 << ONE_BITS
"""Certainty, in the units of chances."""
_PACK_RANKS = 13.5  # a deck of 54 in ranks of four


def _playable_up_to() -> np.ndarray:
    """Highest N at which a card of each kind can be played; -1 if that does not depend on N alone."""
    return np.array(
        [hands.TOP - hands.NUMBERS.get(kind, 0) if kind not in (hands.JOKER, hands.NO_KIND) else -1
         for kind in range(hands.KINDS)],
        np.int64,
    )  # fmt: skip


def _stuck_chances() -> np.ndarray:
    """Chance that none of so many random cards can be played at N: [cards, N], in units of 1 / ONE."""
    table = np.zeros((hands.HAND + 1, hands.TOP + 1), np.int64)
    for n in range(hands.TOP + 1):
        blocked = sum(n + value > hands.TOP for value in hands.NUMBERS.values()) + 0.5
        for cards in range(hands.HAND + 1):
            table[cards, n] = round(ONE * (blocked / _PACK_RANKS) ** cards)
    return table


UP_TO = _playable_up_to()
STUCK = _stuck_chances()


@jit_inline
def kind_at(state, place, seat):
    """Kind of the card that an action at this place uses."""
    if place < hands.HAND:
        return hands.kind_in(int(state.hand[seat]), place)
    return int(hands.KIND[state.flipped + 1]) if place == FLIP else hands.JOKER


@jit
def _simple_worth(state, place, option, seat):
    kind = kind_at(state, place, seat)
    worth = int(_SIMPLE[kind])
    if option < hands.PLAIN:
        friend = int((option ^ seat) & 1 == 0)
        revives = int(kind == hands.JOKER and (place < hands.HAND or place == FLIP))
        worth += _RIGHT_TEAM * int(friend == revives)
    return worth


@jit
def greedy(rules, params, state, streams, actions, seat):
    """The highest number first, escapes kept; joker and targets for the own team's good."""
    best = -1
    chosen = 0
    for place in range(state.places):
        options = int(state.options[place])
        while options != 0:
            option = hands.lowest(options)
            worth = _simple_worth(state, place, option, seat)
            if worth > best:
                best = worth
                chosen = place | (option << PLACE_BITS)
            options &= options - 1
    return chosen


# The expert


@jit_inline
def _side(seat, other):
    """1 for an opponent, -1 for a team-mate."""
    return 1 if (seat ^ other) & 1 else -1


@jit_inline
def _outlook(hand, seat):
    """What `seat` knows of a hand: number of cards unknown to it, and the highest N at which a known one plays."""
    if not hands.knows_any(hand, seat):
        return hands.size(hand), -1
    unknown = 0
    up_to = -1
    for slot in range(hands.size(hand)):
        held = hands.slot_of(hand, slot)
        if hands.knows(held, seat):
            up_to = max(up_to, int(UP_TO[hands.KIND[held & hands.CARD_MASK]]))
        else:
            unknown += 1
    return unknown, up_to


@jit_inline
def _stuck(unknown, up_to, n):
    """Chance that a player with such an outlook cannot play at N."""
    return 0 if n <= up_to else int(STUCK[unknown, n])


@jit_inline
def _pressure(params, side, unknown, up_to, n):
    """Worth of leaving N to a player of that side with such an outlook."""
    return (params.pressure * side * _stuck(unknown, up_to, n)) >> ONE_BITS


@jit_inline
def _threat(params, state, seat, other, n):
    """Worth of leaving N to a player: bad for opponents is good."""
    unknown, up_to = _outlook(int(state.hand[other]), seat)
    return _pressure(params, _side(seat, other), unknown, up_to, n)


@jit_inline
def _keep(params, kind):
    """Worth of a card in the hand."""
    if kind <= hands.THREE and kind != hands.ACE:
        return params.keep_low
    if kind == hands.ACE:
        return params.keep_ace
    if kind == hands.SEVEN:
        return params.keep_seven
    if kind == hands.TEN or kind == hands.QUEEN:
        return params.keep_ten
    if kind == hands.FOUR or kind == hands.JACK:
        return params.keep_jack
    if kind == hands.FIVE:
        return params.keep_five
    if kind == hands.KING:
        return params.keep_king
    if kind == hands.BRUTE:
        return params.keep_brute
    if kind == hands.JOKER:
        return params.keep_joker
    return 0


@jit
def _worth_of_hand(params, hand, seat):
    """Worth of a hand as far as `seat` knows its cards; others count as an average one."""
    if not hands.knows_any(hand, seat):
        return hands.size(hand) * (params.keep_unknown + params.card)
    worth = 0
    for slot in range(hands.size(hand)):
        held = hands.slot_of(hand, slot)
        known = hands.knows(held, seat)
        worth += _keep(params, int(hands.KIND[held & hands.CARD_MASK])) if known else params.keep_unknown
        worth += params.card
    return worth


@jit_inline
def _holds(hand, kind):
    """Whether a hand holds a card of a kind."""
    found = False
    for slot in range(hands.size(hand)):
        found |= hands.kind_in(hand, slot) == kind
    return found


@jit
def _worth_of_exchange(rules, params, state, seat, rest, other, following):
    """What an ace does: hands change, a lone ace kills, the next player may be left without a play."""
    side = _side(seat, other)
    if rest == 0 and rules.death == EMPTY_HAND:
        return side * params.kill + _worth_of_hand(params, int(state.hand[other]), seat)
    theirs = _worth_of_hand(params, int(state.hand[other]), seat)
    mine = _worth_of_hand(params, hands.seen_by(rest, seat), seat)
    worth = theirs - mine if side > 0 else (theirs - mine) // 4
    if _holds(rest, hands.ACE):
        worth -= side * params.second_ace
    if other == following:
        unknown, up_to = _outlook(hands.seen_by(rest, seat), seat)
        worth += _pressure(params, side, unknown, up_to, int(state.n))
    return worth


@jit_inline
def _worth_of_seven(rules, params, state, seat, other):
    """A card more for one, one less for the other; the last card kills."""
    side = _side(seat, other)
    if hands.size(int(state.hand[other])) == 1:
        return side * (params.kill if rules.death == EMPTY_HAND else params.kill // 2)
    return side * params.steal


@jit
def _worth_of_brute(rules, params, state, seat):
    """Turning brute mode on wears down the short hands of others; turning it off saves one's own."""
    worth = 0
    for other in range(rules.players):
        if other != seat and (int(state.living) >> other) & 1:
            worth += _side(seat, other) * (hands.HAND + 1 - hands.size(int(state.hand[other])))
    worth *= params.brute
    return -worth if state.brute else worth


@jit_inline
def _worth_of_point(params, state, seat, other):
    """A five at one who awaits revival all but ends them; else the player pointed at must cope with N."""
    if (int(state.awaiting) >> other) & 1:
        return _side(seat, other) * params.kill
    return _threat(params, state, seat, other, int(state.n))


@jit_inline
def _worth_of_target(rules, params, state, seat, kind, rest, other, following):
    """What a card does to its target."""
    if kind == hands.ACE:
        return _worth_of_exchange(rules, params, state, seat, rest, other, following)
    if kind == hands.SEVEN:
        return _worth_of_seven(rules, params, state, seat, other)
    if kind == hands.FIVE:
        return _worth_of_point(params, state, seat, other)
    return -_side(seat, other) * (params.revive // 4 if state.brute else params.revive)


@jit_inline
def _n_after(state, kind, option):
    value = int(hands.VALUE[kind])
    n = int(state.n)
    return hands.TOP if kind == hands.KING else n - value if option == hands.TAKE else n + value


@jit_inline
def _worth_of_card(rules, params, state, seat, kind, option, side, unknown, up_to):
    """What a card without a target does to the next player, whose side and outlook are given."""
    if kind == hands.FOUR:
        return _worth_of_reverse(rules, params, state, seat)
    worth = _pressure(params, side, unknown, up_to, _n_after(state, kind, option))
    if kind == hands.BRUTE:
        worth += _worth_of_brute(rules, params, state, seat)
    return worth


@jit
def _worth_of_reverse(rules, params, state, seat):
    """A four gives N to the player on the other side."""
    state.direction = -state.direction
    following = next_present(rules, state, seat)
    state.direction = -state.direction
    return _threat(params, state, seat, following, int(state.n))


@jit
def _only_action(state):
    """The action of a player who has no choice."""
    place = 0
    while state.options[place] == 0:
        place += 1
    return place | (hands.lowest(int(state.options[place])) << PLACE_BITS)


@jit_inline
def _survives(rules, state, seat, hand, kind):
    """Whether the player lives after playing a card of this kind, as far as their own hand decides."""
    if not state.brute or state.opener == seat or rules.death != EMPTY_HAND or hands.size(hand) > 1:
        return True
    return kind == hands.ACE or kind == hands.SEVEN or kind == hands.BRUTE


@jit
def expert(rules, params, state, streams, actions, seat):
    """The action of most worth."""
    if state.choices == 1:
        return _only_action(state)
    hand = int(state.hand[seat])
    following = next_present(rules, state, seat)
    side = _side(seat, following)
    unknown, up_to = _outlook(int(state.hand[following]), seat)
    best = -(1 << 60)
    chosen = 0
    for place in range(state.places):
        options = int(state.options[place])
        if options == 0:
            continue
        kind = kind_at(state, place, seat)
        pair = FIRST_PAIR <= place < FLIP
        rest = hands.without(hand, place) if place < hands.HAND else 0
        base = -_keep(params, kind) - (params.keep_joker + params.card if pair else 0)
        if place == DECLINE or (place < hands.HAND and not _survives(rules, state, seat, hand, kind)):
            base -= params.kill
        while options != 0:
            option = hands.lowest(options)
            if pair:
                worth = base + _side(seat, option) * params.kill
            elif option < hands.PLAIN:
                worth = base + _worth_of_target(rules, params, state, seat, kind, rest, option, following)
            else:
                worth = base + _worth_of_card(rules, params, state, seat, kind, option, side, unknown, up_to)
            if worth > best:
                best = worth
                chosen = place | (option << PLACE_BITS)
            options &= options - 1
    return chosen
