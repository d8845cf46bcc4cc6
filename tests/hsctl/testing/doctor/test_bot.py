"""What the doctor makes of the reports about a bot: one list, worst first."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hsctl.testing.doctor.bot import examine_bot, rank_problems
from hsctl.testing.doctor.facts import BotProblem, problem_lines
from tests.hsctl.run import refusal

BOT = "./my bot"


def checked(**verdicts: str) -> dict[str, Any]:
    return {
        "lines": [
            {"name": name.replace("_", " "), "verdict": verdict, "evidence": f"saw {name}", "advice": "Do it."}
            for name, verdict in verdicts.items()
        ]
    }


def played(**errors: int) -> dict[str, Any]:
    players = [{"name": BOT, "games": 4, "errors": errors}, {"name": "simple", "games": 4, "errors": {"crash": 1}}]
    return {"players": players, "games": [{"replay": "/data/doctor/1/game.json"}]}


def reviewed(avoidable: int = 0, costs: Sequence[float] = (), rank: int = 2) -> dict[str, Any]:
    mistakes = [
        {"turn": turn, "kind": "value", "played": "stay", "better": "left", "cost": cost, "why": "boxes"}
        for turn, cost in enumerate(costs)
    ]
    review = {
        "file": "/data/doctor/1/game.json",
        "player": 1,
        "rank": rank,
        "is_drawn": False,
        "verdict": "it lost",
        "deaths": [{"is_avoidable": True}] * avoidable,
        "mistakes": mistakes,
    }
    return {"games": 4, "deaths": {"all": 2, "avoidable": avoidable}, "reviews": [review]}


def test_what_ends_games_comes_first() -> None:
    report = checked(an_answer="pass", timing="warn", robustness="fail")
    found = list(rank_problems(BOT, report, played(timeout=2, crash=0), reviewed(2, [1.5, 4.0, 2.0])))
    assert [problem.evidence.split(":")[0] for problem in found] == [
        "saw robustness",
        "timeout in 2 of 4 games",
        "2 of its 2 deaths in 4 games were avoidable.",
        "saw timing",
        "It played stay, better was left",
        "It played stay, better was left",
    ]
    assert [problem.command.split("@")[-1] for problem in found[-2:]] == ["1", "2"]  # the costliest turns
    assert found[2].command == "hsctl review /data/doctor/1/game.json --player 1"


def test_moves_of_games_that_it_won_are_no_problem() -> None:
    assert not list(rank_problems(BOT, checked(), played(), reviewed(costs=[5.0], rank=1)))


def test_each_command_is_run_once_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    ran: list[list[str]] = []

    def run(words: Sequence[str]) -> Any:
        ran.append(list(words))
        return {"check": checked(an_answer="pass"), "play": played(), "review": reviewed()}[words[0]]

    assert examine_bot(BOT, lambda text: None, run) == []
    assert [words[:2] for words in ran[:2]] == [["check", BOT], ["play", BOT]]
    folder = ran[1][-1]
    assert Path(folder).is_relative_to(tmp_path) and ran[2] == ["review", folder, "--player", BOT, "--quick"]


def test_a_bot_that_never_answers_plays_no_games() -> None:
    def run(words: Sequence[str]) -> Any:
        assert words[0] == "check"
        return checked(an_answer="fail")

    [problem] = examine_bot(BOT, lambda text: None, run)
    assert problem.evidence == "saw an_answer" and problem.command == "hsctl check './my bot' --quick"


def test_commands_are_not_wrapped() -> None:
    command = "hsctl replay " + "x" * 200
    lines = list(problem_lines(BOT, [BotProblem("It dies.", "word " * 60, "", command)]))
    assert lines[1] == "1. It dies." and lines[-1] == f"   {command}"
    assert all(len(line) < 80 for line in lines[:-1])
    assert len(list(problem_lines(BOT, []))) == 1


def test_a_built_in_player_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "built-in" in refusal(capsys, "doctor", "beam")
