"""`hsctl explain`: the same decision again, its JSON, and one clear line for what can't be explained."""

import io
import json
import os
import random
import shlex
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest

from engine.board import RIGHT
from engine.errors import HsctlError
from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.answer import ExplainedDecision, answer
from hsctl.analysis.explain.document import DOCUMENT, FORMAT, VERSION, Explanation, document_of
from hsctl.analysis.explain.question import ExplainRequest, ask_position, ask_replay
from hsctl.cli import explain
from hsctl.match.players import read_player
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat
from replays.playback import Playback, load, read
from replays.replay import Limits, Parent, PlayerInfo, Replay, write
from replays.schema import format_schema
from tests.engine.draw import board
from tests.hsctl.run import ROOT, refusal, run_here
from tests.replays.recorded import record_game
from tests.replays.viewer.test_live import cut

QUIET_BOT = "import sys\nfor line in sys.stdin:\n    if line[:2] in ('0 ', '1 ', '2 '): print('MOVE 0 0', flush=True)"
COUNTERS = ("generated", "duplicates", "dead", "unsurvivable", "local_cut", "global_cut", "kept")

# The opponent is in a dead end, the player at its mouth.
KILL = """
    ....
    0X.X
    0 0 2 0 1 3
    0 1 0 0 1 3
    """
ESCAPE = """
    .....0
    0X0X.X
    0 0 2 0 0 3
    0 1 12 10 1 3
    1 0 2 0 2 6
    """


def play(texts: list[str], limits: Limits, seed: int) -> Replay:
    return play_game([make_seat(read_player(text)) for text in texts], Game.start(seed, len(texts)), limits, seed)[0]


def saved(folder: Path, texts: list[str], limits: Limits, seed: int) -> Path:
    path = folder / f"{'-'.join(text.split(':')[0] for text in texts)}-{seed}.json"
    write(path, play(texts, limits, seed))
    return path


@pytest.fixture(scope="module")
def by_nodes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder, limits = tmp_path_factory.mktemp("nodes"), Limits(nodes=400)
    tables = [["beam", "mcts:careful=0"], ["rhea:population=20,offspring=30", "beam:width=40,local=4", "simple"]]
    return [
        saved(folder, texts, limits, seed) for seed, texts in enumerate([*tables, ["random", "beam", "osla", "mcts"]])
    ]


@pytest.fixture(scope="module")
def on_the_clock(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder, limits = tmp_path_factory.mktemp("clock"), Limits(first_turn_ms=8.0, turn_ms=3.0)
    return [saved(folder, ["beam:width=60", "mcts", "rhea:time=2"], limits, 3)]


def explained(path: Path, turn: int, **wish: object) -> Explanation:
    return document_of(answer(ask_replay(load(path), turn, ExplainRequest(**wish)), None))  # type: ignore[arg-type]


def decisions(paths: list[Path]) -> list[tuple[Path, int, int, int]]:
    """Every decision of an agent: where it is, and its action."""
    found = []
    for path in paths:
        replay = msgspec.json.decode(path.read_bytes(), type=Replay)
        for turn, each in enumerate(replay.turns):
            for seat, move in enumerate(each.moves):
                if move is not None and move.action is not None:
                    found.append((path, turn, seat, move.action))
    return found


# The same decision


def check_repeated(paths: list[Path], count: int) -> None:
    for path, turn, seat, action in random.Random(5).sample(decisions(paths), count):
        found = explained(path, turn, player=str(seat))
        assert (found.action, found.recorded, found.reproduced) == (action, action, True)


@pytest.mark.slow
def test_decisions_of_games_by_nodes_are_repeated(by_nodes):
    check_repeated(by_nodes, 18)


@pytest.mark.slow
def test_decisions_that_the_clock_stopped_are_repeated_too(on_the_clock):
    check_repeated(on_the_clock, 12)


def test_the_whole_thought_is_repeated_not_just_the_action(on_the_clock):
    replay = msgspec.json.decode(on_the_clock[0].read_bytes(), type=Replay)
    for turn in range(0, len(replay.turns), 30):
        move = replay.turns[turn].moves[0]
        if move is not None and move.thought is not None:
            found = explained(on_the_clock[0], turn, player="0")
            thought = move.thought
            assert (found.plan, found.value, found.nodes) == (thought.plan, thought.value, thought.nodes)


def test_recorded_parameters_count_not_today_s_defaults(by_nodes, tmp_path):
    replay = msgspec.json.decode(by_nodes[0].read_bytes(), type=Replay)
    replay.players[0].spec = "beam"
    replay.players[0].params |= {"width": 1}
    write(tmp_path / "narrow.json", replay)
    assert all(layer.kept == 1 for layer in explained(tmp_path / "narrow.json", 5, player="0").layers)
    replay.players[0].params |= {"colour": "red"}
    write(tmp_path / "odd.json", replay)
    with pytest.raises(HsctlError, match="colour, which this version doesn't know"):
        explained(tmp_path / "odd.json", 5, player="0")


def test_another_agent_or_budget_is_no_repetition(by_nodes):
    assert explained(by_nodes[0], 5, agent="rhea").reproduced is None
    asked = explained(by_nodes[0], 5, player="0", nodes=90)
    assert asked.reproduced is None and asked.nodes < 120


# Who


def test_the_winner_is_explained_if_it_is_an_agent_else_the_first_agent_that_lives(by_nodes, tmp_path):
    replay = msgspec.json.decode(by_nodes[1].read_bytes(), type=Replay)
    assert explained(by_nodes[1], 0).player == replay.result.ranks.index(1)
    with_bot = saved(tmp_path, [shlex.join([sys.executable, "-c", QUIET_BOT]), "random"], Limits(nodes=5), 1)
    assert explained(with_bot, 0).player == 1
    assert explained(with_bot, 0, agent="beam:nodes=50", player="0").agent == "beam:nodes=50"


def test_in_a_game_that_was_played_on_the_player_of_that_turn_is_asked(capsys, by_nodes, tmp_path):
    """Player 0 was a bot until turn 5 and an agent from then on; player 1 the other way round."""
    replay = msgspec.json.decode(by_nodes[0].read_bytes(), type=Replay)
    agent, bot = replay.players[0], PlayerInfo("python3 bot.py", False)
    replay.players, replay.parent = [agent, bot], Parent("game.json", "0" * 16, 5, [bot, agent])
    path = tmp_path / "on.json"
    write(path, replay)
    assert explained(path, 3, agent=None).player == 1
    assert explained(path, 6, agent=None).player == 0
    for turn, player in ((3, 0), (6, 1)):
        assert "--agent NAME" in refusal(capsys, "explain", f"{path}@{turn}", "--player", str(player))


# What can't be explained


def test_every_refusal_says_what_would_be_possible(capsys, by_nodes, tmp_path):
    path = by_nodes[0]
    last = len(msgspec.json.decode(path.read_bytes(), type=Replay).turns) - 1
    assert f"0 to {last}" in refusal(capsys, "explain", path)
    assert f"0 to {last}" in refusal(capsys, "explain", path, "--turn", "999")
    assert "player '2'" in refusal(capsys, "explain", f"{path}@3", "--player", "2")
    assert "@3 cannot be combined with --turn" in refusal(capsys, "explain", f"{path}@3", "--turn", "3")
    assert "the agents are: beam" in refusal(capsys, "explain", f"{path}@3", "--agent", "nobody")
    assert "'jump' is not an action" in refusal(capsys, "explain", f"{path}@3", "--why-not", "jump")
    assert "--nodes cannot be combined with --time" in refusal(
        capsys, "explain", f"{path}@3", "--nodes", "5", "--time", "5"
    )
    assert "--boxes needs --state" in refusal(capsys, "explain", f"{path}@3", "--boxes", "1,2")


def test_a_dead_player_and_an_external_bot_are_told_so(capsys, by_nodes, tmp_path):
    replay = msgspec.json.decode(by_nodes[2].read_bytes(), type=Replay)
    dead, (died, _) = next(iter(Playback(replay).deaths().items()))
    if died + 1 < len(replay.turns):
        message = refusal(capsys, "explain", f"{by_nodes[2]}@{died + 1}", "--player", str(dead))
        assert message.startswith(f"turn {died + 1}: player {dead} died on turn {died}")
    bot = saved(tmp_path, [shlex.join([sys.executable, "-c", QUIET_BOT]), "random"], Limits(nodes=5), 1)
    assert "--agent NAME" in refusal(capsys, "explain", f"{bot}@0", "--player", "0")


# A bare position


def test_a_pasted_position_is_explained_from_its_first_line_s_seat(capsys, monkeypatch, tmp_path):
    text = f"13 11 1\n{board(KILL)}"
    (tmp_path / "position.txt").write_text(text)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    words = ["--turn", "42", "--boxes", "3,5", "--agent", "beam:paper", "--nodes", "300", "--json"]
    from_file = run_here(capsys, "explain", "--state", tmp_path / "position.txt", *words)
    from_stdin = run_here(capsys, "explain", "--state", "-", *words)
    found, again = json.loads(from_file.out), json.loads(from_stdin.out)
    assert (found["turn"], found["player"], found["agent"], found["reproduced"]) == (42, 1, "beam:paper", None)
    assert found["now"]["boxes"] == 5
    assert (found["action"], found["layers"]) == (again["action"], again["layers"])


def test_a_position_that_is_none_is_refused_with_its_line(capsys, tmp_path):
    (tmp_path / "position.txt").write_text("....\n")
    assert "line 1" in refusal(capsys, "explain", "--state", tmp_path / "position.txt")
    (tmp_path / "position.txt").write_text(board(KILL))
    path = tmp_path / "position.txt"
    assert "player '3'" in refusal(capsys, "explain", "--state", path, "--player", "3")
    assert "2 numbers" in refusal(capsys, "explain", "--state", path, "--boxes", "1")
    assert "4 numbers" in refusal(capsys, "explain", "--state", path, "--boxes", "1,2,3,4,5")
    assert "--boxes a" in refusal(capsys, "explain", "--state", path, "--boxes", "a")
    assert "a position" in refusal(capsys, "explain", "--state", tmp_path)


def test_boxes_of_a_position_tell_of_dead_players(capsys, tmp_path):
    (tmp_path / "position.txt").write_text(board(KILL))
    words = ("--player", "0", "--agent", "simple", "--nodes", "10", "--json", "--boxes", "1,2,3")
    found = json.loads(run_here(capsys, "explain", "--state", tmp_path / "position.txt", *words).out)
    assert found["player"] == 0 and found["order"]


# Reasons


def asked(drawing: str, agent: str = "beam", nodes: int = 2000, other: str | None = None) -> ExplainedDecision:
    return answer(ask_position(board(drawing), "drawn", 0, (), ExplainRequest(agent=agent, nodes=nodes)), other)


def test_the_reason_is_told_in_words():
    assert asked(KILL).reason.startswith("traps player 1")
    assert asked(ESCAPE).reason.startswith("no move survives")
    assert asked(ESCAPE.replace("2 6", "4 6")).decision.action == RIGHT
    fetching = ".......0\n.X.X.X.X\n0 0 4 0 1 3\n0 1 12 10 1 3\n2 0 3 0 2 2\n"
    assert "fetches a bomb item on turn 0" in asked(fetching).reason
    bombing = "...0\n.X.X\n0 0 2 0 1 3\n0 1 12 10 1 3\n"
    assert "destroys a box on turn" in asked(bombing).reason
    assert asked(KILL, "still").reason == "nothing was searched"
    boxed_in = ".0\n0X\n0 0 0 0 0 3\n0 1 12 10 1 3\n"
    assert asked(boxed_in).reason.startswith("the only legal move")


# JSON


def test_the_json_is_an_explanation_with_layers_that_add_up(capsys, by_nodes):
    for path in by_nodes:
        result = run_here(capsys, "explain", f"{path}@3", "--json", "--agent", "beam", "--why-not", "stay,stay")
        msgspec.json.decode(result.out, type=Explanation)  # refuses unknown and missing fields
        found = json.loads(result.out)
        assert [root["action"] for root in found["roots"]] == list(range(len(ACTION_NAMES)))
        assert [layer["depth"] for layer in found["layers"] if layer["kept"]] == list(range(1, found["depth"] + 1))
        for layer in found["layers"]:
            assert layer["generated"] == sum(layer[name] for name in COUNTERS[1:])
        assert found["why_not"]["line"] == [0, 0]


@pytest.mark.parametrize("agent", ["beam", "mcts", "rhea", "duel", "seeker", "pommer", "still"])
def test_the_json_of_every_agent_is_an_explanation(capsys, by_nodes, agent):
    result = run_here(capsys, "explain", f"{by_nodes[0]}@3", "--agent", agent, "--json")
    found = msgspec.json.decode(result.out, type=Explanation)
    panels = {"mcts": found.tree, "rhea": found.evolution, "duel": found.duel, "pommer": found.rules}
    assert {name for name, panel in panels.items() if panel is not None} == {agent} & panels.keys()
    assert bool(found.layers) == (agent == "beam")


def test_depth_and_top_limit_the_json(capsys, by_nodes):
    result = run_here(capsys, "explain", f"{by_nodes[0]}@3", "--agent", "beam", "--json", "--depth", "2", "--top", "3")
    found = msgspec.json.decode(result.out, type=Explanation)
    assert (len(found.layers), len(found.line), len(found.roots)) == (2, 2, 3)
    assert all(len(root.states) <= 2 for root in found.roots)
    assert found.action in {root.action for root in found.roots}


def test_the_schema_in_the_docs_is_the_one_of_today():
    assert (ROOT / "docs" / "reference" / "schemas" / "explain.schema.json").read_bytes() == format_schema(
        DOCUMENT, FORMAT, VERSION
    )


# Other lines


def test_a_line_may_be_named_by_moves_or_by_what_a_bot_would_print():
    by_moves = asked(KILL, other="right+bomb,right,right").why_not
    by_orders = asked(KILL, other="BOMB 3 0,MOVE 9 0, move 5 0").why_not
    assert by_moves is not None and by_moves == by_orders


def test_an_order_of_a_dead_player_is_refused():
    with pytest.raises(HsctlError, match="player 0 is dead"):
        asked(ESCAPE, other="stay,stay,MOVE 3 0")


def test_where_a_game_was_stopped_an_agent_can_still_be_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    replay = cut(record_game(5, 2), 6)
    write(tmp_path / "stopped.json", replay)
    words = ["explain", f"{tmp_path / 'stopped.json'}@6", "--player", "0", "--agent", "simple"]
    assert "turn 6 where the game was stopped, player 0" in run_here(capsys, *words).out
    assert "this game has turns 0 to 6" in refusal(capsys, "explain", f"{tmp_path / 'stopped.json'}@7", *words[2:])


def test_an_agent_that_was_stopped_is_asked_with_its_own_budget(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run_here(capsys, "play", "simple", "random", "--nodes", "5", "--seed", "3", "--out", tmp_path)
    [path] = tmp_path.iterdir()
    write(tmp_path / "stopped.json", cut(read(path), 4))
    assert (
        "turn 4 where the game was stopped, player 0 (simple)"
        in run_here(capsys, "explain", f"{tmp_path / 'stopped.json'}@4", "--player", "0").out
    )


# Traces


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "csv", "parquet"])
def test_a_trace_is_written_and_checked(by_nodes, tmp_path, capsys, form):
    path = tmp_path / f"trace.{form}"
    assert run_here(capsys, "explain", f"{by_nodes[0]}@3", "--player", "0", "--trace", path).code == 0
    checked = run_here(capsys, "explain", "--check-trace", path, "--json")
    found = json.loads(checked.out)
    assert (checked.code, found["is_right"], found["differences"]) == (0, True, [])
    assert found["rows"] > 100 and found["compared"] > 10


@pytest.mark.slow
def test_traces_of_recorded_decisions_lead_to_what_was_played(by_nodes, on_the_clock, tmp_path, capsys):
    path = tmp_path / "trace.jsonl"
    for replay, turn, seat, action in random.Random(6).sample(decisions([*by_nodes, *on_the_clock]), 9):
        found = run_here(capsys, "explain", f"{replay}@{turn}", "--player", str(seat), "--trace", path)
        if found.code == 0:
            assert run_here(capsys, "explain", "--check-trace", path).code == 0
            assert json.loads(path.read_text().splitlines()[-1])["action"] == ACTION_NAMES[action]
            path.unlink()
    assert not path.exists()


def test_a_trace_on_stdout_is_nothing_but_rows(by_nodes, capsys):
    run = run_here(capsys, "explain", f"{by_nodes[0]}@3", "--player", "0", "--trace", "-", "--trace-depth", "1..2")
    lines = [json.loads(line) for line in run.out.splitlines()]
    assert run.code == 0
    assert (lines[0]["record"], lines[-1]["record"], lines[-1]["rows"]) == ("header", "end", len(lines) - 2)
    assert {line["depth"] for line in lines[1:-1]} <= {1, 2}


def test_ctrl_c_during_a_trace_names_the_file_that_was_cut(by_nodes, tmp_path, capsys, monkeypatch):
    path = tmp_path / "trace.jsonl"
    interrupt = nullcontext(lambda _: os.kill(os.getpid(), signal.SIGINT))
    monkeypatch.setattr(explain, "progress", lambda *_: interrupt)
    run = run_here(capsys, "explain", f"{by_nodes[0]}@3", "--player", "0", "--trace", path)
    end = json.loads(path.read_text().splitlines()[-1])
    assert run.code == 130 and end["cut"] and f"{end['rows']:,} rows" in run.err and path.name in run.err


def test_a_check_says_whether_it_saw_the_plan(by_nodes, tmp_path, capsys):
    for has_plan, words in ((True, ()), (False, ("--trace-depth", "1..2"))):
        path = tmp_path / "trace.jsonl"
        run_here(capsys, "explain", f"{by_nodes[0]}@3", "--player", "0", "--trace", path, *words)
        run = run_here(capsys, "explain", "--check-trace", path, "--json")
        assert (run.code, json.loads(run.out)["has_plan"]) == (0, has_plan)


def test_a_changed_trace_is_the_answer_no(by_nodes, tmp_path, capsys):
    path = tmp_path / "trace.jsonl"
    run_here(capsys, "explain", f"{by_nodes[0]}@3", "--player", "0", "--trace", path)
    path.write_text(path.read_text().replace('"duplicate"', '"dead"', 1))
    run = run_here(capsys, "explain", "--check-trace", path)
    assert run.code == 1 and len(run.out.splitlines()) >= 1


def test_wrong_input_to_a_trace_gets_one_line_and_leaves_no_file(by_nodes, tmp_path, capsys):
    replay, out = f"{by_nodes[2]}@3", tmp_path / "trace.jsonl"  # random, beam, osla, mcts
    assert ".parquet" in refusal(capsys, "explain", replay, "--player", "1", "--trace", tmp_path / "trace.xml")
    assert "nowhere" in refusal(capsys, "explain", replay, "--player", "1", "--trace", tmp_path / "nowhere/t.csv")
    assert "--agent" in refusal(capsys, "explain", replay, "--player", "0", "--trace", out)  # random searches nothing
    assert "up+bomb" in refusal(capsys, "explain", replay, "--trace", out, "--first-move", "north")
    for depths in ("deep", "..", "8..3", "9" * 5000):
        assert "1..4" in refusal(capsys, "explain", replay, "--trace", out, "--trace-depth", depths)
    assert "--trace OUT" in refusal(capsys, "explain", replay, "--kept")
    assert "--json" in refusal(capsys, "explain", replay, "--trace", out, "--json")
    assert "trace.jsonl" in refusal(capsys, "explain", "--check-trace", out)
    for option in ("--depth", "--top"):  # of the summary, or of a drawing
        assert option in refusal(capsys, "explain", replay, "--trace", out, option, "3")
    for option in ("--turn", "--nodes", "--player"):
        assert option in refusal(capsys, "explain", "--check-trace", out, option, "1")
    assert list(tmp_path.iterdir()) == []
