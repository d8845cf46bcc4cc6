"""The JSON of a game as the arena's site returns it: bare, under `success` or `gameResult`, or with its frames hoisted.

{"refereeInput": "seed=1\nboxes=34\n", "scores": [...], "ranks": [...], "agents": [...], "frames": [
    {"agentId": -1, "keyframe": true, "view": ...},                 the opening
    {"agentId": 0, "stdout": "MOVE 1 0\n", "stderr": ...},          one frame for each living player ...
    {"agentId": 1, "stdout": "BOMB 12 10\n", "keyframe": true,      ... the last of a round with its summary
     "summary": "$0 moves to 1,0\n$1 places a bomb\n"}, ...]}
"""

import re
from collections import deque
from typing import Any

from engine.board import is_on_board, is_wall
from engine.maps import MOST_BOXES
from engine.position import Cell
from replays.arena.recorded import MOST_FRAMES, MOST_PLAYERS, ArenaError, Frame, Recorded, Summary
from replays.replay import FORMAT

MOST_OBJECTS = 1000  # looked at to find the fields
OPENING = -1
EDITOR = -1  # an agent's id, if it is the code in the editor
VIEW = re.compile(r"Hypersonic\s+\d+\s+13 11 ([2-4]) \d+ [01]\s+(\d{1,3})\n")
BOX = re.compile(r"\d+ (\d{1,2}) (\d{1,2}) ([012])", re.ASCII)


def parse_game_result(document: object) -> Recorded:
    """The game in a JSON document; raises where the document is none."""
    objects = objects_in(document)
    fields = {name: value for each in reversed(objects) for name, value in each.items() if value is not None}
    if fields.get("format") == FORMAT:
        raise ArenaError("a replay of hsctl, not a game of the arena: `hsctl replay` opens it as it is")
    if not isinstance(fields.get("frames"), list):
        message = text_of(fields.get("message"))
        hint = f", but the message {message[:80]!r}" if message else ""
        raise ArenaError(f"no frames{hint}: expected the JSON of a game of the arena")
    frames = [read_fields(number, frame) for number, frame in enumerate(fields["frames"][: MOST_FRAMES + 1])]
    if len(frames) > MOST_FRAMES:
        raise ArenaError(f"{len(fields['frames'])} frames: a game of Hypersonic has {MOST_FRAMES} at most")
    record = Recorded("arena JSON", [])
    for number, frame in enumerate(frames):
        add_frame(record, number, frame)
    record.options = text_of(fields.get("refereeInput"))
    agents = read_agents(fields.get("agents"))
    record.names = [name_agent(seat, agent) for seat, agent in enumerate(agents)]
    record.own = [seat for seat, agent in enumerate(agents) if agent.get("agentId") == EDITOR]
    record.scores = read_numbers("scores", fields.get("scores"))
    record.ranks = [int(rank) for rank in read_numbers("ranks", fields.get("ranks"))]
    seats = {len(each) for each in (record.names, record.scores, record.ranks) if each}
    if len(seats) > 1:
        raise ArenaError(f"agents, scores and ranks of {join_numbers(seats)} players: expected one number of players")
    record.seats = seats.pop() if seats else record.seats
    return record


def objects_in(document: object) -> list[dict[str, Any]]:
    """The objects that may hold fields of the game, the one with the frames first, then from the outside in."""
    found: list[dict[str, Any]] = []
    queue = deque([document])
    while queue and len(found) < MOST_OBJECTS:
        value = queue.popleft()
        if isinstance(value, dict):
            found.append(value)
            queue.extend(inner for inner in value.values() if isinstance(inner, dict))
        elif isinstance(value, list) and len(value) == 1:
            queue.append(value[0])
    return sorted(found, key=lambda each: not isinstance(each.get("frames"), list))


def read_fields(number: int, frame: object) -> dict[str, Any]:
    if not isinstance(frame, dict):
        raise ArenaError(f"frame {number}: expected an object with agentId and stdout, found {str(frame)[:40]!r}")
    return frame


def add_frame(record: Recorded, number: int, frame: dict[str, Any]) -> None:
    """A frame of a player becomes an answer; the opening tells the board."""
    seat = frame.get("agentId")
    if seat not in (None, *range(OPENING, MOST_PLAYERS)) or isinstance(seat, (bool, float)):
        raise ArenaError(f"frame {number}: agentId {str(seat)[:40]!r}, expected a player's index 0 to 3, or -1")
    if seat == OPENING:
        if not record.frames:
            read_view(record, text_of(frame.get("view")))
        return
    error = frame.get("error")
    record.frames.append(
        Frame(
            number,
            seat,
            text_of(frame["stdout"]) if isinstance(frame.get("stdout"), str) else None,
            text_of(frame.get("stderr")),
            text_of(frame.get("gameInformation")),
            text_of(error.get("message")) if isinstance(error, dict) else "",
        )
    )
    if summary := text_of(frame.get("summary")):
        record.summaries.append(Summary(len(record.frames) - 1, summary))


def read_view(record: Recorded, view: str) -> None:
    """The first picture: how many play, and where the boxes stand with what in them."""
    match = VIEW.search(view)
    if match is None:
        return
    record.seats = int(match[1])
    lines = view[match.end() :].split("\n", MOST_BOXES)[: int(match[2])]
    boxes: dict[Cell, int] = {}
    for line in lines:
        box = BOX.fullmatch(line.strip())
        x, y, content = map(int, box.groups()) if box else (-1, -1, 0)
        if not is_on_board(x, y) or is_wall(x, y):
            raise ArenaError(f"frame 0: its view has {line[:40]!r}, expected `id x y content` of a box")
        boxes[x, y] = content
    record.board = boxes


def read_agents(agents: object) -> list[dict[str, Any]]:
    """Who played, by index; nobody is named in a test play's answer."""
    if not isinstance(agents, list) or not agents:
        return []
    if not 2 <= len(agents) <= MOST_PLAYERS or not all(isinstance(agent, dict) for agent in agents):
        raise ArenaError(f"{len(agents)} agents: a game of Hypersonic has 2 to {MOST_PLAYERS}")
    seats = [agent.get("index", at) for at, agent in enumerate(agents)]
    if sorted(seats, key=str) != list(range(len(agents))):
        raise ArenaError(f"agents with index {str(seats)[:40]}: expected 0 to {len(agents) - 1}, each once")
    return [agents[seats.index(seat)] for seat in range(len(agents))]


def name_agent(seat: int, agent: dict[str, Any]) -> str:
    for field, name in (("codingamer", "pseudo"), ("arenaboss", "nickname")):
        if isinstance(agent.get(field), dict) and text_of(agent[field].get(name)):
            return text_of(agent[field][name])
    return f"player {seat}"


def read_numbers(name: str, values: object) -> list[float]:
    if values is None:
        return []
    if not isinstance(values, list) or not all(type(value) in (int, float) and abs(value) < 1e9 for value in values):
        raise ArenaError(f"{name} {str(values)[:60]}: expected a list of numbers, one per player")
    return values


def join_numbers(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))


def text_of(value: object) -> str:
    """The text of a field that should be one; halves of characters become question marks."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
