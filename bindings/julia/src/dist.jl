# SPDX-License-Identifier: MIT
# dist.jl: distributed arrays: how they are divided, made, moved, read and written.
#
# The library's array has the axes in reverse: Julia's last dimension is its first axis, which it divides by default, and
# parts that it makes in row-major order are column-major here. Axes count from the end: dimension d is axis -d.

"""
    Arr.Decomposition

Says which elements of a global array each rank of a communicator has; made by [`Arr.decomposition`](@ref).
"""
mutable struct Decomposition{N}
    handle::LibArr.arr_decomposition
    comm::Comm
    Decomposition{N}(handle::LibArr.arr_decomposition, comm::Comm) where {N} = registered(new{N}(handle, comm))
end
release(by::Decomposition) = (LibArr.arr_decomposition_release(by.handle); nothing)
unsafe_free!(by::Decomposition) = finish(by)
Base.cconvert(::Type{LibArr.arr_decomposition}, by::Decomposition) = by
Base.unsafe_convert(::Type{LibArr.arr_decomposition}, by::Decomposition) = by.handle

backwards(list) = reverse(collect(Int64, list))
turned_axis(dim::Integer) = -axis(dim) - Int32(1)
turned_axes(dims) = Int32[turned_axis(d) for d in reverse((dims...,))]

"""
    Arr.decomposition(comm, dims; grid, blocks)
    Arr.decomposition(comm, dims; counts, dim = length(dims))
    Arr.decomposition(comm, dims; owners, dim = length(dims))

Divides an array of size `dims` into blocks. `grid` has for each dimension the number of ranks that divide it; the rank's number
changes fastest along the first. Without `grid` all ranks divide the last dimension. `blocks` has the extents of blocks that are
dealt out in turn; 0: one for each rank. `counts` has for each rank the extent of its part of one dimension, `owners` for each
index of it the rank, from 0.
"""
function decomposition(c::Comm, dims; grid = (), blocks = (), counts = nothing, owners = nothing, dim::Integer = length(dims))
    counts === nothing || owners === nothing || throw(ArgumentError("decomposition: counts and owners: expected one of them"))
    n, shape, out = length(dims), backwards(dims), Ref(LibArr.arr_decomposition())
    if counts !== nothing
        @check LibArr.arr_decomposition_counts(c, Int32(n), shape, turned_axis(dim), Int32(length(counts)), collect(Int64, counts), out)
    elseif owners !== nothing
        @check LibArr.arr_decomposition_owners(c, Int32(n), shape, turned_axis(dim), Int64(length(owners)), collect(Int32, owners), out)
    else
        @check LibArr.arr_decomposition_create(c, Int32(n), shape, Int32(length(grid)), Int32.(backwards(grid)), Int32(length(blocks)),
                                               backwards(blocks), out)
    end
    Decomposition{n}(out[], c)
end
decomposition(c::Comm, n::Integer; kw...) = decomposition(c, (n,); kw...)

"""Returns the size of the global array, or with a rank, from 0, that of its part."""
Base.size(by::Decomposition) = part_size(by, -1)
function part_size(by::Decomposition{N}, rank::Integer) where {N}
    shape, n = Vector{Int64}(undef, N), Ref{Int32}(0)
    @check LibArr.arr_decomposition_shape(by, Int32(rank), Int32(N), shape, n)
    Dims{N}(Tuple(reverse(shape)))
end
Base.ndims(::Decomposition{N}) where {N} = N

"""
    Arr.indices(by, dim, rank = that of this program)

Returns the global indices that a rank has of a dimension.
"""
indices(by::Decomposition, dim::Integer, rank::Integer = comm_info(by.comm).rank) =
    Array(made(out -> @check LibArr.arr_decomposition_indices(by, Int32(rank), turned_axis(dim), stream(), out))) .+ 1

"""
    Arr.DistArray{T,N} <: AbstractArray{T,N}
    Arr.DistArray(comm, a; root = 0, grid, blocks, counts, owners, dim)
    Arr.DistArray(by, a; root = 0)

A global array of which each rank of a communicator has a part. All ranks make the same calls in the same order. The second form
divides the `Array` or `ArrArray` of rank `root`; the third one takes `nothing` on other ranks. Calls wait for the other ranks in C: local
ranks of one process are threads, not tasks of one.
"""
mutable struct DistArray{T,N} <: AbstractArray{T,N}
    handle::LibArr.arr_dist
    dims::Dims{N}
    comm::Comm
    DistArray{T,N}(handle::LibArr.arr_dist, dims::Dims{N}, comm::Comm) where {T,N} = registered(new{T,N}(handle, dims, comm))
end
release(a::DistArray) = (LibArr.arr_dist_release(a.handle); nothing)
unsafe_free!(a::DistArray) = finish(a)
Base.cconvert(::Type{LibArr.arr_dist}, a::DistArray) = a
Base.unsafe_convert(::Type{LibArr.arr_dist}, a::DistArray) = a.handle
Base.size(a::DistArray) = a.dims

# These wait in C, where a garbage collection would wait for this thread, and another rank's thread might ask for it.
function waiting(f)
    before = GC.enable(false)
    try
        f()
    finally
        GC.enable(before)
    end
end

# The distributed array that f(out) makes.
function dist_made(f, c::Comm)
    out, number = Ref(LibArr.arr_dist()), Ref{Int32}(0)
    waiting(() -> f(out))
    @check LibArr.arr_dist_dtype(out[], number)
    by = decomposition_of(out[], c)
    dims = size(by)
    unsafe_free!(by)
    DistArray{eltype_of(number[]),length(dims)}(out[], dims, c)
end
function decomposition_of(h::LibArr.arr_dist, c::Comm)
    by, n = Ref(LibArr.arr_decomposition()), Ref{Int32}(0)
    @check LibArr.arr_dist_decomposition(h, by)
    @check LibArr.arr_decomposition_shape(by[], Int32(-1), Int32(0), C_NULL, n)
    Decomposition{Int(n[])}(by[], c)
end

"""Returns how an array is divided."""
decomposition(a::DistArray) = GC.@preserve a decomposition_of(a.handle, a.comm)

# An array with its dimensions in the library's order, a view; nothing is NULL.
rows_of(a::AnyArr, ::Comm) = turned(a)
rows_of(a::Array, c::Comm) = turned(ArrArray(a; device = comm_info(c).device))
rows_of(::Nothing, ::Comm) = LibArr.arr_array()
# The array with the dimensions of f(out) in Julia's order: a view.
function columns_made(f)
    rows, out = Ref(LibArr.arr_array()), Ref(LibArr.arr_array())
    f(rows)
    status = LibArr.arr_transpose(rows[], Int32(0), C_NULL, out)
    LibArr.arr_release(rows[])
    @check status
    adopt(out[])
end

DistArray(by::Decomposition, a::Union{Array,AnyArr,Nothing}; root::Integer = 0) =
    dist_made(out -> @check(LibArr.arr_dist_scatter(by, rows_of(a, by.comm), Int32(root), stream(), out)), by.comm)
DistArray(c::Comm, a::Union{Array,AnyArr}; root::Integer = 0, kw...) = DistArray(decomposition(c, size(a); kw...), a; root = root)

"""Makes a distributed array of each rank's part, which is not copied."""
dist_from_part(by::Decomposition, part::AnyArr) = dist_made(out -> @check(LibArr.arr_dist_from_part(by, turned(part), out)), by.comm)

"""
    Arr.zeros([T = Float64], by::Decomposition; halo = 0)

Makes a distributed array of zeros, whose parts have `halo` layers for values of neighbours around them: a number, or one for each
dimension.
"""
function zeros(::Type{T}, by::Decomposition{N}; halo = 0) where {T,N}
    layers = halo == 0 ? Int64[] : halo isa Integer ? Base.fill(Int64(halo), N) : backwards(halo)
    dist_made(out -> @check(LibArr.arr_dist_create(by, dtype(T), Int32(length(layers)), layers, stream(), out)), by.comm)
end
zeros(by::Decomposition; kw...) = zeros(Float64, by; kw...)

for (f, number) in ((:rand, :ARR_DISTRIBUTION_UNIFORM), (:randn, :ARR_DISTRIBUTION_NORMAL), (:randexp, :ARR_DISTRIBUTION_EXPONENTIAL))
    @eval begin
        """
            Arr.$($(string(f)))([g], [T = Float64], by::Decomposition)

        The same as a distributed array: the numbers are those of a whole array, however it is divided. The generator is in the same
        state on all ranks.
        """
        $f(g::Generator, ::Type{T}, by::Decomposition) where {T} = dist_made(by.comm) do out
            @check LibArr.arr_dist_random_draw(by, g, LibArr.$number, Int32(0), C_NULL, dtype(T), stream(), out)
        end
        $f(g::Generator, by::Decomposition) = $f(g, Float64, by)
    end
end

Base.similar(a::DistArray{S}, ::Type{T} = S) where {S,T} = zeros(T, decomposition(a))
Base.copy(a::DistArray) = copyto!(similar(a), a)
Base.fill!(a::DistArray, x) = (fill!(localpart(a), x); a)

"""
    Arr.localpart(a, offsets...)

Returns this rank's part as a view. Offsets, one for each dimension, displace it by up to the width of the halo: offset 1 gives for each
element the next one.
"""
localpart(a::DistArray, offsets::Integer...) =
    columns_made(out -> @check LibArr.arr_dist_part(a, Int32(length(offsets)), backwards(offsets), out))

"""Returns this rank's part with its halo as a view."""
localmemory(a::DistArray) = columns_made(out -> @check LibArr.arr_dist_memory(a, out))

"""
    Arr.exchange!(a; periodic = false, meanwhile = nothing)

Fills the halo with the values of neighbours. `periodic` says of all dimensions, or of each, that its ends are neighbours. With a function
`meanwhile` the exchange is started, the function called, which may read the part, and the exchange waited for.
"""
function exchange!(a::DistArray; periodic = false, meanwhile = nothing)
    wraps = Int32.(backwards(periodic isa Bool ? Base.fill(periodic, ndims(a)) : periodic))
    n = Int32(length(wraps))
    meanwhile === nothing && return (waiting(() -> @check(LibArr.arr_dist_exchange(a, n, wraps, stream()))); a)
    @check LibArr.arr_dist_exchange_begin(a, n, wraps, stream())
    try
        meanwhile()
    finally
        waiting(() -> @check(LibArr.arr_dist_exchange_end(a)))
    end
    a
end

"""Copies the elements into another array of the same size, which may be divided in another way."""
Base.copyto!(dst::DistArray, src::DistArray) = (waiting(() -> @check(LibArr.arr_dist_assign(dst, src, stream()))); dst)

"""Returns the same array divided by another decomposition."""
redistribute(a::DistArray, by::Decomposition) =
    dist_made(out -> @check(LibArr.arr_dist_redistribute(a, by, stream(), out)), a.comm)

"""
    Arr.gather(a; root)

Returns the global array as an [`ArrArray`](@ref): on each rank, or on rank `root` and `nothing` on others. `Array(a)` is the same in Julia's
memory on each rank.
"""
function gather(a::DistArray; root::Integer = -1)
    rows = Ref(LibArr.arr_array())
    waiting(() -> @check LibArr.arr_dist_gather(a, Int32(root), stream(), rows))
    rows[].ptr == C_NULL ? nothing : columns_made(out -> (out[] = rows[]))
end
Base.Array(a::DistArray) = Array(gather(a))
Base.Array{T}(a::DistArray) where {T} = Array{T}(Array(a))
Base.collect(a::DistArray) = Array(a)

# The number that a result without dimensions has on all ranks.
function item(a::DistArray{<:Any,0})
    whole = gather(a)
    x = item(whole)
    unsafe_free!(whole)
    unsafe_free!(a)
    x
end

Base.permutedims(a::DistArray, perm) = copy(dist_transposed(a, perm))
Base.permutedims(a::DistArray{<:Any,2}) = permutedims(a, (2, 1))
LinearAlgebra.transpose(a::DistArray{<:Any,2}) = dist_transposed(a, (2, 1))
LinearAlgebra.adjoint(a::DistArray{<:Real,2}) = transpose(a)
LinearAlgebra.adjoint(a::DistArray{<:Complex,2}) = conj.(transpose(a))
# A view.
function dist_transposed(a::DistArray, perm)
    axes = turned_axes(perm)
    dist_made(out -> @check(LibArr.arr_dist_transpose(a, Int32(length(axes)), axes, out)), a.comm)
end

"""Returns ranges of indices as a view, such as `view(a, :, 2:5)`."""
function Base.view(a::DistArray{<:Any,N}, at::Vararg{Union{Colon,AbstractUnitRange{<:Integer}},N}) where {N}
    for (d, r) in enumerate(at)
        r isa Colon && continue
        checkbounds(Bool, Base.OneTo(size(a, d)), r) || throw(BoundsError(a, at))
        whole = a
        a = dist_made(out -> @check(LibArr.arr_dist_slice(whole, turned_axis(d), Int64(first(r) - 1), Int64(last(r)), out)), a.comm)
    end
    a
end
Base.getindex(a::DistArray{<:Any,N}, at::Vararg{Union{Colon,AbstractUnitRange{<:Integer}},N}) where {N} = copy(view(a, at...))
Base.getindex(a::DistArray, i::Integer, at::Integer...) =
    throw(ArgumentError("getindex: an element of a distributed array is on one rank: read Arr.localpart(a) or Array(a)"))

"""
    Arr.load(path, by::Decomposition)

Reads a .npy file, of which each rank reads its part.
"""
function load(path::AbstractString, by::Decomposition)
    name, model = String(path), zeros(Bool, by)
    across = decomposition(dist_transposed(model, ndims(model):-1:1))   # the file has Julia's order of dimensions
    a = dist_made(out -> @check(LibArr.arr_dist_load_npy(across, name, Int64(sizeof(name)), stream(), out)), by.comm)
    dist_transposed(a, ndims(a):-1:1)
end

"""Writes a distributed array as a .npy file: rank 0 writes it."""
function save(path::AbstractString, a::DistArray)
    name, rows = String(path), dist_transposed(a, ndims(a):-1:1)
    waiting(() -> @check LibArr.arr_dist_save_npy(rows, name, Int64(sizeof(name)), stream()))
end

# Without elements: to show them all ranks would have to take part.
Base.summary(@nospecialize(io::IO), a::DistArray{T,N}) where {T,N} = print(io, Base.dims2string(size(a)), " DistArray{", T, ",", N, "}")
Base.show(@nospecialize(io::IO), a::DistArray) = summary(io, a)
Base.show(@nospecialize(io::IO), ::MIME"text/plain", a::DistArray) = summary(io, a)
