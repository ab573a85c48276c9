"""Pictures that belong to Er Bai Wu."""

from kernels.pictures import CUMULATIVE, GROUPS, Picture

PICTURES = (
    Picture("outcome = 'settled'", CUMULATIVE, "orbit", title="When somebody settles"),
    Picture("gouged", GROUPS, "orbit", given="outcome = 'settled'", title="Gouged, by the turn of settling"),
    Picture("hand", per="seat", title="Points in a hand at the end"),
    Picture("points", GROUPS, "followed", per="seat", title="Points of a round, by whether the first card is followed"),
    Picture("outlaw_fines", title="Fines for a joker that named a dead card"),
    Picture("pongs", title="Discards taken by a pong"),
    Picture("first_seven_turn > 0", CUMULATIVE, "first_seven_turn", title="When the first 7 is shown"),
    Picture("round", given="match_over", title="Rounds of a match"),
    Picture("losers", given="match_over", title="How many lose a match"),
)
