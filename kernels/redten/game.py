"""Jiaxing Red Ten: the deal, showing, tricks, the end of a hand and its points. RULES.md says it in words."""

import numpy as np

from kernels import cards, policies
from kernels.compiler.bits import lowest
from kernels.compiler.jit import jit
from kernels.notation import FACES
from kernels.records import record_dtype
from kernels.redten import plays
from kernels.redten.columns import COLUMNS, MATCH_OUTCOMES
from kernels.redten.dealing import NOBODY, after, collect, count_cards, deal, hide, next_holder, redeal_hidden, reveal
from kernels.redten.options import LEADS_AFTER_OUT, PARAMETERS, PLAYERS
from kernels.redten.packed import ACE, CARDS_OF, RED_TENS
from kernels.redten.plays import BOMB, DECLINE, JOKER_BOMB, MAX_STRAIGHT, NOTHING, PASS, RED_TEN_BOMB, SHOW, STRAIGHT
from kernels.redten.scoring import SECOND, THIRD, score

__all__ = ["collect", "count_cards", "deal", "hide", "redeal_hidden", "score"]

LEAD_PARTNER = LEADS_AFTER_OUT.index("partner")

STATE = np.dtype(
    [
        *cards.stock_fields(FACES),
        ("hand", "i8", PLAYERS),  # packed ranks
        ("held", "i8", PLAYERS),  # the cards themselves, as bits
        ("left", "i8", PLAYERS),  # how many; everybody sees it
        ("unplayed", "i8"),  # packed ranks of all hands together; everybody can know it
        ("pile", "i1", FACES),  # cards as they were played
        ("pile_n", "i8"),
        ("chosen", "i8"),  # the very cards to play next, as bits; 0: any of the right ranks
        ("first_drawer", "i8"),
        ("leader", "i8"),  # of the first trick: who was dealt the three of hearts
        ("side", "i8", PLAYERS),  # 1: was dealt a red ten
        ("solo", "i8"),  # 1: one was dealt both
        ("dealt_bombs", "i8", PLAYERS),
        ("asking", "i8"),  # who decides now whether to show; NOBODY once all have
        ("showing", "i8", PLAYERS),  # red tens shown, as bits; hidden until all have decided
        ("shown", "i8"),  # 1: both red tens were shown
        ("public_tens", "i8"),  # red tens shown or played, as bits
        ("public_reds", "i8"),  # seats that showed or played one, as bits
        ("turn", "i8"),
        ("table", "i8"),  # the play to beat; NOTHING before a lead
        ("table_seat", "i8"),
        ("passed", "i8"),  # seats that have passed since the last play (or in the trick, if final), as bits
        ("going", "i8"),  # seats that still hold cards, as bits
        ("out_n", "i8"),
        ("places", "i8", PLAYERS),  # seats in order of finishing
        ("over", "i8"),
        ("turns", "i8"),
        ("taken", "i8", PLAYERS),  # turns of each seat, passes included
        ("last_seat", "i8"),  # who made the last play
        ("bombs", "i8"),
        ("joker_bombs", "i8"),
        ("red_ten_bombs", "i8"),
        ("outcome", "i8"),
        ("multiplier", "i8"),
        ("points", "i8", PLAYERS),
        ("totals", "i8", PLAYERS),
    ],
    align=True,
)

GOES_ON, ROUNDS_PLAYED = range(len(MATCH_OUTCOMES))

RECORD = record_dtype(COLUMNS)
PARAMS = policies.parameter_dtype(PARAMETERS)


@jit
def new_match(rules, state):
    """Forget the totals."""
    for seat in range(PLAYERS):
        state.totals[seat] = 0


# Decisions.


@jit
def to_act(rules, state):
    """Who decides: whether to show, and then who is to play."""
    return int(state.turn)


@jit
def legal(rules, state, actions, skip):
    """To decline or to show; to pass (unless leading), then every play that may be made."""
    if state.asking != NOBODY:
        return _legal_showing(actions, skip)
    hand = int(state.hand[state.turn])
    table = int(state.table)
    place = -skip
    if table == NOTHING:
        alike = plays.alike_leads(hand)
    else:
        alike = plays.alike_answers(hand, table)
        if skip == 0:
            actions[0] = PASS
        place += 1
    place = plays.write_alike(alike, actions, place)
    kind = plays.kind_of(table)
    if table == NOTHING or kind == STRAIGHT:
        place = plays.write_straights(hand, table, actions, place)
    return plays.write_top_bombs(hand, kind, actions, place) + skip


@jit
def _legal_showing(actions, skip):
    for number in range(skip, min(2, skip + len(actions))):
        actions[number - skip] = SHOW if number else DECLINE
    return 2


@jit
def is_over(rules, state):
    """Whether the hand has ended."""
    return state.over != 0


@jit
def apply(rules, state, streams, action):
    """Carry out one decision."""
    if state.asking != NOBODY:
        _decide_showing(state, action)
        return
    seat = int(state.turn)
    state.turns += 1
    state.taken[seat] += 1
    if action == PASS:
        state.passed = int(state.passed) | 1 << seat
    else:
        _play(rules, state, seat, action)
        if state.over:
            return
    pass_turn_on(rules, state, seat)


@jit
def _decide_showing(state, action):
    seat = int(state.asking)
    if action == SHOW:
        state.showing[seat] = int(state.held[seat]) & RED_TENS
    state.asking = next_holder(state, (seat - int(state.first_drawer)) % PLAYERS + 1)
    if state.asking == NOBODY:
        reveal(state)
        state.turn = state.leader
    else:
        state.turn = state.asking


@jit
def _play(rules, state, seat, action):
    """Take the cards of a play from the hand and lay them on the table."""
    _lay(state, seat, action)
    state.hand[seat] = plays.without(int(state.hand[seat]), action)
    state.unplayed = plays.without(int(state.unplayed), action)
    state.left[seat] = int(state.left[seat]) - plays.size_of(action)
    take_the_lead(rules, state, seat, action)


@jit
def take_the_lead(rules, state, seat, action):
    """The play of a seat is now the one to beat; whoever has no card left is out."""
    state.table = action
    state.table_seat = seat
    state.last_seat = seat
    if not rules.pass_is_final:
        state.passed = 0
    _count_bombs(state, plays.kind_of(action))
    if state.left[seat] == 0:
        _go_out(rules, state, seat)


@jit
def _count_bombs(state, kind):
    if kind == BOMB:
        state.bombs += 1
    elif kind == JOKER_BOMB:
        state.joker_bombs += 1
    elif kind == RED_TEN_BOMB:
        state.red_ten_bombs += 1


@jit
def _lay(state, seat, action):
    """Move cards of the right ranks from a hand to the pile; a red ten becomes known."""
    ranks = plays.ranks_of(action)
    kind = plays.kind_of(action)
    if kind in (STRAIGHT, JOKER_BOMB):
        while ranks:
            _lay_rank(state, seat, lowest(ranks), 1)
            ranks &= ranks - 1
        if kind == STRAIGHT and plays.size_of(action) == MAX_STRAIGHT:
            _lay_rank(state, seat, ACE, 1)
    else:
        _lay_rank(state, seat, plays.rank_of(action), plays.size_of(action))
    state.chosen = 0


@jit
def _lay_rank(state, seat, rank, count):
    """Move so many cards of one rank: the chosen ones, if any were."""
    pool = int(CARDS_OF[rank]) & int(state.held[seat])
    if int(state.chosen) & pool:
        pool &= int(state.chosen)
    for _ in range(count):
        lay_card(state, seat, lowest(pool))
        pool &= pool - 1


@jit
def lay_card(state, seat, card):
    """Move one card from a hand to the pile; a red ten becomes known."""
    state.held[seat] = int(state.held[seat]) & ~(1 << card)
    state.pile[state.pile_n] = card
    state.pile_n += 1
    if RED_TENS >> card & 1:
        state.public_tens = int(state.public_tens) | 1 << card
        state.public_reds = int(state.public_reds) | 1 << seat


# Going out, and who is next.


@jit
def _go_out(rules, state, seat):
    state.going = int(state.going) & ~(1 << seat)
    state.places[state.out_n] = seat
    state.out_n += 1
    settled = rules.early_stop and state.out_n == SECOND and not state.solo
    if state.out_n == THIRD or (settled and state.side[state.places[0]] == state.side[seat]):
        state.over = 1
        _place_the_rest(state, seat)


@jit
def _place_the_rest(state, seat):
    """Those still holding cards come last, in the direction of play from the last one out."""
    place = int(state.out_n)
    while place < PLAYERS:
        seat = after(int(state.going), seat)
        state.places[place] = seat
        state.going = int(state.going) & ~(1 << seat)
        place += 1


@jit
def pass_turn_on(rules, state, seat):
    """After a decision of a seat: who is asked next. If nobody is left to be asked, the trick ends."""
    winner = int(state.table_seat)
    asked = int(state.going) & ~int(state.passed) & ~(1 << winner)
    if asked:
        state.turn = after(asked, seat)
        return
    state.turn = next_leader(rules, state, winner)
    state.table = NOTHING
    state.table_seat = NOBODY
    state.passed = 0


@jit
def next_leader(rules, state, winner):
    """Who leads after a trick: its winner or, if they are out, as `lead_after_out` says."""
    going = int(state.going)
    if going >> winner & 1:
        return winner
    if rules.lead_after_out == LEAD_PARTNER and state.public_tens == RED_TENS:
        partners = going & side_of(state, winner)
        if partners:
            return after(partners, winner)
    return after(going, winner)


@jit
def side_of(state, seat):
    """The seats on the side of this one, itself included, as bits."""
    side = 0
    for other in range(PLAYERS):
        if state.side[other] == state.side[seat]:
            side |= 1 << other
    return side


# The record.


@jit
def _place_of(state, seat):
    for place in range(PLAYERS):
        if state.places[place] == seat:
            return place + 1
    return 0


@jit
def match_over(rules, state):
    """Whether this was the last deal of the match."""
    return state.round_no >= rules.rounds


@jit
def record(rules, state, row):
    """One row for the hand just scored."""
    row.round = state.round_no
    row.outcome = state.outcome
    row.winner = state.places[0]
    row.leader = state.leader
    row.turns = state.turns
    row.orbit = state.taken[state.last_seat]
    row.solo = state.solo != 0
    row.shown = state.shown != 0
    row.multiplier = state.multiplier
    row.bombs = state.bombs
    row.joker_bombs = state.joker_bombs
    row.red_ten_bombs = state.red_ten_bombs
    row.match_outcome = ROUNDS_PLAYED if match_over(rules, state) else GOES_ON
    for seat in range(PLAYERS):
        row.points[seat] = state.points[seat]
        row.side[seat] = state.side[seat]
        row.place[seat] = _place_of(state, seat)
        row.dealt_bombs[seat] = state.dealt_bombs[seat]


# For searches


@jit
def utility(rules, state, seat):
    return int(state.points[seat])


@jit
def has_won(rules, state, seat):
    return int(state.points[seat] > 0)
