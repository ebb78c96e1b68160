# SPDX-License-Identifier: MIT
# special_matrices.jl: special matrices and windows against their formulas.

on(x) = ArrArray(x; device = HOST)
entries(f, m, n = m) = [f(i, j) for i in 1:m, j in 1:n]
at(v, i) = 1 <= i <= length(v) ? v[i] : zero(eltype(v))

@testset "of vectors of $T" for T in (Float64, Int32, ComplexF64)
    c, r = T[1, 2, 3, 4], T[9, 7, 5]
    T === ComplexF64 && (c = c .* (1 + 2im))
    a, b = on(c), on(r)
    @test Array(Arr.toeplitz(a, b)) == entries((i, j) -> i >= j ? c[i-j+1] : r[j-i+1], 4, 3)
    @test Array(Arr.toeplitz(a)) == entries((i, j) -> i >= j ? c[i-j+1] : conj(c[j-i+1]), 4)
    @test Array(Arr.hankel(a, b)) == entries((i, j) -> i + j <= 5 ? c[i+j-1] : r[i+j-4], 4, 3)
    @test Array(Arr.hankel(a)) == entries((i, j) -> at(c, i + j - 1), 4)
    @test Array(Arr.circulant(a)) == entries((i, j) -> c[mod(i - j, 4)+1], 4)
    @test Array(Arr.leslie(a, b)) == entries((i, j) -> i == 1 ? c[j] : i == j + 1 ? r[j] : 0, 4)
    @test Array(Arr.fiedler(a)) ≈ entries((i, j) -> abs(c[i] - c[j]), 4)
    @test eltype(Arr.toeplitz(a, b)) === eltype(Arr.circulant(a)) === T
    for (mode, rows) in ((:full, 1:6), (:same, 2:5), (:valid, 3:4))
        m = Arr.convolution_matrix(a, 3; mode = mode)
        @test Array(m) == entries((i, j) -> at(c, i - j + 1), 6, 3)[rows, :]
        @test Array(m * b) ≈ Array(Arr.conv(a, b; mode = mode))
    end
    @test_throws ArgumentError Arr.convolution_matrix(a, 3; mode = :some)
    @test_throws DimensionMismatch Arr.leslie(a, a)
    @test_throws MethodError Arr.circulant(on(ones(T, 2, 2)))
end

@testset "companions" begin
    p = [2.0, -12, 22, -12]                     # of 1, 2 and 3
    @test Array(Arr.companion(on(p))) == [6 -11 6; 1 0 0; 0 1 0]
    @test Array(Arr.fiedler_companion(on([1.0, 2, 3, 4, 5]))) == [-2 -3 1 0; 1 0 0 0; 0 -4 0 -5; 0 1 0 0]
    for f in (Arr.companion, Arr.fiedler_companion)
        @test sort(real(eigvals(Array(f(on(p)))))) ≈ [1, 2, 3]
        @test eltype(f(on([1, 2, 3]))) === Float64
        @test_throws ArgumentError f(on([0.0, 1, 2]))
        @test_throws DimensionMismatch f(on([1.0]))
    end
end

@testset "blocks" begin
    x, y, z = rand(2, 3), rand(1, 2), rand(0, 1)
    @test Array(Arr.block_diag(on(x), on(y), on(z))) == cat(x, y, z; dims = (1, 2))
    @test eltype(Arr.block_diag(on(Float32[1 2]), on([1 2]))) === Float32
    @test Array(Arr.block_diag(on(x)')) == x'
    @test_throws MethodError Arr.block_diag(on(x), on([1.0]))
end

@testset "bandwidth" begin
    for (x, wanted) in ((tril(triu(ones(5, 6), -2), 1), (2, 1)), (zeros(3, 3), (0, 0)), (triu(ones(4, 4), 2), (0, 3)))
        @test Tuple(Arr.bandwidth(on(x))) == wanted
    end
    @test Arr.bandwidth(on([1 0; 1 1])).lower == 1
end

@testset "of their size, $T" for T in (Float64, Float32)
    n = 8
    @test Array(Arr.tri(T, 3, 5, 1; device = HOST)) == tril(ones(T, 3, 5), 1)
    @test Array(Arr.tri(T, 4; device = HOST)) == tril(ones(T, 4, 4))
    @test Array(Arr.hilbert(T, n; device = HOST)) ≈ entries((i, j) -> 1 / (i + j - 1), n)
    h = Array(Arr.hadamard(T, n; device = HOST))
    @test h == entries((i, j) -> isodd(count_ones((i - 1) & (j - 1))) ? -1 : 1, n)
    full = Array(Arr.helmert(T, n; full = true, device = HOST))
    @test full * full' ≈ I
    @test full ≈ entries((i, j) -> i == 1 ? 1 / sqrt(n) : j < i ? 1 / sqrt(i * (i - 1)) : j == i ? -sqrt((i - 1) / i) : 0, n)
    @test Array(Arr.helmert(T, n; device = HOST)) == full[2:n, :]
    for (scale, by) in ((:none, 1), (:sqrtn, sqrt(n)), (:n, n))
        m = Arr.dft(Complex{T}, n; scale = scale, device = HOST)
        @test eltype(m) === Complex{T}
        @test Array(m) ≈ entries((i, j) -> cis(-2pi * (i - 1) * (j - 1) / n) / by, n)
    end
    for a in (Arr.tri(T, 2; device = HOST), Arr.hilbert(T, 2; device = HOST), Arr.hadamard(T, 2; device = HOST))
        @test eltype(a) === T && Arr.device(a) == HOST
    end
end

@testset "their types and errors" begin
    Arr.device!(HOST) do
        @test eltype(Arr.hadamard(2)) === Int64
        @test eltype(Arr.hilbert(2)) === eltype(Arr.tri(2)) === eltype(Arr.helmert(2)) === Float64
        @test eltype(Arr.dft(2)) === ComplexF64
        @test Array(Arr.tri(Int32, 2, 0)) == zeros(Int32, 2, 0)
        @test_throws ArgumentError Arr.hadamard(6)
        @test_throws Arr.DtypeError Arr.hilbert(Int, 3)
        @test_throws Arr.DtypeError Arr.dft(Float64, 3)
        @test_throws ArgumentError Arr.dft(3; scale = :some)
        @test_throws ArgumentError Arr.tri(3, -1)
        @test_throws ArgumentError Arr.tri(-1)
    end
end

@testset "windows" begin
    i0(x) = sum((x / 2)^2k / factorial(big(k))^2 for k in 0:60)
    formulas = ((Arr.bartlett, t -> 1 - abs(t)), (Arr.blackman, t -> 0.42 + 0.5cos(pi * t) + 0.08cos(2pi * t)),
                (Arr.hamming, t -> 0.54 + 0.46cos(pi * t)), (Arr.hanning, t -> 0.5 + 0.5cos(pi * t)),
                ((T, n; kw...) -> Arr.kaiser(T, n, 8.6; kw...), t -> Float64(i0(8.6 * sqrt(1 - big(t)^2)) / i0(big(8.6)))))
    for (f, wanted) in formulas, T in (Float64, Float32), n in (2, 7, 12)
        w = f(T, n; device = HOST)
        @test eltype(w) === T
        @test Array(w) ≈ wanted.(range(-1, 1; length = n)) atol = 4eps(T)
        @test Array(f(T, 1; device = HOST)) == [1] && isempty(f(T, 0; device = HOST))
    end
    @test eltype(Arr.hanning(3; device = HOST)) === eltype(Arr.kaiser(3, 5; device = HOST)) === Float64
    @test Array(Arr.kaiser(5, 0; device = HOST)) == ones(5)
    @test_throws Arr.DtypeError Arr.hamming(Int, 3)
end
