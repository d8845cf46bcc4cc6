"""The recorded turns from which a game plays on: their players, and how players return to where they were.

A bot is given the same inputs again, and its answers are compared with those on record. What an agent carries from
turn to turn it rebuilds by seeing the turns (`Agent.see`), or, where the record says that a tree or a plan was carried,
by deciding them again, back to the last decision that carried nothing. The plan of the turn before, on which a decision
may fall back, is in the record (`Agent.recall_plan`).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import MOST_NODES, HsctlError
from engine.game import Game
from engine.notation import NotationError, digest, parse_order, resolve
from engine.rules import ACTION_NAMES
from hsctl.match.user_agents.spec import read_spec
from replays.playback import Playback, play_moves
from replays.replay import Move, Parent, PlayerInfo, Replay, Thought, Turn
from search.agent import Budget
from search.params import SpecError
from search.spec import Spec

if TYPE_CHECKING:  # an explanation needs none
    from hsctl.match.seats import Seat


class Earlier(NamedTuple):
    """A turn to be decided again, or only to be seen."""

    game: Game
    budget: Budget | None  # None: it is only seen
    plan: Sequence[int] = ()  # of the agent's own decision on it, as recorded


def recorded_spec(info: PlayerInfo, seat: int, instead: str = "--agent {name} to ask") -> Spec:
    """The agent with the parameters that were recorded, whatever today's defaults are.

    `instead` is what an error offers: how to get today's agent of that name.
    """
    spec = read_spec(info.spec)
    known = {each.name for each in fields(spec.params)}
    if unknown := sorted(info.params.keys() - known):
        raise HsctlError(
            f"player {seat} ({info.spec}) was recorded with {', '.join(unknown)}, which this version doesn't know; "
            f"use {instead.format(name=spec.name)} today's {spec.name}"
        )
    try:
        return replace(spec, params=spec.params.recorded(info.params))
    except SpecError as error:
        raise HsctlError(f"player {seat} ({info.spec}) was recorded with {error}") from None


def recorded_budget(move: Move) -> Budget:
    """What the decision took, if a decision can have taken that."""
    thought = move.thought or Thought()
    stages = thought.stages.values()
    for nodes in (thought.nodes, *stages, sum(stages)):
        if not 0 <= nodes <= MOST_NODES:
            raise HsctlError(f"a decision of {nodes} nodes was recorded; only 0 to {MOST_NODES} are possible")
    return Budget(nodes=thought.nodes, stages=thought.stages)


def carried_since(playback: Playback, turn: int, seat: int) -> int:
    """The turn from which something was carried on to this one, turn by turn; this one if it carried nothing."""
    while turn > playback.first_turn and (move := playback.moves_at(turn)[seat]) and carries(move):
        turn -= 1
    return turn


def carries(move: Move) -> bool:
    return move.thought is not None and bool(move.thought.carried)


def turns_before(playback: Playback, turn: int, seat: int, decided_from: int, spec: str | None = None) -> list[Earlier]:
    """All turns before this one, with the budgets of those that are to be decided again, and the plans that a player of
    this text made."""
    earlier: list[Earlier] = []
    for each in range(playback.first_turn, turn):
        move = playback.moves_at(each)[seat]
        budget = recorded_budget(move) if move is not None and each >= decided_from else None
        plan = () if spec is None else recorded_plan(playback, each, seat, spec)
        earlier.append(Earlier(playback.seen_at(each, seat) or playback.game_at(each), budget, plan))
    return earlier


def recorded_plan(playback: Playback, turn: int, seat: int, spec: str) -> Sequence[int]:
    """What a player planned on a turn; nothing if another player sat there, or one without plans."""
    move = playback.moves_at(turn)[seat]
    is_own = playback.info_at(turn, seat).spec == spec
    return move.thought.plan if is_own and move is not None and move.thought is not None else ()


class Stray(NamedTuple):
    """A bot that answered recorded inputs differently than recorded."""

    seat: int
    turn: int  # the first
    answers: int  # that differ
    turns: int  # compared


class Fork(NamedTuple):
    """Where a game leaves the recorded one, and what some players did instead."""

    turn: int
    seats: list[int]
    played: list[str]
    recorded: list[str]


def fork_of(recorded: Replay, played: Replay) -> Fork | None:
    """The first turn on which a player did something else."""
    for at, (old, new) in enumerate(zip(recorded.turns, played.turns, strict=False), recorded.start.turn):
        actions = [[name_action(move.action if move else None) for move in turn.moves] for turn in (old, new)]
        seats = [seat for seat, (was, now) in enumerate(zip(*actions, strict=True)) if was != now]
        if seats:
            return Fork(at, seats, [actions[1][seat] for seat in seats], [actions[0][seat] for seat in seats])
    return None


def name_action(action: int | None) -> str:
    return "fail" if action is None else ACTION_NAMES[action]


@dataclass(frozen=True, eq=False)
class Past:
    """The turns of a recorded game that a task plays on from; the recorded game goes on until its players differ."""

    replay: Replay
    turn: int  # the first that is played
    parent: Parent | None = None  # how games played on name the recorded one; None: turns were taken back
    players: Sequence[PlayerInfo] = ()  # by seat, as the games played on take over the dead
    swapped: frozenset[int] = frozenset()  # seats with another player than the recorded one
    ghosts: Mapping[int, str] = field(default_factory=dict)  # seats of recorded players that don't run, and why
    foreign: frozenset[int] = frozenset()  # seats of recorded players that run only because of --trust

    @property
    def orders(self) -> dict[int, str]:
        """What players do on the turn instead of what they want, by seat."""
        return {seat: order for seat, order in enumerate(self.parent.moves if self.parent else ()) if order}

    @property
    def is_changed(self) -> bool:
        """Whether another player, or another move, plays on."""
        return bool(self.swapped or self.orders)

    def overrule(self, game: Game, seat: int, move: Move) -> bool:
        """Replace a player's move by the order for it, unless the player fails anyway; whether there is an order."""
        is_given = game.turn == self.turn and seat in self.orders
        if is_given and move.failure is None:
            order = self.orders[seat]
            move.action, move.message = resolve(game.state, seat, parse_order(order)), ""
            move.line = order if move.line else ""
        return is_given


class Reliving:
    """Brings a game and its players to the turn from which they play on; compares what bots answer."""

    def __init__(self, past: Past) -> None:
        self.past = past
        self.playback = Playback(past.replay)
        self.strangers = past.swapped | past.ghosts.keys()  # seats whose recorded answers are another player's
        self._compared: Counter[int] = Counter()  # answers of bots, by seat
        self._others: dict[int, list[int]] = {}  # turns that a bot answered differently, by seat

    @property
    def strays(self) -> list[Stray]:
        return [Stray(at, others[0], len(others), self._compared[at]) for at, others in sorted(self._others.items())]

    def lead(
        self, seats: "Sequence[Seat]", game: Game, on_turn: Callable[[Game, list[Move | None], Game], None]
    ) -> list[Turn]:
        """Play the recorded turns; returns them."""
        playback, until = self.playback, self.past.turn
        decided_from = [
            until if seat in self.strangers else carried_since(playback, until, seat) for seat in range(playback.seats)
        ]
        turns: list[Turn] = []
        for turn in playback.replay.turns[: until - playback.first_turn]:
            before = game.copy()
            turns.append(Turn(digest(game), turn.moves))  # replays of version 1 have other hashes
            for at in game.living:
                self.remind(seats[at], game, at, turn.moves[at], game.turn >= decided_from[at])
            play_moves(game, turn.moves)
            on_turn(before, turn.moves, game)
            for at in set(before.living) - set(game.living):
                seats[at].end()
        return turns

    def remind(self, player: "Seat", game: Game, seat: int, move: Move | None, is_decided: bool) -> None:
        """Let a player live through a turn once more, and note whether a bot strays from the record."""
        assert move is not None
        plan = recorded_plan(self.playback, game.turn, seat, player.info.spec)
        line = player.recall(Earlier(game, recorded_budget(move) if is_decided else None, plan))
        if line is not None and self.is_own_answer(player, game.turn, seat):
            self._compared[seat] += 1
            if is_another(line, move.line):
                self._others.setdefault(seat, []).append(game.turn)

    def is_own_answer(self, player: "Seat", turn: int, seat: int) -> bool:
        """Whether the recorded answer is this player's: in a game that was played on it may be another player's, or
        a move that was given."""
        if seat in self.strangers or self.playback.given_at(turn, seat):
            return False
        return self.playback.info_at(turn, seat).spec == player.info.spec


def is_another(line: str, recorded: str) -> bool:
    """Whether two answers differ in more than their message."""
    try:
        return parse_order(line)[:3] != parse_order(recorded)[:3]
    except NotationError:
        return True
