"""`hsctl completion`: Typer's script for a shell, and the completers of agents, parameters and replays.

An empty answer means that the shell completes file names. User agents that aren't installed are not imported for their
parameters: that takes longer than a user waits for a key.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Annotated, Literal

import typer

EXAMPLES = """
hsctl completion bash >> ~/.bashrc
hsctl completion zsh >> ~/.zshrc
hsctl completion fish > ~/.config/fish/completions/hsctl.fish
"""
VARIABLE = "_HSCTL_COMPLETE"  # Typer's: set by the scripts
WHOLE_WORDS = 'COMP_WORDBREAKS="${COMP_WORDBREAKS//[:=]/}"'  # so that bash completes beam:width=1000 as one word
MOST_REPLAYS = 20  # the newest
SPECIAL = re.compile(r"[^\w@%+=:,./-]")  # characters that may mean something to a shell


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(metavar="bash|zsh|fish", help="The shell.")],
) -> None:
    """Print a script that completes commands, options, agents and replays in your shell."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name="hsctl", complete_var=VARIABLE, shell=shell)
    typer.echo(f"{WHOLE_WORDS}\n{script}" if shell == "bash" else script)


def prepare_completion() -> None:
    """Make Typer answer the scripts, if one of them is asking."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()


def complete_player(incomplete: str) -> Iterable[str]:
    """Agents by name; behind a colon and each comma their presets and parameters."""
    from hsctl.match.user_agents.spec import agent_names
    from search.spec import AGENTS

    name, colon, rest = incomplete.partition(":")
    if not colon or name not in AGENTS:
        return agent_names()
    params = AGENTS[name].params
    before = f"{name}:{rest[: rest.rfind(',') + 1]}"
    parts = [*params.PRESETS, *(f"{each.name}=" for each in fields(params)), "time=", "nodes="]
    return [f"{before}{part}" for part in parts]


def complete_replay(incomplete: str) -> list[str]:
    """The newest replays of the data folder; a name with control characters would be several to a shell."""
    from replays.store import replay_folder

    try:
        files = sorted(replay_folder().glob("*.json"), key=lambda path: path.name, reverse=True)
    except OSError:
        return []
    names = [name for name in map(str, files) if name.isprintable()][:MOST_REPLAYS]
    return list(quote_names(names, os.environ.get(VARIABLE, "").removeprefix("complete_")))


def complete_experiment(incomplete: str) -> Iterable[str]:
    from hsctl.research.experiments import EXPERIMENTS

    return EXPERIMENTS


def quote_names(names: Iterable[str], shell: str) -> Iterable[str]:
    """Names that a shell takes as they are: bash needs backslashes, fish quotes by itself.

    zsh evaluates the answer, and Typer's quotes don't hold every name: only plain ones are offered.
    """
    if shell == "bash":
        return (SPECIAL.sub(r"\\\g<0>", name) for name in names)
    return (name for name in names if not SPECIAL.search(name)) if shell == "zsh" else names
