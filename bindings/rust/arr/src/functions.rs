// SPDX-License-Identifier: MIT
//! The functions of arrays, numbers, axes and texts, as methods: `functions_generated.rs`, and its helpers.

use crate::array::Array;
use crate::calculus::Convolve;
use crate::device::Device;
use crate::dtypes::Casting;
use crate::dynarray::DynArray;
use crate::element::{DType, Element, Number, Ordered};
use crate::error::{call, text_of, Error, ErrorKind, Result};
use crate::fft::{some, Norm};
use crate::histogram::Histogram;
use crate::indexing::Bounds;
use crate::kernel::c_text;
use crate::linalg::MatrixNorm;
use crate::numeric::{BitOrder, Covariance};
use crate::operand::DynOperand;
use crate::ops::{axes_of, axis_of, Reduction};
use crate::output::{DynOutput, Output};
use crate::random::Generator;
use crate::search::Side;
use crate::shape::{count, dims, Axes, Order};
use crate::sort::Direction;
use crate::special_matrices::DftScale;
use crate::statistics::Quantile;
use crate::stream::current;
use crate::ufunc::{Reduce, Ufunc};
use arr_sys::arr_array;

/// The ends of an axis that [`DynArray::trim_zeros`] trims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Trim {
    /// Both.
    #[default]
    Both = arr_sys::ARR_TRIM_BOTH,
    /// The start.
    Front = arr_sys::ARR_TRIM_FRONT,
    /// The end.
    Back = arr_sys::ARR_TRIM_BACK,
}

/// The library reads one number where the count is 0, so an empty list never reaches it.
#[track_caller]
fn quantiles_of(q: &[f64]) -> Result<(i32, *const f64)> {
    if q.is_empty() {
        return Err(Error::new(ErrorKind::Argument, "argument q: got no quantiles, expected some"));
    }
    Ok((count(q.len())?, q.as_ptr()))
}

/// Lists of which the library gets one length.
#[track_caller]
fn same_length(name: &str, got: usize, expected: usize) -> Result<()> {
    if got == expected {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Argument, format!("argument {name}: got {got} entries, expected {expected}")))
}

/// The extent of an axis; 0 for one that the array does not have, which the library refuses.
fn extent(shape: &[usize], axis: i32) -> usize {
    let at = if axis < 0 { i64::from(axis) + shape.len() as i64 } else { i64::from(axis) };
    usize::try_from(at).ok().and_then(|at| shape.get(at)).copied().unwrap_or(0)
}

/// Arrays of one type; an error where an element type is another.
#[track_caller]
fn typed_list<T: Element>(arrays: Vec<DynArray>) -> Result<Vec<Array<T>>> {
    arrays.into_iter().map(DynArray::typed).collect()
}

#[rustfmt::skip]
// Text of one shape, which is not always the shortest.
#[allow(
    clippy::doc_lazy_continuation,
    clippy::too_many_arguments,
    clippy::redundant_closure,
    clippy::len_zero,
    clippy::needless_question_mark,
    clippy::type_complexity
)]
#[path = "functions_generated.rs"]
mod generated;
pub use generated::{DiffOptions, LinspaceOptions};
