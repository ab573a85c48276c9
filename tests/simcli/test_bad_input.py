"""The catalogue of bad input: whatever is wrong, one clear line and the exit code of the contract; nothing is written.

Every entry is a whole command line. Configs and transcripts stand in files of their own; `{}` in an argument is the
folder that they are in.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from simcli import app
from tests.simcli.toyruns import flip, make

USAGE, VIOLATION = 2, 5
GOOD = "game: toy\ngames: 100\n"

# Configs: bytes or text, and a piece of the answer

CONFIGS: dict[str, tuple[str | bytes, str]] = {
    "anchor": ("game: toy\nrules: &a {players: 3}\n", "anchor"),
    "alias": ("game: &g toy\nname: *g\n", "anchor"),
    "tag": ("game: !!python/object/apply:os.system ['true']\n", "tag"),
    "own tag": ("game: !toy toy\n", "tag"),
    "merge key": ("game: toy\nrules: {<<: {players: 3}}\n", "<<"),
    "duplicate key": ("game: toy\ngames: 1\ngames: 2\n", "bad.yaml:3:1 games: duplicate key"),
    "two documents": ("game: toy\n---\ngame: toy\n", "document"),
    "deep nesting": ("game: toy\nrules: " + "[" * 5000 + "]" * 5000, "deep"),
    "deep maps": ("game: toy\nrules: " + "{a: " * 500 + "1" + "}" * 500, "deep"),
    "huge file": (b"# " + b"x" * 3_000_000 + b"\ngame: toy\n", "large"),
    "20,000 keys": (
        "game: toy\n" + "".join(f"k{i}: 1\n" for i in range(19_000)),
        "bad.yaml:2500:8 k2498: too many keys and values; at most 5_000",
    ),
    "a rule of 500 levels": ("game: toy\nrules: {" + "a." * 500 + "a: 1}\n", "nested too deeply; at most 12 levels"),
    "a long list": ("game: toy\nname: [" + "1," * 90_000 + "]\n", "name.4995: too many keys and values"),
    "NUL": (b"game: toy\0\n", "bad.yaml"),
    "not UTF-8": (b"game: toy\nname: caf\xe9\n", "UTF-8"),
    "UTF-16": ("game: toy\n".encode("utf-16"), "bad.yaml"),
    "surrogate": ('game: "\\ud800"\n', "bad.yaml"),
    "surrogate bytes": (b"game: toy\nname: \xed\xa0\x80\n", "UTF-8"),
    "control character": ("game: toy\nname: \x07\n", "bad.yaml"),
    "date": ("game: toy\nseed: 2020-01-01\n", "bad.yaml:2:7 seed: 2020-01-01 is not allowed"),
    "nothing for a number": ("game: toy\nseed:\n", "bad.yaml:2:1 seed: nothing is not allowed"),
    "sexagesimal": ("game: toy\ngames: 1:30\n", "without colons"),
    "boolean for a number": ("game: toy\ngames: on\n", "truth value"),
    "NaN": ("game: toy\nseed: .nan\n", "seed: .nan is not allowed"),
    "infinity": ("game: toy\ngames: .inf\n", "games: .inf is not allowed"),
    "5,000 digits": ("game: toy\nseed: " + "9" * 5000, "5000 digits"),
    "exponent": ("game: toy\nseed: 1e6\n", "write 1_000_000"),
    "leading zero": ("game: toy\ngames: 010\n", "write 10"),
    "quoted number": ("game: toy\ngames: '10'\n", "without quotes"),
    "unknown key": ("game: toy\ngmaes: 3\n", "did you mean games"),
    "unknown rule": ("game: toy\nrules: {player: 3}\n", "did you mean players"),
    "unknown game": ("game: bridge\n", "game: bridge is not allowed"),
    "unknown policy": ("game: toy\npolicies: expret\n", "did you mean expert"),
    "unknown parameter": ("game: toy\npolicies: {name: expert, params: {corage: 1}}\n", "did you mean courage"),
    "parameter out of range": ("game: toy\npolicies: {name: expert, params: {courage: 2}}\n", "0 to 1"),
    "too few policies": ("game: toy\nrules: {players: 3}\npolicies: [random, random]\n", "2 policies for 3 seats"),
    "unknown shuffle": ("game: toy\nshuffle: rifle\n", "shuffle: rifle is not allowed"),
    "shuffle without passes": ("game: toy\nshuffle: riffle\n", "riffle"),
    "map for a number": ("game: toy\ngames: {a: 1}\n", "a map is not allowed"),
    "key that is no text": ("game: toy\n[1]: 2\n", "bad.yaml:2"),
    "key that is nothing": ("game: toy\n~: 2\n", "bad.yaml:2"),
    "name with a path": ("game: toy\nname: ../elsewhere\n", "not a name for a run"),
    "absolute name": ("game: toy\nname: /etc\n", "not a name for a run"),
    "name with a control character": ('game: toy\nname: "a\\nb"\n', "not a name for a run"),
    "name with a leading dash": ("game: toy\nname: -rf\n", "not a name for a run"),
    "name with glob characters": ("game: toy\nname: 'a*b'\n", "not a name for a run"),
    "empty name": ("game: toy\nname: ''\n", "not a name for a run"),
    "hidden name": ("game: toy\nname: .ssh\n", "not a name for a run"),
    "name of 300 letters": ("game: toy\nname: " + "n" * 300, "not a name for a run"),
    "tab": ("game: toy\nrules:\n\tplayers: 3\n", "bad.yaml:3"),
    "open bracket": ("game: toy\nrules: {players: 3\n", "bad.yaml"),
    "empty": ("", "empty"),
    "only a comment": ("# nothing\n", "empty"),
    "a list": ("- game: toy\n", "a list is not allowed"),
    "a word": ("toy\n", "toy is not allowed"),
    "impossible question": ("game: toy\nquestions: {q: {given: winner = 0}}\n", "nothing is asked"),
    "unknown column in a question": ("game: toy\nquestions: {q: {event: winer = 0}}\n", "did you mean winner"),
    "number for an event": ("game: toy\nquestions: {q: {event: winner}}\n", "questions.q.event"),
    "unknown key of a question": ("game: toy\nquestions: {q: {evnt: winner = 0}}\n", "did you mean event"),
}


@pytest.fixture
def folder(tmp_path: Path, toy: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a good config."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.yaml").write_text(GOOD)
    return tmp_path


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def judge(capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], code: int, answer: str) -> None:
    """One line on stderr that contains the answer, the exit code, and not a file more or less."""
    before = contents(folder)
    found = app.run([argument.replace("{}", str(folder)) for argument in arguments])
    captured = capsys.readouterr()
    assert (found, captured.out) == (code, ""), captured.err
    assert captured.err.count("\n") == 1, captured.err
    assert answer in captured.err
    assert len(captured.err) < 1200
    assert captured.err.rstrip("\n").isprintable()
    assert contents(folder) == before


@pytest.mark.parametrize("name", CONFIGS)
def test_configs(capsys: pytest.CaptureFixture[str], folder: Path, name: str) -> None:
    content, answer = CONFIGS[name]
    (folder / "bad.yaml").write_bytes(content if isinstance(content, bytes) else content.encode())
    judge(capsys, folder, ["run", "bad.yaml"], USAGE, answer)


COMMANDS: list[tuple[list[str], str]] = [
    (["run", "good.yaml", "-n", "0"], "-n 0: 0 is not allowed"),
    (["run", "good.yaml", "-n", "-1"], "-n -1"),
    (["run", "good.yaml", "-n", "2.5"], "-n 2.5: 2.5 is not allowed"),
    (["run", "good.yaml", "-n", "9223372036854775808"], "is not allowed"),
    (["run", "good.yaml", "-s", "seed=1e6"], "write 1_000_000"),
    (["run", "good.yaml", "-n", ""], "-n"),
    (["run", "good.yaml", "-n", "9" * 5000], "5000 digits"),
    (["run", "good.yaml", "--seed", "18446744073709551616"], "--seed 18446744073709551616"),
    (["run", "good.yaml", "--seed", "-1"], "--seed -1"),
    (["run", "good.yaml", "--seed", "lucky"], "--seed lucky"),
    (["run", "good.yaml", "--shard", "4/4"], "shards are numbered from 0 to 3"),
    (["run", "good.yaml", "--shard", "9/4"], "shards are numbered from 0 to 3"),
    (["run", "good.yaml", "--shard", "0/0"], "is not a shard"),
    (["run", "good.yaml", "--shard", "-1/4"], "is not a shard"),
    (["run", "good.yaml", "--shard", "one/two"], "is not a shard"),
    (["run", "good.yaml", "-j", "0"], "-j 0: 0 is not allowed"),
    (["run", "good.yaml", "-j", "1000000"], "-j 1000000"),
    (["run", "good.yaml", "--engine", "spark"], "one of threads, dask"),
    (["run", "good.yaml", "--scheduler", "tcp://127.0.0.1:1"], "goes with --engine dask"),
    (["run", "good.yaml", "-o", "xml"], "one of table"),
    (["run", "good.yaml", "-s", "rules.players"], "not KEY=VALUE"),
    (["run", "good.yaml", "-s", "players=3"], "write rules.players"),
    (["run", "good.yaml", "-s", "rules.players=9"], "9 is not allowed"),
    (["run", "good.yaml", "-s", "rules.playrs=3"], "did you mean players"),
    (["run", "good.yaml", "-s", "name=../x"], "not a name for a run"),
    (["run", "good.yaml", "-s", "a." * 3000 + "a=1"], "nested too deeply; at most 12 levels"),
    (["run", "good.yaml", *["-s", "games=5"] * 201], "--set: 201 changes; at most 200"),
    (["run", "good.yaml", "--nope"], "No such option: --nope"),
    (["run"], "Missing argument"),
    (["run", "good.yaml", "more.yaml"], "more.yaml"),
    (["run", "missing.yaml"], "no such file or config"),
    (["run", "mis\x1b[31msing.yaml"], "no such file or config"),
    (["run", "mis\x00sing.yaml"], "mis"),
    (["run", "n" * 5000], "nnn"),
    (["run", "{}"], "is a folder"),
    (["run", "/dev/zero"], "/dev/zero: is a device; a file or a pipe is needed"),
    (["hand", "redten", "--file", "/dev/zero"], "/dev/zero: is a device; a file or a pipe is needed"),
    (["replay", "/dev/zero"], "/dev/zero: is a device; a file or a pipe is needed"),
    (["hand", "redten", "As " * 100_000], "CARDS: 300_000 characters are no hand; at most 2_000"),
    (["run", ""], "no such file or config"),
    (["run", "good.yaml", "--results", "good.yaml"], "good.yaml"),
    (["run", "good.yaml", "--results", "good.yaml/r"], "good.yaml"),
    (["run", "good.yaml", "--results", "/proc/none"], "/proc/none"),
    (["run", "good.yaml", "--results", "/dev/full"], "/dev/full"),
    (["run", "good.yaml", "--results", "a\x00b"], "null"),
    (["run", "good.yaml", "--results", "r" * 300], "too long"),
    (["ask", "good.yaml", "winer = 0", "--keep", "--results", "{}"], "did you mean winner"),
    (["compare", "good.yaml", "expert", "greedy", "winer = 0"], "did you mean winner"),
    (["sweep", "good.yaml", "winer = 0", "-p", "rules.players=2,3"], "did you mean winner"),
    (["plan", "good.yaml", "winer = 0", "--precision", "1pp"], "did you mean winner"),
    (["resume", "{}"], "is not a run's folder"),
    (["resume", "missing"], "is not a run's folder"),
    (["resume", "good.yaml"], "good.yaml"),
    (["resume", "a\x00b"], "null"),
    (["verify", "{}"], "is not a run's folder"),
    (["verify", "missing", "--parts", "some"], "--parts some"),
    (["merge", "{}"], "is not a run's folder"),
    (["merge", "missing"], "is not a run's folder"),
    (["merge"], "Missing argument"),
    (["show", "good.yaml", "--game", "-1"], "--game -1"),
    (["show", "good.yaml", "--games", "5:3"], "--games 5:3"),
    (["show", "good.yaml", "--game", "99999999999999999999"], "is not allowed"),
    (["rules", "show", "bridge"], "game 'bridge' does not exist"),
    (["hand", "bridge", "As"], "bridge"),
    (["hand", "redten", "As ZZ"], "ZZ"),
    (["replay", "missing.jsonl"], "no such file"),
    (["replay", "{}"], "is a directory"),
    (["compare", "good.yaml", "expert"], "Missing argument"),
    (["compare", "good.yaml", "expert", "expret"], "expret"),
    (["compare", "good.yaml", "rules.players=9", "expert"], "9"),
    (["sweep", "good.yaml"], "-p"),
    (["sweep", "good.yaml", "-p", "rules.players"], "rules.players"),
    (["sweep", "good.yaml", "-p", "rules.players=9"], "9"),
    (["sweep", "good.yaml", "-p", "rules.playrs=2,3"], "playrs"),
    (["query", "{}", "SELECT 1"], "is not a run's folder"),
    (["query", "missing", "SELECT 1"], "missing"),
    (["exact", "bridge", "slam"], "bridge"),
    (["exact", "redten", "royal_flush"], "royal_flush"),
    (["frobnicate"], "command 'frobnicate' does not exist"),
]


@pytest.mark.parametrize(("arguments", "answer"), COMMANDS, ids=lambda value: " ".join(value)[:60])
def test_command_lines(capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], answer: str) -> None:
    judge(capsys, folder, arguments, USAGE, answer)


QUESTIONS = {
    "read_csv('/etc/passwd') = 1": "READCSV",
    "(SELECT 1) = 1": "",
    "winner IN (SELECT game FROM rounds)": "",
    "EXISTS (SELECT 1)": "",
    "winner = 0; DROP TABLE rounds": "",
    "winner = 0 -- and more": "comment",
    "winner = 0 /* and more */": "comment",
    "winer = 0": "did you mean winner",
    "winner": "",
    "winner + 1": "",
    "'text'": "",
    '"winner" = 0': "double quotes",
    "winner = 'red'": "",
    "outcome = 'wun'": "did you mean won",
    "winner =": "",
    "winner = 'open": "",
    "": "",
    "NULL": "",
    "*": "",
    "winner = 0 OVER ()": "",
    "SUM(winner) > 1": "",
    "winner = @x": "",
    "winner = :x": "",
    "winner = $1": "",
    "rounds.winner = 0": "",
    "CAST(winner AS BLOB) = 1": "",
    "winner LIKE 'a'": "",
    "pragma_version() = 1": "",
    "winner = " + "9" * 5000: "",
    " OR ".join(["winner = 0"] * 20_000): "",
    "(" * 2000 + "winner = 0" + ")" * 2000: "",
    "repeat('x', 1000000000) = 'x'": "REPEAT",
    "lpad('x', 1000000000, 'y') = 'x'": "PAD",
    "winner = 0 \x00": "",
    "winner = 0\nAND \x1b[31m": "",
    "\ud800 = 1": "",
    "x" * 100_000: "",
    "COPY rounds TO '/tmp/x'": "",
    "winner = 1/0 OR": "",
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda value: ascii(value[:40]))
def test_questions(capsys: pytest.CaptureFixture[str], folder: Path, question: str) -> None:
    judge(capsys, folder, ["ask", "good.yaml", question], USAGE, QUESTIONS[question])


DEAL = {
    "e": "deal",
    "game": "redox",
    "round": 1,
    "leader": 0,
    "dir": 1,
    "hands": [["As"] * 15, ["2s"] * 15, ["3s"] * 15, ["4s"] * 15],
    "face": "Js",
    "stock": ["Ac"],
}


def deal(**changes: object) -> str:
    return json.dumps(DEAL | changes) + "\n"


TRANSCRIPTS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", ":1: "),
    "not JSON": ("deal\n", ":1: "),
    "truncated line": (deal()[:100], ":1: "),
    "a list": ("[]\n", ":1: "),
    "a number": ("7\n", ":1: "),
    "NaN": (deal().replace('"round": 1', '"round": NaN'), ":1: "),
    "huge number": (deal().replace('"round": 1', '"round": ' + "9" * 5000), ":1: "),
    "duplicate cards": (deal(), ":1: "),
    "wrong hand sizes": (deal(hands=[["As"], ["2s"], ["3s"], ["4s"]]), ":1: "),
    "hands that are none": (deal(hands=7), ":1: "),
    "cards that are none": (deal(hands=[["ZZ"] * 15] * 4), ":1: "),
    "unknown game": (deal(game="bridge"), ":1: "),
    "no game": (deal(game=None), ":1: "),
    "future version": (deal(version=99), ":1: "),
    "leader out of range": (deal(leader=9), ":1: "),
    "turn before any deal": ('{"e":"turn","p":0,"a":"discard","card":"As","from":"stock"}\n', ":1: "),
    "unknown event": ('{"e":"cheat"}\n', ":1: "),
    "no event": ("{}\n", ":1: "),
    "NUL": (b"\0\0\0\n", ":1: "),
    "not UTF-8": (b"\xff\xfe{}\n", ":1: "),
    "surrogate": ('{"e":"\\ud800"}\n', ":1: "),
    "deep nesting": ("[" * 100_000 + "\n", ":1: "),
    "gigantic line": (b'{"e":"deal","x":"' + b"y" * 2_000_000 + b'"}\n', ":1: "),
    "duplicate keys": ('{"e":"deal","e":"turn"}\n', ":1: "),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts(capsys: pytest.CaptureFixture[str], folder: Path, name: str) -> None:
    """Findings are the answer: they go to stdout, a line each, the last line counts them, and the exit code is 5."""
    content, answer = TRANSCRIPTS[name]
    path = folder / "bad.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    code = app.run(["replay", str(path)])
    captured = capsys.readouterr()
    assert code == VIOLATION, captured.err
    lines = captured.out.splitlines()
    assert lines[-1].endswith("violations")
    assert lines[0].startswith(f"{path}{answer}")
    assert all(line.isprintable() and len(line) < 1200 for line in lines)
    assert captured.err == ""


QUERIES = {
    "": "SQL",
    "SELEC 1": "SQL",
    "SELECT": "SQL",
    "SELECT * FROM read_csv('/etc/passwd')": "SQL",
    "SELECT * FROM read_parquet('/etc/passwd')": "SQL",
    "SELECT * FROM '/etc/passwd'": "SQL",
    'SELECT * FROM "/etc/passwd"': "SQL",
    "SELECT 1; SELECT 2": "SQL",
    "SELECT * FROM nothing": "nothing",
    "SELECT nope FROM rounds": "nope",
    "SELECT winner FROM rounds WHERE winner = (SELECT read_csv('/etc/passwd'))": "SQL",
    "SELECT repeat('x', 1000000000) FROM rounds": "SQL",
    "SELECT lpad('x', 1000000000, 'y') FROM rounds": "SQL",
    "DROP TABLE rounds": "SQL",
    "CREATE TABLE x AS SELECT 1": "SQL",
    "INSERT INTO rounds VALUES (1)": "SQL",
    "DELETE FROM rounds": "SQL",
    "UPDATE rounds SET winner = 1": "SQL",
    "COPY rounds TO '/tmp/x.csv'": "SQL",
    "ATTACH 'x' AS y": "SQL",
    "PRAGMA table_info(rounds)": "SQL",
    "SET x = 1": "SQL",
    "WITH RECURSIVE t AS (SELECT 1 UNION ALL SELECT 1 FROM t) SELECT * FROM t": "SQL",
    "SELECT '\ud800' FROM rounds": "SQL",
    "SELECT \x00 FROM rounds": "SQL",
    "SELECT " + "(" * 3000 + "1" + ")" * 3000: "SQL",
    "SELECT " + "9" * 5000: "SQL",
}


@pytest.mark.parametrize("sql", QUERIES, ids=lambda value: ascii(value[:40]))
def test_queries(capsys: pytest.CaptureFixture[str], folder: Path, sql: str) -> None:
    run = make(folder / "results", 1000)
    capsys.readouterr()
    judge(capsys, folder, ["query", str(run.path), sql], USAGE, QUERIES[sql])


def damaged(folder: Path) -> list[str]:
    run = make(folder / "results", 3000)
    flip(run.part_path(1), 4000)
    return ["merge", str(run.path), "--results", "elsewhere"]


def asked(folder: Path) -> list[str]:
    return ["ask", damaged(folder)[1], "winner = 0", "-q"]


def emptied(folder: Path) -> list[str]:
    run = make(folder / "results", 1000)
    (run.path / "run.json").write_text("")
    return ["resume", str(run.path)]


def linked(folder: Path) -> list[str]:
    run = make(folder / "results", 1000)
    os.rename(run.path, folder / "outside")
    run.path.symlink_to(folder / "outside")
    return ["run", "good.yaml", "--results", str(folder / "results"), "--seed", "7", "-s", "name=toy",
            "-s", "rules={players: 3, rounds: 2}", "-s", "policies=[greedy, random, expert]"]  # fmt: skip


def part_linked(folder: Path) -> list[str]:
    run = make(folder / "results", 1000)
    os.rename(run.part_path(0), folder / "outside.parquet")
    run.part_path(0).symlink_to(folder / "outside.parquet")
    return ["merge", str(run.path), "--results", "elsewhere"]


def occupied(folder: Path) -> list[str]:
    words = linked(folder)
    (link,) = (folder / "results").iterdir()
    link.unlink()
    link.write_text("a file")
    return words


RUNS: dict[str, tuple[Callable[[Path], list[str]], int, str]] = {
    "damaged part in merge": (damaged, VIOLATION, "000001.parquet: damaged"),
    "damaged part in ask": (asked, VIOLATION, "000001.parquet: damaged"),
    "empty run.json": (emptied, VIOLATION, "run.json: damaged"),
    "symbolic link out of the results folder": (linked, USAGE, "is a symbolic link"),
    "part that is a symbolic link": (part_linked, VIOLATION, "000000.parquet"),
    "a file where the run belongs": (occupied, USAGE, "is not a folder"),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs(capsys: pytest.CaptureFixture[str], folder: Path, name: str) -> None:
    prepare, code, answer = RUNS[name]
    arguments = prepare(folder)
    capsys.readouterr()
    judge(capsys, folder, [*arguments, "-q"], code, answer)


def test_the_catalogue_is_long_enough() -> None:
    assert len(CONFIGS) + len(COMMANDS) + len(QUESTIONS) + len(TRANSCRIPTS) + len(QUERIES) + len(RUNS) >= 180
