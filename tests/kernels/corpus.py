#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corpus.py [--device host|cuda] [--nvrtc] [--only TEXT] - kernels of textbook patterns and their expected results.

On the host; through the CUDA module, over the fake or on a GPU; with --nvrtc only compiled, by the real NVRTC.
"""

import argparse
import ctypes
import glob
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import cases  # noqa: E402
import cases_curand  # noqa: E402,F401
import cases_curand_quasi  # noqa: E402,F401
import cases_extremes  # noqa: E402,F401
import cases_grids  # noqa: E402,F401
import cases_groups  # noqa: E402,F401
import cases_headers  # noqa: E402,F401
import cases_lanes  # noqa: E402,F401
import cases_libcudacxx  # noqa: E402,F401
import cases_halves  # noqa: E402,F401
import cases_loops  # noqa: E402,F401
import cases_mathematics  # noqa: E402,F401
import cases_ptx  # noqa: E402,F401
import cases_rounding  # noqa: E402,F401
import cases_samples  # noqa: E402,F401
import cases_shuffles  # noqa: E402,F401
import cases_matrices  # noqa: E402,F401
import cases_numeric  # noqa: E402,F401
import cases_textures  # noqa: E402
from toolkit import include_options  # noqa: E402


def source_of(file):
    return (HERE / f"{file}.cu").read_bytes()


def matches(got, want, tol):
    if callable(want):
        return bool(want(got))
    want = np.asarray(want)
    if tol == 0:
        return got.tobytes() == want.astype(got.dtype).tobytes() or np.array_equal(got, want)
    scale = max(1.0, float(np.abs(want.astype("f8")).max(initial=0)))
    return bool(np.allclose(got.astype("f8"), want.astype("f8"), rtol=tol, atol=tol * scale))


class Texture:
    """An argument of a kernel; numpy() returns its contents afterwards."""

    def __init__(self, given, device):
        import arrtex

        data = given.data
        how = arrtex.options(**given.how)
        if given.of == "array":
            self.array = arrtex.pitched(data.ravel(), device).reshape(*data.shape)
            self.texture = arrtex.texture_of_array(self.array, given.channels, how)
            return
        shape = data.shape[:-1] if given.channels > 1 else data.shape
        self.array = arrtex.arrpy.array(data, device=device)
        self.texels = arrtex.Texels(
            data.dtype, shape, given.channels, given.of == "surface", device, arrtex.FLAGS[given.kind]
        ).copy_from(self.array)
        self.texture = arrtex.surface(self.texels) if given.of == "surface" else arrtex.texture(self.texels, how)

    def numpy(self):
        return self.texels.copy_to(self.array).numpy()


class Module:
    def __init__(self, file, device):
        import arrpy

        self.py, self.c, self.device = arrpy, arrpy.c, device
        text, options = source_of(file), include_options()
        flags = (ctypes.c_char_p * max(1, len(options)))(*(o.encode() for o in options))
        self.handle = self.c.arr_module()
        arrpy.call(
            "arr_module_create",
            text,
            len(text),
            ctypes.byref(arrpy.device_of(device)),
            len(options),
            flags,
            ctypes.byref(self.handle),
        )

    def run(self, case):
        py, c = self.py, self.c
        kernel = c.arr_kernel()
        py.call("arr_module_kernel", self.handle, case.name.encode(), ctypes.byref(kernel))
        arrays = {i: py.array(a, device=self.device) for i, a in enumerate(case.args) if isinstance(a, np.ndarray)}
        arrays |= {i: Texture(a, self.device) for i, a in enumerate(case.args) if isinstance(a, cases_textures.Texture)}
        values = (c.arr_value * len(case.args))()
        for i, a in enumerate(case.args):
            if isinstance(a, cases_textures.Texture):
                values[i] = arrays[i].texture.value()
            elif isinstance(a, bytes):
                py.lib.arr_value_bytes(ctypes.byref(values[i]), a, len(a))
            else:
                values[i] = py.value(arrays.get(i, a))
        how = c.arr_launch_options(ctypes.sizeof(c.arr_launch_options), case.shared, case.together)
        py.call(
            "arr_launch_raw_options",
            kernel,
            (ctypes.c_int64 * 3)(*case.grid),
            (ctypes.c_int32 * 3)(*case.block),
            ctypes.byref(how),
            len(values),
            values,
            None,
        )
        py.lib.arr_kernel_release(kernel)
        return {i: arrays[i].numpy() for i in case.out}


def run(device, only):
    import arrpy

    if not arrpy.has_device(device):
        print(f"skipped: no {device} here")
        return 77
    failures = count = 0
    for file, rows in cases.CASES.items():
        rows = [r for r in rows if only in f"{file}.{r.name}"]
        module = Module(file, device) if rows else None
        for row in rows:
            count += 1
            try:
                got = module.run(row)
            except Exception as error:  # noqa: BLE001: one line per kernel, whatever went wrong
                failures += 1
                print(f"{file}.{row.name}: {error}")
                continue
            for i, want in row.out.items():
                if not matches(got[i], want, row.tol):
                    failures += 1
                    print(
                        f"{file}.{row.name}: argument {i}: got {got[i][:6]}, expected "
                        f"{'otherwise' if callable(want) else np.asarray(want)[:6]}"
                    )
    print(f"{count} kernels on {device}, {failures} failures")
    return 1 if failures or not count else 0


def compile_all(only):
    """Each file by the real NVRTC; without a GPU that says that it is CUDA, no more."""
    paths = ["libnvrtc.so", *sorted(glob.glob("/usr/local/cuda*/lib*/libnvrtc.so"))]
    for path in paths:
        try:
            nvrtc = ctypes.CDLL(path)
            break
        except OSError:
            continue
    else:
        print("skipped: no NVRTC here")
        return 77
    options = ["--gpu-architecture=sm_90", "--std=c++17", *include_options()]
    flags = (ctypes.c_char_p * len(options))(*(o.encode() for o in options))
    failures = 0
    for file in (f for f in cases.CASES if only in f):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        nvrtc.nvrtcCreateProgram(ctypes.byref(program), source_of(file), b"kernel.cu", 0, None, None)
        if nvrtc.nvrtcCompileProgram(program, len(options), flags) != 0:
            failures += 1
            nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            nvrtc.nvrtcGetProgramLog(program, log)
            print(f"{file}.cu:\n{log.value.decode()}")
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    print(f"{len(cases.CASES)} files by NVRTC, {failures} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="host")
    parser.add_argument("--nvrtc", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    return compile_all(options.only) if options.nvrtc else run(options.device, options.only)


if __name__ == "__main__":
    sys.exit(main())
