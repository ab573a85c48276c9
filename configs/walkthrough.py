"""A walk through the module: run it as a script, or open it as a notebook where `# %%` begins a cell."""

# %% Ask: a question of a config by name, or an event over the columns of a round
import polars as pl

import simcli

lone = simcli.ask("redten", "solo", games=5_000, seed=3)
print(lone)
print("counted exactly:", lone.exact and lone.exact["p"])

# %% The same question by groups, and of other players
print(simcli.ask("redten", mean="points", per="seat", by=["solo", "side"], games=5_000, seed=3))
print(simcli.ask("redten", "lone_wins", games=5_000, seed=3, policies="random"))

# %% Keep a run, and work on its tables with polars
run = simcli.run("redten", games=5_000, seed=3, results="results")
print(run.rounds.group_by("outcome").len().sort("outcome").collect())
print(
    run.seats.filter(pl.col("solo"))
    .group_by("side", "dealt_bombs")
    .agg(pl.col("points").mean(), pl.len())
    .sort("side", "dealt_bombs")
    .collect()
)

# %% A run answers questions too, without new play
print(simcli.ask(run, "leader_first").estimate)

# %% Compare players, or rules, on the same deals
print(simcli.compare("redten", "expert", "greedy", games=1_000, seed=3))
print(
    simcli.compare("redten", {"rules.pass_is_final": False}, {"rules.pass_is_final": True}, "drawn_hand", games=1_000)
)

# %% Count exactly, weigh a hand, watch a game
print(simcli.exact("redox", "set"))
print(simcli.hand("redten", "3h 3s 3d 4c 5c 6c 7c"))
print(simcli.show(run, game=lone.examples[0]))

# %% What cannot be meant is refused in one line
try:
    simcli.ask("redten", "trun > 3")
except simcli.UserError as error:
    print(error)
