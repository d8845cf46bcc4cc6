"""`hsctl play`: options, results, replays, Ctrl-C."""

import json
import os
import re
import shlex
import signal
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from engine.game import Game
from engine.maps import draw_boxes
from engine.notation import format_header, format_position
from hsctl.budget import CLOCK_OF_A_SERIES
from hsctl.cli import playing
from hsctl.league.games import League, read_league, series_tasks
from hsctl.match import compiling, runner
from hsctl.report.safe_console import SafeConsole
from replays.playback import load, read
from replays.replay import Limits
from tests.engine.draw import board
from tests.hsctl.run import PLENTY, on_terminal, processes_with, refusal, run_here, start_marked, wait_for

Capture = pytest.CaptureFixture[str]
SLEEPER = shlex.join([sys.executable, "-S", "-c", "import time; time.sleep(600)"])


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data" / "replays"


def play_json(capsys: Capture, *arguments: str | Path) -> dict[str, Any]:
    code, out, _ = run_here(capsys, "play", *arguments, "--json")
    assert code == 0
    record: dict[str, Any] = json.loads(out)
    return record


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


@pytest.mark.parametrize("is_watched", [False, True])
def test_the_board_is_on_the_screen_before_anything_is_compiled_and_the_game_begins_after(
    is_watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = SafeConsole(file=StringIO(), force_terminal=True, width=80, height=40)
    shown: dict[str, str] = {}

    def note(what: str) -> str:
        shown[what] = screen.file.getvalue()  # type: ignore[attr-defined]
        return what

    monkeypatch.setattr(playing, "SafeConsole", lambda **_: screen)
    monkeypatch.setattr(compiling, "missing_parts", lambda agents: ["osla", "simple"])
    monkeypatch.setattr(compiling, "compile_part", note)
    league = League(tuple(read_league(["still", "still"])), Limits(nodes=1))
    monkeypatch.setattr(runner, "warm_seat", lambda *_: note("warm"))
    for how in ("play_single", "watch_games"):
        monkeypatch.setattr(playing, how, lambda *_: bool(note("play")))
    assert playing.play_all(series_tasks(league, 7, 1), 1, is_watched, lambda _: "")
    assert list(shown) == ["simple", "osla", "warm", "play"]
    board_at = shown["simple"].index("turn 0, seed 7")
    assert "compiling simple: " in shown["simple"][board_at:]


# Results


def test_a_game_is_shown_and_kept(capsys: Capture, data_folder: Path) -> None:
    code, out, _ = run_here(capsys, "play", "simple", "random", "--seed", "3")
    assert code == 0
    path = only_file(data_folder)
    assert "simple" in out and "seed 3, " in out and "hsctl replay" in out
    replay = load(path).replay
    assert (replay.seed, [info.spec for info in replay.players]) == (3, ["simple", "random"])
    assert (replay.limits.first_turn_ms, replay.limits.turn_ms, replay.limits.startup_ms) == (1000, 100, 5000)


def test_without_a_seed_a_random_one_is_told(capsys: Capture, data_folder: Path) -> None:
    out = run_here(capsys, "play", "still", "still").out
    found = re.search(r"seed (\d+),", out)
    assert found and read(only_file(data_folder)).seed == int(found[1])


def test_a_series_as_json(capsys: Capture, tmp_path: Path) -> None:
    record = play_json(
        capsys, "simple", "random", "--games", "4", "--seed", "8", "--jobs", "1", "--out", tmp_path / "a"
    )
    assert [game["seed"] for game in record["games"]] == [8, 8, 9, 9]
    assert [game["seats"][0] for game in record["games"]] == ["simple", "random"] * 2
    for player in record["players"]:
        assert player["games"] == 4 == player["wins"] + player["draws"] + player["losses"]
        seats = [game["seats"].index(player["name"]) for game in record["games"]]
        assert player["boxes"] == sum(game["boxes"][seat] for game, seat in zip(record["games"], seats, strict=True))
    for game in record["games"]:
        replay = load(Path(game["replay"])).replay
        assert (game["ranks"], game["reason"]) == (replay.result.ranks, replay.result.reason)
        assert game["turns"] == len(replay.turns)


def test_a_series_as_a_table(capsys: Capture, data_folder: Path) -> None:
    out = run_here(capsys, "play", "simple", "random", "--games", "2", "--seed", "8", "--jobs", "1").out
    for row in ("won, drawn, lost", "wins", "mean place", "boxes a game", "bombs a game", "deaths", "ms a turn"):
        assert f"\n{row} " in out
    assert f"2 replays in {data_folder}" in out
    assert max(len(line) for line in out.splitlines() if str(data_folder) not in line) <= 80


def test_nothing_is_kept_if_so_asked(capsys: Capture, data_folder: Path) -> None:
    record = play_json(capsys, "still", "still", "--no-save")
    assert record["games"][0]["replay"] is None and not data_folder.exists()


def test_with_nodes_the_same_game_gives_the_same_bytes(capsys: Capture, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run_here(capsys, "play", "simple", "random", "--seed", "5", "--nodes", "30", "--out", tmp_path / name)
    first, second = only_file(tmp_path / "a"), only_file(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    assert b"time" not in first.read_bytes() and b"_ms" not in first.read_bytes()


def test_limits_are_what_was_asked_for(capsys: Capture, tmp_path: Path) -> None:
    def limits(*options: str) -> tuple[float | None, ...]:
        folder = tmp_path / "-".join(options)
        run_here(capsys, "play", "still", "still", "--out", folder, *options)
        found = read(only_file(folder)).limits
        return found.first_turn_ms, found.turn_ms

    assert limits("--time", "50") == (1000, 50)
    assert limits("--time", "2000") == (2000, 2000)
    assert limits("--time", "50", "--first-turn", "60") == (60, 50)
    assert limits("--time", "none") == (None, None)


def test_a_series_of_agents_has_the_cpu_clock_and_a_single_game_the_wall_clock(capsys: Capture, tmp_path: Path) -> None:
    def clocks(*options: str) -> tuple[str | None, str]:
        folder = tmp_path / "-".join(("games", *options))
        record = play_json(capsys, "still", "still", "--out", folder, *options)
        return record["clock"], read(next(folder.iterdir())).limits.clock

    assert clocks() == ("wall", "wall")
    assert clocks("--games", "2", "--jobs", "1") == (CLOCK_OF_A_SERIES, CLOCK_OF_A_SERIES)
    assert clocks("--games", "2", "--jobs", "1", "--clock", "wall") == ("wall", "wall")
    assert clocks("--games", "2", "--jobs", "1", "--nodes", "5") == (None, "wall")


# Other starts


def test_a_game_goes_on_from_a_turn_of_a_replay(capsys: Capture, tmp_path: Path) -> None:
    nodes = ("--nodes", "9")
    first = play_json(capsys, "simple", "simple", "--seed", "4", *nodes)["games"][0]
    again = play_json(capsys, "simple", "simple", "--from", f"{first['replay']}@30", *nodes)["games"][0]
    assert (again["seed"], again["first_turn"], again["turns"]) == (4, 30, first["turns"] - 30)
    assert (again["ranks"], again["boxes"], again["reason"]) == (first["ranks"], first["boxes"], first["reason"])
    assert load(Path(again["replay"])).first_turn == 30
    out = run_here(capsys, "play", "simple", "simple", "--from", f"{first['replay']}@30", *nodes).out
    assert f"seed 4, turns 30 to {first['turns'] - 1}, ended by: {first['reason']}\n" in out


def test_a_game_starts_from_a_position(capsys: Capture, tmp_path: Path) -> None:
    state = tmp_path / "state.txt"
    position = format_position(Game.start(77, 2))
    for text in (position, format_header(1) + position):
        state.write_text(text)
        game = play_json(capsys, "still", "still", "--state", state)["games"][0]
        assert load(Path(game["replay"])).replay.start.position == position


def test_a_dead_seat_keeps_its_player(capsys: Capture, tmp_path: Path) -> None:
    state = tmp_path / "state.txt"
    state.write_text(board("0 0 0 0 1 3\n0 2 4 0 1 3"))
    code, out, _ = run_here(capsys, "play", "still", "simple", "random:nodes=1", "--state", state)
    assert code == 0
    assert re.search(r"3 +■ 1 simple +0 +dead from the start", out)
    assert "2 players: this position needs 3 to 4" in refusal(capsys, "play", "still", "still", "--state", state)


# Wrong input


def test_what_is_no_player_gets_one_line(capsys: Capture) -> None:
    assert "'smple' is neither an agent nor a program" in refusal(capsys, "play", "smple", "random")
    assert refusal(capsys, "play", "random") == "1 player: a game has 2 to 4"
    assert refusal(capsys, "play", *["random"] * 5) == "5 players: a game has 2 to 4"
    assert "unknown parameter 'depth'" in refusal(capsys, "play", "random", "simple:depth=3")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--seed", str(1 << 63)], "--seed 9223372036854775808: "),
        (["--time", "0"], "--time 0: "),
        (["--time", "soon"], "--time soon: "),
        (["--first-turn", "nan"], "--first-turn nan: "),
        (["--startup", "-1"], "--startup -1: "),
        (["--games", "0"], "Invalid value for '--games'"),
        (["--nodes", "0"], "Invalid value for '--nodes'"),
        (["--out", "x", "--no-save"], "--out cannot be combined with --no-save"),
        (["--from", "x", "--state", "y"], "--from cannot be combined with --state"),
        (["--from", "nothing.json@3"], "nothing.json: No such file or directory"),
        (["--state", "nothing.txt"], "nothing.txt: No such file or directory"),
        (["--watch", "--jobs", "2"], "--watch cannot be combined with --jobs 2: it shows one game at a time"),
    ],
)
def test_wrong_options_get_one_line(capsys: Capture, options: list[str], error: str) -> None:
    assert error in refusal(capsys, "play", "still", "still", *options)


def test_a_position_must_have_two_who_live(capsys: Capture, tmp_path: Path) -> None:
    state = tmp_path / "state.txt"
    state.write_text(board("0 1 0 0 1 3"))
    assert "1 of 2 players live" in refusal(capsys, "play", "still", "still", "--state", state)
    state.write_text("nonsense")
    assert "line 1: expected row 0" in refusal(capsys, "play", "still", "still", "--state", state)
    state.write_bytes(b"\xff\xfe\x00")
    assert "not text" in refusal(capsys, "play", "still", "still", "--state", state)


def test_a_replay_that_is_over_or_has_other_seats_can_not_go_on(capsys: Capture, data_folder: Path) -> None:
    run_here(capsys, "play", "still", "still")
    path = only_file(data_folder)
    assert "the game is over" in refusal(capsys, "play", "still", "still", "--from", f"{path}@20")
    assert "3 players: that game has 2" in refusal(capsys, "play", "still", "still", "still", "--from", f"{path}@3")


def test_a_folder_that_can_not_be_is_refused_before_the_game(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = refusal(capsys, "play", "still", "still", "--out", tmp_path / "file" / "folder")
    assert "Not a directory" in error


# On a terminal


def test_without_a_terminal_every_turn_of_a_watched_game_is_a_line(capsys: Capture) -> None:
    _, out, err = run_here(capsys, "play", "random:nodes=1", "still", "--seed", "1", "--watch", "--no-save")
    turns = int(re.search(r"seed 1, (\d+) turns", out)[1])  # type: ignore[index]
    first, *lines = [line for line in err.splitlines() if not line.startswith("compiling ")]
    assert first == "random:nodes=1 still, seed 1, from turn 0 on"
    assert [line.split(":")[0] for line in lines] == [f"turn {turn}" for turn in range(turns)]
    assert all("still stay; boxes " in line for line in lines)
    assert "the end: " in lines[-1]


@pytest.mark.linux
def test_a_series_shows_its_score_on_the_way() -> None:
    out, shown = on_terminal("play", "still", "still", "--games", "4", "--jobs", "1", "--seed", "1", "--no-save")
    assert "draws" in shown and "4 games" in out and "\x1b" not in out


# Ctrl-C


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_and_reports_what_was_finished(jobs: str, tmp_path: Path) -> None:
    mark = f"{tmp_path}/marked"
    options = ["--games", "100000", "--jobs", jobs, "--nodes", "5", "--json", "--out", str(tmp_path / "games")]
    main = start_marked(mark, "play", "simple", "random", *options)
    wait_for(lambda: (tmp_path / "games").exists() and len(list((tmp_path / "games").glob("*.json"))) > 3)
    os.killpg(main.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    out, err = main.communicate(timeout=PLENTY)
    assert main.returncode == 130
    games = json.loads(out)["games"]
    assert len(games) >= 3 and all(Path(game["replay"]).exists() for game in games)
    assert err.endswith(f"stopped after {len(games)} of 100000 games\n")
    wait_for(lambda: not processes_with(mark))


@pytest.mark.linux
def test_ctrl_c_ends_a_game_with_a_bot_that_never_answers(tmp_path: Path) -> None:
    mark = f"{tmp_path}/marked"
    main = start_marked(mark, "play", "still", f"{SLEEPER} {mark}", "--time", "none", "--no-save")
    wait_for(lambda: len(processes_with(mark)) >= 3)  # with the bot and its guardian
    os.killpg(main.pid, signal.SIGINT)
    out, err = main.communicate(timeout=PLENTY)
    assert (main.returncode, out) == (130, "")
    assert err.endswith("the game was stopped before its end\n")
    wait_for(lambda: not processes_with(mark))


def test_a_board_is_named_by_the_arena_s_options(capsys: Capture, tmp_path: Path) -> None:
    """With the count of boxes some boards have other items; the seed alone is --seed."""
    seed = next(seed for seed in range(100) if draw_boxes(seed, len(draw_boxes(seed))) != draw_boxes(seed))
    count = len(draw_boxes(seed))
    boards = {}
    for name, words in {
        "seed": ["--seed", str(seed)],
        "map": ["--map", f"seed={seed}"],
        "boxes": ["--map", f"seed={seed}\nboxes={count}\n"],
    }.items():
        run_here(capsys, "play", "still", "still", *words, "--nodes", "5", "--out", tmp_path / name)
        replay = load(next((tmp_path / name).iterdir())).replay
        assert replay.seed == seed
        boards[name] = replay.start.position
    assert boards["seed"] == boards["map"] == format_position(Game.start(seed, 2))
    assert boards["boxes"] == format_position(Game.start(seed, 2, count)) != boards["seed"]
    message = refusal(capsys, "play", "beam", "beam", "--map", "boxes=3")
    assert message.startswith("--map: options 'boxes=3'")
    assert "--map cannot be combined with --seed" in refusal(
        capsys, "play", "beam", "beam", "--map", "seed=1", "--seed", "1"
    )
    assert "--map cannot be combined with --from" in refusal(
        capsys, "play", "beam", "beam", "--map", "seed=1", "--from", "@3"
    )
