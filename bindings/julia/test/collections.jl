# SPDX-License-Identifier: MIT
# collections.jl: arrays as collections against Julia's own.

x = [3.0 1.0 4.0; 1.0 5.0 9.0]
a = ArrArray(x)
v = [2, 7, 1, 8, 2]
b = ArrArray(v)

@testset "equality" begin
    @test a == x && x == a && a != x .+ 1 && b != [1]
    @test isequal(ArrArray([NaN, -0.0]), [NaN, -0.0]) && !isequal(ArrArray([0.0]), ArrArray([-0.0]))
    @test isequal(ArrArray([NaN]), ArrArray([NaN])) && ArrArray([NaN]) != ArrArray([NaN])
    @test ArrArray([0.0]) == ArrArray([-0.0]) && b == 1.0 .* v
    @test hash(a) == hash(copy(a)) && length(unique([a, copy(a)])) == 1
    for (p, q, kw) in (([1.0], [1.0 + 1e-12], ()), ([1.0], [1.1], ()), ([NaN], [NaN], ()), ([NaN], [NaN], (nans = true,)),
                       ([Inf], [Inf], ()), ([Inf], [-Inf], ()), ([Inf, 1.0], [Inf, 1.5], ()), ([1.0], [1.5], (atol = 1,)),
                       ([1e300, Inf], [1e300, Inf], ()), ([1, 2], [1.0, 2.0], ()))
        @test isapprox(ArrArray(p), ArrArray(q); kw...) == isapprox(p, q; kw...)
        @test isapprox(ArrArray(p), q; kw...) == isapprox(p, q; kw...)
        @test isapprox(p, ArrArray(q); kw...) == isapprox(p, q; kw...)
    end
    @test_throws DimensionMismatch ArrArray([1.0]) ≈ ArrArray([1.0, 2.0])
end

@testset "search" begin
    for f in (>(3), ==(1), >(100), iseven)
        @test findfirst(f, b) === findfirst(f, v)
        @test findlast(f, b) === findlast(f, v)
    end
    @test findfirst(a .> 3) == findfirst(x .> 3) && findlast(a .> 3) == findlast(x .> 3)
    @test findfirst(ArrArray(Bool[])) === nothing
    @test 7 in b && !(9 in b)
    for y in (v, [1, 2, 2, 9], [1.0, NaN], [NaN, 1.0], [-0.0, 0.0], [0.0, -0.0], Float64[], [3, 2, 1])
        @test issorted(ArrArray(y)) == issorted(y)
        @test issorted(ArrArray(y); rev = true) == issorted(y; rev = true)
        @test issorted(ArrArray(y); by = u -> -u) == issorted(y; by = u -> -u)
        for rev in (true, false)
            @test issorted(ArrArray(y); order = Base.Order.Reverse, rev = rev) == issorted(y; order = Base.Order.Reverse, rev = rev)
        end
    end
    @test_throws ArgumentError issorted(b; order = Base.Order.By(abs))
    @test Array(unique(b)) == unique(v)
end

@testset "other arrangements" begin
    for s in (0, 1, -2, 7)
        @test Array(circshift(b, s)) == circshift(v, s)
        @test Array(circshift(a, (s, 1))) == circshift(x, (s, 1))
        @test Array(rotl90(a, s)) == rotl90(x, s) && Array(rotr90(a, s)) == rotr90(x, s) && Array(rot180(a, s)) == rot180(x, s)
    end
    @test Array(circshift(a, [0, 2])) == circshift(x, [0, 2])
    @test Array(rotl90(a)) == rotl90(x) && Array(rotr90(a)) == rotr90(x) && Array(rot180(a)) == rot180(x)
    for kw in ((inner = (2, 3),), (outer = (2, 1),), (inner = (1, 2), outer = (3, 2)), (outer = (1, 2, 2),))
        @test Array(repeat(a; kw...)) == repeat(x; kw...)
    end
    @test Array(repeat(b; inner = 3)) == repeat(v; inner = 3) && Array(repeat(b, 2)) == repeat(v, 2)
    @test Array(repeat(a', 2, 2)) == repeat(x', 2, 2)
    @test size(repeat(b, 0)) == (0,)
    @test Array(copy!(similar(b), b)) == v && Array(copy!(similar(a), a)) == x
    @test_throws DimensionMismatch copy!(b, ArrArray([1]))
    @test Array(clamp!(copy(b), 2, 7)) == clamp.(v, 2, 7)
end

@testset "reinterpret" begin
    for (T, y) in ((Int32, Float32[1, 2]), (Float64, [1.0+2im, 3im]), (ComplexF64, [1.0 2; 3 4]), (UInt8, Int16[1 2 3]), (Int64, zeros(Int32, 2, 0)),
                   (Float32, reshape(ComplexF32[1, 2im, 3, 4], 1, 2, 2)), (Int64, Int32.(reshape(1:12, 4, 3))))
        c = ArrArray(y)
        d = reinterpret(T, c)
        @test d isa ArrArray{T,ndims(y)} && Array(d) == reinterpret(T, y)
        isempty(d) || (d .= 1; @test Array(c) == fill!(reinterpret(T, y), 1) |> parent)
    end
    y = reshape(1.0:24, 4, 6) .+ 0im
    c = ArrArray(y)
    @test Array(reinterpret(Float64, view(c, 2:3, :))) == reinterpret(Float64, y[2:3, :])
    for (T, z) in ((Int, ArrArray(Float32[1])), (Int, ArrArray(Base.fill(1.0f0))), (ComplexF64, ArrArray(ones(3, 2))), (Float64, transpose(c)),
                   (Int64, view(ArrArray(Int32[1, 2, 3]), 2:3)), (Rational{Int}, c))
        @test_throws ArgumentError reinterpret(T, z)
    end
    @test occursin("copy(a)", thrown(() -> reinterpret(Float64, transpose(c)), ArgumentError))
end

@testset "mapslices" begin
    x, y = [1.0 2.0; 3.0 4.0], reshape(1.0:24, 2, 3, 4)
    a, b = ArrArray(x), ArrArray(collect(y))
    for f in (sum, maximum, s -> s ./ sum(s), s -> s[1:1]), d in (1, 2, (1, 2))
        @test Array(mapslices(f, a; dims = d)) == mapslices(f, x; dims = d)
    end
    @test Array(mapslices(s -> ArrArray([1, 2, 3]), a; dims = 1)) == mapslices(s -> [1, 2, 3], x; dims = 1)
    @test Array(mapslices(sum, b; dims = [1, 3])) == mapslices(sum, y; dims = [1, 3])
    @test Array(mapslices(s -> s .+ 1, b; dims = [1, 2])) == y .+ 1
    @test_throws ArgumentError mapslices(sum, a; dims = 3)
    @test_throws DimensionMismatch mapslices(s -> ArrArray(ones(1, 1, 1)), a; dims = 1)
end
