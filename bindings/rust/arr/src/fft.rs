// SPDX-License-Identifier: MIT
//! Fourier, cosine and sine transforms along one or several axes, Hankel transforms, and convolution by them.

use std::ffi::CString;

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{Element, Ordered};
use crate::error::{call, text_of, Result};
use crate::ops::example;
use crate::shape::count;
use crate::stream::current;

/// The direction that has the factor 1 / n of a transform of n elements.
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
    pub(crate) fn code(self) -> i32 {
        match self {
            Norm::Backward => arr_sys::ARR_FFT_BACKWARD,
            Norm::Ortho => arr_sys::ARR_FFT_ORTHO,
            Norm::Forward => arr_sys::ARR_FFT_FORWARD,
        }
    }
}

/// The work that goes into plans of the host's transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum FftEffort {
    /// Rules: at once.
    #[default]
    Estimate = arr_sys::ARR_FFT_ESTIMATE,
    /// The fastest of some ways tried.
    Measure = arr_sys::ARR_FFT_MEASURE,
    /// The fastest of many ways tried.
    Patient = arr_sys::ARR_FFT_PATIENT,
}

/// Sets how the host's plans are made from now on; returns the setting before. Kept plans with less effort are made
/// anew when they are next needed, better ones stay.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let before = set_fft_effort(FftEffort::Measure)?; // for transforms that are repeated often
/// set_fft_effort(before)?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_fft_plan_effort)]
#[track_caller]
pub fn set_fft_effort(effort: FftEffort) -> Result<FftEffort> {
    let mut before = 0;
    call!(arr_fft_plan_effort(std::ptr::null(), effort as i32, &mut before));
    Ok(match before {
        arr_sys::ARR_FFT_MEASURE => FftEffort::Measure,
        arr_sys::ARR_FFT_PATIENT => FftEffort::Patient,
        _ => FftEffort::Estimate,
    })
}

/// Returns the results of measured plans as text for [`import_fft_wisdom`] in another process.
#[doc = example!("import_fft_wisdom(&fft_wisdom()?)?;")]
#[doc = errors!(arr_fft_wisdom)]
#[track_caller]
pub fn fft_wisdom() -> Result<String> {
    text_of(|api, capacity, text, length| {
        // SAFETY: rule 3: text has `capacity` bytes or is NULL.
        unsafe { api.arr_fft_wisdom(std::ptr::null(), capacity, text, length) }
    })
}

/// Adds what [`fft_wisdom`] gave to what is known.
#[doc = errors!(arr_fft_wisdom_import)]
#[track_caller]
pub fn import_fft_wisdom(text: &str) -> Result<()> {
    // Wisdom has no NUL, so the library refuses what is left of a text with one.
    let text = CString::new(text.replace('\0', "?")).unwrap_or_default();
    call!(arr_fft_wisdom_import(std::ptr::null(), text.as_ptr()));
    Ok(())
}

/// Forgets it; plans that are kept stay.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// forget_fft_wisdom()?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_fft_wisdom_forget)]
#[track_caller]
pub fn forget_fft_wisdom() -> Result<()> {
    call!(arr_fft_wisdom_forget(std::ptr::null()));
    Ok(())
}

/// The type of a cosine or sine transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cosine {
    /// The first type, which is its own inverse up to a factor.
    I,
    /// The second type, the most common one.
    #[default]
    II,
    /// The third type, the inverse of the second.
    III,
    /// The fourth type, which is its own inverse up to a factor.
    IV,
}

impl Cosine {
    fn code(self) -> i32 {
        match self {
            Cosine::I => 1,
            Cosine::II => 2,
            Cosine::III => 3,
            Cosine::IV => 4,
        }
    }
}

/// The norm of a cosine or sine transform, with `2 n` for n: from a [`Norm`], or both of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CosineNorm {
    /// The direction that has the factor.
    pub norm: Norm,
    /// True if the ends are scaled by the root of 2 where that makes the transform orthogonal up to its factor. None:
    /// with [`Norm::Ortho`] only.
    pub orthogonal: Option<bool>,
}

impl From<Norm> for CosineNorm {
    fn from(norm: Norm) -> CosineNorm {
        CosineNorm { norm, orthogonal: None }
    }
}

impl CosineNorm {
    fn code(self) -> i32 {
        let ends = match self.orthogonal {
            None => 0,
            Some(true) => arr_sys::ARR_COSINE_ORTHOGONAL,
            Some(false) => arr_sys::ARR_COSINE_PLAIN,
        };
        self.norm.code() + ends
    }
}

/// Cosine and sine transforms along axes, negative ones from the end; no axes are all.
macro_rules! cosines {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[doc = errors!($function)]
            #[track_caller]
            pub fn $name(&self, kind: Cosine, axes: &[i32], norm: impl Into<CosineNorm>) -> Result<DynArray> {
                let (n, kind, norm, mut out) = (count(axes.len())?, kind.code(), norm.into().code(), arr_array::NULL);
                call!($function(self.as_raw(), kind, n, std::ptr::null(), some(axes), norm, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            #[doc = errors!($function)]
            #[track_caller]
            pub fn $name(&self, kind: Cosine, axes: &[i32], norm: impl Into<CosineNorm>) -> Result<Array<T::Transform>> {
                self.as_dyn().$name(kind, axes, norm)?.typed()
            }
        )*}
    };
}
cosines! {
    /// The cosine transform.
    #[doc = example!("assert_eq!(array![1.0, 1.0].dct(Cosine::II, &[], Norm::Backward)?, array![4.0, 0.0]);")]
    #[doc(alias = "dctn")]
    dct = arr_dctn;
    /// The inverse of [`DynArray::dct`] of the same type and norm.
    #[doc = example!("assert_eq!(array![4.0, 0.0].idct(Cosine::II, &[], Norm::Backward)?, array![1.0, 1.0]);")]
    #[doc(alias = "idctn")]
    idct = arr_idctn;
    /// The sine transform.
    #[doc = example!("assert_eq!(array![1.0, -1.0].dst(Cosine::II, &[], Norm::Backward)?.round_to(9)?, array![0.0, 4.0]);")]
    #[doc(alias = "dstn")]
    dst = arr_dstn;
    /// The inverse of [`DynArray::dst`] of the same type and norm.
    #[doc = example!("assert_eq!(array![0.0, 4.0].idst(Cosine::II, &[], Norm::Backward)?.round_to(9)?, array![1.0, -1.0]);")]
    #[doc(alias = "idstn")]
    idst = arr_idstn;
}

/// The numbers of a Hankel transform of samples at logarithmic distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hankel {
    /// The logarithm of the ratio of two neighbouring distances.
    pub dln: f64,
    /// The order of the Bessel function.
    pub mu: f64,
    /// The logarithm of the product of the middles of the distances and the frequencies.
    pub offset: f64,
    /// The exponent of the power law that is taken out.
    pub bias: f64,
}

impl Hankel {
    /// Makes a transform without offset and bias.
    #[must_use]
    pub fn new(dln: f64, mu: f64) -> Hankel {
        Hankel { dln, mu, offset: 0.0, bias: 0.0 }
    }

    /// Returns the transform with the offset nearest to this one's that rings least.
    #[doc = example!("assert!(Hankel::new(0.1, 0.0).with_low_ringing()?.offset.is_finite());")]
    #[doc = errors!(arr_fhtoffset)]
    #[track_caller]
    pub fn with_low_ringing(self) -> Result<Hankel> {
        let mut offset = 0.0;
        call!(arr_fhtoffset(self.dln, self.mu, self.offset, self.bias, &mut offset));
        Ok(Hankel { offset, ..self })
    }
}

/// Hankel transforms along an axis, negative ones from the end.
impl DynArray {
    /// Computes the fast Hankel transform of real numbers along an axis.
    #[doc = errors!(arr_fht)]
    #[track_caller]
    pub fn fht(&self, h: Hankel, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_fht(self.as_raw(), h.dln, h.mu, h.offset, h.bias, axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Computes the inverse of [`DynArray::fht`] for the same parameters.
    #[doc = errors!(arr_ifht)]
    #[track_caller]
    pub fn ifht(&self, h: Hankel, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_ifht(self.as_raw(), h.dln, h.mu, h.offset, h.bias, axis, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Ordered> Array<T> {
    /// Computes the fast Hankel transform of real numbers along an axis.
    #[doc = errors!(arr_fht)]
    #[track_caller]
    pub fn fht(&self, h: Hankel, axis: i32) -> Result<Array<T::Transform>> {
        self.as_dyn().fht(h, axis)?.typed()
    }

    /// Computes the inverse of [`DynArray::fht`] for the same parameters.
    #[doc = errors!(arr_ifht)]
    #[track_caller]
    pub fn ifht(&self, h: Hankel, axis: i32) -> Result<Array<T::Transform>> {
        self.as_dyn().ifht(h, axis)?.typed()
    }
}

/// No axes are NULL.
pub(crate) fn some(axes: &[i32]) -> *const i32 {
    if axes.is_empty() {
        std::ptr::null()
    } else {
        axes.as_ptr()
    }
}
