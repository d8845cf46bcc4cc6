"""The fuzzer as a command: see the package."""

import argparse
import os
import random
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.fuzz.cases import KINDS
from tests.fuzz.watch import Verdict, made_up_world, peak_kb, watch

MOST_FAULTS = 50


def run_case(number: int, seed: int, kinds: Sequence[str], folder: Path) -> tuple[str, Sequence[str], Verdict]:
    """One case, which depends on nothing but its number, the seed and the kinds."""
    chance = random.Random(f"{seed} {number}")
    kind = kinds[number % len(kinds)]
    case = KINDS[kind](chance, folder)
    return kind, case.words, case.earlier or watch(case.words, case.stdin)


def run_cases(
    numbers: Sequence[int], seed: int, kinds: Sequence[str]
) -> Iterator[tuple[int, str, Sequence[str], Verdict]]:
    """All cases, in a folder of their own."""
    with tempfile.TemporaryDirectory() as name, made_up_world():
        os.environ["HSCTL_DATA"] = f"{name}/data"
        os.chdir(name)
        try:
            for number in numbers:
                yield number, *run_case(number, seed, kinds, Path(name))
        finally:
            os.chdir("/")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("cases", nargs="?", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="go on with this case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=KINDS, help="default: all")
    parser.add_argument("--case", type=int, help="run this one and show what it shows")
    asked = parser.parse_args()
    kinds = asked.kind or list(KINDS)
    numbers = range(asked.first, asked.cases) if asked.case is None else [asked.case]
    began, codes, slowest, faults = time.monotonic(), Counter[str](), 0.0, 0
    for number, kind, words, verdict in run_cases(numbers, asked.seed, kinds):
        codes[f"{kind} {'FAULT' if verdict.fault else verdict.code}"] += 1
        slowest = max(slowest, verdict.seconds)
        if verdict.fault or asked.case is not None:
            faults += bool(verdict.fault)
            print(f"case {number} ({kind}): {shlex.join(words)}\n{verdict.fault or verdict.code}", flush=True)
        if asked.case is not None:
            print(verdict.out, verdict.err, sep="\n", file=sys.stderr)
        if faults >= MOST_FAULTS:
            break
        if number % 1000 == 999:
            print(f"{number + 1} of {asked.cases} cases", file=sys.stderr, flush=True)
    for name, count in sorted(codes.items()):
        print(f"{name:20} {count}")
    megabytes = peak_kb() >> 10
    taken = f"{time.monotonic() - began:.0f} s; slowest {slowest:.2f} s of CPU, {megabytes} MB"
    print(f"{sum(codes.values())} cases, {faults} faults in {taken}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
