"""hsctl for Python: games, agents and results by one import, and nothing heavy before it is used.

>>> import hsctl
>>> hsctl.Budget(nodes=1000)
Budget(ms=None, nodes=1000, stages=None)

docs/reference/api.md says what is public: the names below, and nothing else of these packages.

Importing hsctl also guards the names of its packages. A bot's author may have an `engine.py` or a `search.py`: next to
a script it would be imported instead of ours, and one name can't serve both. The error names that file.
"""

import os
import sys

TYPE_CHECKING = False  # as for type checkers, who take it for true: `python -m hsctl` imports this file while the
# current folder is on the path, so nothing may be imported here but what Python has built in (see __main__.py)
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any

    from engine.errors import HsctlError as HsctlError
    from engine.rules import ACTION_NAMES as ACTION_NAMES
    from hsctl.api.explaining import ExplainedTurn as ExplainedTurn
    from hsctl.api.explaining import TracedTurn as TracedTurn
    from hsctl.api.explaining import explain_turn as explain_turn
    from hsctl.api.explaining import review_game as review_game
    from hsctl.api.explaining import trace_turn as trace_turn
    from hsctl.api.game import Game as Game
    from hsctl.api.playing import LeagueResult as LeagueResult
    from hsctl.api.playing import play_game as play_game
    from hsctl.api.playing import run_league as run_league
    from hsctl.api.replay import Replay as Replay
    from hsctl.api.replay import open_replay as open_replay
    from hsctl.api.thinking import Thinker as Thinker
    from hsctl.api.thinking import make_agent as make_agent
    from hsctl.match.user_agents.base import Agent as Agent
    from search.agent import Budget as Budget
    from search.agent import Decision as Decision
    from search.params import Params as Params
    from search.params import param as param

__version__ = "0.2.0.dev0"

PLACES = {
    "ACTION_NAMES": "engine.rules",
    "Agent": "hsctl.match.user_agents.base",
    "Budget": "search.agent",
    "Decision": "search.agent",
    "ExplainedTurn": "hsctl.api.explaining",
    "Game": "hsctl.api.game",
    "HsctlError": "engine.errors",
    "LeagueResult": "hsctl.api.playing",
    "Params": "search.params",
    "Replay": "hsctl.api.replay",
    "Thinker": "hsctl.api.thinking",
    "TracedTurn": "hsctl.api.explaining",
    "explain_turn": "hsctl.api.explaining",
    "make_agent": "hsctl.api.thinking",
    "open_replay": "hsctl.api.replay",
    "param": "search.params",
    "play_game": "hsctl.api.playing",
    "review_game": "hsctl.api.explaining",
    "run_league": "hsctl.api.playing",
    "trace_turn": "hsctl.api.explaining",
}  # where each public name is

__all__ = [*PLACES, "__version__"]  # noqa: PLE0604 (they are names)


HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PACKAGES = ("engine", "search", "replays")


class NamesakeGuard:
    """Finds our packages as Python would, and refuses a namesake that comes before them on the path."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        if name not in PACKAGES:
            return None
        others = [finder for finder in sys.meta_path if type(finder).__name__ != "NamesakeGuard"]  # reloaded or not
        spec = next((spec for finder in others if (spec := finder.find_spec(name, None))), None)
        if spec is not None:
            refuse_namesake(name, spec.origin)
        return spec


def refuse_namesake(name: str, file: str | None) -> None:
    """Raise an error if a file is imported under the name of a package of ours."""
    if file and os.path.realpath(file) != os.path.join(HOME, name, "__init__.py"):
        remedy = "rename it, or keep its folder off the path (python -P, PYTHONPATH)"
        raise ImportError(f"{file} hides the package `{name}` of hsctl: {remedy}", name=name, path=file)


for package in PACKAGES:
    refuse_namesake(package, getattr(sys.modules.get(package), "__file__", None))
sys.meta_path.insert(0, NamesakeGuard())


def __getattr__(name: str) -> "Any":
    """Import a public name when it is first used."""
    if name not in PLACES:
        raise AttributeError(f"module 'hsctl' has no attribute {name!r}; public are: {', '.join(PLACES)}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(PLACES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
