// SPDX-License-Identifier: MIT
//! Fourier transforms that are planned ahead.

use arr_sys::{arr_array, arr_fft_plan, arr_fft_plan_properties};

use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::DType;
use crate::error::{call, Result};
use crate::fft::{some, Norm};
use crate::ops::example;
use crate::output::DynOutput;
use crate::shape::{count, IntoShape};
use crate::stream::{current, owner};

owner!(
    /// A transform of arrays of one shape and type, contiguous in C order, on one device. What the libraries have planned
    /// lives as long as it, whatever becomes of the device's cache of plans. Any number of threads may run it at once.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// use arr::{Array, DType, Device, FftDirection, FftKind, FftPlan, Norm};
    /// let plan = FftPlan::new(FftKind::R2C, DType::FLOAT64, [64, 1000], &[-1], Device::HOST)?;
    /// let a = Array::<f64>::ones([64, 1000])?;
    /// let spectrum = plan.execute(a.as_dyn(), FftDirection::Forward, Norm::Backward)?;
    /// assert_eq!(spectrum.shape(), [64, 501]);
    /// # Ok(())
    /// # }
    /// ```
    FftPlan,
    arr_fft_plan,
    arr_fft_plan_release
);

/// The types of a plan's input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum FftKind {
    /// Complex numbers of complex numbers, both ways.
    #[default]
    C2C = arr_sys::ARR_FFT_C2C,
    /// Forward, of reals: the first n / 2 + 1 elements along the last of the axes.
    R2C = arr_sys::ARR_FFT_R2C,
    /// Backward, from that half to reals.
    C2R = arr_sys::ARR_FFT_C2R,
}

/// The direction in which a plan is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FftDirection {
    #[default]
    Forward,
    Backward,
}

/// The properties and the memory of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FftPlanInfo {
    pub kind: FftKind,
    /// The type of the numbers or of their parts.
    pub real: DType,
    /// Dimensions of its arrays.
    pub ndim: i64,
    /// The number of these that are transformed.
    pub axes: i64,
    /// That the libraries made for it.
    pub plans: i64,
    /// The size of these plans: on CUDA their work areas, which are only taken while they run.
    pub bytes: i64,
    /// Calls with programs so far that were callbacks of cuFFT.
    pub callbacks: i64,
}

impl FftPlan {
    /// Plans a transform of arrays whose numbers, or their parts, are `real`: [`DType::FLOAT32`] or [`DType::FLOAT64`].
    /// `shape` is that of the real array where there is one, in order C. Negative axes count from the end; an empty list
    /// stands for all axes. On the host it plans with the effort of [`crate::set_fft_effort`].
    #[doc = errors!(arr_fft_plan_create)]
    #[track_caller]
    pub fn new(kind: FftKind, real: DType, shape: impl IntoShape, axes: &[i32], device: Device) -> Result<FftPlan> {
        let dims = shape.into_shape().dims()?;
        let (ndim, n, kind) = (count(dims.len())?, count(axes.len())?, kind as i32);
        let mut out = arr_fft_plan::NULL;
        call!(arr_fft_plan_create(kind, real.0, ndim, dims.as_ptr(), n, some(axes), &device.raw(), &mut out));
        Ok(FftPlan(out))
    }

    /// Transforms an array that is contiguous in C order ([`DynArray::copy`] returns one).
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let plan = FftPlan::new(FftKind::C2C, DType::FLOAT64, [2], &[], Device::HOST)?;
    /// let x = array![c64::new(1.0, 0.0), c64::I].into_dyn();
    /// assert_eq!(plan.execute(&x, FftDirection::Forward, Norm::Backward)?.real().typed::<f64>()?, array![1.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fft_plan_output)]
    #[track_caller]
    pub fn execute(&self, a: &DynArray, way: FftDirection, norm: Norm) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_fft_plan_output(self.as_raw(), current(), &mut out));
        let out = DynArray::own(out);
        self.run(a, out.as_raw(), way, norm)?;
        Ok(out)
    }

    /// Transforms an array into another of the plan's output shape; both are contiguous in C order.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let plan = FftPlan::new(FftKind::C2C, DType::FLOAT64, [2], &[], Device::HOST)?;
    /// let mut z = Array::<c64>::zeros(2)?;
    /// plan.execute_into(array![c64::I, c64::I].as_dyn(), &mut z, FftDirection::Forward, Norm::Backward)?;
    /// assert_eq!(z.imag(), array![2.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fft_plan_execute)]
    #[track_caller]
    pub fn execute_into(&self, a: &DynArray, out: &mut impl DynOutput, way: FftDirection, norm: Norm) -> Result<()> {
        self.run(a, out.destination()?, way, norm)
    }

    #[track_caller]
    fn run(&self, a: &DynArray, dst: arr_array, way: FftDirection, norm: Norm) -> Result<()> {
        let inverse = way == FftDirection::Backward;
        call!(arr_fft_plan_execute(self.as_raw(), a.as_raw(), dst, inverse, norm.code(), current()));
        Ok(())
    }

    #[doc = example!("assert!(FftPlan::new(FftKind::R2C, DType::FLOAT64, [8], &[], Device::HOST)?.info().is_ok());")]
    #[doc = errors!(arr_fft_plan_info)]
    #[track_caller]
    pub fn info(&self) -> Result<FftPlanInfo> {
        let mut f = arr_fft_plan_properties {
            struct_size: std::mem::size_of::<arr_fft_plan_properties>() as i64,
            ..Default::default()
        };
        call!(arr_fft_plan_info(self.as_raw(), &mut f));
        let kind = match f.kind as i32 {
            arr_sys::ARR_FFT_R2C => FftKind::R2C,
            arr_sys::ARR_FFT_C2R => FftKind::C2R,
            _ => FftKind::C2C,
        };
        let real = DType(f.real as i32);
        Ok(FftPlanInfo {
            kind,
            real,
            ndim: f.ndim,
            axes: f.naxes,
            plans: f.plans,
            bytes: f.bytes,
            callbacks: f.callbacks,
        })
    }
}
