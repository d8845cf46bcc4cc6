"""Why an agent decided as it did, and what lost a game, for Python."""

from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from engine.variants import mates_of
from hsctl.analysis.explain.answer import ExplainedDecision, answer
from hsctl.analysis.explain.document import document_of
from hsctl.analysis.explain.findings import Extent
from hsctl.analysis.explain.question import ExplainRequest, Question, ask_position, ask_replay
from hsctl.analysis.explain.tracing.files import HeldRows, rows_of
from hsctl.analysis.explain.tracing.record import EVERY_ROW, TraceRun
from hsctl.api.game import Game, html_of
from hsctl.api.replay import Replay, open_replay


class ExplainedTurn:
    """A decision with its reasons. `document` is what `hsctl explain --json` prints."""

    def __init__(self, found: ExplainedDecision) -> None:
        self.answer = found
        self.document: dict[str, Any] = msgspec.to_builtins(document_of(found))

    @property
    def action(self) -> int:
        return self.answer.decision.action

    @property
    def reason(self) -> str:
        """In words."""
        return self.answer.reason

    @property
    def first_moves(self) -> list[dict[str, Any]]:
        """A row for each of the ten first moves."""
        roots: list[dict[str, Any]] = self.document["roots"]
        return roots

    def __repr__(self) -> str:
        return f"<{self.document['title']}: {self.document['name']}, {self.reason}>"

    def _repr_html_(self) -> str:
        from hsctl.analysis.explain.view import explanation_view

        return html_of(explanation_view(self.answer, Extent()))


def explain_turn(
    game: "Replay | Game | str | PathLike[str]",
    turn: int | None = None,
    player: int | None = None,
    agent: str | None = None,
    nodes: int | None = None,
) -> ExplainedTurn:
    """Why a player of a replay did what it did on a turn; or, with `agent`, what that one would do there.

    A recorded decision is made again exactly. On a Game, `agent` is beam by default.
    """
    return ExplainedTurn(answer(ask_turn(game, turn, player, agent, nodes), None))


class TracedTurn:
    """Every node of a decision as dicts, for `pandas.DataFrame(traced)`: docs/reference/trace.md."""

    def __init__(self, held: HeldRows) -> None:
        self._held = held
        self.header: dict[str, Any] = msgspec.to_builtins(held.header)  # which decision it is
        self.result: dict[str, Any] = msgspec.to_builtins(held.ended)  # the result; counts of each search

    def __len__(self) -> int:
        return sum(batch.count for batch in self._held.batches)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (row for batch in self._held.batches for row in rows_of(batch))

    def __repr__(self) -> str:
        return f"<{self.header['title']}: {len(self):,} rows>"


def trace_turn(
    game: "Replay | Game | str | PathLike[str]",
    turn: int | None = None,
    player: int | None = None,
    agent: str | None = None,
    nodes: int | None = None,
) -> TracedTurn:
    """Every node that was searched for a decision, as `hsctl explain --trace` writes it. Asked like `explain_turn`."""
    held = HeldRows()
    TraceRun(ask_turn(game, turn, player, agent, nodes), "", held, EVERY_ROW, lambda _: None).run()
    return TracedTurn(held)


def ask_turn(
    game: "Replay | Game | str | PathLike[str]",
    turn: int | None,
    player: int | None,
    agent: str | None,
    nodes: int | None,
) -> Question:
    request = ExplainRequest(None if player is None else str(player), agent, nodes=nodes)
    if isinstance(game, Game):
        question = ask_position(game.text(), "the game", game.turn, game.boxes, request)
        return replace(question, mates=mates_of(game, question.seat))
    replay = game if isinstance(game, Replay) else open_replay(Path(game))
    return ask_replay(replay.playback, turn, request)


def review_game(
    replay: "Replay | str | PathLike[str]", player: int, agent: str = "beam:reference", nodes: int = 12_000
) -> dict[str, Any]:
    """What lost a game for a player, as `hsctl review --json` prints it; `agent` is asked about every move."""
    from hsctl.analysis.review import run
    from hsctl.analysis.review.mistakes import ReferenceBeam

    found = replay if isinstance(replay, Replay) else open_replay(replay)
    name = "" if isinstance(replay, Replay) else str(replay)
    review = run.review_game(
        found.playback, player, name, ReferenceBeam(agent, nodes), run.ReviewRequest(), lambda _: None
    )
    record: dict[str, Any] = msgspec.to_builtins(review)
    return record
