"""Marks for kernels, and the sampler: the instructions that the functions of marks.py stand for.

The memory of all marks is found by name when compiled code is loaded, so that the cache can keep the code.
"""

from typing import Any

from llvmlite import binding, ir

from engine.compile.numba_parts import cfunc, impl_ret_borrowed, intrinsic, types
from engine.compile.plain import with_plain
from hsctl.research.bench.profile.marks import (
    CALLS,
    HERE,
    MEMORY,
    NEXT,
    ORIGINS,
    PHASES,
    SAMPLES,
    USED,
    enter_plainly,
    leave_plainly,
)

SYMBOL = "hsctl_profile"
WORD = ir.IntType(64)
binding.add_symbol(SYMBOL, MEMORY.ctypes.data)


def number(value: int) -> Any:
    return ir.Constant(WORD, value)


def at(builder: Any, index: Any) -> Any:
    """The address of a number in MEMORY."""
    kind = ir.ArrayType(WORD, MEMORY.size)
    memory = builder.module.globals.get(SYMBOL) or ir.GlobalVariable(builder.module, kind, SYMBOL)
    return builder.gep(memory, [number(0), index], inbounds=True)


def fence(builder: Any) -> None:
    """Nothing is loaded or stored on the other side of this; it costs no instruction."""
    builder.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [], True)


def add_one(builder: Any, index: Any) -> Any:
    address = at(builder, index)
    more = builder.add(builder.load(address), number(1))
    builder.store(more, address)
    return more


@with_plain(enter_plainly)
@intrinsic
def profile_enter(context: Any, phase: Any) -> Any:
    """Begin a phase below the one that the thread is in; returns where that is."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        fence(builder)
        before = builder.load(at(builder, number(HERE)))
        origin = builder.add(builder.mul(before, number(PHASES)), arguments[0])
        link = at(builder, builder.add(origin, number(NEXT)))
        with builder.if_then(builder.icmp_signed("==", builder.load(link), number(0)), likely=False):
            place = add_one(builder, number(USED))
            builder.store(place, link)
            builder.store(origin, at(builder, builder.add(place, number(ORIGINS))))
        place = builder.load(link)
        add_one(builder, builder.add(place, number(CALLS)))
        builder.store(place, at(builder, number(HERE)))
        fence(builder)
        return before

    return types.int64(types.int64), generate


@with_plain(leave_plainly)
@intrinsic
def profile_leave(context: Any, before: Any) -> Any:
    """End a phase: back to where it was begun."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        fence(builder)
        builder.store(arguments[0], at(builder, number(HERE)))
        fence(builder)
        return target.get_dummy_value()

    return types.void(types.int64), generate


@with_plain(lambda value: None)
@intrinsic
def profile_use(context: Any, value: Any) -> Any:
    """Do nothing with a value, so that the compiler must compute it."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (used,) = arguments
        if isinstance(value, types.Float):
            used = builder.bitcast(used, WORD)
        if isinstance(value, types.Boolean | types.Integer) and used.type.width < WORD.width:
            used = builder.zext(used, WORD)
        if not isinstance(value, types.NoneType):
            builder.asm(ir.FunctionType(ir.VoidType(), [WORD]), "", "r,~{memory}", [used], True)
        return target.get_dummy_value()

    return types.void(value), generate


@with_plain(lambda value: value)
@intrinsic
def profile_hide(context: Any, value: Any) -> Any:
    """The same value, but the compiler doesn't know it; what a value points to it can't know after `fence` either."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (given,) = arguments
        if isinstance(value, types.Integer):
            return builder.asm(ir.FunctionType(given.type, [given.type]), "", "=r,0", [given], True)
        return impl_ret_borrowed(target, builder, signature.return_type, given)

    return value(value), generate


@intrinsic
def take_sample(context: Any) -> Any:
    """Count a sample where the thread is."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        add_one(builder, builder.add(builder.load(at(builder, number(HERE))), number(SAMPLES)))
        return target.get_dummy_value()

    return types.void(), generate


def make_sampler() -> Any:
    """What the timer's signal calls: machine code, since Python would only look between two of its own instructions."""

    def sample(signal_number: Any) -> Any:
        take_sample()  # type: ignore[call-arg]

    return cfunc("void(int32)")(sample)
