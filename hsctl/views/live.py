"""Games on the terminal while they are played: the board itself, a bar of turns, or a bar of games with the score."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from engine.game import Game
from engine.state import MAX_TURNS
from hsctl.league.pool import run_games
from hsctl.league.series import GameTask, play_task
from hsctl.stats.score import Score
from replays.events import Event, events_of
from replays.look.turn import PositionView, short_names
from replays.replay import Move

SHORTEST_S = 0.1  # a turn stays on the screen, however fast the players are


def play_all(tasks: Sequence[GameTask], jobs: int, score: Score, console: Console, is_watched: bool) -> bool:
    """Play the games into the score; false if Ctrl-C came before the last was finished."""
    try:
        if is_watched:
            watch(tasks, score, console)
        elif len(tasks) == 1:
            follow_game(tasks[0], score, console)
        else:
            follow_series(tasks, jobs, score, console)
    except KeyboardInterrupt:
        return False
    return True


def watch(tasks: Sequence[GameTask], score: Score, console: Console) -> None:
    """Show every position of every game."""
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        for task in tasks:
            names = [score.names[player] for player in task.seating]
            score.add(play_task(task, Board(live, names, task.seed).show))


class Board:
    """One game: each position with what led to it and what everybody answers."""

    def __init__(self, live: Live, names: Sequence[str], seed: int) -> None:
        self.live = live
        self.names = names
        self.seed = seed
        self.events: list[Event] = []
        self.shown_at = 0.0

    def show(self, before: Game, moves: list[Move | None], after: Game) -> None:
        """A turn that was just played; the last position too if it ended the game."""
        self.draw(before, moves, f"turn {before.turn}, seed {self.seed}")
        self.events = events_of(before, moves)
        if after.is_over:
            title = f"end after turn {before.turn}, seed {self.seed}: {after.reason}"
            self.draw(after, [None] * after.seats, title)

    def draw(self, game: Game, moves: Sequence[Move | None], title: str) -> None:
        time.sleep(max(0.0, self.shown_at + SHORTEST_S - time.monotonic()))
        self.live.update(PositionView(game, self.names, moves, self.events, title), refresh=True)
        self.shown_at = time.monotonic()


def follow_game(task: GameTask, score: Score, console: Console) -> None:
    """Play a single game under a bar of turns, with the boxes so far."""
    names = short_names([score.names[player] for player in task.seating])
    with bar(console, "turn", MAX_TURNS, TimeElapsedColumn()) as update:

        def on_turn(before: Game, moves: list[Move | None], after: Game) -> None:
            update(
                after.turn,
                "boxes " + ", ".join(f"{name} {boxes}" for name, boxes in zip(names, after.boxes, strict=True)),
            )

        score.add(play_task(task, on_turn))


def follow_series(tasks: Sequence[GameTask], jobs: int, score: Score, console: Console) -> None:
    """Play many games under a bar of games, with the score so far and the time left."""
    results = run_games(tasks, jobs, play_task)
    with bar(console, "game", len(tasks), TimeRemainingColumn()) as update:
        try:
            for result in results:
                score.add(result)
                update(len(score.games), running_score(score))
        finally:
            results.close()


def running_score(score: Score) -> str:
    """`wins simple 12, random 3, draws 2`."""
    wins = [f"{name} {player.wins}" for name, player in zip(short_names(score.names), score.players, strict=True)]
    draws = sum(result.is_drawn for result in score.games)
    return "wins " + ", ".join([*wins, f"draws {draws}"])


@contextmanager
def bar(console: Console, what: str, total: int, clock: TimeElapsedColumn | TimeRemainingColumn) -> Iterator[Callable]:
    """A bar that goes away in the end; yields the function that moves it. None where nobody is watching."""
    columns = (
        TextColumn(what),
        MofNCompleteColumn(),
        BarColumn(20),
        clock,
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        only = progress.add_task("", total=total)
        yield lambda completed, text: progress.update(only, completed=completed, description=text)
