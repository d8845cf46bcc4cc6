"""Studies whose games are made up: who wins depends on the parameters, and on chance, and nobody plays."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from hsctl.league.games import League
from hsctl.league.ledger import Ledger
from hsctl.league.runner import Runner
from hsctl.match.players import PlayerText, read_player
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask
from hsctl.research.tune.study import Study, plan_boards
from hsctl.research.tune.subject import read_agent
from replays.replay import Limits
from tests.hsctl.games import made_game

BEST = {"box": 2.4, "decay": 0.35}
PARAMS = "box=0..3,decay"
OPPONENTS = ("random", "still")


def strength(player: PlayerText) -> float:
    """0 at the planted optimum of `simple`, less elsewhere."""
    assert player.spec is not None
    values = player.spec.params.as_dict()
    if player.spec.name != "simple":
        return -0.1
    return -(((values["box"] - BEST["box"]) / 3) ** 2) - (values["decay"] - BEST["decay"]) ** 2


def made_up(task: GameTask) -> GameResult:
    """The same for the same board, players and seats, whoever asks."""
    random = Random(f"{task.seed} {task.players}")
    if len(task.players) > 2:
        places = [strength(player) + random.gauss(0, 0.2) for player in task.living]
        ranks = [1 + sum(other > place for other in places) for place in places]
        return replace(made_game(ranks, task.seating, task.seed, task.block_number), task=task)
    first, second = map(strength, task.living)
    is_won = random.random() < 0.5 + 0.8 * (first - second)
    game = made_game((1, 2) if is_won else (2, 1), task.seating, task.seed, task.block_number)
    return replace(game, task=task)


def runner_of(league: League) -> Runner:
    def run(blocks: Iterator[list[GameTask]]) -> Generator[GameResult]:
        for block in blocks:
            for task in block:
                yield made_up(task)

    return run


def made_study(
    ledger: Ledger, games: int = 10, agent: str = "simple", opponents: Sequence[str] = OPPONENTS, size: str = "2"
) -> Study:
    pool = League(tuple(map(read_player, opponents)), Limits(nodes=1))
    boards = plan_boards(len(opponents), size, games, seed=1)
    return Study(read_agent(agent, PARAMS), pool, boards, ledger, runner_of)


def open_ledger(folder: Path, name: str = "study") -> Ledger:
    ledger = Ledger(folder / name)
    ledger._connection.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug: ten times as fast
    return ledger
