"""What strangers wrote reaches a terminal as text."""

import pytest

from replays.text import LINES, clean, counted

CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("./my bot é 🤖", "./my bot é 🤖"),
        ("\x1b[2J", "\\x1b[2J"),
        (CLIPBOARD, "\\x1b]52;c;ZXZpbA==\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\udc80", "\\udc80"),
        ("\U000e0041\xad", "\\U000e0041\\xad"),  # unseen
        ("« oui »", "« oui »"),  # spaces that don't break
    ],
)
def test_every_character_that_steers_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_text_of_several_lines_keeps_them() -> None:
    assert clean("a\n\tb\x1b", LINES) == "a\n\tb\\x1b"


def test_things_are_counted() -> None:
    assert [counted(count, "turn") for count in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]
