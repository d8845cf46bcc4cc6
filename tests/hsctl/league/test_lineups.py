"""Line-ups: every pair meets equally often, on seeds that more games and more players don't change."""

from collections import Counter
from itertools import combinations, islice
from math import comb
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.league.games import Block, drawn_lineups, league_blocks, pair_blocks, read_seeds


def meetings(lineups: list[tuple[int, ...]]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for lineup in lineups for pair in combinations(lineup, 2))


def spread(lineups: list[tuple[int, ...]], players: int) -> int:
    met = meetings(lineups)
    counts = [met[frozenset(pair)] for pair in combinations(range(players), 2)]
    return max(counts) - min(counts)


def test_two_players_all_pairs_play_the_same_seeds() -> None:
    blocks = league_blocks(3, "2", 10, 4)
    assert blocks == [Block(seed, pair) for seed in (10, 11) for pair in ((0, 1), (0, 2), (1, 2))]


def test_a_block_is_never_cut() -> None:
    assert len(league_blocks(2, "2", 1, 5)) == 3
    assert len(league_blocks(4, "4", 1, 5)) == 2
    assert sum(len(block.lineup) for block in league_blocks(5, "mixed", 1, 10)) == 11  # 2 + 3 + 4 + 2


@pytest.mark.parametrize(("players", "size"), [(4, 3), (5, 3), (5, 4), (6, 4), (9, 4)])
def test_every_pair_meets_equally_often_at_the_end_of_a_round(players: int, size: int) -> None:
    rounds = list(islice(drawn_lineups(players, [size], 7), 2 * comb(players, size)))
    assert spread(rounds, players) == 0
    assert all(len(set(lineup)) == size for lineup in rounds)


@pytest.mark.parametrize(("players", "size"), [(5, 3), (6, 4), (9, 4), (12, 3)])
def test_on_the_way_no_pair_is_far_ahead(players: int, size: int) -> None:
    lineups = list(islice(drawn_lineups(players, [size], 3), comb(players, size)))
    assert max(spread(lineups[:count], players) for count in range(len(lineups))) <= 3


def test_mixed_games_are_balanced_for_each_number_of_players() -> None:
    lineups = list(islice(drawn_lineups(4, [2, 3, 4], 5), 3 * 12))
    for size in (2, 3, 4):
        assert spread([lineup for lineup in lineups if len(lineup) == size], 4) == 0


def test_the_seed_draws_the_lineups_and_more_games_only_add() -> None:
    few, many, others = (league_blocks(6, "4", seed, games) for seed, games in ((1, 40), (1, 80), (2, 40)))
    assert many[: len(few)] == few
    assert [block.lineup for block in others] != [block.lineup for block in few]


def test_who_sits_beside_whom_changes() -> None:
    orders = {block.lineup.index((block.lineup.index(0) + 1) % 4) for block in league_blocks(4, "4", 1, 100)}
    assert len(orders) > 1


def test_seeds_of_a_file_are_played_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text("5\n-3  # a hard one\n\n# none\n9\n")
    assert read_seeds(path) == [5, -3, 9]
    assert [block.seed for block in league_blocks(2, "2", [5, -3, 9], 4)] == [5, -3]
    assert [block.seed for block in pair_blocks([5, -3])] == [5, -3]
    for size in ("2", "3"):
        with pytest.raises(HsctlError, match="3 seeds"):
            league_blocks(3, size, [5, -3, 9], 10)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("5\nfive\n", "line 2: 'five'"),
        ("# none\n", "no seeds found"),
        ("5\n5\n", "seed 5 appears twice"),
    ],
)
def test_wrong_seeds_are_named(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text(text)
    with pytest.raises(HsctlError, match=error):
        read_seeds(path)


def test_a_game_needs_its_players() -> None:
    with pytest.raises(HsctlError, match="--players 4: only 3 players are named"):
        league_blocks(3, "4", 1, 10)
    with pytest.raises(HsctlError, match="2, 3, 4, mixed"):
        league_blocks(6, "5", 1, 10)
