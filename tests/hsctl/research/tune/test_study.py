"""A study: boards, goal, search and confirmation. It finds what was planted, resumes, and calls better only what is."""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from engine.errors import HsctlError
from hsctl.league.games import League
from hsctl.match.players import read_player
from hsctl.research.tune.study import (
    APART,
    NEW,
    OLD,
    Confirmation,
    Search,
    Study,
    blocks_of,
    check_confirmation,
    check_trials,
    confirm_best,
    goal_of,
    groups_in_turn,
    new_confirmation,
    plan_boards,
    weights_of,
)
from hsctl.research.tune.subject import TunedParameter, Value, new_tunable
from hsctl.research.tune.view import (
    confirmation_lines,
    confirmation_record,
    importances,
    plan_lines,
    study_record,
    study_view,
)
from replays.replay import Limits
from tests.hsctl.games import made_game, shown, standings_of
from tests.hsctl.research.tune.made_study import BEST, made_study, open_ledger

pytest.importorskip("cmaes", reason="needs the extra [tune]")
WORST = 0  # the number of that opponent
FIRST = 2  # the number of the first opponent in a confirmation


# Boards


def test_a_board_is_played_against_every_opponent_if_two_play() -> None:
    boards = plan_boards(3, "2", 5, seed=10)
    assert (boards.trial_boards, boards.trial_games) == (3, 18)
    blocks = blocks_of(boards.of_generation(0), candidates=2)
    met = Counter((block.lineup[0], block.lineup[1]) for block in blocks)
    assert met == {(candidate, opponent): 3 for candidate in (0, 1) for opponent in (2, 3, 4)}
    assert {block.seed for block in blocks} == {10, 11, 12}


def test_no_board_is_used_in_two_generations_or_confirms_what_it_found() -> None:
    boards = plan_boards(2, "2", 4, seed=1)
    seeds = [seed for generation in range(50) for seed, _ in boards.of_generation(generation)]
    assert len(set(seeds)) == len(seeds) == 100
    assert [seed for seed, _ in boards.of_confirmation(20)] == [1 + APART, 2 + APART] and max(seeds) < APART


def test_candidates_of_a_generation_have_the_same_boards_and_opponents() -> None:
    boards = plan_boards(5, "4", 24, seed=3)
    blocks = blocks_of(boards.of_generation(2), candidates=3)
    lineups = [{(block.seed, block.lineup[1:]) for block in blocks if block.lineup[0] == number} for number in range(3)]
    assert lineups[0] == lineups[1] == lineups[2] and len(lineups[0]) == 6


@pytest.mark.parametrize(("size", "needed", "lap"), [("2", 28, 1), ("3", 24, 4), ("4", 24, 3), ("mixed", 22, 4)])
def test_a_confirmation_ends_with_a_board_on_which_the_last_opponent_was_met(size: str, needed: int, lap: int) -> None:
    boards = plan_boards(7, size, 30, seed=1)
    for games, laps in ((needed - 1, 0), (needed, 1), (needed + 5, 1)):
        assert len(list(boards.of_confirmation(games))) == laps * lap
    met = {each for _, groups in boards.of_confirmation(needed) for group in groups for each in group}
    assert met == set(range(7))


@pytest.mark.parametrize("sizes", [(3,), (4,), (2, 3, 4)])
def test_opponents_are_met_equally_often(sizes: tuple[int, ...]) -> None:
    met = Counter(each for groups in islice(groups_in_turn(7, sizes, 1), 70) for group in groups for each in group)
    assert len(met) == 7 and max(met.values()) - min(met.values()) <= 1


def test_games_are_counted_in_all_if_more_than_two_play() -> None:
    boards = plan_boards(4, "mixed", 18, seed=1)
    assert (boards.trial_boards, boards.trial_games) == (6, 18)


def test_too_few_games_or_opponents_are_refused() -> None:
    with pytest.raises(HsctlError, match="too few to meet each of 7 opponents"):
        plan_boards(7, "4", 8, seed=1)
    with pytest.raises(HsctlError, match="--players 4"):
        plan_boards(2, "4", 8, seed=1)
    with pytest.raises(HsctlError, match="--confirm 7: a board takes 8 games: give that many or more, or 0"):
        check_confirmation(plan_boards(2, "2", 2, seed=1), 7)
    with pytest.raises(HsctlError, match="--confirm 11: to meet every opponent takes 12 games: give that many or"):
        check_confirmation(plan_boards(4, "3", 6, seed=1), 11)
    for enough in (0, 12):
        check_confirmation(plan_boards(4, "3", 6, seed=1), enough)


# The goal


WIN, DRAW, LOSS = (1, 2), (1, 1), (2, 1)
NAMES = ("candidate", "weak", "strong")


def test_the_goal_is_half_the_mean_and_half_the_worst() -> None:
    games = [made_game(WIN, (0, 1), seed) for seed in (1, 2)]
    games += [made_game(DRAW, (0, 2), 1), made_game(LOSS, (0, 2), 2)]
    goal = goal_of(standings_of(*games, names=NAMES), 0, [1, 2])
    assert goal.scores == [1.0, 0.25]
    assert (goal.mean, goal.worst, goal.games) == (0.625, 1, 4)
    assert goal.value == pytest.approx((0.625 + 0.25) / 2)
    assert goal.interval.low < goal.value < goal.interval.high


def test_ranks_count_against_each_opponent_of_a_game() -> None:
    goal = goal_of(standings_of(made_game((2, 1, 3), (0, 1, 2), 5), names=NAMES), 0, [1, 2])
    assert goal.scores == [0.0, 1.0] and goal.value == 0.25


def test_weights_add_up_to_the_goal() -> None:
    assert weights_of(4, 2).tolist() == [0.125, 0.125, 0.625, 0.125]
    assert weights_of(1, 0).tolist() == [1.0]


def test_more_boards_make_the_interval_narrower() -> None:
    def width(boards: int) -> float:
        games = [made_game(WIN if seed % 2 else LOSS, (0, 1), seed) for seed in range(boards)]
        interval = goal_of(standings_of(*games, names=NAMES), 0, [1]).interval
        return interval.high - interval.low

    assert width(200) < width(20) < width(4) < 1


def test_boards_of_others_say_nothing_of_a_player() -> None:
    games = [made_game(WIN if seed % 2 else LOSS, (0, 1), seed) for seed in range(8)]
    elsewhere = [made_game(WIN, (2, 1), seed) for seed in range(100, 120)]
    alone, among = (goal_of(standings_of(*some, names=NAMES), 0, [1]) for some in (games, games + elsewhere))
    assert alone == among


# The search


BOX = new_tunable("box", 0, 10, 2, float, has_range=True)
WIDTH = new_tunable("width", 1, 40, 5, int, has_range=True)
SWITCH = new_tunable("op", 0, 1, False, bool, has_range=True)
GAMES = 20  # of a trial: what makes it noisy


def goal(values: dict[str, Value], random: Random) -> float:
    """The score of games that are won most often at box 6 and width 30, with the switch on."""
    far = ((values.get("box", 6) - 6) / 10) ** 2 + ((values.get("width", 30) - 30) / 40) ** 2
    chance = 0.75 - 1.2 * far - (0.15 if values.get("op") is False else 0)
    return sum(random.random() < chance for _ in range(GAMES)) / GAMES


def found(space: list[TunedParameter], seed: int, generations: int) -> dict[str, Value]:
    search, random = Search(space, seed), Random(seed)
    for _ in range(generations):
        search.tell([goal(values, random) for values in search.ask()])
    return search.centre


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_planted_optimum_is_found_through_noise(seed: int) -> None:
    best = found([BOX, WIDTH, SWITCH], seed, generations=20)
    assert abs(best["box"] - 6) < 2 and abs(best["width"] - 30) < 8 and best["op"] is True


def test_a_single_parameter_is_found_too() -> None:
    assert abs(found([BOX], 1, generations=15)["box"] - 6) < 2


def test_the_same_seed_takes_the_same_way() -> None:
    assert found([BOX, WIDTH], 7, 4) == found([BOX, WIDTH], 7, 4) != found([BOX, WIDTH], 8, 4)


def test_a_switch_is_tried_both_ways_from_the_beginning() -> None:
    asked = Search([BOX, SWITCH], 1).ask()
    assert 2 <= sum(values["op"] is True for values in asked) <= len(asked) - 2


def test_all_that_is_asked_lies_in_the_space() -> None:
    search = Search([BOX, WIDTH, SWITCH], 1)
    asked = []
    for _ in range(5):
        asked += (generation := search.ask())
        search.tell([-float(values["box"]) for values in generation])  # towards the end of the range
    assert all(0 <= values["box"] <= 10 and 1 <= values["width"] <= 40 for values in asked)
    assert {values["op"] for values in asked} == {True, False}


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cmaes", None)
    with pytest.raises(HsctlError, match=r"tune needs cmaes: pip install 'hsctl\[tune\]'"):
        Search([BOX], 1)


# A study


class Stopped(Exception):
    """What a test stops a study with."""


def nothing(games: int) -> None:
    pass


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Study:
    ledger = open_ledger(tmp_path_factory.mktemp("study"))
    study = made_study(ledger)
    study.try_candidates(120, nothing)
    return study


def test_a_planted_optimum_is_found(finished: Study) -> None:
    best = finished.search.centre
    assert abs(best["box"] - BEST["box"]) < 0.6 and abs(best["decay"] - BEST["decay"]) < 0.25
    assert finished.start.text == "simple" and finished.start.number == 0
    assert len(finished.trials) == 1 + 120


def test_what_is_better_is_called_better_on_boards_that_the_study_never_saw(finished: Study) -> None:
    seen = {row.identity.seed for row in finished.ledger}
    confirmation = new_confirmation(finished)
    confirm_best(finished, confirmation, 2000, nothing)
    assert confirmation.verdict == "better"
    new, old = confirmation.goal(NEW), confirmation.goal(OLD)
    assert new is not None and old is not None and new.value > old.value
    assert not seen & {game.seed for game in confirmation.standings.games}
    assert f"{finished.best} is better than simple: " in confirmation_lines(confirmation)[0]


def test_what_is_only_lucky_is_not_shown_to_be_better(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        study = made_study(ledger, games=2, agent="simple:box=2.4,decay=0.35")  # nothing can be better
        study.try_candidates(12, nothing)
        assert study.ranked[0].goal.value > 0.8  # by luck: the best player of all has 0.58
        confirmation = new_confirmation(study)
        confirm_best(study, confirmation, 200, nothing)
    assert confirmation.verdict == "not shown to be better"


def test_a_study_that_was_stopped_goes_on_as_if_it_never_was(tmp_path: Path) -> None:
    def stop(games: int) -> None:
        if games == 300:
            raise Stopped

    with open_ledger(tmp_path, "whole") as ledger:
        whole = made_study(ledger, games=4)
        whole.try_candidates(48, nothing)
    with open_ledger(tmp_path, "stopped") as ledger:
        with pytest.raises(Stopped):
            made_study(ledger, games=4).try_candidates(48, stop)
        resumed = made_study(ledger, games=4)
        resumed.try_candidates(48, nothing)
    assert (resumed.trials, resumed.best, resumed.games) == (whole.trials, whole.best, whole.games)
    assert resumed.played_now == whole.played_now - 300


def test_more_trials_go_on_from_those_before(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        few = made_study(ledger, games=4)
        few.try_candidates(12, nothing)
        more = made_study(ledger, games=4)
        more.try_candidates(24, nothing)
    assert more.trials[: len(few.trials)] == few.trials
    assert more.played_now == more.games - few.games


def test_the_last_generation_is_cut_to_the_trials_and_completed_by_more(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        size = made_study(ledger, games=4).search.generation_size
        cut, whole = made_study(ledger, games=4), made_study(ledger, games=4)
        cut.try_candidates(size + 3, nothing)
        assert (len(cut.trials), cut.trials[-1].generation) == (1 + size + 3, 1)
        whole.try_candidates(2 * size, nothing)
    assert whole.trials[: len(cut.trials)] == cut.trials
    with pytest.raises(HsctlError, match="--trials 3"):
        check_trials(3, size)


@pytest.mark.parametrize(("strength", "word"), [(9.0, "stronger"), (-9.0, "weaker")])
def test_a_study_that_cannot_tell_candidates_apart_stops_and_names_no_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strength: float, word: str
) -> None:
    monkeypatch.setattr(
        "tests.hsctl.research.tune.made_study.strength", lambda player: strength * (player.spec.name == "simple")
    )
    with open_ledger(tmp_path) as ledger:
        study = made_study(ledger, games=4)
        study.try_candidates(100, nothing)
    assert len(study.trials) == 1 + study.search.generation_size
    assert f"choose a {word} --against" in shown(study_view(study))
    assert study_record(study, None)["best"] is None


def test_the_plan_names_parameters_opponents_and_games(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        what, how = plan_lines(made_study(ledger, games=4), 30, 100, jobs=1)
    assert "box 0..3 from 1" in what and "decay 0..1 from 0.9" in what
    assert "30 trials of 8 games against random, still: 248 games" in how and "100 to confirm" in how


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
    assert "120 trials" in text and f"best: {finished.best}" in " ".join(text.split())
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
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "Did the candidates get better?",
        "Which parameters matter?",
        "box",
        "decay",
    ]
    save(figure, tmp_path / "study.png")
    assert (tmp_path / "study.png").stat().st_size > 10_000


# The confirmation


def made_confirmation(opponents: int) -> Confirmation:
    players = ("simple:box=2", "simple", *["random"] * opponents)
    return Confirmation(League(tuple(map(read_player, players)), Limits(nodes=1)), WORST)


def add_board(confirmation: Confirmation, seed: int, won: Sequence[dict[int, bool]]) -> None:
    """One game of the new player and one of the old: whom of the opponents on the board each of them beats."""
    confirmation.add(
        [
            made_game(
                [2, *(3 if is_won else 1 for is_won in met.values())], (player, *(FIRST + each for each in met)), seed
            )
            for player, met in zip((NEW, OLD), won, strict=True)
        ]
    )


def test_opponents_count_as_in_the_goal_wherever_they_are_met() -> None:
    confirmation = made_confirmation(4)
    add_board(confirmation, 1, [{WORST: False, 1: True}, {WORST: True, 1: False}])
    assert (confirmation.boards, confirmation.games, confirmation.test.blocks) == (1, 2, 0)
    add_board(confirmation, 2, [{2: True, 3: True}, {2: False, 3: False}])
    assert (confirmation.boards, confirmation.games, confirmation.test.blocks) == (2, 4, 1)
    assert list(confirmation.test.scores)[-1] == pytest.approx((1 - 0.625 + 0.375) / 2)


def test_whoever_is_met_twice_before_the_last_one_counts_by_the_mean() -> None:
    confirmation = made_confirmation(3)
    add_board(confirmation, 1, [{WORST: True, 1: True}, {WORST: False, 1: True}])
    add_board(confirmation, 2, [{WORST: True, 2: True}, {WORST: True, 2: True}])
    assert list(confirmation.test.scores)[-1] == pytest.approx((1 + 2 / 3 / 2) / 2)


@pytest.mark.parametrize("opponents", [1, 6, 9, 10, 20])
@pytest.mark.parametrize("is_better", [False, True])
def test_all_won_or_all_lost_can_be_counted_however_weights_are_rounded(opponents: int, is_better: bool) -> None:
    confirmation = made_confirmation(opponents)
    add_board(confirmation, 1, [dict.fromkeys(range(opponents), won) for won in (is_better, not is_better)])
    assert confirmation.test.blocks == 1 and all(0 <= score <= 1 for score in confirmation.test.scores)


def test_the_goal_is_unknown_until_every_opponent_was_met() -> None:
    confirmation = made_confirmation(3)
    add_board(confirmation, 1, [{WORST: True, 1: True}, {WORST: False, 1: False}])
    assert confirmation.goal(NEW) is None and confirmation.goal(OLD) is None
    record = confirmation_record(confirmation)
    assert (record["boards"], record["games"], record["new"], record["old"]) == (1, 2, None, None)
    add_board(confirmation, 2, [{WORST: True, 2: True}, {WORST: False, 2: False}])
    record = confirmation_record(confirmation)
    assert (record["new"]["goal"], record["old"]["goal"]) == (1.0, 0.0)


def test_a_player_is_not_better_for_beating_all_but_the_worst_more_often() -> None:
    """6 opponents, 3 players in a game: 40 points less against the worst, 40 more against the others."""
    confirmation, random = made_confirmation(6), Random(1)
    boards = plan_boards(6, "3", 9, seed=1)
    for seed, groups in boards.of_confirmation(6000):
        chances = [{each: 0.5 + sign * (-0.2 if each == WORST else 0.2) for each in groups[0]} for sign in (1, -1)]
        won = [{each: random.random() < chance for each, chance in some.items()} for some in chances]
        add_board(confirmation, seed, won)
        if confirmation.test.verdict is not None:
            break
    assert confirmation.test.verdict == "not better"


def test_a_confirmation_stopped_before_all_were_met_ends_as_one_that_was_left_alone(tmp_path: Path) -> None:
    pytest.importorskip("cmaes", reason="needs the extra [tune]")

    def stop(games: int) -> None:
        if games == 40:  # two laps are 36
            raise Stopped

    records = []
    for name, stops in (("whole", [nothing]), ("stopped", [stop, nothing])):
        with open_ledger(tmp_path, name) as ledger:
            study = made_study(ledger, 9, opponents=["random"] * 6, size="3")
            study.try_candidates(12, nothing)
            for on_game in stops:
                confirmation = new_confirmation(study)
                try:
                    confirm_best(study, confirmation, 100, on_game)
                except Stopped:
                    assert (confirmation.boards, confirmation.test.blocks) == (6, 2)
            records.append(confirmation_record(confirmation))
    assert records[0] == records[1] and records[0]["boards"] == 15 and records[0]["games"] == 90
