// SPDX-License-Identifier: MIT
//! Without the library every call returns an error with the paths that were tried, and nothing panics.
use arr::{Array, DType, Device, ErrorKind, Expr, Module, Stream};

/// One test, since the library is looked for once in a process.
#[test]
fn every_call_gives_a_library_error() {
    std::env::set_var("ARR_LIBRARY", "/nonexistent/libarr.so.0");
    let error = Array::<f64>::zeros([2, 3]).expect_err("the library is hidden");
    assert_eq!(error.kind(), ErrorKind::Library);
    assert!(error.text().contains("/nonexistent/libarr.so.0"), "{error}");
    assert!(error.location().file().ends_with("absent.rs"));

    let mut numbers = [1.0f64, 2.0];
    let kinds = [
        Array::from_vec(vec![1.0, 2.0], [2]).map(|_| ()),
        Array::from_slice(&[1i32], [1]).map(|_| ()),
        arr::with_view(&mut numbers, [2], |view| view.fill(3.0)),
        Array::<f64>::load_npy("a.npy").map(|_| ()),
        Device::select().map(|_| ()),
        Device::HOST.name().map(|_| ()),
        Stream::new(Device::HOST).map(|_| ()),
        // SAFETY: a text without code.
        unsafe { Module::compile("", Device::HOST) }.map(|_| ()),
        Expr::new(|[x]| x + 1.0).map(|_| ()),
        DType::FLOAT32.size().map(|_| ()),
        arr::version().map(|_| ()),
    ]
    .map(|r| r.expect_err("the library is hidden").kind());
    assert_eq!(kinds, [ErrorKind::Library; 11]);
    assert_eq!(format!("{:?}", DType::FLOAT32), "dtype 11");
    assert_eq!(numbers, [1.0, 2.0]);
}
