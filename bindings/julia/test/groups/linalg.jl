# SPDX-License-Identifier: MIT
# linalg.jl: products, transposes, triangles, diagonals, norms and special matrices under LinearAlgebra's names.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "products of $T" for T in NUMBERS
    x, y, v, w = drawn(T, 4, 3), drawn(T, 3, 5), drawn(T, 3), drawn(T, 4)
    for (f, xs) in ((*, (x, y)), (*, (x, v)), ((a, b) -> a' * b, (x, w)), ((a, b) -> transpose(a) * b, (x, w)), ((a, b) -> a * b', (x, copy(y'))),
                    ((a, b) -> a' * b', (x, drawn(T, 5, 4))), ((a, b) -> transpose(a) * transpose(b), (x, drawn(T, 5, 4))), ((a, b) -> a * b', (v, w)),
                    ((a, b) -> a' * b, (v, v)), ((a, b) -> transpose(a) * b, (v, v)), ((a, b) -> a' * b, (w, x)), (dot, (v, v)), (dot, (x, x)),
                    ((a, b) -> a * b, (x, x)), ((a, b) -> a * b, (x, w)), ((a, b) -> a' * a, (x, y)), ((a, b) -> view(a, 2:3, :) * b, (x, y)),
                    ((a, b) -> a * view(b, :, 2), (x, y)), ((a, b) -> view(a, :, 3:-1:1) * b, (x, y)), ((a, b) -> (a * b) * (a * b)', (x, y)),
                    ((a, b) -> a * b * 2, (x, y)), ((a, b) -> dot(a, b), (v, w)), ((a, b) -> kron(a, b), (x, y)), ((a, b) -> kron(a, b), (v, w)),
                    ((a, b) -> a * b, (v, drawn(T, 1, 4))), (tr, (drawn(T, 3, 3),)), (tr, (x,)), ((a, b) -> dot(a, b, a), (v, drawn(T, 3, 3))))
        @test compare(f, xs...)
    end
    for (f, xs) in (((c, a, b) -> mul!(c, a, b), (zeros(T, 4, 5), x, y)), ((c, a, b) -> mul!(c, a, b), (zeros(T, 4), x, v)),
                    ((c, a, b) -> mul!(c, a, b, T(2), T(3)), (drawn(T, 4, 5), x, y)), ((c, a, b) -> mul!(c, a, b, 2, 1), (drawn(T, 4), x, v)),
                    ((c, a, b) -> mul!(c, a', b), (zeros(T, 3), x, w)), ((c, a, b) -> mul!(c, a, transpose(b)), (zeros(T, 4, 5), x, copy(transpose(y)))),
                    ((c, a, b) -> mul!(c, a', b, 1, 2), (drawn(T, 3, 3), x, drawn(T, 4, 3))), ((c, a, b) -> mul!(c, a, b, true, false), (zeros(T, 4, 5), x, y)),
                    ((c, a, b) -> mul!(c, a', b'), (zeros(T, 3, 5), x, drawn(T, 5, 4))), ((c, a, b) -> mul!(view(c, :, 1), a, b), (zeros(T, 4, 2), x, v)),
                    ((c, a, b) -> mul!(c, a, b), (zeros(T, 3, 5), x, y)), ((c, a, b) -> mul!(c, a, b, 0, 2), (drawn(T, 4, 5), x, y)))
        @test compare(f, xs...)
    end
    for (S, f) in ((Float64, *), (Int16, *), (ComplexF32, *), (Float64, (a, b) -> a' * b'), (ComplexF32, (a, b) -> transpose(a) * transpose(b)))
        z = f === (*) ? drawn(S, 3, 2) : drawn(S, 2, 4)
        @test compare(f, x, z)
    end
end

@testset "multiples of $T" for T in NUMBERS
    x, y, v, w = drawn(T, 3, 4), drawn(T, 3, 4), drawn(T, 3), drawn(T, 4)
    for (f, xs) in (((a, b) -> rmul!(a, T(2)), (x, y)), ((a, b) -> lmul!(T(2), a), (x, y)), ((a, b) -> axpy!(T(2), a, b), (x, y)),
                    ((a, b) -> axpby!(T(2), a, T(3), b), (x, y)), ((a, b) -> mul!(a, b, T(2)), (x, y)), ((a, b) -> mul!(a, T(2), b), (x, y)),
                    ((a, b) -> mul!(a, b, 2, 1, 3), (x, y)), ((a, b) -> lmul!(Diagonal(b), a), (x, v)), ((a, b) -> rmul!(a, Diagonal(b)), (x, w)),
                    ((a, b) -> Diagonal(b) * a, (x, v)), ((a, b) -> a * Diagonal(b), (x, w)), ((a, b) -> mul!(similar(a), Diagonal(b), a), (x, v)),
                    ((a, b) -> mul!(similar(a), a, Diagonal(b)), (x, w)), ((a, b) -> Diagonal(b) * b, (x, v)), ((a, b) -> a + 2b, (x, y)))
        @test compare(f, xs...)
    end
    T <: Integer && continue
    @test compare(a -> rdiv!(a, T(2)), x)
    @test compare(a -> ldiv!(T(2), a), x)
    @test compare((a, b) -> Diagonal(b) \ a, x, v)
    @test compare((a, b) -> a / Diagonal(b), x, w)
    @test compare((a, b) -> ldiv!(Diagonal(b), a), x, v)
    @test compare((a, b) -> rdiv!(a, Diagonal(b)), x, w)
end

@testset "transposes and triangles of $T" for T in NUMBERS
    x, z, v = drawn(T, 3, 4), drawn(T, 4, 4), drawn(T, 4)
    for f in (a -> copy(a'), a -> copy(transpose(a)), permutedims, a -> a'', a -> Array(a') == x', a -> transpose(transpose(a)), a -> adjoint(a) .+ 0,
              tril, triu, a -> tril(a, 1), a -> triu(a, -1), a -> tril(a, -2), a -> triu(a, 2), tril!, triu!, a -> tril!(a, 1), a -> triu!(a, 1),
              a -> istriu(triu(a)), istril, a -> diag(a), a -> diag(a, 1), a -> diag(a, -1), isdiag, a -> isbanded(a, 1, 1))
        @test compare(f, x)
    end
    for f in (issymmetric, ishermitian, a -> issymmetric(a + transpose(a)), a -> ishermitian(a + a'), a -> Symmetric(a) * a, a -> a * Symmetric(a, :L),
              a -> Hermitian(a) * a, a -> UpperTriangular(a) * a, a -> a * LowerTriangular(a), a -> UnitUpperTriangular(a) * a,
              a -> UpperTriangular(a) + a, a -> Symmetric(a) + a, a -> UpperTriangular(a) * UpperTriangular(a) isa AbstractMatrix,
              a -> transpose(UpperTriangular(a)) * a, a -> LowerTriangular(a)' * a, a -> Array(UpperTriangular(a)) == triu(Array(a)),
              a -> copyto!(similar(a), UpperTriangular(a)), a -> copyto!(similar(a), Symmetric(a)), a -> sum(Symmetric(a)), a -> 2 * UpperTriangular(a) .+ 0,
              a -> mul!(similar(a), UpperTriangular(a), a), a -> mul!(similar(a), a, Symmetric(a)), a -> lmul!(UpperTriangular(a), copy(a)),
              a -> rmul!(copy(a), LowerTriangular(a)), a -> a + Diagonal(a[:, 1]), a -> Diagonal(a[:, 1]) + a, a -> Diagonal(a) .+ 0, a -> diag(a),
              a -> a - Diagonal(a[:, 1]), a -> Symmetric(a)[1:2, :], a -> UpperTriangular(a)[:, 2], a -> copy(Diagonal(a[:, 1])) * a,
              a -> transpose(Symmetric(a)) * a, a -> Hermitian(a)' * a, a -> similar(UpperTriangular(a)) isa UpperTriangular,
              a -> Matrix(Diagonal(a[:, 2])) == Diagonal(z[:, 2]), a -> a^2, a -> a^3, a -> tr(UpperTriangular(a)), a -> triu(Symmetric(a)) .+ 0)
        @test compare(f, z)
    end
    for f in (a -> diagm(a), a -> diagm(0 => a), a -> diagm(1 => a), a -> diagm(-1 => a, 2 => a[1:3]), a -> Diagonal(a) * Diagonal(a) * a,
              a -> Diagonal(a) + Diagonal(a), a -> Diagonal(a)', a -> tr(Diagonal(a)), a -> Array(Diagonal(a)) == Diagonal(v), a -> diag(Diagonal(a)),
              a -> 2Diagonal(a), a -> Diagonal(a) .* 2, a -> Diagonal(a) + I, a -> det(Diagonal(a)), a -> sum(Diagonal(a)), a -> Diagonal(a)[2:3, :],
              a -> a' * Diagonal(a), a -> copyto!(Diagonal(similar(a)), Diagonal(a)), a -> map(e -> 2e, a'), a -> a' .+ a, a -> size(a'), a -> sum(a'))
        @test compare(f, v)
    end
end

@testset "norms of $T" for T in NUMBERS
    v, x = drawn(T, 7), drawn(T, 3, 4)
    for f in (norm, a -> norm(a, 1), a -> norm(a, 2), a -> norm(a, Inf), a -> norm(a, -Inf), a -> norm(a, 0), a -> norm(a, 3), normalize,
              a -> norm(a[1:0]))
        @test compare(f, v)
        T <: Union{Float16,Integer} && f === normalize && continue
        f === normalize || @test compare(f, x)
    end
    T in (FOR_LAPACK..., Int32, Int64) || continue
    for f in (opnorm, a -> opnorm(a, 1), a -> opnorm(a, Inf), a -> norm(a'), a -> norm(view(a, 1:2, :)))
        @test compare(f, x)
    end
    T in FOR_LAPACK && @test compare(normalize!, v)
end

factorize_of(a) = factorize(UpperTriangular(a) .+ 0) isa UpperTriangular

@testset "equations and factors of $T" for T in in_turn(FOR_LAPACK)
    z, p, x, v, y = drawn(T, 4, 4) + 2I, definite(T, 4), drawn(T, 5, 3), drawn(T, 4), drawn(T, 4, 2)
    for f in ((a, b) -> a \ b, (a, b) -> UpperTriangular(a) \ b, (a, b) -> LowerTriangular(a) \ b, (a, b) -> UnitUpperTriangular(a) \ b, (a, b) -> a' \ b,
              (a, b) -> transpose(a) \ b, (a, b) -> lu(a) \ b, (a, b) -> qr(a) \ b, (a, b) -> Symmetric(a) \ b, (a, b) -> UpperTriangular(a)' \ b,
              (a, b) -> ldiv!(lu(a), copy(b)), (a, b) -> ldiv!(UpperTriangular(a), copy(b)), (a, b) -> ldiv!(similar(b), lu(a), b),
              (a, b) -> copy(b') / a, (a, b) -> copy(b') / UpperTriangular(a), (a, b) -> b' / a, (a, b) -> svd(a) \ b,
              (a, b) -> rdiv!(copy(b'), UpperTriangular(a)), (a, b) -> copy(b)' / LowerTriangular(a)')
        @test compare(f, z, v)
        @test compare(f, z, y)
    end
    for f in ((a, b) -> cholesky(a) \ b, (a, b) -> cholesky(Hermitian(a)) \ b, (a, b) -> Hermitian(a) \ b, (a, b) -> ldiv!(cholesky(a), copy(b)))
        @test compare(f, p, v)
        @test compare(f, p, y)
    end
    for f in (inv, det, logdet, logabsdet, a -> inv(UpperTriangular(a)) .+ 0, a -> det(lu(a)), a -> svdvals(a), rank, cond, pinv, exp, a -> eigvals(Hermitian(a)),
              a -> eigen(Hermitian(a)).values, a -> cholesky(a).U .+ 0, a -> cholesky(a).L .+ 0, a -> isposdef(a), a -> isposdef(-a), a -> inv(cholesky(a)),
              a -> logdet(cholesky(a)), a -> sqrt(Hermitian(a)) .+ 0, nullspace, factorize_of, a -> a^-1, a -> inv(Diagonal(a[:, 1])) .+ 0)
        @test compare(f, p)
    end
    for f in (a -> abs.(qr(a).R), a -> (F = qr(a); Q = F.Q; a ≈ Q * F.R), a -> (F = svd(a); a ≈ F.U * Diagonal(F.S) * F.Vt), pinv, rank, svdvals, cond,
              a -> (F = lu(a[1:3, :]); F.L * F.U ≈ a[F.p, :]), nullspace)
        @test compare(f, x)
    end
    @test compare((a, b) -> a \ b, x, drawn(T, 5))
    @test compare((a, b) -> a \ b, x, drawn(T, 5, 2))
    @test compare(inv, zeros(T, 3, 3))
    @test compare(cholesky, -p)
    @test compare((a, b) -> a \ b, z, drawn(T, 3))
end

@testset "rotations and reflections of $T" for T in in_turn(FOR_LAPACK)
    v, w = drawn(T, 5), drawn(T, 5)
    c, s = real(T)(0.6), T(0.8)
    @test compare((a, b) -> rotate!(a, b, c, s), v, w)
    @test compare((a, b) -> reflect!(a, b, c, s), v, w)
end

const TRIANGLES = (UpperTriangular, UnitUpperTriangular, LowerTriangular, UnitLowerTriangular)
const SIDES = (identity, adjoint, transpose)

@testset "triangles of wrappers of $T" for T in in_turn(NUMBERS)
    z, c = drawn(T, 4, 4), drawn(T, 4, 4)
    wrappers = (TRIANGLES..., Symmetric, Hermitian, a -> Symmetric(a, :L), a -> Diagonal(a[:, 1]), a -> Bidiagonal(a[:, 1], a[1:3, 2], :U),
                a -> Tridiagonal(a[1:3, 1], a[:, 2], a[2:4, 3]), a -> view(a, 1:3, 2:4), a -> PermutedDimsArray(a, (2, 1)))
    for W in wrappers, of in (triu, tril, a -> a .* zero(T), identity), side in SIDES, f in (istriu, istril)
        @test compare(a -> f(side(W(of(a)))), z)
    end
    for W in (TRIANGLES..., identity), side in SIDES, k in -2:2, f in (istriu, istril)
        @test compare(a -> f(side(W(a)), k), z)
    end
    for U in TRIANGLES, V in TRIANGLES, (α, β) in ((1, 0), (2, 3))
        @test compare((y, a, b) -> mul!(y, U(a), V(b), T(α), T(β)), c, z, c)
        @test compare((y, a, b) -> mul!(y, U(a)', transpose(V(b)), T(α), T(β)), c, z, c)
    end
    for uplo in ('U', 'L'), conjugate in (false, true)
        @test compare(a -> LinearAlgebra.copytri!(a, uplo, conjugate), z)
        @test compare(a -> LinearAlgebra.copytri!(view(a, 1:3, 2:4), uplo, conjugate), z)
    end
end

@testset "wrappers of Base of $T" for T in in_turn(NUMBERS)
    x, v = drawn(T, 4, 3, 2), drawn(T, 4)
    wrappers = (a -> PermutedDimsArray(a, (3, 1, 2)), a -> view(a, :, 2, :), a -> view(a, 4:-2:1, :, 1), a -> reshape(view(a, 2:3, :, :), 2, 6),
                a -> view(PermutedDimsArray(a, (2, 1, 3)), 1:2, :, 1), a -> transpose(view(a, :, :, 1)),
                a -> view(UpperTriangular(a[1:3, :, 1]), 1:2, :), a -> view(Symmetric(a[1:3, :, 1]), :, 2), a -> view(a[:, :, 1]', 2, :), a -> reshape(a[:, 1, 1]', 2, 2))
    for W in wrappers, f in (sum, a -> a .+ one(T), a -> sum(abs2, a), copy, a -> a == a, a -> maximum(abs, a), a -> map(identity, a), a -> fill!(similar(a), 1), size)
        @test compare(f ∘ W, x)
    end
    for (r, y) in ((zeros(T, 1, 3), x[:, :, 1]), (zeros(T, 4, 1), x[:, :, 1]), (zeros(T, 4), v), (zeros(T, 1), v)), op in (+, *)
        @test compare((r, y) -> Base.mapreducedim!(identity, op, r, y), r, y)
        @test compare((r, y) -> Base.mapreducedim!(identity, op, r, UpperTriangular(y[1:3, 1:3])), zeros(T, 1, 3), x[:, :, 1])
    end
    for (p, q) in ((v, v[1:2]), (v[1:3], v)), f in ((a, b) -> map(+, a, b), (a, b) -> map!(+, similar(a) .* zero(T), a, b), (a, b) -> map!(+, zero(a), b, 1:4),
                   (a, b) -> map!(-, zero(b), a), (a, b) -> map!(-, zero(a), b))
        @test compare(f, p, q)
    end
end
