# SPDX-License-Identifier: MIT
# array.jl: the two array types, their creation and release.
#
# Julia's dimensions are the library's axes in the same sequence, counted from 1, in column-major order:
# nothing is transposed on the way. only `axis` below shifts the count.

axis(dim::Integer) = dim >= 1 ? Int32(dim - 1) : throw(ArgumentError("dims $dim: dimensions count from 1"))
extents(dims) = Int64[d for d in dims]

"""
    ArrArray{T,N} <: DenseArray{T,N}

A column-major array on a device. `ArrArray(x)` copies a Julia array there, `Array(a)` copies back;
`ArrArray{T}(undef, dims...)`, `Arr.zeros`, `Arr.ones` and `Arr.fill` make new ones. The keyword
`device` says where; without it, [`device()`](@ref).

```jldoctest
julia> a = ArrArray([1 2; 3 4]);

julia> sum(a .* a)
30

julia> Array(a * a) == [7 10; 15 22]
true
```
"""
mutable struct ArrArray{T,N} <: DenseArray{T,N}
    handle::LibArr.arr_array
    dims::NTuple{N,Int}
    function ArrArray{T,N}(handle::LibArr.arr_array, dims::NTuple{N,Int}) where {T,N}
        registered(new{T,N}(handle, dims))
    end
end

"""
    ArrStrided{T,N} <: AbstractArray{T,N}

An array of any strides that shares the memory of another: what `view`, `transpose`, `reverse` and
`PermutedDimsArray` of an [`ArrArray`](@ref) give where the result is not contiguous. Views of views are
this type again, never wrappers in wrappers.

```jldoctest
julia> a = ArrArray([1 2; 3 4]);

julia> v = view(a, 2, :);

julia> v isa ArrStrided{Int,1}
true

julia> v .= 0; sum(a)
3
```
"""
mutable struct ArrStrided{T,N} <: AbstractArray{T,N}
    handle::LibArr.arr_array
    dims::NTuple{N,Int}
    strides::NTuple{N,Int}
    function ArrStrided{T,N}(handle::LibArr.arr_array, dims::NTuple{N,Int}, strides::NTuple{N,Int}) where {T,N}
        registered(new{T,N}(handle, dims, strides))
    end
end

"""
    ArrRow{T,2} <: AbstractArray{T,2}

The transpose or adjoint of a vector, a matrix of one row. As in LinearAlgebra, `v' * w` is a number and `v' * a` a row again.

```jldoctest
julia> v = ArrArray([1, 2, 3]);

julia> v' isa ArrRow{Int,2}
true

julia> v' * v
14
```
"""
mutable struct ArrRow{T,N} <: AbstractArray{T,N}
    handle::LibArr.arr_array
    dims::NTuple{N,Int}
    strides::NTuple{N,Int}
    function ArrRow{T,N}(handle::LibArr.arr_array, dims::NTuple{N,Int}, strides::NTuple{N,Int}) where {T,N}
        registered(new{T,N}(handle, dims, strides))
    end
end

"""Arrays of this package."""
const AnyArr{T,N} = Union{ArrArray{T,N},ArrStrided{T,N},ArrRow{T,N}}
const WithStrides{T,N} = Union{ArrStrided{T,N},ArrRow{T,N}}

# Storage is shared and counted in the library: this ends one handle, and the last one frees the memory.
release(a::AnyArr) = (LibArr.arr_release(a.handle); nothing)

# Ends what has a handle, once. Nothing else than the call of the library happens here, which does not wait: the collector
# calls it too, on any thread. The handle left behind is invalid, so that later use is an error. To look for the
# finalizer, as `finalize` does, takes as long as there are objects alive.
const NO_HANDLE = Ptr{Cvoid}(typemax(UInt))
function finish(x)
    x.handle.ptr == NO_HANDLE && return
    release(x)
    x.handle = typeof(x.handle)(NO_HANDLE)
    nothing
end

# Objects with a handle of the library are released when they are collected, or at the end of the block that made them.
function registered(x)
    finalizer(finish, x)
    scope = task_state().scope
    scope === nothing || push!(scope, WeakRef(x))
    x
end

"""
    unsafe_free!(a)

Ends this array at once instead of when the collector finds it; its memory goes when no view shares it.
Later use of `a` throws `Arr.HandleError`.

```jldoctest
julia> a = ArrArray([1, 2]); b = a .+ 1;

julia> unsafe_free!(a)

julia> Array(b) == [2, 3]
true
```
"""
unsafe_free!(a::AnyArr) = finish(a)

# ------------------------------------------------------------------------------------------ queries

Base.size(a::AnyArr) = a.dims
Base.strides(a::ArrArray) = Base.size_to_strides(1, size(a)...)
Base.strides(a::WithStrides) = a.strides
# Base has a method for DenseArray and Int, so that one for both types would be ambiguous.
Base.stride(a::ArrArray, k::Int) = k <= ndims(a) ? strides(a)[k] : length(a)
Base.stride(a::WithStrides, k::Int) = k <= ndims(a) ? strides(a)[k] : length(a)
Base.elsize(::Type{<:AnyArr{T}}) where {T} = sizeof(T)
Base.sizeof(a::AnyArr{T}) where {T} = sizeof(T) * length(a)
Base.IndexStyle(::Type{<:ArrArray}) = IndexLinear()
Base.IndexStyle(::Type{<:WithStrides}) = IndexCartesian()
Base.cconvert(::Type{LibArr.arr_array}, a::AnyArr) = a
Base.unsafe_convert(::Type{LibArr.arr_array}, a::AnyArr) = a.handle

"""Returns the device that holds an array."""
device(a::AnyArr) = device_of(a)
# The same, compiled once for all types.
function device_of(@nospecialize(a))
    a isa AnyArr || return device(a)::Device
    out = Ref{Device}()
    GC.@preserve a @check LibArr.arr_array_device(getfield(a, :handle)::LibArr.arr_array, out)
    out[]
end

flags(a::AnyArr) = (out = Ref{Int32}(0); @check(LibArr.arr_array_flags(a, out)); out[])

"""True if an array may not be written."""
isreadonly(a::AnyArr) = flags(a) & LibArr.ARR_FLAG_READONLY != 0

"""
Returns the address of the first element on the array's device. Of an array on the host this waits for the work that was
asked for so far.
"""
function Base.pointer(a::AnyArr)
    p, d = address(a), device(a)
    ishost(d) && synchronize(d)
    p
end
function address(a::AnyArr{T}) where {T}
    out = Ref{Ptr{Cvoid}}(C_NULL)
    @check LibArr.arr_data(a, out)
    Ptr{T}(out[])
end

# Functions that take Julia's dense arrays by address (BLAS, ccall) get an address only where it can be read.
function Base.unsafe_convert(::Type{Ptr{T}}, a::ArrArray{T}) where {T}
    ishost(device(a)) || throw(ArgumentError("an array on $(label(device(a))) has no address on the host"))
    pointer(a)
end

# ---------------------------------------------------------------------------- handles become arrays

"""Returns the new column-major array that f(out) makes."""
function take(f, ::Type{ArrArray{T,N}}, dims::NTuple{N,Int}, bytes::Int = sizeof(T) * prod(dims)) where {T,N}
    out = Ref(LibArr.arr_array())
    f(out)
    a = ArrArray{T,N}(out[], dims)
    relieve_pressure(bytes)
    a
end

"""Returns the view that f(out) makes, with the shape and strides of the library."""
function take_view(f, ::Type{V}) where {T,N,V<:WithStrides{T,N}}
    out = Ref(LibArr.arr_array())
    f(out)
    dims, strides = layout(out[], Val(N))
    V(out[], dims, strides)
end

function layout(h::LibArr.arr_array, ::Val{N}) where {N}
    shape, strides = Vector{Int64}(undef, N), Vector{Int64}(undef, N)
    n = Ref{Int32}(0)
    @check LibArr.arr_shape(h, Int32(N), shape, n)
    @check LibArr.arr_strides(h, Int32(N), strides, n)
    n[] == N || throw(DimensionMismatch("the library gave $(n[]) dimensions, expected $N"))
    Dims{N}(Tuple(shape)), Dims{N}(Tuple(strides))
end

# A handle of unknown type: from a file or from another library.
function adopt(h::LibArr.arr_array)
    ndim, number = Ref{Int32}(0), Ref{Int32}(0)
    @check LibArr.arr_ndim(h, ndim)
    @check LibArr.arr_array_dtype(h, number)
    T, N = eltype_of(number[]), Int(ndim[])
    dims, strides = layout(h, Val(N))
    without_gaps(dims, strides) ? ArrArray{T,N}(h, dims) : ArrStrided{T,N}(h, dims, strides)
end

"""True if elements of these strides lie one after the other, the first dimension first."""
without_gaps(dims, strides) =
    any(==(0), dims) || all(d -> dims[d] == 1 || strides[d] == prod(dims[1:d-1]), eachindex(dims))

# ----------------------------------------------------------------------------------------- creation

function ArrArray{T,N}(::UndefInitializer, dims::NTuple{N,Integer}; device::DeviceLike = device()) where {T,N}
    take(ArrArray{T,N}, Dims{N}(dims)) do out
        @check LibArr.arr_create(dtype(T), Int32(N), extents(dims), LibArr.ARR_ORDER_F, Ref(Device(device)), stream(), out)
    end
end
ArrArray{T,N}(::UndefInitializer, dims::Vararg{Integer,N}; kw...) where {T,N} = ArrArray{T,N}(undef, dims; kw...)
ArrArray{T}(::UndefInitializer, dims::NTuple{N,Integer}; kw...) where {T,N} = ArrArray{T,N}(undef, dims; kw...)
ArrArray{T}(::UndefInitializer, dims::Integer...; kw...) where {T} = ArrArray{T,length(dims)}(undef, dims; kw...)
ArrArray{T,1}(; kw...) where {T} = ArrArray{T,1}(undef, 0; kw...)

"""
    Arr.fill(x, dims...; device)

Returns a new array full of `x`.
"""
function fill(x::T, dims::NTuple{N,Integer}; device::DeviceLike = device()) where {T<:Number,N}
    take(ArrArray{T,N}, Dims{N}(dims)) do out
        @check LibArr.arr_full(dtype(T), Int32(N), extents(dims), LibArr.ARR_ORDER_F, Ref(value(x)), Ref(Device(device)),
                               stream(), out)
    end
end
fill(x::Number, dims::Integer...; kw...) = fill(x, dims; kw...)

"""
    Arr.zeros([T = Float64], dims...; device)
"""
zeros(::Type{T}, dims::NTuple{N,Integer}; kw...) where {T,N} = fill(zero(T), dims; kw...)
"""
    Arr.ones([T = Float64], dims...; device)
"""
ones(::Type{T}, dims::NTuple{N,Integer}; kw...) where {T,N} = fill(one(T), dims; kw...)
for f in (:zeros, :ones)
    @eval $f(::Type{T}, dims::Integer...; kw...) where {T} = $f(T, dims; kw...)
    @eval $f(dims::Integer...; kw...) = $f(Float64, dims; kw...)
    @eval $f(dims::Tuple{Vararg{Integer}}; kw...) = $f(Float64, dims; kw...)
end

# `ArrArray(I, n, n)`, as Base's Matrix takes it.
function ArrArray{T}(u::UniformScaling, rows::Integer, columns::Integer; device::DeviceLike = device()) where {T}
    a = take(ArrArray{T,2}, (Int(rows), Int(columns))) do out
        @check LibArr.arr_eye(rows, columns, 0, dtype(T), LibArr.ARR_ORDER_F, Ref(Device(device)), stream(), out)
    end
    isone(u.λ) ? a : rmul!(a, T(u.λ))
end
ArrArray(u::UniformScaling{T}, rows::Integer, columns::Integer; kw...) where {T} =
    ArrArray{T}(u, rows, columns; kw...)
ArrArray{T,2}(u::UniformScaling, rows::Integer, columns::Integer; kw...) where {T} = ArrArray{T}(u, rows, columns; kw...)
for A in (:(ArrArray{T,2}), :(ArrArray{T}))
    @eval $A(u::UniformScaling, dims::Dims{2}; kw...) where {T} = ArrArray{T}(u, dims...; kw...)
end
ArrArray(u::UniformScaling, dims::Dims{2}; kw...) = ArrArray(u, dims...; kw...)

# New arrays lie where their model lies.
Base.similar(a::AnyArr, ::Type{T}, dims::Dims{N}) where {T,N} = ArrArray{T,N}(undef, dims; device = device(a))
Base.similar(::Type{<:ArrArray{T}}, dims::Dims{N}) where {T,N} = ArrArray{T,N}(undef, dims)
Base.one(a::AnyArr{T,2}) where {T} = size(a, 1) == size(a, 2) ?
    ArrArray{T}(UniformScaling(one(T)), size(a)...; device = device(a)) :
    throw(DimensionMismatch("one: a matrix of $(size(a, 1)) x $(size(a, 2))"))
Base.oneunit(a::AnyArr{T,2}) where {T} = one(a)
Base.zero(a::AnyArr{T}) where {T} = fill(zero(T), size(a); device = device(a))
Base.fill!(a::AnyArr{T}, x) where {T} = (@check(LibArr.arr_fill(a, Ref(value(convert(T, x))), stream())); a)
