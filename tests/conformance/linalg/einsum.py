#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Einstein sums and their paths against NumPy 2."""

import ctypes
import itertools
import pathlib
import string
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from calculus import compare
from oracle import arrpy
from products import tame, small, on, handles, in_type, all_types, VIEWS

C = arrpy.c
METHODS = {
    "auto": C.ARR_EINSUM_AUTO,
    "none": C.ARR_EINSUM_NONE,
    "greedy": C.ARR_EINSUM_GREEDY,
    "optimal": C.ARR_EINSUM_OPTIMAL,
}


def einsum(text, *operands, method="auto"):
    return arrpy.made("arr_einsum", text.encode(), len(operands), handles(operands), METHODS[method], None)


def einsum_path(text, *operands, method="auto"):
    """The steps, the cost in their order and that of one pass."""
    buffer, length = ctypes.create_string_buffer(4096), ctypes.c_int64()
    cost, naive = ctypes.c_double(), ctypes.c_double()
    arrpy.call(
        "arr_einsum_path",
        text.encode(),
        len(operands),
        handles(operands),
        METHODS[method],
        4096,
        buffer,
        ctypes.byref(length),
        ctypes.byref(cost),
        ctypes.byref(naive),
    )
    return eval(buffer.value.decode()), cost.value, naive.value


def einsum_with(text, path, *operands):
    return arrpy.made("arr_einsum_with", text.encode(), len(operands), handles(operands), path.encode(), None)


SUMS = [
    ("ij,jk->ik", (3, 4), (4, 5)),
    ("ij,jk", (3, 4), (4, 5)),
    ("ij,jk->ki", (3, 4), (4, 5)),
    ("ii", (4, 4)),
    ("ii->i", (4, 4)),
    ("ij->ji", (3, 4)),
    ("ij->", (3, 4)),
    ("ij->j", (3, 4)),
    ("i,i", (4,), (4,)),
    ("i,j->ij", (3,), (4,)),
    ("ij,ij->ij", (3, 4), (3, 4)),
    ("bij,bjk->bik", (5, 3, 4), (5, 4, 2)),
    ("bqhd,bkhd->bhqk", (2, 5, 3, 4), (2, 6, 3, 4)),
    ("bhqk,bkhd->bqhd", (2, 3, 5, 6), (2, 6, 3, 4)),
    ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 2)),
    ("i...,i...->...", (3, 2, 2), (3, 1, 2)),
    ("ij,jk,kl->il", (3, 4), (4, 5), (5, 2)),
    ("i,i,i->", (6,), (6,), (6,)),
    ("ij,ij,ij->i", (3, 4), (3, 4), (3, 4)),
    ("ijk,jil->kl", (3, 4, 5), (4, 3, 2)),
    ("iij,jj->i", (3, 3, 4), (4, 4)),
    ("ij,k->", (3, 4), (5,)),
    ("ij,jk->k", (3, 4), (4, 5)),
    (",ij->ij", (), (3, 4)),
    ("->", ()),
    ("i,->i", (3,), ()),
    ("ij,jk->ik", (0, 4), (4, 5)),
    ("ij,jk->ik", (3, 0), (0, 5)),
    ("i->", (0,)),
    ("ij,kj->ik", (1, 4), (3, 1)),
    (" i j , j k -> i k ", (3, 4), (4, 5)),
    ("aB,Bc", (3, 4), (4, 5)),
    ("ea,fb,abcd,gc,hd->efgh", (3, 4), (3, 4), (4, 4, 4, 4), (3, 4), (3, 4)),
    ("ijkl,jl->ik", (20, 3, 21, 4), (3, 4)),
    ("a...b->b...a", (2, 3, 4)),
    ("...->...", (2, 3)),
    ("...", (3,)),
]


def sums(report):
    for d in all_types(report, ["float32", "int8"]):
        for k, (text, *shapes) in enumerate(SUMS):
            if report.device != "host" and (d != "float32" and k > 8):
                continue
            arrays = [small(s, d, k + i) for i, s in enumerate(shapes)]
            want = in_type(lambda *x: np.einsum(text, *x), *arrays)
            for layout in VIEWS if report.device == "host" and d in ("float32", "int8") else ("C",):
                for method in METHODS if d == "float32" and layout == "C" and report.device == "host" else ("auto",):
                    got = einsum(text, *(on(report, a, layout) for a in arrays), method=method)
                    compare(report, f"einsum {text} {d} {layout} {method}", got, want, size=9.0 ** len(shapes) * 300)
    a, b = tame((3, 4), "int8", 1), tame((4, 2), "float64", 2)
    compare(report, "einsum mixed", einsum("ij,jk->k", report.array(a), report.array(b)), np.einsum("ij,jk->k", a, b))
    flags, whole = np.ones((200, 3), bool), np.ones(3, "i8")
    got = einsum("ij,j->j", report.array(flags), report.array(whole))
    compare(report, "einsum counts", got, np.einsum("ij,j->j", flags.astype("i8"), whole))
    x = report.array(np.arange(12.0).reshape(3, 4))
    view = einsum("ij->ji", x)
    arrpy.call("arr_fill", view.handle, ctypes.byref(arrpy.value(7.0)), None)
    report.check("einsum gives a view", bool((x.numpy() == 7).all()))


def refused(report):
    x = report.array(np.ones((3, 4)))
    for text, count, status in (
        ("ij,jk->ik", 1, C.ARR_E_ARGUMENT),
        ("ijk", 1, C.ARR_E_SHAPE),
        ("i", 1, C.ARR_E_SHAPE),
        ("i1", 1, C.ARR_E_ARGUMENT),
        ("ij->ii", 1, C.ARR_E_ARGUMENT),
        ("ij->k", 1, C.ARR_E_ARGUMENT),
        ("ii", 1, C.ARR_E_SHAPE),
        ("ij,ji", 2, C.ARR_E_SHAPE),
        (".ij", 1, C.ARR_E_ARGUMENT),
        ("...i...", 1, C.ARR_E_ARGUMENT),
        ("...j->j", 1, C.ARR_E_ARGUMENT),
        ("ij->j->i", 1, C.ARR_E_ARGUMENT),
        ("", 0, C.ARR_E_ARGUMENT),
        ("ij,ij,", 2, C.ARR_E_ARGUMENT),
    ):
        report.check(f"einsum refuses {text!r}", oracle.raises(status, lambda: einsum(text, *[x] * count)), text)
    for text, shape in (
        ("ii", (3, 1)),
        ("ii->i", (1, 3)),
        ("iij->j", (3, 1, 2)),
        ("iji->j", (1, 2, 3)),
        ("...ii->...i", (2, 3, 1)),
        ("iii", (3, 3, 1)),
    ):
        report.check(
            f"einsum refuses {text!r} of {shape}",
            oracle.raises(C.ARR_E_SHAPE, lambda: einsum(text, report.array(np.ones(shape)))),
        )
    report.check(
        "einsum refuses a diagonal beside another operand",
        oracle.raises(
            C.ARR_E_SHAPE, lambda: einsum("ii,i->i", report.array(np.ones((1, 3))), report.array(np.ones(3)))
        ),
    )
    report.check(
        "einsum null", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_einsum", None, 1, handles([x]), 0, None))
    )
    report.check(
        "einsum method",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_einsum", b"ij", 1, handles([x]), 9, None)),
    )
    report.check(
        "einsum optimal of many",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: einsum(",".join(["ij"] * 13), *[x] * 13, method="optimal")),
    )
    got = einsum(",".join(["ij"] * 20) + "->ij", *[x] * 20)
    report.check("einsum of 20", bool((got.numpy() == 1).all()))


def random_sum(r, max_operands=4):
    """Subscripts and shapes: repeated labels, axes that broadcast, ellipses, with and without a result."""
    pool = list("abcdeXY")[: r.integers(1, 7)]
    extent = {l: int(r.choice([0, 1, 2, 3, 5], p=[0.04, 0.1, 0.3, 0.3, 0.26])) for l in pool}
    ellipsis = [int(r.integers(1, 4)) for _ in range(r.integers(0, 3))] if r.random() < 0.3 else None
    terms, shapes = [], []
    for _ in range(r.integers(1, max_operands + 1)):
        labels = [str(l) for l in r.choice(pool, r.integers(0, 5))]
        shape = [1 if r.random() < 0.05 and labels.count(l) == 1 else extent[l] for l in labels]
        if ellipsis is not None and r.random() < 0.7:
            at, under = int(r.integers(0, len(labels) + 1)), ellipsis[int(r.integers(0, len(ellipsis) + 1)) :]
            shape[at:at] = [1 if r.random() < 0.3 else n for n in under]
            labels.insert(at, "...")
        terms.append("".join(labels))
        shapes.append(tuple(shape))
    text = ",".join(terms)
    if r.random() < 0.7:
        used = sorted(set(text) & set(string.ascii_letters))
        out = [str(l) for l in r.permutation(used)[: r.integers(0, len(used) + 1)]] if used else []
        if "..." in text:
            out.insert(int(r.integers(0, len(out) + 1)), "...")
        text += "->" + "".join(out)
    return text, shapes


def fuzz(report):
    r = np.random.default_rng(2024)
    done = 0
    wanted = 1500 if report.device == "host" else 40
    while done < wanted:
        text, shapes = random_sum(r)
        d = str(r.choice(["int64", "float64", "float32", "int8"])) if report.device == "host" else "float32"
        arrays = [r.integers(-2, 3, s).astype(d) for s in shapes]
        try:
            want = np.einsum(text, *arrays)
        except ValueError:  # nothing that means anything: an axis of 1 beside the diagonal of another, say
            continue
        done += 1
        layout = str(r.choice(VIEWS))
        method = str(r.choice(list(METHODS)))
        try:
            got = einsum(text, *(on(report, a, layout) for a in arrays), method=method).numpy()
        except arrpy.Error as e:
            report.check(f"fuzz {text} {shapes} {d}", False, str(e))
            continue
        report.check(
            f"fuzz {text} {shapes} {d} {layout} {method}",
            got.dtype == want.dtype and np.array_equal(got, want),
            f"{got.shape} {got.ravel()[:4]}, NumPy {want.shape} {want.ravel()[:4]}",
        )


def cheapest(sets, out, extents):
    """The least cost of all orders of pairs, by trying each."""
    if len(sets) < 2:
        return 0
    best = float("inf")
    for i, j in itertools.combinations(range(len(sets)), 2):
        others = [s for k, s in enumerate(sets) if k not in (i, j)]
        both = sets[i] | sets[j]
        kept = both & (out.union(*others))
        size = float(np.prod([extents[l] for l in both], dtype=float)) if both else 1.0
        best = min(best, size * (2 if both - kept else 1) + cheapest(others + [kept], out, extents))
    return best


def paths(report):
    if report.device != "host":
        return
    r = np.random.default_rng(11)
    for k in range(60):
        extents = {l: int(r.integers(1, 30)) for l in "abcdef"}
        terms = ["".join(r.choice(list("abcdef"), r.integers(1, 4), replace=False)) for _ in range(r.integers(2, 6))]
        used = sorted(set("".join(terms)))
        out = "".join(r.choice(used, r.integers(0, len(used)), replace=False))
        arrays = [arrpy.array(np.zeros([extents[l] for l in t], "f4")) for t in terms]
        text = ",".join(terms) + "->" + out
        steps, cost, naive = einsum_path(text, *arrays, method="optimal")
        want = cheapest([set(t) for t in terms], set(out), extents)
        report.check(f"path optimal {text}", abs(cost - want) <= 1e-9 * want, f"{cost}, expected {want}")
        report.check(f"path steps {text}", len(steps) == len(terms) - 1 and all(len(s) == 2 for s in steps), steps)
        greedy = einsum_path(text, *arrays, method="greedy")[1]
        chosen = einsum_path(text, *arrays)[1]
        report.check(f"path order {text}", cost <= greedy and chosen <= naive, f"{cost} {greedy} {chosen} {naive}")
    a = [arrpy.array(np.zeros(s, "f4")) for s in ((2, 30), (30, 3), (3, 40))]
    report.check("path text", einsum_path("ij,jk,kl->il", *a)[0] == [(0, 1), (0, 1)])
    report.check("path none", einsum_path("ij,jk,kl->il", *a, method="none")[0] == [(0, 1, 2)])
    report.check("path of one", einsum_path("ij->j", a[0])[0] == [(0,)])


def given(report):
    """Sums in a given order: pairs, single operands, several at once."""
    chain = ("ab,bc,cd,de->ae", (2, 3), (3, 4), (4, 5), (5, 2))
    for (text, *shapes), path in (
        *((chain, p) for p in ("(0,1),(0,1),(0,1)", "[(2, 3), (1, 2), (0, 1)]", "(0, 1, 2, 3)", "[(1, 0, 3), (0, 1)]")),
        *((chain, p) for p in ("(3,1),(0,1,2)", "(0,),(0,1),(0,1,2)", " [ ( 1 , 2 ) , ( 0 , 1, 2 ) ] ")),
        (chain, "['einsum_path', (0, 2), (0, 1), (0, 1)]"),
        (("ij,j,k->i", (3, 4), (4,), (5,)), "(1, 2), (0, 1)"),
        (("ij,j,k->i", (3, 4), (4,), (5,)), "(0, 2), (0, 1)"),
        (("ij,ij,ij->", (3, 4), (3, 4), (3, 4)), "(0, 1), (0, 1)"),
        (("...i,...i,i->...", (2, 3, 4), (3, 4), (4,)), "(1, 2), (0, 1)"),
        (("iij,jk->ki", (3, 3, 4), (4, 2)), "(0, 1)"),
        (("ij->j", (3, 4)), "(0,)"),
        (("ij->ji", (3, 4)), ""),
        (("ii->i", (4, 4)), '["einsum_path", (0,)]'),
        (("i,i,i,i->", (6,), (6,), (6,), (6,)), "(0, 1), (0, 1), (0, 1)"),
        (("ij,jk,kl->il", (3, 0), (0, 2), (2, 2)), "(0, 2), (0, 1)"),
    ):
        for d in ("float32", "float64", "complex128", "int64", "bool"):
            arrays = [small(shape, d, i) for i, shape in enumerate(shapes)]
            got = einsum_with(text, path, *(report.array(x) for x in arrays))
            compare(report, f"einsum {text} by {path} {d}", got, np.einsum(text, *arrays))
    arrays = [report.array(np.ones(s)) for s in chain[1:]]
    for path, words in (
        ("(0, 1)", "3 operands are left"),
        ("", "4 operands are left"),
        ("(0, 4), (0, 1), (0, 1)", "position 4 in step 0, expected 0 to 3"),
        ("(0, 1), (0, 3), (0, 1)", "position 3 in step 1, expected 0 to 2"),
        ("(-1, 0), (0, 1), (0, 1)", "position -1 in step 0"),
        ("(1, 1), (0, 1), (0, 1)", "position 1 is named twice in step 0"),
        ("(), (0, 1, 2, 3)", "step 0 is empty"),
        ("(0, 1, 2, 3", "the end at byte 11, expected , or )"),
        ("(0 1)", "'1' at byte 3, expected , or )"),
        ("(x)", "'x' at byte 1, expected a position"),
        ("[(0, 1, 2, 3)", "the end at byte 13, expected a step in parentheses, or ]"),
        ("(0, 1, 2, 3)]", "']' at byte 12"),
        ("['greedy']", "'g' at byte 2, expected einsum_path"),
        ("(99999999999, 0)", "expected a position"),
        ("none", "'n' at byte 0"),
    ):
        try:
            einsum_with(chain[0], path, *arrays)
            text, status = "no error", C.ARR_OK
        except arrpy.Error as e:
            text, status = str(e), e.status
        good = status == C.ARR_E_ARGUMENT and "argument path" in text and words in text
        report.check(f"einsum refuses {path!r}", good, text)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((sums, refused, fuzz, paths, given)):
        part(r)
    r.finish()
