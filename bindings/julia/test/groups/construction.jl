# SPDX-License-Identifier: MIT
# construction.jl: constructors of arrays, uninitialised and filled ones, and conversions to and from Julia's arrays.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "uninitialised arrays of $T" for T in Arr.ELTYPES
    for dims in ((), (3,), (3, 4), (2, 3, 4), (0,), (0, 3))
        N = length(dims)
        for a in (ArrArray{T,N}(undef, dims), ArrArray{T,N}(undef, dims...), ArrArray{T}(undef, dims), ArrArray{T}(undef, dims...),
                  similar(ArrArray{T}(undef, 1), dims), similar(ArrArray{T,N}, dims), similar(ArrArray{T}(undef, dims)),
                  similar(ArrArray{Int}(undef, 1), T, dims))
            @test a isa ArrArray{T,N} && size(a) == dims && ndims(a) == N && eltype(a) === T
        end
        @test ArrArray{T,N}(undef, map(Int32, dims)) isa ArrArray{T,N}
    end
    @test_throws Union{MethodError,ArgumentError,DimensionMismatch} ArrArray{T,2}(undef, 3)
    @test_throws Exception ArrArray{T}(undef, -1)
    @test ArrArray{T,1} <: DenseArray{T,1} <: AbstractVector
end

@testset "filled arrays of $T" for T in NUMBERS
    for (a, x) in ((Arr.zeros(T, 3), zeros(T, 3)), (Arr.zeros(T, 2, 3), zeros(T, 2, 3)), (Arr.zeros(T, (2, 3)), zeros(T, 2, 3)),
                   (Arr.ones(T, 3), ones(T, 3)), (Arr.ones(T, 2, 3), ones(T, 2, 3)), (Arr.ones(T, (2,)), ones(T, 2)),
                   (Arr.fill(T(3), 2), fill(T(3), 2)), (Arr.fill(T(3), (2, 2)), fill(T(3), 2, 2)), (Arr.fill(T(3), ()), fill(T(3))),
                   (Arr.zeros(3), zeros(3)), (Arr.ones(2, 2), ones(2, 2)), (zero(ArrArray(ones(T, 2))), zeros(T, 2)),
                   (one(ArrArray(ones(T, 2, 2))), T[1 0; 0 1]), (fill!(ArrArray{T}(undef, 3), T(7)), fill(T(7), 3)),
                   (fill!(ArrArray{T}(undef, 2, 2), 1), ones(T, 2, 2)))
        @test agrees(a, x)
    end
    @test_throws MethodError one(ArrArray(ones(T, 2)))
end

@testset "identities of $T" for T in NUMBERS
    for (m, n) in ((3, 3), (2, 4), (4, 2), (0, 2))
        @test agrees(ArrArray{T}(I, m, n), Matrix{T}(I, m, n))
        @test agrees(ArrArray{T,2}(I, m, n), Matrix{T}(I, m, n))
        @test agrees(ArrArray{T}(2I, m, n), Matrix{T}(2I, m, n))
        @test agrees(ArrArray{T}(I, (m, n)), Matrix{T}(I, (m, n)))
        @test agrees(ArrArray(T(3) * I, m, n), Matrix(T(3) * I, m, n))
    end
    @test agrees(copyto!(ArrArray{T}(undef, 3, 3), I), Matrix{T}(I, 3, 3))
    @test agrees(copyto!(ArrArray{T}(undef, 2, 3), T(2) * I), Matrix{T}(T(2) * I, 2, 3))
end

@testset "from arrays of $S to $T" for S in (Int16, Int64, Float16, Float32, Float64, ComplexF32), T in NUMBERS
    S <: Complex && !(T <: Complex) && continue
    T <: Integer && !(S <: Integer) && continue
    x = S.(rand(1:9, 3, 4))
    @test agrees(ArrArray{T}(x), Array{T}(x))
    @test agrees(ArrArray{T,2}(x), Array{T,2}(x))
    @test agrees(ArrArray{T}(ArrArray(x)), Array{T}(x))
    @test agrees(convert(ArrArray{T}, x), Array{T}(x))
    @test agrees(convert(ArrArray{T,2}, ArrArray(x)), Array{T}(x))
    @test Array{T}(ArrArray(x)) == Array{T}(x) && Array{T,2}(ArrArray(x)) isa Array{T,2}
    @test convert(Array{T}, ArrArray(x)) == x && convert(Array{T,2}, ArrArray(x)) isa Array{T,2}
    @test agrees(copyto!(ArrArray{T}(undef, 3, 4), x), Array{T}(x))
    @test copyto!(Array{T}(undef, 3, 4), ArrArray(x)) == x
end

@testset "of other collections of $T" for T in (Int32, Int64, Float32, ComplexF64)
    x = drawn(T, 4, 4)
    for y in (x', transpose(x), view(x, 2:3, :), view(x, :, 4:-1:1), view(x, [1, 3], 2), reshape(x, 2, 8), PermutedDimsArray(x, (2, 1)),
              Symmetric(x), UpperTriangular(x), Diagonal(x[:, 1]), reshape(view(x, 1:2, :), 8))
        @test agrees(ArrArray(y), Array(y))
        @test ArrArray(y) isa ArrArray{T}
        @test agrees(ArrArray{ComplexF64}(y), Array{ComplexF64}(y))
    end
end

@testset "of ranges and masks" begin
    for y in (1:5, 1:2:9, Base.OneTo(4), 0.0:0.5:2.0, range(0f0, 1f0; length = 5), trues(3), [true false; false true], BitArray([true, false]),
              5:-1:1, 1:0, CartesianIndices((2, 2)))
        y isa CartesianIndices && (@test_throws ArgumentError ArrArray(y); continue)
        @test agrees(ArrArray(y), Array(y))
        @test ArrArray(y) isa ArrArray{eltype(y),ndims(y)}
        @test agrees(ArrArray{Float32}(y), Array{Float32}(y))
    end
    for y in (["a"], [1, nothing], Any[1, 2], [[1], [2]], [1 // 2])
        @test_throws ArgumentError ArrArray(y)
    end
end

@testset "of arrays of Arr" begin
    a = ArrArray([1.0 2.0; 3.0 4.0])
    @test ArrArray(a) !== a && ArrArray(a) == a
    @test convert(ArrArray, a) === a && convert(ArrArray{Float64}, a) === a && convert(ArrArray{Float64,2}, a) === a
    @test convert(AbstractArray, a) === a && convert(AbstractArray{Float64}, a) === a
    @test agrees(convert(AbstractArray{Float32}, a), Float32[1 2; 3 4])
    @test agrees(AbstractArray{Float32}(a), Float32[1 2; 3 4])
    @test agrees(float.(ArrArray([1, 2])), [1.0, 2.0]) && agrees(float(ArrArray([1, 2])), [1.0, 2.0])
    @test agrees(complex(a), complex(Array(a))) && agrees(real(complex(a)), Array(a)) && agrees(imag(complex(a)), zeros(2, 2))
    @test agrees(Float32.(a), Float32[1 2; 3 4])
    @test vec(a) isa ArrArray{Float64,1} && Array(Array(a)) == Array(a)
    @test Matrix(a) isa Matrix{Float64} && Vector(vec(a)) isa Vector{Float64} && Matrix{Float32}(a) isa Matrix{Float32}
    @test collect(a) isa Matrix && Array(a') == Array(a)' && collect(Float32, a) isa Matrix{Float32}
    @test convert(Matrix, a) == Array(a) && convert(Vector{Float32}, vec(a)) isa Vector{Float32}
end
