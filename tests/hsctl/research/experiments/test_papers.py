"""The papers' experiments: players that can be made, tables as they were printed, words judged by intervals."""

from io import StringIO
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from rich.console import Console

from engine.errors import HsctlError
from engine.game import Game
from hsctl.league.intervals import Share, share_interval
from hsctl.match.players import read_player, read_teams
from hsctl.report.tables import to_markdown
from hsctl.research.bench.speed import BITWISE, NAIVE, ONE, Steps
from hsctl.research.experiments import EXPERIMENTS, beam, bias, duel, find_experiment, hybrid, negamax
from hsctl.research.experiments.figures import FIGURE_4, Curves, Point, search_round
from hsctl.research.experiments.frame import Effort, ExperimentStage
from hsctl.research.experiments.scale import Budgets
from hsctl.research.experiments.variants import SeedResult, Variants
from search.beam.agent import BeamAgent
from search.beam.memory import KEPT
from search.spec import parse_spec
from tests.hsctl.games import made_game


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_found(name: str) -> None:
    experiment = find_experiment(name)
    assert experiment.ms > 0 and (experiment.games is None or experiment.games >= 40)


def test_an_unknown_experiment_is_refused_with_the_known_ones() -> None:
    with pytest.raises(HsctlError, match=r"'table9' is not an experiment.*table1, table2"):
        find_experiment("table9")


def test_budgets_become_part_of_the_player() -> None:
    assert Budgets("time", (2.5,)).give("mcts", 2.5) == "mcts:time=2.5"
    assert Budgets("nodes", (100,)).give("beam:paper", 100) == "beam:paper,nodes=100"
    with pytest.raises(HsctlError, match="has a budget already"):
        Budgets("time", (2.0,)).give("mcts:time=5", 2.0)


def test_the_first_turn_has_no_more_time_than_the_others() -> None:
    limits = Effort(10, 20.0).limits
    assert (limits.first_turn_ms, limits.turn_ms, limits.nodes) == (20.0, 20.0, None)
    assert (Effort(10, 20.0, 300).limits.nodes, Effort(10, 20.0, 300).limits.turn_ms) == (300, None)


# Table 1


def speeds(*ratios: float) -> beam.Speeds:
    """Measured as often as there are ratios: two players, a naive engine of 100,000 steps."""
    times = [{NAIVE: {2: {ONE: 100_000}}, BITWISE: {2: {ONE: round(100_000 * ratio)}}} for ratio in ratios]
    return beam.Speeds(cast(list[Steps], times))


def test_the_papers_ratio_is_as_certain_as_its_rounding() -> None:
    found = beam.paper_speedup(2)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (1_445_000 / 90_500, 1_455_000 / 89_500)


@pytest.mark.parametrize(
    ("ratios", "agrees"),
    [
        ((16.0, 16.2, 16.1, 15.9), True),
        ((8.0, 9.0, 8.5, 8.4), False),
        ((10.0, 22.0, 13.0, 19.0), None),  # overlaps, but says nothing
        ((16.1,), None),  # measured once
    ],
)
def test_a_ratio_of_speeds_agrees_where_the_intervals_overlap(ratios: tuple[float, ...], agrees: bool | None) -> None:
    assert speeds(*ratios).as_dict()[beam.RATIO][2]["agrees"] is agrees


def test_speeds_have_no_verdict_and_ratios_have_one_within_80_columns() -> None:
    found = speeds(8.0, 9.0, 10.0)
    speedup = found.speedup(2)
    assert speedup.interval is not None
    assert speedup.interval.high - speedup.ratio == pytest.approx(4.302653 / 3**0.5)  # Student's
    rows = [line for line in to_markdown(found.view()).splitlines() if line.startswith(("| naive", "| bitwise"))]
    assert [row.split("|")[-2].strip() for row in rows] == ["", "", "differs"]
    console = Console(width=80, file=StringIO())
    console.print(found.view())
    lines = cast(StringIO, console.file).getvalue().splitlines()
    assert [line.split()[-1] for line in lines if line.startswith(beam.RATIO)] == ["differs"]


def test_speeds_are_measured_several_times_over(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def measure(tasks: list[Any], count: int, on_round: object) -> None:
        rounds.append((len(tasks), count))
        for task in tasks:
            task.best_ns = 100.0

    monkeypatch.setattr(beam, "measure", measure)
    found = beam.run_table1(cast(ExperimentStage, SimpleNamespace(console=Console(file=StringIO()))))
    assert isinstance(found, beam.Speeds) and len(found.times) == len(rounds) == beam.TIMES
    assert set(rounds) == {(2 * len(found.players), beam.ROUNDS)} and found.speedup(2).ratio == 1.0


# Figures 3 and 4


def test_a_figure_is_judged_by_what_the_paper_says_of_it() -> None:
    depths = {"zh": [5, 6, 5, 6], "zh+fmp": [10, 11, 10, 12]}
    points = {name: [Point(at, 10, 1, depth, 1.0) for at, depth in enumerate(row)] for name, row in depths.items()}
    curves = Curves(FIGURE_4, points, 100.0)
    assert curves.agreement().startswith("0.51 (") and curves.agreement().endswith(": agrees")
    assert curves.as_dict()["curves"]["zh"] == [[0, 5], [1, 6], [2, 5], [3, 6]]
    assert len(curves.draw().axes[0].lines) >= 2


def test_a_search_whose_time_was_up_before_it_began_expanded_nothing() -> None:
    decision = SimpleNamespace(stages={"opponents": 40, "own": 0}, nodes=40, depth=0)
    agent = SimpleNamespace(
        start_game=lambda *_: None,
        decide=lambda *_: decision,
        search=SimpleNamespace(depth=0, cursor=0),
        layers=SimpleNamespace(counters=np.zeros((9, KEPT + 1), int)),
    )
    point = search_round(cast(BeamAgent, agent), Game.start(1, 2), 1.0)
    assert (point.simulations, point.parents, point.depth) == (40, 0, 0)


# Readings


def test_rhea_gets_a_sixteenth_of_the_budget() -> None:
    assert beam.evolutions(Effort(2, 100.0, 290_000))["unpunished, fewer"] == "rhea:nopunish,nodes=18125"
    assert beam.evolutions(Effort(2, 80.0))["fewer"] == "rhea:paper,time=5"


def test_a_reading_is_compared_with_what_mcts_won_in_the_paper() -> None:
    readings = beam.readings_of_mcts()
    assert len({parse_spec(text).params for text in readings}) == 12
    won = SeedResult([1.0, 0.5], [1, 1], 9.0)
    results = {(readings[0], beam.PLAYERS["rhea"]): {1: won, 2: won}}
    between = Variants("", (readings[0],), tuple(beam.others_than("mcts").values()), results, "")
    over_rhea, over_beam = beam.compare_reading(between, readings[0])
    assert (over_rhea.row, over_rhea.column) == ("distance=sum,horizon=0,whole=0", "rhea")
    assert over_rhea.ours is not None and (over_rhea.ours.count, over_rhea.ours.total) == (2, 4)  # a draw is no win
    assert round(over_rhea.paper.value, 3) == 0.678 and round(over_beam.paper.value, 3) == 0.022
    assert over_rhea.depth == 9.0 and over_beam.ours is None


@pytest.mark.parametrize(("boards", "agrees"), [(40, True), (32, None), (10, False)])
def test_a_plain_beam_is_judged_by_what_it_scores_against_either(boards: int, agrees: bool | None) -> None:
    """With this many of 40 boards won, all others lost."""
    won = {board: SeedResult([float(board < boards)] * 2, []) for board in range(40)}
    answer = Variants("", (beam.PLAIN,), ("x",), {(beam.PLAIN, "x"): won}, "")
    assert beam.judge_plain(answer, "mcts", "x").agrees is agrees


# Other papers


def test_park_et_al_are_quoted_right_and_every_player_of_their_tables_can_be_made() -> None:
    for table in bias.TABLES:
        assert len(read_teams(table.texts()) if table.is_teamed else [read_player(text) for text in table.texts()]) == 4
    search = "bias:paper,framework,{},rollout=20,nodes=4000"  # 200 iterations
    assert bias.TABLES[2].texts() == [f"osla+{search.format('plain')}", f"rhea+{search.format('custom')}"]
    assert {table.number: (*table.wins.values(), *table.ties.values()) for table in bias.TABLES} == {
        2: (0.26, 0.50, 0.24),
        3: (0.36, 0.40, 0.24),
        4: (0.30, 0.62, 0.08),
        5: (0.32, 0.62, 0.06),
        6: (0.00, 0.18, 0.18, 0.44, 0.00, 0.06, 0.18, 0.20),
        7: (0.00, 0.30, 0.22, 0.32, 0.00, 0.10, 0.08, 0.14),
        8: (0.00, 0.32, 0.28, 0.28, 0.00, 0.02, 0.10, 0.12),
        9: (0.00, 0.24, 0.28, 0.30, 0.00, 0.06, 0.16, 0.16),
    }
    far = [4, 5, 8, 9]
    assert [table.number for table in bias.TABLES if table.vision == bias.SIGHT] == far
    assert [table.number for table in bias.TABLES if table.depth == 20] == far


def test_a_win_of_a_team_is_shared_by_its_players_only_and_a_tie_with_another_side() -> None:
    played = [[made_game([1, 1, 3, 3], (0, 1, 2, 3)), made_game([1, 1, 1, 1], (2, 3, 0, 1))]]
    wins = [bias.share_of_wins(played, player, 2) for player in range(4)]
    ties = [bias.share_of_ties(played, player, 2) for player in range(4)]
    alone = [bias.share_of_ties([[made_game([1, 2, 1, 4], (3, 2, 1, 0))]], player, 1) for player in range(4)]
    counts = [[share.count if share else None for share in shares] for shares in (wins, ties, alone)]
    assert counts == [[1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]]


def test_every_table_of_park_et_al_has_wins_and_ties_of_every_player() -> None:
    stage = cast(
        ExperimentStage,
        SimpleNamespace(
            games=4,
            seeds=lambda games, seats: [1],
            play=lambda texts, blocks, *rest: [[made_game([1, 1, 1, 1], (0, 1, 2, 3))]],
        ),
    )
    team, alone = list(bias.compare_table(stage, bias.TABLES[0])), list(bias.compare_table(stage, bias.TABLES[4]))
    found = [(cell.column, cell.ours and cell.ours.value) for cell in team]
    assert found == [("plain+plain", 0), ("bias+bias", 0), ("tie", 1)]
    assert [cell.column for cell in alone] == [*bias.ALL, *(f"{name}, tie" for name in bias.ALL)]
    assert alone[-1].paper.value == pytest.approx(0.2)


@pytest.mark.parametrize(("won", "lost", "agrees"), [(25, 5, True), (5, 25, False), (9, 8, None), (0, 0, None)])
def test_a_tree_of_both_mates_is_judged_by_both_shares(won: int, lost: int, agrees: bool | None) -> None:
    shares = [Share(count, 40, share_interval(count, 40)) for count in (won, lost)]
    assert duel.DuelTeams({duel.KINDS: (shares[0], shares[1])}, "").statement().agrees is agrees
    assert [parse_spec(kind).params.as_dict()["joint"] for kind in duel.KINDS] == [True, False]


def hybrids(**scores: list[float]) -> hybrid.HybridOutcomes:
    """Variants with these scores on each of 20 seeds; the others lost all."""
    lost = {name: [0.0] * 4 for name in (*hybrid.VARIANTS, hybrid.OPPONENT)}
    results = {name: dict.fromkeys(range(20), SeedResult(each, [])) for name, each in {**lost, **scores}.items()}
    return hybrid.HybridOutcomes(results, "33 nodes a turn")


def test_every_variant_of_hybrid_has_its_budget_and_its_row() -> None:
    specs = hybrid.specs_of(",nodes=33")
    assert all(parse_spec(text).nodes == 33 for name, text in specs.items() if name != hybrid.OPPONENT)
    cells = {(cell.row, cell.column): cell.paper.value for cell in hybrids().cells()}
    assert len(cells) == 28
    assert (cells["exploit", "mcts"], cells["mcts", hybrid.OPPONENT]) == pytest.approx((0.763, 0.875))


def test_a_shared_first_place_is_a_tie_there() -> None:
    found = hybrids(exploit=[1.0, 0.5, 0.25, 0.0]).as_dict()["outcomes"]["exploit"]
    assert {outcome: share["share"] for outcome, share in found.items()} == {"win": 0.25, "tie": 0.5, "loss": 0.25}


def test_two_variants_of_hybrid_are_compared_on_the_games_that_only_one_won() -> None:
    found = hybrids(exploit=[1.0, 1.0, 0.5, 0.0], explore=[1.0, 0.0, 1.0, 0.0])
    share = found.over("exploit", "explore")
    assert share is not None and (share.count, share.total) == (20, 40)
    assert found.over("bfs", "mcts") is None
    won = hybrids(exploit=[1.0] * 4).over("exploit", "bfs")
    assert won is not None and won.interval.low < 0.9 < share_interval(80, 80).low  # twenty boards, not eighty games


def test_words_about_hybrid_are_judged() -> None:
    claims = {each["claim"]: each["agrees"] for each in hybrids(exploit=[1.0] * 4).as_dict()["claims"]}
    assert claims["exploit wins more than that bot"] is True
    assert claims["bfs wins more than that bot"] is None  # both lost all


def test_words_about_negamax_are_judged() -> None:
    def judged(random: float, noise: float, greedy: float) -> list[bool | None]:
        scores = dict(zip(negamax.BEATEN, (random, noise, greedy), strict=True))
        results = {
            (negamax.AGENT, name): dict.fromkeys(range(20), SeedResult([score] * 2, [1, 1]))
            for name, score in scores.items()
        }
        answer = Variants("", (negamax.AGENT,), tuple(scores), results, "")
        return [each.agrees for each in negamax.statements_of(answer)]

    assert judged(1.0, 0.5, 0.0) == [True, None, False, True]
    assert judged(1.0, 1.0, 1.0) == [True, True, True, None]
    assert all(parse_spec(text) for text in (negamax.AGENT, *negamax.BEATEN))
