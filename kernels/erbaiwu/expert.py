"""Players of Er Bai Wu.

Both reduce step by step, taking what sheds most. The expert weighs four things more: which cards will go by
themselves and are worth keeping, when to show the first 7, what a joker should name, and whether a settlement would
be gouged. All it compares are integers; a hundredth of a point is the unit where percents come in.
"""

from kernels.compiler.bits import lowest, ones
from kernels.compiler.jit import jit
from kernels.erbaiwu import actions as act
from kernels.erbaiwu import choices
from kernels.erbaiwu.masks import BELOW_SEVEN, FIVES, JOKERS, NATURALS, RANK, SEVENS, SUITS, has_two, rank_mask
from kernels.notation import SMALL_JOKER, SUIT_SIZE

PERCENT = 100
TENTHS = 10
HIGH_CARD = 15
NEVER = -(1 << 40)


@jit
def shed(state, action):
    """Points that a reduction takes from the hand, fines for dead names deducted."""
    stand_ins = act.jokers_of(action)
    naturals = act.named_by(action) & ~stand_ins
    dead = stand_ins & int(state.gone)
    return (
        choices.points_of(state, naturals)
        + ones(stand_ins) * int(state.values[SMALL_JOKER])
        - ones(dead) * int(state.fine_outlaw)
    )


@jit
def _dearest(state, cards):
    """Bit of the card of a set with most points."""
    best = lowest(cards)
    while cards:
        bit = lowest(cards)
        if state.values[bit] > state.values[best]:
            best = bit
        cards &= cards - 1
    return best


@jit
def free_now(state, seat):
    """What the seat may discard now: outlaws too, if it is the dealer's first turn."""
    if state.opening:
        return int(state.hands[seat]) & NATURALS & ~SEVENS
    return choices.free_to_discard(state, seat)


@jit
def _before_draw(state, seat):
    """An outlaw first, if there is one, else the draw."""
    outlaws = int(state.hands[seat]) & int(state.outlaws)
    return act.single(act.OUTLAW, lowest(outlaws)) if outlaws else act.DRAW


@jit
def _pong_first(state, actions, seat):
    choices.append_pongs(state, actions, 0, seat)
    return int(actions[0])


@jit
def _discard_dearest(state, seat):
    free = free_now(state, seat)
    return act.single(act.DISCARD, _dearest(state, free)) if free else act.KEEP


@jit
def _reduce_most(state, actions, seat):
    """The reduction that sheds most, but none that costs as much as it sheds; -1 if there is none."""
    best = -1
    most = 0
    for i in range(choices.append_reductions(state, actions, 0, 0, seat)):
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
        return _pong_first(state, actions, seat)
    reduction = _reduce_most(state, actions, seat)
    if reduction >= 0:
        return reduction
    if choices.may_settle(state, seat):
        return act.SETTLE
    return _discard_dearest(state, seat) if state.opening else _before_draw(state, seat)


@jit
def outward(cards):
    """The next cards outward of these, which are no 7s."""
    above = cards & ~(BELOW_SEVEN | SEVENS)
    return ((cards & BELOW_SEVEN) >> SUITS) | ((above << SUITS) & NATURALS)


@jit
def _whole_ranks(ranks):
    """All four cards of the ranks of which one suit's bit is set."""
    return ranks | (ranks << 1) | (ranks << 2) | (ranks << 3)


@jit
def ready_cards(state, live):
    """Cards of a hand that could be reduced next turn, as the table lies, and the pairs among the others."""
    sevens = live & SEVENS
    open_now = int(state.open) | (sevens >> SUITS) | (sevens << SUITS)
    chain = live & open_now
    more = outward(chain) & live & ~chain
    while more:
        chain |= more
        more = outward(more) & live & ~chain
    twos, threes = choices.repeated_ranks(live & ~SEVENS)
    ends = int(state.ends)
    any_end = (ends | (ends >> 1) | (ends >> 2) | (ends >> 3)) & choices.ONES
    together = live & _whole_ranks(threes | (twos & any_end))
    near = outward(open_now & ~live) & live
    return chain | together | (live & int(state.fourth)), live & _whole_ranks(twos), near


@jit
def smallest_other_hand(state, seat):
    """How many cards the smallest of the other hands has."""
    fewest = ones(NATURALS)
    for other in range(state.players):
        if other != seat:
            fewest = min(fewest, ones(int(state.hands[other])))
    return fewest


@jit
def _pair_discount(state, params, twins, is_late):
    """Percent by which one of a pair counts less, as far as the other cards of its rank are still about."""
    if twins == 0:
        return 0
    if is_late:
        return int(params.keep_pair_late)
    return int(params.keep_pair) if twins > 1 else int(params.keep_lone_pair)


@jit
def _discard_worth(state, params, seat, bit, sorts, is_late):
    """How much, in hundredths of a point, it is worth to throw this card."""
    ready, pairs, near = sorts
    card = 1 << bit
    twins = ones(unseen_cards(state, seat) & rank_mask(bit))
    discount = 0
    if ready & card:
        discount = int(params.keep_ready)
    elif pairs & card:
        discount = _pair_discount(state, params, twins, is_late)
    elif near & card:
        discount = int(params.keep_near)
    points = int(state.outlaw_points) if int(state.outlaws) & card else int(state.values[bit])
    worth = points * (PERCENT - discount)
    if state.row_n == ROW_ALMOST and bit >> 2 == state.row_rank and seat != state.dealer:
        worth += int(params.follow) * PERCENT
    return worth


@jit
def unseen_cards(state, seat):
    """Natural cards, no outlaws, that may be in other hands."""
    return NATURALS & ~int(state.gone) & ~int(state.hands[seat]) & ~int(state.outlaws)


LATE_HAND = 2
"""Cards in a hand that will soon settle."""
ROW_ALMOST = 3
"""So many discards of one rank from the dealer's first on: the next one has them fined."""


@jit
def _discard_best(state, params, seat):
    free = free_now(state, seat)
    if free == 0:
        return act.KEEP
    if not has_two(free):
        return act.single(act.DISCARD, lowest(free))
    sorts = ready_cards(state, choices.live_hand(state, seat))
    is_late = choices.seven_shown(state) and smallest_other_hand(state, seat) <= LATE_HAND
    best = 0
    most = NEVER
    last_two = ones(int(state.hands[seat])) == 2
    cards = free
    while cards:
        bit = lowest(cards)
        worth = _discard_worth(state, params, seat, bit, sorts, is_late)
        if last_two and FIVES & (1 << bit):
            worth -= int(params.keep_five) * PERCENT
        if worth > most:
            most = worth
            best = bit
        cards &= cards - 1
    return act.single(act.DISCARD, best)


@jit
def _hurt(state, params, named):
    """Points for cards that others may hold; low ones are kept longer, so they are likelier to be in a hand."""
    points = 0
    while named:
        below = max(0, HIGH_CARD - int(state.values[lowest(named)]))
        points += int(params.hurt) + below * int(params.hurt_low) // TENTHS
        named &= named - 1
    return points


@jit
def _joker_worth(state, params, seat, action, stand_ins):
    """What speaks for and against a reduction with jokers, beside the points it sheds."""
    hand = int(state.hands[seat])
    dead = stand_ins & int(state.gone)
    own = stand_ins & hand
    worth = -ones(dead) * int(params.dead_cost)
    worth += _hurt(state, params, stand_ins & ~dead & ~own)
    worth -= ones(own) * int(state.outlaw_points) - choices.points_of(state, own)
    rest = hand & ~act.named_by(action) & NATURALS
    if ones(hand & JOKERS) == ones(stand_ins) and choices.points_of(state, rest) <= state.settle_max:
        worth += int(params.ready_bonus)
    return worth


@jit
def _left_after_seven(state, seat):
    """Points that stay in the hand if it shows its 7s and lays what goes then; jokers are taken to go."""
    live = choices.live_hand(state, seat)
    ready, _, _ = ready_cards(state, live)
    return choices.points_of(state, int(state.hands[seat]) & NATURALS & ~SEVENS & ~ready)


@jit
def _shows_first_seven(state, params, seat):
    if state.stock_n <= params.first_seven_stock:
        return True
    return _left_after_seven(state, seat) <= params.first_seven_below


@jit
def _reduce_best(state, params, actions, seat):
    """The reduction that is worth most, or -1 for none."""
    n = choices.append_reductions(state, actions, 0, 0, seat)
    best = -1
    most = 0
    for i in range(n):
        action = int(actions[i])
        stand_ins = act.jokers_of(action)
        worth = shed(state, action)
        if stand_ins:
            worth += _joker_worth(state, params, seat, action, stand_ins)
        if worth > most and not (act.kind_of(action) == act.SHOW7 and _holds_back(state, params, seat)):
            most = worth
            best = action
    return best


@jit
def _holds_back(state, params, seat):
    """Whether a 7 is better not shown yet."""
    return not choices.seven_shown(state) and not _shows_first_seven(state, params, seat)


@jit
def _cards_up_to(state, points):
    """All natural cards that count no more than this."""
    cards = 0
    for rank in range(SUIT_SIZE):
        if state.values[SUITS * rank] <= points:
            cards |= RANK << (SUITS * rank)
    return cards


@jit
def _chance_low(chance, cards):
    """Percent: that so many cards count no more than one such card does with this chance."""
    if cards == 0:
        return PERCENT
    if cards == 1:
        return chance
    if cards == 2:
        return chance * chance // (2 * PERCENT)
    return chance * chance * chance // (6 * PERCENT * PERCENT) if cards == 3 else 0


@jit
def gouge_risk(state, params, seat, points):
    """Percent: that another hand counts no more than this, by its size and by the low cards not seen."""
    unseen = NATURALS & ~int(state.gone) & ~int(state.hands[seat])
    low = ones(_cards_up_to(state, points) & unseen & ~int(state.outlaws))
    chance = min(PERCENT, low * int(params.low_bias) // max(1, ones(unseen)))
    safe = PERCENT
    for other in range(state.players):
        if other != seat:
            safe = safe * (PERCENT - _chance_low(chance, ones(int(state.hands[other])))) // PERCENT
    return PERCENT - safe


@jit
def _settle_worth(rules, state, params, seat):
    """What settling now is worth, in hundredths of a point: others' average less one's own, and the risk of a gouge."""
    hand = int(state.hands[seat])
    own = 0 if choices.only_sevens(hand) else choices.points_of(state, hand)
    factor = rules.scoring_whole_five_factor if hand & FIVES and not has_two(hand) else 1
    others = 0
    pushed = 0
    for other in range(state.players):
        if other != seat:
            expected = ones(int(state.hands[other])) * int(params.card_points) * factor
            others += expected
            pushed += state.totals[other] + state.fines[other] + expected > rules.match_until
    risk = gouge_risk(state, params, seat, own // factor) if own else 0
    total = int(state.totals[seat]) + int(state.fines[seat])
    worth = others * (PERCENT - risk) // (state.players - 1) - own * PERCENT - risk * others
    if total + own + others > rules.match_until:
        worth -= risk * int(params.brink)
    if total + own > rules.match_until:
        worth -= PERCENT * int(params.brink)
    if total + own == rules.scoring_bonus_at:
        worth -= PERCENT * rules.scoring_bonus
    return worth + pushed * int(params.brink) * (PERCENT - risk)


@jit
def _rather_settles(state, params, seat):
    """Whether the turn after this discard is one's own, and good for a settlement."""
    following = int(state.turn) + 1 if state.turn + 1 < state.players else 0
    if params.decline_pong == 0 or following != seat or not choices.seven_shown(state):
        return False
    jokers = int(state.hands[seat]) & JOKERS
    return jokers == 0 and _left_after_seven(state, seat) <= state.settle_max


@jit
def expert(rules, params, state, streams, actions, seat):
    """Weighs what to keep, to show, to name, and when to settle; see the parameters."""
    if state.phase == choices.DISCARD:
        return _discard_best(state, params, seat)
    if state.phase == choices.PONG:
        return act.PASS if _rather_settles(state, params, seat) else _pong_first(state, actions, seat)
    reduction = _reduce_best(state, params, actions, seat)
    if reduction >= 0:
        return reduction
    if choices.may_settle(state, seat) and _settle_worth(rules, state, params, seat) >= params.settle_margin * PERCENT:
        return act.SETTLE
    return _discard_best(state, params, seat) if state.opening else _before_draw(state, seat)
