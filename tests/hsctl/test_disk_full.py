"""A disk that is full in the middle of a file: the command fails with one line, and the old file is still there."""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.report.league_page import write_report
from hsctl.report.plots import league_figure, save
from replays.replay import write
from tests.hsctl.games import made_game, standings_of
from tests.hsctl.run import run_here
from tests.replays.recorded import record_game

pytestmark = pytest.mark.linux
COMMANDS = {
    "page": ("replay", "GAME", "--html", "FILE.html"),
    "picture": ("replay", "GAME", "--turn", "3", "--svg", "FILE.svg"),
    "animation": ("replay", "GAME", "--from", "0", "--to", "3", "--gif", "FILE.gif"),
    "review": ("review", "GAME", "--deaths", "--html", "FILE.html"),
    "CSV": ("export", "replays", "GAME", "--table", "turns", "--out", "FILE.csv"),
    "JSON lines": ("export", "replays", "GAME", "--table", "turns", "--to", "jsonl", "--out", "FILE.jsonl"),
    "Parquet": ("export", "replays", "GAME", "--table", "turns", "--to", "parquet", "--out", "FILE.parquet"),
}


@contextmanager
def full_disk(after_bytes: int = 1000) -> Iterator[None]:
    """No file of this process can grow beyond so many bytes; nor is bytecode kept, which Python would cut off there."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (after_bytes, hard))
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def fill(folder: Path, name: str) -> Path:
    folder.mkdir()
    (folder / name).write_text("old")
    return folder / name


def assert_untouched(file: Path) -> None:
    assert [(each.name, each.read_text()) for each in file.parent.iterdir()] == [(file.name, "old")]


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_the_old_file_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    game = tmp_path / "game.json"
    write(game, record_game(3, 2))
    file = fill(tmp_path / "out", words[-1])
    typed = [str(game) if word == "GAME" else str(file) if word == words[-1] else word for word in words]
    with full_disk():
        code, _, said = run_here(capsys, *typed)
    assert (code, said.splitlines()[-1].split()[:2]) == (2, ["hsctl:", f"{file}:"])
    assert_untouched(file)


@pytest.mark.parametrize("name", ["plot.png", "plot.svg", "plot.pdf"])
def test_the_old_plot_stays(tmp_path: Path, name: str) -> None:
    figure = league_figure(standings_of(made_game()))
    file = fill(tmp_path / "out", name)
    with full_disk(), pytest.raises(HsctlError):
        save(figure, file)
    assert_untouched(file)
    save(figure, file)
    assert file.stat().st_size > 1000


def test_the_old_report_of_a_league_stays(tmp_path: Path) -> None:
    file = fill(tmp_path / "out", "index.html")
    with full_disk(), pytest.raises(HsctlError):
        write_report(standings_of(made_game()), file.parent)
    assert_untouched(file)
