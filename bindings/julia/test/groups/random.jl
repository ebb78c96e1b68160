# SPDX-License-Identifier: MIT
# random.jl: arrays of random numbers: their types, sizes, ranges, that seeds repeat them and calls do not.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "rand! of $T" for T in (WHOLES..., REALS..., COMPLEXES..., Bool, UInt8)
    for dims in ((), (0,), (5,), (100, 3), (4, 5, 6))
        a = ArrArray{T}(undef, dims)
        @test rand!(a) === a && size(a) == dims
        x = Array(a)
        T <: AbstractFloat && @test all(0 .<= x .< 1)
        T <: Complex && @test all(0 .<= real.(x) .< 1) && all(0 .<= imag.(x) .< 1)
        length(x) > 50 && @test length(unique(x)) > (T in (Bool, UInt8, Float16) ? 1 : 50)
        length(x) > 50 && @test x != Array(rand!(a))
    end
    @test Arr.rand(T, 3, 4) isa ArrArray{T,2} && size(Arr.rand(T, 3, 4)) == (3, 4)
    g = Arr.Generator(7)
    first = Array(rand!(g, ArrArray{T}(undef, 99)))
    @test first != Array(rand!(g, ArrArray{T}(undef, 99)))
    @test first == Array(rand!(Random.seed!(g, 7), ArrArray{T}(undef, 99)))
    Arr.seed!(3)
    again = Array(rand!(ArrArray{T}(undef, 99)))
    Arr.seed!(3)
    @test again == Array(rand!(ArrArray{T}(undef, 99)))
    @test rand!(MersenneTwister(1), ArrArray{T}(undef, 9)) == rand!(MersenneTwister(1), Array{T}(undef, 9))
    @test rand!(view(ArrArray{T}(undef, 4, 4), 1:2, :)) isa ArrStrided{T,2}
end

@testset "randn! of $T" for T in (REALS..., COMPLEXES...)
    for dims in ((0,), (7,), (2000,), (40, 50))
        a = ArrArray{T}(undef, dims)
        @test randn!(a) === a
        x = Array(a)
        length(x) < 1000 && continue
        @test abs(sum(x) / length(x)) < 0.15 && 0.8 < sqrt(sum(abs2.(float.(x)) ./ length(x))) < 1.2
        @test x != Array(randn!(a))
    end
    @test Arr.randn(T, 3) isa ArrArray{T,1}
    g = Arr.Generator(7)
    @test Array(randn!(g, ArrArray{T}(undef, 9))) == Array(randn!(Arr.seed!(g, 7), ArrArray{T}(undef, 9)))
    T <: Real && @test all(>=(0), Array(randexp!(ArrArray{T}(undef, 99))))
end

@testset "ranges of $T" for T in (Int16, Int32, Int64, UInt8)
    x = Array(rand!(ArrArray{T}(undef, 200), T(2):T(5)))
    @test sort(unique(x)) == 2:5
    @test Array(Arr.rand(T(3):T(3), 4)) == fill(T(3), 4)
    @test sort(unique(Array(rand!(ArrArray{Float32}(undef, 200), 1:3)))) == 1:3
end

@testset "orders" begin
    v = ArrArray(collect(1:50))
    @test sort(Array(shuffle(v))) == 1:50 && Array(shuffle(MersenneTwister(2), v)) != 1:50
    w = copy(v)
    @test shuffle!(w) === w && sort(Array(w)) == 1:50
    @test shuffle(MersenneTwister(2), v) == ArrArray(shuffle(MersenneTwister(2), collect(1:50)))
end
