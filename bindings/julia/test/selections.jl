# SPDX-License-Identifier: MIT
# selections.jl: views of lists and masks against Julia's own.

x = reshape(collect(1.0:24.0), 4, 6)
m = x .% 5 .== 0
indices = (([1, 3], :), (:, [6, 1]), ([4, 2], [2, 5]), (2, [3, 1]), (m,), ([24, 3],), ([true, false, true, true], 1:2:5),
           ([CartesianIndex(4, 6), CartesianIndex(1, 2)],))

@testset "read" begin
    a = ArrArray(x)
    for I in indices
        v, w = view(a, I...), view(x, I...)
        @test v isa ArrSelection{Float64,ndims(w)} && size(v) == size(w) && parent(v) isa Arr.AnyArr
        @test Array(v) == w && collect(v) == w && Array(copy(v)) == w && Array(ArrArray(v)) == w && Array{Float32}(v) == w
        @test Array(v .* 2 .+ sum(v)) == w .* 2 .+ sum(w)
        @test Array(sum(v; dims = 1)) == sum(w; dims = 1) && maximum(abs, v) == maximum(abs, w) && mean(v) ≈ mean(w)
        @test any(v .> 5) == any(w .> 5) && count(>(5), v) == count(>(5), w) && Array(v[:]) == w[:] && v == copy(w)
        @test copyto!(zeros(size(w)), v) == w && Array(copyto!(ArrArray(zeros(size(w))), v)) == w
        @test similar(v) isa ArrArray && occursin("ArrSelection", sprint(show, MIME("text/plain"), v))
    end
    v = view(a, a .> 20)
    @test Array(sort(v; rev = true)) == [24, 23, 22, 21] && argmax(v) == 4 && Array(map(sqrt, v)) == sqrt.(21:24)
    @test_throws Arr.ScalarIndexingError v[2]
    @test @allowscalar(v[2]) == 22
    @test Array(@views(a[[1, 2], 1] .+ a[1:2, 2])) == x[1:2, 1] .+ x[1:2, 2]
    @test_throws BoundsError view(a, [5], 1)
    @test_throws ArgumentError view(v, 1:2)
end

@testset "written" begin
    for I in indices
        a, y = ArrArray(x), copy(x)
        v, w = view(a, I...), view(y, I...)
        v .= -1
        w .= -1
        @test Array(a) == y
        v .= ArrArray(reshape(collect(1.0:length(w)), size(w)))
        w .= reshape(1.0:length(w), size(w))
        @test Array(a) == y
        v .+= 10
        w .+= 10
        @test Array(a) == y
        fill!(v, 7)
        fill!(w, 7)
        @test Array(a) == y
        copyto!(v, reshape(collect(1.0:length(w)), size(w)))
        copyto!(w, reshape(collect(1.0:length(w)), size(w)))
        @test Array(a) == y
    end
    a, y = ArrArray(x), copy(x)
    @views a[a .> 20] .= 0
    y[y .> 20] .= 0
    a[[1, 2], :] .= ArrArray([5.0, 6.0])
    y[[1, 2], :] .= [5.0, 6.0]
    @test Array(a) == y
    @test_throws DimensionMismatch view(a, [1, 2], :) .= ArrArray(ones(3, 6))
    @test_throws DimensionMismatch copyto!(view(a, [1, 2], 1), [1.0])
    @test_throws ArgumentError view(a, [1, 2], :)[1, 1] = 2
    @test Array(a) == y
end

@testset "updated" begin
    n = ArrArray(zeros(Int, 4))
    @test Arr.update!(:add, n, 1, [2, 4, 2, 2]) === n && Array(n) == [0, 3, 0, 1]
    Arr.update!(:add, n, [10, 20, 30], ArrArray([1, 1, 4]))
    @test Array(n) == [30, 3, 0, 31]
    Arr.update!(:multiply, n, 2, 1:2)
    @test Array(n) == [60, 6, 0, 31]
    a = ArrArray(zeros(2, 3))
    Arr.update!(:add, a, [1.0, 2.0], :, [1, 3, 3])
    @test Array(a) == [1 0 2; 2 0 4]
    @test_throws Exception Arr.update!(:no_such, n, 1, [1])
    @test_throws BoundsError Arr.update!(:add, n, 1, [5])
end

@testset "dimensions in another order" begin
    x = rand(4, 3, 2)
    @test Array(permutedims(view(ArrArray(x), [1, 3], :, :), (3, 2, 1))) == permutedims(view(x, [1, 3], :, :), (3, 2, 1))
    @test Array(permutedims(view(ArrArray(x[:, :, 1]), [1, 3], :))) == permutedims(x[[1, 3], :, 1])
end

@testset "slices" begin
    a = ArrArray(x)
    @test Array(selectdim(a, 2, 3)) == selectdim(x, 2, 3) && Array(selectdim(a, 1, 2:3)) == selectdim(x, 1, 2:3)
    @test Array(selectdim(a, 1, [4, 1])) == selectdim(x, 1, [4, 1])
    @test [sum(r) for r in eachrow(a)] == [sum(r) for r in eachrow(x)]
    @test [Array(c) for c in eachcol(a)] == [c for c in eachcol(x)]
    @test [Array(s) for s in eachslice(a; dims = 2)] == [s for s in eachslice(x; dims = 2)]
    foreach(c -> c .= 1, eachcol(a))
    @test all(a .== 1)
end
