"""The commands, and how each error ends the program.

A command's file is imported when that command runs, so `simcli --help` waits for none of them.
"""

import errno
import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from simcli.cli.characters import HANDLER, guarded
from simcli.cli.light import lighten
from simcli.errors import DONE, INTERNAL, USAGE, Stopped, UserError, printable, unknown

GROUPS = {
    "Ask": {
        "ask": "Answer a probability question, simulating what is needed.",
        "questions": "List the questions that configs name, each in a sentence.",
        "plan": "Play a pilot, and estimate how many games and how much time a precision takes.",
        "compare": "Compare two settings, such as two policies, on the same deals.",
        "sweep": "Answer questions in a grid of settings on the same deals.",
    },
    "Watch": {
        "show": "Show games move by move, for people or for programs.",
        "replay": "Check transcripts move by move against the rules.",
        "plot": "Draw a number, a share by groups, or a share that grows, as text or in a file.",
        "report": "Write a page about the games of a run or a config.",
    },
    "Runs": {
        "run": "Simulate into a run folder; the same command continues where it stopped.",
        "query": "Run a SELECT over the tables of a run.",
        "resume": "List the games that a run is missing, and play them.",
        "merge": "Join the folders of a run's shards.",
        "verify": "Check that a run is intact, and recompute some of it.",
    },
    "Rules and hands": {
        "rules": "The games, their rules and options, and what each default rests on.",
        "players": "Who can play a game, by which parameters, and how strong they are.",
        "init": "Write a config with every key, its default and its range.",
        "exact": "Count exactly in how many of all dealt hands an event happens.",
        "hand": "Say what a hand is worth.",
    },
    "This machine": {
        "doctor": "Compile the kernels, and test that everything works on this machine.",
        "bench": "Measure speed, as ratios of things timed in one run.",
    },
}
"""Name and one line of help of every command, in the groups and the order of `simcli --help`."""
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}

_ALLOCATIONS_BEFORE_COLLECTION = 1_000_000
"""Modules that load make much that lives on and no garbage; looking for it at Python's pace is a fifth of the start."""

_COMPLETE = "_SIMCLI_COMPLETE"
"""The variable by which a shell asks for completions."""
_NOT_THE_USERS_FAULT = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.ENOMEM)


class Commands(TyperGroup):
    """All commands; each is imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            raise UserError("simcli", unknown("command", cmd_name, COMMANDS))
        module = import_module(f"simcli.commands.{cmd_name}")
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(cmd_name)(module.main)
        return lighten(get_command(app), cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(list(commands.items()))


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print("simcli", version("simcli"))
        except PackageNotFoundError:
            print("simcli (not installed)")
        raise typer.Exit


_app = typer.Typer(cls=Commands, rich_markup_mode=None)


@_app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Monte Carlo simulation of card games: ask how likely something is, watch games, check transcripts.

    `simcli help COMMAND`, or `simcli COMMAND -h`, shows the options of a command, and examples.

    Answers go to stdout, everything else to stderr. Exit codes: 0 done, 1 internal error, 2 bad usage or config,
    3 stopped by a budget or incomplete, 4 an expectation failed, 5 a verification failed, 130 interrupted, 143
    terminated.
    """


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Stopped(number)


def invoke(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    command = lighten(get_command(_app))
    if _COMPLETE in os.environ:
        return _complete(command)
    with command.make_context("simcli", list(arguments)) as context:
        code = command.invoke(context)
    sys.stdout.flush()
    return code if isinstance(code, int) else DONE


def _complete(command: Any) -> int:
    """Answer a shell that asks how a command line may go on, or for the script by which it asks."""
    from typer.completion import shell_complete

    with suppress(UserError):
        return shell_complete(command, {}, "simcli", _COMPLETE, os.environ[_COMPLETE])
    return DONE


def silence_stdout() -> None:
    """Whoever read our output is gone: let nothing try to write to it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> None:
    with suppress(OSError):
        print(printable(message), file=sys.stderr)


def _usage(error: typer.TyperException) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
        return USAGE
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "simcli"
    _complain(f"{path}: {error.format_message()} (see {path} --help)")
    return USAGE


def _system(error: OSError) -> int:
    place = str(error.filename) if error.filename else "simcli"
    _complain(f"{place}: {(error.strerror or str(error)).lower()}")
    return INTERNAL if error.errno in _NOT_THE_USERS_FAULT else USAGE


def _internal(error: Exception) -> int:
    if os.environ.get("SIMCLI_TRACEBACK"):
        traceback.print_exc()
    _complain(f"simcli: internal error: {type(error).__name__}: {error} (SIMCLI_TRACEBACK=1 shows where)")
    return INTERNAL


def _stopped(stop: Stopped) -> int:
    word = "interrupted" if stop.signal == signal.SIGINT else "terminated"
    _complain(f"{word}; continue with: {stop.go_on}" if stop.go_on else word)
    return stop.code


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code. Every error of every command ends here."""
    try:
        return invoke(arguments)
    except typer.Exit as end:
        return end.exit_code
    except UserError as error:
        _complain(str(error))
        return error.code
    except typer.TyperException as error:
        return _usage(error)
    except (Stopped, KeyboardInterrupt) as stop:
        return _stopped(stop if isinstance(stop, Stopped) else Stopped(signal.SIGINT))
    except BrokenPipeError:
        silence_stdout()
        return DONE
    except OSError as error:
        return _system(error)
    except Exception as error:
        return _internal(error)


def main(end_at_once: Callable[..., object]) -> NoReturn:
    """The whole program. end_at_once: what Ctrl-C does while no command is running."""
    gc.set_threshold(_ALLOCATIONS_BEFORE_COLLECTION)
    sys.stdout = guarded(sys.stdout or open(os.devnull, "w"))  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr.reconfigure(errors=HANDLER)  # type: ignore[union-attr]
    signal.signal(signal.SIGTERM, _terminate)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = _stopped(Stopped(signal.SIGINT))
    signal.signal(signal.SIGINT, end_at_once)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process at once: taking apart all that was loaded, piece by piece, takes a third of a second."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        code = code or _system(error)
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code)
