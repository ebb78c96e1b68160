// SPDX-License-Identifier: MIT
//! Makes the table of functions, once: with dlopen and dlsym, or as the linker left it.

use crate::Api;
use std::fmt;
use std::sync::OnceLock;

/// Why libarr cannot be used: each path that was tried, with the loader's own message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    pub tried: Vec<String>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "libarr is not available (set ARR_LIBRARY to its path); tried: {}", self.tried.join("; "))
    }
}

impl std::error::Error for LoadError {}

/// Returns the functions of the library; the first call loads it. The answer of the first call is final.
///
/// # Errors
/// Fails where the library is missing or too old, with the paths that were tried.
pub fn api() -> Result<&'static Api, LoadError> {
    static API: OnceLock<Result<Api, LoadError>> = OnceLock::new();
    API.get_or_init(find).as_ref().map_err(Clone::clone)
}

/// Why the library cannot serve these declarations, if it cannot.
fn abi_problem(api: &Api) -> Option<String> {
    // SAFETY: rule 2: both take and give plain values; the text is borrowed until this thread's next failure.
    unsafe {
        if api.arr_check_abi(crate::ARR_VERSION) == crate::ARR_OK {
            return None;
        }
        let text = std::ffi::CStr::from_ptr(api.arr_last_error());
        Some(text.to_string_lossy().into_owned())
    }
}

#[cfg(feature = "linked")]
fn find() -> Result<Api, LoadError> {
    let api = crate::linked::API;
    match abi_problem(&api) {
        None => Ok(api),
        Some(problem) => Err(LoadError { tried: vec![problem] }),
    }
}

#[cfg(all(feature = "dynamic-loading", not(feature = "linked")))]
fn find() -> Result<Api, LoadError> {
    let paths = match std::env::var_os("ARR_LIBRARY") {
        Some(path) if !path.is_empty() => vec![path],
        // The library with which the crate was installed, as build.rs has found; then the loader's own path.
        _ => option_env!("ARR_INSTALLED_LIBRARY")
            .into_iter()
            .chain(["libarr.so.0", "libarr.so"])
            .map(Into::into)
            .collect(),
    };
    let mut tried = Vec::new();
    for path in paths {
        match dynamic::open(&path) {
            Ok(api) => match abi_problem(&api) {
                None => return Ok(api),
                Some(problem) => tried.push(format!("{}: {problem}", path.to_string_lossy())),
            },
            Err(problem) => tried.push(problem),
        }
    }
    Err(LoadError { tried })
}

#[cfg(all(feature = "dynamic-loading", not(feature = "linked")))]
mod dynamic {
    use crate::Api;
    use std::ffi::{c_char, c_int, c_void, CStr, CString, OsStr};
    use std::os::unix::ffi::OsStrExt;

    extern "C" {
        fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        fn dlerror() -> *mut c_char;
    }
    const RTLD_NOW: c_int = 2;

    fn last_error() -> String {
        // SAFETY: rule 3: dlerror gives NULL or text that stays until this thread's next call of the loader.
        unsafe {
            let text = dlerror();
            if text.is_null() {
                return "no message from the loader".to_string();
            }
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }

    /// The library stays open for the life of the process: handles may outlive any owner of it.
    pub fn open(path: &OsStr) -> Result<Api, String> {
        let name = CString::new(path.as_bytes()).map_err(|_| "the path has a NUL byte".to_string())?;
        // SAFETY: rule 2: the name is NUL-terminated; opening runs the library's own initialisers only.
        let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
        if library.is_null() {
            return Err(last_error());
        }
        let find = |symbol: &CStr| {
            // SAFETY: rule 2: the library was opened above and is never closed.
            let address = unsafe { dlsym(library, symbol.as_ptr()) };
            if address.is_null() {
                Err(last_error())
            } else {
                Ok(address)
            }
        };
        // SAFETY: rule 2: the names belong to the prototypes; arr_check_abi compares the versions next.
        unsafe { Api::load(find) }
    }
}
