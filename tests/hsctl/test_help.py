"""Help: every command says what it is for, nothing is cut short, and the examples are commands that exist."""

import shlex

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from hsctl.cli import help as help_
from hsctl.cli.app import app
from tests.hsctl.run import refusal, run_here

GROUP = typer.main.get_command(app)
assert isinstance(GROUP, TyperGroup)
COMMANDS = GROUP.commands
COLUMNS = 80


def examples_of(name: str) -> list[list[str]]:
    """The examples of a command as words, `hsctl` left out."""
    lines = (COMMANDS[name].epilog or "").strip().splitlines()
    examples = [shlex.split(line, comments=True) for line in lines]
    assert all(words[0] == "hsctl" for words in examples)
    return [words[1:] for words in examples]


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))


def help_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code, out, err = run_here(capsys, *words, "--help")
    assert (code, err) == (0, "")
    return out


def test_the_commands_are_listed_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    headings, listed = [], []
    for line in help_of(capsys).partition("Options:")[2].partition("Examples:")[0].splitlines():
        if line.endswith(":"):
            headings.append(line)
        elif line.startswith("  ") and line[2].isalpha():
            listed.append(line.split()[0])
    assert headings == [f"{heading}:" for heading in help_.GROUPS]
    assert listed == list(COMMANDS)
    assert listed[:7] == ["play", "replay", "review", "explain", "check", "league", "compare"]


@pytest.mark.parametrize("words", [[*words.split(), "x"] for words in help_.REMOVED], ids=" ".join)
def test_what_was_removed_gets_a_line_with_its_replacement(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    removed = " ".join(words[:-1])
    assert removed in (line := refusal(capsys, *words)) and help_.REMOVED[removed] in line
    assert words[0] not in COMMANDS or words[1] not in {
        each for param in COMMANDS[words[0]].params for each in param.opts
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says_first(capsys: pytest.CaptureFixture[str], name: str) -> None:
    first = help_of(capsys, name).split("\n\n")[1]
    assert " ".join(first.split()) == help_.COMMANDS[name].summary


@pytest.mark.parametrize("words", [[], *([name] for name in COMMANDS)], ids=lambda words: " ".join(["hsctl", *words]))
def test_no_line_of_help_is_cut_short_or_too_long(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    for line in help_of(capsys, *words).splitlines():
        assert not line.endswith("...")
        assert len(line) <= COLUMNS


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_examples(capsys: pytest.CaptureFixture[str], name: str) -> None:
    shown = help_of(capsys, name).partition("\nExamples:\n")[2].splitlines()
    assert [shlex.split(line, comments=True)[1:] for line in shown] == examples_of(name)
    assert 2 <= len(shown) <= 5
    assert any(words[0] == name for words in examples_of(name))


@pytest.mark.parametrize("words", [words for name in COMMANDS for words in examples_of(name)], ids=" ".join)
def test_examples_are_commands_that_exist(words: list[str]) -> None:
    command = COMMANDS[words[0]]
    assert isinstance(command, TyperCommand)
    words = words[: next((at for at, word in enumerate(words) if word in (">", ">>")), None)]
    command.make_context(words[0], words[1:])  # raises at an option, a value or a number of words that isn't right
