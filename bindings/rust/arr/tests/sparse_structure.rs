// SPDX-License-Identifier: MIT
//! Parts of sparse matrices by indices, against those of dense arrays; the texts of mistakes.
use arr::{array, concatenate, idx, s, Array, ErrorKind, Index, Order, Result, SparseFormat, SparseMatrix};

const FORMATS: [SparseFormat; 3] = [SparseFormat::Coo, SparseFormat::Csr, SparseFormat::Csc];

fn dense() -> Result<Array<f64>> {
    Array::from_shape_fn((6, 5), |at| match at {
        [2, _] => 0.0,
        [i, j] if (i + 2 * j) % 3 == 0 => 1.0 + *i as f64 - 2.0 * *j as f64,
        _ => 0.0,
    })
}

fn same(a: &SparseMatrix<f64>, expected: &Array<f64>) -> Result<()> {
    assert_eq!(a.to_dense(Order::C)?, *expected, "{a:?}");
    Ok(())
}

#[test]
fn indices() -> Result<()> {
    let (d, rows, mask) = (dense()?, array![5i64, 0, 0, -3], array![true, false, true, true, false]);
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        let expected = if format == SparseFormat::Coo { SparseFormat::Csr } else { format };
        assert_eq!(a.get(idx![1..4])?.format(), expected);
        let lists: [(&[Index], &[Index]); 7] = [
            (&idx![1..4, ..], &idx![1..4, ..]),
            (&idx![.., ..; -2], &idx![.., ..; -2]),
            (&idx![-1, ..], &idx![-1.., ..]),
            (&idx![..5, 3], &idx![..5, 3..4]),
            (&idx![&rows, 1..], &idx![&rows, 1..]),
            (&idx![..; 2, &mask], &idx![..; 2, &mask]),
            (&idx![..., [4, 4, 0]], &idx![..., [4, 4, 0]]),
        ];
        for (list, dense_list) in lists {
            same(&a.get(list)?, &d.get(dense_list)?)?;
        }
        same(&a.slice(s![1..5, 2..])?, &d.slice(s![1..5, 2..])?)?;
        let (i, j) = (array![[0i64], [5], [-6]], array![0i32, -1, 2]);
        assert_eq!(a.elements(&i, &j)?, d.get(idx![&i, &j])?);
        assert_eq!(a.elements(&array![3], &array![0])?, array![d.at([3, 0])?]);
    }
    Ok(())
}

#[test]
fn other_parts() -> Result<()> {
    let (d, rows, cols) = (dense()?, array![0i64, 2, 5], array![0i64, 1, -1]);
    let block = Array::from_shape_fn((3, 2), |at| (at[0] * at[1]) as f64 - 1.0)?;
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        let b = a.with_items(idx![&rows, 1..3], &SparseMatrix::from_dense(&block, SparseFormat::Coo)?)?;
        let mut expected = d.clone();
        expected.assign_at(idx![&rows, 1..3], &block)?;
        same(&b, &expected)?;
        assert_eq!((b.format(), b.is_canonical()?), (format, true));
        let mut expected = d.clone();
        expected.assign_at(idx![&rows, &cols], array![7.0, 0.0, 9.0])?;
        same(&a.with_elements(&rows, &cols, array![7.0, 0.0, 9.0])?, &expected)?;
        expected.assign_at(idx![&rows, &cols], 4.0)?;
        same(&a.with_elements(&rows, &cols, 4.0)?, &expected)?;
        same(&a, &d)?;
    }
    Ok(())
}

/// A matrix of neighbouring rows has the elements of the whole one; a write to them copies.
#[test]
fn rows_share_elements() -> Result<()> {
    let a = SparseMatrix::from_dense(&dense()?, SparseFormat::Csr)?;
    let rows = a.slice(s![1..4])?;
    let mut data = a.data()?;
    drop(a);
    assert!(data.is_shared());
    data *= -1.0;
    same(&rows, &dense()?.slice(s![1..4])?)
}

#[test]
fn diagonals_triangles_shapes() -> Result<()> {
    let d = dense()?;
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        for k in [-5, -1, 0, 2, 4] {
            assert_eq!(a.diagonal(k)?, d.diagonal(k)?);
            same(&a.tril(k)?, &d.tril(k)?)?;
            same(&a.triu(k)?, &d.triu(k)?)?;
            let n = d.diagonal(k)?.len();
            let set = a.with_diagonal(7.0, k)?;
            assert_eq!(set.diagonal(k)?, Array::full(n, 7.0)?);
            same(&(&set - &a).triu(k + 1)?, &Array::zeros((6, 5))?)?;
        }
        let set = a.with_diagonal(array![1.0, 2.0], -1)?;
        assert_eq!(set.diagonal(-1)?.slice(s![..2])?, array![1.0, 2.0]);
        assert_eq!(set.diagonal(-1)?.slice(s![2..])?, d.diagonal(-1)?.slice(s![2..])?);
        same(&a.reshape((3, -1))?, &d.reshape((3, 10))?)?;
        same(&a.reshape((30, 1))?, &d.reshape((30, 1))?)?;
        same(&a, &d)?;
    }
    Ok(())
}

#[test]
fn joins_and_products() -> Result<()> {
    let d = dense()?;
    let e = Array::from_shape_fn((6, 2), |at| (at[0] % 2) as f64 * (at[1] as f64 - 3.0))?;
    let square = d.slice(s![..5])?;
    for format in FORMATS {
        let (a, b) = (SparseMatrix::from_dense(&d, format)?, SparseMatrix::from_dense(&e, SparseFormat::Csr)?);
        let beside = SparseMatrix::concatenate(&[&a, &b, &a], 1, format)?;
        assert_eq!(beside.format(), format);
        same(&beside, &concatenate(&[&d, &e, &d], 1)?)?;
        same(&SparseMatrix::concatenate(&[&a, &a], 0, SparseFormat::Csr)?, &concatenate(&[&d, &d], 0)?)?;
        let zeros = |rows, columns| Array::<f64>::zeros((rows, columns));
        let top = concatenate(&[&d, &zeros(6, 2)?], 1)?;
        let whole = concatenate(&[&top, &concatenate(&[&d, &e], 1)?], 0)?;
        same(&SparseMatrix::block(&[[Some(&a), None], [Some(&a), Some(&b)]], format)?, &whole)?;
        let diagonal = concatenate(&[&top, &concatenate(&[&zeros(6, 5)?, &e], 1)?], 0)?;
        same(&SparseMatrix::block_diag(&[&a, &b], format)?, &diagonal)?;
        same(&a.kron(&b, format)?, &d.kron(&e)?)?;
        let (s, t) = (SparseMatrix::from_dense(&square, format)?, b.slice(s![1..3])?);
        let (i, j) = (identity(5)?, identity(2)?);
        let sum = j.kron(&square)? + e.slice(s![1..3])?.kron(&i)?;
        same(&s.kronsum(&t, format)?, &sum)?;
        same(&s.matrix_power(3)?, &square.matmul(&square)?.matmul(&square)?)?;
        same(&s.matrix_power(0)?, &i)?;
    }
    // One matrix alone may be the result.
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    let one = SparseMatrix::concatenate(&[&a], 0, SparseFormat::Csr)?;
    let mut data = one.data()?;
    data += 1.0;
    same(&a, &d)
}

fn identity(n: usize) -> Result<Array<f64>> {
    Array::from_shape_fn((n, n), |at| f64::from(at[0] == at[1]))
}

fn fails<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.text().contains(text), "{error}");
}

#[test]
fn mistakes() -> Result<()> {
    let (a, two) = (SparseMatrix::from_dense(&dense()?, SparseFormat::Csr)?, array![0, 1]);
    fails(a.get(idx![6]), ErrorKind::Argument, "arr_sparse_get_items: ");
    fails(a.get(idx![&two, &two]), ErrorKind::Argument, "arr_sparse_get_items: ");
    fails(a.get(idx![.., .., ..]), ErrorKind::Shape, "arr_sparse_get_items: ");
    fails(a.get(idx![new]), ErrorKind::Argument, "arr_sparse_get_items: ");
    fails(a.elements(&two, &array![0, 9]), ErrorKind::Argument, "arr_sparse_elements: ");
    fails(a.with_items(idx![..2], &a), ErrorKind::Shape, "arr_sparse_with_items: argument block: shape (6,5)");
    fails(a.with_elements(&two, &two, array![1.0, 2.0, 3.0]), ErrorKind::Shape, "arr_sparse_with_elements: ");
    fails(a.reshape((7, -1)), ErrorKind::Shape, "arr_sparse_reshape: ");
    let wide = SparseMatrix::concatenate(&[&a, &a], 1, SparseFormat::Csr)?;
    fails(SparseMatrix::concatenate(&[&a, &wide], 0, SparseFormat::Csr), ErrorKind::Shape, "arr_sparse_concatenate: ");
    fails(SparseMatrix::<f64>::block_diag(&[], SparseFormat::Csr), ErrorKind::Argument, "arr_sparse_block_diag: ");
    let blocks = SparseMatrix::block(&[[Some(&a), None], [None, None]], SparseFormat::Csr);
    fails(blocks, ErrorKind::Argument, "arr_sparse_block: ");
    fails(a.kronsum(&a, SparseFormat::Csr), ErrorKind::Shape, "arr_sparse_kronsum: ");
    fails(a.matrix_power(2), ErrorKind::Shape, "arr_sparse_matrix_power: ");
    Ok(())
}
