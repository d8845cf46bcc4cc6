"""Experiments: questions that are answered by series of games, each by one command, `hsctl paper NAME`.

One module per paper; the main paper's figures 3 and 4 and its section 7.1 have their own. To add an experiment, write
one function and an entry in the module's EXPERIMENTS, and a line in the register below. Nothing in it parses options,
prints, or plays games by itself:

    # hsctl/research/experiments/negamax.py
    def run_depths(stage: ExperimentStage) -> ExperimentAnswer:
        return play_variants(stage, ("negamax:depth=2", "negamax:depth=4"), [("osla",), ("simple", "simple", "simple")])

    EXPERIMENTS = {"depths": Experiment(run_depths, games=200, ms=10.0)}

What to build on:

- `frame.py`: `stage.meet(players, blocks)` plays blocks (one seed, all seat rotations) and returns the standings: every
  player against every other, ratings, places; `stage.play` returns the games. Games that are in the ledger aren't
  played again, so every experiment can be stopped and resumed. `stage.games` is `--games` or the experiment's own
  number, `stage.seeds(games, seats)` gives as many seeds as that takes, `stage.effort.budget` names the budget of a
  turn. An `ExperimentAnswer` has `view()` for the terminal (80 columns), `as_dict()` for `--json` and `draw()` for
  `--plot` (hsctl/report/plots.py).
- `variants.py`: `play_variants(stage, variants, lineups)` plays each variant against the same line-ups of opponents on
  the same seeds. It gives scores with intervals and compares the variants on the seeds where they differ (sign test).
- `tables.py`: shares next to the paper's figures (paper.json), the test of their difference, statements in words.
- `pages.py`: pages of docs filled in by the commands in them (`hsctl paper --pages`).
- `hsctl/league/`: standings, ratings, intervals, sequential tests.

To give one player alone a budget, write it in the player's text (`mcts:time=50`, `rhea:nodes=2000`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import HsctlError

if TYPE_CHECKING:
    from hsctl.research.experiments.frame import Experiment

MAIN, OTHERS = "The main paper (Kowalczyk et al. 2022)", "Other papers"


class ExperimentEntry(NamedTuple):
    """The module of an experiment, imported when it is needed, and what it asks."""

    heading: str
    module: str
    question: str


EXPERIMENTS = {
    "table1": ExperimentEntry(MAIN, "beam", "How many steps do both engines make in 500 ms? (Table 1)"),
    "table2": ExperimentEntry(MAIN, "beam", "What is each enhancement of the beam worth? (Table 2)"),
    "table3": ExperimentEntry(MAIN, "beam", "Who wins, beam, mcts or rhea? (Table 3)"),
    "table4": ExperimentEntry(MAIN, "beam", "Who ranks above whom in games of three? (Table 4)"),
    "plain": ExperimentEntry(MAIN, "beam", "Does a beam without enhancements win, too? (section 7)"),
    "fig3": ExperimentEntry(MAIN, "figures", "How many simulations, by round and features? (Figure 3)"),
    "fig4": ExperimentEntry(MAIN, "figures", "How deep is the search, by round and features? (Figure 4)"),
    "fig6": ExperimentEntry(MAIN, "beam", "Which places does the beam take? (Figure 6)"),
    "behaviour": ExperimentEntry(MAIN, "behaviour", "How do the three agents behave? (section 7.1)"),
    "readings": ExperimentEntry(MAIN, "beam", "Which reading of mcts's reward fits Table 3?"),
    "inversion": ExperimentEntry(MAIN, "beam", "Which readings put mcts above rhea, as in Table 3?"),
    "bias": ExperimentEntry(OTHERS, "bias", "Park et al. 2021: bias and decay, in teams and alone"),
    "duel": ExperimentEntry(OTHERS, "duel", "Jonsson and Strimbold 2024: one tree for both mates"),
    "hybrid": ExperimentEntry(OTHERS, "hybrid", "Zhou et al. 2018: a search of few steps in a rule bot"),
    "negamax": ExperimentEntry(OTHERS, "negamax", "Polychronopoulos et al. 2020: against its baselines"),
}


def find_experiment(name: str) -> "Experiment":
    if name not in EXPERIMENTS:
        raise HsctlError(f"{name!r} is not an experiment; the experiments are: {', '.join(EXPERIMENTS)}")
    module = import_module(f"hsctl.research.experiments.{EXPERIMENTS[name].module}")
    experiment: Experiment = module.EXPERIMENTS[name]
    return experiment
