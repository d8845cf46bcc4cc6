"""What is valid, to begin with: replays with every agent's thoughts, ledgers, logs, games of the arena, positions."""

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.game import Game
from engine.notation import format_header, format_position, parse_position
from hsctl.league.ledger import Ledger, new_row
from hsctl.match.identity import Identity, seat_identities_of
from hsctl.match.players import read_player
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat
from replays.playback import Playback
from replays.replay import Limits, Parent, PlayerInfo, Replay, encode
from search import AGENTS
from tests.hsctl.games import made_game
from tests.replays.arena.writer import marked, write_console, write_frames, write_history, write_json
from tests.replays.recorded import record_game

NAMES = ["ann", "bob", "cyd", "dan"]
SHORT = 0.5  # of the care that players take: games of some ten turns
MIDDLE = 60  # turns into a game, when there are bombs, items and few boxes
LATE = 190  # the turn that agents see: games of a few turns
LEAGUE = ("random", "simple")  # whose games a ledger has
SEEDS = range(1, 4)
PLAYED_ON = (("random", "still"), ("simple", "random", "still"))
FEW_TURNS = 3  # of an entry of a suite
DEMANDS = (["must survive"], ["must survive 3", "within 90 ms"], ["must not BOMB 3 4"], ["must play one of MOVE 1 0"])
NODES = 5


class Samples(NamedTuple):
    replays: list[Any]  # as JSON
    inputs: list[str]  # what a bot receives
    logs: list[str]
    arena: list[Any]  # JSON documents
    consoles: list[str]
    positions: list[str]
    played_on: list[Any]  # replays whose parents have parents, as JSON
    entries: list[Any]  # of a suite, as JSON


@cache
def samples() -> Samples:
    """All of them, made once."""
    games = [record_game(seed, seats, failures=0.02, care=SHORT) for seed, seats in [(1, 2), (2, 3), (3, 4)]]
    replays = [*games, *(agent_game([name, "simple"]) for name in AGENTS)]
    dressed = [(game, write_frames(game, own=0, dress=marked)) for game in games]
    inputs = ["".join(inputs_of(game)) for game in games]
    return Samples(
        [json.loads(encode(replay)) for replay in replays],
        inputs,
        [*inputs, *("".join(marked(text) for text in inputs_of(game)) for game in games)],
        [
            *(write_json(game, frames, NAMES[: game.start.seats]) for game, frames in dressed),
            *(write_history(game, frames, NAMES[: game.start.seats]) for game, frames in dressed),
        ],
        [f"seed={game.seed}\n{write_console(frames, NAMES[: game.start.seats])}" for game, frames in dressed],
        [text for game in games for text in inputs_of(game)],
        [json.loads(encode(played_on(players))) for players in PLAYED_ON],
        [entry_of("".join(inputs_of(game)[:FEW_TURNS]), demands) for game in games for demands in DEMANDS],
    )


def played_on(players: Sequence[str]) -> Replay:
    """A short game, played on twice, on the clock of bots."""
    game = record_game(1, len(players), care=SHORT)
    game.players, game.limits = [PlayerInfo(name, True) for name in players], Limits(1000, 100, 5000, nodes=NODES)
    grandparent = Parent("first.json", "0" * 16, 2, game.players)
    game.parent = Parent("second.json", "1" * 16, 4, game.players, [""] * len(players), 1, parent=grandparent)
    return game


def entry_of(inputs: str, demands: Sequence[str]) -> Any:
    lines = inputs.splitlines()
    return {"format": "hsctl-suite-entry", "version": 1, "inputs": lines, "demands": list(demands), "why": "it died"}


def agent_game(players: Sequence[str]) -> Replay:
    """A few turns from the middle of a game, so that searches have bombs to think about."""
    middle = parse_position(format_position(Playback(record_game(5, 2, care=1.0)).game_at(MIDDLE)), LATE)
    seats = [make_seat(read_player(text)) for text in players]
    return play_game(seats, middle, Limits(nodes=NODES), 5)[0]


def inputs_of(replay: Replay) -> list[str]:
    """What player 0 received, turn by turn."""
    playback = Playback(replay)
    turns = range(playback.first_turn, playback.end_turn)
    games: list[Game] = [playback.game_at(turn) for turn in turns]
    return [(format_header(0) if not at else "") + format_position(game) for at, game in enumerate(games)]


def fill_ledger(path: Path, chance: random.Random) -> None:
    """A ledger with every game of a small league, which then needs none to be played."""
    players = [read_player(text) for text in LEAGUE]
    seat_identities = seat_identities_of(players)
    path.unlink(missing_ok=True)
    with Ledger(path) as ledger:
        for seed in SEEDS:
            for seats in (seat_identities, seat_identities[::-1]):
                identity = Identity(seed, tuple(seats), Limits(nodes=NODES))
                ranks = chance.choice([(1, 2), (2, 1), (1, 1)])
                ledger.add(new_row(identity, made_game(ranks, seed=seed), None))
