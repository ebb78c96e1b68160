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

/// The parts are there, so only a lack of memory or the like makes the library fail: a panic, as of an operator.
macro_rules! iterator {
    ([$($generic:tt)*] $name:ty, $item:ty, $part:expr) => {
        impl<$($generic)*> Iterator for $name {
            type Item = $item;

            #[track_caller]
            fn next(&mut self) -> Option<Self::Item> {
                self.parts.front().map(|at| or_panic($part(&self.parts, at)))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.parts.left(), Some(self.parts.left()))
            }
        }

        impl<$($generic)*> DoubleEndedIterator for $name {
            #[track_caller]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.parts.back().map(|at| or_panic($part(&self.parts, at)))
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

/// An iterator over views, which a write copies first; [`DynArray::axis_iter`] returns it.
#[derive(Clone, Debug)]
pub struct DynAxisIter {
    parts: Parts,
}
iterator!([] DynAxisIter, DynArray, part);

/// An iterator over views, which a write copies first; [`Array::axis_iter`] returns it.
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
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn axis_iter(&self, axis: i32) -> Result<DynAxisIter> {
        Ok(DynAxisIter { parts: Parts::new(self, axis)? })
    }

    /// Iterates over the views for each index of the first axis: the rows of a matrix.
    #[doc = errors!(arr_index_axis)]
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
    ///     println!("{}", column.sum(..));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn axis_iter(&self, axis: i32) -> Result<AxisIter<T>> {
        Ok(AxisIter { parts: Parts::new(self.as_dyn(), axis)?, elements: PhantomData })
    }

    /// Iterates over the views for each index of the first axis: the rows of a matrix.
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn outer_iter(&self) -> Result<AxisIter<T>> {
        self.axis_iter(0)
    }

    /// Returns the views for each index of the first axis, which are as many as the pattern has.
    ///
    /// ```
    /// # fn main() -> arr::Result<()> {
    /// let [x, y] = arr::array![[1.0, 2.0], [3.0, 4.0]].unpack()?;
    /// assert_eq!(x * y, arr::array![3.0, 8.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_index_axis)]
    #[doc(alias = "unstack")]
    #[allow(clippy::missing_panics_doc)] // it does not
    #[track_caller]
    pub fn unpack<const N: usize>(&self) -> Result<[Array<T>; N]> {
        let mut parts = self.outer_iter()?;
        if parts.len() != N {
            let text = format!("argument a: got {} along the first axis, expected {N}", parts.len());
            return Err(Error::new(ErrorKind::Shape, text));
        }
        Ok(std::array::from_fn(|_| parts.next().expect("there are N")))
    }

    /// Iterates over the parts for each index of an axis, which are written in place while this array is borrowed.
    #[doc = errors!(arr_index_axis, arr_copy)]
    #[track_caller]
    pub fn axis_iter_mut(&mut self, axis: i32) -> Result<AxisIterMut<'_, T>> {
        self.make_mut()?;
        Ok(AxisIterMut { parts: Parts::new(self.as_dyn(), axis)?, borrowed: PhantomData })
    }
}

/// `for row in &a`: iterates like [`Array::outer_iter`], and panics for an array without dimensions.
macro_rules! rows {
    ([$($generic:tt)*] $of:ty, $iterator:ty, $iter:ident) => {
        impl<$($generic)*> IntoIterator for $of {
            type Item = <$iterator as Iterator>::Item;
            type IntoIter = $iterator;

            #[track_caller]
            fn into_iter(self) -> $iterator {
                or_panic(self.$iter(0))
            }
        }
    };
}
rows!([T: Element] &Array<T>, AxisIter<T>, axis_iter);
rows!([T: Element] Array<T>, AxisIter<T>, axis_iter);
rows!(['a, T: Element] &'a mut Array<T>, AxisIterMut<'a, T>, axis_iter_mut);
rows!([] & DynArray, DynAxisIter, axis_iter);
rows!([] DynArray, DynAxisIter, axis_iter);

/// The views of `size` indices of an axis, from every `step`-th index that has at least `least` left.
#[track_caller]
fn ranges<T: Element>(
    a: &Array<T>,
    axis: i32,
    size: usize,
    step: usize,
    least: usize,
) -> Result<impl DoubleEndedIterator<Item = Array<T>> + ExactSizeIterator> {
    let (axis, extent) = extent_of(a.as_dyn(), axis)?;
    if size == 0 {
        return Err(Error::new(ErrorKind::Argument, "argument size: got 0, expected at least 1"));
    }
    let (array, extent) = (a.try_clone()?, extent as usize);
    Ok((0..(extent + 1).saturating_sub(least)).step_by(step).map(move |from| {
        let mut slices = vec![Slice::from(..); axis as usize];
        slices.push(Slice::from(from..extent.min(from.saturating_add(size))));
        or_panic(array.slice(slices))
    }))
}

/// Iterators under ndarray's names.
impl<T: Element> Array<T> {
    /// Iterates over views of `size` neighbouring indices of an axis; the last one may be shorter.
    #[doc = errors!(arr_get_items)]
    #[doc(alias = "exact_chunks")]
    #[track_caller]
    pub fn axis_chunks_iter(
        &self,
        axis: i32,
        size: usize,
    ) -> Result<impl DoubleEndedIterator<Item = Array<T>> + ExactSizeIterator> {
        ranges(self, axis, size, size.max(1), 1)
    }

    /// Iterates over views of `size` neighbouring indices of an axis, one from each index that has as many left.
    #[doc = errors!(arr_get_items)]
    #[doc(alias = "windows")]
    #[track_caller]
    pub fn axis_windows(
        &self,
        axis: i32,
        size: usize,
    ) -> Result<impl DoubleEndedIterator<Item = Array<T>> + ExactSizeIterator> {
        ranges(self, axis, size, 1, size)
    }

    /// Returns a view of row i of a matrix.
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn row(&self, i: i64) -> Result<Array<T>> {
        self.index_axis(-2, i)
    }

    /// Returns a view of column j of a matrix.
    #[doc = errors!(arr_index_axis)]
    #[track_caller]
    pub fn column(&self, j: i64) -> Result<Array<T>> {
        self.index_axis(-1, j)
    }

    /// Iterates over a copy of the elements in row-major order.
    #[doc = errors!(arr_get)]
    #[doc(alias = "into_iter")]
    #[track_caller]
    pub fn iter(&self) -> Result<std::vec::IntoIter<T>> {
        Ok(self.to_vec()?.into_iter())
    }

    /// Iterates over the indices and a copy of each element, in row-major order.
    #[doc = errors!(arr_get)]
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
