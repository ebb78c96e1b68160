#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of sparse matrices, written and read by SciPy; faults of files."""

import ctypes
import io
import pathlib
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.io
import scipy.sparse
from sparse import unchanged
from sparse_matrix import Sparse, cases, coordinates, unsorted_compressed

import oracle
from oracle import arrpy, raises

C = arrpy.c


def save(a, path, compressed=False):
    arrpy.call("arr_sparse_save_npz", a.handle, str(path).encode(), -1, compressed, None)


def load(path, device):
    where = ctypes.byref(arrpy.device_of(device))
    return Sparse.made("arr_sparse_load_npz", str(path).encode(), -1, where, None)


def written(report, folder):
    for d in ("bool", "int8", "int64", "float32", "float64", "complex128"):
        for index in ("int32", "int64"):
            for name, m in cases(d, index):
                for compressed in (False, True):
                    label = f"written {name} {d} {index} {compressed}"
                    path = folder / "a.npz"
                    a = Sparse.of(m, report.device)
                    save(a, path, compressed)
                    s = scipy.sparse.load_npz(path)
                    report.check(label, s.format == m.format and isinstance(s, scipy.sparse.sparray))
                    good = s.dtype == m.data.dtype and np.array_equal(s.toarray(), m.dense())
                    report.check(f"{label} elements", good)
                    back = load(path, report.device)
                    report.check(f"{label} back", unchanged(back, m) and back.info().rows == m.shape[0])
    # SciPy has no 16-bit floats, this library reads them.
    m = coordinates((5, 6), 9, "float16", 1)
    save(Sparse.of(m, report.device), folder / "half.npz")
    report.check("written float16", unchanged(load(folder / "half.npz", report.device), m))


def read(report, folder):
    for d in ("bool", "uint16", "float64", "complex64"):
        for form in ("coo", "csr", "csc"):
            for compressed in (False, True):
                for kind in (scipy.sparse.coo_array, scipy.sparse.coo_matrix):
                    m = unsorted_compressed((30, 20), 70, d, 1, "csr")
                    s = kind(m.scipy()).asformat(form)
                    path = folder / "b.npz"
                    scipy.sparse.save_npz(path, s, compressed)
                    a = load(path, report.device)
                    good = a.parts().format == form and np.array_equal(a.dense().numpy(), s.toarray())
                    report.check(f"read {form} {d} {compressed} {kind.__name__}", good and a.parts().data.dtype == d)


def npy(x):
    out = io.BytesIO()
    np.save(out, x)
    return out.getvalue()


def faults(report, folder):
    """Files whose arrays are wrong, cut or absent."""
    s = unsorted_compressed((6, 5), 9, "float64", 1, "csr")
    good = {
        "indices": npy(s.first),
        "indptr": npy(s.second),
        "format": npy(np.array(b"csr")),
        "shape": npy(np.array([6, 5])),
        "data": npy(s.data),
    }
    if len(s.first) != len(s.data):
        good["indices"], good["indptr"] = good["indptr"], good["indices"]
    path = folder / "c.npz"

    def status(**changes):
        with zipfile.ZipFile(path, "w") as z:
            for name, content in (good | changes).items():
                if content is not None:
                    z.writestr(name + ".npy", content)
        try:
            load(path, report.device)
        except arrpy.Error as e:
            return e.status
        return C.ARR_OK

    report.check("faults none", status() == C.ARR_OK)
    report.check("faults old text", status(format=npy(np.array("csr"))) == C.ARR_OK)
    for name in good:
        report.check(f"faults no {name}", status(**{name: None}) == C.ARR_E_FORMAT)
        for end in (0, 3, 9, 11, 60, len(good[name]) - 1):
            report.check(f"faults {name} cut {end}", status(**{name: good[name][:end]}) == C.ARR_E_FORMAT)
    for text, want in (("bsr", C.ARR_E_UNSUPPORTED), ("xyz", C.ARR_E_UNSUPPORTED), ("coo", C.ARR_E_FORMAT)):
        report.check(f"faults {text}", status(format=npy(np.array(text.encode()))) == want)
    report.check("faults long text", status(format=npy(np.array(b"csr_"))) == C.ARR_E_FORMAT)
    report.check("faults text list", status(format=npy(np.array([b"csr", b"csr"]))) == C.ARR_E_FORMAT)
    for shape in ([6], [6, 5, 1], [6.0, 5.0]):
        report.check(f"faults shape {shape}", status(shape=npy(np.array(shape))) == C.ARR_E_FORMAT)
    for shape in ([6, 2], [-6, 5], [5, 5], [2**62, 2**62]):
        report.check(f"faults shape {shape}", status(shape=npy(np.array(shape))) != C.ARR_OK)
    report.check("faults indices", status(indices=npy(np.full(9, 5))) == C.ARR_E_ARGUMENT)
    report.check("faults indptr", status(indptr=npy(np.array([0, 9, 8, 9, 9, 9, 9]))) == C.ARR_E_ARGUMENT)
    report.check("faults data", status(data=npy(np.zeros((3, 3)))) == C.ARR_E_SHAPE)
    path.write_bytes(b"PK")
    report.check("faults no archive", raises(C.ARR_E_FORMAT, lambda: load(path, report.device)))
    report.check("faults no file", raises(C.ARR_E_IO, lambda: load(folder / "none.npz", report.device)))


def save_mtx(a, path, symmetry="general", comment=None):
    number = getattr(C, "ARR_MTX_" + symmetry.upper().replace("-", "_"))
    arrpy.call("arr_sparse_save_mtx", a.handle, str(path).encode(), -1, number, comment, None)


def load_mtx(path, device):
    where = ctypes.byref(arrpy.device_of(device))
    return Sparse.made("arr_sparse_load_mtx", str(path).encode(), -1, where, None)


def mtx_written(report, folder):
    path = folder / "a.mtx"
    for d in ("bool", "int8", "uint16", "int64", "uint64", "float32", "float64", "complex64", "complex128"):
        for name, m in cases(d):
            label = f"mtx written {name} {d}"
            a = Sparse.of(m, report.device)
            save_mtx(a, path, comment=b"one\ntwo")
            s = scipy.io.mmread(path, spmatrix=False)
            report.check(label, s.nnz == len(m.data) and s.shape == m.shape)
            dense = scipy.sparse.coo_array((m.data.astype(s.dtype), m.coordinates()), shape=m.shape).toarray()
            report.check(f"{label} elements", np.array_equal(s.toarray(), dense))
            report.check(f"{label} comment", path.read_text().splitlines()[1:3] == ["%one", "%two"])
            report.check(f"{label} back", np.array_equal(load_mtx(path, report.device).dense().numpy(), dense))
    x = np.array([[1e-300, np.nextafter(1, 2)], [np.nan, -np.inf]])
    save_mtx(Sparse.from_dense(report.array(x)), path)
    report.check("mtx exact", oracle.same(load_mtx(path, report.device).dense().numpy(), x))
    r = np.random.default_rng(1)
    y = r.integers(-4, 5, (6, 6)) + 1j * r.integers(-4, 5, (6, 6))
    for symmetry, z in (
        ("symmetric", y + y.T),
        ("symmetric", (y + y.T).real),
        ("skew-symmetric", y - y.T),
        ("hermitian", y + y.conj().T),
        ("symmetric", (y + y.T).real.astype("i4")),
    ):
        save_mtx(Sparse.from_dense(report.array(z), "csc"), path, symmetry)
        label = f"mtx {symmetry} {z.dtype}"
        report.check(label, np.array_equal(scipy.io.mmread(path, spmatrix=False).toarray(), z))
        report.check(f"{label} back", np.array_equal(load_mtx(path, report.device).dense().numpy(), z))
        report.check(f"{label} lines", len(path.read_text().splitlines()) <= 2 + 21)
    wide = Sparse.from_dense(report.array(x[:1]))
    report.check("mtx not square", raises(C.ARR_E_SHAPE, lambda: save_mtx(wide, path, "hermitian")))


GOOD_MTX = (
    "matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 -2\n",
    "matrix coordinate pattern symmetric\n% c\n\n3 3 2\n1 1\n\n3 1\n",
    "matrix coordinate integer skew-symmetric\n3 3 1\n3 1 7\n",
    "matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n",
    "matrix coordinate real general\n2 2 3\n1 1 1\n1 1 2\n2 2 0\n",
    "matrix coordinate real general\n0 0 0\n",
    "matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n",
    "matrix array integer symmetric\n2 2\n1\n2\n3\n",
    "matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
    "matrix array complex hermitian\n2 2\n1 0\n2 5\n3 0\n",
    "matrix coordinate real general\r\n1 1 1\r\n1 1 1e400\r\n",
    "matrix coordinate unsigned-integer general\n1 1 1\n1 1 18446744073709551615",
)
# The part after the banner, and a word that the error has.
BAD_MTX = (
    ("vector coordinate real general\n2 1\n1 1\n", 'line 1: object "vector"'),
    ("matrix list real general\n2 2 0\n", 'line 1: format "list"'),
    ("matrix coordinate quaternion general\n2 2 0\n", 'line 1: field "quaternion"'),
    ("matrix array pattern general\n2 2\n", 'line 1: field "pattern"'),
    ("matrix coordinate real odd\n2 2 0\n", 'line 1: symmetry "odd"'),
    ("matrix coordinate real\n2 2 0\n", 'line 1: symmetry ""'),
    ("matrix coordinate real general\n", "no line of sizes"),
    ("matrix coordinate real general\n2 2\n", "line 2: the number of elements"),
    ("matrix coordinate real general\n2 x 1\n", 'line 2: the number of columns is "x"'),
    ("matrix coordinate real general\n2 2 1 1\n1 1 1\n", "line 2: there is more"),
    ("matrix coordinate real general\n-2 2 0\n", "line 2: a size is negative"),
    ("matrix coordinate real general\n2 2 -1\n", "line 2: -1 elements"),
    ("matrix coordinate real general\n2 2 4000000000000000000\n1 1 1\n", "more than a file of"),
    ("matrix array real general\n2000000000 2000000000\n1\n", "more than a file of"),
    ("matrix array real symmetric\n3000000000 3000000000\n1\n", "more than a file of"),
    ("matrix coordinate real symmetric\n2 3 0\n", "expected a square matrix"),
    ("matrix coordinate real general\n2 2 2\n1 1 1\n", "ends after 1 elements, expected 2"),
    ("matrix coordinate real general\n2 2 1\n1 1 1\n2 2 2\n", "line 4: there is more text"),
    ("matrix coordinate real general\n2 2 1\n0 1 1\n", "line 3: row 0"),
    ("matrix coordinate real general\n2 2 1\n1 3 1\n", "line 3: column 3"),
    ("matrix coordinate real general\n2 2 1\n1 99999999999999999999 1\n", "line 3: the column is"),
    ("matrix coordinate real general\n2 2 1\n1 1\n", 'line 3: the value is ""'),
    ("matrix coordinate real general\n2 2 1\n1 1 1 2\n", "line 3: there is more than an element"),
    ("matrix coordinate complex general\n2 2 1\n1 1 1\n", "expected two numbers"),
    ("matrix coordinate integer general\n2 2 1\n1 1 1.5\n", "expected an integer"),
    ("matrix coordinate integer general\n2 2 1\n1 1 9223372036854775808\n", "expected an integer"),
)


def mtx_read(report, folder):
    path = folder / "b.mtx"
    for text in GOOD_MTX:
        path.write_text("%%MatrixMarket " + text)
        want = scipy.io.mmread(path)
        want = want.toarray() if scipy.sparse.issparse(want) else want
        got = load_mtx(path, report.device).dense().numpy()
        report.check(f"mtx read {text!r}", got.dtype == want.dtype and np.array_equal(got, want), f"{got}\n{want}")
    path.write_text("%%MATRIXMARKET Matrix Coordinate Real General\n1 1 1\n1 1 2\n")
    report.check("mtx read capitals", load_mtx(path, report.device).dense().numpy() == 2)
    path.write_text("%%MatrixMarket matrix coordinate real general\n%\n1 1 1\n% between\n1 1 2\n% behind\n")
    report.check("mtx read comments", load_mtx(path, report.device).dense().numpy() == 2)
    for text, word in BAD_MTX:
        path.write_text("%%MatrixMarket " + text)
        try:
            load_mtx(path, report.device)
        except arrpy.Error as e:
            report.check(f"mtx refused {text!r}", e.status == C.ARR_E_FORMAT and word in str(e), str(e))
        else:
            report.check(f"mtx refused {text!r}", False)
    for text in ("", "%MatrixMarket matrix", "\n%%MatrixMarket matrix coordinate real general\n1 1 0\n"):
        path.write_text(text)
        report.check(f"mtx refused {text!r}", raises(C.ARR_E_FORMAT, lambda: load_mtx(path, report.device)))
    path.write_text("%%MatrixMarket matrix coordinate real general\n5000000000 5000000000 0\n")
    report.check("mtx refused extents", raises(C.ARR_E_SHAPE, lambda: load_mtx(path, report.device)))
    whole = "%%MatrixMarket " + GOOD_MTX[3]
    for end in range(len(whole) - 2):
        path.write_text(whole[:end])
        report.check(f"mtx cut {end}", raises(C.ARR_E_FORMAT, lambda: load_mtx(path, report.device)))
    report.check("mtx no file", raises(C.ARR_E_IO, lambda: load_mtx(folder / "none.mtx", report.device)))


def main():
    report = oracle.Report(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for part in report.turn([written, read, faults, mtx_written, mtx_read]):
            part(report, pathlib.Path(folder))
    report.finish()


if __name__ == "__main__":
    main()
