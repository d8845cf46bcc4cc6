"""The decision to explain: one of a replay, or one on a position that was pasted; and what was played there.

A recorded decision is repeated exactly: the agent as it was recorded with all its parameters, the seed it had, and the
nodes of each stage of its search instead of the clock that stopped them. An agent rebuilds what it carries from turn to
turn: by seeing the turns before (`Agent.see`), or, where the record says that a tree or a plan was carried, by deciding
them again, back to the last decision that carried nothing. The plan of the turn before, on which a decision may fall
back, is recorded. On a bare position there are no such turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine.errors import EngineError, HsctlError
from engine.events import Death
from engine.game import SURVIVAL, Game
from engine.notation import digest, parse_header
from engine.rules import ACTION_NAMES
from engine.state import FUSE
from engine.variants import mates_of
from hsctl.budget import budget_of, thinking_ms, turn_limit
from hsctl.match.past import Earlier, carried_since, recorded_budget, recorded_spec, turns_before
from hsctl.match.trust import trust_in
from hsctl.match.user_agents.spec import agent_names, names_own_place, read_spec
from replays.inputs import Inputs
from replays.opening import seat_of
from replays.playback import Playback, play_moves
from replays.record import Record
from replays.render.turn import format_death
from replays.replay import PlayerInfo
from replays.text import clean, shorten
from search.agent import Budget
from search.spec import Spec


@dataclass(frozen=True)
class Played:
    """What a player did; `action` is None if it failed."""

    action: int | None
    words: str  # `stay (can't be survived; dies on turn 18)`


def played_at(record: Record, turn: int, seat: int) -> Played | None:
    """What a player did, with what followed from it; None if that isn't known."""
    move = record.moves_at(turn)[seat]
    if move is None:
        return None
    if move.action is None:
        return Played(None, f"nothing ({clean(move.failure.cause)})" if move.failure else "nothing")
    after = record.game_at(turn)
    play_moves(after, record.moves_at(turn))
    name = ACTION_NAMES[move.action]
    if after.can_survive(seat):
        return Played(move.action, name)
    died = death_after(record, turn, seat)
    when = "" if died is None else "; dies now" if died == turn else f"; dies on turn {died}"
    return Played(move.action, f"{name} (can't be survived{when})")


def death_after(record: Record, turn: int, seat: int) -> int | None:
    """The turn on which the bombs of this one kill a player."""
    for each in range(turn + 1, min(turn + FUSE + 1, record.end_turn) + 1):
        if any(isinstance(event, Death) and event.player == seat for event in record.events_before(each)):
            return each - 1
    return None


# Which decision


LONGEST_NAME = 40
DEFAULT_AGENT = "beam"  # on a bare position
DEFAULT_NODES = 100_000  # there; about what a beam search makes in 100 ms, and the same answer every time


@dataclass(frozen=True)
class ExplainRequest:
    """What the user named; None: nothing."""

    player: str | None = None  # a seat, a name or a part of one
    agent: str | None = None
    ms: float | None = None
    nodes: int | None = None

    def budget(self) -> Budget | None:
        return None if self.ms is None and self.nodes is None else Budget(self.ms, self.nodes)


@dataclass(frozen=True)
class Question:
    """A decision: the position, the agent and its budget."""

    game: Game
    seat: int
    spec: Spec
    budget: Budget
    seed: int
    specs: list[str]  # players, by seat
    title: str  # which decision this is, in words
    mates: tuple[int, ...] = ()  # players on its side
    vision: int | None = None  # within how many cells the player saw; `game` is what was seen
    recorded: int | None = None  # the action that this very agent chose with this very budget
    played: Played | None = None  # what was done, if another agent or budget is asked
    earlier: Sequence[Earlier] = ()  # the turns before


def ask_record(record: Playback | Inputs, turn: int | None, request: ExplainRequest) -> Question:
    """A turn of a game, or one of the inputs of a bot."""
    return ask_inputs(record, turn, request) if isinstance(record, Inputs) else ask_replay(record, turn, request)


# Of a replay


def ask_replay(playback: Playback, turn: int | None, request: ExplainRequest) -> Question:
    """A turn of a replay."""
    if turn is None:
        last = playback.end_turn - playback.is_finished
        raise HsctlError(f"name a turn with --turn N, {playback.first_turn} to {last}")
    playback.check_open_turn(turn)
    game, replay = playback.game_at(turn), playback.replay
    seat = choose_seat(playback, game, request)
    info, move = playback.info_at(turn, seat), playback.moves_at(turn)[seat]
    place = f"of {playback.end_turn - 1}" if move else "where the game was stopped"
    title = f"turn {turn} {place}, player {seat} ({written(info)})"
    limits, is_first = replay.limits, turn == playback.first_turn
    if limits.vision is not None:
        title += f", which saw {limits.vision} cells far"
    if replay.start.ends == SURVIVAL:
        title += ", where the last one standing wins"
    given = playback.given_at(turn, seat)
    if given:
        title += f", which was given {clean(given)}"
    clock_ms = thinking_ms(turn_limit(limits, is_first))
    ask = partial(
        Question,
        playback.seen_at(turn, seat) or game,
        seat,
        seed=playback.seed_at(turn),
        specs=playback.specs,
        mates=mates_of(game, seat),
        vision=limits.vision,
        played=played_at(playback, turn, seat),
    )
    if request.agent is not None and not is_recorded_own(info, request):
        spec = read_spec(request.agent)
        budget = request.budget() or budget_of(spec, clock_ms, limits.nodes)
        only_seen = turns_before(playback, turn, seat, decided_from=turn)
        return ask(spec, budget, title=f"{title}, asked: {spec.text}", earlier=only_seen)
    earlier = turns_before(playback, turn, seat, carried_since(playback, turn, seat), info.spec)
    if request.agent is None and not trust_in(playback).may_run(info):
        raise HsctlError(
            f"player {seat} is a user agent ({written(info)}), which does not run because hsctl did not "
            "save this game for you; name it with --agent to run it"
        )
    ask = partial(ask, recorded_spec(info, seat), earlier=earlier)
    if budget_ := request.budget():
        return ask(budget_, title=f"{title}, with another budget")
    if move is None:  # the game was stopped here
        spec = recorded_spec(info, seat)
        return ask(budget_of(spec, clock_ms, limits.nodes), title=title)
    if given:
        return ask(recorded_budget(move), title=title)
    return ask(recorded_budget(move), title=title, recorded=move.action, played=None)


def is_recorded_own(info: PlayerInfo, request: ExplainRequest) -> bool:
    """Whether the agent that is named is the user's own that was recorded: named again, it may be run."""
    return request.agent == info.spec and info.is_agent and names_own_place(info.spec)


def choose_seat(playback: Playback, game: Game, request: ExplainRequest) -> int:
    """The player asked for, or the winner if it is a built-in agent, or the first of those. It must be alive."""
    players = [playback.info_at(game.turn, seat) for seat in range(playback.seats)]
    can_be_asked = [at for at in game.living if request.agent is not None or players[at].is_agent]
    if request.player is None:
        if not can_be_asked:
            raise HsctlError(describe_nobody(playback, game))
        winners = [at for at in can_be_asked if playback.replay.result.ranks[at] == 1]
        return (winners or can_be_asked)[0]
    seat = seat_of(request.player, playback.specs)
    if seat not in game.living:
        raise HsctlError(
            f"turn {game.turn}: player {seat} {format_death(game, seat)}; "
            f"name {join_seats(game.living)}, or an earlier turn"
        )
    if seat not in can_be_asked:
        raise HsctlError(
            f"player {seat} is {kind_of(players[seat])} ({written(players[seat])}) whose thinking isn't recorded; "
            f"ask an agent instead with --agent NAME: {', '.join(agent_names())}"
        )
    return seat


def kind_of(info: PlayerInfo) -> str:
    """The kind of a player that isn't an agent."""
    from hsctl.match.players import names_person

    if names_person(info.spec):
        return "a person"
    return "an external bot" if info.faithful_turns is None else "a ghost"


def describe_nobody(playback: Playback, game: Game) -> str:
    what = f"turn {game.turn}: no agent is alive, only bots or people ({join_seats(game.living)})"
    return f"{what}; ask an agent instead with --agent NAME: {', '.join(agent_names())}"


def written(info: PlayerInfo) -> str:
    """A player as part of a line: command lines may be anything."""
    return shorten(clean(info.spec), LONGEST_NAME)


def join_seats(seats: Sequence[int]) -> str:
    return f"player {' or '.join(map(str, seats))}"


# Of inputs and of a bare position


def ask_inputs(record: Inputs, turn: int | None, request: ExplainRequest) -> Question:
    """One of the inputs of a bot, the last one too, which has no answer."""
    last = record.end_turn
    if turn is None and last > 0:
        raise HsctlError(f"name a turn with --turn N, 0 to {last}")
    if turn is not None and not 0 <= turn <= last:
        raise HsctlError(f"turn {turn}: there are inputs 0 to {last}")
    game = record.game_at(turn or 0)
    wanted = record.own_seat if request.player is None else seat_of(request.player, record.specs)
    seat = choose_own(game, f"input {turn or 0}", wanted)
    question = ask_about(game, seat, record.specs, f"{record.title_at(turn or 0)}, player {seat}", request)
    return replace(question, played=played_at(record, turn or 0, seat))


def ask_about(game: Game, seat: int, specs: list[str], title: str, request: ExplainRequest) -> Question:
    """What an agent would do there, beam if none is named."""
    spec = read_spec(request.agent or DEFAULT_AGENT)
    budget = request.budget() or budget_of(spec, 0.0, DEFAULT_NODES)
    return Question(game, seat, spec, budget, int(digest(game), 16), specs, f"{title}, asked: {spec.text}")


def ask_position(text: str, source: str, turn: int | None, boxes: Sequence[int], request: ExplainRequest) -> Question:
    """A position in the arena's text, with its first line or without; `source` names it in errors. There are as many
    seats as numbers of boxes, if these are given."""
    from hsctl.match.start import game_from_text

    try:
        game = game_from_text(text, turn or 0, boxes)
        own = parse_header(text.splitlines()[0]) if len(text.split("\n", 1)[0].split()) == 3 else None
    except EngineError as error:
        raise HsctlError(f"{source}: {error}") from None
    names = [f"player {at}" for at in range(game.seats)]
    seat = choose_own(game, source, own if request.player is None else seat_of(request.player, names))
    return ask_about(game, seat, names, f"{source}, turn {game.turn}, player {seat}", request)


def choose_own(game: Game, source: str, seat: int | None) -> int:
    living = game.living
    if not living:
        raise HsctlError(f"{source}: nobody is alive; name a position with players")
    if seat is None:
        return living[0]
    if seat not in living:
        raise HsctlError(f"{source}: player {seat} is not on the board; name {join_seats(living)}")
    return seat
