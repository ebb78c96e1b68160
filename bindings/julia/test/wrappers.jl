# SPDX-License-Identifier: MIT
# wrappers.jl: LinearAlgebra's wrappers and functions on arrays of Arr against Julia's arrays, none by single elements.

const SQUARE, VECTOR, OTHER, NUMBERS_C = [4.0 1 2; 1 5 3; 2 3 6], [1.0, 2, 3], [1.0 2 3; 4 5 6; 7 8 10], [1.0+2im 2 3; 4 5im 6; 7 8 9]

# The same of Julia's arrays, by value and by the type of the elements; a wrapper stays one.
on_host(x) = x
on_host(x::AbstractArray) = Array(x)
on_host(x::Tuple) = map(on_host, x)
shape_of(x) = x isa AbstractArray ? (size(x), eltype(x)) : typeof(x)
wrapper(x) = x isa Union{Symmetric,Hermitian,Diagonal,LinearAlgebra.AbstractTriangular,Bidiagonal,Tridiagonal,SymTridiagonal} ?
    nameof(typeof(x)) : :none
plain_matrix(x) = Array(x)
function same_as_base(f)
    want, got = f(copy(SQUARE), copy(VECTOR), copy(OTHER), copy(NUMBERS_C)), f(map(ArrArray, (SQUARE, VECTOR, OTHER, NUMBERS_C))...)
    close(p, q) = p isa Tuple ? all(map(close, p, q)) : p ≈ q
    good = close(on_host(got), on_host(want)) && shape_of(got) == shape_of(want) && (wrapper(want) in (:none, wrapper(got)))
    good || println("got $(typeof(got)) $(on_host(got)), expected $(typeof(want)) $want")
    @test good
end

const STRUCTURED = (Symmetric, A -> Symmetric(A, :L), Hermitian, UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular,
    A -> Diagonal(A[:, 1]), A -> Bidiagonal(A[:, 1], A[1:2, 2], :U), A -> Tridiagonal(A[1:2, 1], A[:, 2], A[2:3, 3]),
    A -> SymTridiagonal(A[:, 1], A[1:2, 2]))
@testset "$(nameof(typeof(make(SQUARE)))) $k" for (k, make) in enumerate(STRUCTURED)
    for f in (W -> W + I, W -> I + W, W -> W - 2I, W -> 2I - W, W -> 2W, W -> W / 2, W -> -W, W -> sum(W), W -> sum(abs2, W),
              W -> sum(W; dims = 1), W -> maximum(W), W -> minimum(abs, W; dims = 2), W -> prod(W), W -> mapreduce(abs, +, W),
              W -> count(x -> x > 2, W), W -> any(x -> x > 5, W), W -> all(x -> x >= 0, W), W -> extrema(W), W -> W[1:2, 2:3], W -> W[:, 1],
              W -> W[2, :], W -> copy(W), W -> W .+ 1)
        same_as_base((A, b, B, Z) -> f(make(A)))
    end
    same_as_base((A, b, B, Z) -> map(abs, Array(make(A))))
    same_as_base((A, b, B, Z) -> make(A) * b)
    same_as_base((A, b, B, Z) -> make(A) + B)
    same_as_base((A, b, B, Z) -> plain_matrix(make(A)'))
end

@testset "matrices $k" for (k, f) in enumerate((
    (A, b, B, Z) -> b'b, (A, b, B, Z) -> b' * A * b, (A, b, B, Z) -> b', (A, b, B, Z) -> b' * A, (A, b, B, Z) -> (A * b)', (A, b, B, Z) -> Z',
    (A, b, B, Z) -> A + I, (A, b, B, Z) -> I - A, (A, b, B, Z) -> A - 2I, (A, b, B, Z) -> Z + im * I, (A, b, B, Z) -> A + im * I, (A, b, B, Z) -> Hermitian(Z) + I,
    (A, b, B, Z) -> Hermitian(Z) + im * I, (A, b, B, Z) -> normalize(b), (A, b, B, Z) -> transpose!(similar(A), B), (A, b, B, Z) -> adjoint!(similar(Z), Z),
    (A, b, B, Z) -> clamp!(b, 1, 2), (A, b, B, Z) -> circshift(B, (1, 2)), (A, b, B, Z) -> copy!(similar(b), b), (A, b, B, Z) -> diagm(b),
    (A, b, B, Z) -> diagm(4, 5, 1 => b), (A, b, B, Z) -> diagm(3, 4, b), (A, b, B, Z) -> diagm(-1 => b, 1 => b, 1 => 2b), (A, b, B, Z) -> tril!(B),
    (A, b, B, Z) -> triu!(B, 1), (A, b, B, Z) -> ldiv!(2.0, b), (A, b, B, Z) -> rdiv!(B, 2.0), (A, b, B, Z) -> mul!(similar(B), B, 2.0),
    (A, b, B, Z) -> mul!(similar(b), 2.0, b), (A, b, B, Z) -> mul!(copy(b), 2.0, b, 3.0, 1.0), (A, b, B, Z) -> mul!(b .* NaN, b, 2.0, 3.0, 0.0),
    (A, b, B, Z) -> Diagonal(b) * A * Diagonal(b), (A, b, B, Z) -> b' * Diagonal(b) * b, (A, b, B, Z) -> UpperTriangular(A)' \ b, (A, b, B, Z) -> sqrt(A), (A, b, B, Z) -> sqrt(-A), (A, b, B, Z) -> sqrt(Hermitian(Z * Z')) .+ 0,
    (A, b, B, Z) -> A^0.5, (A, b, B, Z) -> factorize(A) \ b, (A, b, B, Z) -> factorize(B) \ b, (A, b, B, Z) -> factorize(triu(B)),
    (A, b, B, Z) -> factorize(tril(B)), (A, b, B, Z) -> factorize(diagm(b)), (A, b, B, Z) -> abs.(nullspace(B .* 0 .+ b')) .* 0 .+ 1))
    same_as_base(f)
end

@testset "copyto! of $W" for W in (UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular)
    x, y, A = copy(OTHER), zeros(3, 3), W(ArrArray(OTHER))
    @test copyto!(y, A) === y && y == W(x)
    @test Array(copyto!(Arr.zeros(3, 3), A)) == W(x)
    to, to_x = W(ArrArray(SQUARE)), W(copy(SQUARE))
    @test copyto!(to, A) === to && Array(parent(to)) == parent(copyto!(to_x, W(x)))
end

# A type as another package may define it: an array in another one, which it reads and writes by its own indices.
struct Backward{T,N,A<:AbstractArray{T,N}} <: AbstractArray{T,N}
    inside::A
end
Base.size(b::Backward) = size(b.inside)
Base.getindex(b::Backward{T,N}, i::Vararg{Integer,N}) where {T,N} = b.inside[(size(b) .+ 1 .- i)...]
Base.setindex!(b::Backward{T,N}, x, i::Vararg{Integer,N}) where {T,N} = b.inside[(size(b) .+ 1 .- i)...] = x
Broadcast.BroadcastStyle(::Type{Backward{T,N,A}}) where {T,N,A} = Broadcast.BroadcastStyle(A)

@testset "wrappers of other packages, $T" for T in (Int32, Float64, ComplexF32)
    x, v = T.(reshape(1:6, 2, 3)), T[7, 8]
    a, b = ArrArray(x), ArrArray(v)
    for f in ((w, m, u) -> w .+ 1, (w, m, u) -> w .* w, (w, m, u) -> w .+ m, (w, m, u) -> w .- u, (w, m, u) -> abs.(w .+ m[1:1, :]),
              (w, m, u) -> ifelse.(w .== 3, m, w), (w, m, u) -> Backward(m[1:1, :]) .+ u)
        want, got = f(Backward(x), x, v), f(Backward(a), a, b)
        @test got isa ArrArray && Array(got) == want && eltype(got) == eltype(want)
    end
    @test Array(Backward(b) .+ a) == Backward(v) .+ x
    @test Array(Backward(Backward(b)) .+ 1) == v .+ 1
    for f in (w -> w .= 5, w -> w .= w .+ 1, w -> w .= 7 .* copy(w.inside), w -> w .+= w)
        y, c = copy(x), copy(a)
        f(Backward(y))
        w = Backward(c)
        @test f(w) === w && Array(c) == y
    end
    @test_throws DimensionMismatch Backward(a) .= Arr.zeros(T, 3)
    @test_throws DimensionMismatch Backward(a) .+ Arr.zeros(T, 3)
end

@testset "functions do not write" begin
    n, c = ArrArray([1, 2]), ArrArray([1.0, 2.0])
    @test occursin("writes elements", thrown(() -> (i -> (c[i] = 1.0; i)).(n), Arr.TraceError))
    @test Array(c) == [1, 2] && works()
end

@testset "questions" begin
    for (A, more) in ((SQUARE, ()), (OTHER, ()), (triu(OTHER), ()), (tril(OTHER), ()), (diagm(VECTOR), ()), (Matrix(1.0I, 3, 3), ()), (zeros(2, 2), ()),
                      (OTHER[:, 1:2], ()), (-SQUARE, ())), f in (istriu, istril, isdiag, iszero, issymmetric, ishermitian, isposdef,
                      M -> M == I, M -> I == M, M -> istriu(M, 1), M -> istril(M, -1), M -> LinearAlgebra.isbanded(M, -1, 1), M -> isone(M))
        f(ArrArray(A)) === f(A) || println("$A: $f")
        @test f(ArrArray(A)) === f(A)
    end
    N = nullspace(ArrArray([1.0 2; 2 4]))
    @test size(N) == (2, 1) && Array(N) ≈ nullspace([1.0 2; 2 4]) || Array(N) ≈ -nullspace([1.0 2; 2 4])
    @test size(nullspace(ArrArray(SQUARE))) == (3, 0)
    @test occursin("too small", thrown(() -> diagm(2, 3, ArrArray(VECTOR)), DimensionMismatch))
    @test occursin("mul!", thrown(() -> mul!(Arr.zeros(2), ArrArray(VECTOR), 2.0), DimensionMismatch))
    @test_throws DimensionMismatch ArrArray(OTHER[:, 1:2]) + I
end

@testset "shown without scalar indexing" begin
    A, b = ArrArray(SQUARE), ArrArray(VECTOR)
    for x in (Symmetric(A), Hermitian(A), UpperTriangular(A), UnitLowerTriangular(A), Diagonal(b), Tridiagonal(b[1:2], b, b[1:2]), b', A', transpose(A),
              view(A, 1, :), view(b, ArrArray([true, false, true])), lu(A), cholesky(A), qr(A), svd(A), eigen(Symmetric(A)), UpperTriangular(A)',
              minmax.(b, 2.0))
        @test !isempty(sprint(show, MIME"text/plain"(), x)) && !isempty(sprint(show, x))
    end
end
