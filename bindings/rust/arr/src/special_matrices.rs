// SPDX-License-Identifier: MIT
//! Matrices made of vectors, which lie along the last axis, or of their size; triangles and bandwidths.

use arr_sys::arr_array;

use crate::dynarray::DynArray;
use crate::error::{call, Result};
use crate::ops::example;
use crate::shape::count;
use crate::stream::current;

/// The divisor of the matrix of the discrete Fourier transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum DftScale {
    /// By nothing.
    #[default]
    Unscaled = arr_sys::ARR_DFT_UNSCALED,
    /// By the root of n, which makes it unitary.
    SqrtN = arr_sys::ARR_DFT_SQRTN,
    /// By n.
    N = arr_sys::ARR_DFT_N,
}

// ------------------------------------------------------------------------------------ of vectors and matrices

/// Blocks along the diagonal, zeros elsewhere; a vector is a row, a number a matrix of one element.
#[doc = example!("assert_eq!(block_diag(&[&array![1, 2], &array![3]])?.typed::<i32>()?, array![[1, 2, 0], [0, 0, 3]]);")]
#[doc = errors!(arr_block_diag)]
#[track_caller]
pub fn block_diag(blocks: &[&DynArray]) -> Result<DynArray> {
    let handles: Vec<arr_array> = blocks.iter().map(|a| a.as_raw()).collect();
    let n = count(handles.len())?;
    let mut out = arr_array::NULL;
    call!(arr_block_diag(n, handles.as_ptr(), current(), &mut out));
    Ok(DynArray::own(out))
}

// -------------------------------------------------------------------------------------------- of their size
