# SPDX-License-Identifier: MIT
# sparse_factor.jl: equations with sparse matrices against dense ones.

using SparseArrays

regular(T, n = 20) = spdiagm(-3 => fill(T(1), n - 3), 0 => T.(4 .+ (1:n) .% 3), 1 => fill(T(-1), n - 1), 7 => fill(T(2), n - 7))
close(a, x) = a isa ArrArray && eltype(a) === eltype(x) && size(a) == size(x) && isapprox(Array(a), x; rtol = sqrt(eps(real(eltype(x)))))
const RIGHT = [mod(3k, 7) - 2.0 for k in 1:20]

@testset "equations of $T in $format" for T in (Float32, Float64, ComplexF64), format in (:coo, :csr, :csc)
    S = T <: Complex ? regular(T) + im * spdiagm(2 => ones(18)) : regular(T)
    A, m, b = Arr.sparse(S; format = format), Array(S), T.(RIGHT)
    B = hcat(b, reverse(b), b .^ 2)
    @test close(A \ ArrArray(b), m \ b) && close(A \ ArrArray(B), m \ B) && close(ArrArray(permutedims(B)) / A, permutedims(B) / m)
    F = lu(A)
    @test F isa Arr.SparseLU{T} && size(F) == (20, 20) && size(F, 1) == 20 && eltype(F) === T
    for (G, g) in ((F, m), (transpose(F), transpose(m)), (F', m'))
        @test close(G \ ArrArray(b), g \ b) && close(G \ ArrArray(B), g \ B)
        y = ArrArray(b)
        @test ldiv!(G, y) === y && close(y, g \ b) && close(ldiv!(similar(y), G, ArrArray(b)), g \ b)
    end
    L, U, p, q = F
    @test isapprox(Array(L * U), m[p, q]) && istril(Array(L)) && istriu(Array(U)) && F.p == p && F.L == L
    @test det(F) ≈ det(m) && det(A) ≈ det(m) && all(logabsdet(F) .≈ logabsdet(m)) && logdet(Arr.sparse(S'S)) ≈ logdet(m'm)
    @test occursin("20×20 Arr.SparseLU{$T} with", sprint(show, F))
    # Other elements of the same indices.
    A2 = A .* T(2)
    @test lu!(F, A2) === F && close(F \ ArrArray(b), 2m \ b)
    for order in (:natural, :mmd_ata, :mmd_at_plus_a)
        @test close(lu(A; order = order, threshold = 0.1, equilibrate = true) \ ArrArray(b), m \ b)
    end
    # Triangles.
    for (W, W2) in ((LowerTriangular, UpperTriangular), (UnitLowerTriangular, UnitUpperTriangular)), V in (W, W2)
        @test close(V(A) \ ArrArray(b), V(m) \ b) && close(V(A) \ ArrArray(B), V(m) \ B) && close(transpose(V(A)) \ ArrArray(b), transpose(V(m)) \ b)
    end
    # Incomplete factors are preconditioners.
    for P in (Arr.ilu0(A), Arr.ilut(A), Arr.ilut(A; drop_tol = 0, fill_factor = 100, threshold = 1, order = :natural), F)
        x, history = Arr.gmres(A, ArrArray(b); Pl = P, reltol = 1e-6, log = true)
        @test history.isconverged && history.iters < Arr.gmres(A, ArrArray(b); reltol = 1e-6, log = true)[2].iters && norm(m * Array(x) - b) < 1e-4
    end
    D = Arr.sparse(S * S' + 5I)
    @test Arr.cg(D, ArrArray(b); Pl = Arr.ic0(D), reltol = 1e-6, log = true)[2].isconverged
end

@testset "types" begin
    S = regular(Int)
    @test close(Arr.sparse(S) \ ArrArray(Int.(RIGHT)), Array(S) \ RIGHT) && close(Arr.sparse(S) \ ArrArray(Float32.(RIGHT)), Float32.(Array(S) \ RIGHT))
    @test close(Arr.sparse(regular(Float64)) \ ArrArray(RIGHT .* im), Array(S) \ (RIGHT .* im))
end

@testset "misuse" begin
    A, b = Arr.sparse(regular(Float64)), ArrArray(RIGHT)
    @test_throws SingularException lu(Arr.sparse([1.0 2; 2 4]))
    @test_throws SingularException Arr.sparse([1.0 0; 0 0]) \ b[1:2]
    @test occursin("\\: argument b", thrown(() -> A \ b[1:3], DimensionMismatch))
    @test occursin("lu: argument a: shape (2, 3)", thrown(() -> lu(Arr.sparse(ones(2, 3))), DimensionMismatch))
    @test occursin("expected one of", thrown(() -> lu(A; order = :metis), ArgumentError))
    @test_throws SingularException LowerTriangular(Arr.sparse([0.0 0; 1 1])) \ b[1:2]
    @test occursin("Arr.ilu0: argument a: has no incomplete factors: pivot 1 is 0", thrown(() -> Arr.ilu0(Arr.sparse([0.0 1; 1 1])), Arr.LinalgError))
    F = lu(A)
    Arr.unsafe_free!(F)
    @test occursin("freed", thrown(() -> F \ b, Arr.HandleError)) && occursin("(freed)", sprint(show, F)) && works()
end

@testset "Hermitian factors of $T" for T in (Float32, Float64, ComplexF64)
    S = spdiagm(-2 => fill(T(-1), 18), 0 => T.(5 .+ (1:20) .% 3), 2 => fill(T(-1), 18))
    T <: Complex && (S = S + spdiagm(1 => fill(0.5im, 19), -1 => fill(-0.5im, 19)))
    A, m, b = Arr.sparse(S), Array(S), T.(RIGHT)
    for F in (cholesky(A), ldlt(A), cholesky(Arr.sparse(sparse(UpperTriangular(m))); upper = true), cholesky(A; order = :natural))
        @test F isa Arr.SparseLU{T} && close(F \ ArrArray(b), m \ b) && isapprox(Array(F.L) * Array(F.U), m[F.p, F.p]; rtol = 1e-5)
        X = F \ A
        @test X isa Arr.SparseMatrix{T} && isapprox(Array(X), Matrix{T}(I, 20, 20); atol = 1e-5)
    end
    @test isapprox(Array(A \ A), Matrix{T}(I, 20, 20); atol = 1e-5)
    @test_throws PosDefException cholesky(-1 * A)
    @test close(ldlt(-1 * A) \ ArrArray(b), -(m \ b))
    @test_throws ArgumentError cholesky(A; order = :odd)
end
