"""Options out of bounds are refused in one line, before anything is made for them."""

import pytest

from tests.hsctl.run import run_here

PLAY = ("play", "random", "simple", "--no-save")


@pytest.mark.parametrize(
    "words",
    [
        (*PLAY, "--games", "1000000000"),
        (*PLAY, "--games", "2", "--jobs", "100000"),
        (*PLAY, "--nodes", "10000000000000000000000000"),
        (*PLAY, "--time", "inf"),
        (*PLAY, "--time", "nan"),
        (*PLAY, "--time", "3e9"),
        (*PLAY, "--first-turn", "1e300"),
        (*PLAY, "--startup", "1e12"),
        ("league", "random", "simple", "--games", "1000000000"),
        ("compare", "random", "simple", "--games", "1000000000"),
        ("play", "beam:width=1000000000", "random"),
        ("play", "beam:box=1e300", "random"),
    ],
)
def test_what_no_machine_can_do_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    code, out, err = run_here(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("hsctl: ") and err.count("\n") == 1
