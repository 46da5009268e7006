"""The primitives as Numba knows them, and memory on the stack for the loops of `machine`."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic, overload

from treewise.compiled import primitives

IN_PLACE = 2048
"""Playouts run on a copy of the record on the stack, which the compiler may keep in registers; records of
more bytes than this are played where they are."""

_I1, _I8, _I64, _I128 = (ir.IntType(width) for width in (1, 8, 64, 128))
_STEP, _FLIP = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)
_ONE, _HALF = np.uint64(1), np.uint64(32)

# ---- the primitives ----------------------------------------------------------------------------------------


def _fold(_: Any, a: Any, b: Any) -> Any:
    """The two halves of a 128-bit product, xored."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
        high = builder.trunc(builder.lshr(product, ir.Constant(_I128, 64)), _I64)
        return builder.xor(high, builder.trunc(product, _I64))

    return types.uint64(types.uint64, types.uint64), codegen


def _population(_: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


def _trailing(_: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(_I1, 0))

    return types.int64(types.uint64), codegen


def _deposit(_: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64, _I64])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


fold, population, trailing, deposit = map(intrinsic, (_fold, _population, _trailing, _deposit))


def _target_has_bmi2() -> bool:
    if config.CPU_NAME or config.CPU_FEATURES is not None:
        return False  # compiling for a processor other than this one
    return bool(binding.get_host_cpu_features().get("bmi2", False))


def _nth_impl(bits: Any, k: Any) -> Any:
    def deposited(bits: Any, k: Any) -> Any:
        return trailing(deposit(_ONE << np.uint64(k), np.uint64(bits)))

    def stepped(bits: Any, k: Any) -> Any:
        rest = np.uint64(bits)
        for _ in range(k):
            rest &= rest - _ONE
        return trailing(rest)

    return deposited if _target_has_bmi2() else stepped


def _below_impl(rng: Any, bound: Any) -> Any:
    def impl(rng: Any, bound: Any) -> Any:
        if bound < 1:
            raise ValueError("below: nothing to choose from")
        rng[0] += _STEP
        return np.int64(((fold(rng[0], rng[0] ^ _FLIP) >> _HALF) * np.uint64(bound)) >> _HALF)

    return impl


def _uniform_impl(rng: Any) -> Any:
    def impl(rng: Any) -> Any:
        rng[0] += _STEP
        return np.float64(fold(rng[0], rng[0] ^ _FLIP) >> np.uint64(11)) * 2.0**-53

    return impl


def _register_primitives() -> None:
    options = {"jit_options": {"error_model": "numpy"}}

    overload(primitives.bit, **options)(lambda square: lambda square: _ONE << np.uint64(square & 63))
    overload(primitives.count, **options)(lambda bits: lambda bits: population(np.uint64(bits)))
    overload(primitives.lowest, **options)(lambda bits: lambda bits: trailing(np.uint64(bits)))
    overload(primitives.clear_lowest, **options)(lambda bits: lambda bits: np.uint64(bits) & (np.uint64(bits) - _ONE))
    overload(primitives.nth, **options)(_nth_impl)
    overload(primitives.below, **options)(_below_impl)
    overload(primitives.uniform, **options)(_uniform_impl)


_register_primitives()


# ---- memory on the stack -----------------------------------------------------------------------------------


def stack(element: Any, size: int) -> Any:
    """An intrinsic that gives `size` places on the stack of the function it is inlined into."""

    def places(_: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return cgutils.alloca_once(builder, context.get_data_type(element), size=size)

        return types.CPointer(element)(), codegen

    return intrinsic(places)


def _memcpy(builder: Any, target: Any, source: Any, size: int) -> None:
    pointer = _I8.as_pointer()
    function = builder.module.declare_intrinsic("llvm.memcpy", [pointer, pointer, _I64])
    arguments = [builder.bitcast(target, pointer), builder.bitcast(source, pointer)]
    builder.call(function, [*arguments, ir.Constant(_I64, size), ir.Constant(_I1, 0)])


def _local(_: Any, record: Any) -> Any:
    """The record to play on: a copy on the stack, or a large one itself."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if record.size > IN_PLACE:
            return args[0]
        copy = cgutils.alloca_once(builder, context.get_data_type(record))
        copy.align = 16
        _memcpy(builder, copy, args[0], record.size)
        return copy

    return record(record), codegen


def _write_back(_: Any, target: Any, record: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if record.size <= IN_PLACE:
            _memcpy(builder, args[0], args[1], record.size)
        return context.get_dummy_value()

    return types.void(target, record), codegen


local, write_back = intrinsic(_local), intrinsic(_write_back)
