"""`simcli hand`: what a hand is worth."""

from collections.abc import Iterator
from typing import Annotated

from simcli.cli.options import Format, GameName, Output, Quiet, Sets, Text, Texts, argument, option
from simcli.errors import UserError, printable

MAX_HANDS = 200_000


def main(
    game: GameName,
    cards: Annotated[Texts, argument("CARDS...", "Cards such as As Td 7c Xb.")] = None,
    file: Annotated[Text, option("--file", "F", "A file with one hand per line; - is stdin.")] = None,
    sets: Sets = None,
    output: Format = Output.table,
    quiet: Quiet = False,
) -> None:
    """Say what a hand is worth in a game."""
    from simcli.asking.hands import evaluator
    from simcli.cli.printing import print_fields, print_json, print_rows
    from simcli.config.loading import known_game

    known_game(game)
    if (file is None) == (not cards):
        raise UserError("hand", "cards are needed, or a file of hands (--file), not both")
    lines = _lines(file) if file is not None else [("CARDS", " ".join(cards or ()))]
    worth = evaluator(game, sets or ())
    hands = [worth(place, text) for place, text in lines]
    if output is Output.json:
        print_json(hands)
    elif output is Output.table:
        for number, hand in enumerate(hands):
            if number:
                print()
            print_fields(hand)
    else:
        print_rows(hands, output)


def _lines(name: str) -> Iterator[tuple[str, str]]:
    """(place, text) of every line that holds a hand; blank lines and `#` comments are skipped."""
    from simcli.asking.hands import MAX_LETTERS
    from simcli.config.reading import open_text

    hands = number = 0
    with open_text(name) as file:
        while line := file.readline(MAX_LETTERS + 1):
            number += 1
            place = f"{printable(name)}:{number}"
            if len(line) > MAX_LETTERS:
                raise UserError(place, f"the line is too long for a hand; at most {MAX_LETTERS:_} bytes")
            try:
                text = line.decode("utf-8").strip()
            except UnicodeDecodeError:
                raise UserError(place, "not UTF-8 text") from None
            if text and not text.startswith("#"):
                hands += 1
                if hands > MAX_HANDS:
                    raise UserError(place, f"too many hands; at most {MAX_HANDS:_} in one file")
                yield place, text
