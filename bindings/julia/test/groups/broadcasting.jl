# SPDX-License-Identifier: MIT
# broadcasting.jl: dots over arrays, numbers, ranges, tuples, references and masks, into new and old arrays.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

outer(x, y) = x * y + one(x)
within(x, y, z) = ifelse(x > y, x, z)

@testset "operators of $T" for T in NUMBERS
    x, y, v, r = drawn(T, 4, 5), drawn(T, 4, 5), drawn(T, 4), drawn(T, 1, 5)
    for f in (+, -, *, (a, b) -> a / (b + b + one(b)), ==, !=, outer)
        @test compare((a, b) -> f.(a, b), x, y)
        @test compare((a, b) -> f.(a, b), x, v)
        @test compare((a, b) -> f.(a, b), x, r)
        @test compare((a, b) -> f.(a, b), v, r)
        @test compare(a -> f.(a, T(2)), x)
        @test compare(a -> f.(T(2), a), x)
        @test compare(a -> f.(a, 2), x)
    end
    for f in (-, abs2, conj, real, imag, zero, one, e -> e * e * e, identity, iszero, isone, isreal, e -> e^2, e -> e^3, inv ∘ (e -> e + 3), sign)
        @test compare(a -> f.(a), x)
    end
    @test compare((a, b) -> a .+ b, x, drawn(T, 3))
    @test compare(+, x, y)
    @test compare(-, x, y)
    @test compare(-, x)
    @test compare(a -> 3 * a, x)
    @test compare(a -> a * T(3), x)
    @test compare(a -> a / 4, x)
    @test compare(a -> 4 \ a, x)
end

@testset "into arrays of $T" for T in NUMBERS
    x, y, v = drawn(T, 4, 5), drawn(T, 4, 5), drawn(T, 4)
    for f! in ((a, b, c) -> (a .= b .+ c; a), (a, b, c) -> (a .+= c; a), (a, b, c) -> (a .*= b; a), (a, b, c) -> (a .= 1; a),
               (a, b, c) -> (a .= c; a), (a, b, c) -> (a[:, 2] .= c; a), (a, b, c) -> (a[:, 2:3] .= b[:, 1:2]; a),
               (a, b, c) -> (a[2, :] .= 5; a), (a, b, c) -> (view(a, 1:2, 1:2) .+= 1; a), (a, b, c) -> (@. a = b * c + 2; a),
               (a, b, c) -> (a .= a .- a'[1:1, 1:1]; a), (a, b, c) -> (@views a[1:2, :] .= b[3:4, :]; a),
               (a, b, c) -> broadcast!(+, a, b, c), (a, b, c) -> (a .= transpose(transpose(b)); a))
        @test compare(f!, x, y, v)
    end
    @test compare((a, b) -> (a .= b; a), x, drawn(T, 5))
end

@testset "ranges, tuples, references of $T" for T in (Int32, Int64, Float32, Float64, ComplexF32)
    x, v = drawn(T, 4, 5), drawn(T, 4)
    for f in (a -> a .+ (1:4), a -> a .* (1:5)', a -> a .+ (1, 2, 3, 4), a -> a .+ Ref(2), a -> a .+ (0.5:0.5:2.0), a -> a .+ [true, false, true, true],
              a -> a .* true, a -> a .+ (2,), a -> (1:4) .* a, a -> a .+ fill(2), a -> a .+ LinRange(0, 1, 4), a -> float.(a) .+ 1 // 2, a -> a .* π,
              a -> broadcast(+, a, 1), a -> a .+ Base.OneTo(4))
        @test compare(f, x)
    end
    @test compare(a -> ((e, n) -> e^n).(a, 2), v)
    @test compare(a -> Base.literal_pow.(^, a, Val(2)), v)
end

@testset "types from $T" for T in (WHOLES..., REALS...)
    x = drawn(T, 6)
    T in (Float32, Float64) && @test compare(a -> complex.(a), x)
    sizeof(T) < 8 && @test compare(a -> widen.(a), x)
    for S in (Int16, Int64, Float16, Float32, Float64, ComplexF32)
        @test compare(a -> S.(a .- a .+ one(T)), x)
        @test compare((a, b) -> a .+ b, x, drawn(S, 6))
        @test compare((a, b) -> a .* b, x, drawn(S, 6))
        @test compare(a -> convert.(S, round.(a)), x)
    end
    for f in (e -> convert(T, 2) + e, e -> T(2) * e, e -> oftype(e, 2) + e, float, e -> e isa Integer ? e : -e, e -> typemax(e) > e, e -> float(e) + eps(typeof(float(e))),
              e -> e > 0 ? e : -e, e -> 0 < e < 5, e -> clamp(e, T(2), T(3)), e -> min(e, T(2)), e -> max(e, T(2)), e -> e % T(2),
              e -> round(Int, e), e -> trunc(Int, e), e -> floor(e), e -> ceil(Int, e), signbit, e -> copysign(e, -one(e)), abs, e -> muladd(e, e, e),
              e -> isnan(e) | isinf(e), isfinite, e -> div(e, T(2)), e -> rem(e, T(2)), e -> mod(e, T(3)),
              e -> fld(e, T(2)), e -> e == 1 || e == 2, e -> (e > 1) & (e < 3), e -> !(e > 1), e -> xor(e > 1, e > 2))
        @test compare(a -> f.(a), x)
    end
    @test compare((a, b, c) -> within.(a, b, c), x, drawn(T, 6), drawn(T, 6))
    @test compare((a, b) -> ifelse.(a .> b, a, b), x, drawn(T, 6))
    @test compare((a, b) -> @.(a > b ? a : b), x, drawn(T, 6))
    @test compare((a, b) -> min.(a, b), x, drawn(T, 6))
    @test compare((a, b) -> max.(a, b), x, drawn(T, 6))
    @test compare((a, b) -> (a .> 2) .& (b .< 5), x, drawn(T, 6))
    @test compare((a, b) -> .!(a .> 2) .| (b .< 5), x, drawn(T, 6))
end

@testset "wrappers and views of $T" for T in (Int32, Float32, ComplexF64)
    x, y, v = drawn(T, 4, 4), drawn(T, 4, 4), drawn(T, 4)
    for (f, xs) in (((a, b) -> a' .+ b, (x, y)), ((a, b) -> transpose(a) .* b, (x, y)), ((a, b) -> view(a, 2, :) .+ b, (x, v)),
                    ((a, b) -> view(a, :, 4:-1:1) .- b, (x, y)), ((a, b) -> a .+ b', (v, v)), ((a, b) -> view(a, [1, 3], :) .+ 1, (x, y)),
                    ((a, b) -> UpperTriangular(a) .+ b, (x, y)), ((a, b) -> Diagonal(a) .+ b, (v, y)),
                    ((a, b) -> reshape(a, 2, 8) .+ 1, (x, y)), ((a, b) -> PermutedDimsArray(a, (2, 1)) .+ b, (x, y)))
        @test compare(f, xs...)
    end
    T <: Complex || @test compare((a, b) -> (a' .= b; a), x, y)         # the adjoint of a complex array is read-only
    @test compare((a, b) -> (transpose(a) .= b; a), x, y)
    @test compare(a -> sum(a .+ a; dims = 1) .* a, x)
    @test compare(a -> a .+ 1, zeros(T, 0, 3))
    @test compare(a -> a .+ 1, fill(T(2)))
end

struct Scale{T}
    factor::T
end
(s::Scale)(x) = s.factor * x

@testset "functions with state" begin
    x = drawn(Float64, 5)
    k = 2.5
    @test compare(a -> (e -> k * e).(a), x)
    @test compare(a -> Scale(3.0).(a), x)
    @test compare(a -> Base.Fix2(^, 2).(a), x)
    @test compare(a -> (sqrt ∘ abs).(a), x)
    @test compare(a -> ((e, p) -> e * p[1] + p[2]).(a, Ref((2.0, 1.0))), x)
    @test compare(a -> (e -> (s = zero(e); for i in 1:4 s += e^i end; s)).(a), x)
    @test compare(a -> ((e, n) -> e + n.a).(a, Ref((a = 2.0,))), x)
    @test compare(a -> evalpoly.(a, Ref((1.0, 2.0, 3.0))), x)
    @test compare(a -> (e -> @evalpoly(e, 1, 2, 3)).(a), x)
end
