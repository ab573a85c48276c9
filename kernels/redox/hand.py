"""What one hand is worth: is it a slam and how does it split, how far is it from one, can it open, what it counts."""

import numpy as np

from kernels.notation import SMALL_JOKER, card_text
from kernels.options import Value, compile_rules
from kernels.redox import game, options, plots, slam
from kernels.redox.options import OPENING_RUN
from kernels.redox.planes import CARD_BITS, with_card
from kernels.redox.transcript.splitting import split


def hand(values: dict[str, Value], cards: list[int]) -> dict[str, object]:
    """What these cards are worth under these options. Raises ValueError for cards that the pack cannot give."""
    rules = game.prepare(compile_rules(options.Rules, options.OPTIONS, values, "uniform", 0))
    _check(rules, cards)
    planes, jokers = planes_and_jokers(cards)
    distance = int(slam.slam_distance(rules.tables, planes, jokers, rules.min_naturals))
    openings = plots.runs(rules, planes, jokers, OPENING_RUN, np.zeros(0, np.int64), 0, 0)
    parts = split(cards, rules.min_naturals) if distance == 0 else None
    return {
        "cards": [card_text(card) for card in cards],
        "deal": _deal(rules, len(cards)),
        "slam": distance == 0,
        "distance": distance,
        "can_open": openings > 0,
        "points": int(plots.hand_points(rules, planes, jokers)),
        "split": None if parts is None else [[card_text(card) for card in plot] for plot in parts],
    }


def _deal(rules: options.Rules, size: int) -> str:
    """How many cards are dealt, and what else is taken for granted: a slam takes a whole hand of the size dealt."""
    dealt = f"{rules.hand_size} cards each"
    return dealt if size == rules.hand_size else f"{dealt}; this is taken for a hand of a deal of {size} each"


def planes_and_jokers(cards: list[int]) -> tuple[tuple[int, ...], int]:
    """A hand as compiled functions take it."""
    planes: tuple[int, ...] = (0, 0, 0, 0)
    for card in cards:
        planes = tuple(map(int, with_card(planes, int(CARD_BITS[card]))))
    return planes, sum(card >= SMALL_JOKER for card in cards)


def _check(rules: options.Rules, cards: list[int]) -> None:
    if not options.MIN_HAND <= len(cards) <= options.MAX_HAND:
        allowed = f"{options.MIN_HAND} to {options.MAX_HAND}, usually {rules.hand_size}"
        raise ValueError(f"{len(cards)} cards are no hand; a hand has {allowed}")
    for card in set(cards):
        if card < SMALL_JOKER and cards.count(card) > rules.decks:
            raise ValueError(
                f"{card_text(card)} is there {cards.count(card)} times, the pack has it {rules.decks} times"
            )
    jokers = sum(card >= SMALL_JOKER for card in cards)
    if jokers > rules.decks * rules.jokers_per_deck:
        raise ValueError(f"{jokers} jokers, the pack has {rules.decks * rules.jokers_per_deck}")
