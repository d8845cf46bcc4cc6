"""A league with attackers: each meets a sound bot from both seats, and the sound bot meets an agent.

As a program it gives up its privileges first, and prints how every game went:

    python -c "from tests.hsctl.league.evil_league import main; main()" PYTHON SOUND ATTACKER ...
"""

import json
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from hsctl.league.games import Block, League, read_league, tasks_of
from hsctl.league.ledger import Ledger
from hsctl.league.runner import play_here, run_blocks
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, play
from replays.replay import Limits
from tests.hsctl.match.bots.unprivileged import give_up

SEED = 5
LIMITS = Limits(nodes=1)  # no clock: nothing here depends on how busy the machine is


def play_league(sound: str, attackers: Sequence[str], folder: Path, jobs: int | None) -> list[GameResult]:
    """Player 0 is the sound bot, 1 an agent, then the attackers; game by game in order of the blocks.

    Without jobs the kernels must be loaded, and nothing is looked up in the compile cache.
    """
    league = League(tuple(read_league([sound, "still", *attackers])), LIMITS)
    blocks = [Block(SEED, (0, 1)), *(Block(SEED, (0, 2 + at)) for at in range(len(attackers)))]
    runner = play_loaded if jobs is None else play_here(league, jobs, print)
    with Ledger(folder / "ledger") as ledger:
        games = list(run_blocks(league, blocks, ledger, runner))
    return sorted(games, key=lambda game: (game.block_number, game.rotation))


def play_loaded(blocks: Iterator[list[GameTask]]) -> Generator[GameResult]:
    for block in blocks:
        yield from map(play, block)


def story_of(game: GameResult) -> list[object]:
    """How it went, without times."""
    deaths = [fate and [fate.turn, fate.cause, fate.failure, fate.detail] for fate in game.deaths]
    return [list(game.seating), game.ranks, game.turns, deaths]


def main() -> None:
    python, sound, *attackers = sys.argv[1:]
    agents = League(tuple(read_league(["still", "still"])), LIMITS)
    play(next(iter(tasks_of(agents, 0, Block(SEED, (0, 1))))))  # loads the kernels, of a cache that is only root's
    give_up(python)
    with tempfile.TemporaryDirectory() as folder:
        games = play_league(sound, attackers, Path(folder), jobs=None)
    print(json.dumps([story_of(game) for game in games]))
