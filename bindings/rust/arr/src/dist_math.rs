// SPDX-License-Identifier: MIT
//! Computation with distributed arrays: operations, reductions, products, transforms, order.

use std::ops::*;

use arr_sys::arr_dist;

use crate::dist::{Dist, DistInput};
use crate::element::{Element, Number};
use crate::error::{call, or_panic, Result};
use crate::expr::Expr;
use crate::fft::{some, Norm};
use crate::numbers::{c32, c64};
use crate::operators::pair;
use crate::ops::{axes_of, example, Reduction};
use crate::shape::{count, Axes};
use crate::stream::current;
use crate::ufunc::Ufunc;

#[track_caller]
fn applied<T: Element>(op: i32, inputs: &[&dyn DistInput]) -> Result<Dist<T>> {
    let handles: Vec<arr_dist> = inputs.iter().map(|a| a.dist()).collect();
    Dist::made(|out| {
        call!(arr_dist_apply(op, count(handles.len())?, handles.as_ptr(), current(), out));
        Ok(())
    })
}

impl Ufunc {
    /// Applies the operation to distributed arrays, which broadcast. The result is divided as the input with the most
    /// elements is.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0_f64, 2.0])?;\nassert_eq!(Ufunc::find(\"less\")?.apply_dist::<bool>(&[&a, &(2.0 - &a)])?.gather()?, array![false, false]);")]
    #[doc = errors!(arr_dist_apply)]
    #[track_caller]
    pub fn apply_dist<T: Element>(self, inputs: &[&dyn DistInput]) -> Result<Dist<T>> {
        applied(self.code(), inputs)
    }
}

impl<const N: usize> Expr<N> {
    /// Computes it for distributed arrays, in one pass over each part.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0, 2.0])?;\nassert_eq!(Expr::new(|[x]| x * x + 1.0)?.run_dist::<f64>([&a])?.gather()?, array![2.0, 5.0]);")]
    #[doc = errors!(arr_dist_expr_run)]
    #[track_caller]
    pub fn run_dist<T: Element>(&self, inputs: [&dyn DistInput; N]) -> Result<Dist<T>> {
        let (handles, (e, node)) = (inputs.map(|a| a.dist()), self.raw());
        Dist::made(|out| {
            call!(arr_dist_expr_run(e, node, count(N)?, handles.as_ptr(), current(), out));
            Ok(())
        })
    }

    /// Computes it for distributed arrays into one of the result's shape.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet (a, mut b) = (Dist::from_part(&by, &array![1.0, 2.0])?, Dist::<f64>::zeros(&by, &[])?);\nExpr::new(|[x]| x * x)?.run_dist_into([&a], &mut b)?;\nassert_eq!(b.gather()?, array![1.0, 4.0]);")]
    #[doc = errors!(arr_dist_expr_run_into)]
    #[track_caller]
    pub fn run_dist_into<T: Element>(&self, inputs: [&dyn DistInput; N], out: &mut Dist<T>) -> Result<()> {
        let (handles, (e, node)) = (inputs.map(|a| a.dist()), self.raw());
        call!(arr_dist_expr_run_into(out.writable()?, e, node, count(N)?, handles.as_ptr(), current()));
        Ok(())
    }
}

impl<T: Element> Dist<T> {
    /// Evaluates a formula in the library's notation, whose variables are the arrays in the order in which they appear.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0, 2.0])?;\nassert_eq!(Dist::<f64>::evaluate(\"x * x + y\", &[&a, &a])?.gather()?, array![2.0, 6.0]);")]
    #[doc = errors!(arr_dist_evaluate)]
    #[track_caller]
    pub fn evaluate(formula: &str, inputs: &[&dyn DistInput]) -> Result<Dist<T>> {
        let handles: Vec<arr_dist> = inputs.iter().map(|a| a.dist()).collect();
        let (text, length, n) = (formula.as_ptr().cast(), formula.len() as i64, count(handles.len())?);
        Dist::made(|out| {
            call!(arr_dist_evaluate(text, length, n, handles.as_ptr(), current(), out));
            Ok(())
        })
    }

    /// Reduces over axes to elements of `R`. Axes that stay are divided as before.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![3.0, 2.0])?;\nassert_eq!(a.reduce::<f64>(Reduction::PROD, keep(..))?.gather()?, array![6.0]);")]
    #[doc = errors!(arr_dist_reduce)]
    #[track_caller]
    pub fn reduce<R: Element>(&self, by: Reduction, axes: impl Axes) -> Result<Dist<R>> {
        let (n, list, keep) = axes_of(&axes)?;
        Dist::made(|out| {
            call!(arr_dist_reduce(self.as_raw(), by.code(), n, list, keep, current(), out));
            Ok(())
        })
    }

    /// Computes the sum over axes.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![1_i32, 2])?.sum(..)?.item()?, 3);")]
    #[doc = errors!(arr_dist_reduce)]
    #[track_caller]
    pub fn sum(&self, axes: impl Axes) -> Result<Dist<T::Sum>> {
        self.reduce(Reduction::SUM, axes)
    }

    /// Computes the mean over axes.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![1_i32, 2])?.mean(..)?.item()?, 1.5);")]
    #[doc = errors!(arr_dist_reduce)]
    #[track_caller]
    pub fn mean(&self, axes: impl Axes) -> Result<Dist<T::Mean>> {
        self.reduce(Reduction::MEAN, axes)
    }

    /// Returns the largest elements over axes.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![1, 2])?.max(..)?.item()?, 2);")]
    #[doc = errors!(arr_dist_reduce)]
    #[track_caller]
    pub fn max(&self, axes: impl Axes) -> Result<Dist<T>> {
        self.reduce(Reduction::MAX, axes)
    }

    /// Returns the smallest elements over axes.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![1, 2])?.min(..)?.item()?, 1);")]
    #[doc = errors!(arr_dist_reduce)]
    #[track_caller]
    pub fn min(&self, axes: impl Axes) -> Result<Dist<T>> {
        self.reduce(Reduction::MIN, axes)
    }

    /// Computes the running reduction by an operation along an axis, such as the cumulative sum.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0, 2.0])?;\nassert_eq!(a.accumulate::<f64>(Ufunc::find(\"add\")?, 0)?.gather()?, array![1.0, 3.0]);")]
    #[doc = errors!(arr_dist_accumulate)]
    #[track_caller]
    pub fn accumulate<R: Element>(&self, by: Ufunc, axis: i32) -> Result<Dist<R>> {
        Dist::made(|out| {
            call!(arr_dist_accumulate(by.code(), self.as_raw(), axis, current(), out));
            Ok(())
        })
    }

    /// Sorts along an axis, nan last.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![2, 1])?.sort(-1)?.gather()?, array![1, 2]);")]
    #[doc = errors!(arr_dist_sort)]
    #[track_caller]
    pub fn sort(&self, axis: i32) -> Result<Dist<T>> {
        Dist::made(|out| {
            call!(arr_dist_sort(self.as_raw(), axis, current(), out));
            Ok(())
        })
    }

    /// Returns the product of two matrices, of a matrix and a vector, or of two vectors.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], [2, 2], &[], &[])?;\nlet a = Dist::from_part(&by, &array![[1.0, 2.0], [3.0, 4.0]])?;\nassert_eq!(a.matmul(&a)?.gather()?, array![[7.0, 10.0], [15.0, 22.0]]);")]
    #[doc = errors!(arr_dist_matmul)]
    #[track_caller]
    pub fn matmul(&self, other: &Dist<T>) -> Result<Dist<T>> {
        Dist::made(|out| {
            call!(arr_dist_matmul(self.as_raw(), other.as_raw(), current(), out));
            Ok(())
        })
    }

    #[track_caller]
    fn transformed(&self, axes: &[i32], inverse: bool, norm: Norm, keep: bool) -> Result<Dist<T::Complex>> {
        let (n, axes, norm) = (count(axes.len())?, some(axes), norm.code());
        let made = Dist::made(|out| {
            call!(arr_dist_fftn(self.as_raw(), n, axes, inverse, norm, keep, current(), out));
            Ok(())
        })?;
        made.unless_same(self.memory().as_dyn()) // an array without dimensions
    }

    /// Transforms along axes, or along all where none are given. `keep`: the result is divided as this array is, otherwise as
    /// the last transform leaves it, which saves a redistribution.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0, 2.0])?;\nassert_eq!(a.fft(&[], Norm::Backward, true)?.gather()?.real().to_vec()?, [3.0, -1.0]);")]
    #[doc = errors!(arr_dist_fftn)]
    #[doc(alias = "fftn")]
    #[track_caller]
    pub fn fft(&self, axes: &[i32], norm: Norm, keep: bool) -> Result<Dist<T::Complex>> {
        self.transformed(axes, false, norm, keep)
    }

    /// Computes the inverse of [`Dist::fft`].
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet a = Dist::from_part(&by, &array![3.0, -1.0])?;\nassert_eq!(a.ifft(&[], Norm::Backward, true)?.gather()?.real().to_vec()?, [1.0, 2.0]);")]
    #[doc = errors!(arr_dist_fftn)]
    #[doc(alias = "ifftn")]
    #[track_caller]
    pub fn ifft(&self, axes: &[i32], norm: Norm, keep: bool) -> Result<Dist<T::Complex>> {
        self.transformed(axes, true, norm, keep)
    }

    /// Transforms a real array, which keeps half of the last of the axes: n / 2 + 1 indices of n.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 4, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0, 2.0, 3.0, 4.0])?;\nassert_eq!(a.rfft(&[], Norm::Backward, true)?.shape()?, [3]);")]
    #[doc = errors!(arr_dist_rfftn)]
    #[doc(alias = "rfftn")]
    #[track_caller]
    pub fn rfft(&self, axes: &[i32], norm: Norm, keep: bool) -> Result<Dist<T::Complex>> {
        let (n, axes, norm) = (count(axes.len())?, some(axes), norm.code());
        Dist::made(|out| {
            call!(arr_dist_rfftn(self.as_raw(), n, axes, norm, keep, current(), out));
            Ok(())
        })
    }

    /// Computes the inverse of [`Dist::rfft`]. `n` is the extent of the last of the axes in the result; `None`: 2 (m - 1) of m.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 4, &[], &[])?;\nlet a = Dist::from_part(&by, &array![1.0, 2.0, 3.0, 4.0])?;\nlet back: Dist<f64> = a.rfft(&[], Norm::Backward, true)?.irfft(None, &[], Norm::Backward, true)?;\nassert_eq!(back.gather()?.round_to(9)?, array![1.0, 2.0, 3.0, 4.0]);")]
    #[doc = errors!(arr_dist_irfftn)]
    #[doc(alias = "irfftn")]
    #[track_caller]
    pub fn irfft(&self, n: Option<i64>, axes: &[i32], norm: Norm, keep: bool) -> Result<Dist<T::Real>> {
        let (n, count, axes, norm) = (n.unwrap_or(-1), count(axes.len())?, some(axes), norm.code());
        Dist::made(|out| {
            call!(arr_dist_irfftn(self.as_raw(), n, count, axes, norm, keep, current(), out));
            Ok(())
        })
    }
}

/// An operator of distributed arrays by value and by reference, and of numbers on either side.
macro_rules! binary {
    ($trait:ident $method:ident $number:ident $result:ident [$of:ty]: $($type:ty)*) => {
        pair!([T: Number] &Dist<T>, &Dist<T>, $trait $method Dist<$of>,
            |x, y| or_panic(applied(arr_sys::$number, &[x, y])));
        pair!([T: Number] Dist<T>, &Dist<T>, $trait $method Dist<$of>, |x, y| (&x).$method(y));
        pair!([T: Number] &Dist<T>, Dist<T>, $trait $method Dist<$of>, |x, y| x.$method(&y));
        pair!([T: Number] Dist<T>, Dist<T>, $trait $method Dist<$of>, |x, y| (&x).$method(&y));
        $(
            pair!([] &Dist<$type>, $type, $trait $method Dist<<$type as Element>::$result>,
                |x, y| or_panic(Expr::new(|[x]| x.$method(y)).and_then(|e| e.run_dist([x]))));
            pair!([] Dist<$type>, $type, $trait $method Dist<<$type as Element>::$result>, |x, y| (&x).$method(y));
            pair!([] $type, &Dist<$type>, $trait $method Dist<<$type as Element>::$result>,
                |x, y| or_panic(Expr::new(|[y]| y.number(x).$method(y)).and_then(|e| e.run_dist([y]))));
            pair!([] $type, Dist<$type>, $trait $method Dist<<$type as Element>::$result>, |x, y| x.$method(&y));
        )*
    };
}
binary!(Add add ARR_OP_ADD Itself [T]: i32 i64 f32 f64 c32 c64);
binary!(Sub sub ARR_OP_SUBTRACT Itself [T]: i32 i64 f32 f64 c32 c64);
binary!(Mul mul ARR_OP_MULTIPLY Itself [T]: i32 i64 f32 f64 c32 c64);
binary!(Div div ARR_OP_DIVIDE Quotient [T::Quotient]: i32 i64 f32 f64 c32 c64);

impl<T: Number> Neg for &Dist<T> {
    type Output = Dist<T>;
    #[track_caller]
    fn neg(self) -> Dist<T> {
        or_panic(applied(arr_sys::ARR_OP_NEGATIVE, &[self]))
    }
}

impl<T: Number> Neg for Dist<T> {
    type Output = Dist<T>;
    #[track_caller]
    fn neg(self) -> Dist<T> {
        -&self
    }
}
