#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compile_time.py - processor time of clang for kernels with barriers, with the pass and without it.

The pass makes one function of hundreds of loops of a kernel of many barriers, and the code generator's time must not grow
with the square of that. Without a limit the ratio is 4.5 at this size. A module of twenty kernels is what programs
have: without the pass their code has no loops over threads, so that little is vectorised. With copies of loops for what
is left of their rounds, and all of the code generator's passes, its ratio is 15 where vectors have masks.
"""

import ctypes
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import compile_sources

# name -> (its text, the most times that the pass may take)
SOURCES = {"one kernel": (compile_sources.one_kernel, 3.0), "twenty kernels": (compile_sources.twenty_kernels, 9.0)}


def compile_once(name):
    """Prints the seconds of the compiler's process."""
    import arrpy

    text, module = SOURCES[name][0]().encode(), arrpy.c.arr_module()
    arrpy.call(
        "arr_module_create", text, len(text), ctypes.byref(arrpy.device_of("host")), 0, None, ctypes.byref(module)
    )
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)


def seconds(name, **environment):
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-B", __file__, "--once", name],
            env={**os.environ, "ARR_CACHE_DIR": cache, **environment},
            stdout=subprocess.PIPE,
            check=True,
        )
    return float(done.stdout)


def main():
    if "--once" in sys.argv:
        compile_once(sys.argv[-1])
        return 0
    fission, clang = os.environ.get("ARR_HOST_FISSION"), os.environ.get("ARR_TEST_CLANG")
    if not fission or not clang:
        print("skipped: no pass here")
        return 77
    failed = False
    for name, (_, max_ratio) in SOURCES.items():
        plain, passed = seconds(name, ARR_HOST_FISSION="0", ARR_HOST_CXX=clang), seconds(name)
        print(
            f"{name}: {plain:.2f} s without the pass, {passed:.2f} s with it: {passed / plain:.2f}, at most {max_ratio}"
        )
        failed = failed or passed > max_ratio * plain
    return failed


if __name__ == "__main__":
    sys.exit(main())
