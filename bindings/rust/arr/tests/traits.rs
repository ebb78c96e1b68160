// SPDX-License-Identifier: MIT
//! The traits of the standard library, positions, slices, closures over elements, generic code and printing.
use arr::{
    array, c32, c64, f16, idx, s, Array, DType, Direction, DynArray, ErrorKind, Float, Inexact, IntoShape, NewAxis,
    Real, Result,
};

#[test]
fn conversions() -> Result<()> {
    let vector = vec![1.0f64, 2.0];
    let address = vector.as_ptr();
    let a = Array::from(vector);
    assert_eq!((a.data()?.cast_const().cast(), a.shape()), (address, &[2][..]), "a vector is taken over");
    assert_eq!(Array::from([[1, 2, 3], [4, 5, 6]]).to_vec()?, [1, 2, 3, 4, 5, 6]);
    assert_eq!(array![[[1u8], [2]], [[3], [4]]].shape(), [2, 2, 1]);
    assert_eq!(Array::<f32>::from(&[1.0f32][..]), array![1.0f32]);
    assert_eq!(Array::try_from(vec![vec![1, 2], vec![3, 4]])?, array![[1, 2], [3, 4]]);
    let ragged = Array::try_from(vec![vec![1, 2], vec![3]]).unwrap_err();
    assert_eq!((ragged.kind(), ragged.text()), (ErrorKind::Shape, "argument rows: row 1 has 1 elements, expected 2"));
    let any: DynArray = a.clone().into();
    assert_eq!(Array::<f64>::try_from(any.try_clone()?)?, a);
    assert_eq!(Array::<i32>::try_from(any).unwrap_err().kind(), ErrorKind::DType);
    fn rank(a: impl AsRef<DynArray>) -> usize {
        a.as_ref().ndim()
    }
    assert_eq!((rank(&a), rank(a.as_dyn())), (1, 1));
    assert_eq!(Vec::try_from(&a)?, [1.0, 2.0]);
    let back = a.into_vec()?;
    assert_eq!((back.as_ptr(), back), (address, vec![1.0, 2.0]), "the same vector");
    assert_eq!((1..=3).map(|x| x * x).collect::<Array<_>>(), array![1, 4, 9]);
    assert_eq!(Array::<u16>::default().shape(), [0]);
    let f = Array::from_shape_fn([2, 3].f(), |at| (10 * at[0] + at[1]) as i32)?;
    assert_eq!((f.to_vec()?, f.strides()), (vec![0, 1, 2, 10, 11, 12], vec![1, 2]));
    Ok(())
}

/// Vectors take more elements, come apart into those of Rust, and make a matrix of rows.
#[test]
fn vectors_grow_and_come_apart() -> Result<()> {
    let elements = vec![1, 2];
    assert_eq!((Array::from(&elements), Array::from(&[1, 2])), (array![1, 2], array![1, 2]));
    let mut a = Array::from(elements);
    let clone = a.clone();
    a.extend(3..5);
    a.extend(&[5]);
    assert_eq!((&a, &clone), (&array![1, 2, 3, 4, 5], &array![1, 2]), "the clone stays");
    let (even, odd): (Array<i32>, Array<i32>) = (0..2000).map(|i| (2 * i, 2 * i + 1)).unzip();
    assert_eq!((even.len(), odd.at(-1)?), (2000, 3999));
    let error = std::panic::catch_unwind(|| array![[1]].extend([2])).unwrap_err();
    let text = error.downcast_ref::<String>().map_or("", String::as_str);
    assert!(text.contains("argument self: an array with 2 dimensions, expected 1"), "{text}");

    let address = a.data()?;
    let back = Vec::try_from(a)?;
    assert_eq!((back.as_ptr().cast_mut().cast(), back), (address, vec![1, 2, 3, 4, 5]), "the same vector");
    let [x, y] = array![3.0, 4.0].try_into()?;
    assert_eq!(f64::hypot(x, y), 5.0);
    let error = <[i32; 3]>::try_from(array![1, 2]).unwrap_err();
    assert_eq!((error.kind(), error.text()), (ErrorKind::Shape, "argument array: got 2 elements, expected 3"));

    let rows: Array<i32> = (1..3).map(|i| array![i, 10 * i]).collect();
    assert_eq!(rows, array![[1, 10], [2, 20]]);
    let sorted = rows.outer_iter()?.map(|row| row.sort(0, Direction::Descending)).collect::<Result<Array<_>>>()?;
    assert_eq!(sorted, array![[10, 1], [20, 2]]);
    assert_eq!(std::iter::empty::<Array<i32>>().collect::<Array<_>>().shape(), [0]);
    Ok(())
}

#[test]
fn comparisons_and_sums() -> Result<()> {
    let (a, b) = (array![1.0, 2.0], array![1.0, 2.0]);
    assert!(a == b && a != array![1.0, 3.0] && a != array![[1.0, 2.0]] && a.as_dyn() == b.as_dyn());
    assert!(array![f64::NAN] != array![f64::NAN], "nan is not itself");
    assert_eq!([&a, &b, &a].into_iter().sum::<Array<f64>>(), array![3.0, 6.0]);
    assert_eq!(vec![a.clone(), b].into_iter().sum::<Array<f64>>(), array![2.0, 4.0]);
    let nothing: Array<f64> = std::iter::empty::<Array<f64>>().sum();
    assert_eq!(&nothing + &a, a);
    Ok(())
}

#[test]
fn iteration() -> Result<()> {
    let mut a = array![[1, 2], [3, 4], [5, 6]];
    let rows: Vec<Array<i32>> = (&a).into_iter().collect();
    assert_eq!((rows.len(), &rows[2]), (3, &array![5, 6]));
    assert_eq!(a.into_iter().rev().map(|row| row.sum(..).item()).collect::<Result<Vec<_>>>()?, [11, 7, 3]);
    a = array![[1, 2], [3, 4]];
    for mut row in &mut a {
        row *= 10;
        row += &array![1, 2];
    }
    assert_eq!(a, array![[11, 22], [31, 42]]);
    for mut row in &a {
        row += 1; // a separate copy
    }
    assert_eq!(a.at((0, 0))?, 11);
    let chunks: Vec<_> = Array::from_iter(0..5).axis_chunks_iter(0, 2)?.map(|c| c.len()).collect();
    assert_eq!(chunks, [2, 2, 1]);
    let windows = Array::from_iter(0..5).axis_windows(-1, 3)?;
    assert_eq!(
        (windows.len(), windows.rev().collect::<Vec<_>>()),
        (3, [[2, 3, 4], [1, 2, 3], [0, 1, 2]].map(Array::from).into())
    );
    assert_eq!((a.axis_windows(0, 3)?.count(), a.axis_windows(1, usize::MAX)?.count()), (0, 0));
    assert_eq!(a.axis_windows(2, 1).err().map(|e| e.kind()), Some(ErrorKind::Shape));
    assert_eq!(a.as_dyn().into_iter().map(|row| row.len()).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(a.axis_chunks_iter(0, 0).err().map(|e| e.kind()), Some(ErrorKind::Argument));
    assert_eq!(a.indexed_iter()?.last(), Some((vec![1, 1], 42)));
    Ok(())
}

/// The vector comes back from its only owner, with what was written; every other owner has a copy.
#[test]
fn vectors_come_back() -> Result<()> {
    let taken = |a: Array<f64>, address: *const f64| a.into_vec().map(|v| (v.as_ptr() == address, v));
    let make = || {
        let vector = vec![1.0, 2.0, 3.0, 4.0];
        let address = vector.as_ptr();
        Array::from_vec(vector, [2, 2]).map(|a| (a, address))
    };
    let (mut a, address) = make()?;
    a += 1.0;
    a.as_mut_slice()?[3] = 9.0;
    assert_eq!(taken(a.reshape([4])?, address)?, (false, vec![2.0, 3.0, 4.0, 9.0]), "the array is still there");
    assert_eq!(taken(a, address)?, (true, vec![2.0, 3.0, 4.0, 9.0]));

    let (a, address) = make()?;
    let view = a.reshape([4])?;
    drop(a);
    assert_eq!(taken(view, address)?, (true, vec![1.0, 2.0, 3.0, 4.0]), "a view of all is the only owner");
    let (a, address) = make()?;
    let (turned, part) = (a.t()?.clone(), a.slice(s![..1])?);
    drop(a);
    assert_eq!(taken(turned, address)?, (false, vec![1.0, 3.0, 2.0, 4.0]));
    assert_eq!(taken(part, address)?, (false, vec![1.0, 2.0]));
    let (a, address) = make()?;
    let (tensor, copy) = (a.to_dlpack()?, a.clone());
    drop(copy);
    assert_eq!(taken(a, address)?, (false, vec![1.0, 2.0, 3.0, 4.0]), "exported memory stays");
    drop(tensor);
    let flags = Array::from_vec(vec![true, false], [2])?;
    assert_eq!(flags.into_vec()?, [true, false]);
    Ok(())
}

#[test]
fn positions_and_slices() -> Result<()> {
    let mut a = Array::from_shape_fn([2, 3, 4], |at| (100 * at[0] + 10 * at[1] + at[2]) as i64)?;
    let (i, j) = (1usize, -1i64);
    assert_eq!((a.at([1, 2, 3])?, a.at((i, j, 0))?, a.at([0i64, 1, 1])?, a.at(&vec![0, 0, 3])?), (123, 120, 11, 3));
    a.set((i, j, j), -5)?;
    assert_eq!((a.at([1, 2, 3])?, array![7, 8].at(1)?, Array::scalar(4)?.at(())?), (-5, 8, 4));
    assert_eq!(a.set([0, 0], 1).unwrap_err().text(), "argument position: got 2 positions, expected 3");
    assert!(a.at([0, 0]).is_err() && a.at([9, 0, 0]).is_err() && a.at(0).is_err() && a.set((2, 0, 0), 1).is_err());
    let shared = a.clone();
    a.set((0, 0, 0), 77)?;
    assert_eq!(shared.at((0, 0, 0))?, 0, "a write copies what is shared");

    for (view, shape) in [
        (a.slice(s![..=0])?, vec![1, 3, 4]),
        (a.slice(s![0..=1, ..=-2])?, vec![2, 2, 4]),
        (a.slice(s![.., ..=-1])?, vec![2, 3, 4]),
        (a.slice(s![0, ..., new])?, vec![3, 4, 1]),
        (a.slice(s![new, ..., -1])?, vec![1, 2, 3]),
        (a.slice(s![NewAxis, 1, 1..=1, ..=2; 2])?, vec![1, 1, 2]),
        (a.slice(s![...])?, vec![2, 3, 4]),
        (a.get(idx![..=0, new, ...])?, vec![1, 1, 3, 4]),
        (a.get(idx![[1, 0], ..., NewAxis])?, vec![2, 3, 4, 1]),
    ] {
        assert_eq!(view.shape(), shape);
    }
    assert_eq!(a.slice(s![1, ..., ..=1])?.at((2, 1))?, 121);
    a.slice_mut(s![..., ..=0])?.fill(0)?;
    assert_eq!(a.slice(s![.., .., 0])?.count_nonzero(..).item()?, 0);
    Ok(())
}

#[test]
fn properties() -> Result<()> {
    let a = Array::<f32>::zeros((3, 2))?;
    assert_eq!((a.shape(), a.ndim(), a.len(), a.size(), a.is_empty()), (&[3, 2][..], 2, 6, 6, false));
    assert_eq!((a.dtype(), a.nrows(), a.ncols(), a.len_of(-1), a.is_square()), (DType::FLOAT32, 3, 2, 2, false));
    assert_eq!(Array::<i8>::zeros((usize::MAX / 2, 0))?.len(), 0);
    let mut b = a.clone();
    b = b.t()?;
    assert_eq!((a.shape(), b.shape()), (&[3, 2][..], &[2, 3][..]));
    Ok(())
}

#[test]
fn closures_over_elements() -> Result<()> {
    let a = array![1.0, 4.0, 9.0];
    assert_eq!(a.map(|x| 2.0 * x.sqrt() + 1.0)?, array![3.0, 5.0, 7.0]);
    assert_eq!(a.map_to::<bool>(|x| x.greater(3.0))?, array![false, true, true]);
    let mut b = a.clone();
    b.map_assign(|mut x| {
        x += 1.0;
        x *= x;
        x
    })?;
    assert_eq!((&b, &a), (&array![4.0, 25.0, 100.0], &array![1.0, 4.0, 9.0]));
    b.zip_assign(&array![1, 2, 3], |x, n| x - n)?;
    assert_eq!(b, array![3.0, 23.0, 97.0]);
    assert_eq!(a.zip_map(&array![[1.0], [2.0]], |x, y| x / y)?.shape(), [2, 3]);
    let polar = arr::Expr::several(|[x, y]| [x.hypot(y), y.arctan2(x), x.less(y)])?;
    let [radius, angle, below] = polar.run_several([&array![3.0, 1.0], &array![4.0, 0.0]])?;
    assert_eq!(radius.typed::<f64>()?, array![5.0, 1.0]);
    assert_eq!((angle.typed::<f64>()?.at(1)?, below.typed::<bool>()?), (0.0, array![true, false]));
    let (mut r, mut t) = (Array::<f64>::zeros(2)?, Array::<f64>::zeros((2, 2))?);
    let two = arr::Expr::several(|[x, y]| [x + y, x - y])?;
    two.run_several_into([&array![3.0, 1.0], &array![4.0, 0.0]], [&mut r, &mut t.slice_mut(s![.., 1])?])?;
    assert_eq!((r, t), (array![7.0, 1.0], array![[0.0, -1.0], [0.0, 1.0]]));
    let c = arr::Expr::new(|[x]| c64::new(0.0, 1.0) * x + f16::from_f32(1.0))?.run([&array![2.0]])?;
    assert_eq!(c.typed::<c64>()?.at(0)?, c64::new(1.0, 2.0));
    Ok(())
}

fn norm<T: Inexact>(a: &Array<T>) -> Array<T::Real> {
    a.absolute()
}
fn distances<T: Float>(a: &Array<T>, b: &Array<T>) -> Array<T> {
    let d = a - b;
    (&d * &d).sum(-1).sqrt()
}
fn relaxed<T: Real>(a: &Array<T>, weight: T) -> Result<Array<T>> {
    Ok(a * (T::from_f64(1.0) - weight) + a.mean(..) * weight)
}

#[test]
fn generic_code() -> Result<()> {
    assert_eq!(norm(&array![c32::new(3.0, 4.0)]), array![5.0f32]);
    assert_eq!(distances(&array![[3.0, 4.0]], &array![[0.0, 0.0]]), array![5.0]);
    assert_eq!(distances(&array![f16::from_f32(3.0)], &array![f16::from_f32(1.0)]).item()?.to_f64(), 2.0);
    assert_eq!(relaxed(&array![1.0f32, 3.0], 0.5)?, array![1.5f32, 2.5]);
    Ok(())
}

#[test]
fn printing_decimals() -> Result<()> {
    let a = array![[1.0, -2.345], [10.0, 0.005]];
    assert_eq!(format!("{a:.2}"), "[[ 1.00 -2.35]\n [10.00  0.01]]".replace("-2.35", &format!("{:.2}", -2.345)));
    assert_eq!(format!("{:6.1}", array![1.0f32, 2.0]), "[   1.0    2.0]");
    assert_eq!(format!("{:.1}", array![c64::new(1.0, -0.25)]), format!("[{:.1}]", c64::new(1.0, -0.25)));
    assert_eq!(format!("{:.3}", array![1, 20]), "[ 1 20]");
    assert_eq!(format!("{:.1}", Array::scalar(0.25f32)?), "0.2");
    assert_eq!(format!("{:.0}", Array::<f64>::zeros((0, 2))?), "[]");
    let long = Array::<f64>::arange(0.0, 1001.0, 1.0)?;
    assert_eq!(format!("{long:.1}"), "[   0.0    1.0    2.0 ...  998.0  999.0 1000.0]");
    let wide = long.slice(s![..1000])?.reshape((500, 2))?.broadcast_to(&[2, 500, 2])?;
    let text = format!("{wide:.0}");
    assert!(text.starts_with("[[[  0   1]\n  [  2   3]\n  [  4   5]\n  ...\n  [994 995]"), "{text}");
    assert!(text.contains("[998 999]]\n\n [[  0   1]"), "{text}");
    Ok(())
}
