# SPDX-License-Identifier: MIT
# structured.jl: LinearAlgebra's matrices with a structure, of arrays of Arr, against those of Julia's arrays.

const MAKERS = (
    "Symmetric" => x -> Symmetric(x), "Symmetric, lower" => x -> Symmetric(x, :L), "Hermitian" => x -> Hermitian(x),
    "Hermitian, lower" => x -> Hermitian(x, :L), "UpperTriangular" => UpperTriangular, "LowerTriangular" => LowerTriangular,
    "UnitUpperTriangular" => UnitUpperTriangular, "UnitLowerTriangular" => UnitLowerTriangular,
    "Diagonal" => x -> Diagonal(x[:, 1]), "Bidiagonal" => x -> Bidiagonal(x[:, 1], x[1:2, 2], :L),
    "Tridiagonal" => x -> Tridiagonal(x[1:2, 1], x[:, 2], x[2:3, 3]), "SymTridiagonal" => x -> SymTridiagonal(x[:, 1], x[1:2, 2]))

@testset "$name of $T" for (name, make) in MAKERS, T in (Float64, ComplexF32)
    z, v, y = T.([4 1 2; 3 5 -1; 2 1 6]), T.([1, 2, 3]), T.([1 2; 3 4; 5 7])
    T <: Complex && (z = z .+ im .* [1 2 3; -1 2 1; 0 1 1])
    name == "SymTridiagonal" && T <: Complex && (z = T.(real.(z)))
    x, a = make(z), make(ArrArray(z))
    w, b = ArrArray(v), ArrArray(y)
    @test ArrArray(a) isa ArrArray{T,2} && Array(ArrArray(a)) == Array(x)
    @test Array(a) == Matrix(a) == collect(a) == Array(x)
    @test Array(copyto!(ArrArray(zero(z)), a)) == Array(x) && a == ArrArray(a)
    @test Array(a * w) ≈ x * v && Array(a * b) ≈ x * y && Array(b' * a) ≈ y' * x && Array(w' * a) ≈ v' * x
    full = Array(x)
    @test Array(a \ w) ≈ full \ v && Array(a \ b) ≈ full \ y && Array(b' / a) ≈ y' / full
    @test Array(ldiv!(a, copy(w))) ≈ full \ v && Array(ldiv!(similar(b), a, b)) ≈ full \ y
    @test Array(lmul!(a, copy(b))) ≈ full * y && Array(mul!(copy(b), a, b, 2, 1)) ≈ 2full * y + y
    @test Array(rmul!(copy(b'), a)) ≈ y' * full && Array(rdiv!(copy(b'), a)) ≈ y' / full
    @test Array(a .+ 1) == full .+ 1 && Array(a + ArrArray(z)) ≈ full + z
    @test det(a) ≈ det(full) && tr(a) ≈ tr(full) && norm(a) ≈ norm(full) && rank(a) == 3
    @test cond(a) ≈ cond(full) && opnorm(a, 1) ≈ opnorm(full, 1) && Array(svdvals(a)) ≈ svdvals(full)
    @test sprint(show, a) == sprint(show, x)
    plain(m) = split(sprint(show, MIME"text/plain"(), m), '\n')
    @test plain(a)[2:end] == plain(x)[2:end] && occursin("ArrArray", plain(a)[1])
    name in ("Bidiagonal", "Tridiagonal", "SymTridiagonal") || @test Array(inv(a)) ≈ inv(full)
end

@testset "structures that fail" begin
    d = Diagonal(ArrArray([1.0, 0.0]))
    for f in (() -> d \ ArrArray([1.0, 2]), () -> d \ ArrArray(ones(2, 2)), () -> inv(d), () -> ldiv!(d, ArrArray([1.0, 2])))
        @test_throws SingularException(2) f()
    end
    @test_throws DimensionMismatch d * ArrArray([1.0, 2, 3])
    @test_throws SingularException Symmetric(ArrArray([1.0 1; 1 1])) \ ArrArray([1.0, 2])
    @test isequal(Array(ArrArray(Symmetric(ArrArray([1 NaN; 2 -0.0]), :L))), Array(Symmetric([1 NaN; 2 -0.0], :L)))
end

@testset "whole matrices where LinearAlgebra goes by elements" begin
    b, y = ArrArray([1.0 2; 3 4]), [1.0 2; 3 4]
    h = similar(Hermitian(b, :L), Float32)
    @test h isa Hermitian{Float32,<:ArrArray} && h.uplo == 'L' && ishermitian(Array(h))
    @test similar(Hermitian(b)) isa Hermitian{Float64,<:ArrArray}
    for U in (UpperTriangular, UnitUpperTriangular), L in (LowerTriangular, UnitLowerTriangular)
        @test !istriu(L(b)) && istriu(U(b)) && !istril(U(b)) && istril(L(b))
        @test Array(mul!(copy(b), U(b), L(b), 3, 2)) == 3 * Matrix(U(y)) * Matrix(L(y)) + 2y
        @test Array(mul!(copy(b), L(b), L(b), 1, 0)) == Matrix(L(y)) * Matrix(L(y))
    end
    d = Diagonal(ArrArray([1.0, 2]))
    @test lmul!(2, d) === d && Array(rmul!(d, 3)) == [6 0; 0 12]
    F = cholesky(Diagonal(ArrArray([4.0, 9.0])))
    @test Array(F \ ArrArray([1.0, 2])) ≈ [1 / 4, 2 / 9] && Array(F \ ArrArray([1 2; 3 4])) ≈ [1/4 2/4; 3/9 4/9]
    @test_throws PosDefException cholesky(Diagonal(ArrArray([4.0, -9.0])))
    @test cholesky(Diagonal(ArrArray([4.0, -9.0])); check = false).info == 2
    z = ComplexF64[1 2im; 3 4im]
    for uplo in ('U', 'L'), conjugate in (false, true)
        @test Array(LinearAlgebra.copytri!(ArrArray(z), uplo, conjugate)) == LinearAlgebra.copytri!(copy(z), uplo, conjugate)
    end
    @test_throws ArgumentError LinearAlgebra.copytri!(ArrArray(z), 'X')
end
