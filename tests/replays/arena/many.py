"""Many random games, written as the arena would, imported and compared: `python -m tests.replays.arena.many 1000`."""

import json
import random
import sys
import time
from collections import Counter

import msgspec

from engine.game import Game
from engine.maps import draw_boxes
from engine.notation import format_position
from replays.arena.importing import Imported, import_game
from replays.replay import Move, Replay, Start
from tests.replays.arena.writer import DRESSES, write_console, write_frames, write_history, write_json, write_options
from tests.replays.recorded import record_game

NAMES = ["ann", "Bossberman", "x moves to 1,0", "zoë 🎉 $ 7"]
SHAPES = ("bare", "success", "gameResult", "hoisted", "test play", "history", "console", "console without seed")


def random_game(number: int) -> Replay:
    """2 to 4 players; some careless, some that fail, some on a board that `boxes=` changed."""
    chance = random.Random(number)
    seats = chance.randint(2, 4)
    count = len(draw_boxes(number)) if chance.random() < 0.3 else None
    failures = chance.choice([0.0, 0.0, 0.003, 0.02])
    return record_game(number, seats, failures, Game.start(number, seats, count), chance.choice([0.999, 0.98, 0.9]))


def dress(replay: Replay, shape: str, number: int) -> tuple[bytes, int | None]:
    """The bytes of a file in this shape, and the seed that must be told beside it."""
    chance = random.Random(number)
    seats = replay.start.seats
    names = NAMES[:seats]
    has_no_seed = shape == "console without seed"
    own = chance.randrange(seats) if has_no_seed or chance.random() < 0.7 else None
    frames = write_frames(replay, own, chance.choice(DRESSES), number)
    if shape.startswith("console"):
        text = write_console(frames, names, chance.random() < 0.7, cut=chance.random() < 0.3)
        options = "" if has_no_seed else write_options(replay)
        return (options + text).encode(), None
    if shape == "history":
        return json.dumps(write_history(replay, frames, names)).encode(), None
    result = write_json(replay, frames, names, has_view=chance.random() < 0.5)
    return json.dumps(wrap(result, shape)).encode(), None


def wrap(result: dict, shape: str) -> dict:
    """The shapes that the arena's JSON is found in."""
    match shape:
        case "success" | "gameResult":
            return {"id": 1, shape: result}
        case "hoisted":
            return {"frames": result.pop("frames"), "gameResult": result}
        case "test play":
            del result["agents"]
    return result


def is_same(imported: Imported, replay: Replay) -> bool:
    """Whether the game came back turn by turn, with its answers, failures and end."""
    if imported.difference is not None or imported.replay is None:
        return False
    return told(replay) == told(imported.replay) and is_same_board(imported, replay)


def told(replay: Replay) -> object:
    """All that happened, but for what lay in boxes to the end."""
    moves = [[action_of(move) for move in turn.moves] for turn in replay.turns]
    return moves, msgspec.structs.replace(replay.result, hash="")


def is_same_board(imported: Imported, replay: Replay) -> bool:
    """Whether all contents of boxes are right, where the record tells them.

    `boxes=` given back as an option changes what some boxes hold. A record without inputs in which none of these is
    opened fits both boards.
    """
    assert imported.replay is not None
    if imported.replay.start == replay.start:
        return [turn.hash for turn in imported.replay.turns] == [turn.hash for turn in replay.turns]
    return not imported.compared.inputs and imported.replay.start == Start(
        format_position(Game.start(replay.seed, replay.start.seats)), replay.start.seats
    )


def action_of(move: Move | None) -> object:
    return None if move is None else (move.action, move.message, bool(move.failure))


def main(count: int) -> None:
    started, failed, undecided, seen = time.monotonic(), 0, 0, Counter[str]()
    for number in range(count):
        replay, shape = random_game(number), SHAPES[number % len(SHAPES)]
        imported = import_game(*dress(replay, shape, number), "test")
        seen[f"{shape}, {imported.compared.inputs_in_other_order} inputs in another order of items"] += 1
        undecided += imported.replay is not None and imported.replay.start != replay.start
        if not is_same(imported, replay):
            failed += 1
            print(number, shape, imported.difference and imported.difference.describe())
    for line, games in sorted(seen.items()):
        print(f"{games:5} {line}")
    print(f"{undecided:5} records that fit the boards with and without boxes=, taken for the latter")
    print(f"{count} games, {failed} failed, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
