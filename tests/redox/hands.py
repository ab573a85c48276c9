"""Random REDOX hands for tests: near slams, and dealt; and hands as planes."""

import random
from collections import Counter

JOKER = 52
NATURALS = 52


def planes_of(hand: list[int]) -> tuple[tuple[int, ...], int]:
    """Four planes and the number of jokers."""
    planes = [0, 0, 0, 0]
    for card, copies in Counter(card for card in hand if card < JOKER).items():
        for copy in range(copies):
            planes[copy] |= 1 << card // 13 * 16 + card % 13 + 1
    return tuple(planes), sum(card >= JOKER for card in hand)


def _some_plot(rng: random.Random) -> list[int]:
    if rng.random() < 0.6:
        length = rng.choice((3, 4, 4, 5, 6, 8, 14))
        suit, start = rng.randrange(4), rng.randrange(15 - length)
        return [suit * 13 + (start + i) % 13 for i in range(length)]
    rank = rng.randrange(13)
    return [rng.randrange(4) * 13 + rank for _ in range(rng.choice((3, 3, 4, 5)))]


def _within_decks(rng: random.Random, hand: list[int], decks: int) -> list[int]:
    counts: Counter[int] = Counter()
    legal = []
    for card in hand:
        while card < JOKER and counts[card] >= decks:
            card = rng.randrange(NATURALS)
        counts[card] += 1
        legal.append(card)
    return legal


def near_slam(rng: random.Random, size: int, decks: int, most_jokers: int, spoiled: int) -> list[int]:
    """Plots cut to a size, some cards replaced by jokers and `spoiled` by any cards."""
    hand: list[int] = []
    while len(hand) < size:
        hand += _some_plot(rng)
    hand = hand[:size] if rng.random() < 0.3 else hand[-size:]
    for _ in range(spoiled):
        hand[rng.randrange(size)] = rng.randrange(NATURALS)
    for place in rng.sample(range(size), min(size - 1, rng.randint(0, most_jokers))):
        hand[place] = JOKER
    return _within_decks(rng, hand, decks)


def dealt(rng: random.Random, size: int, decks: int, jokers: int) -> list[int]:
    """The first cards of a shuffled pack."""
    return rng.sample([*range(NATURALS)] * decks + [JOKER] * jokers, size)
