"""`hsctl bench`: how fast the engine is on this machine, and the signature of its behaviour."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_NODES, HsctlError
from hsctl.cli.options import AsJson, is_given, refuse_beside
from hsctl.report.console import announce, print_json, print_view, progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hsctl.research.bench.measure import Measured
    from hsctl.research.bench.report import Report

EXAMPLES = """
hsctl bench --quick                        # a first look in under 20 s
hsctl bench --position midgame.txt --json  # from a position of your own
hsctl bench --signature                    # has the behaviour changed?
hsctl bench --profile beam                 # where its time goes
hsctl bench --profile --html profile.html  # as a flame graph
"""


ProfiledAgents = Annotated[
    list[str] | None,
    typer.Argument(metavar="[AGENT ...]", help="With --profile: agents, or `step`. Default: beam mcts rhea step."),
]
AsProfile = Annotated[bool, typer.Option("--profile", help="Measure where the time of a decision and of a step goes.")]
ProfiledNodes = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_NODES, metavar="N", help="With --profile: nodes of a decision. Default: about 100 ms of them."
    ),
]
Speedscope = Annotated[
    Path | None, typer.Option(metavar="FILE", help="With --profile: write a file for speedscope and other viewers.")
]
FlameGraph = Annotated[
    Path | None, typer.Option(metavar="FILE", help="With --profile: write a page with a flame graph.")
]
CheckProfile = Annotated[
    bool,
    typer.Option("--check", help="With --profile: check its predictions against builds with more or less work."),
]


def bench(
    agents: ProfiledAgents = None,
    position: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Measure from this position, in the arena's text format; can be repeated."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Measure less, without the cold start: under 20 s.")] = False,
    figures: Annotated[
        bool, typer.Option("--figures", help="Measure the paper's Figures 3 and 4: simulations and depth by round.")
    ] = False,
    compile_: Annotated[
        bool, typer.Option("--compile", help="Measure the cost of compiling each agent and kernel.")
    ] = False,
    profile: AsProfile = False,
    nodes: ProfiledNodes = None,
    speedscope: Speedscope = None,
    html: FlameGraph = None,
    check: CheckProfile = False,
    json: AsJson = False,
    signature: Annotated[
        bool,
        typer.Option("--signature", help="Print one number for the behaviour of engine and agents."),
    ] = False,
) -> None:
    """Measure the speed of the engine.

    Shows the paper's Table 1, the cost of each call, and how long it takes to start.

    --profile shows where the time of a decision and of the engine's step goes, phase by phase.
    """
    of_profile = {"AGENT": agents, "--nodes": nodes, "--speedscope": speedscope, "--html": html, "--check": check}
    if profile:
        others = {"--position": position, "--figures": figures, "--compile": compile_, "--signature": signature}
        refuse_beside("--profile", others)
        if check:
            refuse_beside("--check", {**of_profile, "--check": False})
            show_checks(quick, json)
        else:
            show_profile(agents or [], nodes, quick, json, speedscope, html)
        return
    refuse_without_profile(of_profile)
    if signature:
        others = {"--position": position, "--quick": quick, "--figures": figures, "--compile": compile_}
        refuse_beside("--signature", others)
        show_signature(json)
        return
    if compile_:
        refuse_beside("--compile", {"--position": position, "--figures": figures})
        show_compiling(quick, json)
        return
    if figures:
        refuse_beside("--figures", {"--position": position})
        show_figures(quick, json)
        return
    show_speed(position, quick, json)


def show_speed(paths: list[Path] | None, is_quick: bool, as_json: bool) -> None:
    from hsctl.research.bench.measure import midgames, read_positions

    report = run(read_positions(paths) if paths else midgames(), is_quick)
    if as_json:
        print_json(report.as_dict())
        return
    from hsctl.research.bench.report import report_view

    print_view(report_view(report))


def refuse_without_profile(options: "Mapping[str, object]") -> None:
    if given := [name for name, value in options.items() if is_given(value)]:
        raise HsctlError(f"{given[0]} is for profiles: add --profile")


def run(positions: "Sequence[Measured]", is_quick: bool) -> "Report":
    """Measure, with progress on stderr."""
    from engine.jit import compiling
    from hsctl.research.bench.report import QUICK_ROUNDS, ROUNDS, measure_all, measure_start
    from hsctl.research.experiments.tables import paper_steps

    rounds = QUICK_ROUNDS if is_quick else ROUNDS
    with compiling("bench", announce), progress("measuring", 1.0) as on_progress:
        report = measure_all(positions, paper_steps(), rounds, on_progress)
    if not is_quick:
        announce("starting a process with an empty compile cache, which compiles everything again ...")
    report.start = measure_start(is_quick)
    return report


def show_signature(as_json: bool) -> None:
    from hsctl.behaviour import compute_parts, make_signature

    parts = compute_parts()
    number = make_signature(parts.items())
    if as_json:
        print_json({"signature": number, "parts": parts})
    else:
        typer.echo(number)


def show_compiling(is_quick: bool, as_json: bool) -> None:
    """Compile all agents, or the one that takes longest, with an empty cache."""
    from hsctl.research.bench.startup import compiling_view, measure_compiling
    from search.spec import AGENTS
    from search.warm import THE_GAME, parts_of

    agents = ["beam"] if is_quick else list(AGENTS)
    parts = [THE_GAME, *(part for agent in agents for part in parts_of([agent]) if part != THE_GAME)]
    announce(f"compiling {', '.join(parts)} with an empty cache ...")
    rows = measure_compiling(parts)
    if as_json:
        print_json([row._asdict() for row in rows])
    else:
        print_view(compiling_view(rows))


def show_profile(
    agents: "Sequence[str]",
    nodes: int | None,
    is_quick: bool,
    as_json: bool,
    speedscope: Path | None,
    html: Path | None,
) -> None:
    """Profile agents one after the other."""
    from contextlib import ExitStack
    from json import dumps

    from hsctl.research.bench.profile.measure import AGENTS, QUICK_STARTS, STARTS, check_agents, measure_profile
    from hsctl.research.bench.profile.report import format_flames, format_speedscope, profile_record, profile_view
    from replays.files import written_whole

    agents = list(dict.fromkeys(agents or AGENTS))
    check_agents(agents)
    if html and html == speedscope:
        raise HsctlError("--html and --speedscope write different files: name two")
    with ExitStack() as opened:
        drafts = {file: opened.enter_context(written_whole(file)) for file in (speedscope, html) if file}
        for draft in drafts.values():
            draft.open("ab").close()  # refused now, not after minutes
        announce(f"compiling {', '.join(agents)} with marks, if that is new to the cache (up to a minute each) ...")
        with progress("profiling", len(agents)) as on_progress:
            starts = QUICK_STARTS if is_quick else STARTS
            profiles = [measure_profile(agent, nodes, starts, on_progress) for agent in agents]
        if speedscope:
            drafts[speedscope].write_text(dumps(format_speedscope(profiles)), encoding="utf-8")
        if html:
            drafts[html].write_text(format_flames(profiles), encoding="utf-8")
    if as_json:
        print_json({"profiles": [profile_record(profile) for profile in profiles]})
    else:
        print_view(profile_view(profiles))


def show_checks(is_quick: bool, as_json: bool) -> None:
    """Compare what the profile of beam foretells with what changed work really takes."""
    from dataclasses import asdict

    from hsctl.research.bench.profile.measure import QUICK_STARTS, STARTS, check_agents, check_profile
    from hsctl.research.bench.profile.report import check_view

    check_agents([])
    announce("compiling beam with marks, and with work done twice, if that is new to the cache ...")
    with progress("profiling", 1.0) as on_progress:
        checks = check_profile(QUICK_STARTS if is_quick else STARTS, on_progress)
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        print_view(check_view(checks))


def show_figures(is_quick: bool, as_json: bool) -> None:
    """Measure every feature set of the beam over the rounds of a game."""
    from hsctl.match.compiling import compile_for
    from hsctl.research.experiments.figures import EVERY, EVERY_QUICK, MS, figures_dict, figures_view, search_game

    compile_for(["beam"], announce)
    with progress("searching", 1.0) as on_progress:
        points = search_game(EVERY_QUICK if is_quick else EVERY, MS, on_progress)
    if as_json:
        print_json(figures_dict(points))
    else:
        print_view(figures_view(points))
