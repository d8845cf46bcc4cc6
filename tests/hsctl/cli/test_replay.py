"""`hsctl replay`: boards, the arena's text, what a bot had on its stdin, events as JSON."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from engine.errors import HsctlError
from engine.notation import format_position, parse_position
from hsctl.cli.replay import replay
from replays.playback import Playback, load
from tests.hsctl.run import kernels_in, run_program, with_empty_cache
from tests.replays.arena.writer import write_frames, write_json

GOLDEN = Path(__file__).parents[2] / "replays" / "golden.json"  # 4 players, turns 0 to 82; player 2 fails on turn 63
END = 83

app = typer.Typer(rich_markup_mode=None)
app.command()(replay)


def run(*arguments: str | Path) -> str:
    """What the command prints."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "80"})
    if result.exception is not None:
        raise result.exception
    return result.stdout


def refusal(*arguments: str | Path) -> str:
    with pytest.raises(HsctlError) as error:
        run(*arguments)
    assert "\n" not in str(error.value)
    return str(error.value)


def titles(text: str) -> list[str]:
    return [line.split(",")[0] for line in text.splitlines() if line.startswith(("turn ", "end "))]


def test_a_turn_shows_its_board() -> None:
    assert titles(run(GOLDEN, "--turn", "41")) == ["turn 41 of 82"]
    assert run(f"{GOLDEN}@41") == run(GOLDEN, "--turn", "41")


def test_a_turn_shows_what_bots_drew_on_it(tmp_path: Path) -> None:
    game = json.loads(GOLDEN.read_text())
    game["turns"][41]["moves"][1]["stderr"] = "@cell 6 0 12 red\n@text going for the box\n"
    (tmp_path / "drawn.json").write_text(json.dumps(game))
    plain, drawn = run(GOLDEN, "--turn", "41"), run(tmp_path / "drawn.json", "--turn", "41")
    assert "drawing" not in plain and "\ndrawing: player 1: going for the box\n" in drawn
    assert "12" in next(line for line in drawn.splitlines() if line.startswith(" 0│"))


def test_a_range_shows_its_boards_and_the_legend_once() -> None:
    text = run(GOLDEN, "--from", "80")
    assert titles(text) == ["turn 80 of 82", "turn 81 of 82", "turn 82 of 82", "end after turn 82"]
    assert text.count("fire just now") == 1
    assert titles(run(GOLDEN, "--to", "1")) == ["turn 0 of 82", "turn 1 of 82"]


def test_all_shows_every_position() -> None:
    assert len(titles(run(GOLDEN, "--all"))) == END + 1


def test_without_options_there_is_a_summary_and_the_end() -> None:
    text = run(GOLDEN)
    assert text.splitlines()[0] == str(GOLDEN)
    assert "eliminated on turn 63: timeout" in text
    assert titles(text) == ["end after turn 82"]


def test_without_a_file_it_is_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    assert "play a game first" in refusal()
    (tmp_path / "replays").mkdir()
    shutil.copy(GOLDEN, tmp_path / "replays" / "game.json")
    assert titles(run("--turn", "5")) == titles(run("@5")) == ["turn 5 of 82"]


def test_frames_are_the_positions_in_the_text_of_the_arena() -> None:
    playback = load(GOLDEN)
    assert run(GOLDEN, "--frames") == "".join(format_position(playback.game_at(turn)) for turn in range(END + 1))
    assert run(GOLDEN, "--frames", "--turn", "41") == format_position(playback.game_at(41))


def test_frames_of_a_seat_are_what_the_bot_had_on_its_stdin() -> None:
    playback = load(GOLDEN)
    inputs = [format_position(playback.game_at(turn)) for turn in range(END)]
    assert run(GOLDEN, "--frames", "--player", "1", "--to", "42") == "13 11 1\n" + "".join(inputs[:43])
    assert run(GOLDEN, "--frames", "--player", "1") == "13 11 1\n" + "".join(inputs)  # the end was sent to nobody


def test_frames_of_a_seat_end_with_the_turn_on_which_it_failed() -> None:
    text = run(GOLDEN, "--frames", "--player", "2")
    assert (
        text
        == run(GOLDEN, "--frames", "--player", "2", "--to", "63")
        == run(GOLDEN, "--frames", "--player", "2", "--to", "70")
    )
    last = parse_position("\n".join(text.splitlines()[-1 - number_of_entities(text) - 11 :]))
    assert 2 in last.living


def number_of_entities(text: str) -> int:
    """Of the last frame."""
    lines = text.splitlines()
    return next(int(line) for line in reversed(lines) if line.isdigit() and len(line) < 13)


def test_json_gives_the_events_of_each_turn() -> None:
    report = json.loads(run(GOLDEN, "--json"))
    assert report["players"] == ["beam:paper,width=1000", "python bot.py", "random", "random"]
    assert [turn["turn"] for turn in report["turns"]] == list(range(END))
    scored = [box["owners"] for turn in report["turns"] for box in turn["events"] if box["event"] == "box"]
    assert [sum(seat in owners for owners in scored) for seat in range(4)] == report["result"]["boxes"]


def test_json_tells_deaths_and_chains() -> None:
    (turn,) = json.loads(run(GOLDEN, "--json", "--turn", "82"))["turns"]
    deaths = [event for event in turn["events"] if event["event"] == "death"]
    assert deaths[0] == {"event": "death", "x": 2, "y": 3, "player": 0, "owners": [0, 3], "own_bomb": True}
    lit = [event.get("lit_by") for event in turn["events"] if event["event"] == "explosion"]
    assert lit == [None, [0, 2, 1], [0, 2, 2], [3, 2, 5]]
    (turn,) = json.loads(run(GOLDEN, "--json", "--turn", "63"))["turns"]
    failure = {"event": "death", "x": 10, "y": 0, "player": 2, "failure": "timeout", "detail": "as told"}
    assert (turn["actions"][2], turn["events"][0]) == (None, failure)


def test_a_page_holds_all_turns(tmp_path: Path) -> None:
    assert run(GOLDEN, "--html", tmp_path / "game.html") == ""
    text = (tmp_path / "game.html").read_text()
    assert text.startswith("<!doctype html>") and f"turn {END - 1} of {END - 1}" in text


def test_a_picture_shows_one_turn(tmp_path: Path) -> None:
    assert run(GOLDEN, "--svg", tmp_path / "turn.svg", "--turn", "41") == ""
    text = (tmp_path / "turn.svg").read_text()
    assert text.startswith("<svg") and "turn 41 of 82" in text
    run(f"{GOLDEN}@41", "--svg", tmp_path / "same.svg")
    assert (tmp_path / "same.svg").read_text() == text


def test_an_animation_shows_a_span(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="--gif needs Pillow")
    run(GOLDEN, "--gif", tmp_path / "span.gif", "--from", "81")
    with image.open(tmp_path / "span.gif") as animation:
        assert animation.n_frames == 3


def test_inputs_of_a_log_print_like_a_replay(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("my bot\n" + run(GOLDEN, "--frames", "--player", "1"))
    text = run(log)
    assert text.splitlines()[:2] == [str(log), "83 inputs, actions inferred"]
    assert "input 82 of 82, line" in text
    assert "player 1 (own)" in run(log, "--turn", "5")
    drawn, replayed = run(log, "--turn", "41"), run(GOLDEN, "--turn", "41")
    assert [line[:43] for line in drawn.splitlines()[1:15]] == [line[:43] for line in replayed.splitlines()[1:15]]


def test_boards_that_are_left_out_are_named_on_stderr(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    board = run(GOLDEN, "--frames", "--turn", "0")
    log.write_text(board + board.replace("X", ".") + board)
    result = CliRunner().invoke(app, [str(log)], env={"COLUMNS": "80"})
    assert result.stderr.startswith(f"{log}: board at line 17 skipped: line 18: expected a wall X")
    assert "2 inputs" in result.stdout


def test_the_stepper_opens_only_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Playback] = []
    monkeypatch.setattr("replays.viewer.app.open_stepper", lambda record, **_: opened.append(record))
    monkeypatch.setattr("hsctl.cli.replay.is_in_terminal", lambda: True)
    assert run(GOLDEN) == "" and len(opened) == 1
    assert titles(run(GOLDEN, "--turn", "3")) == ["turn 3 of 82"] and len(opened) == 1
    monkeypatch.setattr("hsctl.cli.replay.is_in_terminal", lambda: False)
    assert titles(run(GOLDEN)) == ["end after turn 82"] and len(opened) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--turn", "84"], "turn 84: this game has turns 0 to 82, and 83 is its end"),
        (["--turn", "-1"], "turn -1: this game has turns 0 to 82, and 83 is its end"),
        (["--to", "999"], "turn 999: this game has turns 0 to 82, and 83 is its end"),
        (["--from", "9", "--to", "3"], "--from 9 --to 3: --from must not be larger"),
        (["--turn", "0", "--all"], "--turn cannot be combined with --all"),
        (["--turn", "1", "--to", "3"], "--turn cannot be combined with --to"),
        (["--from", "0", "--all"], "--from cannot be combined with --all"),
        (["--frames", "--json"], "--frames cannot be combined with --json"),
        (
            ["--html", "a.html", "--turn", "3"],
            "--html cannot be combined with --turn, --from, --to or --all: a page holds every turn",
        ),
        (["--svg", "a.svg"], "--svg draws one turn: add --turn N, or --animate for all"),
        (["--animate"], "--animate needs --svg FILE"),
        (["--svg", "a.svg", "--cast", "a.cast"], "--svg cannot be combined with --cast"),
        (["--svg", "a.svg", "--gif", "a.gif"], "--svg cannot be combined with --gif"),
        (["--html", "/no/such/folder/a.html"], "/no/such/folder/a.html: can't be written: No such file or directory"),
        (["--player", "1"], "--player needs --frames"),
        (
            ["--frames", "--player", "4"],
            "no player '4': name a seat or a part of a name: "
            "0 (beam:paper,width=1000), 1 (python bot.py), 2 (random), 3 (random)",
        ),
        (["--frames", "--player", "RAND"], "player 'RAND' fits several: name one of the seats 2 (random), 3 (random)"),
        (["--frames", "--player", "2", "--from", "64"], "no input to print: player 2 had turns 0 to 63"),
        (["--frames", "--player", "1", "--turn", "83"], "no input to print: player 1 had turns 0 to 82"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_what_can(options: list[str], message: str) -> None:
    assert refusal(GOLDEN, *options) == message


def test_moving_pictures_are_written(tmp_path: Path) -> None:
    run(GOLDEN, "--from", "80", "--svg", tmp_path / "game.svg", "--animate")
    assert "@keyframes" in (tmp_path / "game.svg").read_text()
    run(GOLDEN, "--from", "80", "--cast", tmp_path / "game.cast")
    header, *events = (tmp_path / "game.cast").read_text(encoding="utf-8").splitlines()
    assert json.loads(header)["version"] == 2 and len(events) == 5


def test_a_turn_is_named_once() -> None:
    assert refusal(f"{GOLDEN}@4", "--turn", "5").endswith("@4 cannot be combined with --turn")


def test_a_bad_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_bytes(GOLDEN.read_bytes()[:5000])
    assert refusal(tmp_path / "cut.json").endswith(
        "truncated: the file ends after 5000 bytes, in the middle of its JSON"
    )
    assert refusal(tmp_path / "no.json").endswith("no.json: No such file or directory; name a file with a game")


def test_naming_the_command_imports_nothing_heavy() -> None:
    code = "import sys, hsctl.cli.replay; print([m for m in sys.argv[1:] if m in sys.modules])"
    heavy = ["numpy", "numba", "rich", "textual", "msgspec"]
    done = subprocess.run(
        [sys.executable, "-c", code, *heavy], capture_output=True, text=True, cwd=GOLDEN.parents[2], env=os.environ
    )
    assert done.stdout.strip() == "[]", done.stderr


# Games of the arena


def test_a_game_of_the_arena_opens_as_a_replay_does(tmp_path: Path) -> None:
    replay = load(GOLDEN).replay
    game = tmp_path / "game.json"
    game.write_text(json.dumps(write_json(replay, write_frames(replay), ["ann", "bob", "cy", "di"])))
    assert "ann" in run(game, "--turn", "41")
    assert run(game, "--frames", "--player", "bo", "--to", "4") == run(GOLDEN, "--frames", "--player", "1", "--to", "4")
    assert json.loads(run(game, "--json"))["players"] == ["ann", "bob", "cy", "di"]
    run(game, "--html", tmp_path / "page.html")
    assert "cy" in (tmp_path / "page.html").read_text()


@pytest.mark.slow
def test_a_first_start_compiles_nothing_and_shows_the_same(tmp_path: Path) -> None:
    environment = {**with_empty_cache(tmp_path), "COLUMNS": "80"}
    assert run_program("replay", GOLDEN, "--all", env=environment).stdout == run(GOLDEN, "--all")
    assert not kernels_in(tmp_path)
