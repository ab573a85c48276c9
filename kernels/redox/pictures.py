"""Pictures that belong to REDOX."""

from kernels.pictures import CUMULATIVE, GROUPS, Picture

PICTURES = (
    Picture("slam", CUMULATIVE, "orbit", title="A slam, by the turn in which it is laid"),
    Picture(
        "slam AND winner = seat", GROUPS, "dealt_distance", per="seat", of_deal=True,
        title="Going out by a slam, by how far the dealt hand is from one",
    ),
    Picture("winner = seat", GROUPS, "jokers", per="seat", of_deal=True, title="Going out, by the jokers dealt"),
    Picture("points", GROUPS, "jokers", per="seat", of_deal=True, title="Points of a round, by the jokers dealt"),
    Picture("first_plot_turn > 0", CUMULATIVE, "first_plot_turn", title="When the first plot is on the table"),
    Picture("left", given="winner <> seat", per="seat", title="Cards left to those who did not go out"),
    Picture("pile_taken", title="How often the discard pile is taken from"),
)  # fmt: skip
