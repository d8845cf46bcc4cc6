"""How positions look: cells drawn one by one, and a few whole screens of 80 columns."""

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.style import Style
from syrupy.assertion import SnapshotAssertion

from engine.game import Game
from engine.notation import parse_position
from replays.events import events_of
from replays.playback import Playback, load
from replays.render.board import BOX, DEATH, FIRE, FLOOR, ITEMS, LEGEND, PLAYERS, WALL, BoardView, Mark
from replays.render.turn import PositionView, format_count, format_ms, short_names, summary_view, turn_view
from replays.replay import Move

OPEN_ROW, WALL_ROW = ".............", ".X.X.X.X.X.X."


@pytest.fixture(scope="module")
def playback() -> Playback:
    return load(Path(__file__).parents[1] / "golden.json")


def screen(view: RenderableType, colour: bool = False, width: int = 80) -> str:
    """What a terminal of that width gets, trailing spaces cut where nothing is coloured."""
    Style.parse.cache_clear()  # styles keep the codes of the first terminal that they were shown on
    Style._add.cache_clear()
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        _environ={},
    )
    console.print(view)
    text = file.getvalue()
    return text if colour else "\n".join(line.rstrip() for line in text.splitlines())


def position(row: str, *entities: str) -> Game:
    """A board that is empty but for its first row."""
    rows = [row, *(WALL_ROW if y % 2 else OPEN_ROW for y in range(1, 11))]
    return parse_position("\n".join([*rows, str(len(entities)), *entities]))


def first_row(view: BoardView) -> list[str]:
    """The cells of row 0, each with all its lines joined by a bar."""
    width, height = view.size
    lines = [line.plain[3:-1] for line in view.lines()[2 : 2 + height]]
    return ["|".join(line[x * width : (x + 1) * width] for line in lines) for x in range(13)]


def drawn(game: Game, scale: int = 1) -> list[str]:
    return first_row(BoardView(game.state, game.map, scale=scale))


def after(game: Game, moves: list[Move | None]) -> BoardView:
    """The board after a round, with the fire of it."""
    events = events_of(game, moves)
    game.step([move.action or 0 if move else 0 for move in moves])
    return BoardView(game.state, game.map, events)


# Cells


def test_boxes_show_their_content() -> None:
    assert drawn(position("012..........", "0 0 6 6 1 3"))[:4] == ["[ ]", "[R]", "[B]", " · "]


def test_items_lie_open() -> None:
    assert drawn(position(OPEN_ROW, "2 0 0 0 1 1", "2 0 1 0 2 2"))[:2] == [" R ", " B "]


def test_a_bomb_shows_owner_fuse_and_range() -> None:
    bombs = ["1 0 0 0 8 3", "1 1 2 0 3 9", "1 2 4 0 1 10", "1 3 6 0 5 27", "1 0 8 0 4 99"]
    assert drawn(position(OPEN_ROW, *bombs))[0:9:2] == ["●8³", "■3⁹", "▲1a", "◆5r", "●4+"]


def test_two_bombs_of_a_cell_show_both_owners() -> None:
    assert drawn(position(OPEN_ROW, "1 0 0 0 8 3", "1 1 0 0 8 4"))[0] == "●■8"


def test_players_show_their_seats() -> None:
    one, two, three = (["0 0 0 0 1 3", "0 1 0 0 1 3", "0 2 0 0 1 3", "0 3 0 0 1 3"][:count] for count in (1, 2, 3))
    assert [drawn(position(OPEN_ROW, *some))[0] for some in (one, two, three)] == ["(0)", "01 ", "012"]
    assert drawn(position(OPEN_ROW, *three, "0 3 0 0 1 3"))[0] == "01+"


def test_a_player_on_a_bomb_shows_both() -> None:
    assert drawn(position(OPEN_ROW, "0 1 0 0 1 3", "1 0 0 0 7 5"))[0] == "1●7"


def test_a_wall_fills_its_cell() -> None:
    game = position(OPEN_ROW, "0 0 0 0 1 3")
    assert BoardView(game.state, game.map).lines()[3].plain == " 1│ · ███ · ███ · ███ · ███ · ███ · ███ · │"


def test_large_cells_have_room_for_everything() -> None:
    entities = ["0 0 0 0 1 3", "0 1 0 0 1 3", "1 0 0 0 7 12", "1 1 2 0 3 9", "2 0 4 0 1 1"]
    row = drawn(position(".....102.....", *entities), scale=2)
    assert row[0] == "(01) |●7r12"
    assert row[2] == " ■3  | r9  "
    assert row[4:8] == ["  R  |     ", "╭───╮|╰╴R╶╯", "╭───╮|╰───╯", "╭───╮|╰╴B╶╯"]
    assert row[8] == "  ·  |     "


def test_fire_fills_around_what_it_left() -> None:
    game = position("...1.........", "0 0 6 6 1 3", "0 1 8 8 1 3", "1 0 1 0 1 3")
    assert first_row(after(game, [Move(0), Move(0)]))[:5] == ["▒▒▒", "▒▒▒", "▒▒▒", "▒R▒", " · "]


def test_a_dagger_stands_where_somebody_died() -> None:
    game = position(OPEN_ROW, "0 0 2 0 1 3", "0 1 8 8 1 3", "1 0 1 0 1 3")
    assert first_row(after(game, [Move(0), Move(0)]))[2] == "†0▒"


def test_marks_stand_on_empty_cells_only() -> None:
    game = position(OPEN_ROW, "0 0 0 0 1 3")
    marks = {(0, 0): Mark("9"), (1, 0): Mark("12"), (2, 0): Mark(style="on red"), (3, 0): Mark("long")}
    assert first_row(BoardView(game.state, game.map, overlay=marks))[:4] == ["(0)", "12 ", " · ", "lon"]
    large = first_row(BoardView(game.state, game.map, overlay=marks, scale=2))
    assert large[:4] == [" (0) |  9  ", "     | 12  ", "  ·  |     ", "     |long "]


def test_a_mark_colours_its_whole_cell() -> None:
    game = position(OPEN_ROW, "0 0 0 0 1 3")
    view = BoardView(game.state, game.map, overlay={(2, 0): Mark(style="on red")})
    assert [style for _, style in view.cell(2, 0)[0]] == ["on red", f"{FLOOR.style} on red", "on red"]


def test_everything_has_a_shape_of_its_own() -> None:
    items = [look.symbol for kind, look in ITEMS.items() if kind]
    shapes = [
        *(look.symbol for look in PLAYERS),
        WALL.symbol,
        FLOOR.symbol,
        *BOX.symbol,
        *items,
        FIRE.symbol,
        DEATH.symbol,
    ]
    assert len(shapes) == len(set(shapes))
    assert all(cell_len(shape) == 1 for shape in shapes)


# Names


def test_names_are_short_and_tell_seats_apart() -> None:
    assert short_names(["beam:paper,width=10", "./mybot"]) == ["beam", "./mybot"]
    assert short_names(["beam:width=1", "random", "beam:width=2"]) == ["beam 0", "random", "beam 2"]
    assert short_names(["java -cp a:b Player", "random"]) == ["java -cp a:b Pl…", "random"]


def test_counts_have_three_digits() -> None:
    assert [format_count(count) for count in (7, 999, 12345, 1234567)] == ["7", "999", "12.3k", "1.23M"]


def test_times_are_never_written_with_powers_of_ten() -> None:
    assert [format_ms(ms) for ms in (0.0312, 98.74, 1000.0, 12345.6)] == ["0.0312 ms", "98.7 ms", "1000 ms", "12346 ms"]


# Screens


def test_no_screen_is_wider_than_80_columns(playback: Playback) -> None:
    for turn in range(playback.first_turn, playback.end_turn + 1, 3):
        assert all(cell_len(line) <= 80 for line in screen(turn_view(playback, turn)).splitlines())
    assert all(cell_len(line) <= 80 for line in LEGEND.splitlines())


def test_a_message_cannot_break_the_screen() -> None:
    game = Game.start(1, 2)
    message = "\x1b[31m\r\n" + "爆" * 60
    view = PositionView(game, ["./a\x1b[2J", "b" * 100], [Move(0, message=message), Move(0)], [], "turn 0")
    text = screen(view)
    assert "\x1b" not in text
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_on_a_narrow_terminal_the_panels_stand_below(playback: Playback) -> None:
    lines = screen(turn_view(playback, 41), width=60).splitlines()
    assert all(cell_len(line) <= 60 for line in lines)
    assert lines[15].startswith("on turn 40")
    assert any(line.startswith("╭─ ● 0 beam:paper") for line in lines[16:])


def test_a_turn_with_fire_and_a_pick_up(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(turn_view(playback, 41)) == snapshot


def test_a_turn_in_colour(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(turn_view(playback, 41), colour=True) == snapshot


def test_the_end_with_two_deaths(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(turn_view(playback, 83)) == snapshot


def test_a_turn_with_large_cells(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(turn_view(playback, 64, scale=2), width=110) == snapshot


def test_the_summary_of_a_game(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(summary_view(playback)) == snapshot
