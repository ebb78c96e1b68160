# SPDX-License-Identifier: MIT
# broadcast.jl: a broadcast of any depth becomes one expression, run in one pass over memory.

struct ArrStyle{N} <: AbstractArrayStyle{N} end
ArrStyle{N}(::Val{M}) where {N,M} = ArrStyle{M}()
ArrStyle(::Val{N}) where {N} = ArrStyle{N}()
Broadcast.BroadcastStyle(::Type{<:AnyArr{T,N}}) where {T,N} = ArrStyle{N}()

# ------------------------------------------------------------------------------------ walking the tree

# Compiled once, as all that is called for each broadcast: not for each function and each combination of types.
function walk(t::Trace, @nospecialize(bc::Broadcasted))
    on_host(bc) && return walk_host(t, bc)
    f, operands, arguments = getfield(bc, :f), getfield(bc, :args), Any[]
    for i in 1:nfields(operands)
        push!(arguments, argument_of(t, getfield(operands, i)))
    end
    call(f, arguments)
end
# As walk; arrays and broadcasts need no method to be looked for.
argument_of(t::Trace, @nospecialize(x)) = x isa Broadcasted ? walk(t, x) : x isa AnyArr ? input(t, x) : walk(t, x)
walk(t::Trace, @nospecialize(a::AnyArr)) = input(t, a)
walk(t::Trace, @nospecialize(x::Number)) = x
walk(t::Trace, x::Ref) = walk_inside(t, x[])
walk(t::Trace, x::Array{<:Number,0}) = x[]
walk(t::Trace, x::Type) = x
walk(t::Trace, x::Tuple{Number,Vararg{Number}}) = input(t, ArrArray(Base.vect(x...); device = t.device))
# Ranges and masks are moved to the device; other memory of Julia's is for the user to move.
const Small = Union{AbstractRange{<:Number},LinearIndices,AbstractArray{Bool},
    (W{<:Any,<:AbstractRange{<:Number}} for W in (Transpose, Adjoint))...}
walk(t::Trace, x::Small) = input(t, ArrArray(collect(x); device = t.device))
walk(t::Trace, x::Union{AbstractArray,Tuple}) = is_wrapped(x) ? read_wrapped(t, x) : throw(ArgumentError(
    "a broadcast mixes an array of Arr with Julia's $(typeof(x)): move that by ArrArray(x) first"))
walk(t::Trace, x) = x

# A part of a broadcast that only Julia's arrays take part in, such as `x .> 0`: a mask, or an error.
function holds_array(@nospecialize(x))
    x isa Broadcasted || return x isa AbstractArray && !(x isa AbstractRange)
    arguments = getfield(x, :args)
    for i in 1:nfields(arguments)
        holds_array(getfield(arguments, i)) && return true
    end
    false
end
on_host(@nospecialize(bc::Broadcasted)) = first_array(bc) === nothing && holds_array(bc)
function walk_host(t::Trace, @nospecialize(bc::Broadcasted))
    x = Broadcast.materialize(bc)
    walk(t, x isa AbstractArray{Bool} ? x : first_memory(bc))
end
first_memory(x) = holds_array(x) ? x : nothing
first_memory(bc::Broadcasted) = first_memory(first(x for x in bc.args if holds_array(x)))

# `A .+ I`: the elements of the identity, by their positions. Base's broadcasts do not take it.
walk_inside(t::Trace, x) = x
function walk_inside(t::Trace, J::UniformScaling)
    t.square = true
    row, column = Ref{Int32}(0), Ref{Int32}(0)
    @check LibArr.arr_expr_index(t.handle, Int32(0), row)
    @check LibArr.arr_expr_index(t.handle, Int32(1), column)
    λ = typeof(J.λ) in ELTYPES || !(J.λ isa Complex) || ComplexF32(J.λ) != J.λ ? J.λ : ComplexF32(J.λ)    # of im: the least type
    ifelse(Sym{Int64}(t, row[]) == Sym{Int64}(t, column[]), λ, zero(λ))
end
for A in (:AnyArr, :(Broadcasted{<:ArrStyle}))
    @eval Broadcast.broadcasted(f, a::$A, J::UniformScaling) = Broadcast.broadcasted(f, a, Ref(J))
    @eval Broadcast.broadcasted(f, J::UniformScaling, a::$A) = Broadcast.broadcasted(f, Ref(J), a)
end

first_array(@nospecialize(x)) = nothing
first_array(@nospecialize(a::AnyArr)) = a
function first_array(@nospecialize(bc::Broadcasted))
    arguments = getfield(bc, :args)
    for i in 1:nfields(arguments)
        a = first_array(getfield(arguments, i))
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

# Results of a trace into arrays.
function run!(dest::AnyArr{<:Any,N}, t::Trace, x::Sym) where {N}
    has_parts(x) && eltype(dest) <: Complex && return (run_all!(Any[dest => x], t, Val(N)); dest)
    number = node(x)
    inputs, handles = operands(t, Val(N))
    GC.@preserve inputs @check LibArr.arr_expr_run_into(dest, t.handle, number, Int32(length(handles)), handles, stream())
    dest
end
run!(dest::AnyArr, t::Trace, x::Number) = fill!(dest, x)

function run_all!(pairs::Vector{Any}, t::Trace, ::Val{N}) where {N}
    stored = Any[]
    for (dest, x) in pairs
        x isa Sym || continue
        # Both parts are computed before one is written, so that the array may be an input.
        has_parts(x) && eltype(dest) <: Complex ? push!(stored, (part_view(dest, false), parts(x)[1]), (part_view(dest, true), parts(x)[2])) :
            push!(stored, (dest, x))
    end
    numbers = Int32[node(x) for (_, x) in stored]
    inputs, handles = operands(t, Val(N))
    dests = LibArr.arr_array[dest.handle for (dest, _) in stored]
    isempty(dests) || GC.@preserve inputs stored @check LibArr.arr_expr_run_many_into(Int32(length(dests)), dests, t.handle, numbers,
        Int32(length(handles)), handles, stream())
    foreach(p -> p[2] isa Sym || fill!(p...), pairs)
end

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

# Base's method for any broadcast finds the axes first, in code that is compiled for each type.
# These methods are: a call of one that is not takes microseconds to be found. Inference must not follow their argument.
Broadcast.materialize(bc::Broadcasted{<:ArrStyle}) = computed(Base.inferencebarrier(bc)::Broadcasted)
Base.copy(bc::Broadcasted{<:ArrStyle}) = computed(Base.inferencebarrier(bc)::Broadcasted)
function computed(@nospecialize(bc::Broadcasted))
    l = Leaves(Any[], Any[])
    can = gather!(l, bc)
    p = can ? plan_of(typeof(bc), l) : nothing
    p === nothing ? evaluate(bc, sizes(bc), can && !is_full(typeof(bc)) ? l : nothing) : run_new(p, l, bc)
end
function evaluate(@nospecialize(bc::Broadcasted), @nospecialize(dims::Dims), l)
    t = Trace(device_of(first_array(bc)))
    try
        before, f = UNSTEADY[], getfield(bc, :f)
        x = walk(t, bc)
        if l !== nothing && !isempty(dims) && x isa Sym && !has_parts(x) && numtype(x) in ELTYPES
            T = numtype(x)
            stored = as_stored(T, t, x)
            keep_plan!(t, bc, l, before, stored, T, ArrArray{T,length(dims)})
            t.plan === nothing || (x = Sym{T}(t, stored))
        end
        new_results(t, f, x, dims)
    finally
        release(t)
    end
end

# The extents of a broadcast, by Base's rules and with its errors.
sizes(@nospecialize(bc::Broadcasted)) = map(length, combined_axes(bc))
function combined_axes(@nospecialize(bc::Broadcasted))
    found = getfield(bc, :axes)
    found === nothing || return found
    arguments = getfield(bc, :args)
    found = ()
    for i in nfields(arguments):-1:1
        x = getfield(arguments, i)
        own = x isa Broadcasted ? combined_axes(x) : x isa AnyArr ? axes_of_dims(getfield(x, :dims)) : x isa Number ? () : axes(x)
        found = isempty(found) || own === found ? own : isempty(own) ? found : Broadcast.broadcast_shape(own, found)
    end
    found
end
axes_of_dims(dims::Dims) = map(Base.OneTo, dims)

# The results of a traced function as a new array, of the type that it has in Julia.
function new_results(t::Trace, @nospecialize(f), @nospecialize(x::Number), dims::Dims{N}) where {N}
    T = element_type(f, x)
    verify(t, dims)
    dest = if x isa Sym && !has_parts(x) && all(a -> a isa ArrArray, t.inputs) && any(a -> size(a) == dims, t.inputs)
        run(t, as_stored(T, t, x), ArrArray{T,N}, dims)
    else
        run!(ArrArray{T,N}(undef, dims; device = t.device), t, x)
    end
    N == 0 ? item(dest) : dest
end
function element_type(@nospecialize(f), @nospecialize(x::Number))
    T = numtype(x)
    T in ELTYPES ? T : throw(TraceError(f, "it gives $T, which is no element type of Arr"))
end

# A new array, which a block of `fuse` records. The library orders it as its operands, which are column-major; one
# of the result's size leaves no doubt.
function run(t::Trace, node::Int32, ::Type{ArrArray{T,N}}, dims::Dims{N}) where {T,N}
    inputs, handles = operands(t, Val(N))
    GC.@preserve inputs take(ArrArray{T,N}, dims) do out
        @check LibArr.arr_expr_run(t.handle, node, Int32(length(handles)), handles, stream(), out)
    end
end

# The node in the type that it has in Julia; run! converts to that of dest by itself. That of a plan is so already, and
# nothing may be added to the expression of a plan: others run it.
function as_stored(@nospecialize(T::Type), t::Trace, @nospecialize(x::Sym))
    t.plan === nothing || return node(x)
    made = Ref{Int32}(0)
    @check LibArr.arr_expr_cast(t.handle, node(x), dtype(T), made)
    made[]
end

Base.copyto!(dest::AnyArr, bc::Broadcasted{Nothing}) = assign!(dest, Base.inferencebarrier(bc)::Broadcasted)
function assign!(dest::AnyArr, @nospecialize(bc::Broadcasted))
    f, arguments = getfield(bc, :f), getfield(bc, :args)
    f === identity && arguments isa Tuple{Array} && size(dest) == size(arguments[1]) && return copyto!(dest, arguments[1])
    f === identity && arguments isa Tuple{Number} && return fill!(dest, arguments[1])
    l = Leaves(Any[], Any[])
    can = gather!(l, bc) && !isempty(l.arrays)
    p = can ? plan_of(typeof(bc), l) : nothing
    p === nothing || narrows(eltype(dest), p.result) || return run_into!(dest, p, l)
    t = Trace(device(dest))
    try
        before = UNSTEADY[]
        x = stored(eltype(dest), one_number(f, walk(t, bc)))
        can && x isa Sym && !has_parts(x) && numtype(x) in ELTYPES && !is_full(typeof(bc)) &&
            keep_plan!(t, bc, l, before, node(x), numtype(x), ArrArray{numtype(x),ndims(dest)})
        verify(t, size(dest))
        run!(dest, t, x)
    finally
        release(t)
    end
    dest
end
Base.copyto!(dest::AnyArr, bc::Broadcasted{<:ArrStyle}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
Base.copyto!(dest::AnyArr, bc::Broadcasted{<:AbstractArrayStyle{0}}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))
Base.copyto!(dest::AnyArr, bc::Broadcasted{ArrStyle{0}}) = copyto!(dest, convert(Broadcasted{Nothing}, bc))

Base.similar(bc::Broadcasted{<:ArrStyle}, ::Type{T}, dims) where {T} =
    ArrArray{T}(undef, map(d -> d isa Integer ? d : length(d), dims); device = device(first_array(bc)))

# ------------------------------------------------------------------------------------------- map

# As Base's: vectors of several lengths, and arrays of several ranks, are taken element by element until the shortest ends.
function Base.map(f, a::AnyArr, rest::Union{AnyArr,AbstractRange}...)
    all(b -> size(b) == size(a), rest) && return Broadcast.broadcast_preserving_zero_d(f, a, rest...)
    ndims(a) > 1 && all(b -> ndims(b) == ndims(a), rest) &&
        throw(DimensionMismatch("map: sizes $(map(size, (a, rest...)))"))
    n = minimum(length, (a, rest...))
    broadcast(f, map(b -> beginning(b, n), (a, rest...))...)
end
function Base.map!(f, dest::AnyArr, a::AnyArr, rest::Union{AnyArr,AbstractRange}...)
    all(b -> size(b) == size(dest), (a, rest...)) && return broadcast!(f, dest, a, rest...)
    has_vector(dest) || return copyto!(dest, map!(f, column_major(dest), a, rest...))
    n = minimum(length, (dest, a, rest...))
    broadcast!(f, beginning(dest, n), map(b -> beginning(b, n), (a, rest...))...)
    dest
end
# The first n elements: a view, of a copy where the elements are no view of one dimension.
beginning(r::AbstractRange, n) = r[1:n]
beginning(a::AnyArr, n) = view(vec(has_vector(a) ? a : column_major(a)), 1:n)
has_vector(a::AnyArr) = a isa ArrArray || ndims(a) == 1

"""
    Arr.program(f, arrays...)

Returns the program that `f.(arrays...)` runs, as text: to see what is fused.
"""
function program(f, arrays::AnyArr...)
    tracing(device(first(arrays))) do t
        x = one_number(f, traced(f, Any[input(t, a) for a in arrays]))
        x isa Sym || return string(x)
        number = node(x)
        handles = LibArr.arr_array[(a isa WholeInput ? a.array : a).handle for a in t.inputs]
        fetch_text((c, text, n) -> LibArr.arr_expr_describe(t.handle, number, Int32(length(handles)), handles, c, text, n))
    end
end
