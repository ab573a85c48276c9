"""Predealt cards as a config gives them: read, and checked against the pack and the deal of the game."""

from collections import Counter
from collections.abc import Mapping, Sequence

from kernels.notation import SMALL_JOKER, card_text, read_cards, with_sizes
from kernels.options import Deal, Value
from kernels.registry import Game
from simcli.config.nodes import Node
from simcli.config.scenario import Scenario, Shuffle
from simcli.errors import UserError, cut, suggestion

Hands = Mapping[str, Sequence[int]]
"""Cards by the name of the hand, as in `kernels.options.Deal.hands`."""
_ALLOWED = "cards such as As Td 7c Xb"


def read_predeal(
    node: Node | None, game: str, rules: Mapping[str, Value], shuffle: Shuffle
) -> dict[str, tuple[int, ...]]:
    """The cards that a config gives to each hand, sorted; of rules that are checked. Raises UserError."""
    if node is None or node.is_nothing or not node.any_map():
        return {}
    deal = Game(game).options.deal(rules)
    if deal is None:
        node.refuse(f"the cards of {game} cannot be predealt", "leave predeal out")
    if shuffle.kind != "uniform":
        node.refuse(f"cards are predealt from packs shuffled uniformly, not by {shuffle.kind}", "leave either out")
    entries = node.any_map()
    for name, child in entries.items():
        if name not in deal.hands:
            raise UserError(child.key_place, _unknown(deal, name))
    hands = _read({name: entries[name] for name in deal.hands if name in entries}, deal)
    _check_pack(hands, entries, deal)
    _check_room(hands, entries, deal)
    if not deal.first_seats(hands):
        sizes = ", ".join(str(len(cards)) for cards in hands.values())
        node.refuse(f"hands of {sizes} cards are never dealt together", "give one of them fewer")
    return hands


def fits(game: str, rules: Mapping[str, Value], hands: Hands) -> bool:
    """Whether cards that fitted other rules can be dealt by these."""
    if not hands:
        return True
    deal = Game(game).options.deal(rules)
    if deal is None or not set(hands) <= set(deal.hands) or not deal.first_seats(hands):
        return False
    return not Counter(card for cards in hands.values() for card in cards) - Counter(deal.pack)


def jokers(game: str, rules: Mapping[str, Value]) -> list[int]:
    """The jokers of the pack, small ones first; none where the game does not say what its pack is."""
    deal = Game(game).options.deal(rules)
    return [] if deal is None else _jokers(deal)


def _jokers(deal: Deal) -> list[int]:
    return sorted(card for card in deal.pack if card >= SMALL_JOKER)


def for_people(scenario: Scenario) -> str:
    """The predealt cards in words: `seat 0 As 2s 3s; face Kd`."""
    hands = scenario.predealt.items()
    return "; ".join(f"{'seat ' if name.isdecimal() else ''}{name} {cards}" for name, cards in hands)


def _unknown(deal: Deal, name: str) -> str:
    kind = "seat" if name.isdecimal() or not deal.open else "place"
    others = "".join(f", and {place}" for place in deal.open)
    return f"there is no {kind} {cut(name)}; seats are 0 to {len(deal.orders) - 1}{others}{suggestion(name, deal.open)}"


def _read(entries: Mapping[str, Node], deal: Deal) -> dict[str, tuple[int, ...]]:
    """The cards of each hand; jokers without a size are those of the pack that are not named."""
    given = {name: _cards(child) for name, child in entries.items()}
    sized = iter(with_sizes([card for cards in given.values() for card in cards], _jokers(deal)))
    hands = {name: tuple(sorted(next(sized) for _ in cards)) for name, cards in given.items()}
    return {name: cards for name, cards in hands.items() if cards}


def _cards(node: Node) -> list[int]:
    try:
        return read_cards(node.text(_ALLOWED))
    except ValueError as error:
        node.refuse(str(error))


def _check_pack(hands: Hands, entries: Mapping[str, Node], deal: Deal) -> None:
    seen: Counter[int] = Counter()
    pack = Counter(deal.pack)
    for name, cards in hands.items():
        seen.update(cards)
        for card in cards:
            if seen[card] > pack[card]:
                there = f"the pack has {pack[card] or 'none'}"
                entries[name].refuse(f"{card_text(card)} is given {_times(seen[card])}, {there}", "leave it out")


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _check_room(hands: Hands, entries: Mapping[str, Node], deal: Deal) -> None:
    for name, cards in hands.items():
        room = max(order.count(deal.hands.index(name)) for order in deal.orders)
        if len(cards) > room:
            more = len(cards) - room
            entries[name].refuse(f"{len(cards)} cards, there is room for {room}", f"leave {more} out")
