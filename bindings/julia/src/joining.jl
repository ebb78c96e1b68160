# SPDX-License-Identifier: MIT
# joining.jl: arrays joined in one call, and arrays within borders. `cat` along several dimensions is Base's, which
# assigns each array to its part.

# All arrays of a list into `out`, in which they follow each other along a dimension.
function join!(out::AnyArr, dim::Int, parts)
    list = LibArr.arr_array[p.handle for p in parts]
    GC.@preserve parts @check LibArr.arr_concatenate_into(out, Int32(length(list)), list, axis(dim), stream())
    out
end

const VectOrMat = Union{Vect,Mat}
columns(a::Vect) = reshape(a, length(a), 1)
columns(a::Mat) = a

# Base's vcat, hcat and hvcat end here.
Base._typed_vcat(::Type{T}, parts::Tuple{Vect,Vararg{Vect}}) where {T} =
    join!(similar(parts[1], T, sum(length, parts)), 1, parts)
function Base._typed_vcat(::Type{T}, parts::Tuple{VectOrMat,Vararg{VectOrMat}}) where {T}
    n = size(parts[1], 2)
    all(p -> size(p, 2) == n, parts) ||
        throw(ArgumentError("number of columns of each array must match (got $(map(p -> size(p, 2), parts)))"))
    join!(similar(parts[1], T, sum(p -> size(p, 1), parts), n), 1, map(columns, parts))
end
function Base._typed_hcat(::Type{T}, parts::Tuple{VectOrMat,Vararg{VectOrMat}}) where {T}
    m = size(parts[1], 1)
    all(p -> size(p, 1) == m, parts) ||
        throw(ArgumentError("number of rows of each array must match (got $(map(p -> size(p, 1), parts)))"))
    join!(similar(parts[1], T, m, sum(p -> size(p, 2), parts)), 2, map(columns, parts))
end

# `[1.0; a]` and `[1.0 a]`: a number is an array of one element. Base's methods of numbers alone and of arrays alone stay,
# so these begin with up to five of one kind and one of the other. Of several arrays only the first has a type of this
# package: methods with a union for each of them take a second to load, for Julia compares all combinations.
const Joined = Union{Number,VectOrMat}
parts_of(T, parts, shape) =
    (like = parts[findfirst(p -> p isa VectOrMat, parts)]; map(p -> p isa Number ? fill!(similar(like, T, shape), T(p)) : p, parts))
function vertical(T, parts)
    any(p -> p isa Mat, parts) || return Base._typed_vcat(T, parts_of(T, parts, (1,)))
    # In Base numbers above the first array are rows as wide as it is.
    k = findfirst(p -> p isa VectOrMat, parts)
    Base._typed_vcat(T, (parts_of(T, parts[1:k], (1, size(parts[k], 2)))..., parts_of(T, parts[k:end], (1, 1))[2:end]...))
end
horizontal(T, parts) = Base._typed_hcat(T, parts_of(T, parts, (1, 1)))
for (one, next, other) in ((:Number, :Number, :VectOrMat), (:VectOrMat, :AbstractArray, :Number)), count in 1:5
    names = [Symbol(:x, k) for k in 1:count]
    first = [:($x::$(k == 1 ? one : next)) for (k, x) in enumerate(names)]
    for (cat, typed, join) in ((:vcat, :typed_vcat, :vertical), (:hcat, :typed_hcat, :horizontal))
        @eval Base.$typed(::Type{T}, $(first...), y::$other, rest::Joined...) where {T} = all_joined($(names...)) ?
            $join(T, ($(names...), y, rest...)) : invoke(Base.$typed, Tuple{Type{T},Vararg{Any}}, T, $(names...), y, rest...)
        @eval Base.$cat($(first...), y::$other, rest::Joined...) = all_joined($(names...)) ?
            Base.$typed(Base.promote_eltypeof($(names...), y, rest...), $(names...), y, rest...) :
            invoke(Base.$cat, Tuple{Vararg{Any}}, $(names...), y, rest...)
    end
end
all_joined(parts...) = all(p -> p isa Joined, parts)

# `[a; I]`: LinearAlgebra makes matrices of identities in the type of this tuple's arrays.
LinearAlgebra.promote_to_array_type(::Tuple{Vararg{Union{AnyArr,UniformScaling}}}) = ArrArray
LinearAlgebra.promote_to_arrays_(n::Int, ::Type{ArrArray}, J::UniformScaling{T}) where {T} = ArrArray{T}(J, n, n)

"""
    Arr.stack(arrays...; dims = ndims(arrays[1]) + 1)

Arrays of one size along a new dimension `dims` of the result.
"""
function stack(first::AnyArr{<:Any,N}, rest::AnyArr{<:Any,N}...; dims::Integer = N + 1) where {N}
    1 <= dims <= N + 1 || throw(ArgumentError("dims $dims: expected 1 to $(N + 1)"))
    parts, before = (first, rest...), size(first)
    all(p -> size(p) == before, parts) || throw(DimensionMismatch("stack: sizes $(map(size, parts)), expected equal ones"))
    T = promote_type(map(eltype, parts)...)
    wide = (before[1:dims-1]..., 1, before[dims:end]...)
    out = similar(first, T, (before[1:dims-1]..., length(parts), before[dims:end]...))
    join!(out, Int(dims), map(p -> reshape(p, wide), parts))
end

const PAD_MODES = (:constant, :edge, :linear_ramp, :maximum, :mean, :minimum, :reflect, :symmetric, :wrap, :empty, :median)

"""
    Arr.pad(a, widths; mode = :constant, value = 0, odd = false)

Pads an array. `widths` is a number for all sides, or a tuple with a number or a tuple `(before, after)` for
each dimension. The modes are NumPy's: `:constant` and `:linear_ramp` use `value`; `:reflect` and `:symmetric` with `odd`
continue the slope at the end. Others are `:edge`, `:maximum`, `:mean`, `:median`, `:minimum`, `:wrap` and `:empty`.
"""
function pad(a::AnyArr{T,N}, widths; mode::Symbol = :constant, value = 0, odd::Bool = false) where {T,N}
    number = findfirst(==(mode), PAD_MODES)
    number === nothing && throw(ArgumentError("mode :$mode: expected one of $PAD_MODES"))
    ends = widths isa Integer ? ntuple(_ -> (widths, widths), N) : map(w -> w isa Integer ? (w, w) : Tuple(w), widths)
    length(ends) == N || throw(DimensionMismatch("widths: $(length(ends)) for $N dimensions"))
    list = Int64[w for pair in ends for w in pair]
    values = Value[loose(value)]
    GC.@preserve values begin
        options = LibArr.arr_pad_options(sizeof(LibArr.arr_pad_options), pointer(values), C_NULL, Int32(1), Int32(0), Int32(odd),
                                         Int32(0))
        made(out -> @check LibArr.arr_pad(a, Int32(length(list)), list, Int32(number - 1), Ref(options), stream(), out))
    end
end
