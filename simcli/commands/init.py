"""`simcli init`: a config to begin with."""

from pathlib import Path
from typing import Annotated

from simcli.cli.options import GameName, Quiet, argument
from simcli.errors import UserError


def main(
    game: GameName,
    file: Annotated[str, argument("FILE", "The file to write, or - for stdout; my-GAME.yaml by default.")] = "",
    quiet: Quiet = False,
) -> None:
    """Write a config with every key at its default, its range, and what it does.

    Beside it a JSON Schema is written, by which editors complete and check the config.
    """
    from simcli.config.draft import draft, schema_name
    from simcli.config.loading import known_game

    name = known_game(game).name
    if file == "-":
        print(draft(name))
        return
    path = Path(file or f"my-{name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as begun:
            begun.write(draft(name))
    except FileExistsError:
        raise UserError(str(path), "is there already; give another name") from None
    _write_schema(path.parent / schema_name(name), name)
    if not quiet:
        print(f"{path}: simcli questions {path} lists what can be asked")


def _write_schema(path: Path, name: str) -> None:
    import json

    from simcli.config.schema import schema

    path.write_text(json.dumps(schema(name), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
