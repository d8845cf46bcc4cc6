"""Typos get a suggestion, and terminals that can't show a board get one of plain characters."""

import io
import os
from pathlib import Path

import pytest

from hsctl.cli.app import main
from hsctl.plain import PLAIN
from replays.replay import Replay, write
from tests.hsctl.run import refusal, run_program
from tests.replays.recorded import record_game

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def game() -> Replay:
    return record_game(3, 2)


@pytest.fixture(autouse=True)
def folder(game: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot, a script and a game, in which hsctl is called."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot").write_text("#!/bin/sh\n")
    (tmp_path / "mybot").chmod(0o755)
    (tmp_path / "bot.py").write_text("")
    write(tmp_path / "game.json", game)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["play", "baem", "still"], "beam"),
        (["play", "baem:width=3", "still"], "beam"),
        (["play", "beam:widht=3", "still"], "width"),
        (["play", "beam:papre", "still"], "paper"),
        (["play", "beam:tme=3", "still"], "time"),
        (["play", "mybot", "still"], "./mybot"),
        (["play", "ghost:game.json#0,then=mtcs", "still"], "mcts"),
        (["explain", "game.json@3", "--agent", "nagamax"], "negamax"),
        (["replay", "gme.json"], "game.json"),
        (["replay", "gmae.json@7"], "game.json"),
        (["review", "game.jsn"], "game.json"),
        (["cache", "--warm", "raea"], "rhea"),
        (["plya", "beam", "still"], "play"),
        (["play", "beam", "still", "--game", "3"], "--games"),
    ],
    ids=" ".join,
)
def test_a_typo_gets_what_may_be_meant(capsys: Capture, words: list[str], meant: str) -> None:
    line = refusal(capsys, *words)
    assert meant in line


def test_what_is_like_nothing_gets_no_suggestion(capsys: Capture) -> None:
    assert "did you mean" not in refusal(capsys, "play", "zzzzzz", "still")
    assert "did you mean" not in refusal(capsys, "replay", "elsewhere.txt")
    assert "did you mean" not in refusal(capsys, "replay", "no/such/folder.json")


# Characters


def shown_in(encoding: str, *words: str) -> str:
    """What hsctl prints where stdout has this encoding."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stream := io.TextIOWrapper(io.BytesIO(), encoding))
        with pytest.raises(SystemExit):
            main(list(words))
        stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_terminal_that_shows_few_characters_gets_a_board_of_those(encoding: str) -> None:
    shown = shown_in(encoding, "replay", "game.json")
    assert "(0) player" in shown and "boxes" in shown and "?" not in shown


def test_so_does_a_program_and_its_errors_are_one_line(folder: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = run_program("replay", folder / "game.json", env=environment)
    assert (run.returncode, run.stderr) == (0, "") and run.stdout.isascii() and "(0) player" in run.stdout
    refused = run_program("replay", folder / "gmé.json", env=environment)
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1


def test_a_board_of_plain_characters_has_the_same_shape() -> None:
    boards = {}
    for encoding in ("utf-8", "ascii"):
        boards[encoding] = shown_in(encoding, "replay", "game.json", "--turn", "9").splitlines()
    assert [len(line) for line in boards["utf-8"]] == [len(line) for line in boards["ascii"]]
    assert any("###" in line for line in boards["ascii"]) and all(line.isascii() for line in boards["ascii"])


def test_every_plain_character_is_one(folder: Path) -> None:
    assert all(len(twin) == 1 and twin.isascii() for twin in PLAIN.values())
    assert not any(symbol.isascii() for symbol in PLAIN)
