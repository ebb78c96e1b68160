// SPDX-License-Identifier: MIT
//! Slices and positions, as arguments: `a.slice(s![1..3, ..=-2, new, ...])`, `a.at([1, 2])`.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use arr_sys::{arr_array, arr_index};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Error, ErrorKind, Result};
use crate::indexing::Bounds;
use crate::shape::count;
use crate::stream::current;

/// A subscript; made from ranges and positions by [`s!`](crate::s).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slice {
    /// One index; the axis is removed. Negative from the end.
    Index(i64),
    /// Python's start:stop:step; None is an open end.
    Range { start: Option<i64>, stop: Option<i64>, step: i64 },
    /// A new axis of extent 1: `new`.
    NewAxis,
    /// As many whole axes as the others leave: `...`.
    Ellipsis,
}

/// A new axis of extent 1 among slices, as ndarray writes it: `s![NewAxis, ..]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NewAxis;

impl Slice {
    /// Takes every step-th element; a negative step reverses the order. Only ranges have a step.
    #[must_use]
    pub fn by(self, step: i64) -> Slice {
        match self {
            Slice::Range { start, stop, .. } => Slice::Range { start, stop, step },
            other => other,
        }
    }

    /// The library's form.
    #[track_caller]
    pub(crate) fn row(self) -> Result<arr_index> {
        Ok(match self {
            Slice::Index(position) => {
                arr_index { kind: arr_sys::ARR_INDEX_INTEGER, start: position, ..Default::default() }
            }
            Slice::Range { step: 0, .. } => {
                return Err(Error::new(ErrorKind::Argument, "argument step: got 0, expected another number"));
            }
            Slice::Range { start, stop, step } => arr_index {
                kind: arr_sys::ARR_INDEX_SLICE,
                // The library's marks of open ends.
                start: start.unwrap_or(if step < 0 { i64::MAX } else { i64::MIN }),
                stop: stop.unwrap_or(if step < 0 { i64::MIN } else { i64::MAX }),
                step,
                ..Default::default()
            },
            Slice::NewAxis => arr_index { kind: arr_sys::ARR_INDEX_NEW_AXIS, ..Default::default() },
            Slice::Ellipsis => arr_index { kind: arr_sys::ARR_INDEX_ELLIPSIS, ..Default::default() },
        })
    }
}

impl From<RangeFull> for Slice {
    fn from(_: RangeFull) -> Slice {
        Slice::Range { start: None, stop: None, step: 1 }
    }
}

impl From<NewAxis> for Slice {
    fn from(_: NewAxis) -> Slice {
        Slice::NewAxis
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
        impl From<Range<$int>> for Slice {
            fn from(r: Range<$int>) -> Slice {
                Slice::Range { start: Some(position(r.start)), stop: Some(position(r.end)), step: 1 }
            }
        }
        impl From<RangeFrom<$int>> for Slice {
            fn from(r: RangeFrom<$int>) -> Slice {
                Slice::Range { start: Some(position(r.start)), stop: None, step: 1 }
            }
        }
        impl From<RangeTo<$int>> for Slice {
            fn from(r: RangeTo<$int>) -> Slice {
                Slice::Range { start: None, stop: Some(position(r.end)), step: 1 }
            }
        }
        impl From<RangeInclusive<$int>> for Slice {
            fn from(r: RangeInclusive<$int>) -> Slice {
                Slice::Range { start: Some(position(*r.start())), stop: after(position(*r.end())), step: 1 }
            }
        }
        impl From<RangeToInclusive<$int>> for Slice {
            fn from(r: RangeToInclusive<$int>) -> Slice {
                Slice::Range { start: None, stop: after(position(r.end)), step: 1 }
            }
        }

        impl Count for $int {
            fn index(self) -> i64 {
                position(self)
            }
        }
        impl sealed::Sealed for $int {}
        impl Position for $int {
            fn indices(&self, to: &mut [i64; MAX_NDIM]) -> usize {
                fill(&[*self], to)
            }
        }
    )*};
}
positions!(i32 i64 isize usize);

/// Positions beyond what 64 bits count are past every end.
fn position(x: impl TryInto<i64>) -> i64 {
    x.try_into().unwrap_or(i64::MAX)
}

/// The stop of a range up to a position; after the last one, -1, the end is open.
fn after(last: i64) -> Option<i64> {
    (last != -1).then(|| last.saturating_add(1))
}

/// The slices of `a.slice(s![1..3, .., 0])`: per axis a range such as `1..`, `..-1` or `..=2`, a position, or
/// `range; step`; `new` for a new axis, and `...` for as many whole axes as the others leave.
///
/// ```
/// # use arr::{s, Slice};
/// let reversed = s![..; -1, 2, new, ...];
/// assert_eq!(reversed, [Slice::from(..).by(-1), Slice::Index(2), Slice::NewAxis, Slice::Ellipsis]);
/// ```
#[macro_export]
macro_rules! s {
    (@parse [$($done:expr),*]) => { [$($done),*] };
    (@parse [$($done:expr),*] ... $(, $($rest:tt)*)?) => {
        $crate::s!(@parse [$($done,)* $crate::Slice::Ellipsis] $($($rest)*)?)
    };
    (@parse [$($done:expr),*] new $(, $($rest:tt)*)?) => {
        $crate::s!(@parse [$($done,)* $crate::Slice::NewAxis] $($($rest)*)?)
    };
    (@parse [$($done:expr),*] $range:expr; $step:expr $(, $($rest:tt)*)?) => {
        $crate::s!(@parse [$($done,)* $crate::Slice::from($range).by($step)] $($($rest)*)?)
    };
    (@parse [$($done:expr),*] $range:expr $(, $($rest:tt)*)?) => {
        $crate::s!(@parse [$($done,)* $crate::Slice::from($range)] $($($rest)*)?)
    };
    ($($all:tt)*) => {{
        #[allow(clippy::reversed_empty_ranges)] // -1 is the last element
        let slices = $crate::s!(@parse [] $($all)*);
        slices
    }};
}

impl DynArray {
    /// Returns a view of a part: `a.slice(s![1..3, .., 0])`. Axes without a slice are taken whole.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![[1, 2, 3], [4, 5, 6]].into_dyn().slice(s![.., -1])?.typed::<i32>()?, array![3, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_get_items)]
    #[track_caller]
    pub fn slice(&self, slices: impl AsRef<[Slice]>) -> Result<DynArray> {
        let rows = slices.as_ref().iter().map(|slice| slice.row()).collect::<Result<Vec<_>>>()?;
        let (n, bounds) = (count(rows.len())?, Bounds::Raise as i32);
        let mut out = arr_array::NULL;
        call!(arr_get_items(self.as_raw(), n, rows.as_ptr(), bounds, current(), &mut out));
        Ok(self.sharing(out))
    }
}

// -------------------------------------------------------------------------------------------------------- positions

/// The most axes that an array has.
pub(crate) const MAX_NDIM: usize = arr_sys::ARR_MAX_NDIM as usize;

mod sealed {
    pub trait Sealed {}
}

/// An integer that counts positions.
trait Count: Copy {
    fn index(self) -> i64;
}

/// The position of one element, negative from the end: `[1, 2]`, `(1, -1)`, a slice, or a number where there is one
/// axis. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the position of an element",
    label = "expected integers: `3`, `[1, -1]`, `(i, j)`",
    note = "ranges choose parts, `a.slice(s![1..3])?`, and arrays choose elements, `a.get(idx![&positions])?`"
)]
pub trait Position: sealed::Sealed {
    /// Writes the positions that there is room for; returns how many there are.
    #[doc(hidden)]
    fn indices(&self, to: &mut [i64; MAX_NDIM]) -> usize;
}

fn fill<I: Count>(from: &[I], to: &mut [i64; MAX_NDIM]) -> usize {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = from.index());
    from.len()
}

macro_rules! lists {
    ($([$($generic:tt)*] $type:ty, |$x:ident, $to:ident| $indices:expr;)*) => {$(
        #[allow(private_bounds)] // the numbers are the four of `positions!`
        impl<$($generic)*> sealed::Sealed for $type {}
        #[allow(private_bounds)]
        impl<$($generic)*> Position for $type {
            fn indices(&self, $to: &mut [i64; MAX_NDIM]) -> usize {
                let $x = self;
                $indices
            }
        }
    )*};
}
lists! {
    [I: Count, const N: usize] [I; N], |x, to| fill(x, to);
    [I: Count, const N: usize] &[I; N], |x, to| fill(x.as_slice(), to);
    [I: Count] &[I], |x, to| fill(x, to);
    [I: Count] &Vec<I>, |x, to| fill(x, to);
    [] (), |_x, _to| 0;
    [I: Count, J: Count] (I, J), |x, to| fill(&[x.0.index(), x.1.index()], to);
    [I: Count, J: Count, K: Count] (I, J, K), |x, to| fill(&[x.0.index(), x.1.index(), x.2.index()], to);
}

impl<T: Element> Array<T> {
    /// Writes one element: `a.set([1, -1], 5.0)?`. [`Array::assign_at`] writes many.
    #[doc = errors!(arr_set_items)]
    #[doc(alias = "index_mut")]
    #[doc(alias = "itemset")]
    #[track_caller]
    pub fn set(&mut self, position: impl Position, value: T) -> Result<()> {
        let ndim = self.ndim();
        let mut indices = [0; MAX_NDIM];
        let n = position.indices(&mut indices);
        if n != ndim {
            let text = format!("argument position: got {n} positions, expected {ndim}");
            return Err(Error::new(ErrorKind::Shape, text));
        }
        let rows: Vec<_> = indices[..ndim].iter().map(|&at| crate::Index::Slice(Slice::Index(at))).collect();
        self.any.write_at(&rows, None, Some(crate::element::value_of(value)))
    }
}
