"""One turn on a screen of 80 columns: the board and what led to it on the left, a panel per player on the right.

turn 42 of 137 ─────────────────────────────────
 0  1  2 ...               ╭ ● 0 beam ─────────╮
┌────────────┐             │ boxes 4 ...       │
│(0) ·  ...  │             ╰───────────────────╯
└────────────┘             ╭ ■ 1 random ───────╮
on turn 41                 │ ...               │
  beam picks up ...        ╰───────────────────╯
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from engine.events import Event, ItemFreed
from engine.game import SURVIVAL, Game
from engine.position import Cell, Player, player_of
from engine.rules import ACTION_NAMES
from replays.events import describe, describe_cause
from replays.faults import faults_of, format_faults
from replays.playback import Playback
from replays.record import Record, value_of
from replays.render.board import FRAME, PLAYERS, BoardView, Mark
from replays.replay import CPU, Limits, Move, Parent, Thought
from replays.text import clean, counted, shorten

NAME_WIDTH = 16
PANEL_WIDTH = 36
QUIET = FRAME.style
NOTE = "bold #d08a1d"
LATE = {"bot": "late", "machine": "late by the machine", "unclear": "late, unclear why"}


def turn_view(record: Record, turn: int, overlay: Mapping[Cell, Mark] | None = None, scale: int = 1) -> "PositionView":
    """A turn of a record: its position, what led to it, and what everybody answered."""
    return PositionView(
        record.game_at(turn),
        record.specs,
        record.moves_at(turn),
        record.events_before(turn),
        record.title_at(turn),
        overlay,
        scale,
        record.notes_before(turn),
        turn,
    )


class PositionView:
    """A position with its players: `events` led to it, `moves` answer it (None: nothing to show).

    On less than 80 columns (for scale 1) the panels are below the board.
    """

    def __init__(
        self,
        game: Game,
        specs: Sequence[str],
        moves: Sequence[Move | None],
        events: Sequence[Event],
        title: str,
        overlay: Mapping[Cell, Mark] | None = None,
        scale: int = 1,
        notes: Sequence[str] = (),
        turn: int | None = None,
    ) -> None:
        turn = game.turn if turn is None else turn  # a log of several games numbers them on
        self.board = BoardView(game.state, game.map, events, overlay, scale)
        self.panels = Group(*(player_panel(game, seat, specs[seat], moves[seat]) for seat in range(game.seats)))
        self.happened = event_list(events, short_names(specs), turn - 1, notes)
        self.title = title

    @property
    def width(self) -> int:
        return self.board.width + 1 + PANEL_WIDTH

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(self.width, options.max_width)
        yield Constrain(Rule(Text(self.title, "bold"), align="left", style=QUIET), width)
        if width < self.width:
            yield from (self.board, self.happened, self.panels)
        else:
            yield self.side_by_side()

    def side_by_side(self) -> Table:
        grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
        grid.add_column(width=self.board.width)
        grid.add_column(width=PANEL_WIDTH)
        grid.add_row(Group(self.board, self.happened), self.panels)
        return grid


def short_names(specs: Sequence[str]) -> list[str]:
    """Who plays, short enough for a sentence; seats are named where two would be called the same."""
    names = [shorten(agent_name(spec), NAME_WIDTH) for spec in specs]
    return [f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def agent_name(spec: str) -> str:
    """`beam` of `beam:paper,width=1000`, `Anna` of `me:Anna`; a command line stays as it is."""
    match = re.fullmatch(r"(\w+):\S+", spec)
    return spec.removeprefix("me:") if spec.startswith("me:") else match[1] if match else spec


def event_list(events: Sequence[Event], names: Sequence[str], turn: int, notes: Sequence[str] = ()) -> RenderableType:
    """What happened in the round that led here, notes first. A freed item is part of the line of its box."""
    told = [event for event in events if not isinstance(event, ItemFreed)]
    if not told and not notes:
        return Text("")
    rows = Table.grid(padding=(0, 1, 0, 0))
    for note in notes:
        rows.add_row(Text("!", NOTE), Text(clean(note), NOTE))
    for event in told:
        rows.add_row(Text("-", QUIET), Text(clean(describe(event, names))))
    return Group(Text(f"on turn {turn}", QUIET), rows)


def player_panel(
    game: Game, seat: int, spec: str, move: Move | None, width: int = PANEL_WIDTH, focused: bool = False
) -> Panel:
    """A player: what they have, do now and thought; what they say is on the lower edge."""
    player = player_of(game.state, seat)
    look = PLAYERS[seat]
    style = look.style if player else QUIET
    return Panel(
        Group(*(living_lines(game, player, move) if player else dead_lines(game, seat))),
        box=box.HEAVY if focused else box.ROUNDED,
        title=Text.assemble((f"{look.symbol} {seat} ", f"bold {look.style}"), (clean(spec), "bold")),
        title_align="left",
        subtitle=Text(f"“{shorten(clean(move.message), width - 8)}”") if move and move.message else None,
        subtitle_align="left",
        border_style=style,
        width=width,
    )


def dead_lines(game: Game, seat: int) -> list[RenderableType]:
    return [two_sides(f"boxes {game.boxes[seat]}", ""), Text(format_death(game, seat), QUIET), Text("")]


def format_death(game: Game, seat: int) -> str:
    """When a player died; absent if nobody knows whether they did."""
    turn = game.death_turns[seat]
    if turn is not None:
        return f"died on turn {turn}"
    return "absent" if game.death_rounds[seat] is None else "dead from the start"


def living_lines(game: Game, player: Player, move: Move | None) -> list[RenderableType]:
    has = f"boxes {player.boxes}  {format_stock(game, player)}"
    said = two_sides(format_move(move), format_value_or_faults(game, player.id, move))
    return [Text(has), said, Text(format_effort(move), QUIET)]


def format_stock(game: Game, player: Player) -> str:
    """Bombs in hand of all there are, and their range."""
    placed = sum(bomb.owner == player.id for bomb in game.bombs)
    return f"bombs {player.bombs_left}/{player.bombs_left + placed}  range {player.range}"


def two_sides(left: str, right: str) -> RenderableType:
    """Both in one line, with a gap; the left one gives way."""
    row = Table.grid(expand=True, padding=(0, 2, 0, 0), pad_edge=False)
    row.add_column(ratio=1, no_wrap=True)
    row.add_column(justify="right", no_wrap=True)
    row.add_row(Text(left), Text(right))
    return row


def format_move(move: Move | None) -> str:
    if move is None:
        return ""
    if move.action is None:
        return f"fails: {clean(move.failure.cause)}" if move.failure else "fails"
    return f"→ {ACTION_NAMES[move.action]}"


def format_value(move: Move | None, short: bool = False) -> str:
    value = value_of(move)
    if value is None:
        return ""
    return f"{value:.4g}" if short else f"value {value:.6g}"


def format_value_or_faults(game: Game, seat: int, move: Move | None, short: bool = False) -> str:
    """What is wrong with a move of a bot; else what it, or an agent, thought of the position."""
    return format_faults(faults_of(game, seat, move)) or format_value(move, short)


def format_effort(move: Move | None) -> str:
    """Time, nodes, depth: what is known of it; and whose fault it is if it was too late."""
    if move is None:
        return ""
    parts = [] if move.time_ms is None else [format_ms(move.time_ms)]
    if move.late is not None:
        parts.append(LATE[move.late.culprit])
    if move.thought is not None:
        parts += [f"{format_count(move.thought.nodes)} nodes", f"depth {move.thought.depth}"]
    return "  ".join(parts)


def format_ms(ms: float) -> str:
    return f"{ms:.0f} ms" if ms >= 100 else f"{ms:.3g} ms"


def format_count(count: int) -> str:
    """1234567 as 1.23M: three digits are enough."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.3g}{letter}"
    return str(count)


# Players next to a board: in three lines each, or in panels


PLAYER_LINES = 3  # of a player without a frame
PANEL_LINES = 5
PANELS_WIDTH = 2 * 34 + 1  # of two in a row: `boxes 12  bombs 1/10  range 12` in a frame
FOCUS = "▌"


def players_in_lines(game: Game, specs: Sequence[str], moves: Sequence[Move | None], focus: int, width: int) -> Group:
    """Every player in three lines; a bar at the edge shows the focus."""
    return Group(
        *(player_lines(game, seat, spec, moves[seat], seat == focus, width) for seat, spec in enumerate(specs))
    )


def players_in_panels(game: Game, specs: Sequence[str], moves: Sequence[Move | None], focus: int, width: int) -> Table:
    """Every player in a panel, two in a row; the one in focus has a heavy frame."""
    panels = [
        player_panel(game, seat, spec, moves[seat], (width - 1) // 2, seat == focus) for seat, spec in enumerate(specs)
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


# A whole game in a few lines: where it comes from, how it ended, and who came first.


def summary_view(playback: Playback) -> RenderableType:
    """The frame of the game in a line, then a table of its players, the winner first."""
    played_on = [Text(clean(describe_parent(playback.replay.parent)))] if playback.replay.parent else []
    return Group(Text(describe_game(playback)), *played_on, player_table(playback))


def inputs_view(record: Record) -> RenderableType:
    """How many inputs a log holds, and every note about them."""
    turns = range(record.first_turn, record.end_turn + 1)
    notes = [f"{turn}: {clean(note)}" for turn in turns for note in record.notes_before(turn)]
    count = f"{len(turns)} input{'s' if len(turns) > 1 else ''}"
    return Group(Text(f"{count}, actions inferred"), *(Text(note, NOTE) for note in notes), Text(""))


def describe_game(playback: Playback) -> str:
    replay = playback.replay
    seed = "no seed" if replay.seed is None else f"seed {replay.seed}"
    turns = f"turns {playback.first_turn} to {playback.end_turn - 1}"
    teams = ", players 0 and 1 against 2 and 3" if replay.start.teams else ""
    ends = ", last one standing" if replay.start.ends == SURVIVAL else ""
    return f"{seed}{teams}{ends}, {turns}, {describe_limits(replay.limits)}. End: {replay.result.reason}"


def describe_parent(parent: Parent) -> str:
    """Where a game was played on from."""
    given = [f"player {seat} was given {order}" for seat, order in enumerate(parent.moves) if order]
    return "; ".join([f"played on from turn {parent.turn} of {parent.file}", *given])


def describe_limits(limits: Limits) -> str:
    sight = "" if limits.vision is None else f", sight {limits.vision} cells"
    return describe_time(limits) + sight


def describe_time(limits: Limits) -> str:
    if limits.nodes is not None:
        return f"{limits.nodes} nodes a turn"
    if limits.turn_ms is None:
        return "no clock"
    first = "" if limits.first_turn_ms is None else f" (first {limits.first_turn_ms:g} ms)"
    of = " of CPU time" if limits.clock == CPU else ""
    return f"{limits.turn_ms:g} ms{of} a turn{first}"


def player_table(playback: Playback) -> Table:
    result = playback.replay.result
    specs = [clean(info.spec) for info in playback.replay.players]
    names = short_names(specs)
    deaths = playback.deaths()
    table = Table(box=box.SIMPLE_HEAD, border_style=FRAME.style, header_style=FRAME.style, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("player", max_width=30, overflow="fold")
    table.add_column("boxes", justify="right")
    table.add_column("end", overflow="fold")
    for seat in sorted(range(len(specs)), key=lambda seat: (result.ranks[seat], seat)):
        look = PLAYERS[seat]
        if seat in deaths:
            turn, death = deaths[seat]
            cause = clean(describe_cause(death, names))
            end = f"eliminated on turn {turn}: {cause}" if death.failure else f"died on turn {turn} by {cause}"
        else:
            end = "alive" if result.death_rounds[seat] is None else "dead from the start"
        faithful = playback.replay.players[seat].faithful_turns
        end += "" if faithful is None else f"; followed {counted(faithful, 'turn')}"
        player = Text.assemble((f"{look.symbol} {seat} ", f"bold {look.style}"), specs[seat])
        table.add_row(str(result.ranks[seat]), player, str(result.boxes[seat]), end)
    return table


# All output of a player on a turn


Part = tuple[str, str]  # what it is, and its text


def output_parts(move: Move) -> Iterator[Part]:
    """Label and text of each kind of output that the player gave."""
    if move.failure:
        yield "failure", clean(f"{move.failure.cause}: {move.failure.detail}".rstrip(": "))
    if move.line:
        yield "output", clean_lines(move.line)
    if move.cpu_ms is not None:
        yield "cpu", format_ms(move.cpu_ms)
    if move.thought:
        yield from thought_parts(move.thought)
    if move.stderr:
        yield "stderr", clean_lines(move.stderr)


def thought_parts(thought: Thought) -> Iterator[Part]:
    if thought.plan:
        yield "plan", format_actions(thought.plan)
    if thought.carried:
        yield "plan of the turn before", format_actions(thought.carried)
    if thought.stages:
        yield "nodes", ", ".join(f"{clean(name)} {format_count(count)}" for name, count in thought.stages.items())


def format_actions(actions: Sequence[int]) -> str:
    return ", ".join(ACTION_NAMES[action] for action in actions)


def clean_lines(text: str) -> str:
    return "\n".join(clean(line.expandtabs(4)) for line in text.splitlines())
