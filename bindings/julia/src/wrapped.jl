# SPDX-License-Identifier: MIT
# wrapped.jl: other packages' wrappers of arrays of Arr in broadcasts. A type is one if its BroadcastStyle is that of the array
# in it; which elements it means is what its own getindex and setindex! do, traced as any function.

const NotWrapped = Union{AnyArr,Structured,ArrSelection,ArrTuples}      # which have the style too
is_wrapped(@nospecialize(x)) = x isa AbstractArray && !(x isa NotWrapped) && Broadcast.BroadcastStyle(typeof(x)) isa ArrStyle

# The array of Arr in a wrapper, perhaps in wrappers in it.
first_array(@nospecialize(x::AbstractArray)) = is_wrapped(x) ? wrapped_array(x) : nothing
function wrapped_array(@nospecialize(x))
    for i in 1:nfields(x)
        a = isdefined(x, i) ? getfield(x, i) : nothing
        found = a isa AnyArr ? a : a isa AbstractArray ? wrapped_array(a) : nothing
        found === nothing || return found
    end
    nothing
end

# The indices of an element of the result in the wrapper, from an array for each dimension, for these are broadcast.
wrapped_indices(t::Trace, @nospecialize(x)) =
    Any[input(t, ArrArray(reshape(collect(Int64, axes(x, d)), ntuple(k -> k == d ? (:) : 1, d)); device = t.device)) for d in 1:ndims(x)]
read_wrapped(t::Trace, @nospecialize(x)) = call(getindex, Any[x, wrapped_indices(t, x)...])

# An element that setindex! of a wrapper writes for each of the result's.
function noted(@nospecialize(a::AnyArr), @nospecialize(x), at::Vector{Any})
    t = trace_of(at)
    (t.writes === nothing || !isempty(t.path)) && untraceable("it writes elements of an array; write a[indices] .= values outside of it")
    length(at) in (1, ndims(a)) || throw(ArgumentError("setindex!: $(length(at)) positions in an array of $(ndims(a)) dimensions"))
    steps = cumprod(Any[1, size(a)...])
    push!(t.writes, (array = a, value = x, at = sum(Any[k == 1 ? i : (i - 1) * steps[k] for (k, i) in enumerate(at)])))
    a
end

Broadcast.materialize!(::ArrStyle, dest::AbstractArray, bc::Broadcasted{Style}) where {Style} =
    (dest isa NotWrapped || !is_wrapped(dest) ? copyto! : write_wrapped!)(
        dest, Broadcast.instantiate(Broadcasted{Style}(bc.f, bc.args, axes(dest))))
function write_wrapped!(@nospecialize(dest::AbstractArray), @nospecialize(bc::Broadcasted))
    tracing(device_of(wrapped_array(dest))) do t
        x = one_number(bc.f, walk(t, bc))
        t.writes = Any[]
        run_traced(setindex!, Any[dest, x, wrapped_indices(t, dest)...])
        verify(t, size(dest))
        # All values are computed before one is written: the array may be an input.
        computed = Any[(w.array, array_of(t, w.at, size(dest)), array_of(t, w.value, size(dest))) for w in t.writes]
        for (a, at, values) in computed
            view(vec(a), at) .= values
        end
    end
    dest
end
array_of(t::Trace, @nospecialize(x::Number), dims) = x
array_of(t::Trace, x::Sym{T}, dims::Dims{N}) where {T,N} = run!(ArrArray{T,N}(undef, dims; device = t.device), t, x)
