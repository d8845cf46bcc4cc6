"""Nothing recorded in a file runs unless this user's journal has a digest of the whole file."""

import json
import multiprocessing
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import hsctl
from hsctl.league.ledger import Ledger
from hsctl.match.trust import trust_in
from replays import store
from replays.opening import open_game, read_short
from replays.playback import Playback, load
from replays.replay import (
    MOST_PARENTS,
    Limits,
    Parent,
    PlayerInfo,
    Replay,
    ReplayError,
    decode,
    encode,
    parents_of,
    write,
)
from replays.store import VOUCHED
from tests.hsctl.match.user_agents import agents
from tests.hsctl.run import Run, refusal, run_here
from tests.replays.arena.writer import write_frames, write_json
from tests.replays.recorded import record_game

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A file that exists once a command of a stranger ran."""
    return tmp_path / "PWNED"


def command(trap: Path) -> str:
    return f"sh -c 'touch {trap}; cat'"


def agent(trap: Path) -> str:
    """An agent of the user's own whose module leaves the same trace."""
    place = trap.with_name("evil.py")
    place.write_text(f"open({str(trap)!r}, 'w')\nclass Evil: ...\n")
    return f"{place}:Evil"


def forge(path: Path, *players: PlayerInfo, parent: Parent | None = None, replay: Replay | None = None) -> Path:
    """A game on the clock, in which these players sat."""
    replay = replay or record_game(3, 2)
    replay.players[: len(players)], replay.parent = players, parent
    replay.limits = Limits(1000, 100, 5000, nodes=20)
    write(path, replay)
    return path


def evil_players(trap: Path) -> dict[str, PlayerInfo]:
    return {
        "command": PlayerInfo(command(trap), False),
        "ghost": PlayerInfo(command(trap), False, faithful_turns=3),
        "agent": PlayerInfo(agent(trap), True),
    }


def parent_with(info: PlayerInfo, turn: int, older: Parent | None = None) -> Parent:
    return Parent("game.json", "0" * 16, turn, [info, PlayerInfo("still", True)], parent=older)


def play_on(capsys: Capture, path: Path | str, *words: str) -> Run:
    return run_here(capsys, "play", "--from", str(path), *words, "--json")


def saved_by(run: Run) -> Path:
    assert run.code == 0, run.err
    return Path(json.loads(run.out)["games"][0]["replay"])


@pytest.mark.parametrize("kind", ["command", "ghost", "agent"])
def test_a_players_command_of_a_forged_replay_does_not_run(
    capsys: Capture, tmp_path: Path, trap: Path, kind: str
) -> None:
    info = evil_players(trap)[kind]
    path = forge(tmp_path / "evil.json", info, PlayerInfo("still", True))
    run = play_on(capsys, f"{path}@5")
    assert not trap.exists()
    assert load(saved_by(run)).replay.players[0].spec == f"ghost:{path}#0"
    told = " ".join(run.err.split())
    assert told.count(info.spec) == 1 and told.count("--trust") == 1


@pytest.mark.parametrize("kind", ["command", "ghost", "agent"])
def test_the_players_of_a_forged_parent_do_not_run(capsys: Capture, tmp_path: Path, trap: Path, kind: str) -> None:
    info, still = evil_players(trap)[kind], PlayerInfo("still", True)
    parent = parent_with(still, 8, parent_with(info, 4))
    path = forge(tmp_path / "evil.json", still, still, parent=parent)
    assert play_on(capsys, f"{path}@2").code == 0
    assert not trap.exists()


@pytest.mark.parametrize("kind", ["command", "ghost", "agent"])
def test_playing_on_over_generations_never_makes_a_command_run(
    capsys: Capture, tmp_path: Path, trap: Path, kind: str
) -> None:
    path: Path = forge(tmp_path / "evil.json", evil_players(trap)[kind], PlayerInfo("still", True))
    for turn, words in ((9, ["--swap", "0=still"]), (7, []), (5, ["--swap", "0=still"]), (3, [])):
        path = saved_by(play_on(capsys, f"{path}@{turn}", *words))
        assert not trap.exists()
    kept = load(path).replay
    while kept.parent is not None:
        parent = kept.parent
        assert all(info.is_foreign for info in parent.players if "evil.py" in info.spec or "touch" in info.spec)
        kept.parent = parent.parent


def test_the_dead_keep_their_distrust(capsys: Capture, tmp_path: Path, trap: Path) -> None:
    recorded = Playback(record_game(2, 3))
    (seat, (turn, _)), *_ = recorded.deaths().items()
    players = [PlayerInfo("still", True)] * 3
    players[seat] = evil_players(trap)["command"]
    path = forge(tmp_path / "evil.json", *players, replay=recorded.replay)
    path = saved_by(play_on(capsys, f"{path}@{turn + 1}"))
    assert load(path).replay.players[seat].is_foreign
    assert play_on(capsys, f"{path}@2").code == 0
    assert not trap.exists()


def test_trust_runs_the_commands_of_a_file(capsys: Capture, tmp_path: Path, trap: Path) -> None:
    path = forge(tmp_path / "mine.json", evil_players(trap)["command"], PlayerInfo("still", True))
    run = play_on(capsys, f"{path}@0", "--trust")
    assert trap.exists() and load(saved_by(run)).replay.players[0].spec == command(trap)


@pytest.mark.parametrize("words", [[], ["--swap", "0=still"]], ids=["played", "replaced"])
def test_trust_holds_for_one_call(capsys: Capture, tmp_path: Path, trap: Path, words: list[str]) -> None:
    path = forge(tmp_path / "theirs.json", evil_players(trap)["command"], PlayerInfo("still", True))
    path = saved_by(play_on(capsys, f"{path}@3", "--trust", *words))
    trap.unlink(missing_ok=True)
    assert play_on(capsys, f"{path}@2").code == 0
    assert not trap.exists()
    assert play_on(capsys, f"{path}@2", "--trust").code == 0
    assert trap.exists()


# Content, not place


def bot(tmp_path: Path) -> str:
    script = tmp_path / "bot.py"
    script.write_text(
        "input()\n"
        "while True:\n"
        "    for _ in range(11): input()\n"
        "    for _ in range(int(input())): input()\n"
        "    print('BOMB 0 0', flush=True)\n"
    )
    return shlex.join([sys.executable, str(script)])


def ran(run: Run) -> list[bool]:
    """Whether each player of the saved game was the recorded one, not a ghost."""
    return [not info.spec.startswith("ghost:") for info in load(saved_by(run)).replay.players]


def test_what_hsctl_saved_is_trusted_wherever_it_is_moved(capsys: Capture, tmp_path: Path) -> None:
    words = (bot(tmp_path), "still", "--nodes", "20", "--time", "none", "--seed", "3")
    for folder in ([], ["--out", str(tmp_path / "games")]):
        run = run_here(capsys, "play", *words, *folder, "--json")
        path = Path(json.loads(run.out)["games"][0]["replay"])
        assert ran(play_on(capsys, f"{path}@0")) == [True, True]
        moved = shutil.move(path, tmp_path / "another name.json")
        assert ran(play_on(capsys, f"{moved}@0")) == [True, True]
        moved.write_bytes(moved.read_bytes() + b"\n")
        assert ran(play_on(capsys, f"{moved}@0")) == [False, True]


def test_a_file_that_takes_the_place_of_a_saved_one_is_not_trusted(
    capsys: Capture, tmp_path: Path, trap: Path, data: Path
) -> None:
    run = run_here(capsys, "play", "still", "still", "--nodes", "1", "--out", tmp_path / "games", "--json")
    path = Path(json.loads(run.out)["games"][0]["replay"])
    for place in (path, data / "replays" / "copied.json"):
        place.parent.mkdir(parents=True, exist_ok=True)
        forge(place, evil_players(trap)["command"], PlayerInfo("still", True))
        assert play_on(capsys, f"{place}@5").code == 0
        assert not trap.exists()


def test_files_without_a_digest_and_imported_games_are_not_trusted(
    capsys: Capture, tmp_path: Path, trap: Path, data: Path
) -> None:
    """Those saved before digests existed have none."""
    run_here(capsys, "play", bot(tmp_path), "still", "--nodes", "20", "--time", "none", "--seed", "3")
    assert ran(play_on(capsys, "@0")) == [True, True]
    shutil.rmtree(data / VOUCHED)
    assert ran(play_on(capsys, "@0")) == [False, True]
    replay = record_game(3, 2)
    names = [command(trap), "bob"]
    console = tmp_path / "arena.json"
    console.write_text(json.dumps(write_json(replay, write_frames(replay), names)))
    imported = Path(json.loads(run_here(capsys, "import", console, "--json").out)["replay"])
    path = saved_by(play_on(capsys, f"{imported}@9", "--swap", "0=still", "--swap", "1=" + bot(tmp_path)))
    assert play_on(capsys, f"{path}@5").code == 0
    assert not trap.exists()


def test_a_recorded_agent_of_ones_own_is_explained_only_from_trusted_files(
    capsys: Capture, tmp_path: Path, trap: Path
) -> None:
    path = forge(tmp_path / "evil.json", evil_players(trap)["agent"], PlayerInfo("still", True))
    assert "--agent" in refusal(capsys, "explain", f"{path}@5", "--player", "0")
    assert not trap.exists()
    mine = f"{Path(agents.__file__)}:Good"
    run = run_here(capsys, "play", mine, "still", "--nodes", "5", "--seed", "3", "--json")
    path = Path(json.loads(run.out)["games"][0]["replay"])
    assert run_here(capsys, "explain", f"{path}@5", "--player", "0").code == 0
    path.write_bytes(path.read_bytes() + b" ")
    assert "--agent" in refusal(capsys, "explain", f"{path}@5", "--player", "0")


def test_python_vouches_only_for_games_it_played(tmp_path: Path, trap: Path) -> None:
    path = hsctl.play_game("still", "still", nodes=1).save(tmp_path / "mine.json")
    assert trust_in(open_game(path)[0]).is_saved_here
    forge(path, evil_players(trap)["command"], PlayerInfo("still", True))
    path = hsctl.open_replay(path).save(tmp_path / "copy.json")
    assert not trust_in(open_game(path)[0]).is_saved_here


# The journal


def test_the_journal_forgets_the_oldest_digests(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setattr(store, "MOST_VOUCHED", 10 * 66)
    monkeypatch.setattr(store, "FILES_OF_DIGESTS", 3)
    games = [str(number).encode() for number in range(75)]
    for game in games:
        store.vouch(game)
    assert [store.is_vouched(store.digest_of(game)) for game in games] == [False] * 50 + [True] * 25
    assert len(list((data / VOUCHED).iterdir())) == 3


def test_a_digest_that_was_cut_off_costs_no_other(data: Path) -> None:
    store.vouch(b"first")
    (path,) = (data / VOUCHED).iterdir()
    path.write_bytes(path.read_bytes()[:-20])
    store.vouch(b"second")
    assert not store.is_vouched(store.digest_of(b"first")) and store.is_vouched(store.digest_of(b"second"))


def vouch_for(games: Sequence[bytes]) -> None:
    for game in games:
        store.vouch(game)


def test_many_writers_lose_no_digest(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setattr(store, "MOST_VOUCHED", 10 * 66)
    games = [[f"{writer} {number}".encode() for number in range(30)] for writer in range(4)]
    writers = [multiprocessing.get_context("fork").Process(target=vouch_for, args=(each,)) for each in games]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert all(store.is_vouched(store.digest_of(game)) for each in games for game in each)


@pytest.mark.linux
@pytest.mark.parametrize("what", ["folder", "file", "link", "pipe"])
def test_a_journal_that_others_can_write_to_says_nothing(data: Path, what: str) -> None:
    store.vouch(b"game")
    (path,) = (data / VOUCHED).iterdir()
    assert store.is_vouched(store.digest_of(b"game"))
    assert not (path.stat().st_mode | path.parent.stat().st_mode) & 0o077
    if what == "folder":
        path.parent.chmod(0o777)
    elif what == "file":
        path.chmod(0o666)
    elif what == "link":
        path.symlink_to(path.rename(data / "elsewhere"))
    else:
        path.unlink()
        os.mkfifo(path, 0o600)
    assert not store.is_vouched(store.digest_of(b"game"))


# What is read


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe.json")
    return tmp_path / "pipe.json"


@pytest.mark.linux
@pytest.mark.timeout(60)
@pytest.mark.parametrize("place", ["/dev/zero", "pipe"])
def test_only_regular_files_are_read(capsys: Capture, pipe: Path, place: str) -> None:
    path = pipe if place == "pipe" else place
    commands = (
        ["replay", path],
        ["explain", f"{path}@3"],
        ["review", path],
        ["import", path],
        ["play", "--from", f"{path}@3"],
        ["play", f"ghost:{path}#0", "still"],
        ["play", "still", "still", "--state", path],
        ["league", "still", "random", "--seeds", path],
    )
    for words in commands:
        assert str(path) in refusal(capsys, *words)
    with pytest.raises(ReplayError):
        load(Path(path))
    assert read_short(Path(path)) is None


@pytest.mark.linux
@pytest.mark.timeout(60)
@pytest.mark.parametrize("place", ["/dev/zero", "pipe"])
def test_a_ledger_cannot_make_a_report_read_without_end(
    capsys: Capture, tmp_path: Path, pipe: Path, place: str
) -> None:
    path = pipe if place == "pipe" else Path(place)
    theirs, mine = tmp_path / "theirs.sqlite", tmp_path / "mine.sqlite"
    league = ("league", "still", "random", "--nodes", "1", "--games", "2", "--jobs", "1")
    run_here(capsys, *league, "--ledger", theirs)
    with Ledger(theirs) as ledger:
        rows = [row._replace(replay=path) for row in ledger]
    theirs.unlink()
    with Ledger(theirs) as ledger:
        for row in rows:
            ledger.add(row)
    run = run_here(capsys, *league, "--ledger", theirs, "--html", tmp_path / "page")
    assert run.code == 0 and str(path) in run.err
    run_here(capsys, "league", "--merge", theirs, "--ledger", mine)
    with Ledger(mine) as ledger:
        assert [row.replay for row in ledger] == [None, None]


# Limits


@pytest.mark.parametrize("name", ["first_turn_ms", "turn_ms", "startup_ms", "nodes", "vision"])
@pytest.mark.parametrize("value", ["1e300", "-1", "1e999", "NaN", "Infinity", str(10**18), str(10**30)])
def test_limits_of_a_replay_have_the_bounds_of_the_command_line(tmp_path: Path, name: str, value: str) -> None:
    document = json.loads(encode(record_game(3, 2)))
    document["limits"] |= {"startup_ms": 5000, name: "HERE"}
    data = json.dumps(document).replace('"HERE"', value).encode()
    with pytest.raises(ReplayError):
        decode(data)


@pytest.mark.parametrize("name", ["first_turn_ms", "turn_ms", "nodes"])
def test_no_thinking_without_time_is_recorded(name: str) -> None:
    document = json.loads(encode(record_game(3, 2)))
    document["limits"][name] = 0
    with pytest.raises(ReplayError, match=name):
        decode(json.dumps(document).encode())


def test_a_replay_has_a_bounded_number_of_parents(tmp_path: Path) -> None:
    parent = None
    for _ in range(MOST_PARENTS):
        parent = parent_with(PlayerInfo("still", True), 5, parent)
    path = forge(tmp_path / "game.json", parent=parent)
    assert len(list(parents_of(load(path).replay))) == MOST_PARENTS
    forge(path, parent=parent_with(PlayerInfo("still", True), 5, parent))
    with pytest.raises(ReplayError, match="parent"):
        load(path)
