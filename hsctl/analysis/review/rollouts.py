"""What a mistake was worth: games played on from both moves, with a built-in agent in all seats.

Both moves are made with what the others really did on that turn. Agents think by nodes, so that it can be repeated, and
with more or fewer of them in every decision, as `play --from --games` does, or all would be the same game.
"""

from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.analysis.review.report import FAILED, Chance, Review
from hsctl.budget import SPREAD
from hsctl.league.change import Rollout, estimate_chance
from hsctl.league.games import warm_seats
from hsctl.match.bots.terms import ORDINARY
from hsctl.match.finished import points_of
from hsctl.match.players import read_player
from hsctl.match.runner import play_game, team_size_of
from hsctl.match.seats import AbsentSeat, Seat, varied
from replays.playback import Playback, play_moves
from replays.replay import Limits, Move, PlayerInfo

AGENT = "beam"
NODES = 600  # of a decision, on average
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
    """How often the player comes first if the game goes on from an action; a shared first place counts half."""
    start = playback.game_at(turn)
    moves = [Move(action) if at == seat else move for at, move in enumerate(playback.moves_at(turn))]
    play_moves(start, moves)
    found = estimate_chance([play_on(start, seat, number) for number in range(1, games + 1)])
    low, high = found.interval
    return Chance(found.wins, games, round(low, 4), round(high, 4), found.distinct)


def play_on(start: Game, seat: int, number: int) -> Rollout:
    """A game from a position, which may be the last one; each number is another game."""
    if start.is_over:
        return Rollout(points_of(start.ranks(), seat, team_size_of(start)), "")
    seats: list[Seat] = [AbsentSeat(PlayerInfo(AGENT, True)) for _ in range(start.seats)]
    living = warm_seats([read_player(AGENT)] * len(start.living), ORDINARY)
    for at, agent in zip(start.living, living, strict=True):
        seats[at] = agent
    with varied(seats, SPREAD):
        replay, game = play_game(seats, start.copy(), Limits(nodes=NODES), number)
    return Rollout(game.points(seat), replay.course)
