"""Deaths: what the search says is what trying everything on the plain rules says, and every cause has its position."""

from itertools import islice

import pytest

from engine.board import DOWN, LEFT, RIGHT, UP
from engine.game import Game
from engine.notation import digest, parse_position
from engine.rules import BOMB
from hsctl.analysis.review.deaths import (
    CHAIN,
    ERROR,
    ITEM,
    NOTHING,
    OWN_BOMB,
    SAME_MOMENT,
    STAYED,
    TRAPPED,
    WALKED,
    deaths_of,
    holding_moves,
    names_of,
)
from hsctl.analysis.review.document import ChainedBomb, KillingBomb, ReviewedDeath
from replays.playback import Playback, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, Failure, Limits, Move, PlayerInfo, Replay, Turn
from tests.engine.draw import board
from tests.hsctl.analysis.review.brute import check, games

STAY = 0


def played(position: str, *lines: list[int | None]) -> Playback:
    """A game from a drawn position: each player's actions (None fails), then everybody stands still."""
    game = parse_position(board(position))
    return Playback(replay_of(game, lines))


def replay_of(game: Game, lines: tuple[list[int | None], ...]) -> Replay:
    start, turns = start_of(game), []
    while not game.is_over:
        moves: list[Move | None] = [None] * game.seats
        for seat in game.living:
            line = lines[seat]
            action = line[game.turn] if game.turn < len(line) else STAY
            moves[seat] = Move(action) if action is not None else Move(failure=Failure("timeout", "too late"))
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo(f"player{seat}", False) for seat in range(game.seats)]
    return Replay(FORMAT, VERSION, "test", None, start, players, Limits(), turns, result_of(game))


def death_in(playback: Playback, seat: int = 0) -> ReviewedDeath:
    (death,) = deaths_of(playback, seat)
    return death


@pytest.mark.parametrize("players", [("random", "osla"), ("hybrid", "random", "mcts")])
def test_the_search_agrees_with_trying_everything(players: tuple[str, ...]) -> None:
    compared = 0
    for playback in islice(games(players), 3):
        for seat, (turn, how) in playback.deaths().items():
            if not how.failure:
                check(playback, seat, turn)
                compared += 1
    assert compared


FAR_RIVAL = "0 1 12 10 1 3"


CORRIDOR = """
    .......
    0X0X.X.
    .......
    0 0 3 0 0 3
    0 1 4 0 1 5
    """  # a dead end to the left of player 0; player 1 stands at its mouth


def test_a_bomb_that_closes_the_own_way_out() -> None:
    position = f"""
        ..0
        0X0
        0 0 0 0 1 3
        {FAR_RIVAL}
        """
    death = death_in(played(position, [BOMB], []))
    assert (death.cause, death.turn, death.last_turn) == (OWN_BOMB, 8, 0)
    assert death.safe == ["stay", "right"] and death.bombs[0].turn == 0


def test_walking_into_a_known_blast_and_staying_in_it() -> None:
    position = f"""
        .....
        .X.X.
        .....
        0 0 0 2 1 3
        {FAR_RIVAL}
        1 1 4 0 4 5
        """
    stayed = death_in(played(position, [UP, UP, STAY], []))
    assert (stayed.turn, stayed.last_turn, stayed.cause) == (3, 2, STAYED)
    walked = death_in(played(position, [UP, STAY, UP], []))
    assert (walked.turn, walked.last_turn, walked.cause) == (3, 2, WALKED)
    assert "up" not in walked.safe and "stay" in walked.safe


def test_a_bomb_dropped_on_the_way_into_a_known_blast_is_not_the_cause() -> None:
    """It is lit and kills, too; but the same step without it leads into the rival's blast."""
    position = f"""
        .....
        .X.X.
        .....
        .X.X.
        .....
        0 0 0 4 1 3
        {FAR_RIVAL}
        1 1 0 0 2 5
        """
    death = death_in(played(position, [BOMB + UP], []))
    assert (death.turn, death.last_turn, death.cause) == (1, 0, WALKED)
    assert {bomb.owner for bomb in death.bombs} == {0, 1}
    assert "up" not in death.safe and "right" in death.safe


def test_a_bomb_that_blocks_the_own_way_is_the_cause_though_another_kills() -> None:
    position = f"""
        ...0
        .X.X
        .0..
        0 0 0 1 1 2
        {FAR_RIVAL}
        1 1 2 0 4 6
        """
    death = death_in(played(position, [BOMB + UP], []))
    assert (death.turn, death.last_turn, death.cause) == (3, 0, OWN_BOMB)
    assert [bomb.owner for bomb in death.bombs] == [1]


def test_a_chain_that_was_not_seen() -> None:
    position = f"""
        .......
        0X0X0X0
        0 0 1 0 1 3
        {FAR_RIVAL}
        1 1 6 0 3 4
        1 1 4 0 8 4
        """
    death = death_in(played(position, [], []))
    assert (death.turn, death.last_turn, death.cause) == (2, 1, CHAIN)
    (bomb,) = death.bombs
    assert (bomb.x, bomb.y, bomb.lit_by, death.safe) == (4, 0, 1, ["left"])
    assert bomb.chain == [ChainedBomb(1, -6, 6, 0)]


CHAINED = f"""
    .......
    0X0X.X0
    0 0 1 0 1 3
    {FAR_RIVAL}
    1 0 6 0 3 3
    1 1 4 0 8 4
    """  # the own bomb's time comes on turn 2; it lights player 1's, which reaches player 0


def test_a_chain_is_told_from_the_bomb_that_started_it() -> None:
    (bomb,) = death_in(played(CHAINED, [], [])).bombs
    assert (bomb.lit_by, bomb.chain) == (0, [ChainedBomb(0, -6, 6, 0)])


def test_a_long_chain_is_told_with_the_bombs_in_between() -> None:
    """From 7,0 over 6,0 to 4,0."""
    death = death_in(played(CHAINED.replace("1 0 6 0 3 3", "1 0 7 0 3 2\n1 1 6 0 5 3"), [], []))
    assert death.bombs[0].chain == [ChainedBomb(0, -6, 7, 0), ChainedBomb(1, -4, 6, 0)]
    assert "its own of turn -6 at 7,0 through 6,0" in death.why


def test_an_item_that_had_stopped_a_blast() -> None:
    position = f"""
        .......
        0X.X0X0
        0 0 1 0 1 3
        {FAR_RIVAL}
        1 1 4 0 3 6
        2 0 2 0 1 1
        """
    death = death_in(played(position, [RIGHT, LEFT], []))
    assert (death.turn, death.last_turn, death.cause) == (2, 1, ITEM)


def test_an_item_on_the_cell_of_death_had_stopped_nothing() -> None:
    """A blast covers the item that stops it."""
    position = f"""
        .......
        0X.X0X0
        0 0 1 0 1 3
        {FAR_RIVAL}
        1 1 4 0 2 6
        2 0 2 0 1 1
        """
    death = death_in(played(position, [RIGHT], []))
    assert (death.turn, death.last_turn, death.cause) == (1, 0, WALKED)


def test_an_item_that_stopped_only_one_of_two_blasts_made_no_difference() -> None:
    position = f"""
        .......
        .X.X0X0
        .......
        0 0 1 0 1 3
        {FAR_RIVAL}
        1 1 4 0 3 6
        1 0 0 0 3 3
        2 0 2 0 1 1
        """
    death = death_in(played(position, [RIGHT, LEFT], []))
    assert len(death.bombs) == 2
    assert (death.turn, death.last_turn, death.cause) == (2, 1, WALKED)


def test_a_bomb_that_came_at_the_same_moment() -> None:
    death = death_in(played(CORRIDOR, [LEFT], [BOMB + RIGHT, RIGHT, DOWN, DOWN]))
    assert (death.turn, death.last_turn, death.cause, death.rival) == (8, 0, SAME_MOMENT, 1)
    assert "right" in death.safe and death.held_turn == 0


def test_a_rival_who_shuts_the_way_later() -> None:
    death = death_in(played(CORRIDOR, [LEFT], [STAY, BOMB + RIGHT, RIGHT, DOWN, DOWN]))
    assert (death.turn, death.last_turn, death.cause, death.rival) == (9, 0, TRAPPED, 1)


TWO_RIVALS = CORRIDOR.replace("0 0 3 0 0 3", "0 0 3 0 1 5").replace("0 1 4 0 1 5", "0 1 12 10 1 3\n0 2 4 0 1 5")


def test_who_is_lost_already_is_not_killed_by_a_bomb_of_their_own() -> None:
    """Player 2 shuts the dead end on turn 1; player 0's bomb of turn 3 is lit and alone reaches its owner. Player 1,
    far away, dropped one before, which has nothing to do with it."""
    own, far, trap = [LEFT, LEFT, STAY, BOMB + LEFT], [STAY, BOMB + LEFT], [STAY, BOMB + RIGHT, RIGHT, DOWN, DOWN]
    death = death_in(played(TWO_RIVALS, own, [*far, *[LEFT] * 3], trap))
    assert [(bomb.owner, bomb.lit_by) for bomb in death.bombs] == [(0, 2)]
    assert (death.turn, death.last_turn, death.cause, death.rival) == (9, 0, TRAPPED, 2)


def test_a_rival_who_takes_the_item_away_that_stopped_a_blast() -> None:
    position = """
        .......
        0X0X.X.
        .......
        0 0 3 0 0 3
        0 1 4 2 0 3
        1 1 5 0 4 6
        2 0 4 0 1 1
        """
    death = death_in(played(position, [LEFT], [UP, UP, DOWN, DOWN]))
    assert (death.turn, death.last_turn, death.cause, death.rival) == (3, 0, TRAPPED, 1)
    assert death.safe == ["stay", "right"]


def test_an_error_is_no_question_of_moves() -> None:
    position = f"""
        ...
        0 0 0 0 1 3
        {FAR_RIVAL}
        """
    death = death_in(played(position, [STAY, None], []))
    assert (death.cause, death.turn, death.last_turn) == (ERROR, 1, None)
    assert death.failure == "timeout" and "too late" in death.why


WALLED_IN = f"""
    .00
    0X0
    0 0 0 0 0 3
    {FAR_RIVAL}
    1 1 0 0 2 3
    """


def test_who_cannot_leave_can_do_nothing() -> None:
    death = death_in(played(WALLED_IN, [], []))
    assert (death.cause, death.last_turn, death.safe) == (NOTHING, None, [])
    assert death.bombs == [KillingBomb(1, death.turn - 8, 0, 0, None)]


def test_a_bomb_may_save() -> None:
    """Dropped at the mouth of the dead end it stops the long blast, and its own is shorter."""
    playback = played(CORRIDOR.replace("0 0 3 0 0 3", "0 0 3 0 1 3"), [LEFT], [BOMB + RIGHT, RIGHT, DOWN, DOWN])
    death = death_in(playback)
    assert (death.turn, death.last_turn) == (8, 4)
    assert check(playback, 0, 8) == "4 turns before"


def test_a_death_is_avoidable_if_a_move_held_and_another_was_played() -> None:
    """Player 1 can shut the dead end; who walks into it could know that, whether they do it or not."""
    game = parse_position(board(CORRIDOR))
    held = holding_moves(game, 0)
    assert RIGHT in held and LEFT not in held
    death = death_in(played(CORRIDOR, [LEFT], [STAY, BOMB + RIGHT, RIGHT, DOWN, DOWN]))
    assert (death.held_turn, death.held, death.held_played) == (0, names_of(held), "left")
    assert death.is_avoidable


SHARED = """
    .......
    .X.X.X.
    .......
    .X.X.X.
    .......
    0 0 0 4 1 3
    0 1 0 4 1 9
    1 1 0 0 2 5
    """  # with a bomb the rival, on the same cell, can reach whatever player 0 does; the other bomb reaches both


def test_certain_death_is_avoidable_though_no_move_held_against_every_answer() -> None:
    assert holding_moves(parse_position(board(SHARED)), 0) == []
    death = death_in(played(SHARED, [UP], [RIGHT]))
    assert (death.turn, death.last_turn, death.held_turn, death.cause) == (1, 0, None, WALKED)
    assert "right" in death.open_moves and set(death.open_moves) <= set(death.safe) and "up" not in death.safe
    assert death.is_avoidable


def test_what_only_a_rival_made_deadly_is_not_certain_death() -> None:
    death = death_in(played(SHARED, [RIGHT], [BOMB + DOWN]))
    assert (death.turn, death.cause, death.open_moves, death.is_avoidable) == (1, NOTHING, [], False)


def test_what_could_not_be_known_is_not_avoidable() -> None:
    assert not death_in(played(WALLED_IN, [], [])).is_avoidable


def test_the_living_have_no_death() -> None:
    playback = played(f"...\n0 0 0 0 1 3\n{FAR_RIVAL}", [], [])
    assert deaths_of(playback, 0) == []
