// SPDX-License-Identifier: MIT
//! Events of the library that no call returns.

use std::ffi::{c_char, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::callback::drop_box;
use crate::error::{api, call, check, Result};

/// The importance of a line of the log, in increasing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i32)]
pub enum LogLevel {
    /// Kernels that are compiled, what is found on disk.
    Debug = arr_sys::ARR_LOG_DEBUG,
    /// Libraries that are opened, the device that is chosen.
    Info = arr_sys::ARR_LOG_INFO,
    /// Something works less well than it could.
    Warning = arr_sys::ARR_LOG_WARNING,
}

/// The function that the library calls.
struct Told<F> {
    log: F,
    over: AtomicBool,
}

unsafe extern "C" fn tell<F: Fn(LogLevel, &str) + Send + Sync>(ctx: *mut c_void, level: i32, line: *const c_char) {
    // SAFETY: rule 7: ctx is the Told of `set_log`, which lives until the library drops it.
    let told = unsafe { &*ctx.cast::<Told<F>>() };
    if told.over.load(Ordering::Acquire) {
        return;
    }
    let level = match level {
        arr_sys::ARR_LOG_DEBUG => LogLevel::Debug,
        arr_sys::ARR_LOG_INFO => LogLevel::Info,
        _ => LogLevel::Warning,
    };
    // SAFETY: rule 3: the library returns a text that ends in NUL and lives for this call.
    let line = unsafe { CStr::from_ptr(line) }.to_string_lossy();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (told.log)(level, &line))) {
        told.over.store(true, Ordering::Release);
        std::mem::forget(panic); // to drop it could panic again
    }
}

/// Lets a function hear of what the library does, from `level` on, until another one is set; [`end_log`] ends it. There is
/// one for the process, and libraries are opened once: set it first.
///
/// It runs on the thread that has something to say, several at once, with locks of libarr held: it must be short and call
/// nothing of libarr but this and [`end_log`]. It is dropped when it runs no more. Where it panics it is called no more.
///
/// ```no_run
/// # fn main() -> arr::Result<()> {
/// arr::set_log(arr::LogLevel::Info, |level, line| eprintln!("{level:?}: {line}"))?;
/// arr::end_log()
/// # }
/// ```
#[doc = errors!(arr_log_set)]
#[track_caller]
pub fn set_log(level: LogLevel, log: impl Fn(LogLevel, &str) + Send + Sync + 'static) -> Result<()> {
    fn set<F: Fn(LogLevel, &str) + Send + Sync + 'static>(level: LogLevel, told: Told<F>) -> Result<()> {
        let api = api()?;
        let ctx: *mut c_void = Box::into_raw(Box::new(told)).cast();
        // SAFETY: rule 7: the functions are for a Told of this type, which the library drops once.
        let set = check(api, unsafe { api.arr_log_set(level as i32, Some(tell::<F>), Some(drop_box::<Told<F>>), ctx) });
        if set.is_err() {
            drop_box::<Told<F>>(ctx); // the library keeps nothing where it fails
        }
        set
    }
    set(level, Told { log, over: AtomicBool::new(false) })
}

/// Ends the function of [`set_log`], if there is one.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// end_log()?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_log_set)]
#[track_caller]
pub fn end_log() -> Result<()> {
    call!(arr_log_set(arr_sys::ARR_LOG_WARNING, None, None, std::ptr::null_mut()));
    Ok(())
}
