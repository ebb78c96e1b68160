// SPDX-License-Identifier: MIT
//! Rust's forms of a row of libarr's tables: the macros that `ops_generated.rs` calls.
//!
//! `a.sqrt()` panics with the library's text, `a.try_sqrt()` returns the error, `a.sqrt_into(&mut out)` writes to
//! an array that is there, `a.sqrt_assign()` to `a` itself.

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{Element, Integral, Number, Ordered};
use crate::error::{call, or_panic, Error, ErrorKind, Result};
use crate::expr::{Node, NodeOperand};
use crate::operand::{DynOperand, Operand};
use crate::output::Output;
use crate::shape::{count, Axes};
use crate::stream::current;
use crate::view::ViewMut;

/// True for an array: if all operands are, the plain function is called, so that an error names it.
fn is_array(v: &arr_value) -> bool {
    v.kind == arr_sys::ARR_VALUE_ARRAY
}

fn handle(v: &arr_value) -> arr_array {
    arr_array(v.lo as *mut std::ffi::c_void)
}

fn array_value(a: arr_array) -> arr_value {
    arr_value { kind: arr_sys::ARR_VALUE_ARRAY, lo: a.0 as i64, ..Default::default() }
}

mod sealed {
    pub trait Sealed<T> {}
    impl<T> Sealed<T> for T {}
}

/// A type is the same as itself: says where a result can be written over its operand. Sealed.
pub trait Same<T>: sealed::Sealed<T> {}
impl<T> Same<T> for T {}

/// The lines of documentation of an example.
macro_rules! example {
    ($code:literal) => {
        concat!("\n```\nuse arr::*;\n# fn main() -> Result<()> {\n", $code, "\n# Ok(())\n# }\n```\n")
    };
}
pub(crate) use example;

/// Ops of arrays of `T`: `name try_name name_into name_assign = arr_name arr_name_v / arr_name_into arr_name_v_into (others) ->
/// type`.
macro_rules! typed_ops {
    ($self:ty, [$($bound:tt)*]; $(
        $(#[$doc:meta])*
        $name:ident $try:ident $into:ident $assign:ident = $new:ident $($values:ident)? / $write:ident $($write_values:ident)? ($($x:ident),*) -> $result:ty $(, $example:literal)?;
    )*) => {
        impl<$($bound)*> $self {$(
            $(#[$doc])*
            $(#[doc = example!($example)])?
            #[track_caller]
            pub fn $name(&self $(, $x: impl Operand<T>)*) -> Array<$result> {
                or_panic(self.$try($($x),*))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self $(, $x: impl Operand<T>)*) -> Result<Array<$result>> {
                let mut out = arr_array::NULL;
                typed_ops!(@call $new $($values)?, self, out, $($x),*);
                Ok(Array::own(out))
            }

            /// Writes the result to `out`, which has its shape.
            ///
            /// # Errors
            /// Fails if the library does, or if the destination has another shape.
            #[track_caller]
            pub fn $into(&self $(, $x: impl Operand<T>)*, out: &mut impl Output<$result>) -> Result<()> {
                let dst = out.destination()?;
                typed_ops!(@into $write $($write_values)?, dst, self.as_raw(), $($x),*);
                Ok(())
            }

            /// Writes the result over this array.
            ///
            /// # Errors
            /// Fails if the library does, or if the destination has another shape.
            #[track_caller]
            pub fn $assign(&mut self $(, $x: impl Operand<T>)*) -> Result<()>
            where
                T: Same<$result>,
            {
                let dst = self.writable()?;
                typed_ops!(@into $write $($write_values)?, dst, dst, $($x),*);
                Ok(())
            }
        )*}
        impl<$($bound)*> ViewMut<'_, T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $x: impl Operand<T>)*) -> Array<$result> {
                self.array().$name($($x),*)
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self $(, $x: impl Operand<T>)*) -> Result<Array<$result>> {
                self.array().$try($($x),*)
            }

            /// Writes the result over these elements.
            ///
            /// # Errors
            /// Fails if the library does, or if the destination has another shape.
            #[track_caller]
            pub fn $assign(&mut self $(, $x: impl Operand<T>)*) -> Result<()>
            where
                T: Same<$result>,
            {
                let dst = self.array().as_raw(); // the view has its memory borrowed
                typed_ops!(@into $write $($write_values)?, dst, dst, $($x),*);
                Ok(())
            }
        )*}
    };
    (@call $new:ident, $self:ident, $out:ident, ) => {
        call!($new($self.as_raw(), current(), &mut $out))
    };
    (@call $new:ident $values:ident, $self:ident, $out:ident, $($x:ident),+) => {
        $(let $x = $x.value();)+
        if $(is_array(&$x))&&+ {
            call!($new($self.as_raw() $(, handle(&$x))+, current(), &mut $out))
        } else {
            call!($values(&$self.as_dyn().value() $(, &$x)+, current(), &mut $out))
        }
    };
    (@into $write:ident, $dst:expr, $first:expr, ) => {
        call!($write($dst, $first, current()))
    };
    (@into $write:ident $values:ident, $dst:expr, $first:expr, $($x:ident),+) => {
        $(let $x = $x.value();)+
        if $(is_array(&$x))&&+ {
            call!($write($dst, $first $(, handle(&$x))+, current()))
        } else {
            call!($values($dst, &array_value($first) $(, &$x)+, current()))
        }
    };
}

/// Choices by a condition, which is an array of bool: `name try_name = arr_name_v (the others)`.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident $try:ident = $new:ident ($($x:ident),*) $(, $example:literal)?;)*) => {
        impl Array<bool> {$(
            $(#[$doc])*
            $(#[doc = example!($example)])?
            #[track_caller]
            pub fn $name<T: Element>(&self $(, $x: impl Operand<T>)*) -> Array<T> {
                or_panic(self.$try($($x),*))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try<T: Element>(&self $(, $x: impl Operand<T>)*) -> Result<Array<T>> {
                let mut out = arr_array::NULL;
                call!($new(&self.as_dyn().value() $(, &$x.value())*, current(), &mut out));
                Ok(Array::own(out))
            }
        )*}
    };
}

/// Ops of arrays of any type, and the same ops of nodes: `name try_name = arr_name arr_name_v / NUMBER (others)`.
macro_rules! dynamic_ops {
    ($($(#[$doc:meta])* $name:ident $try:ident = $new:ident $($values:ident)? / $number:ident ($($x:ident),*);)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $x: impl DynOperand)*) -> DynArray {
                or_panic(self.$try($($x),*))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self $(, $x: impl DynOperand)*) -> Result<DynArray> {
                let mut out = arr_array::NULL;
                dynamic_ops!(@call $new $($values)?, self, out, $($x),*);
                Ok(DynArray::own(out))
            }
        )*}
        // The operators of these names are there as well.
        #[allow(clippy::should_implement_trait)]
        impl<'e> Node<'e> {$(
            $(#[$doc])*
            #[track_caller]
            #[must_use]
            pub fn $name(self $(, $x: impl NodeOperand<'e>)*) -> Node<'e> {
                self.apply(arr_sys::$number, &[self.id() $(, $x.node_in(self))*])
            }
        )*}
    };
    (@call $new:ident, $self:ident, $out:ident, ) => {
        call!($new($self.as_raw(), current(), &mut $out))
    };
    (@call $new:ident $values:ident, $self:ident, $out:ident, $($x:ident),+) => {
        $(let $x = $x.dyn_value();)+
        if $(is_array(&$x))&&+ {
            call!($new($self.as_raw() $(, handle(&$x))+, current(), &mut $out))
        } else {
            call!($values(&$self.value() $(, &$x)+, current(), &mut $out))
        }
    };
}

/// Reductions: `name try_name name_into = arr_name arr_name_into -> type`.
macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident $try:ident $into:ident = $new:ident $write:ident -> $result:ty $(, $example:literal)?;)*) => {
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            $(#[doc = example!($example)])?
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> Array<$result> {
                or_panic(self.$try(axes))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axes: impl Axes) -> Result<Array<$result>> {
                self.as_dyn().$try(axes).map(Array::from_dyn)
            }

            /// Writes the result to `out`, which has its shape.
            ///
            /// # Errors
            /// Fails if the library does, or if the destination has another shape.
            #[track_caller]
            pub fn $into(&self, axes: impl Axes, out: &mut impl Output<$result>) -> Result<()> {
                let (dst, (n, list, keep)) = (out.destination()?, axes_of(&axes)?);
                call!($write(dst, self.as_raw(), n, list, keep, current()));
                Ok(())
            }
        )*}
        impl<T: Element> ViewMut<'_, T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> Array<$result> {
                self.array().$name(axes)
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axes: impl Axes) -> Result<Array<$result>> {
                self.array().$try(axes)
            }
        )*}
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> DynArray {
                or_panic(self.$try(axes))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axes: impl Axes) -> Result<DynArray> {
                let (n, list, keep) = axes_of(&axes)?;
                let mut out = arr_array::NULL;
                call!($new(self.as_raw(), n, list, keep, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
    };
}

/// Scans: `name try_name name_into = arr_name arr_name_into -> type`.
macro_rules! scans {
    ($($(#[$doc:meta])* $name:ident $try:ident $into:ident = $new:ident $write:ident -> $result:ty $(, $example:literal)?;)*) => {
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            $(#[doc = example!($example)])?
            /// Reduces along an axis, or, for `..`, all elements in row-major order.
            #[track_caller]
            pub fn $name(&self, axis: impl Axes) -> Array<$result> {
                or_panic(self.$try(axis))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axis: impl Axes) -> Result<Array<$result>> {
                self.as_dyn().$try(axis).map(Array::from_dyn)
            }

            /// Writes the result to `out`, which has its shape.
            ///
            /// # Errors
            /// Fails if the library does, or if the destination has another shape.
            #[track_caller]
            pub fn $into(&self, axis: impl Axes, out: &mut impl Output<$result>) -> Result<()> {
                let dst = out.destination()?;
                call!($write(dst, self.as_raw(), axis_of(&axis)?, 0, current()));
                Ok(())
            }
        )*}
        impl<T: Element> ViewMut<'_, T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axis: impl Axes) -> Array<$result> {
                self.array().$name(axis)
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axis: impl Axes) -> Result<Array<$result>> {
                self.array().$try(axis)
            }
        )*}
        impl DynArray {$(
            $(#[$doc])*
            /// Reduces along an axis, or, for `..`, all elements in row-major order.
            #[track_caller]
            pub fn $name(&self, axis: impl Axes) -> DynArray {
                or_panic(self.$try(axis))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axis: impl Axes) -> Result<DynArray> {
                let mut out = arr_array::NULL;
                call!($new(self.as_raw(), axis_of(&axis)?, 0, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
    };
}

/// Scans that may put their identity in front.
macro_rules! initial_scans {
    ($($(#[$doc:meta])* $name:ident $try:ident $into:ident = $new:ident $write:ident -> $result:ty $(, $example:literal)?;)*) => {
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            $(#[doc = example!($example)])?
            #[track_caller]
            pub fn $name(&self, axis: impl Axes, include_initial: bool) -> Array<$result> {
                or_panic(self.$try(axis, include_initial))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axis: impl Axes, include_initial: bool) -> Result<Array<$result>> {
                self.as_dyn().$try(axis, include_initial).map(Array::from_dyn)
            }

            /// Writes the result to `out`, which has its shape.
            ///
            /// # Errors
            /// Fails if the library does, or if the destination has another shape.
            #[track_caller]
            pub fn $into(&self, axis: impl Axes, include_initial: bool, out: &mut impl Output<$result>) -> Result<()> {
                let (dst, axis) = (out.destination()?, axis_of(&axis)?);
                call!($write(dst, self.as_raw(), axis, 0, include_initial, current()));
                Ok(())
            }
        )*}
        impl<T: Element> ViewMut<'_, T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axis: impl Axes, include_initial: bool) -> Array<$result> {
                self.array().$name(axis, include_initial)
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axis: impl Axes, include_initial: bool) -> Result<Array<$result>> {
                self.array().$try(axis, include_initial)
            }
        )*}
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, axis: impl Axes, include_initial: bool) -> DynArray {
                or_panic(self.$try(axis, include_initial))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axis: impl Axes, include_initial: bool) -> Result<DynArray> {
                let mut out = arr_array::NULL;
                call!($new(self.as_raw(), axis_of(&axis)?, 0, include_initial, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
    };
}

/// A reduction by number, for what takes any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction(i32);

impl Reduction {
    /// Returns libarr's number of the reduction, ARR_REDUCTION_SUM and so on.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.0
    }
}

macro_rules! reduction_numbers {
    ($($name:ident = $constant:ident;)*) => {
        impl Reduction {$(
            pub const $name: Reduction = Reduction(arr_sys::$constant);
        )*}
    };
}

/// The one axis of a scan; `..` for all elements in row-major order.
#[track_caller]
pub(crate) fn axis_of(axes: &impl Axes) -> Result<i32> {
    match axes.axes() {
        None => Ok(arr_sys::ARR_AXIS_NONE),
        Some(&[axis]) => Ok(axis),
        Some(list) => {
            let text = format!("argument axis: got {list:?}, expected one axis or ..");
            Err(Error::new(ErrorKind::Argument, text))
        }
    }
}

#[track_caller]
pub(crate) fn axes_of(axes: &impl Axes) -> Result<(i32, *const i32, bool)> {
    let keep = axes.keepdims();
    match axes.axes() {
        None => Ok((0, std::ptr::null(), keep)),
        Some(list) => Ok((count(list.len())?, list.as_ptr(), keep)),
    }
}

#[rustfmt::skip]
#[allow(clippy::doc_lazy_continuation)]
#[path = "ops_generated.rs"]
mod generated;
