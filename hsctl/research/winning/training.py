"""Making the win probability: games are played once, their positions become rows, rows become weights.

Finished games are kept in a ledger, with their replays in a folder. Kill it at any moment: the same command resumes.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import HsctlError
from hsctl import __version__
from hsctl.league.games import League
from hsctl.league.ledger import Ledger
from hsctl.league.runner import Runner, run_blocks
from hsctl.match.players import read_player
from hsctl.research.winning.fit import fit_weights
from hsctl.research.winning.judgement import Judged, Judgement, fit_lead, losses, predict
from hsctl.research.winning.lineups import BUDGETS, FIRST_SEED, PLAYERS, UNSEEN, blocks, is_judged
from hsctl.research.winning.rows import EVERY, Rows, rows_of
from replays.files import write_text
from replays.opening import open_game
from replays.replay import Limits, Replay, decode
from search.winning.model import KNOTS
from search.winning.terms import TERMS

SIZES = (2, 3, 4)  # players in a game
SAMPLES = 2  # games of each size that the model's file holds, to check it by
DIGITS = 9  # of a weight


def training_league(folder: Path) -> League:
    """What all games have in common."""
    limits = Limits(nodes=max(BUDGETS))  # of agents without nodes of their own
    return League(tuple(read_player(text) for text in PLAYERS), limits, folder=folder, is_rotated=False)


def play(league: League, boards: int, ledger: Ledger, runner: Runner, update: Callable[[int], None]) -> list[Path]:
    """Play what the ledger lacks; returns the replays of all games, in order of the boards."""
    found: dict[int, Path] = {}
    for game in run_blocks(league, blocks(boards), ledger, runner):
        if game.replay is None:
            raise HsctlError(f"{ledger.path}: holds games without replays: name another file with --ledger")
        found[game.block_number] = game.replay
        update(len(found))
    return [found[number] for number in sorted(found)]


def read_replays(paths: Sequence[Path]) -> Iterator[Replay]:
    for path in paths:
        try:
            yield decode(path.read_bytes())
        except OSError as error:
            raise HsctlError(f"{path}: {error.strerror}; name another file with --ledger to play it again") from None


def read_folder(folder: Path) -> list[Replay]:
    """The finished games in a folder, whoever recorded them."""
    files = sorted(path for path in folder.glob("*.json") if path.is_file())
    found = [open_game(path)[0].replay for path in files]
    finished = [replay for replay in found if replay.result.is_finished]
    if not finished:
        raise HsctlError(f"{folder}: no replays of finished games; name a folder that has some")
    return finished


class Training:
    """What was learned from the training boards, and how good it is on the others."""

    def __init__(self, rows: Rows) -> None:
        judged = np.array([is_judged(int(seed)) for seed in rows.seed])
        self.learned, self.judged = rows.of(~judged), rows.of(judged)
        if not self.learned.games or not self.judged.games:
            raise HsctlError("too few boards to learn from and to judge on: raise --boards")
        self.weights = np.array([float(f"{weight:.{DIGITS}g}") for weight in fit_weights(self.learned).flat])
        self.weights = self.weights.reshape(len(SIZES), len(SIZES), len(KNOTS), len(TERMS))
        self.lead = fit_lead(self.learned)
        self.judgement = Judgement(self.judged, self.weights, self.lead)
        self.others: dict[str, Judgement] = {}

    def judge_also(self, label: str, replays: Sequence[Replay]) -> None:
        """Judge games of another kind."""
        self.others[label] = Judgement(rows_of(replays), self.weights, self.lead)

    def summary(self) -> list[Judged]:
        """The losses by number of players: all judged games, then by whether the players were seen, then others."""
        unseen = self.judged.has_unseen
        asked = [("unseen boards", None), ("known players", ~unseen), ("a player not seen", unseen)]
        found = [self.judgement.judge(label, size, chosen) for label, chosen in asked for size in SIZES]
        found += [other.judge(label, size) for label, other in self.others.items() for size in SIZES]
        return [each for each in found if each is not None]


def sample_of(replays: Sequence[Replay]) -> list[dict[str, Any]]:
    """Games by seed, seats, actions and ranks: small enough to keep with the model."""
    return [
        {
            "seed": replay.seed,
            "seats": replay.start.seats,
            "actions": "".join(str(move.action if move else 0) for turn in replay.turns for move in turn.moves),
            "ranks": replay.result.ranks,
        }
        for replay in replays
    ]


def choose_sample(paths: Sequence[Path], first_seed: int = FIRST_SEED) -> list[Replay]:
    """The first judged games of each size."""
    found: dict[int, list[Replay]] = {size: [] for size in SIZES}
    for number, path in enumerate(paths):
        if is_judged(first_seed + number):
            replay = next(read_replays([path]))
            of_size = found[replay.start.seats]
            if len(of_size) < SAMPLES:
                of_size.append(replay)
        if all(len(of_size) == SAMPLES for of_size in found.values()):
            break
    return [replay for size in SIZES for replay in found[size]]


def document(training: Training, paths: Sequence[Path], command: str) -> dict[str, Any]:
    """The model's file: where it comes from, how good it is, the weights, and games to check it by."""
    sample = choose_sample(paths)
    rows = rows_of(sample)
    places = predict(rows, training.weights)
    boards = len(paths)
    return {
        "format": "hsctl-winning",
        "provenance": {
            "command": command,
            "hsctl": __version__,
            "date": datetime.now(UTC).date().isoformat(),
            "seeds": [FIRST_SEED, FIRST_SEED + boards - 1],
            "games": {"learned": training.learned.games, "judged": training.judged.games},
            "positions": {"learned": len(training.learned.left), "judged": len(training.judged.left)},
            "every": EVERY,
            "players": PLAYERS,
            "unseen": list(UNSEEN),
        },
        "judged": [judged_record(each) for each in training.summary()],
        "sample": {"games": sample_of(sample), "log_loss": losses(rows, places[:, :, 0], places).log_loss},
        "terms": list(TERMS),
        "knots": list(KNOTS),
        "weights": training.weights.tolist(),
    }


def judged_record(judged: Judged) -> dict[str, Any]:
    record = judged._asdict()
    for name in ("constant", "lead", "model"):
        each = getattr(judged, name)
        record[name] = {field: round(value, 5) for field, value in each._asdict().items() if not np.isnan(value)}
    return record


def write_model(path: Path, model: dict[str, Any]) -> None:
    """One line per field and per row of weights."""
    fields = {name: value for name, value in model.items() if name != "weights"}
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()]
    write_text(path, "{\n" + ",\n".join([*lines, f' "weights": {nested(model["weights"])}']) + "\n}\n")


def nested(weights: Any) -> str:
    """Weights with a line per knot."""
    living = [",\n".join("[" + ",\n".join(map(json.dumps, table)) + "]" for table in tables) for tables in weights]
    return "[" + ",\n".join(f"[{tables}]" for tables in living) + "]"
