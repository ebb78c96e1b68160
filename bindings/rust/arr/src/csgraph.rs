// SPDX-License-Identifier: MIT
//! Graphs as sparse matrices: element (i, j) is the weight of an edge from vertex i to vertex j.

use arr_sys::{arr_array, arr_sparse};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{Element, Ordered};
use crate::error::{call, Result};
use crate::ops::example;
use crate::sparse::SparseMatrix;
use crate::stream::current;

/// The vertices of a graph that are one component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Connection {
    /// Those that edges connect in any direction.
    #[default]
    Weak = arr_sys::ARR_CSGRAPH_WEAK,
    /// Those of which each reaches each other one.
    Strong = arr_sys::ARR_CSGRAPH_STRONG,
}

/// The method that finds shortest paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum PathMethod {
    /// Dijkstra's, or with negative weights Johnson's.
    #[default]
    Auto = arr_sys::ARR_CSGRAPH_AUTO,
    /// No negative weights.
    Dijkstra = arr_sys::ARR_CSGRAPH_DIJKSTRA,
    /// Any weights.
    BellmanFord = arr_sys::ARR_CSGRAPH_BELLMAN_FORD,
    /// Any weights, many sources.
    Johnson = arr_sys::ARR_CSGRAPH_JOHNSON,
    /// Any weights, from all vertices, for graphs with many edges.
    FloydWarshall = arr_sys::ARR_CSGRAPH_FLOYD_WARSHALL,
}

/// Options of [`SparseMatrix::shortest_path`].
#[derive(Clone, Copy, Debug)]
pub struct PathOptions<'a> {
    pub method: PathMethod,
    /// The sources, integers. None: all vertices.
    pub indices: Option<&'a DynArray>,
    /// Edges can be used in both directions.
    pub undirected: bool,
    /// Each edge has weight 1.
    pub unweighted: bool,
    /// Paths from the nearest source only.
    pub min_only: bool,
    /// The length that paths have at most, by Dijkstra's method.
    pub limit: f64,
}

impl Default for PathOptions<'_> {
    fn default() -> Self {
        let (method, limit) = (PathMethod::default(), f64::INFINITY);
        PathOptions { method, indices: None, undirected: false, unweighted: false, min_only: false, limit }
    }
}

impl PathOptions<'_> {
    fn flags(&self) -> i32 {
        (i32::from(self.undirected) * arr_sys::ARR_CSGRAPH_UNDIRECTED)
            | (i32::from(self.unweighted) * arr_sys::ARR_CSGRAPH_UNWEIGHTED)
            | (i32::from(self.min_only) * arr_sys::ARR_CSGRAPH_MIN_ONLY)
    }
}

/// The shortest paths from sources, a row each, or with `min_only` from the nearest one.
#[derive(Debug)]
#[non_exhaustive]
pub struct ShortestPaths {
    /// Infinite where there is no path.
    pub distances: Array<f64>,
    /// The vertex before each on its path; -9999 where there is none.
    pub predecessors: Array<i32>,
    /// The nearest source of each vertex with `min_only`, else -9999.
    pub sources: Array<i32>,
}

/// Options of [`SparseMatrix::laplacian`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaplacianOptions {
    /// Scaled by the roots of the degrees.
    pub normed: bool,
    /// Degrees are sums of rows, not of columns.
    pub out_degree: bool,
    /// That of a + a^H.
    pub symmetrized: bool,
}

/// Options of [`SparseMatrix::pagerank`], with networkx's defaults. Arrays have a number for each vertex.
#[derive(Clone, Copy, Debug)]
pub struct PageRankOptions<'a> {
    /// The probability to follow an edge.
    pub alpha: f64,
    /// The share of each vertex where no edge is followed. None: equal ones.
    pub personalization: Option<&'a DynArray>,
    /// The ranks to begin with. None: equal ones.
    pub nstart: Option<&'a DynArray>,
    /// The share of each vertex after one without edges. None: `personalization`.
    pub dangling: Option<&'a DynArray>,
    /// The largest number of iterations.
    pub max_iter: i64,
    /// Ranks whose changes add up to less than n times this are the result.
    pub tol: f64,
}

impl Default for PageRankOptions<'_> {
    fn default() -> Self {
        let (personalization, nstart, dangling) = (None, None, None);
        PageRankOptions { alpha: 0.85, personalization, nstart, dangling, max_iter: 100, tol: 1e-6 }
    }
}

fn handle(a: Option<&DynArray>) -> arr_array {
    a.map_or(arr_array::NULL, DynArray::as_raw)
}

/// Graphs.
impl<T: Element> SparseMatrix<T> {
    /// Finds the connected components: their number, and that of each vertex.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 1, 0], [0, 0, 0], [0, 0, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.connected_components(Connection::Weak)?, (2, array![0, 0, 1]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_connected_components)]
    #[track_caller]
    pub fn connected_components(&self, connection: Connection) -> Result<(usize, Array<i32>)> {
        let (mut count, mut out) = (0, arr_array::NULL);
        call!(arr_csgraph_connected_components(self.as_raw(), connection as i32, current(), &mut count, &mut out));
        Ok((count as usize, Array::own(out)))
    }

    /// Returns the vertices that can be reached from one, nearer ones first, and the vertex from which each was reached.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 0, 1], [0, 0, 0], [0, 1, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.breadth_first_order(0, true)?, (array![0, 2, 1], array![-9999, 2, 0]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_breadth_first_order)]
    #[track_caller]
    pub fn breadth_first_order(&self, start: i64, directed: bool) -> Result<(Array<i32>, Array<i32>)> {
        let (mut order, mut before) = (arr_array::NULL, arr_array::NULL);
        call!(arr_csgraph_breadth_first_order(self.as_raw(), start, directed, current(), &mut order, &mut before));
        Ok((Array::own(order), Array::own(before)))
    }

    /// Returns the vertices that can be reached from one, each followed by those that are first reached from it, and the
    /// vertex from which each was reached.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 0, 1], [0, 0, 0], [0, 1, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.depth_first_order(0, true)?, (array![0, 2, 1], array![-9999, 2, 0]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_depth_first_order)]
    #[track_caller]
    pub fn depth_first_order(&self, start: i64, directed: bool) -> Result<(Array<i32>, Array<i32>)> {
        let (mut order, mut before) = (arr_array::NULL, arr_array::NULL);
        call!(arr_csgraph_depth_first_order(self.as_raw(), start, directed, current(), &mut order, &mut before));
        Ok((Array::own(order), Array::own(before)))
    }

    /// Computes the Laplacian matrix: degrees on the diagonal, minus the weights elsewhere; and the degrees, or their roots if
    /// it is normed. `U` is the type of the result: that of the matrix, `i64` for bool and unsigned integers, if normed
    /// that of a quotient.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 2], [2, 0]], SparseFormat::Csr)?;
    /// let (l, degrees) = a.laplacian::<i32>(LaplacianOptions::default())?;
    /// assert_eq!((l.to_dense(Order::C)?, degrees), (array![[2, -2], [-2, 2]], array![2, 2]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_laplacian)]
    #[track_caller]
    pub fn laplacian<U: Element>(&self, options: LaplacianOptions) -> Result<(SparseMatrix<U>, Array<U>)> {
        let flags = (i32::from(options.normed) * arr_sys::ARR_LAPLACIAN_NORMED)
            | (i32::from(options.out_degree) * arr_sys::ARR_LAPLACIAN_OUT_DEGREE)
            | (i32::from(options.symmetrized) * arr_sys::ARR_LAPLACIAN_SYMMETRIZED);
        let (mut out, mut diagonal) = (arr_sparse::NULL, arr_array::NULL);
        call!(arr_csgraph_laplacian(self.as_raw(), flags, current(), &mut out, &mut diagonal));
        let (matrix, diagonal) = (SparseMatrix::alone(out), DynArray::own(diagonal));
        Ok((matrix?, diagonal.typed()?))
    }

    /// Returns an order of rows and columns in which the elements are near the diagonal; `symmetric_mode`: the pattern is
    /// symmetric.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((1, 1), 0, Device::HOST)?.reverse_cuthill_mckee(true)?, array![0]);")]
    #[doc = errors!(arr_csgraph_reverse_cuthill_mckee)]
    #[track_caller]
    pub fn reverse_cuthill_mckee(&self, symmetric_mode: bool) -> Result<Array<i32>> {
        let mut out = arr_array::NULL;
        call!(arr_csgraph_reverse_cuthill_mckee(self.as_raw(), symmetric_mode, current(), &mut out));
        Ok(Array::own(out))
    }
}

/// Graphs with real weights.
impl<T: Ordered> SparseMatrix<T> {
    /// Finds the shortest paths from vertices to all others.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 5, 1], [0, 0, 0], [0, 2, 0]], SparseFormat::Csr)?;
    /// let paths = a.shortest_path(PathOptions { indices: Some(&array![0]), ..Default::default() })?;
    /// assert_eq!(paths.distances, array![[0.0, 3.0, 1.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_shortest_path)]
    #[doc(alias = "dijkstra")]
    #[track_caller]
    pub fn shortest_path(&self, options: PathOptions) -> Result<ShortestPaths> {
        let (a, method, sources, flags) =
            (self.as_raw(), options.method as i32, handle(options.indices), options.flags());
        let (mut far, mut before, mut from) = (arr_array::NULL, arr_array::NULL, arr_array::NULL);
        let (limit, stream) = (options.limit, current());
        call!(arr_csgraph_shortest_path(a, method, sources, flags, limit, stream, &mut far, &mut before, &mut from));
        let [predecessors, sources] = [before, from].map(Array::own);
        Ok(ShortestPaths { distances: Array::own(far), predecessors, sources })
    }

    /// Finds a spanning tree of least weight of each component; edges have no direction.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 5, 1], [0, 0, 2], [0, 0, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.minimum_spanning_tree()?.data()?, array![1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_minimum_spanning_tree)]
    #[track_caller]
    pub fn minimum_spanning_tree(&self) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_csgraph_minimum_spanning_tree(self.as_raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Computes PageRank by iterations.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 1], [1, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.pagerank(PageRankOptions::default())?, array![0.5, 0.5]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_csgraph_pagerank)]
    #[track_caller]
    pub fn pagerank(&self, options: PageRankOptions) -> Result<Array<T::Solution>> {
        let PageRankOptions { alpha, personalization, nstart, dangling, max_iter, tol } = options;
        let [shares, start, after] = [personalization, nstart, dangling].map(handle);
        let (a, stream, mut out) = (self.as_raw(), current(), arr_array::NULL);
        call!(arr_csgraph_pagerank(a, alpha, shares, start, after, max_iter, tol, stream, &mut out));
        DynArray::own(out).typed()
    }
}
