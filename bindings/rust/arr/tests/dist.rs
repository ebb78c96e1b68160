// SPDX-License-Identifier: MIT
//! Distributed arrays: each rank is a thread.
use arr::{array, Array, Comm, Decomposition, Device, Dist, Distribution, ErrorKind, Expr, Generator, Norm, Reduction};
use arr::{keep, Result, Ufunc};

/// Runs `work` with the rank on a thread for each of 1 to 3 ranks.
fn on_ranks(work: impl Fn(&Comm, usize, usize) -> Result<()> + Sync) -> Result<()> {
    (1..=3).try_for_each(|size| {
        let ranks = Comm::local(size, Device::HOST)?;
        std::thread::scope(|s| {
            let work = &work;
            let threads: Vec<_> = ranks.iter().enumerate().map(|(r, c)| s.spawn(move || work(c, r, size))).collect();
            threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
        })
    })
}

/// 0, 1, ... in a shape, divided from rank 0.
fn counted(by: &Decomposition, rank: usize) -> Result<Dist<f64>> {
    let shape = by.shape()?;
    let whole = Array::arange(0.0, shape.iter().product::<usize>() as f64, 1.0)?.reshape(shape)?;
    Dist::scatter(by, (rank == 0).then_some(&whole), 0)
}

#[test]
fn parts() -> Result<()> {
    on_ranks(|c, rank, size| {
        let rows = Decomposition::blocks(c, [6, 2], &[], &[])?;
        assert_eq!((rows.shape()?, rows.part_shape(0)?), (vec![6, 2], vec![6 / size, 2]));
        let a = counted(&rows, rank)?;
        let whole = Array::arange(0.0, 12.0, 1.0)?.reshape([6, 2])?;
        assert_eq!((a.gather()?, a.shape()?), (whole.clone(), vec![6, 2]));
        assert_eq!(a.gather_on(size as i32 - 1)?.is_some(), rank == size - 1);
        assert_eq!(a.part(&[])?.at([0, 0])?, (12 / size * rank) as f64);
        let mut extents = vec![1; size];
        extents[0] = 7 - size as i64;
        let uneven = Decomposition::counts(c, [6, 2], &extents, 0)?;
        let dealt: Vec<i32> = (0..6).map(|i| i % size as i32).collect();
        let owned = Decomposition::owners(c, [6, 2], &dealt, 0)?;
        assert_eq!(owned.indices(rank as i32, 0)?.at(0)?, rank as i64);
        let moved = a.redistribute(&uneven)?.redistribute(&owned)?;
        assert_eq!(moved.part(&[])?.at([0, 0])?, 2.0 * rank as f64);
        assert_eq!(moved.gather()?, whole);
        assert_eq!(a.decomposition()?.part_shape(rank as i32)?, rows.part_shape(rank as i32)?);
        assert_eq!(a.transpose(&[])?.gather()?, whole.t()?);
        assert_eq!(a.slice(0, 2..4)?.gather()?, array![[4.0, 5.0], [6.0, 7.0]]);
        let everywhere = Dist::from_part(&Decomposition::blocks(c, 2, &[1], &[])?, &array![1.0, 2.0])?;
        assert_eq!((&a * &everywhere).gather()?.at([5, 1])?, 22.0);
        Ok(())
    })
}

#[test]
fn operators() -> Result<()> {
    on_ranks(|c, rank, _| {
        let a = counted(&Decomposition::blocks(c, 4, &[], &[])?, rank)?;
        assert_eq!((2.0 * &a + &a / 2.0 - 1.0).gather()?, array![-1.0, 1.5, 4.0, 6.5]);
        assert_eq!((1.0 - (&a - &a * 2.0) / (1.0 / (1.0 + &a))).gather()?, array![1.0, 3.0, 7.0, 13.0]);
        assert_eq!((-(-&a)).gather()?, a.gather()?);
        assert_eq!(Dist::<f64>::evaluate("x * x + y", &[&a, &a])?.gather()?, array![0.0, 2.0, 6.0, 12.0]);
        let low: Dist<bool> = Ufunc::find("less")?.apply_dist(&[&a, &(3.0 - &a)])?;
        assert_eq!(low.gather()?, array![true, true, false, false]);
        let square = Expr::new(|[x]| x * x)?;
        let mut out = square.run_dist::<f64>([&a])?;
        square.run_dist_into([&a.slice(0, 0..4)?], &mut out)?;
        assert_eq!(out.gather()?, array![0.0, 1.0, 4.0, 9.0]);
        assert_eq!(
            (a.sum(..)?.item()?, a.mean(..)?.item()?, a.max(0)?.item()?, a.min(0)?.item()?),
            (6.0, 1.5, 3.0, 0.0)
        );
        assert_eq!(a.reduce::<f64>(Reduction::SUM, keep(..))?.shape()?, [1]);
        assert_eq!(a.accumulate::<f64>(Ufunc::find("add")?, 0)?.gather()?, array![0.0, 1.0, 3.0, 6.0]);
        assert_eq!((-a).sort(-1)?.gather()?, array![-3.0, -2.0, -1.0, 0.0]);
        Ok(())
    })
}

#[test]
fn halos() -> Result<()> {
    on_ranks(|c, rank, size| {
        let by = Decomposition::blocks(c, 6, &[], &[])?;
        let (mut u, n) = (Dist::zeros(&by, &[1])?, 6 / size);
        u.assign(&counted(&by, rank)?)?;
        u.exchange(&[true])?;
        let expected: Vec<f64> = (0..n + 2).map(|i| ((n * rank + i + 5) % 6) as f64).collect();
        assert_eq!(u.memory().to_vec()?, expected);
        u.part_mut(&[])?.fill(rank as f64)?;
        let sum = u.exchange_during(&[], |part| part.sum(..))?;
        assert_eq!(sum.item()?, (n * rank) as f64);
        // The end of an axis that is not periodic has kept its value.
        assert_eq!(u.part(&[1])?.at(-1)?, if rank + 1 == size { 0.0 } else { rank as f64 + 1.0 });
        u.memory_mut()?.fill(7.0)?;
        assert_eq!(u.part(&[-1])?.at(0)?, 7.0);
        Ok(())
    })
}

/// Nobody sees a write through another array.
#[test]
fn writes() -> Result<()> {
    on_ranks(|c, rank, _| {
        let by = Decomposition::blocks(c, 3, &[], &[])?;
        let mut u = Dist::<f64>::zeros(&by, &[1])?;
        let (part, turned) = (u.part(&[])?, u.transpose(&[])?);
        u.memory_mut()?.fill(2.0)?;
        assert_eq!((part.sum(..).item()?, turned.sum(..)?.item()?, u.sum(..)?.item()?), (0.0, 0.0, 6.0));
        assert_eq!(u.memory().shape(), [part.len() + 2]);
        let at = u.memory().as_dyn().data()?;
        drop(part);
        u.part_mut(&[])?.fill(3.0)?;
        assert_eq!(u.memory().as_dyn().data()?, at);
        let own = Array::<f64>::ones(by.part_shape(rank as i32)?)?;
        let (mut of_part, same) = (Dist::from_part(&by, &own)?, u.redistribute(&by)?);
        of_part.assign(&u)?;
        u.part_mut(&[])?.fill(4.0)?;
        assert_eq!((own.sum(..).item()?, same.sum(..)?.item()?), (own.len() as f64, 9.0));
        let whole = array![1.0, 2.0, 3.0];
        Dist::scatter(&by, Some(&whole), 0)?.part_mut(&[])?.fill(0.0)?;
        assert_eq!(whole, array![1.0, 2.0, 3.0]);
        Ok(())
    })
}

#[test]
fn whole() -> Result<()> {
    on_ranks(|c, rank, size| {
        let by = Decomposition::blocks(c, [4, 4], &[], &[])?;
        let a = Dist::<f64>::random(&by, &Generator::new(1)?, Distribution::NORMAL, &[])?;
        let all = Generator::new(1)?.normal::<f64>(Device::HOST, [4, 4], 0.0, 1.0)?;
        assert_eq!(a.gather()?, all);
        let near = |x: Array<f64>, y: &Array<f64>| -> Result<bool> { Ok((x - y).absolute().max(..).item()? < 1e-12) };
        assert!(near(a.matmul(&a)?.gather()?, &all.matmul(&all)?)?);
        let back = a.fft(&[], Norm::Backward, false)?.ifft(&[], Norm::Backward, true)?;
        assert!(near(back.gather()?.real(), &all)?);
        let half = a.rfft(&[0, 1], Norm::Ortho, true)?;
        assert_eq!(half.shape()?, [4, 3]);
        assert!(near(half.irfft(Some(4), &[0, 1], Norm::Ortho, true)?.gather()?, &all)?);
        let path = std::env::temp_dir().join(format!("arr-dist-{}-{size}.npy", std::process::id()));
        a.save_npy(&path)?;
        assert_eq!(Dist::<f64>::load_npy(&by, &path)?.gather()?, all);
        c.barrier()?;
        if rank == 0 {
            std::fs::remove_file(&path).expect("it is there");
        }
        Ok(())
    })
}

#[test]
fn failures() -> Result<()> {
    on_ranks(|c, rank, _| {
        let a = counted(&Decomposition::blocks(c, 4, &[], &[])?, rank)?;
        let b = Dist::<f64>::zeros(&Decomposition::blocks(c, 5, &[], &[])?, &[])?;
        let error = Ufunc::find("add")?.apply_dist::<f64>(&[&a, &b]).expect_err("the shapes differ");
        assert_eq!(error.kind(), ErrorKind::Shape);
        assert!(error.text().starts_with("arr_dist_apply: "), "{error}");
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| &a + &b)).expect_err("it panics");
        assert!(panic.downcast_ref::<String>().expect("text").starts_with("arr_dist_apply: "));
        let other: Result<Dist<i32>> = a.reduce(Reduction::SUM, ..);
        assert_eq!(other.expect_err("float64").kind(), ErrorKind::DType);
        assert_eq!(a.slice(0, 3..9).expect_err("beyond the end").kind(), ErrorKind::Argument);
        let mut u = Dist::<f64>::zeros(&a.decomposition()?, &[1])?;
        let thrown =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| u.exchange_during(&[], |_| panic!("oh"))));
        assert!(thrown.is_err());
        u.exchange(&[]) // the other one has ended
    })
}
