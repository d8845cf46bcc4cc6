"""What every move cost: its value beside that of the best, by a reference search.

On each turn the agent is asked what it would do. Where the player did something else, both moves are made, with what
the others really did on that turn, and the agent values both positions; the difference is the regret, in points of its
value (a box is about one point). It is measured again with half as many nodes more, and with what the agent expects the
others to do, so that nobody is blamed for what could not be known. The regret that counts is the smaller of both, never
more than the boxes that are left; how far both are apart over the whole game is the noise. What exceeds the noise is
looked at once more with four times the nodes, and counts only if it stays above.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.around.teams import mates_of
from engine.game import Game
from engine.position import box_count
from replays.playback import Playback, play_moves
from replays.replay import Move
from search import make_agent
from search.agent import Agent, Budget, Decision
from search.spec import parse_spec

NODES, QUICK_NODES = 4_000, 1_000
VALUE_SHARE = 8  # of the nodes: what the values by turn get
MORE = 1.5  # nodes of the repetition
CONFIRM = 4.0
MOST_CONFIRMED = 12  # moves that are looked at once more
LEAST = 1.0  # points; no more than that is no mistake whatever the noise
QUANTILE = 0.9  # of the differences between both searches: the noise

OnTurn = Callable[[float], None]


@dataclass
class Regret:
    """A move that was not the agent's choice."""

    turn: int
    played: int
    better: int
    first: float  # by the first search
    second: float  # by its repetition
    boxes: int  # left on the board: no move costs more
    confirmed: float | None = None

    @property
    def cost(self) -> float:
        return min(self.first, self.second, self.boxes, self.first if self.confirmed is None else self.confirmed)

    @property
    def spread(self) -> float:
        return abs(self.first - self.second)


@dataclass
class Regrets:
    """All of a player's moves."""

    agent: str
    nodes: int
    turns: int = 0  # that the player answered
    differing: list[Regret] = field(default_factory=list)
    values: list[list[float | None]] = field(default_factory=list)  # [seat][turn], None: dead

    @property
    def noise(self) -> float:
        """Points that a search is off, in nine of ten moves."""
        spreads = [regret.spread for regret in self.differing]
        return round(float(np.quantile(spreads, QUANTILE)), 3) if spreads else 0.0

    @property
    def threshold(self) -> float:
        return max(LEAST, self.noise)

    @property
    def mistakes(self) -> list[Regret]:
        """What exceeds the noise, worst first."""
        return sorted((each for each in self.differing if each.cost > self.threshold), key=lambda each: -each.cost)


class Reference:
    """The agent that is asked."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.name = parse_spec(spec).name
        self.agent: Agent = make_agent(spec)

    def decide(self, game: Game, seat: int, nodes: float) -> Decision:
        """As on a first turn: nothing is carried over."""
        self.agent.start_game(game.map, seat, 0, mates_of(game, seat))
        return self.agent.decide(game.state, seat, Budget(nodes=max(1, round(nodes))))

    def regret(self, game: Game, moves: list[Move | None], seat: int, better: int, played: int, nodes: float) -> float:
        """How much more the better move is worth than the one that was played."""
        values = [self.value_after(game, moves, seat, action, nodes) for action in (better, played)]
        return 0.0 if None in values else round(values[0] - values[1], 3)  # type: ignore[operator]

    def value_after(self, game: Game, moves: list[Move | None], seat: int, action: int, nodes: float) -> float | None:
        """None if the player is dead then, or nobody else is left: that is not a question of value."""
        after = game.copy()
        play_moves(after, [Move(action) if at == seat else move for at, move in enumerate(moves)])
        if seat not in after.living or after.is_over:
            return None
        return self.decide(after, seat, nodes).value


def regrets_of(playback: Playback, seat: int, reference: Reference, nodes: int, on_turn: OnTurn) -> Regrets:
    """Look at every turn that a player answered."""
    found = Regrets(reference.spec, nodes, values=[[] for _ in range(playback.seats)])
    for turn in range(playback.first_turn, playback.end_turn):
        game, move = playback.game_at(turn), playback.moves_at(turn)[seat]
        predicted = add_values(found, game, reference, seat, nodes / VALUE_SHARE)
        if move is not None and move.action is not None:
            found.turns += 1
            decision = reference.decide(playback.seen_at(turn, seat) or game, seat, nodes)
            if decision.action != move.action:
                both = move.action, decision.action
                found.differing.append(compare(playback, turn, seat, both, predicted, reference, nodes))
        on_turn(1)
    for regret in found.mistakes[:MOST_CONFIRMED]:
        game, moves = playback.game_at(regret.turn), playback.moves_at(regret.turn)
        regret.confirmed = reference.regret(game, moves, seat, regret.better, regret.played, CONFIRM * nodes)
    return found


def add_values(found: Regrets, game: Game, reference: Reference, seat: int, nodes: float) -> list[Move | None]:
    """What the position is worth to everybody, and what the others may do."""
    predicted: list[Move | None] = [None] * game.seats
    for other in range(game.seats):
        decision = reference.decide(game, other, nodes) if other in game.living else None
        found.values[other].append(None if decision is None else decision.value)
        predicted[other] = None if decision is None or other == seat else Move(decision.action)
    return predicted


def compare(
    playback: Playback,
    turn: int,
    seat: int,
    actions: tuple[int, int],
    predicted: list[Move | None],
    reference: Reference,
    nodes: int,
) -> Regret:
    """What was played and what is better, by both searches."""
    game, (played, better) = playback.game_at(turn), actions
    first = reference.regret(game, playback.moves_at(turn), seat, better, played, nodes)
    second = reference.regret(game, predicted, seat, better, played, MORE * nodes)
    return Regret(turn, played, better, first, second, box_count(game.state))
