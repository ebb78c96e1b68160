# SPDX-License-Identifier: MIT
"""Spack's recipe of libarr. Put this folder into a repository of packages as packages/libarr; inside a checkout of
libarr, `spack dev-build libarr@0.1.0` then builds and installs it."""

from spack.package import *


class Libarr(CMakePackage, CudaPackage):
    """Arrays on GPUs and on the host, with the semantics of NumPy, for every language that calls C."""

    license("MIT")
    version("0.1.0")

    variant("fortran", default=True, description="Build the module for Fortran")
    variant("hostcuda", default=True, description="Build the module for raw CUDA kernels on the host")
    variant(
        "levels",
        default="native",
        values=("native", "all", "v2", "v3", "v4"),
        multi=False,
        description="Instruction sets of x86-64 that the loops are compiled for",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("tbb@2021:")
    depends_on("zlib-api")
    # Opened at run time.
    depends_on("blas", type="run")
    depends_on("lapack", type="run")
    depends_on("fftw-api@3", type="run")
    depends_on("cuda@12:", when="+cuda")
    conflicts("%gcc@:11", msg="libarr is C++20: GCC 12 or later, or Clang 14 or later")
    conflicts("platform=darwin", msg="libarr runs on Linux")
    conflicts("platform=windows", msg="libarr runs on Linux")

    def cmake_args(self):
        return [
            self.define("ARR_TESTS", False),
            self.define("ARR_EXAMPLES", False),
            self.define("ARR_WERROR", False),
            self.define_from_variant("ARR_CUDA", "cuda"),
            self.define_from_variant("ARR_FORTRAN", "fortran"),
            self.define_from_variant("ARR_HOST_KERNELS", "hostcuda"),
            self.define_from_variant("ARR_HOST_LEVELS", "levels"),
        ]

    def setup_run_environment(self, env):
        env.prepend_path("JULIA_LOAD_PATH", self.prefix.share.arr.julia)
