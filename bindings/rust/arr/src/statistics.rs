// SPDX-License-Identifier: MIT
//! Spread, medians and quantiles; averages, norms and softmax.

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{Element, Ordered};
use crate::error::{call, Result};
use crate::ops::axes_of;
use crate::shape::{count, Axes};
use crate::stream::current;

/// How a quantile that falls between two elements is estimated: NumPy's methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Quantile {
    #[default]
    Linear = arr_sys::ARR_QUANTILE_LINEAR,
    Lower = arr_sys::ARR_QUANTILE_LOWER,
    Higher = arr_sys::ARR_QUANTILE_HIGHER,
    Midpoint = arr_sys::ARR_QUANTILE_MIDPOINT,
    Nearest = arr_sys::ARR_QUANTILE_NEAREST,
    InvertedCdf = arr_sys::ARR_QUANTILE_INVERTED_CDF,
    AveragedInvertedCdf = arr_sys::ARR_QUANTILE_AVERAGED_INVERTED_CDF,
    ClosestObservation = arr_sys::ARR_QUANTILE_CLOSEST_OBSERVATION,
    InterpolatedInvertedCdf = arr_sys::ARR_QUANTILE_INTERPOLATED_INVERTED_CDF,
    Hazen = arr_sys::ARR_QUANTILE_HAZEN,
    Weibull = arr_sys::ARR_QUANTILE_WEIBULL,
    MedianUnbiased = arr_sys::ARR_QUANTILE_MEDIAN_UNBIASED,
    NormalUnbiased = arr_sys::ARR_QUANTILE_NORMAL_UNBIASED,
}

/// Variances and deviations: `name = arr_name arr_name_into`.
macro_rules! spreads {
    ($($(#[$doc:meta])* $name:ident $into:ident = $new:ident $write:ident;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axes: impl Axes, correction: f64) -> Result<DynArray> {
                let (n, list, keep) = axes_of(&axes)?;
                let mut out = arr_array::NULL;
                call!($new(self.as_raw(), n, list, keep, correction, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axes: impl Axes, correction: f64) -> Result<Array<<T::Mean as Element>::Real>> {
                self.as_dyn().$name(axes, correction)?.typed()
            }

            /// Writes the result to `out`, which has its shape.
            #[track_caller]
            pub fn $into(
                &self,
                axes: impl Axes,
                correction: f64,
                out: &mut Array<<T::Mean as Element>::Real>,
            ) -> Result<()> {
                let (dst, (n, list, keep)) = (out.writable()?, axes_of(&axes)?);
                call!($write(dst, self.as_raw(), n, list, keep, correction, current()));
                Ok(())
            }
        )*}
    };
}
spreads! {
    /// Variance; the number of elements is taken less `correction`: 0, or 1 for a sample.
    var var_into = arr_var arr_var_into;
    /// Standard deviation; the number of elements is taken less `correction`: 0, or 1 for a sample.
    std std_into = arr_std arr_std_into;
    /// Variance of the elements that are not nan.
    nanvar nanvar_into = arr_nanvar arr_nanvar_into;
    /// Standard deviation of the elements that are not nan.
    nanstd nanstd_into = arr_nanstd arr_nanstd_into;
}

/// Medians: `name = arr_name`.
macro_rules! medians {
    ($($(#[$doc:meta])* $name:ident = $new:ident;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> Result<DynArray> {
                let (n, list, keep) = axes_of(&axes)?;
                let mut out = arr_array::NULL;
                call!($new(self.as_raw(), n, list, keep, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Ordered> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> Result<Array<T::Mean>> {
                self.as_dyn().$name(axes)?.typed()
            }
        )*}
    };
}
medians! {
    /// The middle element, or the mean of the two in the middle; nan if there is one.
    median = arr_median;
    /// Median of the elements that are not nan.
    nanmedian = arr_nanmedian;
}

/// Quantiles: `name = arr_name`. Their type follows from the method, so they are dynamic for all.
macro_rules! quantiles {
    ($($(#[$doc:meta])* $name:ident = $new:ident;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            /// The first axis of the result is that of `q`.
            #[track_caller]
            pub fn $name(&self, q: &[f64], axes: impl Axes, method: Quantile) -> Result<DynArray> {
                let (n, list, keep) = axes_of(&axes)?;
                if q.is_empty() {
                    let text = "argument q: got no quantiles, expected some";
                    return Err(crate::Error::new(crate::ErrorKind::Argument, text));
                }
                let (a, nq, how) = (self.as_raw(), count(q.len())?, method as i32);
                let mut out = arr_array::NULL;
                call!($new(a, nq, q.as_ptr(), n, list, keep, how, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Ordered> Array<T> {$(
            $(#[$doc])*
            /// The first axis of the result is that of `q`. Methods that pick an element keep its type; the others
            /// give `f64`.
            #[track_caller]
            pub fn $name(&self, q: &[f64], axes: impl Axes, method: Quantile) -> Result<DynArray> {
                self.as_dyn().$name(q, axes, method)
            }
        )*}
    };
}
quantiles! {
    /// Quantiles, each in 0 to 1; nan if there is one.
    quantile = arr_quantile;
    /// Percentiles, each in 0 to 100; nan if there is one.
    percentile = arr_percentile;
    /// Quantiles of the elements that are not nan.
    nanquantile = arr_nanquantile;
    /// Percentiles of the elements that are not nan.
    nanpercentile = arr_nanpercentile;
}

/// Quantiles by [`Quantile::InvertedCdf`] with weights: `name = arr_name`.
macro_rules! weighted_quantiles {
    ($($(#[$doc:meta])* $name:ident = $new:ident;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            /// The weights have this shape, or the extents along the axes. The first axis of the result is that of `q`.
            #[track_caller]
            pub fn $name(&self, weights: &DynArray, q: &[f64], axes: impl Axes) -> Result<DynArray> {
                let (n, list, keep) = axes_of(&axes)?;
                if q.is_empty() {
                    let text = "argument q: got no quantiles, expected some";
                    return Err(crate::Error::new(crate::ErrorKind::Argument, text));
                }
                let (a, w, nq) = (self.as_raw(), weights.as_raw(), count(q.len())?);
                let how = Quantile::InvertedCdf as i32;
                let mut out = arr_array::NULL;
                call!($new(a, w, nq, q.as_ptr(), n, list, keep, how, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Ordered> Array<T> {$(
            $(#[$doc])*
            /// The weights have this shape, or the extents along the axes. The first axis of the result is that of `q`.
            #[track_caller]
            pub fn $name<W: Element>(&self, weights: &Array<W>, q: &[f64], axes: impl Axes) -> Result<Array<T>> {
                self.as_dyn().$name(weights.as_dyn(), q, axes)?.typed()
            }
        )*}
    };
}
weighted_quantiles! {
    /// Quantiles of elements with weights, each in 0 to 1; nan if there is one.
    quantile_weighted = arr_quantile_weighted;
    /// Percentiles of elements with weights, each in 0 to 100; nan if there is one.
    percentile_weighted = arr_percentile_weighted;
    /// Quantiles with weights of the elements that are not nan.
    nanquantile_weighted = arr_nanquantile_weighted;
    /// Percentiles with weights of the elements that are not nan.
    nanpercentile_weighted = arr_nanpercentile_weighted;
}

/// Averages, norms and exponentials.
impl DynArray {
    /// Weighted average; the weights have this shape, or the extents along the axes. None: the mean.
    #[track_caller]
    pub fn average(&self, weights: Option<&DynArray>, axes: impl Axes) -> Result<DynArray> {
        let (n, list, keep) = axes_of(&axes)?;
        let weights = weights.map_or(arr_array::NULL, DynArray::as_raw);
        let mut out = arr_array::NULL;
        call!(arr_average(self.as_raw(), weights, n, list, keep, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The p-norm of the elements along axes as one vector.
    #[track_caller]
    pub fn vector_norm(&self, p: f64, axes: impl Axes) -> Result<DynArray> {
        let (n, list, keep) = axes_of(&axes)?;
        let mut out = arr_array::NULL;
        call!(arr_vector_norm(self.as_raw(), p, n, list, keep, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// log(sum(weights * exp(a))) without overflow; the weights broadcast and may be negative.
    #[track_caller]
    pub fn logsumexp_weighted(&self, weights: &DynArray, axes: impl Axes) -> Result<DynArray> {
        let (n, list, keep) = axes_of(&axes)?;
        let mut out = arr_array::NULL;
        call!(arr_logsumexp_weighted(self.as_raw(), weights.as_raw(), n, list, keep, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The logarithm of the size of that sum, and its sign.
    #[track_caller]
    pub fn logsumexp_signed(&self, weights: &DynArray, axes: impl Axes) -> Result<(DynArray, DynArray)> {
        let (n, list, keep) = axes_of(&axes)?;
        let (a, b, mut out, mut sign) = (self.as_raw(), weights.as_raw(), arr_array::NULL, arr_array::NULL);
        call!(arr_logsumexp_signed(a, b, n, list, keep, current(), &mut out, &mut sign));
        Ok((DynArray::own(out), DynArray::own(sign)))
    }

    /// exp(a) / sum(exp(a)) over axes, without overflow.
    #[track_caller]
    pub fn softmax(&self, axes: impl Axes) -> Result<DynArray> {
        let (n, list, _) = axes_of(&axes)?;
        let mut out = arr_array::NULL;
        call!(arr_softmax(self.as_raw(), n, list, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The logarithm of [`DynArray::softmax`], with the digits that log(softmax) loses.
    #[track_caller]
    pub fn log_softmax(&self, axes: impl Axes) -> Result<DynArray> {
        let (n, list, _) = axes_of(&axes)?;
        let mut out = arr_array::NULL;
        call!(arr_log_softmax(self.as_raw(), n, list, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// Weighted average; the weights have this shape, or the extents along the axes. None: the mean.
    #[track_caller]
    pub fn average(&self, weights: Option<&Array<T>>, axes: impl Axes) -> Result<Array<T::Mean>> {
        self.as_dyn().average(weights.map(Array::as_dyn), axes)?.typed()
    }

    /// The p-norm of the elements along axes as one vector.
    #[track_caller]
    pub fn vector_norm(&self, p: f64, axes: impl Axes) -> Result<Array<<T::Mean as Element>::Real>> {
        self.as_dyn().vector_norm(p, axes)?.typed()
    }
}

impl<T: Ordered> Array<T> {
    /// exp(a) / sum(exp(a)) over axes, without overflow.
    #[track_caller]
    pub fn softmax(&self, axes: impl Axes) -> Result<Array<T::Mean>> {
        self.as_dyn().softmax(axes)?.typed()
    }

    /// The logarithm of [`Array::softmax`], with the digits that log(softmax) loses.
    #[track_caller]
    pub fn log_softmax(&self, axes: impl Axes) -> Result<Array<T::Mean>> {
        self.as_dyn().log_softmax(axes)?.typed()
    }
}
