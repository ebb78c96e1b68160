# SPDX-License-Identifier: MIT
# uniformscaling.jl: matrices with multiples of the identity.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "identities with $T" for T in NUMBERS
    x = drawn(T, 4, 4)
    for J in (I, T(3) * I, 2I, 0I, 1.5I, (1 + 2im) * I), A in (identity, a -> view(a, 4:-1:1, :), transpose)
        # The library has neither complex integers nor complex halves.
        J isa UniformScaling{<:Complex} && (T <: Integer || T === Float16) && continue
        for f in ((a, K) -> A(a) + K, (a, K) -> K + A(a), (a, K) -> A(a) - K, (a, K) -> K - A(a), (a, K) -> A(a) * K, (a, K) -> K * A(a))
            @test compare(a -> f(a, J), x)
        end
    end
    @test compare(a -> a / (T(2) * I), x)
    @test compare(a -> (T(2) * I) \ a, x)
    @test compare(a -> a == I, x)
    @test compare(a -> (a .- a) + I == I, x)
    @test compare(a -> I == (a .- a) + I, x)
    @test compare(a -> a + I, drawn(T, 3, 4))
    @test compare(a -> a * I, drawn(T, 3, 4))
    @test compare(a -> I * a, drawn(T, 4))
    @test compare(a -> copyto!(a, I), x)
    @test compare(a -> copyto!(a, T(2) * I), drawn(T, 3, 4))
    @test compare(a -> a ≈ I, x)
    @test compare(isone, x)
    @test compare(a -> isone(one(a)), x)
    @test compare((c, a) -> mul!(c, a, 2I), similar(x), x)
    @test compare((c, a) -> mul!(c, 2I, a), similar(x), x)
    @test compare(a -> rmul!(a, T(2) * I), x)
    @test compare(a -> lmul!(T(2) * I, a), x)
end

@testset "structures with $T" for T in NUMBERS
    x = drawn(T, 4, 4)
    for W in (UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, Symmetric, a -> Diagonal(a[:, 1])), J in (I, T(3) * I)
        for f in ((a, K) -> W(a) + K, (a, K) -> K + W(a), (a, K) -> W(a) - K, (a, K) -> K - W(a), (a, K) -> W(a) * K, (a, K) -> K * W(a))
            @test compare(a -> f(a, J), x)
        end
    end
    T <: Integer && continue
    @test compare(a -> Hermitian(a) + I, x)
    @test compare(a -> I - Hermitian(a), x)
    @test compare(a -> (a - I) * a, x)
end

@testset "concatenations with $T" for T in (Int32, Float32, ComplexF64)
    x = drawn(T, 3, 3)
    @test compare(a -> hcat(a, I), x)
    @test compare(a -> vcat(I, a), x)
    @test compare(a -> [a I; I a], x)
    @test compare(a -> [a 2I], x)
end
