# SPDX-License-Identifier: MIT
# plans.jl: the same broadcast again, with other arrays, numbers, functions and globals.

x, y = [1.0 2 3; 4 5 6], [0.5 1.5 2; 3 -1 4]
a, b = ArrArray(x), ArrArray(y)
plans() = mapreduce(length, +, values(Arr.PLANS[].by_type); init = 0)

@testset "another call" begin
    sum_of(u, v) = u .* 2 .+ v
    into(w, u, v) = (w .= u .* 2 .+ v)
    for (u, v) in ((x, y), (y, x), (x, x), (x, y[:, 1]), (x[:, 1], y), (x, y[1:1, :]), (x[:, 1:1], y[1:1, :]), (x, [7.0]), (zeros(0, 2), zeros(0, 2)))
        c, d = ArrArray(u), ArrArray(v)
        for _ in 1:3
            @test Array(sum_of(c, d)) == u .* 2 .+ v && size(sum_of(c, d)) == size(u .* 2 .+ v)
            w = similar(u .* 2 .+ v, ndims(u) < ndims(v) ? size(v) : Base.Broadcast.broadcast_shape(size(u), size(v)))
            @test Array(into(ArrArray(zero(w)), c, d)) == u .* 2 .+ v
            @test Array(into(ArrArray(Float32.(zero(w))), c, d)) == Float32.(u .* 2 .+ v)
        end
    end
    @test Array(sum_of(view(a, :, 2:3), view(b, :, 1:2))) == x[:, 2:3] .* 2 .+ y[:, 1:2]
    @test Array(sum_of(view(a, 1, :), view(b, 2, :))) == x[1, :] .* 2 .+ y[2, :]
    @test Array(sum_of(a, a)) == 3x && Array(sum_of(a, b)) == 2x + y && Array(sum_of(b, a)) == 2y + x
    c = copy(a)
    into(c, c, c)
    @test Array(into(c, c, b)) == 6x + y
    @test_throws DimensionMismatch sum_of(a, ArrArray([1.0, 2, 3]))
    @test_throws DimensionMismatch into(c, a, ArrArray([1.0, 2, 3]))
    Arr.unsafe_free!(c)
    @test_throws Arr.HandleError sum_of(c, a)
    @test works()
end

@testset "numbers" begin
    scaled(u, s) = u .* s
    for s in (1.0, 2.0, 1.0, 3.0, 4.0, 5.0, -0.0, 0.0, NaN, 1, 2f0, true, 1.0)
        @test isequal(Array(scaled(a, s)), x .* s) && eltype(scaled(a, s)) === eltype(x .* s)
    end
    for s in (Ref(2.0), Ref(3.0))
        @test Array(a .+ s) == x .+ s
    end
    kind(T) = Array(T.(a))
    @test kind(Float32) isa Matrix{Float32} && kind(Float64) isa Matrix{Float64} && kind(Float16) isa Matrix{Float16}
    into(w, u) = (w .= u)
    @test_throws InexactError into(ArrArray(Int8[0]), ArrArray([300]))
    @test Array(into(ArrArray([0]), ArrArray([300]))) == [300]
    @test_throws InexactError into(ArrArray(Int8[0]), ArrArray([300]))
end

@testset "kept and used" begin
    twice(v) = 2v
    twice.(a)
    n = plans()
    @test n > 0
    twice.(a), twice.(b), twice.(view(a, :, 1:3))
    @test plans() == n || plans() == n + 1                          # the view's type is another
    for s in 1:20
        a .* float(s)
    end
    @test plans() <= n + 1 + Arr.MAX_OF_A_TYPE
end

# Functions that read something that may be another in the next call are traced again.
factor = 2.0
const BOX, LOOKUP = Ref(3.0), [1.0, 2.0]
by_global(v) = v * factor
by_box(v) = v * BOX[]
by_lookup(v) = v * LOOKUP[1]
by_array(v) = v + LIST[unsafe_trunc(Int, 0 * v) + 1]
const LIST = ArrArray([5.0, 6.0])
chosen() = factor
by_call(v) = v * chosen()
redefined(v) = v + 1
by_redefined(v) = redefined(v)
@testset "many calls" begin
    row = ArrArray(y[1:1, :])
    for _ in 1:300                              # a plan's expression stays as it is, also where operands are broadcast
        a .+ row
    end
    @test Array(a .+ row) == x .+ y[1:1, :]
end

@testset "functions that change" begin
    for (f, change) in ((by_global, () -> global factor = 4.0), (by_box, () -> BOX[] = 5.0), (by_lookup, () -> LOOKUP[1] = 7.0),
                        (by_call, () -> global factor = 8.0), (by_redefined, () -> @eval redefined(v) = v + 2))
        @test Array(f.(a)) == f.(x)
        change()
        @test Array(Base.invokelatest(() -> f.(a))) == Base.invokelatest(() -> f.(x))
    end
    for s in (2.0, 3.0), t in (LOOKUP, [9.0, 9.0])
        @test Array((v -> v * s + t[1]).(a)) == x .* s .+ t[1]
    end
    numbers = Float64[]
    Random.seed!(3)
    for _ in 1:4
        append!(numbers, Array((v -> v * 0 + rand()).(ArrArray([1.0]))))
    end
    @test length(unique(numbers)) == 4
    @test Array(by_array.(ArrArray([1.0, 2.0]))) == [6, 7]
    LIST .= [8.0, 9.0]
    @test Array(by_array.(ArrArray([1.0, 2.0]))) == [9, 10]
end

@testset "in blocks" begin
    total = devices(nmax = 1) do _
        c = ArrArray(x)
        sum(c .+ 1), sum(c .+ 1)
    end
    @test total == (27.0, 27.0) && Array(a .+ 1) == x .+ 1
    @test Array(Arr.fuse(() -> (a .+ 1) .* (b .+ 1))) == (x .+ 1) .* (y .+ 1)
    results = Vector{Any}(undef, 4)
    @sync for i in 1:4
        @async results[i] = Array(a .+ 1 .* b)
    end
    @test all(r -> r == x .+ y, results)
end
