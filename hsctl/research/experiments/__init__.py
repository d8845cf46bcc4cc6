"""Experiments: questions that are answered by series of games, each by one command, `hsctl paper NAME`.

    paper/     the main paper's tables and figures, and the questions it left open
    agents/    further questions about the agents

To add one, write a file in one of these folders and a line in EXPERIMENTS below. The file says what is asked and how,
as data and one function; nothing in it parses options, prints, or plays games by itself:

    # hsctl/research/experiments/agents/depth.py
    \"\"\"Does more depth pay? Each depth against `simple`, on the same seeds.\"\"\"

    VARIANTS = ("negamax:depth=2", "negamax:depth=4")

    def run(stage: Stage) -> Answer:
        return play_variants(stage, VARIANTS, [("osla",), ("simple", "simple", "simple")])

    EXPERIMENT = Experiment(run, games=200, ms=10.0)

What there is to build on:

- `frame.py`: `stage.meet(players, blocks)` plays blocks (one seed, all seat rotations) and returns the standings: every
  player against every other, ratings, places; `stage.play` returns the games. Games that are in the ledger aren't
  played again, so every experiment can be stopped and resumed. `stage.games` is `--games` or the experiment's own
  number, `stage.seeds(games, seats)` gives as many seeds as that takes, `stage.effort.budget` says what a turn had. An
  `Answer` has `view()` for the terminal (80 columns), `as_dict()` for `--json` and `draw()` for `--plot`
  (hsctl/report/plots.py).
- `variants.py`: `play_variants(stage, variants, lineups)` plays each variant against the same line-ups of opponents on
  the same seeds. It gives scores with intervals and compares the variants on the seeds where they differ (sign test),
  each with each or with a `baseline`; `claims` made by others are judged by that, a `remark` says what they lack.
- `mirrors.py`: `tell_apart(player, effort)` is the player as an opponent of itself, whose games aren't all mirrored.
- `tables.py`: shares with intervals beside the paper's figures (`paper.json`), statements in words, and whether they
  agree.
- `keeping.py`: what is watched in games, kept beside the ledger.
- `pages.py`: pages of docs filled in by the commands that stand in them (`hsctl paper --pages`).
- `hsctl/league/`: `standings.py`, `rating.py`, `intervals.py`, `sequential.py`: what games say.

To give one player alone a budget, write it in the player's text (`mcts:time=50`, `rhea:nodes=2000`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import HsctlError

if TYPE_CHECKING:
    from hsctl.research.experiments.frame import Experiment

PAPER, AGENTS = "paper", "agents"  # folders
HEADINGS = {PAPER: "The paper, and what it left open", AGENTS: "Further questions about the agents"}


class ExperimentEntry(NamedTuple):
    """Where an experiment lives, as FOLDER/NAME.py, and what it asks."""

    folder: str
    question: str


EXPERIMENTS = {  # the file is imported when it is needed
    "table1": ExperimentEntry(PAPER, "How many steps do both engines make in 500 ms? (Table 1)"),
    "table2": ExperimentEntry(PAPER, "What is each enhancement of the beam search worth? (Table 2)"),
    "table3": ExperimentEntry(PAPER, "Who wins, beam, mcts or rhea, with two players? (Table 3)"),
    "table4": ExperimentEntry(PAPER, "Who is ranked above whom with all three in a game? (Table 4)"),
    "plain": ExperimentEntry(PAPER, "Does a beam without enhancements win, too? (section 7)"),
    "fig3": ExperimentEntry(PAPER, "How many simulations, by round and set of features? (Figure 3)"),
    "fig4": ExperimentEntry(PAPER, "How deep does the search get, by round and features? (Figure 4)"),
    "fig6": ExperimentEntry(PAPER, "Which places does the beam take in the field? (Figure 6)"),
    "behaviour": ExperimentEntry(PAPER, "How do the paper's three agents behave? (section 7.1)"),
    "inversion": ExperimentEntry(PAPER, "Which readings put mcts above rhea, as in Table 3?"),
    "terms": ExperimentEntry(PAPER, "What is each term of the evaluation worth?"),
    "rhea": ExperimentEntry(PAPER, "Which crossover and replacement suit the evolution best?"),
    "readings": ExperimentEntry(PAPER, "Which reading of mcts's reward plays best? (section 6.1)"),
    "mcts": ExperimentEntry(AGENTS, "Is mcts's default the better player?"),
    "negamax": ExperimentEntry(AGENTS, "Does more depth pay, and which strategy is best?"),
    "negamax_parts": ExperimentEntry(AGENTS, "What do table, ordering and killers save; does it stall?"),
    "hybrid": ExperimentEntry(AGENTS, "Is a search of few steps worth it? (Zhou et al. 2018)"),
    "bias": ExperimentEntry(AGENTS, "Do decaying reward and bias help? (Park et al. 2021)"),
    "teams": ExperimentEntry(AGENTS, "Who wins in teams and with limited sight? (Park et al. 2021)"),
    "duel": ExperimentEntry(AGENTS, "What are duel's caution, kept tree and other parts worth?"),
    "duel_c": ExperimentEntry(AGENTS, "Which weight of exploration suits duel best?"),
    "duel_teams": ExperimentEntry(AGENTS, "What is one tree for both mates worth to duel?"),
    "duel_kept": ExperimentEntry(AGENTS, "How many nodes does duel's kept tree save?"),
    "league": ExperimentEntry(AGENTS, "How do all schools rank with two players?"),
    "league4": ExperimentEntry(AGENTS, "How do all schools rank with four players?"),
    "league_teams": ExperimentEntry(AGENTS, "How do all schools rank in teams of two?"),
}


def find_experiment(name: str) -> "Experiment":
    if name not in EXPERIMENTS:
        raise HsctlError(f"{name!r} is not an experiment; the experiments are: {', '.join(EXPERIMENTS)}")
    experiment: Experiment = import_module(f"hsctl.research.experiments.{EXPERIMENTS[name].folder}.{name}").EXPERIMENT
    return experiment
