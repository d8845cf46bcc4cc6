"""A whole game in a few lines: where it comes from, how it ended, and who came first."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.game import SURVIVAL
from replays.events import describe_cause
from replays.look.board import FRAME, PLAYERS
from replays.look.turn import NOTE, short_names
from replays.playback import Playback
from replays.record import Record
from replays.replay import Limits, Parent
from replays.text import clean, counted


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
    return f"{limits.turn_ms:g} ms a turn{first}"


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
        end += "" if faithful is None else f"; faithful for {counted(faithful, 'turn')}"
        player = Text.assemble((f"{look.symbol} {seat} ", f"bold {look.style}"), specs[seat])
        table.add_row(str(result.ranks[seat]), player, str(result.boxes[seat]), end)
    return table
