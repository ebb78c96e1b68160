// SPDX-License-Identifier: MIT
//! Companions of Fourier transforms: padding, hermitian transforms, shifts, frequencies, lengths, the cache of plans.

use arr_sys::{arr_array, arr_fft_cache_stats};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{DType, Element, Ordered};
use crate::error::{call, Result};
use crate::fft::Norm;
use crate::fft_plan::FftKind;
use crate::ops::example;
use crate::shape::count;
use crate::stream::current;

/// Pairs of an axis and an extent, taken apart.
fn apart(lengths: &[(i32, i64)]) -> (Vec<i32>, Vec<i64>) {
    lengths.iter().copied().unzip()
}

/// Transforms along axes that are cropped or padded with zeros to a length: pairs of an axis and its length.
macro_rules! padded {
    ($([$bound:ident] $(#[$doc:meta])* $name:ident = $function:ident -> $result:ty;)*) => {$(
        impl DynArray {
            $(#[$doc])*
            #[doc = errors!($function)]
            #[track_caller]
            pub fn $name(&self, lengths: &[(i32, i64)], norm: Norm) -> Result<DynArray> {
                let (axes, s) = apart(lengths);
                let (n, norm, mut out) = (count(axes.len())?, norm.code(), arr_array::NULL);
                call!($function(self.as_raw(), n, s.as_ptr(), axes.as_ptr(), norm, current(), &mut out));
                Ok(DynArray::own(out))
            }
        }
        impl<T: $bound> Array<T> {
            $(#[$doc])*
            #[doc = errors!($function)]
            #[track_caller]
            pub fn $name(&self, lengths: &[(i32, i64)], norm: Norm) -> Result<Array<$result>> {
                self.as_dyn().$name(lengths, norm)?.typed()
            }
        }
    )*};
}
padded! {
    [Element]
    /// The transform, complex.
    #[doc = example!("assert_eq!(array![1.0].fft_padded(&[(0, 3)], Norm::Backward)?.real(), array![1.0, 1.0, 1.0]);")]
    #[doc(alias = "fftn")]
    fft_padded = arr_fftn -> T::Complex;
    [Element]
    /// Its inverse.
    #[doc = example!("assert_eq!(array![2.0].ifft_padded(&[(0, 2)], Norm::Backward)?.real(), array![1.0, 1.0]);")]
    #[doc(alias = "ifftn")]
    ifft_padded = arr_ifftn -> T::Complex;
    [Ordered]
    /// The transform of reals: the first n / 2 + 1 elements along the last of the axes.
    #[doc = example!("assert_eq!(array![1.0].rfft_padded(&[(0, 4)], Norm::Backward)?.real(), array![1.0, 1.0, 1.0]);")]
    #[doc(alias = "rfftn")]
    rfft_padded = arr_rfftn -> T::Complex;
    [Element]
    /// From that half back to reals, whose lengths these are.
    #[doc = example!("assert_eq!(array![2.0, 0.0].irfftn(&[(0, 2)], Norm::Backward)?, array![1.0, 1.0]);")]
    irfftn = arr_irfftn -> <T::Quotient as Element>::Real;
    [Element]
    /// [`DynArray::hfft`] over several axes: along the last of them it is this transform, along the others the complex
    /// one. The lengths are the result's.
    #[doc = example!("assert_eq!(array![1.0, 0.0].hfftn(&[(0, 2)], Norm::Backward)?, array![1.0, 1.0]);")]
    hfftn = arr_hfftn -> <T::Quotient as Element>::Real;
    [Ordered]
    /// Its inverse, the first half along the last of the axes.
    #[doc = example!("assert_eq!(array![2.0, 0.0].ihfftn(&[(0, 2)], Norm::Backward)?.real(), array![1.0, 1.0]);")]
    ihfftn = arr_ihfftn -> T::Complex;
}

/// Returns the smallest length not below `n` with a fast transform; `real`: of real numbers.
#[doc = example!("assert_eq!(next_fast_len(13, true)?, 15);")]
#[doc = errors!(arr_next_fast_len)]
#[track_caller]
pub fn next_fast_len(n: i64, real: bool) -> Result<i64> {
    let mut length = 0;
    call!(arr_next_fast_len(n, real, &mut length));
    Ok(length)
}

/// The plans that a device keeps for reuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FftCache {
    /// Plans that were there.
    pub hits: i64,
    /// That were made.
    pub misses: i64,
    /// Kept now.
    pub plans: i64,
    /// The size of these plans, as far as it is known.
    pub bytes: i64,
    /// Most plans kept; None: no limit.
    pub max_plans: Option<i64>,
    /// Most bytes; None: no limit.
    pub max_bytes: Option<i64>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedFftPlan {
    /// By which [`Device::drop_fft_plan`] knows it; never another's.
    pub id: i64,
    /// None: a table that transforms on the host share.
    pub kind: Option<FftKind>,
    /// The type of the numbers, or of their parts.
    pub real: DType,
    /// Along each axis of one transform.
    pub lengths: Vec<i64>,
    /// The number of transforms in one run.
    pub transforms: i64,
    /// As far as it is known.
    pub bytes: i64,
}

impl Device {
    /// Returns the plans that the cache keeps, the last used first.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = array![1.0, 2.0, 3.0];
    /// a.fft(&[], Norm::Backward)?;
    /// let longest = Device::HOST.fft_plans()?.into_iter().flat_map(|plan| plan.lengths).max();
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fft_cache_plans)]
    #[track_caller]
    pub fn fft_plans(self) -> Result<Vec<CachedFftPlan>> {
        let at = self.raw();
        let (none, nothing) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut n = 0;
        call!(arr_fft_cache_plans(&at, 0, none, nothing, nothing, none, none, none, &mut n));
        let capacity = n; // other threads may plan meanwhile
        let room = capacity as usize;
        let [mut ids, mut transforms, mut bytes] = [(); 3].map(|()| vec![0i64; room]);
        let [mut kinds, mut reals] = [(); 2].map(|()| vec![0i32; room]);
        let mut lengths = vec![0i64; 3 * room];
        let (i, k, r) = (ids.as_mut_ptr(), kinds.as_mut_ptr(), reals.as_mut_ptr());
        let (l, t, b) = (lengths.as_mut_ptr(), transforms.as_mut_ptr(), bytes.as_mut_ptr());
        call!(arr_fft_cache_plans(&at, capacity, i, k, r, l, t, b, &mut n));
        let plan = |i: usize| CachedFftPlan {
            id: ids[i],
            kind: match kinds[i] {
                arr_sys::ARR_FFT_C2C => Some(FftKind::C2C),
                arr_sys::ARR_FFT_R2C => Some(FftKind::R2C),
                arr_sys::ARR_FFT_C2R => Some(FftKind::C2R),
                _ => None,
            },
            real: DType(reals[i]),
            lengths: lengths[3 * i..3 * i + 3].iter().copied().filter(|&n| n > 0).collect(),
            transforms: transforms[i],
            bytes: bytes[i],
        };
        Ok((0..n.min(capacity) as usize).map(plan).collect())
    }

    /// Drops one of [`Device::fft_plans`]. A plan in use stays until it is done.
    #[doc = errors!(arr_fft_cache_drop)]
    #[track_caller]
    pub fn drop_fft_plan(self, id: i64) -> Result<()> {
        call!(arr_fft_cache_drop(&self.raw(), id));
        Ok(())
    }

    /// Returns the statistics of the cache of plans.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// array![1.0, 0.0, 0.0].fft(&[], Norm::Backward)?;
    /// assert!(Device::HOST.fft_cache()?.misses > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fft_cache_info)]
    #[track_caller]
    pub fn fft_cache(self) -> Result<FftCache> {
        let struct_size = std::mem::size_of::<arr_fft_cache_stats>() as i64;
        let mut s = arr_fft_cache_stats { struct_size, ..Default::default() };
        call!(arr_fft_cache_info(&self.raw(), &mut s));
        let limit = |n: i64| (n >= 0).then_some(n);
        let (max_plans, max_bytes) = (limit(s.max_plans), limit(s.max_bytes));
        Ok(FftCache { hits: s.hits, misses: s.misses, plans: s.plans, bytes: s.bytes, max_plans, max_bytes })
    }

    /// Limits them; None: no limit. Those longest unused go at once.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// Device::HOST.set_fft_cache_limit(Some(16), None)?;
    /// assert_eq!(Device::HOST.fft_cache()?.max_plans, Some(16));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fft_cache_limit)]
    #[track_caller]
    pub fn set_fft_cache_limit(self, plans: Option<i64>, bytes: Option<i64>) -> Result<()> {
        call!(arr_fft_cache_limit(&self.raw(), plans.unwrap_or(-1), bytes.unwrap_or(-1)));
        Ok(())
    }

    /// Drops them.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// Device::HOST.clear_fft_cache()?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fft_cache_clear)]
    #[track_caller]
    pub fn clear_fft_cache(self) -> Result<()> {
        call!(arr_fft_cache_clear(&self.raw()));
        Ok(())
    }
}
