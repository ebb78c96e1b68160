// SPDX-License-Identifier: MIT
//! Numbers and arrays of other crates, each by a feature of its name: `half`, `num-complex`, `ndarray`, `dlpark`. The
//! manifest `arr-interop` has the features; that of `arr` has no dependencies.

#[cfg(any(feature = "half", feature = "num-complex"))]
mod numbers {
    use std::ops::{Add, Div, Mul, Sub};

    use crate::array::Array;
    use crate::element::{element, DType, Element, Number};
    use crate::error::or_panic;
    use crate::operators::{foreign_numbers, left_numbers, number_and, pair};
    use crate::view::ViewMut;
    #[cfg(feature = "half")]
    use {crate::element::Ordered, crate::numbers::c32};

    /// Conversions of a number, and of arrays: another name of the same elements, without a copy.
    macro_rules! same_bits {
        ($($foreign:ty = $own:ty: |$x:ident| $to:expr, |$y:ident| $from:expr;)*) => {$(
            impl crate::bounds::Inexact for $foreign {}
            impl From<$own> for $foreign {
                fn from($x: $own) -> $foreign {
                    $to
                }
            }
            impl From<$foreign> for $own {
                fn from($y: $foreign) -> $own {
                    $from
                }
            }
            impl From<Array<$own>> for Array<$foreign> {
                fn from(a: Array<$own>) -> Array<$foreign> {
                    Array::from_dyn(a.into_dyn())
                }
            }
            impl From<Array<$foreign>> for Array<$own> {
                fn from(a: Array<$foreign>) -> Array<$own> {
                    Array::from_dyn(a.into_dyn())
                }
            }
        )*};
    }

    #[cfg(feature = "half")]
    mod halves {
        use super::*;
        use half::{bf16, f16};

        element!(f16, FLOAT16: f16, f16, f16, f16, f16, f64, f16, f16, c32, f32, f64; Number Ordered);
        element!(bf16, BFLOAT16: bf16, bf16, bf16, bf16, bf16, f64, bf16, bf16, c32, f32, f64; Number Ordered);
        foreign_numbers!(f16 bf16);
        same_bits! {
            f16 = crate::f16: |x| f16::from_bits(x.to_bits()), |x| crate::f16::from_bits(x.to_bits());
            bf16 = crate::bf16: |x| bf16::from_bits(x.to_bits()), |x| crate::bf16::from_bits(x.to_bits());
        }
    }

    #[cfg(feature = "num-complex")]
    mod complex {
        use super::*;
        use num_complex::{Complex32, Complex64};

        element!(Complex32, COMPLEX64: f32, Complex32, Complex32, Complex32, Complex32, Complex64, Complex32, Complex32,
            Complex32, Complex32, Complex32; Number);
        element!(Complex64, COMPLEX128: f64, Complex64, Complex64, Complex64, Complex64, Complex64, Complex64, Complex64,
            Complex64, Complex64, Complex64; Number);
        foreign_numbers!(Complex32 Complex64);
        same_bits! {
            Complex32 = crate::c32: |x| Complex32::new(x.re, x.im), |x| crate::c32::new(x.re, x.im);
            Complex64 = crate::c64: |x| Complex64::new(x.re, x.im), |x| crate::c64::new(x.re, x.im);
        }
    }
}

/// Arrays of the crate `ndarray`.
#[cfg(feature = "ndarray")]
mod ndarrays {
    use ndarray::{ArrayBase, ArrayD, ArrayViewD, ArrayViewMutD, Data, Dimension, IxDyn};

    use crate::array::Array;
    use crate::device::Device;
    use crate::element::Element;
    use crate::error::{Error, ErrorKind, Result};

    impl<T: Element> Array<T> {
        /// Returns a copy, on the host, of an array or a view of the crate `ndarray`.
        #[doc = errors!(arr_wrap)]
        #[track_caller]
        pub fn from_ndarray<S: Data<Elem = T>, D: Dimension>(a: &ArrayBase<S, D>) -> Result<Array<T>> {
            Array::from_vec(a.iter().copied().collect(), a.shape())
        }

        /// Takes an array of the crate `ndarray` over without a copy.
        #[doc = errors!(arr_wrap)]
        #[track_caller]
        pub fn from_ndarray_owned<D: Dimension + 'static>(mut a: ndarray::Array<T, D>) -> Result<Array<T>> {
            if a.is_empty() {
                return Array::zeros(a.shape());
            }
            let (shape, strides, data) = (a.shape().to_vec(), a.strides().to_vec(), a.as_mut_ptr());
            // SAFETY: rule 8: its elements stay where they are while it lives, and it is nobody else's.
            unsafe { Array::from_raw_parts(data, &shape, &strides, Device::HOST, a) }
        }

        /// Returns a copy as an array of the crate `ndarray`. Waits.
        #[doc = errors!(arr_get)]
        #[track_caller]
        pub fn to_ndarray(&self) -> Result<ArrayD<T>> {
            ArrayD::from_shape_vec(IxDyn(self.shape()), self.to_vec()?).map_err(unfit)
        }

        /// Returns a view of the crate `ndarray`, of the memory that [`Array::as_slice`] gives. Waits.
        #[doc = errors!(arr_array_sync)]
        #[track_caller]
        pub fn as_ndarray(&self) -> Result<ArrayViewD<'_, T>> {
            ArrayViewD::from_shape(IxDyn(self.shape()), self.as_slice()?).map_err(unfit)
        }

        /// Returns a view of the crate `ndarray` that writes to the memory that [`Array::as_mut_slice`] gives. Waits.
        #[doc = errors!(arr_array_sync, arr_copy)]
        #[track_caller]
        pub fn as_ndarray_mut(&mut self) -> Result<ArrayViewMutD<'_, T>> {
            let shape = IxDyn(self.shape());
            ArrayViewMutD::from_shape(shape, self.as_mut_slice()?).map_err(unfit)
        }
    }

    fn unfit(e: ndarray::ShapeError) -> Error {
        Error::new(ErrorKind::Internal, format!("argument self: {e}"))
    }
}

/// Tensors of the crate `dlpark`.
#[cfg(feature = "dlpark")]
mod dlparks {
    use dlpark::SafeManagedTensorVersioned;

    use crate::dlpack::{Foreign, Tensor};

    impl From<Tensor> for SafeManagedTensorVersioned {
        fn from(tensor: Tensor) -> SafeManagedTensorVersioned {
            // SAFETY: rule 8: the tensor is DLPack's, and its deleter is called once, by its new owner.
            unsafe { SafeManagedTensorVersioned::from_raw(tensor.into_raw().cast()) }
        }
    }

    impl Foreign {
        /// Takes a tensor of the crate `dlpark` over.
        ///
        /// # Safety
        /// As of [`Foreign::from_raw`]: its memory is used by nobody else while this program writes it, or written while
        /// this program reads it.
        pub unsafe fn from_dlpark(tensor: SafeManagedTensorVersioned) -> Foreign {
            // SAFETY: rule 8: the caller vouches for the memory, and this value owns the tensor.
            unsafe { Foreign::from_raw(tensor.into_raw().cast()) }
        }
    }
}
