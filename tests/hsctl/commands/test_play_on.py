"""`hsctl play --from FILE@TURN` without players: what is told, saved and refused."""

import json
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.notation import format_header, format_position
from hsctl.league.play_on import parent_of, plan_on
from hsctl.stats.change import Change
from hsctl.stats.intervals import Interval
from hsctl.views.play_on import changes_view
from replays.playback import Playback, load
from replays.replay import read, write
from tests.hsctl.games import shown
from tests.hsctl.league.test_play_on import bot
from tests.hsctl.run import refusal, run_here
from tests.replays.arena.recorded_files import RECORDED, needs_recorded
from tests.replays.recorded import record_game

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data" / "replays"


@pytest.fixture
def recorded(capsys: Capture, tmp_path: Path) -> Path:
    """A game of two agents by nodes, saved outside of the data folder."""
    run_here(capsys, "play", "simple", "still", "--nodes", "20", "--seed", "4", "--out", tmp_path / "games")
    (path,) = (tmp_path / "games").iterdir()
    return path


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_recorded_players_play_the_same_game_and_it_is_said(
    capsys: Capture, recorded: Path, data_folder: Path
) -> None:
    code, out, err = run_here(capsys, "play", "--from", f"{recorded}@30")
    assert (code, err) == (0, "")
    assert "the same game as recorded, from turn 30 to the end: the players are deterministic here" in out
    (saved,) = data_folder.iterdir()
    assert load(saved).replay.turns == read(recorded).turns
    parent = read(saved).parent
    assert parent is not None and (parent.file, parent.turn) == (str(recorded), 30)


def test_a_swap_and_a_move_are_told_and_kept(capsys: Capture, recorded: Path, data_folder: Path) -> None:
    options = ("--swap", "still=random", "--move", "0=MOVE 0 0")
    out = on_one_line(run_here(capsys, "play", "--from", f"{recorded}@30", *options).out)
    assert "another game than recorded from turn " in out and "● 0 simple" in out and "■ 1 random" in out
    (saved,) = data_folder.iterdir()
    replay = read(saved)
    assert [info.spec for info in replay.players] == ["simple", "random"]
    assert replay.parent is not None and replay.parent.moves == ["MOVE 0 0", ""]
    assert [info.spec for info in replay.parent.players] == ["simple", "still"]


def test_an_agent_by_the_clock_is_told_to_be_none_that_repeats_itself(capsys: Capture, tmp_path: Path) -> None:
    from hsctl.league.play_on import Fork, parent_of, plan_on
    from hsctl.views.play_on import describe_fork

    replay = record_game(3, 2)
    replay.players[:] = [type(replay.players[0])("beam", True), replay.players[1]]
    playback = Playback(replay)
    from hsctl.arena.players import read_player

    plan = plan_on(playback, parent_of(playback, "x", "0" * 16, 5, {}), {1: read_player("still")}, True)
    told = describe_fork(plan.__class__(**{**vars(plan), "swapped": frozenset()}), Fork(7, [0], ["left"], ["right"]))
    assert told == (
        "another game than recorded from turn 7 on: player 0 (beam) plays left, recorded is right "
        "(it thinks by the clock, so no two games need be the same)"
    )


def test_chances_with_and_without_the_change(capsys: Capture, recorded: Path) -> None:
    options = ("--move", "1=BOMB 12 9", "--games", "3", "--jobs", "1")
    out = run_here(capsys, "play", "--from", f"{recorded}@30", *options).out
    assert re.search(r"^player +as recorded +changed +change +95 %$", out, re.MULTILINE)
    assert "3 games each way from turn 30; a shared first place counts half; all were the same game" in on_one_line(out)
    record = json.loads(run_here(capsys, "play", "--from", f"{recorded}@30", *options, "--json").out)
    assert record["played_on"]["moves"] == {"1": "BOMB 12 9"} and record["played_on"]["all_the_same"]
    assert len(record["games"]) == 3 and [chance["games"] for chance in record["chances"]] == [3, 3]
    for chance in record["chances"]:
        low, high = chance["change_interval"]
        assert low <= chance["change"] <= high
        assert chance["change"] == pytest.approx(chance["chance"] - chance["before"])


def test_a_series_without_a_change_tells_the_chances_alone(capsys: Capture, recorded: Path, data_folder: Path) -> None:
    out = run_here(capsys, "play", "--from", f"{recorded}@30", "--games", "2", "--jobs", "1").out
    assert re.search(r"^player +chance to win +95 %$", out, re.MULTILINE)
    assert len(list(data_folder.iterdir())) == 2


def test_only_changes_have_a_sign(recorded: Path) -> None:
    playback = load(recorded)
    plan = plan_on(playback, parent_of(playback, "game.json", "0" * 16, 30, {}), {}, is_own=True)
    alone = Change(0, 3, 0.5, Interval(0.14, 0.86))
    compared = replace(alone, before=0.25, change=0.25, change_interval=Interval(-0.1, 0.6))
    assert shown(changes_view(plan, [alone], is_one_game=False)).splitlines()[2].endswith(" 50 %  14 to 86")
    assert shown(changes_view(plan, [compared], is_one_game=False)).splitlines()[2].endswith(" +25 %  -10 to +60")
    assert shown(changes_view(plan, [alone], is_one_game=True)).splitlines()[2].rstrip().endswith(" 50 %")


def test_a_bot_that_strays_is_told(capsys: Capture, tmp_path: Path) -> None:
    run_here(capsys, "play", bot(tmp_path), "still", "--nodes", "20", "--time", "none", "--seed", "3")
    run_here(capsys, "play", "--from", "@6")
    bot(tmp_path, "turn // 3")
    err = on_one_line(run_here(capsys, "play", "--from", "@6").err)
    assert "is not deterministic: given the recorded inputs it answers otherwise from turn 2 on (4 of 6 answers)" in err


def test_a_command_of_a_file_from_elsewhere_is_not_run(capsys: Capture, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    command = shlex.join([sys.executable, "-c", f"open({str(trap)!r}, 'w')"])
    replay = record_game(3, 2)
    replay.players[1].spec, replay.limits.startup_ms = command, 5000
    write(tmp_path / "strange.json", replay)
    line = refusal(capsys, "play", "--from", f"{tmp_path / 'strange.json'}@5", "--swap", "0=still")
    assert "is not run because this file was not saved by hsctl here; expected --swap 1=COMMAND" in line
    assert not trap.exists()


@needs_recorded
def test_players_of_the_arena_are_refused_and_can_be_swapped(capsys: Capture, data_folder: Path) -> None:
    game = f"{RECORDED / 'game0.json'}@20"
    assert "played on the arena and can't be run here; expected --swap 0=PLAYER" in refusal(
        capsys, "play", "--from", game
    )
    swaps = [text for seat in range(4) for text in ("--swap", f"{seat}=ghost:{RECORDED / 'game0.json'}#{seat}")]
    out = run_here(capsys, "play", "--from", game, *swaps).out
    assert "the same game as recorded, from turn 20 to the end" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--swap", "1"], "--swap 1: expected SEAT=..., such as --swap 1=beam"),
        (["--swap", "7=beam"], "player '7': expected a seat, a name or a part of it: 0 (simple), 1 (still)"),
        (["--swap", "1=nobody"], "'nobody' is neither an agent nor a program"),
        (
            ["--swap", "1=me:Anna"],
            "--swap 1=me:Anna: a person cannot take over a seat; name all players for a new game",
        ),
        (["--swap", "1=beam", "--swap", "still=mcts"], "--swap: player 1 is named twice"),
        (["--move", "0=JUMP"], "--move 0=JUMP: expected `MOVE x y` or `BOMB x y`, found 'JUMP'"),
        (["--move", "0="], "expected SEAT=..., such as --move 0='BOMB 3 4'"),
        (["--nodes", "5"], "--from without players (the game goes on as recorded) cannot be combined with --nodes"),
        (["--time", "100"], "cannot be combined with --time"),
        (["simple", "still", "--swap", "1=beam"], "--swap needs --from FILE@TURN and no other players"),
    ],
)
def test_wrong_input_gets_one_line(capsys: Capture, recorded: Path, options: list[str], message: str) -> None:
    assert message in refusal(capsys, "play", "--from", f"{recorded}@9", *options)


@pytest.mark.parametrize("turn", ["200", "9999"])
def test_wrong_turns_get_one_line(capsys: Capture, recorded: Path, turn: str) -> None:
    assert re.search(
        r"turn \d+: .*(expected 0 to|this game has turns 0 to)", refusal(capsys, "play", "--from", f"{recorded}@{turn}")
    )


def test_without_players_and_without_a_game_it_is_told_what_to_do(capsys: Capture) -> None:
    assert "no players, expected two to four" in refusal(capsys, "play")


def test_inputs_are_played_on_by_players_that_are_named(capsys: Capture, recorded: Path, tmp_path: Path) -> None:
    playback = load(recorded)
    inputs = format_header(0) + "".join(format_position(playback.game_at(turn)) for turn in range(3))
    (tmp_path / "inputs.txt").write_text(inputs)
    words = ["play", "--from", f"{tmp_path / 'inputs.txt'}@2"]
    assert "can't be run here; expected --swap 0=PLAYER" in run_here(capsys, *words).err
    swaps = [word for seat in range(playback.seats) for word in ("--swap", f"{seat}=random:nodes=1")]
    run = run_here(capsys, *words, *swaps)
    assert run.code == 0 and "as recorded until turn 1, where the record ends" in run.out


def test_the_newest_game_is_opened_wherever_it_was_saved(capsys: Capture, recorded: Path) -> None:
    assert str(recorded) in run_here(capsys, "replay").out
    assert "turn 30 of " in run_here(capsys, "explain", "@30", "--player", "0").out
