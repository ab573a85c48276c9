"""What a record of a round of Er Bai Wu says."""

from kernels.records import Column, flag, number, round_columns, seat, word

SEATS = 6
OUTCOMES = ("settled", "exhausted")
MATCH_OUTCOMES = ("", "over", "rounds", "limit")
HIGHER_WINS = False

COLUMNS: dict[str, Column] = {
    **round_columns(
        SEATS,
        word(OUTCOMES, "How the round ended: somebody settled, or the stock was used up."),
        seat("Who settled.", absent="nobody"),
        "The dealer, who has the first turn.",
        "Turns that the settler has had, the last one included.",
    ),
    "settler": seat("Who settled.", absent="nobody"),
    "gouged": flag("Whether another had no more points than the settler."),
    "whole_five": flag("Whether the settler held a single 5 and nothing else."),
    "held_sevens": flag("Whether a hand of nothing but 7s settled."),
    "followed": flag("Whether the dealer's first discard was followed by three more of its rank."),
    "outlaw_fines": number("i1", "Fines for a joker that named a dead card.", "times"),
    "pongs": number("i1", "Discards taken by a pong.", "times"),
    "first_seven_turn": number("i4", "Turn of the round in which the first 7 was shown.", "turn", absent="never"),
    "hand": number("i4", "Points of the seat's hand, before a whole five and a gouge.", "points", None, seats=SEATS),
    "total": number("i4", "The seat's total after the round.", "points", None, seats=SEATS),
    "bonus": flag("Whether the seat's total was exactly the one that earns the bonus.", seats=SEATS),
    "match_over": flag("Whether the match ended with this round."),
    "losers": number("i1", "Seats that have lost the match.", "seats", high=SEATS),
    "lost": flag("Whether the seat has lost the match.", seats=SEATS),
    "match_outcome": word(MATCH_OUTCOMES, "Why the match ended with this round.", absent="it goes on"),
}
