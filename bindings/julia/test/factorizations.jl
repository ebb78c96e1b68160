# SPDX-License-Identifier: MIT
# factorizations.jl: equations, determinants and decompositions against LinearAlgebra's own.

const KINDS = (Float32, Float64, ComplexF32, ComplexF64)
spd(x) = x * x' + size(x, 1) * I

@testset "equations of $T" for T in KINDS
    x, y, v = rand(T, 5, 5) + 2I, rand(T, 5, 3), rand(T, 5)
    a, b, w = map(ArrArray, (x, y, v))
    @test a \ b isa ArrArray{T,2}
    @test Array(a \ b) ≈ x \ y
    @test Array(a \ w) ≈ x \ v
    @test Array(a' \ b) ≈ x' \ y
    @test Array(b' / a) ≈ y' / x
    @test Array(inv(a)) ≈ inv(x)
    @test Array(view(a, 5:-1:1, :) \ w) ≈ x[5:-1:1, :] \ v
    tall, wide = ArrArray(y), ArrArray(copy(transpose(y)))
    @test Array(tall \ w) ≈ y \ v
    @test Array(wide \ ArrArray(v[1:3])) ≈ transpose(y) \ v[1:3]
    @test Array(pinv(tall)) ≈ pinv(y)
    @test det(a) ≈ det(x)
    @test all(logabsdet(a) .≈ logabsdet(x))
    @test logdet(ArrArray(spd(x))) ≈ logdet(spd(x))
    @test Array(exp(a)) ≈ exp(x)
    for W in (LowerTriangular, UpperTriangular, UnitLowerTriangular, UnitUpperTriangular)
        @test Array(W(a) \ b) ≈ W(x) \ y
        @test Array(W(a) \ w) ≈ W(x) \ v
        @test Array(W(a)' \ w) ≈ W(x)' \ v
    end
end

@testset "functions of matrices" begin
    x = [-4.0 1; 0 -9]
    @test Array(sqrt(ArrArray(x))) ≈ [2im -0.2im; 0 3im]
    @test Array(exp(log(ArrArray(x)))) ≈ x
    @test Array(ArrArray(x)^-0.5) ≈ inv([2im -0.2im; 0 3im])
    @test Array(ArrArray(x)^2) == x^2
    a = ArrArray(x)
    @test Array(cos(a)^2 + sin(a)^2) ≈ one(x)
    @test Array(cosh(a)^2 - sinh(a)^2) ≈ one(x) atol = 1e-8
    @test Array(cos(a) * tan(a)) ≈ Array(sin(a))
    @test Array(cosh(a) * tanh(a)) ≈ Array(sinh(a))
    @test Array.(sincos(a)) == (Array(sin(a)), Array(cos(a)))
    @test Array(Arr.signm(a)) ≈ -one(x)
    y = [1.0 2; 3 4]
    u, p = Arr.polar(ArrArray(y))
    @test Array(u * p) ≈ y && Array(u' * u) ≈ one(y)
    z = Array(sylvester(a, a, ArrArray(y)))
    @test x * z + z * x + y ≈ zero(y) atol = 1e-12
    z = Array(lyap(a, ArrArray(y)))
    @test x * z + z * x' + y ≈ zero(y) atol = 1e-12
    both = ArrArray(permutedims(cat(x, 4x; dims = 3), (3, 1, 2)))
    @test Array(Arr.sqrtm(both))[2, :, :] ≈ 2 * sqrt(x)
    F = schur(ArrArray(x))
    @test sort(real(F.values)) ≈ [-9, -4]
    @test Array(F.Z * F.T * F.Z') ≈ x
end

@testset "other element types" begin
    x = [2 1; 1 3]
    @test Array(ArrArray(x) \ ArrArray([1, 2])) ≈ x \ [1, 2]
    @test eltype(ArrArray(Float32.(x)) \ ArrArray([1, 2])) === Float32
    @test eltype(ArrArray(Float32.(x)) \ ArrArray([1.0im, 2])) === ComplexF64
    @test det(ArrArray(x)) ≈ 5.0
    @test_throws Arr.DtypeError inv(ArrArray(Float16.(x)))
end

@testset "equations of tensors" begin
    x, a = rand(2, 3), rand(2, 3, 2, 3)
    b = [sum(a[i, j, k, l] * x[k, l] for k in 1:2, l in 1:3) for i in 1:2, j in 1:3]
    device(z) = ArrArray(z; device = HOST)
    @test Array(Arr.tensorsolve(device(a), device(b))) ≈ x
    # A dimension of x that stands first is moved to the end: a[l, i, j, k] becomes a[i, j, k, l].
    @test Array(Arr.tensorsolve(device(permutedims(a, (4, 1, 2, 3))), device(b); dims = (1,))) ≈ x
    inverse = Array(Arr.tensorinv(device(a)))
    @test [sum(inverse[i, j, k, l] * b[k, l] for k in 1:2, l in 1:3) for i in 1:2, j in 1:3] ≈ x
    @test_throws DimensionMismatch Arr.tensorinv(device(rand(2, 3, 4)))
end

@testset "rank, condition" begin
    x = [1.0 2 3; 2 4 6; 1 0 1]
    a = ArrArray(x)
    @test rank(a) == rank(x) == 2
    @test rank(a; atol = 5) == rank(x; atol = 5)
    @test rank(a; rtol = 0.9) == 1
    @test rank(ArrArray(zeros(2, 2))) == 0
    @test rank(ArrArray(zeros(0, 2))) == 0
    y = rand(4, 4) + I
    for p in (1, 2, Inf)
        @test cond(ArrArray(y), p) ≈ cond(y, p)
    end
    @test Array(pinv(a; rtol = 0.9)) ≈ pinv(x; rtol = 0.9)
end

@testset "triangular factors of $T" for T in KINDS
    x, v = rand(T, 5, 5), rand(T, 5)
    a, w = ArrArray(x), ArrArray(v)
    F = lu(a)
    L, U, p = F
    @test p isa Vector{Int}
    @test Array(L * U) ≈ x[p, :]
    @test Array(L) ≈ lu(x).L && Array(U) ≈ lu(x).U && p == lu(x).p
    @test Array(F \ w) ≈ x \ v
    @test Array(inv(F)) ≈ inv(x)
    @test det(F) ≈ det(x)
    tall = ArrArray(x[:, 1:3])
    @test Array(lu(tall).L * lu(tall).U) ≈ x[lu(tall).p, 1:3]
    wide = ArrArray(x[1:3, :])
    @test Array(lu(wide).L * lu(wide).U) ≈ x[lu(wide).p, :]
    s = spd(x)
    C = cholesky(ArrArray(s))
    L, U = C
    @test Array(L) ≈ cholesky(Hermitian(s)).L
    @test Array(U) ≈ cholesky(Hermitian(s)).U
    @test Array(cholesky(Hermitian(ArrArray(Matrix(UpperTriangular(s))))).L) ≈ Array(L)
    @test Array(C \ w) ≈ s \ v
    @test Array(C \ ArrArray(x)) ≈ s \ x
    @test Array(inv(C)) ≈ inv(s)
    @test det(C) ≈ real(det(s))
    @test logdet(C) ≈ real(logdet(s))
    @test sprint(show, MIME("text/plain"), C) == "5×5 Arr.Cholesky{$T}"
    @test sprint(show, MIME("text/plain"), F) == "5×5 Arr.LU{$T}"
end

@testset "orthogonal factors of $T" for T in KINDS
    for (m, n) in ((5, 3), (3, 5), (4, 4))
        x = rand(T, m, n)
        a = ArrArray(x)
        Q, R = qr(a)
        @test size(Q) == (m, min(m, n)) && size(R) == (min(m, n), n)
        @test Array(Q * R) ≈ x
        @test Array(Q' * Q) ≈ I
        @test istriu(Array(R))
        full = qr(a; full = true)
        @test size(full.Q) == (m, m) && Array(full.Q * full.R) ≈ x
        U, S, V = svd(a)
        @test S isa ArrArray{real(T),1}
        @test Array(S) ≈ svdvals(x)
        @test Array(U) * Diagonal(Array(S)) * Array(V)' ≈ x
        @test Array(svd(a).Vt) ≈ Array(svd(a).V)'
        @test size(svd(a; full = true).U) == (m, m) && size(svd(a; full = true).Vt) == (n, n)
        @test Array(svdvals(a)) ≈ svdvals(x)
    end
end

@testset "eigenvalues of $T" for T in KINDS
    x = rand(T, 5, 5)
    h = x + x'
    for (a, y) in ((ArrArray(h), h), (Hermitian(ArrArray(x)), Hermitian(x)), (Hermitian(ArrArray(x), :L), Hermitian(x, :L)))
        values, vectors = eigen(a)
        @test eltype(values) === real(T)
        @test Array(values) ≈ eigvals(y)
        @test Array(eigvals(a)) ≈ eigvals(y)
        @test Array(vectors) * Diagonal(Array(values)) * Array(vectors)' ≈ y
    end
    F = eigen(ArrArray(x))
    @test F isa Eigen{complex(T)}
    @test x * Array(F.vectors) ≈ Array(F.vectors) * Diagonal(Array(F.values))
    by(z) = (round(real(z); digits = 3), imag(z))
    @test sort(Array(eigvals(ArrArray(x))); by = by) ≈ sort(complex(eigvals(x)); by = by)
end

@testset "what has no such result" begin
    a, b = ArrArray([1.0 2; 2 4]), ArrArray([1.0, 2])
    for f in (() -> a \ b, () -> inv(a), () -> lu(a), () -> UpperTriangular(ArrArray([1.0 2; 0 0])) \ b)
        @test_throws SingularException(2) f()
    end
    @test Array(lu(a; check = false).U) == [2 4; 0 0]
    @test det(a) == 0
    @test logabsdet(a)[1] == -Inf
    @test_throws PosDefException(2) cholesky(ArrArray([1.0 2; 2 1]))
    @test isnan(Array(cholesky(ArrArray([1.0 2; 2 1]); check = false).L)[2, 2])
    @test_throws PosDefException(-1) cholesky(ArrArray([1.0 2; 3 9]))
    rect = ArrArray(rand(3, 2))
    for f in (inv, det, logabsdet, eigvals, eigen, exp, x -> det(lu(x)))
        @test_throws DimensionMismatch f(rect)
    end
    @test_throws DimensionMismatch a \ ArrArray([1.0, 2, 3])
    @test_throws DimensionMismatch rect \ ArrArray([1.0, 2])
    @test !issymmetric(rect) && issymmetric(a) && !ishermitian(ArrArray([1.0 im; im 1]))
    @test works()
end

@testset "equations by factors of $T" for T in (Float64, ComplexF64)
    x, v, y = rand(T, 4, 4) + I, rand(T, 4), rand(T, 4, 2)
    a, b, c = ArrArray(x), ArrArray(v), ArrArray(y)
    F, G = lu(a), cholesky(ArrArray(spd(x)))
    @test Array(ldiv!(F, copy(b))) ≈ x \ v && Array(ldiv!(similar(c), F, c)) ≈ x \ y
    @test Array(F' \ b) ≈ x' \ v && Array(transpose(F) \ c) ≈ transpose(x) \ y
    @test Array(c' / F) ≈ y' / x && Array(rdiv!(copy(c'), F)) ≈ y' / x
    @test Array(ldiv!(G, copy(c))) ≈ spd(x) \ y && Array(c' / G) ≈ y' / spd(x) && Array(G' \ b) ≈ spd(x) \ v
    for z in (x, x[:, 1:2], x[1:2, :]), full in (false, true)
        w, u = v[1:size(z, 1)], y[1:size(z, 1), :]
        for f in (qr, svd)
            H = f(ArrArray(z); full = full)
            @test size(H) == size(z) && Array(H \ ArrArray(w)) ≈ z \ w && Array(H \ ArrArray(u)) ≈ z \ u
        end
    end
    U, S, V = svd(a)
    @test Array(U * Diagonal(S) * V') ≈ x
    singular = T[1 2; 2 4]
    @test Array(svd(ArrArray(singular)) \ ArrArray(T[1, 2])) ≈ pinv(singular) * [1, 2]
    @test_throws DimensionMismatch qr(a) \ b[1:3]
    @test_throws DimensionMismatch ldiv!(qr(ArrArray(x[:, 1:2])), copy(b))
    @test occursin("4×4 Arr.QR", sprint(show, MIME"text/plain"(), qr(a)))
end
