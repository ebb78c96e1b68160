# SPDX-License-Identifier: MIT
"""bindings/rust/arr/src/overview_generated.rs: pages of the crate's documentation that list its methods by subject.

A method belongs to the subject of the C function that it calls. Those of generated code are known; those of hand-written
files are found by the calls in their bodies.
"""

import re

import emit_rust_functions as functions
import emit_rust_ops as ops
import rust_arguments as arguments
import text

FILE = "bindings/rust/arr/src/overview_generated.rs"
# Module: title, headers. Any other header is its own subject.
SUBJECTS = {
    "creation": ("New arrays, copies and views of memory", "array base creation dtype memory_views"),
    "shapes_and_indexing": ("Shapes, views, indexing and joining", "view manipulation indexing"),
    "element_wise": ("Element-wise operations and fused expressions", "ops numeric ufunc expr expr_reductions fuse"),
    "reductions": (
        "Reductions, scans and statistics",
        "reduce reduce_options scan statistics quantiles histogram calculus",
    ),
    "sorting_and_sets": ("Sorting, searching and sets", "sort search sets"),
    "linear_algebra": (
        "Products, equations, decompositions",
        "linalg products gemm solvers banded decompositions special_matrices",
    ),
    "sparse": (
        "Sparse matrices, linear operators, solvers",
        "sparse sparse_structure sparse_io iterative factor csgraph",
    ),
    "transforms": ("Fourier, cosine and Hankel transforms, convolution", "fft fft_plan cosine hankel signal"),
    "polynomials": ("Polynomials", "polynomial"),
    "random_numbers": ("Random numbers", "random random_vectors distributions"),
    "files_and_exchange": ("Files, DLPack, other processes", "io dlpack ipc cuda_array_interface"),
    "devices_and_memory": (
        "Devices, streams, graphs and memory",
        "device stream graph comm dist dist_sparse memory pinned managed library profile log cache",
    ),
    "kernels": ("User-written kernels", "kernel module user_kernel texture"),
}
FUNCTION = re.compile(r"(?m)^    pub (?:unsafe )?fn (\w+)")
FREE = re.compile(r"(?m)^(?:pub (?:unsafe )?fn (\w+)|[a-z].*)")
IMPLEMENTATION = re.compile(r"(?ms)^impl(?:<[^{]*?>)? (\w+)(?:<[^{]*?>)? \{\n(.*?)^\}")
ROW = re.compile(r"(?m)^    (\w+)(?:, (\w+))? = (arr_\w+)(?: ->[^;]*)?;")  # of the macros of hand-written files
OWNERS = {"Array": 0, "DynArray": 1}  # of a method that both have, the first is listed


def of_generated(api):
    """{C name: (type, method)}"""
    found = {}
    for m in functions.methods(api):
        name = m.row.rust.removeprefix("random_") if m.owner == "Generator" else m.row.rust
        owner = m.owner if m.owner != "array" else "Array" if m.has_typed_form() else "DynArray"
        found.setdefault(m.f["name"], []).append((owner, text.name(name, arguments.KEYWORDS)))
    for row in [*api["ops"], *api["reductions"], *api["scans"]]:
        owner = "DynArray" if row.get("inputs") in ("COND", "INT64") else "Array"
        found[f"arr_{row['name']}"] = [(owner, text.name(row["name"], ops.KEYWORDS))]
    for f in api["functions"]:
        if f["header"] == "distributions.h" and not f["name"].endswith("_into"):
            found[f["name"]] = [("Generator", f["name"].removeprefix("arr_random_"))]
    return found


def add_calls(found, owner, parts):
    """Adds what the functions call whose names and bodies follow the first part."""
    for name, code in zip(parts[1::2], parts[2::2]):
        for c in dict.fromkeys(re.findall(r"\b(arr_\w+)\(", code)) if name else ():
            found.setdefault(c, []).append((owner, name))


def of_hand_written():
    found = {}
    for path in sorted(functions.SOURCES.glob("*.rs")):
        if path.name.endswith("_generated.rs"):
            continue
        source = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        exported = "macro_rules!" in source and path.stem in ("fft", "fft_grid", "joining")
        for first, second, c in ROW.findall(source) if exported else ():
            found.setdefault(c, []).append(("", second) if second else ("Array", first))
        for owner, body in IMPLEMENTATION.findall(source):
            add_calls(found, owner, FUNCTION.split(body))
        add_calls(found, "", FREE.split(source))
    return found


def public_types():
    source = (functions.SOURCES / "lib.rs").read_text(encoding="utf-8")
    return set(re.findall(r"\b[A-Z]\w+", " ".join(re.findall(r"(?s)pub use [^;]*;", source))))


def table(api, headers, methods, types):
    rows, listed = "", set()
    for f in api["functions"]:
        if f["header"].removesuffix(".h") not in headers or re.search(r"_(into|v)$", f["name"]):
            continue
        given = sorted(set(methods.get(f["name"], ())), key=lambda at: (OWNERS.get(at[0], 2), at))
        names = {}
        for owner, name in given:
            if owner == "" or owner in types:
                names.setdefault(name, owner)
        names = {name: owner for name, owner in names.items() if name not in listed}
        listed |= set(names)
        if names:
            links = ", ".join(
                f"[`{owner}::{name}`](crate::{owner}::{name})" if owner else f"[`{name}`](fn@crate::{name})"
                for name, owner in names.items()
            )
            rows += f"/// | {links} | {arguments.escaped(f['doc']['summary'])} |\n"
    return rows


def subjects(api):
    listed = set(" ".join(headers for _, headers in SUBJECTS.values()).split())
    left = dict.fromkeys(f["header"].removesuffix(".h") for f in api["functions"])
    return SUBJECTS | {name: (name.replace("_", " ").capitalize(), name) for name in left if name not in listed}


def emit(api):
    methods, types = of_generated(api), public_types()
    for c, hand in of_hand_written().items():
        methods.setdefault(c, []).extend(hand)
    out = text.banner("//", "overview_generated.rs: the methods by subject.")
    out += "\n//! Methods by subject. Each operation, reduction and scan also has forms whose names begin with `try_` or end in\n"
    out += "//! `_into`. Each method that is listed for [`Array`](crate::Array) also exists for [`DynArray`](crate::DynArray).\n"
    for module, (title, headers) in subjects(api).items():
        rows = table(api, headers.split(), methods, types)
        out += f"\n/// {title}.\n///\n/// | method | |\n/// |---|---|\n{rows}pub mod {module} {{}}\n"
    return {FILE: out}
