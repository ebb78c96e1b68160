// SPDX-License-Identifier: MIT
//! Kernels from pieces of C++: element by element, or as a reduction, on any device.

use std::ffi::CString;

use arr_sys::{arr_array, arr_device, arr_user_kernel};

use crate::arg::Arg;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::error::{call, text_of, Result};
use crate::kernel::c_text;
use crate::ops::axes_of;
use crate::shape::{count, Axes};
use crate::stream::{current, owner};

owner!(
    /// Owns a kernel's handle.
    Handle,
    arr_user_kernel,
    arr_user_kernel_release
);

/// C++ that runs once per element.
///
/// Parameters are lists such as "T x, float32 y, raw T z": dtypes by NumPy's names, or letters that the arguments of
/// a call bind; a raw one is a whole array, `z[i]` its elements in row-major order.
///
/// ```no_run
/// use arr::{args, Array, ElementwiseKernel};
/// # fn main() -> arr::Result<()> {
/// let (a, b) = (Array::<f64>::ones([3])?, Array::<f64>::ones([3])?);
/// let k = ElementwiseKernel::new("T x, T y", "T z", "z = x * x + y", "squares")?;
/// // SAFETY: the code touches its own elements only.
/// let c: Array<f64> = unsafe { k.run(&args![&a, &b])? }.remove(0).typed()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ElementwiseKernel {
    handle: Handle,
    parameters: usize,
    outputs: usize,
}

/// C++ that maps elements, joins the results, and finishes.
#[derive(Debug)]
pub struct ReductionKernel {
    handle: Handle,
    parameters: usize,
    outputs: usize,
}

/// Options of an [`ElementwiseKernel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelOptions<'a> {
    /// C++ in front of the kernel.
    pub preamble: &'a str,
    /// Statements before the loop over the elements of a thread.
    pub loop_prep: &'a str,
    /// Statements after it.
    pub after_loop: &'a str,
    /// `_ind` has the arrays' dimensions; without it neighbours may be merged.
    pub keep_dims: bool,
    /// Options of the compiler.
    pub options: &'a [&'a str],
}

/// Options of a [`ReductionKernel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ReductionOptions<'a> {
    /// A statement that sets the outputs from `a`; none: the first output is `a`.
    pub post_map: Option<&'a str>,
    /// The C++ type that is joined; none: that of the first output.
    pub reduce_type: Option<&'a str>,
    /// C++ in front of the kernel.
    pub preamble: &'a str,
    /// Options of the compiler.
    pub options: &'a [&'a str],
}

#[track_caller]
fn texts(list: &[&str]) -> Result<Vec<CString>> {
    list.iter().map(|text| c_text(text)).collect()
}

/// Counts the parameters of a list.
fn parameters(list: &str) -> usize {
    list.split(',').filter(|p| !p.trim().is_empty()).count()
}

/// Pointers for C.
fn pointers(list: &[CString]) -> Vec<*const std::ffi::c_char> {
    list.iter().map(|text| text.as_ptr()).collect()
}

fn or_null(text: &Option<CString>) -> *const std::ffi::c_char {
    text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}

#[track_caller]
fn source_of(kernel: arr_user_kernel) -> Result<String> {
    text_of(|api, capacity, text, length| {
        // SAFETY: rule 3: text has `capacity` bytes or is NULL.
        unsafe { api.arr_user_kernel_source(kernel, capacity, text, length) }
    })
}

impl ElementwiseKernel {
    /// Makes a kernel from the inputs, the outputs, and statements such as "z = x * x + y". It is compiled at the first
    /// call with new types.
    #[doc = errors!(arr_elementwise_kernel)]
    #[track_caller]
    pub fn new(inputs: &str, outputs: &str, operation: &str, name: &str) -> Result<ElementwiseKernel> {
        ElementwiseKernel::with(inputs, outputs, operation, name, &KernelOptions::default())
    }

    /// Makes a kernel like [`ElementwiseKernel::new`], with options.
    #[doc = errors!(arr_elementwise_kernel)]
    #[track_caller]
    pub fn with(
        inputs: &str,
        outputs: &str,
        operation: &str,
        name: &str,
        more: &KernelOptions<'_>,
    ) -> Result<ElementwiseKernel> {
        let list = [inputs, outputs, operation, name, more.preamble, more.loop_prep, more.after_loop];
        let (list, options) = (texts(&list)?, texts(more.options)?);
        let (p, o) = (pointers(&list), pointers(&options));
        let (flags, n) = (if more.keep_dims { arr_sys::ARR_KERNEL_KEEP_DIMS } else { 0 }, count(o.len())?);
        let mut out = arr_user_kernel::NULL;
        call!(arr_elementwise_kernel(p[0], p[1], p[2], p[3], p[4], p[5], p[6], flags, n, o.as_ptr(), &mut out));
        let (ins, outs) = (parameters(inputs), parameters(outputs));
        Ok(ElementwiseKernel { handle: Handle(out), parameters: ins + outs, outputs: outs })
    }

    /// Runs the kernel for inputs that broadcast. Returns the outputs; where `args` goes on with them as `&mut`, these are
    /// written and nothing is given. Numbers have exactly their own types.
    ///
    /// # Safety
    /// The code is C++ and is not checked: it must stay inside raw arrays, and write to outputs only.
    #[doc = errors!(arr_elementwise_kernel_run)]
    #[track_caller]
    pub unsafe fn run(&self, args: &[Arg<'_>]) -> Result<Vec<DynArray>> {
        // SAFETY: rule 8: the caller's.
        unsafe { self.launch(args, -1, None) }
    }

    /// Runs like [`ElementwiseKernel::run`], for a number of elements on a device, if no argument determines them.
    ///
    /// # Safety
    /// As for [`ElementwiseKernel::run`].
    #[doc = errors!(arr_elementwise_kernel_run)]
    #[track_caller]
    pub unsafe fn run_sized(&self, args: &[Arg<'_>], size: usize, device: Device) -> Result<Vec<DynArray>> {
        // SAFETY: rule 8: the caller's.
        unsafe { self.launch(args, i64::try_from(size).unwrap_or(i64::MAX), Some(device)) }
    }

    #[track_caller]
    unsafe fn launch(&self, args: &[Arg<'_>], size: i64, device: Option<Device>) -> Result<Vec<DynArray>> {
        let (k, values) = (self.handle.as_raw(), Arg::values(args)?);
        let device = device.map(|d| d.raw());
        let device_c = device.as_ref().map_or(std::ptr::null(), |d| d as *const arr_device);
        let made = if values.len() == self.parameters { 0 } else { self.outputs };
        let mut out = vec![arr_array::NULL; made];
        let (n, list, nout, outs) = (count(values.len())?, values.as_ptr(), count(made)?, out.as_mut_ptr());
        call!(arr_elementwise_kernel_run(k, n, list, size, 0, device_c, current(), nout, outs));
        Ok(out.into_iter().map(DynArray::own).collect())
    }

    /// Returns the CUDA C++ text that was compiled last; empty before the first call.
    #[doc = errors!(arr_user_kernel_source)]
    #[track_caller]
    pub fn source(&self) -> Result<String> {
        source_of(self.handle.as_raw())
    }
}

impl ReductionKernel {
    /// Makes a kernel from the inputs, the outputs, an expression of the inputs such as "x * y", one that combines `a`
    /// and `b` such as "a + b", and the identity of that combination, such as "0".
    #[doc = errors!(arr_reduction_kernel)]
    #[track_caller]
    pub fn new(
        inputs: &str,
        outputs: &str,
        map: &str,
        reduce: &str,
        identity: &str,
        name: &str,
    ) -> Result<ReductionKernel> {
        ReductionKernel::with(inputs, outputs, map, reduce, identity, name, &ReductionOptions::default())
    }

    /// Makes a kernel like [`ReductionKernel::new`], with options.
    #[doc = errors!(arr_reduction_kernel)]
    #[track_caller]
    pub fn with(
        inputs: &str,
        outputs: &str,
        map: &str,
        reduce: &str,
        identity: &str,
        name: &str,
        more: &ReductionOptions<'_>,
    ) -> Result<ReductionKernel> {
        let (list, options) =
            (texts(&[inputs, outputs, map, reduce, identity, name, more.preamble])?, texts(more.options)?);
        let post = more.post_map.map(c_text).transpose()?;
        let joined = more.reduce_type.map(c_text).transpose()?;
        let (p, o) = (pointers(&list), pointers(&options));
        let (post, joined, n) = (or_null(&post), or_null(&joined), count(o.len())?);
        let mut out = arr_user_kernel::NULL;
        call!(arr_reduction_kernel(p[0], p[1], p[2], p[3], post, p[4], p[5], joined, p[6], n, o.as_ptr(), &mut out,));
        let (ins, outs) = (parameters(inputs), parameters(outputs));
        Ok(ReductionKernel { handle: Handle(out), parameters: ins + outs, outputs: outs })
    }

    /// Runs the kernel over axes of the shape that its inputs broadcast to. Returns the outputs; where `args` goes on with
    /// them as `&mut`, these are written and nothing is given.
    ///
    /// # Safety
    /// The code is C++ and is not checked: it must stay inside raw arrays.
    #[doc = errors!(arr_reduction_kernel_run)]
    #[track_caller]
    pub unsafe fn run(&self, args: &[Arg<'_>], axes: impl Axes) -> Result<Vec<DynArray>> {
        let (k, values, (naxes, axes, keep)) = (self.handle.as_raw(), Arg::values(args)?, axes_of(&axes)?);
        let made = if values.len() == self.parameters { 0 } else { self.outputs };
        let mut out = vec![arr_array::NULL; made];
        let (n, list, nout, outs) = (count(values.len())?, values.as_ptr(), count(made)?, out.as_mut_ptr());
        call!(arr_reduction_kernel_run(k, n, list, naxes, axes, keep, current(), nout, outs));
        Ok(out.into_iter().map(DynArray::own).collect())
    }

    /// Returns the CUDA C++ text that was compiled last; empty before the first call.
    #[doc = errors!(arr_user_kernel_source)]
    #[track_caller]
    pub fn source(&self) -> Result<String> {
        source_of(self.handle.as_raw())
    }
}
