# SPDX-License-Identifier: MIT
# scan.jl: running reductions from the table, under Base's names where it has them.

const SCAN_ROWS = Dict(row.name => row for row in LibArr.SCANS)

# The dimension that a function works along. Vectors need not name it.
along(::Vect, ::Nothing) = 1
along(a::AnyArr, ::Nothing) = throw(UndefKeywordError(:dims))
function along(::AnyArr, dims)
    length(dims) == 1 || throw(ArgumentError("dims $dims: expected one dimension"))
    first(dims) >= 1 || throw(ArgumentError("dims $dims: dimensions count from 1"))
    Int(first(dims))
end

# A scan along a dimension beyond the array's copies it.
function scan!(name::Symbol, out::AnyArr{T}, a::AnyArr, dim::Int) where {T}
    size(out) == size(a) || throw(DimensionMismatch("$name: the result's size is $(size(out)), expected $(size(a))"))
    dim > ndims(a) && return copyto!(out, a)
    into = getfield(LibArr, Symbol(:arr_, name, :_into))
    @check into(out, a, axis(dim), dtype(T), stream())
    out
end
scan(name::Symbol, ::Type{R}, a::AnyArr, dim::Int) where {R} = scan!(name, similar(a, R), a, dim)

# The type of a scan of T: small integers in 64 bits, as in Base's cumsum.
scanned_type(row, T) = reduced_type(row, T)
named_scan(row, a::AnyArr{Bool}, dims) = row.name === :cumprod ? scan(:cummin, Bool, a, along(a, dims)) :   # as Base's
    scan(row.name, scanned_type(row, Bool), a, along(a, dims))
named_scan(row, a::AnyArr{T}, dims) where {T} = scan(row.name, scanned_type(row, T), a, along(a, dims))

for (f, f!) in ((:cumsum, :cumsum!), (:cumprod, :cumprod!))
    row = SCAN_ROWS[f]
    @eval Base.$f(a::AnyArr; dims::Integer) = named_scan($row, a, dims)
    @eval Base.$f(a::Vect; dims::Integer = 1) = named_scan($row, a, dims)
    @eval Base.$f!(out::AnyArr, a::AnyArr; dims::Integer) = scan!($(QuoteNode(f)), out, a, along(a, dims))
    @eval Base.$f!(out::Vect, a::Vect; dims::Integer = 1) = scan!($(QuoteNode(f)), out, a, along(a, dims))
end

# Rows that Base has no name for: Arr.cummax(a; dims) and so on.
for row in LibArr.SCANS
    row.name in (:cumsum, :cumprod) && continue
    name, head = row.name, "    Arr.$(row.name)(a; dims"
    if row.form === :INITIAL
        @eval @doc $("$head, include_initial = false)\n\n$(row.doc) A vector needs no `dims`.") $name(
            a::AnyArr; dims = nothing, include_initial::Bool = false) = initial_scan($row, a, dims, include_initial)
    else
        @eval @doc $("$head)\n\n$(row.doc) A vector needs no `dims`.") $name(a::AnyArr; dims = nothing) =
            named_scan($row, a, dims)
    end
end

function initial_scan(row, a::AnyArr{T,N}, dims, initial::Bool) where {T,N}
    d, R = along(a, dims), scanned_type(row, T)
    d <= N || throw(ArgumentError("dims $dims: the array has $N dimensions"))
    out = similar(a, R, ntuple(i -> size(a, i) + (i == d && initial), N))
    into = getfield(LibArr, Symbol(:arr_, row.name, :_into))
    @check into(out, a, axis(d), dtype(R), Int32(initial), stream())
    out
end

# --------------------------------------------------------------------------------------- accumulate

# The maximum of truth values is `or`, the minimum `and`.
const SCAN_OF = Dict(:sum => :cumsum, :prod => :cumprod, :max => :cummax, :min => :cummin, :any => :cummax, :all => :cummin)

scan_of(op, T) = get(SCAN_OF, reduction_of(op, T)) do
    throw(TraceError(op, "elements of $T are accumulated by +, *, max or min, and Bool also by & or |"))
end

function accumulated!(op, out::AnyArr, a::AnyArr{T}, dims, init) where {T}
    name = scan_of(op, T)
    if dims === nothing && ndims(a) != 1
        # Base goes through all elements in the order of memory.
        flat = reshape(column_major(a), length(a))
        copyto!(out, reshape(scan(name, eltype(out), flat, 1), size(a)))
    else
        scan!(name, out, a, along(a, dims))
    end
    T <: AbstractFloat && name in (:cummax, :cummin) && signed_running_zero!(name, out, a, dims)
    init isa NoInit ? out : (out .= op.(init, out))
end

# As signed_zero of reductions: from the first zero of the right sign on.
function signed_running_zero!(name, out, a, dims)
    which = name === :cummax ? :max : :min
    captured() || any(map(x -> wrong_zero(which, x), out)) || return out
    found = accumulate(|, right_zeros(which, a); dims = dims)
    out .= ifelse.(found .& (out .== 0), name === :cummax ? abs.(out) : .-abs.(out), out)
end

started_type(op, T, ::NoInit) = T
started_type(op, T, init) = Base.promote_op(op, typeof(init), T)

function Base.accumulate(op, a::AnyArr{T}; dims = nothing, init = NoInit()) where {T}
    scan_of(op, T)                          # an unknown operator is an error before anything else
    R = started_type(op, Base.promote_op(op, T, T), init)
    accumulated!(op, similar(a, R), a, dims, init)
end
Base.accumulate!(op, out::AnyArr, a::AnyArr; dims = nothing, init = NoInit()) = accumulated!(op, out, a, dims, init)
