"""What the records of a match must say, read off its transcript alone.

One module a game, written from the rules and from what the columns mean, importing nothing of the program. Each has
`rounds(lines, rules)`: the lines of one match and its options by key, to one row a round by column.
"""

from typing import Any

Line = dict[str, Any]
Row = dict[str, Any]


def deals(lines: list[Line]) -> list[list[Line]]:
    """The lines of each round, its deal first."""
    found: list[list[Line]] = []
    for line in lines:
        if line["e"] == "deal":
            found.append([])
        found[-1].append(line)
    return found


def by_seat(name: str, values: list[Any]) -> Row:
    """A column for each seat."""
    return {f"{name}_{seat}": value for seat, value in enumerate(values)}


def rank(card: str) -> str:
    """The rank of a card, X for a joker."""
    return card[0]
