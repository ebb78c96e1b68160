// SPDX-License-Identifier: MIT
//! The idioms of ndarray: for each row the code here compiles, gives that result, and stands in the guide for users of
//! ndarray beside the text in front of it.
#![allow(unused_mut, unused_variables, unused_assignments, unused_braces)]
#![allow(clippy::let_unit_value, clippy::unit_arg)]
use arr::{array, concatenate, keep, s, stack, Array, Direction, Expr, IntoShape, NewAxis, Result, Trim};

const GUIDE: &str = include_str!("../../../../docs/guides/from_ndarray.md");

/// Without spaces, and without the braces of a block.
fn squeezed(text: &str) -> String {
    let all: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let inside = all.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(&all);
    inside.trim_end_matches(';').replace('|', "\\|")
}

/// Each row: the text of ndarray, the code here, and a check of its value; `a`, `b`, `m` and `v` are new for each row.
macro_rules! idioms {
    ($group:ident($a:ident, $b:ident, $m:ident, $v:ident): $($ndarray:literal => $code:expr, |$it:pat_param| $check:expr;)*) => {
        #[test]
        fn $group() -> Result<()> {
            let guide: String = GUIDE.chars().filter(|c| !c.is_whitespace()).collect();
            $({
                let mut $a: Array<f64> = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
                let mut $b: Array<f64> = array![[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]];
                let mut $m: Array<f64> = array![[2.0, 1.0], [1.0, 3.0]];
                let mut $v: Array<f64> = array![3.0, 1.0, 2.0];
                let $it = itself($code);
                assert!($check, "{} => {}", $ndarray, stringify!($code));
                let row = format!("|`{}`|`{}`|", squeezed($ndarray), squeezed(stringify!($code)));
                assert!(guide.contains(&row), "docs/guides/from_ndarray.md has no row | `{}` | `{}` |",
                    $ndarray, stringify!($code));
            })*
            Ok(())
        }
    };
}

fn itself<T>(x: T) -> T {
    x
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-12 * y.abs().max(1.0)
}

idioms! { creation(a, b, m, v):
    "array![[1., 2.], [3., 4.]]" => array![[1.0, 2.0], [3.0, 4.0]], |it| it.shape() == [2, 2];
    "arr1(&[1., 2.])" => Array::from([1.0, 2.0]), |it| it == array![1.0, 2.0];
    "Array::<f64, _>::zeros((2, 3))" => Array::<f64>::zeros((2, 3))?, |it| it.sum(..) == Array::scalar(0.0)?;
    "Array::<f64, _>::zeros((2, 3).f())" => Array::<f64>::zeros((2, 3).f())?, |it| it.strides() == [1, 2];
    "Array::<i32, _>::ones(4)" => Array::<i32>::ones(4)?, |it| it == array![1, 1, 1, 1];
    "Array::from_elem((2, 2), 7)" => Array::full((2, 2), 7)?, |it| it == array![[7, 7], [7, 7]];
    "Array::zeros(a.raw_dim())" => a.zeros_like()?, |it| it.shape() == [2, 3];
    "Array1::range(0., 3., 1.)" => Array::arange(0.0, 3.0, 1.0)?, |it| it == array![0.0, 1.0, 2.0];
    "Array1::linspace(0., 1., 5)" => Array::<f64>::linspace(0.0, 1.0, 5)?, |it| it.at(1)? == 0.25;
    "Array1::logspace(10., 0., 2., 3)" => Array::<f64>::logspace(0.0, 2.0, 3, true, 10.0)?, |it| close(it.at(2)?, 100.0);
    "Array2::<f64>::eye(2)" => Array::<f64>::eye(2)?, |it| it == array![[1.0, 0.0], [0.0, 1.0]];
    "Array2::from_diag(&v)" => v.diag(0)?, |it| it.at((0, 0))? == 3.0 && it.at((0, 1))? == 0.0;
    "Array1::from_vec(vec![1, 2])" => Array::from(vec![1, 2]), |it| it == array![1, 2];
    "Array2::from_shape_vec((2, 2), vec![1, 2, 3, 4])?" => Array::from_vec(vec![1, 2, 3, 4], (2, 2))?,
        |it| it == array![[1, 2], [3, 4]];
    "Array1::from_iter(0..3)" => Array::from_iter(0..3), |it| it == array![0, 1, 2];
    "(0..3).collect::<Array1<_>>()" => (0..3).collect::<Array<_>>(), |it| it == array![0, 1, 2];
    "Array2::from_shape_fn((2, 2), |(i, j)| 10 * i + j)" => Array::from_shape_fn((2, 2), |i| (10 * i[0] + i[1]) as u64)?,
        |it| it == array![[0, 1], [10, 11]];
    "Array1::<f64>::default(0)" => Array::<f64>::default(), |it| it.is_empty();
    "arr0(5.)" => Array::scalar(5.0)?, |it| it.ndim() == 0 && it.item()? == 5.0;
    "Array2::<f64>::uninit((2, 2))" => Array::<f64>::zeros((2, 2))?, |it| it.len() == 4;
    "ArrayView::from(&[1, 2][..])" => Array::from(&[1, 2][..]), |it| it.len() == 2;
}

idioms! { shape(a, b, m, v):
    "a.shape()" => a.shape(), |it| it == [2, 3];
    "a.dim()" => (a.nrows(), a.ncols()), |it| it == (2, 3);
    "a.ndim()" => a.ndim(), |it| it == 2;
    "a.len()" => a.len(), |it| it == 6;
    "a.nrows()" => a.nrows(), |it| it == 2;
    "a.ncols()" => a.ncols(), |it| it == 3;
    "a.len_of(Axis(1))" => a.len_of(1), |it| it == 3;
    "a.is_empty()" => a.is_empty(), |it| !it;
    "m.is_square()" => m.is_square(), |it| it;
    "a.strides()" => a.strides(), |it| it == [3, 1];
    "a.is_standard_layout()" => a.is_c_contiguous(), |it| it;
    "a.t()" => a.t()?, |it| it.shape() == [3, 2];
    "a.reversed_axes()" => a.t()?, |it| it.at((2, 1))? == 6.0;
    "a.permuted_axes([1, 0])" => a.permute(&[1, 0])?, |it| it.shape() == [3, 2];
    "a.swap_axes(0, 1)" => { a = a.swapaxes(0, 1)?; }, |_| a.shape() == [3, 2];
    "a.to_shape((3, 2))?" => a.reshape((3, 2))?, |it| it.at((1, 0))? == 3.0;
    "a.to_shape(((3, 2), Order::F))?" => a.reshape((3, 2).f())?, |it| it.at((1, 0))? == 4.0;
    "a.into_shape_with_order(6)?" => a.reshape(6)?, |it| it.shape() == [6];
    "a.flatten()" => a.ravel(arr::Order::C)?, |it| it.shape() == [6];
    "v.insert_axis(Axis(0))" => v.slice(s![new, ..])?, |it| it.shape() == [1, 3];
    "a.slice(s![.., NewAxis, ..])" => a.slice(s![.., NewAxis, ..])?, |it| it.shape() == [2, 1, 3];
    "a.remove_axis(Axis(0))" => a.index_axis(0, 0)?, |it| it == array![1.0, 2.0, 3.0];
    "v.broadcast((2, 3)).unwrap()" => v.broadcast_to(&[2, 3])?, |it| it.shape() == [2, 3];
    "a.invert_axis(Axis(1))" => { a = a.flip(&[1])?; }, |_| a.at((0, 0))? == 3.0;
    "a.to_owned()" => a.clone(), |it| it == a;
    "a.as_standard_layout()" => a.contiguous(arr::Order::C)?, |it| it == a;
    "a.into_dyn()" => a.into_dyn(), |it| it.ndim() == 2;
    "a.into_dimensionality::<Ix2>()?" => a, |it| it.ndim() == 2;
}

idioms! { parts(a, b, m, v):
    "a.slice(s![0, ..])" => a.slice(s![0, ..])?, |it| it == array![1.0, 2.0, 3.0];
    "a.slice(s![.., 1..])" => a.slice(s![.., 1..])?, |it| it == array![[2.0, 3.0], [5.0, 6.0]];
    "a.slice(s![.., ..=1])" => a.slice(s![.., ..=1])?, |it| it == array![[1.0, 2.0], [4.0, 5.0]];
    "a.slice(s![.., ..;2])" => a.slice(s![.., ..; 2])?, |it| it == array![[1.0, 3.0], [4.0, 6.0]];
    "a.slice(s![..;-1, ..])" => a.slice(s![..; -1, ..])?, |it| it.at((0, 0))? == 4.0;
    "a.slice(s![-1, -2])" => a.slice(s![-1, -2])?, |it| it.item()? == 5.0;
    "a.slice(s![.., -1])" => a.slice(s![..., -1])?, |it| it == array![3.0, 6.0];
    "a.slice_axis(Axis(1), Slice::from(1..))" => a.slice(s![.., 1..])?, |it| it.shape() == [2, 2];
    "a.slice_mut(s![0, ..]).fill(0.)" => a.slice_mut(s![0, ..])?.fill(0.0)?, |_| a.sum(..).item()? == 15.0;
    "a.slice_mut(s![.., 0]).assign(&b.column(1))" => a.slice_mut(s![.., 0])?.assign(&b.column(1)?)?,
        |_| a.column(0)? == array![5.0, 2.0];
    "a.row(1)" => a.row(1)?, |it| it == array![4.0, 5.0, 6.0];
    "a.column(0)" => a.column(0)?, |it| it == array![1.0, 4.0];
    "a.row_mut(0).fill(9.)" => a.slice_mut(s![0])?.fill(9.0)?, |_| a.at((0, 2))? == 9.0;
    "a.index_axis(Axis(1), 2)" => a.index_axis(1, 2)?, |it| it == array![3.0, 6.0];
    "m.diag()" => m.diagonal(0)?, |it| it == array![2.0, 3.0];
    "m.diag_mut().fill(0.)" => m.fill_diagonal(0.0, false)?, |_| m == array![[0.0, 1.0], [1.0, 0.0]];
    "a.select(Axis(1), &[2, 0])" => a.get(arr::idx![.., [2, 0]])?, |it| it == array![[3.0, 1.0], [6.0, 4.0]];
    "a.split_at(Axis(1), 1)" => a.split_at(&[1], 1)?, |it| it[1].shape() == [2, 2];
    "for row in a.rows() {}" => { for row in &a { assert_eq!(row.len(), 3) } }, |_| true;
    "for mut row in a.rows_mut() { row += 1. }" => { for mut row in &mut a { row += 1.0 } }, |_| a.at((1, 2))? == 7.0;
    "a.outer_iter().len()" => a.outer_iter()?.len(), |it| it == 2;
    "for c in a.axis_iter(Axis(1)) {}" => { for c in a.axis_iter(1)? { assert_eq!(c.len(), 2) } }, |_| true;
    "for mut c in a.axis_iter_mut(Axis(1)) { c *= 2. }" => { for mut c in a.axis_iter_mut(1)? { c *= 2.0 } },
        |_| a.at((0, 2))? == 6.0;
    "a.axis_chunks_iter(Axis(1), 2).count()" => a.axis_chunks_iter(1, 2)?.count(), |it| it == 2;
    "v.windows(2)" => v.sliding_window_view(&[2], &[])?, |it| it == array![[3.0, 1.0], [1.0, 2.0]];
    "a.lanes(Axis(1))" => a.reshape_as(&[-1, 3], arr::Order::C)?, |it| it.shape() == [2, 3];
}

idioms! { elements(a, b, m, v):
    "a[[1, 2]]" => a.at([1, 2])?, |it| it == 6.0;
    "a[(0, 1)]" => a.at((0, 1))?, |it| it == 2.0;
    "v[2]" => v.at(2)?, |it| it == 2.0;
    "a[[1, 2]] = 9." => a.set([1, 2], 9.0)?, |_| a.at([-1, -1])? == 9.0;
    "a[[0, 0]] += 1." => a.set((0, 0), a.at((0, 0))? + 1.0)?, |_| a.at((0, 0))? == 2.0;
    "a.get((5, 5)).is_none()" => a.at((5, 5)).is_err(), |it| it;
    "a.first()" => a.at((0, 0))?, |it| it == 1.0;
    "a.last()" => a.at((-1, -1))?, |it| it == 6.0;
    "a.iter().sum::<f64>()" => a.iter()?.sum::<f64>(), |it| it == 21.0;
    "a.indexed_iter().max_by(|x, y| x.1.total_cmp(y.1)).unwrap().0" =>
        a.indexed_iter()?.max_by(|x, y| x.1.total_cmp(&y.1)).unwrap().0, |it| it == [1, 2];
    "a.iter_mut().for_each(|x| *x += 1.)" => a.as_mut_slice()?.iter_mut().for_each(|x| *x += 1.0),
        |_| a.at((0, 0))? == 2.0;
    "a.as_slice().unwrap()" => a.as_slice()?, |it| it == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    "a.as_slice_mut().unwrap()[0] = 5." => a.as_mut_slice()?[0] = 5.0, |_| a.at((0, 0))? == 5.0;
    "v.to_vec()" => v.to_vec()?, |it| it == [3.0, 1.0, 2.0];
    "a.into_raw_vec_and_offset().0" => a.into_vec()?, |it| it.len() == 6;
    "a.fill(2.)" => a.fill(2.0)?, |_| a.sum(..).item()? == 12.0;
    "a.assign(&b)" => a.assign(&b)?, |_| a == b;
    "a.iter().cloned().fold(0., f64::max)" => a.max(..).item()?, |it| it == 6.0;
    "a.into_scalar()" => v.sum(..).item()?, |it| it == 6.0;
    "a.mapv(|x| x as f32)" => a.cast::<f32>()?, |it| it.at((1, 0))? == 4.0f32;
}

idioms! { arithmetic(a, b, m, v):
    "&a + &b" => &a + &b, |it| it == Array::full((2, 3), 7.0)?;
    "&a - 1." => &a - 1.0, |it| it.at((0, 0))? == 0.0;
    "2. * &a" => 2.0 * &a, |it| it.at((1, 2))? == 12.0;
    "&a / &b" => &a / &b, |it| it.at((1, 2))? == 6.0;
    "&a % 2." => &a % 2.0, |it| it.at((0, 1))? == 0.0;
    "-&a" => -&a, |it| it.at((0, 0))? == -1.0;
    "&a + &v" => &a + &v, |it| it.at((1, 0))? == 7.0;
    "a += &b" => a += &b, |_| a.at((0, 0))? == 7.0;
    "a *= 2." => a *= 2.0, |_| a.at((0, 0))? == 2.0;
    "&a.slice(s![0, ..]) + &v" => &a.slice(s![0, ..])? + &v, |it| it == array![4.0, 3.0, 5.0];
    "a.slice_mut(s![0, ..]) -= &v" => *a.slice_mut(s![0, ..])? -= &v, |_| a.at((0, 0))? == -2.0;
    "a.scaled_add(2., &b)" => a.zip_assign(&b, |x, y| x + 2.0 * y)?, |_| a.at((0, 0))? == 13.0;
    "a.mapv(|x| x.sin() + 1.)" => a.map(|x| x.sin() + 1.0)?, |it| close(it.at((0, 0))?, 1f64.sin() + 1.0);
    "a.mapv(f64::sqrt)" => a.sqrt(), |it| it.at((1, 0))? == 2.0;
    "a.map(|x| *x > 2.)" => a.greater(2.0), |it| it.at((0, 2))?;
    "a.mapv(|x| if x > 2. { x } else { 0. })" => a.greater(2.0).where_(&a, 0.0), |it| it.sum(..).item()? == 18.0;
    "a.mapv_inplace(|x| x * x)" => a.map_assign(|x| x * x)?, |_| a.at((1, 2))? == 36.0;
    "a.mapv_into(|x| 1. / x)" => a.map(|x| 1.0 / x)?, |it| it.at((0, 1))? == 0.5;
    "a.zip_mut_with(&b, |x, y| *x = x.max(*y))" => a.zip_assign(&b, |x, y| x.maximum(y))?, |_| a.at((0, 0))? == 6.0;
    "Zip::from(&a).and(&b).map_collect(|x, y| x.hypot(*y))" => a.zip_map(&b, |x, y| x.hypot(y))?,
        |it| close(it.at((0, 0))?, 37f64.sqrt());
    "azip!((c in &mut c, &a in &a, &b in &b) *c = a * b + 1.)" => Expr::new(|[a, b]| a * b + 1.0)?.run([&a, &b])?.typed::<f64>()?,
        |it| it.at((0, 0))? == 7.0;
    "a.exp()" => a.exp(), |it| close(it.at((0, 0))?, 1f64.exp());
    "a.ln()" => a.log(), |it| it.at((0, 0))? == 0.0;
    "a.powi(2)" => a.power(2.0), |it| it.at((1, 1))? == 25.0;
    "a.powf(0.5)" => a.power(0.5), |it| it.at((1, 0))? == 2.0;
    "a.abs()" => (-a).absolute(), |it| it.at((0, 0))? == 1.0;
    "a.signum()" => a.sign(), |it| it.at((0, 0))? == 1.0;
    "a.recip()" => a.reciprocal(), |it| it.at((0, 1))? == 0.5;
    "a.clamp(2., 5.)" => a.clip(2.0, 5.0), |it| it.min(..).item()? == 2.0;
    "a.round()" => a.rint(), |it| it == a;
    "a.to_degrees()" => a.degrees(), |it| close(it.at((0, 0))?, 1f64.to_degrees());
    "&p & &q" => a.greater(2.0) & a.less(5.0), |it| it.count_nonzero(..).item()? == 2;
    "!&p" => !a.greater(2.0), |it| it.at((0, 0))?;
}

idioms! { reductions(a, b, m, v):
    "a.sum()" => a.sum(..).item()?, |it| it == 21.0;
    "a.sum_axis(Axis(0))" => a.sum(0), |it| it == array![5.0, 7.0, 9.0];
    "a.sum_axis(Axis(0)).insert_axis(Axis(0))" => a.sum(keep(0)), |it| it.shape() == [1, 3];
    "a.mean().unwrap()" => a.mean(..).item()?, |it| it == 3.5;
    "a.mean_axis(Axis(1)).unwrap()" => a.mean(1), |it| it == array![2.0, 5.0];
    "a.product()" => a.prod(..).item()?, |it| it == 720.0;
    "a.var(0.)" => a.var(.., 0.0)?.item()?, |it| close(it, 35.0 / 12.0);
    "a.std_axis(Axis(0), 1.)" => a.std(0, 1.0)?, |it| close(it.at(0)?, 4.5f64.sqrt());
    "a.max()?" => a.max(..).item()?, |it| it == 6.0;
    "a.min()?" => a.min(..).item()?, |it| it == 1.0;
    "a.argmax()?" => a.argmax(..).item()?, |it| it == 5;
    "a.map_axis(Axis(1), |row| row.sum())" => a.sum(1), |it| it == array![6.0, 15.0];
    "a.fold_axis(Axis(0), 1., |x, y| x * y)" => a.prod(0), |it| it == array![4.0, 10.0, 18.0];
    "a.fold(0., |s, x| s + x * x)" => a.map(|x| x * x)?.sum(..).item()?, |it| it == 91.0;
    "a.accumulate_axis_inplace(Axis(1), |x, y| *y += x)" => { a = a.cumsum(1); }, |_| a.at((1, 2))? == 15.0;
    "a.iter().any(|&x| x > 5.)" => a.greater(5.0).any(..).item()?, |it| it;
    "a.iter().all(|&x| x > 0.)" => a.greater(0.0).all(..).item()?, |it| it;
    "a.iter().filter(|x| **x > 2.).count()" => a.greater(2.0).count_nonzero(..).item()?, |it| it == 4;
    "a.quantile_axis_mut(Axis(1), n64(0.5), &Linear)?" => a.median(1)?, |it| it == array![2.0, 5.0];
    "[&a, &b].into_iter().fold(Array::zeros((2, 3)), |s, x| s + x)" => [&a, &b].into_iter().sum::<Array<_>>(),
        |it| it.at((1, 1))? == 7.0;
    "a == b" => a == b, |it| !it;
    "a.abs_diff_eq(&b, 1e-8)" => a.allclose(&b, arr::Tolerance::default())?, |it| !it;
    "a.diff(1, Axis(1))" => a.diff(1, 1)?, |it| it == Array::ones((2, 2))?;
    "a.cumprod(Axis(1))" => a.cumprod(1), |it| it.at((0, 2))? == 6.0;
}

idioms! { products_and_joins(a, b, m, v):
    "a.dot(&b.t())" => a.matmul(&b.t()?)?, |it| it == array![[28.0, 10.0], [73.0, 28.0]];
    "v.dot(&v)" => v.dot(&v)?.item()?, |it| it == 14.0;
    "a.dot(&v)" => a.matmul(&v)?, |it| it == array![11.0, 29.0];
    "general_mat_mul(1., &a, &b.t(), 0., &mut m)" => a.matmul_into(&b.t()?, &mut m)?, |_| m.at((0, 0))? == 28.0;
    "general_mat_mul(1., &a, &b, 0., &mut c.slice_mut(s![..2, ..]))" =>
        m.matmul_into(&m.clone(), &mut a.slice_mut(s![.., ..2])?)?, |_| a == array![[5.0, 5.0, 3.0], [5.0, 10.0, 6.0]];
    "kron(&m, &m)" => m.kron(&m)?, |it| it.shape() == [4, 4];
    "m.inv()?" => m.inv()?, |it| close(it.at((0, 0))?, 0.6);
    "m.det()?" => m.det()?.item()?, |it| close(it, 5.0);
    "m.solve_into(array![1., 2.])?" => m.solve(&array![1.0, 2.0])?, |it| close(it.at(0)?, 0.2);
    "m.qr()?" => m.qr()?, |it| it.0.shape() == [2, 2];
    "m.svd(true, true)?" => m.svd(true)?, |it| it.1.len() == 2;
    "m.eigh(UPLO::Lower)?" => m.eigh()?, |it| it.0.len() == 2;
    "m.cholesky(UPLO::Lower)?" => m.cholesky()?, |it| close(it.at((0, 0))?, 2f64.sqrt());
    "m.eig()?" => m.eig()?, |it| it.0.dtype() == arr::DType::COMPLEX128;
    "a.least_squares(&y)?" => m.lstsq(&array![1.0, 2.0], None)?, |it| close(it.x.at(0)?, 0.2);
    "m.norm_l2()" => m.norm(arr::MatrixNorm::Frobenius, ..)?.item()?, |it| close(it, 15f64.sqrt());
    "m.trace()?" => m.trace()?.item()?, |it| it == 5.0;
    "concatenate![Axis(0), a, b]" => concatenate![0; a, b]?, |it| it.shape() == [4, 3];
    "stack![Axis(0), a, b]" => stack![0; a, b]?, |it| it.shape() == [2, 2, 3];
    "concatenate(Axis(1), &[a.view(), b.view()])?" => concatenate(&[&a, &b], 1)?, |it| it.shape() == [2, 6];
    "a.append(Axis(0), b.view())?" => { a = a.append(&b, 0)?; }, |_| a.shape() == [4, 3];
    "a.push_row(v.view())?" => { a = a.append(&v.slice(s![new, ..])?, 0)?; }, |_| a.at((2, 0))? == 3.0;
    "v.to_vec().sort_by(f64::total_cmp)" => { v = v.sort(0, Direction::Ascending)?; }, |_| v == array![1.0, 2.0, 3.0];
    "indices.sort_by(|&i, &j| v[i].total_cmp(&v[j]))" => v.argsort(0, Direction::Ascending)?, |it| it == array![1, 2, 0];
    "fft(&mut plan, &v)" => v.fft(&[], arr::Norm::Backward)?, |it| it.at(0)?.re == 6.0;
    "println!(\"{a:.2}\")" => format!("{a:.2}"), |it| it == "[[1.00 2.00 3.00]\n [4.00 5.00 6.00]]";
    "write_npy(\"a.npy\", &a)?" => a.save_npy(std::env::temp_dir().join(format!("idioms_{}.npy", std::process::id())))?, |_| true;
    "v.iter().skip_while(|x| **x == 0.)" => v.trim_zeros(Trim::Front, &[])?, |it| it == v;
}
