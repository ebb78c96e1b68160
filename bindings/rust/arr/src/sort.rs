// SPDX-License-Identifier: MIT
//! Sorts along an axis: stable, with nan last in both directions.

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::ops::axis_of;
use crate::shape::{count, Axes};
use crate::stream::current;

/// The direction of a sort; equal elements stay in their order in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Direction {
    /// The least element first.
    #[default]
    Ascending = 0,
    /// The greatest element first.
    Descending = 1,
}

impl DynArray {
    /// Returns the indices that sort by several keys of one shape along an axis; the last key is the primary one.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (second, first) = (array![3, 1, 2].into_dyn(), array![0, 1, 0].into_dyn());
    /// assert_eq!(DynArray::lexsort(&[&second, &first], 0)?.typed::<i64>()?, array![2i64, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_lexsort)]
    #[track_caller]
    pub fn lexsort(keys: &[&DynArray], axis: impl Axes) -> Result<DynArray> {
        let handles: Vec<arr_array> = keys.iter().map(|k| k.as_raw()).collect();
        let mut out = arr_array::NULL;
        call!(arr_lexsort(count(handles.len())?, handles.as_ptr(), axis_of(&axis)?, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// Sorts this array itself along an axis.
    #[doc = errors!(arr_sort_into)]
    #[track_caller]
    pub fn sort_in_place(&mut self, axis: impl Axes, direction: Direction) -> Result<()> {
        let (dst, axis) = (self.writable()?, axis_of(&axis)?);
        call!(arr_sort_into(dst, dst, axis, direction == Direction::Descending, current()));
        Ok(())
    }
}
