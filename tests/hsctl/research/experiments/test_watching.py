"""What is counted while a game is watched."""

import os
from pathlib import Path

import pytest
from rich.console import Console

from engine.errors import HsctlError
from engine.events import round_events
from engine.notation import parse_position
from hsctl.league.ledger import Ledger
from hsctl.research.experiments.frame import Effort, ExperimentStage
from hsctl.research.experiments.keeping import Watched, key_of_watched
from hsctl.research.experiments.paper import behaviour
from hsctl.research.experiments.paper.behaviour import TRAITS, Behaviour
from hsctl.research.experiments.paper.table3 import PLAYERS
from hsctl.research.experiments.watching import Manner, note_events, note_survival, watch_game
from replays.replay import Limits
from search import make_agent
from search.agent import Budget

STAY, LEFT, RIGHT, DOWN = 0, 1, 2, 4
BOARD = """
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
....0........
"""


def position(*entities: str):
    return parse_position("\n".join([BOARD.strip(), str(len(entities)), *entities]))


def test_a_way_there_and_back_counts_unless_it_had_a_reason() -> None:
    a, b = (0, 0), (1, 0)
    for reasons, count in (((False, False), 1), ((True, False), 0), ((False, True), 0)):
        manner = Manner()
        for cell, has_reason in zip((a, b, a), (*reasons, False), strict=True):
            manner.walk(cell, has_reason)
        assert manner.returns == count
    still = Manner()
    for _ in range(3):
        still.walk(a, False)
    assert still.returns == 0


def test_a_bomb_without_a_box_is_told_from_one_with() -> None:
    game = position("0 0 0 0 1 3", "0 1 12 10 1 3", "1 0 6 4 1 3", "1 1 4 8 1 3")
    manners = [Manner(), Manner()]
    note_events(game, round_events(game, [STAY, STAY]), manners)
    assert [manner.idle_bombs for manner in manners] == [1, 0]


def test_who_is_shut_in_by_a_rivals_bomb_was_trapped() -> None:
    # The player has dropped a bomb in the corner and gone right; the rival's bomb closes the way on.
    game = position("0 0 1 0 0 3", "0 1 2 0 1 3", "1 0 0 0 5 4")
    after, manners = game.copy(), [Manner(), Manner()]
    actions = [STAY, 5 + RIGHT]
    after.step(actions)
    note_survival(game, after, actions, manners)
    assert (manners[0].trapped, manners[1].trapped) == (True, False)


def test_a_watched_game_is_counted_to_its_end() -> None:
    agents = [make_agent("rhea:paper"), make_agent("simple")]
    manners = watch_game(agents, 3, Budget(nodes=40))
    assert manners[0].turns == len(manners[0].depths) == len(manners[0].generations) > 0
    answer = Behaviour({spec: [(3, manners[0])] for spec in PLAYERS.values()}, "40 nodes a turn")
    assert set(answer.as_dict()["agents"]["beam:paper"]) == {trait.name.strip() for trait in TRAITS}
    assert answer.draw() is not None


def answer_with(**traits: tuple[float, float]) -> Behaviour:
    """Two games each in which a trait of the agent is these two numbers."""
    games = {spec: [(seed, Manner(turns=100)) for seed in (1, 2)] for spec in PLAYERS.values()}
    for name, numbers in traits.items():
        for (_, manner), number in zip(games[PLAYERS[name]], numbers, strict=True):
            manner.idle_bombs, manner.depths = int(number), [int(number)]
    return Behaviour(games, "40 nodes a turn")


def words_of(answer: Behaviour) -> dict[str, bool | None]:
    return {each.words: each.agrees for each in answer.statements()}


def test_the_papers_words_are_judged_by_the_intervals() -> None:
    agreeing = words_of(answer_with(mcts=(12, 12), beam=(3, 3), rhea=(8, 8)))
    assert agreeing["mcts bombs without use, more than beam"] is True
    assert agreeing["mcts sees around 12 turns"] is True
    assert agreeing["rhea's plans are shorter than 17 genes"] is True
    differing = words_of(answer_with(mcts=(3, 3), beam=(12, 12), rhea=(20, 20)))
    assert differing["mcts bombs without use, more than beam"] is False
    assert differing["mcts sees around 12 turns"] is False
    assert differing["rhea's plans are shorter than 17 genes"] is False
    wide = words_of(answer_with(mcts=(2, 22), beam=(2, 22), rhea=(2, 30)))
    assert [wide[words] for words in agreeing][:1] == [None] and wide["mcts sees around 12 turns"] is None
    assert wide["rhea's plans are shorter than 17 genes"] is None and wide["mcts is trapped from time to time"] is None


def test_a_watched_game_is_played_once_and_a_line_cut_off_is_left_out(tmp_path: Path) -> None:
    ledger, played = tmp_path / "ledger.sqlite", []

    def watch() -> list[int]:
        played.append(1)
        return [len(played)]

    assert Watched(ledger).get("a", watch) == Watched(ledger).get("a", watch) == [1]
    path = ledger.with_name("ledger.sqlite.watched")
    path.write_text(path.read_text() + '\n["b", [7')
    assert Watched(ledger).get("b", watch) == [2]
    assert Watched(ledger).get("b", watch) == [2] and Watched(ledger).get("a", watch) == [1]


def test_a_game_is_another_with_another_seat_budget_or_seed() -> None:
    few, many = Limits(nodes=10), Limits(nodes=20)
    keys = {
        key_of_watched(seed, specs, limits, "hsctl.research.experiments.watching")
        for seed in (1, 2)
        for specs in (("still", "random"), ("random", "still"))
        for limits in (few, many)
    }
    assert len(keys) == 8
    assert key_of_watched(1, ("still", "random"), few, "hsctl.research.experiments.keeping") not in keys


def test_behaviour_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviour, "PLAYERS", {"mcts": "simple", "rhea": "random", "beam": "still"})
    played = []

    def watch_game(*game: object) -> list[Manner]:
        played.append(game)
        return [Manner(turns=3), Manner(turns=4)]

    monkeypatch.setattr(behaviour, "watch_game", watch_game)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        for games in (2, 2, 4):
            stage = ExperimentStage(Effort(games, None, 5), ledger, lambda league: pytest.fail("no league"), Console())
            answer = behaviour.run(stage)
            assert isinstance(answer, Behaviour)
            assert [len(answer.manners[spec]) for spec in ("simple", "random", "still")] == [2 * games] * 3
            assert len(played) == 3 * games if games == 4 else 6


@pytest.mark.parametrize("line", ['[["key"], 1]', "7", "[" * 100_000, "\udcff"], ids=["key", "number", "deep", "bytes"])
def test_lines_that_hsctl_never_wrote_are_ignored(tmp_path: Path, line: str) -> None:
    ledger = tmp_path / "games.sqlite"
    Watched(ledger).get("a", lambda: 1)
    with (tmp_path / "games.sqlite.watched").open("ab") as file:
        file.write(b"\n" + line.encode(errors="surrogateescape"))
    assert Watched(ledger).get("a", lambda: 2) == 1


@pytest.mark.linux
@pytest.mark.timeout(60)
def test_watched_games_are_not_read_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "games.sqlite.watched")
    with pytest.raises(HsctlError):
        Watched(tmp_path / "games.sqlite")
