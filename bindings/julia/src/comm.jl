# SPDX-License-Identifier: MIT
# comm.jl: communicators: collective operations and messages among the ranks of a program.

"""
    Arr.Comm

A rank of a communicator, made by [`Arr.local_comms`](@ref), `Arr.split`, `Arr.duplicate` or `Arr.shrink`; ranks count from 0,
as in MPI.jl. One task at a time uses it. Calls let other tasks run while they wait for the other ranks.
"""
mutable struct Comm
    handle::LibArr.arr_comm
    grouped::Bool      # calls are collected
    Comm(handle::LibArr.arr_comm) = registered(new(handle, false))
end
release(c::Comm) = (LibArr.arr_comm_release(c.handle); nothing)
unsafe_free!(c::Comm) = finish(c)
Base.cconvert(::Type{LibArr.arr_comm}, c::Comm) = c
Base.unsafe_convert(::Type{LibArr.arr_comm}, c::Comm) = c.handle

"""
    Arr.local_comms(n, [device])

Makes a communicator of `n` ranks in this process, and returns a [`Arr.Comm`](@ref) for each, which is usually a thread's.
One thread may have several; then it calls all of them in [`Arr.comm_groups`](@ref).
"""
function local_comms(n::Integer, d::DeviceLike = device())
    out = Base.fill(LibArr.arr_comm(), n)
    @check LibArr.arr_comm_local(Int32(n), Base.fill(Device(d), n), out)
    map(Comm, out)
end

"""
    Arr.mpi_comm([device])
    Arr.mpi_comm(comm, [device])

Makes a communicator of MPI_COMM_WORLD, or of the program's own MPI communicator: MPI.jl's `comm.val`.
"""
mpi_comm(d::DeviceLike = device()) = made_comm(out -> @check LibArr.arr_comm_mpi(Ref(Device(d)), out))
mpi_comm(comm::Union{Integer,Ptr}, d::DeviceLike = device()) =
    made_comm(out -> @check LibArr.arr_comm_from_mpi(comm isa Ptr ? Int64(UInt(comm)) : Int64(comm), Ref(Device(d)), out))

"""Returns a line each about the MPI in use: its path, its ABI, and its version."""
mpi_library() = fetch_text(LibArr.arr_comm_mpi_library)

"""
    Arr.nccl_id()

Makes an id of NCCL, 128 bytes, which the ranks of one communicator are given.
"""
function nccl_id()
    id = Vector{UInt8}(undef, 128)
    @check LibArr.arr_comm_nccl_id(id)
    id
end

"""
    Arr.nccl_id(n, rank, path; seconds = 0)
    Arr.nccl_id(n, rank, address, token; seconds = 0)

Returns rank 0's id on each of `n` processes, which share the folder of a path; or by TCP: rank 0 listens at an address,
`"host:port"`, for those that know the token. 0 seconds: no time limit.
"""
function nccl_id(n::Integer, rank::Integer, path::AbstractString; seconds::Real = 0)
    id, name = Vector{UInt8}(undef, 128), String(path)
    in_c(() -> @check LibArr.arr_comm_nccl_id_file(Int32(n), Int32(rank), name, sizeof(name), Float64(seconds), id))
    id
end
function nccl_id(n::Integer, rank::Integer, address::AbstractString, token::AbstractString; seconds::Real = 0)
    id, at, secret = Vector{UInt8}(undef, 128), String(address), String(token)
    in_c(() -> @check LibArr.arr_comm_nccl_id_tcp(Int32(n), Int32(rank), at, secret, Float64(seconds), id))
    id
end

"""
    Arr.nccl_comm(n, rank, id, device)
    Arr.nccl_comm(comm, device)

Makes a communicator of GPUs by NCCL, of `n` ranks with an [`Arr.nccl_id`](@ref), or of the ranks of another communicator.
"""
function nccl_comm(n::Integer, rank::Integer, id::AbstractVector{UInt8}, d::DeviceLike)
    length(id) == 128 || throw(ArgumentError("nccl_comm: argument id: $(length(id)) bytes, expected 128"))
    bytes = Vector{UInt8}(id)
    made_comm(out -> @check LibArr.arr_comm_nccl(Int32(n), Int32(rank), bytes, Ref(Device(d)), out))
end
nccl_comm(c::Comm, d::DeviceLike) = made_comm(out -> @check LibArr.arr_comm_nccl_with(c, Ref(Device(d)), out))

"""Returns the properties of a communicator: `rank` from 0, `size`, `timeout` in seconds, `failed` and `device`."""
function comm_info(c::Comm)
    out = Ref(LibArr.arr_comm_properties(sizeof(LibArr.arr_comm_properties), 0, 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_comm_info(c, out)
    p = out[]
    (rank = Int(p.rank), size = Int(p.size), timeout = p.timeout, failed = p.failed != 0, device = Device(p.device_type, p.device_index))
end

"""Sets the seconds after which a call that waits for other ranks fails; 0: never."""
comm_timeout!(c::Comm, seconds::Real) = @check LibArr.arr_comm_set_timeout(c, Float64(seconds))

# Waits in C. A garbage collection would wait for this thread, and the thread that asks for it may be the one awaited.
function in_c(f)
    GC.enable(false)
    try
        f()
    finally
        GC.enable(true)
    end
end
function made_comm(make)
    out = Ref(LibArr.arr_comm())
    in_c(() -> make(out))
    Comm(out[])
end

"""
Returns the communicator of the ranks with the same color, in the order of their keys. All ranks call it, each on another thread:
this, `comm_duplicate` and `comm_shrink` hold their thread while they wait.
"""
comm_split(c::Comm, color::Integer, key::Integer = 0) = made_comm(out -> @check LibArr.arr_comm_split(c, Int32(color), Int32(key), out))

"""Returns a communicator of the same ranks, whose calls do not meet those of the first. All ranks call it."""
comm_duplicate(c::Comm) = made_comm(out -> @check LibArr.arr_comm_duplicate(c, out))

"""Returns the communicator without some ranks, which only the others call, also after a failure."""
comm_shrink(c::Comm, excluded) = made_comm(out -> @check LibArr.arr_comm_shrink(c, Int32(length(excluded)), collect(Int32, excluded), out))

"""Ends all calls of all ranks with an error."""
comm_abort(c::Comm) = @check LibArr.arr_comm_abort(c)

"""
    Arr.comm_group(f, comm; meanwhile = () -> nothing)

Starts the calls that `f()` makes with `comm`, all at once, runs `meanwhile()`, and waits for them. None of their arrays may be
used until then. Returns the value of `meanwhile()`.

    Arr.comm_group(comm; meanwhile = () -> inner!(v, u)) do
        Arr.exchange_halo!(u, comm; grid = (4,), width = 1)
    end
"""
comm_group(f, c::Comm; meanwhile = () -> nothing) = comm_groups(f, [c]; meanwhile = meanwhile)

"""
    Arr.comm_groups(f, comms; meanwhile = () -> nothing)

The same with the calls of several ranks, which are this thread's.
"""
function comm_groups(f, comms; meanwhile = () -> nothing)
    open = 0
    try
        for c in comms
            @check LibArr.arr_comm_group_begin(c)
            c.grouped, open = true, open + 1
        end
        f()
        for c in comms
            @check LibArr.arr_comm_group_start(c)
        end
        return meanwhile()
    finally
        foreach(await, comms[1:open])
        status = LibArr.ARR_OK
        for c in comms[1:open]
            c.grouped = false
            s = LibArr.arr_comm_group_end(c)
            status == LibArr.ARR_OK && (status = s)
        end
        @check status
    end
end

# Waits for a group in Julia: a thread that waits in a C function stops the garbage collection that other threads wait for.
function await(c::Comm)
    done, since = Ref(false), time()
    while LibArr.arr_comm_group_query(c, done) == LibArr.ARR_OK && !done[]
        time() - since < 1e-3 ? yield() : sleep(1e-3)
    end
end
# A single call, unless it is one of a group.
together(f, c::Comm) = c.grouped ? f() : comm_group(f, c)

# The reduction of a function, as of mapreduce.
const COMM_REDUCTIONS = Dict{Any,Symbol}((+) => :sum, (*) => :prod, min => :min, max => :max, (&) => :bitwise_and_reduce,
                                         (|) => :bitwise_or_reduce, xor => :bitwise_xor_reduce, any => :any, all => :all)
function comm_reduction(op, T)
    op isa Symbol && return REDUCTION_ROWS[op].number
    haskey(COMM_REDUCTIONS, op) || throw(ArgumentError("op: $op, expected +, *, min, max, &, |, xor or the name of a reduction such as :mean"))
    name = COMM_REDUCTIONS[op]
    T === Bool && op === (&) && (name = :all)
    T === Bool && op === (|) && (name = :any)
    REDUCTION_ROWS[name].number
end

comm_counts(::Nothing) = (Int32(0), C_NULL)
comm_counts(counts) = (Int32(length(counts)), collect(Int64, counts))
comm_axis(dims::Integer) = Int32(dims - 1)
optional_handle(::Nothing) = LibArr.arr_array()
optional_handle(a) = a

"""Waits until all ranks have called it."""
comm_barrier(c::Comm) = together(() -> @check(LibArr.arr_comm_barrier(c, stream())), c)

"""Copies the array of rank `root` to all."""
comm_broadcast!(a::ArrArray, c::Comm; root::Integer = 0) = (together(() -> @check(LibArr.arr_comm_broadcast(c, a, Int32(root), stream())), c); a)

"""
    Arr.all_reduce(a, comm; op = +)

Combines the arrays of all ranks element by element. `op` is `+`, `*`, `min`, `max`, `&`, `|`, `xor`, or the name of a reduction
such as `:mean`.
"""
all_reduce(a::ArrArray, c::Comm; op = +) = all_reduce!(similar(a), a, c; op = op)

"""Writes the result of `Arr.all_reduce` into an array, which may be `a` itself."""
function all_reduce!(to::ArrArray, a::ArrArray, c::Comm; op = +)
    together(() -> @check(LibArr.arr_comm_all_reduce(c, to, a, comm_reduction(op, eltype(a)), stream())), c)
    to
end

"""The same on rank `root` only; other ranks may pass `nothing` as `to`."""
function comm_reduce!(to::Union{ArrArray,Nothing}, a::ArrArray, c::Comm; op = +, root::Integer = 0)
    together(() -> @check(LibArr.arr_comm_reduce(c, optional_handle(to), a, comm_reduction(op, eltype(a)), Int32(root), stream())), c)
    to
end

"""
    Arr.all_gather!(to, a, comm; dims = ndims(a), counts = nothing)

Joins the arrays of all ranks along a dimension. `counts` has the extent of each part; all are equal without it.
"""
function all_gather!(to::ArrArray, a::ArrArray, c::Comm; dims::Integer = ndims(a), counts = nothing)
    n, list = comm_counts(counts)
    together(() -> @check(LibArr.arr_comm_all_gather(c, to, a, comm_axis(dims), n, list, stream())), c)
    to
end

"""The same on rank `root` only; other ranks may pass `nothing` as `to`."""
function comm_gather!(to::Union{ArrArray,Nothing}, a::ArrArray, c::Comm; dims::Integer = ndims(a), counts = nothing, root::Integer = 0)
    n, list = comm_counts(counts)
    together(() -> @check(LibArr.arr_comm_gather(c, optional_handle(to), a, comm_axis(dims), n, list, Int32(root), stream())), c)
    to
end

"""Divides the array of rank `root` along a dimension; other ranks may pass `nothing` as `a`."""
function comm_scatter!(to::ArrArray, a::Union{ArrArray,Nothing}, c::Comm; dims::Integer = ndims(to), counts = nothing, root::Integer = 0)
    n, list = comm_counts(counts)
    together(() -> @check(LibArr.arr_comm_scatter(c, to, optional_handle(a), comm_axis(dims), n, list, Int32(root), stream())), c)
    to
end

"""Combines the arrays of all ranks element by element, and divides the result along a dimension."""
function reduce_scatter!(to::ArrArray, a::ArrArray, c::Comm; op = +, dims::Integer = ndims(a), counts = nothing)
    n, list = comm_counts(counts)
    together(() -> @check(LibArr.arr_comm_reduce_scatter(c, to, a, comm_axis(dims), n, list, comm_reduction(op, eltype(a)), stream())), c)
    to
end

"""
    Arr.all_to_all!(to, a, comm; dims = ndims(a), counts = nothing)

Sends a part of `a` along a dimension to each rank, and joins the parts that arrive. `counts` has for each rank a pair: the
extents of the part that it gets and of the one that comes from it.
"""
function all_to_all!(to::ArrArray, a::ArrArray, c::Comm; dims::Integer = ndims(a), counts = nothing)
    (n, sent), (_, received) = counts === nothing ? (comm_counts(nothing), comm_counts(nothing)) : (comm_counts(first.(counts)), comm_counts(last.(counts)))
    together(() -> @check(LibArr.arr_comm_all_to_all(c, to, a, comm_axis(dims), n, sent, received, stream())), c)
    to
end

"""Sends an array to another rank."""
comm_send(a::ArrArray, receiver::Integer, c::Comm) = together(() -> @check(LibArr.arr_comm_send(c, a, Int32(receiver), stream())), c)

"""Receives an array from another rank."""
comm_recv!(to::ArrArray, sender::Integer, c::Comm) = (together(() -> @check(LibArr.arr_comm_recv(c, to, Int32(sender), stream())), c); to)

"""Sends an array to a rank while receiving one from a rank; `nothing` where there is none."""
function comm_send_recv!(to::ArrArray, a::ArrArray, c::Comm; sender = nothing, receiver = nothing)
    from, into = something(sender, -1), something(receiver, -1)
    together(() -> @check(LibArr.arr_comm_send_recv(c, to, a, Int32(from), Int32(into), stream())), c)
    to
end

"""
    Arr.exchange_halo!(a, comm; grid, width = 1, dims = 1:length(grid), periodic = false)

Fills the outer `width` layers of `a` with the values of neighbours in a grid of ranks, which divides the dimensions `dims`. The
rank's number changes fastest along the last dimension of the grid. `width` and `periodic` may also be lists.
"""
function exchange_halo!(a::ArrArray, c::Comm; grid, width = 1, dims = 1:length(grid), periodic = false)
    n = length(grid)
    all_of(x, what) = x isa Number ? Base.fill(x, n) : length(x) == n ? collect(x) : throw(ArgumentError("$what: $(length(x)) of them, expected $n"))
    axes, widths, wraps = Int32.(all_of(dims, "dims") .- 1), Int64.(all_of(width, "width")), Int32.(all_of(periodic, "periodic"))
    together(() -> @check(LibArr.arr_comm_exchange_halo(c, a, Int32(n), axes, collect(Int32, grid), widths, wraps, stream())), c)
    a
end
