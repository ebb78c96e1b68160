// SPDX-License-Identifier: MIT
//! Index expressions: `a.get(idx![1..5, &positions])`, and the same written.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use arr_sys::{arr_array, arr_index, arr_value};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{Element, Integral};
use crate::error::{call, Result};
use crate::indexing::Bounds;
use crate::operand::{DynOperand, Operand};
use crate::ops::example;
use crate::shape::count;
use crate::slice::{NewAxis, Slice};
use crate::stream::current;
use crate::ufunc::Ufunc;

/// One index of an index expression; [`idx!`](crate::idx) makes a list of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Index<'a> {
    /// A slice, or an index, whose axis is removed.
    Slice(Slice),
    /// A new axis of extent 1: `new` or `None` in a list.
    NewAxis,
    /// As many whole axes as the others leave: `...` in a list.
    Ellipsis,
    /// Integers; or a mask, for as many axes as it has.
    Array(&'a DynArray),
    /// Positions of the program, which are copied to the array's device.
    Positions(Vec<i64>),
    /// A mask of one axis, which is copied to the array's device.
    Mask(Vec<bool>),
}

impl Index<'_> {
    /// Takes every step-th element; a negative step reverses the order. Only slices have a step.
    #[must_use]
    pub fn by(self, step: i64) -> Self {
        match self {
            Index::Slice(slice) => Index::Slice(slice.by(step)),
            other => other,
        }
    }
}

macro_rules! slices {
    ($($type:ty)*) => {$(
        impl From<$type> for Index<'_> {
            fn from(slice: $type) -> Self {
                Index::Slice(Slice::from(slice))
            }
        }
    )*};
}
slices!(Slice RangeFull NewAxis);

macro_rules! positions {
    ($($int:ty)*) => {$(
        slices!($int Range<$int> RangeFrom<$int> RangeTo<$int> RangeInclusive<$int> RangeToInclusive<$int>);

        impl From<&[$int]> for Index<'_> {
            fn from(list: &[$int]) -> Self {
                // Positions beyond what 64 bits count are past every end.
                Index::Positions(list.iter().map(|&i| i.try_into().unwrap_or(i64::MAX)).collect())
            }
        }

        impl<const N: usize> From<[$int; N]> for Index<'_> {
            fn from(list: [$int; N]) -> Self {
                Index::from(&list[..])
            }
        }

        impl<const N: usize> From<&[$int; N]> for Index<'_> {
            fn from(list: &[$int; N]) -> Self {
                Index::from(&list[..])
            }
        }

        impl From<&Vec<$int>> for Index<'_> {
            fn from(list: &Vec<$int>) -> Self {
                Index::from(&list[..])
            }
        }
    )*};
}
positions!(i32 i64 isize usize);

impl From<&[bool]> for Index<'_> {
    fn from(mask: &[bool]) -> Self {
        Index::Mask(mask.to_vec())
    }
}

impl<const N: usize> From<[bool; N]> for Index<'_> {
    fn from(mask: [bool; N]) -> Self {
        Index::Mask(mask.to_vec())
    }
}

impl<const N: usize> From<&[bool; N]> for Index<'_> {
    fn from(mask: &[bool; N]) -> Self {
        Index::Mask(mask.to_vec())
    }
}

impl From<&Vec<bool>> for Index<'_> {
    fn from(mask: &Vec<bool>) -> Self {
        Index::Mask(mask.clone())
    }
}

impl<'a> From<&'a DynArray> for Index<'a> {
    fn from(array: &'a DynArray) -> Self {
        Index::Array(array)
    }
}

impl<'a, T: Integral> From<&'a Array<T>> for Index<'a> {
    fn from(array: &'a Array<T>) -> Self {
        Index::Array(array.as_dyn())
    }
}

/// `None` is a new axis.
impl From<Option<std::convert::Infallible>> for Index<'_> {
    fn from(_: Option<std::convert::Infallible>) -> Self {
        Index::NewAxis
    }
}

/// The indices of `a.get(idx![.., 1..5, &positions, None])`: ranges, with a step as `1..9; 2` or `..; -1`, positions, arrays
/// of integers, masks, lists of the program (`[0, 2]`, `[true, false]`), `new` or `None` for a new axis, and `...` for as
/// many whole axes as the others leave.
///
/// ```
/// # use arr::idx;
/// let indices = idx![1..5; 2, new, [0, 2], ...];
/// assert_eq!(indices.len(), 4);
/// ```
///
/// Positions are integers:
///
/// ```compile_fail,E0277
/// # fn main() -> arr::Result<()> {
/// let a = arr::Array::<f64>::zeros([3])?;
/// a.get(arr::idx![&a])?;
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! idx {
    (@parse [$($done:expr),*]) => { [$($done),*] };
    (@parse [$($done:expr),*] ... $(, $($rest:tt)*)?) => {
        $crate::idx!(@parse [$($done,)* $crate::Index::Ellipsis] $($($rest)*)?)
    };
    (@parse [$($done:expr),*] new $(, $($rest:tt)*)?) => {
        $crate::idx!(@parse [$($done,)* $crate::Index::NewAxis] $($($rest)*)?)
    };
    (@parse [$($done:expr),*] $range:expr; $step:expr $(, $($rest:tt)*)?) => {
        $crate::idx!(@parse [$($done,)* $crate::Index::from($range).by($step)] $($($rest)*)?)
    };
    (@parse [$($done:expr),*] $index:expr $(, $($rest:tt)*)?) => {
        $crate::idx!(@parse [$($done,)* $crate::Index::from($index)] $($($rest)*)?)
    };
    ($($all:tt)*) => { $crate::idx!(@parse [] $($all)*) };
}

/// The library's form of a list. It names the arrays that it keeps, and those that are borrowed for `'a`.
pub(crate) struct Rows<'a, 'i> {
    pub(crate) rows: Vec<arr_index>,
    kept: Vec<DynArray>,
    borrowed: std::marker::PhantomData<&'a Index<'i>>,
}

impl<'a, 'i> Rows<'a, 'i> {
    #[track_caller]
    pub(crate) fn new(indices: &'a [Index<'i>], device: Device) -> Result<Rows<'a, 'i>> {
        let mut made = Rows { rows: Vec::new(), kept: Vec::new(), borrowed: std::marker::PhantomData };
        for index in indices {
            let row = match index {
                Index::Slice(slice) => slice.row()?,
                Index::NewAxis => Slice::NewAxis.row()?,
                Index::Ellipsis => Slice::Ellipsis.row()?,
                Index::Array(array) => by(array),
                Index::Positions(list) => made.keep(device.array(&list[..], [list.len()])?),
                Index::Mask(list) => made.keep(device.array(&list[..], [list.len()])?),
            };
            made.rows.push(row);
        }
        Ok(made)
    }

    fn keep<T: Element>(&mut self, array: Array<T>) -> arr_index {
        let row = by(array.as_dyn());
        self.kept.push(array.into_dyn());
        row
    }

    /// Without arrays the library returns a view.
    fn is_basic(&self) -> bool {
        self.rows.iter().all(|row| row.kind != arr_sys::ARR_INDEX_ARRAY)
    }
}

fn by(array: &DynArray) -> arr_index {
    arr_index { kind: arr_sys::ARR_INDEX_ARRAY, array: array.as_raw(), ..Default::default() }
}

/// By NumPy's rules: arrays of one list broadcast with each other.
impl DynArray {
    /// Returns the elements that the indices select, `a.get(idx![.., 1..5, &positions])`: a view if there are neither
    /// arrays nor lists among the indices, else a copy.
    #[doc = errors!(arr_get_items)]
    #[track_caller]
    pub fn get<'i>(&self, indices: impl AsRef<[Index<'i>]>) -> Result<DynArray> {
        self.get_with(indices, Bounds::Raise)
    }

    /// Returns the elements of [`DynArray::get`], with a rule for indices out of range.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![10, 20, 30].into_dyn().get_with(idx![[0, 4]], Bounds::Wrap)?.typed::<i32>()?, array![10, 20]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_get_items)]
    #[track_caller]
    pub fn get_with<'i>(&self, indices: impl AsRef<[Index<'i>]>, bounds: Bounds) -> Result<DynArray> {
        let list = Rows::new(indices.as_ref(), self.device())?;
        let (n, rows) = (count(list.rows.len())?, list.rows.as_ptr());
        let mut out = arr_array::NULL;
        call!(arr_get_items(self.as_raw(), n, rows, bounds as i32, current(), &mut out));
        Ok(if list.is_basic() { self.sharing(out) } else { DynArray::own(out) })
    }

    /// Writes a number, or an array that broadcasts, to the elements of [`DynArray::get`]. If an index occurs more than
    /// once, the last value wins; if one is out of range, nothing is written.
    #[doc = errors!(arr_set_items)]
    #[track_caller]
    pub fn assign_at<'i>(&mut self, indices: impl AsRef<[Index<'i>]>, value: impl DynOperand) -> Result<()> {
        self.write_at(indices.as_ref(), None, Some(value.dyn_value()))
    }

    /// Combines each element with a value by an operation, as `+=` would; repeated indices accumulate.
    #[doc = errors!(arr_update_items)]
    #[track_caller]
    pub fn update_at<'i>(&mut self, op: Ufunc, indices: impl AsRef<[Index<'i>]>, value: impl DynOperand) -> Result<()> {
        self.write_at(indices.as_ref(), Some(op), Some(value.dyn_value()))
    }

    /// Replaces each element by the result of an operation of one operand.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mut a = array![1, 2, 3].into_dyn();
    /// a.apply_at(Ufunc::find("negative")?, idx![[0, 0, 2]])?;
    /// assert_eq!(a.typed::<i32>()?, array![1, 2, -3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_update_items)]
    #[track_caller]
    pub fn apply_at<'i>(&mut self, op: Ufunc, indices: impl AsRef<[Index<'i>]>) -> Result<()> {
        self.write_at(indices.as_ref(), Some(op), None)
    }

    #[track_caller]
    pub(crate) fn write_at(&mut self, indices: &[Index], op: Option<Ufunc>, value: Option<arr_value>) -> Result<()> {
        let list = Rows::new(indices, self.device())?;
        let dst = self.writable()?;
        let (n, rows, bounds) = (count(list.rows.len())?, list.rows.as_ptr(), Bounds::Raise as i32);
        let value = value.as_ref().map_or(std::ptr::null(), |v| v as *const arr_value);
        match op {
            None => call!(arr_set_items(dst, n, rows, value, bounds, current())),
            Some(op) => call!(arr_update_items(op.code(), dst, n, rows, value, bounds, current())),
        };
        Ok(())
    }

    /// Returns a view at one index of an axis, which is removed.
    #[doc = example!("assert_eq!(array![[1, 2], [3, 4]].into_dyn().index_axis(1, -1)?.typed::<i32>()?, array![2, 4]);")]
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn index_axis(&self, axis: i32, position: i64) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_index_axis(self.as_raw(), axis, position, &mut out));
        Ok(self.sharing(out))
    }
}

impl<T: Element> Array<T> {
    /// Returns the elements that the indices select, `a.get(idx![.., 1..5, &positions])`: a view if there are neither
    /// arrays nor lists among the indices, else a copy.
    #[doc = errors!(arr_get_items)]
    #[track_caller]
    pub fn get<'i>(&self, indices: impl AsRef<[Index<'i>]>) -> Result<Array<T>> {
        self.as_dyn().get(indices)?.typed()
    }

    /// Returns the elements of [`DynArray::get`], with a rule for indices out of range.
    #[doc = errors!(arr_get_items)]
    #[track_caller]
    pub fn get_with<'i>(&self, indices: impl AsRef<[Index<'i>]>, bounds: Bounds) -> Result<Array<T>> {
        self.as_dyn().get_with(indices, bounds)?.typed()
    }

    /// Writes like [`DynArray::assign_at`]: `a.assign_at(idx![&mask], 0.0)?`.
    #[doc = errors!(arr_set_items)]
    #[track_caller]
    pub fn assign_at<'i>(&mut self, indices: impl AsRef<[Index<'i>]>, value: impl Operand<T>) -> Result<()> {
        self.any.write_at(indices.as_ref(), None, Some(value.value()))
    }

    /// Combines like [`DynArray::update_at`].
    #[doc = errors!(arr_update_items)]
    #[track_caller]
    pub fn update_at<'i>(&mut self, op: Ufunc, indices: impl AsRef<[Index<'i>]>, value: impl Operand<T>) -> Result<()> {
        self.any.write_at(indices.as_ref(), Some(op), Some(value.value()))
    }

    /// Replaces like [`DynArray::apply_at`].
    #[doc = errors!(arr_update_items)]
    #[track_caller]
    pub fn apply_at<'i>(&mut self, op: Ufunc, indices: impl AsRef<[Index<'i>]>) -> Result<()> {
        self.any.write_at(indices.as_ref(), Some(op), None)
    }

    /// Returns a view at one index of an axis, which is removed.
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn index_axis(&self, axis: i32, position: i64) -> Result<Array<T>> {
        self.as_dyn().index_axis(axis, position)?.typed()
    }
}
