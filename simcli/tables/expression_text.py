"""The text of an SQL expression, read to a tree: signs that no expression has are refused before any parser sees them.

Errors name the position, and never quote the parser.
"""

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from simcli.errors import UserError

MAX_LENGTH = 2000
"""Characters in an expression."""
MAX_TOKENS = 400
MAX_DEPTH = 60
"""Levels of operators within operators; a row of ANDs is one level."""

_WORDS = re.compile(
    r"\s+|[A-Za-z_][A-Za-z0-9_]*|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[<>!=]=|<>|.", re.DOTALL
)
_PLAIN = set("+-*/%()<>=!,.")
_HINTS = {
    '"': "double quotes are not allowed; put text in single quotes, columns in none",
    "`": "back quotes are not allowed; write columns without quotes",
    ";": "one expression is needed, without `;`",
    "\0": "NUL characters are not allowed",
}
_TOKEN_LIMIT = f"longer than {MAX_TOKENS} words and signs"


def at(place: str, position: int) -> str:
    """A position in the text of an expression, as people count."""
    return f"{place}, column {position + 1}"


def check_characters(text: str, place: str) -> None:
    """Refuse what no expression needs, comments too, before any parser sees it."""
    if not text.strip():
        raise UserError(place, "empty; an expression such as slam AND orbit <= 3 is needed")
    if len(text) > MAX_LENGTH:
        raise UserError(place, f"{len(text)} characters long; at most {MAX_LENGTH}")
    position, count = 0, 0
    while position < len(text):
        position = _end_of_text(text, position, place) if text[position] == "'" else _end_of_word(text, position, place)
        count += 1
        if count > 2 * MAX_TOKENS:
            raise UserError(place, _TOKEN_LIMIT)


def _end_of_text(text: str, start: int, place: str) -> int:
    end = text.find("'", start + 1)
    if end < 0:
        raise UserError(at(place, start), "the text that begins here has no closing quote")
    if not text[start:end].isprintable() or "\\" in text[start:end]:
        raise UserError(at(place, start), "control characters and backslashes are not allowed")
    return end + 1


def _end_of_word(text: str, position: int, place: str) -> int:
    if text.startswith(("--", "/*", "//"), position):
        raise UserError(at(place, position), f"comments are not allowed ({text[position : position + 2]})")
    match = _WORDS.match(text, position)
    word = match.group() if match else text[position]
    if not (word.isspace() or word[0] in _PLAIN or (word.isascii() and (word[0].isalnum() or word[0] == "_"))):
        hint = _HINTS.get(word[0], f"{word[0]!r} is not allowed here")
        raise UserError(at(place, position), hint)
    end = position + len(word)
    if (word[0].isdigit() or word[0] == ".") and _runs_on(word, text[end : end + 1]):
        raise UserError(at(place, position), f"the number is malformed; write {word} alone, without _ or letters")
    return end


def _runs_on(word: str, following: str) -> bool:
    return word != "." and (following.isalnum() or following in tuple("_."))


def read(text: str, place: str) -> exp.Expr:
    """The tree of one expression. Raises UserError with the position where reading failed."""
    try:
        trees = sqlglot.parse(text)
    except SqlglotError as error:
        found = getattr(error, "errors", None) or [{}]
        what = str(found[0].get("description") or "")
        position = _line_start(text, int(found[0].get("line") or 1)) + int(found[0].get("col") or 1) - 1
        raise UserError(at(place, position), f"not an SQL expression: {_in_our_words(what)}") from None
    except RecursionError:
        raise UserError(place, f"nested more than {MAX_DEPTH} levels deep") from None
    if len(trees) != 1 or trees[0] is None:
        raise UserError(place, "one expression is needed")
    return trees[0]


def _in_our_words(message: str) -> str:
    return "something is missing here" if message.startswith("Required keyword") else "something does not fit here"


def _line_start(text: str, line: int) -> int:
    position = 0
    for _ in range(line - 1):
        position = text.find("\n", position) + 1
    return position
