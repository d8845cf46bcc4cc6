"""`hsctl bench`: how fast the engine is on this machine, and the signature of its behaviour."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hsctl.commands.options import AsJson, refuse_beside
from hsctl.commands.output import announce, print_json, print_view, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hsctl.bench.positions import Measured
    from hsctl.bench.report import Report

EXAMPLES = """
hsctl bench --quick                        # a first look in under 20 s
hsctl bench --position midgame.txt --json  # from a position of your own
hsctl bench --signature                    # has the behaviour changed?
"""


def bench(
    position: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Measure from this position, in the arena's text format (repeatable)."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Measure less, without the cold start: under 20 s.")] = False,
    figures: Annotated[
        bool, typer.Option("--figures", help="Measure the paper's Figures 3 and 4: simulations and depth by round.")
    ] = False,
    compile_: Annotated[
        bool, typer.Option("--compile", help="Measure what compiling costs, for each agent and kernel.")
    ] = False,
    json: AsJson = False,
    signature: Annotated[
        bool,
        typer.Option(
            "--signature", help="Print one number for the behaviour of engine and agents: it changes if they do."
        ),
    ] = False,
) -> None:
    """Measure the speed of the engine.

    Shows the paper's Table 1, the cost of each call, and how long it takes to start.
    """
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
    from hsctl.bench.positions import midgames, read_positions

    report = run(read_positions(position) if position else midgames(), quick)
    if json:
        print_json(report.as_dict())
        return
    from hsctl.bench.report import report_view

    print_view(report_view(report))


def run(positions: "Sequence[Measured]", is_quick: bool) -> "Report":
    """Measure, with progress on stderr."""
    from engine.jit import compiling
    from hsctl.bench.run import QUICK_ROUNDS, ROUNDS, measure_all, measure_start
    from hsctl.experiments.published import paper_steps

    rounds = QUICK_ROUNDS if is_quick else ROUNDS
    with compiling("bench", announce), progress("measuring", 1.0) as on_progress:
        report = measure_all(positions, paper_steps(), rounds, on_progress)
    if not is_quick:
        announce("starting a process with an empty compile cache, which compiles everything again ...")
    report.start = measure_start(is_quick)
    return report


def show_signature(as_json: bool) -> None:
    from hsctl.bench.signature import compute_parts, make_signature

    parts = compute_parts()
    number = make_signature(parts.items())
    if as_json:
        print_json({"signature": number, "parts": parts})
    else:
        typer.echo(number)


def show_compiling(is_quick: bool, as_json: bool) -> None:
    """Compile all agents, or the one that takes longest, with an empty cache."""
    from hsctl.bench.compile import compiling_view, measure_compiling
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


def show_figures(is_quick: bool, as_json: bool) -> None:
    """Measure every feature set of the beam over the rounds of a game."""
    from hsctl.experiments.paper.figures import EVERY, EVERY_QUICK, figures_dict, figures_view
    from hsctl.experiments.searches import MS, search_game
    from hsctl.league.compiling import compile_for

    compile_for(["beam"], announce)
    with progress("searching", 1.0) as on_progress:
        points = search_game(EVERY_QUICK if is_quick else EVERY, MS, on_progress)
    if as_json:
        print_json(figures_dict(points))
    else:
        print_view(figures_view(points))
