#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup.sh - the one set-up of a machine for building, testing and running the examples.
#
#   .ci/setup.sh            installs what the tests need, which is everything, then writes build/env.sh for `source`
#   .ci/setup.sh NEED ...   only what these need: c, cpp, julia, rust, fortran (to build and run the examples of a
#                           language, without make_field.py and check.py), numpy (for those two)
#   .ci/setup.sh --list     prints what the examples and what the tests need, and what of it is missing; changes nothing
#
# Written for Debian 12, and quick when there is nothing to do. Root is needed for Debian packages
# only (sudo is used where we are not root). Everything else lands in .venv, build/env.sh and, where
# the machine has no julia, in ${ARR_TOOLS:-~/.cache/arr-tools}.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"
export HOME
tools=${ARR_TOOLS:-$HOME/.cache/arr-tools}
julia_version=1.5.3
every_language=(c cpp julia rust fortran)
list_only=
needs=("$@")
case ${1:-} in
  -h|--help) sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --list) list_only=--list needs=() ;;
esac
[ ${#needs[@]} -gt 0 ] || needs=("${every_language[@]}" numpy tests)
started=$SECONDS

say() { printf '[setup %3ds] %s\n' $((SECONDS - started)) "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# ------------------------------------------------------------------------------- Debian packages

# The packages that each need adds. An optional package that cannot be had is left out, and what needs it is skipped, visibly.
declare -A required=(
  [library]="g++ cmake ninja-build pkg-config libtbb-dev libopenblas0-pthread zlib1g-dev ca-certificates"
  [c]="" [cpp]="" [fortran]="gfortran" [julia]="" [rust]=""
  [numpy]="python3 python3-venv"
  [tests]="build-essential libfftw3-double3 libfftw3-single3 libgtest-dev libbenchmark-dev swig clang-format-14
           clang-tidy-14 libclang-14-dev llvm-14-dev abigail-tools patchelf git"
)
declare -A optional=(
  [tests]="ccache python3-torch      # faster rebuilds; the legacy-DLPack client of the tests
           clang-19 llvm-19-dev      # fast barriers in raw kernels on the host, the test of clang
           flang-19                  # the test of the Fortran package by another compiler
           librust-half-dev librust-num-complex-dev  # the test of the Rust features of these names
           libsuperlu5               # LU factors of sparse matrices
           libeigen3-dev             # the curves of the benchmarks beside Eigen
           gdb valgrind              # tests that debug kernels on the host
           lintian                   # the test of the Debian packages
           musl-dev                  # the test of headers with musl
           g++-aarch64-linux-gnu qemu-user-static  # the test of arm64
           openmpi-bin mpich         # communicators of processes
           chromium                  # the test that reads the documentation's site"
)

wants() { case " ${needs[*]} " in *" $1 "*) ;; *) return 1 ;; esac; }

# The packages of needs in one of the two tables, without its comments.
packages_of() {
  local -n table=$1
  local need
  shift
  for need; do sed 's/#.*//' <<<"${table[$need]:-}"; done | xargs -n1
}

have_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

works() { command -v "$1" >/dev/null 2>&1 && "$1" --version >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif [ -n "${CI:-}" ]; then sudo -n "$@"
  else sudo "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"
}

# A cargo of Rust 1.78 or later: on PATH, or installed for one user only, outside a bare PATH. Debian 12's
# cargo is too old; its cargo-web is a current one.
cargo=
find_cargo() {
  local path version
  for path in "$(command -v cargo || true)" "$HOME/.cargo/bin/cargo" /usr/bin/cargo; do
    [ -x "$path" ] || continue
    version=$("$path" --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
    if [ "${version:-0}" -ge 78 ]; then cargo=$path; return 0; fi
  done
  return 1
}

install_packages() {
  local missing=() wanted=() p
  find_cargo || required[rust]="cargo-web rustc-web"
  for p in $(packages_of required library "${needs[@]}"); do have_package "$p" || missing+=("$p"); done
  for p in $(packages_of optional "${needs[@]}"); do have_package "$p" || wanted+=("$p"); done
  if [ "$list_only" = --list ]; then
    say "examples: $(packages_of required library "${every_language[@]}" numpy | sort -u | xargs), NumPy, and a Julia"
    say "tests, besides: $(packages_of required tests | xargs), Python's packages in .ci/requirements.txt"
    say "tests, optional: $(packages_of optional tests | xargs)"
  fi
  if [ ${#missing[@]} = 0 ] && [ ${#wanted[@]} = 0 ]; then
    say "Debian packages: nothing missing"
    return
  fi
  say "Debian packages to install: ${missing[*]:-none}; optional: ${wanted[*]:-none}"
  [ "$list_only" = --list ] && return
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    [ ${#missing[@]} = 0 ] && { say "NOTE: not root and no sudo, so going on without: ${wanted[*]}"; return; }
    die "packages are missing, and this is neither root nor is there sudo. As root, run:
  apt-get update && apt-get install -y --no-install-recommends ${missing[*]} ${wanted[*]}"
  fi
  as_root apt-get update -q -o Acquire::Retries=3 || die "apt-get update did not succeed (see above)"
  if [ ${#missing[@]} != 0 ]; then
    apt_install "${missing[@]}" || die "apt-get could not install: ${missing[*]}"
  fi
  find_cargo || ! wants rust || die "there is no cargo of Rust 1.78 or later after the installation"
  for p in "${wanted[@]}"; do
    apt_install "$p" || say "NOTE: $p cannot be had here; what needs it is skipped, visibly"
  done
}

# ----------------------------------------------------------------------------------------- Julia

julia_dir=
find_julia() {
  if works julia; then return 0; fi
  local d
  for d in "/opt/julia-$julia_version" "$tools/julia-$julia_version"; do
    if [ -x "$d/julia" ] && "$d/julia" --version >/dev/null 2>&1; then julia_dir=$d; return 0; fi
  done
  return 1
}

install_julia() {
  if find_julia; then say "Julia: ${julia_dir:+$julia_dir/}julia"; return; fi
  say "Julia: not found; installing $julia_version from Debian 11's packages into $tools"
  [ "$list_only" = --list ] && return
  .ci/install-julia.sh "$tools/julia-$julia_version" \
    || die "Julia could not be installed; put a julia (1.5 or later) on PATH and run this again"
  find_julia || die "the installed Julia does not start"
}

# ---------------------------------------------------------------------------------------- Python

# Debian's interpreter by its path: it is the one that python3-venv and python3-torch belong to.
system_python=/usr/bin/python3

install_venv() {
  local packages
  packages=$(grep -v '^#' .ci/requirements.txt)
  # The examples need NumPy alone.
  wants tests || packages=$(grep '^numpy==' <<<"$packages")
  if [ -x .venv/bin/python ] && [ -r .venv/requirements.txt ] \
     && ! grep -qvxFf .venv/requirements.txt <<<"$packages" \
     && .venv/bin/python -c 'import numpy' 2>/dev/null; then
    say "Python: .venv is up to date"
    return
  fi
  say "Python: making .venv with $(tr '\n' ' ' <<<"$packages")"
  [ "$list_only" = --list ] && return
  rm -rf .venv
  "$system_python" -m venv .venv || die "$system_python -m venv did not succeed"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 5 \
    -r /dev/stdin <<<"$packages" || die "pip could not install the packages (see above)"
  printf '%s\n' "$packages" > .venv/requirements.txt
}

# ----------------------------------------------------------------------------------- environment

write_env() {
  local torch=
  if "$system_python" -c 'import torch' 2>/dev/null; then torch=$system_python
  elif wants tests; then say "NOTE: no PyTorch for $system_python; its DLPack tests will be skipped"; fi
  mkdir -p build
  {
    echo "# Written by .ci/setup.sh; source it. What the builds, tests and examples need to find."
    printf 'export HOME=%q\n' "$HOME"
    printf 'export PATH=%q\n' "${julia_dir:+$julia_dir:}${cargo:+$(dirname "$cargo"):}$PATH"
    printf 'export ARR_CARGO=%q\n' "$cargo"
    printf 'export PYTHON=%q\n' "$root/.venv/bin/python"
    printf 'export TORCH_PYTHON=%q\n' "$torch"
  } > build/env.sh
  say "wrote build/env.sh"
}

# Hooks that check a commit: see CONTRIBUTING.md.
install_hooks() {
  if git -C "$root" rev-parse --git-dir >/dev/null 2>&1; then git -C "$root" config core.hooksPath .githooks; fi
}

install_packages
if wants julia; then install_julia; else find_julia || true; fi
! wants numpy || install_venv
[ "$list_only" = --list ] || { install_hooks; write_env; }
say "ready"
