# SPDX-License-Identifier: MIT
# math.jl: functions of numbers, element by element, for each kind of element.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

const OF_ANY = (abs, abs2, sqrt ∘ float, exp, sin, cos, tan, sinh, cosh, tanh, asinh, conj, real, imag, angle, sign, exp2, exp10, log1p ∘ abs, inv ∘ float,
                zero, one, x -> x^2, x -> x^3, x -> float(x)^-1, sinpi, cospi, sinc, cosc, log ∘ float)
const OF_REALS = (cbrt, atan, expm1, sec, csc, cot, deg2rad, rad2deg, floor, ceil, trunc, round, x -> round(x; digits = 1), signbit, isnan, isinf, isfinite,
                  isinteger, x -> atan(x, one(x)), x -> hypot(x, one(x)), x -> min(x, one(x)), x -> max(x, one(x)), x -> clamp(x, 0, 1), x -> mod(x, one(x)),
                  x -> rem(x, one(x)), x -> div(x, one(x)), x -> fld(x, one(x)), x -> cld(x, one(x)), x -> copysign(x, -one(x)), x -> flipsign(x, -one(x)),
                  log ∘ abs, log2 ∘ abs, log10 ∘ abs, x -> sqrt(abs(x)), x -> abs(x)^0.5f0, x -> 2^x, mod2pi, sincos, x -> modf(float(x))[1],
                  x -> muladd(x, x, x), x -> (x > 1) ? x : -x, sind, cosd, tand, isodd ∘ (x -> round(Int, x)), cis ∘ (x -> x isa Float16 ? Float32(x) : x))
const WITHIN_ONE = (asin, acos, atanh, x -> log1p(-x), acosh ∘ (x -> x + 1))
const OF_WHOLES = (~, x -> x & one(x), x -> x | one(x), x -> xor(x, one(x)), x -> x << 1, x -> x >> 1, x -> x >>> 1, count_ones, leading_zeros, trailing_zeros,
                   iseven, isodd, x -> gcd(x, oftype(x, 6)), x -> lcm(x, oftype(x, 6)), x -> divrem(x, oftype(x, 3)), x -> fldmod(x, oftype(x, 3)),
                   trailing_ones, leading_ones, count_zeros, bswap, x -> x % Int8, ispow2)
results(f, x) = f.(x)
# Base has no such function of these elements, or none that computes in their type.
defined_for(f, x) =
    try
        results(f, x)
        true
    catch e
        e isa Union{MethodError,InexactError} || e isa ErrorException && occursin("not implemented", e.msg) || rethrow()
        false
    end

@testset "functions of $T" for T in NUMBERS
    x = drawn(T, 6)
    lists = T <: Complex ? (OF_ANY,) : T <: Integer ? (OF_ANY, OF_REALS, OF_WHOLES) : (OF_ANY, OF_REALS)
    for fs in lists, f in fs
        defined_for(f, x) || continue
        @test compare(a -> results(f, a), x) || (println("$f of $T"); false)
        f in (floor, abs, conj) && @test compare(a -> results(f, a), -x)
    end
    T <: Integer && continue
    small = T <: Complex ? x : x ./ T(2)
    for f in WITHIN_ONE
        defined_for(f, small) || continue
        @test compare(a -> results(f, a), small) || (println("$f of $T"); false)
    end
    T <: Complex && continue
    odd = T[0, -0.0, Inf, -Inf, NaN, floatmax(T), floatmin(T), 1]
    for f in (abs, exp, floor, ceil, sign, isnan, isinf, isfinite, tanh, atan, signbit, x -> x + 1, x -> x * 2, x -> -x, x -> min(x, one(x)),
              x -> max(x, one(x)), cbrt, expm1, x -> ldexp(x, 2))
        defined_for(f, odd) || continue
        @test compare(a -> results(f, a), odd) || (println("$f of $T"); false)
    end
end

@testset "powers of $T" for T in NUMBERS
    x = drawn(T, 5) .+ one(T)
    for f in (e -> e^0, e -> e^1, e -> e^2, e -> e^3, e -> e^4, e -> float(e)^-2, e -> float(e)^0.5, e -> e^T(2))
        defined_for(f, x) || continue
        @test compare(a -> results(f, a), x)
    end
    @test compare((a, b) -> a .^ b, x, [0, 1, 2, 3, 2])
    T <: Integer || @test compare((a, b) -> a .^ b, x, drawn(T, 5))
end
