"""The keys of the stepper, in the terminal and on the page: one table for what they do and what the help says."""

from typing import NamedTuple


class Key(NamedTuple):
    """`names` as Textual calls the keys, `shown` as the help does; `action` is a call: `step(-1)`.

    A key without `shown` shares the line of the one before it.
    """

    names: tuple[str, ...]
    shown: str
    action: str
    words: str


class KeySection(NamedTuple):
    title: str
    keys: tuple[Key, ...]


MOVING = KeySection(
    "moving",
    (
        Key(("right", "l"), "→ l", "step(1)", "one turn forward"),
        Key(("left", "h"), "← h", "step(-1)", "one turn back"),
        Key(("shift+right", "pagedown", "L"), "⇧→ PgDn L", "step(10)", "ten turns forward"),
        Key(("shift+left", "pageup", "H"), "⇧← PgUp H", "step(-10)", "ten turns back"),
        Key(("home",), "Home", "start()", "to the start"),
        Key(("end",), "End", "finish()", "to the end; live: follow"),
        Key(("g",), "g", "ask_turn()", "go to a turn"),
    ),
)
PLAYING = KeySection(
    "playing",
    (
        Key(("space",), "Space", "play()", "play, pause"),
        Key(("plus", "equals_sign"), "+ -", "speed(1)", "play faster, slower"),
        Key(("minus",), "", "speed(-1)", "play slower"),
    ),
)
LOOKING = KeySection(
    "looking for",
    (
        Key(("d",), "d D", "seek('deaths', 1)", "next, previous death"),
        Key(("D",), "", "seek('deaths', -1)", "the previous death"),
        Key(("e",), "e E", "seek('explosions', 1)", "next, previous explosion"),
        Key(("E",), "", "seek('explosions', -1)", "the previous explosion"),
        Key(("s",), "s S", "seek('stderr', 1)", "next, previous stderr"),
        Key(("S",), "", "seek('stderr', -1)", "the previous turn with stderr"),
        Key(("n",), "n N", "seek('notes', 1)", "next, previous mistake"),
        Key(("N",), "", "seek('notes', -1)", "the previous mistake or break"),
        Key(("w",), "w", "way_out()", "the player's last way out"),
    ),
)
SHOWING = KeySection(
    "showing",
    (
        Key(("0",), "0 1 2 3", "focus_player(0)", "focus on a player"),
        Key(("1",), "", "focus_player(1)", "focus on player 1"),
        Key(("2",), "", "focus_player(2)", "focus on player 2"),
        Key(("3",), "", "focus_player(3)", "focus on player 3"),
        Key(("x",), "x", "overlay('danger')", "danger: turns until fire"),
        Key(("v",), "v", "overlay('survivable')", "where the player survives"),
        Key(("p",), "p", "overlay('plan')", "what the player planned"),
        Key(("r",), "r", "overlay('reachable')", "what the player can reach"),
        Key(("t",), "t y", "overlay('drawing')", "a bot's drawing, values"),
        Key(("y",), "", "chart()", "a chart of values, or of boxes"),
        Key(("i",), "i", "sight()", "what the player saw, if limited"),
        Key(("o",), "o", "output()", "the player's output and stderr"),
        Key(("down", "j"), "↓ j ↑ k", "scroll_text(1)", "scroll the text"),
        Key(("up", "k"), "", "scroll_text(-1)", "scroll the text up"),
        Key(("question_mark",), "?", "help()", "this help"),
        Key(("q", "ctrl+c"), "q", "quit()", "quit"),
    ),
)
GAMES = KeySection(
    "games",
    (
        Key(("right_square_bracket",), "] [", "game(1)", "next (older), previous game"),
        Key(("left_square_bracket",), "", "game(-1)", "the previous game"),
        Key(("f",), "f", "lost_only()", "only games the player lost"),
        Key(("b",), "b", "pair()", "next to its parent game"),
    ),
)
ASKING = KeySection(
    "asking",
    (
        Key(("a",), "a A", "ask()", "an agent, another agent"),
        Key(("A",), "", "ask_another()", "another agent"),
        Key(("m",), "m", "explain()", "more: all it has to say"),
        Key(("c",), "c", "play_on()", "agents to play on"),
    ),
)
ON_A_PAGE = (MOVING, LOOKING, PLAYING, SHOWING)
COLUMNS = ((MOVING, LOOKING, ASKING), (PLAYING, SHOWING, GAMES))  # of the help
SECTIONS = tuple(section for column in COLUMNS for section in column)
STATUS = "←→ step  space play  g turn  d death  n mistake  a ask  x v p r marks  ? help"
WATCHING = "←→ step  space pause  End live  + - speed  a ask  x v p r marks  ? help  q quit"
SPEEDS = (1, 2, 4, 8, 16)  # turns per second
START_SPEED = SPEEDS.index(4)
NOT_FOUND = {"deaths": "death", "explosions": "explosion", "stderr": "turn with stderr", "notes": "mistake or break"}


def format_keys() -> str:
    """All keys as text, section by section."""
    width = max(len(key.shown) for section in SECTIONS for key in section.keys)
    lines = ["Keys: the keys of the stepper (hsctl replay, play --watch, review --step)"]
    for section in SECTIONS:
        lines += ["", section.title]
        lines += [f"  {key.shown:{width}}  {key.words}" for key in section.keys if key.shown]
    return "\n".join([*lines, "", "Ctrl+P opens the command palette, which finds them by name."]) + "\n"
