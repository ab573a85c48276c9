"""What a transcript's line must have said, where one slip made it illegal: a wrong seat, or a wrong card of a plot."""

import copy
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kernels import engine
from kernels.notation import card_text
from kernels.redox import table
from kernels.referee.base import Event, Illegal

if TYPE_CHECKING:
    from kernels.redox.transcript.referee import Referee


def mended(referee: "Referee", event: Event) -> Event:
    """The one legal line from which an illegal one differs by a slip; the line itself if there is none."""
    event = _with_seat(referee, event)
    if event["p"] != referee.state.turn:
        _bridge(referee, event)
        return event
    return next((line for line in _repairs(referee, event) if _is_legal(referee, line)), event)


def _is_legal(referee: "Referee", event: Event) -> bool:
    try:
        return referee.is_legal(referee.action_of(event))
    except Illegal:
        return False


def _with_seat(referee: "Referee", event: Event) -> Event:
    """The line as the turn of whose turn it is, if the seat told cannot have played it but that one can."""
    told, due = event["p"], int(referee.state.turn)
    as_due = {**event, "p": due}
    if told == due or not _is_legal(referee, as_due):
        return event
    if not _can_play(referee, event):
        return as_due
    counts = _choices(referee, told), _choices(referee, due)
    return as_due if event.get("legal") == counts[1] != counts[0] else event


def _bridge(referee: "Referee", event: Event) -> None:
    """If the seat told comes next, suppose that the line before is missing: play a turn after which this one fits."""
    state = referee.state
    skipped = int(state.turn)
    if event["p"] != referee.game.kernel.following(referee.rules, state, skipped):
        return
    referee.unsure.update(range(referee.rules.players))  # who knows what the missing turn did to hands and table
    start = copy.deepcopy(state)
    for action in referee.legal_actions():
        state.told_smalls = table.UNTOLD
        referee.step(engine.APPLY, action)
        if state.turn == event["p"] and not referee.step(engine.IS_OVER) and _fits(referee, event):
            return
        for field in start.dtype.names:
            state[field] = start[field]


def _fits(referee: "Referee", event: Event) -> bool:
    """Whether a line is right as the next one, the card it brings and the number of actions too."""
    state = referee.state
    if event["a"] == "discard":
        source = (state.stock, state.stock_n) if event["from"] == "stock" else (state.pile, state.pile_n)
        if source[1] and card_text(int(source[0][int(source[1]) - 1])) != event["got"]:
            return False
    count = referee.step(engine.COUNT)
    return event.get("legal", count) == count and _is_legal(referee, event)


def _can_play(referee: "Referee", event: Event) -> bool:
    """Whether the seat told could play the line if it were its turn."""
    state = referee.state
    due = int(state.turn)
    state.turn = event["p"]
    can = _is_legal(referee, event)
    state.turn = due
    return can


def _choices(referee: "Referee", seat: int) -> int:
    """How many actions a seat would have if it were its turn."""
    state = referee.state
    due = int(state.turn)
    state.turn = seat
    count = referee.step(engine.COUNT)
    state.turn = due
    return count


def _repairs(referee: "Referee", event: Event) -> Iterator[Event]:
    """The line with one card changed, in every way that may make it a legal one."""
    if event["a"] == "plot":
        held = sorted({card_text(card) for card in table.cards_of_hand(referee.state, event["p"])})
        for place in range(len(event["cards"])):
            for card in held:
                yield {**event, "cards": [*event["cards"][:place], card, *event["cards"][place + 1 :]]}
    elif event["a"] == "connect" and 0 <= event["plot"] < referee.state.plots:
        yield from _connections(referee, event)


def _connections(referee: "Referee", event: Event) -> Iterator[Event]:
    """`cards` as `now` has them, or `now` as `cards` has it."""
    lies = Counter(card_text(card) for card in table.cards_of_plot(referee.state, event["plot"]))
    cards, now = Counter(map(str, event["cards"])), Counter(map(str, event["now"]))
    yield {**event, "cards": list((now - lies).elements())}
    surplus, lack = list((now - lies - cards).elements()), list((lies + cards - now).elements())
    if len(surplus) == len(lack) == 1:
        for place, card in enumerate(event["now"]):
            if card == surplus[0]:
                yield {**event, "now": [*event["now"][:place], lack[0], *event["now"][place + 1 :]]}
