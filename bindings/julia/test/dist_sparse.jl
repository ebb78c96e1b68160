# SPDX-License-Identifier: MIT
# dist_sparse.jl: sparse matrices over ranks, here one: these calls wait in C.

using SparseArrays

@testset "one rank" begin
    c, n = Arr.local_comms(1, HOST)[1], 6
    S = spdiagm(0 => fill(4.0, n), 1 => fill(-1.0, n - 1), -1 => fill(-1.0, n - 1))
    S[1, 2] = 2.0
    A = Arr.DistSparse(c, Arr.sparse(S; device = HOST); counts = [n])
    x = collect(1.0:n)
    X = ArrArray(x; device = HOST)
    @test size(A) == (n, n) && size(A, 1) == n && eltype(A) == Float64
    @test Array(A * X) == S * x
    @test Array(A' * X) == S' * x && Array(transpose(A) * X) == transpose(S) * x
    @test Array(mul!(similar(X), A, X)) == S * x
    @test Array(A * ArrArray([x 2x]; device = HOST)) == S * [x 2x]
    info = Arr.dist_sparse_info(A)
    @test info.whole == (n, n) && info.whole_nnz == info.nnz == nnz(S) && info.received == info.sent == 0
    @test Array(Arr.dist_sparse_block(A)) == Array(S)
    y = Arr.gmres(Arr.LinearOperator(A), X; reltol = 1e-12)
    @test S * Array(y) ≈ x
    over = Arr.linop_over(Arr.LinearOperator(Arr.dist_sparse_block(A)), c)
    @test Array(over * X) == S * x
    @test_throws ArgumentError Arr.DistSparse(c, Arr.sparse(S; device = HOST); counts = [n, 0])
    finalize(A)
end
