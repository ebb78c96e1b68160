# SPDX-License-Identifier: MIT
# sparse_structure.jl: parts of sparse matrices, and matrices made of others, against dense ones.

using SparseArrays

const ROWS, COLUMNS = [3, 1, 2, 1, 3, 1, 4], [2, 1, 2, 4, 4, 1, 5]             # (1, 1) is there twice
values_of(T) = T === Bool ? fill(true, 7) : T[2, 1, 3, 4, 1, 2, 5]
made(T) = sparse(ROWS, COLUMNS, values_of(T), 4, 5)
same(A, S) = A isa Arr.SparseMatrix && eltype(A) === eltype(S) && size(A) == size(S) && Array(A) == Array(S)
in_format(T, format) = Arr.sparse(ROWS, COLUMNS, values_of(T), 4, 5; format = format)

@testset "parts of $T in $format" for T in (Bool, Int8, Float32, ComplexF64), format in (:coo, :csr, :csc)
    A, m = in_format(T, format), Array(made(T))
    mask = [true, false, true, true]
    for (I, J) in ((:, :), (2:3, :), (:, 2:4), (4:-1:1, 1:2:5), ([3, 1, 1], :), (:, [5, 2]), ([1, 4], [4, 4, 1]), (mask, 2:5), (:, [false, true, true, false, true]),
                   (mask, [2, 1]), (Int[], :), (2:1, 3), (1:1, 1:1), (Int8[2, 3], UInt16[1, 2]))
        (I isa Integer || J isa Integer) || @test same(A[I, J], m[I, J])
        device_ = map(i -> i isa Vector ? ArrArray(i) : i, (I, J))
        J isa Integer || @test same(A[device_...], m[I, J])
    end
    @test A[:, 4] isa ArrArray{T,1} && Array(A[:, 4]) == m[:, 4] && Array(A[3, :]) == m[3, :] && Array(A[2:4, 2]) == m[2:4, 2] && Array(A[1, [5, 1]]) == m[1, [5, 1]]
    at = [CartesianIndex(1, 1) CartesianIndex(2, 3); CartesianIndex(4, 5) CartesianIndex(3, 4)]
    @test Array(A[vec(at)]) == m[vec(at)] && Array(A[at]) == m[at]
    @test @allowscalar(A[3, 2]) === m[3, 2] && @allowscalar(A[UInt8(1), 1]) == m[1, 1] && @allowscalar(A[2, 5]) === zero(T)
    @test Array(A) == m && Arr.sparse_format(A) == format
end

@testset "other parts of $T in $format" for T in (Int8, Float64, ComplexF64), format in (:coo, :csr, :csc)
    A, m = in_format(T, format), Array(made(T))
    changed(I, J, x) = (c = copy(m); c[I, J] = x; c)
    filled(I, J, x) = (c = copy(m); view(c, I, J) .= x; c)
    for (I, J) in ((1:2, :), (:, [5, 2]), ([3, 1], [2, 4]), (4:-1:3, 2:3), (:, 2), (2, :), ([true, false, false, true], 1:2:5), (3, 4))
        @test same(Base.setindex(A, 7, I, J), filled(I, J, 7)) && same(Base.setindex(A, 0, I, J), filled(I, J, 0))
        n = length(view(m, I, J))
        x = reshape(T.(1:n), size(view(m, I, J)))
        if x isa AbstractArray && ndims(x) > 0
            @test same(Base.setindex(A, ArrArray(x), I, J), changed(I, J, x)) && same(Base.setindex(A, x, I, J), changed(I, J, x))
        end
        ndims(x) == 2 && @test same(Base.setindex(A, Arr.sparse(x), I, J), changed(I, J, x))
    end
    @test Array(A) == m
end

@testset "indices out of range" begin
    A = Arr.sparse(made(Float64))
    for (I, J) in ((5, :), (:, 0:2), ([1, 5], :), (:, [0]), ([true, false], :), (ArrArray([true, false]), :))
        @test_throws BoundsError A[I, J]
        @test_throws BoundsError Base.setindex(A, 1.0, I, J)
    end
    @test_throws BoundsError A[[CartesianIndex(1, 6)]]
    @test occursin("Base.setindex(A, x, I, J)", thrown(() -> A[1, 1] = 3, ArgumentError))
    @test_throws DimensionMismatch Base.setindex(A, [1.0, 2.0], 1:3, 1)
    @test occursin("getindex: argument indices: index 6 along dimension 1 of extent 4, expected 1 to 4", thrown(() -> A[ArrArray([1, 6]), :], ArgumentError))
    @test occursin("getindex: argument indices: index 0 along dimension 2 of extent 5, expected 1 to 5", thrown(() -> A[:, ArrArray([1, 0])], ArgumentError))
    @test occursin("setindex: argument rows: index 9 along dimension 1", thrown(() -> Base.setindex(A, 1.0, ArrArray([9]), :), ArgumentError))
    @test_throws BoundsError @allowscalar(A[4, 6])
    @test occursin("allowscalar", thrown(() -> A[1, 1], Arr.ScalarIndexingError)) && works()
end

@testset "joined $T in $format" for T in (Int8, Float64, ComplexF64), format in (:coo, :csr, :csc)
    A, m = in_format(T, format), Array(made(T))
    B, b = Arr.sparse(sparse([1, 2, 4], [1, 3, 2], T[1, 2, 3], 4, 3)), Array(sparse([1, 2, 4], [1, 3, 2], T[1, 2, 3], 4, 3))
    @test same([A B], [m b]) && same(hcat(A, B, A), [m b m]) && same([A; A], [m; m]) && same(vcat(A), m) && same([A B; B A], [m b; b m]) && same([A B; B B[:, 1:2] A[:, 2:4]], [m b; b b[:, 1:2] m[:, 2:4]])
    @test same(blockdiag(A, B), [m zeros(T, 4, 3); zeros(T, 4, 5) b]) && same(kron(A, B), kron(m, b))
    P, Q, p, q = A[:, 1:4], A[1:3, 1:3], m[:, 1:4], m[1:3, 1:3]
    @test same(Arr.kronsum(P, Q), kron(Matrix{T}(I, 3, 3), p) + kron(q, Matrix{T}(I, 4, 4)))
    @test same(P^3, p^3) && same(P^0, p^0) && tr(P) == tr(p)
    for k in -4:5
        @test same(tril(A, k), tril(m, k)) && same(triu(A, k), triu(m, k))
        -4 < k < 5 && @test Array(diag(A, k)) == diag(m, k) && diag(A, k) isa ArrArray{T,1}
    end
    d = copy(m)
    d[diagind(m, 1)] .= T[7, 0, 8, 9]
    @test same(Arr.with_diagonal(A, T[7, 0, 8, 9], 1), d) && same(Arr.with_diagonal(A, 0), m - diagm(4, 5, diag(m)))
    @test same(reshape(A, 2, 10), reshape(m, 2, 10)) && same(reshape(A, :, 4), reshape(m, :, 4)) && Arr.sparse_format(reshape(A, 5, 4)) == format
end

@testset "joining what does not fit" begin
    A, B = Arr.sparse(made(Float64)), Arr.sparse(made(Float32))
    @test same([A; B], [Array(A); Array(B)]) && same(kron(B, Arr.sparse(made(Int))), kron(Array(B), Array(made(Int))))
    for join in (() -> [A A'], () -> [A; A'])
        @test occursin("cat: argument parts", thrown(join, DimensionMismatch))
    end
    @test_throws DimensionMismatch reshape(A, 3, 3)
    @test_throws DimensionMismatch tr(A)
    @test_throws DimensionMismatch Arr.kronsum(A, A)
    @test_throws DimensionMismatch A^2
end

@testset "files of $format" for format in (:coo, :csr, :csc)
    A = in_format(Float64, format)
    mktempdir() do folder
        for compressed in (true, false)
            file = joinpath(folder, "a.npz")
            Arr.save_npz(file, A; compressed = compressed)
            B = Arr.load_npz(file)
            @test same(B, Array(made(Float64))) && Arr.sparse_format(B) == format
        end
        @test_throws Arr.IoError Arr.load_npz(joinpath(folder, "none.npz"))
    end
end

@testset "MatrixMarket files" begin
    A = Arr.sparse(made(Float64))
    S = A * A'
    mktempdir() do folder
        file = joinpath(folder, "a.mtx")
        Arr.save_mtx(file, A; comment = "made\nby a test")
        @test same(Arr.load_mtx(file), Array(A)) && readlines(file)[2:3] == ["%made", "%by a test"]
        Arr.save_mtx(file, S; symmetry = :symmetric)
        @test same(Arr.load_mtx(file), Array(S)) && endswith(readline(file), "symmetric")
        @test_throws ArgumentError Arr.save_mtx(file, A; symmetry = :odd)
        @test_throws DimensionMismatch Arr.save_mtx(file, A; symmetry = :hermitian)
    end
end

@testset "random matrices, norms" begin
    A = Arr.sprand(Arr.Generator(3), 40, 30, 0.25; format = :csr)
    @test nnz(A) == 300 && size(A) == (40, 30) && eltype(A) == Float64 && Arr.sparse_format(A) == :csr && Arr.iscanonical(A)
    @test same(Arr.sprand(Arr.Generator(3), 40, 30, 0.25; format = :csr), Array(A)) && nnz(Arr.sprand(Float32, 10, 10, 0.1)) == 10
    m = Array(A)
    for p in (1, 2, 3.5, Inf, -Inf, 0)
        @test norm(A, p) ≈ norm(m, p)
    end
    @test opnorm(A, 1) ≈ opnorm(m, 1) && opnorm(A, Inf) ≈ opnorm(m, Inf)
    @test_throws Arr.UnsupportedError opnorm(A)
    @test_throws ArgumentError Arr.sprand(3, 3, 0.1; format = :dense)
end
