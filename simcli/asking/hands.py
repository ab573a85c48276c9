"""What a hand is worth, by the game's own reckoning."""

from collections.abc import Callable, Sequence
from typing import Any

from kernels.notation import parse_cards
from simcli.config import predeal
from simcli.config.loading import from_plain, known_game
from simcli.errors import UserError

MAX_LETTERS = 2_000
"""Of one hand: cards in any spelling, with room between them."""


def evaluator(game: str, sets: Sequence[str] = ()) -> Callable[[str, str], dict[str, Any]]:
    """A function of a hand's place, for messages, and its cards as text; it gives the worth by name.

    Raises UserError, and so does the function.
    """
    room = known_game(game).hand
    scenario = from_plain({"game": game}, "hand", "hand", sets)
    values, jokers = scenario.rules, predeal.jokers(scenario.game, scenario.rules)
    if room is None:
        raise UserError(game, "this game does not say what a hand is worth")

    def worth(place: str, text: str) -> dict[str, Any]:
        if len(text) > MAX_LETTERS:
            raise UserError(place, f"{len(text):_} characters are no hand; at most {MAX_LETTERS:_}")
        try:
            return room.hand(dict(values), parse_cards(text, jokers))
        except ValueError as error:
            raise UserError(place, str(error)) from None

    return worth
