#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""error_texts.py - what the texts of errors promise, by calls of every public function that are wrong in one place or
two (tests/support/hostile.py): a text is UTF-8 and one line, begins with the function's name, and an argument that it
names is one of the function's parameters. Bad input is never an internal error, and a call that fails makes nothing.

ARR_TEST_SEED turns the choice, ARR_TEST_WHOLE=1 makes twenty times as many calls, --one-in N a part of them; --only
FUNCTION takes one.
"""

import ctypes
import random
import re
import unicodedata

import numpy as np

import oracle  # adds the folder of the others
import arrapi
import hostile
from arrapi import FUNCTIONS
from oracle import arrpy

c = arrpy.c
ROUNDS, FAMILY_ROUNDS = 60, 12
LIMIT = 256 << 20  # bytes, as the tests set it
# Calls that change the process or what follows, take addresses on trust, or wait: only with nothing.
WITH_NOTHING = re.compile(
    r"arr_(benchmark|print|comm_(mpi|from_mpi|from_mpi_fortran)|cache_set_.*|log_set|memory_(copy|set|limit|limit_fraction|trim|set_.*|hook_.*)|pinned_(register|unregister|set_.*)|"
    r"device_(set_limit|peer|reset|select)|stream_(host_function|wrap)|event_wrap|from_dlpack|from_dlpack_legacy|to_dlpack|to_dlpack_legacy|to_cuda_array_interface|from_cuda_array_interface|ipc_.*|trace_.*|range_.*|"
    r"profiler_.*|fuse_.*|graph_.*|save_source|fft_wisdom.*|fft_cache_limit|pool_.*)"
)
COMPILES = re.compile(r"arr_(module_.*|elementwise_kernel.*|reduction_kernel.*|struct_.*)")


def rounds_of(report, f):
    number = FAMILY_ROUNDS if "family" in f else ROUNDS
    if COMPILES.fullmatch(f["name"]):
        number = 10
    return number * 20 if report.whole else max(number // report.one_in, 2)


def fault_of(name, status, text):
    """The fault of a text, or None."""
    try:
        line = text.decode()
    except UnicodeDecodeError:
        return "no UTF-8"
    if not line.startswith(name + ": "):
        return "begins with another name"
    if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in line):
        return "not one line of characters"
    if status == c.ARR_E_INTERNAL:
        return "an internal error"
    if "in a step of it" in line:  # the seam took away the name of a parameter that the function has not
        return "names nothing"
    parameters = {p["name"] for p in FUNCTIONS[name]["parameters"]}
    for other in re.findall(r"argument (\w+)", line):
        if other not in parameters:
            return f"names {other}"
    return None


def tell_late(report):
    """A device reports indices out of range, and expressions that it cannot compile, when it is waited for: here, not in the
    next call's text."""
    if report.device == "host":
        return
    try:
        arrpy.call("arr_device_sync", arrpy.device_of(report.device))
    except arrpy.Error as e:
        report.check("late text", "argument" in str(e) or "NVRTC is not available" in str(e), str(e))


def calls(report, name, f):
    numbers = random.Random(f"{report.seed} {name}")
    pool = hostile.Pool(numbers, report.device)
    nothing = WITH_NOTHING.fullmatch(name) is not None
    for _ in range(3 if nothing else rounds_of(report, f)):
        status, text = pool.call_with_nothing(name) if nothing else pool.call(name)
        if status == c.ARR_OK:
            tell_late(report)
            continue
        fault = fault_of(name, status, text)
        report.check(f"{name} {fault}", fault is None, repr(text.decode(errors="backslashreplace")))
        report.check(f"{name} handles", pool.left == 0, f"{pool.left} are left")
    pool.close()
    if nothing:  # it may have removed the limit, and later calls ask for all memory
        arrpy.call("arr_memory_limit", arrpy.device_of(report.device), LIMIT)


def check_steps(report, table, generator):
    """table: the name of a function without its prefix, the parameter that the error names, the arguments."""
    for name, argument, given in table:
        f = FUNCTIONS["arr_" + name]
        where = (
            {"device": arrpy.device_of(report.device)} if any(p["name"] == "device" for p in f["parameters"]) else {}
        )
        more = {"generator": generator} if any(p["name"] == "generator" for p in f["parameters"]) else {}
        try:
            arrapi.call(f["name"], **given, **where, **more)
            report.check(f"{name} step", False, "accepted")
        except arrpy.Error as e:
            report.check(f"{name} step", re.match(rf"arr_{name}: argument {argument}[:\[]", str(e)), str(e))


def steps(report):
    """Failures in a step of a composite function, and the parameter of the function that each is about."""

    def ones(*shape, dtype="f8"):
        return report.array(np.ones(shape, dtype))

    many = [1] * 32
    i0, wide = report.array(np.zeros((), "i8")), report.array(np.ones(2, "f4")).astype("bfloat16")
    g = arrapi.call("arr_generator_create", nseed=1, seed=arrpy.int64s([5]))["out"]
    three = {"ndim": 1, "shape": arrpy.int64s([3])}
    pair = {"nbins_x": 2, "nbins_y": 2}
    v, pairs = arrpy.value, ones(2)
    nans, infinite = (report.array(np.full(3, x)) for x in (np.nan, np.inf))
    casting = c.arr_ufunc_options(struct_size=ctypes.sizeof(c.arr_ufunc_options), casting=31)
    two, three_of, four = ones(2), ones(3), ones(4)
    table = [
        ("polyval", "p", {"p": ones(3, 0), "x": ones(2, 2)}),
        ("polynomial_val", "c", {"x": ones(4, 4), "c": ones(3, 3)}),
        ("polyvalfromroots", "roots", {"x": ones(5), "roots": ones(2, 3)}),
        ("polycompanion", "c", {"c": ones(2, 2)}),
        *((name, "a", {"a": ones(*many)}) for name in ("companion", "fiedler_companion", "fiedler")),
        *((name, "c", {"c": ones(*many)}) for name in ("toeplitz", "hankel", "circulant")),
        ("leslie", "f", {"f": ones(*many), "s": ones(1)}),
        ("leslie", "s", {"f": ones(2), "s": ones(*many)}),
        ("vecdot", "b", {"a": ones(3, 2), "b": ones(2, 2), "axis": 1}),
        ("matvec", "b", {"a": ones(4, 3), "b": ones(*many)}),
        ("vecmat", "a", {"a": ones(*many), "b": ones(1, 2)}),
        ("matrix_rank", "rtol", {"a": ones(2, 2), "tol": np.inf, "rtol": np.nan}),
        ("roots", "p", {"p": wide}),
        ("polyfit", "x", {"x": nans, "y": ones(3), "degree": 1}),
        ("polyfit", "weights", {"x": ones(3), "y": ones(3), "degree": 1, "weights": infinite}),
        ("polyfit_full", "x", {"x": infinite, "y": ones(3), "degree": 1}),
        (
            "ufunc",
            "options",
            {
                "op": c.OPS["add"][0],
                "nin": 2,
                "in": (c.arr_value * 2)(v(pairs), v(pairs)),
                "options": casting,
                "nout": 1,
            },
        ),
        ("corrcoef", "x", {"x": ones(2, 3, 4)}),
        ("cov", "m", {"m": ones(2, 3, 4)}),
        ("fiedler", "a", {"a": ones(3, dtype="?")}),
        ("isclose", "y", {"x": ones(2), "y": ones(4, 3), "rtol": 0.1, "atol": 0.1}),
        ("eye", "columns", {"rows": 2, "columns": -7, "dtype": c.ARR_INT8}),
        ("logsumexp_weighted", "b", {"a": ones(3, 3), "b": ones(2, 2)}),
        ("fftfreq", "n", {"n": 2**63 - 1, "d": 1.0}),
        ("gemm", "activation", {"a": ones(2, 2), "b": ones(2, 2), "alpha": v(1 + 1j), "beta": v(1.0), "activation": 2}),
        ("ufunc_outer", "op", {"op": c.ARR_OP_LOGICAL_NOT, "a": ones(3), "b": ones(3)}),
        ("min_scalar_type", "x", {"x": c.arr_value(kind=5, dtype=99)}),
        ("histogram2d", "y", {"x": ones(2), "y": ones(0), **pair}),
        ("histogram2d", "y", {"x": ones(2), "y": ones(2, dtype="c16"), **pair}),
        ("histogram2d", "nbins_y", {"x": ones(2), "y": ones(2), "nbins_x": 2, "nbins_y": 0}),
        ("fft_plan_create", "real", {"real": 99, **three}),
        ("cov_into", "dst", {"dst": i0, "m": ones(3)}),
        ("norm2_into", "dst", {"dst": i0, "a": ones(3)}),
        ("std_into", "dst", {"dst": i0, "a": ones(3)}),
        ("nanmean_into", "dst", {"dst": i0, "a": ones(3)}),
        ("matmul_into", "dst", {"dst": i0, "a": ones(3), "b": ones(3)}),
        ("median_into", "dst", {"dst": i0, "a": ones(3)}),
        ("cumsum_into", "dst", {"dst": ones(3, dtype="i8"), "a": ones(3), "axis": 0}),
        ("assign", "dst", {"dst": i0, "src": ones(1)}),
        ("random_normal", "scale", {"loc": v(0.0), "scale": v(-1.0), **three}),
        ("random_normal", "loc", {"loc": c.arr_value(kind=5, dtype=99), "scale": v(1.0), **three}),
        ("random_uniform", "shape", {"low": v(four), "high": v(1.0), **three}),
        ("random_uniform", "high", {"low": v(four), "high": v(three_of), "ndim": -1}),
        ("random_triangular", "right", {"left": v(two), "mode": v(1.0), "right": v(three_of), "ndim": -1}),
        ("random_uniform_into", "dst", {"dst": ones(3, dtype="i8"), "low": v(0.0), "high": v(1.0)}),
        (
            "random_draw",
            "parameters",
            {"distribution": 4, "nparameters": 2, "parameters": (c.arr_value * 2)(v(0.0), v(-1.0)), **three},
        ),
    ]
    check_steps(report, table, g)
    arrpy.call("arr_generator_release", g)


def main():
    report = oracle.Report(__doc__)
    if report.device == "host" and report.wants("steps"):  # in front of the backends
        steps(report)
    for name, f in FUNCTIONS.items():
        status = f["returns"]["type"].get("typedef") == "arr_status" and name != "arr_last_status"
        if status and report.wants(name) and not name.endswith("_release"):  # releases leave the text alone
            calls(report, name, f)
    report.finish()


if __name__ == "__main__":
    main()
