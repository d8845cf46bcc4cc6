"""The tunables of `osla`: the weights of the evaluation."""

from dataclasses import dataclass

from search.common.params import EvaluationParams


@dataclass(frozen=True)
class OslaParams(EvaluationParams):
    """One step look-ahead."""
