#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Element types: limits, casts, promotion, kinds, names and the signatures of ops, for all types and pairs of types
against NumPy 2 and ml_dtypes."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import ml_dtypes
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
PLAIN = [d for d in oracle.ALL if d != "bfloat16"]


def number(d):
    return arrpy.number(oracle.dtype(d))


def ask(name, *arguments):
    """The number or truth value that is the last parameter."""
    out = C.PROTOTYPES[name][1][-1]._type_()
    arrpy.call(name, *arguments, ctypes.byref(out))
    return out.value


def type_of(name, *arguments):
    return arrpy.DTYPES[ask(name, *arguments)]


def scalar(v):
    return np.frombuffer(bytes(v)[8:], arrpy.DTYPES[v.dtype], 1)[0]


def limits(report):
    whole = ("bits", "nmant", "nexp", "minexp", "maxexp", "machep", "negep", "precision")
    reals = ("eps", "epsneg", "min", "max", "smallest_normal", "smallest_subnormal", "resolution")
    for d in oracle.FLOATS + oracle.COMPLEX:
        got = C.arr_float_limits(ctypes.sizeof(C.arr_float_limits))
        arrpy.call("arr_finfo", number(d), ctypes.byref(got))
        want = ml_dtypes.finfo(oracle.dtype(d)) if d == "bfloat16" else np.finfo(d)
        for field in whole:
            report.check(
                f"finfo {d} {field}",
                getattr(got, field) == getattr(want, field),
                f"{getattr(got, field)} {getattr(want, field)}",
            )
        for field in reals:
            report.check(
                f"finfo {d} {field}",
                getattr(got, field) == float(getattr(want, field)),
                f"{getattr(got, field)!r} {getattr(want, field)!r}",
            )
        report.check(f"finfo {d} dtype", arrpy.DTYPES[got.dtype] == want.dtype)
        report.check(f"finfo {d} tiny", got.smallest_normal == float(want.tiny))
    for d in oracle.SIGNED + oracle.UNSIGNED:
        bits, low, high = ctypes.c_int32(), C.arr_value(), C.arr_value()
        arrpy.call("arr_iinfo", number(d), *map(ctypes.byref, (bits, low, high)))
        want = np.iinfo(d)
        report.check(f"iinfo {d}", (bits.value, int(scalar(low)), int(scalar(high))) == (want.bits, want.min, want.max))
        report.check(f"iinfo {d} types", scalar(low).dtype == scalar(high).dtype == np.dtype(d))
        arrpy.call("arr_iinfo", number(d), None, None, None)
    wrong = C.arr_float_limits(8)
    report.check(
        "finfo of another size refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_finfo", C.ARR_FLOAT32, ctypes.byref(wrong))),
    )
    right = C.arr_float_limits(ctypes.sizeof(C.arr_float_limits))
    for d in ("bool", "int8", "uint64"):
        report.check(
            f"finfo of {d} refused",
            oracle.raises(C.ARR_E_DTYPE, lambda d=d: arrpy.call("arr_finfo", number(d), ctypes.byref(right))),
        )
    for d in ("bool", "float32", "complex64"):
        report.check(
            f"iinfo of {d} refused",
            oracle.raises(C.ARR_E_DTYPE, lambda d=d: arrpy.call("arr_iinfo", number(d), None, None, None)),
        )


def structs(report):
    """As NumPy's aligned structs, which know no bfloat16, and begin complex numbers where C begins their parts."""
    plain = [d for d in oracle.ALL if d != "bfloat16" and d not in oracle.COMPLEX]
    r = np.random.default_rng(7)
    for k in range(100):
        n = int(r.integers(1, 9))
        types = [plain[i] for i in r.integers(0, len(plain), n)]
        counts = [int(c) for c in r.integers(1, 5, n)]
        want = np.dtype([(f"f{i}", t, (c,)) for i, (t, c) in enumerate(zip(types, counts))], align=True)
        offsets, size, alignment = (ctypes.c_int64 * n)(), ctypes.c_int64(), ctypes.c_int64()
        numbers = (ctypes.c_int32 * n)(*(number(t) for t in types))
        arrpy.call(
            "arr_struct_layout", n, numbers, arrpy.int64s(counts), offsets, *map(ctypes.byref, (size, alignment))
        )
        got = list(offsets), size.value, alignment.value
        report.check(
            f"struct {k}",
            got == ([want.fields[f][1] for f in want.names], want.itemsize, want.alignment),
            f"{types} {counts}: {got}, expected {want}",
        )


def casts(report):
    # ml_dtypes registers fewer casts of bfloat16 than NumPy has of float16; the library treats the two alike.
    for (a, b), casting in itertools.product(itertools.product(oracle.ALL, oracle.ALL), arrpy.CASTINGS):
        like = [d if d != "bfloat16" else "float16" for d in (a, b)]
        want = np.can_cast(*like, casting)
        if "bfloat16" in (a, b) and {a, b} <= {"float16", "bfloat16"}:
            want = a == b or casting in ("same_kind", "unsafe")
        got = ask("arr_can_cast", number(a), number(b), arrpy.CASTINGS[casting])
        report.check(f"can_cast {a} {b} {casting}", got == want)
    report.check(
        "can_cast by no rule refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: ask("arr_can_cast", C.ARR_INT8, C.ARR_INT8, 5)),
    )
    report.check(
        "can_cast of no type refused", oracle.raises(C.ARR_E_DTYPE, lambda: ask("arr_can_cast", 0, C.ARR_INT8, 0))
    )


def result_type(operands):
    values = [arrpy.value(o) for o in operands]
    return type_of("arr_result_type", len(values), (C.arr_value * len(values))(*values))


def one(d):
    """A number that stands for its type."""
    return oracle.dtype(d).type(1)


def promotion(report):
    for a, b in itertools.product(PLAIN, PLAIN):
        report.check(
            f"promote_types {a} {b}", type_of("arr_promote_types", number(a), number(b)) == np.promote_types(a, b)
        )
        report.check(f"result_type {a} {b}", result_type([one(a), one(b)]) == np.result_type(a, b))
    for three in itertools.product(PLAIN, repeat=3):
        report.check(f"result_type {three}", result_type(map(one, three)) == np.result_type(*three))
    r = np.random.default_rng(0)
    for _ in range(2000):
        some = [PLAIN[i] for i in r.integers(0, len(PLAIN), r.integers(4, 8))]
        report.check(f"result_type {some}", result_type(map(one, some)) == np.result_type(*some))
    weak = [True, 3, 2.5, 1j]
    for n in (1, 2, 3):
        for numbers in itertools.product(weak, repeat=n):
            report.check(f"result_type {numbers}", result_type(numbers) == np.result_type(*numbers))
            for d in PLAIN:
                report.check(
                    f"result_type {d} {numbers}",
                    result_type([one(d), *numbers]) == np.result_type(oracle.dtype(d), *numbers),
                )
    for d in oracle.ALL:
        like = "float16" if d == "bfloat16" else d
        want = np.promote_types(like, "int8")
        want = oracle.dtype("bfloat16") if d == "bfloat16" else want
        report.check(f"result_type {d} int8", result_type([one("int8"), one(d)]) == want)
    a, b = report.array(np.ones((2, 3), "i2")), report.array(np.ones(3, "f4"))
    report.check("result_type of arrays", result_type([a, b, 2.5]) == np.float32)
    report.check("result_type of an array and a number", result_type([a, np.uint16(1), 1]) == np.int32)
    # Ops with three operands follow it.
    x, y, z = (report.array(np.ones(4, d)) for d in ("i2", "u2", "f4"))
    for args in itertools.permutations((x, y, z)):
        report.check("clip of three types", arrpy.clip(*args).dtype == np.float32)
    report.check(
        "result_type of nothing refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: ask("arr_result_type", 0, None))
    )
    empty = C.arr_value()
    report.check(
        "result_type of an empty value refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: ask("arr_result_type", 1, ctypes.byref(empty))),
    )


def min_scalar(report):
    whole = [
        0,
        1,
        10,
        -1,
        -10,
        127,
        128,
        255,
        256,
        -128,
        -129,
        32767,
        32768,
        65535,
        65536,
        -32768,
        -32769,
        2**31,
        2**32 - 1,
        2**32,
        -(2**31),
        -(2**31) - 1,
        2**63 - 1,
        -(2**63),
    ]
    reals = [
        0.0,
        1.5,
        -0.0,
        64999.0,
        65000.0,
        65504.0,
        -65001.0,
        3.3e38,
        3.4e38,
        1e300,
        -1e300,
        np.inf,
        -np.inf,
        np.nan,
    ]
    cases = (
        [np.bool_(True)]
        + [np.int64(v) for v in whole]
        + [np.uint64(v) for v in whole if v >= 0]
        + [np.uint64(2**64 - 1)]
    )
    cases += [np.int16(-5), np.uint8(200), np.float16(3)] + [np.float32(v) for v in reals if not 1e39 < abs(v) < np.inf]
    cases += [np.float64(v) for v in reals] + [np.complex64(1j)]
    cases += [np.complex128(complex(a, b)) for a, b in itertools.product(reals, repeat=2)]
    for v in cases:
        got = type_of("arr_min_scalar_type", ctypes.byref(arrpy.value(v)))
        report.check(f"min_scalar_type {v!r}", got == np.min_scalar_type(v), f"{got} {np.min_scalar_type(v)}")
    for d in oracle.ALL:
        a = report.array(np.ones(3, oracle.dtype(d)))
        report.check(
            f"min_scalar_type of an array {d}", type_of("arr_min_scalar_type", ctypes.byref(arrpy.value(a))) == a.dtype
        )


def kinds(report):
    standard = (
        "bool",
        "signed integer",
        "unsigned integer",
        "integral",
        "real floating",
        "complex floating",
        "numeric",
    )
    classes = (
        "signedinteger",
        "unsignedinteger",
        "integer",
        "floating",
        "complexfloating",
        "inexact",
        "number",
        "generic",
    )
    for d, k in itertools.product(PLAIN, standard):
        got = ask("arr_isdtype", number(d), ask("arr_kind_find", k.encode()))
        report.check(f"isdtype {d} {k}", got == np.isdtype(np.dtype(d), k))
    for d, k in itertools.product(PLAIN, classes):
        got = ask("arr_isdtype", number(d), ask("arr_kind_find", k.encode()))
        report.check(f"issubdtype {d} {k}", got == np.issubdtype(d, getattr(np, k)))
    for k in standard + classes:
        got = ask("arr_isdtype", C.ARR_BFLOAT16, ask("arr_kind_find", k.encode()))
        report.check(
            f"isdtype bfloat16 {k}",
            got == (k in ("real floating", "numeric", "floating", "inexact", "number", "generic")),
        )
    report.check("isdtype of several", ask("arr_isdtype", C.ARR_BOOL, C.ARR_KIND_BOOL | C.ARR_KIND_INEXACT) == 1)
    report.check("no kind refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: ask("arr_kind_find", b"floats")))
    report.check("bits of no kind refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: ask("arr_isdtype", C.ARR_BOOL, 32)))
    for d in oracle.ALL:
        x = np.ones((3, 4), oracle.dtype(d))
        for a in (x, np.asfortranarray(x), x[:, ::2], x[0], x[:, :1], x[:0]):
            # A view of the same strides on the device.
            b = arrpy.wrap(a)
            want = [a.dtype.kind == "c", a.dtype.kind != "c", np.isfortran(a)]
            got = [ask(f"arr_{n}", b.handle) for n in ("iscomplexobj", "isrealobj", "isfortran")]
            report.check(f"queries {d} {a.shape} {a.strides}", got == want, f"{got} {want}")


def names(report):
    codes = ["f2", "f4", "f8", "c8", "c16", "i1", "<i2", "<i4", "i8", "|u1", "u2", "<u4", "u8", "|b1", "<c16"]
    other = [
        "byte",
        "short",
        "intc",
        "int",
        "int_",
        "intp",
        "long",
        "longlong",
        "ubyte",
        "ushort",
        "uintc",
        "uint",
        "uintp",
        "ulong",
        "ulonglong",
        "half",
        "single",
        "float",
        "double",
        "csingle",
        "complex",
        "cdouble",
        "bool",
        "bool_",
    ]
    for n in codes + other + PLAIN:
        want = np.dtype(getattr(np, n)) if hasattr(np, n) and n in other else np.dtype(n)
        report.check(f"dtype of {n}", type_of("arr_dtype_find", n.encode()) == want)
    report.check("dtype of bfloat16", ask("arr_dtype_find", b"bfloat16") == C.ARR_BFLOAT16)
    for n in ("", "f", "4", "f3", "<", "float31", "Float32", "object", "<f4 "):
        report.check(f"no dtype {n!r}", oracle.raises(C.ARR_E_DTYPE, lambda n=n: ask("arr_dtype_find", n.encode())))


def signatures(report):
    """Every signature is one that the op itself keeps to, and NumPy's loops are among them."""
    index, name, op, nin = 0, ctypes.c_char_p(), ctypes.c_int32(), ctypes.c_int32()
    while arrpy.lib.arr_op_info(index, ctypes.byref(op), ctypes.byref(name), ctypes.byref(nin), None, None) == C.ARR_OK:
        index += 1
        text, nout = name.value.decode(), ctypes.c_int32()
        arrpy.call("arr_op_find", name, ctypes.byref(op), ctypes.byref(nin), ctypes.byref(nout))
        total, loops = nin.value + nout.value, []
        types = (ctypes.c_int32 * total)()
        while arrpy.lib.arr_op_types(op, len(loops), total, types) == C.ARR_OK:
            loops.append([arrpy.DTYPES[t] for t in types])
        report.check(f"{text} has signatures", len(loops) > 0)
        for loop in loops:
            args = [report.array(np.ones(1, d)) for d in loop[: nin.value]]
            got = arrpy.ufunc(op.value, *args) if nout.value == 1 else arrpy.ufunc(text, *args)
            got = [g.dtype for g in (got if isinstance(got, list) else [got])]
            report.check(f"{text} {loop}", got == loop[nin.value :], f"{got}")
        theirs = getattr(np, text, None)
        if not isinstance(theirs, np.ufunc):
            continue
        report.check(f"{text} counts", (theirs.nin, theirs.nout, theirs.nargs) == (nin.value, nout.value, total))
        mine = {tuple(d.char.replace("q", "l").replace("Q", "L") for d in loop) for loop in loops}
        known = [t for t in theirs.types if not set(t) & set("gGOMmFDqQ")]
        missing = [t for t in known if tuple(t.replace("->", "")) not in mine]
        report.check(f"{text} has NumPy's loops", text in OTHER_LOOPS or not missing, f"{missing}")
    report.check(
        "types of another count refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_op_types", C.ARR_OP_ADD, 0, 2, (ctypes.c_int32 * 3)())),
    )
    report.check(
        "types past the last refused",
        oracle.raises(
            C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_op_types", C.ARR_OP_ADD, 99, 3, (ctypes.c_int32 * 3)())
        ),
    )


# NumPy has loops here that the library reaches by converting the operands: mixed signs of comparisons, an exponent
# of another integer type, bool as integers.
OTHER_LOOPS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "ldexp", "frexp")

if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in (limits, structs, casts, promotion, min_scalar, kinds, names, signatures):
        part(report)
    report.finish()
