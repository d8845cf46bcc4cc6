"""Traces: every agent's rows agree with its counters and lead to its plan, in every format; a changed file does not."""

import gzip
import json
import os
import signal
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import hsctl
from engine.errors import HsctlError
from engine.game import Game
from engine.state import MAX_PLAYERS, copy_state
from hsctl.analysis.explain.answer import answer
from hsctl.analysis.explain.question import ExplainRequest, Question, ask_about
from hsctl.analysis.explain.tracing.check import TraceCheck, check_trace
from hsctl.analysis.explain.tracing.files import TraceReader, open_trace
from hsctl.analysis.explain.tracing.record import EVERY_ROW, RowFilter, TraceRun
from hsctl.analysis.explain.tracing.rows import FATES, ROW_KINDS, OwnRow, TraceEnd, columns_of, format_trace_schema
from hsctl.analysis.explain.tracing.watch import watcher_of
from hsctl.match.user_agents.spec import make_agent, read_spec
from replays.files import DRAFT
from search.agent import Agent, Budget
from search.beam.models import MODELS
from search.spec import AGENTS
from tests.search.positions import Position, agent, random_positions

ROOT = Path(__file__).parents[4]
QUIET: Callable[[int], None] = lambda _: None  # noqa: E731
SORTED_BY = 1 / 65536  # points that the selection tells apart
TURN = 30  # bombs and items are on the board by then


@cache
def game_of(players: int) -> Game:
    game, agent = Game.start(7, players), make_agent(read_spec("simple"))
    agent.start_game(game.map, 0, 7)
    for _ in range(TURN):
        game.step([agent.decide(game.state, seat, Budget()).action for seat in range(players)])
    assert 0 in game.living
    return game


def question(spec: str, nodes: int = 3000, players: int = 2) -> Question:
    """A decision some turns into a game."""
    game = game_of(players).copy()
    return ask_about(game, 0, ["a", "b", "c", "d"][:players], "a test", ExplainRequest(agent=spec, nodes=nodes))


def write(asked: Question, path: Path, wanted: RowFilter = EVERY_ROW) -> TraceEnd:
    return TraceRun(asked, "a test", open_trace(str(path), 3), wanted, QUIET).run()


def traced(tmp_path: Path, spec: str, nodes: int = 3000, players: int = 2) -> tuple[list[dict[str, Any]], TraceCheck]:
    path = tmp_path / "trace.jsonl"
    write(question(spec, nodes, players), path)
    return list(TraceReader(path).rows()), check_trace(path)


@pytest.mark.parametrize("spec", ["beam", "beam:scaled", "beam:zh=0", "beam:width=40,start=0"])
def test_the_rows_of_a_beam_agree_with_its_counters_and_its_plan(tmp_path: Path, spec: str) -> None:
    rows, found = traced(tmp_path, spec, 4000)
    assert found.differences == [] and found.compared > 50
    assert {row["stage"] for row in rows} >= {"opponent 1", "own"}
    assert {row["fate"] for row in rows if row["record"] == "beam"} >= {"expanded", "not reached", "local cut"}


def test_twins_of_duplicates_came_before_and_stand_on_the_same_cell(tmp_path: Path) -> None:
    rows, _ = traced(tmp_path, "beam")
    nodes = {row["node"]: row for row in rows}
    duplicates = [row for row in rows if row.get("fate") == "duplicate"]
    assert len(duplicates) > 100
    for row in duplicates:
        twin = nodes[row["twin"]]
        assert row["twin"] < row["node"] and twin["depth"] == row["depth"] and twin["pass"] == row["pass"]
        assert (twin["x"], twin["y"]) == (row["x"], row["y"]) and twin["score"] is not None


def test_margins_are_positive_for_kept_children_and_negative_for_those_that_were_cut(tmp_path: Path) -> None:
    """Of those that can be survived: to the selection, all that is far behind is equally bad."""
    rows, _ = traced(tmp_path, "beam:width=40,start=0")
    valued = [row for row in rows if row["record"] == "beam" and row["margin"] is not None and row["survivable"]]
    cut = [row["margin"] for row in valued if row["fate"] in ("local cut", "global cut")]
    kept = [row["margin"] for row in valued if row["fate"] == "expanded"]
    assert cut and max(cut) <= SORTED_BY
    assert kept and min(kept) >= -SORTED_BY


def test_explain_gives_the_same_counters_of_every_pass(tmp_path: Path) -> None:
    asked = question("beam")
    end = write(asked, tmp_path / "trace.jsonl")
    assert len(end.passes) > 2
    assert answer(asked, None).passes == end.passes


@pytest.mark.slow
def test_models_are_asked_about_the_turn_before_alone(tmp_path: Path) -> None:
    replay = hsctl.play_game("beam", "beam", seed=3, nodes=20000)
    rows = hsctl.trace_turn(replay, turn=6, player=0)
    passes = [each for each in rows.result["passes"] if each["stage"] == "models"]
    assert [each["model"] for each in passes] == list(MODELS)
    assert sum(each["nodes"] for each in passes) == rows.header["budget"]["stages"]["models"]


# Every agent

VARIANTS = [
    "beam:paper,caution=1",
    "duel:share=0",
    "hybrid:search=mcts",
    "hybrid:search=bfs",
    "rhea:replacement=comma",
]
NO_WATCHER = watcher_of.dispatch(Agent)
WITHOUT_SEARCH = {name for name in AGENTS if watcher_of.dispatch(type(agent(name))) is NO_WATCHER}
BUDGETS = (1, 20, 300, 2000)


def on_position(spec: str, position: Position, nodes: int) -> Question:
    game = Game(position.map, copy_state(position.state), MAX_PLAYERS)
    asked = ask_about(game, position.player, list("abcd"), "a test", ExplainRequest(agent=spec, nodes=nodes))
    mate = (position.player + 2) % MAX_PLAYERS
    return replace(asked, mates=(mate,)) if len(game.living) == MAX_PLAYERS else asked


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*(name for name in AGENTS if name not in WITHOUT_SEARCH), *VARIANTS])
def test_the_rows_of_every_agent_agree_with_its_counters_and_its_plan(tmp_path: Path, spec: str) -> None:
    """On any position and with any budget; now and then no search is needed."""
    written, path = 0, tmp_path / "trace.jsonl"
    for at, position in enumerate(random_positions(16, seed=3)):
        try:
            written += write(on_position(spec, position, BUDGETS[at % len(BUDGETS)]), path).rows
        except HsctlError:
            assert spec.startswith(("hybrid", "seeker")) and not path.exists()  # decided by rules; saw no goal
            continue
        assert check_trace(path).differences == []
        path.unlink()
    assert written >= 16


@pytest.mark.parametrize("spec", sorted(WITHOUT_SEARCH))
def test_a_turn_without_a_search_leaves_no_file(tmp_path: Path, spec: str) -> None:
    with pytest.raises(HsctlError):
        write(question(spec), tmp_path / "trace.jsonl")
    assert os.listdir(tmp_path) == []


def test_an_opening_by_rule_is_no_search(tmp_path: Path) -> None:
    asked = ask_about(Game.start(7, 2), 0, ["a", "b"], "a test", ExplainRequest(agent="negamax", nodes=100))
    with pytest.raises(HsctlError):
        write(asked, tmp_path / "trace.jsonl")


def test_walks_of_mcts_add_up_to_the_visits_of_first_moves(tmp_path: Path) -> None:
    rows, found = traced(tmp_path, "mcts", 20000)
    assert found.is_right
    own = [row for row in rows if row["stage"] == "own"]
    walks = Counter(row["first_move"] for row in own if row["record"] == "walk")
    visits = {row["action"]: row["visits"] for row in own if row["record"] == "tree" and row["depth"] == 1}
    assert len(visits) > 1 and walks == visits


def test_children_of_rhea_have_the_genes_of_their_parents(tmp_path: Path) -> None:
    rows, _ = traced(tmp_path, "rhea", 20000)
    nodes = {row["node"]: row for row in rows}
    bred = [row for row in rows if row["mother"] is not None]
    assert bred and {row["operator"] for row in bred} <= {"crossover", "crossover+mutation"}
    for row in bred:
        both = zip(row["genes"], nodes[row["mother"]]["genes"], nodes[row["father"]]["genes"], strict=True)
        assert sum(gene not in (one, other) for gene, one, other in both) <= row["mutated"]


def test_values_of_negamax_come_from_their_best_replies(tmp_path: Path) -> None:
    rows, _ = traced(tmp_path, "negamax", 3000)
    nodes = {(row["parent"], row["action"]): row for row in rows}
    inner = [row for row in rows if row["kind"] in ("exact", "at least") and row["parent"] is not None]
    assert inner
    for row in inner:
        assert row["value"] == -nodes[row["node"], row["best_reply"]]["value"]


OWN_AGENT = """
import hsctl

class Mine(hsctl.Agent):
    def decide(self, state, player, budget):
        return hsctl.Decision(self.legal(state, player)[0])

    def trace(self):
        ideas = [{"depth": 1, "worth": 2.5}, {"depth": 2, "note": "=1+1", "record": 3}]
        return {"first moves": {0: 1.5}, "ideas": ideas}
"""


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_rows_of_an_own_agent_are_written_as_they_are(tmp_path: Path, ending: str) -> None:
    (tmp_path / "mine.py").write_text(OWN_AGENT)
    path = tmp_path / f"trace.{ending}"
    write(question(f"{tmp_path}/mine.py:Mine"), path)
    first, second = TraceReader(path).rows()
    assert (first["section"], float(first["worth"]), second["note"]) == ("ideas", 2.5, "=1+1")
    assert second["record"] == "own" and int(second["record_"]) == 3
    assert first.keys() >= set(json.loads(format_trace_schema())["$defs"]["OwnRow"]["required"])
    assert check_trace(path).is_right


def test_python_gets_the_same_rows(tmp_path: Path) -> None:
    game = hsctl.Game.from_seed(7)
    rows = hsctl.trace_turn(game, player=0, agent="beam", nodes=500)
    asked = ask_about(Game.start(7, 2), 0, ["a", "b"], "a test", ExplainRequest(agent="beam", nodes=500))
    write(asked, tmp_path / "trace.jsonl")
    assert [row["action"] for row in rows] == [row["action"] for row in TraceReader(tmp_path / "trace.jsonl").rows()]
    assert len(rows) == rows.result["rows"] > 500 and rows.header["agent"] == "beam"


# Formats


def test_all_formats_hold_the_same_rows(tmp_path: Path) -> None:
    asked, found = question("beam", 1000), {}
    for ending in ("jsonl", "jsonl.gz", "csv", "parquet"):
        path = tmp_path / f"trace.{ending}"
        write(asked, path)
        assert check_trace(path).differences == []
        found[ending] = [{k: v for k, v in row.items() if v is not None} for row in TraceReader(path).rows()]
    assert found["jsonl"] == found["jsonl.gz"] == found["csv"] == found["parquet"]


def test_a_drawing_shows_the_best_line(tmp_path: Path) -> None:
    path = tmp_path / "trace.dot"
    end = write(question("beam"), path)
    text = path.read_text()
    assert text.count("penwidth") == len(end.plan) + 1
    assert text.count("->") >= len(end.plan)


def test_the_schema_in_the_docs_is_the_one_of_the_rows() -> None:
    assert (ROOT / "docs/reference/schemas/trace.schema.json").read_bytes() == format_trace_schema()


def test_the_docs_name_every_column() -> None:
    text = (ROOT / "docs/reference/trace.md").read_text()
    columns = {name for kind in ROW_KINDS.values() if kind is not OwnRow for name in columns_of(kind).values()}
    assert {name for name in columns if f"`{name}`" not in text} == set()
    assert {fate for fate in FATES if f"`{fate}`" not in text} == set()


# Fewer rows


@pytest.mark.parametrize(
    "wanted",
    [RowFilter(depths=(2, 4)), RowFilter(kept=True), RowFilter(depths=(1, 3), kept=True), RowFilter(first_move=0)],
)
def test_filtered_rows_still_add_up(tmp_path: Path, wanted: RowFilter) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    everything, end = write(question("beam"), whole), write(question("beam"), part, wanted)
    assert 0 < end.rows < everything.rows
    rows = {json.dumps(row) for row in TraceReader(whole).rows()}
    assert all(json.dumps(row) in rows for row in TraceReader(part).rows())
    assert check_trace(part).differences == []


# Files that are not right


def change(path: Path, edit: Callable[[list[dict[str, Any]]], None]) -> TraceCheck:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    edit(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return check_trace(path)


def first_with(lines: list[dict[str, Any]], **values: Any) -> dict[str, Any]:
    return next(line for line in lines if all(line.get(name) == value for name, value in values.items()))


@pytest.mark.parametrize(
    "edit",
    [
        lambda lines: lines.remove(first_with(lines, fate="duplicate")),
        lambda lines: first_with(lines, fate="expanded", depth=3).update(fate="global cut"),
        lambda lines: first_with(lines, fate="expanded", depth=3).update(score=99.0),
        lambda lines: first_with(lines, fate="expanded", depth=2).update(depth=3),
        lambda lines: lines[-1].update(plan=["stay"]),
        lambda lines: lines[-1].update(best=None),
        lambda lines: lines[-1].update(rows=3),
        lambda lines: lines[-1]["passes"][0]["layers"][0].update(generated=1),
        lambda lines: lines.pop(),
        lambda lines: lines.insert(6, lines[6]),
        lambda lines: lines[50].update(stage="models"),
        lambda lines: lines[50].update(player=3),
        lambda lines: first_with(lines, fate="expanded", depth=3).update(parent=0),
        lambda lines: first_with(lines, fate="expanded", depth=3).update(first_move="up+bomb"),
        lambda lines: first_with(lines, fate="expanded", depth=3, best=False).update(best=True),
        lambda lines: first_with(lines, fate="expanded", depth=3, rank=2).update(rank=1),
        lambda lines: first_with(lines, fate="expanded", depth=3).update(layer_place=0),
        lambda lines: first_with(lines, fate="duplicate", depth=3).update(twin=0),
    ],
)
def test_a_changed_trace_is_found_out(tmp_path: Path, edit: Callable[[list[dict[str, Any]]], None]) -> None:
    path = tmp_path / "trace.jsonl"
    write(question("beam"), path)
    assert check_trace(path).is_right
    assert not change(path, edit).is_right


@pytest.mark.parametrize(
    ("spec", "record", "column"),
    [
        *(("mcts", "tree", column) for column in ("parent", "depth", "visits", "mean")),
        *(("mcts", "walk", column) for column in ("node", "iteration", "depth", "value")),
        *(("duel", "walk", column) for column in ("node", "iteration")),
        *(("chokudai", "beam", column) for column in ("depth", "score", "layer_place")),
        *(("rhea", "genome", column) for column in ("generation", "nodes")),
        *(("negamax", "alpha-beta", column) for column in ("parent", "depth", "value")),
    ],
)
def test_a_changed_number_is_found_out(tmp_path: Path, spec: str, record: str, column: str) -> None:
    path = tmp_path / "trace.jsonl"
    write(question(spec, 500), path)
    assert check_trace(path).is_right

    def edit(lines: list[dict[str, Any]]) -> None:
        inner = [line for line in lines if line["record"] == record and line.get("kind", "exact") == "exact"]
        row = next(line for line in inner[3:] if line[column] is not None)
        row[column] += 1

    assert not change(path, edit).is_right


@pytest.mark.parametrize(
    "edit",
    [
        lambda lines: lines[50].update(node=10**12),
        lambda lines: lines[50].update(node=10**20),
        lambda lines: lines[50].update(node=-5),
        lambda lines: lines[50].update(node="7"),
        lambda lines: lines[50].update(score="high"),
        lambda lines: lines[50].update(action=["up"]),
        lambda lines: lines.insert(50, [1]),
        lambda lines: lines.insert(50, {"record": "beam", "node": 1}),
        lambda lines: lines.append(lines[50]),
    ],
)
def test_a_damaged_trace_is_refused_in_one_line(tmp_path: Path, edit: Callable[[list[dict[str, Any]]], None]) -> None:
    path = tmp_path / "trace.jsonl"
    write(question("beam"), path)
    with pytest.raises(HsctlError) as raised:
        change(path, edit)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("ending", ["jsonl.gz", "csv", "parquet"])
def test_damaged_bytes_are_refused_in_one_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"trace.{ending}"
    write(question("beam"), path)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 60] = b"\xff" * 60
    path.write_bytes(data)
    with pytest.raises(HsctlError) as raised:
        check_trace(path)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "csv"])
@pytest.mark.parametrize("text", ["[" * 150_000, '"' + "x" * 150_000], ids=["deep", "long"])
def test_a_line_that_no_parser_takes_is_refused_in_one_line(tmp_path: Path, ending: str, text: str) -> None:
    path = tmp_path / f"trace.{ending}"
    write(question("beam"), path)
    opened = gzip.open if ending.endswith("gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        lines = [*islice(file, 2), text]
    with opened(path, "wt", encoding="utf-8") as file:
        file.writelines(lines)
    with pytest.raises(HsctlError) as raised:
        check_trace(path)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("has_header", [True, False])
def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path, has_header: bool) -> None:
    path = tmp_path / "trace.jsonl.gz"
    write(question("beam"), path)
    with gzip.open(path, "ab" if has_header else "wb", 1) as file:
        for _ in range(100):
            file.write(b" " * 1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(HsctlError):
            check_trace(path)
        assert tracemalloc.get_traced_memory()[1] < 80_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "csv", "parquet", "dot"])
def test_ctrl_c_leaves_a_file_that_says_so(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"trace.{ending}"
    taken = []

    def interrupt(count: int) -> None:
        taken.append(count)
        if len(taken) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        TraceRun(question("beam"), "a test", open_trace(str(path), 3), EVERY_ROW, interrupt).run()
    assert os.listdir(tmp_path) == [path.name]
    if ending == "dot":
        assert '"cut":true' in path.read_text()
    else:
        reader = TraceReader(path)
        assert len(list(reader.rows())) == sum(taken)
        assert reader.ended is not None and reader.ended.cut
        assert not check_trace(path).is_right


def test_an_error_leaves_no_file(tmp_path: Path) -> None:
    def fail(_: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        TraceRun(question("beam"), "a test", open_trace(str(tmp_path / "a.csv"), 3), EVERY_ROW, fail).run()
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "csv", "parquet", "dot"])
def test_a_full_disk_is_reported_in_one_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"trace.{ending}"
    path.symlink_to("/dev/full")
    with pytest.raises(HsctlError) as raised:
        write(question("beam"), path)
    assert str(path) in str(raised.value) and "\n" not in str(raised.value)


def test_a_trace_is_a_draft_until_it_is_written(tmp_path: Path) -> None:
    """So what a killed process leaves is removed like every other draft."""
    path, seen = tmp_path / "trace.jsonl", set[str]()
    path.write_text("older")
    TraceRun(
        question("beam"), "a test", open_trace(str(path), 3), EVERY_ROW, lambda _: seen.update(os.listdir(tmp_path))
    ).run()
    assert os.listdir(tmp_path) == [path.name] and check_trace(path).is_right
    drafts = seen - {path.name}
    assert len(drafts) == 1 and all(DRAFT.fullmatch(name) for name in drafts)


@pytest.mark.parametrize("name", ["trace.txt", "trace", "nowhere/trace.jsonl", "folder.jsonl"])
def test_wrong_names_are_refused_before_anything_is_searched(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(HsctlError) as raised:
        open_trace(str(tmp_path / name), 3)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("ending", "wanted"), [("dot", EVERY_ROW), ("jsonl", RowFilter(kept=True))])
def test_what_rhea_has_none_of_is_refused(tmp_path: Path, ending: str, wanted: RowFilter) -> None:
    """Neither a tree nor dropped children."""
    with pytest.raises(HsctlError) as raised:
        write(question("rhea"), tmp_path / f"trace.{ending}", wanted)
    assert "rhea" in str(raised.value) and os.listdir(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"{}\n", b'{"record":"header"}\n', gzip.compress(b"x", mtime=0)])
def test_what_is_no_trace_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    for ending in ("jsonl", "jsonl.gz", "csv", "parquet", "txt"):
        path = tmp_path / f"trace.{ending}"
        path.write_bytes(content)
        with pytest.raises(HsctlError) as raised:
            check_trace(path)
        assert "\n" not in str(raised.value)
