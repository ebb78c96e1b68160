// SPDX-License-Identifier: MIT
//! Shapes, memory orders and axes, as arguments.

use crate::error::{Error, ErrorKind, Result};

/// The order of elements in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Row-major: the last axis is contiguous.
    #[default]
    C,
    /// Column-major: the first axis is contiguous.
    F,
    /// As the input, where there is one.
    K,
}

impl Order {
    pub(crate) fn code(self) -> i32 {
        match self {
            Order::C => arr_sys::ARR_ORDER_C,
            Order::F => arr_sys::ARR_ORDER_F,
            Order::K => arr_sys::ARR_ORDER_K,
        }
    }
}

/// Extents and order of an array to be made: `[3, 4]`, `[3, 4].f()`, a slice, a `Vec` or one number.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shape {
    extents: Vec<usize>,
    order: Order,
}

impl Shape {
    #[must_use]
    pub fn extents(&self) -> &[usize] {
        &self.extents
    }

    pub(crate) fn order(&self) -> i32 {
        self.order.code()
    }

    #[track_caller]
    pub(crate) fn dims(&self) -> Result<Vec<i64>> {
        dims(&self.extents)
    }

    /// The number of elements, checked.
    #[track_caller]
    pub(crate) fn size(&self) -> Result<usize> {
        let product = |n: usize, &d: &usize| n.checked_mul(d);
        if self.extents.contains(&0) {
            return Ok(0);
        }
        self.extents.iter().try_fold(1, product).ok_or_else(|| {
            let text = format!("argument shape: {:?} has too many elements", self.extents);
            Error::new(ErrorKind::Shape, text)
        })
    }
}

#[track_caller]
pub(crate) fn dims(extents: &[usize]) -> Result<Vec<i64>> {
    let mut out = Vec::with_capacity(extents.len());
    for &extent in extents {
        match i64::try_from(extent) {
            Ok(d) => out.push(d),
            Err(_) => {
                let text = format!("argument shape: the extent {extent} is too large");
                return Err(Error::new(ErrorKind::Shape, text));
            }
        }
    }
    Ok(out)
}

#[track_caller]
pub(crate) fn count(n: usize) -> Result<i32> {
    match i32::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => {
            Err(Error::new(ErrorKind::Argument, format!("argument n: got {n} entries, expected at most {}", i32::MAX)))
        }
    }
}

/// The shape of a new array: a number, a tuple, an array, a slice or a `Vec` of extents, or a [`Shape`]. Sealed: more
/// types may follow.
///
/// ```compile_fail,E0277
/// struct Forged;
/// impl arr::IntoShape for Forged {
///     fn into_shape(self) -> arr::Shape {
///         arr::Shape::default()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape",
    label = "expected extents of type `usize`",
    note = "a shape is a number, a tuple, an array, a slice or a `Vec` of `usize`: `[3, 4]`, `(n, 2)`; write `n as usize`"
)]
pub trait IntoShape: sealed::Sealed + Sized {
    fn into_shape(self) -> Shape;

    /// The same extents, column-major.
    fn f(self) -> Shape {
        let mut shape = self.into_shape();
        shape.order = Order::F;
        shape
    }
}

/// The traits of this file belong to these types.
mod sealed {
    pub trait Sealed {}
}

macro_rules! shapes {
    ($([$($generic:tt)*] $type:ty, |$x:ident| $shape:expr;)*) => {$(
        impl<$($generic)*> sealed::Sealed for $type {}
        impl<$($generic)*> IntoShape for $type {
            fn into_shape(self) -> Shape {
                let $x = self;
                $shape
            }
        }
    )*};
}

pub(crate) fn row_major(extents: impl Into<Vec<usize>>) -> Shape {
    Shape { extents: extents.into(), order: Order::C }
}

shapes! {
    [] Shape, |x| x;
    [] &Shape, |x| x.clone();
    [] Vec<usize>, |x| row_major(x);
    [] &Vec<usize>, |x| row_major(x.as_slice());
    [] &[usize], |x| row_major(x);
    [const N: usize] [usize; N], |x| row_major(x);
    [const N: usize] &[usize; N], |x| row_major(x.as_slice());
    [] usize, |x| row_major([x]);
    [] (), |_x| row_major([]);
    [] (usize, usize), |x| row_major([x.0, x.1]);
    [] (usize, usize, usize), |x| row_major([x.0, x.1, x.2]);
    [] (usize, usize, usize, usize), |x| row_major([x.0, x.1, x.2, x.3]);
}

/// Axes of a reduction: `..` for all, `0`, `-1`, `[0, 2]`, a slice; [`keep`] leaves them with extent 1. Sealed: more
/// types may follow.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no axes",
    label = "expected `..`, an `i32` or a list of `i32`",
    note = "all axes are `..`, one is `0` or `-1`, several are `[0, 2]`; `keep(0)` leaves its extent 1; write `axis as i32`"
)]
pub trait Axes: sealed::Sealed {
    /// None for all.
    fn axes(&self) -> Option<&[i32]>;

    fn keepdims(&self) -> bool {
        false
    }
}

macro_rules! axes {
    ($([$($generic:tt)*] $type:ty, |$x:ident| $axes:expr;)*) => {$(
        impl<$($generic)*> sealed::Sealed for $type {}
        impl<$($generic)*> Axes for $type {
            fn axes(&self) -> Option<&[i32]> {
                let $x = self;
                $axes
            }
        }
    )*};
}
axes! {
    [] std::ops::RangeFull, |_x| None;
    [] i32, |x| Some(std::slice::from_ref(x));
    [const N: usize] [i32; N], |x| Some(x);
    [const N: usize] &[i32; N], |x| Some(x.as_slice());
    [] &[i32], |x| Some(x);
    [] &Vec<i32>, |x| Some(x.as_slice());
}

/// Axes that stay, with extent 1; see [`keep`].
#[derive(Clone, Copy, Debug)]
pub struct Keep<A>(A);

/// Keeps the reduced axes with extent 1, `a.sum(keep(0))`, so that the result broadcasts against `a`.
pub fn keep<A: Axes>(axes: A) -> Keep<A> {
    Keep(axes)
}

impl<A: Axes> sealed::Sealed for Keep<A> {}
impl<A: Axes> Axes for Keep<A> {
    fn axes(&self) -> Option<&[i32]> {
        self.0.axes()
    }

    fn keepdims(&self) -> bool {
        true
    }
}
