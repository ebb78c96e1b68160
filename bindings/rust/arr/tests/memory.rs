// SPDX-License-Identifier: MIT
//! Memory under a limit: much is allocated and freed, too much is a typed error. In a separate process, since the
//! limit is the process's.
use std::time::{Duration, Instant};

use arr::{Array, Device, DeviceFilter, ErrorKind, Result};

const MIB: i64 = 1 << 20;

fn live() -> (i64, i64) {
    let api = arr_sys::api().expect("the library is there");
    // SAFETY: both only count.
    unsafe { (api.arr_live_handles(), api.arr_live_objects()) }
}

#[test]
fn ten_thousand_arrays_in_256_mib() -> Result<()> {
    assert_eq!(Array::<u8>::ones([9])?.sum(..).item()?, 9); // what the library keeps for good is there now
    let before = live();
    Device::HOST.memory_limit(Some(256 * MIB))?;
    assert_eq!(Device::HOST.memory_info()?.limit, Some(256 * MIB));
    let mut sum = 0.0;
    for i in 0..10_000 {
        let a = Array::full([128, 1024], f64::from(i % 7))?; // 1 MiB
        let view = a.t()?;
        let clone = view.clone();
        sum += clone.at([0, 0])?;
    }
    assert_eq!(sum, (0..10_000).map(|i| f64::from(i % 7)).sum());

    let small = Array::<u8>::ones([1000])?;
    let error = Array::<u8>::zeros([300 << 20]).expect_err("more than the limit");
    assert_eq!(error.kind(), ErrorKind::Memory, "{error}");
    let mut kept = Vec::new();
    let error = loop {
        match Array::<u8>::zeros([16 << 20]) {
            Ok(a) => kept.push(a),
            Err(error) => break error,
        }
        assert!(kept.len() <= 16, "the limit does not hold");
    };
    assert_eq!((error.kind(), kept.len()), (ErrorKind::Memory, 15));
    drop(kept);
    assert_eq!(small.sum(..).item()?, 1000); // everything else goes on
    assert_eq!(Array::<u8>::ones([200 << 20])?.at([-1])?, 1);

    devices()?;
    let host = Device::HOST.properties()?;
    assert!(host.memory_bytes > 0 && host.compute_major == -1, "{host:?}");
    assert_eq!(Device::HOST.attribute("WARP_SIZE").expect_err("the driver's").kind(), ErrorKind::Unsupported);
    assert_eq!(arr::Stream::with_priority(Device::HOST, -1)?.details()?, (0, false));
    let pool = Device::HOST.pool_info()?;
    assert_eq!(pool.hits + pool.misses, pool.allocations);
    assert!(pool.peak <= 256 * MIB && pool.reserved >= pool.in_use && pool.in_use > 0, "{pool:?}");
    Device::HOST.reset_peak_memory()?;
    assert_eq!(Device::HOST.pool_info()?.peak, pool.in_use);
    Device::HOST.memory_limit_fraction(0.5)?;
    let info = Device::HOST.memory_info()?;
    assert_eq!(info.limit, Some(info.total / 2));
    assert_eq!(Device::HOST.memory_limit_fraction(1.5).expect_err("too much").kind(), ErrorKind::Argument);

    drop(small);
    Device::HOST.sync()?; // its memory is back when the work on it has run
    Device::HOST.memory_limit(None)?;
    Device::HOST.memory_trim()?;
    assert_eq!(live(), before, "handles and objects alive");
    assert_eq!(Device::HOST.memory_info()?.in_use, 0);
    Ok(())
}

fn devices() -> Result<()> {
    let (any, now) = (DeviceFilter::default(), Duration::ZERO);
    assert_eq!(Device::list(any, Duration::from_secs(5))?.last(), Some(&Device::HOST));
    assert!(Device::list(DeviceFilter { gpu: true, ..any }, now)?.iter().all(|d| !d.is_host()));
    assert!(Device::list(DeviceFilter { name: Some("no such name"), ..any }, now)?.is_empty());
    let name = Device::HOST.name()?;
    assert!(Device::list(DeviceFilter { name: Some(&name), memory_bytes: 1, ..any }, now)?.contains(&Device::HOST));
    let (begin, much) = (Instant::now(), DeviceFilter { free_bytes: i64::MAX, ..any });
    assert!(Device::list(much, Duration::from_millis(300))?.is_empty());
    assert!(begin.elapsed() >= Duration::from_millis(300));
    Ok(())
}
