// SPDX-License-Identifier: MIT
//! Traces, ranges and benchmarks; ranges for profilers.

use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::Path;
use std::time::Duration;

use arr_sys::{arr_benchmark_options, arr_benchmark_result, arr_stream};

use crate::device::Device;
use crate::error::{api, call, check, Error, Result};
use crate::kernel::c_text;
use crate::stream::current;

/// A record of what runs in this process, from [`Trace::begin`] to [`Trace::end`]: calls on their threads, work on its
/// streams with shapes, bytes and times, ranges. There is one at a time. Dropped without an end it is thrown away.
#[must_use = "it is thrown away where it is dropped"]
#[derive(Debug)]
pub struct Trace(());

impl Trace {
    #[doc = errors!(arr_trace_begin)]
    #[track_caller]
    pub fn begin() -> Result<Trace> {
        call!(arr_trace_begin());
        Ok(Trace(()))
    }

    /// Waits for the work in it and writes it, in the format that Chrome and Perfetto open.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_trace.json");
    /// let trace = Trace::begin()?;
    /// let sum = array![1, 2].sum(..);
    /// trace.end(&path)?;
    /// assert!(path.exists());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_trace_end)]
    #[track_caller]
    pub fn end(self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_text(crate::io::utf8(path.as_ref())?)?;
        call!(arr_trace_end(path.as_ptr())); // where that fails the trace goes on, and is dropped here
        std::mem::forget(self);
        Ok(())
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 9: no path; the trace is this value's.
            let _ = unsafe { api.arr_trace_end(std::ptr::null()) };
        }
    }
}

/// A range of this thread, until it is dropped: in a trace, and for NVIDIA's tools.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct Range {
    // A range belongs to one thread.
    not_send: PhantomData<*const ()>,
}

impl Range {
    #[doc = errors!(arr_range_push)]
    #[track_caller]
    pub fn new(name: &str) -> Result<Range> {
        let name = c_text(name)?;
        call!(arr_range_push(name.as_ptr()));
        Ok(Range { not_send: PhantomData })
    }

    /// Begins a range with a colour, `0xAARRGGBB`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let _range = Range::with_color("step", 0x00ff_0000)?;
    /// assert_eq!(array![1, 2].add(1), array![2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_range_push_color)]
    #[track_caller]
    pub fn with_color(name: &str, color: u32) -> Result<Range> {
        let name = c_text(name)?;
        call!(arr_range_push_color(name.as_ptr(), i64::from(color)));
        Ok(Range { not_send: PhantomData })
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 9: it takes nothing; the range is this thread's, since the value cannot be sent.
            let _ = unsafe { api.arr_range_pop() };
        }
    }
}

/// A range that may end on another thread, where it is dropped: in a trace, and for NVIDIA's tools.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct SharedRange(i64);

impl SharedRange {
    /// Begins a range with a colour, `0xAARRGGBB`.
    #[doc = errors!(arr_range_start)]
    #[track_caller]
    pub fn new(name: &str, color: u32) -> Result<SharedRange> {
        let name = c_text(name)?;
        let mut id = 0;
        call!(arr_range_start(name.as_ptr(), i64::from(color), &mut id));
        Ok(SharedRange(id))
    }
}

impl Drop for SharedRange {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 2: it takes a number; the range is this value's.
            let _ = unsafe { api.arr_range_end(self.0) };
        }
    }
}

/// Marks a point in time in a trace, and for NVIDIA's tools.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// mark("the first step")?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_mark)]
#[track_caller]
pub fn mark(name: &str) -> Result<()> {
    let name = c_text(name)?;
    call!(arr_mark(name.as_ptr()));
    Ok(())
}

/// While it lives, a profiler that watches the program (Nsight with `--capture-range=cudaProfilerApi`) records.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct Profiler(Device);

impl Profiler {
    #[doc = errors!(arr_profiler_start)]
    #[track_caller]
    pub fn start(device: Device) -> Result<Profiler> {
        call!(arr_profiler_start(&device.raw()));
        Ok(Profiler(device))
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 2: the device is borrowed for the call.
            let _ = unsafe { api.arr_profiler_stop(&self.0.raw()) };
        }
    }
}

/// Options of a benchmark; [`Default`] is the library's own: 100 runs at most, within a second, after 3.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BenchmarkOptions {
    /// The largest number of timed runs.
    pub repeats: Option<i64>,
    /// Runs before the timed ones.
    pub warmup: Option<i64>,
    /// No further run begins after this time.
    pub max_time: Option<Duration>,
}

/// Times of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    pub median: Duration,
    pub mean: Duration,
    pub min: Duration,
    pub max: Duration,
    /// Standard deviation.
    pub std: Duration,
}

/// The results of [`benchmark`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Benchmark {
    /// Timed runs.
    pub repeats: i64,
    /// From the call until it returns.
    pub host: Times,
    /// Times of the work in the stream; on the host until all has run.
    pub device: Times,
}

/// The function that the library calls, and the reason why it ended the benchmark.
struct Timed<F> {
    work: F,
    error: Option<Error>,
    panic: Option<Box<dyn Any + Send>>,
}

unsafe extern "C" fn run<F: FnMut() -> Result<()>>(ctx: *mut c_void, _stream: arr_stream) -> i32 {
    // SAFETY: rule 7: ctx is the Timed of `benchmark`, which nobody else uses until arr_benchmark returns.
    let timed = unsafe { &mut *ctx.cast::<Timed<F>>() };
    match catch_unwind(AssertUnwindSafe(&mut timed.work)) {
        Ok(Ok(())) => return arr_sys::ARR_OK,
        Ok(Err(error)) => timed.error = Some(error),
        Err(panic) => timed.panic = Some(panic),
    }
    arr_sys::ARR_E_ARGUMENT
}

/// Times `work`, which enqueues in the current stream: warm-up, then runs of which each is waited for. A failure or a
/// panic of it ends the benchmark and is passed on.
#[doc = errors!(arr_benchmark)]
#[track_caller]
pub fn benchmark<F: FnMut() -> Result<()>>(device: Device, options: BenchmarkOptions, work: F) -> Result<Benchmark> {
    let size = |n: usize| n as i64;
    let raw = arr_benchmark_options {
        struct_size: size(std::mem::size_of::<arr_benchmark_options>()),
        repeats: options.repeats.unwrap_or(0),
        warmup: options.warmup.map_or(0, |n| if n == 0 { -1 } else { n }), // which has 0 for the default
        seconds: options.max_time.map_or(0.0, |time| time.as_secs_f64()),
        stream: current(),
    };
    let mut result =
        arr_benchmark_result { struct_size: size(std::mem::size_of::<arr_benchmark_result>()), ..Default::default() };
    let mut timed = Timed { work, error: None, panic: None };
    let api = api()?;
    let ctx: *mut Timed<F> = &mut timed;
    // SAFETY: rule 7: `timed` outlives the call, and `run` is for its type.
    let status = unsafe { api.arr_benchmark(Some(run::<F>), ctx.cast(), &device.raw(), &raw, &mut result) };
    if let Some(panic) = timed.panic {
        resume_unwind(panic);
    }
    if let Some(error) = timed.error {
        return Err(error);
    }
    check(api, status)?;
    let r = result;
    Ok(Benchmark {
        repeats: r.repeats,
        host: times([r.host_median, r.host_mean, r.host_min, r.host_max, r.host_std]),
        device: times([r.device_median, r.device_mean, r.device_min, r.device_max, r.device_std]),
    })
}

fn times(nanoseconds: [f64; 5]) -> Times {
    let [median, mean, min, max, std] = nanoseconds.map(|t| Duration::from_secs_f64(t.max(0.0) * 1e-9));
    Times { median, mean, min, max, std }
}
