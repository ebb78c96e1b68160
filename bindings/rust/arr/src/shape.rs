// SPDX-License-Identifier: MIT
//! Shapes, memory orders, axes and slices, as arguments.

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

/// Types that can be the shape of a new array.
pub trait IntoShape: Sized {
    fn into_shape(self) -> Shape;

    /// The same extents, column-major.
    fn f(self) -> Shape {
        let mut shape = self.into_shape();
        shape.order = Order::F;
        shape
    }
}

impl IntoShape for Shape {
    fn into_shape(self) -> Shape {
        self
    }
}

impl IntoShape for &Shape {
    fn into_shape(self) -> Shape {
        self.clone()
    }
}

impl IntoShape for Vec<usize> {
    fn into_shape(self) -> Shape {
        Shape { extents: self, order: Order::C }
    }
}

impl IntoShape for &[usize] {
    fn into_shape(self) -> Shape {
        self.to_vec().into_shape()
    }
}

impl IntoShape for &Vec<usize> {
    fn into_shape(self) -> Shape {
        self.clone().into_shape()
    }
}

impl<const N: usize> IntoShape for [usize; N] {
    fn into_shape(self) -> Shape {
        self.to_vec().into_shape()
    }
}

impl<const N: usize> IntoShape for &[usize; N] {
    fn into_shape(self) -> Shape {
        self.to_vec().into_shape()
    }
}

impl IntoShape for usize {
    fn into_shape(self) -> Shape {
        vec![self].into_shape()
    }
}

/// Axes of a reduction: `..` for all, `0`, `-1`, `[0, 2]`, a slice; [`keep`] leaves them with extent 1.
pub trait Axes {
    /// None for all.
    fn axes(&self) -> Option<&[i32]>;

    fn keepdims(&self) -> bool {
        false
    }
}

impl Axes for std::ops::RangeFull {
    fn axes(&self) -> Option<&[i32]> {
        None
    }
}

impl Axes for i32 {
    fn axes(&self) -> Option<&[i32]> {
        Some(std::slice::from_ref(self))
    }
}

impl<const N: usize> Axes for [i32; N] {
    fn axes(&self) -> Option<&[i32]> {
        Some(self)
    }
}

impl Axes for &[i32] {
    fn axes(&self) -> Option<&[i32]> {
        Some(self)
    }
}

/// Axes that stay, with extent 1; see [`keep`].
#[derive(Clone, Copy, Debug)]
pub struct Keep<A>(A);

/// `a.sum(keep(0))`: the reduced axes stay with extent 1, so that the result broadcasts against `a`.
pub fn keep<A: Axes>(axes: A) -> Keep<A> {
    Keep(axes)
}

impl<A: Axes> Axes for Keep<A> {
    fn axes(&self) -> Option<&[i32]> {
        self.0.axes()
    }

    fn keepdims(&self) -> bool {
        true
    }
}

/// A subscript of one axis; made from ranges and positions by [`s!`](crate::s).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// One position; the axis goes away. Negative from the end.
    Index(i64),
    /// Python's start:stop:step; None is an open end.
    Range { start: Option<i64>, stop: Option<i64>, step: i64 },
}

impl Slice {
    /// Every step-th position; a negative step runs backwards.
    pub fn by(self, step: i64) -> Slice {
        match self {
            Slice::Index(_) => self,
            Slice::Range { start, stop, .. } => Slice::Range { start, stop, step },
        }
    }
}

impl From<std::ops::RangeFull> for Slice {
    fn from(_: std::ops::RangeFull) -> Slice {
        Slice::Range { start: None, stop: None, step: 1 }
    }
}

/// A position may be of any type that a program counts in.
macro_rules! positions {
    ($($int:ty)*) => {$(
        impl From<$int> for Slice {
            fn from(index: $int) -> Slice {
                Slice::Index(position(index))
            }
        }
        impl From<std::ops::Range<$int>> for Slice {
            fn from(r: std::ops::Range<$int>) -> Slice {
                Slice::Range { start: Some(position(r.start)), stop: Some(position(r.end)), step: 1 }
            }
        }
        impl From<std::ops::RangeFrom<$int>> for Slice {
            fn from(r: std::ops::RangeFrom<$int>) -> Slice {
                Slice::Range { start: Some(position(r.start)), stop: None, step: 1 }
            }
        }
        impl From<std::ops::RangeTo<$int>> for Slice {
            fn from(r: std::ops::RangeTo<$int>) -> Slice {
                Slice::Range { start: None, stop: Some(position(r.end)), step: 1 }
            }
        }
    )*};
}
positions!(i32 i64 isize usize);

/// Positions beyond what 64 bits count are past every end.
fn position(x: impl TryInto<i64>) -> i64 {
    x.try_into().unwrap_or(i64::MAX)
}

/// The slices of `a.slice(s![1..3, .., 0])`: per axis a range, a position, or `range; step`.
///
/// ```
/// # use arr::{s, Slice};
/// let reversed = s![..; -1, 2];
/// assert_eq!(reversed, [Slice::from(..).by(-1), Slice::Index(2)]);
/// ```
#[macro_export]
macro_rules! s {
    (@parse [$($done:expr),*]) => { [$($done),*] };
    (@parse [$($done:expr),*] $range:expr; $step:expr, $($rest:tt)*) => {
        $crate::s!(@parse [$($done,)* $crate::Slice::from($range).by($step)] $($rest)*)
    };
    (@parse [$($done:expr),*] $range:expr; $step:expr) => {
        [$($done,)* $crate::Slice::from($range).by($step)]
    };
    (@parse [$($done:expr),*] $range:expr, $($rest:tt)*) => {
        $crate::s!(@parse [$($done,)* $crate::Slice::from($range)] $($rest)*)
    };
    (@parse [$($done:expr),*] $range:expr) => {
        [$($done,)* $crate::Slice::from($range)]
    };
    ($($all:tt)*) => { $crate::s!(@parse [] $($all)*) };
}
