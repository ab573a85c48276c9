"""A turn as one int64: its kind in the lowest bits, then what the kind needs.

discard: the face (jokers alike: the small one) and the source. Runs and what extends them: suit, low and high end
after the turn, and which of the places that this turn fills are jokers. Sets and what is added to them: rank, how many
of each suit, how many jokers. Connections: the number of the plot.
"""

from kernels.compiler.jit import jit

DISCARD, RUN, SET, TO_RUN, TO_SET, SLAM = range(6)
STOCK, PILE = range(2)

_KIND = 7
_SOURCE_AT = 3
_CARD_AT = 4
_SUIT_AT = 3
_LOW_AT = 5
_HIGH_AT = 9
_JOKERS_AT = 13
_RANK_AT = 3
_COUNTS_AT = 7
_COUNT_BITS = 3
_WILD_AT = 19
_PLOT_AT = 28
_CARD = 63
_TWO_BITS = 3
_PLACE = 15
_PLACES = 0x7FFF
_COUNT = 7
_WILD = 31
_PLOT = 63


@jit
def append_action(actions, skip, n, action):
    """Write action number n if it falls into the part asked for; returns n + 1."""
    place = n - skip
    if 0 <= place < len(actions):
        actions[place] = action
    return n + 1


@jit
def kind(action):
    """DISCARD, RUN, SET, TO_RUN, TO_SET or SLAM."""
    return action & _KIND


@jit
def discard(card, source):
    """Discard a card and take one from STOCK or PILE."""
    return DISCARD | source << _SOURCE_AT | card << _CARD_AT


@jit
def source(action):
    """STOCK or PILE."""
    return action >> _SOURCE_AT & 1


@jit
def card(action):
    """The face discarded; the small joker for any joker."""
    return action >> _CARD_AT & _CARD


@jit
def run(suit, low, high):
    """Lay a run; `joker_bits` to be added."""
    return RUN | suit << _SUIT_AT | low << _LOW_AT | high << _HIGH_AT


@jit
def to_run(plot, suit, low, high):
    """Extend a run so that it then spans low..high; `joker_bits` to be added."""
    return TO_RUN | suit << _SUIT_AT | low << _LOW_AT | high << _HIGH_AT | plot << _PLOT_AT


@jit
def joker_bits(places):
    """Which of the new places of a run are jokers."""
    return places << _JOKERS_AT


@jit
def set_of(rank):
    """Lay a set; `counts` to be added."""
    return SET | rank << _RANK_AT


@jit
def to_set(plot, rank):
    """Add to a set; `counts` to be added."""
    return TO_SET | rank << _RANK_AT | plot << _PLOT_AT


@jit
def one_of(suit):
    """One card of a suit for a set; to be added up."""
    return 1 << _COUNTS_AT + suit * _COUNT_BITS


@jit
def one_joker():
    """One joker for a set; to be added up."""
    return 1 << _WILD_AT


@jit
def counts(n0, n1, n2, n3, jokers):
    """How many of each suit and how many jokers go into a set."""
    naturals = n0 * one_of(0) + n1 * one_of(1) + n2 * one_of(2) + n3 * one_of(3)
    return naturals + jokers * one_joker()


@jit
def suit(action):
    """Suit of a run."""
    return action >> _SUIT_AT & _TWO_BITS


@jit
def low(action):
    """Low end of a run after the turn: 1..14."""
    return action >> _LOW_AT & _PLACE


@jit
def high(action):
    """High end of a run after the turn: 1..14."""
    return action >> _HIGH_AT & _PLACE


@jit
def joker_places(action):
    """Which new places of a run are jokers: bits 1..14."""
    return action >> _JOKERS_AT & _PLACES


@jit
def rank(action):
    """Rank of a set: 0..12."""
    return action >> _RANK_AT & _PLACE


@jit
def count(action, suit):
    """How many cards of one suit go into a set."""
    return action >> _COUNTS_AT + suit * _COUNT_BITS & _COUNT


@jit
def jokers(action):
    """How many jokers go into a set."""
    return action >> _WILD_AT & _WILD


@jit
def plot(action):
    """Number of the plot that is connected to."""
    return action >> _PLOT_AT & _PLOT
