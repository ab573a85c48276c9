"""Answers for people, and as rows for CSV and Markdown."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from kernels.registry import GAMES
from simcli.asking.answers import SCHEMA, Answer, Row, Styled, group_label
from simcli.asking.questions import MEAN, PROPORTION, QUANTILES, TABLE
from simcli.asking.variants import BASE, Variant
from simcli.cli import layout
from simcli.cli.colour import BOLD, DIM, PLAIN, Part, print_parts
from simcli.cli.options import Output
from simcli.cli.printing import figure, percent, print_fields, print_json, print_rows, text_of
from simcli.config import predeal
from simcli.config.scenario import Scenario
from simcli.stats.intervals import Interval

_BAR = 40
_ESTIMATE = re.compile(r"(  \S+)   \[")
_FOOT = tuple(f"  {word}" for word in (*(f"{game}, rules " for game in GAMES), "for example in ", "again: "))
_ROUNDING = 1e-13
_BELOW = ("level", "games", "method", "game", "rules_hash", "rules_hash_a", "rules_hash_b", "predeal", "predeal_a",
          "predeal_b", "seed")  # fmt: skip
"""Columns of comparisons that stand below the table for people, where all rows agree."""
_INTERVALS = {"low": "interval", "difference_low": "of_difference"}
"""What people are shown the limits under, the lower one's name standing for both."""
_UPPER = ("high", "difference_high")
_SHOWN = ("variant", "estimate", "low", "high", "change", "hits", "eligible", "games", "rules_hash")
"""Columns of variants side by side that people are shown; the rest stands below the table."""


def print_answers(answers: Sequence[Answer], output: Output) -> None:
    """Print answers: one JSON object with all of them, or one row each, or a paragraph each."""
    if output is Output.json:
        print_document("answers", [answer.describe() for answer in answers])
    elif output is Output.table:
        for number, answer in enumerate(answers):
            if number:
                print()
            for line in paragraph(answer):
                print_parts(_styled(line))
    else:
        print_rows([row for answer in answers for row in rows(answer)], output)


def print_comparison(rows: Sequence[Mapping[str, Any]], output: Output, again: str) -> None:
    """Print the rows of `compare` or `sweep`; `again` is the command that gives them again."""
    if output is Output.json:
        print_document("rows", [{**row, "reproduce": again} for row in rows])
    elif output is not Output.table:
        print_rows(rows, output)
    else:
        _print_side_by_side(rows)
        print(f"again: {again}")


def _print_side_by_side(rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows of a comparison for people: what is the same in all stands above or below the table."""
    below = [name for name in rows[0] if name in _BELOW and len({str(row[name]) for row in rows}) == 1]
    hidden = {*below, "policies", "method", "kind"}
    title = rows[0]["question"] if len({row["question"] for row in rows}) == 1 else ""
    if title:
        hidden.add("question")
    if not any(row["group"] for row in rows):
        hidden.add("group")
    shown = [{name: value for name, value in _for_reading(row).items() if name not in hidden} for row in rows]
    print_rows(shown, title=title)
    known = [name for name in below if rows[0][name] is not None and name != "method"]
    foot = ", ".join(f"{name.replace('_', ' ')} {text_of(rows[0][name])}" for name in known)
    methods = " / ".join(dict.fromkeys(str(row["method"]) for row in rows))
    print("\n".join(layout.wrapped(f"{foot}; {methods}", layout.width())))


def _for_reading(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a comparison for people: limits together; shares in percent, their differences in percentage points."""
    number, gap = (percent, _points) if row["kind"] == PROPORTION else (text_of, text_of)
    written = {"estimate": number, "estimate_a": number, "estimate_b": number, "difference": gap}
    limits = {"low": gap if "estimate_a" in row else number, "difference_low": gap}
    found: dict[str, Any] = {}
    for name, value in row.items():
        if name in limits:
            found[_INTERVALS[name]] = _span(value, row[name.replace("low", "high")], limits[name])
        elif name not in _UPPER:
            found[name] = written[name](value) if name in written and value is not None else value
    return found


def _span(low: float | None, high: float | None, number: Callable[[float], str]) -> str | None:
    if low is None and high is None:
        return None
    return f"[{', '.join('-' if limit is None else number(limit) for limit in (low, high))}]"


def _points(difference: float) -> str:
    sign = "-" if difference < 0 else "+"
    return f"{sign}{percent(abs(difference))}".replace("%", "pp")


def print_plan(plan: Mapping[str, Any], scenario: Scenario, output: Output, again: str) -> None:
    """Print what `plan` comes to; `again` is the command that gives it again."""
    source = {
        "game": scenario.game,
        "rules_hash": scenario.rules_hash,
        "policies": [str(policy) for policy in scenario.policies],
        **({"predeal": scenario.predealt} if scenario.predeal else {}),
        "seed": scenario.seed,
        "reproduce": again,
    }
    print_fields({"schema": SCHEMA, **plan, **source} if output is Output.json else {**plan, **source}, output)


def print_document(key: str, parts: Sequence[Mapping[str, Any]]) -> None:
    """Print one JSON object: the version of its form, and its parts, however many they are, under a key."""
    print_json({"schema": SCHEMA, key: list(parts)})


def rows(answer: Answer) -> Iterator[dict[str, Any]]:
    """Flat rows with the same columns for every kind of answer."""
    if answer.question.kind == QUANTILES:
        for quantile in answer.quantiles:
            yield _flat(answer, f"quantile {quantile.p:g}", quantile.value, quantile.interval, answer.total)
        return
    if answer.question.kind != TABLE:
        yield _flat(answer, "", answer.total.estimate, answer.total.interval, answer.total)
    for row in answer.rows:
        yield _flat(answer, group_label(answer.question, row.key), row.estimate, row.interval, row)


def _flat(answer: Answer, group: str, estimate: float | None, interval: Interval, row: Row) -> dict[str, Any]:
    return {
        "name": answer.question.name,
        "kind": answer.question.kind,
        "question": answer.question.text,
        "given": answer.question.given.text if answer.question.given else None,
        "per": answer.question.per,
        "group": group,
        "estimate": estimate,
        "low": interval.low,
        "high": interval.high,
        "level": answer.each if answer.rows and group else answer.question.level,
        "method": interval.method,
        "hits": row.hits,
        "eligible": row.eligible,
        "games": answer.games,
        "stopped": answer.stopped,
        "game": answer.scenario.game,
        "rules_hash": answer.scenario.rules_hash,
        "policies": [str(policy) for policy in answer.scenario.policies],
        "predeal": answer.scenario.predealt or None,
        "seed": answer.scenario.seed,
        "identity": answer.scenario.identity,
    }


def _styled(line: str) -> list[Part]:
    """A line of an answer: the estimate is bold, what is below the numbers dim."""
    if estimate := _ESTIMATE.match(line):
        return [(BOLD, estimate[1]), (PLAIN, line[estimate.end(1) :])]
    return [(DIM if line.startswith(_FOOT) else PLAIN, line)]


def paragraph(answer: Answer) -> Iterator[str]:
    """The lines of an answer for people."""
    question = answer.question
    given = f"  given  {question.given.text}" if question.given else ""
    name = "" if question.name == "question" else f"{question.name}: "
    yield f"{name}{_asked(answer)}{given}"
    if question.kind in (PROPORTION, MEAN):
        yield f"  {_number(answer, answer.total.estimate)}   {_limits(answer, answer.total.interval, question.level)}"
    yield from _groups(answer)
    yield from _quantiles(answer)
    yield f"  {_counts(answer)}; stopped by {answer.stopped.replace('_', ' ')}"
    yield from _remarks(answer)
    if answer.scenario.predeal:
        yield f"  predealt: {predeal.for_people(answer.scenario)}"
    yield f"  {_provenance(answer)}"
    if answer.examples:
        yield f"  for example in games {', '.join(map(str, answer.examples))} (see them with simcli show)"
    if answer.reproduce:
        yield f"  again: {answer.reproduce}"


def _asked(answer: Answer) -> str:
    question = answer.question
    kind = {PROPORTION: "share of", MEAN: "mean of", QUANTILES: "quantiles of", TABLE: "shares by"}[question.kind]
    unit = "seats" if question.per == "seat" else "rounds"
    if question.kind == PROPORTION:
        return f"{kind} {unit} with  {question.text}"
    return f"{kind}  {question.text}  over {unit}"


def _number(answer: Answer, value: float | None) -> str:
    if value is None:
        return "unknown"
    return percent(value) if answer.question.kind in (PROPORTION, TABLE) else figure(value)


def _limits(answer: Answer, interval: Interval, level: float) -> str:
    low, high = (_number(answer, limit) for limit in (interval.low, interval.high))
    return f"[{low}, {high}]  {100 * level:.6g}%, {interval.method}"


def _in_style(answer: Answer, style: Styled) -> str:
    low, high = (_number(answer, limit) for limit in (style.row.interval.low, style.row.interval.high))
    return f"as {style.name} {_number(answer, style.row.estimate)} [{low}, {high}]"


def _groups(answer: Answer) -> Iterator[str]:
    if not answer.rows:
        return
    keys = [group_label(answer.question, row.key) for row in answer.rows]
    width = max(map(len, keys))
    for key, row in zip(keys, answer.rows, strict=True):
        low, high = (_number(answer, limit) for limit in (row.interval.low, row.interval.high))
        of = f"{row.hits:,} of {row.eligible:,}" if row.hits is not None else f"{row.eligible:,}"
        yield f"    {key:<{width}}  {_number(answer, row.estimate):>10}  [{low}, {high}]  {of}"
    level = f"{100 * answer.question.level:.6g}%"
    yield f"    (these intervals hold jointly at {level}: each at {100 * answer.each:.6g}%)"


def _quantiles(answer: Answer) -> Iterator[str]:
    for quantile in answer.quantiles:
        interval = f"[{text_of(quantile.interval.low)}, {text_of(quantile.interval.high)}]"
        yield f"    {100 * quantile.p:g}%: {text_of(quantile.value)}  {interval}"
    most = max((bar.count for bar in answer.histogram), default=1)
    for bar in answer.histogram:
        label = text_of(bar.low) if bar.low == bar.high else f"{text_of(bar.low)} to {text_of(bar.high)}"
        yield f"    {label:>16}  {'█' * round(_BAR * bar.count / most):<{_BAR}}  {bar.count:,}"


def _counts(answer: Answer) -> str:
    total = answer.total
    unit = "seats" if answer.question.per == "seat" else "rounds"
    what = f"{total.hits:,} of {total.eligible:,} {unit}" if total.hits is not None else f"{total.eligible:,} {unit}"
    return f"{what} in {answer.games:,} games"


def _remarks(answer: Answer) -> Iterator[str]:
    if answer.decision is not None:
        yield f"  decision: {answer.decision}"
    if answer.exact is not None:
        yield f"  exactly {percent(answer.exact.p)} ({answer.exact.favourable} of {answer.exact.total})"
    if answer.expected is not None:
        yield f"  {'as expected' if answer.expected else 'NOT as expected'}: {_expectation(answer)}"
    if answer.styles:
        yield f"  depends on the players: {', '.join(_in_style(answer, style) for style in answer.styles)}"
    for name, value in answer.unfinished.items():
        yield f"  {percent(value)} of rounds ended as {name}"
    for warning in answer.warnings:
        yield f"  warning: {warning}"


def _expectation(answer: Answer) -> str:
    expect = answer.question.expect
    assert expect is not None
    if expect.between is not None:
        return f"between {expect.between[0]:g} and {expect.between[1]:g}"
    value = "the exact value" if expect.exact else f"{expect.value:g}"
    off = f"; {answer.deviation:+.2f} sigma off" if answer.deviation is not None else ""
    return f"{value} within {expect.sigma:g} sigma{off}"


def _provenance(answer: Answer) -> str:
    scenario = answer.scenario
    players = players_in_words(scenario)
    return f"{scenario.game}, rules {scenario.rules_hash}, players {players}, seed {scenario.seed}"


def players_in_words(scenario: Scenario) -> str:
    """Who plays: `4 x expert`, or a name for each seat."""
    names = [str(policy) for policy in scenario.policies]
    return f"{len(names)} x {names[0]}" if len(set(names)) == 1 else ", ".join(names)


# Variants side by side


def print_variants(found: Sequence[tuple[Variant, Sequence[Answer]]], output: Output, again: str) -> None:
    """A row for each question and variant, the one that moves the answer most first after the base.

    `again` is the command that gives them all.
    """
    by_question = [[(variant, each[number]) for variant, each in found] for number in range(len(found[0][1]))]
    if output is Output.json:
        print_document(
            "rows", [{"variant": variant.label, **answer.describe()} for variant, answer in chain(*by_question)]
        )
    elif output is not Output.table:
        print_rows([row for answers in by_question for row in _compared(answers)], output)
    else:
        for answers in by_question:
            kind = answers[0][1].question.kind
            print_rows([_for_people(row, kind) for row in _compared(answers)], output, _title(answers[0][1]))
        base, first = found[0]
        if base.scenario.predeal:
            print(f"predealt: {predeal.for_people(base.scenario)}")
        print(f"{_provenance(first[0])} ({base.label})\nagain: {again}")


def _title(answer: Answer) -> str:
    given = f" given {answer.question.given.text}" if answer.question.given else ""
    return f"{answer.question.kind} of {answer.question.text}{given}"


def _compared(answers: Sequence[tuple[Variant, Answer]]) -> list[dict[str, Any]]:
    base = answers[0][1].total
    moved = list(answers[1:])
    if answers[0][0].label == BASE:
        moved.sort(key=lambda pair: -abs(_change(base, pair[1].total) or 0))
    return [_beside(base, variant, answer) for variant, answer in [answers[0], *moved]]


def _beside(base: Row, variant: Variant, answer: Answer) -> dict[str, Any]:
    total = answer.total
    return {
        "question": answer.question.text,
        "variant": variant.label,
        "estimate": total.estimate,
        "low": total.interval.low,
        "high": total.interval.high,
        "change": _change(base, total),
        "hits": total.hits,
        "eligible": total.eligible,
        "games": answer.games,
        "stopped": answer.stopped,
        "level": answer.question.level,
        "rules_hash": variant.scenario.rules_hash,
        "policies": [str(policy) for policy in variant.scenario.policies],
        "predeal": variant.scenario.predealt or None,
        "seed": variant.scenario.seed,
    }


def _change(base: Row, row: Row) -> float | None:
    """The difference of two estimates, unless it is the rounding of floating-point numbers."""
    if base.estimate is None or row.estimate is None:
        return None
    found = row.estimate - base.estimate
    scale = max(abs(base.estimate), abs(row.estimate), min(base.interval.half_width, row.interval.half_width))
    return 0.0 if abs(found) <= _ROUNDING * scale else found


def _for_people(row: dict[str, Any], kind: str) -> dict[str, Any]:
    number = percent if kind == PROPORTION else text_of
    shown = {name: None if row[name] is None else number(row[name]) for name in ("estimate", "low", "high")}
    change = row["change"]
    if change is not None:
        sign = "-" if change < 0 else "+"
        shown["change"] = _points(change) if kind == PROPORTION else f"{sign}{text_of(abs(change))}"
    return {name: row[name] for name in _SHOWN} | shown
