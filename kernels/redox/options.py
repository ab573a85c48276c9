"""Options of REDOX and the parameters of its players; free of compiled code."""

from typing import Any, NamedTuple

from kernels.notation import new_deck
from kernels.options import Deal, Option, Parameter, RuleError, Style, Value

VERSION = 2

MAX_PLAYERS = 8
MAX_DECKS = 4
MAX_JOKERS_PER_DECK = 4
MIN_HAND = 7
MAX_HAND = 20
NATURALS_PER_DECK = 52
MAX_PACK = MAX_DECKS * (NATURALS_PER_DECK + MAX_JOKERS_PER_DECK)
SUITS = 4
RANKS = 13
LOW_ACE = 1
HIGH_ACE = RANKS + 1
MAX_RUN = HIGH_ACE
"""A run takes places from 1 (the low ace) to 14 (the high ace)."""
MIN_PLOT = 3
OPENING_RUN = 4
"""Cards of the run that a player opens with, and that a slam has, at least."""
PACKET = 5
"""Cards are dealt in packets of so many, the last one of what is left."""
FACE_AND_STOCK = 2
"""The least number of cards that must be left after the deal: the face card and one to draw."""

OPTIONS = (
    Option("players", 4, "How many play.", "[game]; [src] two or more", low=2, high=MAX_PLAYERS),
    Option(
        "decks", 2, "Standard decks in the pack.", "[game]; [src] one or more", low=1, high=MAX_DECKS, alternatives=(3,)
    ),
    Option(
        "jokers_per_deck",
        2,
        "Jokers added to each deck; all jokers play alike.",
        "[game]",
        low=0,
        high=MAX_JOKERS_PER_DECK,
        alternatives=(0, 1),
    ),
    Option(
        "hand_size", 15, "Cards dealt to each player; a slam is made of as many.", "[src]", low=MIN_HAND, high=MAX_HAND
    ),
    Option(
        "min_naturals",
        1,
        "Natural cards that a plot needs when it is laid.",
        "[default]",
        low=1,
        high=3,
        alternatives=(2, 3),
    ),
    Option(
        "stock_exhausted",
        "recycle",
        "When the stock is empty: shuffle the discard pile into a new one for the next draw, or end the round as void.",
        "[default]",
        choices=("recycle", "void"),
        alternatives=("void",),
    ),
    Option("max_turns", 400, "A round of so many turns is void.", "[default]", low=1, high=100_000),
    Option(
        "rounds",
        None,
        "Rounds in a match; left out: one, or with a target as many as it takes.",
        "[default]",
        low=1,
        high=10_000,
    ),
    Option(
        "target",
        None,
        "The match ends after the round in which a total reaches this; left out: no target.",
        "[default]",
        low=1,
        high=1_000_000,
    ),
    Option("max_rounds", 200, "A match with a target ends after so many rounds.", "[default]", low=1, high=10_000),
    Option("scoring.joker", 50, "Points of a joker left in hand.", "[src]", low=0, high=1000),
    Option("scoring.ace", 20, "Points of an ace left in hand.", "[src]", low=0, high=1000),
    Option("scoring.face", 10, "Points of a jack, queen or king left in hand.", "[src]", low=0, high=1000),
    Option("scoring.winner", -10, "What the winner adds to their total.", "[src]", low=-1000, high=1000),
    Option("scoring.slam_factor", 2, "A slam multiplies what the others add by this.", "[src]", low=1, high=100),
)

PARAMETERS: dict[str, tuple[Parameter, ...]] = {
    "greedy": (),
    "expert": (
        Parameter(
            "slam_patience", 1, 0, 100, "How long an opening is kept back for a slam: the limit of the two below."
        ),
        Parameter("slam_away", 1, 0, 100, "What each card that the hand is away from a slam takes from the patience."),
        Parameter("slam_orbit", 1, 0, 100, "What each orbit gone takes from the patience: others get near a slam too."),
        Parameter("in_run", 30, 0, 1000, "Worth of a card in a natural run of three, and once more in one of four."),
        Parameter("in_set", 30, 0, 1000, "Worth of a card in a natural set."),
        Parameter("in_pair", 10, 0, 1000, "Worth of a card of which the hand holds another of the rank."),
        Parameter("early_set", 20, 0, 1000, "Worth of a card in a natural set before the first plot."),
        Parameter("early_pair", 9, 0, 1000, "Worth of one of a pair before the first plot."),
        Parameter("in_neighbours", 12, 0, 1000, "Worth of a card with a neighbour in suit."),
        Parameter("in_gap", 7, 0, 1000, "Worth of a card with another of the suit two places away."),
        Parameter(
            "one_off", 20, 0, 1000, "Before the first plot: worth of a card in a run of four that lacks one card."
        ),
        Parameter(
            "two_off", 4, 0, 1000, "Before the first plot: worth of a card in a run of four that lacks two cards."
        ),
        Parameter("feeding", 5, 0, 1000, "Cost of shedding a card near those the next player took face up."),
        Parameter("points", 2, 0, 100, "Weight of a card's points when a card to shed is chosen."),
        Parameter("points_hurry", 5, 0, 100, "Added to that weight when somebody is near going out."),
        Parameter("hurry", 4, 0, 20, "Somebody who has opened is near going out with so many cards."),
        Parameter(
            "take_worth",
            40,
            0,
            1000,
            "The face-up card is taken instead of an unknown one if it is worth so much to the hand.",
        ),
        Parameter(
            "take_early", 40, 0, 1000, "The same before the first plot, for its worth in runs: sets open nothing."
        ),
        Parameter("swap_hand", 2, 0, 20, "A dead card is exchanged for one to lay while no hand is shorter than this."),
        Parameter("swap_keep", 14, 0, 1000, "A card is dead if it is worth no more than this to the hand."),
        Parameter("saving", 3, 1, 100, "... and only if it costs at least so many points less than the card shed."),
        Parameter("low_card", 4, 0, 50, "In a hurry the face-up card is taken if it has at most so many points."),
    ),
}
STYLES = {
    "hunter": Style(
        "Keeps an opening back for a slam, and gives up late.", {"slam_patience": 6}, (-0.28, -0.40, -0.17)
    ),
    "opener": Style(
        "Takes from the pile whatever may open, and opens at once.", {"take_early": 20}, (-0.82, -1.03, -0.61)
    ),
}
"""Measured on 30,000 deals, one seat among experts."""


class Rules(NamedTuple):
    """Options as compiled code sees them; a limit of 0 is no limit. `tables` is filled in by `prepare`."""

    players: int
    decks: int
    jokers_per_deck: int
    hand_size: int
    min_naturals: int
    stock_exhausted: int
    max_turns: int
    rounds: int
    target: int
    max_rounds: int
    scoring_joker: int
    scoring_ace: int
    scoring_face: int
    scoring_winner: int
    scoring_slam_factor: int
    shuffle: int = 0
    passes: int = 0
    tables: Any = ()


def players(values: dict[str, Value]) -> int:
    """Number of seats."""
    return int(values["players"])  # type: ignore[arg-type]


def most_rounds(values: dict[str, Value]) -> int:
    """Rounds of a match that has so many, else where a match with a target stops."""
    return int(values["max_rounds"] if values["rounds"] is None else values["rounds"])  # type: ignore[arg-type]


def check(values: dict[str, Value]) -> dict[str, Value]:
    """Options with those filled in that follow from others. Raises RuleError for a deal the pack cannot serve."""
    seats, decks, jokers, hand = (int(values[key]) for key in _DEAL_KEYS)  # type: ignore[arg-type]
    pack = decks * (NATURALS_PER_DECK + jokers)
    needed = seats * hand + FACE_AND_STOCK
    if needed > pack:
        raise RuleError(
            _blamed(values),
            f"{seats} hands of {hand}, a face card and a card to draw need {needed} cards, the pack has {pack}; "
            "allowed are fewer players, smaller hands or more decks",
        )
    if values["rounds"] is None and values["target"] is None:
        return {**values, "rounds": 1}
    return values


def deal(values: dict[str, Value]) -> Deal:
    """Packets in turn order from the leader on, then the face card."""
    seats, decks, jokers, hand = (int(values[key]) for key in _DEAL_KEYS)  # type: ignore[arg-type]
    packets = [min(PACKET, hand - first) for first in range(0, hand, PACKET)]
    orders = tuple(
        (*((leader + place) % seats for size in packets for place in range(seats) for _ in range(size)), seats)
        for leader in range(seats)
    )
    return Deal(tuple(new_deck(jokers) * decks), orders, ("face",))


_DEAL_KEYS = ("players", "decks", "jokers_per_deck", "hand_size")


def _blamed(values: dict[str, Value]) -> str:
    """The option to name when the pack is too small: one that is not at its default, if there is one."""
    usual = {option.key: option.default for option in OPTIONS}
    changed = [key for key in _DEAL_KEYS if values[key] != usual[key]]
    return changed[0] if changed else _DEAL_KEYS[0]
