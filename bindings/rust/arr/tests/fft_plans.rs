// SPDX-License-Identifier: MIT
//! How plans of transforms are made, which is the process's: a program of its own.
use arr::{
    c64, fft_wisdom, forget_fft_wisdom, import_fft_wisdom, set_fft_effort, Array, ErrorKind, FftEffort, Norm, Result,
};

#[test]
fn plans() -> Result<()> {
    let a = Array::from_slice(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], [6])?;
    let transform = || a.as_dyn().fft(&[], Norm::Backward)?.typed::<c64>()?.to_vec();
    let estimated = transform()?;
    assert_eq!(set_fft_effort(FftEffort::Measure)?, FftEffort::Estimate);
    let measured = transform()?;
    let learnt = fft_wisdom()?;
    assert_eq!(set_fft_effort(FftEffort::Estimate)?, FftEffort::Measure);
    assert!(estimated.iter().zip(&measured).all(|(x, y)| (x.re - y.re).abs() + (x.im - y.im).abs() < 1e-12));
    forget_fft_wisdom()?;
    assert!(fft_wisdom()?.len() < learnt.len());
    import_fft_wisdom(&learnt)?;
    assert_eq!(fft_wisdom()?.len(), learnt.len());
    assert_eq!(import_fft_wisdom("nothing").unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}
