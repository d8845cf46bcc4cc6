"""What is one tree for both mates worth? Teams of duel whose mates move together against teams that search alone.

The report says that who collaborates survives longer, and has no figures of that: its opponents were other groups'
programs. So both kinds play each other, and two of each other agent. There the last team standing wins; here careful
players of this strength all live to the end, so the arena's rule is kept, and boxes decide among those who live.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.games import Block
from hsctl.league.intervals import Share
from hsctl.report.plots import bars
from hsctl.report.tables import format_share, new_table
from hsctl.research.experiments.bias import share_of_wins
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import JudgedClaim, is_less, judged_table, measured, share_record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOGETHER, ALONE = KINDS = ("duel:paper", "duel:paper,joint=0")
OPPONENTS = (ALONE, "osla", "simple", "mcts")
SIDE = 2  # players of a team
UNPUBLISHED = "the report has no figures of this: it played other groups' programs, which aren't public"

Outcome = tuple[Share | None, Share | None]  # won, lost


@dataclass(frozen=True)
class DuelTeams:
    """The answer: what either kind of team won and lost, by opponent."""

    outcomes: dict[tuple[str, str], Outcome]  # by kind and opponent
    notes: str

    def view(self) -> RenderableType:
        table = new_table("Teams of duel: both mates in one tree, or each alone")
        for head in ("team of two", "against two", "won (95 %)", "lost (95 %)"):
            table.add_column(head, justify="right" if "95" in head else "left", overflow="fold")
        for (kind, opponent), shares in self.outcomes.items():
            table.add_row(kind, opponent, *(format_share(share, 1) for share in shares))
        return Group(table, Text(self.notes, "dim"), Text(""), judged_table([self.statement()]))

    def statement(self) -> JudgedClaim:
        """What became of the games between both kinds."""
        won, lost = self.outcomes[TOGETHER, ALONE]
        ours = f"won {format_share(won, 1)}, lost {format_share(lost, 1)}"
        return JudgedClaim("mates who move together beat those who don't", ours, is_less(lost, won))

    def as_dict(self) -> dict[str, Any]:
        rows = [
            {"team": kind, "against": opponent, "won": share_record(won), "lost": share_record(lost)}
            for (kind, opponent), (won, lost) in self.outcomes.items()
        ]
        return {"notes": self.notes, "teams": rows, "claims": [self.statement().as_dict()]}

    def draw(self) -> "Figure":
        labels = [f"{kind} - {opponent}" for kind, opponent in self.outcomes]
        series = {
            name: [measured(shares[at]) for shares in self.outcomes.values()] for at, name in enumerate(("won", "lost"))
        }
        return bars("Teams of duel", labels, series, "share of games")


def run_teams(stage: ExperimentStage) -> ExperimentAnswer:
    pairs = [(kind, opponent) for kind in KINDS for opponent in OPPONENTS if kind != opponent]
    outcomes = {pair: play_pair(stage, pair) for pair in pairs}
    return DuelTeams(outcomes, f"{stage.games} games each, {stage.effort.budget}; {UNPUBLISHED}")


def play_pair(stage: ExperimentStage, pair: Sequence[str]) -> Outcome:
    """One kind of team against another: won and lost."""
    blocks = [Block(seed, (0, 1, 2, 3)) for seed in stage.seeds(stage.games, 2 * SIDE)]
    played = stage.play([f"{player}+{player}" for player in pair], blocks, is_teamed=True)
    return share_of_wins(played, 0, SIDE), share_of_wins(played, SIDE, SIDE)


EXPERIMENTS = {"duel": Experiment(run_teams, games=200, ms=10.0, nodes=2000)}
