"""Options of Er Bai Wu and the parameters of its players; free of compiled code."""

from typing import NamedTuple

from kernels.notation import new_deck
from kernels.options import Deal, Option, Parameter, RuleError, Style, Value, one_at_a_time

VERSION = 1
HAND = 6
"""Cards dealt to each player; the dealer takes one more."""
JOKERS = 2
LIMIT = 250
"""The total that nobody wants to pass, from which the game has its name."""

_CARDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
_CARD_POINTS = {"A": 1, "7": 15, "T": 10, "J": 11, "Q": 12, "K": 13}


def _card_option(rank: str) -> Option:
    points = _CARD_POINTS.get(rank, int(rank) if rank.isdigit() else 0)
    return Option(f"scoring.{rank}", points, f"Points of a held {rank}.", f"[src] {_source_of(rank)}", 0, 1000)


def _source_of(rank: str) -> str:
    if rank == "7":
        return "a 7 counts 15"
    return "ace 1, jack 11, queen 12, king 13" if rank in "AJQK" else "2 to 6 and 8 to 10 count their face"


OPTIONS = (
    Option("players", 4, "How many play.", "[src] two to six can play, four is best", 2, 6),
    Option(
        "match.until", LIMIT, "The match ends after a round with a total above this.", "[src] above 250", 1, 100_000
    ),
    Option(
        "match.rounds",
        None,
        "Play so many rounds, whatever the totals.",
        "[src] a variant: places after any number of rounds",
        1,
        1000,
    ),
    Option("max_rounds", 200, "A match is stopped after so many rounds.", "[default] a bound", 1, 1000),
    *(_card_option(rank) for rank in _CARDS),
    Option("scoring.joker", 30, "Points of a held joker.", "[src] a joker counts 30", 0, 1000),
    Option("scoring.outlaw", 30, "Points of a held outlaw.", "[src] an outlaw counts 30", 0, 1000),
    Option(
        "scoring.settle_max", 5, "Most points a hand may count to settle.", "[src] five points or fewer settle", 0, 1000
    ),
    Option(
        "scoring.whole_five_factor", 2, "Others' scores times this at a whole five.", "[src] a single 5 doubles", 1, 10
    ),
    Option("scoring.held_seven", -15, "Added for each 7 when a hand of 7s settles.", "[src] -15 a 7", -1000, 1000),
    Option(
        "scoring.fine_outlaw", 30, "Fine for a joker that names a dead card.", "[src] a dead outlaw costs 30", 0, 1000
    ),
    Option(
        "scoring.fine_followed",
        30,
        "Dealer's fine when their first discard is followed.",
        "[src] by three: 30",
        0,
        1000,
    ),
    Option("scoring.bonus_at", LIMIT, "The total that earns the bonus.", "[src] exactly 250", 1, 100_000),
    Option(
        "scoring.bonus", -50, "Added to a total that is exactly `bonus_at`.", "[src] -50 at once", -100_000, 100_000
    ),
    Option(
        "whole_five_before_gouge",
        True,
        "Double before judging a gouge, or after.",
        "[default] the source gives no order",
    ),
    Option("held_sevens", True, "A hand of nothing but 7s may settle and earns the reward.", "[src] unshown 7s only"),
)

PARAMETERS: dict[str, tuple[Parameter, ...]] = {
    "greedy": (),
    "expert": (
        Parameter("keep_ready", 80, 0, 100, "Percent by which a card counts less if it can go next turn."),
        Parameter("keep_pair", 65, 0, 100, "The same for one of a pair."),
        Parameter("keep_pair_late", 50, 0, 100, "The same for a pair while another hand is down to two cards."),
        Parameter("keep_lone_pair", 40, 0, 100, "The same for a pair of which one more card is left."),
        Parameter("hurt_low", 5, 0, 50, "Tenths of a point for naming a card, for each point that it counts below 15."),
        Parameter("decline_pong", 1, 0, 1, "Decline a pong if the next turn can be a settlement."),
        Parameter("keep_near", 15, 0, 100, "The same for a card one place beyond the open end of a chain."),
        Parameter("keep_five", 3, 0, 30, "Points by which the last 5 counts less, for a whole five."),
        Parameter("follow", 30, 0, 100, "Points for the discard that gets the dealer fined."),
        Parameter("first_seven_below", 40, 0, 200, "Show the first 7 if no more points stay in the hand."),
        Parameter("first_seven_stock", 8, 0, 54, "Show the first 7 if no more cards are in the stock."),
        Parameter("dead_cost", 15, 0, 100, "Points against naming a dead card, beside the fine."),
        Parameter("ready_bonus", 20, 0, 100, "Points for laying a joker if one can settle then."),
        Parameter("hurt", 10, 0, 100, "Points for naming a card that others may hold."),
        Parameter("card_points", 7, 0, 30, "Points that a card in another hand is taken for."),
        Parameter("low_bias", 150, 0, 1000, "Percent: how much likelier other hands are to be low than by chance."),
        Parameter("settle_margin", -3, -100, 100, "Settle if that is worth so many points more than to go on."),
        Parameter("brink", 20, 0, 200, "Points that it is worth to push another over the limit, or to stay below it."),
    ),
}
STYLES = {
    "patient": Style("Settles only well ahead.", {"settle_margin": 8}, (-0.008, -0.050, 0.034)),
    "eager": Style("Settles as soon as it may be good.", {"settle_margin": -15}, (-0.125, -0.163, -0.087)),
}
"""Measured on 20,000 matches, one seat among experts, in points a round."""


class Rules(NamedTuple):
    """Options as compiled code sees them."""

    players: int
    match_until: int
    match_rounds: int
    max_rounds: int
    scoring_A: int
    scoring_2: int
    scoring_3: int
    scoring_4: int
    scoring_5: int
    scoring_6: int
    scoring_7: int
    scoring_8: int
    scoring_9: int
    scoring_T: int
    scoring_J: int
    scoring_Q: int
    scoring_K: int
    scoring_joker: int
    scoring_outlaw: int
    scoring_settle_max: int
    scoring_whole_five_factor: int
    scoring_held_seven: int
    scoring_fine_outlaw: int
    scoring_fine_followed: int
    scoring_bonus_at: int
    scoring_bonus: int
    whole_five_before_gouge: int
    held_sevens: int
    shuffle: int = 0
    passes: int = 0


def players(values: dict[str, Value]) -> int:
    """Number of seats."""
    return int(values["players"])  # type: ignore[arg-type]


def most_rounds(values: dict[str, Value]) -> int:
    """Rounds of a match that has so many, else where one that ends by totals stops."""
    rounds = values["match.rounds"]
    return int(values["max_rounds"] if rounds is None else rounds)  # type: ignore[arg-type]


def check(values: dict[str, Value]) -> dict[str, Value]:
    """Raises RuleError if a match would have two ends."""
    if values["match.rounds"] is not None and values["match.until"] != LIMIT:
        raise RuleError("match.until", "a match has `until` or `rounds`, not both")
    return values


def deal(values: dict[str, Value]) -> Deal:
    """One card at a time from the dealer on, who takes one more."""
    seats = players(values)
    return Deal(tuple(new_deck(JOKERS)), one_at_a_time(seats, HAND * seats + 1))
