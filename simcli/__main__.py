"""Entry point of the program, `simcli` and `python -m simcli`: ready for Ctrl-C before anything slow is imported."""

import os
import signal

_INTERRUPTED = 130


def end_at_once(*_: object) -> None:
    """End as interrupted, while there is nothing yet, or nothing any more, that must be closed."""
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)


def main() -> None:
    """Run the command line, and end the process."""
    signal.signal(signal.SIGINT, end_at_once)
    from simcli.app import main as run

    run(end_at_once)


if __name__ == "__main__":
    main()
