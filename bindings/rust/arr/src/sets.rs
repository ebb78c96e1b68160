// SPDX-License-Identifier: MIT
//! Distinct elements, membership and set operations.

use arr_sys::{arr_array, ARR_AXIS_NONE};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::ops::axis_of;
use crate::shape::Axes;
use crate::stream::current;

/// The order of distinct elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum UniqueOrder {
    /// The least element first.
    #[default]
    Ascending = 0,
    /// By first occurrence.
    Occurrence = 1,
}

/// The distinct elements of an array of any type, and where they are.
#[derive(Debug)]
pub struct DynDistinct {
    /// The elements, or the slices.
    pub values: DynArray,
    /// The index of the first occurrence of each.
    pub indices: DynArray,
    /// The index of each element of the array in the values, of the array's shape.
    pub inverse: DynArray,
    /// The number of times that each occurs.
    pub counts: DynArray,
}

/// The distinct elements of an array, and where they are.
#[derive(Debug)]
pub struct Distinct<T: Element> {
    /// The elements, or the slices.
    pub values: Array<T>,
    /// The index of the first occurrence of each.
    pub indices: Array<i64>,
    /// The index of each element of the array in the values, of the array's shape.
    pub inverse: Array<i64>,
    /// The number of times that each occurs.
    pub counts: Array<i64>,
}

type Out<'a> = Option<&'a mut arr_array>;

fn pointer(out: Out) -> *mut arr_array {
    out.map_or(std::ptr::null_mut(), |h| h)
}

impl DynArray {
    #[track_caller]
    fn distinct(&self, axis: i32, order: UniqueOrder, values: &mut arr_array, more: [Out; 3]) -> Result<()> {
        let [indices, inverse, counts] = more.map(pointer);
        let sorted = if order == UniqueOrder::Ascending { arr_sys::ARR_UNIQUE_SORTED } else { 0 };
        let flags = sorted | arr_sys::ARR_UNIQUE_EQUAL_NAN;
        call!(arr_unique(self.as_raw(), axis, flags, current(), values, indices, inverse, counts));
        Ok(())
    }

    /// Returns the distinct slices along an axis, or, for `..`, the distinct elements.
    #[doc = errors!(arr_unique)]
    #[track_caller]
    pub fn unique(&self, axis: impl Axes, order: UniqueOrder) -> Result<DynArray> {
        let mut values = arr_array::NULL;
        self.distinct(axis_of(&axis)?, order, &mut values, [None, None, None])?;
        Ok(DynArray::own(values))
    }

    /// Returns the distinct slices or elements, the index of the first occurrence of each, the inverse and the counts.
    #[doc = errors!(arr_unique)]
    #[track_caller]
    pub fn unique_all(&self, axis: impl Axes, order: UniqueOrder) -> Result<DynDistinct> {
        let axis = axis_of(&axis)?;
        let (mut values, mut indices) = (arr_array::NULL, arr_array::NULL);
        let (mut inverse, mut counts) = (arr_array::NULL, arr_array::NULL);
        let more = [Some(&mut indices), Some(&mut inverse), Some(&mut counts)];
        self.distinct(axis, order, &mut values, more)?;
        Ok(DynDistinct {
            values: DynArray::own(values),
            indices: DynArray::own(indices),
            inverse: DynArray::own(inverse),
            counts: DynArray::own(counts),
        })
    }

    /// Returns the distinct elements in ascending order and their counts.
    #[doc = errors!(arr_unique)]
    #[track_caller]
    pub fn unique_counts(&self) -> Result<(DynArray, DynArray)> {
        let (mut values, mut counts) = (arr_array::NULL, arr_array::NULL);
        self.distinct(ARR_AXIS_NONE, UniqueOrder::Ascending, &mut values, [None, None, Some(&mut counts)])?;
        Ok((DynArray::own(values), DynArray::own(counts)))
    }
}

impl<T: Element> Array<T> {
    /// Returns the distinct slices along an axis, or, for `..`, the distinct elements.
    #[doc = errors!(arr_unique)]
    #[track_caller]
    pub fn unique(&self, axis: impl Axes, order: UniqueOrder) -> Result<Array<T>> {
        self.as_dyn().unique(axis, order)?.typed()
    }

    /// Returns the distinct slices or elements, the index of the first occurrence of each, the inverse and the counts.
    #[doc = errors!(arr_unique)]
    #[track_caller]
    pub fn unique_all(&self, axis: impl Axes, order: UniqueOrder) -> Result<Distinct<T>> {
        let all = self.as_dyn().unique_all(axis, order)?;
        Ok(Distinct {
            values: all.values.typed()?,
            indices: all.indices.typed()?,
            inverse: all.inverse.typed()?,
            counts: all.counts.typed()?,
        })
    }

    /// Returns the distinct elements in ascending order and their counts.
    #[doc = errors!(arr_unique)]
    #[track_caller]
    pub fn unique_counts(&self) -> Result<(Array<T>, Array<i64>)> {
        let (values, counts) = self.as_dyn().unique_counts()?;
        Ok((values.typed()?, counts.typed()?))
    }
}
