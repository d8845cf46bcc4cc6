"""The former name of tests/test_structure.py, for scripts that still run it."""

from tests.test_structure import *  # noqa: F403
