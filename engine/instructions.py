"""Single processor instructions for the engine, each with a twin in plain code.

    space, evens    a line of the board: bits pulled apart, every second bit cut out    pdep, pext
    occupied        which of the 32 slots of the ring hold a bomb                       32 numbers compared at once
    standing_in     which of them are in a set of cells                                 pshufb: 32 look-ups at once
    bomb_at         the bomb in one slot                                                16 bits loaded
    empty_slots     bombs taken off the ring                                            32 numbers masked at once
    new_sets        four sets of cells that a function may change                       memory on the stack

Slots are bits of one number: bit 4 * row + owner, their order in memory.

The engine calls them by these names, whichever twin they are. That depends on numba's target, not on this machine: an
instruction that the target lacks would end the process. NUMBA_CPU_NAME=x86-64 with an empty
NUMBA_CPU_FEATURES chooses the plain twins anywhere; without compiler there are no others (`engine/compile/plain.py`).
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_name

from engine.board import BIT_MASK, FOUR, H_START, ONE, TWO, U64, V_START, ZERO, lowest_bit
from engine.compile.numba_parts import SETTINGS, cgutils, get_host_cpu_features, intrinsic, types
from engine.compile.plain import with_plain
from engine.jit import JIT_DISABLED, inline

HAVING_ALL = ("x86-64-v3", "x86-64-v4")  # targets whose name alone implies all of these instructions
SLOW_PEXT = ("znver1", "znver2", "bdver4")  # where pext and pdep take longer than their twins


def target_has(feature: str) -> bool:
    """Whether numba's target has an instruction set, by LLVM's name for it."""
    asked = SETTINGS.CPU_FEATURES
    features = (get_host_cpu_features() if asked is None else asked).split(",")
    if f"+{feature}" in features or f"-{feature}" in features:
        return f"+{feature}" in features
    return SETTINGS.CPU_NAME in HAVING_ALL


HAS_SHUFFLE = not JIT_DISABLED and target_has("avx2")
HAS_PEXT = not JIT_DISABLED and target_has("bmi2") and (SETTINGS.CPU_NAME or get_host_cpu_name()) not in SLOW_PEXT


# In plain code


def make_spaced() -> np.ndarray:
    """Seven bits with a gap after each: abc -> a0b0c."""
    table = np.zeros(128, np.uint16)
    for bits in range(128):
        table[bits] = sum((bits >> k & 1) << 2 * k for k in range(7))
    return table


def make_slot_masks() -> np.ndarray:
    """The slots of a row for each set of four bits."""
    return np.array([sum(0xFFFF << 16 * k for k in range(4) if bits >> k & 1) for bits in range(16)], np.uint64)


SPACED = make_spaced()
SLOT_MASKS = make_slot_masks()
THREE = U64(3)
BYTE = U64(0xFF)
SIXTEEN_BITS = U64(0xFFFF)
SEVEN_BITS = U64(0b1111111)
EVENS = U64(0b1010101010101)
PAIRS, QUADS = U64(0x3333), U64(0x0F0F)

# Four slots of 16 bits at once: with 15 ones added, a slot's top bit is set if the slot was above 0.
FIFTEEN_ONES = U64(0x7FFF7FFF7FFF7FFF)
EACH_SLOT = U64(0x0001000100010001)
FIFTEEN = U64(15)
GATHER = U64(sum(1 << 15 * k for k in range(4)))  # times this, bits 0, 16, 32 and 48 come together at bit 45
GATHERED = U64(45)
FOUR_BITS = U64(0b1111)


@inline
def plain_space(bits):
    """The lowest seven bits with a gap after each: abc -> a0b0c."""
    return U64(SPACED[bits & SEVEN_BITS])


@inline
def plain_evens(line):
    """Bits 0, 2, 4 ... 12 of a line: the reverse of `space`."""
    line &= EVENS
    line = (line | (line >> ONE)) & PAIRS
    line = (line | (line >> TWO)) & QUADS
    return (line | (line >> FOUR)) & BYTE


@inline
def occupied_in(bombs, row):
    """The slots of one row of the ring that hold a bomb. It has no twin."""
    taken = ((bombs[row] + FIFTEEN_ONES) >> FIFTEEN) & EACH_SLOT
    return (((taken * GATHER) >> GATHERED) & FOUR_BITS) << (U64(row) << TWO)


@inline
def plain_occupied(bombs):
    """The slots of the ring that hold a bomb."""
    slots = ZERO
    for row in range(8):
        slots |= occupied_in(bombs, row)
    return slots


@inline
def plain_bomb_at(bombs, slot):
    """The bomb in one slot of the ring."""
    return (bombs[slot >> TWO] >> ((slot & THREE) << FOUR)) & SIXTEEN_BITS


@inline
def plain_standing_in(bombs, cells, among):
    """Those of the slots `among`, none of which is empty, whose bombs are in the set of cells."""
    found = ZERO
    while among != ZERO:
        slot = lowest_bit(among)
        among &= among - ONE
        cell = plain_bomb_at(bombs, slot) & BYTE
        word = cells[0] if cell < H_START else cells[1] if cell < V_START else cells[2]
        found |= ((word >> (cell & BIT_MASK)) & ONE) << slot
    return found


@inline
def plain_empty_slots(bombs, slots):
    """Take the bombs of these slots off the ring."""
    for row in range(8):
        bombs[row] &= ~SLOT_MASKS[(slots >> U64(4 * row)) & FOUR_BITS]


def plain_new_sets() -> np.ndarray:
    """Four empty sets of cells, to be changed by `add_to_set` and read by `read_set`."""
    return np.zeros((4, 3), np.uint64)


def plain_add_to_set(sets: np.ndarray, at: np.uint64, cells: tuple[np.uint64, ...]) -> None:
    sets[at] |= cells


def plain_read_set(sets: np.ndarray, at: np.uint64) -> tuple[np.uint64, ...]:
    return tuple(sets[at])


# In LLVM's language: each writes code for values that are known only at run time

WORD = ir.IntType(64)
SLOTS = ir.VectorType(ir.IntType(16), 32)  # the ring
BYTES = ir.VectorType(ir.IntType(8), 32)  # the cells in it
BITS = ir.VectorType(ir.IntType(1), 32)
EACH_BIT = WORD(0x8040201008040201)  # byte k has bit k
SETS = ir.ArrayType(ir.ArrayType(WORD, 4), 4)  # three words each; the fourth makes it 32 bytes
CELLS = types.UniTuple(types.uint64, 3)


def instruction(result: types.Type) -> Callable[[Callable[..., Any]], Any]:
    """Make a kernel function of one that writes its LLVM code: (builder, *values) -> value. A ring is an address."""

    def decorate(write: Callable[..., Any]) -> Any:
        def typed(typingctx: Any, *kinds: types.Type) -> Any:
            def generate(context: Any, builder: ir.IRBuilder, signature: Any, values: list[Any]) -> Any:
                given = [to_ring(context, builder, *each) for each in zip(kinds, values, strict=True)]
                return write(builder, *given) or context.get_dummy_value()

            return result(*kinds), generate

        typed.__signature__ = inspect.signature(write)  # type: ignore[attr-defined]  # numba asks for the arguments
        return intrinsic(typed)

    return decorate


def to_ring(context: Any, builder: ir.IRBuilder, kind: types.Type, value: Any) -> Any:
    """An array as the address of its slots, anything else as it is."""
    if not isinstance(kind, types.Array):
        return value
    return builder.bitcast(context.make_array(kind)(context, builder, value).data, SLOTS.as_pointer())


def call(builder: ir.IRBuilder, name: str, *values: Any) -> Any:
    """Call one of LLVM's functions for an instruction; its result is of the type of the first argument."""
    kind = ir.FunctionType(values[0].type, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)


def pack_bits(builder: ir.IRBuilder, bits: Any) -> Any:
    return builder.zext(builder.bitcast(bits, ir.IntType(32)), WORD)


def repeat(number: int) -> ir.Constant:
    return ir.Constant(BYTES, [number] * 32)


def look_up(builder: ir.IRBuilder, low: Any, high: Any, places: Any) -> Any:
    """For each of 32 places the byte of these two words; 0 for places above 127."""
    words = ir.Constant(ir.VectorType(WORD, 4), ir.Undefined)
    for k, word in enumerate((low, high, low, high)):  # pshufb looks things up in each half by itself
        words = builder.insert_element(words, word, ir.IntType(32)(k))
    return call(builder, "llvm.x86.avx2.pshuf.b", builder.bitcast(words, BYTES), places)


@with_plain(plain_space)
@instruction(types.uint64)
def fast_space(builder: ir.IRBuilder, bits: Any) -> Any:
    return call(builder, "llvm.x86.bmi.pdep.64", bits, WORD(int(EVENS)))


@with_plain(plain_evens)
@instruction(types.uint64)
def fast_evens(builder: ir.IRBuilder, line: Any) -> Any:
    return call(builder, "llvm.x86.bmi.pext.64", line, WORD(int(EVENS)))


@with_plain(plain_occupied)
@instruction(types.uint64)
def fast_occupied(builder: ir.IRBuilder, ring: Any) -> Any:
    slots = builder.load(ring, align=8)
    return pack_bits(builder, builder.icmp_unsigned("!=", slots, ir.Constant(SLOTS, None)))


@with_plain(plain_standing_in)
@instruction(types.uint64)
def fast_standing_in(builder: ir.IRBuilder, ring: Any, cells: Any, among: Any) -> Any:
    """A cell is bit cell % 8 of byte cell // 8: bytes 0 to 15 are A and H, bytes 16 to 23 V."""
    a, h, v = (builder.extract_value(cells, k) for k in range(3))
    cell = builder.trunc(builder.load(ring, align=8), BYTES)
    byte, bit = builder.lshr(cell, repeat(3)), builder.and_(cell, repeat(7))
    bit = look_up(builder, EACH_BIT, EACH_BIT, bit)
    in_ah = look_up(builder, a, h, builder.add(byte, repeat(128 - 16)))  # V's are above 127
    in_v = look_up(builder, v, v, builder.sub(byte, repeat(16)))  # A's and H's are below 0
    found = builder.icmp_unsigned("==", builder.and_(builder.or_(in_ah, in_v), bit), bit)
    return builder.and_(pack_bits(builder, found), among)


@with_plain(plain_bomb_at)
@instruction(types.uint64)
def bomb_at(builder: ir.IRBuilder, ring: Any, slot: Any) -> Any:
    slots = builder.bitcast(ring, ir.IntType(16).as_pointer())
    return builder.zext(builder.load(builder.gep(slots, [slot])), WORD)


@with_plain(plain_empty_slots)
@instruction(types.void)
def fast_empty_slots(builder: ir.IRBuilder, ring: Any, slots: Any) -> None:
    gone = builder.bitcast(builder.trunc(slots, ir.IntType(32)), BITS)
    left = builder.select(gone, ir.Constant(SLOTS, None), builder.load(ring, align=8))
    builder.store(left, ring, align=8)


@with_plain(plain_new_sets)
@instruction(types.CPointer(types.uint64))
def new_sets(builder: ir.IRBuilder) -> Any:
    """The sets live as long as the function that asks for them: they can't be returned."""
    sets = cgutils.alloca_once(builder, SETS)
    builder.store(ir.Constant(SETS, None), sets)
    return builder.bitcast(sets, WORD.as_pointer())


def words_of_set(builder: ir.IRBuilder, sets: Any, at: Any) -> list[Any]:
    first = builder.shl(at, WORD(2))
    return [builder.gep(sets, [builder.add(first, WORD(k))]) for k in range(3)]


@with_plain(plain_add_to_set)
@instruction(types.void)
def add_to_set(builder: ir.IRBuilder, sets: Any, at: Any, cells: Any) -> None:
    for k, word in enumerate(words_of_set(builder, sets, at)):
        builder.store(builder.or_(builder.load(word), builder.extract_value(cells, k)), word)


@with_plain(plain_read_set)
@instruction(CELLS)
def read_set(builder: ir.IRBuilder, sets: Any, at: Any) -> Any:
    return cgutils.pack_array(builder, [builder.load(word) for word in words_of_set(builder, sets, at)])


# The names that the engine calls, where there is a choice

space = fast_space if HAS_PEXT else plain_space
evens = fast_evens if HAS_PEXT else plain_evens
occupied = fast_occupied if HAS_SHUFFLE else plain_occupied
standing_in = fast_standing_in if HAS_SHUFFLE else plain_standing_in
empty_slots = fast_empty_slots if HAS_SHUFFLE else plain_empty_slots
