# SPDX-License-Identifier: MIT
# mapreduce.jl: questions, counts and extremes of all elements or along dimensions, with functions and first values.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

const SHAPES = ((10,) => (1, :), (10, 10) => (1, 2, (1, 2), 3, :), (10, 4, 3) => (1, 2, 3, (1, 3), (1, 2, 3), [2, 3], :))

@testset "any, all, count of $T" for T in NUMBERS
    for (dims, along) in SHAPES
        x, mask = drawn(T, dims...), rand(Bool, dims...)
        for f in (any, all, count)
            @test compare(f, mask)
            @test compare(a -> f(e -> abs(e) > 0.5, a), x)
            @test compare(a -> f(iszero, a), x)
            for d in along
                @test compare(a -> f(a; dims = d), mask)
                @test compare(a -> f(e -> abs(e) > 0.5, a; dims = d), x)
            end
        end
    end
    for f in (any, all, count)
        @test compare(f, Bool[])
        @test compare(f, drawn(T, 3))                    # no masks: an error
    end
end

@testset "sums and products of $T" for T in NUMBERS
    for (dims, along) in SHAPES
        x = drawn(T, dims...)
        T <: Integer || (x = x ./ T(4) .+ T(1))
        small = T <: Integer ? x .% T(2) .+ T(1) : x
        for (f, y) in ((sum, x), (prod, small))
            T === Float16 && f === prod && length(y) > 20 && continue       # infinite
            @test compare(f, y)
            @test compare(a -> f(abs, a), y)
            @test compare(a -> f(e -> e + 1, a), length(y) > 20 && f === prod ? y[1:9] : y)
            for d in along
                @test compare(a -> f(a; dims = d), y)
                @test compare(a -> f(abs2, a; dims = d), f === prod ? small .- small .+ one(T) : y)
            end
            @test compare(a -> f(a; init = 2), y)
        end
        @test compare(a -> mapreduce(e -> e * e, +, a), x)
        @test compare(a -> mapreduce(identity, +, a; dims = 1), x)
        @test compare(a -> mapreduce(abs, +, a; dims = 1, init = zero(real(T))), x)
        @test compare((a, b) -> mapreduce(*, +, a, b), x, x)
        @test compare((a, b) -> mapreduce(+, *, a, b; dims = 1), small[1:5, ntuple(_ -> 1, length(dims) - 1)...], small[1:5, ntuple(_ -> 1, length(dims) - 1)...])
        @test compare(a -> reduce(+, a), x)
        @test compare(a -> reduce(+, a; dims = 1), x)
        @test compare(a -> reduce(+, a; init = zero(T)), x)
        @test compare(a -> sum(view(a, 2:5, ntuple(_ -> 1, length(dims) - 1)...)), x)
    end
    @test compare(sum, T[])
    @test compare(prod, T[])
    @test compare(a -> sum(a; dims = 1), zeros(T, 0, 3))
    @test compare(a -> sum(a; dims = 2), zeros(T, 0, 3))
    @test compare(a -> mapreduce(abs, max, a), T[])
end

@testset "extremes of $T" for T in (WHOLES..., REALS...)
    for (dims, along) in SHAPES
        x = drawn(T, dims...)
        for f in (minimum, maximum, extrema)
            @test compare(f, x)
            @test compare(a -> f(abs2, a), x)
            @test compare(a -> f(e -> -e, a), x)
            for d in along
                f === extrema && d === 3 && length(dims) < 3 || @test compare(a -> f(a; dims = d), x)    # an error in Julia 1.5
                f === extrema || @test compare(a -> f(e -> 1 - e, a; dims = d), x)
            end
        end
        for d in along
            # Positions come to the host.
            for f in (findmax, findmin), k in (1, 2)
                @test compare(a -> (r = f(a; dims = d)[k]; k == 1 ? r : r == f(x; dims = d)[2]), x)
            end
            @test compare(a -> argmax(a; dims = d) == argmax(x; dims = d), x)
            @test compare(a -> argmin(a; dims = d) == argmin(x; dims = d), x)
        end
        @test compare(a -> minimum(a; init = T(-3)), x)
        @test compare(a -> maximum(a; init = T(100)), x)
        @test compare(a -> reduce(max, a; dims = 1), x)
        @test compare(a -> reduce(min, a; init = T(0)), x)
    end
    for f in (minimum, maximum, extrema, findmax, argmin)
        @test compare(f, T[])
    end
    T <: AbstractFloat || continue
    x = drawn(T, 5, 4)
    x[7] = NaN
    for f in (minimum, maximum, extrema, a -> sum(a), a -> any(isnan, a), a -> count(isnan, a), a -> maximum(a; dims = 1), findmax, argmin)
        @test compare(f, x)
    end
    @test compare(maximum, T[-0.0, 0.0])
    @test compare(minimum, T[0.0, -0.0])
end
