// SPDX-License-Identifier: MIT
//! Closures over elements, run as one loop on the array's device: each is an [`Expr`] that is used once.

use crate::array::Array;
use crate::element::Element;
use crate::error::Result;
use crate::expr::{Expr, Node};

impl<T: Element> Array<T> {
    /// Applies a formula to each element: `a.map(|x| 2.0 * x.sin() + 1.0)?`. The closure runs once, with a symbol for
    /// the element; a choice is written `x.less(0.0).where_(0.0, x)`. The result is cast to `T`; [`Array::map_to`] has
    /// other types.
    #[doc = errors!(arr_expr_create, arr_expr_run)]
    #[doc(alias = "mapv")]
    #[doc(alias = "mapv_into")]
    #[track_caller]
    pub fn map(&self, formula: impl for<'e> FnOnce(Node<'e>) -> Node<'e>) -> Result<Array<T>> {
        self.map_to(formula)
    }

    /// Applies a formula like [`Array::map`], with a result of `U`: `a.map_to::<bool>(|x| x.greater(1.0))?`.
    #[doc = errors!(arr_expr_create, arr_expr_run)]
    #[doc(alias = "mapv")]
    #[track_caller]
    pub fn map_to<U: Element>(&self, formula: impl for<'e> FnOnce(Node<'e>) -> Node<'e>) -> Result<Array<U>> {
        Expr::new(|[x]| formula(x).cast::<U>())?.run([self])?.typed()
    }

    /// Applies a formula to each element in place.
    #[doc = errors!(arr_expr_create, arr_expr_run_into)]
    #[doc(alias = "mapv_inplace")]
    #[doc(alias = "map_inplace")]
    #[doc(alias = "par_mapv_inplace")]
    #[track_caller]
    pub fn map_assign(&mut self, formula: impl for<'e> FnOnce(Node<'e>) -> Node<'e>) -> Result<()> {
        let expr = Expr::new(|[x]| formula(x).cast::<T>())?;
        // Its own handle is the input, whose memory is then this array's alone.
        self.make_mut()?;
        expr.run_over(self.any.as_raw(), [self.any.as_raw()])
    }

    /// Applies a formula to pairs of elements of arrays that broadcast: `a.zip_map(&b, |x, y| x.hypot(y))?`.
    #[doc = errors!(arr_expr_create, arr_expr_run)]
    #[doc(alias = "Zip")]
    #[doc(alias = "map_collect")]
    #[track_caller]
    pub fn zip_map<U: Element>(
        &self,
        other: &Array<U>,
        formula: impl for<'e> FnOnce(Node<'e>, Node<'e>) -> Node<'e>,
    ) -> Result<Array<T>> {
        Expr::new(|[x, y]| formula(x, y).cast::<T>())?.run([self.as_dyn(), other.as_dyn()])?.typed()
    }

    /// Applies a formula to pairs of elements and writes to this array: `a.zip_assign(&b, |x, y| x + 2.0 * y)?`.
    #[doc = errors!(arr_expr_create, arr_expr_run_into)]
    #[doc(alias = "zip_mut_with")]
    #[doc(alias = "scaled_add")]
    #[track_caller]
    pub fn zip_assign<U: Element>(
        &mut self,
        other: &Array<U>,
        formula: impl for<'e> FnOnce(Node<'e>, Node<'e>) -> Node<'e>,
    ) -> Result<()> {
        let expr = Expr::new(|[x, y]| formula(x, y).cast::<T>())?;
        self.make_mut()?;
        expr.run_over(self.any.as_raw(), [self.any.as_raw(), other.as_raw()])
    }
}
