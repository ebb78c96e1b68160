// SPDX-License-Identifier: MIT
//! Elements at positions and where masks are true.

use crate::array::Array;
use crate::element::{value_of, Element};
use crate::error::{call, Result};
use crate::output::Output;
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

impl<T: Element> Array<T> {
    /// Writes the elements of [`Array::mask`] to a vector of any extent: `fill` follows them, those that do not fit are
    /// left out, and `count`, an array without dimensions, receives their number. It does not wait, so a graph can
    /// capture it.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (mut n, mut kept) = (Array::scalar(0i64)?, array![0, 0, 0]);
    /// array![1, 2, 3].mask_sized(&array![true, false, true], -1, &mut kept, &mut n)?;
    /// assert_eq!(kept, array![1, 3, -1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_extract_sized)]
    #[track_caller]
    pub fn mask_sized(
        &self,
        mask: &Array<bool>,
        fill: T,
        out: &mut impl Output<T>,
        count: &mut impl Output<i64>,
    ) -> Result<()> {
        let (dst, n, rest) = (out.destination()?, count.destination()?, value_of(fill));
        call!(arr_extract_sized(dst, n, mask.as_raw(), self.as_raw(), &rest, current()));
        Ok(())
    }

    /// Writes the indices of [`Array::flatnonzero`] to a vector of any extent, like [`Array::mask_sized`].
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (mut n, mut at) = (Array::scalar(0i64)?, array![0i64, 0, 0]);
    /// array![5, 0, 7].flatnonzero_sized(-1, &mut at, &mut n)?;
    /// assert_eq!(at, array![0i64, 2, -1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_flatnonzero_sized)]
    #[track_caller]
    pub fn flatnonzero_sized(&self, fill: i64, out: &mut impl Output<i64>, count: &mut impl Output<i64>) -> Result<()> {
        let (dst, n) = (out.destination()?, count.destination()?);
        call!(arr_flatnonzero_sized(dst, n, self.as_raw(), fill, current()));
        Ok(())
    }
}
