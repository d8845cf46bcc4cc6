"""Many games of one player: why they were lost, how often, and where to look first."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.analysis.review.report import DeathRecord, Review
from hsctl.analysis.review.verdict import DEAD, is_idle
from hsctl.league.intervals import Share, share_of_games
from hsctl.report.tables import new_table
from hsctl.shell import join_words
from replays.replay import UNFINISHED
from replays.text import clean, counted

WON, DRAWN = "won", "drawn"
IDLE, COSTLY, OUTPLAYED, LIVED = "dropped no bomb", "costly moves", "no mistake found", "not by a death"
NOT_LOST = (UNFINISHED, DRAWN, WON)
WORST = 3  # games that are named for a cause
MOST_FAULTS = 20  # avoidable deaths that are listed


class Cause(NamedTuple):
    """Why so many games went as they did; the worst of them first."""

    name: str
    reviews: list[Review]


class DeathCount(NamedTuple):
    """How often a player died, first all the same, avoidably, and both avoidably and at the cost of the first place."""

    all: int
    won: int
    avoidable: int
    faults: int


def cause_of(review: Review) -> str:
    """What a game was lost by: a death before anything else; errors by their kind."""
    if not review.is_finished and not review.deaths and not review.is_dead_from_start:
        return UNFINISHED
    if review.rank == 1:
        return DRAWN if review.is_drawn else WON
    if review.is_dead_from_start:
        return DEAD
    if review.deaths:
        death = review.deaths[0]
        return f"{death.cause}: {death.failure}" if death.failure else death.cause
    if is_idle(review):
        return IDLE
    return COSTLY if review.mistakes else LIVED if review.agent is None else OUTPLAYED


def causes_of(reviews: Sequence[Review]) -> list[Cause]:
    """The most frequent first; what was not lost comes last."""
    names = list(dict.fromkeys(map(cause_of, reviews)))
    causes = [Cause(name, sorted((each for each in reviews if cause_of(each) == name), key=badness)) for name in names]
    return sorted(causes, key=lambda cause: (cause.name in NOT_LOST, -len(cause.reviews), cause.name))


def share_of_cause(cause: Cause, reviews: Sequence[Review]) -> Share:
    """The share of a cause; games of one board are no more independent here than in a series."""
    boards = [review.file if review.seed is None else review.seed for review in reviews]
    numbers = {board: number for number, board in enumerate(dict.fromkeys(boards))}
    share = share_of_games([cause_of(review) == cause.name for review in reviews], [numbers[each] for each in boards])
    assert share is not None
    return share


def badness(review: Review) -> tuple[float, float]:
    """Last places first, then early deaths, or the cost of all mistakes."""
    early = min((death.turn for death in review.deaths), default=0)
    return -review.rank, early - sum(mistake.cost or 0.0 for mistake in review.mistakes)


def folder_view(reviews: Sequence[Review], player: str) -> RenderableType:
    table = new_table()
    table.add_column("lost by", overflow="fold")
    for title in ("games", "share", "95 %"):
        table.add_column(title, justify="right")
    for cause in causes_of(reviews):
        share = share_of_cause(cause, reviews)
        table.add_row(
            f"not lost ({cause.name})" if cause.name in NOT_LOST else cause.name,
            str(len(cause.reviews)),
            f"{100 * share.value:.0f} %",
            f"{100 * share.interval.low:.0f}–{100 * share.interval.high:.0f}",
        )
    return Group(table, Text(clean(summary_of(reviews, player))))


def folder_lines(reviews: Sequence[Review]) -> list[str]:
    """Where to look, in lines that must not be wrapped: `hsctl replay` opens what they name, pasted as it is."""
    lines = []
    for cause in causes_of(reviews):
        if cause.name not in NOT_LOST:
            places = [join_words([place_of(review)]) for review in cause.reviews[:WORST]]
            lines += [f"{cause.name}, worst first:", *(f"  {place}" for place in places)]
    faults = fault_lines(reviews)
    return [*lines, *(["avoidable deaths that cost the first place:", *faults] if faults else [])]


def summary_of(reviews: Sequence[Review], player: str) -> str:
    deaths, games = count_deaths(reviews), counted(len(reviews), "game")
    if not deaths.all:
        absent = sum(review.is_dead_from_start for review in reviews)
        return f"{games}: {player} never died" + (f", but was {DEAD} in {absent}" if absent else "")
    times = "once" if deaths.all == 1 else f"{deaths.all} times"
    avoided = f"{deaths.avoidable}, of which {deaths.faults} cost the first place" if deaths.avoidable else "none"
    won = f"still came first in {deaths.won} of these games"
    return f"{games}: {player} died {times}, {won}, and could have avoided {avoided}"


def count_deaths(reviews: Sequence[Review]) -> DeathCount:
    died = [death for review in reviews for death in review.deaths]
    faults = sum(len(faults_of(review)) for review in reviews)
    return DeathCount(len(died), sum(death.is_won for death in died), sum(death.is_avoidable for death in died), faults)


def faults_of(review: Review) -> list[DeathRecord]:
    """The avoidable deaths that cost the first place."""
    return [death for death in review.deaths if death.is_avoidable and not death.is_won]


def fault_lines(reviews: Sequence[Review]) -> list[str]:
    """Where to look at each avoidable death, as far as a screen goes."""
    found = [
        f"  {join_words([f'{review.file}@{turn_of(death)}'])}: {describe_fault(death, review.player)}"
        for review in reviews
        for death in faults_of(review)
    ]
    return [*found[:MOST_FAULTS], *([f"  and {len(found) - MOST_FAULTS} more"] if len(found) > MOST_FAULTS else [])]


def turn_of(death: DeathRecord) -> int | None:
    """The turn of the fault."""
    return death.held_turn if is_held_against(death) else death.last_turn


def is_held_against(death: DeathRecord) -> bool:
    """Whether there were moves that held, and another was played; else the known bombs alone made it a fault."""
    return death.held_played not in (None, *death.held)


def describe_fault(death: DeathRecord, player: int) -> str:
    """`player 0 chose stay; down held`."""
    if is_held_against(death):
        return f"player {player} chose {death.held_played}; {', '.join(death.held)} held"
    return f"player {player} chose {death.played}; {', '.join(death.open_moves)} survived the known bombs"


def place_of(review: Review) -> str:
    """Where to look: the file and the turn of its largest mistake."""
    turn = review.mistakes[0].turn if review.mistakes else review.deaths[0].turn if review.deaths else None
    return review.file + ("" if turn is None else f"@{turn}")


def folder_record(reviews: Sequence[Review], player: str) -> dict[str, Any]:
    causes = []
    for cause in causes_of(reviews):
        found = share_of_cause(cause, reviews).interval
        worst = [place_of(review) for review in cause.reviews[:WORST]]
        interval = [round(found.low, 4), round(found.high, 4)]
        causes.append({"cause": cause.name, "games": len(cause.reviews), "interval": interval, "worst": worst})
    deaths = count_deaths(reviews)._asdict()
    return {"player": player, "games": len(reviews), "deaths": deaths, "causes": causes, "reviews": list(reviews)}
