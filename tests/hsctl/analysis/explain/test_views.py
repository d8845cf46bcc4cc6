"""How an explanation looks on 80 columns: whole screens of drawn positions."""

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType
from syrupy.assertion import SnapshotAssertion

from hsctl.analysis.explain.answer import answer
from hsctl.analysis.explain.findings import Extent
from hsctl.analysis.explain.question import ExplainRequest, ask_position
from hsctl.analysis.explain.tables import CompactTable, pick_depths, spread_out
from hsctl.analysis.explain.view import explanation_view, sparks
from tests.engine.draw import board

MIDGAME = """
    ..0..01.
    .X2X.X.X
    ........
    0X.X1X.X
    ..0.....
    0 0 2 2 2 4
    0 1 4 4 1 3
    1 1 6 2 5 3
    1 0 0 2 3 3
    2 0 1 2 1 1
    2 0 2 3 2 2
    """
LOST = """
    .0
    0X
    0 0 0 0 1 3
    0 1 12 10 1 3
    1 1 0 0 1 3
    """


def screen(
    drawing: str,
    agent: str,
    nodes: int,
    other: str | None = None,
    extent: Extent = Extent(),
    boards: bool = False,
    colour: bool = False,
    width: int = 80,
) -> str:
    wish = ExplainRequest(agent=agent, nodes=nodes)
    found = answer(ask_position(board(drawing), "drawn", 20, (3, 1), wish), other)
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        highlight=False,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        _environ={},
    )
    console.print(explanation_view(found, extent, boards))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_a_beam_search_is_explained(snapshot: SnapshotAssertion) -> None:
    assert screen(MIDGAME, "beam:paper,width=40", 1500, boards=True) == snapshot


def test_a_tree_search_is_explained(snapshot: SnapshotAssertion) -> None:
    assert screen(MIDGAME, "mcts", 1500) == snapshot


def test_a_state_machine_is_explained(snapshot: SnapshotAssertion) -> None:
    assert screen(MIDGAME, "hybrid", 200) == snapshot


def test_an_evolution_is_explained(snapshot: SnapshotAssertion) -> None:
    assert screen(MIDGAME, "rhea", 3000) == snapshot


def test_an_alpha_beta_search_is_explained(snapshot: SnapshotAssertion) -> None:
    assert screen(MIDGAME, "negamax", 700) == snapshot


def test_an_opening_is_explained(snapshot: SnapshotAssertion) -> None:
    text = screen(MIDGAME, "negamax:opening=30", 700)
    assert text[text.index("the strategy") :] == snapshot


def test_a_decision_without_any_hope_is_explained(snapshot: SnapshotAssertion) -> None:
    assert screen(LOST, "beam:paper", 300) == snapshot


@pytest.mark.parametrize("other", ["left", "up", "left+bomb,left,left", "right,left,stay", "stay+bomb,stay,stay"])
def test_it_is_told_where_another_line_fell(snapshot: SnapshotAssertion, other: str) -> None:
    text = screen(MIDGAME, "beam:paper,width=12,local=2", 900, other, Extent(depth=3, top=2))
    assert text[: text.index("the plan")] == snapshot


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "agent",
    ["beam", "beam:width=30", "mcts", "bias:value", "rhea", "negamax", "duel", "osla", "simple", "random", "still"],
)
def test_nothing_is_wider_than_the_screen_and_nothing_is_cut(agent: str, width: int) -> None:
    for drawing in (MIDGAME, LOST):
        text = screen(drawing, agent, 4000, "left" if agent == "beam" else None, boards=True, width=width)
        assert max(cell_len(line) for line in text.splitlines()) <= width
        assert not re.search(r"\S…|…\S", text)  # … between spaces stands for rows or turns that are left out
        assert all(f"{y:>2}│" in text for y in range(11)) and text.count("│") == 22


def test_a_table_that_is_too_wide_is_shown_in_parts() -> None:
    table = CompactTable()
    for head in ("move", "value", "boxes"):
        table.add_column(head, justify="right")
    table.add_column("what changes", folds=True)
    table.add_row("up", "-500.00", "1.00", "boxes +1.00  future -1.00")
    table.add_row("…")
    whole = shown(table, 47)
    assert whole == ["move    value  boxes  what changes", "  up  -500.00   1.00  boxes +1.00  future -1.00", "   …"]
    assert shown(table, 46)[1:3] == ["  up  -500.00   1.00  boxes +1.00  future", "                      -1.00"]
    assert shown(table, 20) == [
        *("move    value  boxes", "  up  -500.00   1.00", "   …", ""),
        *("move  what changes", "  up  boxes +1.00", "      future -1.00", "   …"),
    ]


def shown(view: RenderableType, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, _environ={})
    with console.capture() as captured:
        console.print(view)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_colours_only_add_to_what_can_be_read_without_them() -> None:
    assert "\x1b[" in screen(MIDGAME, "beam", 900, colour=True)


def test_long_tables_show_the_first_rows_and_the_last() -> None:
    assert pick_depths(9, None) == list(range(9))
    assert pick_depths(40, None) == [*range(8), 39]
    assert pick_depths(40, 3) == [0, 1, 2]
    assert spread_out(100, 4) == [0, 33, 66, 99]


def test_shares_are_drawn_as_blocks() -> None:
    assert sparks([8, 4, 1, 0], [8, 8, 8, 8]) == "█▅▂"
