"""`hsctl bot`: a built-in agent as a program on the arena's protocol, for any referee."""

from typing import Annotated

import typer

EXAMPLES = """
hsctl bot beam                                    # beam at the arena's clock
hsctl bot beam:paper --time 50                    # a preset, 50 ms a turn
hsctl play ./mybot 'hsctl bot mcts --nodes 5000'  # as a player
"""


def bot(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A built-in agent, as `hsctl agents` lists them.")],
    time: Annotated[float, typer.Option(min=1, metavar="MS", help="From a turn's input to its answer.")] = 90.0,
    first_turn: Annotated[
        float, typer.Option(min=1, metavar="MS", help="The same of the first turn, if need be with the start.")
    ] = 900.0,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Think so many nodes, not in time.")] = None,
) -> None:
    """Be a bot: the arena's inputs on stdin, answers on stdout."""
    from search.spec import parse_spec

    spec = parse_spec(agent)

    import sys

    from engine.game import Game
    from engine.jit import compiling
    from hsctl.bots.agent_bot import Times, serve
    from hsctl.bots.follower import Input
    from search import make_agent

    player = make_agent(spec)
    with compiling(spec.name, warn):
        player.warm_up()
        Game.start(0, 2).step([0, 0])  # which following the game takes
    serve(player, spec, Input(sys.stdin.fileno()), sys.stdout, Times(first_turn, time, nodes), warn)


def warn(text: str) -> None:
    typer.echo(text, err=True)
