#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of text and plain elements, read and written by libarr and NumPy 2: both read and write the same."""

import ctypes
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
NAMES = [n for n in oracle.ALL if n != "bfloat16"]


class Folder:
    def __init__(self, path):
        self.path = path

    def __call__(self, name, text=None):
        path = os.path.join(self.path, name)
        if text is not None:
            with open(path, "wb") as f:
                f.write(text if isinstance(text, bytes) else text.encode())
        return path


def text_options(
    dtype=0,
    delimiter=None,
    comments=None,
    columns=None,
    missing=None,
    filling=None,
    skip_rows=0,
    skip_footer=0,
    max_rows=0,
    min_dims=0,
):
    o = C.arr_text_options(ctypes.sizeof(C.arr_text_options))
    o.dtype, o.skip_rows, o.skip_footer, o.max_rows, o.min_dims = (
        dtype if isinstance(dtype, int) else arrpy.number(dtype),
        skip_rows,
        skip_footer,
        max_rows,
        min_dims,
    )
    o.delimiter, o.comments, o.missing = (None if t is None else t.encode() for t in (delimiter, comments, missing))
    if columns is not None:
        o.columns, o.ncolumns = arrpy.int64s(columns), len(columns)
    if filling is not None:
        o.filling = ctypes.pointer(arrpy.value(filling))
    return o


def read_table(report, name, path, **options):
    o = text_options(**options)
    return arrpy.made(f"arr_{name}", os.fsencode(path), -1, ctypes.byref(o), arrpy.device_of(report.device), None)


def save_table(a, path, **texts):
    o = C.arr_savetxt_options(ctypes.sizeof(C.arr_savetxt_options))
    for key, text in texts.items():
        setattr(o, key, text.encode())
    arrpy.call("arr_savetxt", a.handle, os.fsencode(path), -1, ctypes.byref(o), None)


def equal(report, label, got, want):
    got = got.numpy()
    report.check(
        label, oracle.same(got, np.asarray(want)), f"got {got.dtype} {got!r}, want {np.asarray(want).dtype} {want!r}"
    )


def content(path):
    with open(path, "rb") as f:
        return f.read()


# Text, options of libarr, options of NumPy.
TABLES = [
    ("1 2 3\n4 5 6\n", {}, {}),
    ("1 2 3\r\n4 5 6", {}, {}),
    ("1 2\r3 4\r", {}, {}),
    ("  1\t 2  \n\n# comment\n3 4 # more\n \n", {}, {}),
    ("1,2\n3,4\n", {"delimiter": ","}, {"delimiter": ","}),
    ("1 , 2\n3 ,4\n", {"delimiter": ","}, {"delimiter": ","}),
    ("head\nx y\n1 2\n3 4\n", {"skip_rows": 2}, {"skiprows": 2}),
    ("1 2\n3 4\n\n5 6\n7 8\n", {"max_rows": 3}, {"max_rows": 3}),
    ("1 a 2\n3 b 4\n", {"columns": [2, 0]}, {"usecols": (2, 0)}),
    ("1 a 2\n3 b 4\n", {"columns": [-1]}, {"usecols": (-1,)}),
    ("1 2 x x\n3 4\n", {"columns": [1]}, {"usecols": (1,)}),
    ("% note\n1 2 % more\n", {"comments": "%"}, {"comments": "%"}),
    ("1\n2\n3\n", {}, {}),
    ("1 2 3\n", {}, {}),
    ("7\n", {}, {}),
    ("1\n2\n3\n", {"min_dims": 2}, {"ndmin": 2}),
    ("1 2 3\n", {"min_dims": 2}, {"ndmin": 2}),
    ("7\n", {"min_dims": 1}, {"ndmin": 1}),
    ("7\n", {"min_dims": 2}, {"ndmin": 2}),
    ("1 2\n3 4\n", {"min_dims": 1}, {"ndmin": 1}),
    ("nan inf -inf\n+1.5e3 -0 .5\n", {}, {}),
    ("1e400 -1e400 1e-400\n0x 1 2\n".replace("0x", "5."), {}, {}),
    ("NaN Infinity -Inf\n", {}, {}),
    (f"0.{'0' * 400}1e5 1{'0' * 400}e-5 0.{'0' * 400}1e401 1{'0' * 400}e-400\n", {}, {}),
    ("1e99999999999999999999 1e-99999999999999999999\n", {}, {}),
    ("1 -2\n+3 0\n", {"dtype": "int16"}, {"dtype": "int16"}),
    ("0 1 5\n", {"dtype": "bool"}, {"dtype": "bool"}),
    ("18446744073709551615 0\n", {"dtype": "uint64"}, {"dtype": "uint64"}),
    ("1+2j 3 4j (5-6j)\n", {"dtype": "complex128"}, {"dtype": "complex128"}),
    ("1e3+2.5e-1j,-inf+nanj\n", {"dtype": "complex64", "delimiter": ","}, {"dtype": "complex64", "delimiter": ","}),
    ("0.1 65504 1e-8\n", {"dtype": "float16"}, {"dtype": "float16"}),
    ("0.1 3.4e38 1e-45\n", {"dtype": "float32"}, {"dtype": "float32"}),
]
GAPS = [
    ("1;;2\n3;;4\n", {"delimiter": ";;"}, {"delimiter": ";;"}),
    ("1,,3\n4,5,\n", {"delimiter": ","}, {"delimiter": ","}),
    ("1,,3\n4,N/A,6\n", {"delimiter": ",", "missing": "N/A,-"}, {"delimiter": ",", "missing_values": ["N/A", "-"]}),
    ("1,-,3\n4,x,6\n", {"delimiter": ",", "filling": 9.5}, {"delimiter": ",", "filling_values": 9.5}),
    ("1,,3\n4,5,6\n", {"delimiter": ",", "dtype": "int64"}, {"delimiter": ",", "dtype": "int64"}),
    ("a b\n1 2\n3 4\nend of the table\n", {"skip_rows": 1, "skip_footer": 1}, {"skip_header": 1, "skip_footer": 1}),
    ("1 2\n3 4\nsum\n", {"skip_footer": 1}, {"skip_footer": 1}),
    ("1 2 3\n4 x 6\n", {"columns": [0, 2]}, {"usecols": (0, 2)}),
    ("1 2\n3 x\n", {"max_rows": 1}, {"max_rows": 1}),
]
WRONG = [
    ("1 2\n3\n", {}, "line 2 has 1 columns, the lines before it 2"),
    ("1 2\n\n3 x\n", {}, 'line 3, column 1: "x" is not of type float64'),
    ("1,\n", {"delimiter": ","}, 'line 1, column 1: "" is not of type float64'),
    ("1.5\n", {"dtype": "int32"}, "is not of type int32"),
    ("300\n", {"dtype": "uint8"}, "is not of type uint8"),
    ("-1\n", {"dtype": "uint64"}, "is not of type uint64"),
    ("1 2\n", {"columns": [2]}, "line 1 has 2 columns, but column 2 is requested"),
    ("1_000\n", {}, "is not of type float64"),
    ("0x10\n", {}, "is not of type float64"),
    ("nan(1)\n", {}, "is not of type float64"),
    ("--1\n", {}, "is not of type float64"),
    ("+-1\n", {"dtype": "int64"}, "is not of type int64"),
    ("(1+2j\n", {"dtype": "complex128"}, "is not of type complex128"),
    ("1\0\n", {}, "is not of type float64"),
]


def tables(report, folder):
    for k, (text, ours, theirs) in enumerate(TABLES):
        path = folder("table.txt", text)
        equal(report, f"loadtxt {k} {text!r}", read_table(report, "loadtxt", path, **ours), np.loadtxt(path, **theirs))
    for k, (text, ours, theirs) in enumerate(GAPS):
        path = folder("table.txt", text)
        want = np.genfromtxt(path, **theirs)
        equal(report, f"genfromtxt {k} {text!r}", read_table(report, "genfromtxt", path, **ours), want)
    path = folder("table.txt", "1,99,3\n4,5,99\n")  # NumPy takes a number for present, whatever missing_values says
    got = read_table(report, "genfromtxt", path, delimiter=",", missing="-,99", filling=0.5)
    equal(report, "genfromtxt missing numbers", got, [[1, 0.5, 3], [4, 5, 0.5]])
    for text in ("", "# nothing\n\n"):
        for min_dims in (0, 1, 2):
            path = folder("table.txt", text)
            want = np.loadtxt(path, ndmin=min_dims)
            equal(report, f"loadtxt empty {min_dims}", read_table(report, "loadtxt", path, min_dims=min_dims), want)
    for text, options, message in WRONG:
        path = folder("table.txt", text)
        try:
            read_table(report, "loadtxt", path, **options)
            report.check(f"loadtxt refuses {text!r}", False)
        except arrpy.Error as e:
            report.check(f"loadtxt refuses {text!r}", e.status == C.ARR_E_FORMAT and message in str(e), str(e))
    path = folder("table.txt", "1 2\n")
    for options in ({"min_dims": 3}, {"skip_rows": -1}, {"max_rows": -1}, {"columns": []}):
        refused = oracle.raises(C.ARR_E_ARGUMENT, lambda o=options: read_table(report, "loadtxt", path, **o))
        report.check(f"loadtxt refuses {options}", refused)
    report.check("loadtxt type", oracle.raises(C.ARR_E_DTYPE, lambda: read_table(report, "loadtxt", path, dtype=99)))
    report.check("loadtxt file", oracle.raises(C.ARR_E_IO, lambda: read_table(report, "loadtxt", path + "x")))


FORMATS = ["%.18e", "%d", "%8.3f", "%+.2e", "%-10.4g|", "%05d", "%s", "%G", "% .1f", "%.0f", "%10s", "v=%.3f"]


def saved(report, folder):
    ours, theirs = folder("ours.txt"), folder("theirs.txt")
    for d in NAMES:
        for shape in ((3, 4), (5,), (1, 1), (0,), (2, 0)):
            x = oracle.sample(shape, d, 7, "tame")
            save_table(report.array(x), ours)
            np.savetxt(theirs, x)
            report.check(
                f"savetxt {d} {shape}",
                content(ours) == content(theirs),
                f"{content(ours)[:200]} {content(theirs)[:200]}",
            )
    x = np.array([[0.0, -0.0, 1.5], [-2.25, 1e10, 123456.789], [1e-5, 0.1, 99.5]])
    for how in FORMATS:
        for d in ("float64", "float32", "int32"):
            y = (x % 1000).astype(d)
            save_table(report.array(y), ours, format=how)
            np.savetxt(theirs, y, fmt=how)
            report.check(f"savetxt {how} {d}", content(ours) == content(theirs), f"{content(ours)} {content(theirs)}")
    for texts in (
        {"header": "one\ntwo", "footer": "end"},
        {"header": "a", "comments": "// ", "delimiter": ", ", "newline": "\r\n"},
        {"format": "%d: %.2f, %g"},
        {"header": ""},
    ):
        save_table(report.array(x), ours, **texts)
        np.savetxt(theirs, x, **{"fmt" if k == "format" else k: t for k, t in texts.items()})
        report.check(f"savetxt {texts}", content(ours) == content(theirs), f"{content(ours)} {content(theirs)}")
    z = np.array([[1 + 2j, -1 - 2j], [0.5j, complex(np.nan, -np.inf)]])
    for texts in ({}, {"format": "%.3f"}, {"format": "%.1f %.2f %.3f %.4f"}):
        save_table(report.array(z), ours, **texts)
        np.savetxt(theirs, z, **({"fmt": texts["format"]} if texts else {}))
        report.check(f"savetxt complex {texts}", content(ours) == content(theirs), f"{content(ours)} {content(theirs)}")
    a = report.array(x)
    for how, status in (
        ("plain", C.ARR_E_ARGUMENT),
        ("%", C.ARR_E_ARGUMENT),
        ("%q", C.ARR_E_ARGUMENT),
        ("%n", C.ARR_E_ARGUMENT),
        ("%*d", C.ARR_E_ARGUMENT),
        ("%.99999f", C.ARR_E_ARGUMENT),
        ("%d %d", C.ARR_E_ARGUMENT),
        ("%x", C.ARR_E_DTYPE),
    ):
        report.check(f"savetxt refuses {how}", oracle.raises(status, lambda h=how: save_table(a, ours, format=h)))
    infinite = report.array(np.array([np.inf]))
    report.check("savetxt %d of inf", oracle.raises(C.ARR_E_ARGUMENT, lambda: save_table(infinite, ours, format="%d")))
    for shape in ((), (1, 2, 3)):
        report.check(
            f"savetxt {shape}",
            oracle.raises(C.ARR_E_SHAPE, lambda s=shape: save_table(report.array(np.zeros(s)), ours)),
        )
    left = set(os.listdir(folder.path)) - {"table.txt"}  # there if this sample has a case of tables()
    report.check("savetxt leaves nothing", left == {"ours.txt", "theirs.txt"}, str(left))


def random_bits(d, n, seed):
    """Numbers of all magnitudes, subnormal ones and infinities among them."""
    r = np.random.default_rng(seed)
    x = r.integers(0, 256, n * np.dtype(d).itemsize, "uint8").view(d)
    return np.where(np.isnan(x), np.zeros((), d), x)


def round_trips(report, folder):
    path = folder("round.txt")
    n = 20000 if report.device == "host" and "ARR_SUITE" not in os.environ else 500
    for d in ("float64", "float32", "float16"):
        x = random_bits(d, n, 3)
        for how in ("%s", "%.18e", "%.17g" if d == "float64" else "%.9g"):
            save_table(report.array(x), path, format=how)
            equal(report, f"round trip {d} {how}", read_table(report, "loadtxt", path, dtype=d), x)
            if how == "%s":
                report.check(f"NumPy reads {d}", oracle.same(np.loadtxt(path, dtype="float64").astype(d), x))
        np.savetxt(path, x)
        equal(report, f"reads NumPy's {d}", read_table(report, "loadtxt", path, dtype=d), x)
    for d in ("bfloat16", "complex64", "complex128", "int64", "uint64", "bool"):
        x = oracle.sample((300,), d, 4)
        a = report.array(x)
        arrpy.call("arr_tofile", a.handle, os.fsencode(path), -1, b"\n", None)
        equal(report, f"round trip {d}", from_file(report, path, d, separator="\n"), x)


def from_file(report, path, d, count=-1, offset=0, separator=None):
    by = None if separator is None else separator.encode()
    return arrpy.made(
        "arr_fromfile", os.fsencode(path), -1, arrpy.number(d), count, offset, by, arrpy.device_of(report.device), None
    )


def from_string(report, text, d, separator, count=-1, nbytes=None):
    text = text.encode()
    return arrpy.made(
        "arr_fromstring",
        text,
        len(text) if nbytes is None else nbytes,
        arrpy.number(d),
        count,
        separator.encode(),
        arrpy.device_of(report.device),
        None,
    )


def elements(report, folder):
    path = folder("elements")
    for d in oracle.ALL:
        x = oracle.sample((4, 6), d, 8)
        for layout, a, y in (("C", report.array(x), x), ("part", report.array(x)[::-1, ::2], x[::-1, ::2])):
            arrpy.call("arr_tofile", a.handle, os.fsencode(path), -1, None, None)
            report.check(f"tofile {d} {layout}", content(path) == y.tobytes())
            equal(report, f"fromfile {d} {layout}", from_file(report, path, d), y.ravel())
        item = x.itemsize
        folder("elements", x.tobytes())
        equal(report, f"fromfile {d} part", from_file(report, path, d, 5, 3 * item), x.ravel()[3:8])
        if d != "bool" and item > 1:
            report.check(
                f"fromfile {d} cut", oracle.raises(C.ARR_E_FORMAT, lambda d=d: from_file(report, path, d, -1, 1))
            )
    folder("elements", bytes([0, 1, 7]))
    equal(report, "fromfile bool", from_file(report, path, "bool"), [False, True, True])
    for count, offset, status in (
        (9, 0, C.ARR_E_FORMAT),
        (-2, 0, C.ARR_E_ARGUMENT),
        (0, 4, C.ARR_E_ARGUMENT),
        (0, -1, C.ARR_E_ARGUMENT),
    ):
        refused = oracle.raises(status, lambda c=count, o=offset: from_file(report, path, "int8", c, o))
        report.check(f"fromfile refuses {count} {offset}", refused)
    equal(report, "fromfile none", from_file(report, path, "int8", 0, 3), np.zeros(0, "int8"))
    folder("elements", "1, 2 ,3\n,4")
    equal(
        report,
        "fromfile text",
        from_file(report, path, "float32", separator=","),
        np.fromfile(path, "float32", sep=","),
    )


def strings(report, folder):
    for text, d, by, count in (
        ("1 2 3", "float64", " ", -1),
        ("1\n 2\t3 ", "int32", " ", -1),
        ("1,2, 3 ,4", "int32", ",", -1),
        ("1,2,", "float64", ",", -1),
        ("1 ; 2;3", "float64", " ; ", 2),
        ("1+2j 3j", "complex128", " ", -1),
        ("", "float64", ",", -1),
        ("  ", "float64", " ", -1),
        ("1e5,-inf,nan", "float32", ",", -1),
    ):
        want = np.fromstring(text, d, count, by) if text.strip() and d != "complex128" else None
        if d == "complex128":
            want = np.array([1 + 2j, 3j])
        got = from_string(report, text, d, by, count)
        equal(report, f"fromstring {text!r} {by!r}", got, np.zeros(0, d) if want is None else want)
    for text, d, by, count, status in (
        ("1,x", "float64", ",", -1, C.ARR_E_FORMAT),
        ("1 2", "float64", ",", -1, C.ARR_E_FORMAT),
        ("1,,2", "float64", ",", -1, C.ARR_E_FORMAT),
        ("1.5", "int32", ",", -1, C.ARR_E_FORMAT),
        ("1,2", "int32", ",", 3, C.ARR_E_FORMAT),
        ("1,2", "int32", "", -1, C.ARR_E_ARGUMENT),
        ("1,2", "int32", ",", -2, C.ARR_E_ARGUMENT),
    ):
        refused = oracle.raises(status, lambda t=text, d=d, b=by, c=count: from_string(report, t, d, b, c))
        report.check(f"fromstring refuses {text!r} {by!r} {count}", refused)
    equal(report, "fromstring to NUL", from_string(report, "5,6", "int8", ",", nbytes=-1), np.array([5, 6], "int8"))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    with tempfile.TemporaryDirectory() as temporary:
        for part in r.chosen((tables, saved, round_trips, elements, strings)):
            part(r, Folder(temporary))
    r.finish()
