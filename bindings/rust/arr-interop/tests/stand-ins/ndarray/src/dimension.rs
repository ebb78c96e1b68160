// SPDX-License-Identifier: MIT
//! Shapes of the stand-in: of a fixed number of axes, or of any.

use std::fmt::Debug;

pub type Ix = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis(pub usize);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dim<I: ?Sized> {
    index: I,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IxDynImpl(Vec<Ix>);

pub type Ix1 = Dim<[Ix; 1]>;
pub type Ix2 = Dim<[Ix; 2]>;
pub type IxDyn = Dim<IxDynImpl>;

#[allow(non_snake_case)]
pub fn IxDyn(ix: &[Ix]) -> IxDyn {
    Dim { index: IxDynImpl(ix.to_vec()) }
}

pub trait Dimension: Clone + Eq + Debug + Send + Sync + Default {
    #[doc(hidden)]
    fn slice(&self) -> &[Ix];
    #[doc(hidden)]
    fn slice_mut(&mut self) -> &mut [Ix];
}

impl Dimension for IxDyn {
    fn slice(&self) -> &[Ix] {
        &self.index.0
    }
    fn slice_mut(&mut self) -> &mut [Ix] {
        &mut self.index.0
    }
}

macro_rules! fixed {
    ($($axes:literal: $tuple:ty = |$x:ident| $index:expr;)*) => {$(
        impl Dimension for Dim<[Ix; $axes]> {
            fn slice(&self) -> &[Ix] {
                &self.index
            }
            fn slice_mut(&mut self) -> &mut [Ix] {
                &mut self.index
            }
        }
        impl ShapeBuilder for $tuple {
            type Dim = Dim<[Ix; $axes]>;
            fn f(self) -> Shape<Self::Dim> {
                Shape(StrideShape { fortran: true, ..self.into() })
            }
        }
        impl From<$tuple> for StrideShape<Dim<[Ix; $axes]>> {
            fn from($x: $tuple) -> Self {
                StrideShape { dim: Dim { index: $index }, fortran: false }
            }
        }
    )*};
}
fixed! {
    1: Ix = |n| [n];
    2: (Ix, Ix) = |n| [n.0, n.1];
}

/// A shape and the order of its elements.
#[derive(Clone, Debug)]
pub struct StrideShape<D> {
    pub(crate) dim: D,
    fortran: bool,
}

#[derive(Clone, Debug)]
pub struct Shape<D>(StrideShape<D>);

pub trait ShapeBuilder {
    type Dim: Dimension;
    /// The same shape in column-major order.
    fn f(self) -> Shape<Self::Dim>;
}

impl ShapeBuilder for IxDyn {
    type Dim = IxDyn;
    fn f(self) -> Shape<IxDyn> {
        Shape(StrideShape { dim: self, fortran: true })
    }
}

impl From<IxDyn> for StrideShape<IxDyn> {
    fn from(dim: IxDyn) -> Self {
        StrideShape { dim, fortran: false }
    }
}

impl<D> From<Shape<D>> for StrideShape<D> {
    fn from(shape: Shape<D>) -> Self {
        shape.0
    }
}

impl<D: Dimension> StrideShape<D> {
    pub(crate) fn strides(&self) -> D {
        let mut strides = self.dim.clone();
        let n = self.dim.slice().len();
        let mut step = 1;
        for k in 0..n {
            let axis = if self.fortran { k } else { n - 1 - k };
            strides.slice_mut()[axis] = step;
            step *= self.dim.slice()[axis];
        }
        strides
    }
}
