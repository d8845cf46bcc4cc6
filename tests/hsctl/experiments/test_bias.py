"""What `hsctl paper bias` and `hsctl paper teams` ask: players that can be made, tables as they were printed."""

import pytest

from hsctl.arena.players import read_player, read_teams
from hsctl.experiments.agents.bias import DEPTHS, SWEEPS, Sweeps, at_depth
from hsctl.experiments.agents.league import SCHOOLS
from hsctl.experiments.agents.teams import SIGHT, TABLES, share_of_wins
from hsctl.experiments.variants import Result, Variants
from search.bias.params import BiasParams
from search.spec import parse_spec
from tests.hsctl.games import made_game


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("question", SWEEPS)
def test_every_sweep_changes_what_it_asks_about_and_nothing_else(question, depth):
    specs = [parse_spec(at_depth(text, depth)).params for text in SWEEPS[question]]
    assert all(isinstance(params, BiasParams) and params.rollout == depth for params in specs)
    changed = [{key for key, value in params.as_dict().items() if value != specs[0].as_dict()[key]} for params in specs]
    asked = {"decay": {"gamma", "decays"}, "bias": {"h", "heuristic"}, "the": {"normalise", "choose"}}
    allowed = asked[question.replace(",", "").split()[0]]
    assert changed[0] == set() and all(names and names <= allowed for names in changed[1:])


def test_the_sweeps_are_shown_one_after_the_other():
    results = {("a", "b"): {1: Result([1.0, 0.0], [1, 2])}, ("a", "c"): {1: Result([1.0], [1])}}
    sweeps = Sweeps([Variants("some", ("a",), ("b", "c"), results, "10 ms", "a")])
    assert len(sweeps.as_dict()["sweeps"]) == 1
    assert dict(sweeps.rows()).keys() == {"a"}


def test_every_player_of_the_report_s_tables_can_be_made():
    for table in TABLES:
        if table.is_teamed:
            assert len(read_teams(table.texts())) == 4
        else:
            assert [read_player(text).text for text in table.texts()] == table.texts()
    assert TABLES[2].texts() == [
        "osla+bias:framework,plain,rollout=20",
        "rhea+bias:framework,custom,rollout=20",
    ]


def test_the_report_is_quoted_right():
    assert {table.number: list(table.wins.values()) for table in TABLES} == {
        2: [0.26, 0.50],
        3: [0.36, 0.40],
        4: [0.30, 0.62],
        5: [0.32, 0.62],
        6: [0.00, 0.18, 0.18, 0.44],
        7: [0.00, 0.30, 0.22, 0.32],
        8: [0.00, 0.32, 0.28, 0.28],
        9: [0.00, 0.24, 0.28, 0.30],
    }
    assert [table.number for table in TABLES if table.vision == SIGHT] == [4, 5, 8, 9]
    assert [table.number for table in TABLES if table.depth == 20] == [4, 5, 8, 9]


def test_a_win_of_a_team_is_shared_by_its_two_players_only():
    played = [[made_game([1, 1, 3, 3], (0, 1, 2, 3)), made_game([1, 1, 1, 1], (2, 3, 0, 1))]]
    assert [share_of_wins(played, player, 2).count for player in range(4)] == [1, 1, 0, 0]  # type: ignore[union-attr]


def test_the_league_has_all_schools_once():
    assert len(set(SCHOOLS)) == len(SCHOOLS) == 11
