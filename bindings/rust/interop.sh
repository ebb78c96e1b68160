#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# interop.sh BUILD_DIR - tests arr-interop's features with the crates that are in Debian's folder of crates (or in that of
# ARR_CRATES), else with the stand-ins for them in arr-interop/tests, and says which. The manifest is copied without the
# crates that are in neither, because cargo wants to know every crate that a manifest names.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./cargo.sh "$build"
here=$PWD
copy=$build/rust-interop
rm -rf "$copy"
mkdir -p "$copy/tests"
cp arr-interop/tests/*.rs "$copy/tests"
cp arr-interop/Cargo.toml "$copy/Cargo.toml"
ln -s "$here/arr-interop/src" "$copy/src"
sed -i "s|\"\.\./|\"$here/|" "$copy/Cargo.toml"
collect_crates "$copy/crates"
for crate in "${absent[@]}"; do
  echo "left out: $crate"
  sed -i "/^$crate = /d" "$copy/Cargo.toml"
  rm -f "$copy/tests/${crate//-/_}.rs"
done
cd "$copy"
RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=$copy/target "$ARR_CARGO" test --offline --tests \
  --config "source.crates-io.replace-with='folder'" --config "source.folder.directory='$copy/crates'" \
  --features "$(IFS=,; echo "${features[*]}")"
echo "tested with: ${features[*]}"
