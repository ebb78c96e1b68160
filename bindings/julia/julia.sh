#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# julia.sh BUILD_DIR - to be sourced: finds Julia (ARR_JULIA), points it at the library in BUILD_DIR and keeps
# what it compiles there. Exits 77 where there is no Julia.
if [ -z "${ARR_JULIA:-}" ]; then
  for ARR_JULIA in "$(command -v julia || true)" /opt/julia-*/julia "${ARR_TOOLS:-$HOME/.cache/arr-tools}"/julia-*/julia; do
    [ -x "$ARR_JULIA" ] && break
  done
fi
[ -x "$ARR_JULIA" ] || { echo "skipped: no julia on PATH (.ci/setup.sh installs one)"; exit 77; }
export ARR_JULIA
export ARR_LIBRARY=${ARR_LIBRARY:-$1/lib/libarr.so.0}
export JULIA_DEPOT_PATH=$1/julia_depot
export JULIA_LOAD_PATH=@:@stdlib
