# SPDX-License-Identifier: MIT
# selections.jl: views of lists and masks, whose elements have no strides between them.

"""
    ArrSelection{T,N} <: AbstractArray{T,N}

The result of `view(a, list, :)` and `view(a, mask)`: elements of an array of Arr at indices. A read gathers them into a new
array; `v .= x`, `copyto!(v, x)` and `fill!(v, x)` write them in place. Broadcasts, reductions, sorts and searches take it
as it is, other functions `copy(v)`. The true indices of a mask are found when the view is made.

```jldoctest
julia> a = ArrArray([1, 2, 3, 4]);

julia> v = view(a, a .> 2);

julia> v isa ArrSelection
true

julia> v .= 0; sum(a)
3
```
"""
struct ArrSelection{T,N} <: AbstractArray{T,N}
    indices::Listed
    ArrSelection(l::Listed) = new{eltype(l.array),length(l.size)}(l)
end

gathered(s::ArrSelection) = gathered(s.indices)

Base.size(s::ArrSelection) = s.indices.size
Base.parent(s::ArrSelection) = s.indices.array
device(s::ArrSelection) = device(s.indices.array)
Base.similar(s::ArrSelection, ::Type{T}, dims::Dims) where {T} = similar(s.indices.array, T, dims)
Base.copy(s::ArrSelection) = gathered(s)
Base.collect(s::ArrSelection) = Array(gathered(s))
Base.Array{S,N}(s::ArrSelection{<:Any,N}) where {S,N} = Array{S,N}(gathered(s))
Base.Array{S}(s::ArrSelection{<:Any,N}) where {S,N} = Array{S,N}(gathered(s))
Base.Array(s::ArrSelection) = Array(gathered(s))
ArrArray{T,N}(s::ArrSelection{<:Any,N}; kw...) where {T,N} = ArrArray{T,N}(gathered(s); kw...)
Base.getindex(s::ArrSelection, I...) = gathered(s)[I...]
Base.getindex(s::ArrSelection{T,N}, I::Vararg{Int,N}) where {T,N} = gathered(s)[I...]
Base.view(::ArrSelection, I...) = throw(ArgumentError("a view of lists has no views: index the array itself"))
Base.setindex!(::ArrSelection, x, I...) = throw(ArgumentError("a view of lists is written as a whole, by v .= x: index the array itself"))

# ------------------------------------------------------------------------------------------- writing

Base.fill!(s::ArrSelection{T}, x) where {T} = (set_rows!(s.indices, value(convert(T, x))); s)
for S in (:AbstractArray, :AnyArr, :ArrSelection)
    @eval function Base.copyto!(s::ArrSelection, x::$S)
        length(x) == length(s) || throw(DimensionMismatch("copyto!: $(length(x)) elements for a view of $(length(s))"))
        set_rows!(s.indices, reshape(x isa ArrSelection ? gathered(x) : x, size(s)))
        s
    end
end
Base.copyto!(dest::AnyArr, s::ArrSelection) = copyto!(dest, gathered(s))
Base.copyto!(dest::Array, s::ArrSelection) = copyto!(dest, gathered(s))
Broadcast.materialize!(s::ArrSelection, x) = Broadcast.materialize!(s, Broadcast.broadcasted(identity, x))
function Broadcast.materialize!(s::ArrSelection, bc::Broadcasted{S}) where {S}
    x = Broadcast.materialize(bc)
    x isa Number && return fill!(s, x)
    Broadcast.broadcast_shape(axes(x), axes(s)) == axes(s) || throw(DimensionMismatch("a view of size $(size(s)) .= size $(size(x))"))
    set_rows!(s.indices, x)
    s
end

# ------------------------------------------------------------------------------------------- reading

Broadcast.BroadcastStyle(::Type{<:ArrSelection{T,N}}) where {T,N} = ArrStyle{N}()
walk(t::Trace, s::ArrSelection) = input(t, gathered(s))
first_array(s::ArrSelection) = s.indices.array
on_device(s::ArrSelection, a) = gathered(s)

Base.mapreduce(f, op, s::ArrSelection; kw...) = mapreduce(f, op, gathered(s); kw...)
Base.map(f, s::ArrSelection) = map(f, gathered(s))
Base.permutedims(s::ArrSelection, perm) = permutedims(gathered(s), perm)
Base.permutedims(s::ArrSelection{<:Any,1}) = permutedims(gathered(s))
Base.permutedims(s::ArrSelection{<:Any,2}) = permutedims(gathered(s))
for f in (:any, :all, :count, :extrema, :argmax, :argmin, :findmax, :findmin, :findall, :findfirst, :findlast, :sort, :sortperm,
          :issorted, :reverse, :cumsum, :cumprod)
    @eval Base.$f(s::ArrSelection; kw...) = $f(gathered(s); kw...)
end
for f in (:any, :all, :count, :extrema, :findall, :findfirst, :findlast, :filter)
    @eval Base.$f(f::Function, s::ArrSelection; kw...) = $f(f, gathered(s); kw...)
end
for f in (:mean, :var, :std, :median)
    @eval Statistics.$f(s::ArrSelection; kw...) = Statistics.$f(gathered(s); kw...)
end
for f in (:(==), :isequal), S in (:AbstractArray, :AnyArr)
    @eval Base.$f(s::ArrSelection, b::$S) = $f(gathered(s), b)
    @eval Base.$f(a::$S, s::ArrSelection) = $f(a, gathered(s))
end
Base.:(==)(s::ArrSelection, r::ArrSelection) = gathered(s) == gathered(r)
Base.isequal(s::ArrSelection, r::ArrSelection) = isequal(gathered(s), gathered(r))
Base.show(io::IO, s::ArrSelection) = show(io, gathered(s))
Base.print_array(io::IO, s::ArrSelection) = Base.print_array(io, gathered(s))

"""
    Arr.update!(op, a, x, I...)

Computes `a[I...] = op.(a[I...], x)` with the name of an operation such as `:add`, a number or an array `x`. Repeated
indices accumulate.
"""
function update!(op::Symbol, a::AnyArr, x::Union{Number,AbstractArray}, J...)
    I, number = flat(J), operation_number(op)
    l = any(is_list, I) ? listed_in(a, I) : (v = view(a, I...); Listed(v, LibArr.arr_index[], Any[], size(v), LibArr.ARR_BOUNDS_RAISE))
    values = x isa Number ? x : reshape(column_major(x isa AnyArr ? x : ArrArray(collect(x); device = device(a))),
                                        ntuple(k -> size(x, k), length(l.size)))
    v = Ref{Value}()
    GC.@preserve l values begin
        values isa Number ? (v[] = loose(values)) : LibArr.arr_value_array(v, values)
        @check LibArr.arr_update_items(number, l.array, Int32(length(l.rows)), l.rows, v, l.bounds, stream())
    end
    a
end
