"""HTML, written by small functions: text is escaped, markup is a type of its own."""

import html
import re
from collections.abc import Iterable

_RED_SUITS = re.compile("([♥♦](?:10|[A2-9JQK])?)")


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(part: object) -> str:
    """HTML of a part: markup as it is, a list part by part, anything else as text."""
    if isinstance(part, Markup):
        return part
    if isinstance(part, list | tuple):
        return "".join(map(escaped, part))
    return "" if part is None else html.escape(str(part))


def tag(name: str, *content: object, **attributes: object) -> Markup:
    """An element. `class_` is class, an underscore a hyphen; an attribute that is None is left out."""
    given = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    words = "".join(f' {key}="{html.escape(str(value))}"' for key, value in given)
    return Markup(f"<{name}{words}>{escaped(content)}</{name}>")


def table(rows: Iterable[Iterable[object]], head: Iterable[object] = (), class_: str | None = None) -> Markup:
    """A table whose rows begin with what they are about."""
    top = tag("thead", tag("tr", [tag("th", cell, scope="col") for cell in head])) if head else None
    lines = []
    for first, *others in rows:
        lines.append(tag("tr", tag("th", first, scope="row"), [tag("td", cell) for cell in others]))
    return tag("div", tag("table", top, tag("tbody", lines), class_=class_), class_="wide")


def with_suits(text: str) -> Markup:
    """A line of a transcript, its red cards red."""
    return Markup(_RED_SUITS.sub(r'<span class="red">\1</span>', html.escape(text)))
