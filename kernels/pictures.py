"""What a picture of games shows; a game's `pictures.py` lists those that belong to it."""

from dataclasses import dataclass

DISTRIBUTION, GROUPS, CUMULATIVE = "distribution", "groups", "cumulative"
"""Kinds of picture: how often each value of a column or a number occurs; a share or a mean in each group; and the share
of an event that has happened by then, along a column that counts."""


@dataclass(frozen=True)
class Picture:
    """One picture, in expressions over the columns of the game's records as questions are asked in."""

    show: str
    """An event, a number, or a column of words."""
    kind: str = DISTRIBUTION
    by: str = ""
    """The column of the groups, or the one along which shares are cumulated."""
    given: str = ""
    per: str = "round"
    title: str = ""
    """What it says, in words; by default, what is shown."""
    of_deal: bool = False
    """Whether it is about what the deal decides."""
