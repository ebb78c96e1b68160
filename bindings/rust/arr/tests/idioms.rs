// SPDX-License-Identifier: MIT
//! The idioms of ndarray that differ here: for each row the code compiles, gives that result, and stands in the guide for
//! users of ndarray beside the text in front of it.
#![allow(unused_mut, unused_variables, unused_assignments, unused_braces)]
#![allow(clippy::let_unit_value, clippy::unit_arg)]
use arr::{array, concatenate, keep, s, Array, Direction, Expr, IntoShape, Result};

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
        fn $group(rows: &mut Vec<String>) -> Result<()> {
            $({
                let mut $a: Array<f64> = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
                let mut $b: Array<f64> = array![[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]];
                let mut $m: Array<f64> = array![[2.0, 1.0], [1.0, 3.0]];
                let mut $v: Array<f64> = array![3.0, 1.0, 2.0];
                let $it = itself($code);
                assert!($check, "{} => {}", $ndarray, stringify!($code));
                rows.push(format!("|`{}`|`{}`|", squeezed($ndarray), squeezed(stringify!($code))));
            })*
            Ok(())
        }
    };
}

/// The guide has these rows, in this order, and no others.
#[test]
fn the_guide_has_the_rows_that_run() -> Result<()> {
    let mut rows = Vec::new();
    for group in [creation, shape, parts, elements, arithmetic, reductions, products_and_joins] {
        group(&mut rows)?;
    }
    let table = GUIDE.lines().filter(|line| line.starts_with("| `"));
    let guide: Vec<String> = table.map(|line| line.chars().filter(|c| !c.is_whitespace()).collect()).collect();
    let missing: Vec<_> = rows.iter().filter(|row| !guide.contains(row)).collect();
    let untested: Vec<_> = guide.iter().filter(|row| !rows.contains(row)).collect();
    assert!(rows == guide, "docs/guides/from_ndarray.md lacks {missing:#?}, and has without a test {untested:#?}");
    assert!(rows.len() <= 60, "{} rows: a newcomer reads 60", rows.len());
    Ok(())
}

fn itself<T>(x: T) -> T {
    x
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-12 * y.abs().max(1.0)
}

idioms! { creation(a, b, m, v):
    "Array::<f64, _>::zeros((2, 3).f())" => Array::<f64>::zeros((2, 3).f())?, |it| it.strides() == [1, 2];
    "Array::from_elem((2, 2), 7)" => Array::full((2, 2), 7)?, |it| it == array![[7, 7], [7, 7]];
    "Array::zeros(a.raw_dim())" => a.zeros_like()?, |it| it.shape() == [2, 3];
    "Array1::range(0., 3., 1.)" => Array::arange(0.0, 3.0, 1.0)?, |it| it == array![0.0, 1.0, 2.0];
    "Array1::logspace(10., 0., 2., 3)" => Array::<f64>::logspace(0.0, 2.0, 3, true, 10.0)?, |it| close(it.at(2)?, 100.0);
    "Array2::from_diag(&v)" => v.diag(0)?, |it| it.at((0, 0))? == 3.0 && it.at((0, 1))? == 0.0;
    "Array2::from_shape_vec((2, 2), vec![1, 2, 3, 4])?" => Array::from_vec(vec![1, 2, 3, 4], (2, 2))?,
        |it| it == array![[1, 2], [3, 4]];
    "Array2::from_shape_fn((2, 2), |(i, j)| 10 * i + j)" => Array::from_shape_fn((2, 2), |i| (10 * i[0] + i[1]) as u64)?,
        |it| it == array![[0, 1], [10, 11]];
    "Array2::<f64>::uninit((2, 2))" => Array::<f64>::zeros((2, 2))?, |it| it.len() == 4;
}

idioms! { shape(a, b, m, v):
    "a.dim()" => (a.nrows(), a.ncols()), |it| it == (2, 3);
    "a.is_standard_layout()" => a.is_c_contiguous(), |it| it;
    "a.permuted_axes([1, 0])" => a.permute(&[1, 0])?, |it| it.shape() == [3, 2];
    "a.to_shape(((3, 2), Order::F))?" => a.reshape((3, 2).f())?, |it| it.at((1, 0))? == 4.0;
    "a.flatten()" => a.ravel(arr::Order::C)?, |it| it.shape() == [6];
    "v.insert_axis(Axis(0))" => v.slice(s![new, ..])?, |it| it.shape() == [1, 3];
    "v.broadcast((2, 3)).unwrap()" => v.broadcast_to(&[2, 3])?, |it| it.shape() == [2, 3];
    "a.invert_axis(Axis(1))" => { a = a.flip(&[1])?; }, |_| a.at((0, 0))? == 3.0;
    "a.into_dimensionality::<Ix2>()?" => a, |it| it.ndim() == 2;
}

idioms! { parts(a, b, m, v):
    "a.slice(s![.., ..;2])" => a.slice(s![.., ..; 2])?, |it| it == array![[1.0, 3.0], [4.0, 6.0]];
    "a.slice_axis(Axis(1), Slice::from(1..))" => a.slice(s![.., 1..])?, |it| it.shape() == [2, 2];
    "a.slice_mut(s![.., 0]).assign(&b.column(1))" => a.slice_mut(s![.., 0])?.assign(&b.column(1)?)?,
        |_| a.column(0)? == array![5.0, 2.0];
    "a.row_mut(0).fill(9.)" => a.slice_mut(s![0])?.fill(9.0)?, |_| a.at((0, 2))? == 9.0;
    "a.index_axis(Axis(1), 2)" => a.index_axis(1, 2)?, |it| it == array![3.0, 6.0];
    "m.diag()" => m.diagonal(0)?, |it| it == array![2.0, 3.0];
    "m.diag_mut().fill(0.)" => m.fill_diagonal(0.0, false)?, |_| m == array![[0.0, 1.0], [1.0, 0.0]];
    "a.select(Axis(1), &[2, 0])" => a.get(arr::idx![.., [2, 0]])?, |it| it == array![[3.0, 1.0], [6.0, 4.0]];
    "for mut row in a.rows_mut() { row += 1. }" => { for mut row in &mut a { row += 1.0 } }, |_| a.at((1, 2))? == 7.0;
    "for mut c in a.axis_iter_mut(Axis(1)) { c *= 2. }" => { for mut c in a.axis_iter_mut(1)? { c *= 2.0 } },
        |_| a.at((0, 2))? == 6.0;
    "v.windows(2)" => v.sliding_window_view(&[2], &[])?, |it| it == array![[3.0, 1.0], [1.0, 2.0]];
}

idioms! { elements(a, b, m, v):
    "a[[1, 2]]" => a.at([1, 2])?, |it| it == 6.0;
    "a[[1, 2]] = 9." => a.set([1, 2], 9.0)?, |_| a.at([-1, -1])? == 9.0;
    "a.get((5, 5)).is_none()" => a.at((5, 5)).is_err(), |it| it;
    "a.last()" => a.at((-1, -1))?, |it| it == 6.0;
    "a.iter().sum::<f64>()" => a.iter()?.sum::<f64>(), |it| it == 21.0;
    "a.iter_mut().for_each(|x| *x += 1.)" => a.as_mut_slice()?.iter_mut().for_each(|x| *x += 1.0),
        |_| a.at((0, 0))? == 2.0;
    "a.into_raw_vec_and_offset().0" => a.into_vec()?, |it| it.len() == 6;
    "a.mapv(|x| x as f32)" => a.cast::<f32>()?, |it| it.at((1, 0))? == 4.0f32;
}

idioms! { arithmetic(a, b, m, v):
    "a.slice_mut(s![0, ..]) -= &v" => *a.slice_mut(s![0, ..])? -= &v, |_| a.at((0, 0))? == -2.0;
    "a.scaled_add(2., &b)" => a.zip_assign(&b, |x, y| x + 2.0 * y)?, |_| a.at((0, 0))? == 13.0;
    "a.mapv(|x| x.sin() + 1.)" => a.map(|x| x.sin() + 1.0)?, |it| close(it.at((0, 0))?, 1f64.sin() + 1.0);
    "a.mapv(f64::sqrt)" => a.sqrt(), |it| it.at((1, 0))? == 2.0;
    "a.mapv(|x| if x > 2. { x } else { 0. })" => a.greater(2.0).where_(&a, 0.0), |it| it.sum(..).item()? == 18.0;
    "a.mapv_inplace(|x| x * x)" => a.map_assign(|x| x * x)?, |_| a.at((1, 2))? == 36.0;
    "a.zip_mut_with(&b, |x, y| *x = x.max(*y))" => a.zip_assign(&b, |x, y| x.maximum(y))?, |_| a.at((0, 0))? == 6.0;
    "azip!((c in &mut c, &a in &a, &b in &b) *c = a * b + 1.)" => Expr::new(|[a, b]| a * b + 1.0)?.run([&a, &b])?.typed::<f64>()?,
        |it| it.at((0, 0))? == 7.0;
    "a.powi(2)" => a.power(2.0), |it| it.at((1, 1))? == 25.0;
}

idioms! { reductions(a, b, m, v):
    "a.sum()" => a.sum(..).item()?, |it| it == 21.0;
    "a.sum_axis(Axis(0))" => a.sum(0), |it| it == array![5.0, 7.0, 9.0];
    "a.sum_axis(Axis(0)).insert_axis(Axis(0))" => a.sum(keep(0)), |it| it.shape() == [1, 3];
    "a.std_axis(Axis(0), 1.)" => a.std(0, 1.0)?, |it| close(it.at(0)?, 4.5f64.sqrt());
    "a.fold(0., |s, x| s + x * x)" => a.map(|x| x * x)?.sum(..).item()?, |it| it == 91.0;
    "a.accumulate_axis_inplace(Axis(1), |x, y| *y += x)" => { a = a.cumsum(1); }, |_| a.at((1, 2))? == 15.0;
    "a.iter().any(|&x| x > 5.)" => a.greater(5.0).any(..).item()?, |it| it;
    "a.quantile_axis_mut(Axis(1), n64(0.5), &Linear)?" => a.median(1)?, |it| it == array![2.0, 5.0];
}

idioms! { products_and_joins(a, b, m, v):
    "a.dot(&b.t())" => a.matmul(&b.t()?)?, |it| it == array![[28.0, 10.0], [73.0, 28.0]];
    "general_mat_mul(1., &a, &b.t(), 0., &mut m)" => a.matmul_into(&b.t()?, &mut m)?, |_| m.at((0, 0))? == 28.0;
    "m.svd(true, true)?" => m.svd(true)?, |it| it.1.len() == 2;
    "concatenate![Axis(0), a, b]" => concatenate![0; a, b]?, |it| it.shape() == [4, 3];
    "a.push_row(v.view())?" => { a = a.append(&v.slice(s![new, ..])?, 0)?; }, |_| a.at((2, 0))? == 3.0;
    "v.to_vec().sort_by(f64::total_cmp)" => { v = v.sort(0, Direction::Ascending)?; }, |_| v == array![1.0, 2.0, 3.0];
}
