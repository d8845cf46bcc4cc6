"""What each kind of agent can show of a decision: one module per family, which reads it, keeps it and shows it.

    class Duel(Panel)                    the data, as in the JSON; `sections` is how it looks
    @read_search.register read_duel      makes Findings of what the agent left behind

A module is imported when an agent of its family is explained: the one named in FAMILIES for the agent's package, or the
one with the package's own name. The JSON document gets a field for each new panel; write its schema again.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import numpy as np

from hsctl.analysis.explain.findings import Findings, read_search
from search.agent import Agent, Decision

FAMILIES = {  # the agent's package -> the module here
    **dict.fromkeys(("mcts", "bias", "hybrid"), "trees"),
    **dict.fromkeys(("simple", "osla", "seeker", "pommer", "user_agents"), "basic"),
}


def read_findings(agent: Agent, state: np.record, player: int, decision: Decision) -> Findings:
    """What the search of the agent's last decision found, which was this one on this state."""
    load_panels(type(agent))
    return read_search(agent, state, player, decision)


def load_panels(kind: type[Agent]) -> None:
    """Import the modules for an agent's class and those it is derived from."""
    for name in packages_of(kind):
        module = f"{__name__}.{FAMILIES.get(name, name)}"
        if find_spec(module) is not None:
            import_module(module)


def packages_of(kind: type) -> Iterator[str]:
    """`beam` for a class of `search.beam.agent`; also for classes it is derived from."""
    for each in kind.__mro__:
        _, *rest = reversed(each.__module__.split("."))
        yield from rest[:1]


def load_all_panels() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
