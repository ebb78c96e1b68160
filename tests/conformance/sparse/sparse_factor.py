#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Factors of sparse matrices and triangular solves against SciPy's and dense ones."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from sparse_matrix import FORMATS, Parts, Sparse, coordinates, numbers, unsorted_compressed

import oracle
from oracle import arrpy, raises
import arrapi  # in the folder that oracle adds

C = arrpy.c
FLOATS = ("float32", "float64", "complex64", "complex128")
OPS = {"N": C.ARR_MATRIX_PLAIN, "T": C.ARR_MATRIX_TRANSPOSED, "C": C.ARR_MATRIX_ADJOINT}
ORDERS = ("COLAMD", "NATURAL", "MMD_ATA", "MMD_AT_PLUS_A")
TOLERANCE = {"float32": 2e-3, "complex64": 2e-3}


class Factor:
    """Factors of one matrix."""

    def __init__(self, function, *arguments):
        """Arguments: handles' owners, numbers, pointers."""
        self.handle = C.arr_sparse_factor()
        given = [getattr(x, "handle", x) for x in arguments]
        arrpy.call(function, *given, ctypes.byref(self.handle))

    def __del__(self):
        arrpy.lib.arr_sparse_factor_release(self.handle)

    def info(self):
        p = C.arr_sparse_factor_properties(ctypes.sizeof(C.arr_sparse_factor_properties))
        arrpy.call("arr_sparse_factor_info", self.handle, ctypes.byref(p))
        return p

    def solve(self, b, op="N"):
        return arrpy.made("arr_sparse_factor_solve", self.handle, b.handle, OPS[op], None)

    def parts(self):
        lower, upper, rows, columns = C.arr_sparse(), C.arr_sparse(), C.arr_array(), C.arr_array()
        out = (ctypes.byref(x) for x in (lower, upper, rows, columns))
        arrpy.call("arr_sparse_factor_parts", self.handle, None, *out)
        return Sparse(lower), Sparse(upper), arrpy.Array(rows), arrpy.Array(columns)

    def slogdet(self):
        sign, logdet = C.arr_array(), C.arr_array()
        arrpy.call("arr_sparse_factor_slogdet", self.handle, None, ctypes.byref(sign), ctypes.byref(logdet))
        return arrpy.Array(sign), arrpy.Array(logdet)


def options(thresh=None, permc="COLAMD", **switches):
    o = C.arr_sparse_lu_options(ctypes.sizeof(C.arr_sparse_lu_options))
    o.permc_spec = getattr(C, "ARR_PERMC_" + permc)
    if thresh is not None:
        o.diag_pivot_thresh = ctypes.pointer(ctypes.c_double(thresh))
    for name, value in switches.items():
        setattr(o, name, value)
    return o


def lu(a, o=None):
    return Factor("arr_sparse_lu", a, None if o is None else ctypes.byref(o), None)


def regular(n, d, seed, form="csc"):
    """A matrix with a dominant diagonal, in any order and with duplicates."""
    m = coordinates((n, n), 4 * n, d, seed) if form == "coo" else unsorted_compressed((n, n), 4 * n, d, seed, form)
    row, column = m.coordinates()
    data = np.concatenate([m.data, np.full(n, 25, m.data.dtype)])
    order = np.random.default_rng(seed).permutation(len(data))
    row, column = (np.concatenate([x, np.arange(n)])[order].astype("i4") for x in (row, column))
    data = data[order]
    if form == "coo":
        return Parts("coo", (n, n), data, row, column)
    line, inner = (row, column) if form == "csr" else (column, row)
    by_line = np.argsort(line, kind="stable")
    pointers = np.searchsorted(line[by_line], np.arange(n + 1)).astype("i4")
    return Parts(form, (n, n), data[by_line], inner[by_line], pointers)


def matrices(d):
    """name, matrix: those that have factors."""
    for n in (1, 7, 50):
        for form in FORMATS:
            yield f"{form} {n}", regular(n, d, n + 1, form)


def applied(dense, op):
    return {"N": dense, "T": dense.T, "C": dense.conj().T}[op]


def solves(report, label, f, dense, d, bound=None):
    """Residuals of solutions with every op and kind of right-hand side."""
    n = len(dense)
    bound = bound or TOLERANCE.get(d, 1e-9)
    for op in OPS:
        for other, shape in ((d, (n,)), (d, (n, 3)), ("complex128", (n, 2)), ("int32", (n, 1)), (d, (n, 0))):
            b = numbers(shape, other, 9)
            given = report.array(np.asfortranarray(b) if shape[1:] == (3,) else b)
            x = f.solve(given, op).numpy()
            wide = np.result_type(d, "complex64") if other == "complex128" else np.dtype(d)
            report.check(f"{label} {op} type", x.dtype == wide and x.shape == b.shape, f"{x.dtype} {x.shape}")
            left = np.abs(applied(dense, op).astype("c16") @ x - b)
            report.check(f"{label} {op} {other}", left.max(initial=0) <= bound * (1 + np.abs(x).max(initial=0)))
            report.check(f"{label} {op} kept", oracle.same(given.numpy(), b))


def without_library(report):
    """The reason if there is no SuperLU, or cuDSS, here."""
    try:
        lu(Sparse.of(regular(2, "float64", 1), report.device))
    except arrpy.Error as e:
        if e.status == C.ARR_E_UNAVAILABLE:
            return str(e)
        raise
    return None


def own_parts(report):
    """True where the parts of LU factors are offered; cuDSS keeps them, and has options of its own."""
    return report.device == "host"


def factors(report):
    for d in FLOATS:
        for name, m in matrices(d):
            label = f"lu {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            whole = own_parts(report)
            for order in ORDERS if whole else ORDERS[:1]:
                for switches in ({}, {"equilibrate": 1}, {"symmetric_mode": 1, "thresh": 0.1})[: None if whole else 1]:
                    f = lu(a, options(permc=order, **switches))
                    solves(report, f"{label} {order} {' '.join(switches)}", f, dense, d)
            if whole:
                check_parts(report, label, lu(a), dense, d)
            data = a.part("data")
            f = lu(a)
            arrpy.apply("multiply", data, 2.0, out=data)
            solves(report, f"{label} data changed", f, dense, d)
            arrpy.apply("multiply", data, 0.5, out=data)
            report.check(f"{label} kept", oracle.same(a.parts().data, m.data))
    for d in ("int32", "int8", "uint8"):
        m = regular(20, d, 3)
        f = lu(Sparse.of(m, report.device))
        report.check(f"lu {d}", f.info().dtype == arrpy.number("float64"))
        solves(report, f"lu {d}", f, m.dense().astype("f8"), "float64")


def check_parts(report, label, f, dense, d):
    lower, upper, rows, columns = f.parts()
    n = len(dense)
    rows, columns = rows.numpy(), columns.numpy()
    want = np.zeros_like(dense)
    want[np.ix_(rows, columns)] = dense  # element (i, j) goes to (rows[i], columns[j])
    l, u = lower.dense().numpy(), upper.dense().numpy()
    got = l @ u
    report.check(f"{label} parts", np.allclose(got, want, 0, TOLERANCE.get(d, 1e-9) * (1 + np.abs(dense).max())))
    ones = np.array_equal(np.diag(l), np.ones(n)) and not np.triu(l, 1).any() and not np.tril(u, -1).any()
    report.check(f"{label} triangles", ones)
    report.check(f"{label} permutations", sorted(rows) == sorted(columns) == list(range(n)))
    nnz = lower.info().nnz + upper.info().nnz
    report.check(f"{label} nnz", f.info().nnz >= nnz and lower.canonical() and upper.canonical())
    sign, logdet = (x.numpy() for x in f.slogdet())
    want = np.linalg.slogdet(dense.astype("c16"))
    good = np.isclose(sign, want[0], 1e-3) and np.isclose(logdet, want[1], 1e-3)
    report.check(f"{label} slogdet", good, f"{sign} {logdet} {want}")


def as_scipy(report):
    """The permutations and fill of SciPy's splu, which has the same library inside."""
    for seed in range(4):
        m = regular(150, "float64", seed)
        there = scipy.sparse.linalg.splu(scipy.sparse.csc_array(m.scipy().copy()))
        f = lu(Sparse.of(m, report.device))
        _, _, rows, columns = f.parts()
        same = np.array_equal(rows.numpy(), there.perm_r) and np.array_equal(columns.numpy(), there.perm_c)
        report.check(f"splu {seed} permutations", same)
        report.check(f"splu {seed} fill", f.info().nnz == there.nnz)


def again(report):
    for d in FLOATS:
        m = regular(80, d, 5)
        f = lu(Sparse.of(m, report.device), options(permc="MMD_AT_PLUS_A"))
        data = m.data * np.arange(1, len(m.data) + 1).astype(d) ** 0.125
        other = Parts(m.format, m.shape, data.astype(d), m.first, m.second)
        g = Factor("arr_sparse_refactor", f, Sparse.of(other, report.device), None)
        solves(report, f"refactor {d}", g, other.dense(), d)
        if own_parts(report):
            report.check(f"refactor {d} columns", oracle.same(f.parts()[3].numpy(), g.parts()[3].numpy()))
        solves(report, f"refactor {d} first", f, m.dense(), d)

    def refactor(other):
        return Factor("arr_sparse_refactor", f, Sparse.of(other, report.device), None)

    report.check("refactor pattern", raises(C.ARR_E_ARGUMENT, lambda: refactor(regular(80, "complex128", 6))))
    report.check("refactor dtype", raises(C.ARR_E_ARGUMENT, lambda: refactor(regular(80, "float32", 5))))
    report.check("refactor size", raises(C.ARR_E_ARGUMENT, lambda: refactor(regular(81, "complex128", 5))))


def message(call):
    try:
        call()
    except arrpy.Error as e:
        return e.status, str(e)
    return 0, "no error"


def singular(report):
    for dense, said in (
        ([[1, 0], [0, 0]], "column 1 has no row for a pivot"),
        ([[1, 2, 3], [0, 0, 4], [0, 0, 5]], "has no row for a pivot"),
        ([[1, 2], [2, 4]], "is singular: pivot 1, of column"),
        (np.ones((30, 30)), "is singular: pivot 1, of column"),
        (np.zeros((3, 3)), "it has no elements"),
    ):
        for d in FLOATS:
            a = Sparse.from_dense(report.array(np.array(dense, d)))
            for order in ORDERS:
                status, text = message(lambda: lu(a, options(permc=order)))
                said = said if own_parts(report) or "no elements" in said else "is singular"
                report.check(f"singular {d}", status == C.ARR_E_LINALG and said in text, f"{status} {text}")
    for seed in range(150 if own_parts(report) else 0):  # cuDSS may miss a pivot of a regular matrix
        r = np.random.default_rng(seed)
        n = int(r.integers(1, 30))
        dense = (r.random((n, n)) < r.choice([0.05, 0.1, 0.3])) * r.integers(-2, 3, (n, n)).astype("f8")
        a = Sparse.from_dense(report.array(dense), ("csr", "csc")[seed % 2])
        full = np.linalg.matrix_rank(dense) == n
        status, text = message(lambda: solves(report, "random lu", lu(a), dense, "float64", 1e-6))
        report.check("random singular", status == (0 if full else C.ARR_E_LINALG) or not full, text)


def laplacian(n, d):
    one = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=(-1, 0, 1), shape=(n, n))
    eye = scipy.sparse.eye_array(n)
    a = scipy.sparse.csr_array(scipy.sparse.kron(one, eye) + scipy.sparse.kron(eye, one)).astype(d)
    if np.dtype(d).kind == "c":
        a = a + 0.5j * scipy.sparse.triu(a, 1) - 0.5j * scipy.sparse.tril(a, -1)
    return scipy.sparse.csr_array(a)


def ilu0_of(dense):
    """The incomplete factors by definition."""
    a, pattern = dense.astype("c16"), dense != 0
    for i in range(len(a)):
        for k in range(i):
            if pattern[i, k]:
                a[i, k] /= a[k, k]
                a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :] * pattern[i, k + 1 :]
    return a


def without_fill(report):
    """Neither needs another library."""
    for d in (*FLOATS, "int32"):
        real = np.dtype(d).kind == "i" and "float64" or d
        m = laplacian(7, d)
        dense = m.toarray().astype(real)
        for form in FORMATS:
            label = f"ilu0 {form} {d}"
            a = Sparse.from_dense(report.array(dense.astype(d)), form)
            f = Factor("arr_sparse_ilu0", a, None)
            lower, upper, rows, _ = f.parts()
            want = ilu0_of(dense)
            got = lower.dense().numpy() - np.eye(len(dense)) + upper.dense().numpy()
            report.check(f"{label} parts", np.allclose(got, want, 1e-5), "")
            report.check(f"{label} nnz", f.info().nnz == lower.info().nnz + upper.info().nnz)
            product = (lower.dense().numpy() @ upper.dense().numpy()).astype(real)
            solves(report, label, f, product, real)
            g = Factor("arr_sparse_ic0", a, None)
            lower, upper, rows, _ = g.parts()
            l = lower.dense().numpy()
            exact = np.abs((l @ l.conj().T - dense)[dense != 0]).max() < 1e-5
            report.check(f"ic0 {form} {d}", exact and not (l[dense == 0]).any())
            report.check(f"ic0 {form} {d} upper", oracle.same(upper.dense().numpy() + 0, l.conj().T + 0))
            solves(report, f"ic0 {form} {d}", g, (l @ l.conj().T).astype(real), real)
    for function in ("arr_sparse_ilu0", "arr_sparse_ic0"):
        a = Sparse.from_dense(report.array(np.array([[1.0, 0], [0, 0]])))
        status, text = message(lambda: Factor(function, a, None))
        report.check(f"{function} singular", status == C.ARR_E_LINALG and "pivot 1 is" in text, text)
    a = Sparse.from_dense(report.array(np.array([[1.0, 2], [2, 1]])))
    report.check("ic0 indefinite", raises(C.ARR_E_LINALG, lambda: Factor("arr_sparse_ic0", a, None)))


def many_rows(report):
    """Rows that depend on others far away and near by, against the factors by definition."""
    n = 400
    r = np.random.default_rng(1)
    dense = (r.random((n, n)) < 0.02) * r.integers(-2, 3, (n, n)).astype("f8")
    dense += dense.T + 40 * np.eye(n) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    a = Sparse.from_dense(report.array(dense))
    lower, upper, _, _ = Factor("arr_sparse_ilu0", a, None).parts()
    got = lower.dense().numpy() - np.eye(n) + upper.dense().numpy()
    report.check("ilu0 many rows", np.allclose(got, ilu0_of(dense).real, 1e-10))
    l = Factor("arr_sparse_ic0", a, None).parts()[0].dense().numpy()
    report.check("ic0 many rows", np.abs((l @ l.T - dense)[dense != 0]).max() < 1e-10)
    dense[300, 300] = dense[120, 120] = 0  # the first pivot that fails is named
    dense[120, :120] = dense[:120, 120] = dense[300, :300] = dense[:300, 300] = 0
    a = Sparse.from_dense(report.array(dense))
    for function in ("arr_sparse_ilu0", "arr_sparse_ic0"):
        status, text = message(lambda: Factor(function, a, None))
        report.check(f"{function} first", status == C.ARR_E_LINALG and "pivot 120 is" in text, text)


def triangular(report):
    # Each type compiles kernels on CUDA.
    for d in (*FLOATS, "int32") if report.device == "host" else ("float32", "complex128"):
        for name, m in matrices(d):
            label = f"triangular {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for lower in (False, True):
                for unit in (False, True):
                    for op in OPS:
                        tri = np.tril(dense) if lower else np.triu(dense)
                        if unit:
                            # Small elements, so that the solution stays small.
                            np.fill_diagonal(tri, 1)
                        for shape in ((), (3,)):
                            b = numbers((len(dense), *shape), d, 8)
                            flags = lower * C.ARR_TRIANGULAR_LOWER | unit * C.ARR_TRIANGULAR_UNIT_DIAGONAL
                            x = solve_triangular(report, a, b, flags, op).numpy()
                            kind = "complex128" if np.dtype(d).kind == "c" else "float64"
                            trans = {"N": 0, "T": 1, "C": 2}[op]
                            want = scipy.linalg.solve_triangular(
                                tri.astype(kind), b.astype(kind), trans=trans, lower=lower, unit_diagonal=unit
                            )
                            scale = np.abs(want).max()
                            good = np.abs(x - want).max() <= TOLERANCE.get(d, 1e-9) * scale or scale > 1e12
                            report.check(f"{label} {lower} {unit} {op}", good, f"{x}\n{want}")
    a = Sparse.from_dense(report.array(np.array([[1.0, 0, 0], [2, 0, 0], [0, 3, 1]])))
    status, text = message(lambda: solve_triangular(report, a, np.ones(3), C.ARR_TRIANGULAR_LOWER, "N"))
    report.check("triangular singular", status == C.ARR_E_LINALG and "element 1 of its diagonal" in text, text)
    wrong = raises(C.ARR_E_SHAPE, lambda: solve_triangular(report, a, np.ones(4), 0, "N"))
    report.check("triangular rows", wrong)
    report.check("triangular flags", raises(C.ARR_E_ARGUMENT, lambda: solve_triangular(report, a, np.ones(3), 8, "N")))
    half = Sparse.from_dense(report.array(np.eye(3).astype("float16")))
    report.check("triangular half", raises(C.ARR_E_DTYPE, lambda: solve_triangular(report, half, np.ones(3), 0, "N")))
    wide = Sparse.from_dense(report.array(np.ones((2, 3))))
    report.check("triangular square", raises(C.ARR_E_SHAPE, lambda: solve_triangular(report, wide, np.ones(2), 0, "N")))


def solve_triangular(report, a, b, flags, op):
    given = report.array(b)
    return arrpy.made("arr_sparse_solve_triangular", a.handle, given.handle, flags, OPS[op], None)


def solve(report):
    for d, e in (("float64", "float64"), ("float32", "float64"), ("float64", "complex64"), ("complex64", "float32")):
        m = regular(60, d, 4, "csr")
        a = Sparse.of(m, report.device)
        for shape in ((60,), (60, 4)):
            b = numbers(shape, e, 3)
            given = report.array(b)
            x = arrpy.made("arr_sparse_solve", a.handle, given.handle, None).numpy()
            report.check(f"solve {d} {e} type", x.dtype == np.result_type(d, e))
            report.check(f"solve {d} {e}", np.allclose(m.dense() @ x, b, 0, 1e-3 if "float32" in (d, e) else 1e-4))
    nothing = Sparse.from_dense(report.array(np.zeros((0, 0))))
    given = report.array(np.zeros((0, 2)))
    x = arrpy.made("arr_sparse_solve", nothing.handle, given.handle, None)
    report.check("solve nothing", x.numpy().shape == (0, 2))
    if not own_parts(report):
        return
    lower, upper, rows, _ = lu(nothing).parts()
    report.check("parts of nothing", lower.info().rows == upper.info().nnz == 0 and rows.numpy().shape == (0,))


def refusals(report):
    square = Sparse.of(regular(4, "float64", 1), report.device)
    for name, o in (
        ("permc", {"permc_spec": 9}),
        ("switch", {"equilibrate": 2}),
        ("reserved", {"reserved": 1}),
        ("size", {"struct_size": 3}),
        ("thresh", {"thresh": 1.5}),
        ("nan", {"thresh": np.nan}),
    ):
        report.check(f"options {name}", raises(C.ARR_E_ARGUMENT, lambda: lu(square, options(**o))))
    wide = Sparse.from_dense(report.array(np.ones((2, 3))))
    half = Sparse.from_dense(report.array(np.eye(3).astype("float16")))
    for function in ("arr_sparse_lu", "arr_sparse_ilu0", "arr_sparse_ic0"):
        more = (None,) if function == "arr_sparse_lu" else ()
        for a, status in ((wide, C.ARR_E_SHAPE), (half, C.ARR_E_DTYPE)):
            report.check(f"{function} {status}", raises(status, lambda: Factor(function, a, *more, None)))
    f = lu(square)
    for b, status in ((np.ones(5), C.ARR_E_SHAPE), (np.ones((4, 1, 1)), C.ARR_E_SHAPE)):
        report.check(f"solve {b.shape}", raises(status, lambda: f.solve(report.array(b))))
    given = report.array(np.ones(4))
    bad = raises(C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_sparse_factor_solve", f.handle, given.handle, 7, None))
    report.check("solve op", bad)
    if not own_parts(report):
        for name in ("parts", "slogdet"):
            status, text = message(getattr(f, name))
            report.check(f"{name} refused", status == C.ARR_E_UNSUPPORTED and "only solves" in text, text)
    g = lu(square, options(equilibrate=1))
    report.check("slogdet equilibrated", raises(C.ARR_E_UNSUPPORTED, g.slogdet))


def operators(report):
    """Factors as linear operators: products are solutions, and preconditioners save iterations."""
    for d in FLOATS:
        a = Sparse.from_dense(report.array(laplacian(7, d).toarray().astype(d)), "csr")
        f = Factor("arr_sparse_ilu0", a, None)
        by = C.arr_linop()
        arrpy.call("arr_linop_from_factor", f.handle, ctypes.byref(by))
        for other, shape in ((d, (49,)), (d, (49, 3)), ("complex128", (49,))):
            x = report.array(numbers(shape, other, 5))
            for op, mode in OPS.items():
                got = arrpy.made("arr_linop_apply", by, x.handle, mode, None).numpy()
                want = f.solve(x, op).numpy()
                good = got.dtype == np.result_type(d, other) and np.allclose(got, want, 1e-5)
                report.check(f"operator {d} {other} {shape} {op}", good, f"{got.dtype}")
        arrpy.call("arr_linop_release", by)
    a, iterations = Sparse.from_dense(report.array(laplacian(20, "float64").toarray()), "csr"), []
    for factored in (False, True):
        given, info, x = C.arr_solve_options(), C.arr_solve_info(), C.arr_array()
        given.struct_size, info.struct_size = ctypes.sizeof(given), ctypes.sizeof(info)
        matrix, inverse = C.arr_linop(), C.arr_linop()
        arrpy.call("arr_linop_from_sparse", a.handle, ctypes.byref(matrix))
        if factored:
            f = Factor("arr_sparse_ic0", a, None)
            arrpy.call("arr_linop_from_factor", f.handle, ctypes.byref(inverse))
            given.m = inverse
            del f  # the operator keeps the factors
        b = report.array(np.ones(400))
        arrpy.call("arr_solve_cg", matrix, b.handle, ctypes.byref(given), None, ctypes.byref(x), ctypes.byref(info))
        left = laplacian(20, "float64") @ arrpy.Array(x).numpy() - 1
        report.check(f"cg preconditioned {factored}", info.info == 0 and np.linalg.norm(left) <= 1e-5 * 20)
        iterations.append(info.iterations)
        for handle in (matrix, inverse):
            arrpy.call("arr_linop_release", handle)
    report.check("ic0 saves iterations", 2 * iterations[1] < iterations[0] + 6, f"{iterations}")


def streams(report):
    """Solves of one factorization in two streams by turns, one of which ends."""
    device = arrpy.device_of(report.device)
    m = regular(60, "float64", 4, "csr")
    f, want = lu(Sparse.of(m, report.device)), m.dense()
    made = [arrapi.call("arr_stream_create", device=device)["out"] for _ in range(2)]
    for round in range(4):
        b = numbers((60, 2), "float64", round)
        given = report.array(b)
        x = arrpy.made("arr_sparse_factor_solve", f.handle, given.handle, OPS["N"], made[round % 2])
        report.check(f"streams {round}", np.allclose(want @ x.numpy(), b, 0, 1e-8))
        if round >= 2:
            arrapi.call("arr_stream_release", stream=made[round % 2])


def main():
    report = oracle.Report(__doc__)
    parts = [triangular, without_fill, many_rows, operators]
    reason = without_library(report)
    if reason is None:
        parts += [factors, again, singular, solve, refusals]
        parts += [as_scipy] if own_parts(report) else [streams]
    else:
        report.check("what to install", "install" in reason and "\n" not in reason, reason)
        print(f"SKIP of factors: {reason}")
    for part in report.turn(parts):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
