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


def main():
    report = oracle.Report(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for part in report.turn([written, read, faults]):
            part(report, pathlib.Path(folder))
    report.finish()


if __name__ == "__main__":
    main()
