"""Er Bai Wu, slow and plain, written from the rules as people read them: cards are texts, the table is lists.

A decision is a line of a transcript, a dictionary. `key` strips from it what makes no difference (which joker).
"""

import random
from collections import Counter
from itertools import combinations, product

RANKS = "A23456789TJQK"
SUITS = "shdc"
NATURALS = [rank + suit for rank in RANKS for suit in SUITS]
JOKERS = ["Xb", "Xs"]
POINTS = {"A": 1, "7": 15, "T": 10, "J": 11, "Q": 12, "K": 13} | {rank: int(rank) for rank in "2345689"}
DEFAULTS = {
    "players": 4,
    "until": 250,
    "rounds": None,
    "max_rounds": 200,
    "scoring": POINTS
    | {"joker": 30, "outlaw": 30, "settle_max": 5, "whole_five_factor": 2, "held_seven": -15, "fine_outlaw": 30}
    | {"fine_followed": 30, "bonus_at": 250, "bonus": -50},
    "whole_five_before_gouge": True,
    "held_sevens": True,
}


def options(**changes):
    """The default options with changes; `scoring` is a dictionary of changes."""
    chosen = DEFAULTS | changes
    chosen["scoring"] = DEFAULTS["scoring"] | changes.get("scoring", {})
    return chosen


def is_joker(card):
    return card[0] == "X"


def key(line):
    """What decides whether two decisions are the same; jokers are alike."""
    kind = line["e"]
    if kind in ("layoff", "lift"):
        return kind, is_joker(line["card"]), line["as"]
    if kind in ("lock", "string"):
        laid = frozenset((is_joker(card), named) for card, named in zip(line["cards"], line["as"], strict=True))
        return kind, line.get("end"), laid
    if kind == "pong":
        return kind, frozenset(line["cards"])
    return kind, line["card"] if kind in ("show7", "outlaw", "discard") else None


class Pile:
    """Three cards of one rank that lie together. `cards` are (card, named) pairs."""

    def __init__(self, cards):
        self.cards = cards

    def names(self):
        return [named for _, named in self.cards]


class Chain:
    """The chain of one suit: `cards` from low to high as (card, named) pairs, and which ends are closed."""

    def __init__(self, seven):
        self.cards = [(seven, seven)]
        self.closed = {"low": False, "high": False}

    def next_card(self, side):
        """The card that may be laid off at this side, or None."""
        named = self.end_card(side)
        place = RANKS.index(named[0]) + (1 if side == "high" else -1)
        if self.closed[side] or not 0 <= place < len(RANKS):
            return None
        return RANKS[place] + named[1]

    def end_card(self, side):
        return self.cards[-1 if side == "high" else 0][1]

    def can_be_locked(self, side):
        return not self.closed[side] and self.end_card(side)[0] != "7"

    def add(self, side, pair):
        self.cards.insert(len(self.cards) if side == "high" else 0, pair)


class Round:
    """One round. `stock` has its top card first."""

    def __init__(self, chosen, hands, stock, dealer):
        self.options = chosen
        self.hands = [list(hand) for hand in hands]
        self.stock = list(stock)
        self.dealer = dealer
        self.turn = dealer
        self.phase = "reduce"
        self.first_turn = True
        self.chains = {}
        self.piles = []
        self.discards = []
        self.named = set()
        self.fines = [0] * len(hands)
        self.thrown = []
        self.settler = None
        self.over = False
        self.ponger = None
        self.pongs = 0
        self.turns = 1
        self.followed = False
        self.outlaw_fines = 0

    # What there is to choose.

    def to_act(self):
        return self.ponger if self.phase == "pong" else self.turn

    def legal(self):
        """Every different decision, as lines with no seat."""
        seat = self.to_act()
        hand = self.hands[seat]
        if self.phase == "pong":
            rank = self.thrown[-1][1][0]
            own = [card for card in hand if card[0] == rank and card not in self.named]
            return [{"e": "pong", "cards": list(two)} for two in combinations(own, 2)] + [{"e": "nopong"}]
        if self.phase == "discard":
            free = [card for card in hand if not is_joker(card) and card[0] != "7" and card not in self.named]
            return [{"e": "discard", "card": card} for card in free] or [{"e": "keep"}]
        lines = self.reductions(hand)
        if self.can_settle(hand):
            lines.append({"e": "settle"})
        if self.first_turn:
            free = [card for card in hand if not is_joker(card) and card[0] != "7"]
            return lines + ([{"e": "discard", "card": card} for card in free] or [{"e": "keep"}])
        lines += [{"e": "outlaw", "card": card} for card in hand if card in self.named]
        return [*lines, {"e": "draw"}]

    def can_settle(self, hand):
        if not self.chains:
            return False
        if self.options["held_sevens"] and hand and all(card[0] == "7" for card in hand):
            return True
        return self.count(hand) <= self.options["scoring"]["settle_max"]

    def count(self, hand):
        points = self.options["scoring"]
        return sum(
            points["joker"] if is_joker(card) else points["outlaw"] if card in self.named else points[card[0]]
            for card in hand
        )

    def ways(self, hand, named):
        """The cards of a hand that could be laid as this card, one joker for all of them."""
        found = []
        if named in hand and named not in self.named:
            found.append(named)
        if self.chains and named[0] != "7" and named not in self.named:
            found += [card for card in hand if is_joker(card)][:1]
        return found

    def combinations_as(self, hand, names):
        """Every way to lay these names together from the hand: lists of cards."""
        for cards in product(*(self.ways(hand, named) for named in names)):
            held = [card for card in hand if is_joker(card)]
            if sum(map(is_joker, cards)) <= len(held):
                yield [held.pop() if is_joker(card) else card for card in cards]

    def reductions(self, hand):
        lines = [{"e": "show7", "card": card} for card in hand if card[0] == "7"]
        for chain, side in product(self.chains.values(), ("low", "high")):
            named = chain.next_card(side)
            if named:
                lines += [{"e": "layoff", "card": card, "as": named} for card in self.ways(hand, named)]
            if chain.can_be_locked(side):
                lines += self.locks(hand, chain.end_card(side))
        for rank in RANKS.replace("7", ""):
            for names in combinations([rank + suit for suit in SUITS], 3):
                lines += [
                    {"e": "string", "cards": cards, "as": list(names)} for cards in self.combinations_as(hand, names)
                ]
        for pile in self.piles:
            (named,) = {pile.names()[0][0] + suit for suit in SUITS} - set(pile.names())
            lines += [{"e": "lift", "card": card, "as": named} for card in self.ways(hand, named)]
        return lines

    def locks(self, hand, end):
        others = [end[0] + suit for suit in SUITS if end[0] + suit != end]
        return [
            {"e": "lock", "end": end, "cards": cards, "as": list(names)}
            for names in combinations(others, 2)
            for cards in self.combinations_as(hand, names)
        ]

    # What happens.

    def play(self, line):
        """Carry out a decision; returns the lines that must follow it."""
        seat = self.to_act()
        after = getattr(self, line["e"])(seat, line)
        return after or []

    def lay(self, seat, cards, names):
        """Cards leave the hand under their names; returns the fines."""
        fines = []
        for card, named in zip(cards, names, strict=True):
            self.hands[seat].remove(card)
            if is_joker(card):
                if named not in self.stock and not any(named in hand for hand in self.hands):
                    fines.append(self.fine(seat, "outlaw"))
                self.named.add(named)
        return fines

    def fine(self, seat, why):
        points = self.options["scoring"][f"fine_{why}"]
        self.fines[seat] += points
        self.outlaw_fines += why == "outlaw"
        return {"e": "fine", "p": seat, "why": why, "points": points}

    def show7(self, seat, line):
        self.hands[seat].remove(line["card"])
        self.chains[line["card"][1]] = Chain(line["card"])

    def layoff(self, seat, line):
        chain = self.chains[line["as"][1]]
        side = "high" if RANKS.index(line["as"][0]) > RANKS.index("7") else "low"
        assert chain.next_card(side) == line["as"]
        chain.add(side, (line["card"], line["as"]))
        return self.lay(seat, [line["card"]], [line["as"]])

    def lock(self, seat, line):
        chain = self.chains[line["end"][1]]
        side = "high" if chain.end_card("high") == line["end"] else "low"
        assert chain.can_be_locked(side)
        assert chain.end_card(side) == line["end"]
        chain.closed[side] = True
        end = chain.cards[-1 if side == "high" else 0]
        self.piles.append(Pile([*zip(line["cards"], line["as"], strict=True), end]))
        return self.lay(seat, line["cards"], line["as"])

    def string(self, seat, line):
        self.piles.append(Pile(list(zip(line["cards"], line["as"], strict=True))))
        return self.lay(seat, line["cards"], line["as"])

    def lift(self, seat, line):
        def lacks_only_this(pile):
            return {line["as"], *pile.names()} == {line["as"][0] + suit for suit in SUITS}

        pile = next(pile for pile in self.piles if len(pile.cards) == 3 and lacks_only_this(pile))
        self.piles.remove(pile)
        for chain in self.chains.values():
            chain.cards = [pair for pair in chain.cards if pair not in pile.cards]
        self.discards += [card for card, _ in pile.cards] + [line["card"]]
        return self.lay(seat, [line["card"]], [line["as"]])

    def pong(self, seat, line):
        of = self.discards.pop()
        cards = [*line["cards"], of]
        for card in line["cards"]:
            self.hands[seat].remove(card)
        self.piles.append(Pile([(card, card) for card in cards]))
        self.pongs += 1
        self.begin(seat)
        drawn = self.take(seat)
        self.phase = "discard"
        return [drawn]

    def nopong(self, seat, line):
        self.next_turn()

    def begin(self, seat):
        self.turn, self.phase, self.first_turn = seat, "reduce", False
        self.turns += 1

    def next_turn(self):
        if self.stock:
            self.begin((self.turn + 1) % len(self.hands))
        else:
            self.over = True

    def take(self, seat):
        card = self.stock.pop(0)
        self.hands[seat].append(card)
        return {"e": "draw", "p": seat, "card": card}

    def draw(self, seat, line):
        self.take(seat)
        self.phase = "discard"

    def throw(self, seat, card):
        """A discard; returns the fine of the dealer if it is the third in a row to follow his first."""
        self.hands[seat].remove(card)
        self.discards.append(card)
        self.thrown.append((seat, card))
        first = next((i for i, (who, _) in enumerate(self.thrown) if who == self.dealer), None)
        if first is None or len(self.thrown) != first + 4:
            return []
        if len({card[0] for _, card in self.thrown[first:]}) > 1:
            return []
        self.followed = True
        return [self.fine(self.dealer, "followed")]

    def discard(self, seat, line):
        card = line["card"]
        fines = self.throw(seat, card)
        for other, hand in enumerate(self.hands):
            twins = [mine for mine in hand if mine[0] == card[0] and mine not in self.named]
            if other != seat and len(twins) >= 2 and self.stock and card not in self.named:
                self.phase, self.ponger = "pong", other
                return fines
        self.next_turn()
        return fines

    def outlaw(self, seat, line):
        fines = self.throw(seat, line["card"])
        drawn = self.take(seat)
        self.next_turn()
        return [*fines, drawn]

    def keep(self, seat, line):
        self.next_turn()

    def settle(self, seat, line):
        self.settler = seat
        self.over = True

    # What it is worth.

    def score(self):
        """Steps 1 to 3: what the hands count, flags, and what each player scores."""
        scoring = self.options["scoring"]
        counted = [self.count(hand) for hand in self.hands]
        flags = []
        if self.settler is None:
            return counted, flags, list(counted)
        hand = self.hands[self.settler]
        if self.options["held_sevens"] and hand and all(card[0] == "7" for card in hand):
            counted[self.settler] += scoring["held_seven"] * len(hand)
            flags.append("held_sevens")
        points = list(counted)
        others = [seat for seat in range(len(points)) if seat != self.settler]
        whole_five = len(hand) == 1 and hand[0][0] == "5" and hand[0] not in self.named
        if whole_five:
            flags.append("whole_five")
        if whole_five and self.options["whole_five_before_gouge"]:
            for seat in others:
                points[seat] *= scoring["whole_five_factor"]
        own = points[self.settler]
        if own != 0 and any(points[seat] <= own for seat in others):
            flags.append("gouge")
            points[self.settler] = sum(points)
            for seat in others:
                points[seat] = 0
        if whole_five and not self.options["whole_five_before_gouge"]:
            for seat in others:
                points[seat] *= scoring["whole_five_factor"]
        return counted, flags, points


class Match:
    """Totals over rounds."""

    def __init__(self, chosen):
        self.options = chosen
        self.totals = [0] * chosen["players"]
        self.round = 0
        self.dealer = None
        self.outcome = None
        self.bonus = []

    def book(self, played):
        """Steps 3 to 6 of a round that is over."""
        scoring = self.options["scoring"]
        self.round += 1
        self.bonus = []
        _, _, points = played.score()
        for seat in range(len(self.totals)):
            self.totals[seat] += points[seat] + played.fines[seat]
            if self.totals[seat] == scoring["bonus_at"]:
                self.totals[seat] += scoring["bonus"]
                self.bonus.append(seat)
        self.dealer = played.dealer if played.settler is None else played.settler
        if self.options["rounds"]:
            if self.round == self.options["rounds"]:
                self.outcome = "rounds"
        elif max(self.totals) > self.options["until"]:
            self.outcome = "over"
        if self.outcome is None and self.round == self.options["max_rounds"]:
            self.outcome = "limit"

    def losers(self):
        return [seat for seat, total in enumerate(self.totals) if total > self.options["until"]]


def random_match(chosen, source):
    """A match of `random` players; returns it with its rounds."""
    match = Match(chosen)
    match.dealer = source.randrange(chosen["players"])
    rounds = []
    while match.outcome is None:
        played = random_round(chosen, source, match.dealer)
        rounds.append(played)
        match.book(played)
    return match, rounds


def random_round(chosen, source, dealer):
    pack = NATURALS + JOKERS
    source.shuffle(pack)
    hands = []
    for seat in range(chosen["players"]):
        dealt = 7 if seat == dealer else 6
        hands.append(pack[:dealt])
        pack = pack[dealt:]
    played = Round(chosen, hands, pack, dealer)
    while not played.over:
        played.play(source.choice(played.legal()))
    return played


def count_cards(played):
    """How often each card lies somewhere."""
    found = Counter(played.stock)
    for hand in played.hands:
        found.update(hand)
    found.update(played.discards)
    ends = [card for pile in played.piles for card, _ in pile.cards]
    found.update(ends)
    found.update(card for chain in played.chains.values() for card, _ in chain.cards if card not in ends)
    return found


def shuffled(seed):
    """A source of chance of its own."""
    return random.Random(seed)
