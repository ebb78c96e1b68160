// SPDX-License-Identifier: MIT
//! Devices, their memory and its statistics.

use std::fmt;

use arr_sys::{arr_device, arr_memory_pool_stats, arr_memory_stats};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{value_of, Element};
use crate::error::{call, text_of, Error, ErrorKind, Result};
use crate::ops::example;
use crate::shape::IntoShape;
use crate::stream::current;

/// A device: the host or one GPU. Creates arrays on itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Device {
    kind: i32,
    index: i32,
}

/// The state of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Not built, or its module was not found.
    Absent,
    /// Loaded, but a driver, library or device is missing.
    Broken,
    Working,
}

/// Bytes of a device that libarr's pool has, and that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryInfo {
    pub in_use: i64,
    pub cached: i64,
    pub peak: i64,
    /// None: no limit.
    pub limit: Option<i64>,
    pub total: i64,
    pub free: i64,
}

/// The use of a device's pool; bytes and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolInfo {
    pub in_use: i64,
    /// Had from the system: in use or kept for reuse.
    pub reserved: i64,
    pub peak: i64,
    pub peak_reserved: i64,
    pub allocations: i64,
    pub releases: i64,
    /// Allocations served from what the pool had.
    pub hits: i64,
    /// Allocations that made it ask the system.
    pub misses: i64,
    pub free_blocks: i64,
    pub largest_free: i64,
}

impl PoolInfo {
    pub(crate) fn from_raw(s: &arr_memory_pool_stats) -> PoolInfo {
        PoolInfo {
            in_use: s.in_use,
            reserved: s.reserved,
            peak: s.peak,
            peak_reserved: s.peak_reserved,
            allocations: s.allocations,
            releases: s.releases,
            hits: s.hits,
            misses: s.misses,
            free_blocks: s.free_blocks,
            largest_free: s.largest_free,
        }
    }
}

impl Device {
    pub const HOST: Device = Device { kind: arr_sys::ARR_HOST, index: 0 };

    /// Returns the CUDA device with the driver's number; only its first use shows whether it works.
    #[must_use]
    pub const fn cuda(index: i32) -> Device {
        Device { kind: arr_sys::ARR_CUDA, index }
    }

    /// Returns the device that ARR_DEVICE names ("host", "cuda", "cuda:1"), else the first GPU that works, else the
    /// host.
    #[doc = errors!(arr_device_select)]
    #[track_caller]
    pub fn select() -> Result<Device> {
        Device::pick(0)
    }

    /// Returns the device of `select`, but never the host.
    #[doc = example!("assert!(Device::cuda_count()? > 0 || Device::require_gpu().is_err());")]
    #[doc = errors!(arr_device_select)]
    #[track_caller]
    pub fn require_gpu() -> Result<Device> {
        Device::pick(arr_sys::ARR_REQUIRE_GPU)
    }

    #[track_caller]
    fn pick(flags: i32) -> Result<Device> {
        let mut device = arr_device::default();
        call!(arr_device_select(flags, &mut device));
        Ok(Device::from_raw(device))
    }

    /// Returns the number of CUDA devices that work.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let gpus = Device::cuda_count()?;
    /// assert!(gpus > 0 || Device::require_gpu().is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_device_count)]
    #[track_caller]
    pub fn cuda_count() -> Result<usize> {
        let mut count = 0;
        call!(arr_device_count(arr_sys::ARR_CUDA, &mut count));
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Returns the state of the CUDA backend and the steps that were tried.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (_, report) = Device::cuda_probe()?;
    /// assert!(!report.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_backend_probe)]
    #[track_caller]
    pub fn cuda_probe() -> Result<(Backend, String)> {
        let state = std::cell::Cell::new(0);
        let report = text_of(|api, capacity, text, length| {
            let mut now = 0;
            // SAFETY: rule 3: text has `capacity` bytes or is NULL.
            let status = unsafe { api.arr_backend_probe(arr_sys::ARR_CUDA, &mut now, capacity, text, length) };
            state.set(now);
            status
        })?;
        let state = match state.get() {
            arr_sys::ARR_BACKEND_WORKING => Backend::Working,
            arr_sys::ARR_BACKEND_BROKEN => Backend::Broken,
            _ => Backend::Absent,
        };
        Ok((state, report))
    }

    #[must_use]
    pub fn is_host(self) -> bool {
        self.kind == arr_sys::ARR_HOST
    }

    #[must_use]
    pub fn index(self) -> i32 {
        self.index
    }

    /// Returns the name of the device, for messages.
    #[doc = example!("assert!(!Device::HOST.name()?.is_empty());")]
    #[doc = errors!(arr_device_name)]
    #[track_caller]
    pub fn name(self) -> Result<String> {
        let device = self.raw();
        text_of(|api, capacity, text, length| {
            // SAFETY: rule 3: text has `capacity` bytes or is NULL.
            unsafe { api.arr_device_name(&device, capacity, text, length) }
        })
    }

    /// Waits for all work on the device; reports failures of enqueued work.
    #[doc = example!("assert_eq!(Device::HOST.sync()?, ());")]
    #[doc = errors!(arr_device_sync)]
    #[track_caller]
    pub fn sync(self) -> Result<()> {
        call!(arr_device_sync(&self.raw()));
        Ok(())
    }

    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = Device::HOST.zeros::<f64>([1000])?;
    /// assert!(Device::HOST.memory_info()?.in_use >= a.nbytes()?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_info)]
    #[track_caller]
    pub fn memory_info(self) -> Result<MemoryInfo> {
        let mut stats =
            arr_memory_stats { struct_size: std::mem::size_of::<arr_memory_stats>() as i64, ..Default::default() };
        call!(arr_memory_info(&self.raw(), &mut stats));
        Ok(MemoryInfo {
            in_use: stats.in_use,
            cached: stats.cached,
            peak: stats.peak,
            limit: Some(stats.limit).filter(|&limit| limit != 0),
            total: stats.total,
            free: stats.free,
        })
    }

    /// Limits the bytes that may be in use; `None` removes the limit.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// Device::HOST.memory_limit(Some(1 << 40))?;
    /// assert_eq!(Device::HOST.memory_info()?.limit, Some(1 << 40));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_limit)]
    #[track_caller]
    pub fn memory_limit(self, bytes: Option<i64>) -> Result<()> {
        call!(arr_memory_limit(&self.raw(), bytes.unwrap_or(0)));
        Ok(())
    }

    /// Returns the properties of the device; -1 stands for one that it does not have.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert!(Device::HOST.properties()?.multiprocessors >= 1);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_device_info)]
    #[track_caller]
    pub fn properties(self) -> Result<arr_sys::arr_device_properties> {
        let mut out = arr_sys::arr_device_properties {
            struct_size: std::mem::size_of::<arr_sys::arr_device_properties>() as i64,
            ..Default::default()
        };
        call!(arr_device_info(&self.raw(), &mut out));
        Ok(out)
    }

    /// Returns an attribute of a CUDA device by the driver's name, "WARP_SIZE".
    #[doc = errors!(arr_device_attribute)]
    #[track_caller]
    pub fn attribute(self, name: &str) -> Result<i64> {
        let mut value = 0;
        call!(arr_device_attribute(&self.raw(), name.as_ptr().cast(), name.len() as i64, &mut value));
        Ok(value)
    }

    /// Limits the bytes that may be in use to a fraction, 0 to 1, of the memory of the device.
    #[doc = errors!(arr_memory_limit_fraction)]
    #[track_caller]
    pub fn memory_limit_fraction(self, fraction: f64) -> Result<()> {
        call!(arr_memory_limit_fraction(&self.raw(), fraction));
        Ok(())
    }

    /// Returns the statistics of the pool that arrays come from.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = Array::<f64>::zeros(1000)?;
    /// assert!(Device::HOST.pool_info()?.in_use >= a.len() as i64 * 8);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_pool_info)]
    #[track_caller]
    pub fn pool_info(self) -> Result<PoolInfo> {
        let mut s = arr_memory_pool_stats {
            struct_size: std::mem::size_of::<arr_memory_pool_stats>() as i64,
            ..Default::default()
        };
        call!(arr_memory_pool_info(&self.raw(), &mut s));
        Ok(PoolInfo::from_raw(&s))
    }

    /// Resets the peaks to what is in use now.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// Device::HOST.reset_peak_memory()?;
    /// let a = Array::<f64>::zeros(1000)?;
    /// assert!(Device::HOST.pool_info()?.peak >= a.len() as i64 * 8);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_reset_peak)]
    #[track_caller]
    pub fn reset_peak_memory(self) -> Result<()> {
        call!(arr_memory_reset_peak(&self.raw()));
        Ok(())
    }

    /// Returns cached memory to the system.
    #[doc = example!("assert_eq!(Device::HOST.memory_trim()?, ());")]
    #[doc = errors!(arr_memory_trim)]
    #[track_caller]
    pub fn memory_trim(self) -> Result<()> {
        call!(arr_memory_trim(&self.raw()));
        Ok(())
    }

    pub(crate) fn raw(self) -> arr_device {
        arr_device { type_: self.kind, index: self.index }
    }

    pub(crate) fn from_raw(d: arr_device) -> Device {
        Device { kind: d.type_, index: d.index }
    }
}

/// The forms that `Display` writes, which are those of ARR_DEVICE: `"host"`, `"cuda"` for the first GPU, `"cuda:1"`.
///
/// ```
/// # fn main() -> arr::Result<()> {
/// let device: arr::Device = "cuda:1".parse()?;
/// assert_eq!(device, arr::Device::cuda(1));
/// # Ok(())
/// # }
/// ```
impl std::str::FromStr for Device {
    type Err = Error;

    #[track_caller]
    fn from_str(name: &str) -> Result<Device> {
        let number = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        let index = match name {
            "host" => return Ok(Device::HOST),
            "cuda" => Some(0),
            _ => name.strip_prefix("cuda:").and_then(number),
        };
        let text = || format!("argument name: got {name:?}, expected host, cuda or cuda:N");
        index.map(Device::cuda).ok_or_else(|| Error::new(ErrorKind::Argument, text()))
    }
}

/// Creation on this device, in the current stream.
impl Device {
    /// Returns an array of a copy of the elements, which are in the order of the shape.
    #[doc = example!("assert_eq!(Device::HOST.array(&[1, 2, 3, 4], [2, 2])?, array![[1, 2], [3, 4]]);")]
    #[doc = errors!(arr_from_host)]
    #[track_caller]
    pub fn array<T: Element>(self, elements: &[T], shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let (dims, n) = (shape.dims()?, shape.size()?);
        crate::array::same_count(elements.len(), n, &shape)?;
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_from_host(
            elements.as_ptr().cast(),
            std::mem::size_of_val(elements) as i64,
            T::DTYPE.0,
            crate::shape::count(dims.len())?,
            dims.as_ptr(),
            shape.order(),
            &self.raw(),
            current(),
            &mut out,
        ));
        Ok(Array::own(out))
    }

    #[doc = errors!(arr_full)]
    #[track_caller]
    pub fn zeros<T: Element>(self, shape: impl IntoShape) -> Result<Array<T>> {
        self.full(shape, T::default())
    }

    /// Returns an array filled with `value`.
    #[doc = example!("assert_eq!(Device::HOST.full([2], 7)?, array![7, 7]);")]
    #[doc = errors!(arr_full)]
    #[track_caller]
    pub fn full<T: Element>(self, shape: impl IntoShape, value: T) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_full(
            T::DTYPE.0,
            crate::shape::count(dims.len())?,
            dims.as_ptr(),
            shape.order(),
            &value_of(value),
            &self.raw(),
            current(),
            &mut out,
        ));
        Ok(Array::own(out))
    }

    #[doc = example!("assert_eq!(Device::HOST.ones::<f32>([2])?, array![1.0f32, 1.0]);")]
    #[doc = errors!(arr_ones)]
    #[track_caller]
    pub fn ones<T: Element>(self, shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let ndim = crate::shape::count(dims.len())?;
        let (at, order) = (self.raw(), shape.order());
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_ones(T::DTYPE.0, ndim, dims.as_ptr(), order, &at, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Returns the values start, start + step, ... that are below stop (above it for a negative step).
    #[doc = example!("assert_eq!(Device::HOST.arange(0, 10, 3)?, array![0, 3, 6, 9]);")]
    #[doc = errors!(arr_arange)]
    #[track_caller]
    pub fn arange<T: Element>(self, start: T, stop: T, step: T) -> Result<Array<T>> {
        let (start, stop, step) = (value_of(start), value_of(stop), value_of(step));
        let at = self.raw();
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_arange(&start, &stop, &step, T::DTYPE.0, &at, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Returns `count` evenly spaced numbers from start to stop, both included.
    #[doc = example!("assert_eq!(Device::HOST.linspace::<f64>(0.0, 1.0, 3)?, array![0.0, 0.5, 1.0]);")]
    #[doc = errors!(arr_linspace)]
    #[track_caller]
    pub fn linspace<T: Element>(self, start: f64, stop: f64, count: usize) -> Result<Array<T>> {
        let n = crate::shape::dims(&[count])?[0];
        let at = self.raw();
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_linspace(start, stop, n, true, T::DTYPE.0, &at, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Ones on diagonal k, zeros elsewhere; rows by columns.
    #[doc = example!("assert_eq!(Device::HOST.eye::<i32>(2, 3, 1)?, array![[0, 1, 0], [0, 0, 1]]);")]
    #[doc = errors!(arr_eye)]
    #[track_caller]
    pub fn eye<T: Element>(self, rows: usize, columns: usize, k: i64) -> Result<Array<T>> {
        let dims = crate::shape::dims(&[rows, columns])?;
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_eye(dims[0], dims[1], k, T::DTYPE.0, arr_sys::ARR_ORDER_C, &self.raw(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Reads a .npy file, whatever its element type.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_load_npy.npy");
    /// array![1, 2].as_dyn().save_npy(&path)?;
    /// assert_eq!(Device::HOST.load_npy(&path)?.typed::<i32>()?, array![1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_load_npy)]
    #[track_caller]
    pub fn load_npy(self, path: impl AsRef<std::path::Path>) -> Result<DynArray> {
        let (at, path) = (self.raw(), crate::io::utf8(path.as_ref())?.to_owned());
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_load_npy(path.as_ptr().cast(), path.len() as i64, &at, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            arr_sys::ARR_HOST => f.write_str("host"),
            arr_sys::ARR_CUDA => write!(f, "cuda:{}", self.index),
            kind => write!(f, "device type {kind}:{}", self.index),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Limits the threads that loops, raw kernels and OpenBLAS use on the host, the calling thread included; `None` restores
/// the limit at the start: `ARR_THREADS` of the environment, else the processors of the process.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// set_threads(Some(1))?;
/// assert_eq!(array![1.0f64, 2.0].sum(..).item()?, 3.0);
/// set_threads(None)?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_set_threads)]
pub fn set_threads(n: Option<u16>) -> Result<()> {
    call!(arr_set_threads(n.map_or(0, |n| i32::from(n.max(1)))));
    Ok(())
}

/// Returns the limit of [`set_threads`].
#[doc = example!("assert!(threads()? >= 1);")]
#[doc = errors!(arr_threads)]
pub fn threads() -> Result<usize> {
    let mut n = 0;
    call!(arr_threads(&mut n));
    Ok(n as usize)
}
