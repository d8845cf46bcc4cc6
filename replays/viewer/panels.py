"""What stands beside the board: the players in three lines each or in panels, and what one of them wrote."""

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.game import Game
from engine.position import player_of
from replays.look.board import PLAYERS
from replays.look.turn import (
    QUIET,
    format_death,
    format_effort,
    format_move,
    format_stock,
    format_value_or_faults,
    player_panel,
)
from replays.output import output_parts
from replays.record import Record
from replays.replay import Move
from replays.text import clean

LINES = 3  # of a player without a frame
PANEL_LINES = 5
PANELS_WIDTH = 2 * 34 + 1  # of two in a row: `boxes 12  bombs 1/10  range 12` in a frame
FOCUS = "▌"


def players_in_lines(record: Record, turn: int, focus: int, width: int) -> Group:
    """Every player in three lines; a bar at the edge shows the focus."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    return Group(
        *(
            player_lines(game, seat, record.specs[seat], moves[seat], seat == focus, width)
            for seat in range(record.seats)
        )
    )


def players_in_panels(record: Record, turn: int, focus: int, width: int) -> Table:
    """Every player in a panel of as many lines, two in a row; that of the focused has a heavy frame."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    panels = [
        player_panel(game, seat, record.specs[seat], moves[seat], (width - 1) // 2, seat == focus)
        for seat in range(record.seats)
    ]
    grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    for at in range(0, len(panels), 2):
        grid.add_row(*panels[at : at + 2])
    return grid


def player_lines(game: Game, seat: int, spec: str, move: Move | None, focused: bool, width: int) -> Text:
    player = player_of(game.state, seat)
    look = PLAYERS[seat]
    colour = look.style if player else QUIET
    message = f"“{clean(move.message)}”" if move and move.message else ""
    has = format_stock(game, player) if player else format_death(game, seat)
    rows = [
        (f"{look.symbol} {seat} {clean(spec)}", f"boxes {game.boxes[seat]}", f"bold {colour}"),
        (has, format_move(move), "" if player else QUIET),
        (f"{format_effort(move)}  {message}".strip(), format_value_or_faults(game, seat, move, short=True), QUIET),
    ]
    bar = (FOCUS if focused else " ", look.style)
    lines = [Text.assemble(bar, (two_ends(left, right, width - 1), style)) for left, right, style in rows]
    return Text("\n").join(lines)


def two_ends(left: str, right: str, width: int) -> str:
    """Both in one line; the left one gives way."""
    space = width - cell_len(right)
    if cell_len(left) >= space:
        left = set_cell_size(left, space - 2) + "…"
    return set_cell_size(left, space) + right


def output_view(record: Record, turn: int, seat: int) -> RenderableType:
    """All that a player gave away on a turn."""
    look = PLAYERS[seat]
    title = Text.assemble((f"{look.symbol} {seat} ", f"bold {look.style}"), (f"on turn {turn}", QUIET))
    move = record.moves_at(turn)[seat]
    parts = [Text.assemble((f"{label}\n", QUIET), text) for label, text in output_parts(move)] if move else []
    return Group(title, *(parts or [Text("nothing", QUIET)]))
