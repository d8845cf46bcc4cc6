"""What every move cost: its value beside that of the best, by a reference search.

On each turn the beam says what it would do. Where the player did something else, the best line after each of both moves
is searched for, twice: while the others do what they were expected to do, and while they do what they really did. In
both the plans of the others are the same for both moves, and lines have the same length, so that their values can be
compared. The difference is the regret, in boxes: the beam's points by what a box in the middle of a line is worth. The
smaller of the two counts, so that nobody is blamed for what could not be known, nor for what came to nothing; and no
move costs more than the boxes that are left.

What looks like a mistake is looked at again, with a search of twice the width; the smaller regret counts. How far both
are apart, in nine of ten, is the noise: only what exceeds it is called a mistake.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.errors import HsctlError
from engine.game import Game
from engine.position import box_count, player_of
from engine.state import MAX_TURNS
from engine.variants import mates_of
from replays.playback import Playback
from search import make_agent
from search.agent import Budget
from search.beam.agent import BeamAgent
from search.beam.params import BeamParams
from search.beam.race import OPEN
from search.clock import Timer
from search.common.planning import Line, Plans
from search.spec import parse_spec

NODES, QUICK_NODES = 12_000, 2_000
CHILDREN = 4  # of a state, about
OTHERS_SHARE = 3  # the part of the width that the others get
THREATS = 10  # times the nodes: as many as a line has for what a rival may answer, which is a tenth of a budget
SUSPICIOUS = 0.25  # boxes: what exceeds it is looked at again
AGAIN = 2  # times the width
LEAST = 1.7  # boxes, chosen on games of beam, most of which stay below (docs/lab/evidence.md); no more is no mistake
QUANTILE = 0.9  # of the differences between both searches: the noise
MOST_TOLD = 12  # mistakes whose lines are looked at
LOST = -100.0  # points, or less: a line that does not live

OnTurn = Callable[[float], None]


class Prospect(NamedTuple):
    """What the best line from a move on brings, while the others do what they really did."""

    boxes: int
    items: int
    line: tuple[int, ...]


@dataclass
class Regret:
    """A move that was not the reference's choice."""

    turn: int
    played: int
    better: int
    first: float
    boxes: int  # left on the board: no move costs more
    again: float | None = None  # by the wider search; None: it was not suspicious
    prospects: tuple["Prospect", "Prospect"] | None = None  # of a mistake: after the better move, and after the played

    @property
    def cost(self) -> float:
        return min(self.first, self.boxes, self.first if self.again is None else self.again)


@dataclass
class Regrets:
    """All of a player's moves."""

    agent: str | None = None  # None: nobody was asked
    nodes: int = 0
    horizon: int = 0  # turns that a line is long
    turns: int = 0  # that the player answered
    differing: list[Regret] = field(default_factory=list)
    values: list[list[float | None]] = field(default_factory=list)  # [seat][turn], None: dead

    @property
    def noise(self) -> float:
        """Boxes that a search is off, in nine of ten moves that looked like mistakes."""
        spreads = [abs(each.first - each.again) for each in self.differing if each.again is not None]
        return round(float(np.quantile(spreads, QUANTILE)), 3) if spreads else 0.0

    @property
    def threshold(self) -> float:
        return max(LEAST, self.noise)

    @property
    def mistakes(self) -> list[Regret]:
        """What exceeds the noise, worst first."""
        return sorted((each for each in self.differing if each.cost > self.threshold), key=lambda each: -each.cost)

    @property
    def doubtful(self) -> list[Regret]:
        """What looked like a mistake, and is within the noise; what may have cost most first."""
        found = [each for each in self.differing if SUSPICIOUS < each.cost <= self.threshold]
        return sorted(found, key=lambda each: (-each.cost, each.turn))


@dataclass(frozen=True)
class JudgedTurn:
    """A turn of the player, with the plans of the others from there on."""

    game: Game
    seat: int
    expected: Plans
    recorded: Plans


class ReferenceBeam:
    """The beam that is asked, in three widths."""

    def __init__(self, text: str, nodes: int = NODES) -> None:
        params = parse_spec(text).params
        if not isinstance(params, BeamParams):
            raise HsctlError(f"--agent {text}: expected beam, or beam with parameters: review counts in its points")
        self.text, self.nodes = text, nodes
        self.horizon = params.horizon or MAX_TURNS
        self.box = (params.box or 1.0) * (1 + params.early * self.horizon / 2)  # points in the middle of a line
        width = max(1, nodes // (CHILDREN * self.horizon))
        self.usual = beam_of(text, width)
        self.wide = beam_of(text, AGAIN * width)
        self.narrow = beam_of(text, max(1, width // OTHERS_SHARE))

    def warm_up(self) -> None:
        """Load or compile all kernels."""
        self.narrow.warm_up()

    def start(self, game: Game, seat: int) -> None:
        for beam in (self.usual, self.wide, self.narrow):
            beam.start_game(game.map, seat, 0, mates_of(game, seat))

    def in_boxes(self, value: float | None) -> float | None:
        return None if value is None else round(max(LOST, value) / self.box, 3)

    def expect(self, game: Game, seat: int) -> Line:
        """What a player may do, and what it is worth to them, everybody else standing still."""
        return self.narrow.look_ahead(game.state, seat, {}, self.narrow.roots_of_other(game.state, seat))

    def best(self, position: JudgedTurn) -> int | None:
        """The first move of the best line, of those that hold against whatever a rival answers; None once the boxes
        are decided: then only survival counts."""
        state, seat = position.game.state, position.seat
        roots = self.usual.own_roots(state, seat, Timer(Budget(nodes=THREATS * self.nodes)), {})
        if self.usual.race != OPEN:
            return None
        actions = self.usual.look_ahead(state, seat, position.expected, roots).actions
        return actions[0] if actions else None

    def regret(self, position: JudgedTurn, better: int, played: int, beam: BeamAgent) -> float:
        """How much more the better move is worth than the one that was played, in boxes."""
        by_plans = position.expected, position.recorded
        return round(min(self.difference(position, plans, better, played, beam) for plans in by_plans) / self.box, 3)

    def difference(self, position: JudgedTurn, plans: Plans, better: int, played: int, beam: BeamAgent) -> float:
        """By these plans of the others; 0 if a line doesn't live: that is not a question of value."""
        one, other = (
            beam.look_ahead(position.game.state, position.seat, plans, 1 << action).value for action in (better, played)
        )
        return 0.0 if one is None or other is None or min(one, other) < LOST else one - other

    def prospect(self, position: JudgedTurn, action: int) -> Prospect:
        """What comes of an action, by the widest search."""
        plans, game, seat = position.recorded, position.game.copy(), position.seat
        line = self.wide.look_ahead(game.state, seat, plans, 1 << action).actions
        boxes, items = game.boxes[seat], 0
        for turn, own in enumerate(line):
            planned = {at: plan[turn] for at, plan in plans.items() if turn < len(plan)}
            lay = {item.cell for item in game.items}
            game.step([own if at == seat else planned.get(at, 0) for at in range(game.seats)])
            me = player_of(game.state, seat)
            items += me is not None and me.cell in lay
        return Prospect(game.boxes[seat] - boxes, items, tuple(line))


def beam_of(text: str, width: int) -> BeamAgent:
    """One that searches in one pass of this width."""
    agent = make_agent(f"{text}{',' if ':' in text else ':'}start=0,width={width}")
    assert isinstance(agent, BeamAgent)
    return agent


def regrets_of(playback: Playback, seat: int, reference: ReferenceBeam, on_turn: OnTurn) -> Regrets:
    """Look at every turn that a player answered, then at what the mistakes led to."""
    found = Regrets(reference.text, reference.nodes, reference.horizon, values=[[] for _ in range(playback.seats)])
    reference.start(playback.game_at(playback.first_turn), seat)
    for turn in range(playback.first_turn, playback.end_turn):
        game, move = playback.game_at(turn), playback.moves_at(turn)[seat]
        lines = {at: reference.expect(game, at) for at in game.living}
        for at, values in enumerate(found.values):
            values.append(reference.in_boxes(lines[at].value) if at in lines else None)
        if move is not None and move.action is not None:
            found.turns += 1
            plans = {at: line.actions for at, line in lines.items() if at != seat}
            position = JudgedTurn(game, seat, plans, recorded_plans(playback, turn, seat, reference.horizon))
            better = reference.best(position)
            if better is not None and better != move.action:
                found.differing.append(compare(position, turn, move.action, better, reference))
        on_turn(1)
    for mistake in found.mistakes[:MOST_TOLD]:
        plans = recorded_plans(playback, mistake.turn, seat, reference.horizon)
        position = JudgedTurn(playback.game_at(mistake.turn), seat, {}, plans)
        mistake.prospects = reference.prospect(position, mistake.better), reference.prospect(position, mistake.played)
    return found


def compare(position: JudgedTurn, turn: int, played: int, better: int, reference: ReferenceBeam) -> Regret:
    """What was played and what is better; once more if it looks like a mistake."""
    first = reference.regret(position, better, played, reference.usual)
    again = reference.regret(position, better, played, reference.wide) if first > SUSPICIOUS else None
    return Regret(turn, played, better, first, box_count(position.game.state), again)


def recorded_plans(playback: Playback, turn: int, seat: int, horizon: int) -> Plans:
    """What the others really did from this turn on."""
    plans: Plans = {}
    for each in range(turn, min(turn + horizon, playback.end_turn)):
        for at, move in enumerate(playback.moves_at(each)):
            if move is not None and at != seat:
                plans.setdefault(at, []).append(move.action or 0)
    return plans
