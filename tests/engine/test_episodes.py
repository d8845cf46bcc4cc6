"""Episodes are games: boards, rounds, ends and places as `Game` has them, and rewards that count what happened."""

import numpy as np
import pytest

from engine.batch import CUT, ENDINGS, GIVEN, NO_LEARNER, RANDOM, STILL, TERMS, Episodes
from engine.errors import HsctlError
from engine.events import BoxDestroyed, Death, Drop, ItemPicked, round_events
from engine.game import NO_BOXES, TURN_LIMIT, Game
from engine.position import Item, boxes_on
from engine.rules import legal_actions

GAMES = 40


def start(games: int, policies: tuple[int, ...], term: str = "win", max_turns: int = 200) -> Episodes:
    episodes = Episodes(games, policies, {term: 1.0}, max_turns)
    episodes.start(range(games))
    return episodes


def legal_or_stay(game: Game, actions: np.ndarray) -> list[int]:
    return [int(a) if int(legal_actions(game.state, at)) >> int(a) & 1 else 0 for at, a in enumerate(actions)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_episode_starts_on_the_arenas_board_of_its_seed(players: int) -> None:
    seeds = [*range(150 * (players == 2)), 0, 1, 77, 2**40 + 3, 2**63 - 1, -5]
    episodes = Episodes(len(seeds), (GIVEN,) * players, {})
    episodes.start(seeds)
    for at, seed in enumerate(seeds):
        game = Game.start(seed, players)
        assert episodes.batch.states[at] == game.state and episodes.batch.maps[at] == game.map


@pytest.mark.parametrize("players", [2, 4])
def test_an_episode_is_a_game_to_its_end(players: int) -> None:
    episodes = start(GAMES, (GIVEN,) * players)
    games = [Game.start(seed, players) for seed in range(GAMES)]
    random = np.random.default_rng(players)
    wins = np.zeros((GAMES, players))
    for _ in range(200):
        actions = random.integers(0, 10, (GAMES, players))
        actions[: GAMES // 4] *= random.random((GAMES // 4, players)) < 0.02  # some hardly ever act: idle games
        episodes.step(actions)
        for at, game in enumerate(games):
            if not game.is_over:
                game.step(legal_or_stay(game, actions[at]))
                assert episodes.batch.states[at] == game.state
                assert ENDINGS[episodes.endings[at]] == (game.reason or "")
                wins[at] += episodes.rewards[at]
        if all(game.is_over for game in games):
            break
    assert len({game.reason for game in games}) >= 2
    for at, game in enumerate(games):
        ranks = game.ranks()
        assert wins[at].tolist() == [(1 if ranks.count(1) == 1 else 0) if rank == 1 else -1 for rank in ranks]


@pytest.mark.parametrize(("reason", "boxes", "turn"), [(NO_BOXES, 0, 0), (TURN_LIMIT, 30, 150)])
def test_walking_about_ends_as_it_does_in_a_game(reason: str, boxes: int, turn: int) -> None:
    drawn = Game.start(3, 2)
    game = Game.build(dict(list(boxes_on(drawn.state, drawn.map).items())[:boxes]), drawn.players(), seats=2, turn=turn)
    episodes = start(1, (GIVEN, GIVEN))
    episodes.batch.states[0], episodes.batch.maps[0] = game.state, game.map
    while not game.is_over:
        assert not episodes.endings[0]
        actions = [2 - game.turn % 2, 1 + game.turn % 2]
        game.step(actions)
        episodes.step(np.array([actions]))
    assert game.reason == reason == ENDINGS[episodes.endings[0]]
    assert episodes.rewards.tolist() == [[0, 0]]


def strewn_game(seed: int, players: int) -> Game:
    """A board on which half of the boxes have already given their items."""
    drawn = Game.start(seed, players)
    contents = list(boxes_on(drawn.state, drawn.map).items())
    items = [Item(x, y, content) for (x, y), content in contents[::2] if content]
    return Game.build(dict(contents[1::2]), drawn.players(), items=items, seats=players)


def count(term: str, events: list[object], seat: int, lived: bool) -> int:
    died = any(isinstance(event, Death) and event.player == seat for event in events)
    match term:
        case "boxes":
            return sum(isinstance(event, BoxDestroyed) and seat in event.owners for event in events)
        case "items":
            return sum(isinstance(event, ItemPicked) and event.player == seat for event in events)
        case "bombs":
            return sum(isinstance(event, Drop) and event.player == seat for event in events)
        case "deaths":
            return int(died)
    return int(lived and not died)


@pytest.mark.parametrize("term", [term for term in TERMS if term != "win"])
def test_a_term_counts_the_events_of_the_round(term: str) -> None:
    episodes = start(GAMES, (GIVEN,) * 3, term)
    random = np.random.default_rng(5)
    seen = 0
    games = [strewn_game(seed, 3) for seed in range(GAMES)]
    for at, game in enumerate(games):
        episodes.batch.states[at], episodes.batch.maps[at] = game.state, game.map
    for _ in range(60):
        actions = random.integers(0, 10, (GAMES, 3))
        episodes.step(actions)
        for at, game in enumerate(games):
            if game.is_over:
                continue
            orders, living = legal_or_stay(game, actions[at]), game.living
            events = round_events(game, orders)
            game.step(orders)
            expected = [count(term, list(events), seat, seat in living) for seat in range(3)]
            assert episodes.rewards[at].tolist() == expected
            seen += sum(expected)
    assert seen


def test_an_ended_episode_begins_anew_on_a_board_of_its_own() -> None:
    episodes = start(GAMES, (GIVEN, STILL), max_turns=5)
    stay = np.zeros((GAMES, 1), np.int64)
    for _ in range(5):
        episodes.step(stay)
    assert {ENDINGS[ending] for ending in episodes.endings} == {CUT}
    episodes.step(stay)
    assert not episodes.endings.any() and not episodes.batch.states["turn"].any()
    seeds = [int(seed) for seed in episodes.episodes["seed"]]
    assert len(set(seeds)) == GAMES
    for at, seed in enumerate(seeds):
        assert episodes.batch.states[at] == Game.start(seed, 2).state


def test_an_episode_ends_when_no_given_seat_lives() -> None:
    episodes = start(1, (GIVEN, STILL, STILL))
    episodes.step(np.array([[5]]))
    for _ in range(8):
        episodes.step(np.array([[0]]))
    assert ENDINGS[episodes.endings[0]] == NO_LEARNER and episodes.rewards[0, 0] == -1


def test_random_opponents_are_the_same_for_the_same_seeds() -> None:
    played = []
    for threads in (1, 2):
        episodes = Episodes(3000, (GIVEN, RANDOM), {"win": 1.0}, threads=threads)
        episodes.start(range(3000))
        for _ in range(30):
            episodes.step(np.zeros((3000, 1), np.int64))
        played.append((episodes.batch.states.copy(), episodes.planes.copy()))
    assert (played[0][0] == played[1][0]).all() and (played[0][1] == played[1][1]).all()
    assert len({int(state.players[1]) for state in played[0][0]}) > 100


@pytest.mark.parametrize("actions", [np.zeros((3, 2), int), np.zeros(2, int), np.full((2, 2), 10), np.zeros((2, 2))])
def test_wrong_actions_are_refused(actions: np.ndarray) -> None:
    with pytest.raises(HsctlError, match="actions"):
        start(2, (GIVEN, GIVEN)).step(actions)
