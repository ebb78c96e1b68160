# SPDX-License-Identifier: MIT
# base.jl: copies, shapes, arrangements, equality and searches under Base's names.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "copies of $T" for T in NUMBERS
    x, y = drawn(T, 4, 5), drawn(T, 4, 5)
    @test compare(copy, x)
    @test compare(deepcopy, x)
    @test compare(copyto!, x, y)
    @test compare(copyto!, zeros(T, 30), y)
    @test compare((a, b) -> copyto!(a, 3, b, 2, 6), x, y)
    @test compare((a, b) -> copyto!(a, 3, b), x, y)
    @test compare((a, b) -> copyto!(a, 30, b, 2, 6), x, y)
    @test compare((a, b) -> copyto!(a, CartesianIndices((2:3, 1:2)), b, CartesianIndices((1:2, 3:4))), x, y)
    @test compare(copy!, x, y)
    @test compare(a -> collect(a) isa Array, x)
    @test compare(a -> Array(a) == x, x)
    @test compare((a, b) -> (view(a, 1:2, :) .= view(b, 3:4, :); a), x, y)
    @test compare((a, b) -> copyto!(view(a, 2:3, 2:3), view(b, 1:2, 4:5)), x, y)
    @test compare(fill!, x, T(3))
    @test compare(a -> fill!(view(a, 2, :), 7), x)
    @test compare(zero, x)
    @test compare(a -> one(a), drawn(T, 3, 3))
    @test compare(a -> (b = similar(a); (size(b), eltype(b))), x)
    @test compare(a -> (b = similar(a, Float32); (size(b), eltype(b))), x)
    @test compare(a -> (b = similar(a, 7); (size(b), eltype(b))), x)
    @test compare(a -> (b = similar(a, Int, 2, 3); (size(b), eltype(b))), x)
    @test compare(a -> (b = similar(view(a, :, 2)); (size(b), eltype(b))), x)
    @test compare(a -> (copyto!(Array{T}(undef, size(a)), a) == x), x)
end

@testset "shapes of $T" for T in (Int32, Float32, ComplexF64)
    x, v, z = drawn(T, 3, 4, 2), drawn(T, 6), drawn(T, 4, 6)
    for f in (a -> reshape(a, 12, 2), a -> reshape(a, (2, :)), a -> reshape(a, :), vec, a -> reshape(a, 24, 1, 1),
              a -> permutedims(a, (3, 1, 2)), a -> permutedims(a, [2, 1, 3]), a -> dropdims(sum(a; dims = 2); dims = 2),
              a -> reshape(a, 5, 5), a -> permutedims(a, (1, 1, 2)), a -> PermutedDimsArray(a, (2, 3, 1)),
              a -> reshape(view(a, :, :, 1), 12), a -> reshape(permutedims(a, (2, 1, 3)), 8, 3), length, size, ndims, eltype, axes,
              a -> size(a, 2), a -> size(a, 7), isempty, lastindex, a -> lastindex(a, 2), eachindex,
              a -> length(collect(CartesianIndices(a))), a -> strides(a), a -> stride(a, 2), sizeof, Base.elsize)
        @test compare(f, x)
    end
    for f in (permutedims, transpose, adjoint, a -> permutedims(permutedims(a)), reverse, a -> reverse(a, 2, 4))
        @test compare(f, v)
    end
    for f in (permutedims, a -> copy(transpose(a)), a -> copy(a'), rotl90, rotr90, rot180, a -> rotl90(a, 3), a -> reverse(a; dims = 1),
              a -> reverse(a; dims = 2))
        @test compare(f, z)
    end
    @test compare(permutedims!, zeros(T, 6, 4), z, (2, 1))
    @test compare((b, a) -> transpose!(b, a), zeros(T, 6, 4), z)
    @test compare((b, a) -> adjoint!(b, a), zeros(T, 6, 4), z)
    @test compare(reverse!, v)
end

@testset "arrangements of $T" for T in (Int16, Int64, Float64, ComplexF32)
    v, w, x, y, c = drawn(T, 3), drawn(T, 4), drawn(T, 3, 4), drawn(T, 3, 4), drawn(T, 3, 4, 2)
    for (f, xs) in ((vcat, (v, w)), (hcat, (x, y)), (vcat, (x, y)), (hcat, (x, v)), (vcat, (x, w')), ((a, b) -> cat(a, b; dims = 3), (x, y)),
                    ((a, b) -> cat(a, b; dims = (1, 2)), (x, y)), ((a, b) -> [a b; b a], (x, y)), ((a, b) -> [a; b], (v, w)),
                    ((a, b) -> [a b], (v, v)), ((a, b) -> hcat(a, b), (x, w)), (a -> vcat(a), (v,)), (a -> hcat(a), (v,)),
                    ((a, b) -> reduce(vcat, [a, b]), (v, w)), ((a, b) -> reduce(hcat, [a, b]), (x, y)),
                    ((a, b) -> vcat(a, b, a), (v, w)), ((a, b) -> cat(a, b; dims = 2), (c, c)))
        @test compare(f, xs...)
    end
    for f in (a -> repeat(a, 2), a -> repeat(a, 2, 3), a -> repeat(a; inner = (2, 1), outer = (1, 2)),
              a -> repeat(a; outer = 3), a -> circshift(a, 1), a -> circshift(a, -2))
        @test compare(f, v)
        @test compare(f, x)
    end
    @test compare(a -> repeat(a; inner = 2), v)
    for f in (a -> circshift(a, (1, -1)), a -> circshift(a, (0, 2)), a -> repeat(a, 2, 2, 2), a -> circshift(view(a, :, 2:3), (1, 1)))
        @test compare(f, x)
    end
    @test compare((b, a) -> circshift!(b, a, (1, 2)), similar(x), x)
    @test compare((b, a) -> circshift!(b, a, 1), similar(v), v)
    @test compare(a -> clamp!(a, T(2), T(4)), T <: Complex ? real.(x) : x)
    @test compare(a -> selectdim(a, 2, 3), x)
    @test compare(a -> selectdim(a, 3, 1:2), c)
end

@testset "equality and searches of $T" for T in NUMBERS
    x = drawn(T, 4, 3)
    y, z = copy(x), x .+ one(T)
    z[1] = x[1]
    for f in (==, isequal, !=, isapprox, (a, b) -> a ≈ b, (a, b) -> hash(a) == hash(b), (a, b) -> findall(a .== b), (a, b) -> findfirst(a .== b),
              (a, b) -> count(a .== b), (a, b) -> any(a .== b), (a, b) -> all(a .== b), (a, b) -> findlast(a .== b))
        @test compare(f, x, y)
        @test compare(f, x, z)
    end
    @test compare((a, b) -> a == b, x, drawn(T, 3, 4))
    v = vec(x)
    for f in (a -> findall(==(v[2]), a), a -> findfirst(==(v[3]), a), a -> v[2] in a, a -> T(100) in a, a -> findfirst(==(T(100)), a),
              a -> findall(!=(v[1]), a), iszero, a -> findall(iszero, a), a -> any(==(v[1]), a))
        @test compare(f, x)
        @test compare(f, v)
    end
    T <: Real || continue
    for f in (a -> findall(a .> v[1]), a -> findmax(a), a -> findmin(a), argmax, argmin, a -> findall(e -> e > v[1], a), unique, a -> filter(e -> e > v[1], a))
        @test compare(f, v)
    end
    @test compare(a -> findall(a .> v[1]), x)
end

@testset "map of $T" for T in NUMBERS
    x, y = drawn(T, 3, 4), drawn(T, 3, 4)
    @test compare(a -> map(e -> e + one(e), a), x)
    @test compare((a, b) -> map(+, a, b), x, y)
    @test compare((a, b) -> map(*, a, b), x, y)
    @test compare((c, a) -> map!(e -> e * e, c, a), similar(x), x)
    @test compare((c, a, b) -> map!(-, c, a, b), similar(x), x, y)
    @test compare(a -> map(abs2, a), x)
    @test compare((a, b) -> map(+, a, b), x, drawn(T, 4, 3))
    @test compare(a -> map(conj, a), view(x, 2:3, :))
end

@testset "text and streams" begin
    for T in NUMBERS
        x = drawn(T, 3, 2)
        @test compare(a -> sprint(show, a), x)
        @test compare(a -> split(sprint(show, MIME"text/plain"(), a), '\n')[2:end], x)
        @test compare(a -> (io = IOBuffer(); serialize(io, a); seekstart(io); deserialize(io)), x)
    end
    @test compare(a -> sprint(show, view(a, 1, :)), [1.5 2.5; 3.5 4.5])
    @test compare(a -> sprint(show, a), Float64[])
    @test compare(a -> sprint(show, Diagonal(a)), [1.0, 2.0])
end
