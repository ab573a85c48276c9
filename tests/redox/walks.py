"""Rule sets, transcripts and positions that the tests of REDOX go through."""

import random
from typing import Any

import numpy as np

from kernels import engine
from kernels.notation import SMALL_JOKER, card_text
from kernels.redox import actions as act
from kernels.redox import game, table
from kernels.redox.transcript import parse
from kernels.registry import Game
from simcli.config.scenario import Scenario, Shuffle
from tests.games import scenario
from tests.naive import redox as naive

REDOX = Game("redox")
CARDS = {card_text(card): card for card in range(SMALL_JOKER + 2)}

RULE_SETS: dict[str, dict[str, Any]] = {
    "default": {},
    "one deck, two players": {"players": 2, "decks": 1},
    "no jokers": {"jokers_per_deck": 0},
    "eight players": {"players": 8, "decks": 3, "max_turns": 250},
    "tight pack": {"players": 8, "decks": 2, "jokers_per_deck": 4, "hand_size": 13, "max_turns": 150},
    "many jokers": {"players": 2, "decks": 4, "jokers_per_deck": 4, "hand_size": 20, "max_turns": 60},
    "small hands": {"players": 3, "decks": 1, "jokers_per_deck": 3, "hand_size": 7, "rounds": 3},
    "two naturals": {"players": 3, "min_naturals": 2, "jokers_per_deck": 4, "max_turns": 200},
    "three naturals": {"players": 2, "decks": 1, "min_naturals": 3, "jokers_per_deck": 4, "hand_size": 10},
    "void": {"stock_exhausted": "void", "rounds": 2},
    "soon void": {"players": 2, "decks": 1, "hand_size": 8, "max_turns": 25, "rounds": 4},
    "target": {"players": 2, "decks": 1, "hand_size": 7, "target": 150},
    "scoring": {
        "players": 2,
        "decks": 1,
        "hand_size": 7,
        "scoring__joker": 33,
        "scoring__ace": 11,
        "scoring__face": 7,
        "scoring__winner": 5,
        "scoring__slam_factor": 3,
    },
}


def chosen(name: str, policy: str = "random", seed: int = 7, shuffle: Shuffle | None = None) -> Scenario:
    """The scenario of a rule set."""
    return scenario("redox", policy, seed, shuffle, **RULE_SETS[name])


def naive_rules(setting: Scenario) -> dict[str, Any]:
    """The rules of a scenario as the slow twin has them."""
    return {key: setting.rules[key] for key in naive.DEFAULTS}


# Positions made up, to compare every legal action


def made_up(source: random.Random, setting: Scenario, jokers: int, plots: int) -> naive.Round:
    """A position with so many jokers in the hand to move and about so many plots on the table."""
    rules = naive_rules(setting)
    pack = [card for card in naive.new_pack(rules) if not naive.is_joker(card)]
    source.shuffle(pack)
    position = naive.Round(rules, [[] for _ in range(rules["players"])], [], [], 0, 1)
    for _ in range(plots):
        position.hands[1] = [pack.pop() for _ in range(25)] + ["Xb"] * 2
        position.turn = 1
        position.opened = {1}
        chosen_turn = source.choice(sorted(naive.legal(position), key=str))
        pack += [card for card in position.hands[1] if not naive.is_joker(card)]
        if chosen_turn[0] in ("run", "set"):
            for card in [*chosen_turn[-1]]:
                if card != "X":
                    pack.remove(card)
            naive.lay(position, position.hands[1], chosen_turn, [])
        source.shuffle(pack)
    position.turn = 0
    position.hands[1] = []
    position.opened = {0} if plots else set()
    start = source.randrange(len(pack))
    near = sorted(pack)[start : start + 6] + pack
    for card in near[: rules["hand_size"] - jokers]:
        if card in pack:
            pack.remove(card)
            position.hands[0].append(card)
    position.hands[0] += ["Xb"] * jokers
    position.pile = pack[:1]
    return position


def state_of(position: naive.Round, rules: Any) -> Any:
    """The same position as compiled code sees it."""
    state = engine.new_state(game)
    game.new_match(rules, state)
    state.round_no = 1
    game.clear(rules, state)
    for plot in position.table:
        cards = [CARDS[card] for card in plot.cards]
        for card in cards:
            table.give(state, 1, card)
        turn = parse.read_run(cards) if plot.kind == "run" else parse.read_set(cards)
        game.lay(state, 1, turn.action)
    for card in position.hands[0]:
        table.give(state, 0, CARDS[card])
    state.opened_turn[0] = int(bool(position.opened))
    state.discards[0] = CARDS[position.pile[0]]
    state.discards_n = 1
    state.turn = 0
    return state


def every_action(rules: Any, state: Any) -> list[int]:
    """All legal actions, asked for in portions of an odd size."""
    buffer = np.zeros(37, np.int64)
    found: list[int] = []
    count = game.legal(rules, state, buffer, 0)
    while len(found) < count:
        game.legal(rules, state, buffer, len(found))
        found += buffer[: count - len(found)].tolist()
    return found


def as_naive(action: int, position: naive.Round) -> tuple[Any, ...]:
    """A compiled action as the slow twin writes it."""
    kind = act.kind(action)
    if kind == act.DISCARD:
        card = act.card(action)
        face = "X" if card >= SMALL_JOKER else card_text(card)
        return ("discard", face, "pile" if act.source(action) == act.PILE else "stock")
    if kind == act.SLAM:
        return ("slam",)
    if kind in (act.SET, act.TO_SET):
        cards = [
            naive.RANKS[act.rank(action)] + naive.SUITS[suit]
            for suit in range(4)
            for _ in range(act.count(action, suit))
        ]
        cards += ["X"] * act.jokers(action)
        return ("set", tuple(cards)) if kind == act.SET else ("to_set", act.plot(action), tuple(cards))
    suit, low, high = naive.SUITS[act.suit(action)], act.low(action), act.high(action)
    places = ["X" if act.joker_places(action) >> p & 1 else naive.at_place(suit, p) for p in range(low, high + 1)]
    if kind == act.RUN:
        return ("run", suit, low, tuple(places))
    plot = position.table[act.plot(action)]
    for place in range(plot.low, plot.high + 1):
        places[place - low] = None
    return ("to_run", act.plot(action), low, tuple(places))
