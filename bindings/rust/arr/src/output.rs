// SPDX-License-Identifier: MIT
//! Arrays and parts of arrays that a call may write its result to.

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{sealed::Sealed, Element};
use crate::error::Result;
use crate::view::ViewMut;

impl Sealed for DynArray {}
impl<T: Element> Sealed for Array<T> {}
impl<T: Element> Sealed for ViewMut<'_, T> {}

/// A destination of elements of `T`: an array, which copies shared memory first, or a part of one
/// ([`Array::slice_mut`]), which is written in place. Sealed: a destination vouches that nobody else reads its memory.
///
/// ```compile_fail,E0277
/// struct Forged(arr::sys::arr_array);
/// impl arr::Output<f64> for Forged {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no destination of elements of `{T}`",
    label = "expected an array or a view to write to",
    note = "pass `&mut out`, which has the element type of the result: `Array<{T}>`"
)]
pub trait Output<T>: DynOutput {}

/// A destination of elements of any type: the library casts a result to the destination's type by NumPy's rule
/// "same_kind". Sealed as [`Output`] is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no destination of a result",
    label = "expected an array or a view to write to",
    note = "pass `&mut out`"
)]
pub trait DynOutput: Sealed {
    #[doc(hidden)]
    fn destination(&mut self) -> Result<arr_array>;
}

impl<T: Element> Output<T> for Array<T> {}
impl<T: Element> Output<T> for ViewMut<'_, T> {}

impl DynOutput for DynArray {
    #[track_caller]
    fn destination(&mut self) -> Result<arr_array> {
        self.writable()
    }
}

impl<T: Element> DynOutput for Array<T> {
    #[track_caller]
    fn destination(&mut self) -> Result<arr_array> {
        self.writable()
    }
}

impl<T: Element> DynOutput for ViewMut<'_, T> {
    fn destination(&mut self) -> Result<arr_array> {
        Ok(self.array().as_raw()) // the view has its memory borrowed
    }
}
