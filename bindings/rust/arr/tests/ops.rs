// SPDX-License-Identifier: MIT
//! Every op against Rust's own arithmetic, the operators in all their combinations, and fused expressions.
use arr::{c64, Array, DType, DynArray, Element, ErrorKind, Expr, Result};

const X: [f64; 6] = [-2.5, -1.0, 0.25, 0.5, 1.75, 3.0];
const Y: [f64; 6] = [2.0, -1.0, 0.5, 3.0, -2.0, 1.5];

type Unary = (&'static str, fn(&Array<f64>) -> Result<Array<f64>>, fn(&DynArray) -> DynArray, fn(f64) -> f64);

#[test]
fn functions_of_one_array() -> Result<()> {
    let table: &[Unary] = &[
        ("negative", |a| a.try_negative(), |a| a.negative(), |x| -x),
        ("positive", |a| a.try_positive(), |a| a.positive(), |x| x),
        ("absolute", |a| a.try_absolute(), |a| a.absolute(), f64::abs),
        ("sign", |a| a.try_sign(), |a| a.sign(), f64::signum),
        ("square", |a| a.try_square(), |a| a.square(), |x| x * x),
        ("sqrt", |a| a.try_sqrt(), |a| a.sqrt(), f64::sqrt),
        ("exp", |a| a.try_exp(), |a| a.exp(), f64::exp),
        ("log", |a| a.try_log(), |a| a.log(), f64::ln),
        ("sin", |a| a.try_sin(), |a| a.sin(), f64::sin),
        ("cos", |a| a.try_cos(), |a| a.cos(), f64::cos),
        ("tanh", |a| a.try_tanh(), |a| a.tanh(), f64::tanh),
        ("floor", |a| a.try_floor(), |a| a.floor(), f64::floor),
        ("ceil", |a| a.try_ceil(), |a| a.ceil(), f64::ceil),
        ("conjugate", |a| a.try_conjugate(), |a| a.conjugate(), |x| x),
        ("real", |a| a.try_real(), |a| a.real(), |x| x),
        ("imag", |a| a.try_imag(), |a| a.imag(), |_| 0.0),
    ];
    let a = Array::from_slice(&X, [6])?;
    for (name, typed, dynamic, expected) in table {
        let expected = X.map(expected);
        close(name, &typed(&a)?.to_vec()?, &expected);
        close(name, &dynamic(a.as_dyn()).typed::<f64>()?.to_vec()?, &expected);
    }
    Ok(())
}

fn close(name: &str, got: &[f64], expected: &[f64]) {
    for (x, y) in got.iter().zip(expected) {
        let same = (x.is_nan() && y.is_nan()) || (x - y).abs() <= 4.0 * f64::EPSILON * y.abs();
        assert!(same && got.len() == expected.len(), "{name}: {got:?}, expected {expected:?}");
    }
}

fn python_remainder(x: f64, y: f64) -> f64 {
    x - (x / y).floor() * y
}

type Binary = (&'static str, fn(&Array<f64>, &Array<f64>) -> Array<f64>, fn(f64, f64) -> f64);

#[test]
fn functions_of_two_arrays() -> Result<()> {
    let table: &[Binary] = &[
        ("add", |a, b| a.add(b), |x, y| x + y),
        ("subtract", |a, b| a.subtract(b), |x, y| x - y),
        ("multiply", |a, b| a.multiply(b), |x, y| x * y),
        ("divide", |a, b| a.divide(b), |x, y| x / y),
        ("floor_divide", |a, b| a.floor_divide(b), |x, y| (x / y).floor()),
        ("remainder", |a, b| a.remainder(b), python_remainder),
        ("power", |a, b| a.power(b), f64::powf),
        ("minimum", |a, b| a.minimum(b), f64::min),
        ("maximum", |a, b| a.maximum(b), f64::max),
        ("clip", |a, b| a.clip(b.minimum(0.0), 1.0), |x, y| x.max(y.min(0.0)).min(1.0)),
    ];
    let (a, b) = (Array::from_slice(&X, [6])?, Array::from_slice(&Y, [6])?);
    for (name, op, expected) in table {
        let expected: Vec<f64> = X.iter().zip(&Y).map(|(&x, &y)| expected(x, y)).collect();
        close(name, &op(&a, &b).to_vec()?, &expected);
    }
    Ok(())
}

type Comparison = (&'static str, fn(&Array<f64>, &Array<f64>) -> Array<bool>, fn(f64, f64) -> bool);

#[test]
fn comparisons_and_logic() -> Result<()> {
    let table: &[Comparison] = &[
        ("equal", |a, b| a.equal(b), |x, y| x == y),
        ("not_equal", |a, b| a.not_equal(b), |x, y| x != y),
        ("less", |a, b| a.less(b), |x, y| x < y),
        ("less_equal", |a, b| a.less_equal(b), |x, y| x <= y),
        ("greater", |a, b| a.greater(b), |x, y| x > y),
        ("greater_equal", |a, b| a.greater_equal(b), |x, y| x >= y),
        ("logical_and", |a, b| a.floor().logical_and(b), |x, y| x.floor() != 0.0 && y != 0.0),
        ("logical_or", |a, b| a.floor().logical_or(&(b - b)), |x, _| x.floor() != 0.0),
        ("logical_xor", |a, b| a.floor().logical_xor(b), |x, y| (x.floor() != 0.0) != (y != 0.0)),
        ("logical_not", |a, _| a.floor().logical_not(), |x, _| x.floor() == 0.0),
        ("isnan", |a, _| a.sqrt().isnan(), |x, _| x < 0.0),
        ("isinf", |a, b| (a / (b - b)).isinf(), |_, _| true),
        ("isfinite", |a, _| a.log().isfinite(), |x, _| x > 0.0),
    ];
    let (a, b) = (Array::from_slice(&X, [6])?, Array::from_slice(&Y, [6])?);
    for (name, op, expected) in table {
        let expected: Vec<bool> = X.iter().zip(&Y).map(|(&x, &y)| expected(x, y)).collect();
        assert_eq!(op(&a, &b).to_vec()?, expected, "{name}");
    }
    assert_eq!(a.less(0.0).where_(&b, 9.0).to_vec()?, [2.0, -1.0, 9.0, 9.0, 9.0, 9.0]);
    assert_eq!((!a.less(0.0)).where_(1u8, 2).to_vec()?, [2, 2, 1, 1, 1, 1]);
    Ok(())
}

#[test]
fn integers() -> Result<()> {
    let (x, y) = ([7i32, -7, 12, 5], [2, 2, 5, 3]);
    let (a, b) = (Array::from_slice(&x, [4])?, Array::from_slice(&y, [4])?);
    assert_eq!((&a / &b).to_vec()?, [3.5, -3.5, 2.4, 5.0 / 3.0]);
    assert_eq!((&a % &b).to_vec()?, [1, 1, 2, 2]);
    assert_eq!(a.floor_divide(&b).to_vec()?, [3, -4, 2, 1]);
    assert_eq!((&a & &b).to_vec()?, [7 & 2, -7 & 2, 12 & 5, 5 & 3]);
    assert_eq!((&a | 8).to_vec()?, [15, -7 | 8, 12, 13]);
    assert_eq!((1 ^ &a).to_vec()?, [6, -7 ^ 1, 13, 4]);
    assert_eq!((!&a).to_vec()?, [!7, 6, !12, !5]);
    assert_eq!((&a << &b).to_vec()?, [28, -28, 384, 40]);
    assert_eq!((&a >> 1).to_vec()?, [3, -4, 6, 2]);
    assert_eq!(a.sqrt().cast::<i32>()?.at([2])?, 3); // f64, as NumPy gives
    let flags = Array::from_slice(&[true, false], [2])?;
    assert_eq!((&flags + &flags).to_vec()?, [true, false]);
    assert_eq!((&flags & true).to_vec()?, [true, false]);
    Ok(())
}

/// The types of results are those that the library gives; `try_` forms would fail with a wrong one.
fn result_types<T: Element>() -> Result<()> {
    let a = Array::<T>::ones([2])?;
    let types = [
        (a.square().as_dyn().dtype(), <T::Lifted as Element>::DTYPE),
        (a.sqrt().as_dyn().dtype(), <T::Float as Element>::DTYPE),
        (a.divide(&a).as_dyn().dtype(), <T::Quotient as Element>::DTYPE),
        (a.absolute().as_dyn().dtype(), <T::Real as Element>::DTYPE),
        (a.real().as_dyn().dtype(), <T::Real as Element>::DTYPE),
        (a.power(&a).as_dyn().dtype(), <T::Lifted as Element>::DTYPE),
        (a.isnan().as_dyn().dtype(), DType::BOOL),
        (a.sum(..).as_dyn().dtype(), <T::Sum as Element>::DTYPE),
        (a.prod(..).as_dyn().dtype(), <T::Sum as Element>::DTYPE),
        (a.mean(..).as_dyn().dtype(), <T::Mean as Element>::DTYPE),
        (a.max(..).as_dyn().dtype(), T::DTYPE),
        (a.any(..).as_dyn().dtype(), DType::BOOL),
        (a.argmin(..).as_dyn().dtype(), DType::INT64),
    ];
    for (got, declared) in types {
        assert_eq!(got, declared, "of {}", T::DTYPE);
    }
    Ok(())
}

#[test]
fn results_have_the_types_that_the_methods_declare() -> Result<()> {
    result_types::<bool>()?;
    result_types::<i8>()?;
    result_types::<i16>()?;
    result_types::<i32>()?;
    result_types::<i64>()?;
    result_types::<u8>()?;
    result_types::<u16>()?;
    result_types::<u32>()?;
    result_types::<u64>()?;
    result_types::<arr::f16>()?;
    result_types::<arr::bf16>()?;
    result_types::<f32>()?;
    result_types::<f64>()?;
    result_types::<arr::c32>()?;
    result_types::<c64>()
}

#[test]
fn operators_in_all_combinations() -> Result<()> {
    let new = || Array::from_slice(&[8.0f32, 2.0], [2]);
    let a = new()?;
    for (got, expected) in [
        (&a + &a, [16.0f32, 4.0]),
        (&a + new()?, [16.0, 4.0]),
        (new()? + &a, [16.0, 4.0]),
        (new()? + new()?, [16.0, 4.0]),
        (&a - 1.0, [7.0, 1.0]),
        (new()? - 1.0, [7.0, 1.0]),
        (1.0 - &a, [-7.0, -1.0]),
        (1.0 - new()?, [-7.0, -1.0]),
        (2.0 * &a / 4.0, [4.0, 1.0]),
        (16.0 / &a % 3.0, [2.0, 2.0]),
        (-&a, [-8.0, -2.0]),
        (-new()?, [-8.0, -2.0]),
    ] {
        assert_eq!(got.to_vec()?, expected);
    }
    let mut b = new()?;
    b += &a;
    b -= 4.0;
    b *= new()?;
    b /= 2.0;
    b %= 5.0;
    assert_eq!(b.to_vec()?, [(16.0 - 4.0) * 8.0 / 2.0 % 5.0, 0.0]);
    let c = c64::new(0.0, 1.0) * &Array::from_slice(&[c64::new(1.0, 2.0)], [1])?;
    assert_eq!(c.to_vec()?, [c64::new(-2.0, 1.0)]);
    let d = (a.as_dyn() * 2.0 + &Array::from_slice(&[1i8, 2], [2])?) / 2;
    assert_eq!(d.typed::<f32>()?.to_vec()?, [8.5, 3.0]);
    Ok(())
}

#[test]
fn results_go_where_they_are_told() -> Result<()> {
    let mut out = Array::<f64>::zeros([6])?;
    let (address, mut a) = (out.data()?, Array::from_slice(&X, [6])?);
    a.multiply_into(&Array::scalar(2.0)?, &mut out)?;
    out.absolute_assign()?;
    assert_eq!((out.to_vec()?, out.data()?), (X.map(|x| (x * 2.0).abs()).to_vec(), address));
    let before = a.clone();
    a.maximum_assign(&Array::scalar(0.0)?)?;
    assert_eq!((a.at([0])?, before.at([0])?), (0.0, X[0]));
    let mut wrong = Array::<f64>::zeros([5])?;
    assert_eq!(a.sqrt_into(&mut wrong).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn expressions() -> Result<()> {
    let (a, b) = (Array::from_slice(&X, [6])?, Array::from_slice(&Y, [6])?);
    let wave = Expr::new(|[x, y]| 2.0 * x.sin() + y.maximum(0.5) - x.less(y).where_(x, 1))?;
    let expected: Vec<f64> =
        X.iter().zip(&Y).map(|(&x, &y)| 2.0 * x.sin() + y.max(0.5) - if x < y { x } else { 1.0 }).collect();
    close("wave", &wave.run([&a, &b])?.typed::<f64>()?.to_vec()?, &expected);
    let mut out = Array::zeros([6])?;
    wave.run_into([&a, &b], &mut out)?;
    close("wave", &out.to_vec()?, &expected);
    assert!(wave.describe([&a, &b])?.contains("sin"));
    let indices = Array::from_slice(&[5i32, 0, -1], [3])?;
    let read = Expr::new(|[x, i]| x.at([i]) * 2.0)?;
    let found = read.run([a.as_dyn(), indices.as_dyn()])?.typed::<f64>()?;
    assert_eq!(found.to_vec()?, [X[5] * 2.0, X[0] * 2.0, X[5] * 2.0]);
    assert_eq!(Expr::new(|[x, i]| (x + 1).at([i])).map(|_| ()).unwrap_err().kind(), ErrorKind::Argument);
    let half = Expr::new(|[x]| (-x).cast::<f32>())?;
    assert_eq!(half.run([&a])?.typed::<f32>()?.to_vec()?, X.map(|x| -x as f32));
    assert_eq!(wave.run([&a, &Array::zeros([5])?]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(Expr::new(|[x]| !x + 1)?.run([&a]).unwrap_err().kind(), ErrorKind::DType);
    Ok(())
}

#[test]
fn numbers_are_operands_of_expressions() -> Result<()> {
    let x = Array::<f32>::from_slice(&[1.0, 2.0], [2])?;
    let line = Expr::new(|[x, a, b]| a * x + b)?;
    let [y] = line.call([&(&x), &3, &0.5])?;
    assert_eq!(y.typed::<f32>()?.to_vec()?, [3.5, 6.5]);
    let [y] = line.call([&2, &(&x), &(&x)])?;
    assert_eq!(y.typed::<f32>()?.to_vec()?, [3.0, 6.0]);
    let mut out = Array::<f64>::zeros([2])?;
    line.call_into([&(&x), &2, &-1], [&mut out])?;
    assert_eq!(out.to_vec()?, [1.0, 3.0]);
    let both = Expr::several(|[x, y]| [x + y, x - y])?;
    let [sum, difference] = both.call([&10, &(&x)])?;
    assert_eq!(sum.typed::<f32>()?.to_vec()?, [11.0, 12.0]);
    assert_eq!(difference.typed::<f32>()?.to_vec()?, [9.0, 8.0]);
    assert_eq!(both.call([&1, &2]).map(|_| ()).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(arr::evaluate("a*x + b", &[&2, &(&x), &0.5])?.typed::<f32>()?.to_vec()?, [2.5, 4.5]);
    arr::evaluate_into("x / k", &[&(&x), &2], &mut out)?;
    assert_eq!(out.to_vec()?, [0.5, 1.0]);
    Ok(())
}

#[test]
fn numbers_go_into_arrays_without_an_array_of_them() -> Result<()> {
    let mut a = Array::<f64>::full([3], 2.0)?;
    let mut out = Array::<f64>::zeros([3])?;
    a.multiply_into(4.0, &mut out)?;
    assert_eq!(out.to_vec()?, [8.0; 3]);
    a.add_assign(1.0)?;
    a.clip_into(0.0, 3.0, &mut out)?;
    assert_eq!((a.to_vec()?, out.to_vec()?), (vec![3.0; 3], vec![3.0; 3]));
    let mut flags = Array::<bool>::zeros([3])?;
    a.greater_into(2.5, &mut flags)?;
    assert_eq!(flags.to_vec()?, [true; 3]);
    Ok(())
}
