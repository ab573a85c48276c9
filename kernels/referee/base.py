"""Transcripts checked move by move, the part that is the same for every game.

Lines written without `--legal` lack the numbers of legal actions, and so may lines to be checked.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from kernels import engine, policies, protocol, rng
from kernels.notation import card_text
from kernels.referee.lines import Event, Illegal, brief, short, sorted_lists
from kernels.registry import Game

MAX_WRONG = 3
"""So many wrong lines in a row, and a round is no longer followed."""
GIVEN_UP = "the round cannot be followed any further"


class Referee:
    """Follows one match and says what is wrong with each line.

    It plays the same state as the simulator: each decision is looked up among the legal actions and applied, and the
    lines that the rules say must follow are compared with those that do. A decision that the rules do not allow is
    named, and carried out as recorded if it can be; else the state stays as it is. A round in which `MAX_WRONG` lines
    in a row are wrong is given up until the next deal.
    """

    UNORDERED: frozenset[str] = frozenset()
    """Fields whose lists may be in any order."""
    ACCUMULATED: frozenset[str] = frozenset({"totals"})
    """Fields that depend on the rounds before."""
    PER_SEAT: frozenset[str] = frozenset({"points", "totals"})
    """Fields with one entry for each seat."""
    RESHUFFLES: frozenset[str] = frozenset()
    """Kinds of events that give a new stock, before the decision that needed it."""
    DECISIONS: frozenset[str] = frozenset()
    """Kinds of events that are a player's decision."""
    ENDS: frozenset[str] = frozenset({"end"})
    """Kinds of events at the end of a round."""
    STOCK = "stock"
    """Field with the order of the stock; with `partial` it may be missing, null or empty."""

    def __init__(self, game: Game, rules: Any, partial: bool = False) -> None:
        """rules: as compiled code sees them; partial: the order of the stock is not known."""
        self.game = game
        self.rules = rules
        self.partial = partial
        self._work = engine.new_workspace(game.kernel, *_random_seats(game.kernel), 0)
        self._states = np.zeros(1, game.kernel.STATE).view(np.recarray)
        """The state, in an array so that it is copied and restored as a whole."""
        self.state = self._states[0]
        self.state.eager = 1
        self.unknown_fields: set[str] = set()
        """Fields that the format does not know, and that have been named."""
        self.rounds = 0
        self.carried = True
        """Whether what the rounds before leave to this one is known: its number, its leader, the totals."""
        self.following = False
        """Whether lines can be checked: a deal was read, and its round has not been given up."""
        self.over = False
        self.order_known = False
        """Whether the stock lies as the state has it."""
        self.unsure: set[int] = set()
        """Seats whose hand or choices may not be as the state has them."""
        self._due: deque[Event] = deque()
        self._reshuffle: Event | None = None
        """The new stock that the last line gave; {} if that line was wrong."""
        self._last: Event = {}
        self._numbered = False
        """Whether some line of the match carried the number of legal actions: then every decision must."""
        self._unwritten: list[str] = []
        """Decisions not written, as what is wrong with that if it turns out that they had to be."""
        self._wrong = 0

    # What a game fills in.

    def start(self, event: Event) -> list[str]:
        """Set the state up from a `deal` line and name what is wrong with it; Illegal if nothing can be set up."""
        raise NotImplementedError

    def check_succession(self, event: Event) -> list[str]:
        """Whether a later round of a match begins with whom it must, by the state at the end of the last one."""
        return []

    def action_of(self, event: Event) -> int:
        """The action that a decision stands for. Raises Illegal with the reason if it can be none."""
        raise NotImplementedError

    def unwritten(self, event: Event) -> int | None:
        """The decision, if one is due before this line, that need not be written."""
        return None

    def learn(self, event: Event) -> None:
        """Take in what a line shows of chance, before it is judged."""

    def drawn(self, event: Event) -> int | None:
        """The card that a decision shows drawn from the stock."""
        return None

    def prepare(self, event: Event, reshuffle: Event | None) -> list[str]:
        """Put what only the transcript knows where `apply` will find it, before a decision is applied.

        For example lay the recorded stock out, so that `apply` finds it there and shuffles nothing; `events` still gets
        the state before this. `reshuffle` is the line of RESHUFFLES before the decision: None if there is none, {} if
        it is wrong. Returns what is wrong with what is recorded.
        """
        return []

    def check_reshuffle(self, event: Event) -> list[str]:
        """What is wrong with a new stock, as far as that shows before the decision that needed it."""
        return []

    def make_way(self, event: Event) -> None:
        """Let it be the turn of the seat that a wrong decision names. Raises Illegal if that cannot be."""

    def hand_over(self, event: Event) -> None:
        """Let a seat hold the cards that its wrong decision names. Raises Illegal if that cannot be."""

    def exchange(self, wanted: int, given: int) -> None:
        """Put a card where another one is, so that this can be where it was. Raises Illegal if that cannot be."""

    def take_totals(self, event: Event) -> None:
        """Go on from the totals that the end of a round records."""
        self.state.totals[: self.rules.players] = event["totals"]

    def fields(self, event: Event) -> Mapping[str, Any]:
        """The fields that a line must have, and their types."""
        return self.game.transcript.KINDS[event["e"]]

    # One line.

    def read(self, event: Event) -> list[str]:
        """Check the next line; returns what is wrong with it, one text for each thing."""
        if not isinstance(event, dict) or str(event.get("e")) not in self.game.transcript.KINDS:
            return [f"unknown event {str(event)[:60]}"]
        last, self._last = self._last, event
        line, problems = self._well_formed(event)
        if line["e"] == "deal":
            return problems + self._read_deal(line)
        if not self.following:
            return problems
        if event == last and not self._is_due(line) and not self._is_allowed(line):
            return [*problems, "duplicate line"]
        problems += self._supply_unwritten(line)
        self.learn(line)
        return problems + (self._read_due(line) if self._is_due(line) else self._read_undue(line))

    def _is_due(self, event: Event) -> bool:
        return any(due["e"] == event["e"] for due in self._due)

    def _read_undue(self, event: Event) -> list[str]:
        """Judge a line that does not follow from the last decision."""
        if self.over:
            return [*self._missing(), f"the round is over; {self.give_up()}"]
        if event["e"] in self.RESHUFFLES:
            return self._missing() + self._read_reshuffle(event)
        if event["e"] in self.DECISIONS:
            return self._missing() + self._read_decision(event)
        if event["e"] in self.ENDS:
            self.give_up()
            return [*self._missing(), "the round is not over"]
        due = (
            f"{brief(event)} instead of {brief(self._due[0])}" if self._due else f"no such line is due: {brief(event)}"
        )
        return self._count_wrong([due])

    def finish(self) -> list[str]:
        """What is missing at the end of the transcript."""
        if not self.following or (self.over and not self._due):
            return []
        missing = [f"missing: {brief(event)}" for event in self._due]
        return missing or ["the transcript stops before the round is over"]

    def give_up(self) -> str:
        """Follow no line before the next deal; returns the words for it."""
        self.following = self.carried = False
        return GIVEN_UP

    def step(self, verb: int, number: int = 0) -> int:
        """One verb of the engine on the state."""
        work = self._work
        return int(
            engine.step(self.rules, work.policy, work.params, self.state, work.streams, work.actions, verb, number)
        )

    # Its form.

    def _well_formed(self, event: Event) -> tuple[Event, list[str]]:
        """The fields of a line that are as the format has them; what is wrong with the others."""
        fields = self.fields(event)
        if self.partial and self.STOCK in fields and event.get(self.STOCK) is None:
            event = {**event, self.STOCK: []}
        line = {"e": event["e"]}
        problems = [f"field {name!r} is missing" for name in fields if name not in event]
        for name, value in event.items():
            kind = int if name == "legal" else fields.get(name)
            if kind is None:
                problems += self._name_unknown(name)
            elif isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
                line[name] = value
            else:
                problems.append(f"field {name!r} has the wrong type")
        return line, problems

    def _name_unknown(self, name: str) -> list[str]:
        if name == "e" or name in self.unknown_fields:
            return []
        self.unknown_fields.add(name)
        return [f"unknown field {name[:40]!r}"]

    def _is_whole(self, event: Event) -> bool:
        return set(self.fields(event)) <= set(event)

    # The deal.

    def _read_deal(self, event: Event) -> list[str]:
        problems = self.finish()
        self.carried &= self.over or not self.rounds
        self.rounds += 1
        self._begin_round()
        if not self._is_whole(event):
            return [*problems, self.give_up()]
        try:
            problems += self._check_round(event)
            problems += self.start(event)
        except Illegal as reason:
            return [*problems, f"{reason}; {self.give_up()}"]
        self.following = True
        self._close_if_over()
        return problems

    def _begin_round(self) -> None:
        self.following = self.over = False
        self.order_known = not self.partial
        self.unsure = set()
        self._due.clear()
        self._reshuffle = None
        self._wrong = 0

    def _check_round(self, event: Event) -> list[str]:
        """Whether this round may follow the last one, if that is known; begins a match with the first round of one."""
        if event["game"] != self.game.name:
            raise Illegal(f"the game is {event['game'][:20]!r}, not {self.game.name!r}")
        number, last, first = event["round"], int(self.state.round_no), self.rounds == 1
        problems = []
        if self.carried:
            over = not first and protocol.match_over(self.rules, self.state)
            due = 1 if first or over else last + 1
            if number == due > 1:
                problems = self.check_succession(event)
            elif number != due:
                problems = [f"round is {number}, the rules give {due}"]
                self.carried = False
        elif number != 1 and number <= last:
            problems = [f"round {number} follows round {last}"]
        if number == 1 or first:
            self.carried = number == 1
            engine.new_match(self.rules, self.state)
        self.state.round_no = max(number, 1)
        return problems

    # Decisions.

    def _supply_unwritten(self, event: Event) -> list[str]:
        """Make the decisions that need not be written; where numbers of legal actions are given they must be."""
        while not self._due and not self.over and (action := self.unwritten(event)) is not None:
            lines, _ = self._apply(action, 0)
            self._unwritten.append(f"missing before this line: {brief(lines.popleft())}")
            self._due.extend(lines)
            self._close_if_over()
        self._numbered |= "legal" in event
        if not self._numbered:
            return []
        missing, self._unwritten = self._unwritten, []
        return missing

    def _is_allowed(self, event: Event) -> bool:
        """Whether a line is a legal decision."""
        try:
            return event["e"] in self.DECISIONS and not self.over and bool(self._legal_action(event))
        except Illegal:
            return False

    def _legal_action(self, event: Event) -> tuple[int, int]:
        """The action that a decision stands for, and the number of legal ones. Raises Illegal with the reason."""
        try:
            action = self.action_of(event)
        except KeyError as field:
            raise Illegal(f"a decision without {field}") from None
        count = self.step(engine.COUNT)
        for first in range(0, count, engine.ACTIONS):
            if first:
                self.step(engine.COUNT, first)
            if action in self._work.actions[: min(engine.ACTIONS, count - first)]:
                return action, count
        raise Illegal(f"not a legal action: {brief(event)}")

    def _read_decision(self, event: Event) -> list[str]:
        reshuffle, self._reshuffle = self._reshuffle, None
        try:
            action, count = self._legal_action(event)
        except Illegal as reason:
            # Of a line that is not whole that has been said.
            problems = self._count_wrong([str(reason)] if self._is_whole(event) else [])
            return problems + self._carry_out(event, reshuffle) if self.following else problems
        self._wrong = 0
        return self._follow(event, action, count, reshuffle)

    def _count_wrong(self, problems: list[str]) -> list[str]:
        """Give the round up if too many lines in a row are wrong."""
        self._wrong += 1
        return [*problems, self.give_up()] if self._wrong == MAX_WRONG else problems

    def _carry_out(self, event: Event, reshuffle: Event | None) -> list[str]:
        """Follow a decision that the rules do not allow: as the turn of the seat that it names, or as that of the seat
        to act, or as that of a seat that holds the cards it names, if possible with the recorded number of legal
        actions. If it can be none of them, the state stays."""
        to_act = {"p": self.step(engine.TO_ACT)}
        ways: tuple[tuple[Event, tuple[Callable[[Event], None], ...]], ...] = (
            (to_act | event, (self.make_way,)),
            (event | to_act, ()),
            (to_act | event, (self.make_way, self.hand_over)),
        )
        for any_count, (line, changes) in product((False, True), ways):
            kept = self._states.copy()
            try:
                for change in changes:
                    change(line)
                action, count = self._legal_action(line)
                if any_count or line.get("legal") == count:
                    self._lose_track(changes)
                    return self._follow(line, action, count, reshuffle)
            except (Illegal, KeyError):
                pass
            self._states[:] = kept
        self._lose_track(ways)
        return []

    def _lose_track(self, changes: Sequence[Any]) -> None:
        """After a line that was more than that of a wrongly named seat, hands and stock are not known for sure."""
        if changes:
            self.unsure = set(range(self.rules.players))
            self.order_known = False

    def check_seat(self, event: Event) -> int:
        """The seat that a line names. Raises Illegal if there is none."""
        if not 0 <= event["p"] < self.rules.players:
            raise Illegal(f"there is no seat {event['p']}")
        return int(event["p"])

    def _follow(self, event: Event, action: int, count: int, reshuffle: Event | None) -> list[str]:
        """Carry out a decision and compare the lines that it is written with."""
        lines, problems = self._apply(action, count, event, reshuffle)
        if lines[0]["e"] in self.RESHUFFLES:
            problems += self._compare_reshuffle(lines.popleft(), reshuffle)
        elif reshuffle:
            problems.append(f"no {reshuffle['e']} was needed before this line")
        own = lines.popleft()
        if "legal" in own:
            own["legal"] = count
        problems += self._unlike(own, event)
        self._due.extend(lines)
        self._close_if_over()
        return problems

    def _apply(
        self, action: int, count: int, event: Event | None = None, reshuffle: Event | None = None
    ) -> tuple[deque[Event], list[str]]:
        """Apply an action. Returns the lines it is written with, and what is wrong with what chance is said to have
        brought."""
        seat = self.step(engine.TO_ACT)
        problems = [] if event is None else self._check_draw(event, seat)
        before = self._states.copy()[0]
        if event is not None:
            problems += self.prepare(event, reshuffle)
        move = SimpleNamespace(seat=seat, action=action, legal=count)
        self.step(engine.APPLY, action)
        return deque(self.game.transcript.events(self.rules, before, move, self.state)), problems

    # Chance.

    def _read_reshuffle(self, event: Event) -> list[str]:
        if self._reshuffle is not None:
            return [f"there is a {event['e']} before this line already"]
        try:
            problems = self.check_reshuffle(event)
        except Illegal as reason:
            problems = [str(reason)]
        except KeyError:  # which has been named
            problems = []
        self._reshuffle = {} if problems or not self._is_whole(event) else event
        return problems

    def _compare_reshuffle(self, due: Event, reshuffle: Event | None) -> list[str]:
        """What is wrong with a new stock, unless that has been named."""
        return [self._miss(due)] if reshuffle is None else self._unlike(due, reshuffle)

    def _check_draw(self, event: Event, seat: int) -> list[str]:
        """Where the order of the stock is not known, bring the card recorded as drawn to its top. Where it is known the
        line is wrong, and the stock stands as it was dealt."""
        card, stock, top = self.drawn(event), self.state.stock, int(self.state.stock_n) - 1
        if card is None or top < 0 or stock[top] == card:
            return []
        if self.order_known:
            self.order_known = False
            self.unsure.add(seat)
            return []
        places = np.flatnonzero(stock[:top] == card)
        with suppress(Illegal):
            if places.size:
                stock[places[-1]] = stock[top]
            else:
                self.exchange(card, int(stock[top]))
            stock[top] = card
        return [f"no {card_text(card)} is left in the stock"] if self.partial and not places.size else []

    # Lines that follow from a decision.

    def _close_if_over(self) -> None:
        self.over = bool(self.step(engine.IS_OVER))
        if self.over:
            before = self._states.copy()[0]
            self.step(engine.SCORE)
            self._due.extend(self.game.transcript.end_events(self.rules, before, self.state))

    def _missing(self) -> list[str]:
        """Name the lines that are due, and expect them no longer."""
        return [self._miss(self._due.popleft()) for _ in range(len(self._due))]

    def _miss(self, due: Event) -> str:
        self.order_known &= due["e"] not in self.RESHUFFLES
        return f"missing before this line: {brief(due)}"

    def _read_due(self, event: Event) -> list[str]:
        """Compare a line with the one that is due; if a later one fits, the lines between are missing."""
        alike = [number for number, due in enumerate(self._due) if due["e"] == event["e"]]
        fits = [number for number in alike if not self._unlike(self._due[number], event)]
        problems = [self._miss(self._due.popleft()) for _ in range((fits or alike)[0])]
        due = self._due.popleft()
        problems += self._unlike(due, event)
        if "totals" in due:
            self._follow_totals(due, event)
        return problems

    def _follow_totals(self, due: Event, event: Event) -> None:
        """Go on from the totals recorded if the round brought other points or the totals before it are not known."""
        if self.carried and event.get("points") == due["points"]:
            return
        totals = event.get("totals", [])
        self.carried = len(totals) == self.rules.players and all(type(total) is int for total in totals)
        if self.carried:
            self.take_totals(event)

    # Comparing.

    def _unlike(self, due: Event, event: Event) -> list[str]:
        """What is wrong with a line where this one is due."""
        names = [name for name in event if name != "legal"]
        problems = [text for name in names for text in self.differences(name, event[name], due.get(name))]
        return problems + self._wrong_count(due, event)

    def differences(self, name: str, given: Any, due: Any) -> list[str]:
        """In what a field differs from what the rules give."""
        if self.same(name, given, due):
            return []
        if name not in self.PER_SEAT or not isinstance(due, list) or len(given) != len(due):
            return [f"{name} is {short(given)}, the rules give {short(due)}"]
        return [
            f"{name} of seat {seat} is {short(recorded)}, the rules give {short(ruled)}"
            for seat, (recorded, ruled) in enumerate(zip(given, due, strict=True))
            if not self.same(name, recorded, ruled)
        ]

    def _wrong_count(self, due: Event, event: Event) -> list[str]:
        """What is wrong with a line's number of legal actions."""
        if "legal" not in due:
            return ["legal is given where nothing is decided"] if "legal" in event else []
        if "legal" not in event:
            lacks = self._numbered and "legal" not in self._last
            return ["the number of legal actions is missing"] if lacks else []
        if event["legal"] == due["legal"] or due["p"] in self.unsure:
            return []
        return [f"legal is {event['legal']}, the rules give {due['legal']}"]

    def same(self, name: str, given: Any, due: Any) -> bool:
        """Whether two values of a field mean the same."""
        if (name in self.ACCUMULATED and not self.carried) or (name == self.STOCK and self.partial):
            return True
        if name in self.UNORDERED:
            given, due = sorted_lists(given), sorted_lists(due)
        return repr(given) == repr(due)  # tells 1 from true and 1.0


def _random_seats(kernel: Any) -> tuple[Any, Any]:
    return np.full(rng.MAX_SEATS, policies.RANDOM, np.int64), np.zeros(rng.MAX_SEATS, kernel.PARAMS)
