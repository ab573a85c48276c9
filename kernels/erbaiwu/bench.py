"""How fast Er Bai Wu is played, beside another program's hearts."""

from kernels.measure import Ratio, Suite

_HEARTS = "a decision of OpenSpiel's hearts, at random"


def suite() -> Suite:
    """A turn, several decisions as a rule, over a decision of the other program."""
    return Suite(
        [],
        [
            Ratio(f"erbaiwu: {_HEARTS} over a turn by random", _HEARTS, "erbaiwu: a turn by random", low=5),
            Ratio(f"erbaiwu: {_HEARTS} over a turn by expert", _HEARTS, "erbaiwu: a turn by expert", low=2),
        ],
    )
