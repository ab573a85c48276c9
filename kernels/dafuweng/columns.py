"""What a record of a game of Da Fu Weng says."""

from collections.abc import Mapping

from kernels.dafuweng.options import MAX_PLAYERS
from kernels.options import Value
from kernels.records import Column, flag, number, round_columns, seat, word

OUTCOMES = ("team0", "team1", "draw", "limit")
MATCH_OUTCOMES = ("", "rounds")
UNFINISHED = ("limit",)
HIGHER_WINS = True
TEAMS = 2

COLUMNS: dict[str, Column] = {
    **round_columns(
        MAX_PLAYERS,
        word(OUTCOMES, "The team that won; both died out at once; or the turns were used up."),
        seat("Nobody: the team that won is in `outcome`.", absent="always"),
        "Who had the first turn.",
        "Turns that who had the last one has had, that one included.",
    ),
    "first_dead": seat("Who died first.", absent="nobody died"),
    "first_dead_turn": number("i4", "Turns when the first one died.", "turns", absent="nobody died"),
    "after_king": flag("Whether the first to die did so right after another's king."),
    "deaths": number("i4", "Deaths.", "times"),
    "revivals": number("i4", "Cards turned up that let somebody live again.", "times"),
    "failed_revivals": number("i4", "Cards turned up that did not.", "times"),
    "kills": number("i4", "Deaths by two jokers.", "times"),
    "brute_modes": number("i4", "How often brute mode was turned on.", "times"),
    "exchanges": number("i4", "Hands exchanged by an ace.", "times"),
    "n_99": flag("Whether the count reached 99."),
    "match_outcome": word(MATCH_OUTCOMES, "Why the match ended with this game.", absent="it goes on"),
}


def bounds(values: Mapping[str, Value]) -> dict[str, tuple[int, int]]:
    """A point for the winners and one off for the others."""
    return {"points": (-1, 1)}
