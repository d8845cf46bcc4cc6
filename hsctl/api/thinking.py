"""An agent for Python: made from its text, it decides on games.

>>> import hsctl
>>> random = hsctl.make_agent("random")
>>> game = hsctl.Game.from_seed(1)
>>> random.decide(game, 0).action in game.legal_actions(0)
True
"""

from engine.variants import mates_of
from hsctl.api.game import Game
from hsctl.budget import UNLIMITED_MS, budget_of
from hsctl.match.user_agents.spec import make_agent as make
from hsctl.match.user_agents.spec import read_spec
from search.agent import Budget, Decision


class Thinker:
    """An agent that is asked about games. `agent` is the agent itself."""

    def __init__(self, text: str) -> None:
        self.spec = read_spec(text)
        self.agent = make(self.spec)
        self._last: tuple[bytes, int, tuple[int, ...], int, int] | None = None  # map, player, mates, seed and last turn

    def decide(self, game: Game, player: int, budget: Budget | None = None, seed: int = 0) -> Decision:
        """What the agent would do. Without a budget it has its own (`beam:nodes=1000`), or 100 ms.

        Asked about later turns of one game, it goes on from what it carried; asked about anything else, it starts anew.
        """
        if player not in game.living:
            from engine.errors import HsctlError

            raise HsctlError(f"player {player} is not on the board; {game.living} are")
        mates = mates_of(game, player)
        board = game.map.tobytes(), player, mates, seed
        if self._last is None or self._last[:-1] != board or self._last[-1] >= game.turn:
            self.agent.start_game(game.map, player, seed, mates)
        self._last = *board, game.turn
        return self.agent.decide(game.state, player, budget or budget_of(self.spec, UNLIMITED_MS, None))

    def __repr__(self) -> str:
        return f"<agent {self.spec.text}>"


def make_agent(text: str) -> Thinker:
    """An agent by its text, as on the command line: `beam:paper,width=500`, `./myagent.py:MyAgent`."""
    return Thinker(text)
