# SPDX-License-Identifier: MIT
# reduce.jl: reductions from the table, under Base's names.

const REDUCTION_ROWS = Dict(row.name => row for row in LibArr.REDUCTIONS)

# The type that a reduction of T returns, by its row.
function reduced_type(row, T)
    row.output === :BOOL && return Bool
    row.output === :INT64 && return Int64
    row.output === :SAME && return T
    row.output === :REAL && return T <: Integer ? Float64 : real(T)
    row.acc === :SUM && return T <: Union{Bool,Signed} ? Int64 : T <: Unsigned ? UInt64 : T
    row.acc === :MEAN && return T <: Integer ? Float64 : T
    T
end

axes_of(dims::Integer) = Int32[axis(dims)]
axes_of(dims) = Int32[axis(d) for d in unique(dims)]
reduced_size(a, dims) = ntuple(d -> d in dims ? 1 : size(a, d), ndims(a))
# Base lets dims go beyond the array's; the library does not.
inner(a, dims) = [Int(d) for d in dims if d <= ndims(a)]

# The values of a traced function, which are reduced as they are computed.
struct Mapped{T,N}
    trace::Trace
    x::Sym{T}
    dims::Dims{N}
end
const Values{T,N} = Union{AnyArr{T,N},Mapped{T,N}}
Base.eltype(::Mapped{T}) where {T} = T
Base.ndims(::Mapped{T,N}) where {T,N} = N
Base.size(m::Mapped) = m.dims
Base.size(m::Mapped, d) = d <= ndims(m) ? m.dims[d] : 1
Base.isempty(m::Mapped) = any(==(0), m.dims)
device(m::Mapped) = m.trace.device
mapped_by(f, m::Mapped) = Mapped(m.trace, f(m.x), m.dims)
mapped_by(f, a::AnyArr) = map(f, a)

# A call of a reduction of the library into an array.
into_of(row, a::AnyArr) = getfield(LibArr, Symbol(:arr_, row.name, :_into))
function into_of(row, m::Mapped{T,N}) where {T,N}
    number, t = node(m.x), m.trace
    inputs, handles = operands(t, Val(N))
    (out, m, n, axes, keep, stream) -> GC.@preserve inputs LibArr.arr_expr_reduce_into(out, t.handle, number, row.number, n,
        axes, keep, Int32(length(handles)), handles, stream)
end

# g(values) of f over arrays of one size: an array where nothing is computed of it.
function with_mapped(@nospecialize(g), @nospecialize(f), @nospecialize(a), @nospecialize(rest...))
    f === identity && isempty(rest) && a isa AnyArr && return g(a)
    isempty(rest) || all(b -> size(b) == size(a), rest) || throw(DimensionMismatch("mapreduce: sizes $(map(size, (a, rest...)))"))
    t = Trace(device_of(a))
    try
        arguments = Any[argument_of(t, a)]
        for b in rest
            push!(arguments, argument_of(t, b))
        end
        x = one_number(f, traced(f, arguments))
        T, dims = element_type(f, x), a isa AnyArr ? getfield(a, :dims) : size(a)
        verify(t, dims)
        x isa Sym ? g(Mapped{T,length(dims)}(t, x, dims)) : g(fill(convert(T, x), dims; device = device(a)))
    finally
        release(t)
    end
end

# Over everything: a number of Julia.
function reduce_all(row, @nospecialize(into), a::Values{T}) where {T}
    R = reduced_type(row, T)
    out = ArrArray{R,0}(undef, (); device = device(a))
    @check into(out, a, Int32(0), C_NULL, false, stream())
    x = item(out)
    unsafe_free!(out)
    x
end

# Over some dimensions, which stay with extent 1.
function reduce_dims(row, @nospecialize(into), a::Values{T,N}, @nospecialize(dims)) where {T,N}
    all(d -> d >= 1, dims) || throw(ArgumentError("dims $dims: dimensions count from 1"))
    reduce_into!(into, ArrArray{reduced_type(row, T),N}(undef, reduced_size(a, dims); device = device(a)), a, dims)
end
function reduce_into!(@nospecialize(into), out, a, @nospecialize(dims))
    axes = axes_of(inner(a, dims))
    isempty(axes) && return a isa Mapped ? run!(out, a.trace, a.x) : copyto!(out, a)
    @check into(out, a, Int32(length(axes)), axes, true, stream())
    out
end

# reduction(:sum, a, dims): dims is : or dimensions.
reduction(name::Symbol, a::Values, @nospecialize(dims)) = reduction(REDUCTION_ROWS[name], a, dims)
function reduction(row, a::Values, @nospecialize(dims))
    into = into_of(row, a)
    dims === (:) ? reduce_all(row, into, a) : reduce_dims(row, into, a, dims)
end

# ----------------------------------------------------------------------------------- Base's entries

# The reduction of an operator; Base's sum, prod, maximum and minimum come with these operators.
reduction_of(::Union{typeof(+),typeof(Base.add_sum)}, T) = :sum
reduction_of(::Union{typeof(*),typeof(Base.mul_prod)}, T) = :prod
reduction_of(::Union{typeof(*),typeof(Base.mul_prod)}, ::Type{Bool}) = :all
reduction_of(::typeof(max), T) = :max
reduction_of(::typeof(min), T) = :min
reduction_of(::typeof(&), ::Type{Bool}) = :all
reduction_of(::typeof(|), ::Type{Bool}) = :any
reduction_of(::typeof(&), ::Type{<:Integer}) = :bitwise_and_reduce
reduction_of(::typeof(|), ::Type{<:Integer}) = :bitwise_or_reduce
reduction_of(::typeof(xor), ::Type{<:Integer}) = :bitwise_xor_reduce
reduction_of(op, T) = throw(TraceError(op, "elements of $T are reduced by +, *, max or min, and integers also by &, | or xor"))

# Converts to the type of Julia's result: reduce(+, ...) stays in the type where sum goes to 64 bits.
narrow(op, ::Type{T}, x::Number) where {T} = x isa Integer && !(x isa T) ? narrowed(Base.promote_op(op, T, T), x) : x
narrow(op, ::Type{T}, a::AnyArr{S}) where {T,S} = (R = Base.promote_op(op, T, T); R === S || !(R <: Integer) ? a : a .% R)
narrowed(::Type{R}, x::Integer) where {R<:Integer} = x % R
narrowed(R, x) = x

struct NoInit end

Base.mapreduce(f, op, a::AnyArr; dims = :, init = NoInit()) = mapped_reduce(f, op, a, dims, init)
Base.mapreduce(f, op, a::AnyArr, b::AnyArr, rest::AnyArr...; dims = :, init = NoInit()) =
    mapped_reduce(f, op, (a, b, rest...), dims, init)

# A reduction with what it was called with, of one type for all of them.
struct Reducing
    op::Any
    dims::Any
    init::Any
end
(r::Reducing)(x) = reduced(r.op, x, r.dims, r.init)
reduced(op, x, dims, init) = init isa NoInit ? reduce_alone(op, x, dims) : reduce_from(op, x, dims, init)

# The largest size of no elements is 0, as in Base.
mapped_reduce(f, op, a::AnyArr, dims, init) =
    op === max && f in (abs, abs2) && dims === (:) && init isa NoInit && isempty(a) ? f(zero(eltype(a))) :
    mapped_reduce(f, op, (a,), dims, init)
mapped_reduce(f, op, arrays::Tuple, dims, init) =
    f === identity && arrays isa Tuple{AnyArr} ? reduced(op, arrays[1], dims, init) : with_mapped(Reducing(op, dims, init), f, arrays...)
reduce_alone(op, a::Values{T}, dims) where {T} =
    signed_zero(reduction_of(op, T), a, dims, narrow(op, T, reduction(reduction_of(op, T), a, dims)))

# Julia orders -0.0 before 0.0; the library may return either zero as an extreme. Captured work cannot wait for a look
# at r.
wrong_zero(name, x) = (x == zero(x)) & (name === :max ? signbit(x) : negated(signbit(x)))
signed_zero(name, a::Values, dims, r) = r
# The rest is compiled only where a zero is an extreme.
function signed_zero(name, a::Values{<:AbstractFloat}, dims, r::Number)
    name in (:max, :min) && wrong_zero(name, r) && Base.inferencebarrier(any)(right_zeros(name, a)) ? -r : r
end
signed_zero(name, a::Values{<:AbstractFloat}, dims, r::AnyArr) =
    name in (:max, :min) ? Base.inferencebarrier(signed_zeros!)(name, a, dims, r)::typeof(r) : r
function signed_zeros!(name, a::Values, dims, r::AnyArr)
    captured() || any(x -> wrong_zero(name, x), r) || return r
    along = inner(a, dims)
    zeros = right_zeros(name, a)
    found = isempty(along) ? (a isa Mapped ? run!(ArrArray{Bool,ndims(a)}(undef, size(a); device = device(a)), a.trace, zeros.x) : zeros) :
        reduction(:any, zeros, along)
    r .= ifelse.(found .& (r .== 0), name === :max ? abs.(r) : .-abs.(r), r)
end
right_zeros(name, a) = mapped_by(x -> (x == zero(x)) & (name === :max ? negated(signbit(x)) : signbit(x)), a)

# From a first value on: its type takes part, and with dims the results have it, as in Base.
function reduce_from(op, a::Values{T}, dims, init::S) where {T,S<:Number}
    A = Base.promote_op(op, Base.promote_op(op, S, T), T)
    A in ELTYPES && S in ELTYPES || throw(TraceError(op, "with init of type $S it gives $A, which is no element type of Arr"))
    reduction_of(op, A)                         # an unknown operator is an error also where there is nothing to reduce
    isempty(a) && return dims === (:) ? init : fill(init, reduced_size(a, dims); device = device(a))
    r = with_type(x -> reduce_alone(op, x, dims), A, a)
    dims === (:) ? op(init, r) : S.(op.(init, r))
end

# f(values) with the values converted.
with_type(f, A, m::Mapped) = f(mapped_by(x -> as(A, m.trace, x), m))
with_type(f, A, a::AnyArr) = eltype(a) === A ? f(a) : with_mapped(f, x -> convert(A, x), a)

Base.any(a::AnyArr; dims = :) = reduction(:any, truths(a), dims)
Base.all(a::AnyArr; dims = :) = reduction(:all, truths(a), dims)
Base.any(f::Function, a::AnyArr; dims = :) = with_mapped(x -> reduction(:any, truths(x), dims), f, a)
Base.all(f::Function, a::AnyArr; dims = :) = with_mapped(x -> reduction(:all, truths(x), dims), f, a)
Base.count(a::AnyArr; dims = :) = reduction(:sum, truths(a), dims)
Base.count(f, a::AnyArr; dims = :) = with_mapped(x -> reduction(:sum, truths(x), dims), f, a)
Base.any(m::Mapped{Bool}) = reduction(:any, m, :)
truths(a::Values{Bool}) = a
# Base calls no function for an empty array, and asks for no type of its results.
truths(a::Values) = isempty(a) ? fill(false, size(a); device = device(a)) : throw(TypeError(:any, "", Bool, zero(eltype(a))))

Base.extrema(a::AnyArr; dims = :) = extrema(identity, a; dims = dims)
Base.extrema(f, a::AnyArr; dims = :) = with_mapped(f, a) do x
    low, high = reduce_alone(min, x, dims), reduce_alone(max, x, dims)
    dims === (:) ? (low, high) : map(tuple, Array(low), Array(high))
end
Statistics.mean(a::AnyArr; dims = :) = reduction(:mean, a, dims)
Statistics.mean(f, a::AnyArr; dims = :) = with_mapped(x -> reduction(:mean, x, dims), f, a)

# Into an array whose extents of 1 say what is reduced.
for (f, op, name) in ((:sum!, +, :sum), (:prod!, *, :prod), (:maximum!, max, :max), (:minimum!, min, :min), (:any!, |, :any), (:all!, &, :all))
    n = QuoteNode(name)
    @eval Base.$f(r::AnyArr, a::AnyArr; init::Bool = true) = reduce_onto!($op, $n, r, a, init)
    @eval Base.$f(f::Function, r::AnyArr, a::AnyArr; init::Bool = true) =
        (with_mapped(m -> reduce_onto!($op, $n, r, m, init), f, a); r)
end
# R = op(R, the reduction of A), by Base's name for the extents that R has.
function Base.mapreducedim!(f, op, r::AnyArr, a::AnyArr)
    dims = Tuple(d for d in 1:ndims(a) if size(r, d) == 1)
    all(d -> size(r, d) in (1, size(a, d)), 1:max(ndims(r), ndims(a))) ||
        throw(DimensionMismatch("mapreducedim!: $(size(r)) of $(size(a))"))
    m = isempty(dims) ? map(f, a) : mapreduce(f, op, a; dims = dims)
    target = ndims(r) == ndims(a) ? r : reshape(r, ntuple(d -> size(r, d), ndims(a)))
    isempty(a) || (target .= op.(target, m))
    r
end
function reduce_onto!(op, name, r::AnyArr, a::Values, init::Bool)
    name in (:any, :all) && truths(a)
    dims = [d for d in 1:ndims(a) if size(r, d) == 1 && size(a, d) != 1]
    target = ndims(r) == ndims(a) ? r : reshape(r, ntuple(d -> size(r, d), ndims(a)))
    to = init ? target : similar(target)
    reduce_into!(into_of(REDUCTION_ROWS[name], a), to, a, dims)
    signed_zero(name, a, dims, to)
    init || (target .= op.(target, to))
    r
end

# A row that has no name above gets its own: Arr.name(a; dims).
const NAMED = (:sum, :prod, :min, :max, :mean, :any, :all, :argmin, :argmax)
for row in LibArr.REDUCTIONS
    row.name in NAMED && continue
    name, n = row.name, QuoteNode(row.name)
    if row.kind === :INDEX
        @eval $name(a::AnyArr; dims = :) = dims === (:) ? position($n, a) : positions($n, a, dims)
    else
        @eval $name(a::AnyArr; dims = :) = reduction($n, a, dims)
    end
end

# ------------------------------------------------------------------------------ where something is

# Positions count from 0 in the library, in row-major order; the axes in reverse make it Julia's.
function position(name, a::AnyArr)
    isempty(a) && throw(ArgumentError("collection must be non-empty"))
    at = reduction(name, transposed(a, ndims(a):-1:1), :) + 1
    at == 0 && return nothing                  # all are nan, where nan does not count
    ndims(a) == 1 ? at : CartesianIndices(a)[at]
end

# Along a dimension beyond the array's, each element is alone.
function positions(name, a::AnyArr, dims)
    all(d -> d >= 1, dims) || throw(ArgumentError("dims $dims: dimensions count from 1"))
    along = sort!(unique(inner(a, dims)))
    isempty(along) && return collect(ndims(a) == 1 ? LinearIndices(a) : CartesianIndices(a))
    # The type of lines is known when it is called: inference would go on with any.
    found = reshape(Base.inferencebarrier(positions_in_lines)(name, lines(a, along))::Vector{Int} .+ 1, reduced_size(a, dims))
    ndims(a) == 1 && return found
    inside = CartesianIndices(Tuple(size(a, d) for d in along))
    index_of(I, k) = CartesianIndex(ntuple(ndims(a)) do d
        i = findfirst(==(d), along)
        i === nothing ? I[d] : length(along) == 1 ? Int(k) : inside[k][i]
    end)
    at = Array{CartesianIndex{ndims(a)},ndims(a)}(undef, size(found))
    for I in CartesianIndices(found)
        at[I] = index_of(I, found[I])
    end
    at
end

positions_in_lines(name, a) = vec(Array(reduction(name, a, 1)))

# Some dimensions as the first one, in column-major order.
function lines(a::AnyArr, along)
    rest = [d for d in 1:ndims(a) if !(d in along)]
    moved = transposed(a, (along..., rest...))
    length(along) == 1 && return moved
    reshape(copy(moved), (prod(size(a, d) for d in along), (size(a, d) for d in rest)...))
end

# The library takes the first of several zeros, Julia the one whose sign is smaller or larger.
signed_zeros(name, a::AnyArr) = right_zeros(name === :argmin ? :min : :max, a)
extreme(name, a::AnyArr, ::Colon) = position(name, a)
function extreme(name, a::AnyArr{<:AbstractFloat}, ::Colon)
    at = position(name, a)
    iszero(item(a, Tuple(at))) || return at
    zeros = signed_zeros(name, a)
    any(zeros) ? position(:argmax, zeros) : at
end
extreme(name, a::AnyArr, dims) = positions(name, a, dims)
extreme(name, a::AnyArr{<:AbstractFloat}, dims) = first(extremes(name, a, dims))
# The positions of the extremes, and their values; zeros are rare, and then compiled.
extremes(name, a::AnyArr, dims) = positions(name, a, dims), extremum(name)(a; dims = dims)
function extremes(name, a::AnyArr{<:AbstractFloat}, dims)
    at, r = positions(name, a, dims), reduction(name === :argmin ? :min : :max, a, dims)
    values = Array(r)
    any(iszero, values) || return at, r
    Base.inferencebarrier(extreme_zeros)(name, a, dims, at, values), Base.inferencebarrier(extremum(name))(a; dims = dims)
end
extremum(name) = name === :argmin ? minimum : maximum
function extreme_zeros(name, a, dims, at, values)
    zeros = signed_zeros(name, a)
    map((k, v, signed, there) -> iszero(v) && there ? signed : k, at, values, positions(:argmax, zeros, dims),
        Array(any(zeros; dims = dims)))
end

for (arg, find) in ((:argmax, :findmax), (:argmin, :findmin))
    n = QuoteNode(arg)
    @eval Base.$arg(a::AnyArr; dims = :) = extreme($n, a, dims)
    @eval function Base.$find(a::AnyArr; dims = :)
        dims === (:) || return reverse(extremes($n, a, dims))
        at = $arg(a)
        item(a, Tuple(at)), at
    end
end
