"""`random` and `still` have no tunables."""

from dataclasses import dataclass

from search.params import Params


@dataclass(frozen=True)
class NoParams(Params):
    """An agent without tunables."""
