"""Transcripts of every game: written and read back, and files that no honest program wrote."""

import io
import json
from collections.abc import Iterator

import pytest

from kernels.referee.base import GIVEN_UP
from kernels.registry import GAMES, Game
from simcli.play.simulate import Table
from simcli.transcript import replay, write
from tests.games import scenario
from tests.transcripts import lines_of

MATCHES = 2
MOST_CUTS = 20
FIRST = next(iter(GAMES))
UNFINISHED = "stops before the round is over"


def written(name: str, legal: bool, policy: str = "random") -> Iterator[str]:
    return map(write.json_line, lines_of(scenario(name, policy), range(MATCHES), legal))


def findings(name: str, data: bytes) -> replay.Findings:
    """The findings of a file, as a counter that has seen it all; `found` holds them."""
    game, rules = Game(name), Table(scenario(name)).rules
    counter = replay.Findings(lambda _, partial: game.transcript.Referee(game, rules, partial), False)
    counter.found = list(counter.check(io.BytesIO(data)))  # type: ignore[attr-defined]
    return counter


@pytest.mark.parametrize("legal", [True, False])
@pytest.mark.parametrize("name", sorted(GAMES))
def test_what_is_written_reads_clean(name, legal):
    lines = list(written(name, legal))
    counter = findings(name, "\n".join(lines).encode())
    assert counter.found == []
    assert (counter.rounds, counter.events) == (sum('"e":"deal"' in line for line in lines), len(lines))
    assert any('"legal":' in line for line in lines) == legal


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_missing_line_is_found(name):
    lines = list(written(name, legal=True))
    ends = [number for number, line in enumerate(lines) if '"e":"deal"' in line]
    lines = lines[: ends[1]]
    for gone in range(1, min(MOST_CUTS, len(lines) - 1)):
        rest = lines[:gone] + lines[gone + 1 :]
        found = findings(name, "\n".join(rest).encode()).found
        assert [finding for finding in found if UNFINISHED not in finding.message], lines[gone]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_game_whose_deal_is_missing_is_named_once(name):
    lines = list(written(name, legal=True))
    second = [number for number, line in enumerate(lines) if '"e":"deal"' in line][1]
    assert [
        finding.line for finding in findings(name, "\n".join(lines[:second] + lines[second + 1 :]).encode()).found
    ] == [second + 1]
    assert [finding.line for finding in findings(name, "\n".join(lines[1:second]).encode()).found] == [1]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_round_after_one_that_cannot_be_followed_is_checked(name):
    lines = list(written(name, legal=True))
    second = [number for number, line in enumerate(lines) if '"e":"deal"' in line][1]
    broken = [line for number, line in enumerate(lines[:second]) if number % 3 != 1]
    found = findings(name, "\n".join(broken + lines[second:]).encode()).found
    assert found
    assert sum(GIVEN_UP in finding.message for finding in found) <= 1
    assert max(finding.line for finding in found) <= len(broken) + 1
    wrong = [*broken, *lines[second:-1], lines[-1].replace('"e":"end"', '"e":"no such event"')]
    assert findings(name, "\n".join(wrong).encode()).found[len(found) :]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_an_unknown_field_is_named_once_and_hides_nothing(name):
    events = [json.loads(line) | {"note": 1} for line in written(name, legal=True)]
    assert [finding.line for finding in findings(name, _joined(events)).found] == [1]
    place = next(number for number, event in enumerate(events) if "legal" in event)
    events[place]["legal"] += 1
    assert [finding.line for finding in findings(name, _joined(events)).found] == [1, place + 1]


def _joined(events) -> bytes:
    return "\n".join(map(json.dumps, events)).encode()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_people_can_read_every_event(name):
    table = Table(scenario(name))
    for step in write.steps(Game(name), table, 0):
        assert isinstance(Game(name).transcript.describe(table.rules, step.before, step.event), str)


BAD_LINES = {
    b"not json": "not JSON: expecting value at column 1",
    b'{"e":"turn"': "not JSON: ",
    b"[1,2]": "not an event: an object {...} is needed",
    b"\xff\xfe": "not UTF-8 text",
    b'{"e":"turn","e":"turn"}': "not an event: the field 'e' is there twice",
    b'{"e":NaN}': "not an event: NaN is no value",
    b'{"e":' + b"9" * 5000 + b"}": "not an event: ",
    b'{"e":' + b"[" * 100_000 + b"]" * 100_000 + b"}": "nested too deeply",
    b'{"e":"turn","p":0}': "no `deal` before this line",
    b'{"e":"deal","game":"redox"': "not JSON: ",
    b"x" * (replay.MAX_LINE + 1): "the line is longer than 1_000_000 bytes",
}


@pytest.mark.parametrize("line", BAD_LINES, ids=range(len(BAD_LINES)))
def test_bad_lines_are_findings(line):
    name = FIRST
    counter = findings(name, line + b"\n")
    assert len(counter.found) == 1
    assert BAD_LINES[line] in counter.found[0].message
    assert counter.found[0].line == 1
    assert "\n" not in counter.found[0].message


def test_lines_after_a_bad_one_are_still_checked():
    name = FIRST
    lines = list(written(name, legal=True))
    lines.insert(1, "nonsense")
    assert [finding.line for finding in findings(name, "\n".join(lines).encode()).found] == [2]


def test_an_empty_file_is_a_finding():
    assert findings(FIRST, b"").violations == 1
    assert findings(FIRST, b"\n\n").violations == 1


WRONG = (None, -1, 10**30, "?", [["?"]], {}, True, 1.5)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_any_other_value_in_the_first_lines_is_found(name):
    lines = list(written(name, legal=True))[:6]
    for number, line in enumerate(lines):
        event = json.loads(line)
        for key, value in ((key, value) for key in event for value in WRONG if value != event[key]):
            bad = [*lines[:number], json.dumps({**event, key: value}), *lines[number + 1 :]]
            found = findings(name, "\n".join(bad).encode()).found
            assert [finding for finding in found if UNFINISHED not in finding.message], (number, key, value)
            assert not [finding for finding in found if replay.MAKES_NO_SENSE in finding.message], found
