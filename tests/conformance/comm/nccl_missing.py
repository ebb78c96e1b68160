#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Without NCCL each rank has an error that says what to install and what was tried."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
from ranks import Comm, error_of, errors_of


def main():
    report = oracle.Report(__doc__)
    error = error_of(lambda: Comm.nccl(1, report.device))
    parts = ("arr_comm_nccl_id: ", "NVIDIA's NCCL 2.14 or later", "ARR_CUDA_NCCL", "/nonexistent/libnccl.so.2")
    report.check("an id", error is not None and all(p in error for p in parts) and "\n" not in error, str(error))
    texts = errors_of(Comm.local(2), lambda r, c: c.nccl_with(report.device))
    report.check("over others: rank 0", "NVIDIA's NCCL" in texts[0], texts[0])
    report.check(
        "over others: rank 1",
        "rank 0 has no id of NCCL: communicators of GPUs need NVIDIA's NCCL" in texts[1],
        texts[1],
    )
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
