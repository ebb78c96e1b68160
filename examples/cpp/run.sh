#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR PROGRAM [ARGUMENTS] - runs hello, heat or share against the library in BUILD_DIR.
set -euo pipefail
build=$(realpath "$1")
program=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -f "$build/env.sh" ] && source "$build/env.sh"
case $program in
  hello) exec "$build/examples/cpp/1-hello" "$@" ;;
  heat) exec "$build/examples/cpp/2-heat" "$@" ;;
  share) exec "${PYTHON:-$here/../../.venv/bin/python}" "$here/../c/3-share.py" "$build/examples/cpp/3-share.so" "$@" ;;
  *) echo "run.sh: no program $program" >&2; exit 2 ;;
esac
