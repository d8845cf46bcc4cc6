"""`hsctl help`: short pages on what several commands share; `hsctl help COMMAND` is `hsctl COMMAND --help`."""

from pathlib import Path
from typing import Annotated

import typer

from engine.errors import HsctlError

FOLDER = Path(__file__).parents[1] / "topics"
TOPICS = {
    "players": "who can play, and how they are written",
    "clocks": "how long players may think",
    "replays": "games on record, and what can be done with them",
    "statistics": "what the numbers of a series promise",
    "rules": "the game in short",
}

EXAMPLES = """
hsctl help          # list the topics
hsctl help players  # who can play
hsctl help play     # the same as hsctl play --help
"""


def help_(
    context: typer.Context,
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="A topic, or a command.")] = None,
) -> None:
    """Explain a topic: players, clocks, replays, statistics or rules."""
    commands = context.parent.command.commands if context.parent else {}  # type: ignore[attr-defined]
    if topic is None:
        width = max(map(len, TOPICS))
        for name, summary in TOPICS.items():
            typer.echo(f"{name:{width}}  {summary}")
    elif topic in TOPICS:
        typer.echo((FOLDER / f"{topic}.txt").read_text(encoding="utf-8"), nl=False)
    elif topic in commands:
        commands[topic].main(["--help"], prog_name=f"hsctl {topic}", standalone_mode=False)
    else:
        raise HsctlError(f"{topic!r} is not a topic, expected one of {', '.join(TOPICS)}, or a command")
