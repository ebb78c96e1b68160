// SPDX-License-Identifier: MIT
//! Operations in place at chosen elements; counts of values, and of values in bins.

use arr_sys::{arr_array, arr_histogram_options};

use crate::dynarray::DynArray;
use crate::error::{call, Result};
use crate::operand::DynOperand;
use crate::output::DynOutput;
use crate::shape::count;
use crate::stream::current;
use crate::ufunc::Ufunc;

/// Options of histograms other than their bins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Histogram<'a> {
    /// The first and the last edge of even bins; without it those of the elements.
    pub range: Option<[f64; 2]>,
    /// The weight of each element; 1 without it.
    pub weights: Option<&'a DynArray>,
    /// Divided by the sum of all and by the bins' sizes.
    pub density: bool,
}

impl Histogram<'_> {
    pub(crate) fn raw(&self) -> arr_histogram_options {
        arr_histogram_options {
            struct_size: std::mem::size_of::<arr_histogram_options>() as i64,
            range: self.range.as_ref().map_or(std::ptr::null(), |r| r.as_ptr()),
            weights: self.weights.map_or(arr_array::NULL, DynArray::as_raw),
            density: i32::from(self.density),
            ..Default::default()
        }
    }
}

/// The estimator of a good number of bins, as in NumPy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum BinEstimate {
    /// The larger number of `Fd` and `Sturges`, unless that of `Fd` is very large.
    #[default]
    Auto = arr_sys::ARR_BINS_AUTO,
    /// Freedman and Diaconis.
    Fd = arr_sys::ARR_BINS_FD,
    Doane = arr_sys::ARR_BINS_DOANE,
    Scott = arr_sys::ARR_BINS_SCOTT,
    Stone = arr_sys::ARR_BINS_STONE,
    Rice = arr_sys::ARR_BINS_RICE,
    Sturges = arr_sys::ARR_BINS_STURGES,
    Sqrt = arr_sys::ARR_BINS_SQRT,
}

impl DynArray {
    /// Counts of 0, 1, 2, ... in a vector, or the sums of the weights there; at least `minlength` numbers.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![0i64, 2, 2].into_dyn().bincount(None, 0)?.typed::<i64>()?, array![1i64, 0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_bincount)]
    #[track_caller]
    pub fn bincount(&self, weights: Option<&DynArray>, minlength: i64) -> Result<DynArray> {
        let weights = weights.map_or(arr_array::NULL, DynArray::as_raw);
        let mut out = arr_array::NULL;
        call!(arr_bincount(self.as_raw(), weights, minlength, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Counts the elements in each of some bins of equal width; returns the counts and the edges.
    #[doc = errors!(arr_histogram)]
    #[track_caller]
    pub fn histogram(&self, bins: i64, options: Histogram) -> Result<(DynArray, DynArray)> {
        self.histogram_of(bins, None, options)
    }

    /// Counts like [`DynArray::histogram`], in a number of bins that is estimated; without weights.
    #[doc = errors!(arr_histogram)]
    #[track_caller]
    pub fn histogram_estimated(&self, by: BinEstimate, options: Histogram) -> Result<(DynArray, DynArray)> {
        self.histogram_of(i64::from(by as i32), None, options)
    }

    /// Counts like [`DynArray::histogram`], in bins between the given edges, which it returns.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let edges = array![0.0, 1.0, 2.0].into_dyn();
    /// assert_eq!(array![0.5, 1.5, 1.7].into_dyn().histogram_between(&edges, Histogram::default())?.0.typed::<i64>()?, array![1i64, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_histogram)]
    #[track_caller]
    pub fn histogram_between(&self, edges: &DynArray, options: Histogram) -> Result<(DynArray, DynArray)> {
        self.histogram_of(0, Some(edges), options)
    }

    #[track_caller]
    fn histogram_of(&self, bins: i64, given: Option<&DynArray>, options: Histogram) -> Result<(DynArray, DynArray)> {
        let raw = options.raw();
        let (mut counts, mut edges) = (arr_array::NULL, arr_array::NULL);
        let between = given.map_or(arr_array::NULL, DynArray::as_raw);
        call!(arr_histogram(self.as_raw(), bins, between, &raw, current(), &mut counts, &mut edges));
        // Given edges come back as a view of them.
        let edges = given.map_or_else(|| DynArray::own(edges), |g| g.part(edges));
        Ok((DynArray::own(counts), edges))
    }
}

impl Ufunc {
    /// Computes `a[i] = op(a[i], b)` in place for each element that the indices select, one array for each of the first
    /// axes; repeated indices accumulate.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mut counts = array![0, 0, 0];
    /// Ufunc::find("add")?.at(&mut counts, &[array![0i64, 2, 2].as_dyn()], 1)?;
    /// assert_eq!(counts, array![1, 0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_ufunc_at)]
    #[track_caller]
    pub fn at(self, a: &mut impl DynOutput, indices: &[&DynArray], b: impl DynOperand) -> Result<()> {
        let list: Vec<arr_array> = indices.iter().map(|i| i.as_raw()).collect();
        let (op, target, n, value) = (self.code(), a.destination()?, count(list.len())?, b.dyn_value());
        call!(arr_ufunc_at(op, target, n, list.as_ptr(), &value, current()));
        Ok(())
    }
}
