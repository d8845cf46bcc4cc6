"""Two games side by side on the same turn, with the cells and moves marked in which they differ."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from engine.game import Game
from engine.position import Cell, boxes_on
from replays.record import Record
from replays.render.board import BoardView, Mark, seat_mark
from replays.render.overlays import paint
from replays.render.turn import NOTE, QUIET, format_death, format_move, short_names
from replays.replay import Move
from replays.text import clean, shorten

GAP = 2
DIFFERENT = "#c79644"
FRAMED = (2 * 43 + GAP, 28)  # columns and lines from which both boards have their frames
LARGE = (2 * 69 + GAP, 36)  # columns and lines from which they are drawn large


class PairView:
    """`turn` of both records; whose game is over by then shows its end."""

    def __init__(self, records: Sequence[Record], titles: Sequence[str], turn: int, area: tuple[int, int]) -> None:
        self.records = records
        self.titles = titles
        self.turns = [min(turn, record.end_turn) for record in records]
        self.scale = 2 if fits(LARGE, area) else 1
        self.has_frame = fits(FRAMED, area)
        games = [record.game_at(at) for record, at in zip(records, self.turns, strict=True)]
        self.games = games
        self.marks = dict.fromkeys(different_cells(*games), Mark("", paint(DIFFERENT)))

    @property
    def height(self) -> int:
        """In lines: a head, the board, a line for each player."""
        game = self.games[0]
        return 1 + BoardView(game.state, game.map, (), None, self.scale, self.has_frame).height + game.seats

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = (options.max_width - GAP) // 2
        grid = Table.grid(padding=(0, GAP, 0, 0), pad_edge=False)
        grid.add_column(width=width)
        grid.add_column(width=width)
        grid.add_row(*(self.side(at, width) for at in range(2)))
        yield grid

    def side(self, at: int, width: int) -> Group:
        record, game, turn = self.records[at], self.games[at], self.turns[at]
        events = record.events_before(turn)
        board = BoardView(game.state, game.map, events, self.marks, self.scale, self.has_frame)
        head = Text.assemble(
            (f"{self.titles[at]}, ", QUIET), (record.title_at(turn).partition(", seed")[0], "bold"), no_wrap=True
        )
        head.truncate(width, overflow="ellipsis")
        return Group(head, board, *self.players(at, width))

    def players(self, at: int, width: int) -> list[Text]:
        """A line for each player: boxes, and the move, marked where it is another."""
        moves = [record.moves_at(turn) for record, turn in zip(self.records, self.turns, strict=True)]
        names = short_names(self.records[at].specs)
        lines = []
        for seat, name in enumerate(names):
            game, move = self.games[at], moves[at][seat]
            does = format_move(move) if seat in game.living else format_death(game, seat)
            style = NOTE if is_another(moves[0][seat], moves[1][seat]) else ""
            tail = f"boxes {game.boxes[seat]:>2}  "
            line = Text.assemble(
                seat_mark(seat), f" {shorten(clean(name), width - 30):{max(1, width - 30)}} {tail}", no_wrap=True
            )
            line.append(does, style)
            line.truncate(width)
            lines.append(line)
        return lines


def fits(least: tuple[int, int], area: tuple[int, int]) -> bool:
    return area[0] >= least[0] and area[1] >= least[1]


def is_another(one: Move | None, other: Move | None) -> bool:
    return (one and one.action) != (other and other.action)


def different_cells(one: Game, other: Game) -> set[Cell]:
    """Cells on which not the same things stand."""
    return {thing[0] for thing in things_on(one) ^ things_on(other)}


def things_on(game: Game) -> set[tuple[Cell, tuple[object, ...]]]:
    """Each thing with its cell and all that identifies it; of players the cell alone."""
    return {
        *((cell, ("box", content)) for cell, content in boxes_on(game.state, game.map).items()),
        *(((bomb.x, bomb.y), ("bomb", bomb.owner, bomb.timer, bomb.range)) for bomb in game.bombs),
        *(((item.x, item.y), ("item", item.kind)) for item in game.items),
        *(((player.x, player.y), ("player", player.id)) for player in game.players()),
    }


def first_difference(one: Record, other: Record) -> int | None:
    """The first turn with another position or another move; None if there is no such turn."""
    for turn in range(max(one.first_turn, other.first_turn), min(one.end_turn, other.end_turn) + 1):
        moves = zip(one.moves_at(turn), other.moves_at(turn), strict=True)
        if different_cells(one.game_at(turn), other.game_at(turn)) or any(is_another(*pair) for pair in moves):
            return turn
    return None
