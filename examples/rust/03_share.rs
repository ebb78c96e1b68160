// SPDX-License-Identifier: MIT
//! 03_share - passes an array to another library in the same process by DLPack, without a copy.
//!
//! The other library is OpenBLAS, which is opened here. It uses nothing of libarr: the DLPack struct has the address
//! of the memory, and its deleter releases the struct.
use std::ffi::{c_char, c_int, c_void};

use arr::{Array, Foreign};

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}
type Dscal = unsafe extern "C" fn(n: c_int, alpha: f64, x: *mut f64, stride: c_int);

/// DLManagedTensorVersioned of dlpack.h, with the fields that a vector needs.
#[repr(C)]
struct Managed {
    version: [u32; 2],
    context: *mut c_void,
    deleter: unsafe extern "C" fn(*mut Managed),
    flags: u64,
    data: *mut f64,
    device: [i32; 2],
    ndim: i32,
    dtype: [u8; 4],
    shape: *const i64,
}

fn main() -> arr::Result<()> {
    let mut a = Array::from_vec(vec![1.5; 12], [12])?; // the vector itself, without a copy
    let tensor: *mut Managed = a.to_dlpack()?.into_raw().cast();

    // SAFETY: the tensor is ours until its deleter is called; no other code uses the memory while OpenBLAS runs.
    unsafe {
        let x = &*tensor;
        assert_eq!(x.data.cast(), a.data()?);
        println!("ok    both sides have the memory at {:p}", x.data);
        let openblas = dlopen(c"libopenblas.so.0".as_ptr(), 2);
        assert!(!openblas.is_null(), "libopenblas.so.0 is not installed");
        let cblas_dscal: Dscal = std::mem::transmute(dlsym(openblas, c"cblas_dscal".as_ptr()));
        cblas_dscal(*x.shape as c_int, 2.0, x.data, 1);
        assert_eq!(a.to_vec()?, [3.0; 12]);
        println!("ok    what OpenBLAS wrote is seen by libarr");
        a += 1.0;
        assert_eq!(*x.data.add(11), 4.0);
        println!("ok    what libarr wrote is seen by the other side");
        drop(a);
        assert_eq!(*x.data, 4.0);
        println!("ok    the memory lives on while the other side uses it");

        let back: Array<f64> = Foreign::from_raw(tensor.cast()).into_array()?; // it calls the deleter
        println!("ok    and back: the sum is {}", back.sum(..).item()?);
    }
    Ok(())
}
