"""Standings: what is counted of finished games, for players and not for seats."""

from dataclasses import replace

from hsctl.match.result import Fate
from tests.hsctl.games import NAMES, made_game, standings_of


def test_first_alone_wins_first_together_draws() -> None:
    standings = standings_of(made_game([1, 2]), made_game([1, 1]), made_game([2, 1], (1, 0)))
    beam, mcts, _ = standings.players
    assert (beam.wins, beam.draws, beam.losses) == (2, 1, 0)
    assert (mcts.wins, mcts.draws, mcts.losses) == (0, 1, 2)
    assert (beam.ranks, mcts.ranks) == ([1, 1, 1], [2, 1, 2])


def test_of_three_only_the_first_place_counts_as_a_draw() -> None:
    standings = standings_of(made_game([1, 2, 2]), made_game([1, 1, 3]))
    found = [(player.wins, player.draws, player.losses) for player in standings.players]
    assert found == [(1, 1, 0), (0, 1, 1), (0, 0, 2)]


def test_mates_win_together() -> None:
    won, drawn = (replace(made_game(ranks), team_size=2) for ranks in ([1, 1, 3, 3], [1, 1, 1, 1]))
    standings = standings_of(won, drawn, names=NAMES)
    found = [(player.wins, player.draws, player.losses) for player in standings.players]
    assert found == [(1, 1, 0), (1, 1, 0), (0, 1, 1), (0, 1, 1)]


def test_deaths_are_counted_for_the_player_not_the_seat() -> None:
    fate = Fate(12, "error", "timeout", "no answer within 100 ms")
    beam, mcts, _ = standings_of(made_game([2, 1], (1, 0), deaths=[fate, None])).players
    assert (beam.deaths.total(), mcts.deaths["error"], mcts.errors["timeout"]) == (0, 1, 1)
    assert (beam.died, mcts.died) == ([False], [True])


def test_pairs_are_counted_by_who_was_ranked_above_whom() -> None:
    standings = standings_of(
        made_game((1, 2), (0, 1), seed=1), made_game((1, 1), (1, 0), seed=1), made_game((1, 2, 3), (2, 0, 1), seed=2)
    )
    met = [[standings.meetings(row, column) for column in range(3)] for row in range(3)]
    assert [[one and (one.wins, one.draws, one.losses) for one in row] for row in met] == [
        [None, (2, 1, 0), (0, 0, 1)],
        [(0, 1, 2), None, (0, 0, 1)],
        [(1, 0, 0), (1, 0, 0), None],
    ]


def test_games_come_in_order_of_blocks_whichever_finished_first() -> None:
    games = [replace(made_game(block_number=block), rotation=rotation) for block, rotation in ((1, 0), (0, 1), (0, 0))]
    found = standings_of(*games).in_order()
    assert [(game.block_number, game.rotation) for game in found] == [(0, 0), (0, 1), (1, 0)]
