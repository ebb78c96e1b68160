# SPDX-License-Identifier: MIT
"""NVRTC and ptxas of the CUDA toolkit, which need no GPU."""

import ctypes
import glob
import os
import pathlib
import shutil
import subprocess
import tempfile

HEADER = ".version 8.4\n.target sm_90\n.address_size 64\n\n"


def ptxas():
    found = shutil.which("ptxas") or next(iter(sorted(glob.glob("/usr/local/cuda*/bin/ptxas"))), None)
    return found if found and os.access(found, os.X_OK) else None


def assemble(text, target="sm_90"):
    """0 if ptxas takes the text, 77 without ptxas."""
    program = ptxas()
    if program is None:
        print("skipped: no ptxas here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "module.ptx")
        path.write_text(text)
        done = subprocess.run(
            [program, f"-arch={target}", "-O0", "-o", f"{folder}/module.cubin", str(path)],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
    print(done.stderr[:4000] or "assembled")
    return 1 if done.returncode else 0


def nvrtc():
    for path in ["libnvrtc.so", *sorted(glob.glob("/usr/local/cuda*/lib*/libnvrtc.so"))]:
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    return None


def compile_to_ptx(library, source, options=(), names=()):
    """The PTX of a source, and the names that the kernels of the name expressions have in it."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    library.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None)
    for name in names:
        library.nvrtcAddNameExpression(program, name.encode())
    flags = (ctypes.c_char_p * max(1, len(options)))(*(o.encode() for o in options))
    try:
        if library.nvrtcCompileProgram(program, len(options), flags) != 0:
            library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            library.nvrtcGetProgramLog(program, log)
            raise RuntimeError(log.value.decode())
        library.nvrtcGetPTXSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        library.nvrtcGetPTX(program, text)
        lowered = {}
        for name in names:
            found = ctypes.c_char_p()
            if library.nvrtcGetLoweredName(program, name.encode(), ctypes.byref(found)) == 0:
                lowered[name] = found.value.decode()
        return text.value.decode(), lowered
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))
