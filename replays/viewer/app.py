"""The stepper: what its keys do."""

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType
from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from engine.errors import HsctlError
from replays.keys import NOT_FOUND, SECTIONS, SPEEDS
from replays.landmarks import next_in
from replays.opening import Shelf, Short, open_game, open_parent
from replays.playback import Playback
from replays.record import Record
from replays.render.pair import first_difference
from replays.replay import ReplayError
from replays.viewer.dialogs import AdviceScreen, Adviser, Asked, AskTurn, Help
from replays.viewer.screen import StepperScreen, Timeline


class Stepper(StepperScreen):
    """`games` are the files among which the game stands, the newest first."""

    BINDINGS: ClassVar = [
        Binding(",".join(key.names), key.action, key.words, show=False) for section in SECTIONS for key in section.keys
    ]

    def __init__(
        self,
        record: Record,
        turn: int | None = None,
        path: Path | None = None,
        games: Sequence[Path] = (),
        adviser: Adviser | None = None,
    ) -> None:
        super().__init__(record, turn, path)
        self.adviser = adviser
        self.agent_at = 0  # who is asked, among the adviser's agents
        self.shelf = Shelf(games, path)
        self.is_reviewed = bool(self.landmarks.notes)  # so n and N have something to find
        self.lost_by = ""  # only games that this player lost; empty: all

    # Keys: every action of replays/keys.py

    def go_to(self, turn: int | None) -> None:
        if turn is None:
            return
        self.word = ""
        self.turn = min(max(turn, self.record.first_turn), self.record.end_turn)
        self.query_one("#scroll").scroll_home(animate=False)
        self.show()

    def action_step(self, turns: int) -> None:
        self.go_to(self.turn + turns)

    def action_start(self) -> None:
        self.go_to(self.record.first_turn)

    def action_finish(self) -> None:
        self.go_to(self.record.end_turn)

    def action_ask_turn(self) -> None:
        self.stop()
        self.canvas("#status").display = False
        self.query_one(AskTurn).ask()

    def on_ask_turn_answered(self, message: AskTurn.Answered) -> None:
        self.canvas("#status").display = True
        self.set_focus(None)
        self.go_to(message.turn)

    def action_seek(self, what: str, direction: int) -> None:
        """Go to the nearest death, explosion ...; a death puts its player in focus, mistakes are looked for first."""
        if what == "notes" and not self.is_reviewed and self.adviser is not None and isinstance(self.record, Playback):
            self.review(direction)
            return
        found = next_in(getattr(self.landmarks, what), self.turn, direction)
        if found is None:
            self.say(f"no {NOT_FOUND[what]} {'after' if direction > 0 else 'before'} turn {self.turn}")
            return
        if what == "deaths":
            self.seat = next((seat for seat, turn in self.landmarks.died.items() if turn == found), self.seat)
        self.go_to(found)

    def review(self, direction: int) -> None:
        """Let the adviser look for mistakes of the player in focus, then go to the nearest."""
        record, seat, turn = self.record, self.seat, self.turn
        done = 0

        def on_turns(count: float) -> None:
            nonlocal done
            done += int(count)
            self.call_from_thread(self.say, f"reviewing player {seat}: {done} of {len(self.landmarks.turns) - 1} turns")

        def show(adviser: Adviser) -> Callable[[], None]:
            marked = adviser.review(record, seat, on_turns)
            return lambda: self.show_reviewed(marked, turn, direction)

        self.consult(f"reviewing player {seat} ...", show)

    def show_reviewed(self, marked: Record, turn: int, direction: int) -> None:
        self.open(marked, turn, self.path)
        self.is_reviewed = True
        count = len(self.landmarks.notes)
        self.action_seek("notes", direction)
        if next_in(self.landmarks.notes, turn, direction) is not None:
            self.say(
                f"{count} {'turn' if count == 1 else 'turns'} with mistakes of player {self.seat}; n N: next, previous"
            )

    def action_way_out(self) -> None:
        turn, word = self.landmarks.tell_way_out(self.seat)
        self.go_to(turn)
        self.say(word)

    def action_play(self) -> None:
        if self.is_playing:
            self.stop()
        else:
            self.turn = self.record.first_turn if self.turn == self.record.end_turn else self.turn
            self.start_timer()
        self.say("")

    def action_speed(self, faster: int) -> None:
        self.speed_at = min(max(self.speed_at + faster, 0), len(SPEEDS) - 1)
        if self.is_playing:
            self.start_timer()
        self.say(f"{SPEEDS[self.speed_at]} turns a second")

    def action_focus_player(self, seat: int) -> None:
        if seat >= self.record.seats:
            self.say(f"there is no player {seat}")
            return
        self.seat = seat
        self.say("")

    def action_overlay(self, name: str) -> None:
        self.overlay_name = "" if name == self.overlay_name else name
        self.say("")

    def action_chart(self) -> None:
        """Show values over time in place of boxes, or boxes again."""
        timeline = self.query_one(Timeline)
        if not timeline.shows_values and all(value is None for turn in self.landmarks.values for value in turn):
            self.say("no player told what a position was worth")
            return
        timeline.shows_values = not timeline.shows_values
        self.say("values, each player's from lowest to highest; y: boxes" if timeline.shows_values else "")

    def action_sight(self) -> None:
        """Show what the player in focus saw, or all again."""
        living = self.record.game_at(self.turn).living
        if not self.shows_sight and self.seat not in living:
            self.say(f"player {self.seat} is dead and sees nothing")
        elif not self.shows_sight and self.record.seen_at(self.turn, self.seat) is None:
            self.say("everybody saw the whole board")
        else:
            self.shows_sight = not self.shows_sight
            self.say("")

    def action_output(self) -> None:
        self.shows_output = not self.shows_output
        self.screen.set_class(self.shows_output, "output")
        self.query_one("#scroll").scroll_home(animate=False)
        self.say("")

    def action_scroll_text(self, lines: int) -> None:
        self.query_one("#scroll").scroll_relative(y=lines, animate=False)

    # Agents

    def action_ask(self) -> None:
        """Ask an agent about the position on the screen."""
        agent, record, turn, seat = self.agent, self.record, self.turn, self.seat

        def show(adviser: Adviser) -> Callable[[], None]:
            advised = adviser.advise(record, turn, seat, agent)
            return lambda: self.show_advice(Asked(turn, seat, agent, advised))

        self.consult(f"asking {agent} ...", show)

    def show_advice(self, asked: Asked) -> None:
        self.asked, self.parent_game = asked, None
        self.say(f"{self.overlay().legend}; m: why, A: another agent")

    def action_ask_another(self) -> None:
        if self.adviser is not None:
            self.agent_at = (self.agent_at + 1) % len(self.adviser.agents)
        self.action_ask()

    def action_explain(self) -> None:
        agent, record, turn, seat = self.agent, self.record, self.turn, self.seat

        def show(adviser: Adviser) -> Callable[[], None]:
            told = adviser.explain(record, turn, seat, agent)
            return lambda: self.show_explanation(told)

        self.consult(f"asking {agent} ...", show)

    def show_explanation(self, told: RenderableType) -> None:
        self.say("")
        self.push_screen(AdviceScreen(told))

    def action_play_on(self) -> None:
        """Let agents play the game on, and show it next to the recorded one."""
        agent, record, turn = self.agent, self.record, self.turn

        def show(adviser: Adviser) -> Callable[[], None]:
            played = adviser.play_on(record, turn, agent)
            return lambda: self.show_played_on(record, played, turn)

        self.consult(f"{agent} plays on in all seats ...", show)

    def show_played_on(self, recorded: Record, played: Playback, turn: int) -> None:
        self.open(played, turn, None)
        self.parent_game = recorded if isinstance(recorded, Playback) else None
        self.say(f"played on from turn {turn} by {self.agent}; b: this game alone")

    @property
    def agent(self) -> str:
        return self.adviser.agents[self.agent_at] if self.adviser else ""

    def consult(self, word: str, work: Callable[[Adviser], Callable[[], None]]) -> None:
        """Let agents think in a thread, then show what `work` returns."""
        adviser = self.adviser
        if adviser is None:
            self.say("there is nobody to ask here")
            return
        self.stop()
        self.say(word)

        def think() -> None:
            try:
                shown = work(adviser)
            except HsctlError as error:
                shown = partial(self.say, str(error))
            self.call_from_thread(shown)

        self.run_worker(think, thread=True, exclusive=True)

    # Other games

    def open(self, record: Record, turn: int | None, path: Path | None) -> None:
        """Show another record on the same screen."""
        self.stop()
        self.take(record, turn, path)
        self.is_reviewed = bool(self.landmarks.notes)
        self.query_one(Timeline).landmarks = self.landmarks
        self.query_one(AskTurn).set_turns(self.landmarks.turns)
        self.fit(self.area)

    def action_game(self, direction: int) -> None:
        """Open the next game, which is an older one, or the previous."""
        for at, path in self.shelf.others(direction, self.is_wanted):
            try:
                record, notes = open_game(path)
            except ReplayError:
                continue
            self.shelf.at = at
            self.open(record, None, path)
            place = f"game {at + 1} of {len(self.shelf.paths)}: {path.name}"
            self.say("; ".join([place, *filter(None, [self.greeting()]), *notes]))
            return
        lost = f" that {self.lost_by} lost" if self.lost_by else ""
        self.say(f"no {'older' if direction > 0 else 'newer'} game{lost} in this folder")

    def is_wanted(self, short: Short) -> bool:
        """Whether the player whose lost games are looked for lost this one; any is, if nobody's are."""
        seats = [seat for seat, name in enumerate(short.names) if name == self.lost_by]
        return not self.lost_by or any(map(short.has_lost, seats))

    def action_lost_only(self) -> None:
        """Let the keys for games find only those that the player in focus lost, or all again."""
        self.lost_by = "" if self.lost_by else self.record.specs[self.seat]
        self.say(
            f"] and [ go to games that {self.lost_by} lost; f: to all" if self.lost_by else "] and [ go to all games"
        )

    def action_pair(self) -> None:
        """Show this game next to the one it was played on from, where they differ; or alone again."""
        if self.parent_game is not None:
            self.parent_game = None
            self.say("")
            return
        found, word = (None, "no file, no other game")
        if isinstance(self.record, Playback) and self.path is not None:
            found, word = open_parent(self.record, self.path)
        if found is not None:
            self.parent_game = found
            differs = first_difference(found, self.record)
            self.go_to(None if differs is None or self.turn > differs else differs)
            word = "no turn differs" if differs is None else f"they differ from turn {differs} on; b: this game alone"
        self.say(word)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every key of the help in Textual's command palette."""
        for section in SECTIONS:
            for key in section.keys:
                yield SystemCommand(key.words, f"{section.title}: {key.names[0]}", partial(self.run_key, key.action))

    async def run_key(self, action: str) -> None:
        await self.run_action(action)

    def action_help(self) -> None:
        self.push_screen(Help())

    def on_timeline_picked(self, message: Timeline.Picked) -> None:
        self.go_to(message.turn)

    # Playing

    def start_timer(self) -> None:
        self.stop()
        self.timer = self.set_interval(1 / SPEEDS[self.speed_at], self.tick)

    def stop(self) -> None:
        if self.timer:
            self.timer.stop()
        self.timer = None

    def tick(self) -> None:
        """One turn further, and no more after the end."""
        if self.turn + 1 >= self.record.end_turn:
            self.stop()
        self.go_to(self.turn + 1)


# What Textual sends to end its screen: mouse, paste, focus and keyboard as before, lines wrapped, the cursor shown.
LEAVE_SCREEN = (
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[<u\x1b[?7h"
    b"\x1b[?1049l\x1b[?25h"
)


def open_stepper(
    record: Record,
    turn: int | None = None,
    path: Path | None = None,
    games: Sequence[Path] = (),
    adviser: Adviser | None = None,
) -> None:
    """Take over the terminal until the user quits."""
    if code := run_stepper(Stepper(record, turn, path, games, adviser)):
        sys.exit(code)


def run_stepper(stepper: Stepper) -> int:
    """Run any stepper; the exit code if a signal stopped it, else 0."""
    gc.collect()
    gc.freeze()  # else now and then a step waits 0.1 s while all that was imported is looked through
    with terminal_given_back():
        stepper.run()
    return stepper.return_code or 0


@contextmanager
def terminal_given_back() -> Iterator[None]:
    """Leave the screen as it was, even if a signal arrives while Textual opens or closes it."""
    if sys.platform == "win32" or not (os.isatty(0) and os.isatty(2)):
        yield
        return
    import termios

    settings = termios.tcgetattr(0)
    try:
        yield
    except BaseException:
        with suppress(OSError, termios.error):  # the terminal may be gone
            termios.tcsetattr(0, termios.TCSANOW, settings)
            os.write(2, LEAVE_SCREEN)
        raise
