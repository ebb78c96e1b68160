# SPDX-License-Identifier: MIT
# transfer.jl: copies between Julia's memory and a device's, and sharing memory with Julia's arrays.

nbytes(a::AbstractArray{T}) where {T} = sizeof(T) * length(a)

# --------------------------------------------------------------------------------- Julia to a device

function upload(x::Array{T,N}, device::Device) where {T,N}
    number = dtype(T)                # a typed error for types that the library does not have
    take(ArrArray{T,N}, size(x)) do out
        GC.@preserve x @check LibArr.arr_from_host(pointer(x), nbytes(x), number, Int32(N), extents(size(x)),
                                                   LibArr.ARR_ORDER_F, Ref(Device(device)), stream(), out)
    end
end

ArrArray{T,N}(x::AbstractArray{<:Any,N}; device::DeviceLike = device()) where {T,N} =
    upload(x isa Array{T,N} ? x : Array{T,N}(x), Device(device))
ArrArray{T}(x::AbstractArray{<:Any,N}; kw...) where {T,N} = ArrArray{T,N}(x; kw...)
ArrArray(x::AbstractArray{T,N}; kw...) where {T,N} = ArrArray{T,N}(x; kw...)

# Between devices, and copies on one: always a new column-major array.
ArrArray{T,N}(a::AnyArr{T,N}; device::DeviceLike = device(a)) where {T,N} = copy_to(a, Device(device))
ArrArray{T,N}(a::AnyArr{<:Any,N}; device::DeviceLike = device(a)) where {T,N} = copy_to(T.(a), Device(device))

function copy_to(a::AnyArr{T,N}, to::Device) where {T,N}
    if device(a) == to
        take(out -> @check(LibArr.arr_copy(a, LibArr.ARR_ORDER_F, stream(), out)), ArrArray{T,N}, size(a))
    else
        dense = column_major(a)
        take(out -> @check(LibArr.arr_to_device(dense, Ref(to), stream(), out)), ArrArray{T,N}, size(a))
    end
end

Base.copy(a::AnyArr) = copy_to(a, device(a))
Base.copy(a::ArrRow{T,2}) where {T} = as_row(copy_to(a, device(a)))

# The array itself, or a copy where its elements are not in column-major order without gaps.
column_major(a::ArrArray) = a
column_major(a::WithStrides) = copy_to(a, device(a))
Base.convert(::Type{A}, x::AbstractArray) where {A<:ArrArray} = x isa A ? x : A(x)

# --------------------------------------------------------------------------------- a device to Julia

# Array(a), Array{S}(a) and Array{S,N}(a) come here from Base.
function Base.Array{S,N}(a::AnyArr{T,N}) where {S,T,N}
    x = Array{T,N}(undef, size(a))
    download!(x, a)
    S === T ? x : Array{S,N}(x)
end
Base.Array{S}(a::AnyArr{<:Any,N}) where {S,N} = Array{S,N}(a)
Base.Array(a::AnyArr{T,N}) where {T,N} = Array{T,N}(a)
Base.collect(a::AnyArr) = Array(a)
Base.convert(::Type{Array}, a::AnyArr) = Array(a)
Base.convert(::Type{Array{S,N}}, a::AnyArr{<:Any,N}) where {S,N} = Array{S,N}(a)

# Fills the first length(a) elements of x in column-major order.
download!(x::Array{T}, a::AnyArr{T}, first::Integer = 1) where {T} =
    GC.@preserve x @check LibArr.arr_get(a, LibArr.ARR_ORDER_F, pointer(x, first), nbytes(a), stream())
upload!(a::AnyArr{T}, x::Array{T}, first::Integer = 1) where {T} =
    GC.@preserve x @check LibArr.arr_set(a, LibArr.ARR_ORDER_F, pointer(x, first), nbytes(a), stream())

# ------------------------------------------------------------------------------------------ copyto!

function check_room(dest, src)
    length(dest) >= length(src) ||
        throw(BoundsError(dest, length(src)))
end

function Base.copyto!(dest::Array{T}, src::AnyArr{S}) where {T,S}
    check_room(dest, src)
    S === T ? download!(dest, src) : copyto!(dest, Array(src))
    dest
end
Base.copyto!(dest::AbstractArray, src::AnyArr) = copyto!(dest, Array(src))

function Base.copyto!(dest::AnyArr{T}, src::AbstractArray) where {T}
    check_room(dest, src)
    x = src isa Array{T} ? src : Array{T}(src)
    upload!(length(x) == length(dest) ? dest : view(vec(dest), 1:length(x)), x)
    dest
end

function Base.copyto!(dest::AnyArr, src::AnyArr)
    check_room(dest, src)
    if size(dest) == size(src)
        narrows(eltype(dest), eltype(src)) && return dest .= src      # all must fit
        @check LibArr.arr_assign(dest, src, stream())
    elseif !isempty(src)
        copyto!(view(vec(dest), 1:length(src)), vec(column_major(src)))
    end
    dest
end

# Ranges of elements in column-major order, as Base's method of five arguments.
function check_ranges(dest, d, src, s, n)
    n >= 0 || throw(ArgumentError("copyto!: $n elements, expected 0 or more"))
    checkbounds(dest, d:d+n-1)
    checkbounds(src, s:s+n-1)
end
function Base.copyto!(dest::ArrArray{T}, d::Integer, src::Array{T}, s::Integer, n::Integer) where {T}
    check_ranges(dest, d, src, s, n)
    n > 0 && upload!(view(vec(dest), d:d+n-1), src, s)
    dest
end
function Base.copyto!(dest::Array{T}, d::Integer, src::ArrArray{T}, s::Integer, n::Integer) where {T}
    check_ranges(dest, d, src, s, n)
    n > 0 && download!(dest, view(vec(src), s:s+n-1), d)
    dest
end
function Base.copyto!(dest::ArrArray, d::Integer, src::ArrArray, s::Integer, n::Integer)
    check_ranges(dest, d, src, s, n)
    n > 0 && copyto!(view(vec(dest), d:d+n-1), view(vec(src), s:s+n-1))
    dest
end

# Parts of matrices and other arrays, by their positions.
for (D, S) in ((:AnyArr, :AnyArr), (:AnyArr, :Array), (:Array, :AnyArr))
    @eval function Base.copyto!(dest::$D, to::CartesianIndices, src::$S, from::CartesianIndices)
        size(to) == size(from) || throw(ArgumentError("copyto!: positions of size $(size(to)) and $(size(from))"))
        isempty(to) || copyto!(view(dest, to.indices...), src isa Array ? src[from] : view(src, from.indices...))
        dest
    end
    @eval function Base.copyto!(dest::$D, to::UnitRange, src::$S, from::UnitRange)
        length(to) == length(from) || throw(ArgumentError("copyto!: ranges of length $(length(to)) and $(length(from))"))
        copyto!(view(dest, to), src isa Array ? src[from] : view(src, from))
        dest
    end
end

# ---------------------------------------------------------------- Julia's memory, used without a copy

# The library says "no longer used" by sem_post: a plain C function that any thread may call at any time,
# where a callback into Julia may not run. The owner is let go on Julia's side at the next sweep.
const ROOTS = Dict{Ptr{Cvoid},Any}()
const ROOTS_LOCK = ReentrantLock()
const ROOTS_SWEEP = Ref(64)
const SEMAPHORE_BYTES = 64

function root!(owner)
    flag = Libc.calloc(1, SEMAPHORE_BYTES)
    flag == C_NULL && throw(OutOfMemoryError())
    if ccall(:sem_init, Cint, (Ptr{Cvoid}, Cint, Cuint), flag, 0, 0) != 0
        Libc.free(flag)
        throw(ArgumentError("memory of Julia cannot be shared: this system has no unnamed semaphores"))
    end
    lock(() -> ROOTS[flag] = owner, ROOTS_LOCK)
    length(ROOTS) > ROOTS_SWEEP[] && (sweep_roots(); ROOTS_SWEEP[] = 2 * length(ROOTS) + 64)
    flag
end

function unroot!(flag)
    lock(() -> delete!(ROOTS, flag), ROOTS_LOCK)
    ccall(:sem_destroy, Cint, (Ptr{Cvoid},), flag)
    Libc.free(flag)
end

"""Releases Julia arrays that the library no longer uses; also called automatically now and then."""
function sweep_roots()
    flags = lock(() -> collect(keys(ROOTS)), ROOTS_LOCK)
    foreach(flag -> ccall(:sem_trywait, Cint, (Ptr{Cvoid},), flag) == 0 && unroot!(flag), flags)
end

wrap_memory(x::AbstractArray) = wrap_memory(x, pointer(x), size(x), strides(x), Device(:host))
# The memory at an address, which `owner` keeps as long as the library uses it.
function wrap_memory(owner, p::Ptr{T}, dims::Dims{N}, strides::Dims{N}, device::Device) where {T,N}
    flag = root!(owner)
    out = Ref(LibArr.arr_array())
    try
        @check LibArr.arr_wrap(p, dtype(T), Int32(N), extents(dims), extents(strides), Ref(device), cglobal(:sem_post), flag, out)
    catch
        unroot!(flag)
        rethrow()
    end
    out[]
end

"""
    Arr.wrap(x)

Returns the memory of a Julia array as an array on the host, without a copy: writes are seen on both sides. `x`
stays alive as long as anything uses it. Do not resize `x` meanwhile.
"""
wrap(x::Array{T,N}) where {T,N} = ArrArray{T,N}(wrap_memory(x), size(x))
wrap(x::StridedArray{T,N}) where {T,N} = ArrStrided{T,N}(wrap_memory(x), size(x), strides(x))
wrap_address(::Type{ArrArray{T,N}}, p::Ptr{T}, dims::Dims{N}, device::Device, owner) where {T,N} =
    ArrArray{T,N}(wrap_memory(owner, p, dims, Base.size_to_strides(1, dims...), device), dims)
wrap(x::Union{Transpose{<:Number,<:StridedArray},Adjoint{<:Real,<:StridedArray}}) = transpose(wrap(parent(x)))
wrap(x::AnyArr) = throw(ArgumentError("wrap takes an array of Julia's own memory; this one is the library's already"))
wrap(x::AbstractArray) = throw(ArgumentError(
    "wrap takes an array with strides in memory, such as an Array and views of ranges; got $(typeof(x)): ArrArray(x) copies"))

"""
    unsafe_wrap(ArrArray, p::Ptr, dims; own = false, device = Device(:host))

Returns an array of the memory at an address, in column-major order, without a copy, like Base's `unsafe_wrap`. It must
live as long as anything uses the array. With `own` it is memory of C's `malloc` on the host, freed after the last use.
`device` is where the memory lies.
"""
function Base.unsafe_wrap(::Union{Type{ArrArray},Type{ArrArray{T}},Type{ArrArray{T,N}}}, p::Ptr{T}, dims::NTuple{N,Int};
                          own::Bool = false, device::DeviceLike = Device(:host)) where {T,N}
    dtype(T)                         # a typed error for types that the library does not have
    all(>=(0), dims) || throw(ArgumentError("unsafe_wrap: dims $dims, expected none below 0"))
    p == C_NULL && !any(==(0), dims) && throw(ArgumentError("unsafe_wrap: the address is 0"))
    any(==(0), dims) && !own && return ArrArray{T,N}(undef, dims; device = device)
    ishost(Device(device)) && return wrap(unsafe_wrap(Array, p, dims; own = own))
    own && throw(ArgumentError("unsafe_wrap: own is for memory of the host"))
    wrap_address(ArrArray{T,N}, p, dims, Device(device), nothing)
end
for A in (:(Type{ArrArray}), :(Type{ArrArray{T}}), :(Type{ArrArray{T,1}}))
    @eval Base.unsafe_wrap(A::$A, p::Ptr{T}, n::Integer; kw...) where {T} = unsafe_wrap(A, p, (Int(n),); kw...)
end
# Base's method for any type calls itself with the same arguments.
Base.unsafe_wrap(A::Type{<:AnyArr}, p::Ptr{T}, dims::Dims; kw...) where {T} = throw(ArgumentError(
    "unsafe_wrap: $A of a $(typeof(p)) with $(length(dims)) dimensions, expected ArrArray{$T,$(length(dims))}"))

"""
    unsafe_wrap(Array, a)

Returns the memory of an array on the host as a Julia `Array`, without a copy; it stays valid while that lives.
"""
function Base.unsafe_wrap(::Type{Array}, a::ArrArray{T,N}) where {T,N}
    p = Base.unsafe_convert(Ptr{T}, a)
    isreadonly(a) && throw(ArgumentError("the array is read-only, and a Julia Array cannot be"))
    isempty(a) && return Array{T,N}(undef, size(a))
    kept = Ref(LibArr.arr_array())
    @check LibArr.arr_retain(a, kept)
    x = unsafe_wrap(Array, p, size(a))
    let h = kept[]
        finalizer(_ -> LibArr.arr_release(h), memory_of(x))
    end
    x
end

# The owner of an Array's memory: from Julia 1.11 on a separate object, which arrays share.
memory_of(x::Array) = hasfield(typeof(x), :ref) ? getfield(getfield(x, :ref), :mem) : x
