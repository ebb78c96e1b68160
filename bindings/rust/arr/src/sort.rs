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
    /// The elements in order along an axis, or all of them in one dimension (`..`).
    #[track_caller]
    pub fn sort(&self, axis: impl Axes, direction: Direction) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_sort(self.as_raw(), axis_of(&axis)?, direction as i32, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The places along an axis that put it in order.
    #[track_caller]
    pub fn argsort(&self, axis: impl Axes, direction: Direction) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_argsort(self.as_raw(), axis_of(&axis)?, direction as i32, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The `k` largest elements along an axis (`Descending`) or the smallest, in order, and their places.
    #[track_caller]
    pub fn topk(&self, k: i64, axis: impl Axes, direction: Direction) -> Result<(DynArray, DynArray)> {
        let (mut values, mut places) = (arr_array::NULL, arr_array::NULL);
        let a = self.as_raw();
        call!(arr_topk(a, k, axis_of(&axis)?, direction as i32, current(), &mut values, &mut places));
        Ok((DynArray::own(values), DynArray::own(places)))
    }

    /// The places that put several keys of one shape in order along an axis; the last key counts first.
    #[track_caller]
    pub fn lexsort(keys: &[&DynArray], axis: impl Axes) -> Result<DynArray> {
        let handles: Vec<arr_array> = keys.iter().map(|k| k.as_raw()).collect();
        let mut out = arr_array::NULL;
        call!(arr_lexsort(count(handles.len())?, handles.as_ptr(), axis_of(&axis)?, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// The elements in order along an axis, or all of them in one dimension (`..`).
    #[track_caller]
    pub fn sort(&self, axis: impl Axes, direction: Direction) -> Result<Array<T>> {
        self.as_dyn().sort(axis, direction)?.typed()
    }

    /// Sorts this array itself along an axis.
    #[track_caller]
    pub fn sort_in_place(&mut self, axis: impl Axes, direction: Direction) -> Result<()> {
        let (dst, axis) = (self.writable()?, axis_of(&axis)?);
        call!(arr_sort_into(dst, dst, axis, direction as i32, current()));
        Ok(())
    }

    /// The places along an axis that put it in order.
    #[track_caller]
    pub fn argsort(&self, axis: impl Axes, direction: Direction) -> Result<Array<i64>> {
        self.as_dyn().argsort(axis, direction)?.typed()
    }

    /// The `k` largest elements along an axis (`Descending`) or the smallest, in order, and their places.
    #[track_caller]
    pub fn topk(&self, k: i64, axis: impl Axes, direction: Direction) -> Result<(Array<T>, Array<i64>)> {
        let (values, places) = self.as_dyn().topk(k, axis, direction)?;
        Ok((values.typed()?, places.typed()?))
    }
}
