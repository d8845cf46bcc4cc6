"""`hsctl league` and `hsctl compare`: options, results, resuming, and what is left behind: nothing."""

import json
import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from hsctl.budget import CLOCK_OF_A_SERIES
from hsctl.league.ledger import Ledger
from replays.playback import load
from tests.hsctl.kills import TRIALS, run_cycles
from tests.hsctl.run import PLENTY, on_terminal, processes_with, refusal, run_here, start_marked, wait_for

Capture = pytest.CaptureFixture[str]
EVIL = Path(__file__).parents[1] / "match" / "bots" / "evil_bot.py"
QUICK = ("--nodes", "5", "--jobs", "1")
on_linux = pytest.mark.linux


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data"


def league_json(capsys: Capture, *arguments: str | Path) -> dict[str, Any]:
    code, out, _ = run_here(capsys, "league", *arguments, "--json")
    assert code == 0
    record: dict[str, Any] = json.loads(out)
    return record


# Leagues


def test_a_league_plays_every_pair_from_every_seat(capsys: Capture, data_folder: Path) -> None:
    record = league_json(capsys, "simple", "random", "still", "--games", "4", "--seed", "9", *QUICK)
    assert sorted((game["seed"], *game["seats"]) for game in record["games"]) == sorted(
        (seed, row, column) for seed in (9, 10) for row in record["table"] for column in record["table"][row]
    )
    for row, cells in record["table"].items():
        for column, cell in cells.items():
            mirrored = record["table"][column][row]
            assert cell["wins"] + cell["draws"] + cell["losses"] == 4
            assert (cell["wins"], cell["draws"], cell["losses"]) == tuple(
                mirrored[name] for name in ("losses", "draws", "wins")
            )
    assert record["effort"]["played_now"] == 12 and set(record["ratings"]) == {"simple", "random", "still"}
    with Ledger(data_folder / "ledger.sqlite") as ledger:
        assert len(ledger) == 12


def test_the_same_command_plays_nothing_again(capsys: Capture, tmp_path: Path) -> None:
    words = ("random", "still", "--games", "4", *QUICK, "--ledger", tmp_path / "here")
    first, second = league_json(capsys, *words), league_json(capsys, *words)
    assert (first["effort"]["played_now"], second["effort"]["played_now"]) == (4, 0)
    assert first["games"] == second["games"] and first["table"] == second["table"]
    more = league_json(capsys, *words, "--games", "6")
    assert more["effort"]["played_now"] == 2 and more["games"][:4] == first["games"]


def test_games_of_different_clocks_are_different_games(capsys: Capture, tmp_path: Path) -> None:
    words = ("random", "still", "--games", "2", "--jobs", "1", "--ledger", tmp_path / "here")
    usual, wall, again = (league_json(capsys, *words, *clock) for clock in ((), ("--clock", "wall"), ()))
    assert [record["clock"] for record in (usual, wall, again)] == [CLOCK_OF_A_SERIES, "wall", CLOCK_OF_A_SERIES]
    assert [record["effort"]["played_now"] for record in (usual, wall, again)] == [2, 2, 0]
    assert usual["effort"]["overhead"] is None and wall["effort"]["overhead"] is not None
    with Ledger(tmp_path / "here") as ledger:
        assert sorted(row.identity.limits.clock for row in ledger) == sorted(2 * [CLOCK_OF_A_SERIES, "wall"])


def test_a_league_is_shown_as_tables(capsys: Capture) -> None:
    out = run_here(capsys, "league", "simple", "random", "still", "--players", "mixed", "--games", "9", *QUICK).out
    for title in ("row ranked above column", "shares of places", "ratings", "how they play"):
        assert f"{title}\n" in out
    assert "10 games on 4 seeds (1 to 4); turns of a game: " in out and "10 played now" in out
    assert max(map(len, out.splitlines())) <= 80


def test_in_a_gauntlet_the_others_do_not_meet(capsys: Capture) -> None:
    words = ("simple", "still", "--gauntlet", "random", "--games", "2", *QUICK)
    record = league_json(capsys, *words)
    assert [player["name"] for player in record["players"]] == ["random", "simple", "still"]
    assert sorted(tuple(sorted(game["seats"])) for game in record["games"]) == [
        ("random", "simple"),
        ("random", "simple"),
        ("random", "still"),
        ("random", "still"),
    ]
    out = run_here(capsys, "league", *words).out
    rows = [
        line.split()[0] for line in out.partition("ratings")[2].splitlines() if re.match("random|simple|still", line)
    ]
    assert rows[0] == "random" and "0 played now, 4 from the ledger" in out
    whole = league_json(capsys, "simple", "random", "still", "--games", "2", *QUICK)
    assert whole["effort"]["played_now"] == 2  # the games of the gauntlet are those of the league
    large = league_json(
        capsys, "simple", "still", "osla", "--gauntlet", "random", "--players", "3", "--games", "9", *QUICK
    )
    assert len(large["games"]) == 9 and all("random" in game["seats"] for game in large["games"])


def test_replays_are_kept_if_so_asked(capsys: Capture, data_folder: Path) -> None:
    record = league_json(capsys, "random", "still", "--games", "2", "--save", *QUICK)
    assert {Path(game["replay"]) for game in record["games"]} == set((data_folder / "replays").iterdir())


def test_seeds_come_from_a_file(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("77\n5\n")
    record = league_json(capsys, "random", "still", "--games", "4", "--seeds", tmp_path / "seeds", *QUICK)
    assert [game["seed"] for game in record["games"]] == [77, 77, 5, 5]


def test_ledgers_merge_by_command(capsys: Capture, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "2")):
        league_json(capsys, "random", "still", "--games", "2", "--seed", seed, *QUICK, "--ledger", tmp_path / name)
    code, out, err = run_here(capsys, "league", "--merge", tmp_path / "a", "--ledger", tmp_path / "b")
    assert (code, out) == (0, "") and err == f"{tmp_path / 'a'}: 2 games added to {tmp_path / 'b'}, which now has 4\n"
    record = league_json(capsys, "random", "still", "--games", "4", *QUICK, "--ledger", tmp_path / "b")
    assert record["effort"]["played_now"] == 0


def test_a_league_is_drawn(capsys: Capture, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra [plot]")
    league_json(capsys, "random", "still", "--games", "4", *QUICK, "--plot", tmp_path / "league.png")
    assert (tmp_path / "league.png").read_bytes().startswith(b"\x89PNG")


def test_wrong_input_gets_one_line(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no ledger " * 100)
    assert refusal(capsys, "league", "still").startswith("1 player: ")
    assert "'smple' is neither an agent nor a program" in refusal(capsys, "league", "smple", "still")
    assert "--players 3: only 2 players" in refusal(capsys, "league", "still", "random", "--players", "3")
    assert "the ledger is corrupt" in refusal(capsys, "league", "still", "random", "--ledger", tmp_path / "text")
    assert "--seed cannot be combined with --seeds" in refusal(
        capsys, "league", "still", "random", "--seed", "1", "--seeds", "x"
    )
    assert "expected a file name that ends in" in refusal(capsys, "league", "still", "random", "--plot", "x.txt")
    assert "--jobs cannot be combined with --cluster" in refusal(
        capsys, "league", "still", "random", "--jobs", "2", "--cluster", "tcp://x:1"
    )


# Comparisons


@pytest.mark.parametrize("command", ["league", "compare"])
def test_games_of_the_ledger_without_a_replay_are_told(command: str, capsys: Capture, tmp_path: Path) -> None:
    words = (command, "still", "random", "--games", "2", *QUICK, "--ledger", tmp_path / "l")
    run_here(capsys, *words)
    told = run_here(capsys, *words, "--out", tmp_path / "replays").err
    assert "2 games from the ledger have no replay; with another --ledger they are played again" in told


def test_compare_answers_by_its_exit_code(capsys: Capture) -> None:
    options = ("--elo1", "200", "--json", *QUICK)
    assert run_here(capsys, "compare", "still", "random", *options).code == 0
    assert run_here(capsys, "compare", "random", "still", *options).code == 1
    assert run_here(capsys, "compare", "still", "random", "--games", "2", *options).code == 3


@pytest.mark.parametrize("options", [["--save"], ["--out", "{folder}"]], ids=["save", "out"])
def test_a_comparison_saves_its_games_where_it_is_told_to(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    folder = tmp_path / ("games" if options[0] == "--out" else "data/replays")
    words = [word.format(folder=folder) for word in options]
    ledger = ["--ledger", str(tmp_path / "ledger")]
    run_here(capsys, "compare", "still", "random", "--games", "4", *QUICK, *ledger, *words)
    found = [load(path) for path in folder.iterdir()]
    assert sorted(game.specs for game in found) == [["random", "still"]] * 2 + [["still", "random"]] * 2
    nothing = run_here(capsys, "compare", "still", "random", "--nodes", "2", "--jobs", "1", "--games", "4", *ledger)
    assert nothing.code in (0, 1, 3) and len(list(folder.iterdir())) == 4


def test_a_comparison_goes_on_from_the_ledger_to_the_same_answer(capsys: Capture, tmp_path: Path) -> None:
    words = ("compare", "still", "random", "--elo1", "200", "--json", *QUICK)
    run_here(capsys, *words, "--games", "6", "--ledger", tmp_path / "a")
    resumed = run_here(capsys, *words, "--ledger", tmp_path / "a")
    at_once = run_here(capsys, *words, "--ledger", tmp_path / "b")
    assert resumed.out == at_once.out and json.loads(at_once.out)["verdict"] == "better"
    with Ledger(tmp_path / "a") as ledger:
        count = len(ledger)
    run_here(capsys, *words, "--ledger", tmp_path / "a")
    with Ledger(tmp_path / "a") as ledger:
        assert len(ledger) == count


# On a terminal


@pytest.mark.slow
@pytest.mark.linux
def test_a_league_and_a_comparison_show_how_they_stand_on_the_way(tmp_path: Path) -> None:
    options = ("--nodes", "5", "--jobs", "1", "--ledger", str(tmp_path / "a"))
    out, shown = on_terminal("league", "random", "still", "--games", "4", *options)
    assert "4/4" in shown and "random" in shown and "\x1b" not in out
    out, shown = on_terminal("compare", "still", "random", "--elo1", "200", *options)
    assert "llr +" in shown and "still is better than random" in out


# Stopped


@pytest.mark.slow
@on_linux
def test_ctrl_c_prints_the_command_that_resumes(tmp_path: Path) -> None:
    mark, replays = f"{tmp_path}/marked", tmp_path / "replays"
    words = ["league", "simple", "random", "--games", "100000", "--nodes", "5", "--jobs", "2", "--json"]
    main = start_marked(mark, *words, "--ledger", tmp_path / "a b", "--out", replays)
    # a replay is written before its game is filed and counted: the last of four may be uncounted yet
    wait_for(lambda: replays.exists() and len(list(replays.glob("*.json"))) > 3)
    os.killpg(main.pid, signal.SIGINT)
    out, err = main.communicate(timeout=PLENTY)
    assert main.returncode == 130
    games = json.loads(out)["games"]
    found = re.search(r"stopped after (\d+) of 100000 games; this resumes it: (.*)\n$", err)
    assert found and int(found[1]) == len(games) >= 3
    assert shlex.split(found[2]) == ["hsctl", *words, "--ledger", str(tmp_path / "a b"), "--out", str(replays)]
    wait_for(lambda: not processes_with(mark))


@on_linux
def test_no_process_is_left_of_a_killed_league_whatever_its_bots_do(tmp_path: Path) -> None:
    mark = f"{tmp_path}/marked"
    bots = [shlex.join([sys.executable, "-S", str(EVIL), mode, mark]) for mode in ("forks_daemon", "ignores_sigterm")]
    main = start_marked(mark, "league", "still", *bots, "--time", "none", "--ledger", tmp_path / "a", "--jobs", "2")
    wait_for(lambda: len(processes_with(mark)) >= 6)  # main, workers, guardians, bots
    main.kill()
    main.communicate(timeout=PLENTY)
    wait_for(lambda: not processes_with(mark))


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize("name", TRIALS)
def test_what_is_killed_loses_nothing_and_ends_as_if_left_alone(name: str, tmp_path: Path) -> None:
    run_cycles(name, tmp_path, 2)


@pytest.mark.parametrize("command", ["league", "compare"])
def test_a_folder_whose_name_no_ledger_can_keep_is_refused_before_the_first_game(
    command: str, capsys: Capture, tmp_path: Path
) -> None:
    out = tmp_path / os.fsdecode(b"\xff")
    refusal(capsys, command, "still", "random", *QUICK, "--ledger", tmp_path / "ledger", "--out", out)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["league", "compare"])
def test_a_folder_that_is_a_loop_of_links_is_refused(command: str, capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    refusal(capsys, command, "still", "random", *QUICK, "--ledger", tmp_path / "ledger", "--out", tmp_path / "loop")
