// SPDX-License-Identifier: MIT
//! Being told of every allocation and release of an array's memory.

use std::any::Any;
use std::ffi::{c_char, c_void, CStr};
use std::fmt;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::callback::guarded;
use crate::device::Device;
use crate::error::{api, call, check, text_of, Result};
use crate::io::utf8;

/// Memory of an array that was given out or given back.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MemoryEvent<'a> {
    /// Given out; else given back.
    pub allocated: bool,
    pub device: Device,
    pub bytes: i64,
    pub address: *const c_void,
    /// The public function of libarr that runs, or "".
    pub function: &'a str,
}

/// A hook of the library's, removed where this is dropped.
#[derive(Debug)]
struct Hook(i64);

impl Hook {
    #[track_caller]
    fn end(self) -> Result<()> {
        let id = self.0;
        std::mem::forget(self);
        call!(arr_memory_hook_remove(id));
        Ok(())
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 2: it takes a number.
            let _ = unsafe { api.arr_memory_hook_remove(self.0) };
        }
    }
}

type Panic = Box<dyn Any + Send>;

/// The closure that the library calls, and the value that it panicked with.
struct Told {
    hook: Box<dyn Fn(MemoryEvent<'_>) + Send + Sync>,
    over: AtomicBool,
    panic: Mutex<Option<Panic>>,
}

unsafe extern "C" fn tell(
    ctx: *mut c_void,
    event: i32,
    device_type: i32,
    index: i32,
    bytes: i64,
    address: *const c_void,
    function: *const c_char,
) {
    // SAFETY: rule 7: ctx is the Told of `MemoryHook::new`, which lives until the library calls `forget`.
    let told = unsafe { &*ctx.cast::<Told>() };
    if told.over.load(Ordering::Acquire) {
        return;
    }
    // SAFETY: rule 3: the library returns a text that ends in NUL and lives for this call.
    let function = unsafe { CStr::from_ptr(function) }.to_str().unwrap_or("");
    let device = Device::from_raw(arr_sys::arr_device { type_: device_type, index });
    let allocated = event == arr_sys::ARR_MEMORY_ALLOC;
    let event = MemoryEvent { allocated, device, bytes, address, function };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (told.hook)(event))) {
        told.over.store(true, Ordering::Release);
        let mut first = told.panic.lock().unwrap_or_else(PoisonError::into_inner);
        match *first {
            None => *first = Some(panic),
            Some(_) => std::mem::forget(panic), // of another thread at the same time; to drop it could panic again
        }
    }
}

unsafe extern "C" fn forget(ctx: *mut c_void) {
    // SAFETY: rule 7: ctx is the count that `MemoryHook::new` gave away; the library calls this once.
    let told = unsafe { Arc::from_raw(ctx.cast::<Told>().cast_const()) };
    guarded(|| drop(told));
}

/// A function that is called for every allocation and release of an array's memory, on any thread, until this is
/// dropped.
#[must_use = "it is removed where it is dropped"]
pub struct MemoryHook {
    hook: Hook,
    told: Arc<Told>,
}

impl MemoryHook {
    /// Adds a hook, which runs within the call that takes or returns the memory, in several threads at once; it must be
    /// short and call nothing of libarr. It lives until it has been removed and its last call has ended. After a panic it
    /// is not called again, and [`MemoryHook::remove`] resumes the panic.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// use std::sync::{atomic::{AtomicI64, Ordering}, Arc};
    /// let total = Arc::new(AtomicI64::new(0));
    /// let count = Arc::clone(&total);
    /// let hook = arr::MemoryHook::new(move |event| {
    ///     if event.allocated {
    ///         count.fetch_add(event.bytes, Ordering::Relaxed);
    ///     }
    /// })?;
    /// let a = arr::Array::<f64>::ones([1000])?;
    /// hook.remove()?;
    /// assert_eq!(total.load(Ordering::Relaxed), 8000);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_hook_add)]
    #[track_caller]
    pub fn new(hook: impl Fn(MemoryEvent<'_>) + Send + Sync + 'static) -> Result<MemoryHook> {
        let api = api()?;
        let told = Arc::new(Told { hook: Box::new(hook), over: AtomicBool::new(false), panic: Mutex::new(None) });
        let ctx: *mut c_void = Arc::into_raw(Arc::clone(&told)).cast_mut().cast();
        let mut id = 0;
        // SAFETY: rule 7: `tell` and `forget` are for such a count, which the library releases once.
        let status = unsafe { api.arr_memory_hook_add(Some(tell), Some(forget), ctx, &mut id) };
        if let Err(error) = check(api, status) {
            // SAFETY: rule 7: where it fails the library has kept nothing.
            unsafe { forget(ctx) };
            return Err(error);
        }
        Ok(MemoryHook { hook: Hook(id), told })
    }

    /// Ends it, as dropping it does, and goes on with the hook's panic where there was one. Another thread that is in the
    /// hook just now may still finish.
    #[doc = errors!(arr_memory_hook_remove)]
    #[track_caller]
    pub fn remove(self) -> Result<()> {
        let removed = self.hook.end();
        let panic = self.told.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        removed
    }
}

impl fmt::Debug for MemoryHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryHook({})", self.hook.0)
    }
}

/// A line for every allocation and release of an array's memory, "alloc 4096 bytes on cuda:0 at 0x7f.. in arr_add",
/// until this is dropped.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct MemoryLog {
    _hook: Hook,
}

impl MemoryLog {
    /// Writes the log to the standard error stream.
    #[doc = errors!(arr_memory_hook_debug)]
    #[track_caller]
    pub fn to_stderr() -> Result<MemoryLog> {
        let mut id = 0;
        call!(arr_memory_hook_debug(std::ptr::null(), 0, &mut id));
        Ok(MemoryLog { _hook: Hook(id) })
    }

    /// Appends the log to a file.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_memory.log");
    /// let log = MemoryLog::to_file(&path)?;
    /// let a = Array::<f64>::zeros(4000)?;
    /// drop((a, log));
    /// assert!(path.exists());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_hook_debug)]
    #[track_caller]
    pub fn to_file(path: impl AsRef<Path>) -> Result<MemoryLog> {
        let path = utf8(path.as_ref())?;
        let mut id = 0;
        call!(arr_memory_hook_debug(path.as_ptr().cast(), path.len() as i64, &mut id));
        Ok(MemoryLog { _hook: Hook(id) })
    }
}

/// The arrays that each function of libarr allocates, from here until this is dropped.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct MemoryProfile(Hook);

impl MemoryProfile {
    #[doc = errors!(arr_memory_hook_profile)]
    #[track_caller]
    pub fn begin() -> Result<MemoryProfile> {
        let mut id = 0;
        call!(arr_memory_hook_profile(&mut id));
        Ok(MemoryProfile(Hook(id)))
    }

    /// Returns the report so far: a line per function with allocations, bytes, bytes still in use and their peak, most
    /// bytes first.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let profile = MemoryProfile::begin()?;
    /// let a = Array::<f64>::zeros(1000)?;
    /// assert!(!profile.report()?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_profile_report)]
    #[track_caller]
    pub fn report(&self) -> Result<String> {
        text_of(|api, capacity, text, length| {
            // SAFETY: rule 3: text has `capacity` bytes or is NULL.
            unsafe { api.arr_memory_profile_report(self.0 .0, capacity, text, length) }
        })
    }
}
