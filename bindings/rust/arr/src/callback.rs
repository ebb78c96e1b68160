// SPDX-License-Identifier: MIT
//! Functions of the program that the library calls: no panic may enter it.

use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

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
