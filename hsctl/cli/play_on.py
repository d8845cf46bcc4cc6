"""`hsctl play --from FILE@TURN` without players: a recorded game goes on, with another player or move if so asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from engine.errors import EngineError, HsctlError
from hsctl.cli.options import refuse_beside
from hsctl.report.console import announce, print_line, print_view

if TYPE_CHECKING:
    from hsctl.league.change import Change, Estimate
    from hsctl.league.play_on import Continuation, OnTask, PlayedOn
    from hsctl.league.standings import Standings
    from hsctl.match.bots.terms import Terms
    from hsctl.match.players import PlayerText
    from hsctl.report.safe_console import SafeConsole
    from replays.playback import Playback

Swap = Annotated[
    list[str] | None,
    typer.Option(metavar="SEAT=PLAYER", help="With --from: let another player play on; can be repeated."),
]
NoVary = Annotated[
    bool,
    typer.Option(
        "--no-vary", help="With --from and --games: the recorded nodes in every decision; games may be the same."
    ),
]
GivenMove = Annotated[
    list[str] | None,
    typer.Option("--move", metavar="SEAT=ORDER", help="With --from: the player's move on that turn, such as BOMB 3 4."),
]
TrustFile = Annotated[
    bool, typer.Option("--trust", help="With --from: run the recorded commands of a file that hsctl didn't save here.")
]

# What the record settles, so that options for it are refused.
FIXED = (
    "time",
    "first_turn",
    "startup",
    "nodes",
    "clock",
    "vision",
    "ends",
    "teams",
    "seed",
    "map_",
    "state",
    "pace",
    "practice",
)


class PlayOnRequest(NamedTuple):
    """What was asked for."""

    reference: str  # FILE@TURN
    swaps: list[str]
    moves: list[str]
    games: int | None  # None: one, shown as a game
    is_varied: bool  # nodes differ from decision to decision, if there are several games
    jobs: int | None
    is_watched: bool
    terms: "Terms"
    folder: Path | None
    as_json: bool
    is_trusted: bool


def refuse_fixed(context: typer.Context) -> None:
    """Refuse options for what the record settles."""
    sources = {name: context.get_parameter_source(name) for name in FIXED}
    given = {
        f"--{name.strip('_').replace('_', '-')}": source is not None and source.name == "COMMANDLINE"
        for name, source in sources.items()
    }
    refuse_beside("--from without players (the game goes on as recorded)", given)


def play_on(context: typer.Context, wish: "PlayOnRequest") -> None:
    """Play a recorded game on, once or several times, and show what came of it."""
    from hsctl.cli.play import choose_jobs, leave_if_stopped

    refuse_fixed(context)
    if wish.games is None and not wish.is_varied:
        raise HsctlError("--no-vary needs --games N: a single game is as recorded in any case")
    plan, baseline = plan_from(wish)
    from hsctl.league.play_on import OnTask, series_of

    arms = [plan] if baseline is None else [plan, baseline]
    tasks = [OnTask(plan)] if wish.games is None else series_of(arms, wish.games)
    jobs = choose_jobs(wish.jobs, len(tasks), wish.is_watched, plan.clock)
    played, is_complete = run(tasks, jobs, wish.is_watched)
    if played:
        show(plan, played, wish.games is not None, wish.as_json)
    leave_if_stopped(is_complete, len(played), len(tasks))


# What was asked for


def plan_from(wish: "PlayOnRequest") -> "tuple[Continuation, Continuation | None]":
    """Who plays on from where; for a series with a change, also the game without it, if that can be played."""
    from replays.opening import infer_game, open_reference
    from replays.playback import Playback

    path, turn, record = open_reference(wish.reference, announce)
    if not isinstance(record, Playback):
        record = infer_game(record, path, announce)
    from hsctl.budget import SPREAD
    from hsctl.league.play_on import check_turn, parent_of, plan_on
    from hsctl.match.players import PlayerError
    from hsctl.match.trust import describe_ghosts, trust_in

    turn = record.first_turn if turn is None else turn
    check_turn(record, turn)
    others, orders = read_swaps(wish.swaps, record, turn), read_orders(wish.moves, record, turn)
    place, digest = identify(path)
    spread = None if wish.games is None else SPREAD if wish.is_varied else 0.0
    trust = trust_in(record, wish.is_trusted)
    parent = parent_of(record, place, digest, turn, orders, spread, trust)
    plan = plan_on(record, parent, others, trust, wish.terms, wish.folder)
    if plan.ghosts:
        for line in describe_ghosts(str(path), list(plan.ghosts.items())):
            announce(line)
    if wish.games is None:
        return plan, None
    plan = plan.as_series()
    if not plan.is_changed:
        return plan, None
    try:
        parent = parent_of(record, place, digest, turn, {}, spread, trust)
        return plan, plan_on(record, parent, {}, trust, wish.terms).as_series()
    except PlayerError as error:
        announce(f"the chance without the change stays unknown: {error}")
        return plan, None


def identify(path: Path) -> tuple[str, str]:
    """Where a file is, and a digest of what is in it; of stdin nothing is left to look at."""
    from hashlib import blake2b

    from replays.files import STDIN, read_source

    if str(path) == STDIN:
        return STDIN, "0" * 16
    return str(path.absolute()), blake2b(read_source(path), digest_size=8).hexdigest()


def read_swaps(texts: Sequence[str], playback: "Playback", turn: int) -> "dict[int, PlayerText]":
    from hsctl.match.players import names_person, read_player

    pairs = [split_pair("--swap", text, "1=beam", playback, turn) for text in texts]
    check_once("--swap", [seat for seat, _ in pairs])
    for seat, player in pairs:
        if names_person(player):
            raise HsctlError(
                f"--swap {seat}={player}: a person cannot take over a seat; name all players for a new game "
                "from there: hsctl play me beam --from FILE@TURN"
            )
    return {seat: read_player(player) for seat, player in pairs}


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
    """The seat of a living player, and what stands behind the equals sign."""
    from replays.opening import seat_of
    from replays.render.turn import format_death

    name, equals, value = text.partition("=")
    if not equals or not name or not value.strip():
        raise HsctlError(f"{option} {text}: expected SEAT=..., such as {option} {example}")
    seat, game = seat_of(name, playback.specs), playback.game_at(turn)
    if seat not in game.living:
        living = " or ".join(map(str, game.living))
        raise HsctlError(f"{option} {text}: player {seat} {format_death(game, seat)}, expected {living} on turn {turn}")
    return seat, value.strip()


def check_once(option: str, seats: Sequence[int]) -> None:
    for seat in seats:
        if seats.count(seat) > 1:
            raise HsctlError(f"{option}: player {seat} is named twice, expected each player once")


# What is done


def run(tasks: "list[OnTask]", jobs: int, is_watched: bool) -> "tuple[list[PlayedOn], bool]":
    """Play all games; false if Ctrl-C came before the last was finished."""
    from hsctl.league.compiling import compile_for
    from hsctl.report.safe_console import SafeConsole

    console = SafeConsole(stderr=True)
    players = [player for task in tasks for player in task.continuation.players if player is not None]
    compile_for({player.spec.name for player in players if player.spec is not None}, announce)
    played: list[PlayedOn] = []
    try:
        if is_watched:
            return played, play_watched(tasks, played)
        if len(tasks) == 1:
            play_single(tasks[0], console, played)
        else:
            play_side_by_side(tasks, jobs, console, played)
    except KeyboardInterrupt:
        return played, False
    return played, True


def play_watched(tasks: "list[OnTask]", played: "list[PlayedOn]") -> bool:
    """One game after the other, showing every position; false if they were stopped."""
    from hsctl.cli.watching import Place, watch_games
    from hsctl.league.play_on import play_on as play_task

    def keep_one(each: "PlayedOn") -> Path | None:
        played.append(keep(each))
        return played[-1].game.replay

    return watch_games(
        tasks, play_task, keep_one, lambda task: Place(task.continuation.folder, label_of(task.continuation))
    )


def play_single(task: "OnTask", console: "SafeConsole", played: "list[PlayedOn]") -> None:
    from hsctl.league.play_on import play_on as play_task
    from hsctl.report.live import turn_bar

    with turn_bar(console, task.continuation.names) as on_turn:
        played.append(keep(play_task(task, on_turn)))


def play_side_by_side(tasks: "list[OnTask]", jobs: int, console: "SafeConsole", played: "list[PlayedOn]") -> None:
    from hsctl.league.play_on import play_on as play_task
    from hsctl.league.pool import run_games
    from hsctl.report.live import bar

    results = run_games(tasks, jobs, play_task)
    with bar(console, "game", len(tasks)) as update:
        try:
            for each in results:
                played.append(keep(each))
                update(len(played), "")
        finally:
            results.close()


def keep(played: "PlayedOn") -> "PlayedOn":
    """Save the replay, if it is to be saved."""
    from dataclasses import replace

    from hsctl.league.runner import save
    from replays.store import new_name

    plan = played.task.continuation
    path = save(plan.folder, new_name(label_of(plan)), played.replay)
    return played._replace(game=replace(played.game, replay=path))


def label_of(plan: "Continuation") -> str:
    return f"{' '.join(plan.names)} on from turn {plan.turn}"


# What came of it


def show(plan: "Continuation", played: "list[PlayedOn]", is_series: bool, as_json: bool) -> None:
    from hsctl.league.standings import Standings
    from hsctl.match.finished import delays_of
    from hsctl.match.players import numbered
    from hsctl.report.play_on import describe_fork, play_on_record, stray_lines
    from hsctl.report.tables import warning_lines

    changed = sorted((each for each in played if each.task.arm == 0), key=lambda each: each.task.number)
    unchanged = sorted((each for each in played if each.task.arm == 1), key=lambda each: each.task.number)
    standings, delays = Standings(numbered(plan.names), plan.clock), delays_of(each.game for each in played)
    for each in changed:
        standings.add(each.game)
    for line in stray_lines(plan, played):
        announce(line)
    changes = changes_of(plan, changed, unchanged)
    for line in [] if as_json else warning_lines(delays):
        print_line(line)
    if as_json:
        from hsctl.report.records import delays_record, format_record, series_record

        record = series_record(standings) | delays_record(delays) | play_on_record(plan, changed, changes)
        typer.echo(format_record(record))
    elif is_series:
        from hsctl.report.play_on import changes_view

        if changes:
            print_view(changes_view(plan, changes))
    else:
        from hsctl.report.game import game_view

        print_view(game_view(changed[0].game, standings.names))
        print_line(describe_fork(plan, changed[0].fork))
    if not as_json:
        show_rest(standings)


def show_rest(standings: "Standings") -> None:
    from hsctl.report.standings import error_lines, next_lines, time_lines

    for line in [*error_lines(standings), *time_lines(standings), *next_lines(standings)]:
        print_line(line)


def changes_of(plan: "Continuation", changed: "Sequence[PlayedOn]", unchanged: "Sequence[PlayedOn]") -> "list[Change]":
    """Of each living player, as far as games were played; none if none was finished with the change."""
    from hsctl.league.change import Change, Rollout, estimate_chance

    def estimate(games: "Sequence[PlayedOn]", seat: int) -> "Estimate | None":
        found = [Rollout(each.game.points(seat), each.game.course) for each in games]
        return estimate_chance(found) if found else None

    living = [seat for seat, player in enumerate(plan.players) if player is not None]
    pairs = [(seat, estimate(changed, seat), estimate(unchanged, seat)) for seat in living]
    return [Change(seat, after, before) for seat, after, before in pairs if after is not None]
