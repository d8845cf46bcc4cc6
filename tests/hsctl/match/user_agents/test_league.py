"""An agent of one's own in a league: rated, resumed, and played again when it was changed."""

from pathlib import Path

import pytest

import hsctl

AGENT = """
import hsctl

class Mine(hsctl.Agent):
    def decide(self, state, player, budget):
        return hsctl.Decision(0, nodes={nodes})
"""


@pytest.mark.slow
def test_games_are_played_once_unless_the_agent_changed(tmp_path: Path) -> None:
    agent, ledger = tmp_path / "mine.py", tmp_path / "games.sqlite"

    def new_games(nodes: int, jobs: int = 1) -> int:
        agent.write_text(AGENT.format(nodes=nodes))
        league = hsctl.run_league(f"{agent}:Mine", "still", games=2, nodes=1, ledger=ledger, jobs=jobs)
        assert [row["games"] for row in league.players] == [2, 2]
        return sum(game.is_new for game in league.standings.games)

    assert [new_games(1), new_games(1)] == [2, 0]
    assert new_games(22, jobs=2) == 2
