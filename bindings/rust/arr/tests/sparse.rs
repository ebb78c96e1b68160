// SPDX-License-Identifier: MIT
//! Sparse matrices against the same operations of dense arrays; who owns the parts; the texts of mistakes.
use arr::{
    array, keep, s, Array, DType, Device, ErrorKind, Generator, MatrixNorm, MtxSymmetry, Order, Reduction, Result,
    SparseArray, SparseFormat, SparseMatrix, Ufunc,
};

const FORMATS: [SparseFormat; 3] = [SparseFormat::Coo, SparseFormat::Csr, SparseFormat::Csc];

/// A matrix of 5 rows and 4 columns with an empty row and an empty column.
fn dense() -> Result<Array<f64>> {
    Array::from_shape_fn((5, 4), |at| match at {
        [2, _] | [_, 1] => 0.0,
        [i, j] if (i + 2 * j) % 3 == 0 => 1.0 + *i as f64 - 2.0 * *j as f64,
        _ => 0.0,
    })
}

fn same(a: &SparseMatrix<f64>, expected: &Array<f64>) -> Result<()> {
    assert_eq!(a.to_dense(Order::C)?, *expected, "{a:?}");
    Ok(())
}

#[test]
fn parts_and_formats() -> Result<()> {
    let d = dense()?;
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        assert_eq!((a.format(), a.shape(), a.index_dtype()), (format, (5, 4), DType::INT32));
        assert_eq!(a.nnz() as i64, d.count_nonzero(..).item()?);
        assert!(a.is_canonical()?);
        same(&a, &d)?;
        for other in FORMATS {
            same(&a.convert(other)?, &d)?;
        }
        same(&a.t()?, &d.t()?.copy(Order::C)?)?;
        assert_eq!(a.cast::<f32>()?.to_dense(Order::F)?, d.cast::<f32>()?);
        let again = match format {
            SparseFormat::Coo => {
                let (row, col) = (a.row()?.typed::<i32>()?, a.col()?.typed::<i32>()?);
                SparseMatrix::coo(a.shape(), &a.data()?, &row, &col)?
            }
            SparseFormat::Csr => {
                let (indices, indptr) = (a.indices()?.typed::<i32>()?, a.indptr()?.typed::<i32>()?);
                SparseMatrix::csr(a.shape(), &a.data()?, &indices, &indptr)?
            }
            SparseFormat::Csc => {
                let (indices, indptr) = (a.indices()?.typed::<i32>()?, a.indptr()?.typed::<i32>()?);
                SparseMatrix::csc(a.shape(), &a.data()?, &indices, &indptr)?
            }
        };
        same(&again, &d)?;
    }
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    assert_eq!(format!("{a:?}"), format!("SparseMatrix(Csr, [5, 4], {} stored, float64)", a.nnz()));
    Ok(())
}

#[test]
fn made_of_coordinates_and_diagonals() -> Result<()> {
    let (data, row, col) = (array![1.0, 2.0, 0.0, 4.0], array![2i64, 0, 1, 2], array![1i64, 2, 0, 1]);
    let a = SparseMatrix::coo((3, 3), &data, &row, &col)?;
    assert_eq!((a.nnz(), a.index_dtype(), a.is_canonical()?), (4, DType::INT64, false));
    let expected = array![[0.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 5.0, 0.0]];
    same(&a, &expected)?;
    let merged = a.sum_duplicates()?;
    assert_eq!((merged.nnz(), merged.is_canonical()?), (3, true));
    assert_eq!(merged.eliminate_zeros()?.nnz(), 2);
    same(&merged.eliminate_zeros()?, &expected)?;
    assert_eq!(SparseMatrix::<i32>::eye((2, 3), 1, Device::HOST)?.to_dense(Order::C)?, array![[0, 1, 0], [0, 0, 1]]);
    let a = SparseMatrix::diags((2, 3), &[(1, &array![5, 6]), (0, &array![7]), (-1, &array![8])])?;
    assert_eq!(a.to_dense(Order::C)?, array![[7, 5, 0], [8, 7, 6]]);
    Ok(())
}

#[test]
fn products() -> Result<()> {
    let d = dense()?;
    let (x, y, wide) = (
        array![1.0, -2.0, 3.0, 0.5],
        array![1.0, 2.0, 3.0, 4.0, 5.0],
        Array::from_shape_fn((4, 3), |at| at[0] as f64)?,
    );
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        assert_eq!(a.matmul(&x)?, d.matmul(&x)?);
        assert_eq!(a.matmul(&wide)?, d.matmul(&wide)?);
        assert_eq!(a.rmatmul(&y)?, y.matmul(&d)?);
        assert_eq!(a.t()?.matmul(&y)?, d.t()?.matmul(&y)?);
        same(&a.t()?.product(&a)?, &d.t()?.matmul(&d)?)?;
        same(&a.product(&a.t()?)?, &d.matmul(&d.t()?)?)?;
    }
    let bits = SparseMatrix::from_dense(&array![[true, false], [true, true]], SparseFormat::Csr)?;
    assert_eq!(bits.matmul(&array![false, true])?, array![false, true]);
    Ok(())
}

#[test]
fn products_into_arrays() -> Result<()> {
    let (d, x, mut y) = (dense()?, array![1.0, -2.0, 3.0, 0.5], Array::<f64>::full([5], f64::NAN)?);
    let before = y.clone();
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        a.matmul_into(&x, &mut y)?;
        assert_eq!(y, d.matmul(&x)?);
        a.matmul_add_into(2.0, &x, -3.0, &mut y)?;
        assert_eq!(y, -d.matmul(&x)?);
        y.fill(f64::NAN)?;
        a.matmul_add_into(2.0, &x, 0.0, &mut y)?;
        assert_eq!(y, d.matmul(&x)? * 2.0);
        let mut wide = Array::<f64>::zeros((5, 2))?;
        a.t()?.t()?.matmul_into(&d.slice(s![..4, ..2])?, &mut wide)?;
        assert_eq!(wide, d.matmul(&d.slice(s![..4, ..2])?)?);
        // A result over the operand.
        let square = a.t()?.product(&a)?;
        let mut z = x.clone();
        square.matmul_into(&x, &mut z)?;
        assert_eq!(z, square.matmul(&x)?);
    }
    assert!(before.isnan().all(..).item()?, "a clone is not written");
    Ok(())
}

#[test]
fn diagonals_and_blocks() -> Result<()> {
    let d = dense()?.slice(s![..4])?;
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        let (data, offsets) = a.to_dia()?;
        assert_eq!(data.shape(), [offsets.len(), 4]);
        same(&SparseMatrix::dia((4, 4), &data, &offsets)?, &d)?;
        let (blocks, indices, indptr) = a.to_bsr((2, 4))?;
        assert_eq!(blocks.shape(), [2, 2, 4]);
        assert_eq!(blocks.reshape((4, 4))?, d);
        let (indices, indptr) = (indices.typed::<i32>()?, indptr.typed::<i32>()?);
        let again = SparseMatrix::bsr((4, 4), &blocks, &indices, &indptr)?;
        same(&again, &d)?;
        assert_eq!(again.nnz(), 16);
    }
    Ok(())
}

#[test]
fn files() -> Result<()> {
    let path = std::env::temp_dir().join(format!("arr_{}_sparse.npz", std::process::id()));
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&dense()?, format)?;
        a.save_npz(&path, format == SparseFormat::Coo)?;
        let b = SparseMatrix::load_npz(&path, Device::HOST)?;
        assert_eq!((b.format(), b.nnz()), (format, a.nnz()));
        same(&b, &dense()?)?;
    }
    let wrong = SparseMatrix::<f32>::load_npz(&path, Device::HOST);
    fails(wrong, ErrorKind::DType, "got float64, expected float32");
    let missing = SparseMatrix::<f64>::load_npz(path.with_extension("none"), Device::HOST);
    fails(missing, ErrorKind::Io, "arr_sparse_load_npz: ");
    std::fs::remove_file(path).unwrap();
    Ok(())
}

#[test]
fn other_values() -> Result<()> {
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&dense()?, format)?;
        let mut data = a.data()?.square().cast::<f32>()?;
        let b = a.with_data(&data)?;
        assert_eq!((b.format(), b.to_dense(Order::C)?), (format, dense()?.square().cast::<f32>()?));
        assert!(data.is_shared());
        data += 1.0;
        assert_eq!(b.to_dense(Order::C)?, dense()?.square().cast::<f32>()?);
    }
    Ok(())
}

#[test]
fn operators() -> Result<()> {
    let d = dense()?;
    let e = Array::from_shape_fn((5, 4), |at| if at[0] == at[1] { 2.0 } else { 0.0 })?;
    let (rows, columns) = (Array::from_shape_fn((5, 1), |at| 1.0 + at[0] as f64)?, array![1.0, 2.0, 4.0, 8.0]);
    for format in FORMATS {
        let (a, b) = (SparseMatrix::from_dense(&d, format)?, SparseMatrix::from_dense(&e, SparseFormat::Coo)?);
        same(&(&a + &b), &(&d + &e))?;
        same(&(&a - b.clone()), &(&d - &e))?;
        same(&(a.clone() * &b), &(&d * &e))?;
        same(&-&a, &-&d)?;
        same(&(2.0 * &a), &(2.0 * &d))?;
        same(&(2.0 * a.clone() * 3.0), &(6.0 * &d))?;
        same(&(&a / 4.0), &(&d / 4.0))?;
        same(&(&a * &columns), &(&d * &columns))?;
        same(&(&a / &rows), &(&d / &rows))?;
        same(&a.unary(Ufunc::find("square")?)?, &d.square())?;
        same(&a.binary(Ufunc::find("maximum")?, &b)?, &d.maximum(&e))?;
        same(&a.scale(Ufunc::find("power")?, 3.0)?, &d.power(3.0))?;
        assert_eq!((&a - &a).nnz(), 0);
        same(&a, &d)?;
    }
    let whole = SparseMatrix::from_dense(&array![[0, 3], [4, 0]], SparseFormat::Csr)?;
    assert_eq!((&whole / 2).to_dense(Order::C)?, array![[0.0, 1.5], [2.0, 0.0]]);
    assert_eq!(whole.unary::<f64>(Ufunc::find("sqrt")?)?.data()?, array![3f64.sqrt(), 2.0]);
    Ok(())
}

#[test]
fn reductions() -> Result<()> {
    let d = dense()?;
    for format in FORMATS {
        let a = SparseMatrix::from_dense(&d, format)?;
        for axis in [0, 1, -1, -2] {
            assert_eq!(a.sum(axis), d.sum(axis));
            assert_eq!(a.mean(axis), d.mean(axis));
            assert_eq!(a.min(axis), d.min(axis));
            assert_eq!(a.max(keep(axis)), d.max(keep(axis)));
            assert_eq!(a.argmax(axis), d.argmax(axis));
            assert_eq!(a.argmin(keep(axis)), d.argmin(keep(axis)));
        }
        assert_eq!(a.sum(..).item()?, d.sum(..).item()?);
        assert_eq!(a.argmax(..), d.argmax(..));
        assert_eq!(a.min(keep(..)), d.min(keep(..)));
        let products = a.reduce(Reduction::PROD, 0, Some(DType::FLOAT32))?.typed::<f32>()?;
        assert_eq!(products, d.prod(0).cast::<f32>()?);
    }
    let bytes = SparseMatrix::from_dense(&array![[200u8, 0], [100, 0]], SparseFormat::Csc)?;
    assert_eq!(bytes.sum(0), array![300u64, 0]);
    assert_eq!(bytes.mean(1), array![100.0, 50.0]);
    Ok(())
}

/// A write to an array never changes a matrix or another array: both directions, with the matrix and without it.
#[test]
fn writes_change_no_other() -> Result<()> {
    let fresh = || -> Result<_> {
        Ok((Array::<f64>::full([2], 3.0)?, Array::<i32>::arange(0, 2, 1)?, Array::<i32>::zeros([2])?))
    };
    let expected = array![[3.0, 0.0], [3.0, 0.0]];
    let (mut data, mut row, col) = fresh()?;
    let a = SparseMatrix::coo((2, 2), &data, &row, &col)?;
    assert!(data.is_shared() && row.is_shared() && col.is_shared());
    data += 1.0;
    row += 5;
    same(&a, &expected)?;

    let (data, row, mut col) = fresh()?;
    let a = SparseMatrix::coo((2, 2), &data, &row, &col)?;
    let (mut values, mut rows) = (a.data()?, a.row()?.typed::<i32>()?);
    let (turned, doubled) = (a.t()?, &a * 2.0);
    values += 1.0;
    rows += 5;
    assert_eq!((data.to_vec()?, row.to_vec()?), (vec![3.0, 3.0], vec![0, 1]));
    let (values, mut rows) = (turned.data()?, doubled.row()?.typed::<i32>()?);
    drop((a, turned, doubled));
    // No matrix is left that would make the indices read-only.
    assert!(rows.is_shared() && values.is_shared() && row.is_shared());
    rows += 5;
    col += 5;
    assert_eq!((row.to_vec()?, rows.to_vec()?, col.to_vec()?), (vec![0, 1], vec![5, 6], vec![5, 5]));
    drop(values);
    assert!(!data.is_shared() && !row.is_shared() && !rows.is_shared());
    Ok(())
}

/// The same for a matrix that has the parts of two others.
#[test]
fn parts_of_other_matrices() -> Result<()> {
    let (row, col) = (Array::<i32>::arange(0, 2, 1)?, Array::<i32>::zeros([2])?);
    let a = SparseMatrix::coo((2, 2), &array![1.0, 2.0], &row, &col)?;
    let b = SparseMatrix::from_dense(&array![[0.0, 1.0], [2.0, 0.0]], SparseFormat::Coo)?;
    let (own, theirs) = (a.row()?.typed::<i32>()?, b.col()?.typed::<i32>()?);
    let c = SparseMatrix::coo((2, 2), &a.data()?, &own, &theirs)?;
    same(&c, &array![[0.0, 1.0], [2.0, 0.0]])?;
    let (mut rows, mut columns) = (c.row()?.typed::<i32>()?, c.col()?.typed::<i32>()?);
    drop((a, b, c, own));
    columns += 5;
    assert_eq!((theirs.to_vec()?, columns.to_vec()?), (vec![1, 0], vec![6, 5]));
    drop((theirs, columns));
    rows += 5;
    assert_eq!((row.to_vec()?, rows.to_vec()?), (vec![0, 1], vec![5, 6]));
    Ok(())
}

/// Matrices of the same indices, one after the other.
#[test]
fn new_values_on_the_same_indices() -> Result<()> {
    let mut a = SparseMatrix::csr((2, 2), &array![1.0, 2.0], &array![1, 0], &array![0, 1, 2])?;
    for _ in 0..3 {
        let (indices, indptr) = (a.indices()?.typed::<i32>()?, a.indptr()?.typed::<i32>()?);
        a = SparseMatrix::csr(a.shape(), &(a.data()? + 1.0), &indices, &indptr)?;
    }
    same(&a, &array![[0.0, 4.0], [5.0, 0.0]])
}

#[test]
fn vectors_come_back() -> Result<()> {
    let values = vec![1.0, 2.0];
    let address = values.as_ptr();
    let (data, row) = (Array::from_vec(values, 2)?, Array::from_vec(vec![0i32, 1], 2)?);
    let a = SparseMatrix::coo((2, 2), &data, &row, &array![1, 0])?;
    let mut part = a.data()?;
    drop((a, data));
    part += 1.0;
    let values = part.into_vec()?;
    assert_eq!((values.as_ptr(), &values[..]), (address, &[2.0, 3.0][..]));
    Ok(())
}

fn fails<T>(result: Result<T>, kind: ErrorKind, text: &str) {
    match result {
        Ok(_) => panic!("no error, expected {text}"),
        Err(error) => {
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.text().contains(text), "{error}");
        }
    }
}

#[test]
fn mistakes() -> Result<()> {
    let (data, two) = (array![1.0, 2.0], array![0, 1]);
    let wrong = SparseMatrix::coo((2, 2), &data, &array![0, 2], &two);
    fails(wrong, ErrorKind::Argument, "arr_sparse_coo: argument row: 2 at position 1, expected 0 to 1");
    let wrong = SparseMatrix::csr((2, 2), &data, &two, &array![0, 2, 1]);
    fails(wrong, ErrorKind::Argument, "arr_sparse_csr: argument indptr: 1 at position 2");
    let wrong = SparseMatrix::csc((2, 3), &data, &two, &array![0i64, 1, 2]);
    fails(wrong, ErrorKind::Shape, "arr_sparse_csc: argument indptr: shape (3,), expected (4,)");
    let wrong = SparseMatrix::coo((2, 2), &data, &array![true, false], &array![true, false]);
    fails(wrong, ErrorKind::DType, "argument row: got bool, expected integers");
    let wrong = SparseMatrix::<f64>::eye((usize::MAX, 1), 0, Device::HOST);
    fails(wrong, ErrorKind::Shape, "too large");
    let wrong = SparseMatrix::diags((2, 2), &[(0, &data), (0, &data)]);
    fails(wrong, ErrorKind::Argument, "argument offsets: 0 at position 1 is there twice");
    fails(SparseMatrix::<f64>::diags((2, 2), &[]), ErrorKind::Argument, "arr_sparse_diags");

    let a = SparseMatrix::csr((2, 2), &data, &two, &array![0, 1, 2])?;
    fails(a.row(), ErrorKind::Argument, "arr_sparse_part: argument part: 1");
    fails(a.matmul(&array![1.0]), ErrorKind::Shape, "arr_sparse_matmul");
    fails(a.rmatmul(&array![1.0]), ErrorKind::Shape, "arr_sparse_rmatmul");
    let wide = SparseMatrix::<f64>::eye((3, 4), 0, Device::HOST)?;
    fails(a.product(&wide), ErrorKind::Shape, "arr_sparse_product");
    let mut y = array![1.0];
    fails(a.matmul_into(&data, &mut y), ErrorKind::Shape, "arr_sparse_matmul_into: argument dst: shape (1,)");
    fails(a.with_data(&y), ErrorKind::Shape, "arr_sparse_with_data: argument data: shape (1,)");
    let wrong = SparseMatrix::dia((2, 2), &array![[1.0], [2.0]], &array![0, 0]);
    fails(wrong, ErrorKind::Argument, "arr_sparse_dia: argument offsets: a diagonal is there twice");
    let wrong = SparseMatrix::bsr((2, 2), &array![[[1.0]]], &array![2], &array![0, 1, 1]);
    fails(wrong, ErrorKind::Argument, "arr_sparse_bsr: argument indices: 2 at position 0");
    fails(a.to_bsr((3, 1)), ErrorKind::Shape, "arr_sparse_to_bsr: argument block_rows: blocks of (3,1)");
    fails(a.unary::<f64>(Ufunc::find("cos")?), ErrorKind::Unsupported, "cos is not 0 where no element is stored");
    fails(a.unary::<f32>(Ufunc::find("sqrt")?), ErrorKind::DType, "got float64, expected float32");
    fails(a.binary::<f64>(Ufunc::find("add")?, &wide), ErrorKind::Shape, "argument b: shape (3,4)");
    fails(a.scale::<f64>(Ufunc::find("add")?, 1.0), ErrorKind::Unsupported, "arr_sparse_scale");
    fails(a.scale::<f64>(Ufunc::find("multiply")?, &array![1.0, 2.0, 3.0]), ErrorKind::Shape, "argument x");
    fails(a.reduce(Reduction::VAR, 0, None), ErrorKind::Unsupported, "arr_sparse_reduce");
    fails(a.try_argmax(2), ErrorKind::Shape, "arr_sparse_argmax: argument axis");
    fails(a.try_sum(2), ErrorKind::Shape, "arr_sparse_reduce: argument axis");
    fails(a.try_sum([0, 1]), ErrorKind::Argument, "expected one axis or ..");
    let panic = std::panic::catch_unwind(|| &a + &wide).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("arr_sparse_binary: argument b: shape (3,4)"));
    Ok(())
}

#[test]
fn random_matrices_norms_files() -> Result<()> {
    let a = SparseMatrix::<f64>::random(&Generator::new(7)?, (40, 30), 0.25, SparseFormat::Csc, Device::HOST)?;
    assert!(a.nnz() == 300 && a.format() == SparseFormat::Csc && a.shape() == (40, 30));
    let full = a.to_dense(Order::C)?;
    for (norm, expected) in [
        (MatrixNorm::Frobenius, full.norm(MatrixNorm::Frobenius, ..)?),
        (MatrixNorm::P(1.0), full.norm(MatrixNorm::P(1.0), ..)?),
        (MatrixNorm::P(f64::NEG_INFINITY), full.norm(MatrixNorm::P(f64::NEG_INFINITY), ..)?),
    ] {
        assert!((a.norm(norm)?.item()? - expected.item()?).abs() < 1e-12);
    }
    let rows = a.vector_norm(3.0, 1)?;
    assert!((&rows - &full.vector_norm(3.0, 1)?).to_vec()?.iter().all(|x| x.abs() < 1e-12));
    let path = std::env::temp_dir().join(format!("arr_random_{}.mtx", std::process::id()));
    a.save_mtx(&path, MtxSymmetry::General)?;
    assert_eq!(SparseMatrix::<f64>::load_mtx(&path, Device::HOST)?.to_dense(Order::C)?, full);
    fails(SparseMatrix::<f32>::load_mtx(&path, Device::HOST), ErrorKind::DType, "got float64, expected float32");
    std::fs::remove_file(&path).unwrap();
    fails(SparseMatrix::<f64>::load_mtx(&path, Device::HOST), ErrorKind::Io, "arr_sparse_load_mtx");
    fails(a.norm(MatrixNorm::Nuclear), ErrorKind::Unsupported, "arr_svds");
    let wrong = SparseMatrix::<f64>::random(&Generator::new(7)?, (4, 3), 2.0, SparseFormat::Csr, Device::HOST);
    fails(wrong, ErrorKind::Argument, "argument density: 2");
    assert!(format!("{a}").contains("with 300 stored elements and shape (40, 30)"));
    Ok(())
}

#[test]
fn matrices_go_to_threads() -> Result<()> {
    let a = SparseMatrix::from_dense(&dense()?, SparseFormat::Csc)?;
    let x = array![1.0, 2.0, 3.0, 4.0];
    let expected = dense()?.matmul(&x)?;
    let products = std::thread::scope(|scope| {
        let work: Vec<_> = (0..4).map(|_| scope.spawn(|| a.clone().matmul(&x))).collect();
        work.into_iter().map(|w| w.join().unwrap()).collect::<Result<Vec<_>>>()
    })?;
    assert!(products.iter().all(|p| *p == expected));
    Ok(())
}

#[test]
fn arrays_of_three_dimensions() -> Result<()> {
    let full = Array::from_shape_fn([2, 3, 4], |at| match at {
        [i, j, k] if (i + j + k) % 3 == 0 => 1.0 + (12 * i + 4 * j + k) as f64,
        _ => 0.0,
    })?;
    let at = [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 0, 1, 2, 2], [0, 3, 2, 1, 2, 1, 0, 3]].map(Array::<i64>::from);
    let data = Array::from([1.0, 4.0, 7.0, 10.0, 15.0, 18.0, 21.0, 24.0]);
    let a = SparseArray::coo(&[2, 3, 4], &data, &[&at[0], &at[1], &at[2]])?;
    assert_eq!((a.to_dense()?, a.nnz(), a.shape()?), (full.clone(), 8, vec![2, 3, 4]));
    assert_eq!(a.coords(1)?.typed::<i64>()?.to_vec()?, [0, 0, 1, 2, 0, 1, 2, 2]);
    assert_eq!(a.reduce(Reduction::SUM, [0, 2], None)?.typed::<f64>()?, full.sum([0, 2]));
    assert_eq!(a.reduce(Reduction::MAX, .., None)?.typed::<f64>()?.item()?, 24.0);
    assert_eq!(a.permute_dims(&[2, 0, 1])?.to_dense()?, full.permute(&[2, 0, 1])?);
    assert_eq!(a.clone().reshape(&[6, -1])?.to_dense()?, full.reshape([6, 4])?);
    assert_eq!(a.tensordot(&a, &[(2, 2)])?.shape()?, vec![2, 3, 2, 3]);
    assert_eq!(format!("{a:?}"), "SparseArray([2, 3, 4], 8 stored, float64)");
    fails(SparseArray::coo(&[2, 3], &data, &[&at[0]]), ErrorKind::Argument, "argument coords: 1 vectors, expected 2");
    fails(SparseArray::coo(&[2, 3], &data, &[&at[0], &at[2]]), ErrorKind::Argument, "arr_sparse_coo_nd");
    fails(a.permute_dims(&[0, 0, 1]), ErrorKind::Shape, "arr_sparse_permute_dims");
    Ok(())
}
