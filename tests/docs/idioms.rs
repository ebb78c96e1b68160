// SPDX-License-Identifier: MIT
//! The names that rows of docs/guides/rust.md use. idioms.py makes of `row` a function for each row.
#![allow(unused)]
use arr::*;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::time::Duration;

#[derive(Clone, Copy)]
struct Own;

unsafe impl ExternalAllocator for Own {
    fn allocate(&self, _: MemoryRequest) -> std::result::Result<NonNull<c_void>, i32> {
        Err(1)
    }
    unsafe fn release(&self, _: NonNull<c_void>, _: MemoryRequest) {}
}

fn step() -> Result<()> {
    Ok(())
}

fn row() -> Result<()> {
    let (device, n, bytes, degree, op) = (Device::HOST, 12usize, 8usize, 1i64, MatrixOp::Plain);
    let (h, w) = (3i64, 4i64);
    let mut a = Array::<f64>::ones([3, 4])?;
    let [b, m, x, y, p, q, r, c, u] = std::array::from_fn(|_| a.clone());
    let mut v = array![1.0, 2.0, 3.0];
    let s = SparseMatrix::<f64>::eye((3, 3), 0, device)?;
    let (f, factor) = (LinearOperator::new(&s)?, s.ilu0()?);
    let (d, image, mut out) = (a.clone().into_dyn(), a.clone(), a.clone());
    let (mask, positions, at, rows) = (a.greater(0.0), array![1i64, 2], array![1i64, 2], array![true, false, true]);
    let (values, mut buffer, handle) = (vec![1.0; 12], vec![1.0; 12], vec![0u8]);
    let pairs = (0..3).map(|i| (f64::from(i), f64::from(i)));
    let (data, shape, strides, owner) = (buffer.as_mut_ptr(), [12usize], [1isize], ());
    let to: *mut c_void = buffer.as_mut_ptr().cast();
    let from: *const c_void = values.as_ptr().cast();
    let path = std::env::temp_dir().join("x");
    let (source, allocator) = ("", Own);
    let e = Expr::new(|[x]| x + 1.0)?;
    let stream = Stream::new(device)?;
    let mut module = unsafe { Module::compile(source, device)? };
    // ROW
    Ok(())
}
