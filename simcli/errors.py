"""What ends a command with one clear line: each kind of error knows its exit code."""

DONE = 0
INTERNAL = 1
BAD_INPUT = 2
INCOMPLETE = 3
EXPECTATION = 4
FAILED_CHECK = 5
INTERRUPTED = 130
TERMINATED = 143


class CommandError(Exception):
    """Base of all errors whose text is the whole message to the user."""

    exit_code = INTERNAL


class BadInput(CommandError):
    """The command, a config or a file given to it cannot be used as it is."""

    exit_code = BAD_INPUT


class Incomplete(CommandError):
    """Work stopped before its end; what is done is kept."""

    exit_code = INCOMPLETE


class FailedCheck(CommandError):
    """Something that should be equal, legal or intact is not."""

    exit_code = FAILED_CHECK


class Interrupted(CommandError):
    """Stopped by Ctrl-C; what is done is kept."""

    exit_code = INTERRUPTED


class Terminated(Interrupted):
    """Stopped by SIGTERM; what is done is kept."""

    exit_code = TERMINATED
