"""`hsctl games`: which games are listed, for whom, and why they were lost."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.notation import parse_position
from hsctl.league import listing
from hsctl.match.result import cause_of
from replays.playback import Playback
from replays.replay import Replay, write
from tests.engine.draw import board
from tests.hsctl.run import refusal, run_here
from tests.replays.recorded import record_game
from tests.replays.viewer.test_live import cut

Capture = pytest.CaptureFixture[str]
SEEDS = range(3, 11)
EMPTY = """
    ...
    0 0 0 0 1 3
    0 1 12 10 1 3
    """


@cache
def recorded(seed: int) -> Replay:
    """A game of an agent and a bot."""
    return record_game(seed, 2, failures=0.004)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The newest has the lowest seed; and a file that is no game."""
    folder = tmp_path_factory.mktemp("games")
    for seed in SEEDS:
        write(folder / f"{seed}.json", recorded(seed))
        os.utime(folder / f"{seed}.json", (10_000 - seed, 10_000 - seed))
    (folder / "notes.txt").write_text("hello")
    return folder


@pytest.fixture
def folder(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of them, beside a data folder of its own."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return Path(shutil.copytree(games, tmp_path / "games"))


def listed(capsys: Capture, *arguments: str | Path) -> list[dict[str, Any]]:
    code, out, _ = run_here(capsys, "games", *arguments, "--json")
    assert code == 0
    found: list[dict[str, Any]] = json.loads(out)
    return found


def seeds_where(bot_lost_by: set[str]) -> list[int]:
    """Seeds whose bot lost by one of these causes, found by playing the games again."""
    found = []
    for seed in SEEDS:
        playback = Playback(recorded(seed))
        death = playback.deaths().get(1)
        cause = "boxes" if death is None else cause_of(death[1])
        words = {cause} if death is None or not death[1].failure else {cause, death[1].failure}
        if playback.replay.result.ranks[1] > 1 and words & bot_lost_by:
            found.append(seed)
    return found


def test_all_games_of_a_folder_the_newest_first(capsys: Capture, folder: Path) -> None:
    games = listed(capsys, folder)
    assert [game["seed"] for game in games] == list(SEEDS)
    replay = recorded(SEEDS[0])
    assert games[0]["turns"] == len(replay.turns) and games[0]["file"] == str(folder / f"{SEEDS[0]}.json")
    assert [player["rank"] for player in games[0]["players"]] == replay.result.ranks
    assert [len(listed(capsys, folder, "--limit", str(limit))) for limit in (1, 3, 50)] == [1, 3, len(SEEDS)]


def test_lost_games_are_those_of_the_bot_or_of_the_player_named(capsys: Capture, folder: Path) -> None:
    anything = {"own", "others", "both", "boxes", "error"}
    lost = [game["seed"] for game in listed(capsys, folder, "--lost")]
    assert (
        lost
        == seeds_where(anything)
        == [game["seed"] for game in listed(capsys, folder, "--lost", "--player", "bot.py")]
    )
    assert 0 < len(lost) < len(SEEDS)
    of_beam = [game["seed"] for game in listed(capsys, folder, "--lost", "--player", "beam")]
    assert not set(of_beam) & set(lost) and of_beam
    assert listed(capsys, folder, "--player", "nobody") == []


@pytest.mark.slow
@pytest.mark.parametrize("cause", ["own", "others", "both", "boxes", "error", "timeout", "crash", "invalid"])
def test_causes(capsys: Capture, folder: Path, cause: str) -> None:
    assert [game["seed"] for game in listed(capsys, folder, "--cause", cause)] == seeds_where({cause})


def test_the_causes_of_the_test_are_not_all_alike(folder: Path) -> None:
    assert sum(bool(seeds_where({cause})) for cause in ("own", "others", "both", "boxes", "error")) >= 2


def test_the_list_fits_on_a_terminal_and_names_files_whole(capsys: Capture, folder: Path) -> None:
    out = run_here(capsys, "games", folder).out
    for seed in SEEDS:
        assert f"  {folder}/{seed}.json\n" in out
    assert all(len(line) <= 80 for line in out.splitlines() if str(folder) not in line)
    assert "lost by " in out and " turns  1 " in out
    assert run_here(capsys, "replay", folder).out == out


def test_without_a_folder_all_that_was_saved(capsys: Capture, folder: Path, tmp_path: Path) -> None:
    assert run_here(capsys, "games").err.endswith("no game saved by hsctl\n")
    run_here(capsys, "play", "still", "still", "--nodes", "1", "--out", tmp_path / "elsewhere")
    run_here(capsys, "play", "still", "simple", "--nodes", "1")
    names = [[player["player"] for player in game["players"]] for game in listed(capsys)]
    assert names == [["still", "simple"], ["still", "still"]]


def test_wrong_input_gets_one_line(capsys: Capture, folder: Path) -> None:
    assert "nowhere: No such file or directory" in refusal(capsys, "games", "nowhere")
    assert "cannot be combined with --turn" in refusal(capsys, "replay", folder, "--turn", "3")


def test_an_unknown_cause_is_refused(capsys: Capture, folder: Path) -> None:
    said = refusal(capsys, "games", folder, "--cause", "foo")
    assert "--cause 'foo': name one of own, others, both, error, boxes, dead, start, timeout, crash" in said


def test_it_is_told_why_no_game_is_listed(capsys: Capture, folder: Path, tmp_path: Path) -> None:
    def said(*arguments: str | Path) -> str:
        return run_here(capsys, *arguments).err.splitlines()[-1]

    among = f"none of the games in {folder} ({len(SEEDS)})"
    assert said("games", folder, "--player", "zzz") == f"{among} has a player called 'zzz'"
    assert said("games", folder, "--player", "bot", "--cause", "flood") == (
        f"{among} was lost by 'bot' with the cause flood"
    )
    (tmp_path / "empty").mkdir()
    assert said("replay", tmp_path / "empty") == f"no game in {tmp_path}/empty"
    (tmp_path / "empty/notes.txt").write_text("hello")
    assert said("games", tmp_path / "empty") == f"no game in {tmp_path}/empty (1 file checked)"


def test_who_was_dead_from_the_start_did_not_lose_by_boxes(capsys: Capture, tmp_path: Path) -> None:
    write(tmp_path / "game.json", record_game(3, 3, game=parse_position(board(EMPTY), 30, (2, 3, 4), 3)))
    [game] = listed(capsys, tmp_path, "--player", "random", "--cause", "dead")
    assert (game["players"][2]["cause"], game["players"][2]["death_turn"]) == ("dead", None)
    said = run_here(capsys, "games", tmp_path, "--player", "random").out
    assert "▲ dead from the start\n" in said


def test_turns_of_a_game_that_began_in_the_middle_of_another_are_named(capsys: Capture, tmp_path: Path) -> None:
    write(tmp_path / "game.json", record_game(3, 2, game=parse_position(board(EMPTY), 30)))
    [game] = listed(capsys, tmp_path)
    assert game["first_turn"] == 30
    assert f"  turns 30 to {29 + game['turns']}  1 " in run_here(capsys, "games", tmp_path).out


def test_of_an_unfinished_game_only_the_dead_have_lost(capsys: Capture, tmp_path: Path) -> None:
    whole = record_game(3, 4, failures=0.003)
    dead = min(died for died in whole.result.death_rounds if died is not None)
    write(tmp_path / "stopped.json", cut(whole, dead + 1))
    [game] = listed(capsys, tmp_path)
    results = [player["result"] for player in game["players"]]
    assert game["reason"] == "unfinished" and results.count("unfinished") == 3 and results.count("lost") == 1
    assert ", unfinished " in " ".join(run_here(capsys, "games", tmp_path).out.split())
    alive = results.index("unfinished")
    write(tmp_path / "stopped.json", cut(whole, 2))
    assert listed(capsys, tmp_path, "--lost", "--player", whole.players[alive].spec) == []


@pytest.mark.parametrize("seconds", [-(10**12), 10**12])
def test_a_file_from_a_wrong_clock_is_listed(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    monkeypatch.setattr("replays.store.saved_at", lambda _: seconds * 10**9)
    assert listed(capsys, folder)[0]["saved"][:4] == ("1970" if seconds < 0 else "9999")


# The index


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of which a game was read or played again."""
    seen: list[str] = []
    read, play = listing.short_of, listing.find_fates
    monkeypatch.setattr(listing, "short_of", lambda path, data: (seen.append(path.name), read(path, data))[1])
    monkeypatch.setattr(listing, "find_fates", lambda path, short: (seen.append(path.name), play(path, short))[1])
    return seen


@pytest.fixture
def settled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The games, as if they had been written long ago."""
    monkeypatch.setattr(listing, "SETTLED_NS", -(10**18))
    return folder


def test_each_content_is_read_and_played_once(
    capsys: Capture, settled: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = listed(capsys, settled, "--lost")
    assert lost and set(played) == {path.name for path in settled.iterdir()}
    played.clear()
    moved = settled.rename(settled.with_name("moved"))
    assert [game["seed"] for game in listed(capsys, moved, "--lost")] == [game["seed"] for game in lost]
    monkeypatch.setattr(listing, "read_source", lambda path: pytest.fail(f"{path} is read"))
    assert [game["players"] for game in listed(capsys, moved, "--lost")] == [game["players"] for game in lost]
    assert played == []


def test_a_changed_file_is_read_again_even_if_it_looks_the_same(
    capsys: Capture, settled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Size and times of a file that was just written tell nothing; later, the moment of the change does."""
    file = settled / f"{SEEDS[0]}.json"
    text, was = file.read_text(), file.stat()
    assert listed(capsys, settled)[0]["seed"] == SEEDS[0]
    file.write_text(text.replace(f'"seed": {SEEDS[0]}', '"seed": 9'))
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert file.stat().st_size == was.st_size and listed(capsys, settled)[0]["seed"] == 9
    monkeypatch.setattr(listing, "SETTLED_NS", 10**18)
    listed(capsys, settled)
    monkeypatch.setattr(Path, "stat", lambda path, **_: was)
    file.write_text(text)
    assert listed(capsys, settled)[0]["seed"] == SEEDS[0]


@pytest.mark.parametrize("trouble", ["garbage", "cut", "other edition", "row", "locked", "no folder", "a folder"])
def test_the_index_is_never_needed(
    capsys: Capture, settled: Path, trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = listed(capsys, settled, "--lost")
    index = tmp_path / "data" / listing.INDEX
    assert index.is_file()
    with closing(sqlite3.connect(index, isolation_level=None)) as other:
        if trouble == "garbage":
            index.write_bytes(b"no index" * 1000)
        elif trouble == "cut":
            os.truncate(index, index.stat().st_size // 2)
        elif trouble == "other edition":
            other.execute("PRAGMA user_version = 7")
        elif trouble == "row":
            other.execute("UPDATE game SET known = x'c1'")
        elif trouble == "locked":
            monkeypatch.setattr(listing, "WAIT_S", 0.0)
            other.execute("BEGIN EXCLUSIVE")
        else:
            index.unlink()
            if trouble == "a folder":
                index.mkdir()
            else:
                index.parent.rmdir()
                index.parent.write_text("in the way")
        assert listed(capsys, settled, "--lost") == before
    assert listed(capsys, settled, "--lost") == before
    if trouble in ("garbage", "cut", "other edition", "row"):
        monkeypatch.setattr(listing, "read_source", lambda path: pytest.fail(f"{path} is read"))
        assert listed(capsys, settled, "--lost") == before


def test_a_known_game_is_listed_without_the_engine(capsys: Capture, settled: Path) -> None:
    listed(capsys, settled, "--lost")
    code = (
        "import sys; from pathlib import Path; from hsctl.cli.games import show_games;"
        "from hsctl.league import listing; listing.SETTLED_NS = -(10**18);"
        f"show_games(Path({str(settled)!r}), listing.Filter(None, True), 99, True);"
        "sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0


def test_the_oldest_files_are_forgotten(
    capsys: Capture, settled: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_KNOWN", 3)
    monkeypatch.setattr(listing, "AT_ONCE", 1)
    listed(capsys, settled)
    played.clear()
    listed(capsys, settled)
    assert len(set(played)) == len(SEEDS) + 1
