"""`simcli questions`: the named questions of configs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from simcli.cli import completion
from simcli.cli.options import Format, Output, Sets, argument

if TYPE_CHECKING:
    from simcli.config.scenario import Scenario


def main(
    config: Annotated[
        str, argument("CONFIG", "A config; by default, all that come with simcli.", completion.configs)
    ] = "",
    sets: Sets = None,
    output: Format = Output.table,
) -> None:
    """List the questions that configs name, each in a sentence."""
    from simcli.cli.printing import print_rows
    from simcli.config.loading import load, shipped
    from simcli.errors import UserError

    if sets and not config:
        raise UserError("questions --set", "a config is needed to change")
    found = {name: list(_rows(load(name, sets or ()))) for name in ([config] if config else shipped())}
    if output is not Output.table:
        print_rows([{"config": name, **row} for name, rows in found.items() for row in rows], output)
        return
    for number, (name, rows) in enumerate(found.items()):
        print(f"{chr(10) if number else ''}simcli ask {name} QUESTION" + ("" if rows else ": no question has a name"))
        width = max((len(row["question"]) for row in rows), default=0)
        for row in rows:
            print(f"  {row['question']:<{width}}  {row['title'] or row['asks']}")


def _rows(scenario: "Scenario") -> Iterator[dict[str, Any]]:
    for name, question in scenario.questions.items():
        asks = "; ".join(f"{key} {_text(value)}" for key, value in question.items() if key not in ("title", "expect"))
        yield {"question": name, "title": question.get("title"), "asks": asks}


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
