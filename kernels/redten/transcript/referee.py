"""The referee of Jiaxing Red Ten: transcripts checked line by line."""

import copy
from collections import Counter
from typing import Any

from kernels import engine
from kernels.notation import FACES, card_text, parse_card
from kernels.redten import dealing, game, plays
from kernels.redten.dealing import NOBODY
from kernels.redten.options import PLAYERS
from kernels.redten.packed import RANK_OF, RED_TENS, THREE_OF_HEARTS, pack
from kernels.redten.plays import DECLINE, KINDS, NOTHING, PASS, SHOW
from kernels.redten.transcript.combinations import cards_in, combination, unordered_straight
from kernels.redten.transcript.write import consequences
from kernels.referee import base
from kernels.referee.base import Event, Illegal, late
from kernels.referee.guessing import Guessing, put_right

_HAND, _LONG_HANDS = divmod(FACES, PLAYERS)
_MOST_ROUNDS = 1_000_000
"""A higher number in a line is taken for this one."""
_ALL_CARDS = (1 << FACES) - 1


def _cards_of(event: Event) -> list[int]:
    """The cards of a line. Raises Illegal if a text is no card or a card stands twice."""
    try:
        cards = [parse_card(text) for text in map(str, event["cards"])]
    except ValueError as reason:
        raise Illegal(str(reason)) from None
    for card in cards:
        if cards.count(card) > 1:
            raise Illegal(f"{card_text(card)} stands twice")
    return cards


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in set(cards))


def _texts(mask: int) -> str:
    return " ".join(map(card_text, cards_in(mask)))


class Referee(Guessing):
    """Checks a transcript of Jiaxing Red Ten line by line."""

    UNORDERED = frozenset({"cards"})
    DECISIONS = frozenset({"show", "play", "pass"})
    KEPT = (*Guessing.KEPT, "_totals_known", "_numbered", "_unwritten", "_guessed")

    def __init__(self, game: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(game, rules, partial)
        self._numbered = False
        """Whether some line carried the number of legal actions: then every decision must be written."""
        self._totals_known = True
        """Whether no round before this one is missing."""
        self._unwritten: list[tuple[int, int]] = []
        """Seats whose decision not to show was not written, as long as that may be right, and before which line."""
        self._guessed = [0] * PLAYERS
        """Cards that each seat is taken to have played, of the right ranks but any suits, as bits."""

    # The deal.

    def start(self, event: Event) -> list[str]:
        """Deal as the line says; who draws first and who leads follow from the hands."""
        hands = self._hands(event)
        problems = self._check_place(event)
        first = self._first_drawer(hands)
        if event["first_drawer"] != first:
            problems.append(f"first_drawer is {event['first_drawer']}, the sizes of the hands give {first}")
        if event["round"] == 1 or self.rounds == 1:
            engine.new_match(self.rules, self.state)
        self.state.round_no = min(max(event["round"], 1), _MOST_ROUNDS)
        self._deal(hands, first)
        if event["leader"] != self.state.leader:
            leader = int(self.state.leader)
            problems.append(f"leader is {event['leader']}, but seat {leader} holds {card_text(THREE_OF_HEARTS)}")
        self._unwritten = []
        self._guessed = [0] * PLAYERS
        return problems

    def _hands(self, event: Event) -> list[list[int]]:
        """Raises Illegal unless the hands are the pack."""
        if len(event["hands"]) != PLAYERS or not all(isinstance(hand, list) for hand in event["hands"]):
            raise Illegal(f"{PLAYERS} hands are needed")
        hands = [_cards_of({"cards": hand}) for hand in event["hands"]]
        twice = base.duplicates_in([card for hand in hands for card in hand], dict.fromkeys(range(FACES), 1))
        if twice:
            raise Illegal(f"dealt twice: {' '.join(map(card_text, twice))}")
        missing = _ALL_CARDS & ~_mask([card for hand in hands for card in hand])
        if missing:
            raise Illegal(f"not dealt: {_texts(missing)}")
        return hands

    def _first_drawer(self, hands: list[list[int]]) -> int:
        """The seat from which on the first hands are longer by a card. Raises Illegal if there is none."""
        for first in range(PLAYERS):
            due = [_HAND + ((seat - first) % PLAYERS < _LONG_HANDS) for seat in range(PLAYERS)]
            if [len(hand) for hand in hands] == due:
                return first
        sizes = ", ".join(str(len(hand)) for hand in hands)
        raise Illegal(f"hands of {sizes} cards; the first drawer and the next get {_HAND + 1}, the others {_HAND}")

    def _check_place(self, event: Event) -> list[str]:
        """Whether this round of this match is due."""
        problems = [] if event["game"] == "redten" else [f"the game is {event['game']!r}, not 'redten'"]
        going_on = self.rounds > 1 and not game.match_over(self.rules, self.state)
        due = int(self.state.round_no) + 1 if going_on else 1
        self._totals_known = not self.midway or event["round"] == 1
        if event["round"] != due and self._totals_known:
            problems.append(f"round is {event['round']}, the rules give {due}")
        return problems

    def _deal(self, hands: list[list[int]], first: int) -> None:
        state = self.state
        dealing.clear_table(state)
        state.first_drawer = first
        for seat, hand in enumerate(hands):
            state.held[seat] = _mask(hand)
            state.hand[seat] = pack(_mask(hand))
            state.left[seat] = len(hand)
        dealing.open_round(state)

    # Lines that need not be written, and lines that are missing.

    def judge(self, event: Event) -> list[str]:
        """As for every game; but not to show may be left unwritten, and a decision is read before lines still due."""
        if self._check_shape(event):
            return super().judge(event)
        problems = self._decline_unwritten(event) if self.dealt and event["e"] != "deal" else []
        problems += self._skip_due(event)
        if event["e"] == "end" and not self._totals_known:
            self._take_totals(event)
        return problems + super().judge(event)

    def _take_totals(self, event: Event) -> None:
        """After a round that is missing the totals are those told."""
        if self._expected and len(event["totals"]) == PLAYERS and all(isinstance(n, int) for n in event["totals"]):
            self.state.totals = event["totals"]
            self._expected[-1]["totals"] = event["totals"]
            self._totals_known = True

    def repaired(self, event: Event) -> list[Event]:
        """The number of the round put right, or one card where it may have been another."""
        going_on = self.rounds and not game.match_over(self.rules, self.state)
        due = event | {"round": int(self.state.round_no) + 1 if going_on else 1}
        try:
            places = [_cards_of({"cards": hand}) for hand in event["hands"]]
        except Illegal:
            return [due]
        sizes = [_HAND + ((seat - event["first_drawer"]) % PLAYERS < _LONG_HANDS) for seat in range(len(places))]
        return [due, *(event | {"hands": hands} for hands in put_right(places, sizes, Counter(range(FACES))))]

    def _decline_unwritten(self, event: Event) -> list[str]:
        state = self.state
        while state.asking != NOBODY and not self._expected and not self._is_asked(event):
            self._unwritten.append((int(state.asking), self._lines))
            before = copy.deepcopy(state)
            self.step(engine.APPLY, DECLINE)
            self._expected.extend(consequences(before, state))
        self._numbered |= "legal" in event
        if not self._numbered:
            return []
        text = "missing before this line: seat {} decides whether to show"
        missing: list[str] = [late(text.format(seat), self._lines - line) for seat, line in self._unwritten]
        self._unwritten = []
        return missing

    def _is_asked(self, event: Event) -> bool:
        """Whether a line is the decision of the seat asked now (or a wrong one that is taken for it)."""
        if event["e"] != "show":
            return False
        later = {int(seat) for seat in range(PLAYERS) if self.state.side[seat]} - self._asked_before()
        return event["p"] == self.state.asking or event["p"] not in later

    def _asked_before(self) -> set[int]:
        """The seats that have been asked, the one asked now among them."""
        first, asking = int(self.state.first_drawer), int(self.state.asking)
        return {(first + number) % PLAYERS for number in range((asking - first) % PLAYERS + 1)}

    def _skip_due(self, event: Event) -> list[str]:
        due = [line["e"] for line in self._expected]
        if not due or event["e"] not in self.DECISIONS or due[-1] == "end":
            return []
        self._expected.clear()
        return [f"missing before this line: {kind}" for kind in due]

    # Decisions.

    def action_of(self, event: Event) -> int:
        """Raises Illegal with what speaks against the line."""
        state = self.state
        seat = self.step(engine.TO_ACT)
        asking = state.asking != NOBODY
        if asking != (event["e"] == "show"):
            raise Illegal("whether to show is decided before the first play" if asking else "the time to show is over")
        if event["p"] != seat:
            raise Illegal(f"it is seat {seat} who decides, not seat {event['p']}")
        if event["e"] == "show":
            return self._showing(seat, _cards_of(event))
        if event["e"] == "pass":
            if state.table == NOTHING:
                raise Illegal("who leads may not pass")
            return PASS
        return self._play(seat, event["kind"], _cards_of(event))

    def _showing(self, seat: int, cards: list[int]) -> int:
        tens = int(self.state.held[seat]) & RED_TENS
        if cards and _mask(cards) != tens:
            raise Illegal(f"seat {seat} may show {_texts(tens)} or nothing")
        return SHOW if cards else DECLINE

    def _decide(self, action: int, hint: Event) -> Event:
        """As for every game; and the suits of what is played are open."""
        seat, first = self.step(engine.TO_ACT), int(self.state.pile_n)
        line = super()._decide(action, hint)
        self._guessed[seat] |= _mask([int(card) for card in self.state.pile[first : int(self.state.pile_n)]])
        return line

    def _exchange(self, seat: int, cards: list[int]) -> None:
        """Cards that the seat was taken to have played come back for others of their ranks."""
        state = self.state
        for card in cards_in(_mask(cards) & self._guessed[seat] & ~int(state.held[seat])):
            spare = [
                other for other in cards_in(int(state.held[seat]) & ~_mask(cards)) if RANK_OF[other] == RANK_OF[card]
            ]
            if spare:
                swap = 1 << card | 1 << spare[0]
                state.held[seat] = int(state.held[seat]) ^ swap
                self._guessed[seat] ^= swap
                state.pile[list(state.pile).index(card)] = spare[0]

    def _play(self, seat: int, kind: str, cards: list[int]) -> int:
        self._exchange(seat, cards)
        foreign = _mask(cards) & ~int(self.state.held[seat])
        if foreign:
            raise Illegal(f"seat {seat} does not hold {_texts(foreign)}")
        action = combination(cards)
        if action is None:
            if unordered_straight(cards):
                raise Illegal("the cards of a straight are written from its first place to its last")
            raise Illegal(f"{' '.join(map(card_text, cards))} is no combination")
        named = KINDS[plays.kind_of(action)]
        if named != kind:
            raise Illegal(f"kind is {kind!r}, the cards are a {named}")
        if not self.is_legal(action):
            raise Illegal(f"{' '.join(map(card_text, cards))} does not beat what lies on the table")
        return action

    def prime(self, preludes: list[Event], event: Event) -> None:
        """The very cards that leave the hand."""
        self.state.chosen = _mask(_cards_of(event)) if event["e"] == "play" else 0

    # After an illegal line.

    def force(self, event: Event) -> list[Event]:
        """Follow the line as told, as far as it makes sense, so that the lines after it fit as well as they can."""
        before = copy.deepcopy(self.state)
        if event["e"] == "show":
            self._force_showing(event)
        elif before.asking == NOBODY and 0 <= event["p"] < PLAYERS:
            if event["e"] == "pass":
                self._force_pass(event["p"])
            else:
                self._force_play(event)
        return consequences(before, self.state)

    def _force_showing(self, event: Event) -> None:
        if self.state.asking != NOBODY:
            self.step(engine.APPLY, SHOW if event["cards"] else DECLINE)

    def _force_pass(self, seat: int) -> None:
        state = self.state
        if not int(state.going) >> seat & 1 or seat == state.table_seat:
            return
        if state.table == NOTHING:
            state.turn = dealing.after(int(state.going), seat)
            return
        state.turn = seat
        self.step(engine.APPLY, PASS)

    def _force_play(self, event: Event) -> None:
        state = self.state
        try:
            cards = _cards_of(event)
        except Illegal:
            cards = []
        seat = self._mover(event["p"], cards)
        if not int(state.going) >> seat & 1:
            return
        state.turn = seat
        action = combination(cards)
        if action is not None and not _mask(cards) & ~int(state.held[seat]) and self.is_legal(action):
            state.chosen = _mask(cards)
            self.step(engine.APPLY, action)
            return
        self._lose(seat, cards, len(event["cards"]))
        state.turns += 1
        state.taken[seat] += 1
        table = action if action is not None else int(state.table)
        game.take_the_lead(self.rules, state, seat, table or int(plays.code(plays.SINGLE, 0, 1)))
        if not state.over:
            game.pass_turn_on(self.rules, state, seat)

    def _mover(self, named: int, cards: list[int]) -> int:
        """Who made the play: the seat whose turn it is if it alone holds the cards, else the one named."""
        turn = int(self.state.turn)
        mask = _mask(cards)
        held = [mask and not mask & ~int(self.state.held[seat]) for seat in (named, turn)]
        return turn if held == [False, True] else named

    def _lose(self, seat: int, cards: list[int], count: int) -> None:
        """Take so many cards from a hand: those told, and for each that is not there one of its rank, or any."""
        state = self.state
        for card in cards[: int(state.left[seat])]:
            held = int(state.held[seat])
            alike = [other for other in cards_in(held) if RANK_OF[other] == RANK_OF[card]]
            spare = [other for other in cards_in(held) if other not in cards]
            game.lay_card(state, seat, card if held >> card & 1 else (alike or spare or cards_in(held))[0])
        for _ in range(min(int(state.left[seat]), count) - len(cards)):
            game.lay_card(state, seat, cards_in(int(state.held[seat]))[0])
        state.hand[seat] = pack(int(state.held[seat]))
        state.left[seat] = int(state.held[seat]).bit_count()
        played = _mask([int(card) for card in state.pile[: int(state.pile_n)]])
        state.unplayed = pack(_ALL_CARDS & ~played)
