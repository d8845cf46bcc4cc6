"""A whole run: the rules one by one, then the stream of states; the first difference is shrunk."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from engine.board import DELTAS, HEIGHT, WIDTH
from engine.game import Game, pack_actions
from engine.maps import START_BOMBS, START_RANGE
from engine.position import Bomb, Cell, Player, bombs_on, boxes_on, items_on, living_players
from engine.rules import ACTIONS, BOMB, play_round
from engine.spec.wild import below, careful_actions, make_position, new_random, random_actions
from engine.state import MAX_PLAYERS, MAX_TURNS, new_map, new_state, new_states
from hsctl.testing.conform.case import (
    Actions,
    Case,
    Position,
    PositionDifference,
    differences,
    format_actions,
    play_reference,
)
from hsctl.testing.conform.rules import RULES, Rule
from hsctl.testing.conform.simulator import NoAnswerError, Simulator
from replays.playback import Playback

# A case played by a simulator and by the specification, up to the first round on which they differ.


class RoundOutcome(NamedTuple):
    """How a round went wrong: theirs is another position, or there is none and `failure` says why."""

    number: int  # of the round within its case, from 0
    before: Position
    actions: Actions
    ours: Position
    theirs: Position | None
    differences: list[PositionDifference]
    failure: str = ""
    is_timeout: bool = False


def play(simulator: Simulator, case: Case, with_scores: bool = True) -> RoundOutcome | None:
    """The first round that goes wrong; None if all rounds are as they should be."""
    played = list(play_reference(case))
    answers = simulator.ask(case.start, [format_actions(before.players, actions) for before, actions, _ in played])
    for number, (before, actions, ours) in enumerate(played):
        try:
            theirs = next(answers)
        except NoAnswerError as error:
            return RoundOutcome(number, before, actions, ours, None, [], str(error), error.is_timeout)
        if not with_scores:
            theirs = theirs._replace(scored=None)
        if found := differences(ours, theirs):
            return RoundOutcome(number, before, actions, ours, theirs, found)
    return None


# The smallest case that still goes wrong: fewer rounds, then fewer things on the board, until nothing can be spared.
#
# Parts are left out in large pieces first, then one by one (delta debugging); a case that still goes wrong replaces the
# one before it. What goes wrong may be another thing then; it is wrong all the same.


IsWrong = Callable[[Case], bool]
FIELDS = ("boxes", "items", "bombs", "players")
PLAIN = (  # numbers, and how small they may become
    ("bombs", "range", START_RANGE),
    ("players", "range", START_RANGE),
    ("players", "bombs_left", START_BOMBS),
)


def shrink(case: Case, is_wrong: IsWrong, most_trials: int) -> Case:
    """A case that `is_wrong` and of which nothing can be spared; asks at most so many times.

    The case given has to go wrong on its last round.
    """
    trials = iter(range(most_trials))

    def ask(candidate: Case) -> bool:
        return next(trials, None) is not None and is_wrong(candidate)

    case = start_late(case, ask)
    while True:
        smaller = case
        for field in FIELDS:
            smaller = leave_out(smaller, field, ask)
        smaller = simplify(smaller, ask)
        if smaller == case:
            return case
        case = smaller


def start_late(case: Case, ask: IsWrong) -> Case:
    """The fewest of the last rounds that go wrong from the specification's own position."""
    starts = [before for before, _, _ in play_reference(case)]
    for at in range(len(starts) - 1, 0, -1):
        candidate = Case(starts[at]._replace(scored=None), case.rounds[at:])
        if ask(candidate):
            return candidate
    return case


def leave_out(case: Case, field: str, ask: IsWrong) -> Case:
    """Without every box, item, bomb or player that can be spared, tried in ever smaller pieces."""
    parts = parts_of(case, field)
    size = len(parts)
    while size:
        at = 0
        while at < len(parts):
            rest = parts[:at] + parts[at + size :]
            if ask(with_parts(case, field, rest)):
                parts = rest
            else:
                at += size
        size //= 2
    return with_parts(case, field, parts)


def parts_of(case: Case, field: str) -> list[Any]:
    value = getattr(case.start, field)
    return list(value.items()) if field == "boxes" else list(value)


def with_parts(case: Case, field: str, parts: list[Any]) -> Case:
    """The case with these boxes, items, bombs or players instead of its own; only players act."""
    made: Any = dict(parts) if field == "boxes" else tuple(parts)
    start = case.start._replace(**{field: made})
    seats = {player.id for player in start.players}
    rounds = ({seat: action for seat, action in actions.items() if seat in seats} for actions in case.rounds)
    return Case(start, tuple(rounds))


def simplify(case: Case, ask: IsWrong) -> Case:
    """With the plainest contents, numbers and actions that still go wrong."""
    while (plainer := next(filter(ask, plainer_cases(case)), None)) is not None:
        case = plainer
    return case


def plainer_cases(case: Case) -> Iterator[Case]:
    """The case with one thing plainer: a box empty, a range 3, one bomb in hand, an action less."""
    for number, actions in enumerate(case.rounds):
        for player, action in actions.items():
            for plainer in sorted({0, action % BOMB} - {action}):
                rounds = [*case.rounds[:number], {**actions, player: plainer}, *case.rounds[number + 1 :]]
                yield replace(case, rounds=tuple(rounds))
    start = case.start
    for cell, content in start.boxes.items():
        if content:
            yield replace(case, start=start._replace(boxes={**start.boxes, cell: 0}))
    for field, name, least in PLAIN:
        things = parts_of(case, field)
        for at, thing in enumerate(things):
            if getattr(thing, name) > least:
                plain = thing._replace(**{name: least})
                yield with_parts(case, field, [*things[:at], plain, *things[at + 1 :]])


# A drawn case as it is sent: in several mirror images, with other seats, and never with fewer than two players.
#
# A simulator may be right in one direction and wrong in another. And it may rely on there being two players, as there
# are in every input of the arena: bystanders that do nothing join a drawing with fewer.


LEAST_PLAYERS = 2
STANDS = [(x, y) for y in range(HEIGHT - 1, -1, -2) for x in range(WIDTH - 1, -1, -2)]  # the far corner first


def flip_x(cell: Cell) -> Cell:
    return WIDTH - 1 - cell[0], cell[1]


def flip_y(cell: Cell) -> Cell:
    return cell[0], HEIGHT - 1 - cell[1]


def swap_axes(cell: Cell) -> Cell:
    return cell[1], cell[0]


def variants_of(case: Case) -> Iterator[Case]:
    """As it is drawn first, then its images; never with fewer than two players."""
    for to, is_reversed in images(case.start):
        yield with_bystanders(case_image(case, to, is_reversed))


def images(start: Position) -> Iterator[tuple[Callable[[Cell], Cell], bool]]:
    """Where cells go, and whether seats are reversed: each of the four directions comes to point into every other."""
    yield lambda cell: cell, False
    yield flip_x, True
    yield flip_y, False
    if all(max(cell) < HEIGHT for cell in start.cells):
        yield swap_axes, True
        yield lambda cell: flip_y(swap_axes(cell)), False


def case_image(case: Case, to: Callable[[Cell], Cell], is_reversed: bool) -> Case:
    def action_of(action: int) -> int:
        (zero_x, zero_y), (x, y) = to((0, 0)), to(DELTAS[action % BOMB])
        return DELTAS.index((x - zero_x, y - zero_y)) + action // BOMB * BOMB

    rounds = (
        {seat_of(seat, is_reversed): action_of(action) for seat, action in actions.items()} for actions in case.rounds
    )
    return Case(position_image(case.start, to, is_reversed), tuple(rounds))


def position_image(position: Position, to: Callable[[Cell], Cell], is_reversed: bool) -> Position:
    def moved(thing: Any, **seat: int) -> Any:
        x, y = to(thing.cell)
        return thing._replace(x=x, y=y, **seat)

    return Position(
        {to(cell): content for cell, content in position.boxes.items()},
        tuple(moved(player, id=seat_of(player.id, is_reversed)) for player in position.players),
        tuple(moved(bomb, owner=seat_of(bomb.owner, is_reversed)) for bomb in position.bombs),
        tuple(map(moved, position.items)),
        position.scored and position.scored[:: -1 if is_reversed else 1],
    ).sorted()


def seat_of(seat: int, is_reversed: bool) -> int:
    return MAX_PLAYERS - 1 - seat if is_reversed else seat


def with_bystanders(case: Case) -> Case:
    """The case with two players at least, as far as seats are free: those that join own no bomb and are not hit."""
    for seat in range(MAX_PLAYERS):
        start = case.start
        taken = {*(player.id for player in start.players), *(bomb.owner for bomb in start.bombs)}
        if len(start.players) < LEAST_PLAYERS and seat not in taken:
            case = next(joined for joined in joined_by(case, seat) if is_left_alone(joined, seat))
    return case


def joined_by(case: Case, seat: int) -> Iterator[Case]:
    """The case with one player more, at one place after the other."""
    start = case.start
    for x, y in STANDS:
        if (x, y) not in start.cells:
            player = Player(seat, x, y, START_BOMBS, START_RANGE, 0)
            yield replace(case, start=start._replace(players=tuple(sorted((*start.players, player)))))


def is_left_alone(case: Case, seat: int) -> bool:
    """Whether a player that never moves lives through all of it."""
    return all(any(player.id == seat for player in after.players) for _, _, after in play_reference(case))


# States without end: games on the arena's boards and wild positions in turn, repeatable by their seed; recorded games.
#
# Wild positions are made to be possible: what no game can reach (an item under a player, bombs of different timers on
# one cell, a range below 3) says nothing about a simulator.


WILD_ROUNDS = 6
GAME_ROUNDS = 10  # of a game that go into one case
GAME_BOMBS = 30  # percent of actions
WHIMS = 40  # percent of actions


def stream(seed: int) -> Iterator[Case]:
    """Games and wild positions in turn."""
    for games, wild in zip(game_cases(seed), wild_cases(seed), strict=False):
        yield games
        yield wild


def game_cases(seed: int) -> Iterator[Case]:
    """Games of two, three and four players that drop many bombs and try not to die of them."""
    random, room = new_random(seed), new_states(1)
    for number in count():
        game = Game.start(seed + number, 2 + number % 3)
        state, map_ = game.state, game.map
        while len(living_players(state)) > 1 and state.turn < MAX_TURNS:
            start, rounds = position_of(state, map_), list[Actions]()
            while len(rounds) < GAME_ROUNDS and len(living_players(state)) > 1:
                actions = careful_actions(state, map_, random, GAME_BOMBS, room)
                rounds.append(unpack_actions(int(actions)))
                play_round(state, map_, actions)
            yield Case(start, tuple(rounds))


def wild_cases(seed: int) -> Iterator[Case]:
    """A few rounds from positions that are crowded or empty, rich or poor, full of bombs or of boxes."""
    random = new_random(seed)
    state, map_ = new_state(), new_map()
    for number in count():
        make_position(state, map_, random, 2 + number % 3)
        start = possible(position_of(state, map_))
        game = Game.build(start.boxes, start.players, start.bombs, start.items, seats=MAX_PLAYERS)
        bombs, rounds = 10 + int(below(random, 80)), list[Actions]()
        while len(rounds) < WILD_ROUNDS and len(living_players(game.state)) > 1:
            actions = random_actions(game.state, random, bombs)
            rounds.append(with_whims(unpack_actions(int(actions)), random))
            play_round(game.state, game.map, pack_actions(list(rounds[-1].values())))
        yield Case(start, tuple(rounds))


def recorded_cases(playback: Playback) -> Iterator[Case]:
    """A recorded game, some turns in each case. A turn on which somebody failed to answer begins one, without them."""
    start, rounds = None, list[Actions]()
    for turn in range(playback.first_turn, playback.end_turn):
        moves = playback.moves_at(turn)
        failed = {seat for seat, move in enumerate(moves) if move is not None and move.action is None}
        if start is not None and (failed or len(rounds) == GAME_ROUNDS):
            yield Case(start, tuple(rounds))
            start = None
        if start is None:
            game = playback.game_at(turn)
            start, rounds = without(position_of(game.state, game.map), failed), list[Actions]()
        rounds.append({seat: move.action for seat, move in enumerate(moves) if move and move.action is not None})
    if start is not None:
        yield Case(start, tuple(rounds))


def without(position: Position, seats: set[int]) -> Position:
    """The position without these players; their bombs stay."""
    return position._replace(players=tuple(player for player in position.players if player.id not in seats))


def position_of(state: np.record, map_: np.record) -> Position:
    players = [player._replace(boxes=0) for player in living_players(state)]
    items = tuple(items_on(state, map_))
    return Position(boxes_on(state, map_), tuple(players), tuple(bombs_on(state)), items).sorted()


def unpack_actions(packed: int) -> Actions:
    return {player: packed >> 4 * player & 15 for player in range(MAX_PLAYERS)}


def with_whims(actions: Actions, random: np.ndarray) -> Actions:
    """Now and then any action at all: players run into boxes, walls and bombs too, and drop what they don't have."""
    return {
        player: int(below(random, ACTIONS)) if below(random, 100) < WHIMS else action
        for player, action in actions.items()
    }


def possible(position: Position) -> Position:
    """The position without what no game can reach."""
    bombs: list[Bomb] = []
    for bomb in position.bombs:
        if all(bomb.cell != other.cell or bomb.timer == other.timer for other in bombs):
            bombs.append(bomb._replace(range=max(bomb.range, START_RANGE)))
    taken = {*(player.cell for player in position.players), *(bomb.cell for bomb in bombs)}
    items = tuple(item for item in position.items if item.cell not in taken)
    players = []
    for player in position.players:
        own = [bomb.range for bomb in bombs if bomb.owner == player.id]
        players.append(player._replace(range=max([START_RANGE, player.range, *own])))
    return Position(position.boxes, tuple(players), tuple(bombs), items).sorted()


MOST_TRIALS = 2000  # of a shrinking
MOST_RESTARTS = 60  # of one in which every trial may end the simulator

OnRounds = Callable[[int], None]  # called with how many more are done


class Verdict(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "not told"  # the simulator prints no scores
    NOT_RUN = "not run"


@dataclass(frozen=True)
class Finding:
    """The smallest case that goes wrong, how, and the first broken rule; None if all drawings of the rules pass."""

    rule: Rule | None
    case: Case
    outcome: RoundOutcome
    is_fickle: bool = False  # asked once more, the simulator answered otherwise: it is not shrunk


@dataclass
class ConformReport:
    """What came of a run. `rounds` are those compared, trials of a shrinking left out."""

    verdicts: dict[str, Verdict]  # by the name of the rule
    finding: Finding | None = None
    rounds: int = 0

    @property
    def is_equal(self) -> bool:
        return self.finding is None


def check_rules(simulator: Simulator, report: ConformReport, is_whole: bool, on_rule: OnRounds) -> None:
    """Try every rule, or those up to the first that fails; a simulator that hangs is not asked on."""
    for rule in RULES:
        if report.finding and (not is_whole or report.finding.outcome.is_timeout):
            return
        if rule.is_score and not simulator.tells_scores:
            report.verdicts[rule.name] = Verdict.UNKNOWN
        else:
            found = check_rule(simulator, rule, report)
            report.verdicts[rule.name] = Verdict.FAIL if found else Verdict.PASS
            report.finding = report.finding or found
        on_rule(1)


def check_rule(simulator: Simulator, rule: Rule, report: ConformReport) -> Finding | None:
    """The first of its drawings, or of their mirror images, that goes wrong."""
    for drawing in rule.drawings:
        for case in variants_of(drawing.case):
            report.rounds += len(case.rounds)
            if outcome := play(simulator, case, with_scores=rule.is_score):
                return Finding(rule, case, outcome)
    return None


def check_stream(
    simulator: Simulator, report: ConformReport, cases: Iterable[Case], states: int, on_rounds: OnRounds
) -> None:
    """Compare so many rounds, or all there are, up to the first that goes wrong."""
    done = 0
    for case in cases:
        if done >= states:
            return
        case = replace(case, rounds=case.rounds[: states - done])
        done += len(case.rounds)
        if outcome := play(simulator, case):
            report.rounds += outcome.number + 1
            report.finding = Finding(None, case, outcome)
            return
        report.rounds += len(case.rounds)
        on_rounds(len(case.rounds))


def shrunk(simulator: Simulator, finding: Finding) -> Finding:
    """The finding on the smallest case that goes wrong in the same manner: with another position, or with none.

    A simulator that hangs is not asked again and again: it stays as it is.
    """
    rule, outcome = finding.rule, finding.outcome
    case = Case(finding.case.start, finding.case.rounds[: outcome.number + 1])
    if outcome.is_timeout:
        return Finding(rule, case, outcome)
    with_scores = rule is None or rule.is_score

    def is_wrong(candidate: Case) -> bool:
        found = play(simulator, candidate, with_scores)
        return found is not None and bool(found.failure) == bool(outcome.failure)

    small = shrink(case, is_wrong, MOST_RESTARTS if outcome.failure else MOST_TRIALS)
    again = play(simulator, small, with_scores)
    if again is None:
        return Finding(rule, case, outcome, is_fickle=True)
    return Finding(rule, Case(small.start, small.rounds[: again.number + 1]), again)
