#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# package.sh BUILD_DIR - packages the three crates as for a registry, compares the contents with the sources, and builds and
# runs users' programs from nothing but the packages, without a network. Exits 77 where cargo is older than 1.90, which
# cannot package crates that depend on each other before the first of them is published.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./cargo.sh "$build"
version=$("$ARR_CARGO" --version)
minor=${version#cargo 1.}
[ "${minor%%.*}" -ge 90 ] || { echo "skipped: $version is older than 1.90"; exit 77; }
work=$build/rust-package
rm -rf "$work"
mkdir -p "$work/packages"
export CARGO_TARGET_DIR=$work/target

how=(--offline --no-verify --allow-dirty)
"$ARR_CARGO" package --workspace "${how[@]}" 2> "$work/log" || { cat "$work/log"; exit 1; }
# Its lock file would need an index of the registry.
"$ARR_CARGO" package --manifest-path arr-interop/Cargo.toml --exclude-lockfile "${how[@]}" 2>> "$work/log" || { cat "$work/log"; exit 1; }
# The tests of arr stay in the repository, and there is no page to name.
if grep '^warning' "$work/log" | grep -vE 'ignoring test|has no documentation, homepage or repository'; then
  echo "cargo package warns"; exit 1
fi

for crate in arr-sys arr arr-interop; do
  package=$CARGO_TARGET_DIR/package/$crate-0.1.0.crate
  folder=$work/packages/$crate-0.1.0
  tar xzf "$package" -C "$work/packages"
  printf '{"files":{},"package":"%s"}' "$(sha256sum < "$package" | cut -d' ' -f1)" > "$folder/.cargo-checksum.json"
  cmp ../../LICENSE "$folder/LICENSE"
  cmp "$crate/README.md" "$folder/README.md"
  diff -r "$crate/src" "$folder/src"
  "$ARR_CARGO" metadata --no-deps --offline --format-version 1 --manifest-path "$crate/Cargo.toml" |
    "${PYTHON:-python3}" -c 'import json, sys
package = json.load(sys.stdin)["packages"][0]
name = package["name"]
empty = [k for k in ("description", "license", "keywords", "categories", "readme", "rust_version") if not package[k]]
sys.exit(name + ": no " + ", ".join(empty) if empty else 0)'
  echo "$crate: $(find "$folder" -type f | wc -l) files, $(stat -c %s "$package") bytes"
done

# program NAME CRATES DEPENDENCY... - builds and runs NAME/src/main.rs, which is read from the standard input.
program() {
  local folder=$work/$1 crates=$2
  shift 2
  mkdir -p "$folder/src" "$folder/.cargo"
  cat > "$folder/src/main.rs"
  printf '%s\n' '[package]' 'name = "program"' 'version = "0.1.0"' 'edition = "2021"' '[dependencies]' "$@" > "$folder/Cargo.toml"
  printf '%s\n' '[source.crates-io]' 'replace-with = "packages"' '[source.packages]' "directory = \"$crates\"" \
    > "$folder/.cargo/config.toml"
  (cd "$folder" && "$ARR_CARGO" run --offline --quiet)
}

mkdir "$work/two"  # a program without other crates needs no more than these two
ln -s "$work"/packages/arr-sys-0.1.0 "$work"/packages/arr-0.1.0 "$work/two"
result=$(program plain "$work/two" 'arr = "0.1"' <<'RUST'
fn main() -> arr::Result<()> {
    let a = arr::Array::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2])?;
    println!("{:?}", a.matmul(&a)?.to_vec()?);
    Ok(())
}
RUST
)
echo "arr: $result"
[ "$result" = "[7.0, 10.0, 15.0, 22.0]" ]

collect_crates "$work/packages"
result=$(program features "$work/packages" 'ndarray = "*"' \
  "arr-interop = { version = \"0.1\", features = [\"ndarray\"] }" <<'RUST'
fn main() -> arr::Result<()> {
    let there = ndarray::Array2::from_shape_vec((2, 2), vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    println!("{}", arr::Array::from_ndarray(&there.t())?.at((0, 1))?);
    Ok(())
}
RUST
)
echo "arr-interop: $result"
[ "$result" = 3 ]
