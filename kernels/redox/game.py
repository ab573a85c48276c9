"""REDOX: lay the cards of the hand as runs and sets, alone or all at once as a slam.

Source and readings of the rules: RULES.md. Seats are numbered clockwise; hands are bit planes (see `planes`).
"""

import numpy as np

from kernels import cards, policies, predeal
from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit, jit_inline
from kernels.notation import BIG_JOKER, SMALL_JOKER
from kernels.records import record_dtype
from kernels.redox import actions as act
from kernels.redox import plots, slam, table
from kernels.redox.columns import COLUMNS, MATCH_OUTCOMES, OUTCOMES
from kernels.redox.options import (
    MAX_PACK,
    MAX_PLAYERS,
    MIN_PLOT,
    OPENING_RUN,
    PACKET,
    PARAMETERS,
    SUITS,
    Rules,
)
from kernels.redox.planes import (
    CARD_BITS,
    COPIES,
    LANE,
    card_at,
    copies,
    count_naturals,
    planes_of,
    put_planes,
    with_card,
)

NOBODY = -1

_BIG_BIT = 1
_SMALL_BIT = 1 << LANE
_JOKER_BITS = _BIG_BIT | _SMALL_BIT
_DEALT_BIT = CARD_BITS.copy()
_DEALT_BIT[[BIG_JOKER, SMALL_JOKER]] = _BIG_BIT, _SMALL_BIT
"""Bits of the cards while a hand is dealt, the jokers where no card is"""

PLAYING = -1
OUT, SLAM, VOID = range(len(OUTCOMES))
GOES_ON, ALL_ROUNDS, TARGET, LIMIT = range(len(MATCH_OUTCOMES))
RECYCLE, VOID_WHEN_EMPTY = range(2)
"""Choices of the option `stock_exhausted`."""

STATE = np.dtype(
    [
        *cards.stock_fields(MAX_PACK),
        ("hand", "i8", (MAX_PLAYERS, COPIES)),
        ("jokers", "i8", MAX_PLAYERS),  # in hand, `smalls` of them small ones
        ("smalls", "i8", MAX_PLAYERS),
        ("hand_n", "i8", MAX_PLAYERS),
        ("dealt", "i8", (MAX_PLAYERS, COPIES)),  # hands as dealt
        ("dealt_jokers", "i8", MAX_PLAYERS),
        ("discards", "i1", MAX_PACK),  # the discard pile, top card last
        ("discards_n", "i8"),
        ("shed", "i8", (MAX_PLAYERS, COPIES)),  # natural cards each seat has discarded, four of a face at most
        ("shed_jokers", "i8", MAX_PLAYERS),
        ("known", "i8", (MAX_PLAYERS, COPIES)),  # cards taken from the pile that must still be in the hand
        ("known_jokers", "i8", MAX_PLAYERS),
        *table.FIELDS,
        ("leader", "i8"),
        ("dir", "i8"),  # 1 clockwise, -1 counter-clockwise
        ("turn", "i8"),  # whose turn it is
        ("turns", "i8"),  # turns done
        ("opened_turn", "i8", MAX_PLAYERS),  # number of the turn in which a seat laid its first plot; 0 not yet
        ("first_plot_turn", "i8"),
        ("first_plot_seat", "i8"),
        ("recycles", "i8"),
        ("pile_taken", "i8"),
        ("last_got", "i8"),  # card that the last turn brought to the hand, or NOBODY
        ("recorded_smalls", "i8"),  # which jokers the next turn uses, as a transcript records it, or table.UNRECORDED
        ("outcome", "i8"),
        ("winner", "i8"),
        ("points", "i8", MAX_PLAYERS),  # of the round just scored
        ("totals", "i8", MAX_PLAYERS),
        ("next_leader", "i8"),  # NOBODY before the first round
    ],
    align=True,
)

RECORD = record_dtype(COLUMNS)
PARAMS = policies.parameter_dtype(PARAMETERS)


def prepare(rules: Rules) -> Rules:
    """The rules with the tables that slams are looked up in."""
    return rules._replace(tables=slam.tables())


@jit
def new_match(rules, state):
    for seat in range(MAX_PLAYERS):
        state.totals[seat] = 0
    state.next_leader = NOBODY
    state.recorded_smalls = table.UNRECORDED


# The deal


@jit
def collect(rules, state):
    """Pile, plots as they lie, hands, and on top of all the rest of the stock; a new pack where nothing was played."""
    if state.round_no == 1 or rules.shuffle == cards.UNIFORM:
        cards.new_pack(state, rules.decks, rules.jokers_per_deck)
        return
    n = int(state.discards_n)
    for place in range(n):
        state.drawn[place] = state.discards[place]
    for plot in range(int(state.plots)):
        n = table.plot_cards(state, plot, state.drawn, n)
    first = int(state.winner) if state.outcome == SLAM else 0  # a slam lies on the table
    for seat in range(rules.players):
        n = table.hand_cards(state, (first + seat) % rules.players, state.drawn, n)
    for place in range(int(state.stock_n)):
        state.drawn[n + place] = state.stock[place]
    n += int(state.stock_n)
    for place in range(n):
        state.stock[place] = state.drawn[place]
    state.stock_n = n


@jit
def clear(rules, state):
    """An empty table and empty hands; direction by the number of the round."""
    for seat in range(rules.players):
        for plane in range(COPIES):
            state.hand[seat, plane] = 0
            state.shed[seat, plane] = 0
            state.known[seat, plane] = 0
        state.jokers[seat] = 0
        state.smalls[seat] = 0
        state.hand_n[seat] = 0
        state.shed_jokers[seat] = 0
        state.known_jokers[seat] = 0
        state.opened_turn[seat] = 0
        state.points[seat] = 0
    state.dir = 1 if state.round_no & 1 else -1
    state.discards_n = 0
    state.plots = 0
    state.turns = 0
    state.first_plot_turn = 0
    state.first_plot_seat = NOBODY
    state.recycles = 0
    state.pile_taken = 0
    state.last_got = NOBODY
    state.outcome = PLAYING
    state.winner = NOBODY


@jit
def following(rules, state, seat):
    """The seat whose turn comes after a seat's."""
    after = seat + int(state.dir)
    if after == rules.players:
        return 0
    return after if after >= 0 else rules.players - 1


@jit_inline
def _drawn_place(place, i, players, hand_size):
    """Where card `i` of the hand dealt at `place` lies among the cards drawn: packets of five, then the rest."""
    packet = i // PACKET
    size = min(PACKET, hand_size - packet * PACKET)
    return packet * PACKET * players + place * size + i - packet * PACKET


@jit
def _deal_many_copies(state, seat, place, players, hand_size):
    """Deal a hand that holds three copies of a card or more, or of a joker."""
    for i in range(hand_size):
        table.give(state, seat, int(state.drawn[_drawn_place(place, i, players, hand_size)]))


@jit_inline
def _with_dealt(p1, p2, third, card):
    """Two planes, jokers among them, and what would be third copies, of a hand with one card more."""
    bit = int(_DEALT_BIT[card])
    second = p1 & bit
    return p1 | bit, p2 | second, third | (p2 & second)


@jit
def _deal_hand(state, seat, place, players, hand_size):
    """The cards of the seat that comes `place` places after the leader; loops of a fixed length are unrolled."""
    p1 = p2 = third = 0
    first = place * PACKET
    packets = hand_size // PACKET
    for _ in range(packets):
        for i in range(PACKET):
            p1, p2, third = _with_dealt(p1, p2, third, state.drawn[first + i])
        first += players * PACKET
    for i in range(packets * PACKET, hand_size):
        p1, p2, third = _with_dealt(p1, p2, third, state.drawn[_drawn_place(place, i, players, hand_size)])
    if third:
        _deal_many_copies(state, seat, place, players, hand_size)
        return
    smalls = (p1 & _SMALL_BIT != 0) + (p2 & _SMALL_BIT != 0)
    put_planes(state.hand, seat, (p1 & ~_JOKER_BITS, p2 & ~_JOKER_BITS, 0, 0))
    state.jokers[seat] = smalls + (p1 & _BIG_BIT) + (p2 & _BIG_BIT)
    state.smalls[seat] = smalls
    state.hand_n[seat] = hand_size


@jit
def _deal_hands(rules, state):
    """Packets of five in turn order from the leader."""
    seat = int(state.leader)
    for place in range(rules.players):
        _deal_hand(state, seat, place, rules.players, rules.hand_size)
        seat = following(rules, state, seat)


@jit
def note_dealt(rules, state):
    """Remember the hands as dealt."""
    for seat in range(rules.players):
        put_planes(state.dealt, seat, planes_of(state.hand, seat))
        state.dealt_jokers[seat] = state.jokers[seat]


@jit
def deal(rules, state, streams):
    leader = int(state.next_leader)
    if leader == NOBODY:
        leader = predeal.draw_first_seat(state, streams, rules.players)
    collect(rules, state)
    cards.shuffle_pack(rules, state, streams)
    clear(rules, state)
    state.leader = leader
    state.turn = leader
    hands = rules.players * rules.hand_size
    predeal.draw_deal(state, streams, leader, hands + 1)
    _deal_hands(rules, state)
    state.discards[0] = state.drawn[hands]
    state.discards_n = 1
    note_dealt(rules, state)
    if state.eager:
        cards.settle(state, streams)


# A turn


@jit
def to_act(rules, state):
    return int(state.turn)


@jit
def can_slam(rules, state, seat):
    """Whether the seat may lay down a slam now."""
    if state.plots:
        return False
    planes = planes_of(state.hand, seat)
    return slam.is_slam(rules.tables, planes, int(state.jokers[seat]), rules.min_naturals)


@jit
def _discards(planes, jokers, actions, skip, n):
    """Each different face by each source; both sources always exist."""
    faces = planes[0]
    while faces:
        card = card_at(lowest(faces))
        faces &= faces - 1
        n = act.append_action(actions, skip, n, act.discard(card, act.STOCK))
        n = act.append_action(actions, skip, n, act.discard(card, act.PILE))
    if jokers:
        n = act.append_action(actions, skip, n, act.discard(SMALL_JOKER, act.STOCK))
        n = act.append_action(actions, skip, n, act.discard(SMALL_JOKER, act.PILE))
    return n


@jit
def _connections(state, planes, jokers, actions, skip, n):
    """Every way to add to every plot on the table."""
    for plot in range(int(state.plots)):
        of = int(state.plot_of[plot])
        if state.plot_kind[plot] == act.SET:
            n = plots.set_connections(planes, jokers, plot, of, actions, skip, n)
        else:
            low = int(state.plot_low[plot])
            high = int(state.plot_high[plot])
            n = plots.run_connections(planes, jokers, plot, of, low, high, actions, skip, n)
    return n


@jit
def legal(rules, state, actions, skip):
    seat = int(state.turn)
    planes = planes_of(state.hand, seat)
    jokers = int(state.jokers[seat])
    n = _discards(planes, jokers, actions, skip, 0)
    if state.opened_turn[seat]:
        n = plots.runs(rules, planes, jokers, MIN_PLOT, actions, skip, n)
        n = plots.sets(rules, planes, jokers, actions, skip, n)
        return _connections(state, planes, jokers, actions, skip, n)
    n = plots.runs(rules, planes, jokers, OPENING_RUN, actions, skip, n)
    if can_slam(rules, state, seat):
        n = act.append_action(actions, skip, n, act.SLAM)
    return n


@jit
def _recycle(rules, state, streams):
    """The whole pile becomes the stock."""
    n = int(state.discards_n)
    for place in range(n):
        state.stock[place] = state.discards[place]
    state.stock_n = n
    state.discards_n = 0
    state.recycles += 1
    cards.restock(rules, state, streams)


@jit
def _take_top_of_pile(state, seat):
    """The card that topped the pile; everybody knows from now on where it is."""
    top = int(state.discards_n) - 1
    state.discards_n = top
    state.pile_taken += 1
    card = int(state.discards[top])
    put_planes(state.known, seat, with_card(planes_of(state.known, seat), int(CARD_BITS[card])))
    state.known_jokers[seat] += int(card >= SMALL_JOKER)
    return card


@jit
def _put_on_pile(state, seat, card):
    state.discards[state.discards_n] = card
    state.discards_n += 1
    put_planes(state.shed, seat, with_card(planes_of(state.shed, seat), int(CARD_BITS[card])))
    state.shed_jokers[seat] += int(card >= SMALL_JOKER)


@jit
def _discard(rules, state, streams, seat, action):
    """A card goes to the pile, and one comes from the stock, or what topped the pile before."""
    card = act.card(action)
    if card == SMALL_JOKER:
        card = table.take_one_joker(state, seat)
    else:
        table.take_natural(state, seat, card)
    if act.source(action) == act.PILE:
        got = _take_top_of_pile(state, seat)
    else:
        if state.stock_n == 0:
            _recycle(rules, state, streams)
        got = cards.draw(state, streams)
    _put_on_pile(state, seat, card)
    table.give(state, seat, got)
    state.last_got = got


@jit
def _note_plot(state, seat):
    """Book who lay plots when."""
    if state.opened_turn[seat] == 0:
        state.opened_turn[seat] = state.turns
    if state.first_plot_turn == 0:
        state.first_plot_turn = state.turns
        state.first_plot_seat = seat


@jit
def lay(state, seat, action):
    """A run or set from hand becomes a plot, or grows one."""
    kind = act.kind(action)
    if kind == act.RUN:
        plot = table.new_plot(state, seat, act.RUN, act.suit(action))
    elif kind == act.SET:
        plot = table.new_plot(state, seat, act.SET, act.rank(action))
    else:
        plot = act.plot(action)
    if kind == act.RUN or kind == act.TO_RUN:
        table.fill_run(state, seat, plot, act.low(action), act.high(action), act.joker_places(action))
    else:
        table.fill_set(state, seat, plot, action)
    _note_plot(state, seat)


@jit
def lay_slam(state, seat):
    """The hand lies on the table, and nothing follows: its cards stay where they are but count no more."""
    state.hand_n[seat] = 0
    state.outcome = SLAM
    _note_plot(state, seat)


@jit
def apply(rules, state, streams, action):
    seat = int(state.turn)
    state.turns += 1
    state.last_got = NOBODY
    if act.kind(action) == act.DISCARD:
        _discard(rules, state, streams, seat, action)
    elif act.kind(action) == act.SLAM:
        lay_slam(state, seat)
    else:
        lay(state, seat, action)
    end_turn(rules, state, seat)


@jit
def end_turn(rules, state, seat):
    """Who is out has won; else the round may be void; else the next one plays."""
    if state.hand_n[seat] == 0:
        state.winner = seat
        if state.outcome == PLAYING:
            state.outcome = OUT
    elif state.turns >= rules.max_turns or (rules.stock_exhausted == VOID_WHEN_EMPTY and state.stock_n == 0):
        state.outcome = VOID
    else:
        state.turn = following(rules, state, seat)


# The end of a round


@jit
def is_over(rules, state):
    return state.outcome != PLAYING


@jit
def _points_of(rules, state, seat):
    """What the round adds to a seat's total."""
    if state.outcome == VOID:
        return 0
    if seat == state.winner:
        return rules.scoring_winner
    points = plots.hand_points(rules, planes_of(state.hand, seat), int(state.jokers[seat]))
    return points * rules.scoring_slam_factor if state.outcome == SLAM else points


@jit
def score(rules, state):
    for seat in range(rules.players):
        state.points[seat] = _points_of(rules, state, seat)
        state.totals[seat] += state.points[seat]
    state.next_leader = state.leader if state.outcome == VOID else state.winner


@jit
def match_outcome(rules, state):
    """GOES_ON, or how the match has ended with the round just scored."""
    if rules.target:
        for seat in range(rules.players):
            if state.totals[seat] >= rules.target:
                return TARGET
    if rules.rounds and state.round_no >= rules.rounds:
        return ALL_ROUNDS
    if rules.target and state.round_no >= rules.max_rounds:
        return LIMIT
    return GOES_ON


@jit
def match_over(rules, state):
    return match_outcome(rules, state) != GOES_ON


@jit
def _dealt_distance(rules, state, seat):
    """Least number of cards of the dealt hand to exchange for a slam."""
    planes = planes_of(state.dealt, seat)
    return slam.slam_distance(rules.tables, planes, int(state.dealt_jokers[seat]), rules.min_naturals)


@jit
def record(rules, state, row):
    over = state.winner != NOBODY
    row.round = state.round_no
    row.outcome = state.outcome
    row.winner = state.winner
    row.leader = state.leader
    row.turns = state.turns
    row.orbit = (int(state.turns) + rules.players - 1) // rules.players if over else 0
    row.slam = state.outcome == SLAM
    row.dir = state.dir
    row.first_plot_turn = state.first_plot_turn
    row.first_plot_seat = state.first_plot_seat
    row.recycles = state.recycles
    row.pile_taken = state.pile_taken
    row.match_outcome = match_outcome(rules, state)
    for seat in range(rules.players):
        row.points[seat] = state.points[seat]
        row.jokers[seat] = state.dealt_jokers[seat]
        row.dealt_distance[seat] = _dealt_distance(rules, state, seat)
        row.opened_turn[seat] = state.opened_turn[seat]
        row.left[seat] = state.hand_n[seat]


# For tests and searches


@jit
def count_cards(rules, state, counts):
    found = state.drawn
    n = 0
    for seat in range(rules.players):
        n = table.hand_cards(state, seat, found, n)
    for plot in range(int(state.plots)):
        n = table.plot_cards(state, plot, found, n)
    for i in range(n):
        counts[found[i]] += 1
    for i in range(int(state.discards_n)):
        counts[state.discards[i]] += 1
    for i in range(int(state.stock_n)):
        counts[state.stock[i]] += 1


@jit
def _on_stock(state, card):
    state.stock[state.stock_n] = card
    state.stock_n += 1


@jit
def _hide(state, seat):
    """Put the cards of a hand that were not seen going there on the stock; `hand_n` still counts them."""
    known = planes_of(state.known, seat)
    planes = planes_of(state.hand, seat)
    for at in range(LANE * SUITS - 1):
        for _ in range(copies(planes, at) - copies(known, at)):
            _on_stock(state, card_at(at))
    for joker in range(int(state.jokers[seat]) - int(state.known_jokers[seat])):
        _on_stock(state, SMALL_JOKER if joker < state.smalls[seat] else BIG_JOKER)
    state.smalls[seat] = max(0, int(state.smalls[seat]) - int(state.jokers[seat]) + int(state.known_jokers[seat]))
    state.jokers[seat] = state.known_jokers[seat]
    put_planes(state.hand, seat, known)


@jit
def hide(rules, state, seat):
    """Cards that were taken from the pile stay where all have seen them go."""
    for other in range(rules.players):
        if other != seat:
            _hide(state, other)
    cards.forget_order(state)
    state.last_got = NOBODY
    state.recorded_smalls = table.UNRECORDED


@jit
def redeal_hidden(rules, state, streams, seat):
    for other in range(rules.players):
        size = int(state.hand_n[other])
        hidden = size - count_naturals(planes_of(state.hand, other)) - int(state.jokers[other])
        cards.draw_many(state, streams, hidden)
        for i in range(hidden):
            table.give(state, other, int(state.drawn[i]))
        state.hand_n[other] = size


@jit
def utility(rules, state, seat):
    return -int(state.points[seat])


@jit
def has_won(rules, state, seat):
    return int(state.winner == seat)
