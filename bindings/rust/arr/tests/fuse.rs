// SPDX-License-Identifier: MIT
//! Recorded calls, in scopes and outside. In a separate process, as the counts are the process's.
use arr::{automatic_fusion, set_automatic_fusion, Array, AutomaticFusion, Fuse, Result};

fn sample(scale: f32) -> Result<Array<f32>> {
    let values: Vec<f32> = (0..1000).map(|i| i as f32 * scale + 0.5).collect();
    Array::from_slice(&values, [1000])
}

fn formula(a: &Array<f32>, b: &Array<f32>, c: &Array<f32>) -> Array<f32> {
    a * b + c * a - b.sqrt()
}

// Operators whose results are large need no scope.
fn without_a_scope() -> Result<()> {
    let devices = automatic_fusion()?;
    let late = std::env::var_os("ARR_HOST_ASYNC").is_some();
    let a = Array::<f32>::ones([400, 400])?;
    for (set, calls) in [(AutomaticFusion::OnHost, if late { 0 } else { 5 }), (AutomaticFusion::Never, 0)] {
        set_automatic_fusion(set)?;
        assert_eq!(automatic_fusion()?, set);
        let before = Fuse::info()?.recorded;
        let r = formula(&a, &a, &a);
        assert_eq!(r.to_vec()?, vec![1.0; 160_000]);
        assert_eq!(Fuse::info()?.recorded - before, calls);
    }
    set_automatic_fusion(devices)
}

#[test]
fn one_pass() -> Result<()> {
    let (a, b, c) = (sample(0.5)?, sample(1.5)?, sample(-0.25)?);
    let want = formula(&a, &b, &c).to_vec()?;
    let before = Fuse::info()?;
    let scope = Fuse::small()?;
    let r = formula(&a, &b, &c);
    assert_eq!(Fuse::info()?.depth, 1);
    assert_eq!(Fuse::info()?.programs, before.programs);
    scope.end()?;
    let after = Fuse::info()?;
    assert_eq!((after.recorded - before.recorded, after.programs - before.programs, after.depth), (5, 1, 0));
    assert_eq!(r.to_vec()?, want);

    let scope = Fuse::new()?;
    assert_eq!(formula(&a, &b, &c).to_vec()?, want);
    // Small results are computed at once, unless another thread computes them (ARR_HOST_ASYNC=1).
    let calls = if std::env::var_os("ARR_HOST_ASYNC").is_some() { 5 } else { 0 };
    assert_eq!(Fuse::info()?.recorded - after.recorded, calls);
    drop(scope);

    let scope = Fuse::small()?;
    let mut t = &a + 1.0f32;
    assert_eq!(t.to_vec()?[0], 1.5);
    let u = &t * 2.0f32;
    t.as_mut_slice()?[0] = 7.0;
    scope.flush()?;
    assert_eq!((u.to_vec()?[0], t.to_vec()?[0]), (3.0, 7.0));
    drop(scope);
    assert_eq!(Fuse::info()?.depth, 0);

    let scope = Fuse::reordering()?;
    let sum = (&a * &b).sum(..).item()?;
    scope.end()?;
    let exact = (&a * &b).sum(..).item()?;
    assert!((sum - exact).abs() <= 1e-5 * exact.abs(), "{sum} {exact}");
    without_a_scope()
}
