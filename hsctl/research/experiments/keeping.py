"""What was seen in games that an experiment watches, kept beside the ledger, so that it can be stopped and resumed.

A ledger keeps how a game ended, not what somebody watched in it. Here every watched game is a line of JSON, found again
by a key; the line that was being written when the process was killed is left out.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from engine.compile.sources import digest_of
from engine.errors import HsctlError
from hsctl.budget import CLOCKS
from hsctl.league.identity import Identity, key_of, sittings_of, version_of_game
from hsctl.match.players import read_player
from replays.files import read_source
from replays.replay import Limits
from search import make_agent
from search.agent import Agent

SUFFIX = ".watched"


class Watched:
    """All watched games that are kept, by key."""

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(ledger.name + SUFFIX)
        self._kept: dict[str, Any] = {}
        data = read_source(self.path, "a ledger with its watched games") if self.path.exists() else b""
        for line in data.splitlines():
            with suppress(ValueError, TypeError, RecursionError):  # cut off, or never written by hsctl
                key, seen = json.loads(line)
                self._kept[key] = seen

    def get(self, key: str, watch: Callable[[], Any]) -> Any:
        """What was seen in a game; if it isn't kept, it is played by `watch` and kept."""
        if key not in self._kept:
            seen = watch()
            try:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(f"\n{json.dumps([key, seen])}")  # a new line first: the last one may have been cut off
            except OSError as error:
                raise HsctlError(f"{self.path}: {error.strerror}, expected a file that can be written") from None
            self._kept[key] = json.loads(json.dumps(seen))
        return self._kept[key]


def key_of_watched(seed: int, specs: Sequence[str], limits: Limits, watcher: str) -> str:
    """Which game it is, and who watches: a module, by what it and all that it imports of its room say."""
    players = [read_player(spec) for spec in specs]
    identity = Identity(seed, tuple(sittings_of(players)), limits, hsctl=version_of_game(players, limits))
    return key_of(identity.encode() + digest_of([watcher]))


@cache
def warm_agent(spec: str, seat: int, clock: str) -> Agent:
    """An agent for games that are watched, made and compiled when the first of them isn't kept; one for each seat."""
    agent = make_agent(spec)
    agent.clock = CLOCKS[clock]
    agent.warm_up()
    return agent
