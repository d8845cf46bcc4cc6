"""An agent of one's own in the commands, as any other player."""

from pathlib import Path

import pytest

from tests.hsctl.run import run_here

AGENT = """
import hsctl


class Mine(hsctl.Agent):
    def decide(self, state, player, budget):
        return hsctl.Decision(self.legal(state, player)[0])
"""
QUICK = "--nodes 2 --jobs 1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "codes"),
    [
        ("play {} random --vision 3 --nodes 2 --no-save", {0}),
        ("play {}+random still+still --teams --nodes 2 --no-save", {0}),
        ("play {} random --sandbox --nodes 2 --no-save", {0}),
        (f"compare {{}} random --games 4 {QUICK}", {0, 1, 3}),
        ("scale {} --nodes 1,2 --against random:nodes=1 --games 2 --jobs 1", {0}),
        (f"league {{}} random still --games 2 {QUICK}", {0}),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else None,
)
def test_it_plays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, codes: set[int]
) -> None:
    if "--sandbox" in command:
        from engine.errors import HsctlError
        from hsctl.match.bots.sandbox import check_sandbox

        try:
            check_sandbox()
        except HsctlError as error:
            pytest.skip(str(error))
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(AGENT)
    code, out, err = run_here(capsys, *command.format("./mine.py:Mine").split())
    assert code in codes, err
    assert "Mine" in out
