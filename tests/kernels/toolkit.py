# SPDX-License-Identifier: MIT
"""Where CUDA's headers are."""

import glob
import os


def include_folder():
    """The toolkit's include folder; None where there is none."""
    for folder in (
        os.environ.get("CUDA_HOME", "") + "/include",
        "/usr/local/cuda/include",
        *sorted(glob.glob("/usr/local/cuda-*/include"), reverse=True),
    ):
        if os.path.exists(folder + "/cooperative_groups.h"):
            return folder
    return None


def include_options():
    """The headers for the few that kernels include: NVRTC has no folder of its own."""
    folder = include_folder()
    if folder is None:
        return []
    return ["-I" + folder] + (["-I" + folder + "/cccl"] if os.path.isdir(folder + "/cccl") else [])
