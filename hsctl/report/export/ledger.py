"""Rows of finished games: those of a ledger, or of a league that was just run."""

from collections.abc import Iterable, Iterator
from typing import Any

from hsctl.league.rows import Row, StoredOutcome
from hsctl.league.standings import Standings
from hsctl.match.finished import FinishedGame


def ledger_rows(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """One per game and seat."""
    for row in rows:
        identity = row.identity
        for seat, sitting in enumerate(identity.seats):
            yield {
                **seat_row(row.outcome, seat),
                "game": identity.key,
                "seed": identity.seed,
                "player": sitting.spec,
                "nodes": identity.limits.nodes,
                "turn_ms": identity.limits.turn_ms,
                "clock": identity.limits.clock,
                "digest": sitting.digest,
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


def seat_row(game: StoredOutcome | FinishedGame, seat: int) -> dict[str, Any]:
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
