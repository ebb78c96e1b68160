// SPDX-License-Identifier: MIT
//! Errors: a kind to match on, libarr's line of text, and the line of the caller's source.

use std::ffi::CStr;
use std::fmt;
use std::panic::Location;

use arr_sys::Api;

/// The kind of an error, to match on. [`Error`]'s text has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The library could not be loaded.
    Library,
    /// A handle that names no live object.
    Handle,
    Argument,
    Shape,
    /// An element type that the operation does not take.
    DType,
    Memory,
    Unsupported,
    /// The device or backend does not work here.
    Unavailable,
    Device,
    /// The device's context is lost, with its arrays.
    Lost,
    Compile,
    Io,
    /// A file or a DLPack tensor that breaks its format.
    Format,
    ReadOnly,
    /// A matrix without such an inverse, solution or decomposition.
    Linalg,
    Internal,
}

impl ErrorKind {
    fn from_status(status: i32) -> ErrorKind {
        match status {
            arr_sys::ARR_E_HANDLE => ErrorKind::Handle,
            arr_sys::ARR_E_ARGUMENT => ErrorKind::Argument,
            arr_sys::ARR_E_SHAPE => ErrorKind::Shape,
            arr_sys::ARR_E_DTYPE => ErrorKind::DType,
            arr_sys::ARR_E_MEMORY => ErrorKind::Memory,
            arr_sys::ARR_E_UNSUPPORTED => ErrorKind::Unsupported,
            arr_sys::ARR_E_UNAVAILABLE => ErrorKind::Unavailable,
            arr_sys::ARR_E_DEVICE => ErrorKind::Device,
            arr_sys::ARR_E_LOST => ErrorKind::Lost,
            arr_sys::ARR_E_COMPILE => ErrorKind::Compile,
            arr_sys::ARR_E_IO => ErrorKind::Io,
            arr_sys::ARR_E_FORMAT => ErrorKind::Format,
            arr_sys::ARR_E_READONLY => ErrorKind::ReadOnly,
            arr_sys::ARR_E_LINALG => ErrorKind::Linalg,
            _ => ErrorKind::Internal,
        }
    }
}

/// A failure of libarr. `Display` is the library's line, "arr_add: argument y: ..."; `Debug` adds the kind
/// and where in the program the failing call stands.
#[derive(Clone)]
pub struct Error(Box<Details>);

#[derive(Clone)]
struct Details {
    kind: ErrorKind,
    text: String,
    location: &'static Location<'static>,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    #[track_caller]
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Error {
        Error(Box::new(Details { kind, text: text.into(), location: Location::caller() }))
    }

    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the library's message, one line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the location of the call that failed.
    #[must_use]
    pub fn location(&self) -> &'static Location<'static> {
        self.0.location
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { kind, text, location } = &*self.0;
        write!(f, "{kind:?} at {location}: {text}")
    }
}

impl std::error::Error for Error {}

/// The library, or why there is none.
#[track_caller]
pub(crate) fn api() -> Result<&'static Api> {
    match arr_sys::api() {
        Ok(api) => Ok(api),
        Err(problem) => Err(Error::new(ErrorKind::Library, problem.to_string())),
    }
}

/// The error of a status that the calling thread's last call gave.
#[track_caller]
pub(crate) fn check(api: &Api, status: i32) -> Result<()> {
    if status == arr_sys::ARR_OK {
        return Ok(());
    }
    // SAFETY: rule 3: the text is borrowed until this thread's next failing call, and copied before.
    let text = unsafe { CStr::from_ptr(api.arr_last_error()) };
    Err(Error::new(ErrorKind::from_status(status), text.to_string_lossy()))
}

/// `call!(arr_size(handle, &mut size))`: calls a function of the library and returns its error with `?`.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let api = $crate::error::api()?;
        // SAFETY: rule 2: the callers pass live handles, and pointers to locals or slices with their own lengths.
        #[allow(unused_unsafe, clippy::macro_metavars_in_unsafe)]
        let status = unsafe { api.$name($($argument),*) };
        $crate::error::check(api, status)?
    }};
}
pub(crate) use call;

/// Asks twice for a text: for its length, then for its bytes.
#[track_caller]
pub(crate) fn text_of(ask: impl Fn(&Api, i64, *mut std::ffi::c_char, *mut i64) -> i32) -> Result<String> {
    let api = api()?;
    let mut length = 0i64;
    check(api, ask(api, 0, std::ptr::null_mut(), &mut length))?;
    loop {
        let mut bytes = vec![0u8; usize::try_from(length).unwrap_or(0) + 1];
        let capacity = bytes.len() as i64;
        check(api, ask(api, capacity, bytes.as_mut_ptr().cast(), &mut length))?;
        if length < capacity {
            bytes.truncate(usize::try_from(length).unwrap_or(0));
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// The panic of an operator: libarr's text at the line of the operator.
#[track_caller]
pub(crate) fn or_panic<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
