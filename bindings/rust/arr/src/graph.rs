// SPDX-License-Identifier: MIT
//! Graphs: work of a stream, captured once and launched again and again as a whole.

use std::ffi::c_void;
use std::path::Path;

use arr_sys::arr_graph;

use crate::error::{call, Result};
use crate::stream::{current, owner, Stream};

owner!(
    /// Captured work of a stream, made by [`Stream::capture`]. The arrays that it uses live as long as it does.
    Graph,
    arr_graph,
    arr_graph_release
);

/// A capture that has begun. Dropping it ends the capture and discards what was captured.
struct Capturing<'a>(&'a Stream);

impl Drop for Capturing<'_> {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            let mut unwanted = arr_graph::NULL;
            // SAFETY: rule 1: the stream is borrowed; a graph that was made all the same is this value's own.
            unsafe {
                let _ = api.arr_graph_end(self.0.as_raw(), &mut unwanted);
                let _ = api.arr_graph_release(unwanted);
            }
        }
    }
}

impl Stream {
    #[track_caller]
    fn capturing<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(Capturing<'_>, R)> {
        call!(arr_graph_begin(self.as_raw()));
        let begun = Capturing(self);
        let value = self.scope(work)?;
        Ok((begun, value))
    }

    /// Runs `work` in this stream without running what it asks of libarr: that becomes the graph. New arrays get their
    /// elements when it is launched; before that nothing but captured work can use them. Where `work` fails or panics the capture ends too.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// let stream = arr::Stream::new(arr::Device::HOST)?;
    /// let x = arr::Array::<f64>::ones([1000])?;
    /// let (graph, total) = stream.capture(|| (&x * &x).try_sum(..))?;
    /// // SAFETY: no slice of an array in the graph is borrowed.
    /// unsafe { graph.launch()? };
    /// assert_eq!(total.item()?, 1000.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_graph_end)]
    #[track_caller]
    pub fn capture<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(Graph, R)> {
        let (begun, value) = self.capturing(work)?;
        std::mem::forget(begun); // it ends now, also where that fails
        let mut out = arr_graph::NULL;
        call!(arr_graph_end(self.as_raw(), &mut out));
        Ok((Graph(out), value))
    }
}

impl Graph {
    /// Captures other work, in a stream of the graph's device, in place of what it was. Where that has the same form,
    /// calls alike on other memory, it is much quicker than another graph. On failure the graph is as it was.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let stream = Stream::new(Device::HOST)?;
    /// let mut x = Array::<f64>::ones(3)?;
    /// let (mut graph, _) = stream.capture(|| x.try_add(1.0))?;
    /// assert!(graph.update(&stream, || x.try_add(2.0)).is_ok());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_graph_update)]
    #[track_caller]
    pub fn update<R>(&mut self, stream: &Stream, work: impl FnOnce() -> Result<R>) -> Result<R> {
        let (begun, value) = stream.capturing(work)?;
        std::mem::forget(begun);
        call!(arr_graph_update(self.as_raw(), stream.as_raw()));
        Ok(value)
    }

    /// Enqueues all the work in the current stream: inputs are read anew, results are overwritten, on the memory that
    /// it was captured with. It comes after its last launch and after the users of its arrays.
    ///
    /// # Safety
    /// What is written is the memory of arrays, whoever shares it: no slice of it ([`crate::Array::as_slice`]) is borrowed
    /// while the work may run, which may be longer than this call takes, and who cloned an array that the graph writes sees
    /// the new elements. A slice of the program that the graph uses ([`crate::with_view`]) is still lent.
    #[doc = errors!(arr_graph_launch)]
    #[track_caller]
    pub unsafe fn launch(&self) -> Result<()> {
        call!(arr_graph_launch(self.as_raw(), current()));
        Ok(())
    }

    /// Brings the graph to the device ahead of its first launch.
    #[doc = errors!(arr_graph_upload)]
    #[track_caller]
    pub fn upload(&self) -> Result<()> {
        call!(arr_graph_upload(self.as_raw(), current()));
        Ok(())
    }

    /// Returns CUDA's handles of the graph, the CUgraph and the CUgraphExec, which stay the graph's; `update` may
    /// change them.
    #[doc = errors!(arr_graph_native)]
    #[track_caller]
    pub fn native(&self) -> Result<(*mut c_void, *mut c_void)> {
        let (mut graph, mut executable) = (std::ptr::null_mut(), std::ptr::null_mut());
        call!(arr_graph_native(self.as_raw(), &mut graph, &mut executable));
        Ok((graph, executable))
    }

    /// Writes what is in the graph to a file in Graphviz' language.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_graph.dot");
    /// let x = Array::<f64>::ones(3)?;
    /// let (graph, _) = Stream::new(Device::HOST)?.capture(|| x.try_add(1.0))?;
    /// graph.write_dot(&path)?;
    /// assert!(path.exists());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_graph_dot)]
    #[track_caller]
    pub fn write_dot(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = crate::io::utf8(path.as_ref())?;
        call!(arr_graph_dot(self.as_raw(), path.as_ptr().cast(), path.len() as i64));
        Ok(())
    }
}
