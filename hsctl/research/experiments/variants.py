"""Variants of an agent against the same opponents on the same seeds, compared on the seeds where they differ.

Seeds differ more than variants do: most boards are won or lost by all of them. So two variants are compared seed by
seed: each seed counts for the one that scored more on it (over all seats and line-ups of opponents), and a sign test
says how likely such a split is if they are equal. "60 %*" means that the row scored more on 60 % of the seeds where the
two differ, and that chance alone does that in less than 5 % of all series.

**An agent against itself, by nodes.** Boards are symmetric. Where nothing is left to chance, both sides of such a game
make the same moves, mirrored, and it is drawn: by nodes even to the end, while on the clock no two searches are quite
the same. So `tell_apart` gives one side a little less: a beam a tenth fewer states a layer, any other search a tenth
fewer nodes. (For a beam a tenth fewer nodes would not do: with many of them its last layers decide nothing.) Agents
that draw random numbers draw others in each seat and need no such thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.errors import HsctlError
from engine.game import ARENA
from hsctl.league.games import Block
from hsctl.league.intervals import Share, share_of, sign_test
from hsctl.match.players import MOST, read_player
from hsctl.match.result import GameResult
from hsctl.report.plots import bars
from hsctl.report.tables import format_share, new_table
from hsctl.research.experiments.frame import Effort, ExperimentStage
from hsctl.research.experiments.scale import Budgets
from hsctl.research.experiments.tables import (
    JudgedClaim,
    format_depth,
    judged_table,
    measured,
    share_record,
    warn_shallow,
)
from search.beam.params import BeamParams

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNIFICANT = ((0.01, "**"), (0.05, "*"))


class SeedResult(NamedTuple):
    """A variant on one seed against one line-up: its score and rank in each game."""

    scores: list[float]  # first alone 1, first with k - 1 others 1/k, else 0
    ranks: list[int]
    depth: float | None = None  # how deep it searched, on average; None: its games don't tell


class Split(NamedTuple):
    """Two variants on the seeds where they differ."""

    better: int
    worse: int

    @property
    def share(self) -> float | None:
        return self.better / (self.better + self.worse) if self.better + self.worse else None

    @property
    def chance(self) -> float:
        """How often equal variants would split this unevenly."""
        return sign_test(self.better, self.worse)

    def __str__(self) -> str:
        if self.share is None:
            return "equal"
        stars = next((stars for limit, stars in SIGNIFICANT if self.chance < limit), "")
        return f"{100 * self.share:.0f} %{stars}"


def play_variants(
    stage: ExperimentStage,
    variants: Sequence[str],
    lineups: Sequence[Sequence[str]],
    title: str = "Variants",
    baseline: str | None = None,
    ends: str = ARENA,
) -> "Variants":
    """Play every variant against every line-up of opponents (`[("mcts",), ("simple", "simple", "simple")]`).

    All on the same seeds: `--games` games for each variant and line-up, every seed from all seats. With a baseline,
    which is one of the variants, the others are compared only with it.
    """
    for lineup in lineups:
        if not 1 <= len(lineup) < MOST:
            raise HsctlError(f"{len(lineup)} opponents: 1 to {MOST - 1} fit in a game")
    results: dict[tuple[str, str], dict[int, SeedResult]] = {}
    for lineup in lineups:  # one by one, so that a league has the same players whatever else is played
        players = [*variants, *lineup]
        opponents = tuple(range(len(variants), len(players)))
        seeds = stage.seeds(stage.games, 1 + len(lineup))
        blocks = [Block(seed, (variant, *opponents)) for seed in seeds for variant in range(len(variants))]
        for block, games in zip(blocks, stage.play(players, blocks, ends=ends), strict=True):
            variant = block.lineup[0]
            key = (variants[variant], " ".join(lineup))
            results.setdefault(key, {})[block.seed] = result_of(games, variant)
    names = tuple(" ".join(lineup) for lineup in lineups)
    return Variants(title, tuple(variants), names, results, stage.effort.budget, baseline)


def result_of(games: Sequence[GameResult], variant: int) -> SeedResult:
    ranks = [game.ranks[game.seating.index(variant)] for game in games]
    firsts = [game.ranks.count(1) for game in games]
    thinking = [game.thinking[game.seating.index(variant)] for game in games]
    depths, turns = sum(each.depths for each in thinking), sum(each.turns for each in thinking)
    scores = [1 / first if rank == 1 else 0.0 for rank, first in zip(ranks, firsts, strict=True)]
    return SeedResult(scores, ranks, depths / turns if depths else None)


@dataclass(frozen=True)
class Variants:
    """The answer: scores by opponents, then the variants against each other where they differ."""

    title: str
    variants: tuple[str, ...]
    lineups: tuple[str, ...]
    results: dict[tuple[str, str], dict[int, SeedResult]]  # variant, line-up -> seed -> result
    budget: str
    baseline: str | None = None
    statements: tuple[JudgedClaim, ...] = ()  # of others, judged by the experiment

    def score(self, variant: str, lineup: str) -> Share | None:
        blocks = [result.scores for result in self.results.get((variant, lineup), {}).values()]
        return share_of([sum(scores) for scores in blocks], [len(scores) for scores in blocks])

    def wins(self, variant: str, lineup: str) -> Share | None:
        """The games that it won alone."""
        blocks = [result.scores for result in self.results.get((variant, lineup), {}).values()]
        return share_of([scores.count(1.0) for scores in blocks], [len(scores) for scores in blocks])

    def mean_rank(self, variant: str, lineup: str) -> float | None:
        ranks = [rank for result in self.results.get((variant, lineup), {}).values() for rank in result.ranks]
        return fmean(ranks) if ranks else None

    def mean_depth(self, variant: str, lineup: str) -> float | None:
        depths = [result.depth for result in self.results.get((variant, lineup), {}).values()]
        known = [depth for depth in depths if depth is not None]
        return fmean(known) if known else None

    def split(self, variant: str, other: str) -> Split:
        """Which of the two scored more, by seed, over all line-ups; only seeds that both played."""
        mine, theirs = self.totals(variant), self.totals(other)
        differences = [mine[seed] - theirs[seed] for seed in mine if seed in theirs]
        return Split(sum(one > 0 for one in differences), sum(one < 0 for one in differences))

    def totals(self, variant: str) -> dict[int, float]:
        """Seed -> score over all line-ups that played it."""
        totals: dict[int, float] = {}
        for lineup in self.lineups:
            for seed, result in self.results.get((variant, lineup), {}).items():
                totals[seed] = totals.get(seed, 0.0) + sum(result.scores)
        return totals

    # Shown

    def view(self) -> RenderableType:
        parts: list[RenderableType] = [self.score_table()]
        if len(self.variants) == 1:
            parts += [Text(self.notes, "dim")]
        elif self.baseline is None:
            parts += [Text(self.notes, "dim"), Text(""), self.split_table(), Text(STARS, "dim")]
        else:
            how = f"over {self.baseline}: won of the seeds where they differ"
            parts += [Text("; ".join((self.notes, how, STARS)), "dim")]
        parts += warn_shallow({variant: self.mean_depth(variant, self.lineups[0]) for variant in self.variants})
        if self.statements:
            parts += [Text(""), judged_table(self.statements)]
        return Group(*parts)

    @property
    def notes(self) -> str:
        games = {sum(len(result.ranks) for result in blocks.values()) for blocks in self.results.values()}
        counts = " or ".join(f"{count:,}" for count in sorted(games))
        return f"{counts} games each, {self.budget}; score: first alone 1, first with others shared; rank: mean place"

    def score_table(self) -> Table:
        table = new_table(f"{self.title}: score (95 %), rank")
        table.add_column("variant", overflow="fold")
        table.add_column("against", overflow="fold")
        table.add_column("score", justify="right")
        table.add_column("rank", justify="right")
        table.add_column("depth", justify="right")
        if self.baseline is not None:
            table.add_column("over first" if self.baseline == self.variants[0] else "over base", justify="right")
        for variant in self.variants:
            for at, lineup in enumerate(self.lineups):
                rank = self.mean_rank(variant, lineup)
                name = "" if at else variant
                cells = [format_share(self.score(variant, lineup), 1), "" if rank is None else f"{rank:.2f}"]
                cells.append(format_depth(self.mean_depth(variant, lineup)))
                if self.baseline not in (None, variant) and not at:
                    cells.append(str(self.split(variant, self.baseline)))
                table.add_row(Text(name), Text(lineup), *cells)
        return table

    def split_table(self) -> Table:
        table = new_table(f"{self.title}: seeds where they differ, won by row")
        table.add_column("")
        table.add_column("variant", overflow="fold")
        for number in range(1, len(self.variants) + 1):
            table.add_column(str(number), justify="right")
        for at, variant in enumerate(self.variants):
            cells = ["" if other == variant else str(self.split(variant, other)) for other in self.variants]
            table.add_row(str(at + 1), Text(variant), *cells)
        return table

    def as_dict(self) -> dict[str, Any]:
        scores = {
            variant: {
                lineup: {"score": share_record(self.score(variant, lineup)), "rank": self.mean_rank(variant, lineup)}
                for lineup in self.lineups
            }
            for variant in self.variants
        }
        splits: dict[str, dict[str, Any]] = {variant: {} for variant in self.variants}
        for variant, other in permutations(self.variants, 2):
            split = self.split(variant, other)
            splits[variant][other] = {"better": split.better, "worse": split.worse, "chance": round(split.chance, 6)}
        return {
            "title": self.title,
            "notes": self.notes,
            "scores": scores,
            "where_they_differ": splits,
            "claims": [each.as_dict() for each in self.statements],
        }

    def draw(self) -> "Figure":
        series = {
            f"against {lineup}": [measured(self.score(variant, lineup)) for variant in self.variants]
            for lineup in self.lineups
        }
        return bars(self.title, self.variants, series, "score")


STARS = "* less than 5 % by chance alone, ** less than 1 % (two-sided sign test over seeds)"


# An agent against itself

LESS = 0.9
MIRRORED = "against itself by nodes, the other side has a tenth less, or both would play the same game, mirrored"


def tell_apart(player: str, effort: Effort) -> str:
    """The player as an opponent of itself: on the clock unchanged, by nodes with a little less."""
    if effort.nodes is None:
        return player
    spec = read_player(player).spec
    if spec is not None and isinstance(spec.params, BeamParams):
        return f"{player}{',' if ':' in player else ':'}width={max(1, int(LESS * spec.params.width))}"
    fewer = Budgets("nodes", (max(1, int(LESS * effort.nodes)),))
    return fewer.give(player, fewer.amounts[0])
