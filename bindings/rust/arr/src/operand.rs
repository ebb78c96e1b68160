// SPDX-License-Identifier: MIT
//! Operands: the types that may stand on the other side of an operation.

use arr_sys::arr_value;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{sealed::Sealed, value_of, weak, Element};
use crate::numbers::{bf16, c32, c64, f16};
use crate::view::ViewMut;

impl Sealed for &DynArray {}
impl<T: Element> Sealed for &Array<T> {}
impl<T: Element> Sealed for &ViewMut<'_, T> {}

/// An operand of an array of `T`: an array or a number of the same type. Sealed: an operand borrows what it stands for.
///
/// ```compile_fail,E0277
/// struct Forged(arr::sys::arr_array);
/// impl arr::Operand<f64> for Forged {
///     fn value(&self) -> arr::sys::arr_value {
///         arr::sys::arr_value { lo: self.0 .0 as i64, ..Default::default() }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no operand of an array of `{T}`",
    label = "expected an array or a number",
    note = "both have the same element type, so convert one by `cast`: `a.cast::<f64>()?`",
    note = "a plain number is of the element type: `2.0f32` beside an `Array<f32>`"
)]
pub trait Operand<T>: Sealed {
    #[doc(hidden)]
    fn value(&self) -> arr_value;
}

impl<T: Element> Operand<T> for T {
    fn value(&self) -> arr_value {
        value_of(*self)
    }
}

impl<T: Element> Operand<T> for &Array<T> {
    fn value(&self) -> arr_value {
        self.as_dyn().value()
    }
}

/// A result that is needed no more: `a.maximum(b.sqrt())`.
impl<T: Element> Operand<T> for Array<T> {
    fn value(&self) -> arr_value {
        self.as_dyn().value()
    }
}

impl<T: Element> Operand<T> for &ViewMut<'_, T> {
    fn value(&self) -> arr_value {
        self.array().as_dyn().value()
    }
}

/// An operand of a [`DynArray`]: an array, or a plain number that takes the array's type. Sealed as [`Operand`] is.
///
/// ```compile_fail,E0277
/// struct Forged(arr::sys::arr_array);
/// impl arr::DynOperand for Forged {
///     fn dyn_value(&self) -> arr::sys::arr_value {
///         arr::sys::arr_value { lo: self.0 .0 as i64, ..Default::default() }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is no operand of an array", label = "expected an array or a number")]
pub trait DynOperand: Sealed {
    #[doc(hidden)]
    fn dyn_value(&self) -> arr_value;
}

impl DynOperand for &DynArray {
    fn dyn_value(&self) -> arr_value {
        self.value()
    }
}

impl DynOperand for DynArray {
    fn dyn_value(&self) -> arr_value {
        self.value()
    }
}

impl<T: Element> DynOperand for Array<T> {
    fn dyn_value(&self) -> arr_value {
        self.as_dyn().value()
    }
}

impl<T: Element> DynOperand for &Array<T> {
    fn dyn_value(&self) -> arr_value {
        self.as_dyn().value()
    }
}

impl<T: Element> DynOperand for &ViewMut<'_, T> {
    fn dyn_value(&self) -> arr_value {
        self.array().as_dyn().value()
    }
}

macro_rules! weak_numbers {
    ($($type:ty)*) => {$(
        impl DynOperand for $type {
            fn dyn_value(&self) -> arr_value {
                weak(*self)
            }
        }
    )*};
}
weak_numbers!(bool i32 i64 f64 c64);

/// Numbers of other types keep their type where they meet an array.
macro_rules! strong_numbers {
    ($($type:ty)*) => {$(
        impl DynOperand for $type {
            fn dyn_value(&self) -> arr_value {
                crate::element::value_of(*self)
            }
        }
    )*};
}
strong_numbers!(i8 i16 u8 u16 u32 u64 f32 c32 f16 bf16);
