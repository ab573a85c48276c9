"""The same question under other players, or under each documented alternative of the rules, on the same deals."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from kernels.options import POLICIES, Option, RuleError, Value
from kernels.registry import Game
from simcli.ask.answers import Answer
from simcli.ask.questions import MEAN, SHARE, Question
from simcli.cli.options import Output
from simcli.cli.printing import print_json, print_rows, share, text_of
from simcli.config.loading import make_policy
from simcli.config.scenario import Scenario
from simcli.errors import UserError, unknown

BASE = "as given"


class Variant(NamedTuple):
    """A scenario, and in what it differs from the one given."""

    label: str
    scenario: Scenario
    sets: tuple[str, ...] = ()


def policies(scenario: Scenario, names: str) -> Iterator[Variant]:
    """The scenario with all seats played by each policy of a comma-separated list, or by `all` in turn."""
    options = Game(scenario.game).options
    wanted = list(POLICIES) if names == "all" else [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in POLICIES:
            raise UserError(f"--policies {names}", unknown("policy", name, ["all", *POLICIES]))
        players = (make_policy(options, name),) * scenario.players
        yield Variant(name, replace(scenario, policies=players), (f"policies={name}",))


def rules(scenario: Scenario) -> Iterator[Variant]:
    """The scenario as given, then with each documented alternative of each option, one at a time."""
    options = Game(scenario.game).options
    yield Variant(BASE, scenario)
    for option in options.OPTIONS:
        for value in alternatives(option):
            changed = _with_rule(scenario, option, value)
            if changed is not None:
                label = f"{option.key}={_text(value)}"
                yield Variant(label, changed, (f"rules.{label}",))


def alternatives(option: Option) -> Sequence[Value]:
    """Other values that players are known to use: those documented, else the other words, or the other truth."""
    if option.alternatives:
        return option.alternatives
    if isinstance(option.default, bool):
        return (not option.default,)
    return tuple(word for word in option.choices if word != option.default)


def _with_rule(scenario: Scenario, option: Option, value: Value) -> Scenario | None:
    """The scenario with one rule changed; None where that is what it has, or cannot be played."""
    if scenario.rules[option.key] == value:
        return None
    options = Game(scenario.game).options
    try:
        values = dict(options.check({**scenario.rules, option.key: value}))
    except RuleError:
        return None
    seats = options.players(values)
    players = tuple(scenario.policies[seat % scenario.players] for seat in range(seats))
    return replace(scenario, rules=values, policies=players)


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Printing


def print_variants(found: Sequence[tuple[Variant, Sequence[Answer]]], output: Output) -> None:
    """One table for each question: a row for each variant, the one that moves the answer most first after the base."""
    if output is Output.json:
        print_json([{"variant": variant.label, **answer.describe()} for variant, each in found for answer in each])
        return
    for number in range(len(found[0][1])):
        answers = [(variant, each[number]) for variant, each in found]
        rows = _rows(answers)
        if output is Output.table:
            kind = answers[0][1].question.kind
            print_rows([_for_people(row, kind) for row in rows], output, _title(answers[0][1]))
        else:
            print_rows([{"question": answers[0][1].question.text, **row} for row in rows], output)


def _title(answer: Answer) -> str:
    given = f" given {answer.question.given.text}" if answer.question.given else ""
    return f"{answer.question.kind} of {answer.question.text}{given}"


def _rows(answers: Sequence[tuple[Variant, Answer]]) -> list[dict[str, Any]]:
    base = answers[0][1].total.estimate
    moved = sorted(answers[1:], key=lambda pair: -abs((pair[1].total.estimate or 0) - (base or 0)))
    if answers[0][0].label != BASE:
        moved = list(answers[1:])
    return [_row(variant, answer, base) for variant, answer in [answers[0], *moved]]


def _row(variant: Variant, answer: Answer, base: float | None) -> dict[str, Any]:
    total = answer.total
    return {
        "variant": variant.label,
        "estimate": total.estimate,
        "low": total.interval.low,
        "high": total.interval.high,
        "change": None if base is None or total.estimate is None else total.estimate - base,
        "hits": total.hits,
        "eligible": total.eligible,
        "games": answer.games,
        "seed": variant.scenario.seed,
    }


def _for_people(row: dict[str, Any], kind: str) -> dict[str, Any]:
    number = share if kind == SHARE else text_of
    shown = {name: None if row[name] is None else number(row[name]) for name in ("estimate", "low", "high")}
    change = row["change"]
    return row | shown | {"change": None if change is None else f"{'-' if change < 0 else '+'}{number(abs(change))}"}


def check_kinds(questions: Sequence[Question]) -> None:
    """Refuse what has no single estimate to compare."""
    for question in questions:
        if question.kind not in (SHARE, MEAN):
            raise UserError("--policies, --vary", "compare shares and means, not quantiles or tables")
