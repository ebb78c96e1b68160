// SPDX-License-Identifier: MIT
//! Fourier transforms against closed forms, and back.
use arr::{
    c64, Array, Convolve, Cosine, CosineNorm, DType, Device, ErrorKind, FftDirection, FftKind, FftPlan, Hankel, Norm,
    Result,
};

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
    let indices = Array::from_slice(&[1, 2, 3, 4, 5], [5])?;
    assert_eq!(indices.as_dyn().fftshift(&[])?.typed::<i32>()?.to_vec()?, [4, 5, 1, 2, 3]);
    assert_eq!(a.as_dyn().fft(&[3], Norm::Backward).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(a.as_dyn().irfft(0, 0, Norm::Backward).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12)
}

#[test]
fn cosines_and_sines() -> Result<()> {
    let x = [1.0, -2.0, 0.5, 4.0, 3.0];
    let n = x.len() as f64;
    let a = Array::from_slice(&x, [5])?;
    let sums = |f: fn(f64) -> f64, from: f64| -> Vec<f64> {
        let term = |k: usize, j: usize| x[j] * f(std::f64::consts::PI * (j as f64 + 0.5) * (k as f64 + from) / n);
        (0..5).map(|k| (0..5).map(|j| 2.0 * term(k, j)).sum()).collect()
    };
    let cosines = a.as_dyn().dct(Cosine::II, &[0], Norm::Backward)?.typed::<f64>()?.to_vec()?;
    assert!(close(&cosines, &sums(f64::cos, 0.0)));
    let sines = a.as_dyn().dst(Cosine::II, &[0], Norm::Backward)?.typed::<f64>()?.to_vec()?;
    assert!(close(&sines, &sums(f64::sin, 1.0)));
    let b = Array::from_vec((0..60).map(f64::from).collect(), [3, 4, 5])?;
    let wanted = b.to_vec()?;
    for kind in [Cosine::I, Cosine::II, Cosine::III, Cosine::IV] {
        for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
            let back = b.as_dyn().dct(kind, &[], norm)?.idct(kind, &[], norm)?;
            assert!(close(&back.typed::<f64>()?.to_vec()?, &wanted));
            let back = b.as_dyn().dst(kind, &[2, 0], norm)?.idst(kind, &[2, 0], norm)?;
            assert!(close(&back.typed::<f64>()?.to_vec()?, &wanted));
        }
    }
    let norm = CosineNorm { norm: Norm::Backward, orthogonal: Some(true) };
    let (ends, plain) = (a.as_dyn().dct(Cosine::II, &[0], norm)?, a.as_dyn().dct(Cosine::II, &[0], Norm::Backward)?);
    let (ends, plain) = (ends.typed::<f64>()?.to_vec()?, plain.typed::<f64>()?.to_vec()?);
    assert!((ends[0] * 2f64.sqrt() - plain[0]).abs() <= 1e-12 && close(&ends[1..], &plain[1..]));
    let norm = CosineNorm { norm: Norm::Ortho, orthogonal: Some(false) };
    let halved = a.as_dyn().dct(Cosine::II, &[0], norm)?.typed::<f64>()?.to_vec()?;
    let factor = (2.0 * plain.len() as f64).sqrt();
    assert!(close(&halved, &plain.iter().map(|x| x / factor).collect::<Vec<_>>()));
    assert_eq!(a.as_dyn().dct(Cosine::default(), &[1], Norm::Ortho).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn convolution() -> Result<()> {
    let a = Array::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    let v = Array::from_slice(&[1.0, -1.0], [1, 2])?;
    let full = [1.0, 1.0, 1.0, -3.0, 4.0, 1.0, 1.0, -6.0];
    let of = |mode, axes: &[i32]| a.as_dyn().fftconvolve(v.as_dyn(), mode, axes)?.typed::<f64>()?.to_vec();
    assert!(close(&of(Convolve::Full, &[])?, &full));
    assert!(close(&of(Convolve::Full, &[-1])?, &full));
    assert!(close(&of(Convolve::Valid, &[])?, &[1.0, 1.0, 1.0, 1.0]));
    assert!(close(&of(Convolve::Same, &[])?, &[1.0, 1.0, 1.0, 4.0, 1.0, 1.0]));
    let long = Array::from_vec((0..999).map(f64::from).collect(), [999])?;
    let step = Array::from_slice(&[1.0, 0.0, -1.0], [3])?;
    let two = long.as_dyn().oaconvolve(step.as_dyn(), Convolve::Valid, &[])?.typed::<f64>()?.to_vec()?;
    assert!(two.len() == 997 && two.iter().all(|x| (x - 2.0).abs() <= 1e-9));
    let kind = long.as_dyn().fftconvolve(v.as_dyn(), Convolve::Full, &[]).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::Shape);
    Ok(())
}

#[test]
fn hankel() -> Result<()> {
    // r^2 exp(-r^2 / 2) is its own transform of order 1.
    let n = 256;
    let of = |x: f64| x * x * (-x * x / 2.0).exp();
    let dln = 16.0 / 255.0;
    let points: Vec<f64> = (0..n).map(|j| (dln * (f64::from(j) - 127.5)).exp()).collect();
    let h = Hankel::new(dln, 1.0).with_low_ringing()?;
    let a = Array::from_vec(points.iter().map(|&r| of(r)).collect(), [256])?;
    let there = a.as_dyn().fht(h, -1)?;
    for (got, r) in there.typed::<f64>()?.to_vec()?.iter().zip(&points) {
        assert!((got - of(r * h.offset.exp())).abs() <= 1e-7);
    }
    let back = a.as_dyn().fht(h, 0)?.ifht(h, 0)?.typed::<f64>()?.to_vec()?;
    assert!(close(&back, &a.to_vec()?));
    assert!(h.offset.abs() <= dln);
    assert_eq!(a.as_dyn().fht(Hankel::new(0.0, 1.0), 0).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(a.as_dyn().ifht(h, 1).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn planned_ahead() -> Result<()> {
    let x: Vec<f64> = (0..24).map(|i| f64::from(i * i % 7)).collect();
    let a = Array::from_slice(&x, [2, 3, 4])?;
    let forward = FftPlan::new(FftKind::R2C, DType::FLOAT64, [2, 3, 4], &[0, -1], Device::HOST)?;
    let backward = FftPlan::new(FftKind::C2R, DType::FLOAT64, [2, 3, 4], &[0, -1], Device::HOST)?;
    let info = forward.info()?;
    assert_eq!((info.kind, info.real, info.ndim, info.axes), (FftKind::R2C, DType::FLOAT64, 3, 2));
    assert!(info.plans > 0 && info.bytes > 0, "{info:?}");
    for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
        let half = forward.execute(a.as_dyn(), FftDirection::Forward, norm)?;
        assert_eq!(half.shape(), [2, 3, 3]);
        let without = a.as_dyn().rfft(&[0, -1], norm)?.typed::<c64>()?.to_vec()?;
        assert!(near(&half.clone().typed::<c64>()?.to_vec()?, &without));
        let back = backward.execute(&half, FftDirection::Backward, norm)?.typed::<f64>()?;
        assert!(back.to_vec()?.iter().zip(&x).all(|(y, x)| (y - x).abs() < 1e-12));
    }
    let wrong = forward.execute(a.as_dyn(), FftDirection::Backward, Norm::Backward).unwrap_err();
    assert!(wrong.kind() == ErrorKind::Argument && wrong.text().contains("is forward"), "{wrong}");
    let turned = forward.execute(&a.as_dyn().permute(&[])?, FftDirection::Forward, Norm::Backward);
    assert_eq!(turned.unwrap_err().kind(), ErrorKind::Shape);

    // One plan, both ways, into an array that others see: they keep what they had.
    let plan = FftPlan::new(FftKind::C2C, DType::FLOAT64, [3], &[], Device::HOST)?;
    let z = Array::from_slice(&[complex(1.0, 2.0), complex(0.0, -1.0), complex(3.0, 0.5)], [3])?;
    let mut out = Array::<c64>::zeros([3])?;
    let kept = out.clone();
    plan.execute_into(z.as_dyn(), &mut out, FftDirection::Forward, Norm::Backward)?;
    assert!(near(&out.to_vec()?, &z.as_dyn().fft(&[], Norm::Backward)?.typed::<c64>()?.to_vec()?));
    assert_eq!(kept.to_vec()?, Array::<c64>::zeros([3])?.to_vec()?);
    let transformed = out.clone();
    plan.execute_into(transformed.as_dyn(), &mut out, FftDirection::Backward, Norm::Backward)?;
    assert!(near(&out.to_vec()?, &z.to_vec()?));
    let reals = Array::<f64>::zeros([3])?;
    let kind = plan.execute(reals.as_dyn(), FftDirection::Forward, Norm::Backward).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::DType);
    let refused = FftPlan::new(FftKind::C2C, DType::FLOAT16, [3], &[], Device::HOST).unwrap_err();
    assert!(refused.kind() == ErrorKind::DType && refused.text().starts_with("arr_fft_plan_create"), "{refused}");
    Ok(())
}

#[test]
fn padding_and_halves() -> Result<()> {
    let a = Array::from_vec((0..12).map(f64::from).collect(), [3, 4])?;
    let mut wide = vec![0.0; 4 * 6];
    for (i, v) in a.to_vec()?.into_iter().enumerate() {
        wide[i / 4 * 6 + i % 4] = v;
    }
    let padded = Array::from_vec(wide.clone(), [4, 6])?;
    let want = padded.as_dyn().fft(&[], Norm::Ortho)?.typed::<c64>()?.to_vec()?;
    let lengths = [(0, 4), (1, 6)];
    let got = a.as_dyn().fft_padded(&lengths, Norm::Ortho)?;
    assert!(near(&got.typed::<c64>()?.to_vec()?, &want));
    let back = padded.as_dyn().fft(&[], Norm::Backward)?.ifft_padded(&lengths, Norm::Backward)?;
    assert!(back.typed::<c64>()?.to_vec()?.iter().zip(&wide).all(|(x, y)| (x.re - y).abs() < 1e-12));
    let half = a.as_dyn().rfft_padded(&lengths, Norm::Backward)?;
    let reals = half.irfftn(&lengths, Norm::Backward)?.typed::<f64>()?.to_vec()?;
    assert!(reals.iter().zip(&wide).all(|(x, y)| (x - y).abs() < 1e-12));
    let spectrum = Array::from_slice(&[4.0, 1.0, 0.0, -1.0, 2.0], [5])?;
    let signal = spectrum.as_dyn().ihfft(5, 0, Norm::Backward)?;
    let again = signal.hfft(5, 0, Norm::Backward)?.typed::<f64>()?.to_vec()?;
    assert!(again.iter().zip(spectrum.to_vec()?).all(|(x, y)| (x - y).abs() < 1e-12));
    let grid = a.as_dyn().ihfftn(&lengths, Norm::Backward)?;
    assert_eq!(grid.shape(), [4, 4]);
    let again = grid.hfftn(&lengths, Norm::Backward)?.typed::<f64>()?.to_vec()?;
    assert!(again.iter().zip(&wide).all(|(x, y)| (x - y).abs() < 1e-12));
    Ok(())
}

#[test]
fn lengths_and_frequencies() -> Result<()> {
    assert_eq!((arr::next_fast_len(97, false)?, arr::next_fast_len(97, true)?), (98, 100));
    assert!(arr::next_fast_len(0, true).is_err());
    assert_eq!(Array::<f64>::fftfreq(4, 0.5)?.to_vec()?, [0.0, 0.5, -1.0, -0.5]);
    assert_eq!(Array::<f32>::rfftfreq(5, 0.2)?.to_vec()?, [0.0, 1.0, 2.0]);
    let indices = Array::from_slice(&[1, 2, 3, 4, 5], [5])?;
    assert_eq!(indices.as_dyn().ifftshift(&[])?.typed::<i32>()?.to_vec()?, [3, 4, 5, 1, 2]);
    Ok(())
}
