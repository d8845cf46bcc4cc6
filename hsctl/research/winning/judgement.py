"""How good the probabilities are, on positions that were not learned from: losses, calibration, by phase.

    log loss   of the first place: -log of what the winner was given; a shared first place counts in shares
    Brier      the squared errors of all players' first places, added up
    places     -log of what each player's final place was given, on average over the living
    ECE        how far predicted and observed first places are apart, on average over tenths of the predictions

A constant gives all who live the same. The lead alone is a logit on the boxes scored and on those divided by
sqrt(boxes left + 1), fitted on the same games for each number of living players.
"""

from typing import NamedTuple

import numpy as np

from engine.state import MAX_PLAYERS
from hsctl.research.winning.fit import chances, examples_of
from hsctl.research.winning.rows import NO_RANK, Rows
from search.winning.model import new_judge_memory, rank_rows

PHASES = {  # boxes on the board, from and below
    "40 or more": (40, 999),
    "30 to 39": (30, 40),
    "20 to 29": (20, 30),
    "12 to 19": (12, 20),
    "6 to 11": (6, 12),
    "1 to 5": (1, 6),
    "0": (0, 1),
}
BINS = 10
SMALLEST = 1e-9  # a probability is at least this in a loss
LEAD_ITERATIONS = 30
LEAD_PENALTY = 1e-3


class Losses(NamedTuple):
    """The losses of one way to predict."""

    log_loss: float
    brier: float
    places: float
    ece: float


class Bin(NamedTuple):
    """A tenth of the predictions: mean prediction, share that came first, and how many."""

    predicted: float
    observed: float
    predictions: int


def predict(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """The model's probabilities: [row, player, place]."""
    places = np.zeros((len(rows.left), MAX_PLAYERS, MAX_PLAYERS))
    bits = (rows.living * (1 << np.arange(MAX_PLAYERS))).sum(axis=1).astype(np.uint64)
    rank_rows(rows.terms.astype(np.float64), bits, rows.left.astype(np.float64), new_judge_memory(weights), places)
    return places


def constant(rows: Rows) -> np.ndarray:
    """Every place of the living as likely as any other: [row, player, place]."""
    count = rows.living.sum(axis=1)
    one = rows.living[:, :, None] / count[:, None, None]
    return one * (np.arange(MAX_PLAYERS) < count[:, None])[:, None, :]


def lead_inputs(rows: Rows) -> np.ndarray:
    """[row, player, input]"""
    return np.stack([rows.scored, rows.scored / np.sqrt(rows.boxes + 1.0)[:, None]], axis=2)


def fit_lead(rows: Rows) -> np.ndarray:
    """The weights of the lead alone: [living, input]."""
    weights = np.zeros((MAX_PLAYERS + 1, 2))
    for living in range(2, MAX_PLAYERS + 1):
        row, player, came = examples_of(rows, living, living)
        inputs = lead_inputs(rows)[row[:, None], player]
        for _ in range(LEAD_ITERATIONS):
            found = chances(inputs @ weights[living])
            mean = np.einsum("rp,rpi->ri", found, inputs)
            slope = np.einsum("rp,rpi->i", came - found, inputs) - LEAD_PENALTY * weights[living]
            bend = np.einsum("rp,rpi,rpj->ij", found, inputs, inputs) - mean.T @ mean + LEAD_PENALTY * np.eye(2)
            weights[living] += np.linalg.solve(bend, slope)
    return weights


def predict_lead(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """The first places that the lead alone predicts: [row, player]."""
    scores = (lead_inputs(rows) * weights[rows.living.sum(axis=1)][:, None, :]).sum(axis=2)
    return chances(np.where(rows.living, scores, -np.inf))


def outcomes(rows: Rows) -> np.ndarray:
    """What came of it, in shares where players tie: [row, player, place], among those who lived."""
    ranks = np.where(rows.living & (rows.ranks != NO_RANK), rows.ranks, 99)
    better = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
    equal = (ranks[:, None, :] == ranks[:, :, None]).sum(axis=2)
    places = np.arange(MAX_PLAYERS)
    came = (places >= better[:, :, None]) & (places < (better + equal)[:, :, None]) & rows.living[:, :, None]
    return came / equal[:, :, None]


def losses(rows: Rows, firsts: np.ndarray, places: np.ndarray | None = None) -> Losses:
    """The losses of predicted first places, and of all places if they are predicted."""
    came = outcomes(rows)
    logs = -np.log(np.maximum(firsts, SMALLEST))
    brier = (((firsts - came[:, :, 0]) ** 2) * rows.living).sum(axis=1)
    of_places = np.nan
    if places is not None:
        each = -(came * np.log(np.maximum(places, SMALLEST))).sum(axis=(1, 2)) / rows.living.sum(axis=1)
        of_places = float(each.mean())
    apart = sum(abs(each.predicted - each.observed) * each.predictions for each in calibration(rows, firsts))
    log_loss = float((came[:, :, 0] * logs).sum(axis=1).mean())
    return Losses(log_loss, float(brier.mean()), of_places, float(apart / rows.living.sum()))


def calibration(rows: Rows, firsts: np.ndarray) -> list[Bin]:
    """Predicted and observed first places of the living, by tenths of the predictions."""
    predicted, came = firsts[rows.living], outcomes(rows)[:, :, 0][rows.living]
    tenth = np.minimum((predicted * BINS).astype(int), BINS - 1)
    found = []
    for at in range(BINS):
        chosen = tenth == at
        if chosen.any():
            found.append(Bin(float(predicted[chosen].mean()), float(came[chosen].mean()), int(chosen.sum())))
    return found


class Judged(NamedTuple):
    """The three ways to predict, on some rows."""

    label: str
    players: int  # in the game; 0: any
    games: int
    rows: int
    constant: Losses
    lead: Losses
    model: Losses


class Judgement:
    """Predictions for a set of rows, from which any part of them is judged."""

    def __init__(self, rows: Rows, weights: np.ndarray, lead: np.ndarray) -> None:
        self.rows = rows
        self.places = predict(rows, weights)
        self.lead = predict_lead(rows, lead)
        self.constant = constant(rows)

    def judge(self, label: str, players: int = 0, chosen: np.ndarray | None = None) -> Judged | None:
        """The losses on those of the chosen rows that are of games with so many players; None if there are none."""
        part = np.ones(len(self.rows.left), bool) if chosen is None else chosen
        part = part & (self.rows.seats == players) if players else part
        if not part.any():
            return None
        rows, places, constants = self.rows.of(part), self.places[part], self.constant[part]
        return Judged(
            label,
            players,
            rows.games,
            len(rows.left),
            losses(rows, constants[:, :, 0], constants),
            losses(rows, self.lead[part]),
            losses(rows, places[:, :, 0], places),
        )

    def by_phase(self, players: int) -> list[Judged]:
        """The losses by boxes on the board."""
        found = [
            self.judge(label, players, (self.rows.boxes >= low) & (self.rows.boxes < high))
            for label, (low, high) in PHASES.items()
        ]
        return [each for each in found if each is not None]

    def calibration(self, players: int) -> list[Bin]:
        """Predicted and observed first places of games with so many players."""
        part = self.rows.seats == players
        return calibration(self.rows.of(part), self.places[part][:, :, 0])
