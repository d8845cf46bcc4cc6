"""`hsctl play --from FILE@TURN` without players: what is told, saved and refused."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.notation import format_header, format_position
from hsctl.budget import SPREAD
from hsctl.cli.play_on import show_games
from hsctl.league.intervals import Change, Estimate, Interval
from hsctl.match.past import Fork, Stray
from hsctl.match.play_on import numbered_task, parent_of, task_on
from hsctl.match.runner import play
from hsctl.match.trust import NOBODY
from hsctl.report.play_on import changes_view, earliest_strays, play_on_record
from replays.playback import Playback, load, read
from tests.hsctl.games import shown
from tests.hsctl.match.test_play_on import bot
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
    assert "differs from the record from turn " in out and "● 0 simple" in out and "■ 1 random" in out
    (saved,) = data_folder.iterdir()
    replay = read(saved)
    assert [info.spec for info in replay.players] == ["simple", "random"]
    assert replay.parent is not None and replay.parent.moves == ["MOVE 0 0", ""]
    assert [info.spec for info in replay.parent.players] == ["simple", "still"]


def test_an_agent_by_the_clock_is_told_to_be_none_that_repeats_itself(capsys: Capture, tmp_path: Path) -> None:
    from hsctl.report.play_on import describe_fork

    replay = record_game(3, 2)
    replay.players[:] = [type(replay.players[0])("beam", True), replay.players[1]]
    playback = Playback(replay)
    from hsctl.match.players import read_player

    plan = task_on(playback, parent_of(playback, "x", "0" * 16, 5, {}), {1: read_player("still")}, NOBODY)
    assert plan.past is not None
    plan = replace(plan, past=replace(plan.past, swapped=frozenset()))
    told = describe_fork(plan, Fork(7, [0], ["left"], ["right"]))
    assert told == (
        "differs from the record from turn 7 on: player 0 (beam) plays left instead of right "
        "(it thinks by the clock, so no two games need be the same)"
    )


def test_chances_with_and_without_the_change(capsys: Capture, recorded: Path) -> None:
    options = ("--move", "1=BOMB 12 9", "--games", "3", "--jobs", "1")
    out = run_here(capsys, "play", "--from", f"{recorded}@30", *options).out
    assert re.search(r"^player +as recorded +changed +change +95 %$", out, re.MULTILINE)
    assert on_one_line(out).count("all 3 games were the same game") == 2  # of players that don't think
    record = json.loads(run_here(capsys, "play", "--from", f"{recorded}@30", *options, "--json").out)
    assert record["played_on"]["moves"] == {"1": "BOMB 12 9"}
    assert (record["played_on"]["all_the_same"], record["played_on"]["distinct_games"]) == (True, 1)
    assert len(record["games"]) == 3
    for chance in record["chances"]:
        assert [chance[name] for name in ("games", "distinct", "games_before", "distinct_before")] == [3, 1, 3, 1]
        assert chance["interval"] == [0, 1]  # one game says next to nothing of a chance
        low, high = chance["change_interval"]
        assert low <= chance["change"] <= high
        assert chance["change"] == pytest.approx(chance["chance"] - chance["before"])


def test_a_series_without_a_change_tells_the_chances_alone(capsys: Capture, recorded: Path, data_folder: Path) -> None:
    out = run_here(capsys, "play", "--from", f"{recorded}@30", "--games", "2", "--jobs", "1").out
    assert re.search(r"^player +chance to win +95 %$", out, re.MULTILINE)
    assert len(list(data_folder.iterdir())) == 2


def test_variation_can_be_switched_off(capsys: Capture, tmp_path: Path, data_folder: Path) -> None:
    run_here(capsys, "play", "beam", "beam", "--nodes", "200", "--seed", "4", "--out", tmp_path / "games")
    (path,) = (tmp_path / "games").iterdir()
    words = ("play", "--from", f"{path}@10", "--games", "3", "--jobs", "1", "--json")
    varied, exact = (json.loads(run_here(capsys, *words, *more).out)["played_on"] for more in ((), ("--no-vary",)))
    assert (varied["distinct_games"], varied["all_the_same"], varied["spread"]) == (3, False, SPREAD)
    assert (exact["distinct_games"], exact["all_the_same"], exact["spread"]) == (1, True, 0)
    parents = [read(saved).parent for saved in data_folder.iterdir()]
    assert sorted((parent.number, parent.spread) for parent in parents if parent) == [
        (number, spread) for number in (1, 2, 3) for spread in (0, SPREAD)
    ]


def test_only_changes_have_a_sign(recorded: Path) -> None:
    playback = load(recorded)
    plan = task_on(playback, parent_of(playback, "game.json", "0" * 16, 30, {}), {}, NOBODY)
    half, quarter = Estimate(2, 4, 4, Interval(0.14, 0.86)), Estimate(1, 4, 3, Interval(0.05, 0.7))
    assert shown(changes_view(plan, [Change(0, half)])).splitlines()[2].endswith(" 50 %  14 to 86")
    assert " +25 %  -33 to +66" in shown(changes_view(plan, [Change(0, half, quarter)])).splitlines()[2]
    alike = Estimate(2, 4, 1, Interval(0, 1))
    assert shown(changes_view(plan, [Change(0, alike)])).splitlines()[2].rstrip().endswith(" 50 %")


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("arm", [0, 1])
def test_a_series_stopped_before_a_pair_is_complete_is_shown_as_far_as_it_got(
    capsys: Capture, recorded: Path, arm: int, as_json: bool
) -> None:
    playback = load(recorded)
    plan = task_on(playback, parent_of(playback, "game.json", "0" * 16, 30, {0: "MOVE 0 0"}), {}, NOBODY)
    unchanged = task_on(playback, parent_of(playback, "game.json", "0" * 16, 30, {}), {}, NOBODY)
    show_games(plan, [play(numbered_task([plan, unchanged][arm], 1))], is_series=True, as_json=as_json)
    out = capsys.readouterr().out
    if as_json:
        record = json.loads(out)
        assert [chance["games"] for chance in record["chances"]] == ([1, 1] if arm == 0 else [])
        assert (record["played_on"]["fork"] is None) == (arm == 1)


def test_a_bot_that_strays_is_told_with_the_earliest_turn_of_all_games(recorded: Path) -> None:
    playback = load(recorded)
    plan = task_on(playback, parent_of(playback, "game.json", "0" * 16, 30, {}), {}, NOBODY)
    played = play(numbered_task(plan, 1))
    games = [replace(played, strays=[Stray(0, turn, 1, 30), Stray(1, 30 - turn, 2, 30)]) for turn in (9, 4, 7)]
    assert [(stray.seat, stray.turn) for stray in earliest_strays(games)] == [(0, 4), (1, 21)]
    forks = [replace(played, fork=turn and Fork(turn, [0], ["left"], ["right"])) for turn in (50, None, 40)]
    assert play_on_record(plan, forks, [])["played_on"]["fork"]["turn"] == 40


def test_a_bot_that_strays_is_told(capsys: Capture, tmp_path: Path) -> None:
    run_here(capsys, "play", bot(tmp_path), "still", "--nodes", "20", "--time", "none", "--seed", "3")
    run_here(capsys, "play", "--from", "@6")
    bot(tmp_path, "turn // 3")
    err = on_one_line(run_here(capsys, "play", "--from", "@6").err)
    assert "not deterministic" in err and "from turn 2 on (4 of 6 answers)" in err


@needs_recorded
def test_ghosts_stand_in_for_players_of_the_arena(capsys: Capture, data_folder: Path) -> None:
    game = f"{RECORDED / 'game0.json'}@20"
    run = run_here(capsys, "play", "--from", game)
    assert run.code == 0 and run.err.count("played on the arena") == 4 and run.err.count("ghosts repeat") == 1
    assert "the same game as recorded, from turn 20 to the end" in run.out and "0 ghost of player0" in run.out
    record = json.loads(run_here(capsys, "play", "--from", game, "--move", "0=MOVE 0 0", "--json").out)
    followed, turns = record["games"][0]["faithful_turns"], record["games"][0]["turns"] - 20
    assert 1 < followed[0] < turns and min(followed) > 1  # the move that was given is none of the ghost's


def test_players_of_swap_think_by_nodes_or_time(capsys: Capture, recorded: Path, data_folder: Path) -> None:
    words = ("play", "--from", f"{recorded}@30", "--swap", "1=beam")
    for options, spec in ((("--nodes", "40"), "beam:nodes=40"), (("--time", "2"), "beam:time=2")):
        run_here(capsys, *words, *options)
        replay = read(max(data_folder.iterdir(), key=lambda path: path.stat().st_mtime_ns))
        assert [info.spec for info in replay.players] == ["simple", spec]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--swap", "1"], "such as --swap 1=beam"),
        (["--swap", "7=beam"], "0 (simple), 1 (still)"),
        (["--swap", "1=nobody"], "'nobody' is neither an agent nor a program"),
        (
            ["--swap", "1=me:Anna"],
            "--swap 1=me:Anna: a person cannot take over a seat; name all players for a new game",
        ),
        (["--swap", "1=beam", "--swap", "still=mcts"], "--swap: player 1 is named twice"),
        (["--move", "0=JUMP"], "--move 0=JUMP: expected `MOVE x y` or `BOMB x y`, found 'JUMP'"),
        (["--move", "0="], "such as --move 0='BOMB 3 4'"),
        (["--nodes", "5"], "--from without players (the game goes on as recorded) cannot be combined with --nodes"),
        (["--time", "100"], "cannot be combined with --time"),
        (["--no-vary"], "--no-vary needs --games N"),
        (["simple", "still", "--no-vary"], "--no-vary needs --from FILE@TURN without players"),
        (["simple", "still", "--swap", "1=beam"], "--swap needs --from FILE@TURN without players"),
        (["simple", "still", "--trust"], "--trust needs --from FILE@TURN without players"),
    ],
)
def test_wrong_input_gets_one_line(capsys: Capture, recorded: Path, options: list[str], message: str) -> None:
    assert message in refusal(capsys, "play", "--from", f"{recorded}@9", *options)


@pytest.mark.parametrize("turn", ["200", "9999"])
def test_wrong_turns_get_one_line(capsys: Capture, recorded: Path, turn: str) -> None:
    assert re.match(rf"turn {turn}: .* 0 to \d+$", refusal(capsys, "play", "--from", f"{recorded}@{turn}"))


def test_without_players_and_without_a_game_it_is_told_what_to_do(capsys: Capture) -> None:
    assert "no players" in refusal(capsys, "play")


def test_inputs_are_played_on_by_players_that_are_named(capsys: Capture, recorded: Path, tmp_path: Path) -> None:
    playback = load(recorded)
    inputs = format_header(0) + "".join(format_position(playback.game_at(turn)) for turn in range(3))
    (tmp_path / "inputs.txt").write_text(inputs)
    words = ["play", "--from", f"{tmp_path / 'inputs.txt'}@2"]
    swaps = [word for seat in range(playback.seats) for word in ("--swap", f"{seat}=random:nodes=1")]
    run = run_here(capsys, *words, *swaps)
    assert run.code == 0 and "as recorded until turn 1, where the record ends" in run.out


def test_the_newest_game_is_opened_wherever_it_was_saved(capsys: Capture, recorded: Path) -> None:
    assert str(recorded) in run_here(capsys, "replay").out
    assert "turn 30 of " in run_here(capsys, "explain", "@30", "--player", "0").out
