"""Bots given as source: built once into the cache folder, again when a source changes, then played."""

import os
import shutil
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.bots import build
from hsctl.match.identity import digest_of
from hsctl.match.players import read_player
from tests.hsctl.run import refusal, run_here

Capture = pytest.CaptureFixture[str]
needs_cpp = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
CPP = """
#include <iostream>
#include <string>
#include "order.h"
int main() {
    std::string line;
    std::getline(std::cin, line);
    while (true) {
        for (int i = 0; i < 11; i++) if (!std::getline(std::cin, line)) return 0;
        std::getline(std::cin, line);
        for (int n = std::stoi(line); n > 0; n--) std::getline(std::cin, line);
        std::cout << ORDER << std::endl;
    }
}
"""


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "cache_home", lambda: tmp_path / "cache")
    monkeypatch.setattr(build, "is_shown", False)
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "order.h").write_text('#define ORDER "MOVE 0 0"')
    (tmp_path / "bot.cpp").write_text(CPP)
    return tmp_path / "bot.cpp"


@needs_cpp
def test_a_source_is_built_once_and_again_when_it_changes(capsys: Capture, bot: Path, tmp_path: Path) -> None:
    words = ("play", str(bot), "still", "--seed", "1", "--time", "5000", "--no-save")
    first = run_here(capsys, *words)
    assert first.code == 0 and "building" in first.err and first.out != ""
    (program,) = (tmp_path / "cache" / "bots").glob("*/bot")
    again = run_here(capsys, *words, "--show-build")
    assert "building" not in again.err and str(program) in again.err and "g++ -std=gnu++17 -O2" in again.err
    before = digest_of(read_player(str(bot)))
    (tmp_path / "order.h").write_text('#define ORDER "BOMB 0 0"')
    assert digest_of(read_player(str(bot))) != before
    run_here(capsys, *words)
    assert len(list((tmp_path / "cache" / "bots").iterdir())) == 2


@needs_cpp
def test_a_program_that_others_could_have_put_there_does_not_run(bot: Path) -> None:
    folder = build.folder_of(bot)
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    (folder / "bot").write_text("#!/bin/sh\n")
    with pytest.raises(HsctlError, match="others can write there"):
        build.program_words([str(bot)])


@needs_cpp
def test_a_source_with_an_error_is_refused_with_the_compilers_first_one(capsys: Capture, bot: Path) -> None:
    bot.write_text("int main() { return nobody; }")
    run = run_here(capsys, "play", str(bot), "still", "--no-save")
    assert run.code == 2 and "nobody" in run.err
    assert not list((bot.parent / "cache" / "bots").iterdir())


def test_a_python_file_is_a_bot_unless_it_only_defines_an_agent(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import sys\nfor line in sys.stdin: pass\n")
    assert build.program_words([str(path), "7"]) == ["python3", str(path), "7"]
    path.write_text("class Mine:\n    def decide(self, state, player, budget):\n        return 0\n")
    assert f"{path}:Mine" in refusal(capsys, "play", str(path), "still", "--no-save")


def test_programs_are_not_built(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text("#!/usr/bin/env python3\n")
    os.chmod(script, 0o755)
    for words in ([str(script)], ["python3", str(script)], ["./nowhere.cpp"]):
        assert build.program_words(words) == words


def test_a_missing_compiler_is_named(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(HsctlError, match="g\\+\\+ is not installed"):
        read_player(str(bot))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("class Player {\n  public static void main(String[] a) {}\n}", "Player"),
        ("class Board { int x; }\nclass Bot { int y;\n public static void main(String a[]) {} }", "Bot"),
        ("nothing", "Some"),
    ],
)
def test_the_class_with_the_main_method_runs(text: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "Some.java"
    path.write_text(text)
    assert build.java_class(path) == name
