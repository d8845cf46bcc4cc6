"""Games and leagues for Python, between players as they are written on the command line.

>>> import hsctl
>>> replay = hsctl.play_game("random", "still", seed=3, nodes=10)
>>> replay.players
['random', 'still']
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from engine.errors import FIRST_TURN_MS, STARTUP_MS, TURN_MS, HsctlError
from engine.game import ARENA, ENDS
from hsctl.api.game import Game
from hsctl.api.replay import Replay
from hsctl.budget import choose_clock
from hsctl.league.games import SEED, League, league_blocks, read_league
from hsctl.league.ledger import Ledger, default_ledger
from hsctl.league.runner import play_here, run_blocks
from hsctl.league.standings import Standings
from hsctl.match.players import PlayerText, read_players
from hsctl.match.runner import GameTask, play_once
from hsctl.report.records import league_record
from replays.playback import Playback, start_of
from replays.replay import Limits


def play_game(
    *players: str,
    seed: int = 0,
    nodes: int | None = None,
    turn_ms: float = TURN_MS,
    first_turn_ms: float = FIRST_TURN_MS,
    start: Game | None = None,
    ends: str | None = None,
) -> Replay:
    """Play a game of 2 to 4 players; with `nodes` agents have no clock, and the game can be repeated exactly.

    `start` is where it begins, if not on the board of the seed; a game of teams is played on by teams. `ends` is when
    it ends: "survival" lets the last living player win, whatever the scores; without it it is as in `start`, or as in
    the arena.
    """
    texts = read_players(players)
    if start is not None and start.seats != len(texts):
        raise HsctlError(f"{len(texts)} players: that game has {start.seats} (the dead keep their seats)")
    limits = limits_of(texts, nodes, turn_ms, first_turn_ms)
    begin = None if start is None else start_of(start)
    task = GameTask(tuple(texts), limits, seed, start=begin, ends=None if ends is None else check_ends(ends))
    replay, _ = play_once(task)
    return Replay(Playback(replay), is_played_here=True)


def check_ends(ends: str) -> str:
    if ends not in ENDS:
        raise HsctlError(f"ends {ends!r}: choose {' or '.join(ENDS)}")
    return ends


def limits_of(players: Sequence[PlayerText], nodes: int | None, turn_ms: float, first_turn_ms: float) -> Limits:
    if nodes is not None and all(player.spec is not None for player in players):
        return Limits(nodes=nodes)
    return Limits(first_turn_ms, turn_ms, STARTUP_MS, nodes)


@dataclass(frozen=True)
class LeagueResult:
    """What a league came to; lists of dicts are what pandas and polars take."""

    record: dict[str, Any]  # as `hsctl league --json` prints it
    standings: Standings

    @property
    def players(self) -> list[dict[str, Any]]:
        """A row per player: games, wins, draws, losses and the rating with its interval; `note` is "too few games" if
        there is no rating, or names the end that no game bounds."""
        ratings = {rating.name: rating for rating in self.standings.ratings()}
        return [
            {
                "player": player.name,
                "games": player.games,
                "wins": player.wins,
                "draws": player.draws,
                "losses": player.losses,
                "rating": ratings[player.name].elo,
                "rating_low": ratings[player.name].low,
                "rating_high": ratings[player.name].high,
                "note": ratings[player.name].note,
            }
            for player in self.standings.players
        ]

    @property
    def games(self) -> list[dict[str, Any]]:
        """A row per game and seat."""
        from hsctl.report.export import finished_rows

        return list(finished_rows(self.standings))

    def __str__(self) -> str:
        from hsctl.api.game import text_of
        from hsctl.report.standings import league_view

        return text_of(league_view(self.standings), width=110)

    def _repr_html_(self) -> str:
        from hsctl.api.game import html_of
        from hsctl.report.standings import league_view

        return html_of(league_view(self.standings), width=110)


def run_league(
    *players: str,
    games: int = 20,
    players_per_game: int = 2,
    seed: int = SEED,
    nodes: int | None = None,
    turn_ms: float = TURN_MS,
    first_turn_ms: float = FIRST_TURN_MS,
    ends: str = ARENA,
    jobs: int = 1,
    ledger: str | PathLike[str] | None = None,
    announce: Callable[[str], None] = lambda _: None,
) -> LeagueResult:
    """Play everybody against everybody: `games` of each pair, each board from every seat.

    Built-in agents among themselves are timed by CPU time (`record["clock"]`). Finished games are kept in a ledger, by
    default the user's: no game is played twice. `announce` is called with what is being compiled.
    """
    texts = read_league(players)
    limits = limits_of(texts, nodes, turn_ms, first_turn_ms)
    limits = choose_clock([player.spec for player in texts], limits, is_series=True)
    league = League(tuple(texts), limits, ends=check_ends(ends))
    blocks = league_blocks(len(texts), str(players_per_game), seed, games)
    standings = Standings(league.names, league.clock)
    with Ledger(default_ledger() if ledger is None else Path(ledger)) as opened:
        for game in run_blocks(league, blocks, opened, play_here(league, jobs, announce)):
            standings.add(game)
    return LeagueResult(league_record(standings), standings)
