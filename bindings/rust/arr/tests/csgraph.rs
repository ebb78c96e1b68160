// SPDX-License-Identifier: MIT
//! Graphs as sparse matrices, against the same computations in Rust and with dense arrays; the texts of mistakes.
use arr::{
    array, idx, Array, Connection, ErrorKind, LaplacianOptions, Order, PageRankOptions, PathMethod, PathOptions,
    Result, SparseFormat, SparseMatrix,
};

const N: usize = 12;

/// Weights of edges: two parts, the first of which has cycles.
fn dense() -> Result<Array<f64>> {
    Array::from_shape_fn((N, N), |at| match (at[0], at[1]) {
        (i, j) if i < 8 && j < 8 && i != j && (3 * i + 5 * j) % 7 < 2 => 1.0 + ((i * j) % 5) as f64,
        (i, j) if i >= 8 && j == i + 1 => 2.0,
        _ => 0.0,
    })
}

/// The lengths of shortest paths, by Floyd's method.
fn lengths(d: &Array<f64>) -> Result<Vec<f64>> {
    let mut all: Vec<f64> = d.to_vec()?.iter().map(|&w| if w == 0.0 { f64::INFINITY } else { w }).collect();
    (0..N).for_each(|i| all[i * N + i] = 0.0);
    for k in 0..N {
        for i in 0..N {
            for j in 0..N {
                all[i * N + j] = all[i * N + j].min(all[i * N + k] + all[k * N + j]);
            }
        }
    }
    Ok(all)
}

#[test]
fn paths_and_components() -> Result<()> {
    let d = dense()?;
    let expected = lengths(&d)?;
    for format in [SparseFormat::Coo, SparseFormat::Csr, SparseFormat::Csc] {
        let a = SparseMatrix::from_dense(&d, format)?;
        for method in [PathMethod::Auto, PathMethod::BellmanFord, PathMethod::Johnson, PathMethod::FloydWarshall] {
            let paths = a.shortest_path(PathOptions { method, ..Default::default() })?;
            assert_eq!((paths.distances.to_vec()?, paths.distances.shape()), (expected.clone(), &[N, N][..]));
            assert!(paths.predecessors.diagonal(0)?.equal(-9999).all(..).item()?);
        }
        let sources = array![8, 2];
        let options = PathOptions { indices: Some(&sources), min_only: true, ..Default::default() };
        let nearest = a.shortest_path(options)?;
        let of = |j: usize| expected[8 * N + j].min(expected[2 * N + j]);
        assert_eq!(nearest.distances.to_vec()?, (0..N).map(of).collect::<Vec<_>>());
        assert_eq!((nearest.sources.at(9)?, nearest.sources.at(2)?), (8, 2));
        let steps = PathOptions { indices: Some(&sources), unweighted: true, limit: 2.0, ..Default::default() };
        let near = a.shortest_path(PathOptions { method: PathMethod::Dijkstra, ..steps })?;
        assert_eq!((near.distances.at([0, 10])?, near.distances.at([0, 11])?), (2.0, f64::INFINITY));
        let (count, labels) = a.connected_components(Connection::Weak)?;
        assert_eq!((count, labels.at(0)?, labels.at(N as i64 - 1)?), (2, 0, 1));
        let (strong, _) = a.connected_components(Connection::Strong)?;
        let both = |i: usize, j: usize| expected[i * N + j] + expected[j * N + i] < f64::INFINITY;
        assert_eq!(strong, (0..N).filter(|&i| (0..i).all(|j| !both(i, j))).count());
        for order in [a.breadth_first_order(8, true)?, a.depth_first_order(8, true)?] {
            assert_eq!((order.0, order.1.get(idx![8..])?), (array![8, 9, 10, 11], array![-9999, 8, 9, 10]));
        }
    }
    Ok(())
}

#[test]
fn matrices_of_graphs() -> Result<()> {
    let d = dense()?;
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    let (l, degrees) = a.laplacian::<f64>(LaplacianOptions { out_degree: true, ..Default::default() })?;
    assert_eq!((l.to_dense(Order::C)?.diagonal(0)?, &degrees), (d.sum(1), &d.sum(1)));
    assert_eq!((l.to_dense(Order::C)? + &d).sum(1), degrees);
    let bits = a.cast::<bool>()?;
    let (whole, _) = bits.laplacian::<i64>(LaplacianOptions::default())?;
    assert_eq!(whole.to_dense(Order::C)?.diagonal(0)?, d.not_equal(0.0).sum(0));
    let (normed, roots) =
        bits.laplacian::<f64>(LaplacianOptions { normed: true, symmetrized: true, ..Default::default() })?;
    assert!((normed.to_dense(Order::C)?.matmul(&roots)?).absolute().max(..).item()? < 1e-14);
    let tree = a.minimum_spanning_tree()?;
    assert_eq!(tree.nnz(), N - 2);
    let order = a.reverse_cuthill_mckee(false)?;
    assert_eq!(order.cast::<i64>()?.sort(0, Default::default())?, Array::arange(0, N as i64, 1)?);
    let rank: Array<f64> = a.pagerank(PageRankOptions { tol: 1e-12, max_iter: 500, ..Default::default() })?;
    let sums = d.sum(1);
    let links = d.t()? / sums.maximum(1.0);
    let lost = rank.compress(&sums.equal(0.0), 0)?.sum(..).item()?;
    let again = 0.85 * (links.matmul(&rank)? + lost / N as f64) + 0.15 / N as f64;
    assert!((again - rank).absolute().max(..).item()? < 1e-10);
    Ok(())
}

fn fails<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.text().contains(text), "{error}");
}

#[test]
fn mistakes() -> Result<()> {
    let (a, wide) = (
        SparseMatrix::from_dense(&dense()?, SparseFormat::Csr)?,
        SparseMatrix::from_dense(&array![[1.0, 2.0]], SparseFormat::Csr)?,
    );
    fails(wide.connected_components(Connection::Weak), ErrorKind::Shape, "arr_csgraph_connected_components: ");
    fails(a.breadth_first_order(12, true), ErrorKind::Argument, "arr_csgraph_breadth_first_order: argument start: 12");
    fails(a.depth_first_order(-1, true), ErrorKind::Argument, "arr_csgraph_depth_first_order: argument start: -1");
    let dijkstra = PathOptions { method: PathMethod::Dijkstra, ..Default::default() };
    fails((-&a).shortest_path(dijkstra), ErrorKind::Argument, "arr_csgraph_shortest_path: ");
    fails(wide.minimum_spanning_tree(), ErrorKind::Shape, "arr_csgraph_minimum_spanning_tree: ");
    fails(a.laplacian::<f32>(LaplacianOptions::default()), ErrorKind::DType, "got float64, expected float32");
    fails(wide.reverse_cuthill_mckee(true), ErrorKind::Shape, "arr_csgraph_reverse_cuthill_mckee: ");
    let short = PageRankOptions { max_iter: 1, tol: 1e-15, ..Default::default() };
    fails(a.pagerank(short), ErrorKind::Linalg, "arr_csgraph_pagerank: ");
    Ok(())
}
