"""What every move cost: its value next to that of the best one, by a reference search.

On each turn the beam says what it would do. Where the player did something else, review searches for the best line
after each of both moves, twice: while the others do what they were expected to do, and while they do what they really
did. In both, the plans of the others are the same for both moves, and the lines have the same length, so their values
can be compared. The difference is the regret, in boxes: the beam's points divided by what a box in the middle of a line
is worth. The smaller of the two counts, so that no player is blamed for what it could not know, nor for what came to
nothing. No move costs more than the boxes that are left.

A move that looks like a mistake is searched again with twice the width; the smaller regret counts. The noise is how far
both are apart in nine of ten such moves: only what exceeds it is called a mistake.

What a mistake was worth can also be played: games from both moves, with a built-in agent in all seats. Both moves are
made with what the others really did on that turn. The agents search by nodes, so that it can be repeated, with more or
fewer of them in every decision, as in `play --from --games`: otherwise all would be the same game.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.errors import HsctlError
from engine.game import Game
from engine.position import box_count, player_of
from engine.rules import ACTION_NAMES
from engine.state import MAX_TURNS
from engine.variants import mates_of
from hsctl.analysis.review.deaths import names_of
from hsctl.analysis.review.document import FAILED, FAULT, VALUE, Chance, Doubt, Mistake, Review
from replays.playback import Playback, play_moves
from replays.replay import Limits, Move
from replays.text import counted
from search import make_agent
from search.agent import Budget
from search.beam.agent import BeamAgent
from search.beam.params import BeamParams
from search.beam.race import OPEN
from search.clock import Timer
from search.common.planning import Line, Plans
from search.spec import parse_spec

if TYPE_CHECKING:
    from hsctl.league.intervals import Rollout

NODES, QUICK_NODES = 12_000, 2_000
CHILDREN = 4  # of a state, about
OTHERS_SHARE = 3  # the part of the width that the others get
THREATS = 10  # times the nodes of a line: threats get a tenth of a budget
SUSPICIOUS = 0.25  # boxes: a move that costs more is searched again
AGAIN = 2  # times the width
LEAST = 1.7  # boxes that a mistake costs; chosen on games of beam, most of which stay below (docs/lab/evidence.md)
QUANTILE = 0.9  # of the differences between both searches: the noise
MOST_LINES = 12  # mistakes whose lines are searched
LOST = -100.0  # points, or less: the line dies

ROLLOUT_AGENT = "beam"
ROLLOUT_NODES = 600  # of a decision, on average
ROLLOUT_MISTAKES = 3  # the largest are played on

OnTurn = Callable[[float], None]


class Prospect(NamedTuple):
    """What the best line from a move on yields, while the others do what they really did."""

    boxes: int
    items: int
    line: tuple[int, ...]


@dataclass
class Regret:
    """A move that the reference would not have chosen."""

    turn: int
    played: int
    better: int
    first: float
    boxes: int  # left on the board: no move costs more
    again: float | None = None  # by the wider search; None: it was not suspicious
    prospects: tuple[Prospect, Prospect] | None = None  # of a mistake: after the better move, and after the played

    @property
    def cost(self) -> float:
        return min(self.first, self.boxes, self.first if self.again is None else self.again)


@dataclass
class Regrets:
    """All of a player's moves."""

    agent: str | None = None  # None: no search was made
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
        """Those that exceed the noise, worst first."""
        return sorted((each for each in self.differing if each.cost > self.threshold), key=lambda each: -each.cost)

    @property
    def doubtful(self) -> list[Regret]:
        """Those that looked like a mistake but are within the noise; the most costly first."""
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
    """The beam that judges moves, in three widths."""

    def __init__(self, text: str, nodes: int = NODES) -> None:
        params = parse_spec(text).params
        if not isinstance(params, BeamParams):
            raise HsctlError(f"--agent {text}: review counts in the points of beam; name beam, or beam with parameters")
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
        """What a player may do, and what that is worth to it, everybody else standing still."""
        return self.narrow.look_ahead(game.state, seat, {}, self.narrow.roots_of_other(game.state, seat))

    def best(self, position: JudgedTurn) -> int | None:
        """The first move of the best line, of those that hold against any answer of an opponent; None once the boxes
        are decided: then only survival counts."""
        state, seat = position.game.state, position.seat
        roots = self.usual.own_roots(state, seat, Timer(Budget(nodes=THREATS * self.nodes)), {})
        if self.usual.race != OPEN:
            return None
        actions = self.usual.look_ahead(state, seat, position.expected, roots).actions
        return actions[0] if actions else None

    def regret(self, position: JudgedTurn, better: int, played: int, beam: BeamAgent) -> float:
        """How much more the better move is worth than the played one, in boxes."""
        by_plans = position.expected, position.recorded
        return round(min(self.difference(position, plans, better, played, beam) for plans in by_plans) / self.box, 3)

    def difference(self, position: JudgedTurn, plans: Plans, better: int, played: int, beam: BeamAgent) -> float:
        """By these plans of the others; 0 if a line dies: that is not a question of value."""
        one, other = (
            beam.look_ahead(position.game.state, position.seat, plans, 1 << action).value for action in (better, played)
        )
        return 0.0 if one is None or other is None or min(one, other) < LOST else one - other

    def prospect(self, position: JudgedTurn, action: int) -> Prospect:
        """What an action leads to, by the widest search."""
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
    """A beam that searches in one pass of this width."""
    agent = make_agent(f"{text}{',' if ':' in text else ':'}start=0,width={width}")
    assert isinstance(agent, BeamAgent)
    return agent


def regrets_of(playback: Playback, seat: int, reference: ReferenceBeam, on_turn: OnTurn) -> Regrets:
    """Judge every turn that a player answered, then search what the mistakes led to."""
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
    for mistake in found.mistakes[:MOST_LINES]:
        plans = recorded_plans(playback, mistake.turn, seat, reference.horizon)
        position = JudgedTurn(playback.game_at(mistake.turn), seat, {}, plans)
        mistake.prospects = reference.prospect(position, mistake.better), reference.prospect(position, mistake.played)
    return found


def compare(position: JudgedTurn, turn: int, played: int, better: int, reference: ReferenceBeam) -> Regret:
    """Compare the played move with the better one; again if it looks like a mistake."""
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


# As documents


def value_mistakes(regrets: list[Regret], horizon: int) -> list[Mistake]:
    """Worst first; the same move in the same position again is the same mistake."""
    found: dict[tuple[float | None, ...], Mistake] = {}
    for regret in sorted(regrets, key=lambda each: (-each.cost, each.turn)):
        same = regret.played, regret.better, regret.first, regret.again
        if same in found:
            found[same].repeats.append(regret.turn)
        else:
            played, better = names_of((regret.played, regret.better))
            line = names_of(regret.prospects[0].line if regret.prospects else (regret.better,))
            why = why_costly(regret, horizon)
            found[same] = Mistake(regret.turn, VALUE, played, better, round(regret.cost, 2), why, line)
    return list(found.values())


def doubt_of(regret: Regret) -> Doubt:
    played, better = names_of((regret.played, regret.better))
    return Doubt(regret.turn, played, better, round(regret.cost, 2))


def why_costly(regret: Regret, horizon: int) -> str:
    """What the best lines after both moves yield."""
    if regret.prospects is None:
        return f"the best line after it is worth {regret.cost:.1f} boxes less"
    better, played = regret.prospects
    if better.boxes > played.boxes:
        gain = f"{count_boxes(better.boxes)} instead of {played.boxes}"
    elif better.items > played.items:
        gain = f"{counted(better.items, 'item')} instead of {played.items}"
    else:
        gain = "no more boxes, but earlier ones or a better place"
    return f"within {horizon} turns {gain}, by the best lines against what the others did"


def count_boxes(number: float) -> str:
    return f"{number:g} box{'' if number == 1 else 'es'}"


# Games played on


def add_chances(playback: Playback, review: Review, games: int) -> None:
    """Add the shares of won games to the largest mistakes; no game can continue from an error or a faulty answer."""
    moves = [mistake for mistake in review.mistakes if mistake.kind not in (FAILED, FAULT)]
    for mistake in moves[:ROLLOUT_MISTAKES]:
        sides = [
            chance_of(playback, review.player, mistake.turn, ACTION_NAMES.index(action), games)
            for action in (mistake.played, mistake.better)
        ]
        mistake.chance_played, mistake.chance_better = sides


def chance_of(playback: Playback, seat: int, turn: int, action: int, games: int) -> Chance:
    """How often the player comes first if the game continues from an action; a shared first place counts half."""
    from hsctl.league.intervals import estimate_chance

    start = playback.game_at(turn)
    moves = [Move(action) if at == seat else move for at, move in enumerate(playback.moves_at(turn))]
    play_moves(start, moves)
    found = estimate_chance([play_on(start, seat, number) for number in range(1, games + 1)])
    low, high = found.interval
    return Chance(found.wins, games, round(low, 4), round(high, 4), found.distinct)


def play_on(start: Game, seat: int, number: int) -> "Rollout":
    """A game from a position, which may be the last one; each number is another game."""
    from hsctl.budget import SPREAD
    from hsctl.league.intervals import Rollout
    from hsctl.match.players import read_player
    from hsctl.match.result import points_of
    from hsctl.match.runner import GameTask, play_once, team_size_of
    from replays.playback import start_of

    if start.is_over:
        return Rollout(points_of(start.ranks(), seat, team_size_of(start)), "")
    agent = read_player(ROLLOUT_AGENT)
    players = tuple(agent if at in start.living else None for at in range(start.seats))
    _, game = play_once(GameTask(players, Limits(nodes=ROLLOUT_NODES), number, start=start_of(start), spread=SPREAD))
    return Rollout(game.points(seat), game.course)
