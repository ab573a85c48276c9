"""Whether and where a hand can lay a run: windows of places on the first plane."""

from kernels.compiler.jit import jit
from kernels.redox.slam.planes import ACE_PLACE, EVERY_SUIT, HIGH_ACE_PLACE, LONGEST_RUN, OPENING_RUN

MOST_NEEDED = 4


@jit
def with_high_aces(plane):
    """The plane with every ace also at place 14."""
    return plane | (plane >> ACE_PLACE & EVERY_SUIT) << HIGH_ACE_PLACE


@jit
def starts(length):
    """In every suit, the places where a run of a length may begin."""
    return EVERY_SUIT * ((1 << LONGEST_RUN + 1 - length) - 1 << ACE_PLACE)


@jit
def run_windows(p1, length, needed):
    """First places of the runs of `length` places of which the hand holds `needed` (1..4) or more, as a plane."""
    held = with_high_aces(p1)
    one, two, three, four = 0, 0, 0, 0
    for _ in range(length):
        four |= three & held
        three |= two & held
        two |= one & held
        one |= held
        held >>= 1
    if needed >= MOST_NEEDED:
        return four & starts(length)
    if needed == MOST_NEEDED - 1:
        return three & starts(length)
    return (two if needed == 2 else one) & starts(length)


@jit
def open_windows(p1, jokers, min_naturals):
    """Where a run of four or more can be laid: first places of windows that hold enough cards, 0 if there are none.

    With many jokers the window is longer than four: it need only hold `min_naturals` cards, however far apart. Windows
    of 14 places are left out, since the first plane does not tell two aces from one; they would matter only with 11
    jokers or more, and a run of both aces of a suit and at most one card between.
    """
    length = max(OPENING_RUN, min(LONGEST_RUN - 1, min_naturals + jokers))
    return run_windows(p1, length, max(min_naturals, length - jokers))


@jit
def can_open(p1, jokers, min_naturals):
    """Whether a run of four or more can be laid."""
    return open_windows(p1, jokers, min_naturals) != 0
