"""Standings as tables: a series has a column for each player, a league a line, with who beat whom and ratings.

A measure is what a table says about each player. Measures without a value for any player are left out.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from engine.errors import TURN_MS
from engine.game import ARENA
from engine.state import MAX_TURNS
from hsctl.league.standings import PlayerStanding, Standings
from hsctl.match.result import BOTH, CAUSES, ERROR, MACHINE, OTHERS, OWN, UNCLEAR, GameResult, SlowStart
from hsctl.report.tables import (
    delay_lines,
    describe_clock,
    fitted_table,
    format_count,
    format_games,
    format_mean,
    format_ms,
    format_percent,
    format_share,
    slow_start_line,
)
from hsctl.shell import join_words
from replays.faults import describe_fault
from replays.text import counted

if TYPE_CHECKING:
    from hsctl.league.comparison import LostGame
    from hsctl.league.games import League
    from hsctl.league.rating import Rating

CAUSE_NAMES = {OWN: "own bomb", OTHERS: "others' bomb", BOTH: "both", ERROR: "error"}
MOST_ON_A_LINE = 4  # players whose shares and intervals fit next to each other in 80 columns
MOST_ERRORS = MOST_LOST = 5
NOTED_SHARE, NOTED_MS = 0.1, 50.0  # of CPU time above that of the turns, a game: reported from here on
BEYOND = "more CPU time than its turns lasted: several threads, or thinking on others' time (--pause stops that)"
PLACES = ("1st", "2nd", "3rd", "4th")


# Measures


class Measure(NamedTuple):
    """What a table says about a player."""

    title: str
    show: Callable[[PlayerStanding], str]
    is_detail: bool = False  # of the measure before it


def share_of(happened: Callable[[PlayerStanding], Sequence[bool]]) -> Callable[[PlayerStanding], str]:
    return lambda player: format_share(player.share(happened(player))) if player.games else ""


def format_timeouts(culprits: Counter[str]) -> str:
    """`3, 2 by the machine`."""
    by_machine = f", {culprits[MACHINE]} by the machine" if culprits[MACHINE] else ""
    return f"{format_count(culprits.total())}{by_machine}"


def deaths_by(cause: str) -> Callable[[PlayerStanding], str]:
    return lambda player: format_count(player.deaths[cause])


WON_DRAWN_LOST = Measure("won, drawn, lost", lambda player: f"{player.wins}, {player.draws}, {player.losses}")
MEAN_PLACE = Measure(
    "mean place", lambda player: format_mean(player.ranks, player.seeds, 2, least=1.0, most=player.last_place)
)
BOXES = Measure("boxes a game", lambda player: format_mean(player.boxes, player.seeds))
BY_CAUSE = [Measure(f"by {CAUSE_NAMES[cause]}", deaths_by(cause), True) for cause in CAUSES]
WORST = Measure("worst", lambda player: format_ms(player.worst_ms), True)
SPEED = Measure("nodes a ms", lambda player: "" if player.nodes_a_ms is None else f"{player.nodes_a_ms:.0f}")
LATE = [
    Measure("late turns", lambda player: format_count(player.late.total())),
    Measure("by the machine", lambda player: format_count(player.late[MACHINE]), True),
    Measure("unclear why", lambda player: format_count(player.late[UNCLEAR]), True),
]
FAITHFUL = Measure(
    "turns followed", lambda player: f"{fmean(player.faithful_turns):.1f}" if player.faithful_turns else ""
)
TIMEOUTS = Measure("timeouts", lambda player: format_timeouts(player.timeouts), True)

OF_A_SERIES = [
    WON_DRAWN_LOST,
    Measure("wins", share_of(lambda player: player.won)),
    Measure("draws", share_of(lambda player: player.drawn)),
    Measure("losses", share_of(lambda player: player.lost)),
    MEAN_PLACE,
    BOXES,
    Measure("bombs a game", lambda player: format_mean(player.bombs, player.seeds)),
    Measure("deaths", share_of(lambda player: player.died)),
    *BY_CAUSE,
    TIMEOUTS,
    Measure("ms a turn", lambda player: format_ms(median(player.times_ms)) if player.times_ms else ""),
    WORST,
    SPEED,
    *LATE,
    FAITHFUL,
]
OF_A_LEAGUE = [
    BOXES,
    Measure("bombs a turn", lambda player: "" if player.bombs_a_turn is None else f"{player.bombs_a_turn:.3f}"),
    Measure("deaths", lambda player: str(player.deaths.total())),
    *BY_CAUSE,
    Measure("ms a turn", lambda player: format_ms(player.mean_ms)),
    WORST,
    SPEED,
    FAITHFUL,
]


PAST_THE_CLOCK = [*LATE, TIMEOUTS]


def measured(players: Sequence[PlayerStanding], measures: Sequence[Measure]) -> list[tuple[Measure, list[str]]]:
    """The measures that have a value, each with its cells, player by player."""
    cells = [(measure, [measure.show(player) for player in players]) for measure in measures]
    return [(measure, row) for measure, row in cells if any(row)]


# A series


def series_view(standings: Standings) -> RenderableType:
    """A column for each player, a line for each measure."""
    table = fitted_table()
    table.add_column("")
    for name in standings.names:
        table.add_column(name, justify="right")
    for measure, cells in measured(standings.players, OF_A_SERIES):
        table.add_row(f"  {measure.title}" if measure.is_detail else measure.title, *cells)
    return Group(table, Text(describe_games(standings)))


# A league


def league_view(standings: Standings, is_gauntlet: bool = False) -> RenderableType:
    """All tables, each with its title."""
    is_duel = standings.sizes in ([], [2])
    titled = [
        ("win rate of row over column" if is_duel else "row ranked above column", cross_table(standings, True)),
        *(() if is_duel else [("shares of places", place_table(standings))]),
        ("ratings", rating_table(standings, is_gauntlet)),
        ("how they play", manner_table(standings, OF_A_LEAGUE)),
        *([("past the clock", manner_table(standings, PAST_THE_CLOCK))] if has_late(standings) else ()),
    ]
    parts = [part for title, table in titled for part in (Text(title, "bold"), table, Text())]
    new = sum(game.is_new for game in standings.games)
    source = f"{new} played now, {len(standings.games) - new} from the ledger"
    return Group(*parts, Text(describe_games(standings)), Text(source))


def cross_table(standings: Standings, has_intervals: bool) -> RenderableType:
    """Shares of wins of row over column, in per cent; with many players, columns have the numbers of the rows."""
    table = fitted_table()
    table.add_column("")
    is_large = len(standings.names) > MOST_ON_A_LINE
    for number, name in enumerate(standings.names, 1):
        table.add_column(str(number) if is_large else name, justify="right")
    show = partial(format_share, between="\n" if is_large else " ") if has_intervals else format_percent
    for row, name in enumerate(standings.names):
        met = [standings.meetings(row, column) for column in range(len(standings.names))]
        head = f"{row + 1} {name}" if is_large else name
        table.add_row(head, *(show(one.share) if one else "" for one in met))
    return table


def place_table(standings: Standings) -> RenderableType:
    """How often each player took each place, by number of players."""
    table = fitted_table()
    table.add_column("player")
    table.add_column("of", justify="right")
    for place in PLACES[: max(standings.sizes)]:
        table.add_column(place, justify="right")
    for size in standings.sizes:
        for player in standings.players:
            shares = [player.share_of_place(size, place) for place in range(1, size + 1)]
            if any(shares):
                table.add_row(player.name, str(size), *map(format_share, shares))
    return table


def rating_table(standings: Standings, is_gauntlet: bool = False) -> RenderableType:
    """Elo, best first; in a gauntlet, its player first."""
    table = fitted_table()
    table.add_column("")
    measures = (WON_DRAWN_LOST, MEAN_PLACE)
    for title in ("Elo", "95 %", "games", *(measure.title for measure in measures)):
        table.add_column(title, justify="right")
    ratings = standings.ratings()
    rated = zip(ratings, standings.players, strict=True)
    new = standings.names[0] if is_gauntlet else None
    for rating, player in sorted(
        rated, key=lambda pair: (pair[0].name != new, pair[0].elo is None, -(pair[0].elo or 0.0))
    ):
        elo = "" if rating.elo is None else f"{rating.elo:+.0f}"
        cells = (measure.show(player) for measure in measures)
        table.add_row(rating.name, elo, format_bounds(rating), str(player.games), *cells)
    noted = [rating for rating in ratings if rating.elo is not None and rating.note]
    return Group(table, *(Text(f"{rating.name}: {rating.note}") for rating in noted))


def format_bounds(rating: "Rating") -> str:
    if rating.elo is None:
        return rating.note
    low = "…" if rating.low is None else f"{rating.low:+.0f}"
    return f"{low} to {'…' if rating.high is None else f'{rating.high:+.0f}'}"


def has_late(standings: Standings) -> bool:
    return any(player.late for player in standings.players)


def manner_table(standings: Standings, measures: Sequence[Measure]) -> RenderableType:
    """A line for each player, a column for each measure."""
    table = fitted_table()
    table.add_column("")
    found = measured(standings.players, measures)
    for measure, _ in found:
        table.add_column(measure.title, justify="right")
    for at, name in enumerate(standings.names):
        table.add_row(name, *(cells[at] for _, cells in found))
    return table


# About all games


def describe_games(standings: Standings) -> str:
    """How many games, on which seeds, how long."""
    seeds = [game.seed for game in standings.games]
    lengths = [game.turns for game in standings.games]
    if not seeds:
        return "0 games"
    boards = f"seed {seeds[0]}" if len(set(seeds)) == 1 else f"{len(set(seeds))} seeds ({min(seeds)} to {max(seeds)})"
    spread = f"{min(lengths)} to {max(lengths)}"
    mean = format_mean(lengths, seeds, most=MAX_TURNS)
    played = f"{format_games(len(seeds))} on {boards}{describe_clock(standings.clock)}"
    return f"{played}; turns of a game: {mean} ({spread})"


def error_lines(standings: Standings) -> list[str]:
    """The first few errors that ended players, with all that is known and where each came first."""
    places: dict[str, list[str]] = {}
    for game in standings.in_order():
        for player, fate in zip(game.seating, game.deaths, strict=True):
            if fate is not None and fate.failure:
                what = f"{standings.names[player]}: {fate.failure}: {fate.detail}"
                places.setdefault(what, []).append(f"seed {game.seed}, turn {fate.turn}")
    lines = [f"{what} ({where[0]}{format_more(len(where) - 1)})" for what, where in places.items()]
    left = len(lines) - MOST_ERRORS
    return lines[:MOST_ERRORS] + ([f"and {counted(left, 'other error')}"] if left > 0 else [])


def fault_lines(names: Sequence[str], games: Sequence[GameResult]) -> list[str]:
    """Silent faults of each player over all games, in their order, with the first of each."""
    found: dict[tuple[int, str], tuple[int, str, str]] = {}  # how many, where the first is, its line
    for game in games:
        for player, faults in zip(game.seating, game.faults, strict=False):
            for name, fault in faults.items():
                first = (0, f"turn {fault.first_turn} of seed {game.seed}", fault.line)
                count, where, line = found.get((player, name), first)
                found[player, name] = (count + fault.count, where, line)
    return [f"{names[player]}: {describe_fault(name, *fault)}" for (player, name), fault in found.items()]


def lost_lines(league: "League", lost: "Sequence[LostGame]", player: str) -> list[str]:
    """The first boards that a player lost, each as the command that plays it again."""
    if not lost:
        return []
    many = f"{player} lost {format_games(len(lost))}"
    shown = [f"  {play_command(league, game)}" for game in lost[:MOST_LOST]]
    return [f"{many}; to play {'it' if len(lost) == 1 else 'one'} again:", *shown]


def play_command(league: "League", game: "LostGame") -> str:
    """The command that plays a game of a league again."""
    limits, words = league.limits, ["hsctl", "play", *(league.players[player].text for player in game.seating)]
    words += ["--seed", str(game.seed)]
    if limits.nodes is not None:
        words += ["--nodes", str(limits.nodes)]
    elif limits.turn_ms != TURN_MS:
        words += ["--time", "none" if limits.turn_ms is None else f"{limits.turn_ms:g}"]
    if league.ends != ARENA:
        words += ["--ends", league.ends]
    return join_words(words)


def remark_lines(standings: Standings) -> list[str]:
    """Notes on predictions and drawings of bots."""
    return [*prediction_lines(standings), *drawing_lines(standings)]


def prediction_lines(standings: Standings) -> list[str]:
    """Of each bot that predicts: how often it was wrong, and the first time."""
    checked, wrong, first = Counter[int](), Counter[int](), dict[int, str]()
    for game in standings.in_order():
        for player, foresight in zip(game.seating, game.foresight, strict=False):
            if foresight is not None:
                checked[player] += foresight.checked
                wrong[player] += foresight.wrong
                if foresight.wrong:
                    first.setdefault(player, f"; the first: {foresight.first} (seed {game.seed})")
    return [
        f"{standings.names[player]}: {counted(count, 'prediction')} checked, "
        f"{wrong[player]} wrong{first.get(player, '')}"
        for player, count in checked.items()
    ]


def drawing_lines(standings: Standings) -> list[str]:
    """Of each bot that draws: how many of its lines can't be read, and the first."""
    counts, first = Counter[int](), dict[int, str]()
    for game in standings.in_order():
        for player, misdrawn in zip(game.seating, game.misdrawn, strict=False):
            if misdrawn is not None:
                counts[player] += misdrawn.count
                first.setdefault(player, f"{misdrawn.first} (seed {game.seed})")
    return [
        f"{standings.names[player]}: {counted(count, 'line')} of drawings not shown; the first: {first[player]}"
        for player, count in counts.items()
    ]


def format_more(count: int) -> str:
    return f" and {count} more times" if count > 1 else " and once more" if count else ""


def time_lines(standings: Standings) -> list[str]:
    """Who starts too slowly, who took more than its turns, and what the machine delayed."""
    noted = filter(is_beyond, standings.players)
    lines = slow_start_lines(standings)
    lines += [f"{player.name}: {100 * player.beyond:.0f} % {BEYOND}" for player in noted]
    return lines + delay_lines(standings.delays)


def slow_start_lines(standings: Standings) -> list[str]:
    """Of each bot whose first answers would be late on the arena: the slowest, and in how many games."""
    found: dict[int, list[SlowStart]] = {}
    for game in standings.in_order():
        for player, slow in zip(game.seating, game.slow_starts, strict=False):
            if slow is not None:
                found.setdefault(player, []).append(slow)
    games = Counter(player for game in standings.games if game.is_new for player in game.seating)
    return [slow_start_line(standings.names[player], slows, games[player]) for player, slows in found.items()]


def is_beyond(player: PlayerStanding) -> bool:
    return player.beyond > NOTED_SHARE and sum(each.beyond_ms for each in player.thinking) > NOTED_MS * player.games


def next_lines(standings: Standings) -> list[str]:
    """What to do next with the games that were saved: three commands."""
    games = [game for game in standings.games if game.replay is not None]
    if not games:
        return []
    last = games[-1]
    agent = "" if any(thinking.nodes for thinking in last.thinking) else " --agent beam"
    explain = f"hsctl explain --turn {last.first_turn + last.turns // 2}{agent}"
    if len(games) == 1:
        return [f"next: hsctl replay  |  hsctl review  |  {explain}"]
    folder = join_words([str(last.replay.parent)]) if last.replay is not None else ""
    return [f"{len(games)} replays in {folder}", "next: hsctl games --lost  |  hsctl replay  |  hsctl review"]
