"""How fast Da Fu Weng is played, beside another program's hearts."""

from kernels.measure import Ratio, Suite

_HEARTS = "a decision of OpenSpiel's hearts, at random"


def suite() -> Suite:
    """A turn over a decision of the other program."""
    return Suite(
        [],
        [
            Ratio(f"dafuweng: {_HEARTS} over a turn by random", _HEARTS, "dafuweng: a turn by random", low=10),
            Ratio(f"dafuweng: {_HEARTS} over a turn by expert", _HEARTS, "dafuweng: a turn by expert", low=5),
        ],
    )
