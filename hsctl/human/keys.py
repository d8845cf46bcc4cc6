"""The keys of people who play: one table for what they do and what the help says."""

from replays.keys import Key, Section

FIRST = Section(
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
SECOND = Section(
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
TURN = Section(
    "the turn",
    (
        Key(("escape", "backspace"), "Esc", "put_away()", "put the bomb away"),
        Key(("u",), "u", "take_back()", "take back (--practice)"),
        Key(("p",), "p", "pause()", "stop the clock (--pace)"),
        Key(("q",), "q", "leave()", "leave; the game is kept"),
    ),
)
HINTS = Section(
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


def columns_for(people: int) -> tuple[tuple[Section, ...], ...]:
    """The sections of the help, column by column."""
    if people > 1:
        return ((FIRST, SECOND, TURN), (HINTS,))
    first = FIRST._replace(keys=(*FIRST.keys[:-1], FIRST.keys[-1]._replace(names=("full_stop", "s"), shown=". s")))
    return ((first, TURN), (HINTS,))
