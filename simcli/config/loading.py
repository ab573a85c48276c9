"""YAML to a frozen Scenario; all validation, each message with its place.

Loads nothing compiled: options and parameters come from each game's `options.py`.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernels.options import EXPERT, SHUFFLES, Option, Parameter, RuleError, Value, defaults, parameters_of, policy_names
from kernels.protocol import Options
from kernels.registry import GAMES, OWN_NAMES, Game
from simcli.config.nodes import MAX_DEPTH, Node, parse
from simcli.config.predeal import read_predeal
from simcli.config.reading import read_config
from simcli.config.scenario import RUN_NAME, Policy, Scenario, Shuffle
from simcli.errors import UserError, cut, printable, suggestion, unknown

KEYS = ("name", "game", "rules", "policies", "predeal", "shuffle", "games", "seed", "questions")
QUESTION_KEYS = ("title", "event", "given", "by", "per", "mean", "quantiles", "table", "expect")
UNITS = ("round", "seat")

DEFAULT_POLICY = "expert"
DEFAULT_GAMES = 1_000_000
MAX_GAMES = 10**12
MAX_PASSES = 100
MAX_SEED = 2**64 - 1
MAX_SETS = 200

_QUESTION_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


def known_game(name: str) -> Game:
    """The game of this name, or of what players call it. Raises UserError."""
    name = OWN_NAMES.get(name, name)
    if name not in GAMES:
        raise UserError("GAME", unknown("game", name, GAMES))
    return Game(name)


# Finding and reading


def shipped_folder() -> Path:
    """The folder of the configs that come with the program: in the package, or beside it in a checkout."""
    inside = Path(__file__).parents[1] / "configs"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "configs"


def shipped() -> dict[str, Path]:
    """Configs that come with the program, by name."""
    return {path.stem: path for path in sorted(shipped_folder().glob("*.yaml"))}


def find(config: str) -> Path:
    """The file that CONFIG means: a path (a pipe too), or the name of a config that comes with the program.

    Raises UserError.
    """
    path = Path(config)
    try:
        if config and path.exists() and not path.is_dir():
            return path
    except (OSError, ValueError) as error:
        raise UserError(printable(config[:80]), str(getattr(error, "strerror", None) or error).lower()) from None
    known = shipped()
    name = config.removesuffix(".yaml")
    name = OWN_NAMES.get(name, name)
    if name in known:
        return known[name]
    reason = "is a folder" if config and path.is_dir() else "no such file or config"
    raise UserError(config or "''", f"{reason}; a path, or one of {', '.join(known)}{suggestion(name, known)}")


def load(config: str, sets: Sequence[str] = (), games: str | None = None, seed: str | None = None) -> Scenario:
    """The scenario of a config file with `--set`, `-n` and `--seed` applied. Raises UserError."""
    path = find(config)
    root = parse(read_config(path, str(path)), str(path))
    return build(root, path.stem, sets, games, seed)


def from_plain(data: Mapping[str, Any], place: str, name: str, sets: Sequence[str] = ()) -> Scenario:
    """The scenario of a config that is plain data already; messages name `place`. Raises UserError."""
    return build(parse(json.dumps(data), place, fixed_place=place), name, sets)


def build(
    root: Node, name: str, sets: Sequence[str] = (), games: str | None = None, seed: str | None = None
) -> Scenario:
    """The scenario that a config's nodes describe, with command line options on top. Changes the nodes.

    Raises UserError.
    """
    if len(sets) > MAX_SETS:
        raise UserError("--set", f"{len(sets)} changes; at most {MAX_SETS}")
    _unfold_rules(root)
    for text in sets:
        apply_set(root, text)
        _unfold_rules(root)
    _apply_option(root, "games", "-n", games, _games)
    _apply_option(root, "seed", "--seed", seed, _seed)
    _refuse_bare_rules(root)
    entries = root.map(KEYS)
    if "game" not in entries:
        root.refuse("`game: NAME` is missing", f"one of {', '.join(GAMES)}")
    game = _game(entries["game"])
    options = Game(game).options
    rules = resolve_rules(options, entries.get("rules"), entries["game"].place)
    shuffle = _shuffle(entries.get("shuffle"))
    return Scenario(
        name=_run_name(entries.get("name"), name),
        game=game,
        rules=rules,
        policies=_policies(entries.get("policies"), options, options.players(rules)),
        predeal=read_predeal(entries.get("predeal"), game, rules, shuffle),
        shuffle=shuffle,
        seed=_seed(entries.get("seed")),
        games=_games(entries.get("games")),
        questions=_questions(entries.get("questions")),
        places=dict(root.places("")),
    )


def _game(node: Node) -> str:
    if isinstance(node.value, str):
        node = replace(node, value=OWN_NAMES.get(node.value, node.value))
    return node.choice(GAMES)


# Options of the command line


class Hand(str):
    """A change of `predeal`: text like that of `--set`."""

    written: str
    """What `--hand` was given: `SEAT=CARDS`, or `CARDS` of seat 0."""

    def __new__(cls, written: str) -> "Hand":
        seat, equals, cards = written.partition("=")
        change = super().__new__(cls, f"predeal.{seat.strip()}={cards}" if equals else f"predeal.0={written}")
        change.written = written
        return change


def option_of(change: str) -> tuple[str, str]:
    """The option that gives a change of the config, and its value."""
    return ("--hand", change.written) if isinstance(change, Hand) else ("--set", change)


def apply_set(root: Node, text: str) -> None:
    """Apply `--set a.b=v`: put a node at a path, making maps on the way. Raises UserError."""
    place = " ".join(map(cut, option_of(text)))
    path, equals, value = text.partition("=")
    segments = path.strip().split(".")
    if not equals or not all(segments):
        raise UserError(place, "not KEY=VALUE; for example rules.players=5")
    _refuse_deep(segments, place)
    node = parse(value or "null", "", fixed_place=place)
    node.key_place = place
    _put(root, segments, node, place)


def _refuse_deep(segments: Sequence[str], place: str) -> None:
    if len(segments) > MAX_DEPTH:
        raise UserError(cut(place, 200), f"nested too deeply; at most {MAX_DEPTH} levels")


def _apply_option(root: Node, key: str, option: str, value: str | None, read: Callable[[Node], int]) -> None:
    """Put an option's value in the place of the config's, which must be one nevertheless."""
    if value is not None:
        place = f"{option} {cut(value)}"
        if key in root.any_map():
            read(root.any_map()[key])
        root.any_map()[key] = Node(value.strip(), place, plain=True, key_place=place)


def _put(parent: Node, segments: Sequence[str], node: Node, place: str) -> None:
    name, rest = segments[0], segments[1:]
    if isinstance(parent.value, list):
        if not (name.isdecimal() and int(name) < len(parent.value)):
            raise UserError(place, f"no item {name} in the list; 0 to {len(parent.value) - 1}")
        if not rest:
            parent.value[int(name)] = node
        else:
            _put(parent.value[int(name)], rest, node, place)
        return
    if isinstance(parent.value, str):
        # A bare name is short for {name: NAME}; anything else becomes a map and is judged as one.
        bare = {} if parent.is_nothing else {"name": Node(parent.value, parent.place, parent.plain, parent.place)}
        parent.value, parent.plain = bare, False
    if not rest:
        parent.value[name] = node
        return
    child = parent.value.setdefault(name, Node({}, place, key_place=place))
    _put(child, rest, node, place)


def _refuse_bare_rules(root: Node) -> None:
    """Raise UserError for a rule that is not under `rules`."""
    entries = root.any_map()
    game = entries["game"].value if "game" in entries else None
    known = [option.key for option in Game(game).options.OPTIONS] if isinstance(game, str) and game in GAMES else []
    for key, node in entries.items():
        if key not in KEYS and any(rule == key or rule.startswith(f"{key}.") for rule in known):
            raise UserError(node.key_place, f"unknown key; {key} is a rule: write rules.{key}")


# Rules


def _unfold_rules(root: Node) -> None:
    """Write rules with dotted keys as maps in maps, so that a rule has one place. Raises UserError for duplicates."""
    rules = root.any_map().get("rules")
    if rules is not None and isinstance(rules.value, dict):
        rules.value = _unfolded(rules.value)


def _unfolded(entries: Mapping[str, Node]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for key, node in entries.items():
        segments = key.split(".")
        _refuse_deep(segments, node.key_place)
        _insert(found, segments if all(segments) else [key], node)
    return found


def _insert(into: dict[str, Node], segments: Sequence[str], node: Node) -> None:
    name, rest = segments[0], segments[1:]
    if rest:
        inner = Node({".".join(rest): node}, node.place, key_place=node.key_place, line=node.line)
        _insert(into, [name], inner)
    elif name not in into:
        into[name] = replace(node, value=_unfolded(node.value)) if isinstance(node.value, dict) else node
    elif isinstance(node.value, dict) and isinstance(into[name].value, dict):
        for key, child in node.value.items():
            _insert(into[name].any_map(), key.split("."), child)
    else:
        raise UserError(node.key_place, f"duplicate key; first given on line {into[name].line}")


def resolve_rules(options: Options, node: Node | None, place: str) -> dict[str, Value]:
    """Every option's value by its dotted key: those of the config over the defaults, judged together by the game.

    `place` is that of the config's `game`, for messages when no rules are given. Raises UserError.
    """
    given: dict[str, tuple[Value, str]] = {}
    if node is not None and not node.is_nothing:
        given = dict(_given_rules(options.OPTIONS, node, ""))
    values = defaults(options.OPTIONS) | {key: value for key, (value, _) in given.items()}
    try:
        return dict(options.check(values))
    except RuleError as error:
        where = given[error.key][1] if error.key in given else f"{node.place if node else place}.{error.key}"
        raise UserError(where, error.message) from None


def _given_rules(options: Sequence[Option], node: Node, prefix: str) -> Iterator[tuple[str, tuple[Value, str]]]:
    by_key = {option.key: option for option in options}
    for name, child in node.any_map().items():
        key = prefix + name
        if key in by_key:
            yield key, (read_option(by_key[key], child), child.place)
        elif any(known.startswith(f"{key}.") for known in by_key):
            yield from _given_rules(options, child, f"{key}.")
        else:
            raise UserError(child.key_place, f"unknown rule; {_known_rules(list(by_key), prefix, name)}")


def _known_rules(keys: list[str], prefix: str, name: str) -> str:
    here = list(dict.fromkeys(key.removeprefix(prefix).split(".")[0] for key in keys if key.startswith(prefix)))
    hint = suggestion(name, here)
    if not hint:
        elsewhere = [f"rules.{key}" for key in keys if key.split(".")[-1] == name]
        hint = f"; did you mean {elsewhere[0]}" if elsewhere else ""
    return f"known rules: {', '.join(here)}{hint}"


def read_option(option: Option, node: Node) -> Value:
    """The value of one rule, of the type and in the range that the option says. Raises UserError."""
    if option.default is None and node.is_nothing:
        return None
    if option.parts:
        items = node.list()
        if len(items) != len(option.parts):
            node.refuse(f"a list of {len(items)} is not allowed", f"[{', '.join(option.parts)}]")
        return tuple(item.integer(option.low, option.high) for item in items)
    if option.choices:
        return node.choice(option.choices)
    if isinstance(option.default, bool):
        return node.truth()
    return node.integer(option.low, option.high, " or null" if option.default is None else "")


# Players


def _policies(node: Node | None, options: Options, players: int) -> tuple[Policy, ...]:
    if node is None or node.is_nothing:
        return (make_policy(options, DEFAULT_POLICY),) * players
    if isinstance(node.value, dict) and any(key.isdecimal() for key in node.value):
        node = _seat_by_seat(node, node.value, players)
    if not isinstance(node.value, list):
        return (_policy(node, options),) * players
    if len(node.value) != players:
        node.refuse(f"{len(node.value)} policies for {players} seats", "one for all seats, or a list with one per seat")
    return tuple(_policy(item, options) for item in node.value)


def _seat_by_seat(node: Node, entries: Mapping[str, Node], players: int) -> Node:
    """The list that one policy for all seats comes to, some of them changed by number: `-s policies.0=random`."""
    shared = {key: child for key, child in entries.items() if not key.isdecimal()}
    shared = shared or {"name": Node(DEFAULT_POLICY, node.place, plain=True)}
    seats = [replace(node, value=dict(shared)) for _ in range(players)]
    for key, child in entries.items():
        if key.isdecimal():
            if key not in map(str, range(players)):
                raise UserError(child.key_place, f"there is no seat {cut(key)}; 0 to {players - 1}")
            named = not isinstance(child.value, dict) or "name" in child.value
            seats[int(key)] = child if named else replace(child, value={**shared, **child.any_map()})
    return replace(node, value=seats)


def _policy(node: Node, options: Options) -> Policy:
    names = policy_names(options.STYLES)
    if isinstance(node.value, str):
        return make_policy(options, node.choice(names))
    entries = node.map(("name", "params"))
    if "name" not in entries:
        node.refuse("`name` is missing", f"one of {', '.join(names)}")
    usual = make_policy(options, entries["name"].choice(names))
    parameters = {parameter.name: parameter for parameter in parameters_of(options.PARAMETERS, usual.name)}
    params = entries.get("params")
    given = {} if params is None or params.is_nothing else params.map(parameters)
    changed = {key: _parameter(child, parameters[key]) for key, child in given.items()}
    return replace(usual, params={**usual.params, **changed}) if changed else usual


def _parameter(node: Node, parameter: Parameter) -> int:
    if parameter.choices and isinstance(node.value, str) and not node.value.isdecimal():
        return parameter.choices.index(node.choice(parameter.choices))
    return node.integer(parameter.low, parameter.high)


def written_policy(options: Options, text: str) -> Policy:
    """A player written out as in a config: `{name: expert, params: {...}}`. Raises UserError."""
    return _policy(parse(text, "", fixed_place=cut(text)), options)


def make_policy(options: Options, name: str) -> Policy:
    """A player of a game, or a style of its expert, by name: with the parameters that it has by default."""
    style = options.STYLES.get(name)
    player = name if style is None else EXPERT
    usual = {parameter.name: parameter.default for parameter in parameters_of(options.PARAMETERS, player)}
    return Policy(player, usual) if style is None else Policy(player, {**usual, **style.params}, name)


# The rest


def _run_name(node: Node | None, stem: str) -> str:
    if node is None:
        return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:64] or "run"
    name = node.text()
    if not RUN_NAME.fullmatch(name) or name.endswith("."):
        node.refuse(f"{node.describe()} is not a name for a run", "letters, digits, dots, dashes; at most 64, no path")
    return name


def _shuffle(node: Node | None) -> Shuffle:
    if node is None or node.is_nothing:
        return Shuffle()
    physical = SHUFFLES[1:]
    allowed = "uniform, " + " or ".join(f"{{{kind}: PASSES}}" for kind in physical)
    if isinstance(node.value, str):
        if node.value != SHUFFLES[0]:
            hint = f"write {{{node.value}: 7}}" if node.value in physical else suggestion(node.value, SHUFFLES)
            node.refuse(f"{node.describe()} is not allowed", allowed, hint)
        return Shuffle()
    entries = node.map(physical)
    if len(entries) != 1:
        node.refuse(f"{len(entries)} kinds of shuffle are not allowed", allowed)
    ((kind, passes),) = entries.items()
    return Shuffle(kind, passes.integer(1, MAX_PASSES))


def _games(node: Node | None) -> int:
    return DEFAULT_GAMES if node is None else node.count(1, MAX_GAMES)


def _seed(node: Node | None) -> int:
    return secrets.randbits(64) if node is None else node.integer(0, MAX_SEED)


def _questions(node: Node | None) -> dict[str, dict[str, Any]]:
    if node is None or node.is_nothing:
        return {}
    questions = {}
    for name, child in node.any_map().items():
        if not _QUESTION_NAME.fullmatch(name):
            raise UserError(child.key_place, "not a name for a question; letters, digits and _, at most 64")
        questions[name] = _question(child)
    return questions


def _question(node: Node) -> dict[str, Any]:
    entries = node.map(QUESTION_KEYS)
    if not {"event", "mean", "quantiles", "table"} & set(entries):
        node.refuse("nothing is asked", "`event`, `mean`, `quantiles` or `table` is needed")
    question: dict[str, Any] = {}
    for key, child in entries.items():
        if key in ("by", "table"):
            columns = child.list() if isinstance(child.value, list) else [child]
            question[key] = [column.text("the name of a column") for column in columns]
        elif key == "per":
            question[key] = child.choice(UNITS)
        elif key == "expect":
            question[key] = child.plain_data()
        elif key == "title":
            question[key] = child.text("a sentence")
        else:
            question[key] = child.text("an SQL expression")
    return question


def find_question(scenario: Scenario, name: str) -> Mapping[str, Any] | None:
    """The scenario's question of this name; None if it has none. Raises UserError for what looks like a typo."""
    if name in scenario.questions:
        return scenario.questions[name]
    if _QUESTION_NAME.fullmatch(name) and suggestion(name, scenario.questions):
        raise UserError("question", unknown("question", name, scenario.questions))
    return None
