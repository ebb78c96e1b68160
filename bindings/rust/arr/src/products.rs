// SPDX-License-Identifier: MIT
//! Products of vectors, matrices and tensors; Einstein sums; diagonals, traces and norms of matrices.

use std::ffi::CString;

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{weak, Number};
use crate::error::{call, text_of, Result};
use crate::ops::example;
use crate::output::{DynOutput, Output};
use crate::shape::count;
use crate::stream::current;

impl DynArray {
    /// Computes the product over pairs of axes.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = array![[1, 2], [3, 4]].into_dyn();
    /// assert_eq!(a.tensordot(&a, &[(0, 0), (1, 1)])?.item_i64(&[])?, 30);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_tensordot)]
    #[track_caller]
    pub fn tensordot(&self, other: &DynArray, axes: &[(i32, i32)]) -> Result<DynArray> {
        let (a, b): (Vec<i32>, Vec<i32>) = axes.iter().copied().unzip();
        let (x, y, n) = (self.as_raw(), other.as_raw(), count(axes.len())?);
        let mut out = arr_array::NULL;
        call!(arr_tensordot(x, y, n, a.as_ptr(), b.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

/// The function that [`DynArray::gemm`] applies to each element of a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Activation {
    #[default]
    None = arr_sys::ARR_ACTIVATION_NONE,
    /// max(x, 0).
    Relu = arr_sys::ARR_ACTIVATION_RELU,
    /// x times the normal distribution's function of x.
    Gelu = arr_sys::ARR_ACTIVATION_GELU,
    /// GELU, approximated by a hyperbolic tangent.
    GeluTanh = arr_sys::ARR_ACTIVATION_GELU_TANH,
    /// x / (1 + exp(-x)).
    Silu = arr_sys::ARR_ACTIVATION_SILU,
    /// 1 / (1 + exp(-x)).
    Sigmoid = arr_sys::ARR_ACTIVATION_SIGMOID,
    Tanh = arr_sys::ARR_ACTIVATION_TANH,
}

/// The operations after a product a b: activation(alpha a b + beta c).
#[derive(Clone, Copy, Debug, Default)]
pub struct Epilogue<'a> {
    /// None: 1.
    pub alpha: Option<f64>,
    /// None: 1.
    pub beta: Option<f64>,
    /// Broadcasts to the product: a matrix, or a bias for its last axis. None: nothing is added.
    pub c: Option<&'a DynArray>,
    pub activation: Activation,
    /// As a library of the device does it, where it does; of CUDA `Relu` may then be 0 for NaN, and `GeluTanh` is approximate.
    pub fast: bool,
}

impl Epilogue<'_> {
    fn function(&self) -> i32 {
        self.activation as i32 | if self.fast { arr_sys::ARR_ACTIVATION_FAST } else { 0 }
    }
}

impl DynArray {
    /// Computes the matrix product with an epilogue: the backend applies what it can, and one more pass applies the
    /// rest.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = array![[1.0, 2.0]].into_dyn();
    /// assert_eq!(a.gemm(&array![[3.0], [4.0]].into_dyn(), Epilogue::default())?.typed::<f64>()?, array![[11.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_gemm)]
    #[track_caller]
    pub fn gemm(&self, other: &DynArray, epilogue: Epilogue) -> Result<DynArray> {
        let (alpha, beta) = (epilogue.alpha.map(weak), epilogue.beta.map(weak));
        let c = epilogue.c.map_or(arr_array::NULL, |c| c.as_raw());
        let (a, b, f, mut out) = (self.as_raw(), other.as_raw(), epilogue.function(), arr_array::NULL);
        call!(arr_gemm(a, b, factor(&alpha), factor(&beta), c, f, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Computes [`DynArray::gemm`] into an array of the product's shape.
    #[doc = errors!(arr_gemm_into)]
    #[track_caller]
    pub fn gemm_into(&self, other: &DynArray, epilogue: Epilogue, out: &mut impl DynOutput) -> Result<()> {
        let (alpha, beta) = (epilogue.alpha.map(weak), epilogue.beta.map(weak));
        let c = epilogue.c.map_or(arr_array::NULL, |c| c.as_raw());
        let (z, a, b, f) = (out.destination()?, self.as_raw(), other.as_raw(), epilogue.function());
        call!(arr_gemm_into(z, a, b, factor(&alpha), factor(&beta), c, f, current()));
        Ok(())
    }
}

fn factor(x: &Option<arr_value>) -> *const arr_value {
    x.as_ref().map_or(std::ptr::null(), |v| v)
}

impl<T: Number> Array<T> {
    /// Computes the product over pairs of axes.
    #[doc = errors!(arr_tensordot)]
    #[track_caller]
    pub fn tensordot(&self, other: &Array<T>, axes: &[(i32, i32)]) -> Result<Array<T>> {
        self.as_dyn().tensordot(other.as_dyn(), axes)?.typed()
    }

    /// Computes the matrix product with an epilogue: the backend applies what it can, and one more pass applies the
    /// rest.
    #[doc = errors!(arr_gemm)]
    #[track_caller]
    pub fn gemm(&self, other: &Array<T>, epilogue: Epilogue) -> Result<Array<T>> {
        self.as_dyn().gemm(other, epilogue)?.typed()
    }

    /// Computes [`DynArray::gemm`] into an array of the product's shape.
    #[doc = errors!(arr_gemm_into)]
    #[track_caller]
    pub fn gemm_into(&self, other: &Array<T>, epilogue: Epilogue, out: &mut impl Output<T>) -> Result<()> {
        self.as_dyn().gemm_into(other, epilogue, out)
    }
}

/// Computes a sum of products by NumPy's subscripts, `"ij,jk->ik"`, in a good order. With one operand and no sum the
/// result shares its memory.
#[doc = example!("assert_eq!(einsum(\"ij->j\", &[&array![[1, 2], [3, 4]]])?.typed::<i32>()?, array![4, 6]);")]
#[doc = errors!(arr_einsum)]
#[track_caller]
pub fn einsum(subscripts: &str, operands: &[&DynArray]) -> Result<DynArray> {
    // No letter is NUL, so the library refuses what is left of a text with one.
    let text = CString::new(subscripts.replace('\0', "?")).unwrap_or_default();
    let handles: Vec<arr_array> = operands.iter().map(|a| a.as_raw()).collect();
    let n = count(handles.len())?;
    let mut out = arr_array::NULL;
    call!(arr_einsum(text.as_ptr(), n, handles.as_ptr(), arr_sys::ARR_EINSUM_AUTO, current(), &mut out));
    Ok(match operands {
        [one] => one.sharing(out),
        _ => DynArray::own(out),
    })
}

/// The order of [`einsum`], and what it costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EinsumPath {
    /// For each step the indices of its operands in the remaining list; the result goes to the end of the list.
    pub steps: Vec<Vec<usize>>,
    /// Multiplications and additions in this order.
    pub cost: f64,
    /// Those of one pass over all labels.
    pub naive: f64,
}

/// Returns the order in which [`einsum`] contracts; the elements of the operands are not read.
#[doc = example!("assert_eq!(einsum_path(\"i,i->\", &[&array![1, 2], &array![3, 4]])?.steps, [[0, 1]]);")]
#[doc = errors!(arr_einsum_path)]
#[track_caller]
pub fn einsum_path(subscripts: &str, operands: &[&DynArray]) -> Result<EinsumPath> {
    let text = CString::new(subscripts.replace('\0', "?")).unwrap_or_default();
    let handles: Vec<arr_array> = operands.iter().map(|a| a.as_raw()).collect();
    let n = count(handles.len())?;
    let cost = std::cell::Cell::new((0.0, 0.0));
    let steps = text_of(|api, capacity, to, length| {
        let (mut best, mut naive) = (0.0, 0.0);
        let (labels, auto) = (text.as_ptr(), arr_sys::ARR_EINSUM_AUTO);
        // SAFETY: rule 3: the text has `capacity` bytes or is NULL; the operands live.
        let status = unsafe {
            api.arr_einsum_path(labels, n, handles.as_ptr(), auto, capacity, to, length, &mut best, &mut naive)
        };
        cost.set((best, naive));
        status
    })?;
    let operands_of = |step: &str| step.split(|c: char| !c.is_ascii_digit()).filter_map(|p| p.parse().ok()).collect();
    let steps = steps.split('(').skip(1).map(operands_of).collect();
    Ok(EinsumPath { steps, cost: cost.get().0, naive: cost.get().1 })
}

/// Computes the product of several matrices in the order with the fewest multiplications; the first and the last
/// operand may be vectors.
#[doc = example!("assert_eq!(multi_dot(&[&array![[1, 2]], &array![3, 4]])?.typed::<i32>()?, array![11]);")]
#[doc = errors!(arr_multi_dot)]
#[track_caller]
pub fn multi_dot(factors: &[&DynArray]) -> Result<DynArray> {
    let handles: Vec<arr_array> = factors.iter().map(|a| a.as_raw()).collect();
    let n = count(handles.len())?;
    let mut out = arr_array::NULL;
    call!(arr_multi_dot(n, handles.as_ptr(), current(), &mut out));
    Ok(DynArray::own(out))
}
