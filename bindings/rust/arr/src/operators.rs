// SPDX-License-Identifier: MIT
//! `+ - * / % & | ^ << >> ! -` and their assignments, for arrays by value and by reference and for numbers on
//! either side. An operator panics with the library's text; `try_add` and its like give the error.

use std::ops::*;

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{value_of, Element, Integral, Number, Ordered};
use crate::error::{api, call, check, or_panic, Result};
use crate::expr::{Node, NodeOperand};
use crate::numbers::{bf16, c32, c64, f16};
use crate::operand::{DynOperand, Operand};
use crate::stream::current;
use crate::view::{Part, ViewMut};

/// One operator for one pair of operand types.
macro_rules! pair {
    ([$($generic:tt)*] $left:ty, $right:ty, $trait:ident $method:ident $result:ty, |$x:ident, $y:ident| $body:expr) => {
        impl<$($generic)*> $trait<$right> for $left {
            type Output = $result;
            #[track_caller]
            fn $method(self, y: $right) -> $result {
                let ($x, $y) = (self, y);
                $body
            }
        }
    };
}

pub(crate) use pair;

/// Number on the left, which Rust allows for its own types one by one only.
macro_rules! left_numbers {
    ($trait:ident $method:ident $number:ident $result:ident: $($type:ty)*) => {$(
        pair!([] $type, &Array<$type>, $trait $method Array<<$type as Element>::$result>,
            |x, y| or_panic(number_and(x, y, arr_sys::$number)));
        pair!([] $type, Array<$type>, $trait $method Array<<$type as Element>::$result>,
            |x, y| or_panic(number_and(x, &y, arr_sys::$number)));
        pair!([] $type, &ViewMut<'_, $type>, $trait $method Array<<$type as Element>::$result>,
            |x, y| or_panic(number_and(x, y.array(), arr_sys::$number)));
    )*};
}

/// Numbers on the left of arrays of any type, and of nodes. With `f32` as well the compiler could not choose a type for
/// `(2.0 * x).sin()`; on the right all numbers may stand.
macro_rules! left_of_dynamic {
    ($trait:ident $method:ident $op:ident $number:ident: $($type:ty)*) => {$(
        pair!([] $type, &DynArray, $trait $method DynArray,
            |x, y| or_panic(value_and(x.dyn_value(), y, arr_sys::$number)));
        pair!([] $type, DynArray, $trait $method DynArray,
            |x, y| or_panic(value_and(x.dyn_value(), &y, arr_sys::$number)));
        pair!(['e] $type, Node<'e>, $trait $method Node<'e>, |x, y| y.number(x).$op(y));
    )*};
}

/// Assignments to borrowed elements: to a view, and to its elements as an lvalue (`*a.slice_mut(s![0])? += 1.0`).
macro_rules! parts {
    ($assign:ident $assign_method:ident $write:ident $number:ident $bound:ident: $($of:ty),*) => {$(
        impl<T: $bound> $assign<&Array<T>> for $of {
            #[track_caller]
            fn $assign_method(&mut self, y: &Array<T>) {
                // SAFETY: rule 1: both are borrowed, and the view has its memory borrowed.
                or_panic(over(self.raw(), y, |api, x, y| unsafe { api.$write(x, x, y, current()) }));
            }
        }
        impl<T: $bound> $assign<Array<T>> for $of {
            #[track_caller]
            fn $assign_method(&mut self, y: Array<T>) {
                $assign::$assign_method(self, &y);
            }
        }
        impl<'v, T: $bound> $assign<&ViewMut<'v, T>> for $of {
            #[track_caller]
            fn $assign_method(&mut self, y: &ViewMut<'v, T>) {
                $assign::$assign_method(self, y.array());
            }
        }
        impl<T: $bound> $assign<T> for $of {
            #[track_caller]
            fn $assign_method(&mut self, y: T) {
                // SAFETY: rule 1: the view is borrowed, and it has its memory borrowed.
                or_panic(unsafe { combine(self.raw(), value_of(y), arr_sys::$number) });
            }
        }
    )*};
}

/// `Trait method TraitAssign method_assign op arr_op_into ARR_OP_NUMBER, of what, giving what`.
macro_rules! binary {
    ($trait:ident $method:ident $assign:ident $assign_method:ident $op:ident $write:ident $number:ident
     $bound:ident $result:ident [$of:ty]: $($type:ty)*) => {
        pair!([T: $bound] &Array<T>, &Array<T>, $trait $method Array<$of>, |x, y| x.$op(y));
        pair!([T: $bound] &Array<T>, Array<T>, $trait $method Array<$of>, |x, y| x.$op(&y));
        pair!([T: $bound] Array<T>, &Array<T>, $trait $method Array<$of>, |x, y| (&x).$op(y));
        pair!([T: $bound] Array<T>, Array<T>, $trait $method Array<$of>, |x, y| (&x).$op(&y));
        pair!([T: $bound] &Array<T>, T, $trait $method Array<$of>, |x, y| x.$op(y));
        pair!([T: $bound] Array<T>, T, $trait $method Array<$of>, |x, y| (&x).$op(y));
        pair!(['v, T: $bound] &Array<T>, &ViewMut<'v, T>, $trait $method Array<$of>, |x, y| x.$op(y));
        pair!(['v, T: $bound] Array<T>, &ViewMut<'v, T>, $trait $method Array<$of>, |x, y| (&x).$op(y));
        pair!(['v, T: $bound, Y: Operand<T>] &ViewMut<'v, T>, Y, $trait $method Array<$of>, |x, y| x.array().$op(y));
        left_numbers!($trait $method $number $result: $($type)*);

        impl<T: $bound> $assign<&Array<T>> for Array<T> {
            #[track_caller]
            fn $assign_method(&mut self, y: &Array<T>) {
                // SAFETY: rule 1: both are borrowed, and the memory of x is this array's own.
                or_panic(self.writable().and_then(|x| over(x, y, |api, x, y| unsafe { api.$write(x, x, y, current()) })));
            }
        }
        impl<T: $bound> $assign<Array<T>> for Array<T> {
            #[track_caller]
            fn $assign_method(&mut self, y: Array<T>) {
                $assign::$assign_method(self, &y);
            }
        }
        impl<T: $bound> $assign<T> for Array<T> {
            #[track_caller]
            fn $assign_method(&mut self, y: T) {
                // SAFETY: rule 1: x is borrowed, and its memory is this array's own.
                or_panic(self.writable().and_then(|x| unsafe { combine(x, value_of(y), arr_sys::$number) }));
            }
        }
        impl<'v, T: $bound> $assign<&ViewMut<'v, T>> for Array<T> {
            #[track_caller]
            fn $assign_method(&mut self, y: &ViewMut<'v, T>) {
                $assign::$assign_method(self, y.array());
            }
        }
        parts!($assign $assign_method $write $number $bound: ViewMut<'_, T>, dyn Part<T>);

        pair!([Y: DynOperand] &DynArray, Y, $trait $method DynArray, |x, y| x.$op(y));
        pair!([Y: DynOperand] DynArray, Y, $trait $method DynArray, |x, y| (&x).$op(y));
        pair!(['e, Y: NodeOperand<'e>] Node<'e>, Y, $trait $method Node<'e>, |x, y| x.$op(y));
        left_of_dynamic!($trait $method $op $number: bool i32 f64 f16 bf16 c32 c64);

        impl<Y: DynOperand> $assign<Y> for DynArray {
            #[track_caller]
            fn $assign_method(&mut self, y: Y) {
                // SAFETY: rule 1: x is borrowed, and its memory is this array's own.
                or_panic(self.writable().and_then(|x| unsafe { combine(x, y.dyn_value(), arr_sys::$number) }));
            }
        }
        impl<'e, Y: NodeOperand<'e>> $assign<Y> for Node<'e> {
            #[track_caller]
            fn $assign_method(&mut self, y: Y) {
                *self = (*self).$op(y);
            }
        }
    };
}

#[track_caller]
fn over<T>(x: arr_array, y: &Array<T>, write: impl Fn(&arr_sys::Api, arr_array, arr_array) -> i32) -> Result<()> {
    let api = api()?;
    check(api, write(api, x, y.as_raw()))
}

/// The op of x and a value over x.
///
/// # Safety
/// Nothing else has the memory of x borrowed.
#[track_caller]
unsafe fn combine(x: arr_array, y: arr_value, number: i32) -> Result<()> {
    let x_value = arr_value { kind: arr_sys::ARR_VALUE_ARRAY, dtype: 0, lo: x.0 as i64, hi: 0 };
    let operands = [x_value, y];
    call!(arr_ufunc_into(x, number, 2, operands.as_ptr(), std::ptr::null(), current()));
    Ok(())
}

/// The op of a number and an array.
#[track_caller]
pub(crate) fn number_and<T: Element, R: Element>(x: T, y: &Array<T>, number: i32) -> Result<Array<R>> {
    value_and(value_of(x), y.as_dyn(), number).map(Array::from_dyn)
}

#[track_caller]
fn value_and(x: arr_value, y: &DynArray, number: i32) -> Result<DynArray> {
    let operands = [x, y.value()];
    let mut out = arr_array::NULL;
    call!(arr_ufunc(number, 2, operands.as_ptr(), std::ptr::null(), current(), 1, &mut out));
    Ok(DynArray::own(out))
}

binary!(Add add AddAssign add_assign add arr_add_into ARR_OP_ADD Element Itself [T]:
    bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c32 c64);
binary!(Sub sub SubAssign sub_assign subtract arr_subtract_into ARR_OP_SUBTRACT Number Itself [T]:
    i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c32 c64);
binary!(Mul mul MulAssign mul_assign multiply arr_multiply_into ARR_OP_MULTIPLY Element Itself [T]:
    bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c32 c64);
binary!(Div div DivAssign div_assign divide arr_divide_into ARR_OP_DIVIDE Element Quotient [T::Quotient]:
    bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c32 c64);
binary!(Rem rem RemAssign rem_assign remainder arr_remainder_into ARR_OP_REMAINDER Ordered Lifted [T::Lifted]:
    bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);
binary!(BitAnd bitand BitAndAssign bitand_assign bitwise_and arr_bitwise_and_into ARR_OP_BITWISE_AND Integral Itself [T]:
    bool i8 i16 i32 i64 u8 u16 u32 u64);
binary!(BitOr bitor BitOrAssign bitor_assign bitwise_or arr_bitwise_or_into ARR_OP_BITWISE_OR Integral Itself [T]:
    bool i8 i16 i32 i64 u8 u16 u32 u64);
binary!(BitXor bitxor BitXorAssign bitxor_assign bitwise_xor arr_bitwise_xor_into ARR_OP_BITWISE_XOR Integral Itself [T]:
    bool i8 i16 i32 i64 u8 u16 u32 u64);
binary!(Shl shl ShlAssign shl_assign left_shift arr_left_shift_into ARR_OP_LEFT_SHIFT Integral Lifted [T::Lifted]:
    bool i8 i16 i32 i64 u8 u16 u32 u64);
binary!(Shr shr ShrAssign shr_assign right_shift arr_right_shift_into ARR_OP_RIGHT_SHIFT Integral Lifted [T::Lifted]:
    bool i8 i16 i32 i64 u8 u16 u32 u64);

/// Numbers of other crates: on the left of arrays of theirs, and in operations with arrays of any type and with nodes.
#[cfg(any(feature = "half", feature = "num-complex"))]
macro_rules! foreign_numbers {
    ($($type:ty)*) => {$(
        left_numbers!(Add add ARR_OP_ADD Itself: $type);
        left_numbers!(Sub sub ARR_OP_SUBTRACT Itself: $type);
        left_numbers!(Mul mul ARR_OP_MULTIPLY Itself: $type);
        left_numbers!(Div div ARR_OP_DIVIDE Quotient: $type);
        impl $crate::operand::DynOperand for $type {
            fn dyn_value(&self) -> arr_sys::arr_value {
                $crate::element::value_of(*self)
            }
        }
        impl<'e> $crate::expr::NodeOperand<'e> for $type {
            #[track_caller]
            fn node_in(&self, beside: $crate::expr::Node<'e>) -> i32 {
                beside.constant_in(&$crate::element::value_of(*self))
            }
        }
    )*};
}
#[cfg(any(feature = "half", feature = "num-complex"))]
pub(crate) use {foreign_numbers, left_numbers};

macro_rules! unary {
    ($([$($generic:tt)*] $of:ty, $trait:ident $method:ident $op:ident $result:ty;)*) => {$(
        impl<$($generic)*> $trait for $of {
            type Output = $result;
            #[track_caller]
            fn $method(self) -> $result {
                self.$op()
            }
        }
    )*};
}
unary! {
    [T: Number] &Array<T>, Neg neg negative Array<T>;
    [T: Number] Array<T>, Neg neg negative Array<T>;
    [T: Integral] &Array<T>, Not not invert Array<T>;
    [T: Integral] Array<T>, Not not invert Array<T>;
    [] &DynArray, Neg neg negative DynArray;
    [] DynArray, Neg neg negative DynArray;
    [] &DynArray, Not not invert DynArray;
    [] DynArray, Not not invert DynArray;
    ['e] Node<'e>, Neg neg negative Node<'e>;
    ['e] Node<'e>, Not not invert Node<'e>;
}

impl<T: Number> Neg for &ViewMut<'_, T> {
    type Output = Array<T>;
    #[track_caller]
    fn neg(self) -> Array<T> {
        self.array().negative()
    }
}

impl<T: Integral> Not for &ViewMut<'_, T> {
    type Output = Array<T>;
    #[track_caller]
    fn not(self) -> Array<T> {
        self.array().invert()
    }
}
