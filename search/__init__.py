"""The players: agents that search on the shared core."""

from typing import TYPE_CHECKING

from search.spec import AGENTS, Spec, parse_spec

if TYPE_CHECKING:
    from search.agent import Agent

__all__ = ["AGENTS", "Spec", "make_agent", "parse_spec"]


def make_agent(spec: str | Spec) -> "Agent":
    """An agent from its text, as in `beam:paper,width=1000`."""
    from importlib import import_module

    from search.memory import check_memory
    from search.params import SpecError

    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    info = AGENTS[parsed.name]
    try:
        agent: Agent = getattr(import_module(info.module), info.class_name)(parsed.params)
    except MemoryError:
        raise SpecError(f"{parsed.text!r}: needs more memory than this machine has") from None
    check_memory(agent, parsed.text)
    return agent
