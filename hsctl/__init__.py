"""hsctl for Python: games, agents and results by one import, and nothing heavy before it is used.

>>> import hsctl
>>> hsctl.Budget(nodes=1000)
Budget(ms=None, nodes=1000, stages=None)

docs/api.md says what is public: the names below, and nothing else of these packages.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.errors import HsctlError as HsctlError
    from hsctl.own.base import Agent as Agent
    from search.agent import Budget as Budget
    from search.agent import Decision as Decision
    from search.params import Params as Params
    from search.params import param as param

__version__ = "0.1.0"

PLACES = {
    "Agent": "hsctl.own.base",
    "Budget": "search.agent",
    "Decision": "search.agent",
    "HsctlError": "engine.errors",
    "Params": "search.params",
    "param": "search.params",
}  # where each public name is

__all__ = [*PLACES, "__version__"]  # noqa: PLE0604 (they are names)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in PLACES:
        raise AttributeError(f"module 'hsctl' has no attribute {name!r}; public are: {', '.join(PLACES)}")
    value = globals()[name] = getattr(import_module(PLACES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
