"""A death: its bombs, the last turn on which the player could be saved, the safe moves, the cause.

review asks two questions about every turn before a death. Could the player live, given what the others really did?
saving.py answers that exactly. Was there a move that held for ROUNDS round against any answer of each single opponent,
and against bombs of all of them? That is what the player could know (search/common/threats.py).

A death is avoidable if the player could know: on the last turn with moves that held, it played another one; or on the
last turn on which it could be saved, the known bombs alone made its move fatal, but not one of the safe moves.
"""

from collections.abc import Iterable

from engine.events import Death, ItemPicked
from engine.game import Game, explosions_of
from engine.position import Cell
from engine.rules import ACTION_NAMES, BOMB
from engine.state import FUSE
from engine.variants import mates_of
from hsctl.analysis.review.document import DEATH, FAILED, ChainedBomb, KillingBomb, Mistake, ReviewedDeath
from hsctl.analysis.review.saving import Saving, SearchSpent, Spared
from replays.faults import AHEAD, NO_BOMB, PLAYED_DIFFERENTLY, faults_of
from replays.landmarks import Landmarks
from replays.playback import Playback
from search.common.first_moves import FirstMoves, members
from search.common.threats import Threats

ROUNDS = 1  # for which a move must hold against an opponent

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


def deaths_of(playback: Playback, seat: int) -> list[ReviewedDeath]:
    """A player's death, if there was one."""
    found = playback.deaths().get(seat)
    if found is None:
        return []
    turn, event = found
    death = ReviewedDeath(turn=turn, x=event.x, y=event.y, cause=NOTHING, held_rounds=ROUNDS)
    death.is_won = playback.replay.result.ranks[seat] == 1
    if event.failure:
        death.cause, death.failure, death.why = ERROR, event.failure, describe_failure(event)
        return [death]
    death.bombs = killing_bombs(playback.game_at(turn), (event.x, event.y))
    add_held_moves(playback, seat, death)
    add_last_chance(playback, seat, death)
    death.is_avoidable = is_held_against(death) or bool(death.open_moves)
    death.fault = decisive_fault(playback, seat, death)
    death.why = describe_cause(death, seat, playback.specs)
    return [death]


def is_held_against(death: ReviewedDeath) -> bool:
    """Whether there were moves that held, and the player chose another."""
    return death.held_played not in (None, *death.held)


def decisive_turn(death: ReviewedDeath) -> int | None:
    """The turn of the move that made a death certain, as far as the player could know."""
    return death.held_turn if is_held_against(death) else death.last_turn


def decisive_fault(playback: Playback, seat: int, death: ReviewedDeath) -> str:
    """The silent fault by which the player did not play what it meant to on that turn. Once out of step, it is so on
    all later turns. A bomb that was not dropped is no such fault: it kills nobody."""
    turn = decisive_turn(death)
    if turn is None:
        return ""
    moves = [playback.moves_at(each)[seat] for each in range(playback.first_turn, turn + 1)]
    if any(move is not None and move.ahead for move in moves):
        return AHEAD
    found = faults_of(playback.game_at(turn), seat, moves[-1])
    return next((name for name in PLAYED_DIFFERENTLY if name in found and name != NO_BOMB), "")


def killing_bombs(game: Game, cell: Cell) -> list[KillingBomb]:
    """The bombs that burn a cell in the coming round."""
    timers = {(bomb.owner, bomb.cell): bomb.timer for bomb in game.bombs}
    exploded: dict[tuple[int, Cell], list[ChainedBomb]] = {}  # each bomb as the end of its chain
    found = []
    for event in explosions_of(game.state, game.bombs):
        key = event.owner, (event.x, event.y)
        turn = game.turn - 1 - FUSE + timers[key]
        chain = exploded[event.lit_by[0], event.lit_by[1:]] if event.lit_by else []
        exploded[key] = [*chain, ChainedBomb(event.owner, turn, event.x, event.y)]
        if cell in event.cells:
            lit_by = event.lit_by[0] if event.lit_by else None
            found.append(KillingBomb(event.owner, turn, event.x, event.y, lit_by, chain))
    return found


# What the player could know


def add_held_moves(playback: Playback, seat: int, death: ReviewedDeath) -> None:
    """Find the last turn with moves that held against any answer of each single opponent."""
    for turn in range(death.turn, max(playback.first_turn, death.turn - 2 * FUSE) - 1, -1):
        if held := holding_moves(seen_position(playback, turn, seat), seat):
            death.held_turn, death.held = turn, names_of(held)
            death.held_played = played_name(playback, turn, seat)
            return


def seen_position(playback: Playback, turn: int, seat: int) -> Game:
    """The position as the player was sent it."""
    return playback.seen_at(turn, seat) or playback.game_at(turn)


def played_name(playback: Playback, turn: int, seat: int) -> str | None:
    move = playback.moves_at(turn)[seat]
    return None if move is None or move.action is None else ACTION_NAMES[move.action]


def names_of(actions: Iterable[int]) -> list[str]:
    return [ACTION_NAMES[action] for action in actions]


def holding_moves(game: Game, seat: int) -> list[int]:
    """The first moves after which the known bombs can be survived, whatever any one opponent answers at once, and even
    if all of them drop bombs."""
    moves, threats = FirstMoves(), Threats(ROUNDS)
    opponents = [at for at in game.living if at not in (seat, *mates_of(game, seat))]
    survivable = moves.survivable(game.state, game.map, seat)
    lost = threats.lost_to_all(game.state, game.map, seat, opponents, survivable)
    proofs = threats.proofs(game.state, seat, opponents, attacks=False)
    refuted = threats.refutations(proofs, game.map, survivable & ~lost, rounds=ROUNDS)
    return [action for action in members(survivable & ~lost) if not refuted[action]]


def survivable_moves(game: Game, seat: int) -> list[str]:
    """The first moves after which the known bombs can be survived."""
    return names_of(members(FirstMoves().survivable(game.state, game.map, seat)))


# The last chance, and why it was missed


def add_last_chance(playback: Playback, seat: int, death: ReviewedDeath) -> None:
    """Find the last turn on which the player could be saved, and what went wrong then."""
    saving = Saving(playback, seat, death.turn)
    try:
        chance = saving.last_chance()
    except SearchSpent:
        death.cause = UNKNOWN
        return
    if chance is None:
        return
    last, safe = chance
    move = playback.moves_at(last)[seat]
    assert move is not None and move.action is not None
    death.last_turn, death.safe, death.played = last, names_of(safe), ACTION_NAMES[move.action]
    death.line = names_of(saving.line_from(last, safe[0]))
    survivable = survivable_moves(seen_position(playback, last, seat), seat)
    if death.played not in survivable:
        death.open_moves = [name for name in death.safe if name in survivable]
    death.cause, death.rival = cause_of(playback, seat, death, move.action)
    death.trap = trap_of(playback, death)


def cause_of(playback: Playback, seat: int, death: ReviewedDeath, played: int) -> tuple[str, int | None]:
    """What the mistake of the last turn with a safe move was, and the opponent that brought it about."""
    last = death.last_turn
    assert last is not None
    if playback.game_at(last + 1).can_survive(seat):  # the known bombs, that is: others came later
        rival = trapper(playback, seat, death)
        if rival is not None:
            return TRAPPED, rival
    if played >= BOMB and ACTION_NAMES[played % BOMB] in death.safe:  # the same move without the bomb
        return OWN_BOMB, None
    bombers = sorted({bomb.owner for bomb in death.bombs if bomb.turn == last and bomb.owner != seat})
    bombers = bombers or owners_of_new_bombs(playback, last, seat)
    if bombers:
        alone = playback.game_at(last)
        alone.step([played if at == seat else 0 for at in range(alone.seats)])
        if alone.can_survive(seat):  # without what the others did on that turn
            return SAME_MOMENT, bombers[0]
    if took_shielding_item(playback, seat, death):
        return ITEM, None
    if all(bomb.lit_by is not None for bomb in death.bombs):
        return CHAIN, None
    return (WALKED if played % BOMB else STAYED), None


def owners_of_new_bombs(playback: Playback, turn: int, seat: int) -> list[int]:
    """The others who dropped a bomb on a turn."""
    after = playback.game_at(turn + 1)
    return [bomb.owner for bomb in after.bombs if bomb.timer == FUSE and bomb.owner != seat]


def trapper(playback: Playback, seat: int, death: ReviewedDeath) -> int | None:
    """The opponent that closed the way after the last turn with a safe move: without their later bombs the player could
    still live, or if they had stood still (taking an item can let a blast through). The first one of several."""
    assert death.last_turn is not None
    since = death.last_turn + 1
    turns = range(since, death.turn)
    bombers = list(dict.fromkeys(owner for turn in turns for owner in owners_of_new_bombs(playback, turn, seat)))
    others = [at for at in playback.game_at(since).living if at != seat]
    tries = [([at], False) for at in bombers] + [(bombers, False)] + [([at], True) for at in others]
    try:
        for held_back, is_still in tries:
            spared = Spared(playback, seat, death.turn, held_back, since, is_still)
            if held_back and spared.is_safe_on(since):
                return held_back[0]
    except SearchSpent:
        return bombers[0] if bombers else None
    return None


def took_shielding_item(playback: Playback, seat: int, death: ReviewedDeath) -> bool:
    """Whether the player took an item from between each of the bombs and its own cell, once the bomb was there: without
    that, no blast would have come through. An item on either end stops nothing."""
    since = max(playback.first_turn, min(bomb.turn for bomb in death.bombs))
    taken = {
        (event.x, event.y): turn
        for turn in range(since, death.turn)
        for event in playback.events_at(turn)
        if isinstance(event, ItemPicked) and event.player == seat
    }
    return all(
        any(taken.get(cell, bomb.turn) > bomb.turn for cell in between((bomb.x, bomb.y), (death.x, death.y)))
        for bomb in death.bombs
    )


def between(one: Cell, other: Cell) -> list[Cell]:
    """The cells of a straight line without its ends; none if there is no such line."""
    (x, y), (to_x, to_y) = one, other
    if x != to_x and y != to_y:
        return []
    steps = max(abs(to_x - x), abs(to_y - y))
    direction = ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y))
    return [(x + k * direction[0], y + k * direction[1]) for k in range(1, steps)]


def trap_of(playback: Playback, death: ReviewedDeath) -> list[tuple[int, str]]:
    """What the opponent that trapped the player did from the last turn with a safe move on."""
    if death.rival is None or death.last_turn is None:
        return []
    turns = range(death.last_turn, death.turn)
    moves = [(turn, played_name(playback, turn, death.rival)) for turn in turns]
    return [(turn, name) for turn, name in moves if name is not None]


# As mistakes


def mistakes_of_deaths(deaths: list[ReviewedDeath]) -> list[Mistake]:
    """The last chances that were missed, then the errors."""
    found = []
    for death in deaths:
        if death.last_turn is not None and death.played is not None and not death.is_won:
            why = f"last turn on which it could be saved: died on turn {death.turn}, {death.why}"
            better = death.safe[0]
            found.append(Mistake(death.last_turn, DEATH, death.played, better, None, why, death.line, safe=death.safe))
    errors = [death for death in deaths if death.cause == ERROR]
    return found + [
        Mistake(each.turn, FAILED, each.failure, better_than(each.failure), None, each.why) for each in errors
    ]


def lost_way_out(playback: Playback, seat: int) -> Mistake | None:
    """The move that gave the last way out away, if the player is alive where an unfinished record ends and has no way
    out any more: the death is still to come."""
    landmarks = Landmarks(playback)
    turn = landmarks.last_way_out(seat) if landmarks.is_lost(seat) else None
    played = None if turn is None else played_name(playback, turn, seat)
    if turn is None or played is None:
        return None
    safe = survivable_moves(seen_position(playback, turn, seat), seat)
    why = f"last turn with a way out (safe: {', '.join(safe)}); the record ends before the death"
    return Mistake(turn, DEATH, played, safe[0], None, why, safe=safe) if safe else None


# In words

WORDS = {
    OWN_BOMB: "a bomb of its own closed the way out",
    WALKED: "it walked into a known blast",
    STAYED: "it stayed in a known blast",
    CHAIN: "a bomb exploded before its time, in a chain that it did not see",
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


def describe_cause(death: ReviewedDeath, seat: int, names: list[str]) -> str:
    """The cause in words, with the bombs."""
    words = WORDS[death.cause]
    if death.rival is not None:
        by = f" by player {death.rival} ({names[death.rival]})"
        words += f"{by} from turn {death.last_turn} on" if death.cause == TRAPPED else f" ({by.strip()})"
    bombs = [describe_bomb(bomb, seat) + describe_chain(bomb, seat) for bomb in death.bombs]
    return f"{words}; bombs: {', '.join(bombs)}"


def describe_bomb(bomb: KillingBomb | ChainedBomb, seat: int) -> str:
    owner = "its own" if bomb.owner == seat else f"player {bomb.owner}"
    return f"{owner} of turn {bomb.turn} at {bomb.x},{bomb.y}"


def describe_chain(bomb: KillingBomb, seat: int) -> str:
    """` (set off by player 1 of turn 54 at 7,2 through 8,2)`; empty if its time had come."""
    if not bomb.chain:
        return ""
    first, *rest = bomb.chain
    through = f" through {' and '.join(f'{each.x},{each.y}' for each in rest)}" if rest else ""
    return f" (set off by {describe_bomb(first, seat)}{through})"


def describe_failure(event: Death) -> str:
    return f"eliminated for an error: {event.failure}{f' ({event.detail})' if event.detail else ''}"


def better_than(failure: str) -> str:
    """What should have come in place of an error."""
    return BETTER.get(failure, "an order")
