#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""device_functions.py [--one-in N] [--arch sm_90] [--only TEXT] - the device functions that CUDA's headers declare, by NVRTC's PTX.

Each function is a kernel: NVRTC compiles it, the host translates and runs its PTX. One in eight headers' parts runs, which
ARR_TEST_SEED turns, as does the architecture; with ARR_TEST_WHOLE=1 all on each.
"""

import argparse
import os
import pathlib
import re
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "support")]
import cuda_toolkit
import ptx_host
import toolkit

ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100")
PER_MODULE, THREADS, WORDS = 40, 32, 8
# A header that declares functions, and what a kernel includes for them; those of the runtime need nothing.
HEADERS = {
    "crt/math_functions.h": "",
    "crt/device_functions.h": "",
    "crt/device_double_functions.h": "",
    "device_atomic_functions.h": "",
    "sm_20_atomic_functions.h": "",
    "sm_20_intrinsics.h": "",
    "sm_30_intrinsics.h": "",
    "sm_32_atomic_functions.h": "",
    "sm_32_intrinsics.h": "",
    "sm_60_atomic_functions.h": "",
    "sm_61_intrinsics.h": "",
    "crt/sm_70_rt.h": "",
    "crt/sm_80_rt.h": "",
    "crt/sm_90_rt.h": "",
    "crt/sm_100_rt.h": "",
    "cuda_fp16.h": "cuda_fp16.h",
    "cuda_bf16.h": "cuda_bf16.h",
    "cuda_fp8.h": "cuda_fp8.h",
    "cuda_fp6.h": "cuda_fp6.h",
    "cuda_fp4.h": "cuda_fp4.h",
    "cuComplex.h": "cuComplex.h",
}
# Words before a declaration's type that are no part of it.
QUALIFIERS = re.compile(
    r"\b(extern|static|inline|const|volatile|__THROW|__cdecl|__restrict__|__device__|__host__|__forceinline__|__inline__|"
    r"__device_builtin__|__cudart_builtin__|__CUDA_MATH_CRTIMP|__CRTDECL|\w*_DECL\w*__|\w+_DECL|__WSTRING\w*)\b"
)
DECLARATION = re.compile(r"((?:[\w:]+[\s*&]+)+)(\w+)\s*\(([^()]*)\)\s*(?:__THROW|__RN\w*)?\s*(?:[;{]|__DEF_IF_HOST)")
NUMBERS = (
    "char|signed char|unsigned char|short|unsigned short|int|unsigned|unsigned int|long long|long long int|"
    "unsigned long long|unsigned long long int|bool|float|double|float2|double2|float4|int2|uint2|char2|char4|uchar2|"
    "uchar4|short2|short4|ushort2|ushort4|int4|uint4|longlong2|ulonglong2|__half|__half2|__half_raw|__half2_raw|"
    "__nv_bfloat16|__nv_bfloat162|__nv_bfloat16_raw|__nv_bfloat162_raw|__nv_fp8_storage_t|__nv_fp8x2_storage_t|"
    "__nv_fp8x4_storage_t|__nv_fp6_storage_t|__nv_fp6x2_storage_t|__nv_fp6x4_storage_t|__nv_fp4_storage_t|"
    "__nv_fp4x2_storage_t|__nv_fp4x4_storage_t|cuFloatComplex|cuDoubleComplex|cuComplex"
)
TYPES = set(NUMBERS.split("|"))
# Arguments that are one of a few.
CHOICES = {
    "__nv_saturation_t": ("__NV_NOSAT", "__NV_SATFINITE"),
    "__nv_fp8_interpretation_t": ("__NV_E4M3", "__NV_E5M2"),
    "__nv_fp6_interpretation_t": ("__NV_E2M3", "__NV_E3M2"),
    "__nv_fp4_interpretation_t": ("__NV_E2M1",),
    "enum cudaRoundMode": ("cudaRoundZero",),  # which all of them take
}
# Left out: functions that end the kernel or wait for threads that do not come, that take as many steps or
# places of memory as an argument says, and that no architecture has any more.
APART = re.compile(
    r"^(__trap|__brkpt|__prof_trigger|__nanosleep|__assert\w*|printf|malloc|free|__named_barrier\w*|r?normf?|[jy]nf?|__pm[0-7]|__barrier_sync\w*|"
    r"(__)?(any|all|ballot)|__shfl(_up|_down|_xor)?)$"
)


def plain(type_name):
    return " ".join(QUALIFIERS.sub(" ", type_name).split())


def argument(text, slot, turn):
    """C++ of an argument of a declared parameter; None where its type is none of those above."""
    text = re.sub(r"=.*", "", text).strip()
    if re.search(r"\bmask$", text):
        return "~0u"  # all threads call it
    pointer = "*" in text
    constant = "const" in text.split("*")[0].split()
    words = plain(text.replace("*", " ")).split()
    for length in (len(words), len(words) - 1):
        name = " ".join(words[:length])
        if name in CHOICES and not pointer:
            return CHOICES[name][turn % len(CHOICES[name])]
        if name in TYPES:
            memory = f"x + {slot}" if constant or not pointer else f"y + {slot}"
            access = f"({'const ' if memory[0] == 'x' else ''}{name}*)({memory})"
            return access if pointer else f"*{access}"
    return None


def functions_of(header, text):
    """(name, kernel's statement) of the functions that a header declares."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"^\s*#[^\n]*(?:\\\n[^\n]*)*", " ", text, flags=re.M)
    seen = set()
    for before, name, parameters in DECLARATION.findall(text):
        result = plain(before.replace("*", " * "))
        if "*" in before or (result not in TYPES and result != "void") or APART.match(name):
            continue
        given = [p for p in (q.strip() for q in parameters.split(",")) if p not in ("", "void")]
        for turn in range(2):
            arguments = [argument(p, 2 * k, turn + k // 2) for k, p in enumerate(given)]
            if None in arguments or len(given) > WORDS // 2:
                break
            call = f"{name}({', '.join(arguments)})"
            if call not in seen:
                seen.add(call)
                yield name, f"{call};" if result == "void" else f"*({result}*)y = {call};"


def kernels(only):
    """(include, [(name of function, statement)]) in parts of PER_MODULE."""
    folder = pathlib.Path(toolkit.include_folder())
    for header, include in HEADERS.items():
        path = folder / header
        if not path.exists():
            continue
        found = [f for f in functions_of(header, path.read_text(errors="replace")) if only in f[0]]
        for at in range(0, len(found), PER_MODULE):
            yield header, include, found[at : at + PER_MODULE]


def source_of(include, part):
    lines = [f"#include <{include}>" if include else ""]
    for k, (_, statement) in enumerate(part):
        lines.append(
            f'extern "C" __global__ void f{k}(const unsigned long long* x, unsigned long long* y) {{ '
            f"x += threadIdx.x * {WORDS}; y += threadIdx.x * {WORDS}; {statement} }}"
        )
    return "\n".join(lines) + "\n"


def by_nvrtc(nvrtc, include, part, arch):
    """(PTX, kept functions): without those that an architecture does not have."""
    options = [f"--gpu-architecture={arch.replace('sm_', 'compute_')}", "--std=c++17", *toolkit.include_options()]
    for _ in range(8):
        try:
            return cuda_toolkit.compile_to_ptx(nvrtc, source_of(include, part).encode(), options)[0], part
        except RuntimeError as error:
            bad = {int(n) - 2 for n in re.findall(r"^kernel\.cu\((\d+)\): error", str(error), flags=re.M)}
            kept = [f for k, f in enumerate(part) if k not in bad]
            if not bad or not kept or len(kept) == len(part):
                return "", []
            part = kept
    return "", []


def run(ptx, part):
    """Lines about the kernels of a module that are refused, or fail."""
    try:
        module = ptx_host.Module(ptx)
    except ptx_host.arrpy.Error as error:
        return [f"{str(error)[:300]}, of {', '.join(name for name, _ in part)[:200]}"]
    x = np.random.default_rng(1).integers(0, 2**64, THREADS * WORDS, dtype="u8")
    lines = []
    for k, (name, _) in enumerate(part):
        try:
            module.launch(f"f{k}", (1, 1, 1), (THREADS, 1, 1), x, np.zeros_like(x))
        except ptx_host.arrpy.Error as error:
            lines.append(f"{name}: {str(error)[:300]}")
    ptx_host.arrpy.lib.arr_module_release(module.handle)
    return lines


def main():
    whole = os.environ.get("ARR_TEST_WHOLE", "0") not in ("", "0")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one-in", type=int, default=1 if whole else 8)
    parser.add_argument("--arch", choices=ARCHITECTURES)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    nvrtc = cuda_toolkit.nvrtc()
    if nvrtc is None or toolkit.include_folder() is None:
        print("skipped: no NVRTC here")
        return 77
    seed, failures, count, parts = int(os.environ.get("ARR_TEST_SEED", "0")), 0, 0, list(kernels(options.only))
    turn = ARCHITECTURES[seed % len(ARCHITECTURES)]
    for arch in [options.arch] if options.arch else ARCHITECTURES if whole else [turn]:
        for number, (header, include, part) in enumerate(parts):
            if (number + seed) % options.one_in != 0:
                continue
            ptx, kept = by_nvrtc(nvrtc, include, part, arch)
            lines = run(ptx, kept) if kept else []
            count, failures = count + len(kept), failures + len(lines)
            for line in lines:
                print(f"FAILED {header} {arch}: {line}", flush=True)
    print(
        f"{count} device functions of {sum(len(p) for _, _, p in parts)} by NVRTC's PTX, {failures} failures, seed {seed}"
    )
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
