// SPDX-License-Identifier: MIT
//! Parts of arrays as operands and as destinations, and numbers as operands.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use arr::{array, keep, s, with_view, Array, Direction, DynArray, Expr, Generator, MemoryHook, Reduction, Result};

#[test]
fn parts_are_operands() -> Result<()> {
    let mut a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row = array![10.0, 20.0, 30.0];
    let mut other = a.clone();
    let v = a.slice_mut(s![0])?;
    assert_eq!(&v + &row, array![11.0, 22.0, 33.0]);
    assert_eq!(&row - &v, array![9.0, 18.0, 27.0]);
    assert_eq!(row.clone() * &v, array![10.0, 40.0, 90.0]);
    assert_eq!((&v + 1.0, 2.0 * &v, -&v), (array![2.0, 3.0, 4.0], array![2.0, 4.0, 6.0], array![-1.0, -2.0, -3.0]));
    let mut w = other.slice_mut(s![1])?;
    assert_eq!(&v + &w, array![5.0, 7.0, 9.0]);
    w += &v;
    w /= 2.0;
    assert_eq!(w.to_array()?, array![2.5, 3.5, 4.5]);
    let mut sum = row.clone();
    sum += &w;
    assert_eq!(sum, array![12.5, 23.5, 34.5]);
    assert_eq!(row.as_dyn() + &v, (&row + &v).into_dyn());
    let mut bits = array![[1, 2]];
    assert_eq!(!&bits.slice_mut(s![0])?, array![-2, -3]);
    Ok(())
}

#[test]
fn parts_are_read() -> Result<()> {
    let mut a = array![[3.0, 1.0, 2.0], [4.0, 9.0, 16.0]];
    let (weights, whole) = (array![1.0, 10.0, 100.0], a.clone());
    let mut v = a.slice_mut(s![1])?;
    assert_eq!((v.shape(), v.ndim(), v.len(), v.to_string()), (&[3][..], 1, 3, "[ 4.  9. 16.]".to_owned()));
    assert_eq!((v.at(-1)?, v.to_vec()?, v.sum(..).item()?), (16.0, vec![4.0, 9.0, 16.0], 29.0));
    assert_eq!((v.min(0).item()?, v.argmax(..).item()?, v.median(..)?.item()?), (4.0, 2, 9.0));
    assert_eq!((v.any(0).item()?, v.greater(5.0).all(..).item()?), (true, false));
    assert_eq!(
        (v.dot(&weights)?.item()?, v.vdot(&weights)?.item()?, v.matmul(&weights)?.item()?),
        (1694.0, 1694.0, 1694.0)
    );
    assert_eq!((v.var(0, 0.0)?, v.std(0, 1.0)?), (whole.row(1)?.var(0, 0.0)?, whole.row(1)?.std(0, 1.0)?));
    assert_eq!((v.cumsum(0), v.cast::<i32>()?), (array![4.0, 13.0, 29.0], array![4, 9, 16]));
    assert_eq!(v.sort(0, Direction::Descending)?, array![16.0, 9.0, 4.0]);
    assert_eq!(v.argsort(0, Direction::Descending)?, array![2, 1, 0]);
    assert_eq!(v.iter()?.filter(|x| *x > 5.0).count(), 2);
    let (root, total) = (v.sqrt(), v.sum(keep(0)));
    v.sqrt_assign()?;
    v.subtract_assign(1.0)?;
    v.fill(v.max(..).item()?)?;
    assert_eq!((root, total), (array![2.0, 3.0, 4.0], array![29.0]), "results have their own memory");
    assert_eq!((a, whole.row(1)?.sum(..).item()?), (array![[3.0, 1.0, 2.0], [3.0, 3.0, 3.0]], 29.0));

    let mut bits = [1u8, 0, 3];
    assert_eq!(with_view(&mut bits, 3, |v| v.try_sum(..)?.item())?, 4);
    let kept = with_view(&mut bits, 3, |v| Ok((v.max(0), v.try_add(1)?)))?;
    bits = [9; 3];
    assert_eq!((kept.0.item()?, kept.1, bits), (3, array![2u8, 1, 4], [9; 3]));
    Ok(())
}

#[test]
fn parts_are_destinations() -> Result<()> {
    let mut a = Array::<f64>::zeros((3, 3))?;
    let (m, v) = (array![[1.0, 2.0], [3.0, 4.0]], array![1.0, 4.0]);
    let (before, kept) = (a.data()?, v.clone());
    m.matmul_into(&m, &mut a.slice_mut(s![..2, ..2])?)?;
    v.sqrt_into(&mut a.slice_mut(s![2, ..2])?)?;
    m.sum_into(1, &mut a.slice_mut(s![..2, 2])?)?;
    assert_eq!(a, array![[7.0, 10.0, 3.0], [15.0, 22.0, 7.0], [1.0, 2.0, 0.0]]);
    v.cumsum_into(0, &mut a.slice_mut(s![0, ..2])?)?;
    Expr::new(|[x]| x * x)?.run_into([&v], &mut a.slice_mut(s![1, ..2])?)?;
    v.add_into(&v, &mut a.slice_mut(s![2, 1..])?)?;
    assert_eq!(a, array![[1.0, 5.0, 3.0], [1.0, 16.0, 7.0], [1.0, 2.0, 8.0]]);
    assert_eq!((a.data()?, &v), (before, &kept), "written in place");
    v.as_dyn().round_into(0, &mut a.slice_mut(s![..2, 0])?)?;
    Generator::new(1)?.fill_uniform(&mut a.slice_mut(s![.., 2])?, 5.0, 6.0)?;
    assert!(a.column(2)?.greater_equal(5.0).all(..).item()? && a.at((1, 0))? == 4.0);
    let shared = a.clone();
    v.sqrt_into(&mut a.slice_mut(s![2, ..2])?)?;
    assert_eq!((shared.at((2, 1))?, a.at((2, 1))?), (2.0, 2.0));
    assert!(shared.at((2, 0))? == 1.0 && shared.data()? != a.data()?);
    assert!(v.sqrt_into(&mut a.slice_mut(s![2])?).is_err(), "another shape");
    assert_eq!(Expr::new(|[x]| x)?.reduce(Reduction::SUM, .., [&a.slice_mut(s![0, ..2])?])?.item_f64(&[])?, 6.0);
    Ok(())
}

#[test]
fn parts_are_places_of_assignments() -> Result<()> {
    let mut a = Array::<f64>::ones((3, 4))?;
    let (whole, b) = (a.clone(), array![1.0, 2.0, 3.0, 4.0]);
    *a.slice_mut(s![0])? += &b;
    *a.slice_mut(s![1])? -= b.clone();
    *a.slice_mut(s![.., 3])? *= 10.0;
    *a.slice_mut(s![2, ..2])? /= 4.0;
    let mut other = array![2.0, 2.0];
    *a.slice_mut(s![0, ..2])? %= &other.slice_mut(s![..])?;
    let mut row = a.slice_mut(s![2])?;
    row -= b.clone();
    *row += 1.0;
    assert_eq!(a.to_vec()?, [0.0, 1.0, 4.0, 50.0, 0.0, -1.0, -2.0, -30.0, 0.25, -0.75, -1.0, 7.0]);
    assert_eq!(whole, Array::ones((3, 4))?, "an array that shared the memory");
    let mut bits = array![12u8, 10];
    *bits.slice_mut(s![..1])? &= 10;
    *bits.slice_mut(s![1..])? |= array![1u8];
    *bits.slice_mut(s![..])? ^= 1;
    *bits.slice_mut(s![1])? <<= 2;
    *bits.slice_mut(s![0])? >>= 1;
    assert_eq!(bits.to_vec()?, [4, 40]);
    Ok(())
}

#[test]
fn results_are_operands() -> Result<()> {
    let (a, d) = (array![1.0, 4.0], array![1i32, 2].into_dyn());
    assert_eq!((a.maximum(a.sqrt() + 1.5), a.try_add(-&a)?), (array![2.5, 4.0], array![0.0, 0.0]));
    assert_eq!((a.as_dyn() * d.clone() - d.square() / a.sqrt()).typed::<f64>()?, array![0.0, 6.0]);
    Ok(())
}

#[test]
fn arrays_of_any_type_take_numbers_on_both_sides() -> Result<()> {
    let mut d: DynArray = array![1.0f32, 2.0].into_dyn();
    assert_eq!((2.0 * &d).sqrt().dtype(), d.dtype());
    assert_eq!((1.0 - &d).typed::<f32>()?, array![0.0f32, -1.0]);
    let kept = d.clone();
    d += 1.5;
    d *= &kept;
    d -= 1;
    assert_eq!((d.typed::<f32>()?, kept.typed::<f32>()?), (array![1.5f32, 6.0], array![1.0f32, 2.0]));
    Ok(())
}

/// Allocations of the library while something runs.
fn allocations(work: impl FnOnce() -> Result<()>) -> Result<usize> {
    let count = Arc::new(AtomicUsize::new(0));
    let (seen, thread) = (Arc::clone(&count), std::thread::current().id());
    let hook = MemoryHook::new(move |event| {
        if event.allocated && std::thread::current().id() == thread {
            seen.fetch_add(1, Ordering::SeqCst);
        }
    })?;
    let worked = work();
    hook.remove()?;
    worked.map(|()| count.load(Ordering::SeqCst))
}

#[test]
fn numbers_allocate_nothing() -> Result<()> {
    let mut a = Array::<f64>::ones(10_000)?;
    let mut out = a.zeros_like()?;
    assert_eq!(allocations(|| a.try_add(1.0).map(drop))?, 1, "the result");
    assert_eq!(
        allocations(|| {
            let _twice = 2.0 * &a;
            Ok(())
        })?,
        1
    );
    assert_eq!(allocations(|| a.try_less(0.5)?.try_where(&a, 0.0).map(drop))?, 2, "the mask and the result");
    assert_eq!(allocations(|| a.add_into(1.0, &mut out))?, 0);
    assert_eq!(
        allocations(|| {
            a *= 2.0;
            a -= 1.0;
            a.clip_assign(0.0, 5.0)
        })?,
        0
    );
    Ok(())
}
