"""Strength against time: the score of each player against one fixed opponent as the player's budget grows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from engine.errors import HsctlError
from hsctl.league.games import Block
from hsctl.league.intervals import Share
from hsctl.match.players import read_player
from hsctl.report.plots import lines
from hsctl.report.tables import describe_clock, new_table
from hsctl.research.experiments.frame import ExperimentStage
from hsctl.research.experiments.tables import SCORE, measured, share_record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNITS = {"time": "ms a turn", "nodes": "nodes a turn"}


@dataclass(frozen=True)
class Budgets:
    """The budgets to try: `time` in milliseconds, or `nodes`."""

    unit: str
    amounts: tuple[float, ...]

    def give(self, player: str, amount: float) -> str:
        """The player with this budget as part of its text."""
        spec = read_player(player).spec
        if spec is None:
            raise HsctlError(f"{player!r} is an external bot, whose budget can't be changed: name an agent")
        if spec.ms is not None or spec.nodes is not None:
            raise HsctlError(f"{player!r} has a budget already: leave it out")
        return f"{player}{',' if ':' in player else ':'}{self.unit}={amount:.15g}"


def play_scale(stage: ExperimentStage, players: Sequence[str], opponent: str, budgets: Budgets) -> "Scale":
    """Play every player with every budget against the opponent, all on the same seeds."""
    variants = [(player, amount) for amount in budgets.amounts for player in players]
    texts = [*(budgets.give(player, amount) for player, amount in variants), opponent]
    seeds = stage.seeds(stage.games, 2)
    blocks = [Block(seed, (at, len(variants))) for seed in seeds for at in range(len(variants))]
    standings = stage.meet(texts, blocks)
    scores = {variant: standings.share(at, len(variants), SCORE) for at, variant in enumerate(variants)}
    return Scale(tuple(players), opponent, budgets, scores, 2 * len(seeds), standings.clock)


@dataclass(frozen=True)
class Scale:
    """The answer: player and budget -> score, a draw being 1/2."""

    players: tuple[str, ...]
    opponent: str
    budgets: Budgets
    scores: dict[tuple[str, float], Share | None]
    games: int
    clock: str | None

    @property
    def title(self) -> str:
        return f"Score against {self.opponent}"

    def view(self) -> RenderableType:
        table = new_table(f"{self.title}, % (95 %)")
        table.add_column(UNITS[self.budgets.unit], justify="right")
        for player in self.players:
            table.add_column(player, justify="right", overflow="fold")
        for amount in self.budgets.amounts:
            table.add_row(f"{amount:.15g}", *(format_score(self.scores[player, amount]) for player in self.players))
        played = f"{self.games} games each, on the same seeds{describe_clock(self.clock)}"
        return Group(table, Text(f"{played}; a draw is half a point", "dim"))

    def as_dict(self) -> dict[str, Any]:
        scores = {
            player: [
                {self.budgets.unit: amount, "score": share_record(self.scores[player, amount])}
                for amount in self.budgets.amounts
            ]
            for player in self.players
        }
        return {"title": self.title, "opponent": self.opponent, "scores": scores}

    def draw(self) -> "Figure":
        series = {
            player: [(amount, measured(self.scores[player, amount])) for amount in self.budgets.amounts]
            for player in self.players
        }
        return lines(self.title, UNITS[self.budgets.unit], "score", series, is_log=True)


def format_score(share: Share | None) -> str:
    if share is None:
        return "no games"
    return f"{100 * share.value:.1f} ({100 * share.interval.low:.0f}–{100 * share.interval.high:.0f})"
