"""What one hand is worth: the fewest plays it can be laid down in, one such split, and its bombs."""

import numpy as np

from kernels.notation import card_text
from kernels.options import Value
from kernels.redten import plays, splits
from kernels.redten.packed import (
    ACE,
    BOTH_JOKERS,
    CARDS_OF,
    PLACES,
    RANK_OF,
    RED_BIT,
    RED_TEN,
    at_least,
    count_of,
    pack,
)
from kernels.redten.plays import BOMB, JOKER_BOMB
from kernels.redten.transcript.combinations import cards_in, in_order

_MAX_PLAYS = 1024
"""Different plays of one hand, and more."""


def _plays_of(hand: int) -> list[int]:
    """Every play of a packed hand."""
    actions = np.zeros(_MAX_PLAYS, np.int64)
    count = plays.write_alike(plays.alike_leads(hand), actions, 0)
    count = plays.write_straights(hand, plays.NOTHING, actions, count)
    count = plays.write_top_bombs(hand, plays.NOTHING, actions, count)
    return [int(action) for action in actions[:count]]


def fewest_split(hand: int) -> list[int]:
    """Plays that lay a packed hand down in the fewest, longer ones first."""
    split = []
    while hand:
        least = splits.fewest(hand)
        best = max(
            (action for action in _plays_of(hand) if splits.fewest(plays.without(hand, action)) == least - 1),
            key=lambda action: (plays.size_of(action), -plays.rank_of(action)),
        )
        split.append(best)
        hand = int(plays.without(hand, best))
    return split


def _cards_of(action: int, held: int) -> list[int]:
    """Cards of a play out of those held (bits)."""
    cards: list[int] = []
    ranks = int(plays.ranks_of(action))
    copies = 1 if plays.kind_of(action) in (plays.STRAIGHT, JOKER_BOMB) else int(plays.size_of(action))
    for rank in range(len(CARDS_OF)):
        if ranks >> rank & 1:
            cards += cards_in(held & int(CARDS_OF[rank]))[:copies]
    if len(cards) < plays.size_of(action) == PLACES:
        ace = next(card for card in cards_in(held) if RANK_OF[card] == ACE and card not in cards)
        cards.append(ace)
    return in_order(action, cards)


def _bombs(hand: int) -> list[int]:
    """The largest bomb of each rank, then the joker bomb and the red-ten bomb, as far as the hand holds them."""
    found = []
    for rank in range(len(CARDS_OF)):
        for size in (plays.LARGE_BOMB, plays.SMALL_BOMB):
            if at_least(hand, size) >> rank & 1:
                found.append(int(plays.code(BOMB, rank, size)))
                break
    if hand & BOTH_JOKERS == BOTH_JOKERS:
        found.append(plays.JOKERS_ACTION)
    if at_least(hand, 2) & RED_BIT:
        found.append(plays.RED_TENS_ACTION)
    return found


def hand(values: dict[str, Value], cards: list[int]) -> dict[str, object]:
    """Worth of one hand of different cards. Raises ValueError for a duplicate card."""
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        raise ValueError(f"duplicate card {card_text(twice[0])}: there is one pack")
    held = sum(1 << card for card in cards)
    packed = int(pack(held))
    split = []
    rest = held
    for action in fewest_split(packed):
        taken = _cards_of(action, rest)
        rest &= ~sum(1 << card for card in taken)
        split.append([card_text(card) for card in taken])
    return {
        "cards": [card_text(card) for card in cards],
        "plays": len(split),
        "split": split,
        "bombs": [[card_text(card) for card in _cards_of(action, held)] for action in _bombs(packed)],
        "red_tens": int(count_of(packed, RED_TEN)),
    }
