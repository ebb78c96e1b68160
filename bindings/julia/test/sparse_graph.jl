# SPDX-License-Identifier: MIT
# sparse_graph.jl: graphs as sparse matrices, against what the definitions say.

using LinearAlgebra, SparseArrays

# 1 -> 2 -> 3 -> 1 and 4 -> 5; 6 alone.
const EDGES = sparse([1, 2, 3, 4], [2, 3, 1, 5], [2.0, 3.0, 4.0, 1.0], 6, 6)
graph(format) = Arr.sparse(EDGES; format = format)

@testset "graphs in $format" for format in (:coo, :csr, :csc)
    A = graph(format)
    n, labels = Arr.connected_components(A)
    @test n == 3 && Array(labels) == Int32[1, 1, 1, 2, 2, 3]
    n, labels = Arr.connected_components(A; connection = :strong)
    @test n == 4 && length(unique(Array(labels)[1:3])) == 1 && length(unique(Array(labels))) == 4
    order, before = Arr.breadth_first_order(A, 2)
    @test Array(order) == Int32[2, 3, 1] && Array(before) == Int32[3, 0, 2, 0, 0, 0]
    order, before = Arr.depth_first_order(A, 5; directed = false)
    @test Array(order) == Int32[5, 4] && Array(before) == Int32[0, 0, 0, 5, 0, 0]
    d, p, s = Arr.shortest_path(A)
    @test size(d) == (6, 6) && d isa ArrArray{Float64,2} && Array(d)[1, 1:4] == [0, 2, 5, Inf] && Array(p)[1, 1:4] == [0, 1, 2, 0]
    d, p, s = Arr.shortest_path(A, [4, 2]; unweighted = true)
    @test Array(d) == [Inf Inf Inf 0 1 Inf; 2 0 1 Inf Inf Inf] && all(iszero, Array(s))
    for method in (:auto, :dijkstra, :bellman_ford, :johnson)
        @test Array(Arr.shortest_path(A, 1; method = method)[1]) == [0 2 5 Inf Inf Inf]
    end
    d, p, s = Arr.shortest_path(A, [4, 2]; min_only = true, directed = false)
    @test Array(d) == [2, 0, 3, 0, 1, Inf] && Array(s) == Int32[2, 2, 2, 4, 4, 0]
    T = Arr.minimum_spanning_tree(A)
    @test nnz(T) == 3 && sum(T) == 6
    L, degrees = Arr.laplacian(A; symmetrized = true)
    m = Array(EDGES + EDGES')
    @test Array(degrees) == vec(sum(m; dims = 1)) && Array(L) == Diagonal(vec(sum(m; dims = 1))) - m
    @test sort(Array(Arr.reverse_cuthill_mckee(A))) == 1:6
    r = Array(Arr.pagerank(A; tol = 1e-12))
    @test sum(r) ≈ 1 && r[1] ≈ r[2] ≈ r[3] && r[5] > r[4]
    @test argmax(Array(Arr.pagerank(A; personalization = [0.0, 0, 0, 0, 0, 1]))) == 6
end

@testset "misuse of graphs" begin
    A = graph(:csr)
    @test_throws ArgumentError Arr.connected_components(A; connection = :odd)
    @test_throws ArgumentError Arr.shortest_path(A; method = :odd)
    @test_throws ArgumentError Arr.breadth_first_order(A, 7)
    @test_throws DimensionMismatch Arr.laplacian(Arr.sparse(EDGES[:, 1:3]))
end

@testset "semirings in $format" for format in (:coo, :csr, :csc)
    A, m = graph(format), Array(EDGES)
    weight(i, j) = m[i, j] == 0 ? Inf : m[i, j]
    d = [0.0, 1, 4, 2, 3, 9]
    @test Array(Arr.semiring_product(min, +, A, ArrArray(d))) == [minimum(weight(i, j) + d[j] for j in 1:6) for i in 1:6]
    @test Array(Arr.semiring_product(+, *, A, ArrArray([d d]))) == m * [d d]
    e = Arr.expression("maximum(y + b, 0)", "y", "b")
    @test Array(Arr.product(e, A, ArrArray(d), ArrArray(-d))) == max.(m * d - d, 0) && Array(Arr.product(e, A, ArrArray([d 2d]), ArrArray(-d))) == max.(m * [d 2d] .- d, 0)
    @test occursin("expected 1", thrown(() -> Arr.product(e, A, ArrArray(d)), ArgumentError))
    B = Arr.semiring_product(max, *, A, A)
    @test nnz(B) == 3 && Array(B)[1, 3] == 6
    @test nnz(Arr.semiring_product(max, *, A, A; mask = A)) == 0 && nnz(Arr.semiring_product(min, +, A, A; mask = B)) == 3
    @test Arr.semiring_product(max, *, A, A; mask = A, complement = true) == B && nnz(Arr.semiring_product(max, *, A, A; mask = B, complement = true)) == 0
    P = Arr.semiring_product(|, &, map(!iszero, A), map(!iszero, A))
    @test eltype(P) == Bool && nnz(P) == 3
    X = ArrArray(reshape(collect(1.0:18), 6, 3))
    @test Array(Arr.sampled_product(A, X, permutedims(X))) ≈ (Array(X) * Array(X)') .* (m .!= 0)
    @test_throws ArgumentError Arr.semiring_product(min, hcat, A, A)
end
