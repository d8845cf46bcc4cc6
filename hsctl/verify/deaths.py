"""A hunt for deaths that could have been avoided, in fast games of `beam` or in replays of any player.

A first move is safe if the known bombs can be survived after it, whatever any one rival answers at once, and even if
all of them drop bombs. A death is avoidable if an unsafe move led to it while another move was safe. A death that won
the game doesn't count: dying together with the last rival wins by boxes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.game import Game
from engine.notation import format_position
from engine.rules import ACTION_NAMES
from hsctl.review.deaths import holding_moves
from replays.opening import open_games
from replays.playback import Playback
from replays.players import fitting_seats
from search import make_agent
from search.agent import Budget

HERO, RIVAL = "beam", "beam:paper"
NODES = 5_000  # for each decision
LOOK_BACK = 8  # turns before a death: a fuse


@dataclass(frozen=True)
class Choice:
    """What a player decided in a position."""

    game: Game
    action: int


@dataclass(frozen=True)
class Death:
    """A player's death in a game."""

    seed: int | None
    players: int
    seat: int
    turn: int
    is_won: bool  # ranked first all the same
    mistake: Choice | None  # the last unsafe choice where another was safe


@dataclass(frozen=True)
class Hunt:
    games: int
    deaths: list[Death]

    @property
    def mistakes(self) -> list[Death]:
        return [death for death in self.deaths if death.mistake and not death.is_won]


def hunt(games: int, seed: int, on_game: Callable[[], None]) -> Hunt:
    """Play games with two, three and four players in turn, the hero in every seat in turn."""
    deaths = []
    for number in range(games):
        death = play(seed + number, 2 + number % 3, (number // 3) % (2 + number % 3))
        deaths += [death] if death else []
        on_game()
    return Hunt(games, deaths)


def hunt_in(paths: Iterable[Path], name: str, on_game: Callable[[], None], tell: Callable[[str], None]) -> Hunt:
    """Look at every death of the players that are meant in files of games; only games with them are counted.

    `tell` is told of games that differ from their record, and of files that hold no game.
    """
    games, deaths = 0, []
    for _, playback in open_games(paths, tell, on_game):
        seats = fitting_seats(name, playback.specs)
        games += bool(seats)
        deaths += deaths_in(playback, seats)
    return Hunt(games, deaths)


def deaths_in(playback: Playback, seats: Sequence[int]) -> list[Death]:
    """The deaths in these seats of one game, without eliminations for errors."""
    found: list[Death] = []
    for seat, (turn, how) in playback.deaths().items():
        if seat in seats and not how.failure:
            turns = range(max(playback.first_turn, turn + 1 - LOOK_BACK), turn + 1)
            moves = {each: playback.moves_at(each)[seat] for each in turns}
            choices = [
                Choice(playback.seen_at(each, seat) or playback.game_at(each), move.action)
                for each, move in moves.items()
                if move is not None and move.action is not None
            ]
            replay = playback.replay
            is_won = replay.result.ranks[seat] == 1
            found.append(Death(replay.seed, playback.seats, seat, turn, is_won, find_mistake(choices, seat)))
    return found


def play(seed: int, players: int, seat: int) -> Death | None:
    """One game; the hero's death in it, if any."""
    game = Game.start(seed, players)
    agents = [make_agent(HERO if at == seat else RIVAL) for at in range(players)]
    for at, agent in enumerate(agents):
        agent.start_game(game.map, at, seed)
    choices: list[Choice] = []
    died_on = None
    while not game.is_over:
        actions = [
            agents[at].decide(game.state, at, Budget(nodes=NODES)).action if at in game.living else 0
            for at in range(players)
        ]
        if seat in game.living:
            choices = [*choices[1 - LOOK_BACK :], Choice(game.copy(), actions[seat])]
        game.step(actions)
        if died_on is None and seat not in game.living:
            died_on = game.turn - 1
    if died_on is None:
        return None
    return Death(seed, players, seat, died_on, game.ranks()[seat] == 1, find_mistake(choices, seat))


def find_mistake(choices: list[Choice], seat: int) -> Choice | None:
    """The last unsafe choice where another was safe."""
    for choice in reversed(choices):
        safe = holding_moves(choice.game, seat)
        if safe and choice.action not in safe:
            return choice
    return None


def describe(death: Death) -> str:
    """A mistake, and its position as the arena sends it, for `hsctl explain --state`."""
    assert death.mistake is not None
    game = death.mistake.game
    safe = ", ".join(ACTION_NAMES[action] for action in holding_moves(game, death.seat))
    boxes = ",".join(str(int(count)) for count in np.array(game.state.scored)[: death.players])
    seed = "" if death.seed is None else f"seed {death.seed}, "
    return (
        f"{seed}player {death.seat} of {death.players}, died on turn {death.turn}; on turn {game.turn} "
        f"chose {ACTION_NAMES[death.mistake.action]}, safe: {safe} (--turn {game.turn} --boxes {boxes})\n"
        f"{format_position(game)}"
    )
