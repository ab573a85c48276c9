"""Players of REDOX."""

from kernels.compiler.bits import lowest
from kernels.compiler.jit import ZERO, jit, jit_inline
from kernels.notation import SMALL_JOKER, SUIT_SIZE
from kernels.redox import actions as act
from kernels.redox import plots
from kernels.redox.game import can_slam, following, legal
from kernels.redox.options import HIGH_ACE, LOW_ACE, MIN_PLOT, OPENING_RUN, SUITS
from kernels.redox.planes import (
    CARD_BITS,
    EVERY_SUIT,
    LANE,
    as_held,
    card_at,
    copies,
    copies_of_rank,
    count_bits,
    lane,
    planes_of,
    ranks_held,
    run_shape,
    run_starts,
    window,
    with_card,
    with_high_aces,
    without_card,
)
from kernels.redox.slam import slam_distance

NOTHING = -1
"""No action of the kind looked for (actions are never negative)."""
CARD_VALUE = 1000
"""Laying one card more is worth more than any points."""
SUPPORT_VALUE = 40
"""What a neighbour or an equal rank is worth in points when the simple player chooses a card to shed."""


# The simple player


@jit
def support(planes, card):
    """How many cards of a hand stand near this face: equal ranks, and the same suit within two places."""
    bit = int(CARD_BITS[card])
    place = lowest(bit) & LANE - 1
    same = planes[0] & EVERY_SUIT << place & ~bit
    suit = lane(with_high_aces(planes[0] & ~bit), lowest(bit) >> 4)
    near = suit & window(max(LOW_ACE, place - 2), place + 2)
    if place == LOW_ACE:
        near |= suit & window(HIGH_ACE - 2, HIGH_ACE)
    return count_bits(same) + count_bits(near & ~(1 << place))


@jit
def laid(action):
    """How many places of a set or of a whole run an action fills."""
    kind = act.kind(action)
    if kind == act.RUN or kind == act.TO_RUN:
        return act.high(action) - act.low(action) + 1
    cards = act.jokers(action)
    for suit in range(SUITS):
        cards += act.count(action, suit)
    return cards


@jit
def _worth(rules, state, planes, action):
    """How much the simple player likes an action."""
    kind = act.kind(action)
    if kind == act.SLAM:
        return CARD_VALUE * CARD_VALUE
    if kind == act.DISCARD:
        return _worth_of_discard(rules, state, planes, action)
    if kind == act.TO_RUN:
        plot = act.plot(action)
        grown = int(state.plot_high[plot]) - int(state.plot_low[plot]) + 1
        return CARD_VALUE * (laid(action) - grown)
    return CARD_VALUE * laid(action)


@jit
def _worth_of_discard(rules, state, planes, action):
    """Shed high cards that stand alone; take from the pile what fits the hand."""
    card = act.card(action)
    if card == SMALL_JOKER:
        return -CARD_VALUE
    worth = plots.card_points(rules, card) - SUPPORT_VALUE * support(planes, card)
    top = int(state.discards[state.discards_n - 1])
    fits = top >= SMALL_JOKER or support(planes, top) >= 2
    return 2 * worth + int(fits == (act.source(action) == act.PILE))


@jit
def greedy(rules, params, state, streams, actions, seat):
    """Slams, else lays or connects as many cards as possible, else sheds the highest card that stands alone."""
    planes = planes_of(state.hand, seat)
    count = legal(rules, state, actions, ZERO)
    best = int(actions[0])
    most = _worth(rules, state, planes, best)
    for first in range(0, count, len(actions)):
        if first:
            legal(rules, state, actions, first)
        for i in range(min(len(actions), count - first)):
            action = int(actions[i])
            worth = _worth(rules, state, planes, action)
            if worth > most:
                best = action
                most = worth
    return best


# What the strong player sees in a hand


@jit_inline
def _in_windows(cards, missing):
    """Cards of windows of four that miss at most so many naturals."""
    starts = run_starts(cards, missing, OPENING_RUN)
    return as_held((starts | starts << 1 | starts << 2 | starts << 3) & cards)


@jit
def _keep_values(params, planes, jokers, opened):
    """The masks that `_keep` reads."""
    run4, run3, near, gap = run_shape(planes[0])
    _some, pairs, threes = ranks_held(planes)
    one_off = 0
    two_off = 0
    if opened == 0:
        cards = with_high_aces(planes[0])
        one_off = _in_windows(cards, 1)
        two_off = _in_windows(cards, 2)
    return run4, run3, near, gap, pairs * EVERY_SUIT, threes * EVERY_SUIT, one_off, two_off


@jit_inline
def _keep(params, values, second, bit, in_set, in_pair):
    """How much the hand loses with one copy of a card: its part in runs and sets made or begun."""
    run4, run3, near, gap, pairs, triples, one_off, two_off = values
    keep = int((triples & bit) != 0) * in_set + int((pairs & bit) != 0) * in_pair
    if second & bit == 0:  # of two equal cards one is enough for a run
        keep += (
            int((run4 & bit) != 0) * int(params.in_run)
            + int((run3 & bit) != 0) * int(params.in_run)
            + int((near & bit) != 0) * int(params.in_neighbours)
            + int((gap & bit) != 0) * int(params.in_gap)
            + int((one_off & bit) != 0) * int(params.one_off)
            + int((two_off & bit) != 0) * int(params.two_off)
        )
    return keep


@jit_inline
def _shortest_hand(rules, state, seat):
    """Cards in the shortest hand among the other players who may connect."""
    least = rules.hand_size
    for other in range(rules.players):
        if other != seat and state.opened_turn[other]:
            least = min(least, int(state.hand_n[other]))
    return least


@jit
def _wanted(rules, state, seat):
    """Cards near those that the next player is known to hold: they took them from the discard pile."""
    known = int(state.known[following(rules, state, seat), 0])
    if known == 0:
        return 0
    cards = with_high_aces(known)
    near = as_held(cards << 1 | cards >> 1 | cards << 2 | cards >> 2)
    ranks = lane(known, 0) | lane(known, 1) | lane(known, 2) | lane(known, 3)
    return near | ranks * EVERY_SUIT


# Discards


@jit
def _card_to_shed(rules, params, state, seat, planes, values, opened, hurry):
    """The natural card that costs least to give away, as its bit; 0 if the hand has none. Sets open nothing, and count
    less before the first plot."""
    wanted = _wanted(rules, state, seat)
    in_set = int(params.in_set) if opened else int(params.early_set)
    in_pair = int(params.in_pair) if opened else int(params.early_pair)
    weight = int(params.points) + hurry * int(params.points_hurry)
    best = 0
    least = 0
    faces = planes[0]
    while faces:
        bit = faces & -faces
        faces ^= bit
        cost = (
            _keep(params, values, planes[1], bit, in_set, in_pair)
            + int((wanted & bit) != 0) * int(params.feeding)
            - weight * plots.card_points(rules, card_at(lowest(bit)))
        )
        if best == 0 or cost < least:
            best = bit
            least = cost
    return best


@jit
def _takes_pile(rules, params, state, planes, jokers, shed, opened, hurry):
    """Whether the card on the pile is better than an unknown one, for the hand without the card to shed."""
    top = int(state.discards[state.discards_n - 1])
    if top >= SMALL_JOKER:
        return True
    bit = int(CARD_BITS[top])
    if bit == shed or shed == 0:
        return False
    if opened and _fits_table(state, top):
        return True
    saved = plots.card_points(rules, card_at(lowest(shed))) - plots.card_points(rules, top)
    if hurry and saved >= int(params.saving) and plots.card_points(rules, top) <= int(params.low_card):
        return True
    after = with_card(without_card(planes, shed), bit)
    values = _keep_values(params, after, jokers, opened)
    if opened:
        return _keep(params, values, after[1], bit, int(params.in_set), int(params.in_pair)) >= int(params.take_worth)
    return _keep(params, values, after[1], bit, 0, 0) >= int(params.take_early)


@jit
def _fits_table(state, card):
    """Whether a natural card can be connected to a plot on the table."""
    suit = card // SUIT_SIZE
    rank = card % SUIT_SIZE
    for plot in range(int(state.plots)):
        if state.plot_kind[plot] == act.SET:
            if state.plot_of[plot] == rank:
                return True
        elif state.plot_of[plot] == suit:
            if state.plot_low[plot] == rank + 2 or state.plot_high[plot] == rank:
                return True
            if rank == 0 and state.plot_high[plot] == HIGH_ACE - 1:
                return True
    return False


@jit
def _discard(rules, params, state, seat, planes, jokers, opened, hurry):
    """Shed the card that is least use, and take the better of pile and stock."""
    values = _keep_values(params, planes, jokers, opened)
    shed = _card_to_shed(rules, params, state, seat, planes, values, opened, hurry)
    source = act.PILE if _takes_pile(rules, params, state, planes, jokers, shed, opened, hurry) else act.STOCK
    return act.discard(card_at(lowest(shed)) if shed else SMALL_JOKER, source)


# Plots


@jit
def _run_action(planes, suit, low, high):
    """Lay the places low..high of a suit, jokers where no natural is held; one ace fills one end only."""
    held = lane(with_high_aces(planes[0]), suit)
    if low == LOW_ACE and high == HIGH_ACE and copies(planes, suit * LANE + LOW_ACE) == 1:
        high -= 1
    return act.run(suit, low, high) | act.joker_bits(window(low, high) & ~held)


@jit
def longest_run(planes, jokers, shortest):
    """The run of at least `shortest` (3 or 4) with most naturals, fewest jokers among equals, or NOTHING."""
    cards = with_high_aces(planes[0])
    starts = run_starts(cards, jokers, shortest)
    best = NOTHING
    most = 0
    while starts:
        at = lowest(starts)
        starts &= starts - 1
        suit = at >> 4
        low = at & LANE - 1
        held = lane(cards, suit)
        high = low + shortest - 1
        missed = shortest - count_bits(held & window(low, high))
        while held >> low - 1 & 1 and low > LOW_ACE:
            low -= 1
        while held >> high + 1 & 1:
            high += 1
        value = CARD_VALUE * (high - low + 1 - missed) - missed
        if missed <= jokers and value > most:
            most = value
            best = _run_action(planes, suit, low, high)
    return best


@jit
def _set_action(planes, rank, jokers):
    """Lay all cards of a rank and some jokers."""
    n0, n1, n2, n3 = copies_of_rank(planes, rank)
    return act.set_of(rank) | act.counts(n0, n1, n2, n3, jokers)


@jit
def largest_set(planes, ranks, jokers):
    """Of these ranks the set with most cards, the highest rank among equals; NOTHING if there are no ranks."""
    best = NOTHING
    most = 0
    while ranks:
        rank = lowest(ranks) - 1
        ranks &= ranks - 1
        action = _set_action(planes, rank, jokers)
        if laid(action) >= most:
            most = laid(action)
            best = action
    return best


@jit
def _natural_plot(planes):
    """The largest plot without jokers, or NOTHING."""
    _some, _pairs, threes = ranks_held(planes)
    by_rank = largest_set(planes, threes, 0)
    by_suit = longest_run(planes, 0, MIN_PLOT)
    if by_rank == NOTHING or (by_suit != NOTHING and laid(by_suit) > laid(by_rank)):
        return by_suit
    return by_rank


@jit
def _joker_plot(rules, planes, jokers):
    """A pair or two cards of a run, filled up with one joker, or NOTHING."""
    if rules.min_naturals <= 2:
        _some, pairs, _threes = ranks_held(planes)
        by_rank = largest_set(planes, pairs, 1)
        if by_rank != NOTHING:
            return by_rank
        return longest_run(planes, 1, MIN_PLOT)
    return NOTHING


@jit
def _opening(rules, planes, jokers):
    """The run of four or more to open with, or NOTHING."""
    for spent in range(min(jokers, OPENING_RUN - rules.min_naturals) + 1):
        action = longest_run(planes, spent, OPENING_RUN)
        if action != NOTHING:
            return action
    return NOTHING


@jit
def _goes_for_slam(rules, params, state, seat, planes, jokers):
    """Whether a slam is near enough to keep an opening back, as long as nobody else looks near one."""
    orbit = int(state.turns) // rules.players
    away = slam_distance(rules.tables, planes, jokers, rules.min_naturals)
    return away * int(params.slam_away) + orbit * int(params.slam_orbit) <= int(params.slam_patience)


# Connections


@jit
def _to_set(planes, plot, rank):
    """Add all cards of the rank to a set, or NOTHING."""
    if planes[0] & EVERY_SUIT << rank + 1 == 0:
        return NOTHING
    n0, n1, n2, n3 = copies_of_rank(planes, rank)
    return act.to_set(plot, rank) | act.counts(n0, n1, n2, n3, 0)


@jit
def _to_run(planes, plot, suit, low, high):
    """Extend a run by naturals as far as they go, or NOTHING."""
    held = lane(with_high_aces(planes[0]), suit)
    new_low = low
    while new_low > LOW_ACE and held >> new_low - 1 & 1:
        new_low -= 1
    new_high = high
    while new_high < HIGH_ACE and held >> new_high + 1 & 1:
        new_high += 1
    low_ace = new_low == LOW_ACE and low > LOW_ACE
    if low_ace and new_high == HIGH_ACE and high < HIGH_ACE and copies(planes, suit * LANE + LOW_ACE) == 1:
        new_high -= 1
    if new_low == low and new_high == high:
        return NOTHING
    return act.to_run(plot, suit, new_low, new_high)


@jit
def _connected(state, action):
    """How many cards a connection takes from the hand."""
    if act.kind(action) == act.TO_SET:
        return laid(action)
    plot = act.plot(action)
    return laid(action) - (int(state.plot_high[plot]) - int(state.plot_low[plot]) + 1)


@jit
def _connection(state, planes):
    """The connection of naturals that takes most cards from the hand, or NOTHING."""
    best = NOTHING
    most = 0
    for plot in range(int(state.plots)):
        of = int(state.plot_of[plot])
        if state.plot_kind[plot] == act.SET:
            action = _to_set(planes, plot, of)
        else:
            action = _to_run(planes, plot, of, int(state.plot_low[plot]), int(state.plot_high[plot]))
        if action != NOTHING and _connected(state, action) > most:
            most = _connected(state, action)
            best = action
    return best


@jit
def _joker_connection(state):
    """Get rid of a joker: at a set, or at the end of a run that has room; NOTHING if there is neither."""
    for plot in range(int(state.plots)):
        of = int(state.plot_of[plot])
        low = int(state.plot_low[plot])
        high = int(state.plot_high[plot])
        if state.plot_kind[plot] == act.SET:
            return act.to_set(plot, of) | act.counts(0, 0, 0, 0, 1)
        if high < HIGH_ACE:
            return act.to_run(plot, of, low, high + 1) | act.joker_bits(1 << high + 1)
        if low > LOW_ACE:
            return act.to_run(plot, of, low - 1, high) | act.joker_bits(1 << low - 1)
    return NOTHING


# Exchanges


@jit
def _dead_card(rules, params, state, planes, after):
    """The natural card of a hand with most points that fits neither the table nor the hand with the face-up card in it
    (`after`), as its bit; 0 if there is none."""
    values = _keep_values(params, after, 0, 1)
    best = 0
    most = -1
    faces = planes[0]
    while faces:
        bit = faces & -faces
        faces ^= bit
        card = card_at(lowest(bit))
        points = plots.card_points(rules, card)
        keep = _keep(params, values, after[1], bit, int(params.in_set), int(params.in_pair))
        if points > most and keep <= int(params.swap_keep) and not _fits_table(state, card):
            best = bit
            most = points
    return best


@jit
def _swap(rules, params, state, seat, planes):
    """Shed a dead card for the face-up one, where that one can be laid next turn and nobody is about to go out; or
    NOTHING."""
    if _shortest_hand(rules, state, seat) < int(params.swap_hand):
        return NOTHING
    top = int(state.discards[state.discards_n - 1])
    after = planes
    if top < SMALL_JOKER:
        bit = int(CARD_BITS[top])
        after = with_card(planes, bit)
        _run4, run3, _near, _gap = run_shape(after[0])
        _some, _pairs, threes = ranks_held(after)
        if (run3 | threes * EVERY_SUIT) & bit == 0 and not _fits_table(state, top):
            return NOTHING
    dead = _dead_card(rules, params, state, planes, after)
    return act.discard(card_at(lowest(dead)), act.PILE) if dead else NOTHING


# The strong player


@jit
def _layable(rules, state, planes, jokers):
    """What a player who has opened lays or connects now, or NOTHING."""
    action = _natural_plot(planes)
    if action == NOTHING and jokers:
        action = _joker_plot(rules, planes, jokers)
    if action == NOTHING:
        action = _connection(state, planes)
    if action == NOTHING and jokers:
        action = _joker_connection(state)
    return action


@jit
def expert(rules, params, state, streams, actions, seat):
    """Weighs the way to a slam against its dangers, lays and connects in time, sheds what costs least."""
    planes = planes_of(state.hand, seat)
    jokers = int(state.jokers[seat])
    opened = int(state.opened_turn[seat])
    if opened:
        action = _swap(rules, params, state, seat, planes)
        if action != NOTHING:
            return action
        action = _layable(rules, state, planes, jokers)
        if action != NOTHING:
            return action
    else:
        if state.plots == 0 and can_slam(rules, state, seat):
            return act.SLAM
        action = _opening(rules, planes, jokers)
        if action != NOTHING and not (state.plots == 0 and _goes_for_slam(rules, params, state, seat, planes, jokers)):
            return action
    hurry = int(_shortest_hand(rules, state, seat) <= int(params.hurry))
    return _discard(rules, params, state, seat, planes, jokers, opened, hurry)
