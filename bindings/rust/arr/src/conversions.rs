// SPDX-License-Identifier: MIT
//! The traits by which the standard library makes, compares and adds up collections.
//!
//! They cannot return an error, so they panic with the library's text, as operators do.

use std::iter::Sum;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, or_panic, Error, Result};
use crate::shape::row_major;
use arr_sys::arr_array;

/// `array![1.0, 2.0]`, `array![[1, 2], [3, 4]]`: an array on the host of the numbers written down.
///
/// ```no_run
/// let a = arr::array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// assert_eq!(a.shape(), [2, 3]);
/// ```
///
/// Rows have one length:
///
/// ```compile_fail,E0308
/// let a = arr::array![[1, 2], [3]];
/// ```
#[doc(alias = "arr1")]
#[doc(alias = "arr2")]
#[macro_export]
macro_rules! array {
    ($([$([$($x:expr),* $(,)?]),+ $(,)?]),+ $(,)?) => { $crate::Array::from([$([$([$($x),*]),+]),+]) };
    ($([$($x:expr),* $(,)?]),+ $(,)?) => { $crate::Array::from([$([$($x),*]),+]) };
    ($($x:expr),* $(,)?) => { $crate::Array::from([$($x),*]) };
}

/// A vector, whose memory is taken over.
impl<T: Element> From<Vec<T>> for Array<T> {
    #[track_caller]
    fn from(elements: Vec<T>) -> Array<T> {
        let n = elements.len();
        or_panic(Array::from_vec(elements, n))
    }
}

/// A vector, whose elements are copied.
macro_rules! copied {
    ($([$($generic:tt)*] $type:ty;)*) => {$(
        impl<T: Element, $($generic)*> From<$type> for Array<T> {
            #[track_caller]
            fn from(elements: $type) -> Array<T> {
                or_panic(Array::from_slice(&elements[..], elements.len()))
            }
        }
    )*};
}
copied! {
    [] &[T];
    [] &Vec<T>;
    [const N: usize] [T; N];
    [const N: usize] &[T; N];
}

impl<T: Element, const N: usize, const M: usize> From<[[T; M]; N]> for Array<T> {
    #[track_caller]
    fn from(rows: [[T; M]; N]) -> Array<T> {
        or_panic(Array::from_slice(&rows.concat(), row_major([N, M])))
    }
}

impl<T: Element, const N: usize, const M: usize, const L: usize> From<[[[T; L]; M]; N]> for Array<T> {
    #[track_caller]
    fn from(parts: [[[T; L]; M]; N]) -> Array<T> {
        or_panic(Array::from_slice(&parts.concat().concat(), row_major([N, M, L])))
    }
}

/// Rows, which have one length; an error where they have not.
impl<T: Element> TryFrom<Vec<Vec<T>>> for Array<T> {
    type Error = Error;
    #[track_caller]
    fn try_from(rows: Vec<Vec<T>>) -> Result<Array<T>> {
        let (n, m) = (rows.len(), rows.first().map_or(0, Vec::len));
        match rows.iter().position(|row| row.len() != m) {
            None => Array::from_vec(rows.concat(), [n, m]),
            Some(at) => {
                let text = format!("argument rows: row {at} has {} elements, expected {m}", rows[at].len());
                Err(Error::new(crate::ErrorKind::Shape, text))
            }
        }
    }
}

/// An error where the elements are of another type.
impl<T: Element> TryFrom<DynArray> for Array<T> {
    type Error = Error;
    #[track_caller]
    fn try_from(array: DynArray) -> Result<Array<T>> {
        array.typed()
    }
}

impl<T> From<Array<T>> for DynArray {
    fn from(array: Array<T>) -> DynArray {
        array.into_dyn()
    }
}

impl<T> AsRef<DynArray> for Array<T> {
    fn as_ref(&self) -> &DynArray {
        self.as_dyn()
    }
}

impl AsRef<DynArray> for DynArray {
    fn as_ref(&self) -> &DynArray {
        self
    }
}

/// A copy of the elements in row-major order.
impl<T: Element> TryFrom<&Array<T>> for Vec<T> {
    type Error = Error;
    #[track_caller]
    fn try_from(array: &Array<T>) -> Result<Vec<T>> {
        array.to_vec()
    }
}

/// The elements in row-major order: the vector of which the array was made, where nobody else has it.
impl<T: Element> TryFrom<Array<T>> for Vec<T> {
    type Error = Error;
    #[track_caller]
    fn try_from(array: Array<T>) -> Result<Vec<T>> {
        array.into_vec()
    }
}

/// `let [x, y, z] = array.try_into()?`: an error where the elements are not as many.
impl<T: Element, const N: usize> TryFrom<Array<T>> for [T; N] {
    type Error = Error;
    #[track_caller]
    fn try_from(array: Array<T>) -> Result<[T; N]> {
        <[T; N]>::try_from(array.into_vec()?).map_err(|all| {
            let text = format!("argument array: got {} elements, expected {N}", all.len());
            Error::new(crate::ErrorKind::Shape, text)
        })
    }
}

impl<T: Element> FromIterator<T> for Array<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Array<T> {
        Array::from(elements.into_iter().collect::<Vec<T>>())
    }
}

/// Arrays of one shape, stacked along a new first axis: an empty vector of none.
impl<T: Element> FromIterator<Array<T>> for Array<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = Array<T>>>(arrays: I) -> Array<T> {
        let all: Vec<Array<T>> = arrays.into_iter().collect();
        match all.is_empty() {
            true => Array::default(),
            false => or_panic(crate::stack(&all.iter().collect::<Vec<_>>(), 0)),
        }
    }
}

/// More elements at the end of a vector. On the host the memory grows as a `Vec` does; on a GPU each call copies all.
impl<T: Element> Extend<T> for Array<T> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        let more: Vec<T> = elements.into_iter().collect();
        or_panic(extend(self, &more));
    }
}

impl<'a, T: Element> Extend<&'a T> for Array<T> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, elements: I) {
        self.extend(elements.into_iter().copied());
    }
}

#[track_caller]
fn extend<T: Element>(vector: &mut Array<T>, more: &[T]) -> Result<()> {
    if vector.ndim() != 1 {
        let text = format!("argument self: an array with {} dimensions, expected 1", vector.ndim());
        return Err(Error::new(crate::ErrorKind::Shape, text));
    }
    let device = vector.device();
    let mut all = std::mem::take(vector).into_vec()?;
    all.extend_from_slice(more);
    *vector = match device == crate::Device::HOST {
        true => Array::from(all),
        false => device.array(&all, all.len())?,
    };
    Ok(())
}

/// An empty vector.
impl<T: Element> Default for Array<T> {
    #[track_caller]
    fn default() -> Array<T> {
        or_panic(Array::zeros(0))
    }
}

/// True for one shape and equal elements, which it waits for. NaN equals nothing; the types are one, but `1 == 1.0` of a
/// [`DynArray`].
impl<T: Element> PartialEq for Array<T> {
    #[track_caller]
    fn eq(&self, other: &Array<T>) -> bool {
        self.as_dyn() == other.as_dyn()
    }
}

impl PartialEq for DynArray {
    #[track_caller]
    fn eq(&self, other: &DynArray) -> bool {
        or_panic(equal(self, other))
    }
}

#[track_caller]
fn equal(x: &DynArray, y: &DynArray) -> Result<bool> {
    if x.shape() != y.shape() {
        return Ok(false);
    }
    let mut out = arr_array::NULL;
    call!(arr_array_equal(x.as_raw(), y.as_raw(), false, crate::stream::current(), &mut out));
    DynArray::own(out).typed::<bool>()?.item()
}

/// The sum of no arrays is a zero without dimensions, to which any array adds.
impl<T: Element> Sum for Array<T> {
    #[track_caller]
    fn sum<I: Iterator<Item = Array<T>>>(arrays: I) -> Array<T> {
        arrays.reduce(|x, y| x + y).unwrap_or_else(|| or_panic(Array::scalar(T::default())))
    }
}

impl<'a, T: Element> Sum<&'a Array<T>> for Array<T> {
    #[track_caller]
    fn sum<I: Iterator<Item = &'a Array<T>>>(mut arrays: I) -> Array<T> {
        match arrays.next() {
            None => or_panic(Array::scalar(T::default())),
            Some(first) => arrays.fold(first.clone(), |sum, x| sum + x),
        }
    }
}
