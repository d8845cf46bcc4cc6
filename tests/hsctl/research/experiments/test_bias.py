"""What `hsctl paper bias` and `hsctl paper teams` ask: players that can be made, tables as they were printed."""

from types import SimpleNamespace

import pytest

from hsctl.match.players import read_player, read_teams
from hsctl.research.experiments.agents.bias import (
    ADVANCED,
    ALIKE,
    CUSTOM,
    DECAY,
    DEPTHS,
    PUBLISHED,
    SWEEPS,
    Sweeps,
    at_depth,
    claims_of,
    statements_of,
)
from hsctl.research.experiments.agents.league import SCHOOLS
from hsctl.research.experiments.agents.teams import ALL, SIGHT, TABLES, compare, share_of_ties, share_of_wins
from hsctl.research.experiments.variants import SeedResult, Variants
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
    results = {("a", "b"): {1: SeedResult([1.0, 0.0], [1, 2])}, ("a", "c"): {1: SeedResult([1.0], [1])}}
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
    ties = {table.number: list(table.ties.values()) for table in TABLES}
    assert {number: ties[number] for number in (2, 3, 4, 5)} == {2: [0.24], 3: [0.24], 4: [0.08], 5: [0.06]}
    assert ties[6] == [0.00, 0.06, 0.18, 0.20] and ties[7] == [0.00, 0.10, 0.08, 0.14]
    assert ties[8] == [0.00, 0.02, 0.10, 0.12] and ties[9] == [0.00, 0.06, 0.16, 0.16]
    assert [table.number for table in TABLES if table.vision == SIGHT] == [4, 5, 8, 9]
    assert [table.number for table in TABLES if table.depth == 20] == [4, 5, 8, 9]


def test_a_win_of_a_team_is_shared_by_its_two_players_only():
    played = [[made_game([1, 1, 3, 3], (0, 1, 2, 3)), made_game([1, 1, 1, 1], (2, 3, 0, 1))]]
    assert [share_of_wins(played, player, 2).count for player in range(4)] == [1, 1, 0, 0]  # type: ignore[union-attr]


def test_a_tie_is_shared_with_another_side():
    played = [[made_game([1, 1, 3, 3], (0, 1, 2, 3)), made_game([1, 1, 1, 1], (2, 3, 0, 1))]]
    assert [share_of_ties(played, player, 2).count for player in range(4)] == [1, 1, 1, 1]  # type: ignore[union-attr]
    alone = [[made_game([1, 2, 1, 4], (3, 2, 1, 0))]]
    assert [share_of_ties(alone, player, 1).count for player in range(4)] == [0, 1, 0, 1]  # type: ignore[union-attr]


def test_every_table_has_wins_and_ties_of_everyone_beside_the_report():
    stage = SimpleNamespace(
        games=4,
        seeds=lambda games, seats: [1],
        play=lambda texts, blocks, *rest: [[made_game([1, 1, 1, 1], (0, 1, 2, 3))]],
    )
    team, alone = list(compare(stage, TABLES[0])), list(compare(stage, TABLES[4]))  # type: ignore[arg-type]
    assert [(cell.column, cell.ours.value) for cell in team] == [  # type: ignore[union-attr]
        ("plain+plain", 0),
        ("bias+bias", 0),
        ("tie", 1),
    ]
    assert [cell.column for cell in alone] == [*ALL, *(f"{name}, tie" for name in ALL)]
    assert [cell.paper.value for cell in alone][-1] == pytest.approx(0.2)


def test_every_sweep_says_what_the_report_has_of_it():
    assert set(PUBLISHED) == set(SWEEPS) and all("the report has" in words for words in PUBLISHED.values())


def sweep(depth: int, custom: float, advanced: float) -> Variants:
    texts = {at_depth(CUSTOM, depth): custom, at_depth(ADVANCED, depth): advanced}
    results = {(text, "x"): dict.fromkeys(range(20), SeedResult([score, score], [])) for text, score in texts.items()}
    return Variants("", tuple(texts), ("x",), results, "", claims=tuple(claims_of(ALIKE, depth)))


def test_what_the_report_says_of_its_two_variants_is_judged():
    assert [each.agrees for each in statements_of(sweep(12, 1.0, 0.0), 12)] == [True, False]
    assert [each.agrees for each in statements_of(sweep(20, 0.5, 1.0), 20)] == [None, True]
    assert [each.agrees for each in sweep(12, 1.0, 0.0).judged()] == [True]
    assert claims_of(ALIKE, 20) == claims_of(DECAY, 12) == []  # of these it says nothing


def test_the_league_has_all_schools_once():
    assert len(set(SCHOOLS)) == len(SCHOOLS) == 11
