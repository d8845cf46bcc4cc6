"""Whether two checkouts answer the same: a fixed set of commands, their exit codes, documents and games.

    python tests/compare_commands.py OLD NEW        two folders, each with its own .venv

Every command runs in a fresh data folder. What only NEW has (more fields, more columns) is no difference. Times, paths
and versions don't count.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PASSING = {
    *("seconds", "time_ms", "total_ms", "worst_ms", "mean_ms", "nodes_per_ms", "beyond_ms", "times_ms"),
    *("thinking_s", "playing_s", "overhead", "version", "hsctl", "digest", "signature", "parts"),
    *("replay", "file", "path", "saved", "written", "finished", "created"),
}
COMMANDS = [
    "play beam mcts rhea --seed 7 --nodes 2000 --json --out games",
    "play beam:paper simple negamax duel --seed 3 --nodes 500 --json --out games",
    "play beam beam:eighth --seed 5 --nodes 1500 --games 4 --json --out series",
    "play simple random --games 6 --seed 9 --nodes 50 --jobs 1 --json --no-save",
    "play simple random --ends survival --seed 2 --nodes 50 --json --no-save",
    "league simple random still --games 12 --nodes 50 --json --ledger l.sqlite --jobs 1",
    "league simple random still --games 12 --nodes 50 --json --ledger l.sqlite --jobs 1",
    "compare simple random --nodes 50 --json --games 40 --ledger l.sqlite --jobs 1",
    "games games --json",
    "replay games/{0} --json",
    "replay games/{0} --turn 20",
    "explain games/{0}@20 --player 0 --json",
    "explain games/{0}@20 --player 1 --json",
    "explain games/{0}@20 --player 2 --json",
    "explain games/{1}@15 --player 2 --json",
    "explain games/{1}@15 --player 3 --json",
    "review games/{0} --player 0 --json --nodes 500",
    "play --from games/{0}@20 --json --no-save",
    "play --from games/{0}@20 --swap 0=still --json --no-save",
    "export replays games/{0} --table turns",
    "agents --json",
    "play beam nosuchagent:x",
    "explain games/{0}@9999",
    "replay nosuch.json",
    "play beam",
    "league beam",
]


def run_all(checkout: Path, folder: Path) -> dict[str, tuple[int, str]]:
    """Exit code and output of every command."""
    env = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "NO_COLOR": "1", "COLUMNS": "80", "TERM": "dumb"}
    results: dict[str, tuple[int, str]] = {}
    for command in COMMANDS:
        names = sorted(path.name for path in (folder / "games").glob("*.json"))
        words = command.format(*names, *["-"] * 2).split()
        script = str(checkout / ".venv" / "bin" / "hsctl")
        done = subprocess.run([script, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=600)
        results[f"{len(results):2} {command}"] = done.returncode, done.stdout
    for path in sorted(folder.glob("games/*.json")):  # the games themselves
        turns = json.loads(path.read_text())["turns"]
        actions = [[move and move.get("action") for move in turn["moves"]] for turn in turns]
        results[f"actions of game {len(actions)}"] = 0, json.dumps(actions)
    return results


def differences(old: Any, new: Any, place: str = "") -> list[str]:
    """Where NEW lacks something that OLD has, or has it differently."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            each
            for key in old.keys() - PASSING
            for each in (
                differences(old[key], new[key], f"{place}.{key}") if key in new else [f"{place}.{key}: missing"]
            )
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            each for at, (a, b) in enumerate(zip(old, new, strict=True)) for each in differences(a, b, f"{place}[{at}]")
        ]
    return [] if old == new else [f"{place}: {str(old)[:60]!r} became {str(new)[:60]!r}"]


def compare(old: tuple[int, str], new: tuple[int, str]) -> list[str]:
    if old[0] != new[0]:
        return [f"exit code {old[0]} became {new[0]}"]
    try:
        documents = json.loads(old[1]), json.loads(new[1])
    except ValueError:
        return [] if old[1] == new[1] or old[0] == 2 else ["its text differs"]
    return differences(*documents)


def main() -> int:
    found = []
    for checkout in sys.argv[1:3]:
        with tempfile.TemporaryDirectory() as folder:
            found.append(run_all(Path(checkout).resolve(), Path(folder)))
    old, new = found
    total = 0
    for name in old:
        told = compare(old[name], new[name]) if name in new else ["missing"]
        total += len(told)
        print(
            f"{'same' if not told else 'DIFFERS':8} exit {old[name][0]}  {name}",
            *(f"\n           {each}" for each in told[:6]),
            sep="",
        )
    print(f"{len(old)} compared, {total} differences")
    return min(total, 1)


if __name__ == "__main__":
    sys.exit(main())
