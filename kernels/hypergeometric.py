"""Hands by how many of some marked cards they hold, in whole numbers."""

import math


def holding(marked: int, others: int, hand: int, least: int, most: int | None = None) -> int:
    """Hands that hold least..most (or all) of the marked cards."""
    top = min(marked, hand) if most is None else min(marked, hand, most)
    return sum(math.comb(marked, n) * math.comb(others, hand - n) for n in range(least, top + 1))


def by_full_ranks(ranks: int, copies: int, others: int, hand: int, full: int) -> list[int]:
    """Hands by the number of ranks of which they hold `full` cards or more; `others` belong to no rank."""
    ways = {(0, 0): 1}
    for _ in range(ranks):
        after: dict[tuple[int, int], int] = {}
        for (found, cards), count in ways.items():
            for n in range(min(copies, hand - cards) + 1):
                key = (found + (n >= full), cards + n)
                after[key] = after.get(key, 0) + count * math.comb(copies, n)
        ways = after
    result = [0] * (hand // full + 1)
    for (found, cards), count in ways.items():
        result[found] += count * math.comb(others, hand - cards)
    return result
