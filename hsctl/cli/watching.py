"""`--watch`: games shown while they are played, in the stepper; without a terminal, a line per turn on stderr.

The stepper looks at games that another process plays. Lines are printed by the process that plays, between turns.
A game that is stopped is saved as far as it was played.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.events import Death
from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.league.runner import save
from hsctl.league.watched import Keep, Play, Result, Task, WatchedGames
from hsctl.plain import shows_all
from hsctl.report.console import announce
from hsctl.report.safe_console import SafeConsole
from replays.events import describe, events_of
from replays.render.turn import short_names
from replays.replay import Move, Replay, encode
from replays.store import new_name
from replays.text import counted


class Place(NamedTuple):
    """Where a game is saved, and what its file is called after."""

    folder: Path | None  # None: it is not saved
    label: str


def watch_games(
    tasks: Sequence[Task], play: Play[Task, Result], keep: Keep[Result], place_of: Callable[[Task], Place]
) -> bool:
    """Play games one after the other before the user's eyes; false if they were stopped before the last was over."""
    if not is_on_terminal():
        for task in tasks:
            keep(play_in_lines(task, play, place_of(task)))
        return True
    # Imported before the game begins, whose time it would take.
    from hsctl.cli.adviser import StepperAdviser
    from replays.opening import files_in
    from replays.viewer.watching import watch

    folder = place_of(tasks[0]).folder
    games = [] if folder is None else files_in(folder)
    with SafeConsole(stderr=True).status("starting the players ..."):
        feed = WatchedGames(tasks, play, keep)
    code = 0
    try:
        code = watch(feed, games, StepperAdviser())
    finally:
        at = feed.played
        if (stopped := feed.stop()) is not None:
            save_unfinished(stopped, place_of(tasks[at]))
    if code:
        sys.exit(code)
    return feed.is_over


def is_on_terminal() -> bool:
    """Keys come from stdin, the screen is drawn on stderr; stdout may be anything."""
    return sys.stdin.isatty() and sys.stderr.isatty() and shows_all(sys.stderr)


def save_unfinished(replay: Replay, place: Place) -> None:
    path = save(place.folder, new_name(f"{place.label} unfinished"), encode(replay))
    where = " (not saved)" if path is None else f": {path}"
    announce(f"the unfinished game, {counted(len(replay.turns), 'turn')}{where}")


# Without a terminal


def play_in_lines(task: Task, play: Play[Task, Result], place: Place) -> Result:
    lines = Lines()
    try:
        return play(task, lines.show)
    except (KeyboardInterrupt, SystemExit):
        if lines.replay is not None and not lines.replay.result.is_finished:
            save_unfinished(lines.replay, place)
        raise


class Lines:
    """Tells each turn of a game in a line."""

    def __init__(self) -> None:
        self.replay: Replay | None = None  # so far
        self.before: Game | None = None

    def show(self, replay: Replay, game: Game) -> None:
        if replay is not self.replay or self.before is None:
            names = " ".join(info.spec for info in replay.players)
            announce(f"{names}, seed {replay.seed}, from turn {game.turn} on")
        else:
            announce(describe_turn(self.before, replay, game))
        self.replay, self.before = replay, game.copy()


def describe_turn(before: Game, replay: Replay, after: Game) -> str:
    """`turn 41: beam left+bomb, mcts stay; boxes 12:9; mcts dies by beam's bomb`."""
    names, moves = short_names([info.spec for info in replay.players]), replay.turns[-1].moves
    done = [f"{name} {name_move(move)}" for name, move in zip(names, moves, strict=True) if move is not None]
    deaths = [describe(event, names) for event in events_of(before, moves) if isinstance(event, Death)]
    boxes = ":".join(map(str, after.boxes))
    end = [f"the end: {after.reason}"] if after.is_over else []
    return f"turn {before.turn}: {', '.join(done)}; " + "; ".join([f"boxes {boxes}", *deaths, *end])


def name_move(move: Move) -> str:
    if move.action is None:
        return move.failure.cause if move.failure else "nothing"
    return ACTION_NAMES[move.action]
