#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# new_family.sh [BUILD] - tools/new_family.py and what it says about blanks are all that a new family takes.
#
# In a copy of the tree: makes a family with the tool, checks that the house refuses its blanks, fills them, runs the
# generators and the checks of the house, builds the library (by the compiler of BUILD, nothing optimised) and the family's
# objects of the CUDA module, runs the family's suite, and calls its function from C, C++, Julia, Rust and Fortran.
# NEW_FAMILY_LIBRARY=no leaves the library, the suite and the calls out.
set -euo pipefail
build=${1:-}
# shellcheck source=scratch.sh
source "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
with_library=${NEW_FAMILY_LIBRARY:-yes}
scratch_needs swig
[ "$with_library" = no ] || scratch_needs cmake ninja "${JULIA:-julia}" cargo "${FC:-gfortran}"
scratch_copy
checks=(layering policy comments words)
house() { python3 -B "$copy/tests/house/$1.py"; }

say "a family with blanks"
shared=3  # files of the tree that a new family changes, besides what is generated
find "$copy" -type f -exec md5sum {} + | sort > "$work/before"
"$copy/tools/new_family.py" doubling twice > "$work/blanks"
find "$copy" -type f -exec md5sum {} + | sort > "$work/after"
changed=$(comm -23 "$work/before" "$work/after" | wc -l)
[ "$changed" = $shared ] || { echo "$changed files of the tree have changed, expected $shared"; exit 1; }
for check in policy comments; do
  if house "$check" > "$work/found"; then echo "house.$check accepts blanks"; exit 1; fi
done
blanks=$(grep -c 'FILL_''IN' "$work/blanks")
refused=$(house policy | grep -c 'to be filled in' || true)
[ "$refused" = "$blanks" ] || { echo "house.policy refuses $refused of $blanks blanks"; exit 1; }

say "filled"
"$root/tests/bindings/new_family/fill.py" "$copy"
scratch_generate
for check in "${checks[@]}"; do house "$check" > "$work/found" || { cat "$work/found"; exit 1; }; done
python3 -B "$copy/tests/conformance/memory_table.py"
python3 -B "$copy/tests/kernels/ptx/suite.py" --list | grep -x doubling/doubling > "$work/found"
if [ "$with_library" = no ]; then
  say "done, without the library"
  exit 0
fi

say "the library"
cuda=core/cuda/CMakeFiles/arr_cuda_objects.dir
scratch_library -DARR_CUDA=ON -DARR_HOST_KERNELS=OFF -- arr $cuda/backend.cpp.o $cuda/doubling/api.cpp.o $cuda/doubling/twice.cpp.o
oracle=$(setting ARR_ORACLE_PYTHON)
if [ -n "$oracle" ]; then "$oracle" -B "$copy/tests/conformance/doubling/doubling.py" --device host; fi
say "the five languages"
scratch_languages "$root/tests/bindings/new_family"
say "done"
