"""Instructions of the processor and their plain twins: the same answers, and the right ones chosen."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import instructions as ours
from engine.board import CELLS, OPEN_CELLS, words_of
from engine.jit import JIT_DISABLED, entry
from engine.spec.twin import verify

ROOT = Path(__file__).parents[2]
PORTABLE = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}
STEPS = 20_000

shuffles = pytest.mark.skipif(not ours.HAS_SHUFFLE, reason="numba compiles for a processor without avx2")
extracts = pytest.mark.skipif(not ours.HAS_PEXT, reason="numba compiles for a processor without a fast pext")
Ring = dict[tuple[int, int], tuple[int, int]]  # (row, owner) -> the cell of its bomb


def draw_ring(random: Random, count: int) -> Ring:
    slots = random.sample([(row, owner) for row in range(8) for owner in range(4)], count)
    return {slot: random.choice(OPEN_CELLS) for slot in slots}


def bombs_of(ring: Ring, random: Random) -> np.ndarray:
    bombs = np.zeros(8, np.uint64)
    for (row, owner), (x, y) in ring.items():
        bombs[row] |= np.uint64((random.randint(1, 127) << 8 | int(CELLS[y, x])) << 16 * owner)
    return bombs


def bits_of(slots: list[tuple[int, int]]) -> int:
    return sum(1 << 4 * row + owner for row, owner in slots)


def draw_rings() -> list[tuple[Ring, np.ndarray, list[tuple[int, int]]]]:
    """Rings of all sizes, each with a set of cells."""
    random = Random(14)
    drawn = []
    for k in range(400):
        ring = draw_ring(random, k % 33)
        drawn.append((ring, bombs_of(ring, random), random.sample(OPEN_CELLS, random.choice((0, 1, 20, 60, 113)))))
    return drawn


@entry
def space_fast(bits):
    return ours.fast_space(bits)


@entry
def evens_fast(line):
    return ours.fast_evens(line)


@entry
def occupied_fast(bombs):
    return ours.fast_occupied(bombs)


@entry
def standing_in_fast(bombs, a, h, v, among):
    return ours.fast_standing_in(bombs, (a, h, v), among)


@entry
def standing_in_plain(bombs, a, h, v, among):
    return ours.plain_standing_in(bombs, (a, h, v), among)


@entry
def empty_slots_fast(bombs, slots):
    ours.fast_empty_slots(bombs, slots)


@entry
def bomb_loaded(bombs, slot):
    return ours.bomb_at(bombs, slot)


@pytest.mark.parametrize("space", [entry(ours.plain_space), pytest.param(space_fast, marks=extracts)])
def test_space_leaves_a_gap_after_each_of_seven_bits(space):
    for bits in range(1 << 9):
        assert space(np.uint64(bits)) == int("0".join(f"{bits & 127:07b}"), 2)


@pytest.mark.parametrize("evens", [entry(ours.plain_evens), pytest.param(evens_fast, marks=extracts)])
def test_evens_takes_every_second_of_thirteen_bits(evens):
    for line in range(1 << 14):
        assert evens(np.uint64(line)) == int(f"{line:014b}"[1::2], 2)


@pytest.mark.parametrize("occupied", [entry(ours.plain_occupied), pytest.param(occupied_fast, marks=shuffles)])
def test_occupied_names_the_slots_that_hold_a_bomb(occupied):
    for ring, bombs, _cells in draw_rings():
        assert occupied(bombs) == bits_of(list(ring))


@pytest.mark.parametrize("standing_in", [standing_in_plain, pytest.param(standing_in_fast, marks=shuffles)])
def test_standing_in_names_the_bombs_on_cells_of_a_set_among_some(standing_in):
    for ring, bombs, cells in draw_rings():
        among = list(ring)[::2]
        found = standing_in(bombs, *words_of(cells), np.uint64(bits_of(among)))
        assert found == bits_of([slot for slot in among if ring[slot] in cells])


@pytest.mark.parametrize("bomb_at", [entry(ours.plain_bomb_at), bomb_loaded])
def test_bomb_at_reads_one_slot(bomb_at):
    for _ring, bombs, _cells in draw_rings():
        assert [bomb_at(bombs, np.uint64(slot)) for slot in range(32)] == bombs.view(np.uint16).tolist()


@pytest.mark.parametrize("empty_slots", [entry(ours.plain_empty_slots), pytest.param(empty_slots_fast, marks=shuffles)])
def test_empty_slots_takes_bombs_off_and_leaves_the_others_alone(empty_slots):
    for ring, bombs, _cells in draw_rings():
        gone = list(ring)[::3]
        before = bombs.view(np.uint16).copy()
        empty_slots(bombs, np.uint64(bits_of(gone)))
        for row in range(8):
            for owner in range(4):
                left = 0 if (row, owner) in gone else before[4 * row + owner]
                assert bombs.view(np.uint16)[4 * row + owner] == left


@pytest.mark.parametrize(
    ("name", "features", "has_it"),
    [
        (None, "+bmi2,+avx2", True),
        (None, "+bmi2,-avx2", False),
        (None, "+avx2fast", False),
        (None, "", False),
        ("x86-64", "", False),
        ("x86-64-v3", "", True),
        ("x86-64-v3", "-avx2", False),
    ],
)
def test_what_numba_is_told_to_compile_for_decides(monkeypatch, name, features, has_it):
    monkeypatch.setattr(ours.SETTINGS, "CPU_NAME", name)
    monkeypatch.setattr(ours.SETTINGS, "CPU_FEATURES", features)
    assert ours.target_has("avx2") == has_it


@pytest.mark.parametrize("features", ["+sse2,+avx2", "+sse2,-avx2"])
def test_without_being_told_numba_compiles_for_what_it_finds(monkeypatch, features):
    monkeypatch.setattr(ours.SETTINGS, "CPU_NAME", None)
    monkeypatch.setattr(ours.SETTINGS, "CPU_FEATURES", None)
    monkeypatch.setattr(ours, "get_host_cpu_features", lambda: features)
    assert ours.target_has("avx2") == ("+avx2" in features)


PLAY = f"""
from engine import instructions
from engine.spec.twin import verify
assert instructions.space is instructions.plain_space, "pext"
assert instructions.standing_in is instructions.plain_standing_in, "avx2"
print(verify({STEPS}, seed=1, players=4))
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_compiled_for_an_old_processor_the_plain_twins_play_the_same_games():
    done = subprocess.run(
        [sys.executable, "-c", PLAY], cwd=ROOT, env={**os.environ, **PORTABLE}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip() == str(verify(STEPS, seed=1, players=4))
