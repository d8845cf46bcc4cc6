"""A mistake becomes a test: an entry for a suite that a bot can be held against (`hsctl/analysis/suite/`)."""

from hashlib import blake2b
from pathlib import Path

from engine.game import Game
from engine.notation import Order, format_action, parse_order
from engine.rules import ACTION_NAMES
from engine.survival import is_survivable
from hsctl.analysis.review.report import DEATH, VALUE, Mistake, Review
from hsctl.analysis.suite.demands import Avoid, Demand, Play, Survive, Within
from hsctl.analysis.suite.entry import FORMAT, VERSION, SuiteEntry, write_entry
from replays.export.text import format_input
from replays.playback import Playback
from replays.replay import encode
from replays.store import words_of

WITHIN_MS, FIRST_WITHIN_MS = 100.0, 1000.0  # the arena's clock, where the game had none


def write_suite(playback: Playback, review: Review, folder: Path) -> list[Path]:
    """An entry for each mistake of a review."""
    name = f"{name_of(review.file, playback)}-player{review.player}"
    return [
        write_entry(folder, f"{name}-turn{mistake.turn}", entry_of(playback, review, mistake))
        for mistake in review.mistakes
    ]


def entry_of(playback: Playback, review: Review, mistake: Mistake) -> SuiteEntry:
    turns = range(playback.first_turn, mistake.turn + 1)
    demands = [*demands_of(playback, review, mistake), Within(clock_of(playback, mistake.turn))]
    inputs = format_input(playback, turns, review.player).splitlines()
    return SuiteEntry(FORMAT, VERSION, inputs, list(map(str, demands)), mistake.turn, mistake.why)


def demands_of(playback: Playback, review: Review, mistake: Mistake) -> list[Demand]:
    """What the answer must do: nothing but come where there was none, stay alive, or not repeat the mistake."""
    game, seat = playback.game_at(mistake.turn), review.player
    if mistake.kind == DEATH:
        is_plain = not can_survive(game, seat, ACTION_NAMES.index(mistake.played))
        return [Survive() if is_plain else Play(tuple(order_of(game, seat, name) for name in mistake.safe))]
    return [Avoid(order_of(game, seat, mistake.played))] if mistake.kind == VALUE else []


def can_survive(game: Game, seat: int, action: int) -> bool:
    """Whether the known bombs can be survived after an action, the others standing still."""
    after = game.copy()
    after.step([action if at == seat else 0 for at in range(game.seats)])
    return seat in after.living and bool(is_survivable(after.state, after.map, seat))


def order_of(game: Game, seat: int, name: str) -> Order:
    return parse_order(format_action(game.state, seat, ACTION_NAMES.index(name)))


def clock_of(playback: Playback, turn: int) -> float:
    """What the bot had for this turn."""
    limits, is_first = playback.replay.limits, turn == playback.first_turn
    limit = limits.first_turn_ms if is_first else limits.turn_ms
    return limit or (FIRST_WITHIN_MS if is_first else WITHIN_MS)


def name_of(file: str, playback: Playback) -> str:
    """A name for what is written about a game: readable, and no two games share it, whatever their files are called."""
    digest = blake2b(encode(playback.replay), digest_size=6).hexdigest()
    return f"{words_of(Path(file).stem) or 'game'}-{digest}"
