"""Strict YAML: text to nodes that know their places.

Configs need maps, lists and plain values. Everything of YAML that makes a file mean something else than it seems to
is refused: anchors, aliases, tags, merge keys, duplicate keys, several documents, keys that are not plain text.
Scalars stay text here; `Node.integer` and its like say what they are read as, and raise UserError at the node's place.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from simcli.errors import UserError, printable, shorten, suggestion

MAX_DEPTH = 12
MAX_NODES = 5_000
MAX_DIGITS = 40

_INTEGER = re.compile(r"[+-]?[0-9]+(_[0-9]+)*")
_SHORT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(?:[eE]\+?([0-9]{1,2})|([kKMG]))")
_UNITS = {"K": 3, "M": 6, "G": 9}
_FLOAT = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?")
_TRUTHS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NOTHING = {"", "~", "null", "Null", "NULL"}
_ELSEWHERE_TRUTHS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


@dataclass
class Node:
    """A scalar (text), a list or a map, and its place for messages: `FILE:LINE:COLUMN key`.

    `plain` scalars have no quotes, and may be read as numbers, truth values or nothing. `key_place` is where the key
    of a map's value is, `line` its line, from 1; both are empty for other nodes.
    """

    value: "str | list[Node] | dict[str, Node]"
    place: str
    plain: bool = False
    key_place: str = ""
    line: int = 0

    def refuse(self, wrong: str, allowed: str = "", hint: str = "") -> NoReturn:
        """Raise UserError at this node: what is wrong; what is allowed; a hint."""
        raise UserError(self.place, "; ".join(part for part in (wrong, allowed, hint.removeprefix("; ")) if part))

    def describe(self) -> str:
        """The node as a reader would name it."""
        if isinstance(self.value, dict):
            return "a map"
        if isinstance(self.value, list):
            return "a list"
        if self.is_nothing:
            return "nothing"
        return shorten(self.value) if not self.plain else printable(shorten(self.value)[1:-1])

    @property
    def is_nothing(self) -> bool:
        """Whether it is YAML's null."""
        return self.plain and isinstance(self.value, str) and self.value in _NOTHING

    def map(self, allowed: Iterable[str]) -> "dict[str, Node]":
        """The node as a map with no other keys than those allowed."""
        entries = self.any_map()
        known = list(allowed)
        for key, child in entries.items():
            if key not in known:
                raise UserError(child.key_place, f"unknown key; {_listing('known', known)}{suggestion(key, known)}")
        return entries

    def any_map(self) -> "dict[str, Node]":
        """The node as a map."""
        if not isinstance(self.value, dict):
            self.refuse(f"{self.describe()} is not allowed", "a map (key: value)")
        return self.value

    def list(self) -> "list[Node]":
        """The node as a list."""
        if not isinstance(self.value, list):
            self.refuse(f"{self.describe()} is not allowed", "a list [a, b, ...]")
        return self.value

    def text(self, allowed: str = "text") -> str:
        """The node as text, quoted or not."""
        if not isinstance(self.value, str) or self.is_nothing:
            self.refuse(f"{self.describe()} is not allowed", allowed)
        return self.value

    def choice(self, names: Iterable[str]) -> str:
        """The node as one of several words."""
        known = list(names)
        word = self.text(f"one of {', '.join(known)}")
        if word not in known:
            self.refuse(f"{self.describe()} is not allowed", f"one of {', '.join(known)}", suggestion(word, known))
        return word

    def truth(self) -> bool:
        """The node as true or false."""
        if self.plain and self.value in _TRUTHS:
            return _TRUTHS[str(self.value)]
        word = self.value.lower() if isinstance(self.value, str) else ""
        better = _ELSEWHERE_TRUTHS.get(word) or (word if word in _TRUTHS else "")
        self.refuse(f"{self.describe()} is not allowed", "true or false", f"write {better}" if better else "")

    def integer(self, low: int | None = None, high: int | None = None, also: str = "") -> int:
        """The node as a whole number within low..high."""
        allowed = f"a whole number{_range(low, high)}{also}"
        if not isinstance(self.value, str) or not self.plain or not self._is_integer(self.value):
            self.refuse(f"{self.describe()} is not allowed", allowed, self._number_hint())
        if len(self.value) > MAX_DIGITS:
            self.refuse(f"a number of {len(self.value)} digits is not allowed", allowed)
        number = int(self.value)
        if (low is not None and number < low) or (high is not None and number > high):
            self.refuse(f"{self.value} is not allowed", allowed)
        return number

    def count(self, low: int, high: int) -> int:
        """The node as a number of things within low..high; also written short: 10k, 2.5M, 1e6."""
        short = _SHORT.fullmatch(self.value) if isinstance(self.value, str) and self.plain else None
        if short is not None:
            number = Fraction(short[1]) * 10 ** (int(short[2]) if short[2] else _UNITS[short[3].upper()])
            if number.denominator == 1:
                return Node(str(number), self.place, plain=True).integer(low, high)
        return self.integer(low, high)

    @staticmethod
    def _is_integer(text: str) -> bool:
        digits = text.lstrip("+-")
        return bool(_INTEGER.fullmatch(text)) and (digits == "0" or not digits.startswith("0"))

    def _number_hint(self) -> str:
        if not isinstance(self.value, str) or len(self.value) > MAX_DIGITS:
            return ""
        text = self.value.strip()
        if not self.plain and self._is_integer(text):
            return "write it without quotes"
        if text in _TRUTHS or text.lower() in _ELSEWHERE_TRUTHS:
            return "that is a truth value, not a number"
        return _decimal_hint(text)

    def plain_data(self) -> Any:
        """The node as Python data: numbers, truth values, text, None, lists, maps."""
        if isinstance(self.value, dict):
            return {key: child.plain_data() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain_data() for child in self.value]
        if not self.plain:
            return self.value
        if self.value in _NOTHING:
            return None
        if self.value in _TRUTHS:
            return _TRUTHS[self.value]
        if self._is_integer(self.value):
            return self.integer()
        return float(self.value) if _FLOAT.fullmatch(self.value) and len(self.value) <= MAX_DIGITS else self.value

    def places(self, path: str) -> Iterator[tuple[str, str]]:
        """(dotted key, place) of this node and of all below it."""
        yield path, self.place
        if isinstance(self.value, dict):
            for key, child in self.value.items():
                yield from child.places(f"{path}.{key}" if path else key)


def _range(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of at least {low}"
    return f" of at most {high}" if high is not None else ""


def _listing(word: str, names: list[str]) -> str:
    return f"{word} keys: {', '.join(names)}" if names else "no key is allowed here"


def _decimal_hint(text: str) -> str:
    """How to write what was probably meant, for numbers in spellings that are refused."""
    if re.fullmatch(r"0[0-9_]+", text):
        return f"write {int(text.replace('_', '')):_} (no leading zero)"
    if re.fullmatch(r"0[xXoObB][0-9a-fA-F_]+", text):
        try:
            return f"write {int(text, 0):_}"
        except ValueError:
            return ""
    if re.fullmatch(r"[0-9]{1,3}([,'. ][0-9]{3})+", text):
        return f"write {re.sub('[^0-9]', '_', text)}"
    if re.fullmatch(r"[0-9]+(:[0-9]+)+", text):
        return "write one number, without colons"
    if _FLOAT.fullmatch(text):
        number = float(text)
        return f"write {int(number):_}" if number.is_integer() and abs(number) < 1e18 else ""
    return ""


def parse(text: str, origin: str, fixed_place: str = "") -> Node:
    """The one document in `text`. Places are `origin:LINE:COLUMN key`, or `fixed_place` where that is given.

    Raises UserError for text that is not YAML, and for what of YAML is refused.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    try:
        return _Builder(origin, fixed_place).document(yaml.parse(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{origin}:{mark.line + 1}:{mark.column + 1}" if mark else origin
        raise UserError(fixed_place or where, f"not valid YAML: {error.problem or error.context}") from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise UserError(fixed_place or origin, f"not valid YAML: {str(error).splitlines()[0]}") from None


class _Builder:
    """Events of the YAML parser to nodes."""

    def __init__(self, origin: str, fixed_place: str) -> None:
        self._origin = origin
        self._fixed = fixed_place
        self._events: Iterator[Any] = iter(())
        self._nodes = 0

    def document(self, events: Iterator[Any]) -> Node:
        self._events = events
        root = None
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if root is not None:
                    raise UserError(self._place(event, ""), "a second document is not allowed; one document per file")
                root = self._node(next(events), "", 0)
        if root is None:
            raise UserError(self._fixed or self._origin, "the file is empty; at least `game: NAME` is needed")
        return root

    def _place(self, event: Any, path: str) -> str:
        if self._fixed:
            return self._fixed
        mark = event.start_mark
        return f"{self._origin}:{mark.line + 1}:{mark.column + 1} {path}".rstrip()

    def _node(self, event: Any, path: str, depth: int) -> Node:
        place = self._place(event, path)
        kind = type(event).__name__
        if kind == "AliasEvent":
            raise UserError(place, "an alias (*name) is not allowed; write the value out")
        if event.anchor is not None:
            raise UserError(place, "an anchor (&name) is not allowed; write the value out where it is needed")
        if event.ctag is not None:
            raise UserError(place, "a tag (!type) is not allowed; write the plain value")
        if depth > MAX_DEPTH:
            raise UserError(place, f"nested too deeply; at most {MAX_DEPTH} levels")
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise UserError(place, f"too many keys and values; at most {MAX_NODES:_}")
        if kind == "ScalarEvent":
            return self._scalar(event, place)
        if kind == "SequenceStartEvent":
            return Node(self._items(path, depth), place)
        return Node(self._entries(path, depth), place)

    def _scalar(self, event: Any, place: str) -> Node:
        text = str(event.value)
        for character in text:
            if not character.isprintable() and character not in "\n\t":
                raise UserError(place, f"the character U+{ord(character):04X} is not allowed")
        return Node(text, place, plain=event.style is None or event.style == "")

    def _items(self, path: str, depth: int) -> list[Node]:
        items: list[Node] = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            items.append(self._node(event, f"{path}.{len(items)}", depth + 1))
        return items

    def _entries(self, path: str, depth: int) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            key_node = self._node(event, path, depth + 1)
            if not isinstance(key_node.value, str):
                key_node.refuse(f"{key_node.describe()} is not a key", "keys are plain text")
            key = key_node.value
            child_path = f"{path}.{key}" if path else key
            key_place = self._place(event, child_path)
            if key == "<<" and key_node.plain:
                raise UserError(key_place, "a merge key (<<) is not allowed; write the keys out")
            if key in entries:
                raise UserError(key_place, f"duplicate key; first given on line {entries[key].line}")
            child = next(self._events)
            entries[key] = self._node(child, child_path, depth + 1)
            entries[key].key_place = key_place
            if entries[key].value == "" and child.start_mark.line > event.start_mark.line:
                entries[key].place = key_place  # an empty value is reported at its key, not at the next line
            entries[key].line = event.start_mark.line + 1
        return entries
