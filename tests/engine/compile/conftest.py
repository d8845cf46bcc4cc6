"""A small project in place of ours, for what reads sources."""

import pytest

from engine.compile import sources


class Project:
    """Files under a folder that stands in for the root of our packages."""

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
