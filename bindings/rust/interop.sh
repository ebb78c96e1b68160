#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# interop.sh BUILD_DIR - tests arr-interop's features with the crates that are in Debian's folder of crates (or in that of
# ARR_CRATES), says which it leaves out, and exits 77 where there is none. The manifest is copied without those that are
# absent, because cargo wants to know every crate that a manifest names.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./cargo.sh "$build"
crates=${ARR_CRATES:-/usr/share/cargo/registry}
here=$PWD
copy=$build/rust-interop
rm -rf "$copy"
mkdir -p "$copy"
cp -r arr-interop/tests "$copy"
cp arr-interop/Cargo.toml "$copy/Cargo.toml"
sed -i "s|\"\.\./|\"$here/|" "$copy/Cargo.toml"
features=()
for crate in half num-complex ndarray dlpark; do
  if compgen -G "$crates/$crate-[0-9]*/Cargo.toml" >/dev/null; then
    features+=("$crate")
  else
    echo "left out: $crate (no such crate in $crates)"
    sed -i "/^$crate = /d" "$copy/Cargo.toml"
    rm -f "$copy/tests/${crate//-/_}.rs"
  fi
done
[ ${#features[@]} -gt 0 ] || { echo "skipped: none of the crates is in $crates (.ci/setup.sh installs two)"; exit 77; }
cd "$copy"
RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=$copy/target "$ARR_CARGO" test --offline --tests \
  --config "source.crates-io.replace-with='folder'" --config "source.folder.directory='$crates'" \
  --features "$(IFS=,; echo "${features[*]}")"
echo "tested with: ${features[*]}"
