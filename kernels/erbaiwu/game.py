"""Er Bai Wu in action: the deal, turns, the end of a round, scores and records. RULES.md says what is played."""

import math

import numpy as np

from kernels import cards, policies, predeal, rng
from kernels.compiler.bits import lowest, ones
from kernels.compiler.jit import jit
from kernels.erbaiwu import actions as act
from kernels.erbaiwu import choices, table
from kernels.erbaiwu.columns import COLUMNS, MATCH_OUTCOMES, OUTCOMES, SEATS
from kernels.erbaiwu.masks import BIT_OF, CARD_OF, FIVES, SUITS, has_two
from kernels.erbaiwu.options import HAND, JOKERS, PARAMETERS
from kernels.notation import FACES, SMALL_JOKER
from kernels.records import record_dtype

GROUPS = 18
DECKS = 1
NOBODY = -1

STATE = np.dtype(
    [
        *cards.stock_fields(FACES),
        ("hands", "i8", SEATS),  # masks, see `masks`
        ("hidden", "i8", SEATS),  # how many cards `hide` took out of each hand
        ("dealer", "i8"),  # of this round; once it is scored, of the next
        ("leader", "i8"),  # the dealer of this round, for its record
        ("turn", "i8"),  # whose turn it is
        ("phase", "i8"),  # REDUCE, DISCARD or PONG, see `choices`
        ("opening", "i8"),  # 1 in the dealer's first turn
        ("ponger", "i8"),  # who may pong the last discard, in the phase PONG
        ("last", "i8"),  # bit of the last discard
        ("over", "i8"),
        ("settler", "i8"),
        # The table; all masks are of named cards.
        ("chain", "i8"),
        ("open", "i8"),
        ("ends", "i8"),
        ("fourth", "i8"),
        ("groups_n", "i8"),
        ("groups", "i8", GROUPS),  # 0: lifted
        ("group_end", "i8", GROUPS),  # of a lock: the card that lies in its chain
        ("outlaws", "i8"),  # cards that jokers stand for
        ("joker_as", "i8", JOKERS),  # bit of the card that the small and the big joker stand for, or -1
        ("joker_at", "i8", JOKERS),  # number of its group, or IN_CHAIN, IN_DISCARDS
        ("joker_next", "i8"),  # which one of two jokers in a hand is laid first: 0 small, 1 big
        ("gone", "i8"),  # natural cards neither in a hand nor in the stock
        ("discards_n", "i8"),
        ("discards", "i1", FACES),  # bits
        ("changed", "i8"),  # in which turn the table changed last
        ("pong_turn", "i8"),  # 1 in a turn that began with a pong
        # What the round brings.
        ("row_n", "i8"),  # discards of the dealer's first rank so far, or ROW_OVER
        ("row_rank", "i8"),
        ("followed", "i8"),
        ("fines", "i8", SEATS),
        ("outlaw_fines", "i8"),
        ("pongs", "i8"),
        ("turns", "i8"),
        ("turns_of", "i8", SEATS),
        ("first_seven_turn", "i8"),
        ("hand_points", "i8", SEATS),  # step 1 of the score
        ("points", "i8", SEATS),  # after a whole five and a gouge
        ("gains", "i8", SEATS),  # change of the total
        ("whole_five", "i8"),
        ("gouged", "i8"),
        ("held", "i8"),
        ("bonus", "i8"),  # seats that got it, as bits
        ("totals", "i8", SEATS),
        ("match_outcome", "i8"),
        # Rules that are asked for at every turn: long to hand on, quick to look up.
        ("players", "i8"),
        ("settle_max", "i8"),
        ("held_sevens", "i8"),
        ("outlaw_points", "i8"),
        ("fine_outlaw", "i8"),
        ("fine_followed", "i8"),
        ("values", "i8", FACES),  # points of a held card by its bit
    ],
    align=True,
)

SETTLED, EXHAUSTED = range(len(OUTCOMES))
GOING_ON, OVER, ROUNDS, LIMIT = range(len(MATCH_OUTCOMES))
RECORD = record_dtype(COLUMNS)
PARAMS = policies.parameter_dtype(PARAMETERS)


@jit
def _rank_values(rules):
    return (
        rules.scoring_A, rules.scoring_2, rules.scoring_3, rules.scoring_4, rules.scoring_5, rules.scoring_6,
        rules.scoring_7, rules.scoring_8, rules.scoring_9, rules.scoring_T, rules.scoring_J, rules.scoring_Q,
        rules.scoring_K,
    )  # fmt: skip


@jit
def new_match(rules, state):
    for seat in range(SEATS):
        state.totals[seat] = 0
    state.dealer = NOBODY
    state.match_outcome = GOING_ON
    state.players = rules.players
    state.settle_max = rules.scoring_settle_max
    state.held_sevens = rules.held_sevens
    state.outlaw_points = rules.scoring_outlaw
    state.fine_outlaw = rules.scoring_fine_outlaw
    state.fine_followed = rules.scoring_fine_followed
    values = _rank_values(rules)
    for bit in range(SMALL_JOKER):
        state.values[bit] = values[bit // SUITS]
    for bit in range(SMALL_JOKER, FACES):
        state.values[bit] = rules.scoring_joker


@jit
def collect(rules, state):
    """Discard pile from below, groups as they were laid, chains suit by suit, hands by seat, the rest of the stock."""
    if rules.shuffle == cards.UNIFORM or state.round_no == 1:
        cards.new_pack(state, DECKS, JOKERS)
        return
    left = int(state.stock_n)
    for place in range(left):
        state.drawn[place] = state.stock[place]
    n = _collect_played(state, state.stock)
    for seat in range(rules.players):
        n = _collect_set(state.stock, n, int(state.hands[seat]))
    for place in range(left):
        state.stock[n + place] = state.drawn[place]
    state.stock_n = n + left


@jit
def _collect_played(state, found):
    """Write the cards played to `found`: the discard pile, the groups, the chains. Returns how many there are."""
    n = 0
    for i in range(state.discards_n):
        found[n] = CARD_OF[state.discards[i]]
        n += 1
    for number in range(state.groups_n):
        lying = int(state.groups[number]) & ~int(state.group_end[number])
        n = _collect_lying(state, found, n, lying, number)
    for suit in range(SUITS):
        n = _collect_lying(state, found, n, int(state.chain) & (table.ONE_SUIT << suit), table.IN_CHAIN)
    return n


@jit
def _collect_lying(state, found, n, named, place):
    while named:
        found[n] = CARD_OF[table.lying_at(state, lowest(named), place)]
        n += 1
        named &= named - 1
    return n


@jit
def _collect_set(found, n, mask):
    while mask:
        found[n] = CARD_OF[lowest(mask)]
        n += 1
        mask &= mask - 1
    return n


@jit
def _clear_table(state):
    state.over = 0
    state.settler = NOBODY
    state.chain = 0
    state.open = 0
    state.ends = 0
    state.fourth = 0
    state.groups_n = 0
    state.changed = 0
    state.outlaws = 0
    for number in range(JOKERS):
        state.joker_as[number] = NOBODY
        state.joker_at[number] = table.IN_DISCARDS
    state.joker_next = 1
    state.gone = 0
    state.discards_n = 0
    state.last = NOBODY
    state.ponger = NOBODY


@jit
def _clear_counts(state):
    state.row_n = 0
    state.followed = 0
    state.outlaw_fines = 0
    state.pongs = 0
    state.turns = 0
    state.first_seven_turn = 0
    for seat in range(SEATS):
        state.hands[seat] = 0
        state.fines[seat] = 0
        state.turns_of[seat] = 0


@jit
def open_round(state):
    """An empty table, empty hands, and the dealer's first turn."""
    state.leader = state.dealer
    _clear_table(state)
    _clear_counts(state)
    begin_turn(state, int(state.dealer))
    state.opening = 1


@jit
def deal(rules, state, streams):
    """Six each, one at a time from the dealer on, who takes one more; the first dealer by lot."""
    collect(rules, state)
    cards.shuffle_pack(rules, state, streams)
    if state.dealer == NOBODY:
        state.dealer = predeal.draw_first_seat(state, streams, rules.players)
    open_round(state)
    dealt = HAND * rules.players + 1
    predeal.draw_deal(state, streams, state.dealer, dealt)
    seat = int(state.dealer)
    for i in range(dealt):
        state.hands[seat] = int(state.hands[seat]) | (1 << int(BIT_OF[state.drawn[i]]))
        seat = _after(state, seat)
    if state.eager:
        cards.settle(state, streams)


@jit
def _after(state, seat):
    return seat + 1 if seat + 1 < state.players else 0


@jit
def begin_turn(state, seat):
    """It is the seat's turn: reductions first."""
    state.turn = seat
    state.phase = choices.REDUCE
    state.opening = 0
    state.pong_turn = 0
    state.turns += 1
    state.turns_of[seat] += 1


@jit
def to_act(rules, state):
    return int(state.ponger) if state.phase == choices.PONG else int(state.turn)


@jit
def legal(rules, state, actions, skip):
    if state.phase == choices.DISCARD:
        return choices.append_discard_phase(state, actions, skip, int(state.turn))
    if state.phase == choices.REDUCE:
        return choices.append_reduce_phase(state, actions, skip, int(state.turn))
    return choices.append_pongs(state, actions, skip, int(state.ponger))


@jit
def apply(rules, state, streams, action):
    seat = int(state.turn)
    kind = act.kind_of(action)
    if kind == act.DRAW:
        table.draw_card(state, streams, seat)
        state.phase = choices.DISCARD
    elif kind == act.DISCARD:
        _discard(state, seat, lowest(act.named_by(action)))
    elif kind == act.SETTLE:
        state.settler = seat
        state.over = 1
    elif kind == act.KEEP or kind == act.PASS:
        _end_turn(state, seat)
    elif kind == act.OUTLAW:
        table.throw(state, seat, lowest(act.named_by(action)))
        table.draw_card(state, streams, seat)
        _end_turn(state, seat)
    elif kind == act.PONG:
        _pong(state, streams, action)
    else:
        table.reduce_hand(state, seat, action)


@jit
def _end_turn(state, seat):
    """The next player's turn, or the end of the round once the stock is empty."""
    if state.stock_n == 0:
        state.over = 1
    else:
        begin_turn(state, _after(state, seat))


@jit
def _discard(state, seat, bit):
    table.throw(state, seat, bit)
    _offer(state, seat, bit)


@jit
def _offer(state, seat, bit):
    """The first who may pong the card that the seat has discarded is asked; else the turn ends."""
    ponger = NOBODY
    if state.stock_n > 0 and (int(state.outlaws) >> bit) & 1 == 0:
        ponger = choices.who_may_pong(state, bit, seat)
    if ponger == NOBODY:
        _end_turn(state, seat)
    else:
        state.phase = choices.PONG
        state.ponger = ponger


@jit
def _pong(state, streams, action):
    seat = int(state.ponger)
    begin_turn(state, seat)
    state.pong_turn = 1
    state.pongs += 1
    table.pong(state, seat, action)
    table.draw_card(state, streams, seat)
    state.phase = choices.DISCARD


@jit
def is_over(rules, state):
    return state.over != 0


@jit
def score(rules, state):
    _count_hands(rules, state)
    _share_points(rules, state)
    _add_up(rules, state)
    if state.settler != NOBODY:
        state.dealer = state.settler
    state.match_outcome = how_match_ends(rules, state)


@jit
def _count_hands(rules, state):
    """Step 1: what each hand counts, a hand of held 7s rewarded."""
    state.held = 0
    for seat in range(rules.players):
        state.hand_points[seat] = choices.points_of(state, int(state.hands[seat]))
    if state.settler != NOBODY and rules.held_sevens:
        hand = int(state.hands[state.settler])
        if choices.only_sevens(hand):
            state.held = 1
            state.hand_points[state.settler] += ones(hand) * rules.scoring_held_seven


@jit
def _share_points(rules, state):
    """Steps 2 and 3: a whole five doubles the others' points, a gouge turns them over to the settler."""
    state.whole_five = 0
    state.gouged = 0
    for seat in range(rules.players):
        state.points[seat] = state.hand_points[seat]
    if state.settler == NOBODY:
        return
    hand = int(state.hands[state.settler])
    state.whole_five = hand & FIVES & ~int(state.outlaws) != 0 and not has_two(hand)
    if rules.whole_five_before_gouge:
        _double_others(rules, state)
    _gouge(rules, state)
    if not rules.whole_five_before_gouge:
        _double_others(rules, state)


@jit
def _double_others(rules, state):
    if state.whole_five:
        for seat in range(rules.players):
            if seat != state.settler:
                state.points[seat] *= rules.scoring_whole_five_factor


@jit
def _gouge(rules, state):
    settler = int(state.settler)
    own = int(state.points[settler])
    for seat in range(rules.players):
        if seat != settler and state.points[seat] <= own and own != 0:
            state.gouged = 1
    if state.gouged:
        for seat in range(rules.players):
            if seat != settler:
                state.points[settler] += state.points[seat]
                state.points[seat] = 0


@jit
def _add_up(rules, state):
    """Steps 4 and 5: points and fines to the totals, then the bonus for exactly 250."""
    state.bonus = 0
    for seat in range(rules.players):
        gain = int(state.points[seat]) + int(state.fines[seat])
        if state.totals[seat] + gain == rules.scoring_bonus_at:
            state.bonus |= 1 << seat
            gain += rules.scoring_bonus
        state.gains[seat] = gain
        state.totals[seat] += gain


@jit
def how_match_ends(rules, state):
    if rules.match_rounds:
        if state.round_no == rules.match_rounds:
            return ROUNDS
    else:
        for seat in range(rules.players):
            if state.totals[seat] > rules.match_until:
                return OVER
    return LIMIT if state.round_no >= rules.max_rounds else GOING_ON


@jit
def match_over(rules, state):
    return state.match_outcome != GOING_ON


@jit
def has_lost(rules, state, seat):
    """Whether the seat's total, at the end of the match, is too high."""
    return state.match_outcome != GOING_ON and state.totals[seat] > rules.match_until


@jit
def record(rules, state, row):
    settler = int(state.settler)
    row.round = state.round_no
    row.outcome = EXHAUSTED if settler == NOBODY else SETTLED
    row.winner = settler
    row.turns = state.turns
    row.orbit = 0 if settler == NOBODY else state.turns_of[settler]
    row.settler = settler
    row.gouged = state.gouged != 0
    row.whole_five = state.whole_five != 0
    row.held_sevens = state.held != 0
    row.followed = state.followed != 0
    row.outlaw_fines = state.outlaw_fines
    row.pongs = state.pongs
    row.first_seven_turn = state.first_seven_turn
    row.match_over = state.match_outcome != GOING_ON
    row.match_outcome = state.match_outcome
    row.leader = state.leader
    row.losers = 0
    for seat in range(rules.players):
        row.points[seat] = state.gains[seat]
        row.hand[seat] = state.hand_points[seat]
        row.total[seat] = state.totals[seat]
        row.bonus[seat] = (int(state.bonus) >> seat) & 1
        row.lost[seat] = has_lost(rules, state, seat)
        row.losers += row.lost[seat]


@jit
def count_cards(rules, state, counts):
    for place in range(state.stock_n):
        counts[state.stock[place]] += 1
    for seat in range(rules.players):
        hand = int(state.hands[seat])
        while hand:
            counts[CARD_OF[lowest(hand)]] += 1
            hand &= hand - 1
    for place in range(_collect_played(state, state.drawn)):
        counts[state.drawn[place]] += 1


@jit
def hide(rules, state, seat):
    for other in range(rules.players):
        state.hidden[other] = 0
        if other != seat:
            hand = int(state.hands[other])
            state.hidden[other] = ones(hand)
            state.stock_n = _collect_set(state.stock, int(state.stock_n), hand)
            state.hands[other] = 0
    cards.forget_order(state)
    state.joker_next = 1


@jit
def redeal_hidden(rules, state, streams, seat):
    for other in range(rules.players):
        for _ in range(int(state.hidden[other])):
            table.draw_card(state, streams, other)
    if state.phase == choices.PONG and state.ponger != seat:
        _offer(state, int(state.turn), int(state.last))


_CHOOSY = np.array([0, 60, 75, 95])
"""Percent of the cards of a hand that are the lower one of two, by how many turns it has had: dear cards go first. So
the points of imagined hands are those of real ones; fitted to matches of experts."""


@jit
def imagine(rules, state, streams, seat):
    """Low cards are kept, dear ones go first; who holds a single card has none to settle with."""
    for other in range(rules.players):
        hidden = int(state.hidden[other])
        turns = min(len(_CHOOSY) - 1, int(state.turns_of[other]))
        percent = int(_CHOOSY[turns]) if hidden > 1 else 0
        for _ in range(hidden):
            card = cards.draw(state, streams)
            if state.stock_n > 0 and rng.below(streams, rng.CHANCE, 100) < percent:
                card = _lower_of_two(state, card, cards.draw(state, streams))
            state.hands[other] = int(state.hands[other]) | (1 << int(BIT_OF[card]))
    if state.phase == choices.PONG and state.ponger != seat:
        _offer(state, int(state.turn), int(state.last))


@jit
def _lower_of_two(state, one, other):
    """The card that counts less; the other one goes back to the stock."""
    if state.values[BIT_OF[other]] < state.values[BIT_OF[one]]:
        one, other = other, one
    state.stock[state.stock_n] = other
    state.stock_n += 1
    return one


_WORTH = 10_000
_OWN, _HIGHEST, _EVEN = 7.8, 7.0, -0.7
"""How much a whole 250 of the own total and of the highest other one move the odds of losing, and the odds at 0:
fitted to matches of experts."""


@jit
def utility(rules, state, seat):
    """Chance not to lose the match, in ten thousandths; what the round costs, where all rounds are played anyway."""
    if rules.match_rounds:
        return -int(state.gains[seat])
    if state.match_outcome != GOING_ON:
        return 0 if has_lost(rules, state, seat) else _WORTH
    highest = 0
    for other in range(rules.players):
        if other != seat:
            highest = max(highest, int(state.totals[other]))
    odds = _EVEN + (_OWN * int(state.totals[seat]) - _HIGHEST * highest) / rules.match_until
    # Not the logistic function: whose last digits differ between machines. This one is as steep and needs roots only.
    half = odds / 2
    return int(_WORTH * (1 - half / math.sqrt(1 + half * half)) / 2)


@jit
def has_won(rules, state, seat):
    return int(state.settler == seat)
