#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--pack] [--build DIR] [--quick] - proves the CUDA backend on a machine with an NVIDIA GPU.
#
#   tests/gpu/run.sh            on the GPU machine: tests, compute-sanitizer, benchmarks; writes
#                               docs/gpu/DATE.md
#   tests/gpu/run.sh --pack     on a build machine: puts what the GPU machine cannot build into build/gpu_pack
#   tests/gpu/run.sh --quick    without the sanitizer and the benchmarks
#
# The GPU machine needs: the driver, NVRTC, cuBLAS, cuBLASLt, cuSOLVER, cuFFT and cuSPARSE of CUDA 12 or 13 (a toolkit, or the Python
# wheels on LD_LIBRARY_PATH), and Python 3 with NumPy 2. The suites compare with ml_dtypes (bfloat16), SciPy (linear
# algebra, transforms, random numbers, special functions) and mpmath: one whose package is missing is skipped and
# says so. CuPy, PyTorch and JAX are timed where they are. Building there needs a C++20 compiler, CMake 3.25, Ninja,
# oneTBB and zlib; where one is missing the pack of a build machine is used (copy the tree with build/gpu_pack in it).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
build=$root/build
pack=no quick=no
while [ $# -gt 0 ]; do
  case $1 in
    --pack) pack=yes ;;
    --quick) quick=yes ;;
    --build) build=$2; shift ;;
    -h|--help) sed -n '3,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "run.sh: unknown argument $1 (--help)" >&2; exit 2 ;;
  esac
  shift
done
packed=$root/build/gpu_pack

make_pack() {
  cmake --preset default >/dev/null
  cmake --build "$build" --target arr arr_cuda nvrtc_compile
  rm -rf "$packed"
  mkdir -p "$packed/lib" "$packed/bin"
  cp -L "$build/lib/libarr.so.0" "$build/lib/libarr_cuda.so" "$packed/lib/"
  cp "$build/bin/nvrtc_compile" "$packed/bin/"
  # Libraries that a bare machine does not have.
  ldd "$build/lib/libarr.so.0" | awk '/libtbb|libz|libstdc|libgcc_s|libmvec/ && $3 ~ /^\// {print $3}' |
    xargs -r -I{} cp -L {} "$packed/lib/"
  strip --strip-unneeded "$packed"/lib/libarr*.so* || true
  du -sh "$packed"
}
if [ "$pack" = yes ]; then make_pack; exit 0; fi

command -v nvidia-smi >/dev/null || { echo "run.sh: no nvidia-smi: this machine has no NVIDIA driver"; exit 77; }
gpu=$(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader | head -1)
python=${PYTHON:-python3}
"$python" -c 'import numpy' 2>/dev/null || { echo "run.sh: $python has no NumPy"; exit 77; }

report=$root/docs/gpu/$(date -u +%Y-%m-%d).md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$(dirname "$report")"
failures=0

section() { printf '\n== %s (%ss since the start)\n' "$*" "$SECONDS"; printf '\n## %s\n\n' "$*" >>"$report"; }
# check NAME COMMAND...: runs it; a line for the report, the end of its output where it fails.
check() {
  local name=$1 status=0 from=$SECONDS; shift
  "$@" >"$work/log" 2>&1 || status=$?
  case $status in
    0) printf -- '- %s: passed (%ss)\n' "$name" $((SECONDS - from)) | tee -a "$report" ;;
    77) printf -- '- %s: skipped: %s\n' "$name" "$(tail -1 "$work/log")" | tee -a "$report" ;;
    *) failures=$((failures + 1))
       { printf -- '- %s: **FAILED** (status %s)\n\n```\n' "$name" $status; tail -30 "$work/log"; printf '```\n'; } |
         tee -a "$report" ;;
  esac
}

cat >"$report" <<EOF
# On a GPU, $(date -u +%Y-%m-%d)

- GPU: $gpu
- revision: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)
- Python: $("$python" --version 2>&1)

Written by tests/gpu/run.sh.
EOF

section "Build"
if cmake --preset default -DARR_EXAMPLES=OFF -DARR_TESTS=OFF >"$work/configure" 2>&1 &&
   cmake --build "$build" --target arr arr_cuda >"$work/build" 2>&1; then
  lib=$build/lib
  echo "- built here" | tee -a "$report"
elif [ -d "$packed" ]; then
  lib=$packed/lib
  echo "- built elsewhere (build/gpu_pack); here: $(grep -h -m1 -i -E 'error' "$work/configure" "$work/build" 2>/dev/null || echo 'no reason given')" |
    tee -a "$report"
else
  tail -20 "$work/configure" "$work/build" 2>/dev/null || true
  echo "run.sh: it does not build here and there is no build/gpu_pack; on a build machine: tests/gpu/run.sh --pack"
  exit 1
fi
export ARR_LIBRARY=$lib/libarr.so.0 LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset ARR_CUDA_DRIVER ARR_CUDA_NVRTC ARR_CUDA_NVJITLINK ARR_CUDA_CUBLAS ARR_CUDA_CUBLASLT ARR_CUDA_CUSOLVER ARR_CUDA_CUFFT \
  ARR_CUDA_CUSPARSE ARR_CUDA_CUDSS ARR_CUDA_NCCL ARR_CUDA_CURAND

section "Tests on the GPU"
check "the backend works" "$python" -B tests/gpu/probe.py
for suite in arrays tiles quantiles ufuncs destinations scans calculus reduction_options packbits covariance programs programs_wide expressions expression_reductions fusing fuse_cases fuse_order \
    search scatter histograms special_operands every_float pairs products epilogues einsum special_matrices polynomials polynomial_fits decompositions equations eigh least_squares fft fft_efforts fft_lengths fft_sums fft_halves fft_fused \
    fft_callbacks fft_plans cosine hankel fftconvolve \
    random_numbers random_distributions random_order random_vectors bit_generators captures textures texture_errors \
    texture_lifetimes processes user_kernels large large_types reduction_rows reductions ops; do
  check "conformance $suite" "$python" -B tests/gpu/suite.py "$(find tests/conformance -name "$suite.py")" --device cuda
done
check "conformance fft_fused by passes" env ARR_CUFFT_CALLBACKS=0 "$python" -B tests/gpu/suite.py tests/conformance/fft/fft_fused.py --device cuda
check "streams, events, pool and raw kernels" "$python" -B tests/gpu/device.py
check "corpus of raw kernels" "$python" -B tests/gpu/suite.py tests/kernels/corpus.py --device cuda

if [ "$quick" = no ]; then
  section "compute-sanitizer"
  if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
      check "$tool" compute-sanitizer --tool "$tool" --error-exitcode 9 "$python" -B tests/gpu/device.py --small
    done
  else
    echo "- compute-sanitizer is not on PATH: skipped" | tee -a "$report"
  fi

  section "Benchmarks"
  echo "Median time per call with the work done, in microseconds; ratio: the peer's time over ours." >>"$report"
  echo >>"$report"
  "$python" -B tests/gpu/bench.py | tee -a "$report" || { failures=$((failures + 1)); echo "- **FAILED**" >>"$report"; }
  echo >>"$report"
  "$python" -B tests/gpu/suite.py tests/gpu/bench_callbacks.py | tee -a "$report" ||
    { failures=$((failures + 1)); echo "- **FAILED**" >>"$report"; }
fi

printf '\n%s\n' "$failures failures; the report is $report"
[ "$failures" = 0 ]
