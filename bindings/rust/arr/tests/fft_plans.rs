// SPDX-License-Identifier: MIT
//! The effort of planning transforms, a setting of the process: so a separate program.
use arr::{
    c64, fft_wisdom, forget_fft_wisdom, import_fft_wisdom, set_fft_effort, Array, DType, Device, ErrorKind, FftEffort,
    Norm, Result,
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
    cached()
}

fn cached() -> Result<()> {
    let host = Device::HOST;
    let before = host.fft_cache()?;
    host.set_fft_cache_limit(Some(7), None)?;
    let limited = host.fft_cache()?;
    assert_eq!((limited.max_plans, limited.max_bytes), (Some(7), None));
    assert!(limited.plans <= 7);
    let signal = Array::<f64>::ones([46])?;
    let spectrum = signal.as_dyn().rfft(&[], Norm::Backward)?;
    spectrum.sync()?; // a plan is made when the work runs
    let plans = host.fft_plans()?;
    let mine = plans.iter().find(|plan| plan.kind.is_some() && plan.lengths == [46]).expect("the plan of 46");
    assert_eq!((mine.real, mine.transforms), (DType::FLOAT64, 1), "{mine:?} {spectrum:?}");
    host.drop_fft_plan(mine.id)?;
    assert!(host.fft_plans()?.iter().all(|plan| plan.id != mine.id));
    assert_eq!(host.drop_fft_plan(mine.id).unwrap_err().kind(), ErrorKind::Argument);
    host.clear_fft_cache()?;
    host.set_fft_cache_limit(before.max_plans, before.max_bytes)?;
    assert_eq!(host.fft_cache()?.max_plans, before.max_plans);
    Ok(())
}
