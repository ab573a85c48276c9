"""The command line with the toy game among the games, and small parts, for tests that need real processes.

`python -m tests.simcli.toycli ARGUMENTS`; the environment variable TOY_PART_GAMES sets the games in a part.
"""

import os

from kernels.registry import GAMES
from simcli.runs import partition

GAMES["toy"] = "tests.toy"
partition.PART_GAMES = int(os.environ.get("TOY_PART_GAMES", "1000"))

if __name__ == "__main__":
    from simcli.__main__ import main

    main()
