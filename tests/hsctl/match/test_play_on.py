"""Recorded games played on: the same game where players are deterministic, and it is said where they are not."""

import shlex
import sys
from pathlib import Path

import pytest

from engine.errors import HsctlError
from engine.game import Game
from engine.variants import in_teams
from hsctl.analysis.explain.answer import answer
from hsctl.analysis.explain.question import ExplainRequest, ask_replay
from hsctl.budget import SPREAD
from hsctl.match.play_on import numbered_task, parent_of, series_from, task_on
from hsctl.match.players import PlayerText, read_player
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, play_game
from hsctl.match.runner import play as play_task
from hsctl.match.seats import make_seat
from hsctl.match.trust import Trust
from hsctl.report.play_on import forks_between, why
from replays.files import STDIN
from replays.playback import Playback
from replays.replay import Limits, PlayerInfo, Replay, decode, encode
from tests.replays.recorded import record_game

NODES = Limits(nodes=30)
BOT = """
import sys
lines = iter(sys.stdin)
me = next(lines).split()[2]
turn = 0
for line in lines:
    rows = [line] + [next(lines) for _ in range(10)]
    things = [next(lines).split() for _ in range(int(next(lines)))]
    turn += 1
    x, y = next((int(t[2]), int(t[3])) for t in things if t[0] == "0" and t[1] == me)
    chance = {chance}
    print(("BOMB" if turn % 9 == 3 else "MOVE"), (x + turn + chance) % 13, (y + 2 * turn) % 11, flush=True)
"""


def bot(folder: Path, chance: str = "0") -> str:
    """A program whose answers depend on how many inputs it has read, and on chance."""
    path = folder / "bot.py"
    path.write_text(BOT.format(chance=chance))
    return shlex.join([sys.executable, "-S", str(path)])


def play(texts: list[str], limits: Limits = NODES, seed: int = 3, is_teamed: bool = False) -> Replay:
    game = Game.start(seed, len(texts))
    seats = [make_seat(read_player(text)) for text in texts]
    return decode(encode(play_game(seats, in_teams(game) if is_teamed else game, limits, seed)[0]))


def continuation(
    replay: Replay,
    turn: int,
    swaps: dict[int, str] | None = None,
    orders: dict[int, str] | None = None,
    spread: float | None = None,
) -> GameTask:
    playback = Playback(replay)
    parent = parent_of(playback, "game.json", "0" * 16, turn, orders or {}, spread)
    others: dict[int, PlayerText] = {seat: read_player(text) for seat, text in (swaps or {}).items()}
    return task_on(playback, parent, others, Trust(is_saved_here=True), folder=Path())


def played_on(plan: GameTask, number: int = 0) -> tuple[Replay, GameResult]:
    """A game played on, as its file tells it; it plays again."""
    played = play_task(numbered_task(plan, number))
    assert played.encoded is not None
    replay = decode(played.encoded)
    Playback(replay)
    return replay, played


def turns_of(replay: Replay) -> list[int]:
    """The first, some between, and the last."""
    last = len(replay.turns) - 1
    return sorted({0, 1, last // 3, 2 * last // 3, last})


# Deterministic players


@pytest.mark.slow
@pytest.mark.parametrize(
    "texts",
    [
        ["duel", "hybrid", "beam"],
        ["mcts", "rhea"],
        ["negamax", "bias", "osla", "simple"],
        ["duel:keep=1", "random"],
    ],
)
def test_agents_that_think_by_nodes_play_the_same_game_from_any_turn(texts: list[str]) -> None:
    recorded = play(texts)
    for turn in turns_of(recorded):
        replay, played = played_on(continuation(recorded, turn))
        assert played.fork is None
        assert (replay.turns, replay.result, replay.players) == (recorded.turns, recorded.result, recorded.players)
        assert replay.parent is not None and (replay.parent.turn, replay.parent.file) == (turn, "game.json")


@pytest.mark.slow
@pytest.mark.parametrize(("limits", "is_teamed"), [(Limits(nodes=40, vision=3), False), (NODES, True)])
def test_so_do_players_who_see_little_and_teams(limits: Limits, is_teamed: bool) -> None:
    recorded = play(["duel", "hybrid", "simple", "beam"], limits, is_teamed=is_teamed)
    for turn in turns_of(recorded):
        replay, _ = played_on(continuation(recorded, turn))
        assert (replay.turns, replay.result) == (recorded.turns, recorded.result)


def test_a_bot_that_counts_its_turns_goes_on_counting(tmp_path: Path) -> None:
    recorded = play([bot(tmp_path), "simple"], Limits(None, None, 5000, 20))
    for turn in turns_of(recorded):
        replay, played = played_on(continuation(recorded, turn))
        assert (played.fork, played.strays) == (None, [])
        assert (replay.turns, replay.result) == (recorded.turns, recorded.result)


def test_the_dead_stay_dead_and_need_not_be_run(tmp_path: Path) -> None:
    recorded = record_game(3, 3, failures=0.01, care=0.95)
    dead, (died, _) = min(Playback(recorded).deaths().items(), key=lambda pair: pair[1][0])
    recorded.players[dead] = PlayerInfo("./gone", False)
    alive = {seat: "simple" for seat in range(3) if seat != dead}
    replay, played = played_on(continuation(recorded, died + 1, alive))
    assert played.deaths[dead] is not None and replay.players[dead].spec == "./gone"
    assert replay.turns[: died + 1] == recorded.turns[: died + 1]
    assert all(turn.moves[dead] is None for turn in replay.turns[died + 1 :])


# Players that are not


def test_a_bot_that_follows_chance_is_told_with_the_turn(tmp_path: Path) -> None:
    recorded = play([bot(tmp_path), "still"], Limits(None, None, 5000, 20))
    last = len(recorded.turns) - 1
    assert last > 3
    bot(tmp_path, "turn // 3")  # from its third turn on another program under the same name
    _, played = played_on(continuation(recorded, last))
    [stray] = played.strays
    assert (stray.seat, stray.turn, stray.answers, stray.turns) == (0, 2, last - 2, last)


def test_messages_are_not_compared(tmp_path: Path) -> None:
    recorded = play([bot(tmp_path), "still"], Limits(None, None, 5000, 20))
    for turn in recorded.turns:
        assert turn.moves[0] is not None
        turn.moves[0].line += " took 13 ms"
    assert played_on(continuation(recorded, len(recorded.turns) - 1))[1].strays == []


def test_a_bot_is_not_blamed_for_moves_it_was_given_or_that_others_made(tmp_path: Path) -> None:
    limits = Limits(None, None, 5000, 20)
    recorded = play(["still", "still"], limits)
    child, _ = played_on(continuation(recorded, 3, {0: bot(tmp_path)}, {0: "BOMB 0 0"}))
    last = len(child.turns) - 1
    _, played = played_on(continuation(child, last))
    assert (played.strays, played.fork) == ([], None)
    bot(tmp_path, "turn // 3")
    [stray] = played_on(continuation(child, last))[1].strays
    assert (stray.turn, stray.answers, stray.turns) == (4, last - 4, last - 4)


def test_a_bot_that_fails_on_the_way_is_refused(tmp_path: Path) -> None:
    recorded = play([bot(tmp_path), "still"], Limits(None, None, 5000, 20))
    bot(tmp_path, "1 // (turn - 2)")
    with pytest.raises(HsctlError, match=r"can't play on: given the input of turn 1 again it failed \(crash"):
        played_on(continuation(recorded, 3))


# Other players, other moves


def test_a_swapped_player_sees_the_turns_before_and_the_record_tells_who_sat_there() -> None:
    recorded = play(["duel", "simple"])
    turn = len(recorded.turns) // 2
    replay, played = played_on(continuation(recorded, turn, {0: "hybrid"}))
    assert replay.turns[:turn] == recorded.turns[:turn]
    assert [info.spec for info in replay.players] == ["hybrid", "simple"]
    playback = Playback(replay)
    assert [playback.info_at(each, 0).spec for each in (0, turn - 1, turn)] == ["duel", "duel", "hybrid"]
    assert played.turns == len(replay.turns)


def test_every_decision_of_a_game_played_on_can_be_explained() -> None:
    recorded = play(["duel", "simple"])
    turn = len(recorded.turns) // 2
    playback = Playback(played_on(continuation(recorded, turn, {1: "duel"}, {0: "MOVE 6 5"}))[0])
    for each in (turn - 1, turn + 1, min(turn + 2, playback.end_turn - 1)):
        for seat in playback.game_at(each).living:
            if each >= turn or seat == 0:
                assert answer(ask_replay(playback, each, ExplainRequest(player=str(seat))), None).is_reproduced, (
                    each,
                    seat,
                )
    asked = ask_replay(playback, turn, ExplainRequest(player="0"))
    assert "given MOVE 6 5" in asked.title and asked.recorded is None


def test_an_order_is_obeyed_on_that_turn_alone() -> None:
    recorded = play(["still", "still"])
    replay, played = played_on(continuation(recorded, 4, orders={0: "BOMB 1 0"}))
    assert played.fork is not None
    assert (played.fork.turn, played.fork.seats, played.fork.recorded) == (4, [0], ["stay"])
    assert played.fork.played == ["right+bomb"]
    moves = [turn.moves[0] for turn in replay.turns]
    assert [move.action for move in moves[:6] if move] == [0, 0, 0, 0, 7, 0]
    assert replay.parent is not None and replay.parent.moves == ["BOMB 1 0", ""]


def test_a_turn_played_anew_without_an_order_has_none() -> None:
    child, _ = played_on(continuation(play(["still", "still"]), 4, orders={0: "BOMB 1 0"}))
    again, _ = played_on(continuation(child, 4))
    assert [Playback(each).given_at(4, 0) for each in (child, again)] == ["BOMB 1 0", ""]
    assert Playback(child).given_at(5, 0) == "" and Playback(child).given_at(4, 1) == ""


def test_a_game_played_on_is_played_on_again() -> None:
    recorded = play(["simple", "still"])
    child, _ = played_on(continuation(recorded, 8, {0: "still"}))
    for turn in (4, 8, 12):
        grandchild, played = played_on(continuation(child, turn))
        assert (played.fork is None) == (turn >= 8)  # before, the first player was somebody else
        assert grandchild.parent is not None
        older = grandchild.parent.parent
        assert (older is None) == (turn < 8)
        assert Playback(grandchild).info_at(3, 0).spec == "simple"


def test_games_of_a_series_differ_though_no_player_cares_for_the_seed() -> None:
    recorded = play(["beam", "beam"], Limits(nodes=300))
    exact, varied = (continuation(recorded, 10, spread=spread) for spread in (0.0, SPREAD))
    assert {play_task(task).course for task in series_from([exact], 3)} == {recorded.course}
    assert len({play_task(task).course for task in series_from([varied], 6)}) >= 5


def test_both_arms_of_a_series_take_turns_from_game_1_on() -> None:
    plan = continuation(play(["still", "still"]), 3)
    assert [task.seed - plan.seed for task in series_from([plan, plan], 2)] == [1, 1, 2, 2]


def test_a_varied_game_is_repeated_exactly_and_so_is_the_game_before_it() -> None:
    recorded = play(["beam", "beam"], Limits(nodes=300))
    child, _ = played_on(continuation(recorded, 10, spread=SPREAD), number=1)
    grandchild, _ = played_on(continuation(child, 20, spread=0.0), number=1)
    assert child.course != recorded.course
    again, exact, unvaried = (continuation(replay, at) for replay, at in ((child, 15), (child, 5), (grandchild, 25)))
    assert [plan.spread for plan in (again, exact, unvaried)] == [SPREAD, 0.0, 0.0]
    assert played_on(again)[0].course == child.course
    assert played_on(exact)[0].course == recorded.course
    assert played_on(unvaried)[0].course == grandchild.course


@pytest.mark.parametrize("texts", [["mcts", "rhea"], pytest.param(["duel:keep=1", "simple"], marks=pytest.mark.slow)])
def test_every_turn_of_a_further_game_is_repeated_with_the_seed_and_nodes_it_had(texts: list[str]) -> None:
    child, _ = played_on(continuation(play(texts), 10, spread=SPREAD), number=1)
    grandchild, _ = played_on(continuation(child, 14, spread=SPREAD), number=2)
    assert [Playback(grandchild).seed_at(turn) for turn in (9, 10, 13, 14)] == [3, 4, 4, 6]
    for replay in (child, grandchild):
        for turn in (5, 12, 14):
            plan = continuation(replay, turn)
            fork = played_on(plan)[1].fork
            assert fork is None or forks_between(plan, fork.turn), (turn, fork)
            for seat in Playback(replay).game_at(turn).living:
                assert answer(ask_replay(Playback(replay), turn, ExplainRequest(player=str(seat))), None).is_reproduced


def test_a_record_that_was_played_on_later_is_no_reason_to_doubt_its_players() -> None:
    child, _ = played_on(continuation(play(["mcts", "rhea"]), 10), number=1)
    plan = continuation(child, 5)
    fork = played_on(plan)[1].fork
    assert fork is not None
    assert why(plan, fork, fork.seats[0]) == " (the record itself was played on from turn 10)"


# Who can't be run


@pytest.mark.parametrize(
    ("info", "limits", "is_saved_here", "message"),
    [
        (
            PlayerInfo("Agade", False),
            Limits(1000, 100),
            True,
            r"player 1 \(Agade\) doesn't run here: played on the arena",
        ),
        (PlayerInfo("./evil", False), Limits(1000, 100, 5000), False, "--trust"),
        (PlayerInfo("./gone", False), Limits(1000, 100, 5000), True, "its program can't be run here"),
        (
            PlayerInfo("ghost:gone.json#1", False, faithful_turns=3),
            Limits(nodes=9),
            True,
            "its program can't be run here",
        ),
        (PlayerInfo("beam", True, {"colour": 1}), Limits(nodes=9), True, "--swap 1=beam for today's beam"),
    ],
)
def test_who_cannot_be_run_is_refused(info: PlayerInfo, limits: Limits, is_saved_here: bool, message: str) -> None:
    recorded = play(["still", "still"])
    recorded.players[1], recorded.limits = info, limits
    playback = Playback(recorded)
    parent = parent_of(playback, STDIN, "0" * 16, 2, {})
    trust = Trust(is_saved_here)
    with pytest.raises(HsctlError, match=message) as refused:
        task_on(playback, parent, {}, trust)
    assert "--swap 1=" in str(refused.value)
    assert task_on(playback, parent, {1: read_player("simple")}, trust).players[1] is not None


def test_bots_that_come_into_a_game_of_nodes_have_a_clock(tmp_path: Path) -> None:
    recorded = play(["still", "still"])
    plan = continuation(recorded, 2, {1: bot(tmp_path)})
    assert (plan.limits.turn_ms, plan.limits.startup_ms, plan.limits.nodes) == (100, 5000, NODES.nodes)


@pytest.mark.parametrize("turn", [-1, 1000])
def test_turns_that_are_not_there_are_refused(turn: int) -> None:
    with pytest.raises(HsctlError, match=f"turn {turn}: this game has turns 0 to"):
        continuation(play(["still", "still"]), turn)


def test_the_end_is_nothing_to_play_on_from() -> None:
    recorded = play(["still", "still"])
    with pytest.raises(HsctlError, match="the game was over"):
        continuation(recorded, len(recorded.turns))
