"""A small project in place of ours, for what reads sources; a copy of ours, for what compiles them."""

import shutil
from pathlib import Path

import pytest

from engine.compile import sources
from engine.compile.cache import COMPILED_PACKAGES

ROOT = Path(__file__).parents[3]


class Project:
    """Files under a folder that replaces the root of our packages."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        """Write a file, and forget what was read before."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        sources.parse.cache_clear()
        sources.path_of.cache_clear()


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    project = Project(tmp_path)
    for package in ("engine", "search", "search/beam"):
        project.write(f"{package}/__init__.py", "")
    yield project
    sources.parse.cache_clear()
    sources.path_of.cache_clear()


@pytest.fixture
def copied(tmp_path):
    """A copy of the compiled packages with a cache of its own."""
    return copy_packages(tmp_path)


def copy_packages(folder):
    for package in COMPILED_PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "shipped_code")
        shutil.copytree(ROOT / package, folder / package, ignore=ignored)
    return folder
