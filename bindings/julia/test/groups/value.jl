# SPDX-License-Identifier: MIT
# value.jl: what depends on the values of elements: branches, checks of conversions, zeros of both signs, overflow.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

relu(x) = x > zero(x) ? x : zero(x)
steps(x) = x < 0 ? -one(x) : x == 0 ? zero(x) : x > 3 ? oftype(x, 3) : x * x
checked(x) = x < 0 ? throw(ArgumentError("negative")) : sqrt(x)

@testset "branches of $T" for T in (WHOLES..., REALS...)
    x = T[-2, -1, 0, 1, 2, 3, 4, 5]
    for f in (relu, steps, e -> isodd(round(Int, e)) ? e : -e, e -> 0 < e < 3, e -> e > 1 && e < 4, e -> e < 0 || e > 3, e -> e in (1, 2), sign,
              e -> ifelse(e > 2, e, zero(e)), e -> max(e, 1) - min(e, 1))
        @test compare(a -> f.(a), x)
        @test compare(a -> map(f, a), x)
    end
    @test compare(a -> checked.(a), T[1, 4, 9])
    @test compare(a -> checked.(a), T[1, -4, 9])
    @test compare(a -> count(e -> e > 1, a), x)
    @test compare(a -> sum(relu, a), x)
    @test compare(a -> any(e -> e == 5, a), x)
    @test compare(a -> filter(e -> 0 < e < 4, a), x)
    @test compare(a -> a[findall(e -> e > 1, a)], x)
end

@testset "conversions of $T" for T in (Int32, Int64, Float32, Float64)
    for (S, y) in ((Int8, T[1, -3, 100]), (Int8, T[1, 300]), (UInt8, T[1, 2]), (UInt8, T[1, -1]), (Bool, T[0, 1]), (Bool, T[0, 2]), (Int16, T[7]))
        @test compare(a -> S.(a), y)
        @test compare((b, a) -> (b .= a; b), zeros(S, length(y)), y; changes = all(e -> e == clamp(e, typemin(S), typemax(S)), y))
        @test compare((b, a) -> copyto!(b, a), zeros(S, length(y)), y; changes = all(e -> e == clamp(e, typemin(S), typemax(S)), y))
    end
    T <: AbstractFloat || continue
    @test compare(a -> Int.(a), T[1, 2.5])
    @test compare(a -> round.(Int, a), T[1.2, 2.5, -3.7])
    @test compare(a -> round.(Int8, a), T[1.2, 2.5, 300])
    @test compare(a -> floor.(Int, a), T[1.2, NaN])
    @test compare(a -> unsafe_trunc.(Int32, a), T[1.2, -2.7])
    @test compare(a -> trunc.(Int, a) .% Int8, T[300, 2])
end

@testset "limits of $T" for T in WHOLES
    x = T[typemax(T), typemin(T), 1, -1]
    for f in (e -> e + one(e), e -> -e, abs, e -> e * e, e -> e - one(e), ~, e -> e >> 3, e -> e << 3, sign, e -> e ÷ T(2), e -> e % T(3))
        @test compare(a -> f.(a), x)
    end
    @test compare(sum, x)
    @test compare(a -> reduce(+, a), x)
    @test compare(maximum, x)
end

@testset "zeros, infinities, nans of $T" for T in REALS
    x = T[0.0, -0.0, Inf, -Inf, NaN, 1]
    for f in (signbit, isnan, e -> 1 / e, e -> e == 0, e -> isequal(e, -0.0), e -> min(e, zero(e)), e -> max(e, zero(e)), abs, sign, e -> e + 0,
              e -> copysign(one(e), e), e -> isless(e, zero(e)), e -> ifelse(isnan(e), zero(e), e))
        @test compare(a -> f.(a), x)
    end
    for f in (a -> a == a, a -> isequal(a, a), sort, a -> findall(isnan, a), a -> minimum(a[1:4]), a -> maximum(a[1:2]),
              a -> findmax(a[1:4]), a -> unique(a) isa AbstractVector, a -> any(isinf, a), a -> count(isfinite, a), sum, prod, a -> extrema(a[1:4]))
        @test compare(f, x)
    end
end
