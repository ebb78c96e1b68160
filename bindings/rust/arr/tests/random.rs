// SPDX-License-Identifier: MIT
//! Random numbers: seeds, distributions, order.
use arr::{Array, BitGenerator, Device, Generator, NormalMethod, Result};

const HOST: Device = Device::HOST;

fn mean(x: &Array<f64>) -> Result<f64> {
    x.try_mean(..)?.item()
}

#[test]
fn seeds_make_streams() -> Result<()> {
    let draw = |seed: i64| -> Result<Vec<f64>> { Generator::new(seed)?.standard_normal::<f64>(HOST, [50])?.to_vec() };
    assert_eq!(draw(5)?, draw(5)?);
    assert_ne!(draw(5)?, draw(6)?);
    for same in [Generator::new(5)?, Generator::new([5])?, Generator::new(&vec![5])?, Generator::new(5usize)?] {
        assert_eq!(same.standard_normal::<f64>(HOST, [50])?.to_vec()?, draw(5)?);
    }
    assert_eq!(draw(-1)?, Generator::new(u64::MAX)?.standard_normal::<f64>(HOST, [50])?.to_vec()?, "the same bits");
    let children = Generator::new(5)?.spawn(2)?;
    let two: Vec<Vec<f64>> = children.iter().map(|g| g.random::<f64>(HOST, [9])?.to_vec()).collect::<Result<_>>()?;
    assert_ne!(two[0], two[1]);
    assert_ne!(
        Generator::new([])?.random::<f32>(HOST, [4])?.to_vec()?,
        Generator::new([])?.random::<f32>(HOST, [4])?.to_vec()?
    );
    let (a, b) = (Generator::new(1)?, Generator::new(1)?);
    let _ = a.random::<f64>(HOST, [6])?; // three blocks
    b.advance(3)?;
    assert_eq!(a.random::<f64>(HOST, [5])?.to_vec()?, b.random::<f64>(HOST, [5])?.to_vec()?);
    Ok(())
}

#[test]
fn distributions_have_their_means() -> Result<()> {
    let g = Generator::new(9)?;
    let n = [20000];
    for (x, want, reach) in [
        (g.uniform::<f64>(HOST, n, 2.0, 4.0)?, 3.0, 0.02),
        (g.normal(HOST, n, -1.0, 2.0)?, -1.0, 0.06),
        (g.exponential(HOST, n, 3.0)?, 3.0, 0.1),
        (g.gamma(HOST, n, 2.0, 0.5)?, 1.0, 0.03),
        (g.beta(HOST, n, 2.0, 6.0)?, 0.25, 0.01),
        (g.poisson(HOST, n, 7.0)?, 7.0, 0.1),
        (g.binomial(HOST, n, 10.0, 0.3)?, 3.0, 0.06),
        (g.standard_exponential(HOST, n)?, 1.0, 0.03),
        (g.standard_gamma(HOST, n, 4.0)?, 4.0, 0.06),
        (g.noncentral_chisquare(HOST, n, 3.0, 2.0)?, 5.0, 0.15),
        (g.f(HOST, n, 3.0, 22.0)?, 1.1, 0.04),
        (g.noncentral_f(HOST, n, 4.0, 42.0, 4.0)?, 2.1, 0.06),
        (g.logistic(HOST, n, 2.0, 0.5)?, 2.0, 0.04),
        (g.gumbel(HOST, n, 1.0, 1.0)?, 1.5772, 0.04),
        (g.rayleigh(HOST, n, 2.0)?, 2.5066, 0.04),
        (g.weibull(HOST, n, 2.0)?, 0.8862, 0.02),
        (g.pareto(HOST, n, 11.0)?, 0.1, 0.005),
        (g.power(HOST, n, 3.0)?, 0.75, 0.01),
        (g.triangular(HOST, n, 0.0, 1.0, 5.0)?, 2.0, 0.04),
        (g.wald(HOST, n, 2.0, 8.0)?, 2.0, 0.04),
        (g.vonmises(HOST, n, 0.5, 8.0)?, 0.5, 0.02),
        (g.negative_binomial(HOST, n, 6.0, 0.5)?, 6.0, 0.14),
        (g.hypergeometric(HOST, n, 10.0, 30.0, 8.0)?, 2.0, 0.05),
        (g.logseries(HOST, n, 0.5)?, std::f64::consts::LOG2_E, 0.04),
        (g.zipf(HOST, n, 6.0)?, 1.0192, 0.01),
    ] {
        let got = mean(&x)?;
        assert!((got - want).abs() < reach, "{got}, expected {want}");
    }
    assert!(g.standard_cauchy::<f64>(HOST, [9])?.to_vec()?.iter().all(|v| v.is_finite()));
    let mut x = Array::<f32>::zeros([3, 4])?;
    g.fill_standard_normal(&mut x)?;
    assert!(x.to_vec()?.iter().all(|v| *v != 0.0));
    let e = g.normal::<f64>(HOST, [2], 0.0, -1.0).unwrap_err();
    assert!(e.to_string().contains("argument scale"), "{e}");
    Ok(())
}

#[test]
fn order_and_choice() -> Result<()> {
    let g = Generator::new(2)?;
    let mut p = g.permutation(HOST, 500)?.to_vec()?;
    p.sort_unstable();
    assert_eq!(p, (0..500).collect::<Vec<i64>>());
    let dice = g.integers::<i32>(HOST, [3000], 1, 7)?.to_vec()?;
    assert!((1..7).all(|v| dice.contains(&v)) && dice.iter().all(|v| (1..7).contains(v)));
    let mut few = g.choice(HOST, 40, [40], false)?.to_vec()?;
    few.sort_unstable();
    assert_eq!(few, (0..40).collect::<Vec<i64>>());
    let mut a = HOST.array(&(0..12).collect::<Vec<i64>>(), [4, 3])?;
    let rows = g.shuffled(&a, 0)?.to_vec()?;
    assert!(rows.chunks(3).all(|r| r[1] == r[0] + 1 && r[2] == r[0] + 2));
    g.shuffle(&mut a, 1)?;
    let mut all = a.to_vec()?;
    all.sort_unstable();
    assert_eq!(all, (0..12).collect::<Vec<i64>>());
    assert!(g.choice(HOST, 3, [4], false).is_err());
    Ok(())
}

#[test]
fn bit_generators_have_their_numbers() -> Result<()> {
    let draw = |bits| -> Result<Vec<f64>> { Generator::of(bits, 42)?.random::<f64>(HOST, [3])?.to_vec() };
    let numpy = [0.7739560485559633, 0.4388784397520523, 0.8585979199113825]; // of default_rng(42)
    assert_eq!(draw(BitGenerator::Pcg64)?, numpy);
    assert_ne!(draw(BitGenerator::Xorwow)?, draw(BitGenerator::Mrg32k3a)?);
    assert_ne!(draw(BitGenerator::Threefry2x32)?, draw(BitGenerator::Philox4x32)?);
    Ok(())
}

#[test]
fn jumps_go_far() -> Result<()> {
    let g = Generator::new(9)?;
    let ahead = g.jumped(3)?;
    g.advance(3 << 48)?;
    assert_eq!(g.random::<f64>(HOST, [8])?.to_vec()?, ahead.random::<f64>(HOST, [8])?.to_vec()?);
    let numpy = [0.7561611153965418, 0.630884304627682]; // of Generator(PCG64(42).jumped())
    let far = Generator::of(BitGenerator::Pcg64, 42)?.jumped(1)?.random::<f64>(HOST, [2])?.to_vec()?;
    assert_eq!(far, numpy);
    assert!(g.jumped(-1).is_err());
    Ok(())
}

#[test]
fn states_continue() -> Result<()> {
    let g = Generator::of(BitGenerator::Xorwow, 4)?;
    let _ = g.random::<f64>(HOST, [7])?;
    let kept = g.state()?;
    let first = g.bits::<u32>(HOST, [3, 5])?;
    assert_eq!(first.shape(), [3, 5]);
    assert_ne!(g.state()?, kept);
    let other = Generator::of(BitGenerator::Xorwow, [])?;
    other.set_state(&kept)?;
    assert_eq!(other.bits::<u32>(HOST, [15])?.to_vec()?, first.to_vec()?);
    assert!(Generator::new(1)?.set_state(&kept).is_err());
    assert!(g.bits::<i32>(HOST, [2]).is_err());
    Ok(())
}

#[test]
fn vectors_have_their_sums() -> Result<()> {
    let g = Generator::new(6)?;
    let sums = |rows: &[i64]| rows.chunks(3).map(|r| r.iter().sum()).collect::<Vec<i64>>();
    let p = HOST.array(&[0.5, 0.25, 0.25], [3])?;
    assert_eq!(sums(&g.multinomial([2, 2], 12, &p)?.to_vec()?), [12; 4]);
    let colors = HOST.array(&[4i64, 0, 6], [3])?;
    let drawn = g.multivariate_hypergeometric([4], &colors, 5)?.to_vec()?;
    assert!(sums(&drawn) == [5; 4] && drawn.chunks(3).all(|r| r[1] == 0));
    let shares = g.dirichlet([50], &HOST.array(&[1.0, 2.0], [2])?)?.to_vec()?;
    assert!(shares.len() == 100 && shares.chunks(2).all(|r| (r[0] + r[1] - 1.0).abs() < 1e-14));
    let (mean, ones) = (HOST.array(&[5.0, -5.0], [2])?, HOST.array(&[1.0; 4], [2, 2])?);
    for method in [NormalMethod::Eigh, NormalMethod::Svd] {
        let x = g.multivariate_normal([40], &mean, &ones, method)?.to_vec()?;
        assert!(x.chunks(2).all(|r| (r[0] - r[1] - 10.0).abs() < 1e-6) && x[0] != x[2]);
    }
    assert!(g.multivariate_normal([1], &mean, &ones, NormalMethod::Cholesky).is_err());
    let a = HOST.array(&(0..12).collect::<Vec<i32>>(), [4, 3])?;
    let rows = g.sample(&a, 0, [30], true, None)?.to_vec()?;
    assert!(rows.len() == 90 && rows.chunks(3).all(|r| r[0] % 3 == 0 && r[2] == r[0] + 2));
    let w = HOST.array(&[0.0, 0.0, 1.0, 0.0], [4])?;
    assert_eq!(g.sample(&a, 0, [2], true, Some(&w))?.to_vec()?, [6, 7, 8, 6, 7, 8]);
    Ok(())
}
