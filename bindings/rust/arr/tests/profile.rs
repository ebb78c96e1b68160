// SPDX-License-Identifier: MIT
//! Traces, ranges, benchmarks, profilers; the cache of kernels; page-locked memory; limits. In a separate process, as
//! there is one trace.
use std::time::Duration;

use arr::{
    Array, BenchmarkOptions, Device, Error, ErrorKind, Limit, Pinned, Profiler, Range, Result, SharedRange, Stream,
    Trace,
};

fn text(path: &std::path::Path) -> String {
    let text = std::fs::read_to_string(path).expect("the file is there");
    std::fs::remove_file(path).expect("it can be removed");
    text
}

#[test]
fn traces_and_ranges() -> Result<()> {
    let path = std::env::temp_dir().join(format!("arr-rust-{}.json", std::process::id()));
    let a = Array::<f32>::ones([1000])?;
    let trace = Trace::begin()?;
    assert_eq!(Trace::begin().expect_err("there is one").kind(), ErrorKind::Argument);
    {
        let _profiler = Profiler::start(Device::HOST)?;
        let _outer = Range::new("outer")?;
        let _inner = Range::new("inner")?;
        let _ = &a * &a;
        arr::mark("a point")?;
        let _coloured = Range::with_color("red", 0xffff0000)?;
        let shared = SharedRange::new("shared", 0xff00ff00)?;
        std::thread::spawn(|| drop(shared)).join().expect("it ends there");
    }
    trace.end(&path)?;
    let json = text(&path);
    for name in ["\"outer\"", "\"inner\"", "\"a point\"", "\"red\"", "\"arr_multiply\""] {
        assert_eq!(json.matches(&format!("\"name\":{name}")).count(), 1, "{name} in {json}");
    }
    assert_eq!(json.matches("\"name\":\"shared\"").count(), 2, "its begin and its end in {json}");
    drop(Trace::begin()?); // thrown away
    let lost = Trace::begin()?.end("/no/such/folder/trace.json");
    assert_eq!(lost.expect_err("no such folder").kind(), ErrorKind::Io);
    Trace::begin()?.end(&path)?; // that one has ended all the same
    assert!(!text(&path).contains("outer"));
    assert_eq!(Range::new("a\0b").expect_err("not for C").kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn benchmarks() -> Result<()> {
    let mut a = Array::<f32>::ones([1000])?;
    let options = BenchmarkOptions { repeats: Some(20), warmup: Some(5), max_time: Some(Duration::from_secs(100)) };
    let mut runs = 0;
    let stream = Stream::new(Device::HOST)?;
    let timed = stream.scope(|| {
        arr::benchmark(Device::HOST, options, || {
            runs += 1;
            a *= 1.0f32;
            Ok(())
        })
    })?;
    assert_eq!((runs, timed.repeats), (25, 20));
    let (host, device) = (timed.host, timed.device);
    assert!(host.min <= host.median && host.median <= host.max && host.max > Duration::ZERO, "{timed:?}");
    assert!(device.min <= device.mean && device.mean <= device.max, "{timed:?}");
    runs = 0;
    let once = BenchmarkOptions { warmup: Some(0), repeats: Some(1), ..Default::default() };
    let failing = arr::benchmark(Device::HOST, once, || {
        runs += 1;
        a.reshape([7]).map(|_| ())
    });
    let error: Error = failing.expect_err("1000 elements are not 7");
    assert_eq!((error.kind(), runs), (ErrorKind::Shape, 1), "{error}");
    let panicked = std::panic::catch_unwind(|| arr::benchmark(Device::HOST, once, || panic!("mine")));
    assert_eq!(panicked.expect_err("it panics").downcast_ref::<&str>(), Some(&"mine"));
    Ok(())
}

#[test]
fn what_the_library_keeps() -> Result<()> {
    let info = arr::cache_info()?;
    assert!(info.limit >= 0 && info.entries >= 0 && info.hits >= 0, "{info:?}");
    let _ = arr::cache_directory()?; // empty where there can be none
    let a = Array::<i32>::zeros_pinned([3, 4], Pinned { mapped: true, ..Default::default() })?;
    assert_eq!(a.to_vec()?, [0; 12]);
    assert!(!Array::<i32>::ones([3])?.is_pinned()?);
    let required = Array::<u8>::zeros_pinned([8], Pinned { required: true, ..Default::default() });
    if a.is_pinned()? {
        assert!(arr::pinned_info()?.in_use >= 48 && required?.is_pinned()?);
        assert!(!a.pinned_device_data(Device::cuda(0))?.is_null());
        arr::pinned_limit(Some(4096))?;
        let error = Array::<u8>::zeros_pinned([1 << 20], Pinned::default()).expect_err("more than the limit");
        assert_eq!(error.kind(), ErrorKind::Memory, "{error}");
    } else {
        assert_eq!(required.expect_err("no GPU").kind(), ErrorKind::Unavailable);
        assert_eq!(arr::pinned_info()?.in_use, 0);
    }
    arr::pinned_limit(None)?;
    arr::pinned_trim()?;
    assert_eq!(Stream::priority_range(Device::HOST)?, (0, 0));
    assert_eq!(Device::HOST.limit(Limit::StackBytes).expect_err("of GPUs").kind(), ErrorKind::Unsupported);
    let set = Device::HOST.set_limit(Limit::HeapBytes, -1).expect_err("negative");
    assert_eq!(set.kind(), ErrorKind::Argument, "{set}");
    Ok(())
}
