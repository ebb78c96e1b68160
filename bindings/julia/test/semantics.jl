# SPDX-License-Identifier: MIT
# semantics.jl: what Julia's functions mean for numbers, special ones above all, against Base's element by element.

const NUMBERS = (Bool[0, 1, 1], Int8[-128, -1, 3, 127], UInt8[0, 1, 200, 255], Int32[typemin(Int32), -7, 0, 2, typemax(Int32)],
    Int64[typemin(Int64), -1, 0, 2, 2^53 + 1, typemax(Int64)], UInt64[0, 1, 2^53 + 1, typemax(UInt64), UInt64(2)^63],
    Float32[-Inf, -1.5, -0.0, 0, 2, 2^24, Inf, NaN], Float64[-Inf, -2.0^63, -1, -0.0, 0, 0.5, 2.0^53, 2.0^63, 2.0^64, Inf, NaN],
    Float16[-Inf, -1, -0.0, 2, Inf, NaN])

# Bit by bit, so that signs of zeros and types count; all nan are one.
alike(x::T, y::T) where {T<:Number} = isequal(x, y)
alike(x, y) = false
alike(x::AbstractArray, y::AbstractArray) = size(x) == size(y) && eltype(x) === eltype(y) && all(map(isequal, x, y))

# Each element of one with each of the other.
function against_base(f, x, y)
    want = [f(u, v) for u in x, v in y]
    got = Array(f.(ArrArray(x), ArrArray(permutedims(y))))
    alike(got, want) || println("$f of $(eltype(x)) and $(eltype(y)): got $got, expected $want")
    @test alike(got, want)
    constant = Array(f.(ArrArray(x), y[2]))
    @test alike(constant, [f(u, y[2]) for u in x])
end

@testset "$f" for f in (==, !=, <, <=, >, >=, isless, isequal)
    # The last three are made of the others.
    some = f in (!=, >, >=) ? NUMBERS[4:3:end] : NUMBERS
    for x in some, y in some
        against_base(f, x, y)
    end
end

@testset "$f" for f in (<<, >>, >>>)
    for T in (Bool, Int8, UInt8, Int32, UInt64, Int64), N in (Int8, Int64, UInt8, Bool)
        x = T === Bool ? [true, false] : T[1, 4, 77, typemax(T), typemin(T)]
        n = N === Bool ? [false, true] : N <: Signed ? N[-65, -9, -1, 0, 1, 7, 8, 31, 64, 100] : N[0, 1, 7, 8, 63, 64, 200]
        want = [f(u, v) for u in x, v in n]
        @test alike(Array(f.(ArrArray(x), ArrArray(permutedims(n)))), want)
        for (k, v) in enumerate(n)
            @test alike(Array(f.(ArrArray(x), v)), want[:, k])
        end
        @test alike(Array(f.(3, ArrArray(n))), [f(3, v) for v in n])
    end
end

@testset "products with truth values" begin
    for T in (Float16, Float32, Float64)
        y = T[-Inf, -1, -0.0, 0, 2, Inf, NaN]
        for b in (false, true)
            @test alike(Array(b .* ArrArray(y)), b .* y)
            @test alike(Array(ArrArray(y) .* b), y .* b)
        end
        @test alike(Array(ArrArray([true, false]) .* ArrArray(permutedims(y))), [true, false] .* permutedims(y))
        @test alike(Array(ArrArray([true, false]) .* T(NaN)), [true, false] .* T(NaN))
    end
    @test Array(ArrArray([true, false]) .* (1.0 + 2im)) == [1.0 + 2im, 0]
end

@testset "quotients and remainders: $f" for f in (rem, mod, div, fld, cld)
    for T in (Int8, Int64, UInt8, Float32, Float64)
        # Quotients of floats may differ in the signs of zeros.
        x = T <: Unsigned ? T[0, 1, 7, 8, 200] : T <: Integer ? T[-8, -7, -1, 0, 1, 7, 8] : T[-7.5, -4, 3.5, 7.5]
        y = T <: Unsigned ? T[1, 3, 7] : T[-3, 3, 2]
        against_base(f, x, y)
    end
    against_base(f, [-7, 7, 9], Float64[2, 3.5, -3])
end

@testset "rounding" begin
    x = [-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5, 3.7]
    a = ArrArray(x)
    for f in (round, trunc, floor, ceil)
        @test alike(Array(f.(a)), f.(x))
        for T in (Int, Int8, Int32)
            @test alike(Array(f.(T, a)), f.(T, x))
        end
    end
    for r in (RoundNearest, RoundToZero, RoundUp, RoundDown)
        @test alike(Array(round.(a, r)), round.(x, r))
        @test alike(Array(round.(Int, a, r)), round.(Int, x, r))
    end
    @test Array(iseven.(ArrArray([-3, -2, 0, 1]))) == iseven.([-3, -2, 0, 1])
    @test Array(isodd.(ArrArray(UInt8[1, 2]))) == [true, false]
    for (f, T) in ((sinpi, Float64), (cospi, Float64), (sinpi, Float32), (cospi, Int), (sinpi, Int))
        y = T <: Integer ? T.(-4:4) : T.(-4:0.25:4)
        got = Array(f.(ArrArray(y)))
        @test got ≈ f.(y) && eltype(got) === eltype(f.(y))
        @test all(i -> !isinteger(4 * f(y[i])) || got[i] === f(y[i]), eachindex(y))
    end
    @test Array(ArrArray([7.5, -7.5]) .% 2) == [7.5, -7.5] .% 2
    @test Array(ArrArray([300, -1]) .% UInt8) == [300, -1] .% UInt8
    @test alike(Array(unsigned.(ArrArray([-1, 2]))), [-1, 2] .% UInt)
end

# Into which type which number did not go; the names of functions inside Base differ.
function inexact(f)
    try
        f()
    catch e
        e isa InexactError || rethrow()
        return (e.T, e.val)
    end
    nothing
end
@testset "conversions that are not exact" begin
    for (T, x) in ((Int, [1.0, 1.5]), (Int, [1.0, NaN]), (Int, [1.0, 2.0^63]), (Int8, [1, 128]), (UInt8, [1, -1]), (UInt, [3, -1]),
                   (Int, UInt[typemax(UInt)]), (Bool, [1, 2]), (Bool, [0.5]), (Int32, Float32[2^31]), (Float64, [1.0 + 1im]),
                   (Int, [1.0 + 0im, 1.5 + 0im]))
        want = inexact(() -> T.(x))
        @test inexact(() -> T.(ArrArray(x))) === want
        @test inexact(() -> map(v -> convert(T, v), ArrArray(x))) === want
    end
    for (T, x) in ((Int, [1.0, -2.0^63]), (UInt8, [0.0, 255.0]), (Int8, [-128, 127]), (Bool, [1.0, 0.0]), (Int, UInt[1]),
                   (Float64, [1.0 + 0im]), (Int32, [true, false]))
        @test alike(Array(T.(ArrArray(x))), T.(x))
    end
    b = ArrArray(Int8[1, 2])
    @test inexact(() -> b .= ArrArray([1, 300])) === (Int8, 300)
    @test inexact(() -> copyto!(b, ArrArray([1, 300]))) === (Int8, 300)
    @test Array(b) == [1, 2]
    @test inexact(() -> trunc.(Int, ArrArray([1e300]))) === (Int, 1e300)
    @test thrown(() -> Int.(ArrArray([1.5])), InexactError) == "InexactError: Int64(1.5)"
    @test Array(unsafe_trunc.(Int, ArrArray([1.5, -2.5]))) == [1, -2]
    @test works()
end

@testset "zeros of both signs" begin
    V = [0.0, -0.0, 1.0, -1.0, NaN, Inf]
    x, y = repeat(V; inner = 6), repeat(V; outer = 6)
    for f in (max, min), T in (Float64, Float32, Float16)
        @test isequal(Array(f.(ArrArray(T.(x)), ArrArray(T.(y)))), f.(T.(x), T.(y)))
    end
    for c in V, f in (max, min)
        @test isequal(Array(f.(ArrArray(V), c)), f.(V, c)) && isequal(Array(f.(c, ArrArray(V))), f.(c, V))
    end
    for low in V, high in V
        @test isequal(Array(clamp.(ArrArray(V), low, high)), clamp.(V, low, high))
    end
    @test Array(clamp.(ArrArray([1, 5, 9]), 6, 3)) == clamp.([1, 5, 9], 6, 3)
end
