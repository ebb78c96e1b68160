# SPDX-License-Identifier: MIT
# broadcast.jl: a broadcast of any depth becomes one expression, run in one pass over memory.
using Base.Broadcast: Broadcast, Broadcasted, AbstractArrayStyle, BroadcastStyle

struct ArrStyle{N} <: AbstractArrayStyle{N} end
ArrStyle{N}(::Val{M}) where {N,M} = ArrStyle{M}()
ArrStyle(::Val{N}) where {N} = ArrStyle{N}()
Broadcast.BroadcastStyle(::Type{<:AnyArr{T,N}}) where {T,N} = ArrStyle{N}()

# ------------------------------------------------------------------------------------ walking the tree

walk(t::Trace, @nospecialize(bc::Broadcasted)) = call(bc.f, Any[walk(t, x) for x in bc.args])
walk(t::Trace, a::AnyArr) = input(t, a)
walk(t::Trace, x::Number) = x
walk(t::Trace, x::Ref) = x[]
walk(t::Trace, x::Type) = x
walk(t::Trace, x::Union{AbstractRange{<:Number},Tuple{Number,Vararg{Number}}}) = input(t, ArrArray(Base.vect(x...); device = t.device))
walk(t::Trace, x::Union{AbstractArray,Tuple}) = throw(ArgumentError(
    "a broadcast mixes an array of Arr with a $(typeof(x)) of Julia's memory: move that by ArrArray(x) first"))
walk(t::Trace, x) = x

first_array(x) = nothing
first_array(a::AnyArr) = a
function first_array(bc::Broadcasted)
    for x in bc.args
        a = first_array(x)
        a === nothing || return a
    end
    nothing
end

# Julia's dimensions of extent 1 come last, the library's first: so operands get the rank of the result.
function ranked(a::AnyArr{T,M}, ::Val{N}) where {T,M,N}
    M == N && return a
    if M < N
        new = Int32[axis(d) for d in M+1:N]
        return take_view(out -> @check(LibArr.arr_expand_dims(a, Int32(N - M), new, out)), ArrStrided{T,N})
    end
    single = Int32[axis(d) for d in N+1:M]
    take_view(out -> @check(LibArr.arr_squeeze(a, Int32(M - N), single, out)), ArrStrided{T,N})
end

ranked(w::WholeInput, ::Val) = w.array

# The arrays of a trace with the rank of a result, and their handles.
function operands(t::Trace, ::Val{N}) where {N}
    inputs = Any[ranked(a, Val(N)) for a in t.inputs]
    inputs, LibArr.arr_array[a.handle for a in inputs]
end

function run!(dest::AnyArr{<:Any,N}, t::Trace, node::Sym) where {N}
    inputs, handles = operands(t, Val(N))
    GC.@preserve inputs @check LibArr.arr_expr_run_into(dest, t.handle, node.node, Int32(length(handles)), handles, stream())
    dest
end
run!(dest::AnyArr, t::Trace, x::Number) = fill!(dest, x)

# f(trace) with a trace that ends with the call.
function tracing(f, device::Device)
    t = Trace(device)
    try
        f(t)
    finally
        release(t)
    end
end

# ----------------------------------------------------------------------------------- Base's entries

# Compiled once, not for each function and each combination of types.
Base.copy(@nospecialize(bc::Broadcasted{<:ArrStyle})) = evaluate(bc, Val(rank(bc)))
rank(::Broadcasted{ArrStyle{N}}) where {N} = N
function evaluate(@nospecialize(bc::Broadcasted), ::Val{N}) where {N}
    tracing(device(first_array(bc))) do t
        x = walk(t, bc)
        T = numtype(x)
        T in ELTYPES || throw(TraceError(bc.f, "it gives $T, which is no element type of Arr"))
        dims = Dims{N}(map(length, axes(bc)))
        verify(t, dims)
        dest = if x isa Sym && all(a -> a isa ArrArray, t.inputs) && any(a -> size(a) == dims, t.inputs)
            run(t, as_stored(T, t, x), ArrArray{T,N}, dims)
        else
            run!(ArrArray{T,N}(undef, dims; device = device(first_array(bc))), t, x)
        end
        N == 0 ? item(dest) : dest
    end
end

# A new array, which a block of `fuse` records. The library orders it as its operands, which are column-major; one
# of the result's size leaves no doubt.
function run(t::Trace, node::Int32, ::Type{ArrArray{T,N}}, dims::Dims{N}) where {T,N}
    inputs, handles = operands(t, Val(N))
    GC.@preserve inputs take(ArrArray{T,N}, dims) do out
        @check LibArr.arr_expr_run(t.handle, node, Int32(length(handles)), handles, stream(), out)
    end
end

# The node in the type that Julia gives it; run! converts to that of dest by itself.
function as_stored(@nospecialize(T::Type), t::Trace, @nospecialize(x::Sym))
    node = Ref{Int32}(0)
    @check LibArr.arr_expr_cast(t.handle, x.node, dtype(T), node)
    node[]
end

function Base.copyto!(dest::AnyArr, @nospecialize(bc::Broadcasted{Nothing}))
    bc.f === identity && bc.args isa Tuple{Array} && size(dest) == size(bc.args[1]) && return copyto!(dest, bc.args[1])
    tracing(device(dest)) do t
        x = stored(eltype(dest), walk(t, bc))
        verify(t, size(dest))
        run!(dest, t, x)
    end
    dest
end
Base.copyto!(dest::AnyArr, bc::Broadcasted{<:ArrStyle}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
Base.copyto!(dest::AnyArr, bc::Broadcasted{<:AbstractArrayStyle{0}}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
Base.copyto!(dest::AnyArr, bc::Broadcasted{ArrStyle{0}}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))

Base.similar(bc::Broadcasted{<:ArrStyle}, ::Type{T}, dims) where {T} =
    ArrArray{T}(undef, map(length, dims); device = device(first_array(bc)))

# ------------------------------------------------------------------------------------------- map

function Base.map(f, a::AnyArr, rest::Union{AnyArr,AbstractRange}...)
    all(b -> size(b) == size(a), rest) || throw(DimensionMismatch("map: sizes $(map(size, (a, rest...)))"))
    Broadcast.broadcast_preserving_zero_d(f, a, rest...)
end
function Base.map!(f, dest::AnyArr, a::AnyArr, rest::AnyArr...)
    all(b -> size(b) == size(dest), (a, rest...)) ||
        throw(DimensionMismatch("map!: sizes $(map(size, (dest, a, rest...)))"))
    broadcast!(f, dest, a, rest...)
end

"""
    Arr.program(f, arrays...)

The program that `f.(arrays...)` runs, as text: to see what is fused.
"""
function program(f, arrays::AnyArr...)
    tracing(device(first(arrays))) do t
        x = traced(f, Any[input(t, a) for a in arrays])
        x isa Sym || return string(x)
        handles = LibArr.arr_array[(a isa WholeInput ? a.array : a).handle for a in t.inputs]
        fetch_text((c, text, n) -> LibArr.arr_expr_describe(t.handle, x.node, Int32(length(handles)), handles, c, text, n))
    end
end
