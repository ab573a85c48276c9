"""Configs as JSON Schema, for editors that complete and check them.

YAML reads `1_000_000` as text, so numbers may be text of digits too. What depends on several keys at once, such as a
deal that the pack cannot serve, only `simcli` itself checks.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kernels.options import EXPERT, POLICIES, SHUFFLES, Option, Parameter, defaults, parameters_of, policy_names
from kernels.registry import GAMES, OWN_NAMES, Game
from simcli.config.loading import DEFAULT_POLICY, KEYS, MAX_GAMES, MAX_PASSES, MAX_SEED, UNITS
from simcli.config.scenario import RUN_NAME

Schema = dict[str, Any]

DIALECT = "http://json-schema.org/draft-07/schema#"
_DIGITS = r"^[+-]?[0-9]+(_[0-9]+)*$"
_SEAT = "^[0-9]+$"
_COUNT = r"^[0-9]+(_[0-9]+)*$|^[0-9]+(\.[0-9]+)?([eE]\+?[0-9]+|[kKMG])$"
_TEXT = {"type": ["string", "number", "boolean"]}
_NAMES = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_TARGETS = ("event", "mean", "quantiles", "table")


def schema(game: str | None = None) -> Schema:
    """The schema of configs of one game, or of all."""
    names = list(GAMES) if game is None else [game]
    words = [*names, *(own for own, name in OWN_NAMES.items() if name in names)]
    properties = {**dict.fromkeys(KEYS, True), **_common(), "game": {"enum": words, "description": "What is played."}}
    found: Schema = {
        "$schema": DIALECT,
        "title": f"simcli config{'' if game is None else f' of {game}'}",
        "type": "object",
        "required": ["game"],
        "additionalProperties": False,
        "properties": properties,
    }
    if game is not None:
        found["properties"] = {**properties, **_of_game(game)}
        return found
    return {**found, "allOf": [{"if": _is_game(name), "then": {"properties": _of_game(name)}} for name in names]}


def _is_game(name: str) -> Schema:
    words = [name, *(own for own, known in OWN_NAMES.items() if known == name)]
    return {"properties": {"game": {"enum": words}}, "required": ["game"]}


def _common() -> dict[str, Schema]:
    """What is the same in every game."""
    passes = {kind: _integer(1, MAX_PASSES) for kind in SHUFFLES[1:]}
    return {
        "name": {"type": "string", "pattern": f"^{RUN_NAME.pattern}$", "description": "What runs are called."},
        "shuffle": {
            "description": "How packs are shuffled: uniform, or a number of riffles or overhand passes.",
            "anyOf": [{"const": SHUFFLES[0]}, {**_map(passes), "minProperties": 1, "maxProperties": 1}],
            "default": SHUFFLES[0],
        },
        "games": {"type": ["integer", "string"], "minimum": 1, "maximum": MAX_GAMES, "pattern": _COUNT,
                  "description": "Number of games, also 10k or 2.5M."},
        "seed": {**_integer(0, MAX_SEED), "description": "Left out: drawn, and printed."},
        "questions": {"type": ["object", "null"], "additionalProperties": _question(),
                      "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$"}},
    }  # fmt: skip


def _of_game(name: str) -> dict[str, Schema]:
    game = Game(name)
    hands = {"type": "string", "description": "Cards such as As Td 7c Xb."}
    return {
        "rules": _rules(game.options.OPTIONS),
        "policies": {
            "description": f"Who plays: one for all seats, or a list with one for each. {DEFAULT_POLICY} by default.",
            "anyOf": [_policy(game), {"type": "array", "items": _policy(game)}, _by_seat(game)],
        },
        "predeal": {
            "description": "Cards that hands hold when the first round begins, by seat.",
            "type": ["object", "null"],
            "propertyNames": {"pattern": f"^({'|'.join(['[0-9]+', *_open_places(game)])})$"},
            "additionalProperties": hands,
        },
    }


def _open_places(game: Game) -> Sequence[str]:
    deal = game.options.deal(game.options.check(defaults(game.options.OPTIONS)))
    return () if deal is None else deal.open


def _rules(options: Sequence[Option]) -> Schema:
    """Options under their whole keys, and those with a dot also one in the other."""
    flat = {option.key: _option(option) for option in options}
    groups = dict.fromkeys(option.key.rpartition(".")[0] for option in options if "." in option.key)
    nested = {
        group: _map({option.key.rpartition(".")[2]: _option(option) for option in options
                     if option.key.rpartition(".")[0] == group})
        for group in groups
    }  # fmt: skip
    return {**_map({**flat, **nested}), "type": ["object", "null"]}


def _option(option: Option) -> Schema:
    found: Schema = {"description": option.doc, "default": _plain(option.default)}
    if option.parts:
        items = {"items": _integer(option.low, option.high), "minItems": len(option.parts),
                 "maxItems": len(option.parts)}  # fmt: skip
        return {**found, "type": "array", **items}
    if option.choices:
        return {**found, "enum": list(option.choices)}
    if isinstance(option.default, bool):
        return {**found, "type": "boolean"}
    number = _integer(option.low, option.high)
    return {**found, **number, "type": [*number["type"], "null"] if option.default is None else number["type"]}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _integer(low: int | None, high: int | None) -> Schema:
    limits = {"minimum": low, "maximum": high}
    bounds = {name: limit for name, limit in limits.items() if limit is not None}
    return {"type": ["integer", "string"], "pattern": _DIGITS, **bounds}


def _map(properties: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": dict(properties)}


def _policy(game: Game) -> Schema:
    names = policy_names(game.options.STYLES)
    written = [
        _with_parameters(name, parameters_of(game.options.PARAMETERS, name if name in POLICIES else EXPERT))
        for name in names
    ]
    return {"anyOf": [{"enum": list(names)}, *written]}


def _with_parameters(name: str, parameters: Sequence[Parameter]) -> Schema:
    params = {
        one.name: {**_integer(one.low, one.high), "description": one.doc, "default": one.default} for one in parameters
    }
    return {
        **_map({"name": {"const": name}, "params": {**_map(params), "type": ["object", "null"]}}),
        "required": ["name"],
    }


def _by_seat(game: Game) -> Schema:
    """A policy for all seats, some of them, at least one, changed by their number."""
    numbered = {_SEAT: {"anyOf": [_policy(game), {"type": "object"}]}}
    return {
        "type": "object",
        "patternProperties": numbered,
        "properties": {"name": {"enum": list(policy_names(game.options.STYLES))}},
        "not": {"propertyNames": {"not": {"pattern": _SEAT}}},
    }


def _question() -> Schema:
    keys: dict[str, Schema] = {
        "title": {"type": "string", "description": "The question in a sentence."},
        "event": {**_TEXT, "description": "How often this holds: a Boolean SQL expression over columns."},
        "given": {**_TEXT, "description": "Count only where this holds."},
        "by": {**_NAMES, "description": "Answer for each group of rows, too."},
        "per": {"enum": list(UNITS), "description": "What is counted."},
        "mean": {**_TEXT, "description": "Estimate the mean of a number."},
        "quantiles": {**_TEXT, "description": "Estimate the quantiles of a number."},
        "table": {**_NAMES, "description": "Estimate the share of each value, of 1 or 2 columns."},
        "expect": {"type": ["object", "string"], "description": "What the answer must be: p, mean or between."},
    }
    return {**_map(keys), "anyOf": [{"required": [target]} for target in _TARGETS]}
