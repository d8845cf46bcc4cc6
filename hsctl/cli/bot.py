"""`hsctl bot`: an agent as a program on the arena's protocol, for any referee."""

from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import FIRST_TURN_MS, MOST_NODES, TURN_MS, HsctlError
from hsctl.cli.options import check_ms
from hsctl.report.console import announce

if TYPE_CHECKING:
    from search.agent import Agent

LEAST_PLAIN_MS = 100.0  # a turn in which plain Python is in time: it takes about 20 ms

EXAMPLES = """
hsctl bot beam                                    # within the arena's time
hsctl bot beam:paper --time 50                    # a preset, 50 ms a turn
hsctl play ./mybot 'hsctl bot mcts --nodes 5000'  # as a player
"""


def bot(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent (see `hsctl agents`).")],
    time: Annotated[
        float, typer.Option(min=1, callback=check_ms, metavar="MS", help="The referee's clock for a turn.")
    ] = TURN_MS,
    first_turn: Annotated[
        float,
        typer.Option(
            min=1,
            callback=check_ms,
            metavar="MS",
            help="The referee's clock for the first turn, start-up included if the input came first.",
        ),
    ] = FIRST_TURN_MS,
    reserve: Annotated[
        float | None,
        typer.Option(
            min=0,
            callback=check_ms,
            metavar="MS",
            help="Time to leave unused. Default: adapts to late answers.",
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_NODES, metavar="N", help="Limit the agent by nodes instead of time."),
    ] = None,
) -> None:
    """Run an agent as a bot, for the arena or any other referee.

    It reads the arena's inputs from stdin and answers on stdout.
    """
    from hsctl.match.user_agents.spec import make_agent, read_spec

    spec = read_spec(agent)
    if reserve is not None and reserve >= min(time, first_turn):
        raise HsctlError(f"--reserve {reserve:g}: expected less than the clock, {min(time, first_turn):g} ms")

    import sys

    from hsctl.match.bots.agent_bot import Times, serve
    from hsctl.match.bots.follower import Input

    player = make_agent(spec)
    warm_up(player, spec.name, can_be_plain=min(time, first_turn) >= LEAST_PLAIN_MS)
    times = Times(first_turn, time, reserve, nodes)
    serve(player, spec, Input(sys.stdin.fileno()), sys.stdout, times, announce)


def warm_up(player: "Agent", name: str, can_be_plain: bool) -> None:
    """Compile and load all that the agent needs; nothing if there is nothing yet and it can do without."""
    from hsctl.match.compiling import compile_for
    from search.warm import missing_parts, play_a_round

    if can_be_plain and missing_parts([name]) and player.play_plainly():
        announce(f"{name} plays as plain Python: `hsctl cache --warm {name}` compiles it")
    else:
        compile_for([name], announce)
        player.warm_up()
        play_a_round()  # loads what it takes to follow a game
