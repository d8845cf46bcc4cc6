"""Data out: ledgers and replays as rows of tables, written as CSV, JSON lines or Parquet.

The columns of each table come first. They are also the page docs/reference/export.md; write it again with

    python -m hsctl.report.export > docs/reference/export.md
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from engine.errors import HsctlError
from engine.position import player_of
from engine.rules import ACTION_NAMES
from hsctl.files import csv_cell
from hsctl.league.ledger_file import Row, StoredOutcome
from hsctl.league.standings import Standings
from hsctl.match.result import GameResult
from replays.events import events_of, to_json
from replays.files import written_whole
from replays.playback import Playback
from replays.text import clean

# Columns and their meanings


GAME = {
    "game": "the key of a ledger's row, or the file of a replay",
    "seed": "seed of the board and of all decisions; empty if unknown",
    "seat": "0 to 3",
    "player": "the player, as written on the command line",
    "rank": "place, from 1; equal places are shared",
    "boxes": "boxes scored",
    "death_turn": "turn whose actions led to the death; empty if alive at the end, or dead at the start",
    "turns": "number of turns of the game",
    "reason": "why it ended",
    "players": "number of players in the game",
    "nodes": "node limit of all agents; empty if none",
    "turn_ms": "time limit of a turn in milliseconds; empty if none",
    "clock": "clock of built-in agents with a time limit: wall or cpu",
}
REPLAY = {**GAME, "first_turn": "number of the first turn; above 0 if the game continues another"}
LEDGER = {
    **GAME,
    "digest": "digest of the player: its sources, or the files of a bot",
    "bombs": "bombs dropped",
    "death_cause": "own, others or both (whose bombs), or error",
    "failure": "error that eliminated the player, if any",
    "total_ms": "thinking time of the game",
    "worst_ms": "longest turn, not counting the first",
    "late": "turns over the time limit",
    "finished": "time of the end, in UTC",
    "replay": "file of the replay, if saved",
}
TURN = {
    "game": "the file of the replay",
    "turn": "from 0",
    "seat": "0 to 3, living players only",
    "x": "column of the player, 0 to 12",
    "y": "row of the player, 0 to 10",
    "bombs_left": "bombs left to drop",
    "range": "range of the player's bombs",
    "boxes": "boxes scored so far",
    "action": "0 to 4: stay, left, right, up, down; 5 more with a bomb; empty if eliminated",
    "name": "name of the action",
    "line": "line that a bot printed",
    "message": "message of the player",
    "time_ms": "time to the answer; empty with a node limit",
    "failure": "error that eliminated the player, if any",
}
DECISION = {
    "game": "the file of the replay",
    "turn": "from 0",
    "seat": "0 to 3, agents only",
    "action": "0 to 9",
    "value": "the agent's value of its plan; empty if it gave none",
    "nodes": "nodes searched",
    "depth": "depth reached",
    "plan": "the agent's actions from this turn on, separated by spaces",
    "time_ms": "thinking time; empty with a node limit",
}
EVENT = {
    "game": "the file of the replay",
    "turn": "turn whose actions caused the event, from 0",
    "event": "drop, explosion, box (destroyed), burnt, picked, freed (an item), death",
    "x": "0 to 12",
    "y": "0 to 10",
    "player": "player that dropped, picked up or died",
    "owners": "owners of the bombs, separated by spaces",
    "detail": "range, kind, content or failure",
}
TABLES = {"games": REPLAY, "turns": TURN, "decisions": DECISION, "events": EVENT}  # of replays


def format_page() -> str:
    """The page in Markdown."""
    lines = [
        "# Export columns",
        "",
        "    hsctl export ledger --to csv > games.csv              # every finished game of your leagues",
        "    hsctl export replays games/ --to parquet --out data/  # four tables of all replays in a folder",
        "    hsctl export replays --table turns --to jsonl         # one table of the latest replay, on stdout",
        "",
        "Parquet needs `pip install 'hsctl[parquet]'`. Empty cells are null. In CSV, text that a spreadsheet would",
        "run as a formula gets a leading quote. In Python, the same rows are lists of dicts:",
        "`hsctl.open_replay(FILE).turns` and `hsctl.run_league(...).games` ([API](api.md)).",
    ]
    titles = {"Ledgers: games": LEDGER, **{f"Replays: {name}": columns for name, columns in TABLES.items()}}
    for title, columns in titles.items():
        lines += ["", f"## {title}", "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{name}` | {meaning} |" for name, meaning in columns.items()]
    return "\n".join(lines) + "\n"


# Rows of a recorded game. `game` is its name in the rows, usually its file.


def game_rows(playback: Playback, game: str = "") -> Iterator[dict[str, Any]]:
    """One per seat."""
    replay, end = playback.replay, playback.game_at(playback.end_turn)
    for seat, info in enumerate(replay.players):
        yield {
            "game": game,
            "seed": replay.seed,
            "seat": seat,
            "player": info.spec,
            "rank": replay.result.ranks[seat],
            "boxes": replay.result.boxes[seat],
            "death_turn": end.death_turns[seat],
            "turns": len(replay.turns),
            "reason": replay.result.reason,
            "players": len(replay.players),
            "nodes": replay.limits.nodes,
            "turn_ms": replay.limits.turn_ms,
            "clock": replay.limits.clock,
            "first_turn": playback.first_turn,
        }


def turn_rows(playback: Playback, game: str = "") -> Iterator[dict[str, Any]]:
    """One per turn and living player."""
    for turn in range(playback.first_turn, playback.end_turn):
        state = playback.game_at(turn).state
        for seat, move in enumerate(playback.moves_at(turn)):
            me = player_of(state, seat)
            if move is None or me is None:
                continue
            yield {
                "game": game,
                "turn": turn,
                "seat": seat,
                "x": me.x,
                "y": me.y,
                "bombs_left": me.bombs_left,
                "range": me.range,
                "boxes": me.boxes,
                "action": move.action,
                "name": None if move.action is None else ACTION_NAMES[move.action],
                "line": move.line or None,
                "message": move.message or None,
                "time_ms": move.time_ms,
                "failure": None if move.failure is None else f"{move.failure.cause}: {move.failure.detail}",
            }


def decision_rows(playback: Playback, game: str = "") -> Iterator[dict[str, Any]]:
    """One per decision that an agent told of."""
    for turn in range(playback.first_turn, playback.end_turn):
        for seat, move in enumerate(playback.moves_at(turn)):
            if move is None or move.thought is None:
                continue
            thought = move.thought
            yield {
                "game": game,
                "turn": turn,
                "seat": seat,
                "action": move.action,
                "value": thought.value,
                "nodes": thought.nodes,
                "depth": thought.depth,
                "plan": join(thought.plan),
                "time_ms": move.time_ms,
            }


def event_rows(playback: Playback, game: str = "") -> Iterator[dict[str, Any]]:
    """One per thing that happened."""
    for turn in range(playback.first_turn, playback.end_turn):
        for event in events_of(playback.game_at(turn), playback.moves_at(turn)):
            told = to_json(event)
            owners = told.pop("owners", None)
            row = {name: told.pop(name, None) for name in ("event", "x", "y", "player")}
            told.pop("cells", None)
            detail = ", ".join(f"{name} {value}" for name, value in told.items())
            yield {
                "game": game,
                "turn": turn,
                **row,
                "owners": None if owners is None else join(owners),
                "detail": detail or None,
            }


def join(numbers: Any) -> str:
    return " ".join(map(str, numbers))


MAKERS = {"games": game_rows, "turns": turn_rows, "decisions": decision_rows, "events": event_rows}


# Rows of finished games: those of a ledger, or of a league in memory.


def ledger_rows(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """One per game and seat."""
    for row in rows:
        identity = row.identity
        for seat, seat_identity in enumerate(identity.seats):
            yield {
                **seat_row(row.outcome, seat),
                "game": identity.key,
                "seed": identity.seed,
                "player": seat_identity.spec,
                "nodes": identity.limits.nodes,
                "turn_ms": identity.limits.turn_ms,
                "clock": identity.limits.clock,
                "digest": seat_identity.digest,
                "finished": row.finished,
                "replay": None if row.replay is None else str(row.replay),
            }


def finished_rows(standings: Standings) -> Iterator[dict[str, Any]]:
    """The same of games in hand, which know no digests."""
    for number, game in enumerate(standings.in_order()):
        for seat, player in enumerate(game.seating):
            replay = None if game.replay is None else str(game.replay)
            names = {
                "game": number,
                "clock": standings.clock,
                "seed": game.seed,
                "player": standings.names[player],
                "replay": replay,
            }
            yield {**seat_row(game, seat), **names}


def seat_row(game: StoredOutcome | GameResult, seat: int) -> dict[str, Any]:
    """How it went for a seat."""
    fate, thinking = game.deaths[seat], game.thinking[seat]
    return {
        "game": None,
        "seed": None,
        "seat": seat,
        "player": None,
        "rank": game.ranks[seat],
        "boxes": game.boxes[seat],
        "death_turn": None if fate is None else fate.turn,
        "turns": game.turns,
        "reason": game.reason,
        "players": len(game.ranks),
        "nodes": None,
        "turn_ms": None,
        "clock": None,
        "digest": None,
        "bombs": game.bombs[seat],
        "death_cause": None if fate is None else fate.cause,
        "failure": (fate.failure or None) if fate is not None else None,
        "total_ms": thinking.total_ms,
        "worst_ms": thinking.worst_ms,
        "late": sum(thinking.late.values()),
        "finished": None,
        "replay": None,
    }


# Writing rows. Spreadsheets run cells that begin like formulas, so cells of CSV files never do.


CSV, JSONL, PARQUET = FORMATS = ("csv", "jsonl", "parquet")


def write_text(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, out: TextIO) -> int:
    """Write CSV or JSON lines; how many rows. On a terminal, control characters are shown and not obeyed."""
    count, show = 0, clean_text if out.isatty() else as_it_is
    if form == CSV:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([show(csv_cell(row[name])) for name in columns])
            count += 1
        return count
    for row in rows:
        out.write(show(json.dumps({name: row[name] for name in columns})) + "\n")
        count += 1
    return count


def clean_text(value: Any) -> Any:
    return clean(value) if isinstance(value, str) else value


def as_it_is(value: Any) -> Any:
    return value


def write_file(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, path: Path) -> int:
    with written_whole(path, with_folder=True) as draft:
        if form == PARQUET:
            return write_parquet(rows, columns, draft)
        with open(draft, "w", encoding="utf-8", newline="") as file:
            return write_text(rows, columns, form, file)


def check_parquet() -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise HsctlError("--to parquet needs pyarrow: pip install 'hsctl[parquet]'")


def write_parquet(rows: Iterable[dict[str, Any]], columns: Sequence[str], path: Path) -> int:
    import pyarrow
    from pyarrow import parquet

    held = list(rows)
    table = pyarrow.table({name: [row[name] for row in held] for name in columns})
    parquet.write_table(table, path)
    return len(held)


def flat_rows(record: Any, key: str = "") -> Iterable[dict[str, Any]]:
    """A nested record as rows of key and value, a key being the way to it with dots."""
    if isinstance(record, dict):
        for name, inner in record.items():
            yield from flat_rows(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(record, list):
        for at, inner in enumerate(record):
            yield from flat_rows(inner, f"{key}.{at}" if key else str(at))
    else:
        yield {"key": key, "value": record}


if __name__ == "__main__":
    print(format_page(), end="")
