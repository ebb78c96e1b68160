// SPDX-License-Identifier: MIT
//! Functions made of several operations: rounding, closeness, bits, covariances. They take arrays of any type.

use arr_sys::{arr_array, arr_cov_options};

use crate::dynarray::DynArray;
use crate::element::DType;
use crate::error::{call, Result};
use crate::ops::axis_of;
use crate::ops::example;
use crate::output::DynOutput;
use crate::shape::Axes;
use crate::stream::current;

/// The one of eight numbers that becomes the highest bit of a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum BitOrder {
    /// The first, of value 128.
    #[default]
    Big = arr_sys::ARR_BITORDER_BIG,
    /// The last; the first has value 1.
    Little = arr_sys::ARR_BITORDER_LITTLE,
}

/// The tolerance of comparisons: |x - y| <= atol + rtol |y|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    pub rtol: f64,
    pub atol: f64,
    /// True: nan is close to nan.
    pub equal_nan: bool,
}

/// NumPy's.
impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { rtol: 1e-5, atol: 1e-8, equal_nan: false }
    }
}

/// Options of [`DynArray::cov`] and [`DynArray::corrcoef`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Covariance<'a> {
    /// More variables with the same observations.
    pub y: Option<&'a DynArray>,
    /// The number of times that each observation counts, whole numbers.
    pub fweights: Option<&'a DynArray>,
    /// Weights of the observations.
    pub aweights: Option<&'a DynArray>,
    /// Variables are columns, not rows.
    pub columns: bool,
    /// Taken off the number of observations; 1 without it.
    pub ddof: Option<i32>,
    /// The type of computation and result; `f64` or `c64` without it.
    pub dtype: Option<DType>,
}

impl Covariance<'_> {
    pub(crate) fn raw(&self) -> arr_cov_options {
        let handle = |a: Option<&DynArray>| a.map_or(arr_array::NULL, DynArray::as_raw);
        arr_cov_options {
            struct_size: std::mem::size_of::<arr_cov_options>() as i64,
            y: handle(self.y),
            fweights: handle(self.fweights),
            aweights: handle(self.aweights),
            columns: i32::from(self.columns),
            ddof: self.ddof.unwrap_or(0),
            ddof_set: i32::from(self.ddof.is_some()),
            dtype: self.dtype.map_or(0, |d| d.0),
            ..Default::default()
        }
    }
}

fn pointer(x: &Option<f64>) -> *const f64 {
    x.as_ref().map_or(std::ptr::null(), |x| x as *const f64)
}

impl DynArray {
    /// Replaces nan and infinities; an infinity without a given number becomes the largest finite one of its sign.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![f64::NAN, f64::INFINITY].into_dyn().nan_to_num(0.0, Some(9.0), None)?.typed::<f64>()?, array![0.0, 9.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_nan_to_num)]
    #[track_caller]
    pub fn nan_to_num(&self, nan: f64, posinf: Option<f64>, neginf: Option<f64>) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_nan_to_num(self.as_raw(), nan, pointer(&posinf), pointer(&neginf), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Replaces like [`DynArray::nan_to_num`], into an array of the same shape.
    #[doc = errors!(arr_nan_to_num_into)]
    #[track_caller]
    pub fn nan_to_num_into(
        &self,
        nan: f64,
        posinf: Option<f64>,
        neginf: Option<f64>,
        out: &mut impl DynOutput,
    ) -> Result<()> {
        let (z, a) = (out.destination()?, self.as_raw());
        call!(arr_nan_to_num_into(z, a, nan, pointer(&posinf), pointer(&neginf), current()));
        Ok(())
    }

    /// True where an element is close to that of `y`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let b = array![1.0 + 1e-9, 2.1].into_dyn();
    /// assert_eq!(array![1.0, 2.0].into_dyn().isclose(&b, Tolerance::default())?.typed::<bool>()?, array![true, false]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_isclose)]
    #[track_caller]
    pub fn isclose(&self, y: &DynArray, by: Tolerance) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        let (a, b, equal_nan) = (self.as_raw(), y.as_raw(), by.equal_nan);
        call!(arr_isclose(a, b, by.rtol, by.atol, equal_nan, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// True if all elements are close to those of `y`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let b = array![1.0 + 1e-9].into_dyn();
    /// assert!(array![1.0].into_dyn().allclose(&b, Tolerance::default())?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_allclose)]
    #[track_caller]
    pub fn allclose(&self, y: &DynArray, by: Tolerance) -> Result<bool> {
        let mut out = arr_array::NULL;
        let (a, b, equal_nan) = (self.as_raw(), y.as_raw(), by.equal_nan);
        call!(arr_allclose(a, b, by.rtol, by.atol, equal_nan, current(), &mut out));
        DynArray::own(out).typed::<bool>()?.item()
    }

    /// True if shape and elements are those of `y`.
    #[doc = example!("assert!(array![1, 2].into_dyn().array_equal(&array![1, 2].into_dyn(), false)?);")]
    #[doc = errors!(arr_array_equal)]
    #[track_caller]
    pub fn array_equal(&self, y: &DynArray, equal_nan: bool) -> Result<bool> {
        let mut out = arr_array::NULL;
        call!(arr_array_equal(self.as_raw(), y.as_raw(), equal_nan, current(), &mut out));
        DynArray::own(out).typed::<bool>()?.item()
    }

    /// Unpacks each byte to eight numbers 0 or 1: `count` in all along the axis, or, if it is negative, all but that
    /// many at the end.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![131u8].into_dyn().unpackbits(.., None, BitOrder::Big)?.typed::<u8>()?, array![1u8, 0, 0, 0, 0, 0, 1, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_unpackbits)]
    #[track_caller]
    pub fn unpackbits(&self, axis: impl Axes, count: Option<i64>, order: BitOrder) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        let number = count.as_ref().map_or(std::ptr::null(), |n| n as *const i64);
        call!(arr_unpackbits(self.as_raw(), axis_of(&axis)?, number, order as i32, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Covariances of variables; of no dimensions where there is one variable only.
    #[doc = example!("assert_eq!(array![[1.0, 2.0, 3.0]].into_dyn().cov(Covariance::default())?.item_f64(&[])?, 1.0);")]
    #[doc = errors!(arr_cov)]
    #[track_caller]
    pub fn cov(&self, options: Covariance) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_cov(self.as_raw(), &options.raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Computes the correlation coefficients of variables; without weights.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]].into_dyn().corrcoef(Covariance::default())?.item_f64(&[0, 1])?.round(), -1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_corrcoef)]
    #[track_caller]
    pub fn corrcoef(&self, options: Covariance) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_corrcoef(self.as_raw(), &options.raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }
}
