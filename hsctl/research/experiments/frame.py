"""The frame of an experiment: a stage on which it plays, and the answer it gives.

--games, --time, ... ──▶ Stage ──▶ Experiment.run ──▶ Answer ──▶ table, --json, --plot
                           │
                           └─ ledger, workers, a bar on stderr

A ledger keeps how a game ended, not every turn of it. Facts counted turn by turn are kept next to it (`KeptFacts`), so
that such an experiment can be stopped and resumed, too.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from rich.console import Console, RenderableType

from engine.compile.sources import digest_of
from engine.errors import HsctlError
from engine.game import ARENA
from hsctl.budget import CLOCK_OF_A_SERIES, clock_of
from hsctl.league.games import SEED, Block, League, read_league, take_seeds
from hsctl.league.ledger import Ledger
from hsctl.league.runner import Runner, run_blocks, whole_blocks
from hsctl.league.standings import Standings, as_teams
from hsctl.match.identity import Identity, key_of, seat_identities_of, version_of_game
from hsctl.match.players import names_of, read_player, team_names
from hsctl.match.result import Delays, GameResult, delays_of
from hsctl.match.runner import GameTask, play_once
from hsctl.report.live import bar
from replays.files import read_source
from replays.playback import Playback
from replays.replay import CPU, WALL, ClockName, Limits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIX = ".watched"  # of the file with facts

Played = list[list[GameResult]]  # blocks in order, each with all its games


class ExperimentAnswer(Protocol):
    """What an experiment found."""

    def view(self) -> RenderableType:
        """For the terminal, within 80 columns."""

    def as_dict(self) -> dict[str, Any]:
        """For --json."""

    def draw(self) -> "Figure":
        """For --plot, by hsctl/report/plots.py."""


@dataclass(frozen=True)
class Effort:
    """How much is played: games (per pair, row or in all, as the experiment decides) and the budget of a turn."""

    games: int
    ms: float | None  # None: each player's text has its own budget
    nodes: int | None = None  # instead
    seeds: Sequence[int] | int = SEED
    clock: ClockName | None = None  # None: the usual one of a series

    @property
    def limits(self) -> Limits:
        """The first turn gets no more time than the others: games are many, and the paper's tables have 100 ms."""
        if self.nodes is not None:
            return Limits(nodes=self.nodes)
        return Limits(self.ms, self.ms, clock=self.clock or CLOCK_OF_A_SERIES)

    @property
    def budget(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes:,} nodes a turn"
        of = " of CPU time" if self.limits.clock == CPU else ""
        return "own budgets" if self.ms is None else f"{self.ms:g} ms{of} a turn"

    @property
    def options(self) -> str:
        """As `hsctl paper` takes them; an experiment without games has a time alone."""
        games = f" --games {self.games}" if self.games else ""
        limit = f" --nodes {self.nodes}" if self.nodes is not None else f" --time {self.ms:g}"
        seeds = f" --seed {self.seeds}" if isinstance(self.seeds, int) else " --seeds FILE"
        return games + limit + ("" if self.seeds == SEED else seeds)


class ExperimentStage:
    """Where experiments play: built-in agents, every finished game kept in the ledger."""

    def __init__(self, effort: Effort, ledger: Ledger, runner_of: Callable[[League], Runner], console: Console) -> None:
        self.effort = effort
        self.ledger = ledger
        self.runner_of = runner_of
        self.console = console
        self.clock = effort.limits.clock if effort.ms is not None and effort.nodes is None and effort.games else None
        self.delays = Delays()  # in all games so far

    @property
    def games(self) -> int:
        return self.effort.games

    def seeds(self, games: int, seats: int) -> list[int]:
        """Enough seeds for that many games, each seed played from every seat."""
        return take_seeds(self.effort.seeds, -(-games // seats))

    def play(
        self,
        players: Sequence[str],
        blocks: Iterable[Block],
        is_teamed: bool = False,
        vision: int | None = None,
        ends: str = ARENA,
    ) -> Played:
        """All games of the blocks, whose line-ups name players by number.

        In teams (`beam+mcts`) each player has a number: team t has 2 t and 2 t + 1. `vision` limits what players see,
        `ends` says when games end and what they rank by.
        """
        entered = read_league(players, is_teamed)
        limits = msgspec.structs.replace(self.effort.limits, vision=vision)
        if clock_of([player.spec for player in entered], limits) is None:  # all have nodes: the clock changes nothing
            limits.clock = WALL
        league = League(tuple(entered), limits, is_teamed=is_teamed, ends=ends)
        self.clock = league.clock or self.clock
        blocks = list(blocks)
        games = run_blocks(league, blocks, self.ledger, self.runner_of(league))
        played: Played = []
        done = 0
        with bar(self.console, "game", sum(len(block.lineup) for block in blocks)) as update:
            try:
                for block in whole_blocks(games):
                    played.append(block)
                    self.delays += delays_of(block)
                    done += len(block)
                    update(done, self.effort.budget)
            finally:
                games.close()
        return played

    def meet(
        self, players: Sequence[str], blocks: Iterable[Block], is_teamed: bool = False, vision: int | None = None
    ) -> Standings:
        """The same as standings of the players or teams: each against each other, ratings, places, deaths."""
        entered = read_league(players, is_teamed)
        clock = clock_of([player.spec for player in entered], self.effort.limits)
        standings = Standings(team_names(entered) if is_teamed else names_of(entered), clock)
        for block in self.play(players, blocks, is_teamed, vision):
            for game in block:
                standings.add(as_teams(game) if is_teamed else game)
        return standings


@dataclass(frozen=True)
class Experiment:
    """How an experiment is run, and by default with how many games and milliseconds, or nodes, a turn.

    One without games measures instead of playing.
    """

    run: Callable[[ExperimentStage], ExperimentAnswer]
    games: int | None
    ms: float
    nodes: int | None = None  # instead: a budget that is the same on any machine, whatever else it does
    counts_turns: bool = False  # by facts that no ledger keeps

    @property
    def is_from_games(self) -> bool:
        """Whether games in a ledger are all that it needs."""
        return self.games is not None and not self.counts_turns


# Facts of single games


class KeptFacts:
    """Facts of games that no ledger has, one line of JSON per game in a file next to it, found by a key.

    A line that was cut off when the process was killed is ignored.
    """

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(ledger.name + SUFFIX)
        self._kept: dict[str, Any] = {}
        data = read_source(self.path, "a ledger with its facts") if self.path.exists() else b""
        for line in data.splitlines():
            with suppress(ValueError, TypeError, RecursionError):  # cut off, or never written by hsctl
                key, facts = json.loads(line)
                self._kept[key] = facts

    def get(self, key: str, count: Callable[[], Any]) -> Any:
        """The facts of a game; if they are not kept, `count` plays the game and they are."""
        if key not in self._kept:
            facts = count()
            try:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(f"\n{json.dumps([key, facts])}")  # a new line first: the last one may have been cut off
            except OSError as error:
                raise HsctlError(f"{self.path}: {error.strerror}; name another --ledger") from None
            self._kept[key] = json.loads(json.dumps(facts))
        return self._kept[key]


def key_of_facts(seed: int, specs: Sequence[str], limits: Limits, module: str) -> str:
    """Names a game and the module that counts: by its source and that of all it imports of its package."""
    players = [read_player(spec) for spec in specs]
    identity = Identity(seed, tuple(seat_identities_of(players)), limits, hsctl=version_of_game(players, limits))
    return key_of(identity.encode() + digest_of([module]))


def play_recorded(specs: Sequence[str], seed: int, limits: Limits) -> Playback:
    """One game in this process, with every position."""
    replay, _ = play_once(GameTask(tuple(map(read_player, specs)), limits, seed))
    return Playback(replay)
