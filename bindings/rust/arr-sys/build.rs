// SPDX-License-Identifier: MIT
//! Passes on where libarr is: to the linker, for the feature `linked`, and to the loader, where the crate was installed with it.

use std::path::{Path, PathBuf};

/// The library with which this crate was installed: a file `library` beside Cargo.toml has its path.
fn installed() -> Option<PathBuf> {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let told = std::fs::read_to_string(package.join("library")).ok()?;
    package.join(told.trim()).canonicalize().ok()
}

fn main() {
    println!("cargo:rerun-if-env-changed=ARR_LIB_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    let installed = installed();
    if let Some(path) = &installed {
        println!("cargo:rerun-if-changed=library");
        println!("cargo:rustc-env=ARR_INSTALLED_LIBRARY={}", path.display());
    }
    if std::env::var_os("CARGO_FEATURE_LINKED").is_some() {
        let folder = std::env::var("ARR_LIB_DIR").ok();
        let beside = installed.as_deref().and_then(Path::parent).map(|p| p.display().to_string());
        if let Some(folder) = folder.or(beside) {
            println!("cargo:rustc-link-search=native={folder}");
        }
    }
}
