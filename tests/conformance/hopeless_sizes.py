#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sizes that no memory holds, asked for by an integer or by a broadcast, are refused at once: without work before the check, and
not as an internal error. Calls run in a process with little address space, which an alarm ends when one takes too long."""

import ctypes
import os
import pathlib
import resource
import signal
import subprocess
import sys

import numpy as np

import oracle
import arrapi
from oracle import arrpy

sys.path.insert(0, str(pathlib.Path(__file__).parent / "sparse"))
from sparse_matrix import Sparse, indices_of

C = arrpy.c
SECONDS = 10
SIZES = (2**40, 2**62, 2**63 - 1)
REFUSED = (C.ARR_E_MEMORY, C.ARR_E_SHAPE)
ARGUMENT = (*REFUSED, C.ARR_E_ARGUMENT)  # also a number that is out of what the function takes


def call(name, **given):
    """arrapi.call, with its arguments alive till it is over."""
    kept = list(given.values())
    made = arrapi.call(name, **given)
    del kept
    return made


def array(*x):
    return arrpy.array(np.array(x))


def bound(n, dtype="float64", *rest):
    """A broadcast: that many elements in the memory of one."""
    return arrpy.ones([1] * (1 + len(rest)), dtype).broadcast_to([n, *rest])


def of(name, statuses, sizes=SIZES, **rest):
    """Arguments that are functions are those of n."""
    return (
        name,
        statuses,
        lambda n: call(f"arr_{name}", **{k: x(n) if callable(x) else x for k, x in rest.items()}),
        sizes,
    )


def of_n(name, statuses=REFUSED, sizes=SIZES, **rest):
    return of(
        name, statuses, sizes, n=lambda n: n, **{k: (lambda _, x=x: x()) if callable(x) else x for k, x in rest.items()}
    )


def extents(n):
    return arrpy.int64s([n])


F8, C16 = arrpy.number("float64"), arrpy.number("complex128")


def get(n):
    a, memory = bound(n), np.zeros(1)
    arrpy.check(arrpy.lib.arr_get(a.handle, 0, memory.ctypes.data, 0, None))


def nbytes(n):
    return call("arr_nbytes", a=bound(n))


def nothing(statuses):
    """Statuses, and success."""
    return (*statuses, C.ARR_OK)


def eye(ndim=2):
    """A sparse array of extents 2 and 1, with elements at both ends."""
    parts = [array(0, 1) if d % 2 == 0 else array(0, 0) for d in range(ndim)]
    coords = (C.arr_array * ndim)(*(p.handle for p in parts))
    shape, data = arrpy.int64s([2 - d % 2 for d in range(ndim)]), array(1.0, 2)
    return Sparse.made("arr_sparse_coo_nd", ndim, shape, data.handle, coords, None)


def square(_):
    return Sparse.from_dense(arrpy.array(np.ones((2, 2))))


def with_sparse(name, statuses=REFUSED, sizes=SIZES, **rest):
    """Like of(), of a function that may take sparse arrays, index expressions and arrays of handles."""

    def run(n):
        made = {k: x(n) if callable(x) else x for k, x in rest.items()}
        given = dict(made)
        for k, x in made.items():
            if isinstance(x, Sparse):
                given[k] = x.handle
            elif isinstance(x, tuple):
                given[k] = indices_of(*x) if k == "indices" and "nindices" in rest else handles_of(x)
        return call(f"arr_{name}", **given)

    return name, statuses, run, sizes


def handles_of(arrays):
    return (C.arr_array * len(arrays))(*(a.handle for a in arrays))


def every_index():
    """Functions that read an index array, of one that repeats an element."""
    one, two = lambda n: (bound(n, "int64"),), lambda n: (bound(n // 2, "int16", 2), bound(2, "int64"))
    data = lambda _: array(1.0, 2)
    number = lambda _: arrpy.value(3.0)
    for indices, count in ((one, 1), (two, 2)):
        more = {"nindices": count, "indices": indices}
        grid = lambda _, count=count: arrpy.array(np.ones((2,) * count))
        yield with_sparse("get_items", a=grid, **more)
        yield with_sparse("set_items", a=grid, value=number, **more)
        yield with_sparse("update_items", op=C.ARR_OP_ADD, a=grid, value=number, **more)
        for ndim in (2, 3):
            here = {"a": lambda _, ndim=ndim: eye(ndim), **more}
            if count == 1:
                yield with_sparse("sparse_get_items_nd", **here)
                yield with_sparse("sparse_with_items_nd", block=lambda _: eye(), **here)
    matrix = lambda _: eye()
    for name in ("get_items", "with_items"):
        rest = {"block": matrix} if name == "with_items" else {}
        yield with_sparse(f"sparse_{name}", a=matrix, nindices=1, indices=one, **rest)
    pair = {"a": matrix, "rows": lambda n: bound(n, "int64"), "cols": lambda _: array(0)}
    yield with_sparse("sparse_elements", **pair)
    yield with_sparse("sparse_with_elements", value=number, **pair)
    index = lambda n: bound(n, "int64")
    zero = lambda n: bound(n, "int32")
    for name in ("take", "take_along_axis"):
        yield with_sparse(name, a=data, indices=index, axis=0)
    yield with_sparse("put", a=data, indices=index, value=number)
    yield with_sparse("put_along_axis", a=data, indices=index, value=number, axis=0)
    yield with_sparse("choose", index=index, n=2, choices=lambda _: (array(1.0), array(2.0)))
    yield with_sparse("ravel_multi_index", n=1, indices=one, shape=lambda _: arrpy.int64s([2]))
    yield with_sparse("unravel_index", indices=index, n=1, shape=lambda _: arrpy.int64s([2]), nout=1)
    yield with_sparse("sparse_coo", rows=2, columns=2, data=bound, row=index, col=zero)
    yield with_sparse("sparse_csr", rows=2, columns=2, data=bound, indices=index, indptr=lambda n: array(0, 1, n))
    yield with_sparse(
        "sparse_csr", ARGUMENT, rows=lambda n: n - 1, columns=2, data=data, indices=lambda _: array(0, 1), indptr=index
    )
    yield with_sparse("sparse_coo_nd", ndim=1, shape=lambda _: arrpy.int64s([2]), data=bound, coords=one)
    yield with_sparse("sparse_dia", rows=2, columns=2, data=lambda n: bound(n, "float64", 2), offsets=index)
    yield with_sparse("sparse_from_dense", a=lambda n: bound(n, "float64", 1), format=C.ARR_SPARSE_CSR)
    yield with_sparse("sparse_matmul", a=matrix, x=lambda n: bound(1, "float64", n))
    yield with_sparse("csgraph_shortest_path", a=square, indices=index)


CASES = [
    *[of_n(name) for name in ("bartlett", "blackman", "hamming", "hanning")],
    of_n("kaiser", beta=5.0),
    *[of_n(name, ARGUMENT, dtype=F8) for name in ("hilbert", "hadamard", "helmert")],
    of_n("dft", ARGUMENT, dtype=C16),
    of_n("convolution_matrix", ARGUMENT, a=lambda: array(1.0, 2)),
    *[of_n(name, ARGUMENT, a=lambda: array(1.0, 2)) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")],
    *[
        of_n(name, ARGUMENT, a=lambda: array(1, 2), type=t)
        for name in ("dct", "idct", "dst", "idst")
        for t in (1, 2, 3, 4)
    ],
    *[of_n(name, d=1.0) for name in ("fftfreq", "rfftfreq")],
    of_n("polypow", p=lambda: array(1.0, 2)),
    of_n("matrix_power", nothing(REFUSED), a=lambda: arrpy.array(np.eye(2))),
    of("eye", REFUSED, rows=lambda n: n, columns=lambda n: n, dtype=F8),
    of("tri", REFUSED, rows=lambda n: n, columns=lambda n: n, dtype=F8),
    of("eye", REFUSED, rows=lambda n: n, columns=1, dtype=F8),
    of("vander", REFUSED, x=array(1.0, 2), columns=lambda n: n),
    of("tril", nothing(REFUSED), a=array([1.0, 2], [3, 4]), k=lambda n: n),
    of("triu", nothing(REFUSED), a=array([1.0, 2], [3, 4]), k=lambda n: -n),
    of("trace", nothing(REFUSED), a=array([1.0, 2], [3, 4]), offset=lambda n: n, axis1=0, axis2=1),
    *[of(name, REFUSED, x=array(1.0, 2), y=array(1.0, 2), degree=lambda n: n) for name in ("polyfit",)],
    of("polyvander", REFUSED, x=array(1.0, 2), degree=lambda n: n),
    of("polyint", ARGUMENT, p=array(1.0, 2), m=lambda n: n),
    of("polyder", nothing(ARGUMENT), p=array(1.0, 2), m=lambda n: n),
    of("bincount", REFUSED, x=array(1, 2), minlength=lambda n: n),
    *[of(name, REFUSED, x=array(1.0, 2), nbins=lambda n: n) for name in ("histogram", "histogram_bin_edges")],
    of("histogram2d", REFUSED, x=array(1.0, 2), y=array(1.0, 2), nbins_x=lambda n: n, nbins_y=lambda n: n),
    of("linspace", REFUSED, start=0.0, stop=1.0, count=lambda n: n, dtype=F8),
    of("unpackbits", REFUSED, a=arrpy.array(np.zeros(2, "u1")), count=lambda n: arrpy.int64s([n]), axis=0),
    ("ones", REFUSED, lambda n: arrpy.ones([n], "float64"), SIZES),
    ("nbytes", REFUSED, nbytes, (2**60, 2**61, 2**62 + 1, 2**63 - 1)),
    ("get", REFUSED, get, (2**60, 2**61, 2**62 + 1)),
    # Only the result of these has no room, or it takes too long.
    *[
        of_n(name, a=lambda: arrpy.array(np.array([1, 2], "u1")), sizes=(2**32,), type=3, norm=1)
        for name in ("dct", "idct", "dst", "idst")
    ],
    *[of_n(name, a=lambda: arrpy.array(np.array([1, 2], "u1")), sizes=(2**31,)) for name in ("fft", "rfft", "irfft")],
    of_n("polypow", p=lambda: array(1.0, 2), sizes=(2**20, 2**17)),
    *[
        of(name, REFUSED, sizes=(2**33,), a=lambda n: bound(n), dln=0.1, mu=0.0, offset=0.0, bias=0.0, axis=0)
        for name in ("fht", "ifht")
    ],
    *[of(name, REFUSED, a=lambda n: bound(n), v=lambda n: bound(n), mode=0) for name in ("convolve", "correlate")],
    of("fftconvolve", REFUSED, a=lambda n: bound(n), v=lambda n: bound(n), mode=0),
    *[
        of(name, REFUSED, a=lambda n, d=d: bound(n, d), dln=0.1, mu=0.0, offset=0.0, bias=0.0, axis=0)
        for name in ("fht", "ifht")
        for d in ("float64", "int8")
    ],
    of("kron", REFUSED, a=lambda n: bound(n), b=array(1.0, 2)),
    of("outer", REFUSED, a=lambda n: bound(n), b=lambda n: bound(n)),
    of("negative", REFUSED, x=lambda n: bound(n)),
    of("circulant", REFUSED, c=lambda n: bound(n)),
    of("hankel", REFUSED, c=lambda n: bound(n)),
    of("companion", REFUSED, a=lambda n: bound(n)),
    of("poly", REFUSED, roots=lambda n: bound(n)),
    of("unwrap", REFUSED, p=lambda n: bound(n), axis=0),
    of("cumsum", REFUSED, a=lambda n: bound(n), axis=0),
    *every_index(),
]


def known(case):
    return f"arr_{case[0]}" in arrapi.FUNCTIONS


def child(first):
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    number = 0
    for name, statuses, run, sizes in [c for c in CASES if known(c)]:
        for n in sizes:
            number += 1
            if number <= first:
                continue
            print(f"BEGIN {number} {name} of {n}", flush=True)
            signal.alarm(SECONDS)
            try:
                run(n)
                status, text = C.ARR_OK, "no error"
            except arrpy.Error as e:
                status, text = e.status, str(e)
            except MemoryError:
                status, text = C.ARR_E_MEMORY, "MemoryError"
            signal.alarm(0)
            good = status in statuses and "(-" not in text
            print(f"{'GOOD' if good else 'BAD'} {text}", flush=True)
    print("END", flush=True)


def main():
    if "--child" in sys.argv:
        child(int(sys.argv[-1]))
        return 0
    report = oracle.Report(__doc__)
    missing = sorted({c[0] for c in CASES if not known(c)})
    report.check("all functions are there", not missing, f"{missing}")
    done, lines = 0, []
    while "END" not in lines:
        p = subprocess.run(
            [sys.executable, "-B", os.path.abspath(__file__), "--child", str(done)], capture_output=True, text=True
        )
        lines = p.stdout.splitlines()
        label = None
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "BEGIN":
                done, label = int(rest.split()[0]), rest.partition(" ")[2]
            elif word in ("GOOD", "BAD"):
                report.check(label, word == "GOOD", rest)
                label = None
        if label is not None:
            report.check(
                label,
                False,
                f"ended by {-p.returncode}: it is still at work after {SECONDS} s"
                if p.returncode == -signal.SIGALRM
                else f"ended with {p.returncode} {p.stderr[-300:]}",
            )
        elif "END" not in lines:
            report.check("the process works", False, p.stderr[-500:])
            break
    return report.finish()


if __name__ == "__main__":
    raise SystemExit(main())
