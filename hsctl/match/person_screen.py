"""The screen of people who play: the stepper's, with keys that move players; it always shows the newest position."""

from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from textual.binding import Binding
from textual.message import Message
from textual.widgets import Static

from hsctl.match.person import PersonSession, TakenBack
from replays.keys import Key, KeySection
from replays.playback import Live
from replays.viewer.app import Stepper, run_stepper
from replays.viewer.dialogs import Adviser, Asked, Help
from replays.viewer.screen import Timeline

# The keys of people who play: one table for what they do and what the help says.


FIRST = KeySection(
    "you",
    (
        Key(("left",), "← → ↑ ↓", "move(0, 1)", "go"),
        Key(("right",), "", "move(0, 2)", "go right"),
        Key(("up",), "", "move(0, 3)", "go up"),
        Key(("down",), "", "move(0, 4)", "go down"),
        Key(("space",), "Space", "bomb(0)", "bomb with the next move"),
        Key((), "Space Space", "", "drop it and stay"),
        Key(("full_stop",), ".", "move(0, 0)", "stay"),
    ),
)
SECOND = KeySection(
    "the second of two",
    (
        Key(("a",), "w a s d", "move(1, 1)", "go"),
        Key(("d",), "", "move(1, 2)", "go right"),
        Key(("w",), "", "move(1, 3)", "go up"),
        Key(("s",), "", "move(1, 4)", "go down"),
        Key(("e",), "e", "bomb(1)", "bomb with the next move"),
        Key((), "e e", "", "drop it and stay"),
        Key(("f",), "f", "move(1, 0)", "stay"),
    ),
)
TURN = KeySection(
    "the turn",
    (
        Key(("escape", "backspace"), "Esc", "put_away()", "put the bomb away"),
        Key(("u",), "u", "take_back()", "take back (--practice)"),
        Key(("p",), "p", "pause()", "stop the clock (--pace)"),
        Key(("q",), "q", "leave()", "leave; the game is kept"),
    ),
)
HINTS = KeySection(
    "hints",
    (
        Key(("h",), "h H", "ask()", "what beam, another would do"),
        Key(("H",), "", "ask_another()", "what another agent would do"),
        Key(("m",), "m", "explain()", "more: all it has to say"),
        Key(("x",), "x", "overlay('danger')", "danger: turns until fire"),
        Key(("v",), "v", "overlay('survivable')", "where the player survives"),
        Key(("r",), "r", "overlay('reachable')", "what the player can reach"),
        Key(("0",), "0 1 2 3", "focus_player(0)", "whom this is about"),
        Key(("1",), "", "focus_player(1)", "player 1"),
        Key(("2",), "", "focus_player(2)", "player 2"),
        Key(("3",), "", "focus_player(3)", "player 3"),
        Key(("question_mark",), "?", "help()", "this help"),
    ),
)
STATUS = "←→↑↓ go  space bomb  . stay  x danger  h hint  ? help  q leave"
READY = "bomb ready: a direction drops it and goes, the same key again drops it and stays"


def columns_for(people: int) -> tuple[tuple[KeySection, ...], ...]:
    """The sections of the help, column by column."""
    if people > 1:
        return ((FIRST, SECOND, TURN), (HINTS,))
    first = FIRST._replace(keys=(*FIRST.keys[:-1], FIRST.keys[-1]._replace(names=("full_stop", "s"), shown=". s")))
    return ((first, TURN), (HINTS,))


LEAVE = "q once more leaves the game, any other key continues"


class HumanGame(Stepper, inherit_bindings=False):
    """A session on the screen."""

    record: Live

    BINDINGS: ClassVar = [Binding("ctrl+c,ctrl+q", "quit", show=False)]

    class Played(Message):
        """There is something to read."""

    def __init__(self, session: PersonSession, adviser: Adviser) -> None:
        super().__init__(session.record, adviser=adviser)
        self.session, self.hands = session, session.hands
        self.seat = session.people[0]
        self.columns = columns_for(len(session.people))
        for section in (section for column in self.columns for section in column):
            for key in filter(lambda key: key.names, section.keys):
                self.bind(",".join(key.names), key.action, show=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.session.start(self.notify_played)

    def notify_played(self) -> None:
        """Called by the game's thread, which may live longer than the screen."""
        with suppress(RuntimeError):
            self.post_message(self.Played())

    def on_human_game_played(self) -> None:
        """Show what has happened since, unless the screen is being taken down."""
        session = self.session
        session.read()
        if not self.query("#title"):
            return
        if session.record is not self.record:
            self.open(session.record, session.record.end_turn, None)
            self.say(f"back on turn {self.turn}")
        elif session.record.end_turn > self.landmarks.turns[-1]:
            self.landmarks.grow()
            self.go_to(session.record.end_turn)
        if session.finished is not None:
            self.say(self.describe_end())
        if session.error is not None:
            self.exit()

    # Showing

    def show(self) -> None:
        self.status = self.describe_hands()
        super().show()
        if self.asked and (self.asked.turn, self.asked.seat) == (self.turn, self.seat):
            self.query_one("#text", Static).update(self.asked.advised.reason)

    def state(self) -> str:
        """Which people have chosen, or the clock."""
        session, hands = self.session, self.hands
        if session.finished is not None or not self.living:
            return ""
        if hands.pace_s is not None:
            return f"{1000 * hands.pace_s:g} ms a turn" if hands.is_running else "‖ the next move starts the clock"
        if len(self.living) == 1:
            return "your turn"
        return "  ".join(f"{self.names[seat]} {'✓' if hands.has_chosen(seat) else '…'}" for seat in self.living)

    @property
    def living(self) -> Sequence[int]:
        """The people who live."""
        return [seat for seat in self.session.people if seat in self.record.game_at(self.record.end_turn).living]

    def describe_hands(self) -> str:
        ready = [seat for seat in self.living if self.hands.has_bomb(seat)]
        if not self.living:
            return "the others play on; q leave" + ("  u take back" if self.session.is_practice else "")
        if not ready:
            return STATUS + ("  u take back" if self.session.is_practice else "")
        return READY if len(self.living) == 1 else f"{self.names[ready[0]]}, {READY}"

    def describe_end(self) -> str:
        """`me: place 1 of 2; q leaves`."""
        ranks = self.record.replay.result.ranks
        places = [f"{self.names[seat]}: place {ranks[seat]} of {len(ranks)}" for seat in self.session.people]
        return f"{', '.join(places)}; q leaves" + (", u takes a turn back" if self.session.is_practice else "")

    # Keys of people

    def action_move(self, person: int, move: int) -> None:
        self.say(self.hands.move(self.session.people[person], move))

    def action_bomb(self, person: int) -> None:
        self.say(self.hands.bomb(self.session.people[person]))

    def action_put_away(self) -> None:
        self.hands.put_away()
        self.say("")

    def action_pause(self) -> None:
        self.hands.pause()
        self.say("" if self.hands.pace_s else "there is no clock: --pace MS makes one")

    def action_take_back(self) -> None:
        if not self.session.is_practice:
            self.say("turns are taken back with --practice")
        elif not self.session.can_take_back:
            self.say("nothing to take back")
        else:
            self.hands.interrupt(TakenBack)

    def action_leave(self) -> None:
        if self.session.finished is not None or self.word == LEAVE:
            self.exit()
        else:
            self.hands.pause()
            self.say(LEAVE)

    # Keys of the stepper, on a clock

    def action_ask(self) -> None:
        self.hands.pause()
        super().action_ask()

    def action_explain(self) -> None:
        self.hands.pause()
        super().action_explain()

    def show_advice(self, asked: Asked) -> None:
        """Unless it is about a turn that is over."""
        if asked.turn == self.record.end_turn:
            self.asked = asked
            self.say(f"{self.overlay().legend}; m: more, H: another agent")

    def action_help(self) -> None:
        self.hands.pause()
        self.say("")
        self.push_screen(Help(self.columns))

    def on_timeline_picked(self, message: Timeline.Picked) -> None:
        if self.session.finished is not None:
            super().on_timeline_picked(message)


def play_on_screen(session: PersonSession, adviser: Adviser) -> int:
    """Take over the terminal until the game is left; the exit code: that of a signal that stopped it, else 0."""
    try:
        return run_stepper(HumanGame(session, adviser))
    finally:
        session.end()
