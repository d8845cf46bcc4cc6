"""Our own replays in the arena's dress: its JSON and its console text, as its pages give them to people.

Summaries are told from what changed on the board, not by the code that reads them.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.events import Drop
from engine.game import Game
from engine.notation import Order, format_action, format_header, format_position, resolve
from engine.position import Cell, boxes_on
from engine.rules import BOMB
from replays.playback import Playback, game_from
from replays.replay import Move, Replay

TIMEOUT = (
    "¤RED¤Timeout: the program did not provide 1 input lines in due time... "
    "{name} will no longer be active in this game.§RED§"
)
NONSENSE = "¤RED¤invalid input. Expected 'MOVE x y | BOMB x y' but found '{line}'§RED§"

Dress = Callable[[str], str]  # an input as a program echoes it


def plain(text: str) -> str:
    return text


def marked(text: str) -> str:
    return "# my turn 3 4\n" + "".join(f"> {line}\n" for line in text.splitlines())


def quoted(text: str) -> str:
    """Without the numbers that stand alone."""
    return "".join(f'        "{line}",\n' for line in text.splitlines() if not line.isdigit() or len(line) == 13)


def on_one_line(text: str) -> str:
    return f"IN {' '.join(text.split())} /IN\nnodes 4711\n"


def fenced(text: str) -> str:
    return f"IN\n{text}/IN\n# 0 1 12 10 1 3\n"


DRESSES: list[Dress] = [plain, marked, quoted, on_one_line, fenced]


@dataclass
class Written:
    """One frame as the arena has it; names stand as $0 to $3."""

    seat: int
    stdout: str | None
    stderr: str
    information: str
    summary: str | None  # on the last frame of a round


def write_frames(replay: Replay, own: int | None = None, dress: Dress = plain, seed: int = 0) -> list[Written]:
    """The answers of all turns; `own` is whose stderr is seen."""
    playback, chance = Playback(replay), random.Random(seed)
    written: list[Written] = []
    for turn in range(playback.first_turn, playback.end_turn):
        game, moves = playback.game_at(turn), playback.moves_at(turn)
        for seat in game.living:
            move = moves[seat]
            assert move is not None
            header = format_header(seat) if turn == 0 else ""
            stderr = dress(header + format_position(game)) if seat == own else ""
            stdout = write_answer(game, seat, move, chance)
            written.append(Written(seat, stdout, stderr, write_information(seat, stdout, move), None))
        written[-1].summary = write_summary(playback, turn)
    return written


def write_answer(game: Game, seat: int, move: Move, chance: random.Random) -> str | None:
    """The line that does it, sometimes with a target that lies further away; None for no answer in time."""
    if move.action is None:
        assert move.failure is not None
        return move.line + "\n" if move.failure.cause == "invalid" else None
    line = format_action(game.state, seat, move.action, move.message)
    x, y = chance.randrange(-3, 20), chance.randrange(-3, 15)
    done = resolve(game.state, seat, Order(move.action >= BOMB, x, y, ""))
    if done == resolve_line(game, seat, line):
        line = f"{line[:4].lower()} {x} {y} {move.message}"
    return line + "\n"


def resolve_line(game: Game, seat: int, line: str) -> int:
    words = line.split()
    return resolve(game.state, seat, Order(words[0] == "BOMB", int(words[1]), int(words[2]), ""))


def write_information(seat: int, stdout: str | None, move: Move) -> str:
    if move.action is not None:
        return ""
    return TIMEOUT.format(name=f"${seat}") if stdout is None else NONSENSE.format(line=stdout.strip())


def write_summary(playback: Playback, turn: int) -> str:
    before = {player.id: player for player in playback.game_at(turn).players()}
    after = {player.id: player for player in playback.game_at(turn + 1).players()}
    moves = playback.moves_at(turn)
    droppers = {event.player for event in playback.events_at(turn) if isinstance(event, Drop)}
    lines = []
    for seat, player in before.items():
        if seat not in after:
            lines.append(f"${seat}: {'Disintegrated' if has_action(moves[seat]) else 'Eliminated'}!")
            continue
        if seat in droppers:
            lines.append(f"${seat} places a bomb")
        elif has_action(moves[seat]) and moves[seat].action >= BOMB:  # type: ignore[union-attr,operator]
            lines.append(f"${seat} wants to place a bomb but cannot")
        if (after[seat].x, after[seat].y) != (player.x, player.y):
            lines.append(f"${seat} moves to {after[seat].x},{after[seat].y}")
    return "".join(f"{line}\n" for line in lines)


def has_action(move: Move | None) -> bool:
    return move is not None and move.action is not None


# JSON


def write_options(replay: Replay) -> str:
    """The referee's input."""
    return f"seed={replay.seed}\nboxes={len(first_boxes(replay))}\n"


def first_boxes(replay: Replay) -> dict[Cell, int]:
    start = game_from(replay.start)
    return boxes_on(start.state, start.map)


def write_json(
    replay: Replay, frames: Sequence[Written], names: Sequence[str], has_view: bool = True
) -> dict[str, Any]:
    """The arena's GameResult."""
    playback = Playback(replay)
    end = playback.game_at(playback.end_turn)
    view = write_view(replay.start.seats, first_boxes(replay)) if has_view else " 0\n"
    opening = {"gameInformation": "", "summary": "", "view": view, "keyframe": True, "agentId": -1}
    return {
        "gameId": 4711,
        "refereeInput": write_options(replay),
        "scores": [float(value) for value in end.values()],
        "ranks": [rank - 1 for rank in end.ranks()],
        "agents": [
            {"index": seat, "agentId": 100 + seat, "score": 0.0, "codingamer": {"userId": seat, "pseudo": name}}
            for seat, name in enumerate(names)
        ],
        "frames": [opening, *(write_frame(number, frame) for number, frame in enumerate(frames, 1))],
    }


def write_view(seats: int, boxes: dict[Cell, int]) -> str:
    lines = [f"{number} {x} {y} {content}" for number, ((x, y), content) in enumerate(boxes.items())]
    return "\n".join(
        [" 0", "Hypersonic", str(len(lines) + 2), f"13 11 {seats} 200 1", str(len(lines)), *lines, "0", ""]
    )


def write_frame(number: int, frame: Written) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "gameInformation": frame.information,
        "view": f" {number}\n",
        "keyframe": frame.summary is not None,
        "agentId": frame.seat,
    }
    if frame.stdout is not None:
        fields["stdout"] = frame.stdout
    if frame.stderr:
        fields["stderr"] = frame.stderr
    if frame.summary is not None:
        fields["summary"] = frame.summary
    return fields


def write_history(replay: Replay, frames: Sequence[Written], names: Sequence[str]) -> dict[str, Any]:
    """A history of CGSpunk: groups of as many frames as there are seats, whatever round they belong to."""
    seats = replay.start.seats
    groups = [frames[at : at + seats] for at in range(0, len(frames), seats)]
    data = [
        {
            "stdout": [frame.stdout for frame in group] + [None] * (seats - len(group)),
            "stderr": [frame.stderr or None for frame in group] + [None] * (seats - len(group)),
            "summary": "".join(frame.summary or "" for frame in group),
        }
        for group in groups
    ]
    ranks = sorted((rank, name) for rank, name in zip(replay.result.ranks, names, strict=True))
    return {
        "results": {
            "options": write_options(replay),
            "rankings": [{"name": name, "rank": rank} for rank, name in ranks],
            "history": {"data": data},
        }
    }


# Console


def write_console(frames: Sequence[Written], names: Sequence[str], has_counters: bool = True, cut: bool = False) -> str:
    """The console's text; `cut`: copied without its first header."""
    total = len(frames) + 1
    width = len(str(total))
    parts = [f"{1:0{width}}\n{total}\n"] if has_counters and not cut else []
    for number, frame in enumerate(frames, 2):
        parts += [f"Standard Error Stream:\n{frame.stderr.rstrip()}\n"] if frame.stderr else []
        parts += [f"Standard Output Stream:\n{frame.stdout}"] if frame.stdout is not None else []
        parts += [f"Game information:\n{frame.information}\n"] if frame.information else []
        parts += [f"{number:0{width}}\n{total}\n"] if has_counters else []
        parts += [f"Game Summary:\n{frame.summary}"] if frame.summary else []
    text = "".join(parts).replace("¤RED¤", "").replace("§RED§", "")
    for seat, name in enumerate(names):
        text = text.replace(f"${seat}", name)
    return text.partition("\n")[2] if cut else text
