// SPDX-License-Identifier: MIT
//! Kernels written in CUDA C++: compiled by NVRTC for a GPU, by the host's compiler for the host.

use std::ffi::CString;

use arr_sys::{arr_array, arr_kernel, arr_launch_options, arr_module, arr_module_input, arr_module_options};

use crate::arg::Arg;
use crate::array::Array;
use crate::device::Device;
use crate::element::{sealed::Sealed, Element};
use crate::error::{call, text_of, Error, ErrorKind, Result};
use crate::shape::{count, Order};
use crate::stream::{current, owner};
use crate::view::ViewMut;

owner!(
    /// Compiled CUDA C++ source.
    Module,
    arr_module,
    arr_module_release
);
owner!(
    /// A kernel of a module, which it keeps alive.
    Kernel,
    arr_kernel,
    arr_kernel_release
);

/// Text for C; an error where it has a NUL inside.
#[track_caller]
pub(crate) fn c_text(text: &str) -> Result<CString> {
    match CString::new(text) {
        Ok(text) => Ok(text),
        Err(_) => {
            let text = format!("argument name: got a NUL byte in {text:?}, expected none");
            Err(Error::new(ErrorKind::Argument, text))
        }
    }
}

impl Module {
    /// Compiles source for a device.
    ///
    /// # Safety
    /// The source is code of the program from here on, and is not checked: on the host its initialisers run within this call.
    #[doc = errors!(arr_module_create)]
    #[track_caller]
    pub unsafe fn compile(source: &str, device: Device) -> Result<Module> {
        // SAFETY: rule 8: the caller's.
        unsafe { Module::compile_with(source, device, &[]) }
    }

    /// Compiles source with options such as "-DN=4". The error's text has the compiler's first error;
    /// [`Module::last_log`] has all of it.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let source = "extern \"C\" __global__ void fill(float* x) { x[threadIdx.x] = 1; }";
    /// // SAFETY: the source has no variables with initialisers.
    /// let module = unsafe { Module::compile_with(source, Device::select()?, &["-use_fast_math"])? };
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// The conditions of [`Module::compile`].
    #[doc = errors!(arr_module_create)]
    #[track_caller]
    pub unsafe fn compile_with(source: &str, device: Device, options: &[&str]) -> Result<Module> {
        let mut texts = Vec::with_capacity(options.len());
        for option in options {
            texts.push(c_text(option)?);
        }
        let pointers: Vec<_> = texts.iter().map(|t| t.as_ptr()).collect();
        let n = count(pointers.len())?;
        let mut out = arr_module::NULL;
        call!(arr_module_create(
            source.as_ptr().cast(),
            source.len() as i64,
            &device.raw(),
            n,
            pointers.as_ptr(),
            &mut out,
        ));
        Ok(Module(out))
    }

    /// Loads a module from CUDA C++ text or from the bytes of a PTX, cubin, fatbin or LTO-IR image.
    ///
    /// # Safety
    /// As of [`Module::compile`].
    #[doc = errors!(arr_module_load)]
    #[track_caller]
    pub unsafe fn load(image: &[u8], device: Device, options: &ModuleOptions) -> Result<Module> {
        let lists = options.lists()?;
        let mut out = arr_module::NULL;
        let (image, n) = (image.as_ptr().cast(), image.len() as i64);
        call!(arr_module_load(image, n, &device.raw(), &options.raw(&lists)?, &mut out));
        Ok(Module(out))
    }

    /// Loads a module like [`Module::load`], from a file; `#include "..."` searches the directory of the file first.
    ///
    /// # Safety
    /// As of [`Module::compile`].
    #[doc = errors!(arr_module_load_file)]
    #[track_caller]
    pub unsafe fn load_file(path: &str, device: Device, options: &ModuleOptions) -> Result<Module> {
        let lists = options.lists()?;
        let path = c_text(path)?;
        let mut out = arr_module::NULL;
        call!(arr_module_load_file(path.as_ptr(), &device.raw(), &options.raw(&lists)?, &mut out));
        Ok(Module(out))
    }

    /// Links several sources or images to one module. Each has a name for messages; what one declares extern another
    /// may define.
    ///
    /// # Safety
    /// As of [`Module::compile`].
    #[doc = errors!(arr_module_link)]
    #[track_caller]
    pub unsafe fn link(inputs: &[(&str, &[u8])], device: Device, options: &ModuleOptions) -> Result<Module> {
        let lists = options.lists()?;
        let mut names = Vec::with_capacity(inputs.len());
        for (name, _) in inputs {
            names.push(c_text(name)?);
        }
        let list: Vec<_> = inputs
            .iter()
            .zip(&names)
            .map(|((_, bytes), name)| arr_module_input {
                data: bytes.as_ptr().cast(),
                length: bytes.len() as i64,
                name: name.as_ptr(),
                ..Default::default()
            })
            .collect();
        let n = count(list.len())?;
        let mut out = arr_module::NULL;
        call!(arr_module_link(n, list.as_ptr(), &device.raw(), &options.raw(&lists)?, &mut out));
        Ok(Module(out))
    }

    /// Returns a copy of a `__device__` or `__constant__` variable. Waits for all work on the device first, because any
    /// kernel may use the variable.
    #[doc = errors!(arr_module_global_array)]
    #[track_caller]
    pub fn global<T: Element>(&self, name: &str, shape: &[i64]) -> Result<Array<T>> {
        self.variable(name, shape)?.copy(Order::C)
    }

    /// Returns a view of the variable to write to in place while the module is borrowed; waits like [`Module::global`].
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// let source = "__constant__ float weights[3]; __global__ void f(float* x) { *x = weights[1]; }";
    /// // SAFETY: a source of this program's.
    /// let mut module = unsafe { arr::Module::compile(source, arr::Device::HOST)? };
    /// module.global_mut("weights", &[3])?.copy_from_slice(&[0.25f32, 0.5, 0.25])?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_module_global_array)]
    #[track_caller]
    pub fn global_mut<T: Element>(&mut self, name: &str, shape: &[i64]) -> Result<ViewMut<'_, T>> {
        self.variable(name, shape).map(ViewMut::new)
    }

    /// The variable as an array, which others may have too: it stays in this crate.
    #[track_caller]
    fn variable<T: Element>(&self, name: &str, shape: &[i64]) -> Result<Array<T>> {
        let name = c_text(name)?;
        let n = count(shape.len())?;
        let mut out = arr_array::NULL;
        call!(arr_module_global_array(self.0, name.as_ptr(), T::DTYPE.code(), n, shape.as_ptr(), &mut out));
        let variable = Array::own(out);
        variable.device().sync()?;
        Ok(variable)
    }

    /// Returns the kernel of an extern "C" name, a plain name, or a name expression such as `scale<float>`.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let source = "extern \"C\" __global__ void fill(float* x) { x[threadIdx.x] = 1; }";
    /// // SAFETY: the source has no variables with initialisers.
    /// let fill = unsafe { Module::compile(source, Device::select()?)? }.kernel("fill")?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_module_kernel)]
    #[track_caller]
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = c_text(name)?;
        let mut out = arr_kernel::NULL;
        call!(arr_module_kernel(self.0, name.as_ptr(), &mut out));
        Ok(Kernel(out))
    }

    /// Returns the compiler's messages.
    #[doc = errors!(arr_module_log)]
    #[track_caller]
    pub fn log(&self) -> Result<String> {
        log_of(self.0)
    }

    /// Returns the compiler's messages of the last failure on this thread.
    #[doc = errors!(arr_module_log)]
    #[track_caller]
    pub fn last_log() -> Result<String> {
        log_of(arr_module::NULL)
    }
}

/// Options of a module; begin with `ModuleOptions::default()`.
#[derive(Clone, Debug, Default)]
pub struct ModuleOptions<'a> {
    /// 11, 14, 17 or 20; 0: C++17.
    pub standard: i32,
    /// Code for a debugger, hardly optimised.
    pub debug: bool,
    /// Code that knows its source lines.
    pub lineinfo: bool,
    /// Most registers of a thread; 0: no limit. The host refuses it.
    pub max_registers: i32,
    /// Quicker and less exact arithmetic.
    pub fast_math: bool,
    /// Kernels may launch kernels, by the toolkit's libcudadevrt.a. The host refuses it.
    pub device_runtime: bool,
    /// Folders where `#include` looks.
    pub include_paths: &'a [&'a str],
    /// "N=4" or "N".
    pub defines: &'a [&'a str],
    /// Name expressions such as `scale<float>`, compiled at once.
    pub names: &'a [&'a str],
    /// More options as the compiler takes them.
    pub options: &'a [&'a str],
}

type Lists = [(Vec<CString>, Vec<*const std::ffi::c_char>); 4];

impl ModuleOptions<'_> {
    #[track_caller]
    fn lists(&self) -> Result<Lists> {
        let mut all: Lists = Default::default();
        for (made, given) in all.iter_mut().zip([self.include_paths, self.defines, self.names, self.options]) {
            for text in given {
                made.0.push(c_text(text)?);
            }
            made.1 = made.0.iter().map(|t| t.as_ptr()).collect();
        }
        Ok(all)
    }

    #[track_caller]
    fn raw(&self, lists: &Lists) -> Result<arr_module_options> {
        Ok(arr_module_options {
            struct_size: std::mem::size_of::<arr_module_options>() as i64,
            standard: self.standard,
            debug: self.debug.into(),
            lineinfo: self.lineinfo.into(),
            max_registers: self.max_registers,
            fast_math: self.fast_math.into(),
            device_runtime: self.device_runtime.into(),
            ninclude_paths: count(lists[0].1.len())?,
            include_paths: lists[0].1.as_ptr(),
            ndefines: count(lists[1].1.len())?,
            defines: lists[1].1.as_ptr(),
            nnames: count(lists[2].1.len())?,
            names: lists[2].1.as_ptr(),
            noptions: count(lists[3].1.len())?,
            options: lists[3].1.as_ptr(),
            ..Default::default()
        })
    }
}

#[track_caller]
fn log_of(module: arr_module) -> Result<String> {
    text_of(|api, capacity, text, length| {
        // SAFETY: rule 3: text has `capacity` bytes or is NULL.
        unsafe { api.arr_module_log(module, capacity, text, length) }
    })
}

/// Blocks, threads of a block, and dynamic shared memory of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    grid: [i64; 3],
    block: [i32; 3],
    shared_bytes: i64,
    cooperative: bool,
    cluster: [i32; 3],
}

/// Blocks or threads in x, y and z: a number, a tuple or an array of up to three. What is left out is 1. Sealed: more
/// types may follow.
///
/// ```compile_fail,E0277
/// let launch = arr::Launch::new((1, 1, 1, 1), 64);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` counts no blocks or threads",
    label = "expected integers: `128`, `(16, 16)`, `[n, 1, 1]`"
)]
pub trait IntoDim3: Sealed {
    #[doc(hidden)]
    fn dim3(self) -> [i64; 3];
}

/// An extent of [`IntoDim3`]: an integer. One too large for the library becomes its largest, which it refuses. Sealed.
pub trait Extent: Sealed + Copy {
    #[doc(hidden)]
    fn extent(self) -> i64;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Extent for $type {
            fn extent(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }
        impl IntoDim3 for $type {
            fn dim3(self) -> [i64; 3] {
                [self.extent(), 1, 1]
            }
        }
    )*};
}
impl Sealed for usize {}
integers!(i32 i64 u32 u64 usize);

macro_rules! extents {
    ($([$($generic:ident)*] $type:ty, |$x:ident| $extents:expr;)*) => {$(
        impl<$($generic: Extent),*> Sealed for $type {}
        impl<$($generic: Extent),*> IntoDim3 for $type {
            fn dim3(self) -> [i64; 3] {
                let $x = self;
                $extents
            }
        }
    )*};
}
extents! {
    [A B] (A, B), |n| [n.0.extent(), n.1.extent(), 1];
    [A B C] (A, B, C), |n| [n.0.extent(), n.1.extent(), n.2.extent()];
    [A] [A; 1], |n| [n[0].extent(), 1, 1];
    [A] [A; 2], |n| [n[0].extent(), n[1].extent(), 1];
    [A] [A; 3], |n| n.map(A::extent);
}

/// Threads, which the library counts in 32 bits.
fn threads(n: impl IntoDim3) -> [i32; 3] {
    n.dim3().map(|n| i32::try_from(n).unwrap_or(if n < 0 { -1 } else { i32::MAX }))
}

impl Launch {
    /// Blocks and threads of a block: `Launch::new(8, 128)`, `Launch::new((4, 2), (16, 16))`.
    pub fn new(grid: impl IntoDim3, block: impl IntoDim3) -> Launch {
        Launch { grid: grid.dim3(), block: threads(block), shared_bytes: 0, cooperative: false, cluster: [0; 3] }
    }

    /// Returns a grid with enough blocks for n threads: `Launch::cover(n, 128)`.
    ///
    /// ```
    /// use arr::Launch;
    /// assert_eq!(Launch::cover(1000, 128), Launch::new(8, 128));
    /// assert_eq!(Launch::cover((100, 60), [32, 8]), Launch::new([4, 8, 1], (32, 8, 1)));
    /// ```
    pub fn cover(n: impl IntoDim3, block: impl IntoDim3) -> Launch {
        let (n, block) = (n.dim3(), threads(block));
        let blocks = |i: usize| {
            let threads = i64::from(block[i].max(1));
            n[i] / threads + i64::from(n[i] % threads > 0)
        };
        Launch::new([blocks(0), blocks(1), blocks(2)], block)
    }

    #[must_use]
    pub fn shared_bytes(self, bytes: i64) -> Launch {
        Launch { shared_bytes: bytes, ..self }
    }

    /// Makes the launch cooperative: all blocks run at once, so that the grid can synchronise.
    #[must_use]
    pub fn cooperative(self) -> Launch {
        Launch { cooperative: true, ..self }
    }

    /// Blocks of a cluster.
    #[must_use]
    pub fn cluster(self, cluster: impl IntoDim3) -> Launch {
        Launch { cluster: threads(cluster), ..self }
    }
}

impl Kernel {
    /// Launches the kernel in the current stream. The number of arguments is checked, and their sizes where they
    /// can be known.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// # let source = "";
    /// # let fill = unsafe { Module::compile(source, Device::select()?)? }.kernel("fill")?;
    /// let mut x = Device::select()?.zeros::<f32>(64)?;
    /// // SAFETY: the kernel writes 64 elements, and x has as many.
    /// unsafe { fill.launch(Launch::new(1, 64), &args![&mut x])? };
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// The kernel's parameters are those of `args`, in this order; it writes only to arrays that are passed as
    /// `&mut` and to variables of its module, and stays inside all of them. Until it has ended, which may be longer than this
    /// call takes, nobody borrows what it reads to write, or what it writes.
    #[doc = errors!(arr_launch_raw_options)]
    #[track_caller]
    pub unsafe fn launch(&self, launch: Launch, args: &[Arg<'_>]) -> Result<()> {
        let values = Arg::values(args)?;
        let n = count(values.len())?;
        let [cluster_x, cluster_y, cluster_z] = launch.cluster;
        let options = arr_launch_options {
            struct_size: std::mem::size_of::<arr_launch_options>() as i64,
            shared_bytes: launch.shared_bytes,
            cooperative: launch.cooperative.into(),
            cluster_x,
            cluster_y,
            cluster_z,
        };
        call!(arr_launch_raw_options(
            self.0,
            launch.grid.as_ptr(),
            launch.block.as_ptr(),
            &options,
            n,
            values.as_ptr(),
            current(),
        ));
        Ok(())
    }

    /// Returns an attribute by its number, such as `arr::sys::ARR_KERNEL_REGISTERS`.
    #[doc = errors!(arr_kernel_attribute)]
    #[track_caller]
    pub fn attribute(&self, attribute: i32) -> Result<i64> {
        let mut value = 0;
        call!(arr_kernel_attribute(self.0, attribute, &mut value));
        Ok(value)
    }

    /// Sets an attribute, for all who hold the kernel.
    #[doc = errors!(arr_kernel_set_attribute)]
    #[track_caller]
    pub fn set_attribute(&self, attribute: i32, value: i64) -> Result<()> {
        call!(arr_kernel_set_attribute(self.0, attribute, value));
        Ok(())
    }

    /// Blocks that one multiprocessor runs at once.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// # let fill = unsafe { Module::compile("", Device::select()?)? }.kernel("fill")?;
    /// println!("{} blocks of 256 threads at a time", fill.occupancy(256, 0)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_kernel_occupancy)]
    #[track_caller]
    pub fn occupancy(&self, threads: i32, shared_bytes: i64) -> Result<i32> {
        let mut blocks = 0;
        call!(arr_kernel_occupancy(self.0, threads, shared_bytes, &mut blocks));
        Ok(blocks)
    }

    /// Returns the number of threads per block, at most `max_threads` (0: no limit), with the highest occupancy, and
    /// the number of blocks that fill the device.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// # let fill = unsafe { Module::compile("", Device::select()?)? }.kernel("fill")?;
    /// let (threads, blocks) = fill.block_size(0, 0)?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_kernel_block_size)]
    #[track_caller]
    pub fn block_size(&self, shared_bytes: i64, max_threads: i32) -> Result<(i32, i32)> {
        let (mut threads, mut blocks) = (0, 0);
        call!(arr_kernel_block_size(self.0, shared_bytes, max_threads, &mut threads, &mut blocks));
        Ok((threads, blocks))
    }
}
