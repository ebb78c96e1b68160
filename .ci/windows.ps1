# SPDX-License-Identifier: MIT
# windows.ps1 - the job for Windows as it would begin, in an MSYS2 with the environment UCRT64: its tools by pacman, a build
# without CUDA, the tests. It has never run, and libarr does not build there yet: docs/guides/install.md, "Other systems",
# lists what stands in the way.
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..")
$env:MSYSTEM = "UCRT64"
$env:CHERE_INVOKING = "1"
$packages = "cmake ninja gcc gcc-fortran tbb zlib openblas fftw gtest benchmark swig python python-pip"
$prefixed = ($packages -split " " | ForEach-Object { "mingw-w64-ucrt-x86_64-$_" }) -join " "
$steps = @(
  "pacman -S --needed --noconfirm $prefixed",
  "python -m venv .venv && .venv/bin/python -m pip install --quiet -r .ci/requirements.txt",
  "cmake --preset default -DARR_CUDA=OFF -DARR_HOST_LEVELS=native",
  "cmake --build --preset default",
  "ctest --preset default -L 'capi|conformance|bindings|examples' -LE slow"
)
foreach ($step in $steps) {
  & C:\msys64\usr\bin\bash.exe -lc $step
  if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
}
