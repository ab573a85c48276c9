"""Options of Jiaxing Red Ten and the parameters of its players; free of compiled code."""

from typing import NamedTuple

from kernels.notation import FACES, new_deck
from kernels.options import Deal, Option, Parameter, Style, Value, one_at_a_time

VERSION = 1
PLAYERS = 4
JOKERS = 2
LEADS_AFTER_OUT = ("next", "partner")

_POINTS = 1000
"""Largest number of points a result may be set to."""
_FACTOR = 100
_ROUNDS = 10_000


def _pair(key: str, default: tuple[int, int], doc: str) -> Option:
    return Option(key, default, doc, "[src]", low=-_POINTS, high=_POINTS, parts=("lone", "others"))


OPTIONS = (
    Option("players", PLAYERS, "Number of players; the game is for four.", "[src]", low=PLAYERS, high=PLAYERS),
    Option("rounds", 1, "Deals in a match.", "[default]", low=1, high=_ROUNDS),
    Option("pass_is_final", False, "Whether one who passed may not play again in the same trick.", "[default]"),
    Option(
        "lead_after_out", "next",
        "Who leads when the winner of a trick has just gone out: the next player still in, or the partner once "
        "everybody knows the sides.",
        "[default]", choices=LEADS_AFTER_OUT,
    ),
    Option("early_stop", True, "Whether two against two ends once both of a side are out first.", "[default]"),
    Option(
        "scoring.first_second", 2, "Each winner's points, and each loser's loss, for first and second place.", "[src]",
        low=0, high=_POINTS,
    ),
    Option("scoring.first_third", 1, "The same for first and third place.", "[src]", low=0, high=_POINTS),
    Option(
        "scoring.first_fourth", 0, "The same for first and fourth place, a drawn hand.", "[src]", low=0, high=_POINTS
    ),
    _pair("scoring.lone_first", (9, -3), "Points of the lone player and of each other when the lone player is first."),
    _pair("scoring.lone_middle", (0, 0), "The same when the lone player is second or third, a drawn hand."),
    _pair("scoring.lone_last", (-9, 3), "The same when the lone player is last."),
    Option(
        "scoring.shown_won", 2, "All points times this when both red tens were shown and their side won.", "[src]",
        low=1, high=_FACTOR,
    ),
    Option("scoring.shown_lost", 4, "The same when their side lost.", "[src]", low=1, high=_FACTOR),
)  # fmt: skip

_MAX = 10_000


def _weight(name: str, default: int, doc: str) -> Parameter:
    return Parameter(name, default, 0, _MAX, doc)


def _signed(name: str, default: int, doc: str) -> Parameter:
    return Parameter(name, default, -_MAX, _MAX, doc)


PARAMETERS: dict[str, tuple[Parameter, ...]] = {
    "greedy": (),
    "expert": (
        _weight("play", 100, "What each play still needed to get rid of the hand counts for (the unit of the rest)."),
        _weight("control", 24, "Worth of a rank that no unseen card beats."),
        _weight("decay", 150, "How fast that worth falls with each unseen card that beats it, in percent."),
        _weight("burden", 128, "Cost of a rank in hand for each unseen card that beats it, in hundredths."),
        _weight("bomb", 152, "Worth of three or four of a rank in hand."),
        _weight("joker_bomb", 117, "Worth of both jokers in one hand, beside their own."),
        _weight("red_ten_bomb", 150, "Worth of both red tens in one hand, beside their own."),
        _signed("initiative", 0, "Worth of winning the trick, when beating another's play."),
        _weight("calm", 15, "Worth of a lead that will be beaten."),
        _weight("respect", 40, "Cost of beating a sure partner's play."),
        _weight("ally", 150, "The same, more, the likelier that play is to win the trick."),
        _weight("rivalry", 15, "Worth of beating a sure opponent's play."),
        _weight("press", 120, "The same, more, against one with a single card; less, the more cards they have."),
        _weight("guard", 34, "Worth of holding down an opponent with a single card; less, the more cards they have."),
        _weight("help", 20, "Worth of a lead on which a likely partner may go out."),
        _weight("finish", 5000, "Worth of going out."),
        _weight("run", 1000, "Worth of a play that cannot be beaten and leaves at most one play that can."),
        _weight("sure", 100, "Percent at which a play counts as one that cannot be beaten."),
        _signed("pair_base", 112, "Chance of winning, in percent, that one of two red tens gives a hand of value 0."),
        _weight("pair_slope", 5, "How much that chance rises with the value of the hand, in hundredths."),
        _signed("lone_base", 120, "The same chance for a hand with both red tens."),
        _weight("lone_slope", 10, "How much that one rises, in hundredths."),
    ),
}
STYLES = {
    "bold": Style(
        "Shows red tens on middling hands too.", {"pair_base": 118, "lone_base": 126}, (-0.013, -0.025, -0.001)
    ),
    "shy": Style("Never shows a red ten.", {"pair_base": -100, "lone_base": -100}, (-0.032, -0.045, -0.019)),
}
"""Measured on 60,000 deals, one seat among experts."""


class Rules(NamedTuple):
    """Options as compiled code sees them."""

    players: int
    rounds: int
    pass_is_final: int
    lead_after_out: int
    early_stop: int
    scoring_first_second: int
    scoring_first_third: int
    scoring_first_fourth: int
    scoring_lone_first_lone: int
    scoring_lone_first_others: int
    scoring_lone_middle_lone: int
    scoring_lone_middle_others: int
    scoring_lone_last_lone: int
    scoring_lone_last_others: int
    scoring_shown_won: int
    scoring_shown_lost: int
    shuffle: int = 0
    passes: int = 0


def players(values: dict[str, Value]) -> int:
    """Number of seats: always four."""
    return PLAYERS


def most_rounds(values: dict[str, Value]) -> int:
    """Every match has the same number of rounds."""
    return int(values["rounds"])  # type: ignore[arg-type]


def check(values: dict[str, Value]) -> dict[str, Value]:
    """Every combination of options within their bounds can be played."""
    return values


def deal(values: dict[str, Value]) -> Deal:
    """One card at a time from the first drawer on, until the pack is used up."""
    return Deal(tuple(new_deck(JOKERS)), one_at_a_time(PLAYERS, FACES))
