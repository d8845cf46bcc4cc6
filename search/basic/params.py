"""Neither `random` nor `still` has anything to tune."""

from dataclasses import dataclass

from search.params import Params


@dataclass(frozen=True)
class NoParams(Params):
    """An agent without tunables."""
