"""Where replays live: the newest is found, names never meet, FILE@TURN is understood."""

import os
from pathlib import Path

import pytest

from replays.opening import parse_reference
from replays.replay import ReplayError
from replays.store import (
    JOURNAL,
    new_name,
    newest,
    own_replays,
    remember,
    replay_folder,
    saved_elsewhere,
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(folder: Path, name: str, at: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("{}")
    os.utime(path, (at, at))
    return path


def test_the_folder_is_in_the_data_folder_of_the_user(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert replay_folder() == data / "replays"
    monkeypatch.delenv("HSCTL_DATA")
    assert replay_folder().parts[-2:] == ("hsctl", "replays")


def test_the_newest_is_the_one_saved_last() -> None:
    save(replay_folder(), "b.json", 100)
    last = save(replay_folder(), "a.json", 200)
    save(replay_folder(), ".c.json.1234.tmp", 300)  # being written
    assert newest() == last


def test_without_a_replay_it_is_told_how_to_make_one() -> None:
    with pytest.raises(ReplayError, match=r"no replay in .*replays: play a game first \(hsctl play "):
        newest()


def test_names_made_in_one_moment_differ() -> None:
    names = [new_name("seed7") for _ in range(1000)]
    assert len(set(names)) == 1000


def test_a_name_holds_nothing_that_a_shell_or_a_file_system_minds() -> None:
    name = new_name("../python bot.py; rm *")
    assert name.endswith(".json")
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")


def test_a_reference_may_name_a_turn() -> None:
    last = save(replay_folder(), "a.json", 200)
    assert parse_reference("game.json") == (Path("game.json"), None)
    assert parse_reference("game.json@42") == (Path("game.json"), 42)
    assert parse_reference("@7") == (last, 7)
    assert parse_reference(f"{'a' * 5000}@7") == (Path("a" * 5000), 7)  # the error comes when it is opened


def test_a_file_with_an_at_in_its_name_is_a_file() -> None:
    save(Path("me@home"), "game@3", 1)
    assert parse_reference("me@home/game@3") == (Path("me@home/game@3"), None)
    assert parse_reference("me@home/game@3@5") == (Path("me@home/game@3"), 5)


def test_what_is_no_turn_is_refused() -> None:
    save(Path(), "game.json", 1)
    with pytest.raises(ReplayError, match=r"game\.json@end: 'end' is not a turn"):
        parse_reference("game.json@end")


# Games saved elsewhere


def test_the_newest_may_be_elsewhere(tmp_path: Path) -> None:
    save(replay_folder(), "a.json", 100)
    other = save(tmp_path / "games", "b.json", 200)
    assert newest() == replay_folder() / "a.json"
    remember(other)
    remember(other)
    assert newest() == other
    assert own_replays() == [replay_folder() / "a.json", other]
    other.unlink()
    assert newest() == replay_folder() / "a.json"


def test_the_journal_forgets_the_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.store.MOST_IN_JOURNAL", 10)
    paths = [tmp_path / "games" / f"{number}.json" for number in range(200)]
    for path in paths:
        remember(path)
    kept = saved_elsewhere()
    assert kept[-1] == paths[-1] and len(kept) < 100 and kept == paths[-len(kept) :]


def test_a_journal_that_cannot_be_written_or_read_is_no_harm(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(data / "with\nnewline" / "a.json")
    assert saved_elsewhere() == []
    (data / JOURNAL).mkdir()
    remember(data / "games" / "a.json")
    assert saved_elsewhere() == []
