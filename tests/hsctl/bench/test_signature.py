"""The signature: what everything compiled did when it was last meant to change.

`signature.json` is what `hsctl bench --signature --json` prints. `pytest --snapshot-update tests/hsctl/bench` writes it
anew, in a commit that says why it changes and ends with the new number, `Bench: N`.
"""

import json
from pathlib import Path

import pytest

from hsctl.bench import signature
from hsctl.bench.signature import make_signature
from tests.hsctl.run import run_here

STORED = Path(__file__).with_name("signature.json")
ADVICE = """the behaviour of {moved} has changed, and with it the signature, from {old} to {new}.
A refactoring may not do that. Where it is meant, run `pytest --snapshot-update tests/hsctl/bench` and end the commit
with `Bench: {new}`."""


def test_everything_behaves_as_stored(request: pytest.FixtureRequest) -> None:
    parts = signature.compute_parts()
    number = make_signature(parts.items())
    if request.config.getoption("--snapshot-update"):
        STORED.write_text(json.dumps({"signature": number, "parts": parts}, indent=1) + "\n")
    stored = json.loads(STORED.read_text())
    moved = sorted({name for name, _number in parts.items() ^ stored["parts"].items()})
    assert not moved, ADVICE.format(moved=", ".join(moved), old=stored["signature"], new=number)
    assert number == stored["signature"]


def test_it_is_printed_as_one_number_or_with_its_parts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = json.loads(STORED.read_text())
    monkeypatch.setattr(signature, "compute_parts", lambda: stored["parts"])
    assert run_here(capsys, "bench", "--signature") == (0, f"{stored['signature']}\n", "")
    assert run_here(capsys, "bench", "--signature", "--json") == (0, STORED.read_text(), "")


def test_any_part_that_changes_moves_it() -> None:
    parts = {"one": 1, "two": 2}
    numbers = {
        make_signature(changed.items()) for changed in (parts, {**parts, "two": 3}, {"one": 1}, {"two": 2, "one": 1})
    }
    assert len(numbers) == 4
