# SPDX-License-Identifier: MIT
# expressions.jl: formulas given as text.

x, y = rand(4, 3), rand(4, 3)
a, b = ArrArray(x), ArrArray(y)

@testset "formulas" begin
    e = Arr.expression("sqrt(a*a + b*b)")
    @test e.names == ["a", "b"]
    @test e(a, b) isa ArrArray
    @test Array(e(a, b)) ≈ hypot.(x, y)
    @test Array(e(view(a, :, 2), view(b, :, 1))) ≈ hypot.(x[:, 2], y[:, 1])
    @test Array(e(a, ArrArray(y[:, 1]))) ≈ hypot.(x, y[:, 1])            # a vector is a column, as in Julia
    @test Array(Arr.expression("u - v", "v", "u")(a, b)) ≈ y .- x
    @test Array(Arr.expression("where(c, a, 0)")(a .> 0.5, a)) == ifelse.(x .> 0.5, x, 0.0)
    @test Array(Arr.expression("a * 0 + index(0)")(a)) == [i - 1 for i in 1:4, j in 1:3]
    @test eltype(Arr.expression("2 * a")(ArrArray(Float32[1, 2]))) === Float32
    @test occursin("sqrt", Arr.program(e, a, b))
    @test occursin("sqrt(a*a + b*b)", sprint(show, e))
end

@testset "reduced and accumulated" begin
    e = Arr.expression("a * b")
    @test e(a, b; reduce = :sum) ≈ sum(x .* y)
    @test Array(e(a, b; reduce = :max, dims = 1)) ≈ maximum(x .* y; dims = 1)
    @test Array(e(a, b; reduce = :mean, dims = (1, 2))) ≈ mean(x .* y; dims = (1, 2))
    @test Array(e(a, b; scan = :sum, dims = 2)) ≈ cumsum(x .* y; dims = 2)
end

@testset "gathers" begin
    at, cols = [4, 1, 1, 2], [3, 1, 2, 3]
    i, j = ArrArray(at), ArrArray(cols)
    v = ArrArray(x[:, 1])
    @test Array((k -> v[k] * 2).(i)) == x[at, 1] .* 2
    @test Array(((k, l) -> a[k, l] + b[1, l]).(i, j)) == [x[k, l] + y[1, l] for (k, l) in zip(at, cols)]
    @test sum(k -> v[k], i) ≈ sum(x[at, 1])
    @test occursin("load", Arr.program(k -> v[k] + 1, i))
    @test thrown(() -> Array((k -> v[k]).(ArrArray([0]))), ArgumentError) != ""
    @test thrown(() -> Array((k -> v[k]).(ArrArray([5]))), ArgumentError) != ""
    @test_throws Arr.TraceError (k -> a[k]).(i)
end

@testset "mistakes" begin
    @test occursin("column", thrown(() -> Arr.expression("a +* b"), ArgumentError))
    e = Arr.expression("a + b")
    @test_throws ArgumentError e(a)
    @test_throws ArgumentError e(a, b; reduce = :nothing_like_it)
    @test_throws ArgumentError e(a, b; reduce = :sum, scan = :sum)
    @test_throws DimensionMismatch e(a, ArrArray(rand(5, 3)))
    Arr.unsafe_free!(e)
    @test_throws Arr.HandleError e(a, b)
    @test works()
end
