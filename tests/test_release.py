"""Versions agree, the lock file fits the project, workflows are pinned, and the container has what it copies."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from hsctl import __version__

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HEADING = re.compile(r"^## (\S+)(.*)$", re.M)
PIN = re.compile(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+$")


def project() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def cited_version() -> str:
    [version] = re.findall(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.M)
    return version


def test_the_version_is_the_same_everywhere() -> None:
    """During development, the changelog is ahead of the last release, and the citation is that release."""
    (newest, state), (before, _) = HEADING.findall((ROOT / "CHANGELOG.md").read_text())[:2]
    if ".dev" in __version__:
        assert (newest, state.strip(), before) == (__version__.split(".dev")[0], "(unreleased)", cited_version())
    else:
        assert newest == __version__ == cited_version() and "unreleased" not in state


def names_of(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=~!\[ ;]", text)[0].lower() for text in requirements}


def test_the_lock_file_has_all_that_the_project_needs() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    [own] = [package for package in packages if package["name"] == "hsctl"]
    extras = project()["optional-dependencies"]
    assert isinstance(extras, dict)
    assert {each["name"] for each in own["dependencies"]} == names_of(project()["dependencies"])  # type: ignore[arg-type]
    for extra, requirements in extras.items():
        assert {each["name"] for each in own["optional-dependencies"][extra]} == names_of(requirements)
    registries = {package["source"].get("registry") for package in packages if package is not own}
    assert registries == {"https://pypi.org/simple"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(workflow: Path) -> None:
    used = [line.strip(" -") for line in workflow.read_text().splitlines() if "uses:" in line]
    assert used and [line for line in used if not PIN.fullmatch(line)] == []


def test_every_python_of_the_release_is_tested() -> None:
    versions = [
        re.findall(r"python-version: (\[.*\])", (ROOT / ".github/workflows" / name).read_text())
        for name in ("ci.yml", "release.yml")
    ]
    tested, (shipped, tried) = versions[0][0], versions[1]
    assert tested == shipped == tried


@pytest.mark.linux
def test_a_release_has_the_changelog_of_its_version(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    (tmp_path / "hsctl").mkdir()
    (tmp_path / ".ci" / "publish").write_bytes((ROOT / ".ci" / "publish").read_bytes())
    (tmp_path / "hsctl" / "__init__.py").write_text('__version__ = "1.2"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.3 (unreleased)\n\nnew\n\n## 1.2\n\n- it\n\n## 1.1\n\nold\n"
    )
    words = ["bash", str(tmp_path / ".ci" / "publish"), "--dry-run"]
    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}, check=False)
    assert done.stdout.split() == ["v1.2", "-", "it"], done.stderr
    other = {"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": "v1.3"}
    assert subprocess.run(words, capture_output=True, env=other, check=False).returncode == 1


def test_the_container_has_what_it_copies_and_is_nobody_s_root() -> None:
    """What can be checked without a daemon."""
    text = (ROOT / "Dockerfile").read_text()
    ignored = (ROOT / ".dockerignore").read_text().split()
    copied = [word for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.M) for word in line.split()[:-1]]
    assert copied and all((ROOT / name).exists() and name not in ignored for name in copied)
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert set(wheel["packages"]) <= set(copied)
    assert "uv sync --frozen" in text and re.search(r"^USER (?!root)", text, re.M)
    assert len(set(re.findall(r"^FROM (\S+)", text, re.M))) == 1
