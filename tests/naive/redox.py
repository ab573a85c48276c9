"""REDOX from the rules alone: slow and plain, sharing nothing with the compiled code.

Cards are texts (`As`, `Td`, `Xb`), hands and piles are lists, a plot is a small object. A turn is a tuple:

    ("discard", face, source)      ("run", suit, low, fill)       ("set", cards)
    ("to_run", plot, low, fill)    ("to_set", plot, cards)        ("slam",)

in which every joker is `X`, cards of sets are sorted, and `fill` is what goes to the places of a run from `low` on
(None where a card lies already).
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.naive import redox_slams

RANKS = "A23456789TJQK"
SUITS = "shdc"
DEFAULTS: dict[str, Any] = {
    "players": 4,
    "decks": 2,
    "jokers_per_deck": 2,
    "hand_size": 15,
    "min_naturals": 1,
    "stock_exhausted": "recycle",
    "max_turns": 400,
    "scoring.joker": 50,
    "scoring.ace": 20,
    "scoring.face": 10,
    "scoring.winner": -10,
    "scoring.slam_factor": 2,
}


@dataclass
class Plot:
    """A run, its cards in ascending order from `low` (1 the low ace, 14 the high one), or a set."""

    kind: str
    cards: list[str]
    suit: str = ""
    low: int = 0

    @property
    def high(self) -> int:
        """The highest place of a run."""
        return self.low + len(self.cards) - 1

    @property
    def rank(self) -> str:
        """The rank of a set."""
        return next(card[0] for card in self.cards if not is_joker(card))


@dataclass
class Round:
    """All that lies anywhere, and whose turn it is."""

    rules: dict[str, Any]
    hands: list[list[str]]
    stock: list[str]  # top card first
    pile: list[str]  # top card last
    turn: int
    direction: int
    table: list[Plot] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)
    turns: int = 0
    winner: int | None = None
    outcome: str | None = None
    source: random.Random = field(default_factory=random.Random)


def is_joker(card: str) -> bool:
    """Whether a card is a joker."""
    return card[0] == "X"


def faces(cards: list[str]) -> Counter[str]:
    """How many of each face, all jokers being alike."""
    return Counter("X" if is_joker(card) else card for card in cards)


def at_place(suit: str, place: int) -> str:
    """The natural card that belongs at a place of a run."""
    return RANKS[(place - 1) % 13] + suit


# What a player may do


def legal(position: Round) -> set[tuple[Any, ...]]:
    """Every different turn of the player to move."""
    hand = faces(position.hands[position.turn])
    turns = {("discard", face, source) for face in hand for source in ("stock", "pile")}
    turns |= set(runs(position, hand))
    if position.turn in position.opened:
        turns |= set(sets(position, hand)) | set(connections(position, hand))
    if not position.table and can_slam(position):
        turns.add(("slam",))
    return turns


def can_slam(position: Round) -> bool:
    """Whether the hand splits into plots with a run of four among them."""
    codes = [
        52 if is_joker(card) else SUITS.index(card[1]) * 13 + RANKS.index(card[0])
        for card in position.hands[position.turn]
    ]
    return redox_slams.is_slam(codes, position.rules["min_naturals"])


def fillings(hand: Counter[str], wanted: list[str]) -> Iterator[tuple[str, ...]]:
    """Every way to fill places with the cards wanted there or with jokers."""
    if not wanted:
        yield ()
        return
    for card in (wanted[0], "X"):
        if hand[card]:
            for rest in fillings(hand - Counter([card]), wanted[1:]):
                yield (card, *rest)


def naturals(cards: tuple[str, ...]) -> int:
    """How many of the cards are no jokers."""
    return sum(card != "X" for card in cards)


def runs(position: Round, hand: Counter[str]) -> Iterator[tuple[Any, ...]]:
    """Runs of three or more, of four or more if they are the first plot of the player."""
    shortest = 3 if position.turn in position.opened else 4
    for suit in SUITS:
        for low in range(1, 15):
            for high in range(low + shortest - 1, 15):
                for fill in fillings(hand, [at_place(suit, place) for place in range(low, high + 1)]):
                    if naturals(fill) >= position.rules["min_naturals"]:
                        yield ("run", suit, low, fill)


def selections(hand: Counter[str], rank: str) -> Iterator[tuple[str, ...]]:
    """Every choice of cards of one rank and jokers, the empty one among them."""
    kinds = [rank + suit for suit in SUITS] + ["X"]
    for numbers in product(*(range(hand[kind] + 1) for kind in kinds)):
        yield tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))


def sets(position: Round, hand: Counter[str]) -> Iterator[tuple[Any, ...]]:
    """Sets of three or more."""
    for rank in RANKS:
        for cards in selections(hand, rank):
            if len(cards) >= 3 and naturals(cards) >= position.rules["min_naturals"]:
                yield ("set", cards)


def connections(position: Round, hand: Counter[str]) -> Iterator[tuple[Any, ...]]:
    """Every way to make a plot on the table larger."""
    for number, plot in enumerate(position.table):
        if plot.kind == "set":
            yield from (("to_set", number, cards) for cards in selections(hand, plot.rank) if cards)
            continue
        for low in range(1, plot.low + 1):
            for high in range(plot.high, 15):
                new = [place for place in range(low, high + 1) if not plot.low <= place <= plot.high]
                for fill in fillings(hand, [at_place(plot.suit, place) for place in new]):
                    if fill:
                        yield ("to_run", number, low, around(plot, low, fill))


def around(plot: Plot, low: int, fill: tuple[str, ...]) -> tuple[str | None, ...]:
    """New cards on both sides of a run, None for each card that lies already."""
    below = plot.low - low
    return (*fill[:below], *(None for _ in plot.cards), *fill[below:])


# What happens then


def take(hand: list[str], face: str, told: list[str]) -> str:
    """Take a card of this face out of a hand; of jokers the next one told, or else any."""
    if face == "X" and told:
        card = told.pop(0)
    else:
        card = next(card for card in hand if card == face or (face == "X" and is_joker(card)))
    hand.remove(card)
    return card


def carry_out(position: Round, turn: tuple[Any, ...], told: tuple[str, ...] = ()) -> None:
    """Play a turn; `told` are the jokers used, in their order, if that matters."""
    hand = position.hands[position.turn]
    jokers = list(told)
    position.turns += 1
    if turn[0] == "discard":
        discard(position, hand, turn, jokers)
    else:
        lay(position, hand, turn, jokers)
        position.opened.add(position.turn)
    end_turn(position)


def lay(position: Round, hand: list[str], turn: tuple[Any, ...], told: list[str]) -> None:
    """Cards go to the table; a slam lies there in one heap, since the round is over."""
    if turn[0] == "run":
        position.table.append(Plot("run", [take(hand, face, told) for face in turn[3]], turn[1], turn[2]))
    elif turn[0] == "set":
        position.table.append(Plot("set", [take(hand, face, told) for face in turn[1]]))
    elif turn[0] == "to_set":
        position.table[turn[1]].cards += [take(hand, face, told) for face in turn[2]]
    elif turn[0] == "to_run":
        plot = position.table[turn[1]]
        old = iter(plot.cards)
        plot.cards = [next(old) if face is None else take(hand, face, told) for face in turn[3]]
        plot.low = turn[2]
    else:
        position.table.append(Plot("set", list(hand)))
        hand.clear()
        position.outcome = "slam"


def discard(position: Round, hand: list[str], turn: tuple[Any, ...], told: list[str]) -> None:
    """A card goes to the pile; another comes from the stock, or from the pile as it was before."""
    card = take(hand, turn[1], told)
    if turn[2] == "pile":
        got = position.pile.pop()
    else:
        if not position.stock:
            position.stock = position.pile
            position.pile = []
            position.source.shuffle(position.stock)
        got = position.stock.pop(0)
    position.pile.append(card)
    hand.append(got)


def end_turn(position: Round) -> None:
    """Somebody is out, or the round is void, or the next player plays."""
    rules = position.rules
    if not position.hands[position.turn]:
        position.winner = position.turn
        position.outcome = position.outcome or "out"
    elif position.turns == rules["max_turns"] or (rules["stock_exhausted"] == "void" and not position.stock):
        position.outcome = "void"
    else:
        position.turn = (position.turn + position.direction) % rules["players"]


def worth(rules: dict[str, Any], hand: list[str]) -> int:
    """What the cards left in a hand cost."""
    total = 0
    for card in hand:
        if is_joker(card):
            total += rules["scoring.joker"]
        elif card[0] == "A":
            total += rules["scoring.ace"]
        elif card[0] in "JQK":
            total += rules["scoring.face"]
        else:
            total += RANKS.index(card[0]) + 1
    return total


def points(position: Round) -> list[int]:
    """What the round adds to each total."""
    rules = position.rules
    if position.winner is None:
        return [0] * rules["players"]
    factor = rules["scoring.slam_factor"] if position.outcome == "slam" else 1
    return [
        rules["scoring.winner"] if seat == position.winner else factor * worth(rules, hand)
        for seat, hand in enumerate(position.hands)
    ]


# Whole rounds


def new_pack(rules: dict[str, Any]) -> list[str]:
    """Every card of the pack."""
    deck = [rank + suit for suit in SUITS for rank in RANKS]
    deck += ["Xs" if number % 2 else "Xb" for number in range(rules["jokers_per_deck"])]
    return deck * rules["decks"]


def random_round(rules: dict[str, Any], source: random.Random) -> Round:
    """Deal a first round and play it with a player who takes each legal turn equally often."""
    pack = new_pack(rules)
    source.shuffle(pack)
    size = rules["hand_size"]
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(rules["players"])]
    rest = pack[rules["players"] * size :]
    position = Round(rules, hands, rest[1:], rest[:1], source.randrange(rules["players"]), 1, source=source)
    while position.outcome is None:
        carry_out(position, source.choice(sorted(legal(position), key=str)))
    return position


# Transcripts


def turn_of(position: Round, event: dict[str, Any]) -> tuple[Any, ...]:
    """The turn that a transcript line tells of."""
    if event["a"] == "discard":
        return ("discard", "X" if is_joker(event["card"]) else event["card"], event["from"])
    if event["a"] == "slam":
        return ("slam",)
    if event["a"] == "plot":
        plot = plot_of(event["kind"], event["cards"])
        return ("run", plot.suit, plot.low, masked(plot.cards)) if plot.kind == "run" else ("set", in_order(plot.cards))
    plot = position.table[event["plot"]]
    if plot.kind == "set":
        return ("to_set", event["plot"], in_order(event["cards"]))
    now = plot_of("run", event["now"])
    fill = masked(now.cards)
    below = plot.low - now.low
    new = (*fill[:below], *fill[below + len(plot.cards) :])
    return ("to_run", event["plot"], now.low, around(plot, now.low, new))


def plot_of(kind: str, cards: list[str]) -> Plot:
    """A plot as a transcript gives it."""
    if kind == "set":
        return Plot("set", list(cards))
    place, card = next((place, card) for place, card in enumerate(cards) if not is_joker(card))
    low = RANKS.index(card[0]) + 1 - place
    return Plot("run", list(cards), card[1], low if low > 0 else low + 13)


def masked(cards: list[str]) -> tuple[str, ...]:
    """Cards with every joker as `X`."""
    return tuple("X" if is_joker(card) else card for card in cards)


def in_order(cards: list[str]) -> tuple[str, ...]:
    """Cards of a set as turns have them."""
    return tuple(sorted(masked(cards), key=lambda card: (card == "X", SUITS.find(card[-1]))))


def jokers_told(turn: tuple[Any, ...], event: dict[str, Any]) -> tuple[str, ...]:
    """The jokers that a line says were used, in the order in which the turn uses them."""
    if turn[0] in ("run", "to_run"):
        cards = event["cards"] if turn[0] == "run" else event["now"]
        return tuple(card for card, face in zip(cards, turn[3], strict=True) if face == "X")
    return tuple(card for card in event.get("cards", [event.get("card", "")]) if card and is_joker(card))


class Follower:
    """Plays what a transcript tells, and keeps what is not as here in `faults`."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.faults: list[str] = []
        self.position: Round | None = None
        self.due: list[dict[str, Any]] = []
        self.totals: list[int] = []
        self.leader: int | None = None
        self.line = 0

    def follow(self, events: list[dict[str, Any]]) -> list[str]:
        """The faults of a transcript of one match, from its first line to its last."""
        self.totals = [0] * self.rules["players"]
        for self.line, event in enumerate(events, 1):
            if self.due:
                self.expect(comparable(event), comparable(self.due.pop(0)))
            elif event["e"] == "deal":
                self.deal(event)
            elif event["e"] == "recycle":
                self.recycle(event)
            else:
                self.turn(event)
        self.expect(self.due, [])
        return self.faults

    def expect(self, given: Any, here: Any) -> None:
        """Note a difference."""
        if given != here:
            self.faults.append(f"{self.line}: {given} is here {here}")

    def deal(self, event: dict[str, Any]) -> None:
        """A new round: the cards, and who leads which way."""
        hands = [list(hand) for hand in event["hands"]]
        self.expect(event["dir"], 1 if event["round"] % 2 else -1)
        self.expect(event["leader"], event["leader"] if self.leader is None else self.leader)
        everything = Counter([*event["stock"], event["face"], *(card for hand in hands for card in hand)])
        self.expect(everything, Counter(new_pack(self.rules)))
        self.leader = event["leader"]
        self.position = Round(self.rules, hands, list(event["stock"]), [event["face"]], event["leader"], event["dir"])

    def recycle(self, event: dict[str, Any]) -> None:
        """A new stock, told before the turn that draws from it."""
        assert self.position is not None
        self.expect(self.position.stock, [])
        self.expect(Counter(event["stock"]), Counter(self.position.pile))
        self.position.stock, self.position.pile = list(event["stock"]), []

    def turn(self, event: dict[str, Any]) -> None:
        """One turn: was it legal, among how many, and what follows?"""
        position = self.position
        assert position is not None
        seat = position.turn
        before = len(position.hands[seat])
        turns = legal(position)
        turn = turn_of(position, event)
        self.expect(event["p"], seat)
        self.expect(event["legal"], len(turns))
        if turn not in turns:
            self.faults.append(f"{self.line}: {turn} is not legal")
        carry_out(position, turn, jokers_told(turn, event))
        self.look(position, seat, event)
        self.note_due(position, seat, before)

    def look(self, position: Round, seat: int, event: dict[str, Any]) -> None:
        """Compare what a turn brought."""
        if event["a"] == "discard":
            self.expect(event["got"], position.hands[seat][-1])
        if event["a"] == "connect":
            plot = position.table[event["plot"]]
            same: Any = list if plot.kind == "run" else sorted
            self.expect(same(event["now"]), same(plot.cards))
        if event["a"] == "slam":
            self.expect(sorted(card for plot in event["plots"] for card in plot), sorted(position.table[0].cards))

    def note_due(self, position: Round, seat: int, before: int) -> None:
        """The lines that must follow a turn."""
        left = len(position.hands[seat])
        if left < before and 0 < left <= 3:
            self.due.append({"e": "last", "p": seat, "n": left})
        if position.outcome is None:
            return
        added = points(position)
        self.totals = [total + point for total, point in zip(self.totals, added, strict=True)]
        self.leader = self.leader if position.winner is None else position.winner
        self.due.append(
            {
                "e": "end",
                "outcome": position.outcome,
                "winner": position.winner,
                "left": position.hands,
                "points": added,
                "totals": self.totals,
            }
        )


def comparable(event: dict[str, Any]) -> dict[str, Any]:
    """A line with the cards left in an order of their own."""
    if "left" in event:
        return event | {"left": [sorted(hand) for hand in event["left"]]}
    return event
