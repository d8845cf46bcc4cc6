"""Why an agent decided as it did, and what lost a game, for Python."""

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from engine.around.teams import mates_of
from hsctl.api.game import Game, html_of
from hsctl.api.replay import Replay, open_replay
from hsctl.explain.answer import Answer, answer
from hsctl.explain.document import document_of
from hsctl.explain.question import Wish, ask_position, ask_replay
from hsctl.explain.trace import Extent


class ExplainedTurn:
    """A decision with its reasons. `document` is what `hsctl explain --json` prints."""

    def __init__(self, found: Answer) -> None:
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
        from hsctl.explain.show.view import explanation_view

        return html_of(explanation_view(self.answer, Extent()))


def explain_turn(
    game: "Replay | Game | str | PathLike[str]",
    turn: int | None = None,
    player: int | None = None,
    agent: str | None = None,
    nodes: int | None = None,
) -> ExplainedTurn:
    """Why a player of a replay did what it did on a turn; or, with `agent`, what that one would do there.

    A recorded decision is made again exactly. On a Game, which nobody has decided on yet, `agent` is beam by default.
    """
    wish = Wish(None if player is None else str(player), agent, nodes=nodes)
    if isinstance(game, Game):
        question = ask_position(game.text(), "the game", game.turn, game.boxes, wish)
        question = replace(question, mates=mates_of(game, question.seat))
    else:
        replay = game if isinstance(game, Replay) else open_replay(Path(game))
        question = ask_replay(replay.playback, turn, wish)
    return ExplainedTurn(answer(question, None))


def review_game(
    replay: "Replay | str | PathLike[str]", player: int, agent: str = "beam:reference", nodes: int = 12_000
) -> dict[str, Any]:
    """What lost a game for a player, as `hsctl review --json` prints it; `agent` is asked about every move."""
    from hsctl.review import run
    from hsctl.review.regret import Reference

    found = replay if isinstance(replay, Replay) else open_replay(replay)
    name = "" if isinstance(replay, Replay) else str(replay)
    review = run.review_game(found.playback, player, name, Reference(agent, nodes), run.Wish(), lambda _: None)
    record: dict[str, Any] = msgspec.to_builtins(review)
    return record
