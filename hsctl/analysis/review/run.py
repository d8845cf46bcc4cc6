"""Reviews carried out: one game, or every game of a folder; proofs and suites are written on the way."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.game import SURVIVAL
from hsctl import __version__
from hsctl.analysis.review.deaths import ReviewedDeath, deaths_of
from hsctl.analysis.review.habits import habits_of
from hsctl.analysis.review.lost import lost_way_out
from hsctl.analysis.review.proof import proof_of
from hsctl.analysis.review.regret import OnTurn, ReferenceBeam, Regrets, regrets_of
from hsctl.analysis.review.report import Review, review_of
from hsctl.analysis.review.rollouts import add_chances
from hsctl.analysis.review.suite import name_of, write_suite
from hsctl.analysis.review.verdict import verdict_of
from replays.opening import fitting_seats, open_games
from replays.playback import Playback
from replays.replay import write


@dataclass(frozen=True)
class ReviewRequest:
    """What is asked for besides the review itself."""

    rollouts: int = 0
    proof: Path | None = None  # folders
    suite: Path | None = None


def review_game(
    playback: Playback, seat: int, file: str, reference: ReferenceBeam | None, wish: ReviewRequest, on_turn: OnTurn
) -> Review:
    """Deaths first, then every move if there is somebody to value them: in boxes, so only where boxes rank."""
    deaths = deaths_of(playback, seat)
    if playback.replay.start.ends == SURVIVAL:
        reference = None
    regrets = Regrets() if reference is None else regrets_of(playback, seat, reference, on_turn)
    found = review_of(playback, seat, file, deaths, regrets, habits_of(playback, seat))
    if (lost := lost_way_out(playback, seat)) is not None:
        found.mistakes = [lost, *(mistake for mistake in found.mistakes if mistake.turn < lost.turn)]
    found.verdict = verdict_of(found)
    if wish.proof is not None:
        write_proofs(playback, deaths, found, wish.proof)
    if wish.rollouts:
        add_chances(playback, found, wish.rollouts)
    if wish.suite is not None:
        write_suite(playback, found, wish.suite)
    return found


def review_files(
    paths: Iterable[Path],
    player: str,
    reference: ReferenceBeam | None,
    wish: ReviewRequest,
    on_file: Callable[[float], None],
    tell: Callable[[str], None],
) -> list[Review]:
    """Every game of the players that are meant; `tell` is told what must be said about a file, or why it is none."""
    reviews = []
    for path, playback in open_games(paths, tell, lambda: on_file(1)):
        for seat in fitting_seats(player, playback.specs):
            reviews.append(review_game(playback, seat, str(path), reference, wish, lambda _: None))
    return reviews


def write_proofs(playback: Playback, deaths: list[ReviewedDeath], found: Review, folder: Path) -> None:
    """A replay for each death that could be survived."""
    for death, told in zip(deaths, found.deaths, strict=True):
        if death.last_turn is not None:
            replay = proof_of(playback, death.seat, death.last_turn, death.line, death.turn, __version__)
            path = folder / f"{name_of(found.file, playback)}-player{death.seat}-lives-from-turn{death.last_turn}.json"
            write(path, replay)
            told.proof = str(path)
