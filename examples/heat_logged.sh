#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# heat_logged.sh LANGUAGE BUILD_DIR FIELD.npy OUT_DIR - runs one language's heat, keeps what it prints.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/$1/run.sh" "$2" heat "$here/heat.cu" "$3" "$4/heat_$1.npy" | tee "$4/heat_$1.log"
