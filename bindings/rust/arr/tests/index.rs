// SPDX-License-Identifier: MIT
//! Index expressions, and the parts of an array along an axis.
use arr::{concatenate, idx, stack, Array, Bounds, Device, ErrorKind, Index, Result, Ufunc};

/// 0, 1, ... of a shape.
fn counted(shape: &[usize]) -> Result<Array<i64>> {
    let n: usize = shape.iter().product();
    Array::arange(0, n as i64, 1)?.reshape(shape)
}

/// The error of a call: late streams report a position out of range when one waits for them.
fn refused<T>(made: Result<T>) -> ErrorKind {
    made.and_then(|_| Device::HOST.sync()).unwrap_err().kind()
}

#[test]
fn basic_indices_give_views() -> Result<()> {
    let a = counted(&[3, 4])?;
    let rows = [
        (a.get(idx![1])?, vec![4], vec![4, 5, 6, 7]),
        (a.get(idx![.., -1])?, vec![3], vec![3, 7, 11]),
        (a.get(idx![1.., ..2])?, vec![2, 2], vec![4, 5, 8, 9]),
        (a.get(idx![..; -2, 1..4; 2])?, vec![2, 2], vec![9, 11, 1, 3]),
        (a.get(idx![-1..; -1, 0])?, vec![3], vec![8, 4, 0]),
        (a.get(idx![None, 2, None, 1usize..3])?, vec![1, 1, 2], vec![9, 10]),
        (a.get(idx![Index::Ellipsis, 0])?, vec![3], vec![0, 4, 8]),
        (a.get(idx![5..9])?, vec![0, 4], vec![]),
        (a.get(idx![])?, vec![3, 4], (0..12).collect()),
    ];
    for (got, shape, elements) in rows {
        assert_eq!((got.shape(), got.to_vec()?), (&shape[..], elements));
        assert!(got.is_shared());
    }
    let n = 2i64;
    assert_eq!(a.get(idx![n, n - 1])?.item()?, 9);
    assert_eq!(a.get(idx![3]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(a.get(idx![0, 0, 0]).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn lists_and_masks_give_copies() -> Result<()> {
    let a = counted(&[3, 4])?;
    let at = Array::from_slice(&[2u8, 0], [2])?;
    let mask = a.greater(6);
    let pairs = Array::from_slice(&[1i32, -1], [2, 1])?;
    let rows = vec![true, false, true];
    let positions = vec![3i64, 3];
    let table = [
        (a.get(idx![&at])?, vec![2, 4], vec![8, 9, 10, 11, 0, 1, 2, 3]),
        (a.get(idx![.., &at])?, vec![3, 2], vec![2, 0, 6, 4, 10, 8]),
        (a.get(idx![&at, [1, 3]])?, vec![2], vec![9, 3]),
        (a.get(idx![&pairs, &at])?, vec![2, 2], vec![6, 4, 10, 8]),
        (a.get(idx![&mask])?, vec![5], vec![7, 8, 9, 10, 11]),
        (a.get(idx![&rows, ..2])?, vec![2, 2], vec![0, 1, 8, 9]),
        (a.get(idx![[false, true, false]])?, vec![1, 4], vec![4, 5, 6, 7]),
        (a.get(idx![1, &positions])?, vec![2], vec![7, 7]),
        (a.get(idx![[0usize, 2], None, ..; -3])?, vec![2, 1, 2], vec![3, 0, 11, 8]),
        (a.get(idx![&a.less(0)])?, vec![0], vec![]),
        (a.get_with(idx![[-1, 7]], Bounds::Clip)?.get(idx![.., 0])?, vec![2], vec![0, 8]),
        (a.get_with(idx![.., &[5]], Bounds::Wrap)?, vec![3, 1], vec![1, 5, 9]),
    ];
    for (got, shape, elements) in table {
        assert_eq!((got.shape(), got.to_vec()?), (&shape[..], elements));
    }
    let mut copy = a.get(idx![&at])?;
    assert!(!copy.is_shared());
    copy.fill(-1)?;
    assert_eq!(a.to_vec()?, (0..12).collect::<Vec<_>>());
    assert_eq!(refused(a.get(idx![[0, 3]])), ErrorKind::Argument);
    assert_eq!(a.get(idx![[true, false]]).unwrap_err().kind(), ErrorKind::Shape);
    let float = Array::<f64>::ones([2])?;
    assert_eq!(a.get(idx![float.as_dyn()]).unwrap_err().kind(), ErrorKind::DType);
    let any = a.as_dyn().get(idx![&at, 0])?;
    assert_eq!(any.typed::<i64>()?.to_vec()?, [8, 0]);
    Ok(())
}

#[test]
fn writes_stay_in_the_array() -> Result<()> {
    let mut a = counted(&[2, 3])?;
    let before = a.clone();
    a.assign_at(idx![&before.greater(3)], 0)?;
    assert_eq!(a.to_vec()?, [0, 1, 2, 3, 0, 0]);
    a.assign_at(idx![.., [2, 0]], &Array::from_slice(&[7, 8], [2])?)?;
    assert_eq!(a.to_vec()?, [8, 1, 7, 8, 0, 7]);
    a.assign_at(idx![1, ..; -1], &before.get(idx![0])?)?;
    assert_eq!(a.to_vec()?, [8, 1, 7, 2, 1, 0]);
    assert_eq!(before.to_vec()?, [0, 1, 2, 3, 4, 5], "a clone sees no write");
    let view = a.get(idx![0])?;
    a.assign_at(idx![0, 0], -1)?;
    assert_eq!((view.to_vec()?, a.at([0, 0])?), (vec![8, 1, 7], -1), "nor does a view");
    assert_eq!(refused(a.assign_at(idx![[0, 9]], 5)), ErrorKind::Argument);
    assert_eq!(a.to_vec()?, [-1, 1, 7, 2, 1, 0], "nothing is written");
    assert_eq!(a.assign_at(idx![0], &before).unwrap_err().kind(), ErrorKind::Shape);

    let mut counts = Array::<i64>::zeros([4])?;
    counts.update_at(Ufunc::find("add")?, idx![[1, 3, 1, 1]], 1)?;
    counts.apply_at(Ufunc::find("negative")?, idx![3])?;
    assert_eq!(counts.to_vec()?, [0, 3, 0, -1]);
    let mut any = counts.into_dyn();
    any.assign_at(idx![0..2], 2.5)?;
    any.update_at(Ufunc::find("multiply")?, idx![[true, false, true, true]], 10)?;
    assert_eq!(any.typed::<i64>()?.to_vec()?, [20, 2, 0, -10]);
    Ok(())
}

#[test]
fn parts_along_an_axis() -> Result<()> {
    let mut a = counted(&[2, 3])?;
    let sums: Vec<i64> = a.outer_iter()?.map(|row| row.sum(..).item()).collect::<Result<_>>()?;
    assert_eq!(sums, [3, 12]);
    let columns: Vec<Array<i64>> = a.axis_iter(-1)?.rev().collect();
    assert_eq!((columns.len(), columns[0].to_vec()?, columns[2].to_vec()?), (3, vec![2, 5], vec![0, 3]));
    assert!(columns[0].is_shared());
    let mut both = a.axis_iter(1)?;
    assert_eq!((both.len(), both.next_back().is_some(), both.next().is_some(), both.len()), (3, true, true, 1));
    assert_eq!((both.next().is_some(), both.next().is_none(), both.next_back().is_none()), (true, true, true));
    assert_eq!(a.axis_iter(2).map(|_| ()).unwrap_err().kind(), ErrorKind::Shape);
    let [first, second] = a.unpack()?;
    assert_eq!((first.to_vec()?, second.is_shared()), (vec![0, 1, 2], true));
    let three: Result<[Array<i64>; 3]> = a.unpack();
    assert_eq!(three.unwrap_err().text(), "argument a: got 2 along the first axis, expected 3");
    assert_eq!(Array::scalar(1)?.outer_iter().map(|_| ()).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(a.index_axis(0, -1)?.to_vec()?, [3, 4, 5]);
    assert_eq!(a.index_axis(1, 3).unwrap_err().kind(), ErrorKind::Argument);
    for (k, mut row) in a.axis_iter_mut(0)?.enumerate() {
        row.fill(k as i64)?;
    }
    let mut parts: Vec<_> = a.axis_iter_mut(1)?.collect();
    parts[2].fill(9)?;
    parts[0].assign(&Array::from_slice(&[7, 8], [2])?)?;
    drop(parts);
    assert_eq!(a.to_vec()?, [7, 0, 9, 8, 1, 9]);
    assert_eq!(columns[0].to_vec()?, [2, 5], "views of before see no write");
    Ok(())
}

#[test]
fn joined_by_macros() -> Result<()> {
    let (a, b) = (counted(&[2, 2])?, counted(&[1, 2])?);
    assert_eq!(concatenate![0; a, b]?.to_vec()?, [0, 1, 2, 3, 0, 1]);
    assert_eq!(stack![-1; a, a.t()?]?.to_vec()?, [0, 0, 1, 2, 2, 1, 3, 3]);
    assert_eq!(concatenate![1; a, b].unwrap_err().kind(), ErrorKind::Shape);
    let device = Device::HOST;
    let rows = device.array(&[3.0f32, 1.0, 2.0], [3])?;
    let order = rows.argsort(0, arr::Direction::Ascending)?;
    assert_eq!(rows.get(idx![&order])?.to_vec()?, [1.0, 2.0, 3.0]);
    Ok(())
}
