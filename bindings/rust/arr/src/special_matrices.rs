// SPDX-License-Identifier: MIT
//! Matrices made of vectors, which lie along the last axis, or of their size; triangles and bandwidths.

use arr_sys::arr_array;

use crate::array::Array;
use crate::calculus::Convolve;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{Element, Number};
use crate::error::{call, Result};
use crate::functions::{functions, of_size};
use crate::shape::{count, dims};
use crate::stream::current;

/// What the matrix of the discrete Fourier transform is divided by.
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

functions! {
    [T: Element];
    /// The circulant matrix: each column the one before it moved down by one, the first this vector.
    circulant(;) = arr_circulant() -> T;
    /// The companion matrix of a polynomial with coefficients from the highest power on: its eigenvalues are the roots.
    companion(;) = arr_companion() -> T::Quotient;
    /// Fiedler's companion matrix, with five diagonals.
    fiedler_companion(;) = arr_fiedler_companion() -> T::Quotient;
    /// The Leslie matrix: fecundity, this vector, in the first row, survival, one element less, below the diagonal.
    leslie(survival;) = arr_leslie() -> T;
    /// The lower triangle of matrices: elements on diagonal k, above the main one for a positive k, and below it.
    tril(; k: i64) = arr_tril(k) -> T;
    /// The upper triangle: elements on diagonal k and above it.
    triu(; k: i64) = arr_triu(k) -> T;
}
functions! {
    [T: Number];
    /// The Fiedler matrix: the distances `|a[i] - a[j]|`.
    fiedler(;) = arr_fiedler() -> T::Real;
    /// The matrix whose product with a vector of n elements is the convolution of both.
    convolution_matrix(; n: i64, mode: Convolve) = arr_convolution_matrix(n, mode.code()) -> T;
}

/// Functions of two vectors, of which the second may be left out.
macro_rules! of_vectors {
    ($($(#[$doc:meta])* $name:ident($second:ident) = $function:ident;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, $second: Option<&DynArray>) -> Result<DynArray> {
                let (first, second) = (self.as_raw(), $second.map_or(arr_array::NULL, DynArray::as_raw));
                let mut out = arr_array::NULL;
                call!($function(first, second, current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, $second: Option<&Array<T>>) -> Result<Array<T>> {
                self.as_dyn().$name($second.map(Array::as_dyn))?.typed()
            }
        )*}
    };
}
of_vectors! {
    /// The matrix that is constant along diagonals: this vector is its first column, `row` its first row, of which the first
    /// element does not count; without it the conjugate of the column.
    toeplitz(row) = arr_toeplitz;
    /// The matrix that is constant along the other diagonals: this vector is its first column, `row` its last row, of which
    /// the first element does not count; without it zeros.
    hankel(row) = arr_hankel;
}

impl DynArray {
    /// How many diagonals below and above the main one of a matrix there are up to the last that is not all zeros.
    #[track_caller]
    pub fn bandwidth(&self) -> Result<(i64, i64)> {
        let (mut lower, mut upper) = (0, 0);
        call!(arr_bandwidth(self.as_raw(), current(), &mut lower, &mut upper));
        Ok((lower, upper))
    }
}

impl<T: Element> Array<T> {
    /// How many diagonals below and above the main one of a matrix there are up to the last that is not all zeros.
    #[track_caller]
    pub fn bandwidth(&self) -> Result<(i64, i64)> {
        self.as_dyn().bandwidth()
    }
}

/// Blocks along the diagonal, zeros elsewhere; a vector is a row, a number a matrix of one element.
#[track_caller]
pub fn block_diag(blocks: &[&DynArray]) -> Result<DynArray> {
    let handles: Vec<arr_array> = blocks.iter().map(|a| a.as_raw()).collect();
    let n = count(handles.len())?;
    let mut out = arr_array::NULL;
    call!(arr_block_diag(n, handles.as_ptr(), current(), &mut out));
    Ok(DynArray::own(out))
}

// -------------------------------------------------------------------------------------------- of their size

of_size! {
    /// The Hadamard matrix of 1 and -1 with orthogonal rows; n is a power of 2.
    hadamard() = arr_hadamard();
    /// The Hilbert matrix of floats: 1 / (i + j + 1).
    hilbert() = arr_hilbert();
    /// The Helmert matrix of floats: orthonormal rows, of which all but the first add up to 0; the first is there with
    /// `full`.
    helmert(full: bool) = arr_helmert(i32::from(full));
    /// The matrix of the discrete Fourier transform: exp(-2 pi i j k / n).
    dft(scale: DftScale) = arr_dft(scale as i32);
}

impl Device {
    /// Ones on diagonal k and below it, zeros elsewhere; rows by columns.
    #[track_caller]
    pub fn tri<T: Element>(self, rows: usize, columns: usize, k: i64) -> Result<Array<T>> {
        let (size, at) = (dims(&[rows, columns])?, self.raw());
        let mut out = arr_array::NULL;
        call!(arr_tri(size[0], size[1], k, T::DTYPE.code(), &at, current(), &mut out));
        Ok(Array::own(out))
    }
}

impl<T: Element> Array<T> {
    /// Ones on diagonal k and below it, zeros elsewhere; rows by columns.
    #[track_caller]
    pub fn tri(rows: usize, columns: usize, k: i64) -> Result<Array<T>> {
        Device::HOST.tri(rows, columns, k)
    }
}
