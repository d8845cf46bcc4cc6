"""The keys of the stepper, in the terminal and on the page: one table for what they do and what the help says."""

from typing import NamedTuple


class Key(NamedTuple):
    """`names` as Textual calls the keys, `shown` as the help does; `action` is a call: `step(-1)`."""

    names: tuple[str, ...]
    shown: str
    action: str
    words: str


class Section(NamedTuple):
    title: str
    keys: tuple[Key, ...]


MOVING = Section(
    "moving",
    (
        Key(("right", "l"), "→ l", "step(1)", "one turn forward"),
        Key(("left", "h"), "← h", "step(-1)", "one turn back"),
        Key(("shift+right", "pagedown", "L"), "⇧→ PgDn L", "step(10)", "ten turns forward"),
        Key(("shift+left", "pageup", "H"), "⇧← PgUp H", "step(-10)", "ten turns back"),
        Key(("home",), "Home", "start()", "to the start"),
        Key(("end",), "End", "finish()", "to the end"),
        Key(("g",), "g", "ask_turn()", "go to a turn"),
    ),
)
PLAYING = Section(
    "playing",
    (
        Key(("space",), "Space", "play()", "play, pause"),
        Key(("plus", "equals_sign"), "+", "speed(1)", "play faster"),
        Key(("minus",), "-", "speed(-1)", "play slower"),
    ),
)
LOOKING = Section(
    "looking for",
    (
        Key(("d",), "d", "seek('deaths', 1)", "the next death"),
        Key(("D",), "D", "seek('deaths', -1)", "the previous death"),
        Key(("e",), "e", "seek('explosions', 1)", "the next explosion"),
        Key(("E",), "E", "seek('explosions', -1)", "the previous explosion"),
        Key(("s",), "s", "seek('stderr', 1)", "the next turn with stderr"),
        Key(("S",), "S", "seek('stderr', -1)", "the previous one"),
        Key(("n",), "n", "seek('notes', 1)", "the next mistake or break"),
        Key(("N",), "N", "seek('notes', -1)", "the previous one"),
        Key(("w",), "w", "way_out()", "the player's last way out"),
    ),
)
SHOWING = Section(
    "showing",
    (
        Key(("0",), "0", "focus_player(0)", "focus on player 0"),
        Key(("1",), "1", "focus_player(1)", "focus on player 1"),
        Key(("2",), "2", "focus_player(2)", "focus on player 2"),
        Key(("3",), "3", "focus_player(3)", "focus on player 3"),
        Key(("x",), "x", "overlay('danger')", "danger: turns until fire"),
        Key(("v",), "v", "overlay('survivable')", "where the player survives"),
        Key(("p",), "p", "overlay('plan')", "what the player planned"),
        Key(("r",), "r", "overlay('reachable')", "what the player can reach"),
        Key(("i",), "i", "sight()", "what the player saw, if limited"),
        Key(("o",), "o", "output()", "the player's output and stderr"),
        Key(("down", "j"), "↓ j", "scroll_text(1)", "scroll the text down"),
        Key(("up", "k"), "↑ k", "scroll_text(-1)", "scroll the text up"),
        Key(("question_mark",), "?", "help()", "this help"),
        Key(("q",), "q", "quit()", "quit"),
    ),
)
SECTIONS = (MOVING, LOOKING, PLAYING, SHOWING)
STATUS = "←→ step  space play  g turn  d death  e blast  w way out  x v p r marks  ? help"
SPEEDS = (1, 2, 4, 8, 16)  # turns per second
START_SPEED = SPEEDS.index(4)
NOT_FOUND = {"deaths": "death", "explosions": "explosion", "stderr": "turn with stderr", "notes": "mistake or break"}
