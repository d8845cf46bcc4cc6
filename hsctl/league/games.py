"""The games of a league: what they have in common, who sits where, and how one is played.

A block is one seed from every seat: game r of a block of k players is rotated by r.

    k = 3    rotation 0    A B C           player j of the line-up sits in seat (j + rotation) % k
             rotation 1    C A B
             rotation 2    B C A

Teams A+B and C+D swap seats among themselves and with each other: A B C D, C D A B, B A D C, D C B A.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from engine.compile.cache import check_sources
from engine.errors import HsctlError
from engine.game import ARENA, Game
from engine.variants import MATES, in_teams
from hsctl.budget import clock_of
from hsctl.league.compiling import Show, compile_for
from hsctl.league.identity import Identity, Sitting, check_digest, sittings_of
from hsctl.league.lineups import Block
from hsctl.match.bots.terms import ORDINARY, Terms
from hsctl.match.finished import FinishedGame
from hsctl.match.players import FEWEST, PlayerText, names_of, read_player, read_teams, team_names
from hsctl.match.runner import OnTurn, play_game
from hsctl.match.seats import Seat, make_seat
from replays.playback import game_from
from replays.replay import ClockName, Limits, Start, encode
from search.warm import play_a_round

SEATS_KEPT = 16  # agents that stay warm in a process
TEAM_SEATINGS = ((0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0))  # [rotation, seat]
MOST_RETRIES = 3  # of a game that the machine delays


@dataclass(frozen=True)
class League:
    """Who plays, and what all games have in common."""

    players: tuple[PlayerText, ...]
    limits: Limits
    folder: Path | None = None  # for the replays; None: they are not saved
    terms: Terms = ORDINARY  # of external bots
    is_teamed: bool = False  # players 0 and 1 are a team, 2 and 3, ...
    start: Start | None = None  # None: the board of each seed
    ends: str = ARENA  # when games end and what they rank by
    replays_delayed: bool = True  # games that the machine delayed are played again
    replaces_delayed: bool = True  # even those that a ledger has

    @property
    def agents(self) -> list[str]:
        """Those among the players, by name."""
        return agents_among(self.players)

    @property
    def clock(self) -> ClockName | None:
        """By which players think: wall or cpu; None if nodes limit all of them."""
        return clock_of([player.spec for player in self.players], self.limits)

    @property
    def team_size(self) -> int:
        return MATES if self.is_teamed else 1

    @cached_property
    def sittings(self) -> list[Sitting]:
        return sittings_of(self.players, self.team_size, self.terms)

    @property
    def names(self) -> list[str]:
        """Of those that are rated: players, or teams."""
        return team_names(self.players) if self.is_teamed else names_of(self.players)


@dataclass(frozen=True)
class GameTask:
    """A game of a league that is to be played, on any machine."""

    league: League
    block_number: int  # among those of the league
    block: Block
    rotation: int
    identity: Identity | None = None  # under which a ledger keeps it; None: no ledger does

    @property
    def seating(self) -> tuple[int, ...]:
        """The number of the player in each seat."""
        lineup = self.block.lineup
        if self.league.is_teamed:
            return tuple(lineup[at] for at in TEAM_SEATINGS[self.rotation])
        return tuple(lineup[(seat - self.rotation) % len(lineup)] for seat in range(len(lineup)))

    @property
    def players(self) -> list[PlayerText]:
        """In order of seats."""
        return [self.league.players[player] for player in self.seating]

    @property
    def agents(self) -> list[str]:
        return agents_among(self.players)

    @property
    def key(self) -> str:
        """Of the game in its ledger."""
        assert self.identity is not None
        return self.identity.key


def agents_among(players: Iterable[PlayerText]) -> list[str]:
    return [player.spec.name for player in players if player.spec is not None]


Delivery = tuple[GameTask, FinishedGame, bytes | None]  # what a worker sends back, with the replay if it is to be saved


def read_league(texts: Sequence[str], is_teamed: bool = False) -> list[PlayerText]:
    """Check all players, or teams, before anything starts; there may be more than fit in one game."""
    if len(texts) < FEWEST:
        what = "team" if is_teamed else "player"
        raise HsctlError(f"{len(texts)} {what if len(texts) == 1 else f'{what}s'}: expected {FEWEST} or more")
    return read_teams(texts) if is_teamed else [read_player(text) for text in texts]


def tasks_of(league: League, block_number: int, block: Block) -> list[GameTask]:
    """The games of a block, one for each rotation, for no ledger."""
    return [GameTask(league, block_number, block, rotation) for rotation in range(len(block.lineup))]


def series_tasks(league: League, seed: int, games: int) -> list[GameTask]:
    """A series: games of all players together, seed by seed; the last block may be cut short."""
    lineup = tuple(range(len(league.players)))
    blocks = [Block(seed + number, lineup) for number in range(-(-games // len(lineup)))]
    tasks = [task for number, block in enumerate(blocks) for task in tasks_of(league, number, block)]
    return tasks[:games]


# Playing


@lru_cache(SEATS_KEPT)
def warm_seat(copy: int, player: PlayerText, terms: Terms) -> Seat:
    """A player ready for its first turn. Players of a game never share an agent: if one plays twice, there are two."""
    seat = make_seat(player, terms)
    if player.spec is not None:
        check_sources()
    seat.warm_up()
    return seat


def warm_seats(players: Sequence[PlayerText], terms: Terms) -> list[Seat]:
    """All players of a game, made if they don't exist yet."""
    return [warm_seat(players[:at].count(player), player, terms) for at, player in enumerate(players)]


def warm_up(league: League, announce: Callable[[str], None], is_playing_here: bool, show: Show | None = None) -> None:
    """Compile what isn't compiled yet, and tell or show it; load everything if games are played in this process."""
    compile_for(league.agents, announce, show)
    if is_playing_here:
        play_a_round()
        for at, player in enumerate(league.players):
            if player.spec is not None:
                warm_seat(league.players[:at].count(player), player, league.terms)


def new_game(task: GameTask) -> Game:
    league, seed = task.league, task.block.seed
    game = Game.start(seed, len(task.seating)) if league.start is None else game_from(league.start)
    game.ends = league.ends
    return in_teams(game) if league.is_teamed else game


def play_task(task: GameTask, on_turn: OnTurn | None = None) -> Delivery:
    """Play one game, if the players are still those of its identity.

    A game that the machine delayed is played again, as long as that halves the delays. The least delayed one counts.
    """
    league, players = task.league, task.players
    if task.identity is not None:
        for player, sitting in zip(players, task.identity.seats, strict=True):
            check_digest(player, sitting.digest, league.terms)
    seats = warm_seats(players, league.terms)
    retries = 0
    replay, finished = play_game(seats, new_game(task), league.limits, task.block.seed, on_turn)
    while league.replays_delayed and finished.is_delayed and retries < MOST_RETRIES:
        retries += 1
        again = play_game(seats, new_game(task), league.limits, task.block.seed, on_turn)
        is_worthwhile = again[1].delays.share <= finished.delays.share / 2  # else the machine stays busy
        if again[1].is_less_delayed_than(finished):
            replay, finished = again
        if not is_worthwhile:
            break
    finished = replace(
        finished,
        seating=task.seating,
        block_number=task.block_number,
        rotation=task.rotation,
        first_turn=replay.start.turn,
        retries=retries,
    )
    return task, finished, None if league.folder is None else encode(replay)
