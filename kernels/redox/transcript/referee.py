"""Transcript lines of REDOX checked and, where they break the rules, carried out as recorded."""

from collections import Counter
from itertools import chain
from typing import Any

from kernels.notation import BIG_JOKER, SMALL_JOKER, card_text
from kernels.redox import actions as act
from kernels.redox import game, table
from kernels.redox.options import MIN_PLOT, OPENING_RUN
from kernels.redox.planes import COPIES
from kernels.redox.transcript.parse import (
    PLOT_KINDS,
    SOURCES,
    TURNS,
    Turn,
    alike,
    counts_of,
    is_joker,
    joker_places,
    pack_of,
    parse_all,
    parse_one,
    places_of_run,
    rank_of_set,
    read_plot,
    read_run,
    read_set,
    texts_of,
)
from kernels.referee import base
from kernels.referee.lines import Event, Illegal


class Referee(base.Referee):
    """Checks REDOX transcripts.

    A player may be recorded to play a card that they do not hold: they are given it then, but their number of cards
    stays what it was, for they must have played another in its place.
    """

    UNORDERED = frozenset({"cards", "now"})
    RESHUFFLES = frozenset({"recycle"})
    DECISIONS = frozenset({"turn"})

    def __init__(self, game: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(game, rules, partial)
        self._turn = Turn(0, [], 0)

    # The deal

    def start(self, event: Event) -> list[str]:
        """Set up the hands, the face card and, where it is known, the stock."""
        rules, state = self.rules, self.state
        hands = [parse_all(hand) for hand in event["hands"]]
        face = parse_one(event["face"])
        stock = parse_all(event["stock"])
        if len(hands) != rules.players:
            raise Illegal(f"{len(hands)} hands are dealt to {rules.players} players")
        if not 0 <= event["leader"] < rules.players or event["dir"] not in (1, -1):
            raise Illegal("no such leader or direction")
        game.clear(rules, state)
        problems = self._check_pack(hands, face, stock)
        if event["dir"] != state.dir:
            problems.insert(0, f"dir is {event['dir']}, the rules give {int(state.dir)} in round {int(state.round_no)}")
        state.dir = event["dir"]
        state.leader = state.turn = event["leader"]
        self._put(hands, face, stock)
        return problems

    def check_succession(self, event: Event) -> list[str]:
        """The winner of the last round leads."""
        due = int(self.state.next_leader)
        return [] if event["leader"] == due else [f"leader is {event['leader']}, the rules give {due}"]

    def _check_pack(self, hands: list[list[int]], face: int, stock: list[int]) -> list[str]:
        size, pack = self.rules.hand_size, pack_of(self.rules)
        problems = [
            f"seat {seat} is dealt {len(hand)} cards, not {size}"
            for seat, hand in enumerate(hands)
            if len(hand) != size
        ]
        dealt = Counter([face, *stock, *chain(*hands)])
        surplus, missing = dealt - pack, pack - dealt
        if surplus:
            problems.append(f"the pack does not hold so many: {texts_of(surplus.elements())}")
        if missing and not (self.partial and not stock):
            problems.append(f"cards of the pack are missing: {texts_of(missing.elements())}")
        if dealt.total() > pack.total() or any(len(hand) > size for hand in hands):
            raise Illegal("; ".join(problems))
        self.unsure = {seat for seat, hand in enumerate(hands) if len(hand) != size or set(hand) & set(surplus)}
        return problems

    def _put(self, hands: list[list[int]], face: int, stock: list[int]) -> None:
        state = self.state
        for seat, hand in enumerate(hands):
            for card in hand:
                table.give(state, seat, card)
            state.hand_n[seat] = self.rules.hand_size
        game.note_dealt(self.rules, state)
        state.discards[0] = face
        state.discards_n = 1
        if self.partial and not stock:
            stock = sorted((pack_of(self.rules) - Counter([face, *chain(*hands)])).elements())
        self._lay_stock(stock)

    def _lay_stock(self, cards: list[int]) -> None:
        """Make these the stock, top card first."""
        state = self.state
        state.stock[: len(cards)] = cards[::-1]
        state.stock_n = len(cards)
        state.stock_mixed = 1

    # A turn

    def fields(self, event: Event) -> Any:
        """A turn's fields depend on what the player does."""
        fields = super().fields(event)
        if event["e"] != "turn":
            return fields
        return {**fields, **TURNS.get(str(event.get("a")), dict.fromkeys(event.keys() - {"legal", *fields}, object))}

    def action_of(self, event: Event) -> int:
        """The action that a turn stands for. Raises Illegal with all the reasons why it may not be."""
        self._turn = self._read_turn(event)
        reasons = self._reasons(event, self._turn)
        if reasons:
            raise Illegal("; ".join(reasons))
        return self._turn.action

    def _read_turn(self, event: Event) -> Turn:
        self.check_seat(event)
        what = event["a"]
        if what == "discard":
            return self._read_discard(event)
        if what == "plot":
            return self._read_new_plot(event)
        if what == "connect":
            return self._read_connect(event)
        if what == "slam":
            return self._read_slam(event)
        raise Illegal(f"no turn is called {what[:20]!r}")

    def _read_discard(self, event: Event) -> Turn:
        card = parse_one(event["card"])
        if event["from"] not in SOURCES:
            raise Illegal(f"no card comes from {event['from'][:20]!r}")
        face = SMALL_JOKER if is_joker(card) else card
        return Turn(act.discard(face, SOURCES.index(event["from"])), [card], int(card == SMALL_JOKER))

    def _read_new_plot(self, event: Event) -> Turn:
        cards = parse_all(event["cards"])
        if event["kind"] not in PLOT_KINDS.values():
            raise Illegal(f"no plot is called {event['kind'][:20]!r}")
        if len(cards) < MIN_PLOT:
            raise Illegal(f"{texts_of(cards)} are too few for a plot")
        return read_run(cards) if event["kind"] == "run" else read_set(cards)

    def _read_connect(self, event: Event) -> Turn:
        plot = event["plot"]
        if not 0 <= plot < self.state.plots:
            raise Illegal(f"there is no plot {plot}")
        cards = parse_all(event["cards"])
        now = parse_all(event["now"])
        old = table.cards_of_plot(self.state, plot)
        if not cards:
            raise Illegal("nothing is connected")
        if Counter(now) != Counter(old) + Counter(cards):
            raise Illegal(f"plot {plot} would be {texts_of(old + cards)}, not {texts_of(now)}")
        if self.state.plot_kind[plot] == act.RUN:
            return self._read_longer_run(plot, old, cards, now)
        rank_of_set(now)
        base = act.to_set(plot, int(self.state.plot_of[plot]))
        return Turn(base | counts_of(cards), cards, cards.count(SMALL_JOKER))

    def _read_longer_run(self, plot: int, old: list[int], cards: list[int], now: list[int]) -> Turn:
        suit, low = places_of_run(now)
        start = int(self.state.plot_low[plot]) - low
        if start < 0 or now[start : start + len(old)] != old:
            raise Illegal("what lies in a run stays where it is")
        base = act.to_run(plot, suit, low, low + len(now) - 1)
        there = int(self.state.plot_jokers[plot])
        jokers = joker_places(now, low) & ~there
        return Turn(base | act.joker_bits(jokers), cards, joker_places(now, low, (SMALL_JOKER,)) & ~there)

    def _read_slam(self, event: Event) -> Turn:
        turns = [read_plot(parse_all(plot)) for plot in event["plots"]]
        cards = [card for turn in turns for card in turn.cards]
        return Turn(act.SLAM, cards, table.UNRECORDED, tuple(turn.action for turn in turns))

    # What is wrong with a turn

    def _reasons(self, event: Event, turn: Turn) -> list[str]:
        seat = event["p"]
        reasons = []
        if seat != self.state.turn:
            reasons.append(f"it is the turn of seat {int(self.state.turn)}, not {seat}")
        missing = self._missing_cards(seat, turn.cards)
        if missing:
            reasons.append(f"seat {seat} does not hold {texts_of(missing)}")
        elif len(turn.cards) > self.state.hand_n[seat]:
            reasons.append(f"seat {seat} holds no more than {int(self.state.hand_n[seat])} cards")
        return reasons + self._broken_rules(seat, turn)

    def _missing_cards(self, seat: int, cards: list[int]) -> list[int]:
        """Those of the cards that the seat does not hold; with `partial` all jokers are alike."""
        held = Counter(table.cards_of_hand(self.state, seat))
        wanted = Counter(cards)
        if self.partial:
            short = (wanted - held)[SMALL_JOKER] - (wanted - held)[BIG_JOKER]
            swapped = max(-held[SMALL_JOKER], min(held[BIG_JOKER], short))
            if short and swapped and (held[SMALL_JOKER] + held[BIG_JOKER] >= wanted[SMALL_JOKER] + wanted[BIG_JOKER]):
                self.state.smalls[seat] += swapped
                held = Counter(table.cards_of_hand(self.state, seat))
        return list((wanted - held).elements())

    def _broken_rules(self, seat: int, turn: Turn) -> list[str]:
        """Rules of laying plots that the turn breaks, whatever the hand."""
        opened = bool(self.state.opened_turn[seat])
        kind = act.kind(turn.action)
        natural = sum(not is_joker(card) for card in turn.cards)
        if kind == act.SLAM:
            return self._broken_rules_of_slam(turn)
        if kind in (act.TO_RUN, act.TO_SET) and not opened:
            return [f"seat {seat} has laid no plot yet"]
        reasons = []
        if kind in (act.RUN, act.SET) and natural < self.rules.min_naturals:
            reasons.append(f"a plot holds at least {self.rules.min_naturals} natural cards")
        if (kind == act.SET or (kind == act.RUN and len(turn.cards) < OPENING_RUN)) and not opened:
            reasons.append("a player's first plot is a run of four or more")
        return reasons

    def _broken_rules_of_slam(self, turn: Turn) -> list[str]:
        reasons = []
        if self.state.plots:
            reasons.append("a slam is laid only while no plot lies on the table")
        if len(turn.cards) != self.rules.hand_size:
            reasons.append("a slam is the whole hand")
        runs = [part for part in turn.parts if act.kind(part) == act.RUN]
        if not any(act.high(run) - act.low(run) + 1 >= OPENING_RUN for run in runs):
            reasons.append("a slam holds a run of four or more")
        return reasons

    # Carried out all the same

    def make_way(self, event: Event) -> None:
        """The second turn of a round shows which way round play goes."""
        state, seat = self.state, self.check_seat(event)
        skipped = game.following(self.rules, state, int(state.turn))
        other_way = (int(state.turn) - 2 * int(state.dir)) % self.rules.players
        if state.turns == 1 and seat == other_way != skipped:
            state.dir = -state.dir
        state.turn = seat

    def hand_over(self, event: Event) -> None:
        """The number of cards stays; who lays plots has opened."""
        state, seat, turn = self.state, event["p"], self._read_turn(event)
        if len(turn.cards) > state.hand_n[seat]:
            raise Illegal(f"seat {seat} holds no more than {int(state.hand_n[seat])} cards")
        for card in self._missing_cards(seat, turn.cards):
            table.give(state, seat, card)
            state.hand_n[seat] -= 1
        if act.kind(turn.action) not in (act.DISCARD, act.SLAM) and not state.opened_turn[seat]:
            state.opened_turn[seat] = state.turns + 1

    # Chance, as recorded

    def drawn(self, event: Event) -> int | None:
        """What a discard brings from the stock."""
        return _got(event) if event["a"] == "discard" and event["from"] == "stock" else None

    def prepare(self, event: Event, reshuffle: Event | None) -> list[str]:
        """Which jokers are meant, a new stock, and what topped the pile if that is not known."""
        if any(map(is_joker, self._turn.cards)):
            self.state.recorded_smalls = self._turn.smalls
        if event["a"] == "discard" and event["from"] == "pile":
            return self._check_top_of_pile(_got(event))
        if event["a"] == "discard" and self.state.stock_n == 0:
            self._recycle(reshuffle, _got(event))
        return []

    def _check_top_of_pile(self, got: int | None) -> list[str]:
        top = int(self.state.discards_n) - 1
        lies = int(self.state.discards[top])
        if got is None or lies == got or self.order_known:
            return []  # or the line is wrong, and the pile is not
        self.state.discards[top] = got
        if self.partial and is_joker(lies) and is_joker(got):
            return []
        return [f"got is {card_text(got)}, {card_text(lies)} topped the pile"]

    def check_reshuffle(self, event: Event) -> list[str]:
        """A new stock is made of the whole pile when the stock is empty."""
        state = self.state
        if state.stock_n:
            return [f"the stock still has {int(state.stock_n)} cards"]
        recorded, pile = Counter(parse_all(event["stock"])), Counter(state.discards[: int(state.discards_n)].tolist())
        if recorded == pile or (self.partial and not recorded):
            return []
        extra, lost = texts_of((recorded - pile).elements()), texts_of((pile - recorded).elements())
        return [f"the new stock has {extra or 'nothing'} too much and lacks {lost or 'nothing'}"]

    def _recycle(self, reshuffle: Event | None, got: int | None) -> None:
        """The pile becomes the stock, in the order recorded if that is known, else with the card drawn on top."""
        state = self.state
        order = parse_all(reshuffle["stock"]) if reshuffle else []
        if not order:
            self.order_known = False
            order = sorted(state.discards[: int(state.discards_n)].tolist(), key=lambda card: card != got)
        self._lay_stock(order)
        state.discards_n = 0
        state.recycles += 1

    # What follows a turn

    def _close_if_over(self) -> None:
        winner = int(self.state.winner)
        if winner >= 0:  # whatever cards a transcript misnamed are in this hand still
            for plane in range(COPIES):
                self.state.hand[winner, plane] = 0
            self.state.jokers[winner] = self.state.smalls[winner] = 0
        super()._close_if_over()

    def _read_due(self, event: Event) -> list[str]:
        """With `partial`, a player may have fewer cards than are known."""
        problems = super()._read_due(event)
        if event["e"] == "last" and self.partial and self._is_whole(event) and 0 <= event["p"] < self.rules.players:
            seat = event["p"]
            self.state.hand_n[seat] = max(1, min(event["n"], int(self.state.hand_n[seat])))
        return problems

    def same(self, name: str, given: Any, due: Any) -> bool:
        """A slam may be split in several ways; with `partial` all jokers are alike."""
        if name == "plots":
            return Counter(chain(*given)) == Counter(chain(*due))
        if name in self.UNORDERED and self.partial:
            return alike(given) == alike(due)
        return super().same(name, given, due)

    def differences(self, name: str, given: Any, due: Any) -> list[str]:
        """Hands left are compared card by card."""
        if name != "left" or len(given) != len(due):
            return super().differences(name, given, due)
        return [text for seat in range(len(due)) for text in self._compare_left(seat, given[seat], due[seat])]

    def _compare_left(self, seat: int, given: Any, due: list[str]) -> list[str]:
        if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
            return [f"left of seat {seat} is no list of cards"]
        recorded, held = (Counter(alike(texts) if self.partial else texts) for texts in (given, due))
        if recorded == held:
            size = int(self.state.hand_n[seat])
            return [] if len(given) == size else [f"left of seat {seat} are {len(given)} cards, not {size}"]
        extra = " ".join(sorted((recorded - held).elements())) or "nothing"
        lost = " ".join(sorted((held - recorded).elements())) or "nothing"
        return [f"left of seat {seat} has {extra} too much and lacks {lost}"]


def _got(event: Event) -> int | None:
    """The card that a discard brings, if the line has one."""
    try:
        return parse_one(event["got"])
    except (Illegal, KeyError):
        return None
