// SPDX-License-Identifier: MIT
//! The allocator and the hooks of a process. They are the process's, so this program has one test.
use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::collections::HashMap;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arr::{
    Allocator, Array, CopyKind, Device, ErrorKind, ExternalAllocator, LogLevel, MemoryHook, MemoryLog, MemoryProfile,
    MemoryRequest, Pinned, Result,
};

#[test]
fn memory() -> Result<()> {
    kinds()?;
    external()?;
    pinned()?;
    logs()?;
    hooks()?;
    panics_of_hooks()?;
    logs_and_profiles()?;
    classes()?;
    bytes()
}

fn kinds() -> Result<()> {
    let host = Device::HOST;
    assert_eq!(host.allocator()?, Allocator::Pool);
    let a = Array::<f64>::ones([1000])?;
    for kind in [Allocator::Direct, Allocator::Managed, Allocator::Pool] {
        host.set_allocator(kind)?;
        assert_eq!(host.allocator()?, kind);
        assert_eq!(Array::<f64>::ones([1000])?.try_add(&a)?.sum(..).item()?, 2000.0);
    }
    let error = host.set_allocator(Allocator::StreamOrdered).unwrap_err();
    assert!(error.kind() == ErrorKind::Unsupported && error.text().contains("the host has no driver"), "{error}");
    assert_eq!(host.set_allocator(Allocator::External).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(host.allocator()?, Allocator::Pool);
    Ok(())
}

#[derive(Default)]
struct Books {
    out: Mutex<HashMap<usize, usize>>,
    given: AtomicUsize,
    dropped: AtomicUsize,
    panic: AtomicUsize,
    first: AtomicU64,
}

/// Keeps books of what it gave, and of the first number in what came back last; refuses 1 MiB and more.
struct Counting(Arc<Books>);

const REFUSED: i32 = 77;

// SAFETY: the system gives each block to one, aligned as the layout says.
unsafe impl ExternalAllocator for Counting {
    fn allocate(&self, request: MemoryRequest) -> Result<NonNull<c_void>, i32> {
        assert!(request.stream.is_null() && request.device_index == 0 && request.bytes % 256 == 0);
        if request.bytes >= 1 << 20 {
            assert!(self.0.panic.load(Ordering::SeqCst) == 0, "asked to");
            return Err(REFUSED);
        }
        // SAFETY: a layout of at least 256 bytes.
        let data = unsafe { alloc_zeroed(Layout::from_size_align(request.bytes, 256).expect("a layout")) };
        let data = NonNull::new(data).ok_or(1)?.cast();
        self.0.given.fetch_add(1, Ordering::SeqCst);
        self.0.out.lock().expect("no panic").insert(data.as_ptr() as usize, request.bytes);
        Ok(data)
    }

    unsafe fn release(&self, data: NonNull<c_void>, request: MemoryRequest) {
        let bytes = self.0.out.lock().expect("no panic").remove(&(data.as_ptr() as usize));
        assert_eq!(bytes, Some(request.bytes));
        // SAFETY: memory of 256 bytes or more that was zeros, and is nobody's now.
        self.0.first.store(unsafe { *data.as_ptr().cast::<u64>() }, Ordering::SeqCst);
        // SAFETY: the layout it was made with.
        unsafe { dealloc(data.as_ptr().cast(), Layout::from_size_align(request.bytes, 256).expect("a layout")) };
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

fn external() -> Result<()> {
    let (host, books) = (Device::HOST, Arc::new(Books::default()));
    host.set_external_allocator(Counting(Arc::clone(&books)))?;
    assert_eq!(host.allocator()?, Allocator::External);
    let a = Array::<f64>::ones([1000])?;
    assert_eq!(a.sum(..).item()?, 1000.0);
    assert!(books.given.load(Ordering::SeqCst) >= 1 && !books.out.lock().expect("no panic").is_empty());
    let error = Array::<u8>::ones([1 << 20]).unwrap_err();
    assert!(error.kind() == ErrorKind::Memory && error.text().contains("status 77"), "{error}");
    books.panic.store(1, Ordering::SeqCst);
    let error = Array::<u8>::ones([1 << 20]).expect_err("a panic is no memory, and does not pass through the library");
    assert!(error.kind() == ErrorKind::Memory && error.text().contains("status -1"), "{error}");
    host.set_allocator(Allocator::Pool)?;
    assert_eq!(books.dropped.load(Ordering::SeqCst), 0); // a still has memory of it
    assert_eq!(a.try_add(&a)?.sum(..).item()?, 2000.0);
    drop(a);
    host.sync()?; // its memory is back when the work on it has run
    assert_eq!(books.dropped.load(Ordering::SeqCst), 1);
    assert!(books.out.lock().expect("no panic").is_empty());

    let nowhere = Device::cuda(99).set_external_allocator(Counting(Arc::clone(&books)));
    assert!(nowhere.is_err());
    assert_eq!(books.dropped.load(Ordering::SeqCst), 2); // refused, so it is not kept
    assert_eq!(Arc::strong_count(&books), 1);
    Ok(())
}

fn pinned() -> Result<()> {
    let books = Arc::new(Books::default());
    arr::set_pinned_allocator(Counting(Arc::clone(&books)))?;
    let a = Array::<f64>::zeros_pinned([1000], Pinned::default())?;
    assert_eq!(a.sum(..).item()?, 0.0);
    assert_eq!((books.given.load(Ordering::SeqCst), books.out.lock().expect("no panic").len()), (1, 1));
    let error = Array::<u8>::zeros_pinned([1 << 20], Pinned::default()).unwrap_err();
    assert!(error.kind() == ErrorKind::Memory && error.text().contains("with status 77"), "{error}");
    // Memory goes back after the work on it.
    let ones = Array::<f64>::ones([700, 700])?;
    let late = ones.matmul(&ones)?.matmul(&ones)?;
    let mut b = Array::<f64>::zeros_pinned([100], Pinned::default())?;
    b.fill(7.0)?;
    drop(b);
    assert_eq!(f64::from_bits(books.first.load(Ordering::SeqCst)), 7.0, "{late:?}");
    books.given.store(1, Ordering::SeqCst);
    arr::reset_pinned_allocator()?;
    assert_eq!(books.dropped.load(Ordering::SeqCst), 0); // a still has memory of it
    let b = Array::<f64>::zeros_pinned([10], Pinned::default())?;
    assert_eq!(books.given.load(Ordering::SeqCst), 1);
    drop((a, b));
    assert_eq!((books.dropped.load(Ordering::SeqCst), Arc::strong_count(&books)), (1, 1));
    Ok(())
}

fn logs() -> Result<()> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let chosen = |lines: &Mutex<Vec<(LogLevel, String)>>| {
        let lines = lines.lock().expect("no panic");
        lines.iter().filter(|(level, line)| *level == LogLevel::Info && line.contains("is chosen")).count()
    };
    let told = Arc::clone(&lines);
    arr::set_log(LogLevel::Info, move |level, line| {
        assert!(level >= LogLevel::Info && !line.contains('\n'));
        told.lock().expect("no panic").push((level, line.to_owned()));
    })?;
    Device::select()?;
    assert_eq!(chosen(&lines), 1);
    arr::set_log(LogLevel::Warning, |_, line| panic!("{line}"))?; // instead
    assert_eq!(Arc::strong_count(&lines), 1);
    Device::select()?;
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    arr::set_log(LogLevel::Debug, move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        panic!("once");
    })?;
    Device::select()?; // the panic does not pass through the library
    Device::select()?;
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    arr::end_log()?;
    assert_eq!((chosen(&lines), Arc::strong_count(&calls)), (1, 1));
    arr::end_log()
}

fn hooks() -> Result<()> {
    let told = Arc::new((AtomicI64::new(0), AtomicI64::new(0), Mutex::new(String::new())));
    let seen = Arc::clone(&told);
    let hook = MemoryHook::new(move |event| {
        assert!(event.device.is_host() && !event.address.is_null());
        let sum = if event.allocated { &seen.0 } else { &seen.1 };
        sum.fetch_add(event.bytes, Ordering::SeqCst);
        if event.allocated {
            event.function.clone_into(&mut seen.2.lock().expect("no panic"));
        }
    })?;
    let a = Array::<f64>::ones([1000])?;
    assert_eq!(told.0.load(Ordering::SeqCst), 8000);
    assert_eq!(*told.2.lock().expect("no panic"), "arr_ones");
    assert_eq!(told.1.load(Ordering::SeqCst), 0);
    drop(a);
    assert_eq!(told.1.load(Ordering::SeqCst), 8000);
    assert_eq!(Arc::strong_count(&told), 2);
    drop(hook);
    assert_eq!(Arc::strong_count(&told), 1); // the closure is gone
    let _b = Array::<f64>::ones([1000])?;
    assert_eq!(told.0.load(Ordering::SeqCst), 8000); // and called no more
    Ok(())
}

fn panics_of_hooks() -> Result<()> {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let hook = MemoryHook::new(move |event| {
        count.fetch_add(1, Ordering::SeqCst);
        assert!(event.bytes != 8000, "eight thousand");
    })?;
    let a = Array::<f64>::ones([1000])?; // the panic does not pass through the library
    assert_eq!(a.try_add(&a)?.sum(..).item()?, 2000.0);
    assert_eq!(calls.load(Ordering::SeqCst), 1); // after it the hook is silent
    let panic = catch_unwind(AssertUnwindSafe(|| hook.remove())).expect_err("it goes on here");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"eight thousand"));
    assert_eq!(Arc::strong_count(&calls), 1);
    MemoryHook::new(|_| ())?.remove()
}

fn logs_and_profiles() -> Result<()> {
    let path = std::env::temp_dir().join(format!("arr-memory-{}", std::process::id()));
    let (log, profile) = (MemoryLog::to_file(&path)?, MemoryProfile::begin()?);
    let a = Array::<f64>::ones([1000])?;
    drop(log);
    let report = profile.report()?;
    assert!(report.lines().any(|line| line == "arr_ones 1 8000 8000 8000"), "{report}");
    drop(a);
    let text = std::fs::read_to_string(&path).expect("the log");
    std::fs::remove_file(&path).expect("the log");
    assert!(text.starts_with("alloc 8000 bytes on host") && text.lines().count() == 1, "{text}");
    let error = MemoryLog::to_file("/nonexistent/log").unwrap_err();
    assert!(error.kind() == ErrorKind::Io && error.text().starts_with("arr_memory_hook_debug"), "{error}");
    assert_eq!(MemoryLog::to_file("").unwrap_err().kind(), ErrorKind::Argument);
    drop(MemoryLog::to_stderr()?);
    Ok(())
}

fn classes() -> Result<()> {
    let a = Array::<u8>::ones([300_000])?;
    let classes = Device::HOST.pool_classes()?;
    assert!(classes.windows(2).all(|pair| pair[0].largest <= pair[1].largest), "{classes:?}");
    let of = classes.iter().find(|class| class.largest >= 300_000).expect("a class of its size");
    assert!(of.allocations >= 1 && of.blocks >= 1 && of.bytes >= 300_000, "{of:?}");
    drop(a);
    Device::HOST.sync()?;
    let freed = Device::HOST.pool_classes()?;
    let now = freed.iter().find(|class| class.largest == of.largest).expect("the same class");
    assert_eq!((now.allocations, now.blocks), (of.allocations, of.blocks - 1));
    Ok(())
}

fn bytes() -> Result<()> {
    let host = Device::HOST;
    let from = [1u8, 2, 3, 4];
    let mut to = [0u8; 4];
    let (source, target) = (from.as_ptr().cast(), to.as_mut_ptr().cast::<c_void>());
    // SAFETY: two arrays of four bytes, which nobody else uses.
    unsafe {
        host.copy_bytes(target, source, 4, CopyKind::FromHost)?;
        assert_eq!(to, from);
        host.set_bytes(target, 7, 2)?;
        host.sync()?;
        assert_eq!(to, [7, 7, 3, 4]);
        host.copy_bytes_async(target, source, 4, CopyKind::OnDevice)?;
        host.sync()?;
        assert_eq!(to, from);
        let error = host.copy_bytes(std::ptr::null_mut(), source, 4, CopyKind::ToHost).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
    }
    Ok(())
}
