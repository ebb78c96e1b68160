#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [SUITE...] [--json FILE] [--svg FILE] [--rounds N] - times libarr beside its peers.
#
# Builds what it needs, then runs ours and the peer's workload alternately in one process, checks that
# their results agree, and prints a table. --json writes a list of
#   {suite, workload, dtype, size, ours_ns, peer, peer_version, peer_ns, ratio, spread, checked}
# ratio is peer time over ours (above 1: libarr is ahead), medians; spread is the ratio's range over rounds.
# --svg draws the ratios. Suites: those that run.sh --list names
# beside their workloads; without one, all.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
[ -f "$root/build/env.sh" ] || "$root/.ci/setup.sh"
# shellcheck disable=SC1091
source "$root/build/env.sh"
build=${ARR_BUILD:-$root/build}
[ -f "$build/build.ninja" ] || cmake --preset default -S "$root" >/dev/null
cmake --build "$build" --target arr arr_bench >/dev/null
exec "${PYTHON:-$root/.venv/bin/python}" "$here/bench.py" --build "$build" "$@"
