# SPDX-License-Identifier: MIT
# sparse.jl: sparse matrices against Julia's, and against dense ones.

using SparseArrays

const I1, J1 = [3, 1, 2, 1, 3, 1], [2, 1, 2, 4, 4, 1]             # (1, 1) is there twice
values_of(T) = T === Bool ? fill(true, 6) : T[2, 1, 3, 4, 1, 2]
made(T) = sparse(I1, J1, values_of(T), 3, 5)
same(A, S) = A isa Arr.SparseMatrix && eltype(A) === eltype(S) && size(A) == size(S) && Array(A) == Array(S)
same_values(a, x) = eltype(a) === eltype(x) && Array(a) == x
close(a, x) = eltype(a) === eltype(x) && size(a) == size(x) && Array(a) ≈ Array(x)

@testset "conversion of $T" for T in (Bool, Int8, UInt16, Int64, Float16, Float32, Float64, ComplexF32, ComplexF64)
    S = made(T)
    A = Arr.sparse(S)
    @test same(A, S) && SparseMatrixCSC(A) == S && SparseMatrixCSC(A) isa SparseMatrixCSC{T,Int} && issparse(A)
    @test nnz(A) == nnz(S) && Array(nonzeros(A)) == nonzeros(S) && map(Array, findnz(A)) == findnz(S) && Arr.iscanonical(A)
    for format in (:coo, :csr, :csc)
        B = Arr.sparse(I1, J1, values_of(T), 3, 5; format = format)
        @test same(B, S) && Arr.sparse_format(B) == format && map(Array, findnz(B)) == findnz(S)
        @test nnz(B) == (format == :coo ? 6 : 5) && Arr.iscanonical(B) == (format != :coo) && nnz(Arr.sum_duplicates(B)) == 5
        @test same(copy(B), S) && same(Arr.sparse(ArrArray(Array(S)); format = format), S) && same(permutedims(B), permutedims(S))
        parts = map(Array, Arr.sparse_parts(B))
        format == :coo || @test same(Arr.SparseMatrix(3, 5, parts...; format = format), S)
        format == :csc && @test parts == (S.colptr, S.rowval, S.nzval)
    end
    @test ArrArray(A) isa ArrArray{T,2} && Array(ArrArray(A)) == Array(S) == collect(A) == Matrix(A)
    @test same(sparse(ArrArray(Int8.(I1)), ArrArray(UInt16.(J1)), ArrArray(values_of(T)), 3, 5), S)
    @test same(Arr.SparseMatrix{T}(I, 2, 3), sparse(T(1) * I, 2, 3)) && Array(Arr.SparseMatrix(S)) == Array(S)
end
@testset "elements, types, sizes" begin
    S = made(Float64)
    A = Arr.sparse(S)
    @test Arr.SparseMatrix{Float32}(A) isa Arr.SparseMatrix{Float32} && SparseMatrixCSC{Float32,Int32}(A) isa SparseMatrixCSC{Float32,Int32}
    @test SparseMatrixCSC{Float64}(A) == S && Arr.SparseMatrix{Float64}(S) == A && A != 2A && A != transpose(A)
    @test [@allowscalar(A[i, j]) for i in 1:3, j in 1:5] == Array(S)
    @test occursin("allowscalar", thrown(() -> A[1, 1], Arr.ScalarIndexingError)) && @allowscalar(thrown(() -> A[4, 1], BoundsError)) isa String
    @test same(Arr.sparse(Int[], Int[], Float64[]), sparse(Int[], Int[], Float64[])) && same(Arr.sparse(I1, J1, values_of(Int)), sparse(I1, J1, values_of(Int)))
    @test same(Arr.sparse([1.0 0; 0 2]), sparse([1.0 0; 0 2])) && same(Arr.sparse(transpose(S)), sparse(transpose(S)))
    @test sprint(show, A) == sprint(show, MIME"text/plain"(), A) == "3×5 Arr.SparseMatrix{Float64} (csc) with 5 stored elements on host"
    @test same(2.0Arr.SparseMatrix(I, 2, 2), 2.0sparse(I, 2, 2)) && same(Arr.SparseMatrix(3.5I, 2), sparse(3.5I, 2, 2))
    d = (-1 => [1.0, 2], 0 => [3.0, 4, 5], 2 => [6.0])
    @test same(Arr.spdiagm(d...), spdiagm(d...)) && same(spdiagm((k => ArrArray(v) for (k, v) in d)...), spdiagm(d...))
    @test Array(Arr.spdiagm(2, 4, 1 => [7])) == [0 7 0 0; 0 0 7 0] && same(spdiagm(3, 3, 0 => ArrArray([1, 2, 3])), spdiagm(0 => [1, 2, 3]))
    B = Arr.wrap(S)
    S.nzval[1] = 50
    @test @allowscalar(B[1, 1]) == 50 && @allowscalar(A[1, 1]) == 3
    nonzeros(B) .= 1
    @test S.nzval == ones(5)
    @test nnz(dropzeros(Arr.sparse([1, 2], [1, 2], [0.0, 1]))) == 1 && Arr.device(A) == HOST
    @test Array(similar(A) .= 1) == ones(3, 5)
end

@testset "products of $S and $T" for (S, T) in ((Float64, Float64), (Float32, Int64), (Int8, Bool), (ComplexF64, Float32), (Bool, Bool))
    M, m = made(S), Array(made(S))
    x, y = T[1, 0, 1, 1, 0], T[0, 1, 1]
    X, Y = T[1 0 1; 0 1 1; 1 1 0; 0 0 1; 1 0 1], T[1 0 1; 0 1 1]
    for format in (:coo, :csr, :csc)
        A = Arr.sparse(M; format = format)
        @test close(A * ArrArray(x), m * x) && close(A' * ArrArray(y), m' * y) && close(transpose(A) * ArrArray(y), transpose(m) * y)
        @test close(A * ArrArray(X), m * X) && close(ArrArray(Y) * A, Y * m) && close(A' * ArrArray(X[1:3, :]), m' * X[1:3, :])
        @test close(A * view(ArrArray(X), :, 3:-1:1), m * X[:, 3:-1:1])
        r = ArrArray(y)' * A
        @test r isa ArrRow && Array(r) ≈ y' * m
        B = Arr.sparse(sparse(X))
        @test A * B isa Arr.SparseMatrix && close(A * B, m * X) && close(A * A', m * m')
    end
end
@testset "mul!, diagonals, identities" begin
    M, x, X = made(Float64), collect(1.0:5), reshape(collect(1.0:10), 5, 2)
    A, m = Arr.sparse(M), Array(M)
    for (u, v) in ((x, zeros(3)), (X, zeros(3, 2)))
        y = ArrArray(fill!(v, NaN))
        @test mul!(y, A, ArrArray(u)) === y && Array(y) == m * u
        @test Array(mul!(y, A, ArrArray(u), 2, 3)) == 2(m * u) + 3(m * u) && Array(mul!(y, A, ArrArray(u), 2, 0)) == 2(m * u)
    end
    for (T, α, β) in ((Float32, 2, 3.5), (Int, 2, 3), (Int, 2, 0.5), (ComplexF64, 2im, 1))    # in the type of y, and in another one
        B, u, v = Arr.sparse(SparseMatrixCSC{T <: Complex ? Float64 : T}(M)), T[1, 2, 3, 4, 5], T[2, 4, 6]
        @test Array(mul!(ArrArray(v), B, ArrArray(u), α, β)) == α * (T.(m) * u) + β * v
    end
    Y = ArrArray(zeros(2, 5))
    @test Array(mul!(Y, ArrArray(X[1:3, :]'), A)) == X[1:3, :]' * m && Array(mul!(Y, ArrArray(X[1:3, :]'), A, 1, 1)) == 2X[1:3, :]' * m
    @test same(A * Diagonal(ArrArray(x)), m * Diagonal(x)) && same(Diagonal(ArrArray(x[1:3])) * A, Diagonal(x[1:3]) * m)
    S = A * A'
    @test same(S + I, Array(S) + I) && same(S - 2I, Array(S) - 2I) && same(I - S, I - Array(S)) && same(2I + S, Array(S) + 2I)
    @test norm(A) ≈ norm(m) && norm(A, 1) ≈ norm(m, 1) && norm(A, Inf) == norm(m, Inf) && norm(A, 0) == 5 && isapprox(A, 1A)
    @test occursin("argument x: 3 rows, expected the number of columns, 5", thrown(() -> A * ArrArray(x[1:3]), DimensionMismatch))
    @test occursin("*: argument b", thrown(() -> A * A, DimensionMismatch))
    @test occursin("mul!", thrown(() -> mul!(ArrArray(zeros(4)), A, ArrArray(x)), DimensionMismatch))
end

@testset "diagonals and blocks of $T" for T in (Int8, Float32, ComplexF64)
    S = sparse(I1, J1, values_of(T), 4, 6)
    A = Arr.sparse(S)
    offsets, data = Arr.dia_parts(A)
    @test Array(offsets) == [-1, 0, 1, 3] && size(data) == (6, 4) && all(@allowscalar(data[j, k]) == S[j - o, j] for j in 1:6, (k, o) in enumerate([-1, 0, 1, 3]) if 1 <= j - o <= 4)
    @test same(Arr.sparse_dia(4, 6, offsets, data), S) && same(Arr.sparse_dia(4, 6, Array(offsets), Array(data)), S)
    indptr, indices, blocks = Arr.bsr_parts(A, 2, 3)
    @test Array(indptr) == [1, 3, 5] && Array(indices) == [1, 2, 1, 2] && Array(blocks[:, :, 3]) == Array(S)[3:4, 1:3] && Array(blocks[:, :, 2]) == Array(S)[1:2, 4:6]
    @test same(Arr.sparse_bsr(4, 6, indptr, indices, blocks), S) && same(Arr.sparse_bsr(4, 6, Array(indptr), Int32.(Array(indices)), Array(blocks)), S)
    @test occursin("Arr.bsr_parts: ", thrown(() -> Arr.bsr_parts(A, 3, 3), DimensionMismatch))
    @test occursin("Arr.sparse_dia: argument offsets: a diagonal is there twice", thrown(() -> Arr.sparse_dia(4, 6, [0, 0], T[1 2; 3 4]), ArgumentError))
    @test occursin("argument indices: 3 at position 1, expected 1 to 2", thrown(() -> Arr.sparse_bsr(4, 6, [1, 2, 2], [3], reshape(T[1, 2, 3, 4, 5, 6], 2, 3, 1)), ArgumentError))
end
@testset "copies share indices" begin
    A = Arr.sparse(made(Float64))
    B = copy(A)
    nonzeros(B) .= 0
    @test same(A, made(Float64)) && nnz(B) == nnz(A) && iszero(sum(B))
end

@testset "element by element of $T" for T in (Int8, Int64, Float32, Float64, ComplexF64, Bool)
    M = sparse(I1, J1, T <: Complex ? values_of(T) .* T(1 - 2im) : values_of(T), 3, 5)
    N = sparse([1, 2, 3, 2], [1, 2, 3, 5], T[1, 1, 1, 1], 3, 5)
    m, n = Array(M), Array(N)
    for (A, B) in ((Arr.sparse(M), Arr.sparse(N)), (Arr.sparse(M; format = :coo), Arr.sparse(N; format = :csr)))
        @test same(A + B, m + n) && same(A - B, m - n) && same(A .* B, m .* n) && same(-A, -m) && same(conj(A), conj(m)) && same(A', m')
        @test same(2A, 2m) && same(A * 2, m * 2) && same(A / 2, m / 2) && same(2 \ A, 2 \ m) && same(1.5A, 1.5m) && same(A .^ 2, m .^ 2)
        @test same(abs.(A), abs.(m)) && same(A .* B .- 2 .* A, m .* n .- 2 .* m) && same(A .!= B, m .!= n)
        @test nnz(A - A) == 0 && A == A && A == copy(A)
        T <: Complex || @test same(max.(A, B), max.(m, n)) && same(A .> 1, m .> 1) && same(min.(0, A), min.(0, m)) && same(A .> 0.5, m .> 0.5)
        f = x -> x * x + x
        T === Bool || @test same(f.(A), f.(m)) && close(map(sin, A), sin.(m)) && close(sqrt.(abs.(A)), sqrt.(abs.(m)))
    end
end
@testset "rows and columns by vectors" begin
    M, u, v = made(Float64), [1.0, 2, 3], [1.0, 2, 0.5, 4, 5]
    A, a, b = Arr.sparse(M), ArrArray(u), ArrArray(v)
    m = Array(M)
    @test same(A .* a, m .* u) && same(a .* A, u .* m) && same(A ./ a, m ./ u) && same(A .* b', m .* v') && same(a .\ A, u .\ m)
    @test same(A .* (a .+ 1), m .* (u .+ 1)) && same((a .+ 1) .* A, m .* (u .+ 1)) && same(A .* ArrArray(2m), m .* 2m)
    @test same(Arr.sparse(made(Int)) .* a, Array(made(Int)) .* u)
    for (f, E) in ((() -> A .+ 1, Arr.UnsupportedError), (() -> cos.(A), Arr.UnsupportedError), (() -> A .== A, Arr.UnsupportedError),
                   (() -> 1 ./ A, Arr.UnsupportedError), (() -> (x -> x + 1).(A), Arr.UnsupportedError))
        text = thrown(f, E)
        @test occursin("broadcast: ", text) && occursin("would be dense; convert with ArrArray", text)
    end
    @test occursin("broadcast: argument x: shape (4,1) does not broadcast", thrown(() -> A .* ArrArray(ones(4)), DimensionMismatch))
end

@testset "reductions of $T" for T in (Bool, Int8, UInt16, Int64, Float32, Float64, ComplexF64)
    M = made(T)
    A, m = Arr.sparse(M), Array(M)
    for dims in (1, 2, (1, 2), (2,), 3)
        @test same_values(sum(A; dims = dims), sum(m; dims = dims)) && same_values(prod(A; dims = dims), prod(m; dims = dims))
        @test close(mean(A; dims = dims), mean(m; dims = dims))
        T <: Complex || @test same_values(maximum(A; dims = dims), maximum(m; dims = dims)) && same_values(minimum(A; dims = dims), minimum(m; dims = dims))
        T === Bool && @test same_values(any(A; dims = dims), any(m; dims = dims)) && same_values(count(A; dims = dims), count(m; dims = dims))
    end
    @test sum(A) === sum(m) && prod(A) === prod(m) && mean(A) ≈ mean(m)
    T <: Complex || @test maximum(A) === maximum(m) && minimum(A) === minimum(m)
    @test sum(abs, A) ≈ sum(abs, m) && sum(abs, Arr.sparse(I1, J1, values_of(T), 3, 5; format = :coo); dims = 1) isa ArrArray
    T <: Real && @test count(x -> x > 1, A) == count(x -> x > 1, m) && any(x -> x > 3, A) == any(x -> x > 3, m) && !all(!=(0), A)
end
@testset "indices of extrema of $T" for T in (Bool, Int8, Float32, Float64)
    M = T <: AbstractFloat ? made(T) .* T(-1) : made(T)
    A, m = Arr.sparse(M; format = :csr), Array(M)
    for f in (argmax, argmin)
        @test f(A) == f(m) && f(A; dims = 1) == f(m; dims = 1) && f(A; dims = 2) == f(m; dims = 2)
    end
    @test_throws ArgumentError argmax(A; dims = 3)
end
@testset "dimensions, nothing to reduce" begin
    A = Arr.sparse(made(Float64))
    @test_throws ArgumentError sum(A; dims = 0)
    @test occursin("mapreduce: argument a: max over", thrown(() -> maximum(Arr.sparse(Int[], Int[], Float64[], 0, 0)), DimensionMismatch))
    @test sum(Arr.sparse(Int[], Int[], Float64[], 0, 3)) === 0.0 && Array(sum(Arr.sparse(Int[], Int[], Float64[], 0, 3); dims = 1)) == zeros(1, 3)
end

@testset "misuse" begin
    V = ones(3)
    @test occursin("Arr.sparse: argument I: 5 at position 3, expected 1 to 4", thrown(() -> Arr.sparse([1, 2, 5], [1, 2, 3], V, 4, 4), ArgumentError))
    @test occursin("Arr.sparse: argument J: 0 at position 2, expected 1 to 4", thrown(() -> Arr.sparse([1, 2, 3], [1, 0, 3], V, 4, 4), ArgumentError))
    @test occursin("argument J: 0 at position 1, expected 1 to 4",
        thrown(() -> Arr.sparse(ArrArray([1, 2, 3]), ArrArray([-7, 1, 1]), ArrArray(V), 4, 4), ArgumentError))
    @test_throws ArgumentError Arr.sparse([1, 2, 3], [1, 2, typemax(Int)], V, 4, 4)
    @test occursin("argument J: shape (2,), expected (3,)", thrown(() -> Arr.sparse([1, 2, 3], [1, 2], V, 4, 4), DimensionMismatch))
    parts(indptr, indices) = thrown(() -> Arr.SparseMatrix(3, 2, indptr, indices, V), ArgumentError)
    @test occursin("argument indptr: 2 at position 1, expected 1", parts([2, 3, 4], [1, 2, 3]))
    @test occursin("argument indptr: 3 at position 3, expected one more than the number of indices, 4", parts([1, 2, 3], [1, 2, 3]))
    @test occursin("argument indptr: 4 at position 3, less than the one before, 5", parts([1, 5, 4], [1, 2, 3]))
    @test occursin("argument indices: 4 at position 2, expected 1 to 3", parts([1, 3, 4], [1, 4, 3]))
    @test occursin("format is :coo, expected :csc or :csr", thrown(() -> Arr.SparseMatrix(3, 2, [1, 1, 1], Int[], Float64[]; format = :coo), ArgumentError))
    @test occursin("format :dia: expected one of :coo, :csr, :csc", thrown(() -> Arr.sparse(made(Int); format = :dia), ArgumentError))
    @test occursin("0 at position 2 is there twice", thrown(() -> Arr.spdiagm(2, 2, 0 => [1, 2], 0 => [1, 2]), ArgumentError))
    @test occursin("expected (2,) or (1,)", thrown(() -> Arr.spdiagm(2, 2, 0 => [1, 2, 3]), DimensionMismatch))
    A = Arr.sparse(made(Float64))
    Arr.unsafe_free!(A)
    @test occursin("the sparse matrix was freed", thrown(() -> A * ArrArray(ones(5)), Arr.HandleError)) && occursin("(freed)", sprint(show, A))
    escaped = devices(filter = d -> d == HOST) do _
        Arr.sparse(made(Float64))
    end
    @test_throws Arr.HandleError nonzeros(escaped)
    @test works()
end
