"""The deal: the pack, who gets which card, and what follows from it before anybody plays."""

from kernels import cards, predeal, rng
from kernels.compiler.bits import lowest, ones
from kernels.compiler.jit import jit
from kernels.notation import FACES
from kernels.redten import plays
from kernels.redten.options import JOKERS, PLAYERS
from kernels.redten.packed import FULL_PACK, RANK_OF, RED_TENS, THREE_OF_HEARTS, add, at_least, pack
from kernels.redten.plays import NOTHING

NOBODY = -1
ALL_SEATS = (1 << PLAYERS) - 1


@jit
def collect(rules, state):
    """A new pack, or the cards of the last round: as they were played, then the hands left, seat by seat."""
    if state.round_no == 1 or rules.shuffle == cards.UNIFORM:
        cards.new_pack(state, 1, JOKERS)
        return
    n = int(state.pile_n)
    for place in range(n):
        state.stock[place] = state.pile[place]
    for seat in range(PLAYERS):
        held = int(state.held[seat])
        while held:
            state.stock[n] = lowest(held)
            n += 1
            held &= held - 1
    state.stock_n = n


@jit
def after(seats, seat):
    """The next seat of a set (bits, not empty) in the direction of play; the seat itself comes last."""
    return (seat + 1 + lowest((seats | seats << PLAYERS) >> (seat + 1))) % PLAYERS


@jit
def clear_table(state):
    """Nothing dealt, nothing shown, nothing played."""
    for seat in range(PLAYERS):
        state.hand[seat] = 0
        state.held[seat] = 0
        state.left[seat] = 0
        state.showing[seat] = 0
        state.taken[seat] = 0
        state.places[seat] = NOBODY
    state.pile_n = 0
    state.chosen = 0
    state.shown = 0
    state.public_tens = 0
    state.public_reds = 0
    state.table = NOTHING
    state.table_seat = NOBODY
    state.passed = 0
    state.going = ALL_SEATS
    state.out_n = 0
    state.over = 0
    state.turns = 0
    state.last_seat = NOBODY
    state.bombs = 0
    state.joker_bombs = 0
    state.red_ten_bombs = 0


@jit
def receive(state, seat, card):
    """Give one card to a seat."""
    state.held[seat] = int(state.held[seat]) | 1 << card
    state.hand[seat] = add(int(state.hand[seat]), int(RANK_OF[card]))
    state.left[seat] += 1


@jit
def _note_sides(state):
    """Sides from the red tens held and those that everybody has seen; before the first play, who will lead."""
    reds = 0
    for seat in range(PLAYERS):
        held = int(state.held[seat])
        red = held & RED_TENS != 0 or int(state.public_reds) >> seat & 1 != 0
        state.side[seat] = int(red)
        reds += int(red)
        if state.turns == 0 and held >> THREE_OF_HEARTS & 1:
            state.leader = seat
    state.solo = int(reds == 1)


@jit
def open_round(state):
    """What follows from the hands just dealt; the first holder of a red ten is asked whether to show."""
    _note_sides(state)
    state.unplayed = FULL_PACK
    for seat in range(PLAYERS):
        state.dealt_bombs[seat] = ones(at_least(int(state.hand[seat]), plays.SMALL_BOMB))
    state.asking = next_holder(state, 0)
    state.turn = state.asking


@jit
def next_holder(state, drawer):
    """The first seat that was dealt a red ten, from the one that drew as number `drawer` on (0 first); or NOBODY."""
    for number in range(drawer, PLAYERS):
        seat = (int(state.first_drawer) + number) % PLAYERS
        if state.side[seat]:
            return seat
    return NOBODY


@jit
def deal(rules, state, streams):
    """Shuffle, choose the first drawer, draw one card each in turn until the pack is used up."""
    collect(rules, state)
    clear_table(state)
    state.first_drawer = predeal.draw_first_seat(state, streams, PLAYERS)
    cards.shuffle_pack(rules, state, streams)
    predeal.draw_deal(state, streams, state.first_drawer, FACES)
    seat = int(state.first_drawer)
    for place in range(FACES):
        receive(state, seat, int(state.drawn[place]))
        seat = (seat + 1) % PLAYERS
    open_round(state)
    if state.eager:
        cards.settle(state, streams)


@jit
def reveal(state):
    """All have decided: what was shown becomes known to everybody."""
    for seat in range(PLAYERS):
        if state.showing[seat]:
            state.public_tens = int(state.public_tens) | int(state.showing[seat])
            state.public_reds = int(state.public_reds) | 1 << seat
    state.shown = int(state.public_tens == RED_TENS)


@jit
def count_cards(rules, state, counts):
    """Every card: in the stock, in hands, on the pile."""
    for place in range(state.stock_n):
        counts[state.stock[place]] += 1
    for place in range(state.pile_n):
        counts[state.pile[place]] += 1
    for seat in range(PLAYERS):
        held = int(state.held[seat])
        while held:
            counts[lowest(held)] += 1
            held &= held - 1


# What a seat cannot see, dealt anew.


@jit
def _fixed(state, seat):
    """Cards in a hand that everybody knows to be there: red tens shown, and the three of hearts of the first leader."""
    known = int(state.public_tens)
    if state.asking == NOBODY:
        known |= 1 << THREE_OF_HEARTS
    return int(state.held[seat]) & known


@jit
def hide(rules, state, viewer):
    """Take every card that the viewer cannot see out of its hand into the idle stock, red tens first."""
    pool = 0
    for seat in range(PLAYERS):
        if seat != viewer:
            fixed = _fixed(state, seat)
            pool |= int(state.held[seat]) & ~fixed
            state.held[seat] = fixed
            state.dealt_bombs[seat] = 0
            if state.asking != NOBODY:
                state.showing[seat] = 0
    n = 0
    for cards_of_kind in (pool & RED_TENS, pool & ~RED_TENS):
        while cards_of_kind:
            state.stock[n] = lowest(cards_of_kind)
            n += 1
            cards_of_kind &= cards_of_kind - 1
    state.stock_n = n
    state.eager = 0


@jit
def _room(state, viewer, seat, is_ten):
    """How many hidden cards a hand still takes; one that showed a single red ten cannot hold the other."""
    if seat == viewer or (is_ten and state.asking == NOBODY and state.showing[seat]):
        return 0
    return int(state.left[seat]) - ones(int(state.held[seat]))


@jit
def _give_hidden(state, streams, viewer, card, is_ten):
    """Put one hidden card into one of the open places, each as likely as the others."""
    places = 0
    for seat in range(PLAYERS):
        places += _room(state, viewer, seat, is_ten)
    place = rng.below(streams, rng.DEAL, places)
    for seat in range(PLAYERS):
        place -= _room(state, viewer, seat, is_ten)
        if place < 0:
            state.held[seat] = int(state.held[seat]) | 1 << card
            return


@jit
def _decide_again(state, streams, viewer):
    """While showing is being decided, what others have decided is hidden too."""
    reached = state.asking == viewer
    for number in range(PLAYERS):
        seat = (int(state.first_drawer) + number) % PLAYERS
        if seat == viewer:
            reached = False
        elif reached and rng.below(streams, rng.DEAL, 2):
            state.showing[seat] = int(state.held[seat]) & RED_TENS
        else:
            state.showing[seat] = 0
    if state.asking != viewer:
        state.showing[viewer] = 0
        state.asking = next_holder(state, 0)
        state.turn = state.asking


@jit
def redeal_hidden(rules, state, streams, seat):
    """Deal the hidden cards to the other hands, as far as nothing public speaks against it."""
    for number in range(int(state.stock_n)):
        card = int(state.stock[number])
        _give_hidden(state, streams, seat, card, RED_TENS >> card & 1)
    state.stock_n = 0
    for other in range(PLAYERS):
        state.hand[other] = pack(int(state.held[other]))
    _note_sides(state)
    if state.asking != NOBODY:
        _decide_again(state, streams, seat)
