#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# macos.sh - the job for macOS as it would begin: the tools by Homebrew, a build without CUDA, the tests. It has never run,
# and libarr does not build there yet: docs/guides/install.md, "Other systems", lists what stands in the way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
brew install cmake ninja gcc@12 tbb zlib openblas fftw googletest google-benchmark swig python@3.11
python3 -m venv .venv
.venv/bin/python -m pip install --quiet -r .ci/requirements.txt
cmake --preset default -DCMAKE_C_COMPILER=gcc-12 -DCMAKE_CXX_COMPILER=g++-12 -DARR_CUDA=OFF -DARR_HOST_LEVELS=native \
  -DCMAKE_PREFIX_PATH="$(brew --prefix tbb);$(brew --prefix openblas)"
cmake --build --preset default
ctest --preset default -L 'capi|conformance|bindings|examples' -LE slow
