# SPDX-License-Identifier: MIT
# tuples.jl: arrays whose elements are tuples, an array of numbers for each member.

"""
    ArrTuples{E,N} <: AbstractArray{E,N}

The result of a broadcast or `map` whose function returns tuples or named tuples of numbers: `sincos.(a)`, `minmax.(a, b)`. All
members are computed in as few passes as there is room for, and each is a separate array: `Arr.unzip(z)` returns them without
a copy.

```jldoctest
julia> z = minmax.(ArrArray([1, 4]), ArrArray([3, 2]));

julia> z isa ArrTuples
true

julia> low, high = Arr.unzip(z); Array(high) == [3, 4]
true

julia> maximum(first, z)
2
```
"""
struct ArrTuples{E,N,P<:Union{Tuple,NamedTuple}} <: AbstractArray{E,N}
    members::P
end
function ArrTuples(members::P) where {P<:Union{Tuple,NamedTuple}}
    E = of_members(P, Tuple{map(eltype, Tuple(members))...})
    ArrTuples{E,ndims(first(members)),P}(members)
end
of_members(::Type{<:Tuple}, E) = E
of_members(::Type{<:NamedTuple{names}}, E) where {names} = NamedTuple{names,E}
const Member{N} = Union{AnyArr{<:Any,N},ArrTuples{<:Any,N}}

"""
    Arr.unzip(z)

Returns the arrays that an [`ArrTuples`](@ref) is made of, in a tuple, or under their names in a named tuple.
"""
unzip(z::ArrTuples) = z.members

# An element of its members.
element(z::ArrTuples{E}, members) where {E} = convert(E, E <: Tuple ? Tuple(members) : E(Tuple(members)))

Base.size(z::ArrTuples) = size(first(z.members))
device(z::ArrTuples) = device(first(z.members))
unsafe_free!(z::ArrTuples) = foreach(unsafe_free!, z.members)
item(z::ArrTuples{<:Any,N}, at::NTuple{N,Int}) where {N} = element(z, map(a -> item(a, at), z.members))
function Base.getindex(z::ArrTuples{<:Any,N}, at::Vararg{Int,N}) where {N}
    assert_scalar("reading z[$(join(at, ","))]")
    checkbounds(z, at...)
    item(z, at)
end
Base.getindex(z::ArrTuples{<:Any,N}, i::CartesianIndex{N}) where {N} = z[Tuple(i)...]
Base.getindex(z::ArrTuples, I...) = all(i -> i isa Integer, to_indices(z, I)) ?
    z[CartesianIndices(z)[I...]] : ArrTuples(map(a -> a[I...], z.members))
Base.view(z::ArrTuples, I...) = ArrTuples(map(a -> view(a, I...), z.members))
Base.copy(z::ArrTuples) = ArrTuples(map(copy, z.members))
Base.reshape(z::ArrTuples, dims::Dims) = ArrTuples(map(a -> reshape(a, dims), z.members))
Base.vec(z::ArrTuples) = ArrTuples(map(vec, z.members))
function Base.Array(z::ArrTuples{E}) where {E}
    members = map(Array, z.members)
    E[element(z, map(a -> a[i], members)) for i in CartesianIndices(size(z))]
end
Base.Array{E,N}(z::ArrTuples{<:Any,N}) where {E,N} = convert(Array{E,N}, Array(z))
Base.collect(z::ArrTuples) = Array(z)
Base.convert(::Type{Array}, z::ArrTuples) = Array(z)
Base.:(==)(z::ArrTuples, y::ArrTuples) = size(z) == size(y) && length(z.members) == length(y.members) &&
    all(map(==, Tuple(z.members), Tuple(y.members)))
for f in (:(==), :isequal)
    @eval Base.$f(z::ArrTuples, y::AbstractArray) = size(z) == size(y) && $f(Array(z), y)
    @eval Base.$f(y::AbstractArray, z::ArrTuples) = size(z) == size(y) && $f(y, Array(z))
end
Base.isequal(z::ArrTuples, y::ArrTuples) = size(z) == size(y) && isequal(Array(z), Array(y))
Base.show(io::IO, z::ArrTuples) = show(io, Array(z))
Base.print_array(io::IO, z::ArrTuples) = Base.print_array(io, Array(z))
Base.summary(io::IO, z::ArrTuples{E}) where {E} =
    print(io, Base.dims2string(size(z)), " ArrTuples{", E, ",", ndims(z), "}", where_text(first(z.members)))

# ---------------------------------------------------------------------------------------- broadcasts

Broadcast.BroadcastStyle(::Type{<:ArrTuples{E,N}}) where {E,N} = ArrStyle{N}()
walk(t::Trace, z::ArrTuples) = map(a -> walk(t, a), z.members)
first_array(z::ArrTuples) = first_array(first(z.members))
Base.map(f, z::ArrTuples, rest::Member...) = Broadcast.broadcast(f, z, rest...)

Base.mapreduce(f, op, z::ArrTuples; dims = :, init = NoInit()) = mapped_reduce(f, op, (z,), dims, init)
for f in (:any, :all, :count)
    @eval Base.$f(f::Function, z::ArrTuples; kw...) = $f(f.(z); kw...)
end

# New arrays for the members of a result, and which number goes into which.
function new_results(t::Trace, @nospecialize(f), x::Union{Tuple,NamedTuple}, dims::Dims{N}) where {N}
    isempty(x) && throw(TraceError(f, "it gives an empty tuple"))
    pairs = Any[]
    z = prepared!(pairs, t, f, x, dims)
    verify(t, dims)
    run_all!(pairs, t, Val(N))
    N == 0 ? item(z, ()) : z
end
prepared!(pairs, t, @nospecialize(f), x::Union{Tuple,NamedTuple}, dims) =
    isempty(x) ? throw(TraceError(f, "it gives an empty tuple")) : ArrTuples(map(y -> prepared!(pairs, t, f, y, dims), x))
function prepared!(pairs, t, @nospecialize(f), x::Number, dims::Dims{N}) where {N}
    dest = ArrArray{element_type(f, x),N}(undef, dims; device = t.device)
    push!(pairs, dest => x)
    dest
end
prepared!(pairs, t, @nospecialize(f), @nospecialize(x), dims) = throw(TraceError(f,
    "a member of the tuple that it gives is a $(type_of_elements(typeof(x))), expected a number"))

# Into the members of arrays of tuples.
function Base.copyto!(dest::ArrTuples{<:Any,N}, @nospecialize(bc::Broadcasted{Nothing})) where {N}
    axes(dest) == axes(bc) || Broadcast.throwdm(axes(dest), axes(bc))
    tracing(device(dest)) do t
        pairs = Any[]
        paired!(pairs, bc.f, dest, walk(t, bc))
        verify(t, size(dest))
        run_all!(pairs, t, Val(N))
    end
    dest
end
Base.copyto!(dest::ArrTuples, bc::Broadcasted{<:ArrStyle}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
Base.copyto!(dest::ArrTuples, bc::Broadcasted{<:AbstractArrayStyle{0}}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
Base.copyto!(dest::ArrTuples, bc::Broadcasted{ArrStyle{0}}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
paired!(pairs, @nospecialize(f), dest::AnyArr, x::Number) = push!(pairs, dest => stored(eltype(dest), x))
function paired!(pairs, @nospecialize(f), dest::ArrTuples, x)
    x isa Union{Tuple,NamedTuple} && length(x) == length(dest.members) || throw(TraceError(f,
        "it gives a $(type_of_elements(typeof(x))), and the array's elements are of type $(eltype(dest))"))
    foreach((d, y) -> paired!(pairs, f, d, y), Tuple(dest.members), Tuple(x))
end
paired!(pairs, @nospecialize(f), dest::AnyArr, @nospecialize(x)) = one_number(f, x)
