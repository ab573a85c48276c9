"""Transcript lines of REDOX checked and, where they break the rules, followed as told."""

import copy
from collections import Counter
from itertools import chain
from types import SimpleNamespace
from typing import Any

from kernels import engine
from kernels.notation import BIG_JOKER, SMALL_JOKER, card_text
from kernels.redox import actions as act
from kernels.redox import plots, table
from kernels.redox.slam.planes import COPIES
from kernels.redox.transcript import mending
from kernels.redox.transcript.parsing import (
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
from kernels.referee.base import Event, Illegal
from kernels.referee.guessing import Guessing, Standing, put_right

TURNS: dict[str, dict[str, Any]] = {
    "discard": {"card": str, "from": str, "got": str},
    "plot": {"kind": str, "cards": list},
    "connect": {"plot": int, "cards": list, "now": list},
    "slam": {"plots": list},
}
"""What a `turn` line has besides the player and what he does."""
SOURCES = ("stock", "pile")
PLOT_KINDS = ("run", "set")


class Referee(Guessing):
    """Checks REDOX transcripts; what breaks the rules is named and followed as told.

    A player may be told to play a card that he does not hold: he is handed it then, but his number of cards stays what
    it was, for he must have played another that the transcript misnames.
    """

    UNORDERED = frozenset({"cards", "now"})
    PRELUDES = frozenset({"recycle"})
    DECISIONS = frozenset({"turn"})
    FIRST = "leader"
    KEPT = (*Guessing.KEPT, "_order_lost", "_awaited", "_totals_known", "unsure")

    def __init__(self, game: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(game, rules, partial)
        self._turn = Turn(0, [], 0)
        self._stock_told: list[Event] = []
        self._totals_known = True
        """Whether no round before this one is missing."""
        self._order_lost = False
        self._awaited: list[int] = []
        self.unsure: set[int] = set()

    # The deal

    def start(self, event: Event) -> list[str]:
        """Set up the hands, the face card and, where it is known, the stock."""
        rules, state, kernel = self.rules, self.state, self.game.kernel
        hands = [parse_all(hand) for hand in event["hands"]]
        face = parse_one(event["face"])
        stock = parse_all(event["stock"])
        leader = event["leader"]
        self._order_lost = False
        self.unsure = set()
        if len(hands) != rules.players:
            raise Illegal(f"{len(hands)} hands are dealt to {rules.players} players")
        if not 0 <= leader < rules.players or event["dir"] not in (1, -1):
            raise Illegal("no such leader or direction")
        problems = self._check_succession(event)
        if event["round"] == 1:
            kernel.new_match(rules, state)
        state.round_no = event["round"]
        kernel.clear(rules, state)
        if event["dir"] != state.dir:
            problems.append(f"dir is {event['dir']}, the rules give {int(state.dir)} in round {event['round']}")
        state.dir = event["dir"]
        state.leader = state.turn = leader
        problems += self._check_pack(hands, face, stock)
        self._put(hands, face, stock)
        return problems

    def repaired(self, event: Event) -> list[Event]:
        """Round, direction and leader as the rules give them; or one card put right where it may have been another."""
        if self.partial:
            return []
        going_on = self.rounds and not self.game.kernel.match_over(self.rules, self.state)
        number = int(self.state.round_no) + 1 if going_on else 1
        due = event | {"round": number, "dir": 1 if number % 2 else -1}
        return [due, due | {"leader": int(self.state.next_leader)}, *self._with_card_put_right(event)]

    def _rivals(self, before: Standing, event: Event) -> list[Standing]:
        """Lines are followed as told if the stock is unknown: that anything was drawn would explain too much."""
        return [self._stand(before.faults + 1)] if self.partial else super()._rivals(before, event)

    def _with_card_put_right(self, event: Event) -> list[Event]:
        size = self.rules.hand_size
        try:
            places = [parse_all(place) for place in (*event["hands"], [event["face"]], event["stock"])]
        except Illegal:
            return []
        pack = pack_of(self.rules)
        sizes = [*[size] * len(event["hands"]), 1, pack.total() - size * len(event["hands"]) - 1]
        return [
            event | {"hands": cards[:-2], "face": cards[-2][0], "stock": cards[-1]}
            for cards in put_right(places, sizes, pack)
        ]

    def _check_succession(self, event: Event) -> list[str]:
        """Whether this round may follow the last one, and its leader lead."""
        number = event["round"]
        if event["game"] != self.game.name:
            raise Illegal(f"the game is {event['game'][:20]!r}, not {self.game.name!r}")
        self._totals_known = not self.midway or number == 1
        if number == 1 or (number > 1 and self.midway):
            return []
        if self.rounds == 1 or number != self.state.round_no + 1:
            before = "nothing" if self.rounds == 1 else f"round {int(self.state.round_no)}"
            return [f"round {number} follows {before}"]
        problems = []
        if self.game.kernel.match_over(self.rules, self.state):
            problems.append("the match was over")
        if event["leader"] != self.state.next_leader:
            problems.append(f"leader is {event['leader']}, the rules give {int(self.state.next_leader)}")
        return problems

    def _check_pack(self, hands: list[list[int]], face: int, stock: list[int]) -> list[str]:
        size = self.rules.hand_size
        problems = [
            f"seat {seat} is dealt {len(hand)} cards, not {size}"
            for seat, hand in enumerate(hands)
            if len(hand) != size
        ]
        pack = pack_of(self.rules)
        dealt = Counter([face, *stock, *(card for hand in hands for card in hand)])
        surplus = list((dealt - pack).elements())
        missing = list((pack - dealt).elements())
        if surplus:
            self.unsure = {seat for seat, hand in enumerate(hands) if set(hand) & set(surplus)}
            problems.append(f"the pack does not hold so many: {texts_of(surplus)}")
        if missing and not self._stock_unknown(stock):
            problems.append(f"cards of the pack are missing: {texts_of(missing)}")
        return problems

    def _stock_unknown(self, stock: list[int]) -> bool:
        return self.partial and not stock

    def _put(self, hands: list[list[int]], face: int, stock: list[int]) -> None:
        state = self.state
        for seat, hand in enumerate(hands):
            for card in hand:
                table.give(state, seat, card)
            state.hand_n[seat] = self.rules.hand_size
        self.game.kernel.note_dealt(self.rules, state)
        state.pile[0] = face
        state.pile_n = 1
        if self._stock_unknown(stock):
            dealt = Counter([face, *(card for hand in hands for card in hand)])
            stock = sorted((pack_of(self.rules) - dealt).elements())
        self._lay_stock(stock)

    def _lay_stock(self, cards: list[int]) -> None:
        """Make these the stock, top card first."""
        state = self.state
        for place, card in enumerate(reversed(cards)):
            state.stock[place] = card
        state.stock_n = len(cards)
        state.stock_mixed = 1

    # A turn

    def judge(self, event: Event) -> list[str]:
        """As for every game; and what the line tells of cards that are not known."""
        if isinstance(event, dict) and self.partial:
            event = self._without_unknowns(event)
        if isinstance(event, dict) and self._comes_late(event):
            self._lines += 1
            return ["this recycle belongs before the turn that needed it"]
        problems = super().judge(event)
        if isinstance(event, dict) and event.get("e") == "turn":
            self._stock_told = []
        return problems

    def _comes_late(self, event: Event) -> bool:
        """Whether this is the new stock that the last turn lacked; if so, its order is known from now on."""
        if event.get("e") == "turn":
            self._awaited = []
        if event.get("e") != "recycle" or not self._awaited:
            return False
        try:
            told = parse_all(event.get("stock"))
        except Illegal:
            return False
        if Counter(told) != Counter(self._awaited):
            return False
        self._lay_stock(told[len(told) - int(self.state.stock_n) :])
        self._awaited = []
        self._order_lost = False
        return True

    def _without_unknowns(self, event: Event) -> Event:
        if event.get("e") in ("deal", "recycle") and event.get("stock") is None:
            return {**event, "stock": []}
        return event

    def knows_choices(self) -> bool:
        """Whether no line that broke the rules has left the hand of the seat to act unknown."""
        return int(self.state.turn) not in self.unsure

    def fields(self, event: Event) -> Any:
        """A turn's fields depend on what the player does."""
        fields = super().fields(event)
        if event["e"] == "turn":
            return {**fields, **TURNS.get(str(event.get("a")), {})}
        return fields

    def action_of(self, event: Event) -> int:
        """The action that a turn stands for. Raises Illegal with all the reasons why it may not be."""
        turn = self._read_turn(event)
        reasons = self._reasons(event, turn)
        if reasons:
            raise Illegal("; ".join(reasons))
        self._turn = turn
        return turn.action

    def _read_turn(self, event: Event) -> Turn:
        if not 0 <= event["p"] < self.rules.players:
            raise Illegal(f"there is no seat {event['p']}")
        what = event["a"]
        if what == "discard":
            return self._read_discard(event)
        if what == "plot":
            return self._read_new_plot(event)
        if what == "connect":
            return self._read_connect(event)
        if what == "slam":
            return self._read_slam(event)
        raise Illegal(f"no turn is called {str(what)[:20]!r}")

    def _read_discard(self, event: Event) -> Turn:
        card = parse_one(event["card"])
        parse_one(event["got"])
        if event["from"] not in SOURCES:
            raise Illegal(f"no card comes from {event['from'][:20]!r}")
        face = SMALL_JOKER if is_joker(card) else card
        return Turn(act.discard(face, SOURCES.index(event["from"])), [card], int(card == SMALL_JOKER))

    def _read_new_plot(self, event: Event) -> Turn:
        cards = parse_all(event["cards"])
        if event["kind"] not in PLOT_KINDS:
            raise Illegal(f"no plot is called {event['kind'][:20]!r}")
        if len(cards) < plots.SHORTEST:
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
        if self.state.plot_kind[plot] == table.RUN:
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
        return Turn(act.SLAM, cards, table.UNTOLD, tuple(turn.action for turn in turns))

    # What is wrong with a turn

    def _reasons(self, event: Event, turn: Turn) -> list[str]:
        seat = event["p"]
        reasons = []
        if seat != self.state.turn:
            reasons.append(f"it is the turn of seat {int(self.state.turn)}, not {seat}")
        missing = self._missing_cards(seat, turn.cards)
        if missing:
            reasons.append(f"seat {seat} does not hold {texts_of(missing)}")
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
            return self._broken_rules_of_slam(seat, turn)
        if kind in (act.TO_RUN, act.TO_SET) and not opened:
            return [f"seat {seat} has laid no plot yet"]
        reasons = []
        if kind in (act.RUN, act.SET) and natural < self.rules.min_naturals:
            reasons.append(f"a plot holds at least {self.rules.min_naturals} natural cards")
        if (kind == act.SET or (kind == act.RUN and len(turn.cards) < plots.OPENING)) and not opened:
            reasons.append("a player's first plot is a run of four or more")
        return reasons

    def _broken_rules_of_slam(self, seat: int, turn: Turn) -> list[str]:
        reasons = []
        if self.state.plots:
            reasons.append("a slam is laid only while no plot lies on the table")
        if len(turn.cards) != self.rules.hand_size:
            reasons.append("a slam is the whole hand")
        runs = [part for part in turn.parts if act.kind(part) == act.RUN]
        if not any(act.high(run) - act.low(run) + 1 >= plots.OPENING for run in runs):
            reasons.append("a slam holds a run of four or more")
        return reasons

    # Chance, as told

    def drawn(self, event: Event) -> str | None:
        """What a discard brings from the stock."""
        known = self._knows_stock() and event["a"] == "discard" and event["from"] == "stock"
        return str(event["got"]) if known else None

    def prime(self, preludes: list[Event], event: Event) -> None:
        """Tell `apply` which jokers are meant, and what lies on top of the stock if only the transcript knows it."""
        if any(map(is_joker, self._turn.cards)):
            self.state.told_smalls = self._turn.smalls
        if event["a"] != "discard":
            return
        got = parse_one(event["got"])
        if event["from"] == "pile":
            self._ensure_top_of_pile(got)
            return
        if self.state.stock_n == 0:
            self._recycle(preludes)
        self._ensure_top_of_stock(got)

    def _ensure_top_of_pile(self, got: int) -> None:
        top = int(self.state.pile_n) - 1
        lies = int(self.state.pile[top])
        if lies == got:
            return
        if not self.partial and not self.unsure:
            return  # the line is wrong, not the pile
        if not (self.partial and is_joker(lies) and is_joker(got)):
            self._slips.append(f"got is {card_text(got)}, {card_text(lies)} topped the pile")
        self.state.pile[top] = got

    def doubts(self, prelude: Event) -> list[str]:
        """A new stock is made of the whole pile when the stock is empty."""
        state = self.state
        if state.stock_n:
            return [f"the stock still has {int(state.stock_n)} cards"]
        told, pile = Counter(parse_all(prelude["stock"])), Counter(state.pile[: int(state.pile_n)].tolist())
        if (self.partial and not told) or told == pile:
            return []
        extra, lost = texts_of((told - pile).elements()), texts_of((pile - told).elements())
        return [f"the new stock has {extra or 'nothing'} too much and lacks {lost or 'nothing'}"]

    def _recycle(self, preludes: list[Event]) -> None:
        """The pile becomes the stock, in the order told if the pile holds these cards."""
        state = self.state
        pile = [int(card) for card in state.pile[: int(state.pile_n)]]
        order = pile
        for prelude in preludes:
            try:
                told = parse_all(prelude["stock"])
            except Illegal:
                continue
            if Counter(told) == Counter(pile):
                order = told
                break
        else:
            self._order_lost = True
            self._awaited = pile
        self._lay_stock(order)
        state.pile_n = 0
        state.recycles += 1

    def _knows_stock(self) -> bool:
        return not (self.partial or self._order_lost or self.unsure)

    def _ensure_top_of_stock(self, got: int) -> None:
        state = self.state
        top = int(state.stock_n) - 1
        if top < 0 or state.stock[top] == got:
            return
        if self._knows_stock():
            return  # the line is wrong, not the stock
        places = [place for place in range(top) if state.stock[place] == got]
        if not self.partial and not self._order_lost:
            self._slips.append(f"got is {card_text(got)}, {card_text(int(state.stock[top]))} topped the stock")
        elif not places:
            self._slips.append(f"no {card_text(got)} is left in the stock")
        if places:
            state.stock[places[-1]] = state.stock[top]
        state.stock[top] = got

    # Following what breaks the rules

    def _read_decision(self, event: Event) -> list[str]:
        self._stock_told = list(self._preludes)
        return super()._read_decision(event)

    def _decide(self, action: int, hint: Event) -> Event:
        """As for every game; and the pile becomes the stock in the order told."""
        draws = act.kind(action) == act.DISCARD and act.source(action) == act.STOCK
        if draws and self.state.stock_n == 0:
            self._recycle(self._preludes)
        return super()._decide(action, hint)

    def force(self, event: Event) -> list[Event]:
        """Hand the player what he lacks and let him do as told; where that makes no sense, pass his turn."""
        state = self.state
        if not 0 <= event["p"] < self.rules.players:
            event = {**event, "p": int(state.turn)}
        event = mending.mended(self, event)
        seat = event["p"]
        self._give_turn(seat)
        try:
            self._turn = self._read_turn(event)
        except Illegal:
            self.unsure.add(seat)
            state.turns += 1
            state.turn = self.game.kernel.following(self.rules, state, seat)
            return []
        for card in self._missing_cards(seat, self._turn.cards):
            self.unsure.add(seat)
            table.give(state, seat, card)
            state.hand_n[seat] -= 1
        before = copy.deepcopy(state)
        self.prime(self._stock_told, event)
        self._carry_out(seat)
        return self._due_after(event, before)

    def _give_turn(self, seat: int) -> None:
        """Let a seat play out of turn; if it is next the other way round, take it that play goes that way."""
        state = self.state
        other_way = (int(state.turn) - 2 * int(state.dir)) % self.rules.players
        skipped = self.game.kernel.following(self.rules, state, int(state.turn))
        if state.turns and seat not in (state.turn, skipped) and seat == other_way:
            state.dir = -state.dir
        state.turn = seat

    def _carry_out(self, seat: int) -> None:
        if self._turn.action != act.SLAM:
            self.step(engine.APPLY, self._turn.action)
            return
        kernel = self.game.kernel
        self.state.turns += 1
        self.state.told_smalls = table.UNTOLD
        kernel.lay_slam(self.state, seat)
        kernel.end_turn(self.rules, self.state, seat)

    def _due_after(self, event: Event, before: Any) -> list[Event]:
        """The lines due after a forced turn."""
        move = SimpleNamespace(seat=event["p"], action=self._turn.action, legal=0)
        lines = self.game.transcript.events(self.rules, before, move, self.state)
        return [line for line in lines if line["e"] not in ("turn", "recycle")]

    # What follows a turn

    def _close_if_over(self, state: Any) -> None:
        winner = int(state.winner)
        if winner >= 0:  # whatever a transcript misnamed lies in his hand still
            for plane in range(COPIES):
                state.hand[winner, plane] = 0
            state.jokers[winner] = state.smalls[winner] = 0
        super()._close_if_over(state)

    def _same(self, name: str, given: Any, due: Any) -> bool:
        if name == "plots":  # a slam may be read in several ways; `action_of` has checked this one
            return Counter(chain(*given)) == Counter(chain(*due))
        if name == "stock" and self.partial:
            return True
        if name in self.UNORDERED and self.partial:
            return alike(given) == alike(due)
        return super()._same(name, given, due)

    def _read_other(self, event: Event) -> list[str]:
        """A call or an end that is not due."""
        if event["e"] == "last":
            return [
                f"no call is due: seat {event['p']} holds {self._size(event['p'])} cards",
                *self._follow_call(event),
            ]
        if event["e"] == "end" and self.step(engine.IS_OVER):
            return ["the round is over"]
        if event["e"] == "end":
            return ["the round is not over", *(self._end_as_told(event) if self.state.turns else [])]
        return super()._read_other(event)

    def _size(self, seat: int) -> int:
        return int(self.state.hand_n[seat]) if 0 <= seat < self.rules.players else 0

    def _follow_call(self, event: Event) -> list[str]:
        if self.partial and 0 <= event["p"] < self.rules.players and event["n"] > 0:
            self.state.hand_n[event["p"]] = event["n"]
        return []

    def _end_as_told(self, event: Event) -> list[str]:
        """Take it that the round has ended as told, and compare what that would be worth."""
        kernel = self.game.kernel
        winner = -1 if event["winner"] is None else event["winner"]
        if event["outcome"] not in kernel.OUTCOMES or not -1 <= winner < self.rules.players:
            return []
        self.state.outcome = kernel.OUTCOMES.index(event["outcome"])
        self.state.winner = winner
        self._close_if_over(self.state)
        return self._read_consequence(event)

    def _read_consequence(self, event: Event) -> list[str]:
        if event["e"] == "end" and self._expected[-1]["e"] == "end":
            return self._read_end(event)
        problems = super()._read_consequence(event)
        if event["e"] == "last":
            self._follow_call(event)
        return problems

    def _read_end(self, event: Event) -> list[str]:
        due = self._expected.pop()
        problems = self._missing()
        for name in ("outcome", "winner"):
            if event[name] != due[name]:
                problems.append(f"{name} is {event[name]}, the rules give {due[name]}")
        for name in ("left", "points", "totals") if self._totals_known else ("left", "points"):
            problems += self._compare_seats(name, event[name], due[name])
        if event["points"] != due["points"] or not self._totals_known:
            self._follow_totals(event)
        return problems

    def _compare_seats(self, name: str, given: list[Any], due: list[Any]) -> list[str]:
        if len(given) != len(due):
            return [f"{name} has {len(given)} entries, not {len(due)}"]
        problems = []
        for seat, (told, ruled) in enumerate(zip(given, due, strict=True)):
            if name != "left" and told != ruled:
                problems.append(f"{name} of seat {seat} is {told}, the rules give {ruled}")
            if name == "left":
                problems += self._compare_hands(seat, told, ruled)
        return problems

    def _compare_hands(self, seat: int, told: Any, ruled: list[str]) -> list[str]:
        if not isinstance(told, list):
            return [f"left of seat {seat} is no list"]
        given, due = (Counter(alike(told)), Counter(alike(ruled))) if self.partial else (Counter(told), Counter(ruled))
        if given == due:
            return []
        extra = " ".join(sorted((given - due).elements())) or "nothing"
        lost = " ".join(sorted((due - given).elements())) or "nothing"
        return [f"left of seat {seat} has {extra} too much and lacks {lost}"]

    def _follow_totals(self, event: Event) -> None:
        totals = event["totals"]
        if len(totals) == self.rules.players and all(isinstance(total, int) for total in totals):
            for seat, total in enumerate(totals):
                self.state.totals[seat] = total
