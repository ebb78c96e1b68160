#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""declared.py - every function that CUDA's headers declare for kernels can be called on the host as declared there.

Reads the toolkit's own headers, and has the host compile one call of each declaration. What the host does not have is
in REFUSED or unsupported.def, with the reason; a name there that it does have, or that no header declares, is a failure too. Functions that
the shim leaves out where no word asks for them are compiled by themselves: each has to be there when it is asked for.
"""

import collections
import ctypes
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
from toolkit import include_folder  # noqa: E402

OLD_SHUFFLE = "declared for architectures before sm_70 only, none of which CUDA 13 compiles for"
COUNTERS = "counters of the profiler, gone with it"
INTERNAL = "CUDA's own; users have __syncthreads_..."
REFUSED = {name: OLD_SHUFFLE for name in ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")}
REFUSED |= {f"__pm{i}": COUNTERS for i in range(4)} | {f"syncthreads_{op}": INTERNAL for op in ("and", "or", "count")}
HOST = HERE.parent.parent / "core/hostcuda"
TYPES = {"char", "short", "int", "long", "unsigned", "float", "double"}

# Headers, what a declaration begins with there, and the header that a kernel includes for it.
MATH = "crt/math_functions.h"
DEVICE = r"__[A-Z0-9_]+_DECL__"
HEADERS = [
    ("cuda_fp16.h", r"__CUDA_(?:HOSTDEVICE_)?FP16_DECL__", "cuda_fp16.h"),
    ("cuda_bf16.h", r"__CUDA_(?:HOSTDEVICE_)?BF16_DECL__", "cuda_bf16.h"),
    ("cuda_fp8.h", r"__CUDA_HOSTDEVICE_FP8_DECL__", "cuda_fp8.h"),
    ("cuComplex.h", r"__host__ __device__ static __inline__", "cuComplex.h"),
    *(
        (h, DEVICE, "cuda_runtime.h")
        for h in (
            "vector_functions.h",
            MATH,
            "crt/device_functions.h",
            "device_atomic_functions.h",
            "sm_20_intrinsics.h",
            "sm_30_intrinsics.h",
            "sm_32_intrinsics.h",
            "sm_61_intrinsics.h",
            "sm_20_atomic_functions.h",
            "sm_32_atomic_functions.h",
            "sm_35_atomic_functions.h",
            "sm_60_atomic_functions.h",
            "crt/sm_70_rt.h",
            "crt/sm_80_rt.h",
            "crt/sm_90_rt.h",
            "crt/sm_100_rt.h",
        )
    ),
]
CONSTANTS = [("cuda_fp16.hpp", "__half", "cuda_fp16.h"), ("cuda_bf16.hpp", "__nv_bfloat16", "cuda_bf16.h")]


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def parameter_type(parameter):
    """`const unsigned int width = warpSize` is const unsigned int."""
    text = re.sub(r"\s*=.*", "", parameter).strip()
    name = re.search(r"\w*$", text).group()
    return text if name in TYPES else text[: len(text) - len(name)].strip()


def is_plain(spelled):
    """True for a type of C's, as the device's functions have; the header declares those of hosts' compilers too."""
    return set(re.findall(r"\w+", spelled)) <= {*TYPES, "const", "void"} and "long double" not in spelled


def refusals(names):
    """{name: the reason} of those that the host is not to have: REFUSED, and what unsupported.def has a sentence for."""
    rows = re.findall(
        r'^X\((word|prefix), "(\w+)", "(.*)"\)', (HOST / "source/unsupported.def").read_text(), flags=re.M
    )
    found = dict(REFUSED)
    for name in names:
        if name.startswith("__nv_cvt_"):  # conversions of 8-bit numbers, which no row means
            continue
        for kind, spelling, sentence in rows:
            if name == spelling or (kind == "prefix" and name.startswith(spelling)):
                found.setdefault(name, sentence)
    return found


def declarations(folder):
    """(name, what it returns, types of its parameters, header to include) of each."""
    found = []
    for header, mark, include in HEADERS:
        text = without_comments((folder / header).read_text(errors="replace"))
        text = re.sub(r"^\s*#\s*define(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        text = re.sub(r"__CUDA_\w+_DEPRECATED__\([^()]*\([^()]*\)\s*\)", "", text)
        text = re.sub(
            r"__device_builtin__|__cudart_builtin__|__THROW|__NV_IEC_60559_FUNCS_EXCEPTION_SPECIFIER", "", text
        )
        for returns, name, parameters in re.findall(
            mark + r"\s+([^;{}()#]*?)\b(\w+)\s*\(([^;{}()]*)\)\s*(?:;|{|__DEF)", text
        ):
            types = tuple(parameter_type(p) for p in parameters.split(",") if p.strip() not in ("", "void"))
            if header == MATH and (name[0] == "_" or not all(is_plain(t) for t in (returns.strip(), *types))):
                continue
            found.append((name, returns.strip(), types, include))
    for header, kind, include in CONSTANTS:
        text = (folder / header).read_text(errors="replace")
        found += [(name, kind, None, include) for name in re.findall(r"#define\s+(CUDART_\w+)", text)]
    return sorted(set(found), key=lambda d: (d[3], d[0], str(d[2])))


def source_of(rows):
    """One function per row, in a line of its own behind the first two."""
    lines = ["#include <%s>" % "> // <".join(sorted({r[3] for r in rows})[:1]), ""]
    for i, (name, returns, types, _) in enumerate(rows):
        parameters = ", ".join(f"{t} p{k}" for k, t in enumerate(types or ()))
        call = name if types is None else f"{name}({', '.join(f'p{k}' for k in range(len(types)))})"
        lines.append(f"static __device__ {returns} call_{i}({parameters}) {{ return {call}; }}")
    return "\n".join(lines + ['extern "C" __global__ void k(int* o) { *o = 1; }', ""]).encode()


def groups(rows):
    """Rows with the same answer to every "//@ names" of the shim; see halves.cpp."""
    shim = (HOST / "shim/half_functions.h").read_text()
    parts = [line.split()[1:] for line in shim.splitlines() if line.startswith("//@ ")]
    found = collections.defaultdict(list)
    for row in rows:
        found[row[3], *(any(row[0].startswith(p) for p in names) for names in parts)].append(row)
    return list(found.values())


def missing(rows):
    """{name: the compiler's words} of the rows that the host does not compile. Some compilers stop at 20 errors."""
    bad = {}
    while True:
        new = errors([r for r in rows if r[0] not in bad])
        if not new or "?" in bad:
            return bad
        bad |= new


def errors(rows):
    import arrpy

    text = source_of(rows)
    module, log = arrpy.c.arr_module(), ""
    try:
        arrpy.call(
            "arr_module_create",
            text,
            len(text),
            ctypes.byref(arrpy.device_of("host")),
            0,
            (ctypes.c_char_p * 1)(),
            ctypes.byref(module),
        )
        kernel = arrpy.c.arr_kernel()
        arrpy.call("arr_module_kernel", module, b"k", ctypes.byref(kernel))
    except Exception as error:  # noqa: BLE001
        log = f"{error}\n" + compile_log()
    bad = {}
    for line, words in re.findall(r"kernel\.cu:(\d+):(?:\d+:)? (.*)", log):
        if 3 <= int(line) < 3 + len(rows) and "note:" not in words:
            bad.setdefault(rows[int(line) - 3][0], words)
    if log and not bad:
        bad["?"] = log
    return bad


def compile_log():
    import arrpy

    length = ctypes.c_int64()
    arrpy.call("arr_module_log", None, 0, None, ctypes.byref(length))
    text = ctypes.create_string_buffer(length.value + 1)
    arrpy.call("arr_module_log", None, len(text), text, ctypes.byref(length))
    return text.value.decode(errors="replace")


def main():
    folder = include_folder()
    if folder is None:
        print("skipped: no CUDA headers here")
        return 77
    rows = declarations(pathlib.Path(folder))
    failures, names = [], {r[0] for r in rows}
    refused = refusals(names)
    for include in sorted({r[3] for r in rows}):
        mine = [r for r in rows if r[3] == include]
        bad = {name: words for group in groups(mine) for name, words in missing(group).items()}
        failures += [f"{include}: {n}: {words}" for n, words in sorted(bad.items()) if n not in refused]
        failures += [
            f"{include}: {n} is refused ({refused[n]}), but the host has it"
            for n in {r[0] for r in mine} & refused.keys() - bad.keys()
        ]
        print(f"{include}: {len(mine)} declarations, {len({r[0] for r in mine})} names, {len(bad)} that the host lacks")
    failures += [f"{n} is refused, but no header declares it" for n in REFUSED.keys() - names]
    print("\n".join(failures))
    return 1 if failures or len(rows) < 400 else 0


if __name__ == "__main__":
    sys.exit(main())
