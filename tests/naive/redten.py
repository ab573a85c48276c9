"""Jiaxing Red Ten written a second time, from the rules alone: slow, plain, and importing none of the kernels.

Cards are texts (`As`, `Td`, `Xb`), hands are lists, a play is a tuple of names. Red tens have a name of their own, "R".
"""

from collections import Counter
from functools import cache

RANK_NAMES = "A23456789TJQK"
PACK = [rank + suit for suit in "shdc" for rank in RANK_NAMES] + ["Xs", "Xb"]
SINGLES = ["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "Xs", "Xb", "R"]
SEQUENCE = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
RED = ("Th", "Td")
PASS = ("pass",)


def name(card):
    """What a card is in play: its rank; a joker is itself; a red ten is R."""
    if card in RED:
        return "R"
    return card if card.startswith("X") else card[0]


def plays(hand):
    """Every play of a hand, each once: (kind, names from the first to the last, strength within its kind)."""
    count = Counter(map(name, hand))
    found = [("single", (rank,), SINGLES.index(rank)) for rank in SINGLES if count[rank]]
    for rank in SINGLES[:13]:
        if count[rank] >= 2:
            found.append(("pair", (rank, rank), SINGLES.index(rank)))
        for size in (3, 4):
            if count[rank] >= size:
                found.append(("bomb", (rank,) * size, 100 * size + SINGLES.index(rank)))
    if count["Xs"] and count["Xb"]:
        found.append(("joker_bomb", ("Xs", "Xb"), 1000))
    if count["R"] == 2:
        found.append(("red_ten_bomb", ("R", "R"), 2000))
    for first in range(14):
        for end in range(first + 1, 15):
            if not count[SEQUENCE[end - 1]] and not (SEQUENCE[end - 1] == "T" and count["R"]):
                break
            found += _straights(count, first, end)
    return found


def _straights(count, first, end):
    if end - first < 3:
        return []
    names = SEQUENCE[first:end]
    kinds = [names] if "T" not in names else [names, ["R" if rank == "T" else rank for rank in names]]
    return [
        ("straight", tuple(ranks), first)
        for ranks in kinds
        if all(count[rank] >= needed for rank, needed in Counter(ranks).items())
    ]


BOMBS = ("bomb", "joker_bomb", "red_ten_bomb")


def beats(play, table):
    """Whether a play beats the one on the table."""
    if play[0] in BOMBS:
        return table[0] not in BOMBS or play[2] > table[2]
    return play[0] == table[0] and len(play[1]) == len(table[1]) and play[2] > table[2]


def legal(hand, table):
    """Every action at a turn; `table` is None for a lead."""
    if table is None:
        return plays(hand)
    return [PASS] + [play for play in plays(hand) if beats(play, table)]


def remove(hand, names):
    """The hand without cards of these names."""
    hand = list(hand)
    for wanted in names:
        hand.remove(next(card for card in hand if name(card) == wanted))
    return hand


def fewest(hand):
    """The fewest plays a hand can be laid down in, by trying every play that holds its first card."""
    return _fewest(tuple(sorted(Counter(map(name, hand)).items())))


@cache
def _fewest(counts):
    if not counts:
        return 0
    names = [rank for rank, count in counts for _ in range(count)]
    first = min(names, key=SINGLES.index)
    cards = [{"R": "Th"}.get(rank, rank if rank.startswith("X") else rank + "s") for rank in names]
    best = 99
    for play in plays(cards):
        if first in play[1]:
            rest = Counter(names)
            rest.subtract(play[1])
            best = min(best, 1 + _fewest(tuple(sorted((rank, left) for rank, left in rest.items() if left))))
    return best


class Game:
    """One hand; `options` as in a config, with dots."""

    def __init__(self, hands, first_drawer, options):
        self.options = options
        self.hands = [list(hand) for hand in hands]
        self.sides = [int(any(card in RED for card in hand)) for hand in hands]
        self.solo = sum(self.sides) == 1
        order = [(first_drawer + step) % 4 for step in range(4)]
        self.to_decide = [seat for seat in order if self.sides[seat]]
        self.leader = next(seat for seat in range(4) if "3h" in hands[seat])
        self.shown_cards = []
        self.played_red = 0
        self.turn = self.to_decide[0]
        self.table = None
        self.winner = None
        self.passes = set()
        self.out = []
        self.over = False
        self.lines = []

    @property
    def shown(self):
        return len(self.shown_cards) == 2

    def going(self):
        return [seat for seat in range(4) if self.hands[seat]]

    def following(self, seat):
        return [(seat + step) % 4 for step in (1, 2, 3, 4)]

    def actions(self):
        if self.to_decide:
            return ["decline", "show"]
        return legal(self.hands[self.turn], self.table)

    def act(self, action):
        if self.to_decide:
            self._decide(action)
        elif action == PASS:
            self.passes.add(self.turn)
            self._next()
        else:
            self._play(action)

    def _decide(self, action):
        seat = self.to_decide.pop(0)
        if action == "show":
            self.shown_cards += [card for card in self.hands[seat] if card in RED]
        self.turn = self.to_decide[0] if self.to_decide else self.leader

    def _play(self, play):
        seat = self.turn
        self.hands[seat] = remove(self.hands[seat], play[1])
        self.played_red += play[1].count("R")
        self.table, self.winner = play, seat
        if not self.options["pass_is_final"]:
            self.passes = set()
        if not self.hands[seat]:
            self.out.append(seat)
            self._look_for_the_end()
        if not self.over:
            self._next()

    def _look_for_the_end(self):
        if len(self.out) == 3:
            self.over = True
        if len(self.out) == 2 and self.options["early_stop"] and not self.solo:
            self.over = self.sides[self.out[0]] == self.sides[self.out[1]]
        if self.over:
            self.places = self.out + [seat for seat in self.following(self.out[-1]) if self.hands[seat]]

    def _next(self):
        still_asked = [seat for seat in self.going() if seat != self.winner and seat not in self.passes]
        if still_asked:
            self.turn = next(seat for seat in self.following(self.turn) if seat in still_asked)
            return
        self.turn = self._new_leader()
        self.table, self.winner, self.passes = None, None, set()

    def _new_leader(self):
        if self.hands[self.winner]:
            return self.winner
        candidates = self.going()
        if self.options["lead_after_out"] == "partner" and self._sides_are_public():
            candidates = [seat for seat in candidates if self.sides[seat] == self.sides[self.winner]] or candidates
        return next(seat for seat in self.following(self.winner) if seat in candidates)

    def _sides_are_public(self):
        """Both red tens were shown or played; a shown one that was played counts once."""
        unseen = [card for hand in self.hands for card in hand if card in RED and card not in self.shown_cards]
        return not unseen

    def result(self):
        """Outcome, multiplier and points."""
        scoring = {key.removeprefix("scoring."): value for key, value in self.options.items()}
        reds_won = self.sides[self.places[0]] == 1
        if self.solo:
            place = self.places.index(self.sides.index(1)) + 1
            outcome = {1: "solo_win", 4: "solo_loss"}.get(place, "solo_drawn")
            lone, other = scoring[{1: "lone_first", 4: "lone_last"}.get(place, "lone_middle")]
            points = [lone if side else other for side in self.sides]
        else:
            mate = next(
                place for place in (2, 3, 4) if self.sides[self.places[place - 1]] == self.sides[self.places[0]]
            )
            size = {2: "big", 3: "small"}.get(mate)
            outcome = f"{'red' if reds_won else 'black'}_{size}" if size else "drawn"
            worth = scoring[{2: "first_second", 3: "first_third", 4: "first_fourth"}[mate]]
            points = [worth if side == self.sides[self.places[0]] else -worth for side in self.sides]
        multiplier = 1
        if self.shown and outcome not in ("drawn", "solo_drawn"):
            multiplier = scoring["shown_won" if outcome in ("red_big", "red_small", "solo_win") else "shown_lost"]
        return outcome, multiplier, [multiplier * number for number in points]
