// SPDX-License-Identifier: MIT
//! Spread, medians and quantiles; averages, norms and softmax.

/// Estimators of a quantile that falls between two elements: NumPy's methods.
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
