"""What an answer means, in a sentence."""

import math

from simcli.asking.answers import Answer
from simcli.asking.questions import MEAN, PROPORTION, QUANTILES
from simcli.report.drawing import number

_MANY = 1e12


def meaning(answer: Answer) -> str:
    """One sentence that a reader takes home; the numbers are the answer's, in other units."""
    if answer.total.eligible == 0:
        return "Nothing was eligible, so nothing can be said."
    kind = answer.question.kind
    if kind == PROPORTION:
        return _share(answer)
    if kind == MEAN:
        low, high = (number(limit, False) for limit in answer.total.interval[:2])
        return f"On average {number(answer.total.estimate, False)}; {_fits(answer, low, high)}."
    return _quantiles(answer) if kind == QUANTILES else "The rounds fall into these shares."


def counted(answer: Answer) -> str:
    """What is counted, in words."""
    unit = "seats of rounds" if answer.question.per == "seat" else "rounds"
    return f"{unit} with {answer.question.given.text}" if answer.question.given else unit


def odds(estimate: float | None) -> str:
    """A small share as one in how many."""
    if not estimate or estimate > 0.2 or 1 / estimate > _MANY:
        return ""
    return f"1 in {_rounded(1 / estimate)}"


def _share(answer: Answer) -> str:
    estimate, (low, high) = answer.total.estimate or 0.0, answer.total.interval[:2]
    base = 10 ** max(2, 1 - math.floor(math.log10(max(estimate or high, 1e-9))))
    shown = f"{base:,}"
    if estimate == 0:
        return f"It never happened; more than {_rounded(base * high)} of {shown} {counted(answer)} would not fit."
    fits = _fits(answer, _rounded(base * low), _rounded(base * high))
    return f"In about {_rounded(base * estimate)} of {shown} {counted(answer)}; {fits}."


def _fits(answer: Answer, low: str, high: str) -> str:
    return f"anything from {low} to {high} fits what was seen, at {100 * answer.question.level:.6g}%"


def _quantiles(answer: Answer) -> str:
    values = [number(quantile.value, False) for quantile in answer.quantiles]
    _, lower, middle, upper, most = values
    return f"Half of them lie from {lower} to {upper}, the middle one at {middle}; one in twenty is above {most}."


def _rounded(value: float) -> str:
    """Three significant digits, with commas."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"
