"""Transcript lines of Jiaxing Red Ten checked and, where they break the rules, carried out as far as they can be."""

from kernels.notation import FACES, card_text
from kernels.redten import dealing
from kernels.redten.dealing import NOBODY
from kernels.redten.options import PLAYERS
from kernels.redten.packed import RANK_OF, THREE_OF_HEARTS, pack
from kernels.redten.plays import DECLINE, NOTHING, PASS, SHOW
from kernels.redten.transcript.combinations import cards_in, combination, unordered_straight
from kernels.redten.transcript.parse import mask_of, parse_all, texts_of
from kernels.referee import base
from kernels.referee.lines import Event, Illegal, duplicates_in

_HAND, _LONG_HANDS = divmod(FACES, PLAYERS)
_ALL_CARDS = (1 << FACES) - 1


class Referee(base.Referee):
    """Checks a transcript of Jiaxing Red Ten line by line."""

    UNORDERED = frozenset({"cards"})
    PER_SEAT = frozenset({"sides", "points", "totals"})
    DECISIONS = frozenset({"show", "play", "pass"})

    # The deal

    def start(self, event: Event) -> list[str]:
        """Deal as the line says; who draws first and who leads follow from the hands."""
        hands = self._hands(event)
        first = self._first_drawer(hands)
        self._deal(hands, first)
        leader = int(self.state.leader)
        problems = []
        if event["first_drawer"] != first:
            problems.append(f"first_drawer is {event['first_drawer']}, the sizes of the hands give {first}")
        if event["leader"] != leader:
            problems.append(f"leader is {event['leader']}, but seat {leader} holds {card_text(THREE_OF_HEARTS)}")
        return problems

    def _hands(self, event: Event) -> list[list[int]]:
        """Raises Illegal unless the hands are the pack."""
        if len(event["hands"]) != PLAYERS or not all(isinstance(hand, list) for hand in event["hands"]):
            raise Illegal(f"{PLAYERS} hands are needed")
        hands = [parse_all(hand) for hand in event["hands"]]
        every = [card for hand in hands for card in hand]
        twice = duplicates_in(every, dict.fromkeys(range(FACES), 1))
        if twice:
            raise Illegal(f"dealt twice: {' '.join(map(card_text, twice))}")
        missing = _ALL_CARDS & ~mask_of(every)
        if missing:
            raise Illegal(f"not dealt: {texts_of(missing)}")
        return hands

    def _first_drawer(self, hands: list[list[int]]) -> int:
        """The seat from which on the first hands are longer by a card. Raises Illegal if there is none."""
        for first in range(PLAYERS):
            due = [_HAND + ((seat - first) % PLAYERS < _LONG_HANDS) for seat in range(PLAYERS)]
            if [len(hand) for hand in hands] == due:
                return first
        sizes = ", ".join(str(len(hand)) for hand in hands)
        raise Illegal(f"hands of {sizes} cards; the first drawer and the next get {_HAND + 1}, the others {_HAND}")

    def _deal(self, hands: list[list[int]], first: int) -> None:
        state = self.state
        dealing.clear_table(state)
        state.first_drawer = first
        for seat, hand in enumerate(hands):
            state.held[seat] = mask_of(hand)
            state.hand[seat] = pack(mask_of(hand))
            state.left[seat] = len(hand)
        dealing.open_round(state)

    # Decisions

    def unwritten(self, event: Event) -> int | None:
        """Not to show a red ten."""
        return None if self.state.asking == NOBODY or self._is_asked(event) else DECLINE

    def _is_asked(self, event: Event) -> bool:
        """Whether a line is the decision of the seat asked now (or a wrong one that is taken for it)."""
        if event["e"] != "show":
            return False
        later = {int(seat) for seat in range(PLAYERS) if self.state.side[seat]} - self._asked_before()
        return event.get("p") == self.state.asking or event.get("p") not in later

    def _asked_before(self) -> set[int]:
        """The seats that have been asked, the one asked now among them."""
        first, asking = int(self.state.first_drawer), int(self.state.asking)
        return {(first + number) % PLAYERS for number in range((asking - first) % PLAYERS + 1)}

    def action_of(self, event: Event) -> int:
        """Raises Illegal with what speaks against the line."""
        state, seat = self.state, int(self.state.turn)
        asking = state.asking != NOBODY
        if asking != (event["e"] == "show"):
            raise Illegal("whether to show is decided before the first play" if asking else "the time to show is over")
        if event["p"] != seat:
            raise Illegal(f"it is seat {seat} who decides, not seat {event['p']}")
        if event["e"] == "show":
            return SHOW if event["cards"] else DECLINE
        if event["e"] == "play":
            return self._play(seat, parse_all(event["cards"]))
        if state.table == NOTHING:
            raise Illegal("who leads may not pass")
        return PASS

    def _play(self, seat: int, cards: list[int]) -> int:
        foreign = mask_of(cards) & ~int(self.state.held[seat])
        if foreign:
            raise Illegal(f"seat {seat} does not hold {texts_of(foreign)}")
        action = combination(cards)
        if action is None:
            if unordered_straight(cards):
                raise Illegal("the cards of a straight are written from its first place to its last")
            raise Illegal(f"{' '.join(map(card_text, cards))} is no combination")
        return action

    def prepare(self, event: Event, reshuffle: Event | None) -> list[str]:
        """The very cards that leave the hand."""
        self.state.chosen = mask_of(parse_all(event["cards"])) if event["e"] == "play" else 0
        return []

    # Carried out all the same

    def make_way(self, event: Event) -> None:
        """Whoever would have come before the seat has passed."""
        state, seat = self.state, self.check_seat(event)
        if event["e"] == "show":
            if state.asking == NOBODY or not state.side[seat]:
                raise Illegal(f"seat {seat} has nothing to show")
            state.asking = state.turn = seat
            return
        if state.asking != NOBODY or not int(state.going) >> seat & 1:
            raise Illegal(f"seat {seat} has no turn")
        if seat == state.table_seat:
            state.table, state.table_seat, state.passed = NOTHING, NOBODY, 0
        while state.turn != seat:
            if state.table != NOTHING:
                state.passed = int(state.passed) | 1 << int(state.turn)
            state.turn = dealing.after(int(state.going), int(state.turn))

    def hand_over(self, event: Event) -> None:
        """Cards of the seat, of the same ranks if it has them, change places with those recorded."""
        state, seat = self.state, event["p"]
        played = mask_of(parse_all(event["cards"]))
        for card in cards_in(played & ~int(state.held[seat])):
            spare = cards_in(int(state.held[seat]) & ~played)
            if not spare:
                raise Illegal(f"seat {seat} holds {int(state.left[seat])} cards")
            alike = [other for other in spare if RANK_OF[other] == RANK_OF[card]]
            self._exchange(seat, (alike or spare)[0], card)
        gone = state.pile[: int(state.pile_n)].tolist()
        state.unplayed = pack(_ALL_CARDS & ~mask_of(gone))

    def _exchange(self, seat: int, given: int, wanted: int) -> None:
        """A card of a seat changes places with one in another hand or among those played."""
        state = self.state
        for other in range(PLAYERS):
            held = int(state.held[other])
            if held >> wanted & 1 or other == seat:
                state.held[other] = held ^ (1 << given | 1 << wanted)
                state.hand[other] = pack(int(state.held[other]))
        place = state.pile[: int(state.pile_n)]
        place[place == wanted] = given
