// SPDX-License-Identifier: MIT
//! Sparse matrices: products, element-wise operations, reductions, operators.

use std::ops::{Add, Div, Mul, Neg, Sub};

use arr_sys::{arr_array, arr_sparse, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{value_of, DType, Element, Number, Ordered};
use crate::error::{call, or_panic, Result};
use crate::linalg::MatrixNorm;
use crate::numbers::{bf16, c32, c64, f16};
use crate::operand::Operand;
use crate::operators::pair;
use crate::ops::{axis_of, example, Reduction};
use crate::output::Output;
use crate::shape::{Axes, Order};
use crate::sparse::SparseMatrix;
use crate::stream::current;
use crate::ufunc::Ufunc;

/// Products, element-wise operations and reductions.
impl<T: Element> SparseMatrix<T> {
    /// Computes the product with a vector or a dense matrix.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.matmul(&array![1, 2])?, array![14, 8]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_matmul)]
    #[doc(alias = "dot")]
    #[track_caller]
    pub fn matmul(&self, x: &Array<T>) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_matmul(self.as_raw(), x.as_raw(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Computes [`SparseMatrix::matmul`] into an array of the product's shape.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// let mut y = Array::<i32>::zeros(2)?;
    /// a.matmul_into(&array![1, 2], &mut y)?;
    /// assert_eq!(y, array![14, 8]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_matmul_into)]
    #[track_caller]
    pub fn matmul_into(&self, x: &Array<T>, out: &mut impl Output<T>) -> Result<()> {
        let (dst, a, one, zero) = (out.destination()?, self.as_raw(), std::ptr::null(), std::ptr::null());
        call!(arr_sparse_matmul_into(dst, a, x.as_raw(), one, zero, current()));
        Ok(())
    }

    /// Computes alpha a x + beta out in `out`, a the matrix. As in BLAS, `out` is not read if beta is 0.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// let mut y = array![100, 200];
    /// a.matmul_add_into(-1, &array![1, 2], 2, &mut y)?; // 2 y - a x
    /// assert_eq!(y, array![186, 392]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_matmul_into)]
    #[track_caller]
    pub fn matmul_add_into(&self, alpha: T, x: &Array<T>, beta: T, out: &mut impl Output<T>) -> Result<()> {
        let (dst, alpha, beta) = (out.destination()?, value_of(alpha), value_of(beta));
        call!(arr_sparse_matmul_into(dst, self.as_raw(), x.as_raw(), &alpha, &beta, current()));
        Ok(())
    }

    /// Computes the product of a vector or a dense matrix with this matrix.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.rmatmul(&array![1, 2])?, array![16, 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_rmatmul)]
    #[track_caller]
    pub fn rmatmul(&self, x: &Array<T>) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_rmatmul(x.as_raw(), self.as_raw(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Computes the product of two sparse matrices, in compressed rows.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.product(&a)?.to_dense(Order::C)?, array![[56, 0], [0, 56]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_product)]
    #[doc(alias = "matmul")]
    #[track_caller]
    pub fn product(&self, b: &SparseMatrix<T>) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_product(self.as_raw(), b.as_raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Computes an operation of each element; one that does not give 0 for 0 is an error. `U` is the type of its results.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 9], [4, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.unary::<f64>(Ufunc::find("sqrt")?)?.data()?, array![3.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_unary)]
    #[track_caller]
    pub fn unary<U: Element>(&self, op: Ufunc) -> Result<SparseMatrix<U>> {
        self.mapped(op.code())
    }

    #[track_caller]
    fn mapped<U: Element>(&self, op: i32) -> Result<SparseMatrix<U>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_unary(op, self.as_raw(), current(), &mut out));
        self.sharing_indices(out)
    }

    /// Computes an operation of the elements of two matrices, in compressed rows; one that does not give 0 for zeros is an
    /// error. `U` is the type of its results.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 9], [4, 0]], SparseFormat::Csr)?;
    /// let eye = SparseMatrix::eye((2, 2), 0, Device::HOST)?;
    /// let larger = a.binary::<i32>(Ufunc::find("maximum")?, &eye)?;
    /// assert_eq!(larger.to_dense(Order::C)?, array![[1, 9], [4, 1]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_binary)]
    #[track_caller]
    pub fn binary<U: Element>(&self, op: Ufunc, b: &SparseMatrix<T>) -> Result<SparseMatrix<U>> {
        self.combined(op.code(), b)
    }

    #[track_caller]
    fn combined<U: Element>(&self, op: i32, b: &SparseMatrix<T>) -> Result<SparseMatrix<U>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_binary(op, self.as_raw(), b.as_raw(), current(), &mut out));
        self.sharing_indices(out)
    }

    /// Computes an operation of each stored element and a number, or the element of an array that broadcasts to the shape: a
    /// vector scales the columns, one of shape \[m, 1\] the rows. `U` is the type of the results.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 9], [4, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.scale::<i32>(Ufunc::find("multiply")?, &array![10, 1])?.data()?, array![9, 40]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_scale)]
    #[track_caller]
    pub fn scale<U: Element>(&self, op: Ufunc, x: impl Operand<T>) -> Result<SparseMatrix<U>> {
        self.scaled(op.code(), x.value())
    }

    #[track_caller]
    fn scaled<U: Element>(&self, op: i32, x: arr_value) -> Result<SparseMatrix<U>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_scale(op, self.as_raw(), &x, current(), &mut out));
        self.sharing_indices(out)
    }

    /// Reduces along an axis, or all elements for `..`. Elements that are not stored count as zeros. Without a dtype the
    /// result has the type of [`DynArray::reduce`].
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 9], [4, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.reduce(Reduction::COUNT_NONZERO, 1, None)?.typed::<i64>()?, array![1i64, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_reduce)]
    #[track_caller]
    pub fn reduce(&self, by: Reduction, axes: impl Axes, dtype: Option<DType>) -> Result<DynArray> {
        let (axis, dtype, mut out) = (axis_of(&axes)?, dtype.map_or(0, DType::code), arr_array::NULL);
        call!(arr_sparse_reduce(by.code(), self.as_raw(), axis, dtype, current(), &mut out));
        kept(DynArray::own(out), axis, &axes)
    }
}

/// Norms.
impl<T: Element> SparseMatrix<T> {
    /// Computes a norm of the matrix; those of singular values are an error.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[3.0f64, 0.0], [-4.0, 0.0]], SparseFormat::Csr)?;
    /// assert_eq!(a.norm(MatrixNorm::Frobenius)?.item()?, 5.0);
    /// assert_eq!(a.norm(MatrixNorm::P(1.0))?.item()?, 7.0); // the largest sum of magnitudes of a column
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_norm)]
    #[track_caller]
    pub fn norm(&self, norm: MatrixNorm) -> Result<Array<<T::Quotient as Element>::Real>> {
        let ((kind, p), mut out) = (norm.codes(), arr_array::NULL);
        call!(arr_sparse_norm(self.as_raw(), kind, p, arr_sys::ARR_AXIS_NONE, current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Computes the p-norm of each row (axis 1) or column (axis 0): p is positive, or -infinity.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[3.0f64, -4.0], [0.0, 2.0]], SparseFormat::Csr)?;
    /// assert_eq!(a.vector_norm(2.0, 1)?, array![5.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_norm)]
    #[track_caller]
    pub fn vector_norm(&self, p: f64, axis: i32) -> Result<Array<<T::Quotient as Element>::Real>> {
        let (kind, mut out) = (arr_sys::ARR_NORM_P, arr_array::NULL);
        call!(arr_sparse_norm(self.as_raw(), kind, p, axis, current(), &mut out));
        DynArray::own(out).typed()
    }
}

/// The indices of extrema: `name try_name = arr_name`.
macro_rules! extrema {
    ($($(#[$doc:meta])* $name:ident $try:ident = $call:ident, $example:literal;)*) => {
        impl<T: Ordered> SparseMatrix<T> {$(
            $(#[$doc])*
            #[doc = example!($example)]
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> Array<i64> {
                or_panic(self.$try(axes))
            }

            $(#[$doc])*
            #[doc = example!($example)]
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axes: impl Axes) -> Result<Array<i64>> {
                let (axis, mut out) = (axis_of(&axes)?, arr_array::NULL);
                call!($call(self.as_raw(), axis, current(), &mut out));
                kept(DynArray::own(out), axis, &axes)?.typed()
            }
        )*}
    };
}
extrema! {
    /// Returns the index of the largest element along an axis, or of all for `..`; the first of equal ones.
    argmax try_argmax = arr_sparse_argmax,
        "assert_eq!(SparseMatrix::<i32>::eye((2, 3), 1, Device::HOST)?.argmax(1), array![1i64, 2]);";
    /// Returns the index of the smallest element along an axis, or of all for `..`; the first of equal ones.
    argmin try_argmin = arr_sparse_argmin,
        "assert_eq!(SparseMatrix::<i32>::eye((2, 3), 0, Device::HOST)?.argmin(1), array![1i64, 0]);";
}

/// Returns a result along an axis with that axis, of extent 1, where the axes say so.
#[track_caller]
fn kept(reduced: DynArray, axis: i32, axes: &impl Axes) -> Result<DynArray> {
    match axis {
        _ if !axes.keepdims() => Ok(reduced),
        arr_sys::ARR_AXIS_NONE => reduced.reshape_as(&[1, 1], Order::C),
        0 | -2 => reduced.reshape_as(&[1, -1], Order::C),
        _ => reduced.reshape_as(&[-1, 1], Order::C),
    }
}

/// Reductions by name: `name try_name = REDUCTION of elements -> type`.
macro_rules! matrix_reductions {
    ($($(#[$doc:meta])* $name:ident $try:ident = $number:ident $bound:ident -> $result:ty, $example:literal;)*) => {$(
        impl<T: $bound> SparseMatrix<T> {
            $(#[$doc])*
            #[doc = example!($example)]
            #[track_caller]
            pub fn $name(&self, axes: impl Axes) -> Array<$result> {
                or_panic(self.$try(axes))
            }

            $(#[$doc])*
            #[doc = example!($example)]
            ///
            /// # Errors
            /// Fails where the method without `try_` panics.
            #[track_caller]
            pub fn $try(&self, axes: impl Axes) -> Result<Array<$result>> {
                self.reduce(Reduction::$number, axes, None)?.typed()
            }
        }
    )*};
}
matrix_reductions! {
    /// Computes the sum along an axis, or of all elements for `..`; integers add in 64 bits.
    sum try_sum = SUM Element -> T::Sum,
        "assert_eq!(SparseMatrix::<i32>::eye((2, 3), 0, Device::HOST)?.sum(0), array![1i64, 1, 0]);";
    /// Computes the mean along an axis, or of all elements for `..`; integers give `f64`.
    mean try_mean = MEAN Element -> T::Mean,
        "assert_eq!(SparseMatrix::<i32>::eye((2, 3), 0, Device::HOST)?.mean(0), array![0.5, 0.5, 0.0]);";
    /// Finds the smallest element along an axis, or of all for `..`.
    min try_min = MIN Ordered -> T,
        "assert_eq!(SparseMatrix::<i32>::eye((2, 3), 0, Device::HOST)?.min(1), array![0, 0]);";
    /// Finds the largest element along an axis, or of all for `..`.
    max try_max = MAX Ordered -> T,
        "assert_eq!(SparseMatrix::<i32>::eye((2, 3), 0, Device::HOST)?.max(..).item()?, 1);";
}

/// An operator of matrices and one kind of other operands, by value and by reference.
macro_rules! operator {
    ($trait:ident $method:ident $bound:ident: $of:ty => $result:ty, |$x:ident, $y:ident| $body:expr) => {
        pair!([T: $bound] &SparseMatrix<T>, &$of, $trait $method SparseMatrix<$result>, |$x, $y| or_panic($body));
        pair!([T: $bound] &SparseMatrix<T>, $of, $trait $method SparseMatrix<$result>, |x, y| $trait::$method(x, &y));
        pair!([T: $bound] SparseMatrix<T>, &$of, $trait $method SparseMatrix<$result>, |x, y| $trait::$method(&x, y));
        pair!([T: $bound] SparseMatrix<T>, $of, $trait $method SparseMatrix<$result>, |x, y| $trait::$method(&x, &y));
    };
}
operator!(Add add Element: SparseMatrix<T> => T, |x, y| x.combined(arr_sys::ARR_OP_ADD, y));
operator!(Sub sub Number: SparseMatrix<T> => T, |x, y| x.combined(arr_sys::ARR_OP_SUBTRACT, y));
operator!(Mul mul Element: SparseMatrix<T> => T, |x, y| x.combined(arr_sys::ARR_OP_MULTIPLY, y));
operator!(Mul mul Element: Array<T> => T, |x, y| x.scaled(arr_sys::ARR_OP_MULTIPLY, y.as_dyn().value()));
operator!(Div div Element: Array<T> => T::Quotient, |x, y| x.scaled(arr_sys::ARR_OP_DIVIDE, y.as_dyn().value()));

/// Numbers, and the sign, for a matrix by value or by reference.
macro_rules! numbers {
    ($($of:ty)*) => {$(
        pair!([T: Element] $of, T, Mul mul SparseMatrix<T>,
            |x, y| or_panic(x.scaled(arr_sys::ARR_OP_MULTIPLY, value_of(y))));
        pair!([T: Element] $of, T, Div div SparseMatrix<T::Quotient>,
            |x, y| or_panic(x.scaled(arr_sys::ARR_OP_DIVIDE, value_of(y))));
        impl<T: Number> Neg for $of {
            type Output = SparseMatrix<T>;
            #[track_caller]
            fn neg(self) -> SparseMatrix<T> {
                or_panic(self.mapped(arr_sys::ARR_OP_NEGATIVE))
            }
        }
    )*};
}
numbers!(SparseMatrix<T> &SparseMatrix<T>);

/// Numbers on the left, which Rust allows for its own types one by one only.
macro_rules! left_numbers {
    ($of:ident: $($type:ty)*) => {$(
        pair!([] $type, &$of<$type>, Mul mul $of<$type>, |x, y| y * x);
        pair!([] $type, $of<$type>, Mul mul $of<$type>, |x, y| y * x);
    )*};
}
pub(crate) use left_numbers;
left_numbers!(SparseMatrix: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c32 c64);
