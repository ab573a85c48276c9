"""Two command lines for every command, shown at the end of its help."""

EXAMPLES = {
    "ask": ("ask redox early_slam --precision 2%", 'ask redten "winner = leader" --by solo --hand "Th Td"'),
    "questions": ("questions", "questions redox -o json"),
    "plan": ("plan redox early_slam --precision 2%", 'plan redten "solo AND winner = 0" -n 100k'),
    "compare": ("compare redox expert greedy -n 2000", 'compare redox rules.decks=2 rules.decks=3 "slam" -n 10k'),
    "sweep": (
        'sweep redox "slam" -p rules.players=3..5 -n 10k',
        "sweep redten --mean points_0 -p policies.0=greedy,expert -n 10k",
    ),
    "show": ("show redox --game 5", "show erbaiwu --games 0:3 --format jsonl --legal"),
    "replay": ("replay game.jsonl", "replay game.jsonl --config redox -s rules.players=3"),
    "plot": ("plot redten turns", "plot redox slam --kind cumulative --by orbit -O slams.svg"),
    "report": ("report redten -n 20k", "report RUN --compare OTHER_RUN -O both.html"),
    "run": ("run redox -n 1M", "run redten -s rules.rounds=3 -n 100k --seed 7"),
    "query": (
        'query RUN "SELECT outcome, COUNT(*) FROM rounds GROUP BY outcome"',
        'query RUN "SELECT * FROM seats WHERE seat = 0" -O seats.parquet',
    ),
    "resume": ("resume RUN", "resume RUN -n 2M"),
    "merge": ("merge shard0 shard1 --results joined", "merge shard0 shard1 --partial"),
    "verify": ("verify RUN", "verify RUN --game 17"),
    "rules list": ("rules list", "rules list -o json"),
    "rules show": ("rules show redox", "rules show redten -o json"),
    "rules explain": ("rules explain redox", "rules explain redox scoring.joker"),
    "rules diff": ("rules diff redox_two_players", "rules diff redox -s rules.decks=3"),
    "rules columns": ("rules columns redox", "rules columns redten -o csv"),
    "rules schema": ("rules schema redox", "rules schema > simcli.schema.json"),
    "players list": ("players list redox", "players list redten -o json"),
    "players ladder": ("players ladder redten", "players ladder dafuweng -n 5000 --search-games 500"),
    "init": ("init redox", "init redten friday.yaml"),
    "exact": ("exact redox", "exact redox slam -s decks=1"),
    "hand": ('hand redox "2s 3s 4s 5s 6h 7h 8h 4c 5c 6c 7c 8c Js Js Jh"', "hand redten --file hands.txt -o csv"),
    "doctor": ("doctor", "doctor redox --quick"),
    "bench": ("bench redox", "bench redten --times -o json"),
}
"""By the words of the command, without `simcli`; RUN is the folder of a run."""


def lines(command: str) -> list[str]:
    """The examples of a command as they are typed; none of a group of commands."""
    return [f"simcli {text}" for text in EXAMPLES.get(command, ())]
