"""What a record of a round of REDOX says."""

from kernels.records import Column, flag, number, round_columns, seat, word
from kernels.redox.options import MAX_HAND, MAX_PLAYERS

OUTCOMES = ("out", "slam", "void")
MATCH_OUTCOMES = ("", "rounds", "target", "limit")
UNFINISHED = ("void",)
HIGHER_WINS = False

COLUMNS: dict[str, Column] = {
    **round_columns(
        MAX_PLAYERS,
        word(
            OUTCOMES, "How the round ended: somebody got rid of their cards one plot at a time, or by a slam, or not."
        ),
        seat("Who went out.", absent="the round was void"),
        "Who had the first turn.",
        "Turns that who went out has had, the last one included.",
    ),
    "slam": flag("Whether the round ended by a slam."),
    "dir": number("i1", "Direction of play: 1 clockwise, -1 counter-clockwise.", "", low=-1, high=1),
    "first_plot_turn": number(
        "i4", "Turn of the round in which the first plot or slam was laid.", "turn", absent="none"
    ),
    "first_plot_seat": seat("Who laid the first plot or slam.", absent="nobody"),
    "recycles": number("i4", "How often the discard pile became a new stock.", "times"),
    "pile_taken": number("i4", "Turns in which the top of the discard pile was taken.", "turns"),
    "jokers": number("i1", "Jokers dealt to the seat.", "cards", high=MAX_HAND, seats=MAX_PLAYERS),
    "dealt_distance": number(
        "i1", "Least number of dealt cards to exchange for a slam.", "cards", high=MAX_HAND, seats=MAX_PLAYERS
    ),
    "opened_turn": number(
        "i4", "Turn of the round in which the seat laid its first plot.", "turn", absent="never", seats=MAX_PLAYERS
    ),
    "left": number("i1", "Cards left in the seat's hand.", "cards", high=MAX_HAND, seats=MAX_PLAYERS),
    "match_outcome": word(MATCH_OUTCOMES, "Why the match ended with this round.", absent="it goes on"),
}
