// SPDX-License-Identifier: MIT
//! The C API of libarr with C's own names and no policy.
//!
//! ```no_run
//! let api = arr_sys::api()?; // loads the library on the first call
//! let version = unsafe { api.arr_version() };
//! # Ok::<(), arr_sys::LoadError>(())
//! ```
//!
//! Feature `dynamic-loading` (default): the library is opened by `dlopen`, from the file that the environment
//! variable `ARR_LIBRARY` names or else as `libarr.so.0`. Feature `linked`: the linker finds it.

// A wrapped line of a comment may begin with a sign or a number, as an item of a list does.
#[allow(clippy::doc_lazy_continuation)]
#[rustfmt::skip]
mod generated;
mod loader;

pub use generated::*;
pub use loader::{api, LoadError};

#[cfg(not(any(feature = "dynamic-loading", feature = "linked")))]
compile_error!("arr-sys needs one of the features dynamic-loading and linked");
