# SPDX-License-Identifier: MIT
# arrays.jl: creation, transfer, ranks, strides, indexing, views; mistakes leave everything usable.

@testset "there and back: $T" for T in Arr.ELTYPES
    x = T === Bool ? rand(Bool, 3, 4) : T === BFloat16 ? BFloat16.(rand(Float32, 3, 4)) : rand(T, 3, 4)
    a = ArrArray(x)
    @test a isa ArrArray{T,2}
    @test Array(a) == x
    @test Array(copy(a)) == x
    @test Array(a')[2, 3] == conj(x[3, 2])
    @test eltype(similar(a)) === T
end

@testset "rank $n" for n in 0:15
    dims = ntuple(i -> i <= 3 ? i + 1 : i == n ? 2 : 1, n)
    x = reshape(collect(Float64, 1:prod(dims)), dims)
    a = ArrArray(x)
    @test size(a) == dims
    @test ndims(a) == n
    @test Array(a) == x
    @test n == 0 || Array(a .+ 1) == x .+ 1
    @test sum(a) == sum(x)
    @test n == 0 || Array(permutedims(a, n:-1:1)) == permutedims(x, n:-1:1)
    n == 0 && @test a .+ 1 == x .+ 1
end

@testset "zero size" for dims in ((0,), (0, 3), (3, 0), (2, 0, 4))
    x = zeros(dims)
    a = ArrArray(x)
    @test Array(a) == x
    @test Array(a .+ a) == x
    @test sum(a) == 0
    @test prod(a) == 1
    @test size(sum(a; dims = 1)) == size(sum(x; dims = 1))
    @test Array(sum(a; dims = 1)) == sum(x; dims = 1)
    @test isempty(copy(view(a, ntuple(_ -> Colon(), ndims(a))...)))
    @test_throws Union{ArgumentError,DimensionMismatch} maximum(a)
end

@testset "creation" begin
    @test Array(Arr.zeros(2, 3)) == zeros(2, 3)
    @test Array(Arr.ones(Int32, 4)) == ones(Int32, 4)
    @test Array(Arr.fill(2.5f0, 2, 2)) == fill(2.5f0, 2, 2)
    @test Array(ArrArray{Float32}(2I, 3, 4)) == Matrix{Float32}(2I, 3, 4)
    @test Array(ArrArray(1:5)) == 1:5
    @test Array(ArrArray{Float64}(Int[1 2; 3 4])) == [1.0 2.0; 3.0 4.0]
    @test Array(ArrArray([1 2; 3 4]')) == [1 3; 2 4]
    @test size(ArrArray{Float32}(undef, 5, 6)) == (5, 6)
    @test Array(zero(ArrArray([1, 2]))) == [0, 0]
    @test Array{Float32}(ArrArray([1, 2])) isa Vector{Float32}
    @test convert(ArrArray, [1, 2]) isa ArrArray{Int,1}
    @test_throws ArgumentError ArrArray(["text"])
end

@testset "copyto!" begin
    a, x = ArrArray(collect(1.0:6)), zeros(6)
    @test copyto!(x, a) == 1:6
    @test Array(copyto!(a, [9.0, 8.0])) == [9, 8, 3, 4, 5, 6]
    @test Array(copyto!(a, 3, [7.0, 7.0, 7.0], 2, 2)) == [9, 8, 7, 7, 5, 6]
    @test copyto!(zeros(3), 2, a, 1, 2) == [0, 9, 8]
    @test Array(copyto!(ArrArray(zeros(Float32, 6)), a)) == Float32[9, 8, 7, 7, 5, 6]
    @test Array(copyto!(a, 2:3, [5.0, 6.0, 7.0], 2:3)) == [9, 6, 7, 7, 5, 6]
    @test copyto!(zeros(3), 1:2, a, 5:6) == [5, 6, 0] && Array(copyto!(ArrArray(zeros(3)), 3:3, a, 1:1)) == [0, 0, 9]
    @test_throws ArgumentError copyto!(a, 1:2, a, 1:3)
    @test_throws BoundsError copyto!(a, 6:7, a, 1:2)
    copyto!(a, [9.0, 8, 7, 7, 5, 6])
    @test_throws BoundsError copyto!(a, zeros(7))
    @test_throws BoundsError copyto!(a, 5, zeros(7), 1, 3)
end

@testset "views" begin
    x = collect(reshape(1.0:60, 3, 4, 5))
    a = ArrArray(x)
    for I in ((:, 2, 3), (2, :, :), (1:2, 2:3, 4), (3:-1:1, 1, :), (1:2:3, 4:-2:1, 5:-1:2), (:, :, 2:4), (:, 3:4, 1),
              (2:1, :, :), (1, 2, 3:3), (:, :, :))
        v = view(a, I...)
        @test v isa Arr.AnyArr{Float64}
        @test Array(v) == x[I...]
        @test Array(a[I...]) == x[I...]
        @test Array(v .* 2) == x[I...] .* 2
        @test sum(v) ≈ sum(x[I...])
    end
    @test view(a, :, :, 2:4) isa ArrArray{Float64,3}
    @test view(a, :, 2, 3) isa ArrArray{Float64,1}
    @test view(a, 2, :, :) isa ArrStrided{Float64,2}
    @test view(view(a, 2, :, :), 3:-1:1, 2) isa ArrStrided{Float64,1}
    @test Array(view(view(a, 2, :, :), 3:-1:1, 2)) == x[2, 3:-1:1, 2]
    @test Array(view(a, 7:12)) == x[7:12]
    @test Array(vec(a)) == vec(x)
    @test Array(a[:]) == x[:]
    @test Array(reshape(a, 6, :)) == reshape(x, 6, :)
    @test Array(PermutedDimsArray(a, (3, 1, 2))) == permutedims(x, (3, 1, 2))
    @test Array(reverse(a; dims = 2)) == reverse(x; dims = 2)
    @test Array(dropdims(view(a, 1:1, :, :); dims = 1)) == x[1, :, :]
    # Writes through views are seen in what they share.
    view(a, 2, :, 1) .= 0
    x[2, :, 1] .= 0
    a[:, 1, 5] = ArrArray([7.0, 8.0, 9.0])
    x[:, 1, 5] = [7, 8, 9]
    a[1:2, 2:3, 2] = [1 2; 3 4]
    x[1:2, 2:3, 2] = [1 2; 3 4]
    a[3:-1:1, 4, 4] .= ArrArray([1.0, 2.0, 3.0])
    x[3:-1:1, 4, 4] .= [1, 2, 3]
    @test Array(a) == x
    @test_throws BoundsError view(a, 4, :, :)
    @test_throws BoundsError a[:, :, 6]
    @test_throws DimensionMismatch reshape(a, 7, 7)
    @test_throws DimensionMismatch a[:, 1, 1] = [1.0, 2.0]
    @test_throws ArgumentError reshape(view(a, 1:2, 1:2, 1), 4)
    @test_throws ArgumentError view(a, [[1, 2]], 1, 1)
    @test occursin("CartesianIndex", thrown(() -> a["x", 1, 1], ArgumentError))
    @test works()
end

@testset "orders and strides" begin
    x = rand(4, 5)
    a = ArrArray(x)
    for (b, y) in ((a, x), (a', x'), (view(a, 4:-1:1, :), x[4:-1:1, :]), (view(a', 1:2:5, 4:-1:2), x'[1:2:5, 4:-1:2]))
        @test Array(b) == y
        @test Array(b .+ a[1, 1:1]) == y .+ x[1, 1]
        @test Array(sin.(b)) ≈ sin.(y)
        @test Array(sum(b; dims = 2)) ≈ sum(y; dims = 2)
        @test argmax(b) == argmax(collect(y))
        @test copy(b) isa ArrArray
        @test strides(copy(b)) == (1, size(y, 1))
    end
    @test strides(a') == (4, 1)
    @test (stride(a, 1), stride(a, 2), stride(a', 1), stride(a, 3)) == (1, 4, 4, length(a))
    @test strides(view(a, 4:-1:1, :)) == (-1, 4)
end

@testset "types without arrays" begin
    @test occursin("ArrTuples", thrown(() -> ArrArray([(1, 2.0)]), ArgumentError))
    @test occursin("ArrTuples", thrown(() -> ArrArray([(x = 1,)]), ArgumentError))
    @test occursin("ComplexF64", thrown(() -> ArrArray([1im]), ArgumentError))
    @test !occursin("ArrTuples", thrown(() -> ArrArray([1 // 2]), ArgumentError)) && !occursin("ArrTuples", thrown(() -> ArrArray(["a"]), ArgumentError))
end

@testset "single elements" begin
    a = ArrArray([1 2; 3 4])
    @test occursin("allowscalar", thrown(() -> a[1, 2], Arr.ScalarIndexingError))
    @test_throws Arr.ScalarIndexingError a[3] = 1
    @test @allowscalar(a[1, 2]) == 2
    @allowscalar taken = a[1, 2]
    @test taken == 2 && occursin("allowscalar", thrown(() -> a[1, 2], Arr.ScalarIndexingError))
    @test_throws ErrorException @allowscalar error("an exception")
    @test_throws Arr.ScalarIndexingError a[1, 2]
    one_element = ArrArray([5])
    @test @allowscalar(one_element[]) == 5 && Array(@allowscalar (one_element[] = 6; one_element)) == [6]
    @test_throws BoundsError a[]
    @test Array(view(one_element)) == Base.fill(6) && size(ArrArray{Int,1}()) == (0,)
    @allowscalar a[2, 1] = 30
    @test Array(a) == [1 2; 30 4]
    @test @allowscalar(a[CartesianIndex(2, 2)]) == 4 && @allowscalar(a[argmax(a)]) == 30
    @allowscalar a[CartesianIndex(1, 2)] = 20
    t = ArrArray(reshape(1:24, 2, 3, 4))
    @test @allowscalar(t[2, CartesianIndex(1, 4)]) == 20 && Array(t[CartesianIndex(2, 1), 2:3]) == [8, 14]
    @test Array(view(t, :, CartesianIndex(1, 4))) == [19, 20]
    allowscalar() do
        @test a[2] == 30
        @test a'[1, 2] == 30
        @test_throws BoundsError a[5]
    end
    @test_throws Arr.ScalarIndexingError a[1, 1]
    @test_throws Arr.ScalarIndexingError collect(x for x in a)
end

@testset "masks of $T" for T in (Float64, Int8, Bool, ComplexF32, UInt64)
    x = T === Bool ? isodd.(reshape(1:12, 3, 4)) : T.(reshape(1:12, 3, 4))
    m = [true false true false; false true true false; false false true true]
    a = ArrArray(x)
    for mask in (m, ArrArray(m), vec(m), ArrArray(vec(m)))
        @test a[mask] isa ArrArray{T,1} && Array(a[mask]) == x[m]
    end
    @test Array(a'[m']) == x'[m'] && Array(a[:, m[1, :]]) == x[:, m[1, :]] && Array(a[m[:, 1], 2]) == x[m[:, 1], 2]
    @test isempty(a[falses(3, 4)]) && size(a[falses(3), :]) == (0, 4)
    b, y = copy(a), copy(x)
    b[m], y[m] = reverse(x[m]), reverse(x[m])
    @test Array(b) == y
    b[ArrArray(m)] .= one(T)
    y[m] .= one(T)
    @test Array(b) == y
    b[vec(m)] .= ArrArray(x[m])
    y[m] .= x[m]
    @test Array(b) == y
end

@testset "masks" begin
    x = [NaN, -0.0, 3.0, 4.0]
    a = ArrArray(x)
    @test isequal(Array(a[[true, true, false, false]]), [NaN, -0.0])
    @test Array(a[a .> 2]) == [3, 4]
    a[a .> 2] .+= 10
    @test isequal(Array(a), [NaN, -0.0, 13, 14])
    @test_throws BoundsError a[[true, false]]
    @test_throws BoundsError a[[true, false]] .= 1
    @test_throws DimensionMismatch a[a .> 2] = [1]
    @test_throws InexactError ArrArray([1, 2])[[true, false]] .= 1.5
    @test isequal(Array(a), [NaN, -0.0, 13, 14])
end

@testset "identities" begin
    a = ArrArray(Float32[1 2; 3 4])
    @test one(a) isa ArrArray{Float32,2} && Array(one(a)) == I && Array(oneunit(a) * a) == Array(a)
    @test_throws DimensionMismatch one(ArrArray([1 2]))
end
