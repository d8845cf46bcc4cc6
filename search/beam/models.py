"""Models of the others: the weights that each of them seems to play by.

Every turn a narrow pass computes, for each model, the move it would have made a turn ago in the place of each other
player, and compares it with the real move. The model that has been right most often, older turns counting less, plans
for that player from then on. So opponents with other weights are foreseen as well as copies of ourselves.

With more than two players there are no models: they take a third of the time and cost places (docs/lab/strength.md).

A decision with less than about 18,000 nodes, or without time for it, asks no model. The next one that can catches up,
the oldest turn first. So the number of turns compared determines all that the models know, and a decision records that
number unless all turns are compared.
"""

import numpy as np

from engine.board import NEIGHBOURS
from engine.jit import entry
from engine.rules import BOMB
from engine.state import bomb_in, cell_of, copy_state, row_in
from search.beam.expand import LAST_DROPPED
from search.beam.params import BeamParams
from search.common.evaluate import make_weights

OWN = "own"  # plays by our weights
MODELS = (OWN, "scaled", "eighth", "third")  # presets whose weights count, after our own
WIDTH, DEPTH = 20, 16  # of a model's pass
NODES = 1600  # about, of that pass
MEMORY = 0.98  # how much less a turn counts for each one after it
HEAD_START = 1.0  # turns by which another model must have done better than our own


@entry
def action_between(before, after, player):
    """The action of a player between two consecutive turns; it must be alive on both."""
    home, to = cell_of(before.players[player]), cell_of(after.players[player])
    action = BOMB if bomb_in(after.bombs[row_in(after, LAST_DROPPED)], player) != 0 else 0
    for move in range(BOMB):
        if NEIGHBOURS[home, move] == to:
            return action + move
    return action


class Models:
    """The models' results in a game."""

    def __init__(self) -> None:
        self.weights = {name: make_weights(BeamParams(**BeamParams.PRESETS[name])) for name in MODELS[1:]}
        self.forget()

    def forget(self) -> None:
        """Start another game."""
        self.turns: list[np.record] = []  # that were seen
        self.known = 0  # rounds between them that were compared
        self.others = 0  # on the first turn: all other players of the game
        self.asked: dict[int, float] = {}  # player -> turns compared, each by what it counts
        self.right: dict[int, dict[str, float]] = {}  # player -> those in which each model was right

    @property
    def rounds(self) -> int:
        """How many rounds lie between the turns that were seen."""
        return max(0, len(self.turns) - 1)

    def see(self, state: np.record) -> None:
        """Add a turn of the game."""
        if not self.turns:
            self.others = int(np.count_nonzero(state.players)) - 1
        self.turns.append(copy_state(state))

    def add(self, other: int, answers: dict[str, bool]) -> None:
        """Add which models were right about a turn of a player."""
        self.asked[other] = MEMORY * self.asked.get(other, 0.0) + 1.0
        known = self.right.get(other, {})
        self.right[other] = {name: MEMORY * known.get(name, 0.0) + is_right for name, is_right in answers.items()}

    def best_for(self, other: int) -> str:
        """The model that has foreseen a player best."""
        known = self.right.get(other, {})
        return max(MODELS, key=lambda name: known.get(name, 0.0) + HEAD_START * (name == OWN))

    def share_right(self, other: int) -> float | None:
        """The weighted share of turns in which that model was right; None before there are any."""
        return self.right[other][self.best_for(other)] / self.asked[other] if other in self.asked else None
