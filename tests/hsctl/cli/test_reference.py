"""The pages of commands say what the commands say."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hsctl.cli.help import COMMANDS
from hsctl.cli.reference import (
    OUTPUT,
    SAMPLES,
    format_index,
    format_man,
    format_markdown,
    mask_numbers,
    page_of,
    run_sample,
)
from tests.hsctl.run import ROOT, run_here

FOLDER = ROOT / "docs" / "reference" / "commands"
SLOW = {"review", "league", "compare", "check", "conform", "explain"}
AGAIN = "write the pages again: python -m hsctl.cli.reference docs/reference/commands"


def test_every_command_has_a_page_and_no_other_has() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*COMMANDS, "README"}
    assert (FOLDER / "README.md").read_text() == format_index(), AGAIN


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_is_the_help_of_its_command(name: str) -> None:
    text, heading, sample = (FOLDER / f"{name}.md").read_text().partition(OUTPUT)
    assert text == format_markdown(page_of(name)), AGAIN
    assert bool(heading) == (name in SAMPLES) and SAMPLES.get(name, "") in sample


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the game that the samples look at."""
    folder = tmp_path_factory.mktemp("data")
    run_sample(SAMPLES["play"], folder)
    yield folder


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in SAMPLES]
)
def test_a_sample_prints_what_its_page_shows(data: Path, tmp_path: Path, name: str) -> None:
    """But for numbers, which depend on the machine, and how wide they are."""
    sample = (FOLDER / f"{name}.md").read_text().partition(OUTPUT)[2]
    [shown] = re.findall(r"```console\n\$ .*\n((?s:.*))```\n", sample)
    assert mask_numbers(run_sample(SAMPLES[name], tmp_path if name == "play" else data)) == mask_numbers(shown), AGAIN


def test_help_shows_the_page_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_here(capsys, "help", "games").out
    assert out == format_man(page_of("games"))
    assert [line for line in out.splitlines() if line[:1].strip()][:2] == ["NAME", "SYNOPSIS"]
    assert "--lost" in out and "hsctl games" in out and max(map(len, out.splitlines())) <= 80
