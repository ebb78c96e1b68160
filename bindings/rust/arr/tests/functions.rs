// SPDX-License-Identifier: MIT
//! Methods that a generator makes of the C API's functions: values, views, lists, errors.

use arr::{Array, Bounds, Device, DynArray, ErrorKind, Generator, Histogram, Reduce, Reduction, Result, Trim, Ufunc};

fn vector(x: &[f64]) -> Array<f64> {
    Array::from_slice(x, x.len()).unwrap()
}

/// A call, the elements and the shape of its result.
type Row = (&'static str, Array<f64>, Vec<f64>, Vec<usize>);

fn matrix() -> Array<f64> {
    Array::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]).unwrap()
}

#[test]
fn values_are_those_of_the_library() -> Result<()> {
    let (a, v) = (matrix(), vector(&[3.0, 1.0, 2.0, 0.0]));
    let at = Array::from_slice(&[2i64, 0], 2)?;
    let low = Array::from_slice(&[true, false, true, false], 4)?;
    let rows: Vec<Row> = vec![
        ("append", v.append(&vector(&[9.0]), 0)?, vec![3.0, 1.0, 2.0, 0.0, 9.0], vec![5]),
        ("delete", v.delete(&[1, -1], 0)?, vec![3.0, 2.0], vec![2]),
        ("delete_slice", v.delete_slice(0, 4, 2, 0)?, vec![1.0, 0.0], vec![2]),
        ("insert", v.insert(1, &vector(&[7.0]), 0)?, vec![3.0, 7.0, 1.0, 2.0, 0.0], vec![5]),
        ("insert_at", v.insert_at(&[0, 4], &vector(&[7.0]), 0)?, vec![7.0, 3.0, 1.0, 2.0, 0.0, 7.0], vec![6]),
        ("rot90", a.rot90(1, 0, 1)?, vec![3.0, 6.0, 2.0, 5.0, 1.0, 4.0], vec![3, 2]),
        ("swapaxes", a.swapaxes(0, 1)?, vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0], vec![3, 2]),
        ("moveaxis", a.moveaxis(&[0], &[1])?, vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0], vec![3, 2]),
        ("matrix_transpose", a.matrix_transpose()?, vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0], vec![3, 2]),
        ("resize", v.resize(&[2, 3])?, vec![3.0, 1.0, 2.0, 0.0, 3.0, 1.0], vec![2, 3]),
        ("vstack", Array::vstack(&[&v, &v])?, vec![3.0, 1.0, 2.0, 0.0, 3.0, 1.0, 2.0, 0.0], vec![2, 4]),
        ("hstack", Array::hstack(&[&v, &vector(&[5.0])])?, vec![3.0, 1.0, 2.0, 0.0, 5.0], vec![5]),
        ("partition", v.partition(&[1], 0)?.slice(arr::s![1])?, vec![1.0], vec![]),
        ("diagflat", vector(&[1.0, 2.0]).diagflat(0)?, vec![1.0, 0.0, 0.0, 2.0], vec![2, 2]),
        ("sliding_window_view", v.sliding_window_view(&[2], &[])?, vec![3.0, 1.0, 1.0, 2.0, 2.0, 0.0], vec![3, 2]),
        ("as_strided", v.as_strided(&[2, 2], &[1, 1])?, vec![3.0, 1.0, 1.0, 2.0], vec![2, 2]),
        ("trim_zeros", v.trim_zeros(Trim::Back, &[])?, vec![3.0, 1.0, 2.0], vec![3]),
        ("mask", v.mask(&low)?, vec![3.0, 2.0], vec![2]),
        ("take", v.take(&at, 0)?, vec![2.0, 3.0], vec![2]),
        ("diff", v.diff(1, 0)?, vec![-2.0, 1.0, -2.0], vec![3]),
        ("median", a.median(1)?, vec![2.0, 5.0], vec![2]),
        ("average_returned", a.average_returned(None, 0)?.1, vec![2.0, 2.0, 2.0], vec![3]),
        ("logspace", Array::logspace(0.0, 2.0, 3, true, 10.0)?, vec![1.0, 10.0, 100.0], vec![3]),
        ("hanning", Array::hanning(3)?, vec![0.0, 1.0, 0.0], vec![3]),
        ("indices", Device::HOST.indices(&[2, 1])?, vec![0.0, 1.0, 0.0, 0.0], vec![2, 2, 1]),
    ];
    for (name, found, values, shape) in rows {
        assert_eq!(found.to_vec()?, values, "{name}");
        assert_eq!(found.shape(), shape, "{name}");
    }
    assert_eq!(a.nbytes()?, 48);
    assert_eq!(a.as_dyn().item_f64(&[1, 2])?, 6.0);
    assert_eq!(v.argpartition(&[0], 0)?.slice(arr::s![0])?.item()?, 3);
    assert!(!a.isfortran()? && a.isrealobj()? && !a.iscomplexobj()?);
    assert!(a.may_share_memory(&a.swapaxes(0, 1)?)?);
    assert!(a.array_equiv(&matrix())?.item()?);
    Ok(())
}

#[test]
fn lists_come_as_vectors() -> Result<()> {
    let a = matrix();
    let columns = a.unstack(1)?;
    assert_eq!(columns.len(), 3);
    assert_eq!(columns[2].to_vec()?, [3.0, 6.0]);
    assert_eq!(a.split_at(&[1], 1)?[1].shape(), [2, 2]);
    assert_eq!(a.array_split(2, 1)?.len(), 2);
    let indices = a.nonzero()?;
    assert_eq!(indices.len(), 2);
    assert_eq!(indices[1].to_vec()?, [0, 1, 2, 0, 1, 2]);
    let grids = Array::meshgrid(&[&vector(&[1.0, 2.0]), &vector(&[5.0])], true, false, true)?;
    assert_eq!(grids[0].shape(), [2, 1]);
    let (rows, columns) = Device::HOST.tril_indices(2, 2, 0)?;
    assert_eq!((rows.to_vec()?, columns.to_vec()?), (vec![0, 1, 1], vec![0, 0, 1]));
    assert_eq!(Device::HOST.diag_indices(3, 2)?.len(), 2);
    let flat = Array::from_slice(&[5i64, 2], 2)?;
    let at = flat.as_dyn().unravel_index(&[2, 3], arr::Order::C)?;
    assert_eq!(at[1].clone().typed::<i64>()?.to_vec()?, [2, 2]);
    assert_eq!(
        DynArray::ravel_multi_index(&[&at[0], &at[1]], &[2, 3], arr::Order::C)?.typed::<i64>()?.to_vec()?,
        [5, 2]
    );
    Ok(())
}

/// A view and its array see the same memory until one of them is written.
#[test]
fn views_share_until_a_write() -> Result<()> {
    let a = matrix();
    let parts = a.split(3, 1)?;
    let mut view = a.matrix_transpose()?;
    assert!(a.as_dyn().is_shared() && view.as_dyn().is_shared());
    view.fill_diagonal(0.0, false)?;
    assert_eq!(a.to_vec()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(parts[0].to_vec()?, [1.0, 4.0]);
    assert_eq!(view.to_vec()?, [0.0, 4.0, 2.0, 0.0, 3.0, 6.0]);
    let mut flat = a.ravel(arr::Order::C)?;
    flat.place(&Array::from_slice(&[true; 6], 6)?, -1.0)?;
    assert_eq!(a.to_vec()?[0], 1.0);
    let edges = vector(&[0.0, 3.0, 6.0]).into_dyn();
    let (_, same) = a.as_dyn().histogram_between(&edges, Histogram::default())?;
    assert!(edges.is_shared() && same.is_shared());
    let once = a.diff(0, 0)?;
    assert!(once.as_dyn().is_shared());
    Ok(())
}

#[test]
fn results_go_into_given_arrays() -> Result<()> {
    let (a, mut out) = (matrix(), Array::<f64>::zeros(2)?);
    a.median_into(1, &mut out)?;
    assert_eq!(out.to_vec()?, [2.0, 5.0]);
    a.var_into(1, 0.0, &mut out)?;
    assert!((out.to_vec()?[0] - 2.0 / 3.0).abs() < 1e-12);
    a.as_dyn().reduce_into(Reduction::SUM, 1, Reduce::new(), &mut out.clone().into_dyn())?;
    let mut outer = Array::<f64>::zeros([2, 2])?.into_dyn();
    let add = Ufunc::find("add")?;
    vector(&[1.0, 2.0]).as_dyn().ufunc_outer_into(add, vector(&[10.0, 20.0]).as_dyn(), &mut outer)?;
    assert_eq!(outer.typed::<f64>()?.to_vec()?, [11.0, 21.0, 12.0, 22.0]);
    let mut b = vector(&[0.0, 0.0, 0.0]);
    b.put(&Array::from_slice(&[4i64, 0], 2)?, 7.0, Bounds::Wrap)?;
    assert_eq!(b.to_vec()?, [7.0, 7.0, 0.0]);
    let g = Generator::new(1)?;
    let mut order = Array::<i64>::zeros(5)?;
    g.permutation_into(5, &mut order)?;
    let mut sorted = order.to_vec()?;
    sorted.sort();
    assert_eq!(sorted, [0, 1, 2, 3, 4]);
    let edges = a.as_dyn().histogram_bin_edges(5, Histogram::default())?;
    assert_eq!(edges.typed::<f64>()?.to_vec()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    Ok(())
}

/// The library gets one length for several lists, so lists of others never reach it.
#[test]
fn lists_of_other_lengths_are_refused() {
    let a = matrix();
    let kind = |e: arr::Error| e.kind();
    assert_eq!(a.moveaxis(&[0, 1], &[1]).map_err(kind).unwrap_err(), ErrorKind::Argument);
    assert_eq!(a.as_strided(&[2, 2], &[1]).map_err(kind).unwrap_err(), ErrorKind::Argument);
    assert_eq!(a.sliding_window_view(&[2], &[0, 1]).map_err(kind).unwrap_err(), ErrorKind::Argument);
    assert_eq!(a.quantile(&[], 0, arr::Quantile::Linear).map_err(kind).unwrap_err(), ErrorKind::Argument);
    assert!(a.unstack(7).is_err() && a.split(-2, 1).is_err() && a.split(5, 1).is_err());
}
