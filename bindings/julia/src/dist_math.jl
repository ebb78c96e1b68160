# SPDX-License-Identifier: MIT
# dist_math.jl: computations with distributed arrays. A broadcast is one pass over each part.

struct DistStyle{N} <: AbstractArrayStyle{N} end
DistStyle{N}(::Val{M}) where {N,M} = DistStyle{M}()
DistStyle(::Val{N}) where {N} = DistStyle{N}()
Broadcast.BroadcastStyle(::Type{<:DistArray{T,N}}) where {T,N} = DistStyle{N}()
Broadcast.BroadcastStyle(style::DistStyle, ::ArrStyle) = style

walk(t::Trace, a::DistArray) = input(t, a)
first_array(@nospecialize(a::DistArray)) = a
dist_of(x) = nothing
dist_of(a::DistArray) = a
function dist_of(bc::Broadcasted)
    for x in bc.args
        a = dist_of(x)
        a === nothing || return a
    end
end

# f(trace, x, the first array): x is the broadcast's element.
function dist_traced(f, bc::Broadcasted)
    some = dist_of(bc)
    tracing(comm_info(some.comm).device) do t
        f(t, one_number(bc.f, walk(t, bc)), some)
    end
end

function dist_run(f, t::Trace)
    for a in t.inputs
        a isa DistArray || throw(ArgumentError("a broadcast of distributed arrays has an operand that each rank has whole: " *
            "divide it by Arr.DistArray first"))
    end
    t.square && throw(ArgumentError("a broadcast of distributed arrays has a multiple of the identity: use an array"))
    inputs = t.inputs
    GC.@preserve inputs f(Int32(length(inputs)), LibArr.arr_dist[a.handle for a in inputs])
end
dist_values(t::Trace, number::Int32, c::Comm) = dist_run(t) do n, handles
    dist_made(out -> @check(LibArr.arr_dist_expr_run(t.handle, number, n, handles, stream(), out)), c)
end
# Elements that a conversion does not take are an error on all ranks.
dist_verify(t::Trace, c::Comm) = isempty(t.checks) || any(dist_values(t, node(reduce(|, Any[k.bad for k in t.checks])), c)) &&
    throw(ArgumentError("a broadcast of distributed arrays converts an element to a type that does not have it"))

function Base.copy(bc::Broadcasted{DistStyle{N}}) where {N}
    r = dist_traced(bc) do t, x, some
        x isa Sym || return fill!(similar(some, element_type(bc.f, x)), x)
        number = as_stored(element_type(bc.f, x), t, x)
        dist_verify(t, some.comm)
        dist_values(t, number, some.comm)
    end
    N == 0 ? item(r) : r
end

function dist_store!(dst::DistArray, bc::Broadcasted)
    dist_of(bc) === nothing && return fill!(dst, Broadcast.materialize(Broadcast.broadcasted(bc.f, bc.args...)))
    dist_traced(bc) do t, x, some
        y = stored(eltype(dst), x)
        y isa Sym || return fill!(dst, y)
        number = node(y)
        dist_verify(t, dst.comm)
        dist_run(t) do n, handles
            waiting(() -> @check(LibArr.arr_dist_expr_run_into(dst, t.handle, number, n, handles, stream())))
        end
        dst
    end
end
for style in (:(<:DistStyle), :(<:AbstractArrayStyle{0}), :(DistStyle{0}), :Nothing)
    @eval Base.copyto!(dst::DistArray, bc::Broadcasted{$style}) = dist_store!(dst, bc)
end
Base.map(f, a::DistArray, rest::DistArray...) = broadcast(f, a, rest...)

"""
    Arr.dist_evaluate(formula, arrays...)

Evaluates a formula of distributed arrays in the library's notation (see [`Arr.expression`](@ref)), in the order in which its variables
appear.
"""
function dist_evaluate(formula::AbstractString, a::DistArray, rest::DistArray...)
    text, inputs = String(formula), (a, rest...)
    handles = LibArr.arr_dist[x.handle for x in inputs]
    GC.@preserve inputs dist_made(a.comm) do out
        @check LibArr.arr_dist_evaluate(text, Int64(sizeof(text)), Int32(length(handles)), handles, stream(), out)
    end
end

# ------------------------------------------------------------------------------------- reductions, scans

dist_reduction(name::Symbol, a::DistArray, dims) = dist_reduction(REDUCTION_ROWS[name].number, a, dims)
function dist_reduction(number::Int32, a::DistArray, dims)
    axes = dims === (:) ? Int32[] : turned_axes(inner(a, dims))
    dims === (:) || !isempty(axes) || return a
    r = dist_made(a.comm) do out
        @check LibArr.arr_dist_reduce(a, number, Int32(length(axes)), isempty(axes) ? C_NULL : axes,
                                      dims !== (:), stream(), out)
    end
    dims === (:) ? item(r) : r
end
dist_mapped(f, a::DistArray) = f === identity ? a : broadcast(f, a)

function Base.mapreduce(f, op, a::DistArray; dims = :, init = NoInit())
    x = dist_mapped(f, a)
    r = dist_reduction(reduction_of(op, eltype(x)), x, dims)
    dims === (:) && (r = narrow(op, eltype(x), r))
    init isa NoInit ? r : dims === (:) ? op(init, r) : op.(init, r)
end
for (f, name) in ((:any, :any), (:all, :all), (:count, :sum))
    n = QuoteNode(name)
    @eval Base.$f(a::DistArray{Bool}; dims = :) = dist_reduction($n, a, dims)
    @eval Base.$f(f::Function, a::DistArray; dims = :) = Base.$f(broadcast(f, a); dims = dims)
end
Base.extrema(a::DistArray) = (minimum(a), maximum(a))
Base.:(==)(a::DistArray, b::DistArray) = size(a) == size(b) && all(a .== b)
Statistics.mean(a::DistArray; dims = :) = dist_reduction(:mean, a, dims)
Statistics.mean(f, a::DistArray; dims = :) = Statistics.mean(broadcast(f, a); dims = dims)
function Statistics.var(a::DistArray; corrected::Bool = true, dims = :)
    n = dims === (:) ? length(a) : prod(size(a, d) for d in dims)
    r = dist_reduction(LibArr.ARR_REDUCTION_VAR, a, dims)
    corrected ? r .* (n / (n - 1)) : r
end
Statistics.std(a::DistArray; kw...) = sqrt.(Statistics.var(a; kw...))
LinearAlgebra.norm(a::DistArray, p::Real = 2) = p == 2 ? dist_reduction(:norm2, a, :) : p == 1 ? sum(abs, a) : p == Inf ? maximum(abs, a) :
    p == -Inf ? minimum(abs, a) : p == 0 ? float(count(!iszero, a)) : sum(x -> abs(x)^p, a)^(1 / p)

for (f, op) in ((:cumsum, :ARR_OP_ADD), (:cumprod, :ARR_OP_MULTIPLY))
    @eval Base.$f(a::DistArray; dims::Integer) =
        dist_made(out -> @check(LibArr.arr_dist_accumulate(LibArr.$op, a, turned_axis(dims), stream(), out)), a.comm)
    @eval Base.$f(a::DistArray{<:Any,1}; dims::Integer = 1) = invoke(Base.$f, Tuple{DistArray}, a; dims = dims)
end

Base.sort(a::DistArray; dims::Integer) =
    dist_made(out -> @check(LibArr.arr_dist_sort(a, turned_axis(dims), stream(), out)), a.comm)
Base.sort(a::DistArray{<:Any,1}; dims::Integer = 1) = invoke(Base.sort, Tuple{DistArray}, a; dims = dims)

# ------------------------------------------------------------------------------------ products, transforms

# The library has the transposes, so the operands come in reverse.
dist_product(a, b) = dist_made(out -> @check(LibArr.arr_dist_matmul(b, a, stream(), out)), a.comm)
Base.:*(a::DistArray{<:Any,2}, b::DistArray{<:Any,2}) = dist_product(a, b)
Base.:*(a::DistArray{<:Any,2}, b::DistArray{<:Any,1}) = dist_product(a, b)
LinearAlgebra.dot(a::DistArray{<:Any,1}, b::DistArray{<:Any,1}) = item(dist_product(eltype(a) <: Complex ? conj.(a) : a, b))
LinearAlgebra.mul!(c::DistArray, a::DistArray, b::DistArray) = copyto!(c, a * b)

# keep: the result is divided as a is. Without it, as the last transform leaves it.
dist_fft(a, dims, inverse, norm, keep) = (axes = turned_axes(dims); dist_made(a.comm) do out
    @check LibArr.arr_dist_fftn(a, Int32(length(axes)), axes, inverse, norm, keep, stream(), out)
end)
fft(a::DistArray, dims = 1:ndims(a); keep::Bool = true) = dist_fft(a, dims, false, LibArr.ARR_FFT_BACKWARD, keep)
ifft(a::DistArray, dims = 1:ndims(a); keep::Bool = true) = dist_fft(a, dims, true, LibArr.ARR_FFT_BACKWARD, keep)
bfft(a::DistArray, dims = 1:ndims(a); keep::Bool = true) = dist_fft(a, dims, true, LibArr.ARR_FFT_FORWARD, keep)
rfft(a::DistArray, dims = 1:ndims(a); keep::Bool = true) = (axes = turned_axes(dims); dist_made(a.comm) do out
    @check LibArr.arr_dist_rfftn(a, Int32(length(axes)), axes, LibArr.ARR_FFT_BACKWARD, keep, stream(), out)
end)
for (f, norm) in ((:irfft, :ARR_FFT_BACKWARD), (:brfft, :ARR_FFT_FORWARD))
    @eval $f(a::DistArray, d::Integer, dims = 1:ndims(a); keep::Bool = true) = (axes = turned_axes(dims); dist_made(a.comm) do out
        @check LibArr.arr_dist_irfftn(a, Int64(d), Int32(length(axes)), axes, LibArr.$norm, keep, stream(), out)
    end)
end
