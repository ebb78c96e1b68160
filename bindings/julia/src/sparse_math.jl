# SPDX-License-Identifier: MIT
# sparse_math.jl: products, element-wise functions and reductions of sparse matrices, in Julia's types.

# ---------------------------------------------------------------------------------------- products

Base.transpose(A::SparseMatrix) = sparse_made(out -> @check LibArr.arr_sparse_transpose(A, out))
Base.adjoint(A::SparseMatrix{<:Real}) = transpose(A)
Base.adjoint(A::SparseMatrix) = transpose(conj(A))
Base.permutedims(A::SparseMatrix) = transpose(A)

# Operands in the type of Julia's product.
function Base.:*(A::SparseMatrix{S}, x::Vect{T}) where {S,T}
    R = product_type(S, T)
    B, y = of_type(R, A), same_type(R, x)
    take(out -> @check(LibArr.arr_sparse_matmul(B, y, stream(), out)), ArrArray{R,1}, (size(A, 1),))
end
# The library's product is in row-major order.
function Base.:*(A::SparseMatrix{S}, x::Mat{T}) where {S,T}
    R = product_type(S, T)
    B, y = of_type(R, A), same_type(R, x)
    packed_once(take_view(out -> @check(LibArr.arr_sparse_matmul(B, y, stream(), out)), ArrStrided{R,2}))
end
function Base.:*(x::Mat{S}, A::SparseMatrix{T}) where {S,T}
    R = product_type(S, T)
    B, y = of_type(R, A), same_type(R, x)
    packed_once(take_view(out -> @check(LibArr.arr_sparse_rmatmul(y, B, stream(), out)), ArrStrided{R,2}))
end
function packed_once(v::ArrStrided)
    a = copy(v)
    unsafe_free!(v)
    a
end
Base.:*(x::Row, A::SparseMatrix) = transpose(transpose(A) * transpose(x))
function Base.:*(A::SparseMatrix{S}, B::SparseMatrix{T}) where {S,T}
    R = product_type(S, T)
    X, Y = of_type(R, A), of_type(R, B)
    sparse_made(out -> @check LibArr.arr_sparse_product(X, Y, stream(), out))
end
Base.:*(A::SparseMatrix, D::Diagonal{<:Any,<:Vect}) = scaled(*, A, transpose(D.diag))
Base.:*(D::Diagonal{<:Any,<:Vect}, A::SparseMatrix) = scaled(*, A, D.diag)

for C in (:Vect, :Mat)
    @eval LinearAlgebra.mul!(y::$C, A::SparseMatrix, x::$C) = multiplied!(y, A, x, true, false)
    @eval LinearAlgebra.mul!(y::$C, A::SparseMatrix, x::$C, α::Number, β::Number) = multiplied!(y, A, x, α, β)
end
# In one call where Julia's types are the library's.
function multiplied!(y::AnyArr{R}, A::SparseMatrix{S}, x::AnyArr{T}, α::Number, β::Number) where {R,S,T}
    R === product_type(S, T) && has_kind(R, α) && has_kind(R, β) || return written!(y, A * x, α, β)
    B, z = of_type(R, A), same_type(R, x)
    a, b = isone(α) ? C_NULL : Ref(value(convert(R, α))), iszero(β) ? C_NULL : Ref(value(convert(R, β)))
    @check LibArr.arr_sparse_matmul_into(y, B, z, a, b, stream())
    y
end
has_kind(::Type{R}, s::Number) where {R} = R <: Integer ? s isa Integer : R <: Real ? s isa Real : true
LinearAlgebra.mul!(y::Mat, x::Mat, A::SparseMatrix) = written!(y, x * A, true, false)
LinearAlgebra.mul!(y::Mat, x::Mat, A::SparseMatrix, α::Number, β::Number) = written!(y, x * A, α, β)
# With β = 0 nothing of y is read.
function written!(y::AnyArr, p::AnyArr, α::Number, β::Number)
    size(y) == size(p) || throw(DimensionMismatch("mul!: $(size(y)), expected the product's size, $(size(p))"))
    iszero(β) ? (isone(α) ? copyto!(y, p) : (y .= p .* α)) : (y .= p .* α .+ y .* β)
    unsafe_free!(p)
    y
end

Base.:+(A::SparseMatrix{T}, J::UniformScaling) where {T} =
    A + SparseMatrix{promote_type(T, eltype(J))}(J, size(A)...; device = device(A))
Base.:+(J::UniformScaling, A::SparseMatrix) = A + J
Base.:-(A::SparseMatrix, J::UniformScaling) = A + (-J)
Base.:-(J::UniformScaling, A::SparseMatrix) = -A + J

"""Returns the p-norm of the elements."""
LinearAlgebra.norm(A::SparseMatrix, p::Real = 2) = p > 0 ? norm(nonzeros(sum_duplicates(A)), p) : norm(dense(A), p)

# ----------------------------------------------------------------------------------- element by element

# The numbers of the library's operations, by function and number of operands.
const SPARSE_OPS = Dict{Tuple{Any,Int},Int32}()
for row in LibArr.OPS
    home = inbase(row) ? Base : @__MODULE__
    isdefined(home, julia_name(row)) && get!(SPARSE_OPS, (getfield(home, julia_name(row)), row.arity), row.number)
end
sparse_op(f, arity) = get(() -> would_be_dense(f), SPARSE_OPS, (f, arity))
would_be_dense(f) = throw(ArrError{LibArr.ARR_E_UNSUPPORTED}(
    "broadcast: $f of a sparse matrix may not be 0 where no element is stored, so the result would be dense; convert with ArrArray"))

# The type to compute in, so that results have the type that Julia's function gives.
function computed_type(f, types...)
    R = Base.promote_op(f, types...)
    R in ELTYPES && R !== Bool ? (all(T -> T <: Complex, types) ? promote_type(types...) : R) : promote_type(types...)
end

# Functions that the library does not know are computed of the stored elements.
function Base.map(f, A::SparseMatrix{T}) where {T}
    number = get(SPARSE_OPS, (f, 1), nothing)
    if number === nothing
        iszero(f(zero(T))) || would_be_dense(f)
        C = sum_duplicates(A)
        return of_data(C, f.(nonzeros(C)))
    end
    B = T <: Integer ? of_type(computed_type(f, T), A) : A
    sparse_made(out -> @check LibArr.arr_sparse_unary(number, B, stream(), out))
end

function combined(f, A::SparseMatrix{S}, B::SparseMatrix{T}) where {S,T}
    number, R = sparse_op(f, 2), computed_type(f, S, T)
    X, Y = of_type(R, A), of_type(R, B)
    sparse_made(out -> @check LibArr.arr_sparse_binary(number, X, Y, stream(), out))
end

# A matrix with a number, or with an array that broadcasts to it.
function scaled(f, A::SparseMatrix{S}, x::Number) where {S}
    number, R = sparse_op(f, 2), computed_type(f, S, typeof(x))
    B, v = of_type(R, A), Ref(value(convert(R, x)))
    sparse_made(out -> @check LibArr.arr_sparse_scale(number, B, v, stream(), out))
end
function scaled(f, A::SparseMatrix{S}, x::AnyArr) where {S}
    number, R = sparse_op(f, 2), computed_type(f, S, eltype(x))
    B, y, v = of_type(R, A), same_type(R, ndims(x) == 1 ? reshape(column_major(x), (length(x), 1)) : x), Ref{Value}()
    sparse_made() do out
        GC.@preserve y begin
            LibArr.arr_value_array(v, y)
            @check LibArr.arr_sparse_scale(number, B, v, stream(), out)
        end
    end
end

# Broadcasts are computed call by call: each is a matrix.
const Lazy = Broadcast.Broadcasted{<:ArrStyle}
Broadcast.broadcasted(f, A::SparseMatrix) = map(f, A)
Broadcast.broadcasted(f, A::SparseMatrix, B::SparseMatrix) = combined(f, A, B)
Broadcast.broadcasted(f, A::SparseMatrix, x::Union{Number,AnyArr}) = scaled(f, A, x)
Broadcast.broadcasted(f, x::Union{Number,AnyArr}, A::SparseMatrix) = would_be_dense(f)
Broadcast.broadcasted(f, A::SparseMatrix, x::Lazy) = scaled(f, A, Broadcast.materialize(x))
Broadcast.broadcasted(f, x::Lazy, A::SparseMatrix) = Broadcast.broadcasted(f, Broadcast.materialize(x), A)
for f in (:*, :&, :min, :max)
    @eval Broadcast.broadcasted(::typeof($f), x::Union{Number,AnyArr}, A::SparseMatrix) = scaled($f, A, x)
end
Broadcast.broadcasted(::typeof(\), x::Union{Number,AnyArr}, A::SparseMatrix) = scaled(/, A, x)
Broadcast.broadcasted(::typeof(Base.literal_pow), ::typeof(^), A::SparseMatrix, ::Val{p}) where {p} =
    eltype(A) === Bool ? map(x -> x^p, A) : scaled(^, A, p)

Base.:(==)(A::SparseMatrix, B::SparseMatrix) = size(A) == size(B) && nnz(combined(!=, A, B)) == 0

# ---------------------------------------------------------------------------------------- reductions

# The axis of the library is one: both are all elements.
function sparse_reduction(name::Symbol, A::SparseMatrix{T}, dims) where {T}
    row = REDUCTION_ROWS[name]
    R = reduced_type(row, T)
    over(k, axis) = take(out -> @check(LibArr.arr_sparse_reduce(row.number, A, axis, Int32(0), stream(), out)), ArrArray{R,k},
                         axis == LibArr.ARR_AXIS_NONE ? () : (size(A, 2 - axis),))
    if dims === (:)
        r = over(0, LibArr.ARR_AXIS_NONE)
        x = item(r)
        unsafe_free!(r)
        return x
    end
    all(d -> d >= 1, dims) || throw(ArgumentError("dims $dims: dimensions count from 1"))
    along = unique(inner(A, dims))
    isempty(along) && return reduction(name, dense(A), dims)
    reshape(length(along) == 2 ? over(0, LibArr.ARR_AXIS_NONE) : over(1, axis(along[1])), reduced_size(A, dims))
end
for (f, op) in ((:sum, +), (:prod, *), (:maximum, max), (:minimum, min), (:any, |), (:all, &))
    @eval Base.$f(A::SparseMatrix{$(f in (:any, :all) ? Bool : :(<:Any))}; dims = :) =
        sparse_reduction(reduction_of($op, eltype(A)), A, dims)
    @eval Base.$f(f::Function, A::SparseMatrix; dims = :) = Base.$f(map(f, A); dims = dims)
end
Base.count(A::SparseMatrix{Bool}; dims = :) = sparse_reduction(:sum, A, dims)
Base.count(f::Function, A::SparseMatrix; dims = :) = count(map(f, A); dims = dims)
Statistics.mean(A::SparseMatrix; dims = :) = sparse_reduction(:mean, A, dims)

# Julia's first of equal elements is that of the columns, the library's that of the rows.
function sparse_extreme(entry, A::SparseMatrix, dims)
    along(B, axis) = Array(made(out -> @check entry(B, axis, stream(), out))) .+ 1
    dims === (:) && return CartesianIndices(A)[along(transpose(A), LibArr.ARR_AXIS_NONE)[]]
    dims in (1, 2) || throw(ArgumentError("dims $dims: expected 1 or 2"))
    found = along(A, axis(dims))
    dims == 1 ? reshape([CartesianIndex(i, j) for (j, i) in enumerate(found)], 1, :) :
        reshape([CartesianIndex(i, j) for (i, j) in enumerate(found)], :, 1)
end
Base.argmax(A::SparseMatrix; dims = :) = sparse_extreme(LibArr.arr_sparse_argmax, A, dims)
Base.argmin(A::SparseMatrix; dims = :) = sparse_extreme(LibArr.arr_sparse_argmin, A, dims)

# ---------------------------------------------------------------------------------------- norms

sparse_norm(A::SparseMatrix, kind, p) =
    number(out -> @check LibArr.arr_sparse_norm(A, Int32(kind), Float64(p), LibArr.ARR_AXIS_NONE, stream(), out))

"""Returns the norm of a sparse matrix that vectors' norms give: `p` 1 (columns) or Inf (rows)."""
LinearAlgebra.opnorm(A::SparseMatrix, p::Real = 2) = sparse_norm(A, LibArr.ARR_NORM_P, p)

# ---------------------------------------------------------------------------- expressions of products

"""
    Arr.product(e, A, x, arrays...)

Computes an expression, as [`Arr.expression`](@ref) makes it, of the product `A * x` of a sparse matrix, which is its first variable,
and of arrays that broadcast to it: on the host while some rows of the product are in the cache.
"""
function product(e::Expression, A::SparseMatrix{S}, x::Union{Vect{T},Mat{T}}, arrays::AnyArr...) where {S,T}
    length(arrays) + 1 == length(e.names) ||
        throw(ArgumentError("$e: got $(length(arrays)) arrays beside the product, expected $(length(e.names) - 1)"))
    R = product_type(S, T)
    B, y = of_type(R, A), same_type(R, x)
    inputs = Any[ranked(a, Val(ndims(x))) for a in arrays]
    handles = LibArr.arr_array[a.handle for a in inputs]
    GC.@preserve inputs packed(made(out -> @check LibArr.arr_sparse_matmul_expr(B, y, e, e.node, Int32(length(handles)), handles, stream(), out)))
end

# ---------------------------------------------------------------------------------------- semirings

"""
    Arr.semiring_product(op, f, A, x)
    Arr.semiring_product(op, f, A, B; mask = nothing, complement = false)

Multiplies with `op` in place of `+` and `f` in place of `*`: `min` and `+` give the lengths of shortest paths. Only stored
elements take part. `op` is `+`, `*`, `min`, `max`, `|` or `&`. With a mask only the elements are computed that it stores,
or does not store (`complement`).
"""
function semiring_product(op, f, A::SparseMatrix{S}, x::Union{Vect{T},Mat{T}}) where {S,T}
    numbers, R = semiring(op, f, S, T)
    B, y = of_type(R, A), same_type(R, x)
    made(out -> @check LibArr.arr_sparse_semiring_matmul(numbers..., B, y, stream(), out))
end
function semiring_product(op, f, A::SparseMatrix{S}, B::SparseMatrix{T}; mask::Union{Nothing,SparseMatrix} = nothing, complement::Bool = false) where {S,T}
    numbers, R = semiring(op, f, S, T)
    X, Y = of_type(R, A), of_type(R, B)
    only = mask === nothing ? LibArr.arr_sparse() : mask
    sparse_made(out -> @check LibArr.arr_sparse_semiring_product(numbers..., X, Y, only, complement, stream(), out))
end
function semiring(op, f, S, T)
    R = computed_type(f, S, T)
    number = get(SPARSE_OPS, (f, 2), nothing)
    number === nothing && throw(ArgumentError("semiring_product: $f is no function of two numbers that the library has"))
    (REDUCTION_ROWS[reduction_of(op, R)].number, number), R
end

"""
    Arr.sampled_product(P, X, Y)

Returns the elements of `X * Y`, a product of dense matrices, where the sparse matrix `P` stores one.
"""
function sampled_product(P::SparseMatrix, X::Mat{S}, Y::Mat{T}) where {S,T}
    R = product_type(S, T)
    x, y = same_type(R, X), same_type(R, Y)
    sparse_made(out -> @check LibArr.arr_sparse_sampled_matmul(P, x, y, stream(), out))
end
