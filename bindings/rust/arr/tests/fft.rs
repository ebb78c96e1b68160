// SPDX-License-Identifier: MIT
//! Fourier transforms against closed forms, and back.
use arr::{c64, Array, ErrorKind, Norm, Result};

fn near(a: &[c64], b: &[c64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x.re - y.re).abs() + (x.im - y.im).abs() <= 1e-12)
}

fn complex(re: f64, im: f64) -> c64 {
    c64 { re, im }
}

#[test]
fn closed_forms() -> Result<()> {
    let a = Array::from_slice(&[1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0], [2, 4])?;
    let rows = a.as_dyn().fft(&[-1], Norm::Backward)?.typed::<c64>()?.to_vec()?;
    let one = complex(1.0, 0.0);
    let turn = [complex(2.0, 0.0), complex(0.0, -2.0), complex(-2.0, 0.0), complex(0.0, 2.0)];
    assert!(near(&rows, &[one, one, one, one, turn[0], turn[1], turn[2], turn[3]]));
    let half = a.as_dyn().rfft(&[-1], Norm::Backward)?;
    assert_eq!(half.irfft(4, -1, Norm::Backward)?.typed::<f64>()?.to_vec()?, a.to_vec()?);
    assert!(near(&half.typed::<c64>()?.to_vec()?, &[one, one, one, turn[0], turn[1], turn[2]]));
    Ok(())
}

#[test]
fn there_and_back() -> Result<()> {
    let a = Array::from_vec((0..60).map(f64::from).collect(), [3, 4, 5])?;
    let wanted: Vec<c64> = (0..60).map(|i| complex(f64::from(i), 0.0)).collect();
    for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
        let back = a.as_dyn().fft(&[], norm)?.ifft(&[], norm)?.typed::<c64>()?.to_vec()?;
        assert!(near(&back, &wanted));
    }
    let places = Array::from_slice(&[1, 2, 3, 4, 5], [5])?;
    assert_eq!(places.as_dyn().fftshift(&[])?.typed::<i32>()?.to_vec()?, [4, 5, 1, 2, 3]);
    assert_eq!(a.as_dyn().fft(&[3], Norm::Backward).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(a.as_dyn().irfft(0, 0, Norm::Backward).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}
