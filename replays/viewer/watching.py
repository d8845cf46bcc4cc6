"""The stepper on games that are being played: it follows them, and the player may look back while they go on.

    ● live                      the newest position; the next is shown as soon as it is there
    ▶ 4 turns/s, 12 behind      playing, slower than the game
    paused, 12 behind           the game goes on

Nothing here plays: the turns come from a feed, and whoever makes it plays in another process.
"""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Protocol

from replays.keys import SPEEDS, WATCHING
from replays.playback import Live, Playback
from replays.record import Record
from replays.viewer.app import Stepper, run_stepper
from replays.viewer.dialogs import Adviser, AskTurn

READS_PER_S = 25  # looks at the feed
END_SHOWN_S = 1.5  # before the next game of a series is opened


class Feed(Protocol):
    """Games that are played one after the other."""

    record: Live  # the one that is being played, or was last
    path: Path | None  # where that one was saved

    @property
    def is_over(self) -> bool:
        """No game comes any more."""

    @property
    def place(self) -> str:
        """`game 2 of 5`; empty if there is one alone."""

    def read(self) -> bool:
        """Take in what has happened since; whether something has. Raises HsctlError if the games can't go on."""


class Watching(Stepper):
    """It starts by following; a key that leads elsewhere pauses, End follows again."""

    status = WATCHING

    def __init__(self, feed: Feed, games: Sequence[Path] = (), adviser: Adviser | None = None) -> None:
        super().__init__(feed.record, games=games, adviser=adviser)
        self.feed = feed
        self.speed_at = len(SPEEDS) - 1
        self.ticked_at = 0.0
        self.ends_shown = 0  # ticks for which the end of a game has been on the screen
        self.error: Exception | None = None  # what ended the watching

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(1 / READS_PER_S, self.read_feed)
        self.start_timer()

    # What comes from the feed

    def read_feed(self) -> None:
        before, path = self.feed.record, self.feed.path
        try:
            is_new = self.feed.read()
        except Exception as error:
            self.error = error
            self.exit()
            return
        if self.feed.path != path and self.feed.path is not None:
            self.put_on_shelf(self.feed.path, self.record is self.feed.record)
        if is_new and self.record in (before, self.feed.record):
            self.grow()

    def grow(self) -> None:
        """Show what is known now, unless the next tick does."""
        self.landmarks.grow()
        self.query_one(AskTurn).set_turns(self.landmarks.turns)
        if not self.is_playing:
            self.show()

    def put_on_shelf(self, path: Path, is_shown: bool) -> None:
        """A game of the feed was saved: it is the newest file now."""
        self.shelf.paths = [path, *self.shelf.paths]
        self.shelf.at = 0 if is_shown else self.shelf.at + 1 if self.shelf.at >= 0 else -1
        if is_shown:
            self.path = path

    # Following

    @property
    def is_live(self) -> bool:
        return isinstance(self.record, Playback) and self.record.is_live

    def state(self) -> str:
        if self.record is not self.feed.record:
            return super().state()
        behind = self.record.end_turn - self.turn
        if self.is_playing:
            state = f"{super().state()}, {behind} behind" if behind else "● live"
        else:
            state = "q: the result" if self.feed.is_over else f"paused, {behind} behind"
        return "  ".join(filter(None, [self.feed.place, state]))

    def tick(self) -> None:
        """One turn further, or more where the screen was late; at the end, wait for the next turn or game."""
        late = int((monotonic() - self.ticked_at) * SPEEDS[self.speed_at])
        self.ticked_at = monotonic()
        if self.turn < self.record.end_turn:
            self.ends_shown = 0
            super().go_to(self.turn + max(1, late))
        elif self.record is not self.feed.record:
            self.ends_shown += 1
            if self.ends_shown >= END_SHOWN_S * SPEEDS[self.speed_at]:
                self.follow(self.feed.record.first_turn)
        elif self.feed.is_over:
            self.stop()
            self.show()

    def follow(self, turn: int) -> None:
        """The game of the feed from a turn on, as it goes."""
        self.ends_shown = 0
        if self.record is not self.feed.record:
            self.open(self.feed.record, turn, self.feed.path)
            self.shelf.at = -1 if self.feed.path is None else 0
        self.start_timer()
        super().go_to(turn)

    def start_timer(self) -> None:
        super().start_timer()
        self.ticked_at = monotonic()

    # Keys

    def go_to(self, turn: int | None) -> None:
        """Where a key leads, the game does not go on by itself."""
        if turn is not None:
            self.stop()
        super().go_to(turn)

    def action_finish(self) -> None:
        """To the newest position, and follow."""
        if self.record is self.feed.record:
            self.follow(self.record.end_turn)
        else:
            super().action_finish()

    def action_play(self) -> None:
        """Play or pause; what is still being played doesn't start again at its end."""
        if self.is_live and not self.is_playing:
            self.start_timer()
            self.say("")
        else:
            super().action_play()

    def action_game(self, direction: int) -> None:
        """The game that is being played is newer than any file."""
        if direction < 0 and self.record is not self.feed.record and self.shelf.at <= 0:
            self.follow(self.feed.record.end_turn)
        else:
            super().action_game(direction)

    def show_played_on(self, recorded: Record, played: Playback, turn: int) -> None:
        super().show_played_on(recorded, played, turn)
        self.say(f"{self.word}; [: back to the live game")


def watch(feed: Feed, games: Sequence[Path], adviser: Adviser) -> int:
    """Take over the terminal until the user quits; the exit code if a signal stopped it, else 0."""
    app = Watching(feed, games, adviser)
    code = run_stepper(app)
    if app.error is not None:
        raise app.error
    return code
