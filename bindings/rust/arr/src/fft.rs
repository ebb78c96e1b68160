// SPDX-License-Identifier: MIT
//! Fourier transforms along one or several axes.

use arr_sys::arr_array;

use crate::dynarray::DynArray;
use crate::error::{call, Result};
use crate::shape::count;
use crate::stream::current;

/// Where the factor 1 / n of a transform of n elements goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// To the inverse transform.
    #[default]
    Backward,
    /// Its root to both.
    Ortho,
    /// To the forward transform.
    Forward,
}

impl Norm {
    fn code(self) -> i32 {
        match self {
            Norm::Backward => arr_sys::ARR_FFT_BACKWARD,
            Norm::Ortho => arr_sys::ARR_FFT_ORTHO,
            Norm::Forward => arr_sys::ARR_FFT_FORWARD,
        }
    }
}

/// Fourier transforms along axes, negative ones from the end; no axes are all.
impl DynArray {
    /// The transform, complex.
    #[track_caller]
    pub fn fft(&self, axes: &[i32], norm: Norm) -> Result<DynArray> {
        let (n, norm, mut out) = (count(axes.len())?, norm.code(), arr_array::NULL);
        call!(arr_fftn(self.as_raw(), n, std::ptr::null(), some(axes), norm, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The inverse of [`DynArray::fft`].
    #[track_caller]
    pub fn ifft(&self, axes: &[i32], norm: Norm) -> Result<DynArray> {
        let (n, norm, mut out) = (count(axes.len())?, norm.code(), arr_array::NULL);
        call!(arr_ifftn(self.as_raw(), n, std::ptr::null(), some(axes), norm, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The transform of reals: the first n / 2 + 1 elements along the last of the axes.
    #[track_caller]
    pub fn rfft(&self, axes: &[i32], norm: Norm) -> Result<DynArray> {
        let (n, norm, mut out) = (count(axes.len())?, norm.code(), arr_array::NULL);
        call!(arr_rfftn(self.as_raw(), n, std::ptr::null(), some(axes), norm, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The inverse of [`DynArray::rfft`] along one axis: `n` reals.
    #[track_caller]
    pub fn irfft(&self, n: i64, axis: i32, norm: Norm) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_irfft(self.as_raw(), n, axis, norm.code(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Frequency 0 to the middle along the axes.
    #[track_caller]
    pub fn fftshift(&self, axes: &[i32]) -> Result<DynArray> {
        let (n, mut out) = (count(axes.len())?, arr_array::NULL);
        call!(arr_fftshift(self.as_raw(), n, some(axes), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

/// No axes are NULL.
fn some(axes: &[i32]) -> *const i32 {
    if axes.is_empty() {
        std::ptr::null()
    } else {
        axes.as_ptr()
    }
}
