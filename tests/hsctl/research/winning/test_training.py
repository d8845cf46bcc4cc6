"""Training the win probability: line-ups, rows, fit, losses, the page."""

from pathlib import Path

import numpy as np
import pytest

from engine.errors import HsctlError
from engine.game import Game
from engine.state import MAX_PLAYERS
from hsctl.league.ledger import Ledger
from hsctl.league.runner import play_here
from hsctl.match.players import read_player
from hsctl.research.winning.fit import examples_of, fit_weights
from hsctl.research.winning.judgement import Judgement, calibration, constant, fit_lead, losses, outcomes, predict
from hsctl.research.winning.lineups import FIRST_SEED, PLAYERS, blocks, is_judged, is_unseen, lineup_of
from hsctl.research.winning.rows import Rows, rows_of
from hsctl.research.winning.training import Training, play, read_replays, training_league
from hsctl.research.winning.view import training_view, write_page
from search.winning.features import LEFT
from search.winning.model import Judge, new_weights
from search.winning.terms import TERMS
from tests.hsctl.research.winning.made_rows import join, make_rows

BOARDS = range(FIRST_SEED, FIRST_SEED + 2000)
WEIGHTS = np.linspace(-0.4, 0.4, len(TERMS))


@pytest.fixture(scope="module")
def made() -> Rows:
    parts = [make_rows(3000, players, WEIGHTS, players) for players in (2, 3, 4)]
    rows = join(*parts)
    return rows._replace(seed=FIRST_SEED + np.arange(len(rows.left)), game=np.arange(len(rows.left)))


# Line-ups


def test_training_boards_have_no_player_that_is_to_be_unseen():
    for seed in BOARDS:
        assert is_judged(seed) or not any(map(is_unseen, lineup_of(seed)))


def test_half_of_the_judged_boards_have_a_player_not_seen():
    judged = [any(map(is_unseen, lineup_of(seed))) for seed in BOARDS if is_judged(seed)]
    assert len(judged) == 600
    assert 0.4 < sum(judged) / len(judged) < 0.6


def test_every_player_exists_and_none_meets_itself():
    assert [read_player(text).text for text in PLAYERS] == PLAYERS
    for block in blocks(500):
        assert len(set(block.lineup)) == len(block.lineup)
    assert {len(block.lineup) for block in blocks(5)} == {2, 3, 4}


# Fitting


def test_the_weights_that_made_the_places_are_found_again(made):
    weights = fit_weights(made)
    for living in (2, 3, 4):
        for contenders in range(2, living + 1):
            mean = weights[living - 2, contenders - 2].mean(axis=0)
            assert np.corrcoef(mean, WEIGHTS)[0, 1] > 0.95


def test_examples_are_who_comes_next_and_ties_share():
    rows = make_rows(2, 3, WEIGHTS)._replace(ranks=np.array([[2, 1, 2, 0], [1, 1, 3, 0]]))
    first = examples_of(rows, 3, 3)
    assert first.player.tolist() == [[0, 1, 2], [0, 1, 2]]
    assert first.came.tolist() == [[0, 1, 0], [0.5, 0.5, 0]]
    second = examples_of(rows, 3, 2)
    assert (second.row.tolist(), second.player.tolist(), second.came.tolist()) == ([0], [[0, 2]], [[0.5, 0.5]])


# Losses


def test_outcomes_share_tied_places_among_the_living():
    rows = make_rows(1, 4, WEIGHTS)._replace(ranks=np.array([[1, 1, 3, 4]]))
    assert outcomes(rows)[0].tolist() == [[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    rows = rows._replace(living=np.array([[False, True, True, True]]))
    assert outcomes(rows)[0, :, 0].tolist() == [0, 1, 0, 0]


def test_the_losses_of_a_constant_are_known(made):
    for players in (2, 3, 4):
        rows = made.of(made.seats == players)
        found = losses(rows, constant(rows)[:, :, 0], constant(rows))
        assert found.log_loss == pytest.approx(np.log(players))
        assert found.places == pytest.approx(np.log(players))
        assert found.brier == pytest.approx((players - 1) / players)
        assert found.ece == pytest.approx(0, abs=0.01)


def test_overconfidence_is_an_error_of_calibration():
    rows = make_rows(2000, 2, 0 * WEIGHTS)
    sure = np.tile([0.95, 0.05, 0, 0], (2000, 1))
    assert losses(rows, sure).ece == pytest.approx(0.45, abs=0.03)
    assert [each.predictions for each in calibration(rows, sure)] == [2000, 2000]


def test_the_truth_is_better_than_the_lead_and_calibrated(made):
    other = make_rows(3000, 3, WEIGHTS, seed=9)
    judged = Judgement(other, fit_weights(made), fit_lead(made)).judge("all", 3)
    assert judged is not None
    assert judged.model.log_loss < judged.lead.log_loss - 0.1
    assert judged.model.ece < 0.03


def test_predictions_are_those_of_the_kernel_that_judges_games():
    weights = np.random.default_rng(1).normal(size=new_weights().shape) * 0.05
    judging = Judge(weights)
    expected = judging.places(Game.start(FIRST_SEED, 3))
    terms, left = judging.memory.terms[None], judging.memory.features.features[:1, LEFT]
    rows = make_rows(1, 3, WEIGHTS)._replace(terms=terms, left=left)
    assert predict(rows, weights)[0, :3, :3] == pytest.approx(expected)


# The whole


def test_a_training_has_a_table_and_fills_in_its_page(made, tmp_path: Path):
    training = Training(made)
    assert {each.players for each in training.summary()} == {2, 3, 4}
    assert training.learned.games > training.judged.games > 0
    assert training_view(training)
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- hsctl train winning -->\nold\n<!-- end -->\nafter\n")
    write_page(page, training, "hsctl train winning --boards 9", None)
    text = page.read_text()
    assert text.startswith("before\n<!-- hsctl train winning --boards 9 -->\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "old" not in text and "| unseen boards | 2 |" in text
    write_page(page, training, "hsctl train winning --boards 9", None)
    assert page.read_text() == text


def test_a_page_without_a_section_is_refused(made, tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(HsctlError):
        write_page(page, Training(made), "hsctl train winning", None)


def test_games_are_played_once_and_become_rows(tmp_path: Path):
    league = training_league(tmp_path / "games")
    counts: list[int] = []
    with Ledger(tmp_path / "games.sqlite") as ledger:
        runner = play_here(league, 1, lambda _: None)
        paths = play(league, 3, ledger, runner, counts.append)
        assert len(ledger) == 3
        assert play(league, 3, ledger, runner, counts.append) == paths
        assert len(ledger) == 3
    assert counts == [1, 2, 3, 1, 2, 3]
    rows = rows_of(read_replays(paths))
    assert rows.games == 3
    assert sorted(set(rows.seats.tolist())) == [2, 3]
    assert rows.terms.shape == (len(rows.left), MAX_PLAYERS, len(TERMS))
    assert (rows.living.sum(axis=1) > 1).all()
    assert ((rows.turn + rows.seed) % 4 == 0).all()
