"""A death: the bombs of it, the last turn on which it could be survived, the moves that were safe, the cause in words.

Two questions are asked of every turn before a death. Could the player live, given what the others really did? That is
answered exactly (saving.py). Was there a move that held against any answer of each single rival for ROUNDS round, and
against bombs of all of them? That is what could be known then (search/common/threats.py).

A death is avoidable if it could be known: on the last turn with moves that held, another was played; or on the last
turn on which the player could live, a move was played that the known bombs alone make hopeless, and a safe one they
do not.
"""

from typing import NamedTuple

from engine.events import ItemPicked
from engine.game import Game, explosions_of
from engine.position import Cell
from engine.rules import BOMB
from engine.state import FUSE
from engine.survival import is_survivable
from engine.variants import mates_of
from hsctl.analysis.review.saving import Saving, SearchSpent, Spared
from replays.playback import Playback
from search.common.first_moves import FirstMoves, members
from search.common.threats import Threats

ROUNDS = 1  # for which a safe move holds against a rival

ERROR = "error"
OWN_BOMB = "own bomb"
SAME_MOMENT = "bomb at the same moment"
TRAPPED = "trapped"
ITEM = "item taken that stopped a blast"
CHAIN = "chain not seen"
WALKED = "walked into it"
STAYED = "stayed in it"
NOTHING = "nothing could be done"
UNKNOWN = "too many positions to tell"
CAUSES = (OWN_BOMB, WALKED, STAYED, CHAIN, ITEM, TRAPPED, SAME_MOMENT, ERROR, NOTHING, UNKNOWN)


class Dropped(NamedTuple):
    """A bomb that exploded in the round of a death."""

    owner: int
    turn: int  # on which it was dropped
    cell: Cell


class Killer(NamedTuple):
    """A bomb whose blast reached the player."""

    owner: int
    turn: int  # on which it was dropped
    cell: Cell
    lit_by: int | None  # whose bomb set it off before its time
    chain: tuple[Dropped, ...] = ()  # what set it off: the bomb whose time had come, then each that was lit by the last


class ReviewedDeath(NamedTuple):
    """What is known of a death."""

    seat: int
    turn: int
    cell: Cell
    cause: str
    killers: list[Killer]
    last_turn: int | None = None  # on which the player could still be saved; None: never, or an error
    played: int | None = None  # then
    safe: tuple[int, ...] = ()  # what would have saved the player then
    line: tuple[int, ...] = ()  # own actions from the first of these on, until nothing can happen any more
    held_turn: int | None = None  # the last on which moves held against any answer of each rival
    held: tuple[int, ...] = ()  # which they were
    held_played: int | None = None  # what was played then
    open_moves: tuple[int, ...] = ()  # of `safe`: what survives the known bombs alone, where what was played does not
    rival: int | None = None  # who trapped the player
    failure: str = ""  # the kind of an error
    detail: str = ""  # of it

    @property
    def is_avoidable(self) -> bool:
        return self.held_played not in (None, *self.held) or bool(self.open_moves)


def deaths_of(playback: Playback, seat: int) -> list[ReviewedDeath]:
    """A player's death, if there was one."""
    found = playback.deaths().get(seat)
    if found is None:
        return []
    turn, how = found
    if how.failure:
        return [ReviewedDeath(seat, turn, (how.x, how.y), ERROR, [], failure=how.failure, detail=how.detail)]
    saving = Saving(playback, seat, turn)
    death = ReviewedDeath(seat, turn, (how.x, how.y), NOTHING, killers_of(playback.game_at(turn), (how.x, how.y)))
    death = add_held(playback, death)
    try:
        chance = saving.last_chance()
    except SearchSpent:
        return [death._replace(cause=UNKNOWN)]
    if chance is None:
        return [death]
    last, safe = chance
    move = playback.moves_at(last)[seat]
    assert move is not None
    line = tuple(saving.line_from(last, safe[0]))
    death = death._replace(last_turn=last, safe=tuple(safe), line=line, played=move.action)
    death = death._replace(open_moves=moves_left_open(position(playback, last, seat), death))
    cause, rival = cause_of(playback, death)
    return [death._replace(cause=cause, rival=rival)]


def killers_of(game: Game, cell: Cell) -> list[Killer]:
    """The bombs that burn a cell in the coming round."""
    timers = {(bomb.owner, bomb.cell): bomb.timer for bomb in game.bombs}
    exploded: dict[tuple[int, Cell], tuple[Dropped, ...]] = {}  # each bomb as the end of its chain
    killers = []
    for event in explosions_of(game.state, game.bombs):
        key = event.owner, (event.x, event.y)
        bomb = Dropped(event.owner, game.turn - 1 - FUSE + timers[key], (event.x, event.y))
        chain = exploded[event.lit_by[0], event.lit_by[1:]] if event.lit_by else ()
        exploded[key] = (*chain, bomb)
        if cell in event.cells:
            killers.append(Killer(*bomb, event.lit_by[0] if event.lit_by else None, chain))
    return killers


# What could be known


def add_held(playback: Playback, death: ReviewedDeath) -> ReviewedDeath:
    """With the last turn on which moves held against any answer of each single rival."""
    for turn in range(death.turn, max(playback.first_turn, death.turn - 2 * FUSE) - 1, -1):
        if held := holding_moves(position(playback, turn, death.seat), death.seat):
            move = playback.moves_at(turn)[death.seat]
            played = None if move is None else move.action
            return death._replace(held_turn=turn, held=tuple(held), held_played=played)
    return death


def position(playback: Playback, turn: int, seat: int) -> Game:
    """As the player was sent it."""
    return playback.seen_at(turn, seat) or playback.game_at(turn)


def holding_moves(game: Game, seat: int) -> list[int]:
    """The first moves after which the known bombs can be survived, whatever any one rival answers at once, and even
    if all of them drop bombs."""
    moves, threats = FirstMoves(), Threats(ROUNDS)
    rivals = [at for at in game.living if at not in (seat, *mates_of(game, seat))]
    survivable = moves.survivable(game.state, game.map, seat)
    lost = threats.lost_to_all(game.state, game.map, seat, rivals, survivable)
    proofs = threats.proofs(game.state, seat, rivals, attacks=False)
    refuted = threats.refutations(proofs, game.map, survivable & ~lost, rounds=ROUNDS)
    return [action for action in members(survivable & ~lost) if not refuted[action]]


def moves_left_open(game: Game, death: ReviewedDeath) -> tuple[int, ...]:
    """The safe moves after which the known bombs can be survived; none if so they can after the one that was played."""
    survivable = members(FirstMoves().survivable(game.state, game.map, death.seat))
    return () if death.played in survivable else tuple(action for action in death.safe if action in survivable)


# Why


def cause_of(playback: Playback, death: ReviewedDeath) -> tuple[str, int | None]:
    """What the mistake of the last survivable turn was, and the rival who brought it about."""
    last, seat = death.last_turn, death.seat
    assert last is not None and death.played is not None
    after = playback.game_at(last + 1)
    is_open = bool(is_survivable(after.state, after.map, seat))  # by the known bombs: others came later
    if is_open and (rival := trapper(playback, death)) is not None:
        return TRAPPED, rival
    if death.played >= BOMB and death.played % BOMB in death.safe:  # the same move without the bomb
        return OWN_BOMB, None
    dropped = {killer.owner for killer in death.killers if killer.turn == last and killer.owner != seat}
    if dropped or bombs_dropped(playback, last, seat):
        before = playback.game_at(last)
        before.step([death.played if at == seat else 0 for at in range(before.seats)])
        if is_survivable(before.state, before.map, seat):  # without what the others did on that turn
            return SAME_MOMENT, first_of(sorted(dropped) or bombs_dropped(playback, last, seat))
    if item_taken(playback, death):
        return ITEM, None
    if all(killer.lit_by is not None for killer in death.killers):
        return CHAIN, None
    return (WALKED if death.played % BOMB else STAYED), None


def first_of(seats: list[int]) -> int | None:
    return seats[0] if seats else None


def bombs_dropped(playback: Playback, turn: int, seat: int) -> list[int]:
    """The others who dropped a bomb on a turn."""
    after = playback.game_at(turn + 1)
    return [bomb.owner for bomb in after.bombs if bomb.timer == FUSE and bomb.owner != seat]


def trapper(playback: Playback, death: ReviewedDeath) -> int | None:
    """Who closed the way after the last survivable turn: without their later bombs the player could still live, or if
    they had stood still (who takes an item away can let a blast through). Of several at once the first."""
    assert death.last_turn is not None
    turns = range(death.last_turn + 1, death.turn)
    bombers = list(dict.fromkeys(owner for turn in turns for owner in bombs_dropped(playback, turn, death.seat)))
    others = [at for at in playback.game_at(death.last_turn + 1).living if at != death.seat]
    tries = [([at], False) for at in bombers] + [(bombers, False)] + [([at], True) for at in others]
    try:
        return next((held_back[0] for held_back, still in tries if could_live(playback, death, held_back, still)), None)
    except SearchSpent:
        return first_of(bombers)


def could_live(playback: Playback, death: ReviewedDeath, held_back: list[int], is_still: bool) -> bool:
    """Whether the player could live after the last survivable turn if these had held back from then on."""
    assert death.last_turn is not None
    since = death.last_turn + 1
    spared = Spared(playback, death.seat, death.turn, held_back, since, is_still)
    return bool(held_back) and spared.is_safe_on(since)


def item_taken(playback: Playback, death: ReviewedDeath) -> bool:
    """Whether no blast would have come through if the player had left items alone: from between each of the bombs and
    the place of death they took one, once the bomb was there. On either end an item stops nothing."""
    since = max(playback.first_turn, min(killer.turn for killer in death.killers))
    taken = {
        (event.x, event.y): turn
        for turn in range(since, death.turn)
        for event in playback.events_at(turn)
        if isinstance(event, ItemPicked) and event.player == death.seat
    }
    return all(
        any(taken.get(cell, killer.turn) > killer.turn for cell in between(killer.cell, death.cell))
        for killer in death.killers
    )


def between(one: Cell, other: Cell) -> list[Cell]:
    """The cells of a straight line without its ends; none if there is no such line."""
    (x, y), (to_x, to_y) = one, other
    if x != to_x and y != to_y:
        return []
    steps = max(abs(to_x - x), abs(to_y - y))
    direction = ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y))
    return [(x + k * direction[0], y + k * direction[1]) for k in range(1, steps)]


def trap_of(playback: Playback, death: ReviewedDeath) -> list[tuple[int, int]]:
    """What the rival who trapped the player did from the last survivable turn on: turns and actions."""
    if death.rival is None or death.last_turn is None:
        return []
    moves = [(turn, playback.moves_at(turn)[death.rival]) for turn in range(death.last_turn, death.turn)]
    return [(turn, move.action) for turn, move in moves if move is not None and move.action is not None]


# In words

WORDS = {
    OWN_BOMB: "a bomb of its own closed the way out",
    WALKED: "it walked into a known blast",
    STAYED: "it stayed in a known blast",
    CHAIN: "a bomb exploded before its time, in a chain that was not seen",
    ITEM: "it took an item that had stopped a blast",
    TRAPPED: "it was trapped",
    SAME_MOMENT: "a bomb came at the same moment",
    NOTHING: "nothing could be done",
    UNKNOWN: "there are too many positions to tell whether it could be avoided",
}

BETTER = {  # than an error of this kind
    "timeout": "an order in time",
    "invalid": "a valid order",
    "crash": "no crash",
    "flood": "one short line",
    "memory": "less memory",
    "processes": "fewer processes",
}


def why_dead(death: ReviewedDeath, names: list[str]) -> str:
    """The cause in words, with the bombs."""
    if death.cause == ERROR:
        return why_failed(death)
    words = WORDS[death.cause]
    if death.rival is not None:
        by = f" by player {death.rival} ({names[death.rival]})"
        words += f"{by} from turn {death.last_turn} on" if death.cause == TRAPPED else f" ({by.strip()})"
    bombs = [describe_bomb(killer, death.seat) + describe_chain(killer, death.seat) for killer in death.killers]
    return f"{words}; bombs: {', '.join(bombs)}"


def describe_bomb(bomb: Killer | Dropped, seat: int) -> str:
    owner = "its own" if bomb.owner == seat else f"player {bomb.owner}"
    return f"{owner} of turn {bomb.turn} at {bomb.cell[0]},{bomb.cell[1]}"


def describe_chain(killer: Killer, seat: int) -> str:
    """` (set off by player 1 of turn 54 at 7,2 through 8,2)`; empty if its time had come."""
    if not killer.chain:
        return ""
    first, *rest = killer.chain
    through = f" through {' and '.join(f'{x},{y}' for _, _, (x, y) in rest)}" if rest else ""
    return f" (set off by {describe_bomb(first, seat)}{through})"


def why_failed(death: ReviewedDeath) -> str:
    return f"eliminated for an error: {death.failure}{f' ({death.detail})' if death.detail else ''}"


def better_than(failure: str) -> str:
    """What should have come in place of an error."""
    return BETTER.get(failure, "an order")
