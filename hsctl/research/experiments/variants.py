"""Variants of an agent against the same opponents on the same seeds, compared on the seeds where they differ.

Seeds differ more than variants do: most boards are won or lost by all of them. So two variants are compared seed by
seed: each seed counts for the one that scored more on it (over all seats and line-ups of opponents), and a sign test
says how likely such a split is if they are equal. "60 %*" means that the row scored more on 60 % of the seeds where the
two differ, and that chance alone does that in less than 5 % of all series.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.errors import HsctlError
from engine.game import ARENA
from hsctl.league.intervals import Share, share_of, sign_test
from hsctl.league.lineups import Block
from hsctl.match.finished import FinishedGame
from hsctl.match.players import MOST
from hsctl.report.plots import bars
from hsctl.report.tables import format_share, new_table
from hsctl.research.experiments.frame import ExperimentStage
from hsctl.research.experiments.tables import Judged, format_depth, judged_table, measured, share_record, warn_shallow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNIFICANT = ((0.01, "**"), (0.05, "*"))


class Claim(NamedTuple):
    """A result claimed by others: one variant is better than another."""

    words: str
    better: str
    worse: str


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
    claims: Sequence[Claim] = (),
    ends: str = ARENA,
    remark: str = "",
) -> "Variants":
    """Play every variant against every line-up of opponents (`[("mcts",), ("simple", "simple", "simple")]`).

    All on the same seeds: `--games` games for each variant and line-up, every seed from all seats. With a baseline,
    which is one of the variants, the others are compared only with it. Claims are judged by the same comparison. A
    remark is shown below, such as that nobody has published figures of this.
    """
    for lineup in lineups:
        if not 1 <= len(lineup) < MOST:
            raise HsctlError(f"{len(lineup)} opponents, expected 1 to {MOST - 1}")
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
    return Variants(title, tuple(variants), names, results, stage.effort.budget, baseline, tuple(claims), remark)


def result_of(games: Sequence[FinishedGame], variant: int) -> SeedResult:
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
    claims: tuple[Claim, ...] = ()
    remark: str = ""
    statements: tuple[Judged, ...] = ()  # of others, judged by whoever asks

    def named(self, names: Mapping[str, str]) -> Self:
        """The same with other names for the variants, such as what they differ in."""
        results = {(names[variant], lineup): blocks for (variant, lineup), blocks in self.results.items()}
        claims = tuple(claim._replace(better=names[claim.better], worse=names[claim.worse]) for claim in self.claims)
        variants = tuple(names[variant] for variant in self.variants)
        return replace(self, variants=variants, results=results, claims=claims)

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

    def judge(self, claim: Claim) -> Judged:
        """Whether our games agree with a claim; None where it could be chance."""
        split = self.split(claim.better, claim.worse)
        differ = split.better + split.worse
        ours = f"{split} of {differ} seeds" if differ else "no seed differs"
        is_decided = split.share is not None and split.chance < SIGNIFICANT[-1][0]
        return Judged(claim.words, ours, split.better > split.worse if is_decided else None)

    def judged(self) -> list[Judged]:
        return [*map(self.judge, self.claims), *self.statements]

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
        parts += [Text(self.remark, "dim")] if self.remark else []
        parts += warn_shallow({variant: self.mean_depth(variant, self.lineups[0]) for variant in self.variants})
        if judged := self.judged():
            parts += [Text(""), judged_table(judged)]
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
            "remark": self.remark,
            "scores": scores,
            "where_they_differ": splits,
            "claims": [each.as_dict() for each in self.judged()],
        }

    def draw(self) -> "Figure":
        series = {
            f"against {lineup}": [measured(self.score(variant, lineup)) for variant in self.variants]
            for lineup in self.lineups
        }
        return bars(self.title, self.variants, series, "score")


STARS = "* less than 5 % by chance alone, ** less than 1 % (two-sided sign test over seeds)"


@dataclass(frozen=True)
class Questions:
    """Several questions asked of the same games, each about some of the variants."""

    asked: Mapping[str, tuple[str, ...]]  # question -> its variants
    whole: Variants
    statements: Sequence[Judged] = ()  # of others

    def parts(self) -> list[Variants]:
        """Each question with its variants; what is remarked on all of them is shown once, below."""
        shared = replace(self.whole, remark="")
        return [replace(shared, title=question, variants=variants) for question, variants in self.asked.items()]

    def view(self) -> RenderableType:
        below: list[RenderableType] = [Text(self.whole.remark, "dim")] if self.whole.remark else []
        below += [Text(""), judged_table(self.statements)] if self.statements else []
        return Group(*(part.view() for part in self.parts()), *below)

    def as_dict(self) -> dict[str, Any]:
        claims = {"claims": [each.as_dict() for each in self.statements]} if self.statements else {}
        remark = {"remark": self.whole.remark} if self.whole.remark else {}
        return {**{part.title: part.as_dict() for part in self.parts()}, **remark, **claims}

    def draw(self) -> "Figure":
        return self.whole.draw()
