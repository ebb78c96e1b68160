// SPDX-License-Identifier: MIT
//! Tells the linker where libarr is, for the feature `linked`.

fn main() {
    println!("cargo:rerun-if-env-changed=ARR_LIB_DIR");
    if std::env::var_os("CARGO_FEATURE_LINKED").is_some() {
        if let Ok(folder) = std::env::var("ARR_LIB_DIR") {
            println!("cargo:rustc-link-search=native={folder}");
        }
    }
}
