#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layering.py [--self-test] - every #include must follow the arrows between the rooms of the project.

    bindings -> capi -> dlpack -> core
    inside core: capi/dlpack -> ops, io -> runtime -> expr -> math, array -> base
    a backend (host, cuda) sees backend/, math, expr, array and base; never ops, runtime or another backend
    table/ is data and the public headers hold only types: everybody may include both

Inside a layer of several families the same holds for its folders: FAMILIES has the arrows. Families are the folders that
the tree has, so that a new one needs no edit here.
"""

import pathlib
import re
import sys
import tempfile

import source

# Room -> the rooms it may include, besides itself, "table" and "public".
ARROWS = {
    "public": set(),
    "table": set(),
    "base": set(),
    "array": {"base"},
    "math": set(),
    "expr": {"math", "array", "base"},
    "backend": {"expr", "math", "array", "base"},
    "runtime": {"backend", "expr", "math", "array", "base"},
    "ops": {"runtime", "backend", "expr", "math", "array", "base"},
    "io": {"ops", "runtime", "backend", "expr", "math", "array", "base"},
    "host": {"backend", "expr", "math", "array", "base"},
    "cuda": {"backend", "expr", "math", "array", "base"},
    "dlpack": {"ops", "runtime", "backend", "expr", "math", "array", "base"},
    "capi": {"dlpack", "ops", "io", "runtime", "backend", "expr", "math", "array", "base"},
    "bindings": set(),
    "examples": set(),
    "fake_cuda": {"host_kernels", "driver_api", "math", "base"},  # math: scalar.h, for 16-bit floats
    "host_kernels": {"backend", "expr", "math", "array", "base"},  # compiles and runs raw kernels
    "driver_api": set(),
}
# Longest prefix first: the places that the fake CUDA of the tests may use are named.
ROOMS = [
    ("core/cuda/driver/", "driver_api"),
    ("core/hostcuda/", "host_kernels"),
    ("core/backend/", "backend"),
    ("capi/include/arr/", "public"),
    ("tests/support/fake_cuda/", "fake_cuda"),
    ("capi/", "capi"),
    ("dlpack/", "dlpack"),
    ("bindings/", "bindings"),
    ("examples/", "examples"),
] + [
    (f"core/{room}/", room)
    for room in ("table", "base", "array", "math", "expr", "runtime", "ops", "io", "host", "cuda")
]
# The arrows between the families of a layer, its folders: a family may include those of the rows before its own, and
# none of its own row. "kernels: elementwise" includes elementwise and nothing else. The rows before BASE are those that
# the layer's own headers may include; its own .cpp files put the backend or the library together and see all.
# A folder that is in no row is a family that none is built on: it may include all rows, and no family may include it.
# So a new family needs no row here, until another one is built on it.
BASE = "----"
ORDER = (
    BASE,
    "elementwise",
    "text",
    "reduce",
    "ufunc indexing calculus expression",
    "sorting",
    "linalg fft",
    "statistics",
    "signal random",
    "sparse",
    "comm",
    "iterative",
    "kernels: elementwise",
)
FAMILIES = {
    "core/ops/": ORDER,
    "core/host/loops/": (BASE, "elementwise sorting linalg fft random", "reduce indexing"),
    "core/host/": ("loops libraries", "device", "elementwise", BASE),
    "core/cuda/": ("driver", "device", "codegen", BASE, "elementwise", "reduce"),
    "capi/src/": (BASE, "array device", *(row for row in ORDER if row not in (BASE, "elementwise", "text"))),
}
# Folders that are no families; every other one is in LIST, by which CMake builds it.
LIST = "core/table/families.def"
PARTS = {"core/host/": {"loops", "libraries"}, "core/cuda/": {"codegen", "driver"}}
FREE = {"host": {"host_kernels"}, "cuda": {"driver_api"}}  # parts of the same house
SEARCH = ("", "core", "capi/include", "capi", "dlpack")
PUBLIC_SYSTEM = {"stdbool.h", "stdint.h", "stddef.h"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def room_of(name):
    for prefix, room in ROOMS:
        if name == prefix or (prefix.endswith("/") and name.startswith(prefix)):
            return room
    return None


def family_of(layer, name):
    """The folder below a layer that a file lies in, or "" for the layer's own files."""
    folder, _, rest = name[len(layer) :].partition("/")
    return folder if rest else ""


def rows_of(layer):
    """({family: row}, {family: the families that it may include alone}, the row of BASE)."""
    rank, alone, base = {}, {}, None
    for i, row in enumerate(FAMILIES[layer]):
        if row == BASE:
            base = i
            continue
        names, _, only = row.partition(":")
        rank.update(dict.fromkeys(names.split(), i))
        if only:
            alone.update(dict.fromkeys(names.split(), set(only.split())))
    return rank, alone, base


def family_fault(name, target):
    """The fault of an include within a layer, or None."""
    layer = next((x for x in FAMILIES if name.startswith(x) and target.startswith(x)), None)
    if layer is None:
        return None
    mine, other = family_of(layer, name), family_of(layer, target)
    if mine == other or not other:
        return None
    rank, alone, base = rows_of(layer)
    leaf = len(FAMILIES[layer])
    if not mine:
        allowed = name.endswith(".cpp") or rank.get(other, leaf) < base
    elif mine in alone:
        allowed = other in alone[mine]
    else:
        allowed = other not in alone and rank.get(other, leaf) < rank.get(mine, leaf)
    return None if allowed else f"{mine or layer} may not include {other}"


def rows_without_folder(root, files):
    """Families of the table above, or of LIST, that the tree does not have, and folders that are not in LIST."""
    listed = set(re.findall(r"^ARR_(?:BACKEND_)?FAMILY\((\w+),.*\)$", source.read(root / LIST), re.M))
    met = set()
    for layer in [*FAMILIES, "tests/conformance/"]:
        folders = {family_of(layer, f.as_posix()) for f in files if f.as_posix().startswith(layer)} - {""}
        for family in set(rows_of(layer)[0] if layer in FAMILIES else ()) - folders:
            yield f"layering.py: {layer} has no folder {family}"
        for folder in folders - listed - PARTS.get(layer, set()):
            yield f"{layer}{folder} is not built: {LIST} does not list it"
        met |= folders
    for family in listed - met:
        yield f"{LIST}: {family} has no folder in any layer"


def missing_in_arr_h(root, files):
    """Public headers that arr.h does not include, so that no language has them; easy.h includes arr.h itself."""
    text = source.read(root / "capi/include/arr/arr.h")
    for f in files:
        if f.parent.as_posix() == "capi/include/arr" and f.name not in ("arr.h", "easy.h"):
            if f'#include "arr/{f.name}"' not in text:
                yield f"{f}: arr.h does not include it"


def resolve(root, including, target):
    """The project's file that an #include names, relative to root, or None."""
    for folder in (root / including.parent, *(root / s for s in SEARCH)):
        path = (folder / target).resolve()
        if path.is_file() and root in path.parents:
            return path.relative_to(root)
    return None


def made_by_the_build(root, files):
    """Names of headers that CMake makes in the build tree: by arr_embed(), or written to a binary directory."""
    cmake = "\n".join(source.read(root / f) for f in files if f.name == "CMakeLists.txt" or f.suffix == ".cmake")
    return {f"{name}.h" for name in re.findall(r"\barr_embed\(\s*\S+\s+\S+\s+(\w+)", cmake)} | set(
        re.findall(r"(?:BINARY_DIR\}|OUTPUT \$\{\w+\})/(?:[\w.]+/)*([\w.]+\.(?:h|def|inc))\b", cmake)
    )


def faults(root, files):
    root = root.resolve()
    made = made_by_the_build(root, files)
    found, arrows = [], 0
    for f in files:
        room = room_of(f.as_posix())
        if room is None or f.suffix not in source.C_LIKE | {".def", ".i"}:
            if f.as_posix().startswith("core/") and f.suffix in source.C_LIKE:
                found.append(f"{f}: in no room of core/ that layering.py knows")
            continue
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), source.read(root / f), flags=re.S)
        for m in INCLUDE.finditer(text):
            where = f"{f}:{text.count(chr(10), 0, m.start()) + 1}"
            to = resolve(root, f, m.group(2))
            if to is None:
                if m.group(1) == '"' and m.group(2) not in made:
                    found.append(f'{where}: "{m.group(2)}" is no file of the project')
                if room == "public" and m.group(2) not in PUBLIC_SYSTEM:
                    found.append(f"{where}: a public header includes <{m.group(2)}>")
                continue
            arrows += 1
            target = room_of(to.as_posix())
            wrong = family_fault(f.as_posix(), to.as_posix())
            if wrong:
                found.append(f"{where}: {wrong} ({to})")
            if target in (room, "public", "table") or target in ARROWS[room] | FREE.get(room, set()):
                continue
            if room == "examples" and target is None:
                continue
            found.append(f"{where}: {room} may not include {target or 'this'} ({to})")
    return found, arrows


# For the self-test: includes that must be refused, and accepted, and the files that they name.
BAD = [
    ("core/base/a.h", "array/x.h"),
    ("core/array/a.cpp", "expr/x.h"),
    ("core/expr/a.h", "runtime/x.h"),
    ("core/host/a.cpp", "ops/x.h"),
    ("core/host/a.cpp", "cuda/x.h"),
    ("core/cuda/a.cpp", "../host/x.h"),
    ("core/ops/a.cpp", "host/x.h"),
    ("core/runtime/a.cpp", "ops/x.h"),
    ("core/ops/a.cpp", "io/x.h"),
    ("dlpack/a.cpp", "capi/src/x.h"),
    ("core/ops/a.cpp", "dlpack/x.h"),
    ("bindings/fortran/a.c", "core/base/x.h"),
    ("capi/include/arr/a.h", "core/base/x.h"),
    ("core/base/a.h", "nowhere.h"),
    ("core/attic/a.h", "base/x.h"),
    ("tests/support/fake_cuda/a.cpp", "core/ops/x.h"),
    ("core/ops/elementwise/a.cpp", "ops/reduce/x.h"),
    ("core/ops/linalg/a.cpp", "ops/fft/x.h"),
    ("core/ops/kernels/a.cpp", "ops/reduce/x.h"),
    ("core/ops/reduce/a.cpp", "ops/kernels/x.h"),
    ("core/host/elementwise/a.cpp", "host/fft/x.h"),
    ("core/host/tables.h", "host/fft/x.h"),
    ("core/host/libraries/a.cpp", "host/device/x.h"),
    ("core/cuda/reduce/a.cpp", "cuda/fft/x.h"),
    ("core/host/fft/a.cpp", "host/reduce/x.h"),
    ("core/host/loops/fft/a.cpp", "host/loops/random/x.h"),
    ("core/cuda/device/a.cpp", "cuda/codegen/x.h"),
    ("capi/src/linalg/a.cpp", "capi/src/fft/x.h"),
    ("core/ops/elementwise/a.cpp", "ops/attic/x.h"),
    ("core/ops/signal/a.cpp", "ops/attic/x.h"),
    ("core/ops/annex/a.cpp", "ops/attic/x.h"),
    ("core/ops/annex/a.cpp", "ops/kernels/x.h"),
    ("core/ops/fft/a.cpp", "ops/signal/x.h"),
    ("core/ops/a.h", "ops/attic/x.h"),
    ("core/host/loops/annex/a.cpp", "host/loops/attic/x.h"),
]
GOOD = [
    ("core/array/a.h", "base/x.h"),
    ("core/ops/a.cpp", "runtime/x.h"),
    ("capi/src/a.cpp", "dlpack/x.h"),
    ("core/host/a.cpp", "backend/backend.h"),
    ("core/base/a.h", "table/x.def"),
    ("core/base/a.h", "arr/x.h"),
    ("core/host/a.cpp", "hostcuda/x.h"),
    ("tests/support/fake_cuda/a.cpp", "core/hostcuda/x.h"),
    ("tests/support/fake_cuda/a.cpp", "core/cuda/driver/driver_api.def"),
    ("core/ops/linalg/a.cpp", "ops/reduce/x.h"),
    ("core/ops/signal/a.cpp", "ops/fft/x.h"),
    ("core/ops/kernels/a.cpp", "ops/elementwise/x.h"),
    ("core/host/backend.cpp", "host/fft/x.h"),
    ("core/host/fft/a.cpp", "host/elementwise/x.h"),
    ("core/host/fft/a.cpp", "host/loops/random/x.h"),
    ("core/host/loops/reduce/a.cpp", "host/loops/elementwise/x.h"),
    ("core/cuda/fft/a.cpp", "cuda/codegen/x.h"),
    ("core/cuda/fft/a.cpp", "cuda/elementwise/x.h"),
    ("core/host/device/a.cpp", "host/libraries/x.h"),
    ("capi/src/fft/a.cpp", "capi/src/x.h"),
    ("capi/src/fft/a.cpp", "capi/src/expression/x.h"),
    ("core/ops/annex/a.cpp", "ops/elementwise/x.h"),
    ("core/ops/annex/a.cpp", "ops/signal/x.h"),
    ("core/ops/a.cpp", "ops/attic/x.h"),
    ("core/cuda/annex/a.cpp", "cuda/reduce/x.h"),
]
TARGETS = [
    "capi/include/arr/x.h",
    "capi/src/x.h",
    "dlpack/x.h",
    "core/backend/backend.h",
    "core/table/x.def",
    "core/hostcuda/x.h",
    "core/cuda/driver/driver_api.def",
    "core/ops/elementwise/x.h",
    "core/ops/reduce/x.h",
    "core/ops/fft/x.h",
    "core/ops/kernels/x.h",
    "core/ops/signal/x.h",
    "core/ops/attic/x.h",
    "core/cuda/reduce/x.h",
    "core/host/loops/attic/x.h",
    "core/host/elementwise/x.h",
    "core/host/device/x.h",
    "core/host/fft/x.h",
    "core/host/reduce/x.h",
    "core/cuda/elementwise/x.h",
    "core/host/libraries/x.h",
    "core/host/loops/elementwise/x.h",
    "core/host/loops/random/x.h",
    "core/cuda/codegen/x.h",
    "core/cuda/fft/x.h",
    "capi/src/fft/x.h",
    "capi/src/expression/x.h",
]
TARGETS += [f"core/{r}/x.h" for r in ("base", "array", "math", "expr", "ops", "runtime", "io", "host", "cuda")]


def self_test():
    """Each of these includes must be refused, or accepted, by the rules above."""
    failures = 0
    for including, include in BAD + GOOD:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in TARGETS + [including]:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            (root / including).write_text(f'/* "x" */\n#include "{include}"\n')
            found, _ = faults(root, [pathlib.Path(n) for n in TARGETS + [including]])
        if bool(found) != ((including, include) in BAD):
            print(f"self-test: {including} including {include}: {found or 'accepted'}")
            failures += 1
    print(f"self-test: {len(BAD)} bad and {len(GOOD)} good includes, {failures} judged wrongly")
    return failures


def main(argv):
    if "--self-test" in argv:
        return 1 if self_test() else 0
    files = source.files()
    found, arrows = faults(source.ROOT, files)
    found += sorted([*rows_without_folder(source.ROOT, files), *missing_in_arr_h(source.ROOT, files)])
    for line in found:
        print(line)
    print(f"{arrows} includes followed, {len(found)} against the arrows")
    return 1 if found or arrows == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
