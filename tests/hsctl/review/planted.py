"""Planted mistakes: games of beam with one move that closes the own way out, and how high review lists that turn.

`python -m tests.hsctl.review.planted 100` plays 100 such games, and as many without a planted mistake.
"""

import random
import sys
import time
from collections import Counter

from engine.game import Game
from engine.notation import digest
from engine.survival import is_survivable
from hsctl.review.deaths import deaths_of
from hsctl.review.habits import habits_of
from hsctl.review.regret import NODES, Reference, regrets_of
from hsctl.review.report import Review, review_of
from hsctl.review.saving import legal
from replays.playback import Playback, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, Limits, Move, PlayerInfo, Replay, Turn
from search import make_agent
from search.agent import Agent, Budget

PLAYING = 10_000  # nodes of a decision
EARLIEST, LATEST = 5, 60  # turns of a planted mistake


def play(seed: int, seats: int, has_mistake: bool, agents: list[Agent]) -> tuple[Playback, int | None]:
    """A game of beam; the turn of the planted move of player 0, if there was an occasion."""
    chance, game = random.Random(seed), Game.start(seed, seats)
    start, turns, planted = start_of(game), [], None
    wanted = chance.randint(EARLIEST, LATEST)
    for at, agent in enumerate(agents[:seats]):
        agent.start_game(game.map, at, seed)
    while not game.is_over:
        living = game.living
        actions = [
            agents[at].decide(game.state, at, Budget(nodes=PLAYING)).action if at in living else 0
            for at in range(seats)
        ]
        if has_mistake and planted is None and game.turn >= wanted and 0 in living:
            bad = bad_move(game, actions)
            if bad is not None:
                planted, actions[0] = game.turn, bad
        moves = [Move(actions[at]) if at in living else None for at in range(seats)]
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo(f"beam {at}", False) for at in range(seats)]
    replay = Replay(FORMAT, VERSION, "test", seed, start, players, Limits(nodes=PLAYING), turns, result_of(game))
    return Playback(replay), planted


def bad_move(game: Game, actions: list[int]) -> int | None:
    """An action that closes the own way out of the known bombs."""
    for action in legal(game.state, 0, 10):
        after = game.copy()
        after.step([action, *actions[1:]])
        if 0 in after.living and not is_survivable(after.state, after.map, 0):
            return action
    return None


def look(playback: Playback, reference: Reference) -> Review:
    regrets = regrets_of(playback, 0, reference, NODES, lambda _: None)
    deaths = [death for death, _ in deaths_of(playback, 0)]
    return review_of(playback, 0, "game", deaths, regrets, habits_of(playback, 0))


def main(count: int) -> None:
    started, places, clean = time.monotonic(), Counter[str](), Counter[str]()
    agents, reference = [make_agent("beam") for _ in range(4)], Reference("beam")
    number = 0
    while places.total() < count:
        playback, planted = play(number, 2 + number % 3, True, agents)
        number += 1
        if planted is None:
            continue
        turns = [mistake.turn for mistake in look(playback, reference).mistakes]
        places[f"place {turns.index(planted) + 1}" if planted in turns else "not listed"] += 1
    for seed in range(count):
        playback, _ = play(seed, 2 + seed % 3, False, agents)
        if 0 in playback.game_at(playback.end_turn).living:
            review = look(playback, reference)
            clean["nothing found" if not review.mistakes else "above the noise"] += 1
    print(f"planted: {dict(places)}\nwithout: {dict(clean)}\n{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
