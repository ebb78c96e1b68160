// SPDX-License-Identifier: MIT
//! Elements at positions and where masks are true.

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{value_of, Element};
use crate::error::{call, Result};
use crate::stream::current;

/// The meaning of a position outside of its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Bounds {
    /// An error; -1 is the last element.
    #[default]
    Raise = arr_sys::ARR_BOUNDS_RAISE,
    /// The first or the last element; -1 is the first.
    Clip = arr_sys::ARR_BOUNDS_CLIP,
    /// The remainder by the extent.
    Wrap = arr_sys::ARR_BOUNDS_WRAP,
}

impl DynArray {
    /// Slices along an axis at the positions, which replace it by their own axes.
    #[track_caller]
    pub fn take(&self, positions: &DynArray, axis: i32) -> Result<DynArray> {
        self.take_with(positions, axis, Bounds::Raise)
    }

    /// [`DynArray::take`] with a meaning of positions outside.
    #[track_caller]
    pub fn take_with(&self, positions: &DynArray, axis: i32, bounds: Bounds) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_take(self.as_raw(), positions.as_raw(), axis, bounds as i32, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// In each line along an axis the elements at the positions of the same line.
    #[track_caller]
    pub fn take_along_axis(&self, positions: &DynArray, axis: i32) -> Result<DynArray> {
        let bounds = arr_sys::ARR_BOUNDS_RAISE;
        let mut out = arr_array::NULL;
        call!(arr_take_along_axis(self.as_raw(), positions.as_raw(), axis, bounds, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The elements in row-major order where a mask of as many elements is true.
    #[track_caller]
    pub fn mask(&self, mask: &DynArray) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_extract(mask.as_raw(), self.as_raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Slices along an axis where a vector is true.
    #[track_caller]
    pub fn compress(&self, condition: &DynArray, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_compress(condition.as_raw(), self.as_raw(), axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The positions in row-major order of the elements that are not zero.
    #[track_caller]
    pub fn flatnonzero(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_flatnonzero(self.as_raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The coordinates of the elements that are not zero, a row for each.
    #[track_caller]
    pub fn argwhere(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_argwhere(self.as_raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// Slices along an axis at the positions, which replace it by their own axes.
    #[track_caller]
    pub fn take<I: Element>(&self, positions: &Array<I>, axis: i32) -> Result<Array<T>> {
        self.as_dyn().take(positions.as_dyn(), axis)?.typed()
    }

    /// [`Array::take`] with a meaning of positions outside.
    #[track_caller]
    pub fn take_with<I: Element>(&self, positions: &Array<I>, axis: i32, bounds: Bounds) -> Result<Array<T>> {
        self.as_dyn().take_with(positions.as_dyn(), axis, bounds)?.typed()
    }

    /// In each line along an axis the elements at the positions of the same line.
    #[track_caller]
    pub fn take_along_axis<I: Element>(&self, positions: &Array<I>, axis: i32) -> Result<Array<T>> {
        self.as_dyn().take_along_axis(positions.as_dyn(), axis)?.typed()
    }

    /// The elements in row-major order where a mask of as many elements is true.
    #[track_caller]
    pub fn mask(&self, mask: &Array<bool>) -> Result<Array<T>> {
        self.as_dyn().mask(mask.as_dyn())?.typed()
    }

    /// Slices along an axis where a vector is true.
    #[track_caller]
    pub fn compress(&self, condition: &Array<bool>, axis: i32) -> Result<Array<T>> {
        self.as_dyn().compress(condition.as_dyn(), axis)?.typed()
    }

    /// The positions in row-major order of the elements that are not zero.
    #[track_caller]
    pub fn flatnonzero(&self) -> Result<Array<i64>> {
        self.as_dyn().flatnonzero()?.typed()
    }

    /// The coordinates of the elements that are not zero, a row for each.
    #[track_caller]
    pub fn argwhere(&self) -> Result<Array<i64>> {
        self.as_dyn().argwhere()?.typed()
    }

    /// [`Array::mask`] into a vector of any extent: `fill` follows the elements, more than fits is left out, and
    /// `count`, an array without dimensions, gets their number. It does not wait, so a graph can capture it.
    #[track_caller]
    pub fn mask_sized(&self, mask: &Array<bool>, fill: T, out: &mut Array<T>, count: &mut Array<i64>) -> Result<()> {
        let (dst, n, rest) = (out.writable()?, count.writable()?, value_of(fill));
        call!(arr_extract_sized(dst, n, mask.as_raw(), self.as_raw(), &rest, current()));
        Ok(())
    }

    /// [`Array::flatnonzero`] into a vector of any extent, as [`Array::mask_sized`].
    #[track_caller]
    pub fn flatnonzero_sized(&self, fill: i64, out: &mut Array<i64>, count: &mut Array<i64>) -> Result<()> {
        let (dst, n) = (out.writable()?, count.writable()?);
        call!(arr_flatnonzero_sized(dst, n, self.as_raw(), fill, current()));
        Ok(())
    }
}
