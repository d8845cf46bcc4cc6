"""A study: it finds what was planted, resumes where it was, and calls better only what is."""

from pathlib import Path

import pytest

from hsctl.research.tune.study import NEW, OLD, Study, confirm, new_confirmation
from hsctl.research.tune.view import confirmation_lines, importances, study_record, study_view
from tests.hsctl.games import shown
from tests.hsctl.research.tune.made_study import BEST, made_study, open_ledger

pytest.importorskip("cmaes", reason="needs the extra [tune]")


class Stopped(Exception):
    """What a test stops a study with."""


def nothing(games: int) -> None:
    pass


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Study:
    ledger = open_ledger(tmp_path_factory.mktemp("study"))
    study = made_study(ledger)
    study.run(120, nothing)
    return study


def test_a_planted_optimum_is_found(finished: Study) -> None:
    best = finished.search.centre
    assert abs(best["box"] - BEST["box"]) < 0.6 and abs(best["decay"] - BEST["decay"]) < 0.25
    assert finished.start.text == "simple" and finished.start.number == 0
    assert len(finished.trials) == 1 + finished.generations(120) * finished.search.generation_size


def test_what_is_better_is_called_better_on_boards_that_the_study_never_saw(finished: Study) -> None:
    seen = {row.identity.seed for row in finished.ledger}
    confirmation = new_confirmation(finished)
    confirm(finished, confirmation, 2000, nothing)
    assert confirmation.verdict == "better"
    new, old = confirmation.goal(NEW), confirmation.goal(OLD)
    assert new is not None and old is not None and new.value > old.value
    assert not seen & {game.seed for game in confirmation.standings.games}
    assert confirmation_lines(confirmation)[-1] == f"{finished.best} is better than simple"


def test_what_is_only_lucky_is_not_shown_to_be_better(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        study = made_study(ledger, games=2, agent="simple:box=2.4,decay=0.35")  # nothing can be better
        study.run(12, nothing)
        assert study.ranked[0].goal.value > 0.8  # by luck: the best player of all has 0.58
        confirmation = new_confirmation(study)
        confirm(study, confirmation, 200, nothing)
    assert confirmation.verdict == "not shown to be better"
    assert confirmation_lines(confirmation)[-1] == f"{study.best} is not shown to be better than {study.start.text}"


def test_a_study_that_was_stopped_goes_on_as_if_it_never_was(tmp_path: Path) -> None:
    def stop(games: int) -> None:
        if games == 300:
            raise Stopped

    with open_ledger(tmp_path, "whole") as ledger:
        whole = made_study(ledger, games=4)
        whole.run(48, nothing)
    with open_ledger(tmp_path, "stopped") as ledger:
        with pytest.raises(Stopped):
            made_study(ledger, games=4).run(48, stop)
        resumed = made_study(ledger, games=4)
        resumed.run(48, nothing)
    assert (resumed.trials, resumed.best, resumed.games) == (whole.trials, whole.best, whole.games)
    assert resumed.played_now == whole.played_now - 300


def test_more_trials_go_on_from_those_before(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        few = made_study(ledger, games=4)
        few.run(12, nothing)
        more = made_study(ledger, games=4)
        more.run(24, nothing)
    assert more.trials[: len(few.trials)] == few.trials
    assert more.played_now == more.games - few.games


def test_equal_candidates_share_their_games(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        study = made_study(ledger, games=2)
        once, again = study.measure(0, ["simple", "simple"], nothing)
        assert once == again and study.games == study.boards.trial_games


def test_what_matters_is_told_from_what_does_not(finished: Study) -> None:
    shares = importances(finished.subject.space, finished.trials)
    assert shares is not None and all(0.02 < share < 1 for share in shares.values())
    assert importances(finished.subject.space, finished.trials[:5]) is None


def test_a_study_is_shown_within_80_columns(finished: Study) -> None:
    text = shown(study_view(finished))
    assert "120 trials" in text and f"best: {finished.best}" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_study_as_json_has_every_trial(finished: Study) -> None:
    record = study_record(finished, None)
    assert [trial["trial"] for trial in record["trials"]] == list(range(len(finished.trials)))
    assert record["trials"][0]["player"] == record["start"] == "simple"
    assert {each["name"]: each["best"] for each in record["parameters"]} == finished.search.centre


def test_a_study_is_drawn(finished: Study, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from hsctl.report.plots import save
    from hsctl.research.tune.view import study_figure

    figure = study_figure(finished)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["history", "importance", "box", "decay"]
    save(figure, tmp_path / "study.png")
    assert (tmp_path / "study.png").stat().st_size > 10_000
