"""The win probability of positions: sums, seats, the dead, what is decided; and the shipped model's own figures."""

import numpy as np
import pytest

from engine.errors import HsctlError
from engine.game import SURVIVAL, Game
from engine.position import Bomb, Player, boxes_on, items_on
from engine.state import MAX_PLAYERS
from engine.variants import in_teams
from search.winning.model import Judge, judge, load_model, load_weights, new_judge_memory, rounds_left
from search.winning.places import ABSENT
from tests.search.positions import Position, random_positions
from tests.search.winning.judging import random_weights


def places_at(position: Position, weights: np.ndarray, rounds: int = 100) -> np.ndarray:
    memory = new_judge_memory(weights)
    judge(position.state, position.map, rounds, np.full(MAX_PLAYERS, ABSENT, np.int64), memory)
    return memory.places


def game_of(position: Position) -> Game:
    """A game in the position, four seats; those who don't live died at its start."""
    game = Game(position.map, position.state, MAX_PLAYERS)
    game.death_rounds = [None if position.state.players[at] else at for at in range(MAX_PLAYERS)]
    return game


def rearranged(game: Game, seats: list[int]) -> Game:
    """The same position with player `at` in seat seats[at]."""
    players = [player._replace(id=seats[player.id]) for player in game.players()]
    bombs = [bomb._replace(owner=seats[bomb.owner]) for bomb in game.bombs]
    boxes, items = boxes_on(game.state, game.map), items_on(game.state, game.map)
    other = Game.build(boxes, players, bombs, items, seats=game.seats, turn=game.turn)
    for at, seat in enumerate(seats):
        other.death_rounds[seat] = game.death_rounds[at]
        other.state.scored[seat] = game.state.scored[at]
    return other


def test_everybody_gets_one_place_and_every_place_one_player():
    for number, position in enumerate(random_positions(100)):
        found = Judge(random_weights(number)).places(game_of(position))
        assert found.min() >= 0.0
        assert found.sum(axis=0) == pytest.approx(1.0)
        assert found.sum(axis=1) == pytest.approx(1.0)


def test_the_probability_belongs_to_the_player_not_to_the_seat():
    random = np.random.default_rng(0)
    for number, position in enumerate(random_positions(60, seed=1)):
        seats = [int(seat) for seat in random.permutation(MAX_PLAYERS)]
        judging, game = Judge(random_weights(number)), game_of(position)
        if len({(bomb.owner, bomb.timer) for bomb in game.bombs}) < len(game.bombs):
            continue
        found = judging.places(game)
        assert judging.places(rearranged(game, seats))[seats] == pytest.approx(found, abs=1e-12)


def test_the_dead_are_placed_by_when_they_died():
    game = Game.start(3, 4)
    game.state.players[1] = game.state.players[2] = 0
    game.death_rounds = [None, 30, 40, None]
    found = Judge(load_weights()).places(game)
    assert found[2].tolist() == [0, 0, 1, 0]
    assert found[1].tolist() == [0, 0, 0, 1]
    assert found[[0, 3], :2].sum() == pytest.approx(2.0)


def test_who_died_together_shares_places_unless_boxes_decide():
    game = Game.start(3, 4)
    game.state.players[1] = game.state.players[2] = 0
    game.death_rounds = [None, 30, 30, None]
    assert Judge().places(game)[1:3, 2:].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    game.state.scored[2] = 1
    assert Judge().places(game)[1:3, 2:].tolist() == [[0, 1], [1, 0]]


def test_a_game_that_is_over_has_its_result():
    game = Game.start(4, 3)
    game.reason = "200 turns"
    game.set_scores([3, 9, 3])
    assert Judge().wins(game) == [0.0, 1.0, 0.0]
    assert Judge().places(game)[0].tolist() == [0, 0.5, 0.5]


def test_the_last_one_alive_has_won():
    game = Game.start(4, 2)
    game.state.players[0] = 0
    game.death_rounds[0] = 12
    assert Judge().wins(game) == [0.0, 1.0]


def open_board(*players: Player, bombs: tuple[Bomb, ...] = (), turn: int = 150) -> Game:
    return Game.build({}, players, bombs, seats=len(players), turn=turn)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_player_one_box_ahead_with_none_left_wins(seats):
    corners = [(0, 0), (12, 10), (12, 0), (0, 10)]
    boxes = [21, 20, 12, 9]
    game = open_board(*(Player(at, *corners[at], 4, 8, boxes[at]) for at in range(seats)))
    assert Judge().wins(game)[0] > 0.95


def test_equal_players_are_equally_likely_to_win():
    game = open_board(Player(0, 0, 0, 3, 5, 7), Player(1, 12, 10, 3, 5, 7))
    assert Judge().wins(game) == pytest.approx([0.5, 0.5])


def test_a_player_who_cannot_get_away_loses():
    # 1 stands in a dead end, a bomb shuts it.
    bombs = (Bomb(0, 1, 0, 1, 6), Bomb(0, 2, 0, 2, 6))
    game = Game.build({(0, 1): 0}, [Player(0, 12, 10, 1, 3, 5), Player(1, 0, 0, 1, 3, 9)], bombs, seats=2, turn=100)
    assert Judge().wins(game)[0] > 0.9


def test_more_boxes_are_not_worse():
    for position in random_positions(100, seed=2):
        if np.count_nonzero(position.state.players) < 2:
            continue
        before = places_at(position, load_weights())[position.player, 0]
        position.state.scored[position.player] += 5
        assert places_at(position, load_weights())[position.player, 0] >= before - 0.001


def test_rounds_left_count_down_to_the_end_of_the_game():
    game = Game.start(1, 2)
    assert rounds_left(game) == 200
    quiet = open_board(Player(0, 0, 0, 1, 3, 1), Player(1, 12, 10, 1, 3, 0))
    assert rounds_left(quiet) == 20
    rounds = 0
    while not quiet.is_over:
        expected = rounds_left(quiet)
        quiet.step([1 + rounds % 2, 1 + rounds % 2])
        rounds += 1
        assert rounds_left(quiet) == expected - 1
    assert rounds == 20


def test_teams_and_survival_are_refused():
    game = Game.start(1, 4)
    with pytest.raises(HsctlError):
        Judge().places(in_teams(game.copy()))
    game.ends = SURVIVAL
    with pytest.raises(HsctlError):
        Judge().places(game)


# The shipped model


def test_the_model_says_where_it_comes_from():
    made = load_model()["provenance"]
    assert made["command"].startswith("hsctl train winning")
    assert {"hsctl", "date", "seeds", "games", "positions", "players", "unseen"} <= made.keys()
    assert made["games"]["learned"] > 2 * made["games"]["judged"] > 500


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_model_is_better_than_the_lead_and_calibrated(players):
    judged = next(each for each in load_model()["judged"] if each["players"] == players)
    assert judged["model"]["log_loss"] <= judged["lead"]["log_loss"] - 0.04
    assert judged["model"]["ece"] <= 0.02


def test_the_model_has_the_log_loss_that_it_states_on_its_sample():
    sample = load_model()["sample"]
    judging, total, rows = Judge(), 0.0, 0
    for recorded in sample["games"]:
        game, seats = Game.start(recorded["seed"], recorded["seats"]), recorded["seats"]
        ranks, actions = np.array(recorded["ranks"]), recorded["actions"]
        for at in range(0, len(actions), seats):
            if (game.turn + recorded["seed"]) % 4 == 0:
                living = np.array(game.living)
                best = living[ranks[living] == ranks[living].min()]
                total -= np.log(np.array(judging.wins(game))[best]).mean()
                rows += 1
            game.step([int(action) for action in actions[at : at + seats]])
        assert game.ranks() == recorded["ranks"]
    assert total / rows == pytest.approx(sample["log_loss"], abs=1e-6)
