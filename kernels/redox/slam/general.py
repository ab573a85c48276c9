"""Whether a hand is a slam and how far it is from one, for every size, pack and rule.

Plain Python around two compiled searches, so that the second, much the larger, is compiled only where it is needed.
"""

from kernels.compiler.jit import jit
from kernels.redox.slam.few_naturals import exchanges_suffice
from kernels.redox.slam.planes import OPENING_RUN, SHORTEST_PLOT, count_naturals
from kernels.redox.slam.rows import FREE, NEED
from kernels.redox.slam.search import most_kept


@jit
def most_debt(size, min_naturals, kept):
    """No more new natural cards than this are owed by plots of `size` cards that each keep one of `kept` cards."""
    most_plots = (size - OPENING_RUN) // SHORTEST_PLOT + 1
    return max((min_naturals - 1) * (most_plots - 1), min_naturals * most_plots - kept)


def distance(tables, p1, p2, p3, p4, jokers, min_naturals):
    """Least number of cards to exchange for a slam.

    That is the number of natural cards that do not stay, unless plots need more new natural cards than that. With one
    natural card a plot, and two in the hand, they never do: plots without one can be joined to the others.
    """
    planes = (p1, p2, p3, p4)
    naturals = count_naturals(p1, p2, p3, p4)
    size = naturals + jokers
    kept = most_kept(tables, planes, size, NEED)
    exchanges = naturals - kept
    if naturals >= 2 and (min_naturals == 1 or exchanges >= most_debt(size, min_naturals, kept)):
        return exchanges
    while not exchanges_suffice(tables, planes, jokers, min_naturals, exchanges, NEED):
        exchanges += 1
    return exchanges


def holds(tables, p1, p2, p3, p4, jokers, min_naturals, need):
    """Whether plots take the whole hand (of any size, none included); `need` 1: a run of four or more among them."""
    planes = (p1, p2, p3, p4)
    naturals = count_naturals(p1, p2, p3, p4)
    if naturals == 0:
        return jokers == 0 and need == FREE
    if most_kept(tables, planes, naturals + jokers, need) < naturals:
        return False
    if naturals >= 2 and min_naturals == 1:
        return True
    return exchanges_suffice(tables, planes, jokers, min_naturals, 0, need)


DISTANCE = -1
"""Question of `answer`; the others are FREE and NEED, for `holds`."""


def answer(tables, question, p1, p2, p3, p4, jokers, min_naturals):
    """`distance`, or `holds` as 0 or 1."""
    if question == DISTANCE:
        return distance(tables, p1, p2, p3, p4, jokers, min_naturals)
    return int(holds(tables, p1, p2, p3, p4, jokers, min_naturals, question))
