"""Every command: the heading it is listed under, the module it is in, and what it is for in one line.

Help lists them from here, so that a start imports one command, not all of them. A module has a function of its own
name, whose docstring begins with the same line, and an EXAMPLES (`help.py`).
"""

from typing import NamedTuple

GROUPS = {
    "Play and improve a bot": {
        "play": "Play a game or a series of games, and save each as a replay.",
        "replay": "Step through a recorded game, print its turns or draw them.",
        "review": "Say what lost a game: mistakes, largest first, and deaths, with proof.",
        "explain": "Explain why an agent chose its move.",
        "check": "Check that a bot is fit for the arena, before the arena does.",
        "league": "Play everybody against everybody, and rate them.",
        "compare": "Find out whether A is better than B.",
    },
    "Bots and agents": {
        "agents": "List the agents, their parameters and presets: built-in ones, and those of installed packages.",
        "bot": "Run an agent as a bot, for the arena or any other referee.",
        "tune": "Find better values for the parameters of an agent or a bot (needs hsctl[tune]).",
        "conform": "Compare your simulator with the rules of the game.",
    },
    "Recorded games": {
        "games": "List recorded games, the newest first: players, result, cause of a loss, turns, date and file.",
        "import_": "Check games of the arena against the rules and save them as replays.",
        "export": "Write games, turns, decisions and events as tables.",
    },
    "Experiments": {
        "paper": "Repeat an experiment of the paper, or run a further one.",
        "scale": "Measure how strength grows with time or nodes.",
        "bench": "Measure the speed of the engine.",
    },
    "Maintenance": {
        "help_": "Explain a topic: players, clocks, replays, statistics or rules.",
        "cache": "Show what hsctl keeps where; fill or empty the cache of compiled code.",
        "completion": (
            "Print a script that completes hsctl in your shell: "
            "commands, options, agents and their parameters, replays."
        ),
    },
}


# What earlier versions had: the words, and what to do instead.
REMOVED = {
    "verify": "run `python -m hsctl.research.verify engine` or `python -m hsctl.research.verify statistics`",
    "replay --inputs": "name the file itself, as in `hsctl replay FILE`",
    "replay --seat": "use --player",
}


class Listed(NamedTuple):
    heading: str
    module: str
    summary: str


COMMANDS = {  # `import` is a word of Python's, so its module is import_
    module.rstrip("_"): Listed(heading, f"hsctl.cli.{module}", summary)
    for heading, modules in GROUPS.items()
    for module, summary in modules.items()
}
