/* SPDX-License-Identifier: MIT */
/* csgraph.h - graphs as sparse matrices: components, orders, paths, spanning trees, ranks. */
#ifndef ARR_CSGRAPH_H
#define ARR_CSGRAPH_H
#include "arr/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stored element (i, j) of a square matrix is an edge from vertex i to vertex j, and the element is its weight;
 * stored zeros are edges of weight 0. The functions are those of scipy.sparse.csgraph, and the rank is networkx's.
 * Vertices are int32, and -9999 stands for no vertex. On CUDA there are weak components, breadth-first orders, shortest
 * paths, Laplacians and ranks; the other functions are ARR_E_UNSUPPORTED there. */

#define ARR_CSGRAPH_WEAK 0   /* vertices that edges connect in any direction */
#define ARR_CSGRAPH_STRONG 1 /* vertices of which each reaches each other one */

/** Finds the connected components of a graph. Components are counted in the order of their first vertices. The strong
 *  ones are found by Tarjan's algorithm.
 *  @param a  [n, n] matrix
 *  @param connection  ARR_CSGRAPH_WEAK or ARR_CSGRAPH_STRONG
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] count  the number of components
 *  @param[out] out  one new reference: [n] int32, the component of each vertex
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_csgraph_connected_components(arr_sparse a, int32_t connection, arr_stream stream,
                                                    int64_t *count, arr_array *out);

/** Returns the vertices that can be reached from one, nearer ones first. On CUDA the host waits for the number of
 *  vertices of each distance.
 *  @param a  [n, n] matrix
 *  @param start  the first vertex
 *  @param directed  false: edges can be used in both directions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_order  one new reference: int32, the vertices in order
 *  @param[out] out_predecessors  one new reference: [n] int32, the vertex from which each was reached
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_csgraph_breadth_first_order(arr_sparse a, int64_t start, bool directed,
                                                   arr_stream stream, arr_array *out_order,
                                                   arr_array *out_predecessors);

/** Returns the vertices that can be reached from one, each followed by those that are first reached from it.
 *  @param a  [n, n] matrix
 *  @param start  the first vertex
 *  @param directed  false: edges can be used in both directions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_order  one new reference: int32, the vertices in order
 *  @param[out] out_predecessors  one new reference: [n] int32, the vertex from which each was reached
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_csgraph_depth_first_order(arr_sparse a, int64_t start, bool directed,
                                                 arr_stream stream, arr_array *out_order,
                                                 arr_array *out_predecessors);

#define ARR_CSGRAPH_AUTO 0           /* Dijkstra's, or with negative weights Johnson's */
#define ARR_CSGRAPH_DIJKSTRA 1       /* no negative weights */
#define ARR_CSGRAPH_BELLMAN_FORD 2   /* any weights */
#define ARR_CSGRAPH_JOHNSON 3        /* any weights, many sources */
#define ARR_CSGRAPH_FLOYD_WARSHALL 4 /* any weights, from all vertices, for graphs with many edges */

#define ARR_CSGRAPH_UNDIRECTED 1 /* flag: edges can be used in both directions */
#define ARR_CSGRAPH_UNWEIGHTED 2 /* flag: each edge has weight 1 */
#define ARR_CSGRAPH_MIN_ONLY 4   /* flag: paths from the nearest source only */

/** Finds the shortest paths from vertices to all others. On CUDA all methods are Bellman's algorithm: each round
 *  relaxes all edges, for all sources at a time, and the host waits for it; a negative cycle that no source reaches is
 *  not found.
 *  @param a  [n, n] matrix of real weights
 *  @param method  ARR_CSGRAPH_AUTO, ARR_CSGRAPH_DIJKSTRA, ...
 *  @param[in,null] indices  [k] integers, the sources; NULL selects all vertices
 *  @param flags  ARR_CSGRAPH_UNDIRECTED, ..., combined with |, or 0
 *  @param limit  the length that paths have at most, inf for any; other methods than Dijkstra's ignore it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_distances  one new reference: [k, n] float64, inf where there is no path; [n] with
 *      ARR_CSGRAPH_MIN_ONLY
 *  @param[out] out_predecessors  one new reference: int32 of the same shape, the vertex before each on its path
 *  @param[out] out_sources  one new reference: [n] int32, the nearest source with ARR_CSGRAPH_MIN_ONLY, otherwise
 *      -9999
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE;
 *      ARR_E_ARGUMENT also if weights are negative that must not be, or add up to less than 0 on a cycle
 *  @sync waits */
ARR_API arr_status arr_csgraph_shortest_path(arr_sparse a, int32_t method, arr_array indices, int32_t flags,
                                             double limit, arr_stream stream, arr_array *out_distances,
                                             arr_array *out_predecessors, arr_array *out_sources);

/** Finds a spanning tree of least weight of each component, by Kruskal's algorithm. Edges have no direction; of
 *  equal ones the first is taken. Edges of weight 0 are not stored in the result.
 *  @param a  [n, n] matrix of real weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: the edges of the trees, in ARR_SPARSE_CSR
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_csgraph_minimum_spanning_tree(arr_sparse a, arr_stream stream, arr_sparse *out);

#define ARR_LAPLACIAN_NORMED 1      /* flag: scaled by the roots of the degrees */
#define ARR_LAPLACIAN_OUT_DEGREE 2  /* flag: degrees are sums of rows, not of columns */
#define ARR_LAPLACIAN_SYMMETRIZED 4 /* flag: of a + a' */

/** Computes the Laplacian matrix of a graph: degrees on the diagonal, minus the weights of other edges elsewhere.
 *  @param a  [n, n] matrix
 *  @param flags  ARR_LAPLACIAN_..., combined with |, or 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: in ARR_SPARSE_CSR
 *  @param[out] out_diag  one new reference: [n], the degrees, or with ARR_LAPLACIAN_NORMED their roots, 1 for 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_csgraph_laplacian(arr_sparse a, int32_t flags, arr_stream stream, arr_sparse *out,
                                         arr_array *out_diag);

/** Returns an order of rows and columns in which the elements are near the diagonal.
 *  @param a  [n, n] matrix
 *  @param symmetric_mode  true: the pattern is symmetric; false: that of a + a' is used
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: [n] int32, the rows in order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_csgraph_reverse_cuthill_mckee(arr_sparse a, bool symmetric_mode, arr_stream stream,
                                                     arr_array *out);

/** Computes PageRank (L. Page and others, 1999) by iterations, in float64, or float32 for such weights.
 *  @param a  [n, n] matrix of real weights, no row of which has the sum 0 unless it has no edges
 *  @param alpha  the probability to follow an edge; networkx has 0.85
 *  @param[in,null] personalization  [n] the share of each vertex where no edge is followed; NULL: equal ones
 *  @param[in,null] nstart  [n] the ranks to begin with; NULL: equal ones
 *  @param[in,null] dangling  [n] the share of each vertex after one without edges; NULL: personalization
 *  @param max_iter  the number of iterations at most; networkx has 100
 *  @param tol  ranks whose changes add up to less than n times tol are the result; networkx has 1e-6
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: [n] ranks, whose sum is 1
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE; ARR_E_LINALG if
 *      ranks still change after max_iter iterations
 *  @sync waits in each iteration */
ARR_API arr_status arr_csgraph_pagerank(arr_sparse a, double alpha, arr_array personalization,
                                        arr_array nstart, arr_array dangling, int64_t max_iter, double tol,
                                        arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
