#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""alloca.py - memory that PTX takes by alloca, with ARR_CHECK=1: accesses outside of it are found and named."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import ptx_host
from cuda_toolkit import HEADER

KERNEL = """.visible .entry {name}(.param .u64 y)
{{
  .reg .b32 %r<4>; .reg .b64 %d<8>;
  ld.param.u64 %d1, [y]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
  stacksave.u64 %d6; alloca.u64 %d3, 40; alloca.u64 %d4, 24, 64;
{body}
  st.global.u32 [%d1], %r2;
  ret;
}}
"""
WHERE = "of memory of alloca, which has {} bytes, in kernel.ptx:{}, block (0,0,0), thread (0,0,0)"
KERNELS = {
    "right": ("  st.local.u32 [%d3+36], %r1; st.local.u32 [%d4], 5; ld.local.u32 %r2, [%d3+36];", None),
    "end": ("  mov.u32 %r2, 0; st.local.u32 [%d3+40], %r1;", "write of 4 bytes at offset 40 " + WHERE.format(40, "{}")),
    "over_the_end": (
        "  ld.local.u64 %d5, [%d3+36]; cvt.u32.u64 %r2, %d5;",
        "read of 8 bytes at offset 36 " + WHERE.format(40, "{}"),
    ),
    "before": ("  ld.local.u32 %r2, [%d4+-4];", "read of 4 bytes at offset -4 " + WHERE.format(24, "{}")),
}


def main():
    text, lines = HEADER, {}
    for name, (body, _) in KERNELS.items():
        lines[name] = text.count("\n") + 6
        text += KERNEL.format(name=name, body=body)
    module, failures = ptx_host.Module(text), 0
    for name, (_, words) in KERNELS.items():
        said = None
        try:
            got = module.launch(name, (2, 1, 1), (40, 1, 1), np.zeros(80, "u4"))[0]
            if not np.array_equal(got[:40], np.arange(40)):
                said = f"got {got[:6]}"
        except ptx_host.arrpy.Error as error:
            said = str(error)
        if (said is None) != (words is None) or (words and words.format(lines[name]) not in said):
            failures += 1
            print(f"{name}: {said}; expected {words and words.format(lines[name])}")
    print(f"{len(KERNELS)} kernels, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
