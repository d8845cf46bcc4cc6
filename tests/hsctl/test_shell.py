"""Command lines are split and quoted by the rules of the system."""

from types import SimpleNamespace

import pytest

from hsctl import shell

LINES = [
    ("posix", "python3 'my bot.py' --fast", ["python3", "my bot.py", "--fast"]),
    ("posix", r"./a\ bot", ["./a bot"]),
    ("nt", r"bots\mybot.exe -n 3", [r"bots\mybot.exe", "-n", "3"]),
    ("nt", r'"C:\Program Files\bot.exe" it\'s', [r"C:\Program Files\bot.exe", r"it\'s"]),
]


@pytest.mark.parametrize(("system", "line", "words"), LINES)
def test_a_line_is_split_as_on_its_system(
    system: str, line: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell, "os", SimpleNamespace(name=system))
    assert shell.split_words(line) == words
    assert shell.split_words(shell.join_words(words)) == words


@pytest.mark.parametrize("system", ["posix", "nt"])
def test_a_quotation_without_an_end_is_refused(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "os", SimpleNamespace(name=system))
    with pytest.raises(shell.HsctlError, match="can't split"):
        shell.parse_command('python "bot.py')
