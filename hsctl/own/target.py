"""How an agent of one's own is written: a class in a file or a module, or a name that an installed package gives it.

./myagent.py:MyAgent,depth=3         a file
mypkg.mymodule:MyAgent,depth=3       a module, found from the current folder or installed
mine:depth=3                         an entry point of the group `hsctl.agents`, written like a built-in agent
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

GROUP = "hsctl.agents"
FILE = re.compile(r"(?P<place>.+?\.py):(?P<class_name>[A-Za-z_]\w*)(?:,(?P<parts>.*))?", re.DOTALL)
MODULE = re.compile(r"(?P<place>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<class_name>[A-Za-z_]\w*)(?:,(?P<parts>.*))?")


@dataclass(frozen=True)
class Target:
    """Where a class is."""

    place: str  # a path that ends with .py, or the name of a module
    class_name: str

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

    return {each.name: Target(each.module, each.attr) for each in entry_points(group=GROUP)}


def take_apart(text: str) -> Written | None:
    """None if the text is no agent of one's own. A path with a space in it must exist: else it is a command line."""
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
