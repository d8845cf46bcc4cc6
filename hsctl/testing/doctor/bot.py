"""A bot examined: the commands of hsctl are run with it, and what they find becomes one ranked list.

    hsctl check --quick     protocol, timing, robustness, limits
    hsctl play              a short series
    hsctl review --quick    what lost these games

Only the commands' JSON is read, so that everything in the list can be had again by hand.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.compile.sources import ROOT
from engine.errors import HsctlError
from hsctl.shell import join_words
from hsctl.testing.doctor.facts import BotProblem
from replays.store import data_folder, new_name

OPPONENT = "simple"
GAMES = 4
FINE = (0, 1, 3)  # exit codes with a report
FIRST = "an answer"  # the check without which no other makes sense
NAMED = 2  # costly moves that are listed
Run = Callable[[Sequence[str]], Any]  # the words of a command of hsctl -> its JSON


def run_hsctl(words: Sequence[str]) -> Any:
    """Run a command of hsctl with --json; what it writes on stderr is for the user."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-P", "-m", "hsctl", *words, "--json"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in FINE:
        raise HsctlError(f"`{join_words(['hsctl', *words])}` failed with exit code {done.returncode}")
    return json.loads(done.stdout)


def examine_bot(command: str, announce: Callable[[str], None], run: Run = run_hsctl) -> list[BotProblem]:
    """The problems of a bot, worst first."""
    announce(f"checking {command} ...")
    report = run(["check", command, "--quick"])
    if not can_play(report):
        return list(rank_problems(command, report, {}, {}))
    folder = data_folder() / "doctor" / new_name().removesuffix(".json")
    announce(f"playing {GAMES} games against {OPPONENT} ...")
    series = run(["play", command, OPPONENT, "--games", str(GAMES), "--out", str(folder)])
    announce("reviewing them ...")
    return list(rank_problems(command, report, series, run(["review", str(folder), "--player", command, "--quick"])))


def can_play(report: dict[str, Any]) -> bool:
    return all(line["verdict"] != "fail" for line in report["lines"] if line["name"] == FIRST)


def rank_problems(
    command: str, report: dict[str, Any], series: dict[str, Any], review: dict[str, Any]
) -> Iterator[BotProblem]:
    """What ends games first, then what loses them, then what may."""
    yield from check_problems(command, report, "fail")
    yield from series_problems(command, series)
    yield from death_problems(review)
    yield from check_problems(command, report, "warn")
    yield from move_problems(review)


def check_problems(command: str, report: dict[str, Any], verdict: str) -> Iterator[BotProblem]:
    again = join_words(["hsctl", "check", command, "--quick"])
    for line in report["lines"]:
        if line["verdict"] == verdict:
            word = "fails" if verdict == "fail" else "is doubtful in"
            yield BotProblem(f"It {word} the check `{line['name']}`.", line["evidence"], line.get("advice", ""), again)


def series_problems(command: str, series: dict[str, Any]) -> Iterator[BotProblem]:
    for player in series.get("players", []):
        errors = {cause: count for cause, count in player["errors"].items() if count}
        if player["name"] == command and errors:
            listed = ", ".join(f"{cause} in {count} of {player['games']} games" for cause, count in errors.items())
            again = join_words(["hsctl", "games", str(Path(series["games"][0]["replay"]).parent)])
            yield BotProblem("It fails in games.", listed, "A bot that fails is out of the game.", again)


def death_problems(review: dict[str, Any]) -> Iterator[BotProblem]:
    deaths = review.get("deaths", {})
    if not deaths.get("avoidable"):
        return
    evidence = f"{deaths['avoidable']} of its {deaths['all']} deaths in {review['games']} games were avoidable."
    lost = [each for each in review["reviews"] if any(death["is_avoidable"] for death in each["deaths"])]
    command = join_words(["hsctl", "review", lost[0]["file"], "--player", str(lost[0]["player"])])
    yield BotProblem("It dies where a safe move was left.", evidence, lost[0]["verdict"], command)


def move_problems(review: dict[str, Any]) -> Iterator[BotProblem]:
    """The costliest moves of games that were not won."""
    found = [
        (mistake["cost"], each, mistake)
        for each in review.get("reviews", [])
        if each["rank"] > 1 or each["is_drawn"]
        for mistake in each["mistakes"]
        if mistake["kind"] == "value"
    ]
    for cost, each, mistake in sorted(found, key=lambda row: -row[0])[:NAMED]:
        what = f"Turn {mistake['turn']} of a game it didn't win cost about {cost:.0f} boxes."
        evidence = f"It played {mistake['played']}, better was {mistake['better']}: {mistake['why']}."
        yield BotProblem(what, evidence, "", join_words(["hsctl", "replay", f"{each['file']}@{mistake['turn']}"]))
