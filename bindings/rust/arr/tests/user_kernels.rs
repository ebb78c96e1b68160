// SPDX-License-Identifier: MIT
//! Formulas as text, and kernels from pieces of C++ on the host.
use arr::{
    args, Array, Device, ElementwiseKernel, ErrorKind, Expr, KernelOptions, Reduction, ReductionKernel,
    ReductionOptions, Result,
};

/// The compiler that libarr starts would inherit a sanitizer's runtime, and fail because of its leaks. Called first in
/// every test, so that nobody reads the environment meanwhile.
fn without_preload() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::env::remove_var("LD_PRELOAD"));
}

#[test]
fn formulas() -> Result<()> {
    without_preload();
    let (a, b) = (Array::from_slice(&[3.0, 5.0], [2])?, Array::from_slice(&[4.0, 12.0], [2])?);
    let length = Expr::parse("sqrt(a*a + b*b)")?;
    assert_eq!(length.run([&a, &b])?.typed::<f64>()?.to_vec()?, [5.0, 13.0]);
    let swapped = Expr::parse_with("x - y", ["y", "x"])?;
    assert_eq!(swapped.run([&a, &b])?.typed::<f64>()?.to_vec()?, [1.0, 7.0]);
    assert_eq!(length.reduce(Reduction::SUM, .., [&a, &b])?.typed::<f64>()?.item()?, 18.0);
    assert_eq!(length.reduce(Reduction::MAX, 0, [&a, &b])?.typed::<f64>()?.item()?, 13.0);
    assert_eq!(length.scan(Reduction::SUM, 0, [&a, &b])?.typed::<f64>()?.to_vec()?, [5.0, 18.0]);
    assert!(length.describe([&a, &b])?.contains("sqrt"));
    let wrong = Expr::<1>::parse("a + b").unwrap_err();
    assert!(wrong.kind() == ErrorKind::Argument && wrong.text().contains("2 variables"), "{wrong}");
    let fault = Expr::<1>::parse("a +* 2").unwrap_err();
    assert!(fault.text().contains("column"), "{fault}");
    assert_eq!(Expr::<1>::parse_with("a + b", ["a"]).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn element_by_element() -> Result<()> {
    without_preload();
    let (a, b) = (Array::from_slice(&[1.0, 2.0, 3.0], [3])?, Array::from_slice(&[10.0], [1])?);
    let squares = ElementwiseKernel::new("T x, T y", "T z", "z = x * x + y", "squares")?;
    // SAFETY: here and below, the code touches its own elements only, or raw arrays inside.
    let made = unsafe { squares.run(&args![&a, &b])? };
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].try_clone()?.typed::<f64>()?.to_vec()?, [11.0, 14.0, 19.0]);
    let mut out = Array::<f64>::zeros([3])?;
    let shared = out.clone();
    assert!(unsafe { squares.run(&args![&a, 1.0, &mut out])? }.is_empty());
    assert_eq!((out.to_vec()?, shared.to_vec()?), (vec![2.0, 5.0, 10.0], vec![0.0; 3]));
    assert!(squares.source()?.contains("squares"));

    let two = ElementwiseKernel::new("T x", "T less, bool large", "less = x - 1; large = x > 1.5", "two")?;
    let mut both = unsafe { two.run(&args![&a])? };
    assert_eq!(both.remove(1).typed::<bool>()?.to_vec()?, [false, true, true]);
    assert_eq!(both.remove(0).typed::<f64>()?.to_vec()?, [0.0, 1.0, 2.0]);
    let more = KernelOptions { preamble: "#define TWICE(x) (2 * (x))", options: &["-DOFFSET=4"], ..Default::default() };
    let next = ElementwiseKernel::with("raw T x", "T z", "z = TWICE(x[(i + 1) % x.size()]) + OFFSET", "next", &more)?;
    let turned = unsafe { next.run_sized(&args![&a], 3, Device::HOST)? }.remove(0);
    assert_eq!(turned.typed::<f64>()?.to_vec()?, [8.0, 10.0, 6.0]);
    assert_eq!(unsafe { squares.run(&args![&a]) }.unwrap_err().kind(), ErrorKind::Argument);
    assert!(ElementwiseKernel::new("T x, ?", "T z", "z = x", "bad").unwrap_err().text().contains("column"));
    let wrong = ElementwiseKernel::new("T x", "T z", "z = nothing_here(x)", "wrong")?;
    assert_eq!(unsafe { wrong.run(&args![&a]) }.unwrap_err().kind(), ErrorKind::Compile);
    Ok(())
}

#[test]
fn reductions() -> Result<()> {
    without_preload();
    let a = Array::from_slice(&[3.0, 4.0, 6.0, 8.0], [2, 2])?;
    let root = ReductionOptions { post_map: Some("z = sqrt(a)"), ..Default::default() };
    let length = ReductionKernel::with("T x", "T z", "x * x", "a + b", "0", "length", &root)?;
    // SAFETY: the code touches its own elements only.
    let rows = unsafe { length.run(&args![&a], 1)? }.remove(0);
    assert_eq!(rows.typed::<f64>()?.to_vec()?, [5.0, 10.0]);
    let largest = ReductionKernel::new("T x", "T z", "x", "a > b ? a : b", "-1e300", "largest")?;
    let mut out = Array::<f64>::zeros([])?;
    assert!(unsafe { largest.run(&args![&a, &mut out], ..)? }.is_empty());
    assert_eq!(out.item()?, 8.0);
    assert!(largest.source()?.contains("a > b"));
    Ok(())
}
