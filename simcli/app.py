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

COMMANDS = {
    "ask": "Answer a probability question, simulating what is needed.",
    "questions": "List the questions that configs name, each in a sentence.",
    "plan": "Play a pilot, and estimate how many games and how much time a precision takes.",
    "compare": "Compare two settings, such as two policies, on the same deals.",
    "sweep": "Answer questions in a grid of settings on the same deals.",
    "run": "Simulate into a run folder; the same command continues where it stopped.",
    "query": "Run a SELECT over the tables of a run.",
    "plot": "Draw a number, a share by groups, or a share that grows, as text or in a file.",
    "show": "Show games move by move, for people or for programs.",
    "replay": "Check transcripts move by move against the rules.",
    "rules": "The games, their rules and options, and what each default rests on.",
    "init": "Write a config with every key, its default and its range.",
    "exact": "Count exactly in how many of all dealt hands an event happens.",
    "hand": "Say what a hand is worth.",
    "doctor": "Compile the kernels, and test that everything works on this machine.",
    "bench": "Measure speed, as ratios of things timed in one run.",
    "resume": "List the games that a run is missing, and play them.",
    "merge": "Join the folders of a run's shards.",
    "verify": "Check that a run is intact, and recompute some of it.",
}
"""Name and one line of help of every command, in the order of `simcli --help`."""

_ALLOCATIONS_BEFORE_COLLECTION = 1_000_000
"""Modules that load make much that lives on and no garbage; looking for it at Python's pace is a fifth of the start."""

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
        return lighten(get_command(app))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print("simcli", version("simcli"))
        except PackageNotFoundError:
            print("simcli (not installed)")
        raise typer.Exit


_app = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None)


@_app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Monte Carlo simulation of card games: ask how likely something is, watch games, check transcripts.

    Answers go to stdout, everything else to stderr. Exit codes: 0 done, 1 internal error, 2 bad usage or config,
    3 stopped by a budget or incomplete, 4 an expectation failed, 5 a verification failed, 130 interrupted, 143
    terminated.
    """


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Stopped(number)


def invoke(arguments: Sequence[str]) -> int:
    command = lighten(get_command(_app))
    with command.make_context("simcli", list(arguments)) as context:
        code = command.invoke(context)
    sys.stdout.flush()
    return code if isinstance(code, int) else DONE


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
