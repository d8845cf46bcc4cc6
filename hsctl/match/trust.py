"""Which recorded players may run: the one decision between a file and a command.

    built-in and installed agents            always: a name, not code
    commands, ghosts, agents by their place  if hsctl saved this very file for this user, or the user says --trust

Trust belongs to each player, not to the file alone. A game that is played on from a file of a stranger is saved by
hsctl, but the players it takes over, those of its parents and the dead among them, are marked as foreign. So are
players that ran by --trust: the next call asks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hsctl.match.user_agents.spec import names_known
from replays.replay import Parent, PlayerInfo
from replays.store import is_vouched

if TYPE_CHECKING:
    from replays.playback import Playback


@dataclass(frozen=True)
class Trust:
    """How far the players of a record are trusted."""

    is_saved_here: bool  # the journal has the digest of the whole file
    is_given: bool = False  # by the user, with --trust

    def may_run(self, info: PlayerInfo) -> bool:
        """Whether a recorded player may run now."""
        return self.is_given or not self.is_foreign(info)

    def is_foreign(self, info: PlayerInfo) -> bool:
        """Whether a recorded player runs only with --trust."""
        is_known = info.is_agent and names_known(info.spec)
        return not is_known and (info.is_foreign or not self.is_saved_here)

    def keep(self, infos: Sequence[PlayerInfo]) -> list[PlayerInfo]:
        """The players as another file takes them over: hsctl saves it, and must not vouch for a stranger's commands.

        --trust holds for one call, so it changes nothing here.
        """
        return [replace(info, is_foreign=self.is_foreign(info)) for info in infos]

    def keep_parents(self, parent: Parent | None) -> Parent | None:
        """A parent and its own parents, taken over in the same way."""
        kept: list[Parent] = []
        while parent is not None:
            kept.append(replace(parent, players=self.keep(parent.players)))
            parent = parent.parent
        for child, older in pairwise(kept):
            child.parent = older
        return kept[0] if kept else None


NOBODY = Trust(False)  # for records of no file


def trust_in(playback: "Playback", is_given: bool = False) -> Trust:
    return Trust(playback.digest is not None and is_vouched(playback.digest), is_given)
