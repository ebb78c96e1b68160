# SPDX-License-Identifier: MIT
# statistics.jl: means, spreads, medians and correlations under Statistics' names.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "means and spreads of $T" for T in NUMBERS
    x, v = drawn(T, 6, 4), drawn(T, 9)
    for f in (mean, a -> mean(a; dims = 1), a -> mean(a; dims = 2), a -> mean(a; dims = (1, 2)), a -> mean(abs2, a), a -> mean(e -> e + 1, a; dims = 1),
              var, std, a -> var(a; dims = 1), a -> std(a; dims = 2), a -> var(a; corrected = false), a -> std(a; corrected = false),
              a -> var(a; dims = 1, corrected = false), a -> mean(a'), a -> var(view(a, 1:3, :)), a -> mean(a; dims = 3))
        @test compare(f, x)
    end
    for f in (mean, var, std, a -> var(a; mean = mean(a)), a -> std(a; mean = mean(a)), a -> mean(a; dims = 1), a -> var(a; mean = one(T)))
        @test compare(f, v)
    end
    @test compare(a -> var(a; dims = 1, mean = mean(a; dims = 1)), x)
    @test compare((r, a) -> mean!(r, a), zeros(T <: Integer ? Float64 : T, 6, 1), x)
    @test compare((r, a) -> mean!(r, a), zeros(T <: Integer ? Float64 : T, 1, 4), x)
    @test compare(mean, T[])
end

@testset "covariances of $T" for T in (Int32, Int64, Float32, Float64, ComplexF32, ComplexF64)
    x, y, v, w = drawn(T, 6, 3), drawn(T, 6, 2), drawn(T, 7), drawn(T, 7)
    for (f, xs) in ((cov, (v,)), (cov, (v, w)), (cov, (x,)), (cov, (x, y)), (a -> cov(a; dims = 2), (x,)), (a -> cov(a; corrected = false), (x,)),
                    (a -> cov(a; corrected = false), (v,)), (cor, (v,)), (cor, (v, w)), (cor, (x,)), (cor, (x, y)), (a -> cor(a; dims = 2), (x,)),
                    ((a, b) -> cov(a, b; corrected = false), (x, y)), ((a, b) -> cov(a, b), (x, v[1:6])), ((a, b) -> cor(a, b), (v[1:6], x)))
        @test compare(f, xs...)
    end
end

@testset "medians and quantiles of $T" for T in (WHOLES..., REALS...)
    v, x = drawn(T, 9), drawn(T, 6, 4)
    for f in (median, a -> median(a[1:8]), a -> quantile(a, 0.5), a -> middle(a))
        @test compare(f, v)
    end
    T in (Float32, Float64) && @test compare(a -> quantile(a, [0.25, 0.5, 0.75]), v)
    @test compare(a -> median(a; dims = 1), x)
    @test compare(a -> median(a; dims = 2), x)
    @test compare(median, x)
    @test compare(median, T[])
end
