"""Section 7.1: what is counted in a game, and how the paper's words are judged."""

import os
from pathlib import Path

import pytest
from rich.console import Console

from engine.errors import HsctlError
from engine.events import round_events
from engine.game import Game
from engine.notation import parse_position
from hsctl.league.ledger import Ledger
from hsctl.research.experiments import behaviour
from hsctl.research.experiments.beam import PLAYERS
from hsctl.research.experiments.behaviour import TRAITS, Behaviour, Manner, count_events, manners_of, note_trapped
from hsctl.research.experiments.frame import Effort, ExperimentStage, KeptFacts, key_of_facts, play_recorded
from replays.replay import Limits
from tests.engine.draw import board

STAY, RIGHT = 0, 2


def position(*entities: str) -> Game:
    return parse_position(board("\n".join(["....0........", *entities])))


def test_a_way_there_and_back_counts_unless_it_had_a_reason() -> None:
    for cells, reasons, count in (
        ("aba", (False, False), 1),
        ("aba", (True, False), 0),
        ("aba", (False, True), 0),
        ("aaa", (False, False), 0),
    ):
        manner = Manner()
        for cell, has_reason in zip(cells, (*reasons, False), strict=True):
            manner.add_cell((ord(cell), 0), has_reason)
        assert manner.returns == count


def test_a_bomb_without_a_box_is_told_from_one_with() -> None:
    game = position("0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 6 4 1 3", "1 1 4 2 1 3")
    manners = [Manner(), Manner()]
    count_events(game, round_events(game, [STAY, STAY]), manners)
    assert [manner.idle_bombs for manner in manners] == [1, 0]


def test_a_player_shut_in_by_an_opponents_bomb_was_trapped() -> None:
    # The player has dropped a bomb in the corner and gone right; the opponent's bomb closes the way on.
    game = position("0 0 1 0 0 3", "0 1 2 0 1 3", "1 0 0 0 5 4")
    after, manners, actions = game.copy(), [Manner(), Manner()], [STAY, 5 + RIGHT]
    after.step(actions)
    note_trapped(game, after, actions, manners)
    assert (manners[0].trapped, manners[1].trapped) == (True, False)


def test_a_game_is_counted_to_its_end() -> None:
    playback = play_recorded(["rhea:paper", "simple"], 3, Limits(nodes=40))
    manners = manners_of(playback)
    assert manners[1].turns == playback.end_turn >= manners[0].turns == len(manners[0].depths)
    assert max(manners[1].depths) == 1 < max(manners[0].depths) and manners[1].bombs > 0
    answer = Behaviour({spec: [(3, manners[0])] for spec in PLAYERS.values()}, "40 nodes a turn")
    assert set(answer.as_dict()["agents"]["beam:paper"]) == {trait.name.strip() for trait in TRAITS}
    assert answer.draw() is not None


def judged(**traits: tuple[float, float]) -> dict[str, bool | None]:
    """The verdicts, if a trait of each agent is these numbers in two games."""
    games = {spec: [(seed, Manner(turns=100)) for seed in (1, 2)] for spec in PLAYERS.values()}
    for name, numbers in traits.items():
        for (_, manner), number in zip(games[PLAYERS[name]], numbers, strict=True):
            manner.idle_bombs, manner.depths = int(number), [int(number)]
    return {each.words: each.agrees for each in Behaviour(games, "40 nodes a turn").statements()}


@pytest.mark.parametrize(
    ("mcts", "beam", "rhea", "agrees"),
    [((12, 12), (3, 3), (8, 8), True), ((3, 3), (12, 12), (20, 20), False), ((2, 22), (2, 22), (2, 30), None)],
)
def test_the_papers_words_are_judged_by_the_intervals(
    mcts: tuple[float, float], beam: tuple[float, float], rhea: tuple[float, float], agrees: bool | None
) -> None:
    found = judged(mcts=mcts, beam=beam, rhea=rhea)
    assert found["mcts bombs without use, more than beam"] is agrees
    assert found["mcts sees around 12 turns"] is agrees
    assert found["rhea's plans are shorter than 17 genes"] is agrees
    assert found["mcts is trapped from time to time"] is None


def test_facts_are_counted_once_and_a_line_that_was_cut_off_is_ignored(tmp_path: Path) -> None:
    ledger, played = tmp_path / "ledger.sqlite", []

    def count() -> list[int]:
        played.append(1)
        return [len(played)]

    assert KeptFacts(ledger).get("a", count) == KeptFacts(ledger).get("a", count) == [1]
    path = ledger.with_name("ledger.sqlite.watched")
    path.write_text(path.read_text() + '\n["b", [7')
    assert KeptFacts(ledger).get("b", count) == [2]
    assert KeptFacts(ledger).get("b", count) == [2] and KeptFacts(ledger).get("a", count) == [1]


def test_a_game_is_another_with_another_seat_budget_seed_or_way_to_count() -> None:
    keys = {
        key_of_facts(seed, specs, Limits(nodes=nodes), f"hsctl.research.experiments.{module}")
        for seed in (1, 2)
        for specs in (("still", "random"), ("random", "still"))
        for nodes in (10, 20)
        for module in ("behaviour", "frame")
    }
    assert len(keys) == 16


def test_it_resumes_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviour, "PLAYERS", {"mcts": "simple", "rhea": "random", "beam": "still"})
    played = []

    def count_game(*game: object) -> list[dict[str, object]]:
        played.append(game)
        return [Manner(turns=3).as_dict(), Manner(turns=4).as_dict()]

    monkeypatch.setattr(behaviour, "count_game", count_game)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        for games, all_played in ((2, 6), (2, 6), (4, 12)):
            stage = ExperimentStage(Effort(games, None, 5), ledger, lambda league: pytest.fail("no league"), Console())
            answer = behaviour.run_behaviour(stage)
            assert isinstance(answer, Behaviour) and len(played) == all_played
            assert [len(answer.manners[spec]) for spec in ("simple", "random", "still")] == [2 * games] * 3


@pytest.mark.parametrize("line", ['[["key"], 1]', "7", "[" * 100_000, "\udcff"], ids=["key", "number", "deep", "bytes"])
def test_lines_that_hsctl_never_wrote_are_ignored(tmp_path: Path, line: str) -> None:
    ledger = tmp_path / "games.sqlite"
    KeptFacts(ledger).get("a", lambda: 1)
    with (tmp_path / "games.sqlite.watched").open("ab") as file:
        file.write(b"\n" + line.encode(errors="surrogateescape"))
    assert KeptFacts(ledger).get("a", lambda: 2) == 1


@pytest.mark.linux
@pytest.mark.timeout(60)
def test_facts_are_not_read_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "games.sqlite.watched")
    with pytest.raises(HsctlError):
        KeptFacts(tmp_path / "games.sqlite")
