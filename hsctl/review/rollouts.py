"""What a mistake was worth: games played on from both moves, with a built-in agent in all seats.

Both moves are made with what the others really did on that turn. Agents think by nodes, so that it can be repeated; how
many is drawn anew for each decision, by the number of the game, or all would be the same game.
"""

import random
from functools import lru_cache

from engine.around.teams import mates_of
from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.review.report import FAILED, Chance, Review
from hsctl.stats.intervals import share_interval
from replays.playback import Playback, play_moves
from replays.replay import Move
from search import make_agent
from search.agent import Agent, Budget

AGENT = "beam"
NODES = 200, 1_000  # of a decision: any number between these
MISTAKES = 3  # the largest are looked at


def add_chances(playback: Playback, review: Review, games: int) -> None:
    """Note the shares of won games in the largest mistakes; an error is no move that a game could go on from."""
    moves = [mistake for mistake in review.mistakes if mistake.kind != FAILED]
    for mistake in moves[:MISTAKES]:
        sides = [
            chance_of(playback, review.player, mistake.turn, ACTION_NAMES.index(action), games)
            for action in (mistake.played, mistake.better)
        ]
        mistake.chance_played, mistake.chance_better = sides


def chance_of(playback: Playback, seat: int, turn: int, action: int, games: int) -> Chance:
    """How often the player comes first if the game goes on from an action."""
    start = playback.game_at(turn)
    moves = [Move(action) if at == seat else move for at, move in enumerate(playback.moves_at(turn))]
    play_moves(start, moves)
    wins = sum(is_won(start.copy(), seat, number) for number in range(games))
    low, high = share_interval(wins, games)
    return Chance(wins, games, round(low, 4), round(high, 4))


def is_won(game: Game, seat: int, number: int) -> bool:
    """Whether the player is first, shared or not, when the game is over; each number is another game."""
    chance = random.Random(number)
    for at in game.living:
        agent_in(at).start_game(game.map, at, number, mates_of(game, at))
    while not game.is_over:
        actions = [0] * game.seats
        for at in game.living:
            actions[at] = agent_in(at).decide(game.state, at, Budget(nodes=chance.randint(*NODES))).action
        game.step(actions)
    return game.ranks()[seat] == 1


@lru_cache(None)
def agent_in(seat: int) -> Agent:
    return make_agent(AGENT)
