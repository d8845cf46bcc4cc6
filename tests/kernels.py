"""Kernels that only kernels call, made callable for tests."""

from collections.abc import Mapping
from typing import Any

from engine.jit import Kernel, entry


def entries_in(names: Mapping[str, Any]) -> dict[str, Any]:
    """The kernels among these names, as entries: `globals().update(entries_in(globals()))` opens a test's imports."""
    return {name: entry(value) for name, value in names.items() if isinstance(value, Kernel)}
