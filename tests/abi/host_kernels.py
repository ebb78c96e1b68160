#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""host_kernels.py LIBRARY MODULE - the code of raw kernels on the host is in the module libarr_hostcuda.so, which exports
one function, and not in the library."""

import subprocess
import sys

SPACE = "arr::host_kernels::"
# Names that module.h and host_kernels.h define inline: constants, and members of the types that both sides use.
INTERFACE = tuple(
    SPACE + name for name in ("module_abi_version", "module_types_bytes", "Kernel::", "Options::", "SourceUnit::")
)


def symbols(*command):
    lines = subprocess.run(["nm", *command], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split(maxsplit=2)[2] for line in lines if line[:1] not in (" ", "")}


def of_kernels(library):
    return {name for name in symbols("-C", "--defined-only", library) if name.startswith(SPACE)}


def main(library, module):
    faults = [f"{name} is in {library}" for name in sorted(of_kernels(library)) if not name.startswith(INTERFACE)]
    if not any(name.startswith(SPACE + "launch(") for name in of_kernels(module)):
        faults.append(f"{module} has no {SPACE}launch, so nothing is checked")
    exported = symbols("-D", "--defined-only", module)
    if exported != {"arr_host_kernels_open"}:
        faults.append(f"{module} exports {', '.join(sorted(exported))}, expected arr_host_kernels_open")
    print("\n".join([*faults, f"{len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
