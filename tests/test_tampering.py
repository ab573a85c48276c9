"""Whatever one line of a good transcript is changed to, a replay names it at or before the first line that it makes
impossible, and does not name much else."""

import random

import pytest

from kernels.registry import GAMES
from tests.games import scenario
from tests.tampering import as_file, cases, findings, first_named
from tests.transcripts import lines_of

SETTINGS = {
    "redox": {"players": 3, "decks": 1, "hand_size": 7, "jokers_per_deck": 0, "rounds": 2, "max_turns": 60},
    "dafuweng": {"players": 6, "rounds": 2},
    "erbaiwu": {"match__rounds": 2},
    "redten": {"rounds": 2},
}
"""Rules that make short matches with everything in them; a game without any plays by the default ones."""
SAMPLES = 10
CUTS = 30
MAX_MEAN, MAX_FINDINGS = 4, 30
"""Findings for one line tampered with: on average, and ever."""


@pytest.mark.parametrize("policy", ["random", "expert"])
@pytest.mark.parametrize("name", GAMES)
def test_one_line_tampered_with_is_named_by_the_first_line_it_makes_impossible(name, policy):
    chosen = scenario(name, policy, seed=41, **SETTINGS.get(name, {}))
    seen: dict[str, int] = {}
    for case, place in cases(chosen, 0, SAMPLES):
        assert first_named(chosen, case.lines) <= place, (case.what, case.lines[case.at], place)
        seen[case.what] = seen.get(case.what, 0) + 1
    assert set(seen) == {"changed", "duplicated", "left out", "of the wrong type", "swapped", "with another card"}


@pytest.mark.parametrize("name", GAMES)
def test_one_line_tampered_with_brings_few_findings(name):
    chosen = scenario(name, seed=42, **SETTINGS.get(name, {}))
    counts = [len(findings(chosen, as_file(case.lines))) for case, _ in cases(chosen, 1, SAMPLES)]
    assert sum(counts) / len(counts) <= MAX_MEAN
    assert max(counts) <= MAX_FINDINGS


def without_stock(lines):
    """The lines of somebody who does not know how the stock lies."""
    return [{key: [] if key in ("stock", "pile") else value for key, value in line.items()} for line in lines]


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_a_round_is_checked_although_the_stock_is_not_known(name):
    chosen = scenario(name, seed=44, **SETTINGS.get(name, {}))
    lines = without_stock(lines_of(chosen, [0]))
    assert findings(chosen, as_file(lines), partial=True) == []
    ends = [at for at, line in enumerate(lines) if line["e"] in ("score", "end")]
    for at in ends:
        for field, value in [(field, value) for field, value in lines[at].items() if field != "e"]:
            for other in others(value):
                wrong = [*lines[:at], lines[at] | {field: other}, *lines[at + 1 :]]
                found = findings(chosen, as_file(wrong), partial=True)
                assert found, (field, other)
                assert found[0].line == at + 1, (field, other, found)


def others(value):
    """Values that are of the same type and not the same."""
    if isinstance(value, int):
        yield value + 1
    elif isinstance(value, list) and value:
        yield value[1:]
        for at, part in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in others(part))
    elif isinstance(value, str):
        yield "6s" if value != "6s" else "6h"


@pytest.mark.parametrize("name", GAMES)
def test_a_file_cut_off_is_named_at_its_last_line(name):
    chosen = scenario(name, seed=43, **SETTINGS.get(name, {}))
    lines = lines_of(chosen, [0])
    data = as_file(lines)
    for cut in random.Random(1).sample(range(1, len(data) - 1), CUTS):
        part = data[:cut]
        if part.rsplit(b"\n", 1)[-1] not in (b"", *(line for line in data.split(b"\n") if b'"end"' in line)):
            found = findings(chosen, part)
            assert found
            assert {finding.line for finding in found} == {part.count(b"\n") + 1}
