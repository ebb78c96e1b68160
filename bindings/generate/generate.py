#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate.py [--check | --layouts FOLDER] - everything that follows from the tables and the public headers.

    core/table/*.def  ->  capi/include/arr/{ops,reduce}.h          (core/table/generate.py)
    the headers of arr.h  ->  swig -xml  ->  bindings/api.json
    bindings/api.json  ->  capi/exports.map, capi/src/parameters.def, the generated layer of each language

--layouts writes the programs that compare layouts with those of a compiler, for tests, into FOLDER.
--check writes nothing and exits 1 where a file differs from the output of its source. Where the SWIG that the generator
needs is missing it still checks what follows from the committed api.json, then exits 77 and says why.
Standard library only.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import comments
import emit_cpp
import emit_exports
import emit_fortran
import emit_fortran_functions
import emit_fortran_handles
import emit_fortran_loader
import emit_fortran_masked
import emit_fortran_ops
import emit_fortran_products
import emit_fortran_kinds
import emit_fortran_scans
import emit_fortran_sparse
import emit_julia
import emit_julia_functions
import emit_layouts
import emit_parameters
import emit_rust
import emit_rust_functions
import emit_rust_ops
import emit_rust_overview
import normalise
import output
import swigxml

API = "bindings/api.json"
EMITTERS = (
    emit_cpp,
    emit_exports,
    emit_fortran,
    emit_fortran_functions,
    emit_fortran_handles,
    emit_fortran_kinds,
    emit_fortran_loader,
    emit_fortran_masked,
    emit_fortran_ops,
    emit_fortran_products,
    emit_fortran_scans,
    emit_fortran_sparse,
    emit_julia,
    emit_julia_functions,
    emit_parameters,
    emit_rust,
    emit_rust_functions,
    emit_rust_ops,
    emit_rust_overview,
)


def emitted(api):
    files = {}
    for emitter in EMITTERS:
        files.update(emitter.emit(api))
    return files


def read_api():
    return json.loads((swigxml.ROOT / API).read_text(encoding="utf-8"))


def check_tables(check):
    table = swigxml.ROOT / "core" / "table" / "generate.py"
    return subprocess.run([sys.executable, "-B", str(table)] + ["--check"] * check, check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true")
    what.add_argument("--layouts", metavar="FOLDER", type=pathlib.Path)
    options = parser.parse_args()
    if options.layouts is not None:
        options.layouts.mkdir(parents=True, exist_ok=True)
        for name, text in emit_layouts.emit(read_api()).items():
            (options.layouts / name).write_text(text, encoding="utf-8")
        return 0
    check = options.check
    if check_tables(check):
        return 1
    problem = swigxml.swig_problem()
    if problem and not check:
        print(f"generate.py: {problem}")
        return 1
    stale = 0
    if not problem:
        try:
            stale = output.write_or_check({API: output.dump(normalise.api()) + "\n"}, check)
        except (swigxml.SwigError, normalise.ApiError, comments.CommentError) as error:
            print(f"generate.py: {error}")
            return 1
    stale += output.write_or_check(emitted(read_api()), check)
    if stale and check:
        return 1
    if problem:
        print(f"skipped: {API} was not compared with the headers: {problem}")
        return 77
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
