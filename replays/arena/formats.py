"""What the arena recorded of a game, whatever dress it came in: who played, what they answered, how it ended."""

import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from engine.board import is_on_board, is_wall
from engine.maps import MOST_BOXES
from engine.notation import NotationError, parse_order
from engine.position import Cell
from replays.annotations import HEADERS, INFORMATION, STDERR, STDOUT, SUMMARY
from replays.replay import FORMAT, ReplayError

MOST_PLAYERS = 4
MOST_FRAMES = 1 + MOST_PLAYERS * 200
COLOUR = re.compile(r"[¤§][A-Z_]+[¤§]")


class ArenaError(ReplayError):
    """A file that is not a game of the arena, or lacks what is needed to play it again."""


@dataclass(frozen=True)
class Frame:
    """One player's answer."""

    number: int  # as the source counts
    seat: int | None  # None: the source doesn't say; the next of the living
    stdout: str | None  # None: nothing came
    stderr: str = ""
    information: str = ""  # what the arena said about it
    error: str = ""  # what the player's program ended with


@dataclass(frozen=True)
class Summary:
    """What the arena said about one round, or about all rounds that end in a group of frames."""

    last: int  # the position in `frames` of the last frame that it is about
    text: str


@dataclass
class ArenaRecord:
    """A game of the arena. Lists are by seat, and empty where the source doesn't tell."""

    source: str  # what kind of text it was
    frames: list[Frame]
    summaries: list[Summary] = field(default_factory=list)
    has_round_summaries: bool = True  # False: a summary may be about several rounds
    options: str = ""  # the referee's input
    names: list[str] = field(default_factory=list)
    own: list[int] = field(default_factory=list)  # seats of the code in the editor
    board: dict[Cell, int] = field(default_factory=dict)  # the boxes of the first picture
    scores: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)  # from 0
    places: list[tuple[str, int]] = field(default_factory=list)  # names and ranks from 1, in no order of seats
    seats: int | None = None
    first_frame: int = 1  # the number of the first answer
    is_copied: bool = False  # by hand, from a screen: its end may be missing
    padding: int = 0  # so many frames at the end may be none


def plain(text: str) -> str:
    """Without the arena's marks for colours."""
    return COLOUR.sub("", text).strip()


# The JSON of a game as the arena's site returns it: bare, under `success` or `gameResult`, or with its frames hoisted.
#
# {"refereeInput": "seed=1
# boxes=34
# ", "scores": [...], "ranks": [...], "agents": [...], "frames": [
#     {"agentId": -1, "keyframe": true, "view": ...},                 the opening
#     {"agentId": 0, "stdout": "MOVE 1 0
# ", "stderr": ...},          one frame for each living player ...
#     {"agentId": 1, "stdout": "BOMB 12 10
# ", "keyframe": true,      ... the last of a round with its summary
#      "summary": "$0 moves to 1,0
# $1 places a bomb
# "}, ...]}


MOST_OBJECTS = 1000  # looked at to find the fields
OPENING = -1
EDITOR = -1  # an agent's id, if it is the code in the editor
VIEW = re.compile(r"Hypersonic\s+\d+\s+13 11 ([2-4]) \d+ [01]\s+(\d{1,3})\n")
BOX = re.compile(r"\d+ (\d{1,2}) (\d{1,2}) ([012])", re.ASCII)


def parse_game_result(document: object) -> ArenaRecord:
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
    record = ArenaRecord("arena JSON", [])
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


def add_frame(record: ArenaRecord, number: int, frame: dict[str, Any]) -> None:
    """A frame of a player becomes an answer; the opening tells the board."""
    seat = frame.get("agentId")
    if seat not in (None, *range(OPENING, MOST_PLAYERS)) or isinstance(seat, (bool, float)):
        raise ArenaError(f"frame {number}: agentId {str(seat)[:40]!r} is not a player's index (0 to 3, or -1)")
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


def read_view(record: ArenaRecord, view: str) -> None:
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
            raise ArenaError(f"frame 0: its view has {line[:40]!r} instead of `id x y content` of a box")
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
    for key, name in (("codingamer", "pseudo"), ("arenaboss", "nickname")):
        if isinstance(agent.get(key), dict) and text_of(agent[key].get(name)):
            return text_of(agent[key][name])
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


# The history that the browser extension CGSpunk exports.
#
#     {"results": {"options": "seed=1
# boxes=34
# ", "rankings": [{"name": "ann", "rank": 1}, ...],
#                  "history": {"data": [{"stdout": [...], "stderr": [...], "summary": ...}, ...]}}}
#
# An entry has room for one answer per seat and is filled in order of frames. After a death it is no longer a round: all
# answers are put in a row and dealt out to the living.


def is_history(document: object) -> bool:
    return isinstance(history_of(document), list)


def history_of(document: object) -> object:
    for name in ("results", "history", "data"):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def parse_history(document: dict[str, Any]) -> ArenaRecord:
    """The game in a history; raises where it is none."""
    entries: list[Any] = history_of(document)  # type: ignore[assignment]
    if len(entries) > MOST_FRAMES:
        raise ArenaError(f"{len(entries)} entries of a history: a game of Hypersonic has {MOST_FRAMES} at most")
    record = ArenaRecord("CGSpunk history", [], has_round_summaries=False)
    for number, entry in enumerate(entries):
        add_entry(record, number, read_fields(number, entry))
    record.padding = count_padding(entries)
    results = document["results"]
    record.options = text_of(results.get("options"))
    record.places = read_places(results.get("rankings"))
    record.seats = len(record.places) or record.seats
    return record


def add_entry(record: ArenaRecord, number: int, entry: dict[str, Any]) -> None:
    answers, errors = entry.get("stdout"), entry.get("stderr")
    if not isinstance(answers, list) or len(answers) > MOST_PLAYERS:
        raise ArenaError(f"entry {number}: its stdout {str(answers)[:40]} is not a list of the players' lines")
    if not record.frames and not any(text_of(answer) for answer in answers):
        return  # the opening
    record.seats = record.seats or len(answers)
    errors = errors if isinstance(errors, list) else []
    for at, answer in enumerate(answers):
        stderr = text_of(errors[at]) if at < len(errors) else ""
        record.frames.append(Frame(len(record.frames) + 1, None, text_of(answer) or None, stderr))
    summary = entry.get("summary")
    if isinstance(summary, list):
        summary = "\n".join(map(text_of, summary))
    if text_of(summary):
        record.summaries.append(Summary(len(record.frames) - 1, text_of(summary)))


def count_padding(entries: list[Any]) -> int:
    """How many answers the last entry lacks: room that was left, or players who sent nothing."""
    last = [text_of(answer) for answer in entries[-1]["stdout"]] if entries else []
    return next((at for at, answer in enumerate(reversed(last)) if answer), len(last))


def read_places(rankings: object) -> list[tuple[str, int]]:
    """Names and ranks, from 1."""
    if not isinstance(rankings, list):
        return []
    if not 2 <= len(rankings) <= MOST_PLAYERS:
        raise ArenaError(f"{len(rankings)} rankings: a game of Hypersonic has 2 to {MOST_PLAYERS} players")
    places = []
    for number, place in enumerate(rankings):
        rank = read_fields(number, place).get("rank")
        if type(rank) is not int:
            raise ArenaError(f"rankings: rank {str(rank)[:40]!r} is not a number from 1 on")
        places.append((text_of(place.get("name")), rank))
    return places


# The text of the arena's console, copied from its page: streams of every player, frame by frame.
#
#     Standard Error Stream:        only your own
#     ...
#     Standard Output Stream:
#     MOVE 1 0
#     02                            the counter: this frame, from 1 (which is the opening) ...
#     57                            ... and how many there are
#     Game Summary:                 after the last frame of a round
#     ann moves to 1,0
#
# Whose answer a frame is, the text doesn't say: it is dealt to the next of the living. Without counters every output is
# a frame. The first header is often cut off; text before any header is recognised by the text that follows.


NUMBER = re.compile(r"\d{1,4}", re.ASCII)
OPTION = re.compile(r"\s*(?:seed|boxes)\s*=\s*-?\d{1,19}(?:[\s,;]+(?:seed|boxes)\s*=\s*-?\d{1,19})*\s*", re.ASCII)
ORDER = re.compile(r"\s*(MOVE|BOMB)\s", re.IGNORECASE)

START, COUNTER = "start", "counter"  # what stands under no header; where a frame ends
FIRST_FRAME = 2  # 1 is the opening


@dataclass
class ConsolePart:
    """Lines under a header, or a counter."""

    kind: str
    lines: list[str] = field(default_factory=list)
    number: int = 0  # of a counter

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def is_console(text: str) -> bool:
    """Whether a text is a console's: it has an output under its header."""
    return re.search(r"^\s*standard output stream:\s*$", text, re.IGNORECASE | re.MULTILINE) is not None


def parse_console(text: str) -> ArenaRecord:
    """The game in a console's text."""
    lines = text.replace("\r\n", "\n").split("\n")
    reader = Reader(total_of(lines))
    parts = list(parts_of(lines, reader.total))
    reader.record.options = take_options(parts)
    name_start(parts)
    for part in parts:
        reader.take(part)
    reader.close()
    return reader.record


# Cutting


def total_of(lines: list[str]) -> int | None:
    """How many frames the counters tell: two bare numbers in a row, equally long; None if there are none."""
    totals = Counter(after.strip() for before, after in pairwise(lines) if is_counter(before.strip(), after.strip()))
    return int(totals.most_common(1)[0][0]) if totals else None


def is_counter(number: str, total: str) -> bool:
    is_pair = len(number) == len(total) and NUMBER.fullmatch(number) and NUMBER.fullmatch(total)
    return bool(is_pair) and 1 <= int(number) <= int(total)


def parts_of(lines: list[str], total: int | None) -> Iterator[ConsolePart]:
    """Cut the lines into parts."""
    part = ConsolePart(START)
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        after = lines[at + 1].strip() if at + 1 < len(lines) else ""
        if kind := HEADERS.get(line.lower()):
            yield part
            part = ConsolePart(kind)
        elif total is not None and is_counter(line, after) and int(after) == total:
            yield part
            yield ConsolePart(COUNTER, number=int(line))
            part = ConsolePart(START)
            at += 1
        else:
            part.lines.append(lines[at])
        at += 1
    yield part


def name_start(parts: list[ConsolePart]) -> None:
    """What the text begins with lost its header: an output if it is a lone order, else stderr if an output follows."""
    first, following = parts[0], parts[1].kind if len(parts) > 1 else ""
    if first.kind == START and first.text.strip():
        is_order = ORDER.match(first.text.strip()) is not None and "\n" not in first.text.strip()
        if following == STDOUT and not is_order:
            first.kind = STDERR
        elif any(ORDER.match(line) for line in first.lines):
            first.kind = STDOUT


def take_options(parts: list[ConsolePart]) -> str:
    """`seed=...` as people paste it, taken out: outside of the players' streams, or before the first header."""
    found: list[str] = []
    for part in parts:
        if part.kind not in (STDERR, STDOUT):
            found += [re.sub(r"[,;]", " ", line) for line in part.lines if OPTION.fullmatch(line)]
            part.lines = [line for line in part.lines if not OPTION.fullmatch(line)]
    return " ".join(found)


# Putting together


class Reader:
    """The record as far as it was read, and the frame that is being read."""

    def __init__(self, total: int | None) -> None:
        self.total = total
        self.record = ArenaRecord("console text", [], first_frame=FIRST_FRAME, is_copied=True)
        self.frame: dict[str, str] = {}

    def take(self, part: ConsolePart) -> None:
        """The next part. Without counters a frame ends where the next part can't belong to it."""
        if part.kind == COUNTER:
            if part.number >= FIRST_FRAME:
                self.add_frame(part.number)
            self.frame = {}
        elif part.kind == SUMMARY:
            if self.total is None:
                self.close()
            self.record.summaries.append(Summary(len(self.record.frames) - 1 + (STDOUT in self.frame), part.text))
        elif part.kind == INFORMATION and self.is_about_the_last(part.text):
            self.record.frames[-1] = replace(self.record.frames[-1], information=part.text)
        elif part.kind != START:
            if self.total is None and (STDOUT in self.frame or self.tells_timeout()):
                self.close()
            self.frame[part.kind] = part.text

    def is_about_the_last(self, information: str) -> bool:
        """Whether the arena speaks of the frame that just ended rather than of the one that begins."""
        if self.frame or not self.record.frames or self.record.frames[-1].information or not information.strip():
            return False
        stdout = self.record.frames[-1].stdout
        return self.total is not None and (stdout is None or not ORDER.match(stdout))

    def close(self) -> None:
        """End a frame that no counter ends; a player who sent nothing is known by what the arena says about it."""
        if STDOUT in self.frame or self.tells_timeout():
            self.add_frame(self.record.frames[-1].number + 1 if self.record.frames else FIRST_FRAME)
        self.frame = {}

    def tells_timeout(self) -> bool:
        """Whether the arena marks the frame as one whose player sent nothing in time: no output follows."""
        return "timeout" in self.frame.get(INFORMATION, "").lower()

    def add_frame(self, number: int) -> None:
        frame = self.frame
        stdout = frame[STDOUT] if frame.get(STDOUT, "").strip() else None
        self.record.frames.append(Frame(number, None, stdout, frame.get(STDERR, ""), frame.get(INFORMATION, "")))
        if len(self.record.frames) > MOST_FRAMES:
            raise ArenaError(f"more than {MOST_FRAMES} frames: a game of Hypersonic has no more")


# Which dress a game of the arena comes in, told by its content: JSON in its shapes, or the console's text.


BEFORE_FRAME = re.compile(r"[\s,]*(?=\{)")


def parse_record(data: bytes) -> ArenaRecord:
    """What the arena recorded; raises ArenaError if it isn't the arena's."""
    text = data.decode("utf-8-sig", "replace")
    if text.lstrip()[:1] in ("{", "["):
        document = parse_json(text)
        record = parse_history(document) if is_history(document) else parse_game_result(document)
    elif is_console(text):
        record = parse_console(text)
    else:
        raise ArenaError("no game of the arena: expected its JSON, or a console's text with `Standard Output Stream:`")
    check_game(record)
    return record


def parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError) and is_cut_off(text, error):
            frame = count_frames(text)
            raise ArenaError(
                f"cut off in frame {frame}: expected the rest of its JSON after {len(text)} characters"
            ) from None
        raise ArenaError(f"no JSON: {str(error)[:80]}; save the JSON of a game of the arena") from None


def is_cut_off(text: str, error: json.JSONDecodeError) -> bool:
    """Whether the text ends where something is expected: at the place of the error, or in a string begun there."""
    return not text[error.pos :].strip() or error.msg.startswith("Unterminated string")


def count_frames(text: str) -> int:
    """How many frames a text that is cut off holds whole."""
    decoder = json.JSONDecoder()
    count = 0
    at = text.find("[", max(0, text.find('"frames"'))) + 1
    try:
        while at and (found := BEFORE_FRAME.match(text, at)):
            at = decoder.raw_decode(text, found.end())[1]
            count += 1
    except (ValueError, RecursionError):
        pass
    return count


def check_game(record: ArenaRecord) -> None:
    """Whether anybody plays Hypersonic in it."""
    answers = [frame for frame in record.frames if frame.stdout]
    if not answers:
        raise ArenaError(f"{record.source} without an answer of any player: expected frames with MOVE or BOMB")
    if not any(is_order(frame.stdout or "") for frame in answers):
        first = answers[0]
        found = (first.stdout or "").strip().split("\n")[0][:40]
        raise ArenaError(
            f"frame {first.number}: the answer {found!r} is neither `MOVE x y` nor `BOMB x y`: not a game of Hypersonic"
        )


def is_order(stdout: str) -> bool:
    try:
        return bool(parse_order(stdout.lstrip("\r\n").split("\n", 1)[0]))
    except NotationError:
        return False
