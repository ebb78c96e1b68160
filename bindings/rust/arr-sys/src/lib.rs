// SPDX-License-Identifier: MIT
#![doc = include_str!("../README.md")]

// A wrapped line of a comment may begin with a sign or a number, as an item of a list does.
#[allow(clippy::doc_lazy_continuation)]
#[rustfmt::skip]
mod generated;
mod loader;

pub use generated::*;
pub use loader::{api, LoadError};

#[cfg(not(any(feature = "dynamic-loading", feature = "linked")))]
compile_error!("arr-sys needs one of the features dynamic-loading and linked");
