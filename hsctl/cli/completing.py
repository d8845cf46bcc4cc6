"""What can stand at the end of a command line: commands, options, agents with their presets and parameters, replays.

An empty answer means that the shell should complete file names. An agent of the user's own that isn't installed is not
asked for its parameters: that would take longer than anybody waits for a key.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

PLAYERS = {"players", "player", "new", "old", "agent", "agents", "names", "against", "pool"}  # names of parameters
REPLAYS = {"file", "files", "from_"}
MOST_REPLAYS = 20  # the newest
SPECIAL = re.compile(r"[^\w@%+=:,./-]")  # to a shell, some of them
BREAKS = re.compile(r".*[:=]", re.DOTALL)  # bash replaces only what follows the last of these


def complete(commands: Mapping[str, Any], line: str, is_bash: bool = False) -> list[str]:
    """All that fits behind the line.

    `is_bash`: quoted, because bash puts it on the command line as it is, where zsh and fish quote it; and without what
    bash takes for a word of its own.
    """
    *words, last = re.split(r"\s+", line.lstrip())
    found = [quote(each) if is_bash else each for each in candidates(commands, words[1:], last)]
    found = [each for each in found if each.startswith(last)]
    broken = BREAKS.match(last)
    return [each[broken.end() :] for each in found] if is_bash and broken else found


def quote(word: str) -> str:
    """With a backslash before whatever may mean something to a shell: `a\\$\\(b\\).json`."""
    return SPECIAL.sub(r"\\\g<0>", word)


def candidates(commands: Mapping[str, Any], words: list[str], last: str) -> Iterable[str]:
    """Those for the last word, after these."""
    if not words:
        return [*commands, "--help", "--version"] if last.startswith("-") else commands
    if words[0] not in commands:
        return []
    if words[0] == "help":
        from hsctl.cli.help_ import TOPICS

        return [*TOPICS, *commands]
    params = commands[words[0]].params
    options = {each: param for param in params for each in (*param.opts, *param.secondary_opts) if each[:1] == "-"}
    if words[-1] in options and not getattr(options[words[-1]], "is_flag", False):
        return values_of(options[words[-1]], last)
    if last.startswith("-"):
        return sorted(each for each, param in options.items() if each.startswith("--") and not is_hidden(param))
    arguments = [param for param in params if not param.opts[0].startswith("-")]
    return [each for param in arguments for each in values_of(param, last)]


def is_hidden(param: Any) -> bool:
    return bool(getattr(param, "hidden", False))


def values_of(param: Any, last: str) -> Iterable[str]:
    """What an argument or an option takes, as far as it can be listed."""
    if param.name in PLAYERS:
        return players(last)
    if param.name in REPLAYS:
        return replays()
    if param.name == "name":
        from hsctl.research.experiments import EXPERIMENTS

        return EXPERIMENTS
    words = (param.metavar or "").split("|")
    return words if len(words) > 1 and all(word.islower() for word in words) else []


def players(last: str) -> Iterable[str]:
    """Agents by name; behind a colon and each comma their presets and parameters."""
    from hsctl.match.user_agents.spec import agent_names
    from search.spec import AGENTS

    name, colon, rest = last.partition(":")
    if not colon or name not in AGENTS:
        return agent_names()
    params = AGENTS[name].params
    before = f"{name}:{rest[: rest.rfind(',') + 1]}"
    parts = [*params.PRESETS, *(f"{each.name}=" for each in fields(params)), "time=", "nodes="]
    return [f"{before}{part}" for part in parts]


def replays() -> list[str]:
    """The newest replays of the data folder; a name with control characters would be several to a shell."""
    from replays.store import replay_folder

    try:
        files = sorted(replay_folder().glob("*.json"), key=lambda path: path.name, reverse=True)
    except OSError:
        return []
    return [name for name in map(str, files) if name.isprintable()][:MOST_REPLAYS]
