// SPDX-License-Identifier: MIT
//! Iterators over the parts of an array along an axis.

use std::marker::PhantomData;

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, or_panic, Error, ErrorKind, Result};
use crate::slice::Slice;
use crate::view::ViewMut;

/// The axis, counted from the front, and its extent.
#[track_caller]
fn extent_of(a: &DynArray, axis: i32) -> Result<(i32, i64)> {
    let shape = a.shape();
    let at = if axis < 0 { i64::from(axis) + shape.len() as i64 } else { i64::from(axis) };
    match usize::try_from(at).ok().and_then(|at| shape.get(at)) {
        Some(&extent) => Ok((at as i32, extent as i64)),
        None => {
            let text = format!("argument axis: axis {axis} of an array with {} dimensions", shape.len());
            Err(Error::new(ErrorKind::Shape, text))
        }
    }
}

/// The remaining indices of an axis. It has a separate handle, so a write to the array meanwhile copies first.
#[derive(Clone, Debug)]
struct Parts {
    array: DynArray,
    axis: i32,
    next: i64,
    end: i64,
}

impl Parts {
    #[track_caller]
    fn new(a: &DynArray, axis: i32) -> Result<Parts> {
        let (axis, end) = extent_of(a, axis)?;
        Ok(Parts { array: a.try_clone()?, axis, next: 0, end })
    }

    fn left(&self) -> usize {
        (self.end - self.next) as usize
    }

    fn front(&mut self) -> Option<i64> {
        (self.next < self.end).then(|| {
            self.next += 1;
            self.next - 1
        })
    }

    fn back(&mut self) -> Option<i64> {
        (self.next < self.end).then(|| {
            self.end -= 1;
            self.end
        })
    }
}

macro_rules! iterator {
    ([$($generic:tt)*] $name:ty, $item:ty, $part:expr) => {
        impl<$($generic)*> Iterator for $name {
            type Item = Result<$item>;

            fn next(&mut self) -> Option<Self::Item> {
                self.parts.front().map(|at| $part(&self.parts, at))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.parts.left(), Some(self.parts.left()))
            }
        }

        impl<$($generic)*> DoubleEndedIterator for $name {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.parts.back().map(|at| $part(&self.parts, at))
            }
        }

        impl<$($generic)*> ExactSizeIterator for $name {}
        impl<$($generic)*> std::iter::FusedIterator for $name {}
    };
}

fn part(parts: &Parts, at: i64) -> Result<DynArray> {
    parts.array.index_axis(parts.axis, at)
}

fn typed<T: Element>(parts: &Parts, at: i64) -> Result<Array<T>> {
    part(parts, at).map(Array::from_dyn)
}

fn written<'a, T: Element>(parts: &Parts, at: i64) -> Result<ViewMut<'a, T>> {
    let mut out = arr_array::NULL;
    call!(arr_index_axis(parts.array.as_raw(), parts.axis, at, &mut out));
    Ok(ViewMut::new(Array::from_dyn(parts.array.sharing(out))))
}

/// An iterator over views; [`DynArray::axis_iter`] returns it.
#[derive(Clone, Debug)]
pub struct DynAxisIter {
    parts: Parts,
}
iterator!([] DynAxisIter, DynArray, part);

/// An iterator over views; [`Array::axis_iter`] returns it.
#[derive(Clone, Debug)]
pub struct AxisIter<T> {
    parts: Parts,
    elements: PhantomData<T>,
}
iterator!([T: Element] AxisIter<T>, Array<T>, typed);

/// An iterator over parts that are written in place; [`Array::axis_iter_mut`] returns it.
#[derive(Debug)]
pub struct AxisIterMut<'a, T> {
    parts: Parts,
    borrowed: PhantomData<&'a mut [T]>,
}
iterator!(['a, T: Element] AxisIterMut<'a, T>, ViewMut<'a, T>, written);

impl DynArray {
    /// Iterates over the views that [`DynArray::index_axis`] returns for each index of an axis.
    #[track_caller]
    pub fn axis_iter(&self, axis: i32) -> Result<DynAxisIter> {
        Ok(DynAxisIter { parts: Parts::new(self, axis)? })
    }

    /// Iterates over the views for each index of the first axis: the rows of a matrix.
    #[track_caller]
    pub fn outer_iter(&self) -> Result<DynAxisIter> {
        self.axis_iter(0)
    }
}

impl<T: Element> Array<T> {
    /// Iterates over the views that [`Array::index_axis`] returns for each index of an axis.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// # let a = arr::Array::<f64>::ones([3, 4])?;
    /// for column in a.axis_iter(1)? {
    ///     println!("{}", column?.sum(..));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn axis_iter(&self, axis: i32) -> Result<AxisIter<T>> {
        Ok(AxisIter { parts: Parts::new(self.as_dyn(), axis)?, elements: PhantomData })
    }

    /// Iterates over the views for each index of the first axis: the rows of a matrix.
    #[track_caller]
    pub fn outer_iter(&self) -> Result<AxisIter<T>> {
        self.axis_iter(0)
    }

    /// Iterates over the parts for each index of an axis, which are written in place while this array is borrowed.
    #[track_caller]
    pub fn axis_iter_mut(&mut self, axis: i32) -> Result<AxisIterMut<'_, T>> {
        self.make_mut()?;
        Ok(AxisIterMut { parts: Parts::new(self.as_dyn(), axis)?, borrowed: PhantomData })
    }
}

/// An iterator over the parts of an array along its first axis, the rows of a matrix: views, which a write copies
/// first. It panics for an array without dimensions, as an operator does.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    parts: Parts,
    elements: PhantomData<T>,
}

impl<T: Element> Iterator for Rows<T> {
    type Item = Array<T>;

    #[track_caller]
    fn next(&mut self) -> Option<Array<T>> {
        self.parts.front().map(|at| or_panic(typed(&self.parts, at)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.parts.left(), Some(self.parts.left()))
    }
}

impl<T: Element> DoubleEndedIterator for Rows<T> {
    #[track_caller]
    fn next_back(&mut self) -> Option<Array<T>> {
        self.parts.back().map(|at| or_panic(typed(&self.parts, at)))
    }
}

impl<T: Element> ExactSizeIterator for Rows<T> {}
impl<T: Element> std::iter::FusedIterator for Rows<T> {}

/// `for row in &a`: iterates like [`Array::outer_iter`], but panics on errors.
impl<T: Element> IntoIterator for &Array<T> {
    type Item = Array<T>;
    type IntoIter = Rows<T>;

    #[track_caller]
    fn into_iter(self) -> Rows<T> {
        Rows { parts: or_panic(Parts::new(self.as_dyn(), 0)), elements: PhantomData }
    }
}

/// `for row in a`: iterates like `for row in &a`.
impl<T: Element> IntoIterator for Array<T> {
    type Item = Array<T>;
    type IntoIter = Rows<T>;

    #[track_caller]
    fn into_iter(self) -> Rows<T> {
        (&self).into_iter()
    }
}

/// `for mut row in &mut a`: iterates over the parts along the first axis, which are written in place.
impl<'a, T: Element> IntoIterator for &'a mut Array<T> {
    type Item = ViewMut<'a, T>;
    type IntoIter = RowsMut<'a, T>;

    #[track_caller]
    fn into_iter(self) -> RowsMut<'a, T> {
        RowsMut { parts: or_panic(self.axis_iter_mut(0)) }
    }
}

/// An iterator over parts that are written in place, of `for mut row in &mut a`.
#[derive(Debug)]
pub struct RowsMut<'a, T> {
    parts: AxisIterMut<'a, T>,
}

impl<'a, T: Element> Iterator for RowsMut<'a, T> {
    type Item = ViewMut<'a, T>;

    #[track_caller]
    fn next(&mut self) -> Option<ViewMut<'a, T>> {
        self.parts.next().map(or_panic)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl<T: Element> ExactSizeIterator for RowsMut<'_, T> {}

/// Iterators under ndarray's names.
impl<T: Element> Array<T> {
    /// Iterates over views of `size` neighbouring indices of an axis; the last one may be shorter.
    #[doc(alias = "exact_chunks")]
    #[track_caller]
    pub fn axis_chunks_iter(&self, axis: i32, size: usize) -> Result<impl Iterator<Item = Array<T>>> {
        let (axis, extent) = extent_of(self.as_dyn(), axis)?;
        if size == 0 {
            return Err(Error::new(ErrorKind::Argument, "argument size: got 0, expected at least 1"));
        }
        let (array, extent) = (self.try_clone()?, extent as usize);
        Ok((0..extent).step_by(size).map(move |from| {
            let mut slices = vec![Slice::from(..); axis as usize];
            slices.push(Slice::from(from..extent.min(from.saturating_add(size))));
            or_panic(array.slice(slices))
        }))
    }

    /// Returns a view of row i of a matrix.
    #[track_caller]
    pub fn row(&self, i: i64) -> Result<Array<T>> {
        self.index_axis(-2, i)
    }

    /// Returns a view of column j of a matrix.
    #[track_caller]
    pub fn column(&self, j: i64) -> Result<Array<T>> {
        self.index_axis(-1, j)
    }

    /// Iterates over a copy of the elements in row-major order.
    #[doc(alias = "into_iter")]
    #[track_caller]
    pub fn iter(&self) -> Result<std::vec::IntoIter<T>> {
        Ok(self.to_vec()?.into_iter())
    }

    /// Iterates over the indices and a copy of each element, in row-major order.
    #[doc(alias = "ndenumerate")]
    #[track_caller]
    pub fn indexed_iter(&self) -> Result<impl Iterator<Item = (Vec<usize>, T)>> {
        let shape = self.shape().to_vec();
        Ok(self.to_vec()?.into_iter().enumerate().map(move |(at, x)| {
            let mut position = vec![0; shape.len()];
            let mut left = at;
            for axis in (0..shape.len()).rev() {
                position[axis] = left % shape[axis];
                left /= shape[axis];
            }
            (position, x)
        }))
    }
}
