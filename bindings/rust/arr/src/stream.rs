// SPDX-License-Identifier: MIT
//! Streams, queues of work in order, and events, marks in them.

use std::cell::Cell;
use std::ffi::c_void;

use arr_sys::{arr_event, arr_stream};

use crate::device::Device;
use crate::error::{call, Result};
use crate::ops::example;

thread_local! {
    static CURRENT: Cell<arr_stream> = const { Cell::new(arr_stream::NULL) };
}

/// The stream that this thread's calls work in; NULL is the device's default.
pub(crate) fn current() -> arr_stream {
    CURRENT.with(Cell::get)
}

/// Runs `work` with that stream as the thread's.
pub(crate) fn within<R>(stream: arr_stream, work: impl FnOnce() -> R) -> R {
    struct Restore(arr_stream);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.with(|c| c.set(self.0));
        }
    }
    let _restore = Restore(CURRENT.with(|c| c.replace(stream)));
    work()
}

/// A type that owns one handle, and its release when dropped.
macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $release:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name($raw);

        impl $name {
            /// Returns the handle, which stays the owner's.
            pub fn as_raw(&self) -> $raw {
                self.0
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Ok(api) = arr_sys::api() {
                    // SAFETY: rule 1: the handle is this value's own; release neither blocks nor panics.
                    let _ = unsafe { api.$release(self.0) };
                }
            }
        }
    };
}
pub(crate) use owner;

owner!(
    /// A queue of work in order. Calls of libarr use it inside [`Stream::scope`].
    Stream,
    arr_stream,
    arr_stream_release
);
owner!(
    /// A mark in a stream.
    Event,
    arr_event,
    arr_event_release
);

impl Stream {
    #[doc = errors!(arr_stream_create)]
    #[track_caller]
    pub fn new(device: Device) -> Result<Stream> {
        let mut out = arr_stream::NULL;
        call!(arr_stream_create(&device.raw(), 0, &mut out));
        Ok(Stream(out))
    }

    /// Makes a stream with a priority: a lower number goes first.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (least, _) = Stream::priority_range(Device::HOST)?;
    /// assert_eq!(Stream::with_priority(Device::HOST, least)?.device()?, Device::HOST);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_stream_create_priority)]
    #[track_caller]
    pub fn with_priority(device: Device, priority: i32) -> Result<Stream> {
        let mut out = arr_stream::NULL;
        call!(arr_stream_create_priority(&device.raw(), 0, priority, &mut out));
        Ok(Stream(out))
    }

    /// Returns the lowest and the highest priority of the streams of a device: a lower number goes first.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (least, greatest) = Stream::priority_range(Device::HOST)?;
    /// assert!(least >= greatest);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_stream_priority_range)]
    #[track_caller]
    pub fn priority_range(device: Device) -> Result<(i32, i32)> {
        let (mut least, mut greatest) = (0, 0);
        call!(arr_stream_priority_range(&device.raw(), &mut least, &mut greatest));
        Ok((least, greatest))
    }

    /// Returns the stream's priority, and whether its work is being captured into a graph.
    #[doc = errors!(arr_stream_details)]
    #[track_caller]
    pub fn details(&self) -> Result<(i32, bool)> {
        let (mut flags, mut priority, mut capturing) = (0, 0, false);
        call!(arr_stream_details(self.as_raw(), &mut flags, &mut priority, &mut capturing));
        Ok((priority, capturing))
    }

    /// Uses a native stream (CUstream) of another library.
    ///
    /// # Safety
    /// The native stream belongs to the device and outlives the result.
    #[doc = errors!(arr_stream_wrap)]
    #[track_caller]
    pub unsafe fn wrap(device: Device, native: *mut c_void) -> Result<Stream> {
        let mut out = arr_stream::NULL;
        call!(arr_stream_wrap(&device.raw(), native, &mut out));
        Ok(Stream(out))
    }

    /// Returns the native stream (CUstream); NULL on the host.
    #[doc = errors!(arr_stream_native)]
    #[track_caller]
    pub fn native(&self) -> Result<*mut c_void> {
        let mut native = std::ptr::null_mut();
        call!(arr_stream_native(self.0, &mut native));
        Ok(native)
    }

    #[doc = example!("assert_eq!(Stream::new(Device::HOST)?.device()?, Device::HOST);")]
    #[doc = errors!(arr_stream_device)]
    #[track_caller]
    pub fn device(&self) -> Result<Device> {
        let mut device = arr_sys::arr_device::default();
        call!(arr_stream_device(self.0, &mut device));
        Ok(Device::from_raw(device))
    }

    /// Waits for the work in the stream; reports failures of enqueued work.
    #[doc = errors!(arr_stream_sync)]
    #[track_caller]
    pub fn sync(&self) -> Result<()> {
        call!(arr_stream_sync(self.0));
        Ok(())
    }

    #[doc = errors!(arr_stream_query)]
    #[track_caller]
    pub fn is_done(&self) -> Result<bool> {
        let mut done = false;
        call!(arr_stream_query(self.0, &mut done));
        Ok(done)
    }

    /// Makes later work in this stream wait for the event.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (stream, event) = (Stream::new(Device::HOST)?, Event::new(Device::HOST)?);
    /// event.record(&stream)?;
    /// assert_eq!(Stream::new(Device::HOST)?.wait(&event)?, ());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_stream_wait_event)]
    #[track_caller]
    pub fn wait(&self, event: &Event) -> Result<()> {
        call!(arr_stream_wait_event(self.0, event.0));
        Ok(())
    }

    /// Makes later work in this stream wait for all work that is in the other one now.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (first, second) = (Stream::new(Device::HOST)?, Stream::new(Device::HOST)?);
    /// let a = first.scope(|| Array::<i32>::ones(2))?;
    /// second.wait_for(&first)?;
    /// assert_eq!(second.scope(|| a.try_add(1))?, array![2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_stream_wait_stream)]
    #[track_caller]
    pub fn wait_for(&self, other: &Stream) -> Result<()> {
        call!(arr_stream_wait_stream(self.0, other.0));
        Ok(())
    }

    /// Runs `work`; what it asks of libarr on this thread goes into this stream.
    pub fn scope<R>(&self, work: impl FnOnce() -> R) -> R {
        within(self.0, work)
    }
}

impl Event {
    pub(crate) fn own(handle: arr_event) -> Event {
        Event(handle)
    }

    /// Makes an event that can measure times.
    #[doc = errors!(arr_event_create)]
    #[track_caller]
    pub fn new(device: Device) -> Result<Event> {
        let mut out = arr_event::NULL;
        call!(arr_event_create(&device.raw(), arr_sys::ARR_EVENT_TIMING, &mut out));
        Ok(Event(out))
    }

    /// Marks what is in the stream now.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (stream, event) = (Stream::new(Device::HOST)?, Event::new(Device::HOST)?);
    /// event.record(&stream)?;
    /// stream.sync()?;
    /// assert!(event.is_done()?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_event_record)]
    #[track_caller]
    pub fn record(&self, stream: &Stream) -> Result<()> {
        call!(arr_event_record(self.0, stream.0));
        Ok(())
    }

    #[doc = errors!(arr_event_sync)]
    #[track_caller]
    pub fn sync(&self) -> Result<()> {
        call!(arr_event_sync(self.0));
        Ok(())
    }

    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (stream, event) = (Stream::new(Device::HOST)?, Event::new(Device::HOST)?);
    /// event.record(&stream)?;
    /// stream.sync()?;
    /// assert!(event.is_done()?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_event_query)]
    #[track_caller]
    pub fn is_done(&self) -> Result<bool> {
        let mut done = false;
        call!(arr_event_query(self.0, &mut done));
        Ok(done)
    }

    /// Returns the time since an earlier event; both must have been reached.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (stream, start, end) = (Stream::new(Device::HOST)?, Event::new(Device::HOST)?, Event::new(Device::HOST)?);
    /// start.record(&stream)?;
    /// end.record(&stream)?;
    /// stream.sync()?;
    /// assert!(end.since(&start)?.as_secs() < 60);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_event_elapsed)]
    #[track_caller]
    pub fn since(&self, earlier: &Event) -> Result<std::time::Duration> {
        let mut milliseconds = 0.0;
        call!(arr_event_elapsed(earlier.0, self.0, &mut milliseconds));
        Ok(std::time::Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0))
    }
}
