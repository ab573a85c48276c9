"""Configs: what they mean, and one clear line for whatever is wrong with one."""

from pathlib import Path

import pytest

from kernels.registry import GAMES
from simcli.config.loading import MAX_SEED, find, from_plain, known_game, load
from simcli.config.reading import MAX_CONFIG_BYTES
from simcli.config.scenario import Scenario, Shuffle
from simcli.errors import UserError

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def write(tmp_path: Path):
    """Write a config; returns its path."""

    def _write(text: str | bytes, name: str = "c.yaml") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return _write


FULL = """\
game: toy
rules: {players: 4, rounds: 3}   # a comment
policies: [expert, random, {name: expert, params: {courage: 0}}, greedy]
shuffle: {riffle: 3}
games: 1_000
seed: 7
questions:
  early: {event: "winner = 0", by: outcome, per: round, expect: {p: 0.25 within 4 sigma}}
"""


def test_everything_is_read(write):
    scenario = load(write(FULL))
    assert scenario.rules == {"players": 4, "rounds": 3}
    assert [policy.name for policy in scenario.policies] == ["expert", "random", "expert", "greedy"]
    assert [dict(policy.params) for policy in scenario.policies] == [{"courage": 1}, {}, {"courage": 0}, {}]
    assert (scenario.shuffle, scenario.games, scenario.seed) == (Shuffle("riffle", 3), 1000, 7)
    assert scenario.questions["early"] == {
        "event": "winner = 0",
        "by": ["outcome"],
        "per": "round",
        "expect": {"p": "0.25 within 4 sigma"},
    }
    assert scenario.places["questions.early.event"].endswith("c.yaml:8:18 questions.early.event")


def test_unset_keys_take_defaults_and_the_seed_is_drawn(write):
    first, second = load(write("game: toy")), load(write("game: toy"))
    assert first.rules == {"players": 2, "rounds": 1}
    assert {policy.name for policy in first.policies} == {"expert"}
    assert first.seed != second.seed
    assert first.name == "c"


def test_a_value_that_an_option_replaces_must_be_one_nevertheless(write):
    config = write("game: toy\ngames: -4\nseed: 1e6")
    with pytest.raises(UserError, match="games: -4 is not allowed"):
        load(config, games="10", seed="1")
    with pytest.raises(UserError, match="seed: 1e6 is not allowed"):
        load(config, ["games=5"], seed="1")


def test_options_of_the_command_line_win(write):
    sets = ["rules.players=3", "policies=random", "policies.params={}"]
    scenario = load(write(FULL), sets, games="2_000", seed=str(MAX_SEED))
    assert (scenario.players, scenario.games, scenario.seed) == (3, 2000, MAX_SEED)
    assert {policy.name for policy in scenario.policies} == {"random"}
    assert load(write(FULL), ["policies.1=greedy"]).policies[1].name == "greedy"
    assert load(write("game: toy\npolicies: expert"), ["policies.params.courage=0"]).policies[0].params["courage"] == 0


def test_identity_ignores_the_number_of_games_and_names(write):
    def identity(*sets: str, name: str = "c.yaml") -> str:
        return load(write(FULL, name), sets).identity

    assert identity() == identity("games=5") == identity(name="d.yaml") == identity("questions={}")
    changed = [identity(s) for s in ("seed=8", "rules.rounds=2", "policies=random", "shuffle=uniform")]
    assert len({identity(), *changed}) == 5


def test_a_described_scenario_reads_back(write):
    scenario = load(write(FULL))
    described = {key: value for key, value in scenario.describe().items() if key != "versions"}
    again = from_plain(described, "run.json", "again")
    assert again.identity == scenario.identity


def refused(path: str, *sets: str, **options: str) -> str:
    """The one line that refuses a config, without its folder."""
    with pytest.raises(UserError) as caught:
        load(path, sets, **options)
    assert caught.value.code == 2
    line = str(caught.value)
    assert "\n" not in line
    return line.replace(str(Path(path).parent) + "/", "")


BAD_TEXTS = {
    "": "c.yaml: the file is empty; at least `game: NAME` is needed",
    "rules: {}": "c.yaml:1:1: `game: NAME` is missing; one of redox,",
    "[1]": "c.yaml:1:1: a list is not allowed; a map",
    "game: toyz": f"c.yaml:1:7 game: toyz is not allowed; one of {', '.join(GAMES)}, toy; did you mean t",
    "game: toy\nruls: {}": "c.yaml:2:1 ruls: unknown key; known keys: name, game, rules, policies, predeal, shuffle, "
    "games, seed, questions; did you mean rules",
    "game: toy\nrules: {player: 3}": "c.yaml:2:9 rules.player: unknown rule; known rules: players, rounds; "
    "did you mean players",
    "game: toy\nrules: {players: 5}": "c.yaml:2:18 rules.players: 5 is not allowed; a whole number from 2 to 4",
    "game: toy\nrules: {players: two}": "c.yaml:2:18 rules.players: two is not allowed; a whole number from 2 to 4",
    "game: toy\nrules: {players: [2]}": "c.yaml:2:18 rules.players: a list is not allowed; a whole",
    "game: toy\nrules: {players: {a: 2}}": "c.yaml:2:18 rules.players: a map is not allowed; a whole",
    "game: toy\nrules: {players: }": "c.yaml:2:17 rules.players: nothing is not allowed; a whole",
    "game: toy\nrules: {players: '3'}": "c.yaml:2:18 rules.players: '3' is not allowed; a whole number from 2 to 4; "
    "write it without quotes",
    "game: toy\nrules: {players: yes}": "; that is a truth value, not a number",
    "game: toy\nrules: {players: true}": "; that is a truth value, not a number",
    "game: toy\nrules: 3": "c.yaml:2:8 rules: 3 is not allowed; a map",
    "game: toy\nrules: {players: 2, players: 3}": "c.yaml:2:21 rules.players: duplicate key; first given on line 2",
    "game: toy\nseed: 1e6": "c.yaml:2:7 seed: 1e6 is not allowed; a whole number from 0 to 18446744073709551615; "
    "write 1_000_000",
    "game: toy\ngames: 1.0001k": "c.yaml:2:8 games: 1.0001k is not allowed; a whole number from 1 to 1000000000000",
    "game: toy\ngames: 1e13": "c.yaml:2:8 games: 10000000000000 is not allowed; a whole",
    "game: toy\ngames: '10k'": "c.yaml:2:8 games: '10k' is not allowed; a whole",
    "game: toy\nplayers: 3": "c.yaml:2:1 players: unknown key; players is a rule: write rules.players",
    "game: toy\ngames: 010": "; write 10 (no leading zero)",
    "game: toy\ngames: 0x10": "; write 16",
    "game: toy\ngames: 0b11": "; write 3",
    "game: toy\ngames: 1,000": "; write 1_000",
    "game: toy\ngames: 1000.0": "; write 1_000",
    "game: toy\ngames: 2.5": "c.yaml:2:8 games: 2.5 is not allowed",
    "game: toy\ngames: 1:30:00": "; write one number, without colons",
    "game: toy\ngames: 1__0": "c.yaml:2:8 games: 1__0 is not allowed",
    "game: toy\ngames: .nan": "c.yaml:2:8 games: .nan is not allowed",
    "game: toy\ngames: 2001-01-01": "c.yaml:2:8 games: 2001-01-01 is not allowed",
    "game: toy\ngames: ٣": "c.yaml:2:8 games: ٣ is not allowed",
    "game: toy\ngames: 0": "c.yaml:2:8 games: 0 is not allowed",
    "game: toy\ngames: -1": "c.yaml:2:8 games: -1 is not allowed",
    "game: toy\ngames: " + "9" * 5000: "c.yaml:2:8 games: a number of 5000 digits is not allowed",
    "game: toy\nseed: 18446744073709551616": "c.yaml:2:7 seed: 18446744073709551616 is not allowed; a whole number "
    "from 0 to 18446744073709551615",
    "game: toy\npolicies: expurt": "c.yaml:2:11 policies: expurt is not allowed; one of random, greedy, expert, "
    "search; did you mean expert",
    "game: toy\npolicies: [expert]": "c.yaml:2:11 policies: 1 policies for 2 seats; one for all seats, or a list",
    "game: toy\npolicies: {params: {}}": "c.yaml:2:11 policies: `name` is missing",
    "game: toy\npolicies: {name: expert, params: {corage: 1}}": "c.yaml:2:35 policies.params.corage: unknown key; "
    "known keys: courage; did you mean courage",
    "game: toy\npolicies: {name: expert, params: {courage: 2}}": "courage: 2 is not allowed; a whole number from 0",
    "game: toy\npolicies: {name: random, params: {courage: 1}}": "courage: unknown key; no key is allowed here",
    "game: toy\nshuffle: riffle": "c.yaml:2:10 shuffle: riffle is not allowed; uniform, {riffle: PASSES} or "
    "{overhand: PASSES}; write {riffle: 7}",
    "game: toy\nshuffle: {riffle: 0}": "c.yaml:2:19 shuffle.riffle: 0 is not allowed",
    "game: toy\nshuffle: {riffle: 1, overhand: 1}": "2 kinds of shuffle are not allowed",
    "game: toy\nname: ../x": "c.yaml:2:7 name: ../x is not a name for a run; ",
    "game: toy\nname: -x": "c.yaml:2:7 name: -x is not a name for a run; ",
    "game: toy\nquestions: {a b: {event: 'true'}}": "c.yaml:2:13 questions.a b: not a name for a question; ",
    "game: toy\nquestions: {a: {evnt: x}}": "; did you mean event",
    "game: toy\nquestions: {a: {by: x}}": "c.yaml:2:16 questions.a: nothing is asked; ",
    "game: toy\nquestions: {a: {event: x, per: hand}}": "hand is not allowed; one of round, seat",
    "game: &a toy\nname: *a": "c.yaml:1:7 game: an anchor (&name) is not allowed; ",
    "game: toy\nname: *a": "c.yaml:2:7 name: an alias (*name) is not allowed; ",
    "game: !!str toy": "c.yaml:1:7 game: a tag (!type) is not allowed; ",
    "game: !!python/object:os.system toy": "c.yaml:1:7 game: a tag (!type) is not allowed; ",
    "<<: {game: toy}": "c.yaml:1:1 <<: a merge key (<<) is not allowed; ",
    "game: toy\n---\ngame: toy": "c.yaml:2:1: a second document is not allowed; ",
    "? [a]\n: toy": "c.yaml:1:3: a list is not a key; keys are plain text",
    "game: [toy": "c.yaml:1:11: not valid YAML: ",
    "game: toy: toy": "c.yaml:1:10: not valid YAML: ",
    "game:\n\t- toy": "c.yaml:2:1: not valid YAML: ",
    "rules: " + "[" * 100_000: "nested too deeply; at most 12 levels",
    "game: toy\0": "c.yaml:1:10: the character U+0000 is not allowed",
    "game: to\x1by": "c.yaml:1:9: the character U+001B is not allowed",
    'game: "\\ud800"': "c.yaml:1:7 game: the character U+D800 is not allowed",
    "# " + "x" * MAX_CONFIG_BYTES: f"c.yaml: the file is too large; at most {MAX_CONFIG_BYTES:_} bytes",
}


@pytest.mark.parametrize("text", BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_bad_configs_are_refused_in_one_line(write, text):
    assert BAD_TEXTS[text] in refused(write(text))


def test_text_must_be_utf_8(write):
    assert refused(write(b"game: toy\nname: \xff")) == "c.yaml:2:7: not UTF-8 text"


BAD_SETS = {
    "rules.players": "--set rules.players: not KEY=VALUE; for example rules.players=5",
    "=3": "--set =3: not KEY=VALUE",
    "rules..players=3": "--set rules..players=3: not KEY=VALUE",
    "rules.players=9": "--set rules.players=9: 9 is not allowed; a whole number from 2 to 4",
    "rules.playrs=3": "--set rules.playrs=3: unknown rule; known rules: players, rounds; did you mean players",
    "players=3": "--set players=3: unknown key; ",
    "policies.9=random": "--set policies.9=random: no item 9 in the list; 0 to 3",
    "policies=[random": "--set policies=[random: not valid YAML: ",
    "seed=*x": "--set seed=*x: an alias (*name) is not allowed",
    "rules.players=": "--set rules.players=: nothing is not allowed",
}


@pytest.mark.parametrize("text", BAD_SETS)
def test_bad_sets_name_themselves(write, text):
    assert refused(write(FULL), text).startswith(BAD_SETS[text])


SHORT = {"10k": 10_000, "1e6": 10**6, "2.5M": 2_500_000, "1.5e3": 1500, "1_000": 1000, "1G": 10**9}


@pytest.mark.parametrize(("text", "games"), SHORT.items())
def test_counts_may_be_written_short(write, text, games):
    path = write(f"game: toy\ngames: {text}\n")
    assert load(path).games == games
    assert load(path, ["games=7"], text).games == games


NESTED = "game: redten\nrules: {scoring: {first_second: 5}}\n"
DOTTED = "game: redten\nrules: {scoring.first_second: 5}\n"


@pytest.mark.parametrize("text", [NESTED, DOTTED])
def test_a_rule_may_be_spelt_in_two_ways_and_set_in_both(write, text):
    path = write(text)
    assert load(path).rules["scoring.first_second"] == 5
    inner = "{first_second: 4}"
    for change in (
        ".scoring.first_second=4",
        f".scoring={inner}",
        "={scoring.first_second: 4}",
        f"={{scoring: {inner}}}",
    ):
        assert load(path, [f"rules{change}"]).rules["scoring.first_second"] == 4
    assert load(path, ["rules.scoring.first_third=3"]).rules["scoring.first_second"] == 5


@pytest.mark.parametrize(
    "rules",
    ["{scoring: {first_second: 5}, scoring.first_second: 3}", "{scoring.first_second: 3, scoring: {first_second: 5}}",
     "{scoring.first_second: 3, scoring: 5}", "{scoring: , scoring.first_second: 3}"],
)  # fmt: skip
def test_a_rule_given_twice_in_two_spellings_is_a_duplicate(write, rules):
    assert "duplicate key; first given on line 2" in refused(write(f"game: redten\nrules: {rules}\n"))


@pytest.mark.parametrize("games", ["0", "-1", "2.5", "1e-6", "10kk", "0k", str(2**63), "", "x"])
def test_bad_numbers_of_games(write, games):
    assert refused(write(FULL), games=games).startswith(f"-n {games}: ")


@pytest.mark.parametrize("name", ["", "nonsense", "a/../b", "x\0y", "y" * 5000])
def test_a_config_that_is_not_there(name):
    with pytest.raises(UserError) as caught:
        find(name)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_config(tmp_path):
    with pytest.raises(UserError, match="is a folder"):
        find(str(tmp_path))


def test_scenarios_are_frozen(write):
    with pytest.raises(AttributeError):
        load(write(FULL)).seed = 8  # type: ignore[misc]
    assert isinstance(load(write(FULL)), Scenario)


@pytest.mark.parametrize(("own", "name"), [("大富翁", "dafuweng"), ("二百五", "erbaiwu"), ("嘉兴红十", "redten")])
def test_games_have_names_of_their_own(write, own, name):
    assert load(own).game == known_game(own).name == name
    assert load(write(f"game: {own}\nseed: 1")).identity == load(write(f"game: {name}\nseed: 1")).identity
