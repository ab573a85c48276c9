"""A referee that goes on after a fault by keeping every reading of it that may be the right one.

Once a line is wrong, nobody knows what happened at the table: the line may be changed, too much, or the next after one
that is missing. So the referee plays on from each of these standings side by side, and keeps those that the lines to
come contradict least. What it reports is what the best of them finds.
"""

import copy
from collections import Counter, deque
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from kernels import engine
from kernels.notation import card_text, parse_card
from kernels.referee.base import Event, Referee, late

MOST = 100
"""Readings kept at a time."""
FEW = 3
"""Readings that are split further when a line contradicts all of them."""
NEAR = 40
"""Lines back among which one is looked for that may be wrong although it is legal."""
EFFORT = 1500
"""Lines read again, at most, to find it."""
PATIENCE = 8
"""Wrong lines after which a round is followed in one reading only: it was played by other rules."""


class Standing(NamedTuple):
    """Where a referee stands, and how many faults it has found since it began to guess."""

    faults: int
    state: Any
    expected: list[Event]
    fields: dict[str, Any]


class Guessing(Referee):
    """A referee with several readings; `judge` is what a line means to one of them."""

    KEPT: tuple[str, ...] = ("dealt", "rounds", "midway", "_beyond", "_doubted", "_preludes", "_lines", "_stock_line")
    """Attributes that are part of a standing, beside the state and the lines due."""

    FIRST = ""
    """Field of a `deal` line that says who begins, where nothing else in the line shows it."""

    def __init__(self, game: Any, rules: Any, partial: bool = False) -> None:
        super().__init__(game, rules, partial)
        self._new_deal: tuple[Event, Standing] | None = None
        """The last line, if it was a deal, and where the referee stood before it."""
        self._last: Event = {}
        self._past: list[tuple[Standing, Event]] = []
        """The last lines, as long as they were right, and where the referee stood before each."""
        self._is_explained = False
        self._readings: list[Standing] = []
        self._guesses = 0
        self._lines = self._stock_line = 0
        """Lines read, and which of them told the order of the stock."""
        self._slips: list[str] = []
        """What is found wrong while a line is carried out."""

    def judge(self, event: Event) -> list[str]:
        """What is wrong with a line from where the referee stands."""
        self._slips = []
        self._lines += 1
        problems = super().read(event) + self._slips
        if not problems and event["e"] in self.PRELUDES | {"deal"}:
            self._stock_line = self._lines
        return problems

    def drawn(self, event: Event) -> str | None:
        """The card that a line shows drawn from a stock of known order."""
        return None

    def check_stock(self, event: Event) -> None:
        """If the second card of the stock is drawn, the line that told their order has it wrong."""
        try:
            drawn = parse_card(self.drawn(event) or "")
        except ValueError:
            return
        stock, top = self.state.stock, int(self.state.stock_n) - 1
        if top < 1 or stock[top] == drawn or stock[top - 1] != drawn:
            return
        text = f"{card_text(int(stock[top]))} lies above {card_text(drawn)}, which is drawn first"
        self._slips.append(late(text, self._lines - self._stock_line))
        self._doubted = True
        stock[top - 1], stock[top] = int(stock[top]), drawn

    def repaired(self, event: Event) -> list[Event]:
        """What a wrong `deal` line may have been."""
        return []

    def read(self, event: Event) -> list[str]:
        """What is wrong with a line in the reading that fits best."""
        last, self._last = self._last, event
        if event != last:
            return self._read_line(event)
        before = self.snapshot()
        problems = self._read_line(event)
        if not problems:
            return []
        if not self._readings:  # among which it may also be a changed line
            self.return_to(before)
        return ["the line stands twice"]

    def _read_line(self, event: Event) -> list[str]:
        if isinstance(event, dict) and event.get("e") == "deal":
            return self._read_new_deal(event)
        if not self.dealt:
            return self.judge(event)
        if self._readings:
            return self._read_all(event)
        deal, self._new_deal = self._new_deal, None
        before = self._stand(0)
        problems = self.judge(event)
        if not problems:
            self._past = [*self._past[-NEAR:], (before, event)]
            return []
        if deal is not None and self._is_deal_wrong(deal, before, event):
            return [late(f"{self.FIRST} is {deal[0][self.FIRST]}, but seat {event['p']} begins", 1)]
        return self._guess(before, event, problems)

    def _guess(self, before: Standing, event: Event, problems: list[str]) -> list[str]:
        """Begin to follow several readings; returns what is wrong, which may stand some lines back."""
        self._guesses += 1
        rivals = self._rivals(before, event)
        if self._check_shape(event) or len(rivals) < 2:
            self._past = []
            self._settle_on(rivals)
            return problems
        earlier = list(self._look_back(event))
        past, self._past = self._past, []
        if not earlier or self._is_explained or all(text.startswith("legal is ") for text in problems):
            self._settle_on([*rivals[:2], *[standing for standing, _, _ in earlier], *rivals[2:]])
            return problems
        self._settle_on([standing for standing, _, _ in earlier] + rivals)
        _, lines, line = earlier[0]
        told = past[-lines][1]
        names = [name for name in line if name != "legal" and line[name] != told.get(name)]
        return [late(f"{names[0]} is {told.get(names[0])}, which the lines to come belie", lines)]

    def _look_back(self, event: Event) -> Iterator[tuple[Standing, int, Event]]:
        """Where the referee would stand if an earlier line were another decision that differs in one field, so that
        this line is right; how many lines back, and the line as it would be."""
        effort = 0
        past = self._past
        for back in range(1, len(past) + 1):
            before, told = past[-back]
            if before.expected or told["e"] not in self.DECISIONS:
                continue
            rest = [line for _, line in past[len(past) - back + 1 :]] + [event]
            for line, standing in self._decisions(before, told):
                if not self._may_have_been(line, told) or _differences(line, told) != 1:
                    continue
                self._go_to(standing)
                for number, later in enumerate(rest, 1):  # noqa: B007
                    if self.judge(later):
                        break
                else:
                    yield self._stand(1), back, line
                effort += number
            if effort > EFFORT:
                return

    def _is_deal_wrong(self, deal: tuple[Event, Standing], before: Standing, event: Event) -> bool:
        """Whether a first line is right for its own seat if that begins, but not for the seat told by the deal."""
        after = self._stand(0)
        told, undealt = deal
        if self.FIRST and not self._check_shape(event) and "p" in event:
            self._go_to(before)
            if self.judge(event | {"p": told[self.FIRST]}):
                self._go_to(undealt)
                if not self.judge(told | {self.FIRST: event["p"]}) and not self.judge(event):
                    return True
        self._go_to(after)
        return False

    def _read_new_deal(self, event: Event) -> list[str]:
        """The deal as told; and if it is wrong, as it may have been."""
        self._prefer(event)
        self._guesses = 0
        self._past = []
        before = self._stand(0)
        problems = self.judge(event)
        self._new_deal = (event, before) if not problems else None
        if problems and not self._check_shape(event):
            after = self._stand(0)
            readings = []
            self._go_to(before)
            for deal in self.repaired(event):
                self._go_to(before)
                if not self.judge(deal):
                    readings.append(self._stand(0))
            self._settle_on([*readings, after])
        return problems

    def finish(self) -> list[str]:
        """What is missing at the end, in the reading that fits best."""
        self._prefer(None)
        return super().finish()

    def _prefer(self, event: Event | None) -> None:
        """Stand at the one reading that ends best, or goes best with the next deal."""
        readings, self._readings = self._readings, []
        tried = []
        for standing in readings:
            self._go_to(standing)
            problems = super().finish() if event is None else self.judge(event)
            tried.append(len(problems))
        if readings:
            self._go_to(readings[tried.index(min(tried))])

    def _stand(self, faults: int) -> Standing:
        fields = {name: copy.copy(getattr(self, name)) for name in self.KEPT}
        return Standing(faults, copy.deepcopy(self.state), [dict(due) for due in self._expected], fields)

    def _go_to(self, standing: Standing) -> None:
        for name in standing.state.dtype.names:
            self.state[name] = standing.state[name]
        self._expected = deque(dict(due) for due in standing.expected)
        for name, value in standing.fields.items():
            setattr(self, name, copy.copy(value))

    def _settle_on(self, readings: list[Standing]) -> None:
        """Stand at the first of the readings, and keep the others if there are any."""
        self._readings = readings[:MOST] if len(readings) > 1 else []
        self._go_to(readings[0])

    def _read_all(self, event: Event) -> list[str]:
        tried = []
        for before in self._readings:
            self._go_to(before)
            problems = self.judge(event)
            tried.append((problems, before, self._stand(before.faults + len(problems))))
        least = min(after.faults for _, _, after in tried)
        best = [entry for entry in tried if entry[2].faults == least]
        readings = [after for _, _, after in best]
        if all(problems for problems, _, _ in best):
            self._guesses += 1
            readings = []
            for _, before, after in best[: FEW if self._guesses <= PATIENCE else 1]:
                self._go_to(after)
                readings += self._rivals(before, event)
        self._settle_on(readings)
        return best[0][0]

    def _rivals(self, before: Standing, event: Event) -> list[Standing]:
        """The line as it was judged; then what else may have happened, if a decision was due before it."""
        after = self._stand(before.faults + 1)
        self._is_explained = True
        if self._guesses > PATIENCE:
            return [after]
        self._go_to(before)
        if before.expected or not self.dealt or self.step(engine.IS_OVER):
            return [after]
        left_out, changed = [], []
        for line, standing in self._decisions(before, event):
            if self._may_have_been(line, event):
                changed.append((_differences(line, event), len(changed), standing))
            self._go_to(standing)
            if not self._check_shape(event) and not self.judge(event):
                left_out.append(self._stand(after.faults))
        self._is_explained = bool(left_out) or any(entry[0] <= 1 for entry in changed)
        nearest = [standing for _, _, standing in sorted(changed, key=lambda entry: entry[:2])]
        return [after, before._replace(faults=after.faults), *left_out, *nearest]

    def _decisions(self, before: Standing, event: Event) -> Iterator[tuple[Event, Standing]]:
        """Every decision that may have been made, as a line, and where it leads."""
        self._go_to(before)
        for action in self.legal_actions():
            self._go_to(before)
            for hint in self.chances(action, event):
                self._go_to(before)
                line = self._decide(action, hint)
                yield line, self._stand(before.faults + 1)

    def chances(self, action: int, event: Event) -> list[Event]:
        """Lines that may tell what chance brought with an action, where an untold one is not known."""
        return [event]

    def _may_have_been(self, line: Event, event: Event) -> bool:
        """Whether a line may be what stands there changed."""
        if self._check_shape(event):
            return True
        return bool(line["e"] == event["e"]) and event.get("legal", line.get("legal")) == line.get("legal")

    def _decide(self, action: int, hint: Event) -> Event:
        """Make a decision that no line tells; returns the line it would be."""
        made = copy.deepcopy(self.state)
        move = SimpleNamespace(seat=self.step(engine.TO_ACT), action=action, legal=self.step(engine.COUNT))
        self.step(engine.APPLY, action)
        lines = self.game.transcript.events(self.rules, made, move, self.state)
        while lines[0]["e"] in self.PRELUDES:
            lines.pop(0)
        self._preludes = []
        self._expected.extend(lines[1:])
        self._close_if_over(self.state)
        return lines[0]


def _differences(line: Event, event: Event) -> int:
    """Number of fields in which a line differs from the one told."""
    if not isinstance(event, dict):
        return 0
    return sum(event.get(name) != value for name, value in line.items() if name != "legal")


def put_right(places: list[list[int]], sizes: list[int], pack: Counter[int]) -> list[list[list[str]]]:
    """Cards dealt to places, as texts, in every way in which one slip may have made the places what they are told to
    be: a card left out, put in, or changed. Nothing if one slip does not explain them, or none is needed."""
    told = Counter(card for place in places for card in place)
    lost, extra = list((pack - told).elements()), list((told - pack).elements())
    if len(lost) > 1 or len(extra) > 1:
        return []
    found = []
    for number, (place, size) in enumerate(zip(places, sizes, strict=True)):
        if size - len(place) != len(lost) - len(extra):
            continue
        ends = [at for at, card in enumerate(place) if card in extra] if extra else range(len(place) + 1)
        for at in ends:
            fixed = [*place[:at], *lost, *place[at + len(extra) :]]
            every = [*places[:number], fixed, *places[number + 1 :]]
            found.append([[card_text(card) for card in cards] for cards in every])
    return found if lost or extra else []
