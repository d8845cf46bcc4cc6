"""`hsctl play --from FILE@TURN` without players: a recorded game goes on, with another player or move if so asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from engine.errors import EngineError, HsctlError
from hsctl.cli.options import refuse_beside
from hsctl.report.console import announce, print_line, print_view

if TYPE_CHECKING:
    from hsctl.league.intervals import Change, Estimate
    from hsctl.league.standings import Standings
    from hsctl.match.bots.limits import BotLimits
    from hsctl.match.players import PlayerText
    from hsctl.match.result import GameResult
    from hsctl.match.runner import GameTask
    from replays.playback import Playback

Swap = Annotated[
    list[str] | None,
    typer.Option(metavar="SEAT=PLAYER", help="With --from: PLAYER takes over SEAT. Repeat for more seats."),
]
NoVary = Annotated[
    bool,
    typer.Option(
        "--no-vary",
        help="With --from and --games: give agents exactly the recorded nodes. Games may come out the same.",
    ),
]
GivenMove = Annotated[
    list[str] | None,
    typer.Option(
        "--move", metavar="SEAT=ORDER", help="With --from: SEAT plays ORDER on that turn, such as 0='BOMB 3 4'."
    ),
]
TrustFile = Annotated[
    bool, typer.Option("--trust", help="With --from: run the bot commands in a file that hsctl didn't save here.")
]

# What the record settles, so that options for it are refused; those for thinking are for players of --swap.
FIXED = ("first_turn", "startup", "clock", "vision", "ends", "teams", "seed", "map_", "state", "pace", "practice")
OF_SWAPPED = ("time", "nodes")


class PlayOnRequest(NamedTuple):
    """The options of a game that is played on."""

    reference: str  # FILE@TURN
    swaps: list[str]
    moves: list[str]
    games: int | None  # None: one, shown as a game
    is_varied: bool  # nodes differ from decision to decision, if there are several games
    jobs: int | None
    is_watched: bool
    bot_limits: "BotLimits"
    folder: Path | None
    as_json: bool
    is_trusted: bool
    time: str  # of a turn of the players in `swaps`, as written; empty: as recorded
    nodes: int | None


def refuse_fixed(context: typer.Context, swaps: list[str]) -> None:
    """Refuse options for what the record settles."""
    fixed = FIXED if swaps else (*FIXED, *OF_SWAPPED)
    given = {f"--{name.strip('_').replace('_', '-')}": is_typed(context, name) for name in fixed}
    refuse_beside("--from without players (the game goes on as recorded)", given)


def is_typed(context: typer.Context, name: str) -> bool:
    """Whether an option is on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def play_on(context: typer.Context, request: "PlayOnRequest") -> None:
    """Play a recorded game on, once or several times, and show the results."""
    from hsctl.cli.play import leave_if_stopped
    from hsctl.cli.playing import play_all

    refuse_fixed(context, request.swaps)
    if not is_typed(context, "time"):
        request = request._replace(time="")
    if request.games is None and not request.is_varied:
        raise HsctlError("--no-vary needs --games N: a single game is as recorded in any case")
    task, baseline = tasks_from(request)
    from hsctl.match.play_on import series_from

    arms = [task] if baseline is None else [task, baseline]
    tasks = arms if request.games is None else series_from(arms, request.games)
    played: list[GameResult] = []

    def add(game: "GameResult") -> str:
        played.append(game)
        return ""

    is_complete = play_all(tasks, request.jobs, request.is_watched, add)
    if played:
        show_games(tasks[0], played, request.games is not None, request.as_json)
    leave_if_stopped(is_complete, len(played), len(tasks))


# The request


def tasks_from(request: "PlayOnRequest") -> "tuple[GameTask, GameTask | None]":
    """The game that goes on; for a series with a change, also the game without it, if that can be played."""
    from replays.opening import infer_game, open_reference
    from replays.playback import Playback

    path, turn, record = open_reference(request.reference, announce)
    if not isinstance(record, Playback):
        record = infer_game(record, path, announce)
    from hsctl.budget import SPREAD
    from hsctl.match.play_on import describe_ghosts, parent_of, task_on
    from hsctl.match.players import PlayerError
    from hsctl.match.trust import trust_in

    turn = record.first_turn if turn is None else turn
    record.check_open_turn(turn)
    swaps, orders = read_swaps(request, record, turn), read_orders(request.moves, record, turn)
    place, digest = identify(path)
    spread = None if request.games is None else SPREAD if request.is_varied else 0.0
    trust = trust_in(record, request.is_trusted)
    parent = parent_of(record, place, digest, turn, orders, spread, trust)
    task = with_limits(task_on(record, parent, swaps, trust, request.bot_limits, request.folder), request)
    assert task.past is not None
    if task.past.ghosts:
        for line in describe_ghosts(str(path), record.replay, task.past.ghosts):
            announce(line)
    if request.games is None or not task.past.is_changed:
        return task, None
    try:
        parent = parent_of(record, place, digest, turn, {}, spread, trust)
        return task, task_on(record, parent, {}, trust, request.bot_limits)
    except PlayerError as error:
        announce(f"the chance without the change stays unknown: {error}")
        return task, None


def identify(path: Path) -> tuple[str, str]:
    """Where a file is, and a digest of its content; zeros for stdin, which can't be read twice."""
    from hashlib import blake2b

    from replays.files import STDIN, read_source

    if str(path) == STDIN:
        return STDIN, "0" * 16
    return str(path.absolute()), blake2b(read_source(path), digest_size=8).hexdigest()


def read_swaps(request: "PlayOnRequest", playback: "Playback", turn: int) -> "dict[int, PlayerText]":
    """The players that take over seats, by seat; agents among them think as --nodes or --time says."""
    from hsctl.match.players import names_person, read_player

    pairs = [split_pair("--swap", text, "1=beam", playback, turn) for text in request.swaps]
    check_once("--swap", [seat for seat, _ in pairs])
    for seat, player in pairs:
        if names_person(player):
            raise HsctlError(
                f"--swap {seat}={player}: a person cannot take over a seat; name all players for a new game "
                "from there: hsctl play me beam --from FILE@TURN"
            )
    return {seat: with_budget(read_player(player), request) for seat, player in pairs}


def with_budget(player: "PlayerText", request: "PlayOnRequest") -> "PlayerText":
    """The same agent with the budget of --nodes or --time, unless it has its own; bots stay as they are."""
    from hsctl.cli.options import read_ms
    from hsctl.match.players import read_player

    spec = player.spec
    if spec is None or player.ghost is not None or spec.nodes is not None or spec.ms is not None:
        return player
    if request.nodes is not None:
        part = f"nodes={request.nodes}"
    elif request.time and (ms := read_ms("--time", request.time)) is not None:
        part = f"time={ms:g}"
    else:
        return player
    return read_player(f"{player.text}{',' if ':' in player.text else ':'}{part}")


def with_limits(task: "GameTask", request: "PlayOnRequest") -> "GameTask":
    """The task with the time of --time for bots that take over a seat."""
    from dataclasses import replace

    from msgspec.structs import replace as with_fields

    from hsctl.cli.options import read_ms

    assert task.past is not None
    bots = [seat for seat in task.past.swapped if (player := task.players[seat]) is not None and player.is_bot]
    if not bots or not request.time:
        return task
    ms = read_ms("--time", request.time)
    return replace(task, limits=with_fields(task.limits, turn_ms=ms))


def read_orders(texts: Sequence[str], playback: "Playback", turn: int) -> dict[int, str]:
    from engine.notation import parse_order

    pairs = [split_pair("--move", text, "0='BOMB 3 4'", playback, turn) for text in texts]
    check_once("--move", [seat for seat, _ in pairs])
    for seat, order in pairs:
        try:
            parse_order(order)
        except EngineError as error:
            raise HsctlError(f"--move {seat}={order}: {error}") from None
    return dict(pairs)


def split_pair(option: str, text: str, example: str, playback: "Playback", turn: int) -> tuple[int, str]:
    """The seat of a living player, and the text after the equals sign."""
    from replays.opening import seat_of
    from replays.render.turn import format_death

    name, equals, value = text.partition("=")
    if not equals or not name or not value.strip():
        raise HsctlError(f"{option} {text}: write SEAT=..., such as {option} {example}")
    seat, game = seat_of(name, playback.specs), playback.game_at(turn)
    if seat not in game.living:
        living = " or ".join(map(str, game.living))
        raise HsctlError(f"{option} {text}: player {seat} {format_death(game, seat)}; on turn {turn}, name {living}")
    return seat, value.strip()


def check_once(option: str, seats: Sequence[int]) -> None:
    for seat in seats:
        if seats.count(seat) > 1:
            raise HsctlError(f"{option}: player {seat} is named twice; name each player once")


# The results


def show_games(task: "GameTask", played: "list[GameResult]", is_series: bool, as_json: bool) -> None:
    from hsctl.league.standings import Standings
    from hsctl.match.players import numbered
    from hsctl.match.result import delays_of
    from hsctl.report.play_on import describe_fork, play_on_record, stray_lines
    from hsctl.report.tables import warning_lines

    changed, unchanged = by_arm(task, played)
    standings, delays = Standings(numbered(task.names), task.clock), delays_of(played)
    for game in changed:
        standings.add(game)
    for line in stray_lines(task, played):
        announce(line)
    changes = changes_of(task, changed, unchanged)
    for line in [] if as_json else warning_lines(delays):
        print_line(line)
    if as_json:
        from hsctl.report.records import delays_record, format_record, series_record

        record = series_record(standings) | delays_record(delays) | play_on_record(task, changed, changes)
        typer.echo(format_record(record))
    elif is_series:
        from hsctl.report.play_on import changes_view

        if changes:
            print_view(changes_view(task, changes))
    else:
        from hsctl.report.game import game_view

        print_view(game_view(changed[0], standings.names))
        print_line(describe_fork(task, changed[0].fork))
    if not as_json:
        show_rest(standings)


def by_arm(task: "GameTask", played: "list[GameResult]") -> "tuple[list[GameResult], list[GameResult]]":
    """The games as asked for, and those without the change, each in order."""
    arms: tuple[list[GameResult], list[GameResult]] = ([], [])
    for game in sorted(played, key=lambda game: game.block_number):
        assert task.past is not None and game.task is not None and game.task.past is not None
        arms[game.task.past.is_changed != task.past.is_changed].append(game)
    return arms


def show_rest(standings: "Standings") -> None:
    from hsctl.report.standings import error_lines, next_lines, time_lines

    for line in [*error_lines(standings), *time_lines(standings), *next_lines(standings)]:
        print_line(line)


def changes_of(task: "GameTask", changed: "Sequence[GameResult]", unchanged: "Sequence[GameResult]") -> "list[Change]":
    """Of each living player, as far as games were played; none if none was finished with the change."""
    from hsctl.league.intervals import Change, Rollout, estimate_chance

    def estimate(games: "Sequence[GameResult]", seat: int) -> "Estimate | None":
        found = [Rollout(game.points(seat), game.course) for game in games]
        return estimate_chance(found) if found else None

    living = [seat for seat, player in enumerate(task.players) if player is not None]
    pairs = [(seat, estimate(changed, seat), estimate(unchanged, seat)) for seat in living]
    return [Change(seat, after, before) for seat, after, before in pairs if after is not None]
