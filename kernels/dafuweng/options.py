"""Options of Da Fu Weng and the parameters of its players; free of compiled code."""

from typing import NamedTuple

from kernels.notation import new_deck
from kernels.options import Deal, Option, Parameter, RuleError, Style, Value, one_at_a_time

VERSION = 3

MAX_PLAYERS = 10
MAX_DECKS = 2
JOKERS_PER_DECK = 2
HAND = 3
"""Cards dealt to each player; no hand is ever larger."""
ONE_DECK_PLAYERS = 6
"""Up to so many play with one deck if `decks` is left out."""
QUEEN_LOWS = (20, 80)

OPTIONS = (
    Option(
        "players",
        4,
        "How many play, an even number; seats take turns in belonging to the two teams.",
        "[src] even; [default] four",
        low=2,
        high=MAX_PLAYERS,
        alternatives=(2, 6, 8, 10),
    ),
    Option(
        "decks",
        None,
        "Decks of 54; left out: one for up to six players, two for more.",
        "[default]",
        low=1,
        high=MAX_DECKS,
        alternatives=(1, 2),
    ),
    Option(
        "death",
        "empty_hand",
        "What kills besides having nothing to play: an empty hand too, or nothing else.",
        "[src]; cannot_play: [reader]",
        choices=("empty_hand", "cannot_play"),
        alternatives=("cannot_play",),
    ),
    Option(
        "suicide",
        "forbidden",
        "Whether one whose team-mates all live may decline to play if only jokers can be played.",
        "[default]; last_joker: [reader]",
        choices=("forbidden", "last_joker"),
        alternatives=("last_joker",),
    ),
    Option(
        "revive_gain",
        "keep",
        "What a revived player does with cards that their turned-up card gained: keep them, or play one at once.",
        "[default]; the source leaves it open",
        choices=("keep", "play"),
        alternatives=("play",),
    ),
    Option(
        "queen_low",
        20,
        "Up to this count a queen must add 20; with 80, at 80 itself it must take.",
        "[src] prints 80, an error for 20",
        low=min(QUEEN_LOWS),
        high=max(QUEEN_LOWS),
        alternatives=(80,),
    ),
    Option("max_turns", 2000, "A game of so many turns ends undecided.", "[default]", low=1, high=1_000_000),
    Option("rounds", 1, "Games in a match; the first to die opens the next.", "[default]", low=1, high=10_000),
)

_WORTHS = (
    ("pressure", 100, "Worth of leaving the next player without a play, times its chance."),
    ("kill", 400, "Worth of an opponent's death, or of not being revived, and of one's own life."),
    ("revive", 150, "Worth of a joker for a team-mate."),
    ("steal", 60, "Worth of taking one of an opponent's cards, not the last."),
    ("brute", 25, "Worth of brute mode for each card that an opponent's hand is short of."),
    ("card", 20, "Worth of any card in the hand."),
    ("keep_unknown", 25, "Worth of a card in another's hand that was not seen."),
    ("keep_low", 5, "Worth of keeping a two or a three."),
    ("keep_jack", 30, "Worth of keeping a jack or a four."),
    ("keep_ten", 35, "Worth of keeping a ten or a queen."),
    ("keep_king", 30, "Worth of keeping a king."),
    ("keep_five", 35, "Worth of keeping a five."),
    ("keep_seven", 50, "Worth of keeping a seven."),
    ("keep_ace", 60, "Worth of keeping an ace that exchanges."),
    ("second_ace", 100, "Worth of an exchange that leaves another ace to a team-mate."),
    ("keep_brute", 40, "Worth of keeping the ace of spades."),
    ("keep_joker", 40, "Worth of keeping a joker."),
)
PARAMETERS: dict[str, tuple[Parameter, ...]] = {
    "greedy": (),
    "expert": tuple(Parameter(name, default, 0, 1000, doc) for name, default, doc in _WORTHS),
}
STYLES = {
    "hoarder": Style(
        "Keeps the cards that are escapes at 99.",
        {"keep_ten": 60, "keep_jack": 55, "keep_five": 55, "keep_king": 50},
        (-0.017, -0.021, -0.013),
    ),
    "medic": Style(
        "Keeps jokers for team-mates, and revives before all else.",
        {"keep_joker": 90, "revive": 300},
        (0.0, -0.001, 0.001),
    ),
}
"""Measured on 200,000 deals, one team against experts."""


class Rules(NamedTuple):
    """Options as compiled code sees them."""

    players: int
    decks: int
    death: int
    suicide: int
    revive_gain: int
    queen_low: int
    max_turns: int
    rounds: int
    shuffle: int = 0
    passes: int = 0


def players(values: dict[str, Value]) -> int:
    """Number of seats."""
    return int(values["players"])  # type: ignore[arg-type]


def most_rounds(values: dict[str, Value]) -> int:
    """Every match has the same number of rounds."""
    return int(values["rounds"])  # type: ignore[arg-type]


def check(values: dict[str, Value]) -> dict[str, Value]:
    """Options with the number of decks filled in. Raises RuleError for an odd number of players."""
    seats = players(values)
    if seats % 2:
        raise RuleError("players", f"{seats} players cannot form two teams; allowed are 2, 4, 6, 8 and 10")
    if values["queen_low"] not in QUEEN_LOWS:
        raise RuleError("queen_low", f"{values['queen_low']} is not allowed; allowed are 20 and 80")
    if values["decks"] is None:
        return {**values, "decks": 1 if seats <= ONE_DECK_PLAYERS else MAX_DECKS}
    return values


def deal(values: dict[str, Value]) -> Deal:
    """One card at a time from the first player on."""
    seats = players(values)
    decks = int(values["decks"])  # type: ignore[arg-type]
    return Deal(tuple(new_deck(JOKERS_PER_DECK) * decks), one_at_a_time(seats, HAND * seats))
