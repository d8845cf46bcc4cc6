"""Experiments: questions that are answered by series of games, each by one command, `hsctl paper NAME`.

How to add one: a file here and a line in EXPERIMENTS below. The file says what is asked and how, as data and one
function; nothing in it parses options, prints, or plays games by itself:

    # hsctl/experiments/depth.py
    \"\"\"Does more depth pay? Each depth against `simple`, on the same seeds.\"\"\"

    VARIANTS = ("negamax:depth=2", "negamax:depth=4")

    def run(stage: Stage) -> Answer:
        return play_variants(stage, VARIANTS, [("osla",), ("simple", "simple", "simple")])

    EXPERIMENT = Experiment(run, games=200, ms=10.0)

What there is to build on:

- `frame.py`: `stage.meet(players, blocks)` plays blocks (one seed, all seat rotations) and returns the standings: every
  player against every other, ratings, places; `stage.play` returns the games. What the ledger has isn't played again,
  so every experiment can be stopped and goes on. `stage.games` is `--games` or the experiment's own number,
  `stage.seeds(games, seats)` as many seeds as that takes, `stage.effort.budget` says what a turn had. An `Answer` has
  `view()` for the terminal (80 columns), `as_dict()` for `--json` and `draw()` for `--plot` (hsctl/views/plots.py).
- `variants.py`: `play_variants(stage, variants, lineups)`: each variant against the same line-ups of opponents on the
  same seeds: scores with intervals, and the variants compared on the seeds where they differ (sign test), each with
  each or with a `baseline`; `claims` of others are judged by that.
- `tables.py`: shares with intervals beside the paper's figures (`paper.json`), and whether they agree.
- `hsctl/stats/`: `standings.py`, `rating.py`, `intervals.py`, `sequential.py`: what games say.

A budget of one player alone is part of his text (`mcts:time=50`, `rhea:nodes=2000`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import HsctlError

if TYPE_CHECKING:
    from hsctl.experiments.frame import Experiment

EXPERIMENTS = {  # name -> what it asks; the file is imported when it is needed
    "table1": "steps of the naive and the bitwise engine in 500 ms (Table 1)",
    "table2": "what each enhancement of the beam search is worth (Table 2)",
    "table3": "beam, mcts and rhea against each other, two players (Table 3)",
    "table4": "the same with all three in one game (Table 4)",
    "negamax": "alpha-beta: does more depth pay, and which strategy is best",
    "fig3": "simulations by game round for each set of features (Figure 3)",
    "fig4": "depth by game round for each set of features (Figure 4)",
    "terms": "what each term of the evaluation is worth: left out one by one",
    "rhea": "crossover and replacement of the evolution, all four combinations",
    "hybrid": "is a search worth it that can make few steps: hybrid's variants (Zhou et al. 2018, Table 1)",
    "bias": "does decaying reward help, does progressive bias, at depth 12 and 20 (Park et al. 2021)",
    "teams": "mcts and bias in teams and all against all, with full and limited sight (the same, Tables 2 to 9)",
    "league": "all schools against each other, two players",
    "league4": "all schools against each other, four players",
    "league_teams": "all schools against each other, two of a school against two of another",
    "duel": "what caution, a kept tree, shared states, dead ends and space are worth to duel",
    "duel_kept": "how many nodes the kept tree of duel saves",
}
OF_THE_PAPER = (
    "table1",
    "table2",
    "table3",
    "table4",
    "fig3",
    "fig4",
    "terms",
    "rhea",
)


def find_experiment(name: str) -> "Experiment":
    if name not in EXPERIMENTS:
        raise HsctlError(f"{name!r} is no experiment; there are: {', '.join(EXPERIMENTS)}")
    room = "paper" if name in OF_THE_PAPER else "agents"
    experiment: Experiment = import_module(f"hsctl.experiments.{room}.{name}").EXPERIMENT
    return experiment
