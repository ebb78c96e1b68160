#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [OPTION...] - sweeps workloads over sizes beside NumPy, numexpr, PyTorch, JAX, Eigen and plain C++.
#
#   --peers A,B          only these             --json FILE        keeps the rows
#   --workloads A,B      with a text in name    --svg PREFIX       draws PREFIX_PEER.svg
#   --sizes LOW-HIGH     only these             --list-below FILE  writes the pairs below 1
#   --rounds N           of each pair (7)       --from FILE        reads rows of earlier runs instead of timing
#   --again FILE         times the pairs below 1 of an earlier run again, and keeps its other rows; not for a record,
#                        because chance alone lifts some of them
#   --record             writes the pictures, the list and the tables of docs/benchmarks.md, and build/curves.json, in half
#                        an hour; in pieces: --peers A --json A.json, ..., then --record --from A.json ...
#
# Builds what it needs, with a Python in build/peers-venv for the peers that pip installs; a peer that cannot be had is
# skipped, visibly. Ours is called from C++, a peer as its users call it, both in turns, in one process per peer. A line:
#   peer, workload, type, size, our time, the peer's, ratio (above 1: libarr is ahead), range of the ratio over the rounds
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
[ -f "$root/build/env.sh" ] || "$root/.ci/setup.sh"
# shellcheck disable=SC1091
source "$root/build/env.sh"
build=${ARR_BUILD:-$root/build}
[ -f "$build/build.ninja" ] || cmake --preset default -S "$root" >/dev/null
cmake --build "$build" --target arr arr_curves >/dev/null
python=$build/peers-venv/bin/python
[ -x "$python" ] || "${PYTHON:-python3}" -m venv "$build/peers-venv"
for peer in numpy numexpr jax; do
  "$python" -c "import $peer" 2>/dev/null || "$python" -m pip install --quiet --disable-pip-version-check "$peer" \
    || echo "run.sh: pip has no $peer here" >&2
done
if [ "${1:-}" = --record ]; then
  docs=$root/docs
  set -- --json "$build/curves.json" --svg "$docs/pictures/curves" --page "$docs/benchmarks.md" \
    --list-below "$docs/benchmarks_below_one.md" "${@:2}"
fi
exec "$python" -B "$here/curves.py" --library "$build/lib/arr_curves.so" "$@"
