"""`hsctl paper negamax`: what it plays, and several questions put to the same games."""

from hsctl.league.intervals import Share, share_interval
from hsctl.report.tables import to_markdown
from hsctl.research.experiments import find_experiment
from hsctl.research.experiments.agents.negamax import ASKED, BEATEN, OPPONENTS, REPORT, judge, statements
from hsctl.research.experiments.agents.negamax_parts import (
    PARTS,
    STRATEGIES,
    PartsAnswer,
    count_nodes,
    positions_of,
    share_where,
)
from hsctl.research.experiments.tables import is_less
from hsctl.research.experiments.variants import Questions, SeedResult, Variants
from search.spec import parse_spec
from tests.hsctl.games import made_game


def test_all_who_play_can_be_read_and_the_agent_as_it_is_stands_in_every_question():
    assert find_experiment("negamax").games
    for text in [*OPPONENTS, *sum(ASKED.values(), ())]:
        parse_spec(text)
    assert all("negamax" in variants for variants in ASKED.values())


def test_each_question_is_answered_by_its_own_variants_of_the_same_games():
    scores = {"a": [1.0, 1.0], "b": [1.0, 0.0], "c": [0.0, 0.0]}
    results = {(name, "x"): {7: SeedResult(each, [1 if one else 2 for one in each])} for name, each in scores.items()}
    whole = Variants("all", ("a", "b", "c"), ("x",), results, "10 ms a turn")
    found = Questions({"First": ("a", "b"), "Second": ("b", "c")}, whole).as_dict()
    assert {question: list(part["scores"]) for question, part in found.items()} == {
        "First": ["a", "b"],
        "Second": ["b", "c"],
    }
    assert found["First"]["where_they_differ"]["a"]["b"]["better"] == 1
    assert found["Second"]["scores"]["b"]["x"]["score"]["share"] == 0.5


def test_pruning_saves_nodes():
    games = list(positions_of(1))[1:3]
    nodes = {part: count_nodes(part, games) for part in ("", "table=0,ordering=0,killers=0", "pruning=0")}
    assert max(nodes[""], nodes["table=0,ordering=0,killers=0"]) < nodes["pruning=0"]


def test_what_was_found_is_told_by_part_and_by_strategy():
    for part in PARTS:
        parse_spec(f"negamax:{part}")
    drawn = share_where([[made_game([1, 1]), made_game([1, 2])]], lambda game: game.is_drawn)
    assert drawn is not None and drawn.value == 0.5
    found = PartsAnswer(dict.fromkeys(PARTS, 10), 3, dict.fromkeys(STRATEGIES, (drawn, None)), "5 nodes a turn")
    assert found.as_dict()["stalls"]["auto"] == {
        "drawn": found.as_dict()["stalls"]["nuke"]["drawn"],
        "nobody_died": None,
    }


def test_the_reports_words_are_judged_by_the_agent_as_submitted():
    results = {(REPORT, "random"): {seed: SeedResult([1.0, 1.0], [1, 1]) for seed in range(20)}}
    results[REPORT, "negamax:greedy"] = {seed: SeedResult([0.0, 0.0], [2, 2]) for seed in range(20)}
    whole = Variants("", (REPORT,), tuple(BEATEN), results, "10 ms a turn")
    said = [judge(whole, *beaten).agrees for beaten in BEATEN.items()]
    assert said == [True, None, False]
    assert Questions({}, whole, [judge(whole, "random", "words")]).as_dict()["claims"][0]["claim"] == "words"


def test_noise_is_harder_to_beat_than_chance_if_less_is_won_against_it():
    def told(control: float) -> bool | None:
        scores = {"random": 1.0, "negamax:control": control, "negamax:greedy": 1.0}
        results = {
            (REPORT, name): dict.fromkeys(range(20), SeedResult([score] * 2, [1, 1])) for name, score in scores.items()
        }
        return statements(Variants("", (REPORT,), tuple(BEATEN), results, ""))[-1].agrees

    assert (told(0.2), told(1.0)) == (True, None)


def test_a_remark_on_all_questions_is_shown_once():
    results = {("a", "x"): {7: SeedResult([1.0], [1])}}
    whole = Variants("all", ("a",), ("x",), results, "", remark="nobody has figures")
    found = Questions({"First": ("a",), "Second": ("a",)}, whole)
    assert to_markdown(found.view()).count("nobody has figures") == 1
    assert found.as_dict()["remark"] == "nobody has figures"
    assert "nobody has figures" in to_markdown(whole.view())


def test_fewer_games_in_which_nobody_dies_are_told_by_the_intervals():
    low, high = (Share(share * 100, 100, share_interval(int(share * 100), 100)) for share in (0.1, 0.9))
    assert [is_less(low, high), is_less(high, low), is_less(low, low), is_less(None, low)] == [True, False, None, None]
