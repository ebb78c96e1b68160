# SPDX-License-Identifier: MIT
# calculus.jl: differences, gradients, integrals, convolution and products of vectors against plain loops.

x = rand(5, 4, 3)
a = ArrArray(x)

@testset "diff" begin
    for dims in 1:3
        @test diff(a; dims = dims) isa ArrArray
        @test Array(diff(a; dims = dims)) == diff(x; dims = dims)
    end
    @test Array(diff(a; dims = 1, n = 2)) ≈ diff(diff(x; dims = 1); dims = 1)
    @test Array(diff(a; dims = 1, n = 0)) == x
    @test Array(diff(ArrArray([1, 4, 9, 16]))) == [3, 5, 7]
    @test Array(diff(ArrArray([true, false, true]))) == diff([true, false, true])
    @test Array(diff(view(a, 5:-2:1, :, 2); dims = 1)) == diff(x[5:-2:1, :, 2]; dims = 1)
    @test_throws UndefKeywordError diff(a)
    @test_throws ArgumentError diff(a; dims = 0)
end

@testset "gradient" begin
    t = collect(0:0.5:4)
    @test Array(Arr.gradient(ArrArray(t .^ 2); spacing = 0.5)) ≈ [0.5; 2t[2:end-1]; 7.5]
    @test Array(Arr.gradient(ArrArray(t .^ 2); spacing = 0.5, edge_order = 2)) ≈ 2t
    uneven = [0.0, 1.0, 1.5, 3.0, 3.25]
    @test Array(Arr.gradient(ArrArray(uneven .^ 2); spacing = ArrArray(uneven), edge_order = 2)) ≈ 2uneven
    plane = [3.0i + 5.0j for i in 1:4, j in 1:6]
    along1, along2 = Arr.gradient(ArrArray(plane))
    @test along1 isa ArrArray
    @test Array(along1) ≈ Base.fill(3.0, 4, 6) && Array(along2) ≈ Base.fill(5.0, 4, 6)
    @test Array(Arr.gradient(ArrArray(plane); dims = 2, spacing = 2)) ≈ Base.fill(2.5, 4, 6)
    @test Array(Arr.gradient(ArrArray(plane); spacing = (3, 5))[2]) ≈ ones(4, 6)
    @test eltype(Arr.gradient(ArrArray(Float32.(t)); spacing = 2)) === Float32
    @test_throws ArgumentError Arr.gradient(ArrArray(plane); spacing = (1, 2, 3))
end

@testset "integrals" begin
    y, t = [1.0, 2.0, 4.0, 8.0], [0.0, 1.0, 3.0, 3.5]
    @test Arr.trapezoid(ArrArray(y)) === 10.5
    @test Arr.trapezoid(ArrArray(y); dx = 2) === 21.0
    @test Arr.trapezoid(ArrArray(y); x = ArrArray(t)) === 1.5 + 6.0 + 3.0
    r = Arr.trapezoid(a; dims = 2)
    @test size(r) == (5, 1, 3)
    @test Array(r) ≈ sum((x[:, 1:end-1, :] .+ x[:, 2:end, :]) ./ 2; dims = 2)
    @test Array(Arr.cumulative_trapezoid(ArrArray(y); include_initial = true)) == [0, 1.5, 4.5, 10.5]
    @test size(Arr.cumulative_trapezoid(a; dims = 3)) == (5, 4, 2)
    @test_throws UndefKeywordError Arr.trapezoid(a)
end

@testset "unwrap" begin
    phase = collect(0:0.4:20)
    @test Array(Arr.unwrap(ArrArray(rem2pi.(phase, RoundNearest)))) ≈ phase
    @test Array(Arr.unwrap(ArrArray([0, 3, 2, 1]); period = 4)) == [0, -1, -2, -3]
    both = [rem2pi.(phase, RoundNearest) rem2pi.(2 .* phase, RoundNearest)]
    @test Array(Arr.unwrap(ArrArray(both); dims = 1)) ≈ [phase 2phase]
end

@testset "convolution" begin
    u, v = rand(7), rand(3)
    full = [sum(u[j] * v[k-j+1] for j in 1:7 if 1 <= k - j + 1 <= 3) for k in 1:9]
    @test Array(Arr.conv(ArrArray(u), ArrArray(v))) ≈ full
    @test Array(Arr.conv(ArrArray(u), ArrArray(v); mode = :same)) ≈ full[2:8]
    @test Array(Arr.conv(ArrArray(u), ArrArray(v); mode = :valid)) ≈ full[3:7]
    @test Array(Arr.correlate(ArrArray(u), ArrArray(v))) ≈ [sum(u[k:k+2] .* v) for k in 1:5]
    @test_throws ArgumentError Arr.conv(ArrArray(u), ArrArray(v); mode = :all)
end

@testset "products of vectors" begin
    u, v = rand(3), rand(3)
    @test Array(cross(ArrArray(u), ArrArray(v))) ≈ cross(u, v)
    @test_throws DimensionMismatch cross(ArrArray(u), ArrArray(v[1:2]))
    y = rand(ComplexF64, 4, 3)
    z = rand(ComplexF64, 4, 3)
    @test Array(Arr.vecdot(ArrArray(y), ArrArray(z); dims = 1)) ≈ sum(conj.(y) .* z; dims = 1)
    @test Arr.vecdot(ArrArray(u), ArrArray(v)) ≈ dot(u, v)
    @test works()
end
