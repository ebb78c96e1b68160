// SPDX-License-Identifier: MIT
//! A stand-in for the crate `ndarray`, for machines that cannot have it: the part of its interface (0.15 to 0.17) that the
//! feature `ndarray` of arr-interop and its test use, with the names, bounds and signatures of its documentation. The
//! code is our own, so the test says that ours compiles against such an interface, not that ndarray works with it.

mod dimension;

pub use dimension::{Axis, Dim, Dimension, Ix, Ix1, Ix2, IxDyn, IxDynImpl, Shape, ShapeBuilder, StrideShape};

use std::fmt;
use std::ptr::NonNull;

/// A store of elements.
///
/// # Safety
/// As in ndarray: the implementor owns or borrows the elements that its array points to.
pub unsafe trait RawData: Sized {
    type Elem;
}

/// # Safety
/// As of [`RawData`], and the elements may be written.
pub unsafe trait RawDataMut: RawData {}

/// # Safety
/// As of [`RawData`], and the elements are valid.
pub unsafe trait Data: RawData {}

/// # Safety
/// As of [`Data`], and a vector becomes such data.
pub unsafe trait DataOwned: Data {
    #[doc(hidden)]
    fn new(elements: Vec<Self::Elem>) -> Self;
    #[doc(hidden)]
    fn start(&mut self) -> NonNull<Self::Elem>;
}

#[derive(Debug)]
pub struct OwnedRepr<A>(Vec<A>);

#[derive(Debug)]
pub struct ViewRepr<A>(std::marker::PhantomData<A>);

// SAFETY: the vector owns its elements.
unsafe impl<A> RawData for OwnedRepr<A> {
    type Elem = A;
}
// SAFETY: as above, and nobody else has them.
unsafe impl<A> RawDataMut for OwnedRepr<A> {}
// SAFETY: as above.
unsafe impl<A> Data for OwnedRepr<A> {}
// SAFETY: the elements of a vector stay where they are when the vector moves.
unsafe impl<A> DataOwned for OwnedRepr<A> {
    fn new(elements: Vec<A>) -> Self {
        OwnedRepr(elements)
    }
    fn start(&mut self) -> NonNull<A> {
        NonNull::new(self.0.as_mut_ptr()).expect("a vector's pointer is not null")
    }
}
// SAFETY: the borrow of a view keeps its elements.
unsafe impl<'a, A> RawData for ViewRepr<&'a A> {
    type Elem = A;
}
// SAFETY: as above.
unsafe impl<'a, A> Data for ViewRepr<&'a A> {}
// SAFETY: the borrow of a view keeps its elements.
unsafe impl<'a, A> RawData for ViewRepr<&'a mut A> {
    type Elem = A;
}
// SAFETY: as above, and nobody else has them.
unsafe impl<'a, A> RawDataMut for ViewRepr<&'a mut A> {}
// SAFETY: as above.
unsafe impl<'a, A> Data for ViewRepr<&'a mut A> {}

pub struct ArrayBase<S: RawData, D> {
    data: S,
    ptr: NonNull<S::Elem>,
    dim: D,
    strides: D,
}

pub type Array<A, D> = ArrayBase<OwnedRepr<A>, D>;
pub type Array1<A> = Array<A, Ix1>;
pub type Array2<A> = Array<A, Ix2>;
pub type ArrayD<A> = Array<A, IxDyn>;
pub type ArrayView<'a, A, D> = ArrayBase<ViewRepr<&'a A>, D>;
pub type ArrayViewD<'a, A> = ArrayView<'a, A, IxDyn>;
pub type ArrayViewMut<'a, A, D> = ArrayBase<ViewRepr<&'a mut A>, D>;
pub type ArrayViewMutD<'a, A> = ArrayViewMut<'a, A, IxDyn>;

// SAFETY: an array is its elements and plain numbers.
unsafe impl<S: Send + Data, D: Send> Send for ArrayBase<S, D> {}
// SAFETY: as above.
unsafe impl<S: Sync + Data, D: Sync> Sync for ArrayBase<S, D> {}

/// Elements that do not fit a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeError(());

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShapeError/OutOfBounds: out of bounds indexing")
    }
}

impl std::error::Error for ShapeError {}

impl<S: DataOwned, D: Dimension> ArrayBase<S, D> {
    pub fn from_shape_vec<Sh: Into<StrideShape<D>>>(shape: Sh, v: Vec<S::Elem>) -> Result<Self, ShapeError> {
        let (dim, strides) = strided(shape.into(), v.len())?;
        let mut data = S::new(v);
        let ptr = data.start();
        Ok(ArrayBase { data, ptr, dim, strides })
    }
}

/// The strides of a shape that has `n` elements.
fn strided<D: Dimension>(shape: StrideShape<D>, n: usize) -> Result<(D, D), ShapeError> {
    if n != shape.dim.slice().iter().product::<usize>() {
        return Err(ShapeError(()));
    }
    let strides = shape.strides();
    Ok((shape.dim, strides))
}

impl<'a, A, D: Dimension> ArrayBase<ViewRepr<&'a A>, D> {
    pub fn from_shape<Sh: Into<StrideShape<D>>>(shape: Sh, xs: &'a [A]) -> Result<Self, ShapeError> {
        let (dim, strides) = strided(shape.into(), xs.len())?;
        Ok(ArrayBase { data: ViewRepr(std::marker::PhantomData), ptr: NonNull::from(xs).cast(), dim, strides })
    }
}

impl<'a, A, D: Dimension> ArrayBase<ViewRepr<&'a mut A>, D> {
    pub fn from_shape<Sh: Into<StrideShape<D>>>(shape: Sh, xs: &'a mut [A]) -> Result<Self, ShapeError> {
        let (dim, strides) = strided(shape.into(), xs.len())?;
        Ok(ArrayBase { data: ViewRepr(std::marker::PhantomData), ptr: NonNull::from(xs).cast(), dim, strides })
    }
}

impl<S: RawData, D: Dimension> ArrayBase<S, D> {
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn ndim(&self) -> usize {
        self.dim.slice().len()
    }
    pub fn shape(&self) -> &[usize] {
        self.dim.slice()
    }
    pub fn strides(&self) -> &[isize] {
        let s = self.strides.slice();
        // SAFETY: isize has the layout of usize; ndarray keeps strides so, too.
        unsafe { std::slice::from_raw_parts(s.as_ptr().cast(), s.len()) }
    }
    /// The address of the first element, whatever the strides' signs.
    pub fn as_ptr(&self) -> *const S::Elem {
        self.ptr.as_ptr()
    }
    pub fn as_mut_ptr(&mut self) -> *mut S::Elem
    where
        S: RawDataMut,
    {
        self.ptr.as_ptr()
    }
    pub fn invert_axis(&mut self, axis: Axis) {
        let (n, step) = (self.shape()[axis.0] as isize, self.strides()[axis.0]);
        if n > 0 {
            // SAFETY: it is the axis' last element.
            self.ptr = unsafe { NonNull::new_unchecked(self.ptr.as_ptr().offset((n - 1) * step)) };
        }
        self.strides.slice_mut()[axis.0] = step.wrapping_neg() as usize;
    }
    pub fn reversed_axes(mut self) -> Self {
        self.dim.slice_mut().reverse();
        self.strides.slice_mut().reverse();
        self
    }
}

impl<S: Data, D: Dimension> ArrayBase<S, D> {
    pub fn view(&self) -> ArrayView<'_, S::Elem, D> {
        let data = ViewRepr(std::marker::PhantomData);
        ArrayBase { data, ptr: self.ptr, dim: self.dim.clone(), strides: self.strides.clone() }
    }
    pub fn t(&self) -> ArrayView<'_, S::Elem, D> {
        self.view().reversed_axes()
    }
    /// The elements in row-major order of the positions.
    pub fn iter(&self) -> impl Iterator<Item = &S::Elem> + '_ {
        let (shape, strides) = (self.shape(), self.strides());
        (0..self.len()).map(move |k| {
            let (mut rest, mut at) = (k, 0);
            for axis in (0..shape.len()).rev() {
                at += (rest % shape[axis]) as isize * strides[axis];
                rest /= shape[axis];
            }
            // SAFETY: the position is within the shape.
            unsafe { &*self.ptr.as_ptr().offset(at) }
        })
    }
}

impl<S: Data, D: Dimension> fmt::Debug for ArrayBase<S, D>
where
    S: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?} by {:?}", self.data, self.dim, self.strides())
    }
}
