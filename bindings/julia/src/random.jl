# SPDX-License-Identifier: MIT
# random.jl: random numbers under Random's names. The numbers depend on the seed alone, not on device or threads.

"""
    Arr.Generator([seed...]; bits = :philox4x32)

A source of random numbers on every device, by Philox4x32-10 or `:pcg64` (with NumPy's numbers), `:threefry2x32`,
`:mrg32k3a`, `:xorwow`; without a seed from the system's entropy. `Arr.generator()` is the process's own, which `Arr.seed!` starts anew. `Arr.spawn(g, n)` returns n generators with streams of their own.

    g = Arr.Generator(42)
    x = randn!(g, ArrArray{Float32}(undef, 1000, 1000))
    rand(g, 1:6, 10)
"""
mutable struct Generator <: Random.AbstractRNG
    handle::LibArr.arr_generator
    Generator(handle::LibArr.arr_generator) = finalizer(finish, new(handle))
end
release(g::Generator) = (LibArr.arr_generator_release(g.handle); nothing)
unsafe_free!(g::Generator) = finish(g)
Base.cconvert(::Type{LibArr.arr_generator}, g::Generator) = g
Base.unsafe_convert(::Type{LibArr.arr_generator}, g::Generator) = g.handle

seed_words(seed) = Int64[reinterpret(Int64, UInt64(mod(s, Int128(2)^64))) for s in seed]
const bit_generators = (philox4x32 = LibArr.ARR_PHILOX4X32, pcg64 = LibArr.ARR_PCG64,
                        threefry2x32 = LibArr.ARR_THREEFRY2X32, mrg32k3a = LibArr.ARR_MRG32K3A,
                        xorwow = LibArr.ARR_XORWOW)
function Generator(seed::Integer...; bits::Symbol = :philox4x32)
    haskey(bit_generators, bits) || throw(ArgumentError("bits: $bits, expected one of $(keys(bit_generators))"))
    out, words = Ref(LibArr.arr_generator()), seed_words(seed)
    @check LibArr.arr_generator_create_of(Int32(bit_generators[bits]), Int32(length(words)), words, out)
    Generator(out[])
end

"""Returns the generator of the process, shared by all threads."""
generator() = Generator(LibArr.arr_generator())

"""
    Arr.seed!([g], seed...)

Starts a generator anew, without one the process's own.
"""
function seed!(g::Generator, seed::Integer...)
    words = seed_words(seed)
    @check LibArr.arr_generator_seed(g, Int32(length(words)), words)
    g
end
seed!(seed::Integer...) = seed!(generator(), seed...)
Random.seed!(g::Generator, seed::Integer) = seed!(g, seed)

"""Returns `n` generators with separate streams, other ones with every call."""
function spawn(g::Generator, n::Integer)
    out = [LibArr.arr_generator() for _ in 1:n]
    @check LibArr.arr_generator_spawn(g, Int32(n), out)
    Generator.(out)
end

"""Moves a generator on by blocks of four words, as if numbers had been drawn; negative ones go back."""
function advance!(g::Generator, blocks::Integer)
    @check LibArr.arr_generator_advance(g, Int64(blocks))
    g
end

"""Returns a generator of the same stream `jumps` times the kind's jump distance ahead (PCG64's is NumPy's)."""
function jumped(g::Generator, jumps::Integer = 1)
    out = Ref(LibArr.arr_generator())
    @check LibArr.arr_generator_jumped(g, Int64(jumps), out)
    Generator(out[])
end

# ------------------------------------------------------------------------------- arrays of random numbers

# The library counts elements in row-major order: those of a contiguous array are filled as a vector, in memory's order.
in_memory(a::ArrArray) = vec(a)
in_memory(a::AnyArr) = a
const Floats = Union{Float16,BFloat16,Float32,Float64}

for (f, name) in ((:rand!, :random), (:randn!, :standard_normal), (:randexp!, :standard_exponential))
    into = Symbol(:arr_random_, name, :_into)
    @eval function Random.$f(g::Generator, a::AnyArr{<:Floats})
        v = in_memory(a)
        @check LibArr.$into(v, g, stream())
        a
    end
    @eval Random.$f(a::AnyArr{<:Floats}) = Random.$f(generator(), a)
end
# Complex numbers: their parts one after the other, normal ones with a variance of 1 together.
for (f, scale) in ((:rand!, :(one(R))), (:randn!, :(sqrt(R(0.5)))))
    @eval function Random.$f(g::Generator, a::AnyArr{Complex{R}}) where {R<:Union{Float32,Float64}}
        parts = Random.$f(g, ArrArray{R}(undef, 2, size(a)...; device = device(a)))
        rest = ntuple(_ -> :, ndims(a))
        a .= $scale .* (view(parts, 1, rest...) .+ view(parts, 2, rest...) .* complex(zero(R), one(R)))
        unsafe_free!(parts)
        a
    end
    @eval Random.$f(a::AnyArr{<:Union{ComplexF32,ComplexF64}}) = Random.$f(generator(), a)
end

function whole!(g, a, low, high)
    v = in_memory(a)
    @check LibArr.arr_random_integers_into(v, g, Ref(value(low)), Ref(value(high)), true, stream())
    a
end
const Whole = Union{Bool,Base.BitInteger}
Random.rand!(g::Generator, a::AnyArr{T}) where {T<:Whole} = whole!(g, a, typemin(T), typemax(T))
Random.rand!(g::Generator, a::AnyArr{<:Whole}, r::AbstractUnitRange{<:Integer}) = whole!(g, a, first(r), last(r))
Random.rand!(a::AnyArr{<:Whole}) = Random.rand!(generator(), a)
Random.rand!(a::AnyArr{<:Whole}, r::AbstractUnitRange{<:Integer}) = Random.rand!(generator(), a, r)
# Floats get whole numbers of a range too, as in Random.
Random.rand!(g::Generator, a::AnyArr{<:Floats}, r::AbstractUnitRange{<:Integer}) =
    a .= Random.rand!(g, ArrArray{Int}(undef, size(a); device = device(a)), r)
Random.rand!(a::AnyArr{<:Floats}, r::AbstractUnitRange{<:Integer}) = Random.rand!(generator(), a, r)

# Julia's generators draw on the host, the numbers that an Array would get; those of the library take no other collections.
const OfHost = Union{Random.MersenneTwister,Random.RandomDevice}
from_host!(a::AnyArr{T}, draw!) where {T} = copyto!(a, draw!(Array{T}(undef, size(a))))
for R in (:(Random.AbstractRNG), :OfHost)
    @eval begin
        Random.rand!(r::$R, a::AnyArr) = from_host!(a, x -> Random.rand!(r, x))
        Random.rand!(r::$R, a::AnyArr, ::Type{X}) where {X} = from_host!(a, x -> Random.rand!(r, x, X))
        Random.rand!(r::$R, a::AnyArr, values) = from_host!(a, x -> Random.rand!(r, x, values))
        Random.rand!(r::$R, a::AnyArr, values::Random.Sampler) = from_host!(a, x -> Random.rand!(r, x, values))
        Random.randn!(r::$R, a::AnyArr) = from_host!(a, x -> Random.randn!(r, x))
        Random.randexp!(r::$R, a::AnyArr) = from_host!(a, x -> Random.randexp!(r, x))
        Random.shuffle!(r::$R, a::AnyArr) = copyto!(a, Random.shuffle!(r, Array(a)))
        Random.shuffle(r::$R, a::AnyArr) = Random.shuffle!(r, copy(a))
    end
end
undrawn(a, from) = throw(ArgumentError(
    "random elements of $(eltype(a)) from $(from): a generator of Arr draws floats, integers and from ranges of integers; " *
    "rand!(MersenneTwister(seed), a, values) draws on the host"))
Random.rand!(g::Generator, a::AnyArr) = undrawn(a, eltype(a))
Random.rand!(g::Generator, a::AnyArr, values) = undrawn(a, values)
Random.rand!(g::Generator, a::AnyArr{T}, ::Type{T}) where {T} = Random.rand!(g, a)
Random.rand!(g::Generator, a::AnyArr, ::Type{X}) where {X} = undrawn(a, X)
Random.randn!(g::Generator, a::AnyArr) = undrawn(a, "the normal distribution")
Random.randexp!(g::Generator, a::AnyArr) = undrawn(a, "the exponential distribution")
Random.rand!(a::AnyArr, values) = Random.rand!(generator(), a, values)
Random.rand!(a::AnyArr, ::Type{X}) where {X} = Random.rand!(generator(), a, X)
for f in (:rand!, :randn!, :randexp!)
    @eval Random.$f(a::AnyArr) = Random.$f(generator(), a)
end

"""
    Arr.rand([g], [T = Float64 | range], dims...; device)
    Arr.randn([g], [T = Float64], dims...; device)
    Arr.randexp([g], [T = Float64], dims...; device)

Returns new arrays of uniform, normal and exponential numbers; `rand` of integers or of a range returns each of them alike.
"""
rand(g::Generator, ::Type{T}, dims::Integer...; kw...) where {T} = Random.rand!(g, ArrArray{T}(undef, dims...; kw...))
rand(g::Generator, r::AbstractUnitRange{T}, dims::Integer...; kw...) where {T<:Integer} =
    Random.rand!(g, ArrArray{T}(undef, dims...; kw...), r)
randn(g::Generator, ::Type{T}, dims::Integer...; kw...) where {T} = Random.randn!(g, ArrArray{T}(undef, dims...; kw...))
randexp(g::Generator, ::Type{T}, dims::Integer...; kw...) where {T} =
    Random.randexp!(g, ArrArray{T}(undef, dims...; kw...))
for f in (:rand, :randn, :randexp)
    @eval $f(g::Generator, dims::Integer...; kw...) = $f(g, Float64, dims...; kw...)
    @eval $f(::Type{T}, dims::Integer...; kw...) where {T} = $f(generator(), T, dims...; kw...)
    @eval $f(dims::Integer...; kw...) = $f(generator(), Float64, dims...; kw...)
end
rand(r::AbstractUnitRange{<:Integer}, dims::Integer...; kw...) = rand(generator(), r, dims...; kw...)


"""
    Arr.draw!(distribution, [g], a, parameters...)

Fills an array with numbers of one of the library's distributions, named as in arr/distributions.h: `:gamma`,
`:poisson`, `:beta`, `:binomial`, `:standard_t` and so on. Parameters are numbers.

    Arr.draw!(:gamma, ArrArray{Float64}(undef, 1000), 2.5, 1.0)
"""
function draw!(distribution::Symbol, g::Generator, a::AnyArr, parameters::Number...)
    name = Symbol(:arr_random_, distribution, :_into)
    isdefined(LibArr, name) || throw(ArgumentError("draw!: $(repr(distribution)) is no distribution"))
    f = getfield(LibArr, name)
    n = first(methods(f)).nargs - 4                    # without the function, the array, the generator and the stream
    length(parameters) == n || throw(ArgumentError("draw!: $(repr(distribution)) has $n parameters, got $(length(parameters))"))
    given, v = map(p -> Ref(value(p)), parameters), in_memory(a)
    @check f(v, g, given..., stream())
    a
end
draw!(distribution::Symbol, a::AnyArr, parameters::Number...) = draw!(distribution, generator(), a, parameters...)

# ---------------------------------------------------------------------------------------- order, choice

"""
    Arr.randperm([g], n; device)

Returns the numbers 1 to n in random order.
"""
randperm(g::Generator, n::Integer; device::DeviceLike = device()) = take(ArrArray{Int,1}, (Int(n),)) do out
    @check LibArr.arr_random_permutation(g, Int64(n), Int64(n), dtype(Int), Ref(Device(device)), stream(), out)
end .+ 1
randperm(n::Integer; kw...) = randperm(generator(), n; kw...)

"""
    shuffle!([g], a; dims = 1)

Shuffles the slices of an array along an axis in place.
"""
Random.shuffle!(g::Generator, a::AnyArr; dims::Integer = 1) =
    (@check(LibArr.arr_random_shuffle(a, g, Int32(dims - 1), false, stream())); a)
Random.shuffle!(a::AnyArr; kw...) = Random.shuffle!(generator(), a; kw...)
Random.shuffle(g::Generator, a::AnyArr; kw...) = Random.shuffle!(g, copy(a); kw...)
Random.shuffle(a::AnyArr; kw...) = Random.shuffle(generator(), a; kw...)

"""
    Arr.permuted([g], a; dims = 1)

Returns the elements in random order along a dimension, another order for each 1-D slice, where `shuffle` moves whole slices.
"""
permuted(g::Generator, a::AnyArr; dims::Integer = 1) =
    made(out -> @check LibArr.arr_random_permuted(g, a, Int32(dims - 1), true, stream(), out))
permuted(a::AnyArr; kw...) = permuted(generator(), a; kw...)

"""
    Arr.choice([g], n, dims...; replace = true, weights = nothing, device)
    Arr.choice([g], a, count; dims = 1, replace = true, weights = nothing)

Draws random numbers from 1 to n, or slices of an array along a dimension: with replacement, or without, all alike or by
`weights`, a vector of 1 in all.
"""
function choice(g::Generator, n::Integer, dims::Integer...; replace::Bool = true, weights = nothing,
                device::DeviceLike = device())
    shape = Int64[dims...]
    x = with_handles(weights) do w
        made(out -> @check LibArr.arr_random_choice(g, Int64(n), replace, w, Int32(length(shape)), shape,
                                                    Ref(Device(device)), stream(), out))
    end
    x .+ 1
end
function choice(g::Generator, a::AnyArr, count::Integer; dims::Integer = 1, replace::Bool = true, weights = nothing)
    with_handles(weights) do w
        made(out -> @check LibArr.arr_random_sample(g, a, Int32(dims - 1), replace, w, Int32(1), Int64[count],
                                                    stream(), out))
    end
end
choice(n::Union{Integer,AnyArr}, dims::Integer...; kw...) = choice(generator(), n, dims...; kw...)
