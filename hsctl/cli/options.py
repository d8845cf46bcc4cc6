"""Options that several commands share (clock, budget, workers, ledger), how they are read, and which exclude others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import FIRST_TURN_MS, MOST_MS, MOST_NODES, MOST_VISION, HsctlError
from hsctl.report.console import announce

if TYPE_CHECKING:
    from hsctl.league.games import League
    from hsctl.league.runner import Runner
    from hsctl.match.bots.limits import BotLimits
    from hsctl.match.players import PlayerText
    from replays.replay import ClockName, Limits, Start

MOST_JOBS = 1024
MOST_GAMES = 1_000_000
PAIRS = "2"  # players in each game
AUTO, PORTABLE = "auto", "portable"  # runners of external bots
MOST_MEGABYTES = 1 << 20  # a terabyte


def check_ms(option: typer.CallbackParam, value: float | None) -> float | None:
    """Milliseconds of an option: `inf` and `nan` are numbers too, and no bounds of typer's keep the latter out."""
    if value is not None and not value <= MOST_MS:
        raise HsctlError(f"{option.opts[0]} {value:g}: give milliseconds, at most {MOST_MS:.0f}")
    return value


Time = Annotated[str, typer.Option(metavar="MS|none", help="Time limit per turn; none: no limit.")]
FirstTurn = Annotated[
    str | None,
    typer.Option(metavar="MS|none", help="Time limit for the first turn. Default: 1000, or --time if that is more."),
]
Startup = Annotated[
    float, typer.Option(metavar="MS", help="Time an external bot may take to start, on top of its first turn.")
]
Nodes = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_NODES, metavar="N", help="Limit agents by nodes instead of time, so that games repeat exactly."
    ),
]
Clock = Annotated[
    str | None,
    typer.Option(
        metavar="cpu|wall",
        help="Give built-in agents CPU time or real time. Default: cpu for a series of built-in agents, else wall.",
    ),
]
Memory = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_MEGABYTES, metavar="MB", help="Limit the resident memory of an external bot."),
]
Env = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Pass an environment variable on to external bots.")
]
Sandbox = Annotated[
    bool,
    typer.Option("--sandbox", help="Run external bots in a sandbox: read-only files, no network (needs bubblewrap)."),
]
Pause = Annotated[bool, typer.Option("--pause", help="Suspend external bots while it is not their turn.")]
BotRunner = Annotated[
    str,
    typer.Option(
        "--runner",
        metavar="auto|portable",
        help="How to run external bots; portable: as hsctl does on macOS and Windows.",
    ),
]
Teams = Annotated[
    bool, typer.Option("--teams", help="Play two against two: write A+B C+D. Teammates start in opposite corners.")
]
Ends = Annotated[
    str | None,
    typer.Option(
        metavar="arena|survival", help="How to rank players; survival: the last one alive wins, boxes don't matter."
    ),
]
Vision = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_VISION, metavar="R", help="Limit what players see to R cells around them."),
]
Size = Annotated[
    str, typer.Option("--players", metavar="2|3|4|mixed", help="Players in each game; mixed: 2, 3 and 4 in turn.")
]


def show_builds(is_wanted: bool) -> None:
    if is_wanted:
        from hsctl.match.bots import build

        build.is_shown = True


ShowBuild = Annotated[
    bool,
    typer.Option(
        "--show-build", callback=show_builds, help="Print how hsctl builds and runs a bot's source (./mybot.cpp)."
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_JOBS, metavar="N", help="Play N games at a time. Default: one per free core."),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="File that keeps finished games. Default: in your data folder."),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the workers of a Dask scheduler, e.g. tcp://host:8786.")
]
FirstSeed = Annotated[
    int | None, typer.Option(metavar="S", help="Seed of the first board; later boards use S+1, S+2 and so on.")
]
SeedsFile = Annotated[
    Path | None, typer.Option("--seeds", metavar="FILE", help="Play the boards in FILE, one seed per line.")
]
Save = Annotated[bool, typer.Option("--save", help="Save replays in the data folder.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Save replays in DIR.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

File = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE[@TURN]]",
        help="A replay, an arena game (JSON or console text) or bot inputs; - for stdin. Default: the newest replay.",
    ),
]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the result as PNG, SVG or PDF (needs hsctl[plot]).")
]


def refuse_beside(option: str, others: Mapping[str, object]) -> None:
    """Refuse any of the others together with an option that was given."""
    if given := [name for name, value in others.items() if is_given(value)]:
        raise HsctlError(f"{option} cannot be combined with {' or '.join(given)}")


def refuse_several(options: Mapping[str, object]) -> None:
    """Refuse more than one of these options."""
    given = [name for name, value in options.items() if is_given(value)]
    if len(given) > 1:
        refuse_beside(given[0], dict.fromkeys(given[1:], True))


def is_given(value: object) -> bool:
    """Whether an option has a value; 0 is one."""
    return value is not None and value is not False and value != []


def read_limits(
    time: str,
    first_turn: str | None,
    startup: float,
    nodes: int | None,
    players: "Sequence[PlayerText]",
    vision: int | None = None,
    clock: str | None = None,
    is_series: bool = True,
) -> "Limits":
    from hsctl.budget import choose_clock
    from replays.replay import Limits

    turn_ms = read_ms("--time", time)
    if first_turn is not None:
        first_turn_ms = read_ms("--first-turn", first_turn)
    else:
        first_turn_ms = None if turn_ms is None else max(FIRST_TURN_MS, turn_ms)
    if not 0 <= startup <= MOST_MS:
        raise HsctlError(f"--startup {startup:g}: give milliseconds, 0 to {MOST_MS:.0f}")
    if nodes is not None and not any(player.is_bot for player in players):
        limits = Limits(nodes=nodes, vision=vision)
    else:
        limits = Limits(first_turn_ms, turn_ms, startup, nodes, vision)
    return choose_clock([player.spec for player in players], limits, is_series, clock)


def read_clock(clock: str | None, is_timed: bool) -> "ClockName | None":
    """The clock of an experiment, whose players are all built-in; None: the usual one."""
    from hsctl import budget

    if clock is None:
        return None
    name = budget.read_clock(clock)
    if not is_timed:
        raise HsctlError(f"--clock {clock}: nodes limit all players; drop --clock, or limit them with --time")
    return name


def read_ends(ends: str | None, start: "Start | None" = None) -> str:
    """When games end: as asked for, else as in the game they start from, else as on the arena."""
    from engine.game import ARENA, ENDS

    if ends is None:
        return ARENA if start is None else start.ends
    if ends not in ENDS:
        raise HsctlError(f"--ends {ends}: write {' or '.join(ENDS)}")
    return ends


def read_bot_limits(
    memory: int | None, env: list[str] | None, sandbox: bool, pause: bool, runner: str = AUTO
) -> "BotLimits":
    """The limits of external bots; refused if this machine can't enforce them."""
    from hsctl.match.bots.limits import BotLimits
    from hsctl.match.bots.process import is_portable
    from hsctl.match.bots.sandbox import check_sandbox

    if runner not in (AUTO, PORTABLE):
        raise HsctlError(f"--runner {runner}: write {AUTO} or {PORTABLE}")
    bot_limits = BotLimits(memory, tuple(sorted(set(env or ()))), sandbox, pause, runner == PORTABLE)
    bot_limits.environment()
    if is_portable(bot_limits):
        option = "--runner portable" if bot_limits.is_portable else "the portable runner (the only one on this system)"
        refuse_beside(option, {"--memory": memory, "--sandbox": sandbox, "--pause": pause})
    if sandbox:
        check_sandbox()
    return bot_limits


def read_ms(option: str, text: str) -> float | None:
    """Milliseconds, or None for `none`: no limit."""
    if text.lower() == "none":
        return None
    try:
        ms = float(text)
    except ValueError:
        ms = 0.0
    if not 0 < ms <= MOST_MS:
        raise HsctlError(f"{option} {text}: give milliseconds above 0, at most {MOST_MS:.0f}, or none")
    return ms


def check_seed(seed: int, games: int) -> int:
    """A seed with enough others above it for that many games."""
    from hsctl.league.games import SEED_BITS

    if not -(1 << SEED_BITS) <= seed < (1 << SEED_BITS) - games:
        raise HsctlError(f"--seed {seed}: give a number of {SEED_BITS + 1} bits, like the arena's seeds")
    return seed


def choose_seeds(seed: int | None, file: Path | None, games: int) -> Sequence[int] | int:
    """The seeds in a file, or the first of many: by default always the same, so that the same command resumes."""
    from hsctl.league.games import SEED, read_seeds

    refuse_several({"--seed": seed, "--seeds": file})
    if file is None:
        return check_seed(SEED if seed is None else seed, games)
    return read_seeds(file)


def choose_folder(out: Path | None, is_saved: bool) -> Path | None:
    """The folder for replays, created and checked before anything is played."""
    from replays.store import replay_folder

    return make_folder(replay_folder() if out is None else out, "replays") if is_saved else None


def choose_filed_folder(out: Path | None, is_saved: bool) -> Path | None:
    """The same for replays that a ledger names: it keeps text, and is read from anywhere."""
    from os.path import realpath

    from replays.store import replay_folder

    folder = Path(realpath(replay_folder() if out is None else out))  # of a loop of links, itself
    if is_saved and str(folder).encode(errors="replace").decode() != str(folder):
        raise HsctlError(f"{folder}: the name is not UTF-8, and a ledger cannot keep it: name another with --out")
    return choose_folder(folder, is_saved)


def make_folder(folder: Path, content: str) -> Path:
    """The folder, created if need be, and checked before anything is played for it."""
    import os

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HsctlError(f"{folder}: {error.strerror}; name another folder for {content}") from None
    if not os.access(folder, os.W_OK):
        raise HsctlError(f"{folder}: hsctl can't write there; name another folder for {content}")
    return folder


def choose_runner(league: "League", jobs: int | None, cluster: str | None) -> "Runner":
    """Workers on this machine, or those of a cluster (one game per worker)."""
    refuse_several({"--jobs": jobs, "--cluster": cluster})
    if cluster is None:
        from hsctl.league.runner import play_here

        return play_here(league, jobs, announce)
    from hsctl.league.cluster import play_there

    return play_there(league, cluster, announce)
