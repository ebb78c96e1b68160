# SPDX-License-Identifier: MIT
# fuse.jl: recorded calls, in blocks and without.

x, y, z = rand(Float32, 50, 3), rand(Float32, 50, 3), rand(Float32, 50, 3)
a, b, c = ArrArray(x), ArrArray(y), ArrArray(z)
formula(a, b, c) = (t = a .* b; u = c .* a; r = t .+ u .- sqrt.(b); Arr.unsafe_free!(t); Arr.unsafe_free!(u); r)
want = Array(formula(a, b, c))

@testset "one pass" begin
    before = Arr.fuse_info()
    r = Arr.fuse(small = true) do
        @test Arr.fuse_info().depth == 1
        formula(a, b, c)
    end
    after = Arr.fuse_info()
    @test after.depth == 0
    @test (after.recorded - before.recorded, after.programs - before.programs) == (3, 1)
    @test Array(r) == want
end

@testset "small results" begin
    before = Arr.fuse_info().recorded
    @test Array(Arr.fuse(() -> formula(a, b, c))) == want
    @test Arr.fuse_info().recorded == before + (Arr.device(a) == HOST ? 0 : 3)
end

@testset "values inside" begin
    Arr.fuse(small = true) do
        t = a .+ 1
        @test Array(t) == x .+ 1
        u = a .* 2
        a .= 0
        @test Array(u) == x .* 2
        copyto!(a, x)
        @test sum(a .> 0.5f0) == sum(x .> 0.5f0)
        Arr.fuse_flush()
    end
    @test Arr.fuse(() -> sum(a .* b); reorder = true, small = true) ≈ sum(x .* y)
    w, b_host = Arr.wrap(copy(x)), ArrArray(y; device = HOST)
    @test Array(Arr.fuse(() -> w .+ b_host; shared = true, small = true)) == x .+ y
end

@testset "without a block" begin
    Arr.fuse_automatic!(:host)
    large = ArrArray(rand(Float32, 600, 300); device = HOST)
    before = Arr.fuse_info()
    r = sqrt.(large .* 2f0) .+ large   # one broadcast
    s = (r + large) - large * 2f0      # three operators
    @test Arr.fuse_info().recorded - before.recorded == (haskey(ENV, "ARR_HOST_ASYNC") ? 0 : 4)
    host = Array(large)
    @test Array(s) ≈ sqrt.(host .* 2f0) .+ host .+ host .- host .* 2f0
    Arr.fuse_automatic!(:never)
    recorded = Arr.fuse_info().recorded
    @test Array(large + large) == 2 .* host
    @test Arr.fuse_info().recorded == recorded
    Arr.fuse_automatic!(:host)
    @test_throws ArgumentError Arr.fuse_automatic!(:always)
end

@testset "mistakes" begin
    @test_throws DimensionMismatch Arr.fuse(() -> a .+ ArrArray(zeros(Float32, 7, 3)))
    @test Arr.fuse_info().depth == 0
    @test_throws ErrorException Arr.fuse(() -> error("mine"))
    @test Arr.fuse_info().depth == 0
    @test occursin("no scope", thrown(() -> Arr.@check(LibArr.arr_fuse_end()), ArgumentError))
    @test works()
end
