"""Games that a command plays: one with a bar of turns, many side by side, or watched in the stepper.

The stepper shows games that another process plays. Without a terminal, `--watch` prints a line per turn on stderr, by
the process that plays, between turns. A game that is stopped is saved as far as it was played.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.errors import HsctlError
from engine.events import Death
from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, new_game, play, save_replay, store_replay, warm_up
from hsctl.plain import shows_all
from hsctl.report.console import announce
from hsctl.report.safe_console import SafeConsole
from replays.events import describe, events_of
from replays.render.turn import short_names
from replays.replay import Move, Replay, encode
from replays.store import new_name
from replays.text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from hsctl.cli.people import People

OnResult = Callable[[GameResult], str]  # called with each finished game; the text next to the bar of games


def play_all(
    tasks: Sequence[GameTask],
    wanted: int | None,
    is_watched: bool,
    on_result: OnResult,
    people: "People | None" = None,
    has_board: bool = True,
) -> bool:
    """Play all games, showing progress on stderr; false if they were stopped before the last was over."""
    from hsctl.report.live import showing

    console = SafeConsole(stderr=True)
    jobs = choose_jobs(wanted, len(tasks), is_watched, tasks[0].clock)
    is_here = jobs == 1 and not (is_watched and is_on_terminal())
    others = dict.fromkeys(player for task in tasks for player in task.living if player not in tasks[0].living)
    show = showing(console, lambda: first_position(tasks[0]))
    warm_up([*tasks[0].living, *others], announce, is_here, show, tasks[0].bot_limits)
    try:
        if people is not None:
            return people.play(tasks[0], on_result)
        if is_watched:
            return watch_games(tasks, on_result)
        if len(tasks) == 1:
            play_single(tasks[0], on_result, console, has_board and shows_boards(console))
        else:
            play_side_by_side(tasks, jobs, on_result, console)
    except KeyboardInterrupt:
        return False
    return True


def choose_jobs(jobs: int | None, games: int, watch: bool, clock: str | None) -> int:
    """How many games to play at once; by default as many as the machine can hold."""
    if watch:
        if jobs is not None and jobs > 1:
            raise HsctlError(f"--watch cannot be combined with --jobs {jobs}: it shows one game at a time")
        return 1
    if jobs is None and games > 1:
        from hsctl.match.cores import usual_jobs

        return usual_jobs(clock, announce, games)
    return min(jobs or 1, games)


def first_position(task: GameTask) -> "RenderableType":
    """What a game looks like before it begins."""
    from replays.render.turn import PositionView

    names, game = task.names, new_game(task)
    return PositionView(game, names, [None] * len(names), [], f"turn {game.turn}, seed {task.seed}")


def shows_boards(console: SafeConsole) -> bool:
    """Whether a game can be shown while it is played: pipes get no pictures, a small terminal gets a bar."""
    if not (console.is_terminal and sys.stdout.isatty()):
        return False
    from hsctl.report.live_board import LEAST

    return console.width >= LEAST[0] and console.height >= LEAST[1]


def play_single(task: GameTask, on_result: OnResult, console: SafeConsole, has_board: bool) -> None:
    """Play one game, showing its board, or a bar of turns."""
    from hsctl.report.live import turn_bar

    shown = turn_bar(console, task.names)
    if has_board:
        from hsctl.report.live_board import live_board

        shown = live_board(console)
    with shown as on_turn:
        on_result(save_replay(play(task, on_turn)))


def play_side_by_side(tasks: Sequence[GameTask], jobs: int, on_result: OnResult, console: SafeConsole) -> None:
    """Play many games, showing how many are finished."""
    from hsctl.match.pool import run_games
    from hsctl.report.live import bar

    results = run_games(tasks, jobs, play)
    with bar(console, "game", len(tasks)) as update:
        try:
            for done, result in enumerate(results, 1):
                update(done, on_result(save_replay(result)))
        finally:
            results.close()


# Watched


def watch_games(tasks: Sequence[GameTask], on_result: OnResult) -> bool:
    """Play games one after the other in the stepper; false if they were stopped before the last was over."""
    if not is_on_terminal():
        for task in tasks:
            on_result(save_replay(play_in_lines(task)))
        return True
    # Imported before the game begins, whose time it would take.
    from hsctl.cli.adviser import StepperAdviser
    from hsctl.match.watched import WatchedGames
    from replays.opening import files_in
    from replays.viewer.watching import watch

    def keep(result: GameResult) -> "Path | None":
        saved = save_replay(result)
        on_result(saved)
        return saved.replay

    folder = tasks[0].folder
    games = [] if folder is None else files_in(folder)
    with SafeConsole(stderr=True).status("starting the players ..."):
        feed = WatchedGames(tasks, keep)
    code = 0
    try:
        code = watch(feed, games, StepperAdviser())
    finally:
        at = feed.played
        if (stopped := feed.stop()) is not None:
            save_unfinished(stopped, tasks[at])
    if code:
        sys.exit(code)
    return feed.is_over


def is_on_terminal() -> bool:
    """Keys come from stdin, the screen is drawn on stderr; stdout may be anything."""
    return sys.stdin.isatty() and sys.stderr.isatty() and shows_all(sys.stderr)


def save_unfinished(replay: Replay, task: GameTask) -> None:
    path = store_replay(task.folder, new_name(f"{task.label} unfinished"), encode(replay))
    where = " (not saved)" if path is None else f": {path}"
    announce(f"the unfinished game, {counted(len(replay.turns), 'turn')}{where}")


# Without a terminal


def play_in_lines(task: GameTask) -> GameResult:
    lines = Lines()
    try:
        return play(task, lines.show)
    except (KeyboardInterrupt, SystemExit):
        if lines.replay is not None and not lines.replay.result.is_finished:
            save_unfinished(lines.replay, task)
        raise


class Lines:
    """Prints a line per turn."""

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
