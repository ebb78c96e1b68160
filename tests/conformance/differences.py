#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""differences.py - what docs/differences.md says: where libarr differs from NumPy or SciPy by decision.

Each row of the page names a function of this file by its first column. The function checks both sides, so that a row goes
when NumPy changes.
"""

import ctypes
import os
import pathlib
import re
import tempfile
import warnings

import numpy as np
import scipy.fft
import scipy.special

import oracle
from oracle import arrpy
import arrapi

C = arrpy.c
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "differences.md"
NONE = C.ARR_AXIS_NONE
i64 = arrpy.int64s


def call(name, **arguments):
    """The results of arr_NAME by parameter names; NumPy's arrays become host arrays."""
    given = {k: arrpy.array(v) if isinstance(v, np.ndarray) else v for k, v in arguments.items()}
    out = tuple(arrapi.call("arr_" + name, **given).values())
    out = tuple(o.numpy() if isinstance(o, arrpy.Array) else o for o in out)
    return out[0] if len(out) == 1 else out


def refused(status, run):
    return oracle.raises(status, run)


def raises(error, run):
    try:
        run()
    except error:
        return True
    return False


def at(index):
    """The arguments of an index expression of one array."""
    here = arrpy.array(index)
    rows = (C.arr_index * 1)(C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, here.handle))
    rows.kept = here
    return {"nindices": 1, "indices": rows, "bounds": C.ARR_BOUNDS_RAISE}


# Each returns (what libarr does, what NumPy or SciPy does): both are to be true.


def casts_of_written_values():
    x, one, halves = np.arange(4), np.array([1]), arrpy.array(np.array([1.5]))
    ours = all(
        refused(C.ARR_E_DTYPE, run)
        for run in (
            lambda: call("set_items", a=x, value=arrpy.value(halves), **at(one)),
            lambda: call("insert", a=x, index=1, values=np.array([1.5]), axis=0),
        )
    )
    y = x.copy()
    y[one] = np.array([1.5])
    return ours, y[1] == 1 and np.insert(x, 1, 1.5)[1] == 1


def unsigned_indices():
    x, far = np.arange(4), np.array([2**64 - 1], "u8")
    return refused(C.ARR_E_ARGUMENT, lambda: call("get_items", a=x, **at(far))), x[far][0] == 3


def indices_that_select_nothing():
    x = np.zeros((3, 5))
    none, far = arrpy.array(np.zeros(0, "i8")), arrpy.array(np.array([7]))
    rows = (C.arr_index * 2)(*(C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, i.handle) for i in (none, far)))
    run = lambda: call("get_items", a=x, nindices=2, indices=rows, bounds=C.ARR_BOUNDS_RAISE)  # noqa: E731
    return refused(C.ARR_E_ARGUMENT, run), x[[], [7]].shape == (0,)


def bool_indices_of_take():
    x, flags = np.arange(4), np.array([True, False])
    run = lambda: call("take", a=x, indices=flags, axis=0)  # noqa: E731
    return refused(C.ARR_E_DTYPE, run), np.take(x, flags, 0).tolist() == [1, 0]


def dimensions():
    wide = (1,) * 33
    return refused(C.ARR_E_SHAPE, lambda: call("zeros", dtype=C.ARR_INT8, ndim=33, shape=i64(wide))), np.zeros(
        wide
    ).ndim == 33


def insertion_before_the_first():
    x = np.arange(4)
    run = lambda: call("insert_at", a=x, n=2, indices=i64([0, -5]), values=np.zeros(2, "i8"), axis=0)  # noqa: E731
    status = refused(C.ARR_E_ARGUMENT, run) or refused(C.ARR_E_SHAPE, run)
    return status, np.insert(x, np.array([0, -5]), 0).size == 6


def negative_counts_of_nothing():
    x = np.zeros(0)
    return refused(C.ARR_E_ARGUMENT, lambda: call("tile", a=x, nreps=1, reps=i64([-1]))) or refused(
        C.ARR_E_SHAPE, lambda: call("tile", a=x, nreps=1, reps=i64([-1]))
    ), np.tile(x, -1).size == 0


def data_after_an_array():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.npy")
        np.save(path, np.arange(3))
        with open(path, "ab") as f:
            f.write(b"more")
        ours = refused(C.ARR_E_FORMAT, lambda: call("load_npy", path=path.encode(), length=-1))
        return ours, np.load(path).size == 3


def eigenvalues_are_complex():
    x = np.diag([1.0, 2.0])
    return call("eig", a=x)[0].dtype == np.complex128, np.linalg.eig(x)[0].dtype.kind in "fc"


def residuals_of_least_squares():
    a, b = np.ones((3, 2)), np.arange(3.0)
    ours = call("lstsq", a=a, b=b, rcond=-1.0)
    return any(np.size(o) == 1 and np.isclose(o, 2).all() for o in ours if isinstance(o, np.ndarray)), np.linalg.lstsq(
        a, b
    )[1].size == 0


def half_types_of_special_functions():
    x = np.ones(2, "f2")
    return arrpy.apply("erf", arrpy.array(x)).dtype == np.float16, scipy.special.erf(x).dtype != np.float16


def numbers_beside_bool():
    x = np.array([True, False])
    v, here = arrpy.value(np.uint64(2**63)), arrpy.array(x)
    arrpy.lib.arr_value_weak(v)
    got = call("less_v", x=arrpy.value(here), y=v)
    return got.tolist() == [True, True], raises(OverflowError, lambda: np.less(x, 2**63))


def ordered_half_reductions():
    from ordered_reductions import reduce

    x = np.full(2000, 0.1, "f2")
    total = x[0]
    for v in x[1:]:
        total = np.float16(total - v)
    return reduce("subtract", arrpy.array(x)).numpy() == total, np.subtract.reduce(x) != total


def powers_of_one_half():
    x, half = np.array([-np.inf, -0.0]), np.array(0.5)
    with np.errstate(invalid="ignore"):
        theirs, of_array = np.power(x, half), np.power(x, np.array([0.5, 0.5]))
    ours = call("power", x=x, y=half)
    same = np.array_equal(ours, of_array) and not np.signbit(ours[1])
    return same, bool(np.isnan(theirs[0]) and np.signbit(theirs[1]))


def quantiles_of_small_integers():
    x = np.array([-128, 127], "i1")
    return np.isclose(call("percentile", a=x, nq=1, q=(ctypes.c_double * 1)(50.0))[0], -0.5), np.percentile(
        x, 50
    ) != -0.5


def sets_of_int64_and_uint64():
    a, b = np.array([2**53], "u8"), np.array([2**53 + 1])
    return call("union1d", a=a, b=b).size == 2, np.union1d(a, b).size == 1


def words_of_pcg64():
    g = arrapi.call("arr_generator_create_of", bit_generator=C.ARR_PCG64, nseed=1, seed=i64([7]))["out"]
    draw = lambda n: call("random_random", generator=g, dtype=C.ARR_FLOAT64, ndim=1, shape=i64([n]))  # noqa: E731
    first, second = draw(3), draw(1)
    theirs = np.random.default_rng(7)
    return np.array_equal(first, theirs.random(3)), second[0] != theirs.random(1)[0]


def singular_hankel_transforms():
    x = np.ones(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warned = raises(Warning, lambda: scipy.fft.fht(x, 0.1, mu=0.0, bias=-1.0))
    run = lambda: call("fht", a=x, dln=0.1, mu=0.0, offset=0.0, bias=-1.0, axis=0)  # noqa: E731
    return refused(C.ARR_E_ARGUMENT, run), warned


ROWS = {name: f for name, f in list(globals().items()) if callable(f) and getattr(f, "__module__", "") == __name__}
for helper in ("call", "refused", "raises", "at"):
    del ROWS[helper]


def main():
    report = oracle.Report(__doc__)
    named = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.M)
    report.check("rows of the page", sorted(named) == sorted(ROWS), f"{sorted(set(named) ^ set(ROWS))}")
    for name, function in ROWS.items():
        try:
            ours, theirs = function()
        except arrpy.Error as e:
            ours, theirs = False, str(e)
        report.check(name, bool(ours), f"libarr has another rule: {theirs}")
        report.check(f"{name} of NumPy", bool(theirs) and not isinstance(theirs, str), "NumPy has changed")
    report.finish()


if __name__ == "__main__":
    main()
