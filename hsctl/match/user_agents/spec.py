"""Agents as they are written: built-in ones and user agents.

A worker reports the parameters of a user agent, once per process: no user code runs here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from engine.errors import HsctlError
from hsctl.match.user_agents.wire import Description, Request, Tunable
from search.params import Params, SpecError
from search.spec import AGENTS, Spec, apply_part, is_agent, parse_spec

if TYPE_CHECKING:
    from hsctl.match.bots.limits import BotLimits
    from search.agent import Agent

# How a user agent is written: a class in a file or a module, or a name that an installed package gives it.
#
# ./myagent.py:MyAgent,depth=3 a file mypkg.mymodule:MyAgent,depth=3 a module, found from the current folder or
# installed mine:depth=3 an entry point of the group `hsctl.agents`, written like a built-in agent


GROUP = "hsctl.agents"
FILE = re.compile(r"(?P<place>.+?\.py):(?P<class_name>[A-Za-z_]\w*)(?:,(?P<parts>.*))?", re.DOTALL)
MODULE = re.compile(r"(?P<place>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<class_name>[A-Za-z_]\w*)(?:,(?P<parts>.*))?")


@dataclass(frozen=True)
class Target:
    """Where a class is."""

    place: str  # a path that ends with .py, or the name of a module
    class_name: str
    is_installed: bool = False  # named by an installed package: the current folder must not stand in for that

    def __str__(self) -> str:
        return f"{self.place}:{self.class_name}"

    @property
    def file(self) -> Path | None:
        """The file, if it is one that is named."""
        return Path(self.place) if self.place.endswith(".py") else None


@dataclass(frozen=True)
class Written:
    """A text taken apart: the name of the player, the class and the parts behind them."""

    name: str
    target: Target
    parts: str


@lru_cache(1)
def installed() -> dict[str, Target]:
    """What installed packages offer, by name."""
    from importlib.metadata import entry_points

    return {each.name: Target(each.module, each.attr, True) for each in entry_points(group=GROUP)}


def take_apart(text: str) -> Written | None:
    """None if the text is not a user agent. A path with a space in it must exist: else it is a command line."""
    match = FILE.fullmatch(text)
    if match and (not re.search(r"\s", match["place"]) or Path(match["place"]).is_file()):
        return written(match)
    name, _, parts = text.partition(":")
    if name.isidentifier() and name in installed():
        return Written(name, installed()[name], parts)
    match = MODULE.fullmatch(text)
    return written(match) if match else None


def written(match: re.Match[str]) -> Written:
    target = Target(match["place"], match["class_name"])
    return Written(str(target), target, match["parts"] or "")


@dataclass(frozen=True)
class UserSpec(Spec):
    """A user agent, as it was written."""

    target: Target = field(kw_only=True)


def names_agent(text: str) -> bool:
    """Whether the text names an agent, built-in or of a user (it may still not exist)."""
    return is_agent(text) or take_apart(text) is not None


def names_own_place(text: str) -> bool:
    """Whether the text is the place of a user agent, not the name of a known agent."""
    return names_agent(text) and not names_known(text)


def names_known(text: str) -> bool:
    """Whether the text names a built-in agent or one that an installed package offers: no code of the text's choice."""
    written = None if is_agent(text) else take_apart(text)
    return is_agent(text) if written is None else written.name in installed()


def read_spec(text: str) -> Spec:
    """Any agent from its text."""
    written = None if is_agent(text) else take_apart(text)
    if written is None:
        return parse_spec(text)
    spec: Spec = UserSpec(text, written.name, params_of(written.target)(), target=written.target)
    for part in filter(None, written.parts.split(",")):
        try:
            spec = apply_part(spec, part)
        except SpecError as error:
            raise SpecError(f"{text!r}: {error}") from None
    return spec


def make_agent(spec: Spec, bot_limits: "BotLimits | None" = None) -> "Agent":
    """Any agent; `bot_limits` are for workers."""
    if isinstance(spec, UserSpec):
        from hsctl.match.user_agents.agent import UserAgent

        return UserAgent(spec, bot_limits)
    from search import make_agent as make_built_in

    return make_built_in(spec)


def agent_names() -> list[str]:
    """The agents that can be named without saying where they are."""
    return [*AGENTS, *(name for name in installed() if name not in AGENTS)]


# What a worker says of a class


def params_of(target: Target) -> type[Params]:
    return params_type(encoded_description(target))


def describe(target: Target) -> Description:
    return msgspec.json.decode(encoded_description(target), type=Description)


@lru_cache(None)
def encoded_description(target: Target) -> bytes:
    from hsctl.match.user_agents.agent import MAKING_S, Connection

    connection = Connection(str(target), target)
    try:
        result, _ = connection.ask(Request("describe"), MAKING_S)
        return msgspec.json.encode(msgspec.convert(result, Description))
    except msgspec.ValidationError as error:
        raise SpecError(f"{str(target)!r}: its PARAMS can't be read: {error}") from None
    except HsctlError as error:
        known = ", ".join(agent_names())
        is_missing = f"there is no module {target.place}" in str(error)
        raise SpecError(f"{error}; the agents are: {known}" if is_missing else str(error)) from None
    finally:
        connection.close()


@lru_cache(None)
def params_type(encoded: bytes) -> type[Params]:
    """The Params of a description, such as can be sent to other processes."""
    description = msgspec.json.decode(encoded, type=Description)
    columns = [(each.name, type(each.default), field_of(each)) for each in description.tunables]
    namespace = {
        "PRESETS": description.presets,
        "SPARRING": description.sparring,
        "__reduce__": lambda self: (restore, (encoded, self.as_dict())),
    }
    made: type[Params] = make_dataclass("OwnParams", columns, bases=(Params,), namespace=namespace, frozen=True)
    return made


def field_of(tunable: Tunable) -> Any:
    said = {name: getattr(tunable, name) for name in ("meaning", "source", "least", "most")}
    return field(default=tunable.default, metadata=said)


def restore(encoded: bytes, values: Mapping[str, Any]) -> Params:
    """Parameters that came from another process."""
    return params_type(encoded)(**values)
