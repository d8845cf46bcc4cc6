"""One finished game as a table: who came first, and how it went for each player."""

from collections.abc import Sequence
from statistics import median

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.match.result import MACHINE, Fate, GameResult
from hsctl.report.tables import fitted_table, format_ms
from replays.render.board import seat_mark
from replays.text import describe_turns


def game_view(game: GameResult, names: Sequence[str]) -> RenderableType:
    """The best first; ms is the median of a player's turns."""
    table = fitted_table(names_at=1)
    table.add_column("place", justify="right")
    table.add_column("player")
    table.add_column("boxes", justify="right")
    table.add_column("death")
    table.add_column("ms", justify="right")
    table.add_column("worst", justify="right")
    for seat in sorted(range(len(names)), key=lambda seat: (game.ranks[seat], seat)):
        thinking = game.thinking[seat]
        times = (
            (format_ms(median(thinking.usual_times_ms)), format_ms(thinking.worst_ms)) if thinking.turns else ("", "")
        )
        table.add_row(
            str(game.ranks[seat]),
            Text.assemble(seat_mark(seat), " ", names[game.seating[seat]]),
            str(game.boxes[seat]),
            format_fate(game.deaths[seat], seat)
            if thinking.turns or game.deaths[seat]
            else Text("dead from the start"),
            *times,
        )
    turns = describe_turns(game.first_turn, game.turns)
    teams = ", 0 and 1 against 2 and 3" if game.team_size > 1 else ""
    return Group(table, *ghost_lines(game), Text(f"seed {game.seed}{teams}, {turns}, ended by: {game.reason}"))


def ghost_lines(game: GameResult) -> list[Text]:
    """How long each ghost repeated its record."""
    return [
        Text.assemble(seat_mark(seat), f" followed the recording for {count} of {game.thinking[seat].turns} turns")
        for seat, count in enumerate(game.faithful_turns)
        if count is not None
    ]


def format_fate(fate: Fate | None, seat: int) -> Text:
    """When, and whose bombs or which failure it was."""
    if fate is None:
        return Text("")
    if fate.failure:
        return Text(f"turn {fate.turn}, {fate.failure}{' by the machine' if fate.culprit == MACHINE else ''}")
    owners = [("own", "") if owner == seat else seat_mark(owner) for owner in fate.owners]
    joined = [part for owner in owners for part in (" and ", owner)][1:]
    return Text.assemble(f"turn {fate.turn}, ", *joined, " bomb" if len(owners) == 1 else " bombs")
