// SPDX-License-Identifier: MIT
//! Linear operators and solvers against dense matrices; functions of the program that fail, panic or keep what they get.
use std::ops::ControlFlow::{Break, Continue};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arr::{
    array, c64, eigs, eigs_values, eigsh, eigsh_values, expm_multiply, lobpcg, onenormest, s, solve_bicgstab, solve_cg,
    solve_cgs, solve_gmres, solve_lgmres, solve_lsmr, solve_lsqr, solve_lsqr_with_var, solve_minres, solve_tfqmr, svds,
    svds_values, Array, Device, Eigenvalues, EigshOptions, Element, Error, ErrorKind, ExpmOptions, GeneralEigenvalues,
    LinearOperator, LobpcgOptions, LsqrOptions, Order, Result, SolveOptions, SparseFormat, SparseMatrix, ToOperator,
};

const N: usize = 40;

/// A symmetric, positive definite matrix.
fn dense() -> Result<Array<f64>> {
    Array::from_shape_fn((N, N), |at| match at[0].abs_diff(at[1]) {
        0 => 3.0 + at[0] as f64,
        1 => -1.0,
        7 => 0.5,
        _ => 0.0,
    })
}

fn right() -> Result<Array<f64>> {
    Array::from_shape_fn(N, |at| (at[0] as f64).sin() + 2.0)
}

fn exact<'a, T>() -> SolveOptions<'a, T> {
    SolveOptions { rtol: 1e-13, ..Default::default() }
}

fn near(x: &Array<f64>, expected: &Array<f64>, tolerance: f64) -> Result<()> {
    let error = (x - expected).absolute().max(..).item()? / expected.absolute().max(..).item()?;
    assert!(error <= tolerance, "{error}: {x} instead of {expected}");
    Ok(())
}

/// All solvers of equations, of a matrix that all of them take.
fn by_all(a: &impl ToOperator<f64>, b: &Array<f64>) -> Result<Vec<Array<f64>>> {
    let all = [
        solve_cg(a, b, exact())?,
        solve_cgs(a, b, exact())?,
        solve_bicgstab(a, b, exact())?,
        solve_gmres(a, b, exact())?,
        solve_minres(a, b, exact())?,
        solve_tfqmr(a, b, exact())?,
        solve_lgmres(a, b, exact())?,
    ];
    assert!(all.iter().all(|(_, info)| info.converged() && info.iterations > 3 && info.residual < 1e-9), "{all:?}");
    Ok(all.into_iter().map(|(x, _)| x).collect())
}

#[test]
fn solutions() -> Result<()> {
    let (d, b) = (dense()?, right()?);
    let expected = d.solve(&b)?;
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    let kept = a.try_clone()?;
    let function = LinearOperator::from_fn((N, N), Device::HOST, move |x| kept.matmul(&x))?;
    let sum = &LinearOperator::new(&a)? * 0.5 + 0.5 * LinearOperator::new(&d)?;
    for x in [by_all(&a, &b)?, by_all(&d, &b)?, by_all(&function, &b)?, by_all(&sum, &b)?].concat() {
        near(&x, &expected, 1e-11)?;
    }
    // Not symmetric.
    let d = &d + Array::from_shape_fn((N, N), |at| if at[0] + 1 == at[1] { 0.7 } else { 0.0 })?;
    let a = SparseMatrix::from_dense(&d, SparseFormat::Coo)?;
    for (x, info) in [solve_gmres(&a, &b, exact())?, solve_bicgstab(&a, &b, exact())?, solve_cgs(&a, &b, exact())?] {
        assert!(info.converged());
        near(&x, &d.solve(&b)?, 1e-11)?;
    }
    Ok(())
}

#[test]
fn element_types() -> Result<()> {
    let (d, b) = (dense()?, right()?);
    let single = SparseMatrix::from_dense(&d.cast::<f32>()?, SparseFormat::Csr)?;
    let (x, _): (Array<f32>, _) = solve_cg(&single, &b.cast()?, SolveOptions { rtol: 1e-6, ..Default::default() })?;
    near(&x.cast()?, &d.solve(&b)?, 1e-5)?;
    let whole = SparseMatrix::from_dense(&(d * 2.0).cast::<i32>()?, SparseFormat::Csr)?;
    let jacobi: LinearOperator<f64> = whole.jacobi()?;
    let ones = Array::<i32>::ones(N)?;
    let (x, info): (Array<f64>, _) = solve_cg(&whole, &ones, SolveOptions { m: Some(&jacobi), ..exact() })?;
    assert!(info.converged());
    near(&whole.cast::<f64>()?.matmul(&x)?, &ones.cast()?, 1e-11)?;
    let hermitian = array![[c64::new(3.0, 0.0), c64::new(0.0, 1.0)], [c64::new(0.0, -1.0), c64::new(2.0, 0.0)]];
    let b = array![c64::new(1.0, 1.0), c64::new(0.0, -2.0)];
    let (x, _) = solve_cg(&hermitian, &b, exact())?;
    assert!((hermitian.matmul(&x)? - b).absolute().max(..).item()? < 1e-12);
    let half = Array::<arr::f16>::ones((1, 1))?;
    let (x, _): (Array<f64>, _) = solve_minres(&half, &Array::ones(1)?, SolveOptions::default())?;
    assert_eq!(x, array![1.0]);
    Ok(())
}

#[test]
fn options() -> Result<()> {
    let (a, b) = (SparseMatrix::from_dense(&dense()?, SparseFormat::Csr)?, right()?);
    let (x, info) = solve_cg(&a, &b, exact())?;
    let (_, again) = solve_cg(&a, &b, SolveOptions { x0: Some(&x), rtol: 1e-10, ..Default::default() })?;
    assert_eq!((again.iterations, again.info), (0, 0));
    let (_, faster) = solve_cg(&a, &b, SolveOptions { m: Some(&a.jacobi()?), ..exact() })?;
    assert!(faster.iterations < info.iterations, "{faster:?} {info:?}");
    let (_, short) = solve_cg(&a, &b, SolveOptions { maxiter: Some(4), ..exact() })?;
    assert_eq!((short.info, short.iterations, short.converged()), (4, 4, false));
    let (zeros, none) = solve_cg(&a, &b, SolveOptions { maxiter: Some(0), ..Default::default() })?;
    assert_eq!((none.iterations, zeros), (0, Array::zeros(N)?));
    let (rough, loose) = solve_cg(&a, &b, SolveOptions { rtol: 0.0, atol: 1e-2, ..Default::default() })?;
    assert!(loose.residual <= 1e-2 && loose.iterations < info.iterations);
    near(&rough, &x, 1e-2)?;
    let (_, never) = solve_cg(&a, &b, SolveOptions { rtol: 0.0, maxiter: Some(60), ..Default::default() })?;
    assert_eq!(never.info, 60, "0 is not the default");
    let (_, cycles) = solve_gmres(&a, &b, SolveOptions { restart: Some(3), maxiter: Some(2), ..exact() })?;
    assert_eq!((cycles.info, cycles.iterations), (2, 6));
    let (shifted, _) = solve_minres(&a, &b, SolveOptions { shift: 1.0, ..exact() })?;
    near(&(a.matmul(&shifted)? - shifted), &b, 1e-10)?;
    assert_eq!(format!("{:?}", exact::<f64>()), "SolveOptions { rtol: 0.0000000000001, atol: 0, maxiter: None, .. }");
    Ok(())
}

#[test]
fn callbacks() -> Result<()> {
    let (a, b) = (dense()?, right()?);
    let mut seen = Vec::new();
    let mut look = |iterations, residual| {
        seen.push((iterations, residual));
        Continue(())
    };
    let (_, info) = solve_cg(&a, &b, SolveOptions { callback: Some(&mut look), ..exact() })?;
    assert_eq!(seen.last(), Some(&(info.iterations, info.residual)));
    assert!(seen.len() >= info.iterations && seen[0].1 > 1e3 * info.residual);
    let mut calls = 0;
    let mut stop = |iterations, _| {
        calls += 1;
        if iterations >= 4 {
            Break(())
        } else {
            Continue(())
        }
    };
    let options = SolveOptions { callback: Some(&mut stop), check_every: Some(2), ..exact() };
    let (_, info) = solve_cg(&a, &b, options)?;
    assert_eq!((info.info, info.iterations), (4, 4));
    assert!((2..=3).contains(&calls));
    // A panic goes on after the solver; the library works afterwards.
    let mut panics = |iterations, _| if iterations == 2 { panic!("enough of it") } else { Continue(()) };
    let options = SolveOptions { callback: Some(&mut panics), ..exact() };
    let panic = catch_unwind(AssertUnwindSafe(|| solve_cg(&a, &b, options))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"enough of it"));
    near(&solve_cg(&a, &b, exact())?.0, &a.solve(&b)?, 1e-11)
}

#[test]
fn least_squares() -> Result<()> {
    let d = dense()?.slice(s![.., ..N - 9])?;
    let (a, b) = (SparseMatrix::from_dense(&d, SparseFormat::Csc)?, right()?);
    let expected = d.lstsq(&b, None)?.x;
    let tight = || LsqrOptions { atol: 1e-14, btol: 1e-14, conlim: 0.0, maxiter: Some(500), ..Default::default() };
    let (x, info) = solve_lsqr(&a, &b, tight())?;
    near(&x, &expected, 1e-9)?;
    assert!(matches!(info.istop, 2 | 5), "{info:?}");
    let residual = (d.matmul(&x)? - &b).square().sum(..).item()?.sqrt();
    assert!((info.r1norm - residual).abs() < 1e-9 * residual && info.arnorm < 1e-9 && info.acond > 1.0);
    assert!((info.xnorm - x.square().sum(..).item()?.sqrt()).abs() < 1e-6 * info.xnorm);
    let (x, info) = solve_lsmr(&a, &b, LsqrOptions { x0: Some(&x), ..tight() })?;
    near(&x, &expected, 1e-9)?;
    assert!(info.iterations < 5, "{info:?}");
    // Damped, by the normal equations.
    let normal = d.t()?.matmul(&d)? + Array::from_shape_fn((N - 9, N - 9), |at| f64::from(at[0] == at[1]) * 4.0)?;
    let (x, var, info) = solve_lsqr_with_var(&a, &b, LsqrOptions { damp: 2.0, ..tight() })?;
    near(&x, &normal.solve(&d.t()?.matmul(&b)?)?, 1e-9)?;
    assert!(info.r2norm > info.r1norm);
    near(&var, &normal.inv()?.diagonal(0)?, 0.2)?;
    let mut seen = 0;
    let mut stop = |iterations, _| {
        seen = iterations;
        if iterations == 3 {
            Break(())
        } else {
            Continue(())
        }
    };
    let (_, info) = solve_lsmr(&a, &b, LsqrOptions { callback: Some(&mut stop), ..tight() })?;
    assert_eq!((info.istop, info.iterations, seen), (7, 3, 3));
    let debug = format!("{:?}", LsqrOptions::<f64>::default());
    assert!(debug.starts_with("LsqrOptions { damp: 0, atol: 0.000001, "), "{debug}");
    Ok(())
}

#[test]
fn functions_of_operators() -> Result<()> {
    let d = Array::from_shape_fn((N, N), |at| if at[0] <= at[1] { 1.0 / (1 + at[0] + at[1]) as f64 } else { 0.0 })?;
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    let (w, v) = eigs(&a, 3, GeneralEigenvalues::LargestReal, EigshOptions::default())?;
    near(&w.real(), &array![1.0, 1.0 / 3.0, 0.2], 1e-12)?;
    near(&d.cast::<c64>()?.matmul(&v)?.real(), &(&v * &w).real(), 1e-12)?;
    let options = EigshOptions { ncv: Some(30), ..Default::default() };
    near(&eigs_values(&d, 1, GeneralEigenvalues::default(), options)?.real(), &array![1.0], 1e-12)?;
    let sums = d.absolute().sum(0);
    assert!((onenormest(&a, N, 5)? - sums.max(..).item()?).abs() < 1e-12);
    let (b, trace) = (right()?, Some(c64::new(d.trace()?.item()?, 0.0)));
    let expected = d.expm()?.matmul(&b)?;
    near(&expm_multiply(&d, &b, ExpmOptions::default())?, &expected, 1e-12)?;
    let times = expm_multiply(&a, &b, ExpmOptions { num: Some(3), trace, ..Default::default() })?;
    assert_eq!(times.shape(), [3, N]);
    near(&times.slice(s![0])?, &b, 1e-12)?;
    near(&times.slice(s![-1])?, &expected, 1e-12)
}

#[test]
fn eigenvalues() -> Result<()> {
    let d = dense()?;
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    let (values, _) = d.eigh()?;
    let options = EigshOptions::default;
    let (w, v) = eigsh(&a, 3, Eigenvalues::Largest, options())?;
    near(&w, &values.slice(s![-3..])?, 1e-10)?;
    near(&a.matmul(&v)?, &(&v * &w), 1e-7)?;
    near(&eigsh_values(&a, 2, Eigenvalues::Smallest, options())?, &values.slice(s![..2])?, 1e-10)?;
    let ends =
        eigsh_values(&d, 4, Eigenvalues::BothEnds, EigshOptions { v0: Some(&right()?), ncv: Some(30), ..options() })?;
    near(&ends, &values.get(arr::idx![[0, 1, -2, -1]])?, 1e-10)?;
    let tall = d.slice(s![.., ..9])?;
    let (_, expected, _) = tall.svd(false)?;
    let (u, sigma, vh) = svds(&tall, 2, true, options())?;
    near(&sigma, &expected.get(arr::idx![[1, 0]])?, 1e-8)?;
    near(&tall.t()?.matmul(&u)?, &(vh.t()? * &sigma), 1e-6)?;
    near(&svds_values(&tall, 1, false, options())?, &expected.slice(s![-1..])?, 1e-8)?;
    let start = Array::from_shape_fn((N, 2), |at| ((at[0] * (at[1] + 1)) as f64).cos())?;
    let jacobi = a.jacobi()?;
    let options =
        LobpcgOptions { largest: false, m: Some(&jacobi), tol: 1e-9, maxiter: Some(200), ..Default::default() };
    let (w, v, iterations) = lobpcg(&a, &start, options)?;
    near(&w, &values.slice(s![..2])?, 1e-9)?;
    near(&a.matmul(&v)?, &(&v * &w), 1e-6)?;
    assert!((2..200).contains(&iterations), "{iterations}");
    let twice = LinearOperator::identity(N, Device::HOST)? * 2.0;
    let options = LobpcgOptions { b: Some(&twice), tol: 1e-9, maxiter: Some(200), ..Default::default() };
    let (w, _, _) = lobpcg(&a, &start, options)?;
    near(&w, &(values.get(arr::idx![[-1, -2]])? / 2.0), 1e-8)
}

#[test]
fn products_of_operators() -> Result<()> {
    let d = Array::from_shape_fn((3, 2), |at| c64::new(at[0] as f64 + 1.0, at[1] as f64 - 2.0))?;
    let (x, y) = (array![c64::new(1.0, 2.0), c64::new(-1.0, 0.5)], Array::<c64>::ones(3)? * c64::I);
    let (wide, turned) = (Array::from_shape_fn((2, 4), |at| c64::new(at[1] as f64, at[0] as f64))?, d.t()?);
    let (plain, adjoint) = (d.clone(), turned.conjugate());
    let function = LinearOperator::from_fn_and_adjoint(
        (3, 2),
        Device::HOST,
        move |x| plain.matmul(&x),
        move |x| adjoint.matmul(&x),
    )?;
    for a in [
        LinearOperator::new(&d)?,
        LinearOperator::new(&SparseMatrix::from_dense(&d, SparseFormat::Csc)?)?,
        LinearOperator::new(&SparseMatrix::from_dense(&d, SparseFormat::Coo)?)?,
        function,
    ] {
        assert_eq!((a.shape(), a.has_adjoint(), a.device()), ((3, 2), true, Device::HOST));
        assert_eq!(format!("{a:?}"), "LinearOperator([3, 2], complex128)");
        assert_eq!(a.matmul(&x)?, d.matmul(&x)?);
        assert_eq!(a.matmul(&wide)?, d.matmul(&wide)?);
        assert_eq!(a.t()?.matmul(&y)?, turned.matmul(&y)?);
        assert_eq!(a.adjoint()?.matmul(&y)?, turned.conjugate().matmul(&y)?);
        assert_eq!(a.adjoint()?.adjoint()?.matmul(&x)?, d.matmul(&x)?);
        assert_eq!((&a + a.clone()).matmul(&x)?, d.matmul(&x)? * c64::new(2.0, 0.0));
        assert_eq!((a.clone() - &a * c64::I).matmul(&x)?, d.matmul(&x)? * c64::new(1.0, -1.0));
        assert_eq!((c64::I * &a).adjoint()?.matmul(&y)?, turned.conjugate().matmul(&y)? * -c64::I);
        let normal = a.adjoint()?.product(&a)?;
        assert_eq!(normal.power(2)?.matmul(&x)?, normal.matmul(&normal.matmul(&x)?)?);
        assert_eq!((-normal.power(0)?).matmul(&x)?, -&x);
    }
    let (identity, twice) = (LinearOperator::identity(2, Device::HOST)?, LinearOperator::diagonal(&array![2, 3])?);
    let mut given = array![5, 7];
    let mut got = identity.matmul(&given)?;
    got += 1;
    given -= 1;
    assert_eq!((got, twice.matmul(&given)?), (array![6, 8], array![8, 18]));
    Ok(())
}

/// A write to an array never changes an operator that uses it.
#[test]
fn writes_change_no_operator() -> Result<()> {
    let (mut d, mut diagonal, x) = (array![[1.0, 2.0], [3.0, 4.0]], array![5.0, 6.0], array![1.0, 1.0]);
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    let (dense, sparse) = (LinearOperator::new(&d)?, LinearOperator::new(&a)?);
    let by = dense.sum(&sparse)?.product(&LinearOperator::diagonal(&diagonal)?)?.t()?;
    let mut data = a.data()?;
    drop((a, dense, sparse));
    assert!(d.is_shared() && data.is_shared() && diagonal.is_shared());
    let before = by.matmul(&x)?;
    d += 1.0;
    data += 1.0;
    diagonal += 1.0;
    assert_eq!(by.matmul(&x)?, before);
    drop(by);
    assert!(!d.is_shared() && !data.is_shared() && !diagonal.is_shared());
    Ok(())
}

/// A function may keep the vector that it gets and the one that it gives.
#[test]
fn functions_keep_vectors() -> Result<()> {
    let kept = Arc::new(Mutex::new(Vec::<Array<f64>>::new()));
    let (keeper, a) = (Arc::clone(&kept), dense()?);
    let (by, b, constant) = (a.clone(), right()?, array![1.0, 2.0]);
    let function = LinearOperator::from_fn((N, N), Device::HOST, move |x: Array<f64>| {
        let y = by.matmul(&x)?;
        keeper.lock().unwrap().extend([x, y.clone()]);
        Ok(y)
    })?;
    let (x, _) = solve_cg(&function, &b, exact())?;
    near(&x, &a.solve(&b)?, 1e-11)?;
    let mut kept = kept.lock().unwrap();
    assert!(kept.len() > 10);
    for pair in kept.chunks(2) {
        assert_eq!(a.matmul(&pair[0])?, pair[1], "no solver wrote to it");
    }
    kept[0] += 1.0;
    let own = constant.clone();
    let function = LinearOperator::from_fn((2, 2), Device::HOST, move |_| Ok(own.clone()))?;
    let mut y = function.matmul(&array![0.0, 0.0])?;
    y += 1.0;
    assert_eq!((constant, function.matmul(&y)?), (array![1.0, 2.0], array![1.0, 2.0]));
    let same = LinearOperator::from_fn((2, 2), Device::HOST, Ok)?;
    let mut given = array![3.0, 4.0];
    let got = same.matmul(&given)?;
    given += 1.0;
    assert_eq!(got, array![3.0, 4.0]);
    Ok(())
}

fn failed<T: Element>(x: Array<T>) -> Result<Array<T>> {
    x.reshape_as(&[-1, 1000], Order::C)
}

#[test]
fn functions_that_fail() -> Result<()> {
    let b = right()?;
    let dropped = Arc::new(AtomicUsize::new(0));
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let counted = Counted(Arc::clone(&dropped));
    let fails = LinearOperator::from_fn((N, N), Device::HOST, move |x| {
        let _ = &counted;
        failed(x)
    })?;
    for error in [
        fails.matmul(&b).unwrap_err(),
        solve_cg(&fails, &b, SolveOptions::default()).unwrap_err(),
        solve_gmres(&dense()?, &b, SolveOptions { m: Some(&fails), ..Default::default() }).unwrap_err(),
        (&fails + &fails).product(&fails)?.matmul(&b).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Shape, "the function's error: {error}");
        assert!(error.text().starts_with("arr_reshape: "), "{error}");
    }
    let more = fails.clone();
    drop(fails);
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    drop(more);
    assert_eq!(dropped.load(Ordering::SeqCst), 1);

    let panics = LinearOperator::<f64>::from_fn((N, N), Device::HOST, |_| panic!("no product"))?;
    for _ in 0..2 {
        let panic = catch_unwind(AssertUnwindSafe(|| solve_bicgstab(&panics, &b, exact()))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no product"));
    }
    // An inner solver's failure stays inside where the function has an answer to it.
    let inner = LinearOperator::from_fn((N, N), Device::HOST, move |x: Array<f64>| {
        let options = SolveOptions { m: Some(&panics), ..Default::default() };
        let inside = catch_unwind(AssertUnwindSafe(|| solve_cg(&dense()?, &x, options)));
        assert!(inside.is_err());
        Ok(solve_cg(&dense()?, &x, exact())?.0)
    })?;
    let (x, info) = solve_cg(&inner, &b, exact())?;
    assert!(info.converged());
    near(&x, &dense()?.matmul(&b)?, 1e-9)
}

fn fails<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, text: &str) {
    let error: Error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.text().contains(text), "{error}");
}

#[test]
fn mistakes() -> Result<()> {
    let (a, b) = (LinearOperator::new(&dense()?)?, right()?);
    let short = array![1.0, 2.0];
    fails(LinearOperator::new(&short), ErrorKind::Shape, "arr_linop_from_dense: argument a: shape (2,)");
    fails(LinearOperator::diagonal(&dense()?), ErrorKind::Shape, "arr_linop_diagonal: argument d: shape (40,40)");
    fails(LinearOperator::<f64>::identity(usize::MAX, Device::HOST), ErrorKind::Shape, "too large");
    fails(a.matmul(&short), ErrorKind::Shape, "arr_linop_apply: argument x: shape (2,), expected (40)");
    let two = LinearOperator::new(&array![[1.0, 2.0]])?;
    fails(a.sum(&two), ErrorKind::Shape, "arr_linop_sum: argument b: shape (1,2), expected that of a, (40,40)");
    fails(two.product(&a), ErrorKind::Shape, "arr_linop_product: argument b: 40 rows");
    fails(two.power(2), ErrorKind::Shape, "arr_linop_power: argument a: shape (1,2)");
    let same = LinearOperator::from_fn((2, 2), Device::HOST, Ok::<Array<f64>, _>)?;
    fails(same.t(), ErrorKind::Unsupported, "arr_linop_transpose: argument a: the operator has no function rmatvec");
    let part = LinearOperator::from_fn((2, 2), Device::HOST, |x: Array<f64>| x.slice(s![1..]))?;
    let text = "arr_linop_apply: the function matvec of the operator returned shape (1,), expected (2,)";
    fails(part.matmul(&short), ErrorKind::Shape, text);

    fails(solve_cg(&two, &b, exact()), ErrorKind::Shape, "arr_solve_cg: argument a: shape (1,2)");
    fails(solve_gmres(&a, &short, exact()), ErrorKind::Shape, "arr_solve_gmres: argument b: shape (2,)");
    let wrong = SolveOptions { m: Some(&same), ..Default::default() };
    fails(solve_minres(&a, &b, wrong), ErrorKind::Shape, "arr_solve_minres: ");
    let wrong = SolveOptions { x0: Some(&short), ..Default::default() };
    fails(solve_cgs(&a, &b, wrong), ErrorKind::Shape, "arr_solve_cgs: ");
    let wrong = SolveOptions { rtol: f64::NAN, ..Default::default() };
    fails(solve_cg(&a, &b, wrong), ErrorKind::Argument, "arr_solve_cg: argument options: rtol");
    fails(solve_lsqr(&a, &short, LsqrOptions::default()), ErrorKind::Shape, "arr_solve_lsqr: argument b: shape (2,)");
    fails(solve_lsmr(&same, &short, LsqrOptions::default()), ErrorKind::Unsupported, "arr_solve_lsmr: ");
    fails(eigsh(&a, 0, Eigenvalues::Largest, EigshOptions::default()), ErrorKind::Argument, "arr_eigsh: argument k: 0");
    let none = EigshOptions::default;
    fails(eigs(&a, N + 1, GeneralEigenvalues::default(), none()), ErrorKind::Argument, "arr_eigs: argument k: 41");
    fails(onenormest(&same, 2, 5), ErrorKind::Unsupported, "arr_onenormest: ");
    let one = ExpmOptions { num: Some(1), ..Default::default() };
    fails(expm_multiply(&a, &b, one), ErrorKind::Argument, "arr_expm_multiply: ");
    fails(svds(&same, 1, true, EigshOptions::default()), ErrorKind::Unsupported, "arr_svds: ");
    fails(lobpcg(&a, &dense()?, LobpcgOptions::default()), ErrorKind::Shape, "arr_lobpcg: argument x: ");
    let error = solve_cg(&a, &short, exact()).unwrap_err();
    assert!(error.location().file().ends_with("tests/iterative.rs"), "{error:?}");
    let panic = catch_unwind(AssertUnwindSafe(|| &a + &two)).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("arr_linop_sum: argument b: shape (1,2)"));
    Ok(())
}

#[test]
fn operators_go_to_threads() -> Result<()> {
    let (a, b) = (dense()?, right()?);
    let (by, expected) = (a.clone(), a.solve(&b)?);
    let function = LinearOperator::from_fn((N, N), Device::HOST, move |x| by.matmul(&x))?;
    let solutions = std::thread::scope(|scope| {
        let work: Vec<_> = (0..4).map(|_| scope.spawn(|| solve_cg(&function, &b, exact()))).collect();
        work.into_iter().map(|w| w.join().unwrap()).collect::<Result<Vec<_>>>()
    })?;
    solutions.iter().try_for_each(|(x, _)| near(x, &expected, 1e-11))
}
