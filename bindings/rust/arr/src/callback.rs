// SPDX-License-Identifier: MIT
//! Functions of the program that the library calls: no panic may enter it.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

use crate::error::{Error, Result};

/// The end of a function that could not give its result to the library.
enum Ended {
    Failed(Error),
    Panicked(Box<dyn Any + Send>),
}

thread_local! {
    /// That of a function that the running call of this thread has called.
    static ENDED: RefCell<Option<Ended>> = const { RefCell::new(None) };
}

/// Returns the result of a function that a call of the library runs on its thread; none where it fails or panics, which
/// [`resumed`] goes on with after the call.
pub(crate) fn within_call<R>(work: impl FnOnce() -> Result<R>) -> Option<R> {
    let ended = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => return Some(value),
        Ok(Err(error)) => Ended::Failed(error),
        Err(panic) => Ended::Panicked(panic),
    };
    ENDED.with(|slot| {
        let mut slot = slot.borrow_mut();
        match *slot {
            None => *slot = Some(ended),
            Some(_) => std::mem::forget(ended), // the first one counts; to drop a panic's value could panic again
        }
    });
    None
}

/// The result of a call of the library that ran functions of the program. Its error is that of the function where one
/// failed; a panic of a function goes on from here.
pub(crate) fn resumed<R>(result: Result<R>) -> Result<R> {
    match ENDED.with(RefCell::take) {
        None => result,
        Some(Ended::Failed(error)) => Err(error),
        Some(Ended::Panicked(panic)) => resume_unwind(panic),
    }
}

/// Returns the result of `work`; none where it panics. The panic's message has been printed by then, and its value is not
/// dropped, for that could panic again.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => Some(value),
        Err(panic) => {
            std::mem::forget(panic);
            None
        }
    }
}

/// Drops what was given to the library as a box.
pub(crate) extern "C" fn drop_box<O>(ctx: *mut c_void) {
    // SAFETY: rule 7: ctx is the box of an O that was given away, and this is called once.
    let owner = unsafe { Box::from_raw(ctx.cast::<O>()) };
    guarded(|| drop(owner));
}
