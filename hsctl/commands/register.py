"""Every command: the heading it is listed under, the module it is in, and what it is for in one line.

Help lists them from here, so that a start imports one command, not all of them. A module has a function of its own
name, whose docstring begins with the same line, and an EXAMPLES (`help.py`).
"""

from typing import NamedTuple

GROUPS = {
    "Play": {
        "play.play": "Play a game or a series of games, and save each as a replay.",
        "play.league": "Play everybody against everybody, and rate them.",
        "play.compare": "Find out whether A is better than B.",
        "play.bot": "Run an agent as a bot, for the arena or any other referee.",
        "play.agents": "List the agents, their parameters and presets: built-in ones, and those of installed packages.",
    },
    "Look at games": {
        "look.games": "List recorded games, the newest first: players, result, cause of a loss, turns, date and file.",
        "look.replay": "Step through a recorded game, print its turns or draw them.",
        "look.explain": "Explain why an agent chose its move.",
        "look.review": "Say what lost a game: mistakes, largest first, and deaths, with proof.",
        "look.import_": "Check games of the arena against the rules and save them as replays.",
    },
    "Test": {
        "test.check": "Check that a bot is fit for the arena, before the arena does.",
        "test.conform": "Compare your simulator with the rules of the game.",
    },
    "Measure": {
        "measure.bench": "Measure the speed of the engine.",
        "measure.scale": "Measure how strength grows with time or nodes.",
        "measure.verify": "Check that the engine and the statistics are right.",
    },
    "Research": {
        "research.paper": "Repeat an experiment of the paper, or run a further one.",
        "research.tune": "Find better values for the parameters of an agent or a bot (needs hsctl[tune]).",
        "research.export": "Write games, turns, decisions and events as tables.",
    },
    "House": {
        "house.cache": "Show what hsctl keeps where; fill or empty the cache of compiled code.",
        "house.completion": (
            "Print a script that completes hsctl in your shell: "
            "commands, options, agents and their parameters, replays."
        ),
        "house.help_": "Explain a topic: players, clocks, replays, statistics or rules.",
    },
}


class Listed(NamedTuple):
    heading: str
    module: str
    summary: str


COMMANDS = {  # `import` is a word of Python's, so its module is import_
    module.partition(".")[2].rstrip("_"): Listed(heading, f"hsctl.commands.{module}", summary)
    for heading, modules in GROUPS.items()
    for module, summary in modules.items()
}
