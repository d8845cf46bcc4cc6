"""Two games and a console text of the arena (other people's data, read where they lie)."""

import os
from pathlib import Path

import pytest

RECORDED = Path(os.environ.get("HSCTL_RECORDED", Path(__file__).parents[4] / "shared" / "recorded")) / "arena"

needs_recorded = pytest.mark.skipif(
    not RECORDED.exists(), reason=f"no games of the arena at {RECORDED}; HSCTL_RECORDED names the folder above"
)
