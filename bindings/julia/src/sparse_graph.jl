# SPDX-License-Identifier: MIT
# sparse_graph.jl: graphs as sparse matrices: an element (i, j) is an edge from vertex i to vertex j, and is its weight.

# Vertices as the library counts them, from 0 and negative for none, as Julia does: from 1 and 0 for none.
vertices(h::LibArr.arr_array) = (v = adopt(h); packed(max.(v .+ Int32(1), Int32(0))))
graph_pair(f) = (first = Ref(LibArr.arr_array()); second = Ref(LibArr.arr_array()); f(first, second); (first[], second[]))

"""
    Arr.connected_components(A; connection = :weak)

Returns the number of connected components of a graph and the component of each vertex, from 1 in the order of their first
vertices. `:strong`: vertices of which each reaches each other one.
"""
function connected_components(A::SparseMatrix; connection::Symbol = :weak)
    how = chosen("connection", (weak = LibArr.ARR_CSGRAPH_WEAK, strong = LibArr.ARR_CSGRAPH_STRONG), connection)
    count, out = Ref(Int64(0)), Ref(LibArr.arr_array())
    @check LibArr.arr_csgraph_connected_components(A, how, stream(), count, out)
    Int(count[]), vertices(out[])
end

"""
    Arr.breadth_first_order(A, start; directed = true)
    Arr.depth_first_order(A, start; directed = true)

Returns the vertices that can be reached from one, nearer ones first, or each followed by those that are first reached from it;
and for each vertex the one from which it was reached, 0 for none.
"""
function breadth_first_order(A::SparseMatrix, start::Integer; directed::Bool = true)
    order, before = graph_pair((x, y) -> @check LibArr.arr_csgraph_breadth_first_order(A, Int64(start) - 1, directed, stream(), x, y))
    vertices(order), vertices(before)
end
function depth_first_order(A::SparseMatrix, start::Integer; directed::Bool = true)
    order, before = graph_pair((x, y) -> @check LibArr.arr_csgraph_depth_first_order(A, Int64(start) - 1, directed, stream(), x, y))
    vertices(order), vertices(before)
end
@doc (@doc breadth_first_order) depth_first_order

const path_methods = (auto = LibArr.ARR_CSGRAPH_AUTO, dijkstra = LibArr.ARR_CSGRAPH_DIJKSTRA, bellman_ford = LibArr.ARR_CSGRAPH_BELLMAN_FORD,
                      johnson = LibArr.ARR_CSGRAPH_JOHNSON, floyd_warshall = LibArr.ARR_CSGRAPH_FLOYD_WARSHALL)

"""
    Arr.shortest_path(A[, sources]; method = :auto, directed = true, unweighted = false, min_only = false, limit = Inf)

Finds the shortest paths from the sources, by default all vertices, to all others. Returns `(distances, predecessors, sources)`:
distances and predecessors have a row for each source; `Inf` and 0 stand for no path. With `min_only` both are vectors of the
paths from the nearest source, and `sources` has that source; otherwise it is 0. Methods are `:auto`, `:dijkstra`,
`:bellman_ford`, `:johnson` and `:floyd_warshall`.
"""
function shortest_path(A::SparseMatrix, sources = nothing; method::Symbol = :auto, directed::Bool = true, unweighted::Bool = false,
                       min_only::Bool = false, limit::Real = Inf)
    how = chosen("method", path_methods, method)
    flags = (directed ? Int32(0) : LibArr.ARR_CSGRAPH_UNDIRECTED) | (unweighted ? LibArr.ARR_CSGRAPH_UNWEIGHTED : Int32(0)) |
            (min_only ? LibArr.ARR_CSGRAPH_MIN_ONLY : Int32(0))
    from = sources === nothing ? nothing : shifted(sources isa Integer ? [sources] : sources, true, device(A))
    outs = [Ref(LibArr.arr_array()) for _ in 1:3]
    @check LibArr.arr_csgraph_shortest_path(A, how, coordinates(from), flags, Float64(limit), stream(), outs...)
    packed_handle(outs[1][]), vertices(outs[2][]), vertices(outs[3][])
end

"""
    Arr.minimum_spanning_tree(A)

Finds a spanning tree of least weight of each component, by Kruskal's algorithm; edges have no direction.
"""
minimum_spanning_tree(A::SparseMatrix) = sparse_made(out -> @check LibArr.arr_csgraph_minimum_spanning_tree(A, stream(), out))

"""
    Arr.laplacian(A; normed = false, out_degree = false, symmetrized = false)

Returns the Laplacian matrix of a graph and the degrees of its vertices, or with `normed` their roots.
"""
function laplacian(A::SparseMatrix; normed::Bool = false, out_degree::Bool = false, symmetrized::Bool = false)
    flags = (normed ? LibArr.ARR_LAPLACIAN_NORMED : Int32(0)) | (out_degree ? LibArr.ARR_LAPLACIAN_OUT_DEGREE : Int32(0)) |
            (symmetrized ? LibArr.ARR_LAPLACIAN_SYMMETRIZED : Int32(0))
    degrees = Ref(LibArr.arr_array())
    L = sparse_made(out -> @check LibArr.arr_csgraph_laplacian(A, flags, stream(), out, degrees))
    L, packed_handle(degrees[])
end

"""
    Arr.reverse_cuthill_mckee(A; symmetric_mode = false)

Returns an order of rows and columns in which the elements are near the diagonal.
"""
function reverse_cuthill_mckee(A::SparseMatrix; symmetric_mode::Bool = false)
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_csgraph_reverse_cuthill_mckee(A, symmetric_mode, stream(), out)
    vertices(out[])
end

"""
    Arr.pagerank(A; alpha = 0.85, personalization, nstart, dangling, max_iter = 100, tol = 1e-6)

Computes the PageRank of the vertices of a graph, whose sum is 1. `personalization`, `nstart` and `dangling` are vectors with a
number for each vertex; without them all are equal.
"""
function pagerank(A::SparseMatrix; alpha::Real = 0.85, personalization = nothing, nstart = nothing, dangling = nothing,
                  max_iter::Integer = 100, tol::Real = 1e-6)
    vectors = map(x -> coordinates(x === nothing ? x : on_device(x, device(A))), (personalization, nstart, dangling))
    made(out -> @check LibArr.arr_csgraph_pagerank(A, Float64(alpha), vectors..., Int64(max_iter), Float64(tol), stream(), out))
end
