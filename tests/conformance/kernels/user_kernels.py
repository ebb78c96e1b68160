#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels from pieces of C++ against NumPy: element by element and reductions, types, layouts, raw arguments."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

c = arrpy.c


def text(s):
    return None if s is None else s.encode()


def options_of(options):
    return len(options), (ctypes.c_char_p * max(len(options), 1))(*(o.encode() for o in options))


class Kernel:
    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        if getattr(self, "handle", None):
            arrpy.lib.arr_user_kernel_release(self.handle)

    def source(self):
        return arrpy.text_of("arr_user_kernel_source", self.handle)

    def _run(self, name, args, nout, *more):
        values = (c.arr_value * max(len(args), 1))(*(arrpy.value(a) for a in args))
        out = (c.arr_array * max(nout, 1))()
        arrpy.call(name, self.handle, len(args), values, *more, nout, out)
        made = [arrpy.Array(c.arr_array(h.value)) for h in out[:nout]]
        return made[0] if nout == 1 else made


class Elementwise(Kernel):
    def __init__(
        self,
        in_params,
        out_params,
        operation,
        name=None,
        preamble=None,
        loop_prep=None,
        after_loop=None,
        flags=0,
        options=(),
    ):
        out = c.arr_user_kernel()
        arrpy.call(
            "arr_elementwise_kernel",
            text(in_params),
            text(out_params),
            text(operation),
            text(name),
            text(preamble),
            text(loop_prep),
            text(after_loop),
            flags,
            *options_of(options),
            ctypes.byref(out),
        )
        super().__init__(out)

    def __call__(self, *args, nout=1, size=-1, block=0, device=None):
        where = None if device is None else ctypes.byref(arrpy.device_of(device))
        return self._run("arr_elementwise_kernel_run", args, nout, size, block, where, None)


class Reduction(Kernel):
    def __init__(
        self,
        in_params,
        out_params,
        map_expr,
        reduce_expr,
        post=None,
        identity="0",
        name=None,
        reduce_type=None,
        preamble=None,
        options=(),
    ):
        out = c.arr_user_kernel()
        arrpy.call(
            "arr_reduction_kernel",
            text(in_params),
            text(out_params),
            text(map_expr),
            text(reduce_expr),
            text(post),
            text(identity),
            text(name),
            text(reduce_type),
            text(preamble),
            *options_of(options),
            ctypes.byref(out),
        )
        super().__init__(out)

    def __call__(self, *args, nout=1, axis=None, keepdims=False):
        n, axes = arrpy.axes_of(axis)
        return self._run("arr_reduction_kernel_run", args, nout, n, axes, int(keepdims), None)


def close(got, want):
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    wide = "c16" if want.dtype.kind == "c" else "f8"
    tolerance = {2: 1e-2, 4: 1e-5}.get(want.dtype.itemsize, 1e-5 if want.dtype == "c8" else 1e-12)
    return bool(np.allclose(got.astype(wide), want.astype(wide), rtol=tolerance, atol=tolerance, equal_nan=True))


def check(report, label, got, want):
    got = got.numpy()
    report.check(
        label,
        close(got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:4]}, expected {np.asarray(want).dtype} {np.asarray(want).ravel()[:4]}",
    )


def elementwise(report):
    axpy = Elementwise("T x, T y, float64 s", "T r", "r = x * (T)s + y", "axpy")
    types = ["float32", "int16", "complex64", "float16", "uint8", "bfloat16", "float64", "int64", "complex128"]
    for d in types if report.device == "host" else types[:4]:
        x, y = oracle.sample((33, 65), d, 1, "tame"), oracle.sample((65,), d, 2, "tame")
        want = (x.astype("c16" if x.dtype.kind == "c" else "f8") * 2 + y).astype(x.dtype)
        check(report, f"axpy {d} broadcast", axpy(report.array(x), report.array(y), 2), want)
    x = oracle.sample((65, 70), "float32", 3, "tame")
    for layout, base, view in oracle.layouts_of((65, 70)):
        if report.device != "host" and layout not in ("contiguous", "transposed", "mixed"):
            continue
        b = oracle.sample(base, "float32", 4, "tame")
        got = axpy(view(report.array(b)), report.array(np.float32(1)), 3.0)
        check(report, f"axpy {layout}", got, view(b) * 3 + 1)
        target = report.array(np.zeros(base, "f4"))
        axpy(view(target), view(report.array(b)), 0.5, view(target), nout=0)
        check(report, f"axpy {layout} in place", view(target), view(b))
    transposed = axpy(report.array(x).T, report.array(x).T, 1.0)
    report.check("the result keeps the order", transposed.strides == (1, 70), str(transposed.strides))
    both = Elementwise("T x, T y", "T q, int32 w", "q = x - y; w = x > y ? 1 : -1;")
    q, w = both(report.array(x), 5, nout=2)
    check(report, "two outputs", q, x - 5)
    check(report, "two outputs, the second", w, np.where(x > 5, 1, -1).astype("i4"))
    check(report, "empty", axpy(report.array(x[:0]), report.array(x[:0]), 1.0), x[:0])
    check(report, "0-d", axpy(report.array(np.float32(2)), report.array(np.float32(1)), 4.0), np.float32(9))
    z = Elementwise("complex64 z", "complex64 r, float32 a", "r = 1 / conj(z) * z + exp(z); r += 2; a = abs(z) + z.re")
    v = (np.arange(1, 9) + 2j).astype("c8") / 4
    r, a = z(report.array(v), nout=2)
    check(report, "complex", r, v / v.conj() + np.exp(v) + np.complex64(2))
    check(report, "complex abs", a, (np.abs(v) + v.real).astype("f4"))


def raw(report):
    x = oracle.sample((40, 30), "float32", 5, "tame")
    gather = Elementwise("int64 at, raw T x", "T r", "r = x[at]")
    at = np.array([[0, 5, 1199], [41, 2, 700]])
    for label, view in [("contiguous", lambda a: a), ("transposed", lambda a: a.T), ("step", lambda a: a[::2, 1:])]:
        n = view(x).size
        check(report, f"raw {label}", gather(report.array(at % n), view(report.array(x))), view(x).ravel()[at % n])
    i = Elementwise("T x", "int64 r", "r = i * 10 + _ind.size()")
    check(
        report, "i and _ind of a transposed array", i(report.array(x).T), (np.arange(1200) * 10 + 1200).reshape(30, 40)
    )
    nd = Elementwise(
        "raw T x, T y",
        "T r",
        "long long to[] = {_ind.get()[1], _ind.get()[0]}; r = x[to] + y + _ind.shape()[0]",
        flags=c.ARR_KERNEL_KEEP_DIMS,
    )
    check(report, "n-d index", nd(report.array(x), report.array(x.T.copy())), x.T * 2 + 30)
    diff = Elementwise("raw T x", "T r", "r = x[i + 1] - x[i]")
    check(report, "all raw with a size", diff(report.array(x.ravel()), size=1199), np.diff(x.ravel()))
    count = Elementwise("", "int32 r", "r = (int)i", preamble="")
    check(report, "no input", count(size=77, device=report.device), np.arange(77, dtype="i4"))
    histogram = Elementwise("int32 x", "raw int32 h", "atomicAdd(&h[x], 1)")
    data = np.arange(10000, dtype="i4") % 7
    into = report.array(np.zeros(7, "i4"))
    histogram(report.array(data), into, nout=0)
    check(report, "raw output", into, np.bincount(data).astype("i4"))
    loops = Elementwise(
        "T x",
        "T r, raw int32 n",
        "r = x * TWO; ++mine;",
        loop_prep="int mine = 0;",
        after_loop="atomicAdd(&n[0], mine)",
        options=["-DTWO=2"],
        preamble="// nothing\n",
    )
    counter = report.array(np.zeros(1, "i4"))
    out = report.array(np.zeros_like(x))
    loops(report.array(x), out, counter, nout=0)
    check(report, "loop_prep and after_loop: elements", out, x * 2)
    check(report, "loop_prep and after_loop", counter, np.array([1200], "i4"))
    square = Elementwise(
        "T x",
        "T r",
        "r = square(x) + OFFSET",
        preamble="template <class T> __device__ T square(T x) { return x * x; }\n#define OFFSET 1",
    )
    check(report, "preamble", square(report.array(x)), x * x + 1)


def definitions(report):
    """Names that the library's text in front of a kernel has too."""
    options = [
        "-DN=4",
        "-D",
        "C=5",
        "--define-macro",
        "shape=6",
        "--define-macro=strides=7",
        "-Dsize=8",
        "-DF",
        "-DI=9",
        "-Dd=1",
        "-Dindex=2",
        "-Dnext(x)=((x)+1)",
        "-DGONE=1",
        "-UGONE",
        "-Dvalue=1",
        "-Dop=1",
        "-Dre=2",
        "-Dbits=3",
    ]
    total = "N + C + shape + strides + size + F + I + d + index + next(1)"
    for d in ("float32", "complex64") if report.device == "host" else ("float32",):
        x = oracle.sample((6, 8), d, 1, "tame")
        a = report.array(x)
        k = Elementwise(
            "T x, raw T y",
            "T r",
            f"\n#ifdef GONE\n#error still there\n#endif\nr = x + y[1] + (T)({total})",
            options=options,
        )
        check(report, f"definitions elementwise {d}", k(a.T, a), (x.T + x[0, 1] + 45).astype(d))
        k = Reduction("T x", "T r", f"x + (T)({total})", "a + b", options=options)
        check(report, f"definitions reduction {d}", k(a.T, axis=0), (x.T + 45).sum(0).astype(d))


def reductions(report):
    dot = Reduction("T x, T y", "T r", "x * y", "a + b", name="dot")
    for d in ("float32", "int64", "complex128", "float16") if report.device == "host" else ("float32",):
        x, y = oracle.sample((12, 9, 10), d, 6, "tame"), oracle.sample((9, 1), d, 7, "tame")
        if d == "float16":
            x, y = x / 8, y / 8
        whole = x.astype("c16" if x.dtype.kind == "c" else "f8") * y
        for axis in (None, 0, 1, 2, (0, 2), (), -1) if report.device == "host" else (None, 0, (0, 2)):
            for keepdims in (False, True):
                want = np.asarray(whole.sum(axis=axis, keepdims=keepdims)).astype(d) if axis != () else whole.astype(d)
                check(
                    report,
                    f"dot {d} axis {axis} keepdims {keepdims}",
                    dot(report.array(x), report.array(y), axis=axis, keepdims=keepdims),
                    want,
                )
    x = oracle.sample((700, 900), "float32", 8, "tame")
    check(report, "long", dot(report.array(x), report.array(x)), (x.astype("f8") ** 2).sum().astype("f4"))
    first = dot(report.array(x), report.array(x)).item()
    report.check("the same bits again", all(dot(report.array(x), report.array(x)).item() == first for _ in range(3)))
    check(
        report,
        "long, transposed",
        dot(report.array(x).T, report.array(x).T, axis=0),
        (x.astype("f8") ** 2).sum(1).astype("f4"),
    )
    check(report, "nothing", dot(report.array(x[:0]), report.array(x[:0]), axis=0), np.zeros(900, "f4"))
    check(report, "no output", dot(report.array(x[:, :0]), report.array(x[:, :0]), axis=0), np.zeros(0, "f4"))
    norm = Reduction("T x, float32 scale", "T r", "x * x", "a + b", "r = sqrt(a) * scale", "0", "norm")
    check(report, "post", norm(report.array(x), 2, axis=1), np.sqrt((x.astype("f8") ** 2).sum(1)).astype("f4") * 2)
    pair = Reduction(
        "T x",
        "T least, T most",
        "pair{x, x}",
        "(pair{min(a.lo, b.lo), max(a.hi, b.hi)})",
        "least = a.lo; most = a.hi",
        "(pair{1e30f, -1e30f})",
        "extent",
        "pair",
        "struct pair { float lo, hi; };",
    )
    lo, hi = pair(report.array(x), nout=2, axis=0)
    check(report, "a type of one's own", lo, x.min(0))
    check(report, "a type of one's own, the second output", hi, x.max(0))
    mean = Reduction("T x, int32 n", "float64 m", "x", "a + b", "m = a / n", "0", reduce_type="double")
    check(report, "reduce_type", mean(report.array(x), x.size), x.astype("f8").mean())
    looked = Reduction("int32 at, raw T table", "T r", "table[at]", "a * b", identity="1")
    check(
        report,
        "raw in a reduction",
        looked(report.array(np.array([1, 2, 3], "i4")), report.array(np.arange(1.0, 9.0))),
        np.float64(24),
    )
    into = report.array(np.zeros((700, 1), "f4"))
    dot(report.array(x), report.array(x), into, nout=0, axis=1, keepdims=True)
    check(report, "reduction into", into, (x.astype("f8") ** 2).sum(1, keepdims=True).astype("f4"))


def refusals(report):
    def refused(label, status, call, says=""):
        try:
            call()
            report.check(label, False, "accepted")
        except arrpy.Error as e:
            report.check(label, e.status == status and says in str(e), str(e))

    E = Elementwise
    for params, says in [
        ("T x,", "in_params: column 5: expected a type"),
        ("T", "column 2: expected a name"),
        ("T x T y", 'column 5: expected ","'),
        ("flot x", 'column 1: "flot" is not a dtype'),
        ("T x, T x", "column 8: the name x is used twice"),
        ("T i", "column 3: the name i is taken"),
        ("raw x", "expected a name"),
        ("T 3x", "column 3: expected a name"),
        ("T _x", "taken"),
        ("T x;", "column 4"),
        ("T x, \xff", "column 6"),
    ]:
        refused(f"in_params {params!r}", c.ARR_E_ARGUMENT, lambda p=params: E(p, "T r", "r = x"), says)
    refused("no output", c.ARR_E_ARGUMENT, lambda: E("T x", "", ""), "out_params")
    refused("an output called as an input", c.ARR_E_ARGUMENT, lambda: E("T x", "T x", ""), "out_params")
    refused("a bad name", c.ARR_E_ARGUMENT, lambda: E("T x", "T r", "", "a b"), "name")
    refused("a raw output of a reduction", c.ARR_E_ARGUMENT, lambda: Reduction("T x", "raw T r", "x", "a + b"), "raw")
    x, y = report.array(np.ones((3, 4), "f4")), report.array(np.ones((3, 4), "f8"))
    k = E("T x, T y", "T r", "r = x + y", "sum")
    refused("types differ", c.ARR_E_DTYPE, lambda: k(x, y), "args[1]: float64, but y is T = float32")
    refused("a number of another type", c.ARR_E_DTYPE, lambda: k(x, np.float64(1)), "args[1]")
    refused(
        "a number that does not fit",
        c.ARR_E_ARGUMENT,
        lambda: E("int8 x", "int8 r", "r = x")(300, size=2, device=report.device),
        "300",
    )
    refused("a fixed type", c.ARR_E_DTYPE, lambda: E("float32 x", "float32 r", "r = x")(y), "but x is float32")
    refused("an unbound type", c.ARR_E_DTYPE, lambda: E("T x", "S r", "r = x")(x), "cannot infer type S of r")
    refused("too few", c.ARR_E_ARGUMENT, lambda: k(x), "nargs")
    refused("shapes", c.ARR_E_SHAPE, lambda: k(x, report.array(np.ones(3, "f4"))))
    refused("shape of an output", c.ARR_E_SHAPE, lambda: k(x, x, report.array(np.ones(4, "f4")), nout=0), "args[2]")
    refused("a number for an output", c.ARR_E_ARGUMENT, lambda: k(x, x, 1, nout=0), "args[2]")
    refused("a number for a raw parameter", c.ARR_E_ARGUMENT, lambda: E("raw T x", "T r", "r = 0")(1, size=3), "raw")
    refused("no size", c.ARR_E_ARGUMENT, lambda: E("raw T x", "T r", "r = x[i]")(x), "size")
    refused("a size too much", c.ARR_E_ARGUMENT, lambda: k(x, x, size=3), "size")
    refused("read-only output", c.ARR_E_READONLY, lambda: k(x, x, x[0].broadcast_to((3, 4)), nout=0), "args[2]")
    refused("nout", c.ARR_E_ARGUMENT, lambda: k(x, x, nout=2), "nout")
    refused("block", c.ARR_E_ARGUMENT, lambda: k(x, x, block=5000), "block_size")
    refused("axis", c.ARR_E_SHAPE, lambda: Reduction("T x", "T r", "x", "a + b")(x, axis=5), "axis")
    bad = E("T x", "T r", "r = undefined_thing(x)", "wrong")
    refused("code that does not compile", c.ARR_E_COMPILE, lambda: bad(x), "undefined_thing")
    report.check("its log", "undefined_thing" in arrpy.text_of("arr_module_log", None))
    report.check("its source", "undefined_thing" in bad.source())
    r = Reduction("T x", "T r", "x", "a + b")
    refused(
        "the other sort",
        c.ARR_E_ARGUMENT,
        lambda: Elementwise._run(r, "arr_elementwise_kernel_run", [x], 1, -1, 0, None, None),
        "arr_elementwise_kernel",
    )
    ok = k(x, x)
    check(report, "still works", ok, np.full((3, 4), 2, "f4"))


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((elementwise, raw, definitions, reductions, refusals)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
