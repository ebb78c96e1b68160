# SPDX-License-Identifier: MIT
# linalg.jl: LinearAlgebra's names for the library's functions.

const Mat{T} = AnyArr{T,2}
const Vect{T} = AnyArr{T,1}

# The library promotes as NumPy does; here the operands get Julia's common type first.
same_type(::Type{T}, a::AnyArr{T}) where {T} = a
same_type(::Type{T}, a::AnyArr) where {T} = T.(a)

# Bool counts as integers in Julia's products.
product_type(A, B) = (T = promote_type(A, B); T === Bool ? Int : T)

product_size(a, b::Mat) = (size(a, 1), size(b, 2))
product_size(a, b::Vect) = (size(a, 1),)

function product(a::AnyArr{A}, b::AnyArr{B,N}) where {A,B,N}
    T = product_type(A, B)
    LinearAlgebra.mul!(ArrArray{T,N}(undef, product_size(a, b); device = device(a)), a, b)
end
Base.:*(a::Mat, b::Mat) = product(a, b)
Base.:*(a::Mat, b::Vect) = product(a, b)
Base.:*(a::Vect, b::Mat) = product(reshape(column_major(a), (length(a), 1)), b)

function multiply!(c, a, b)
    T = product_type(eltype(a), eltype(b))
    x, y = same_type(T, a), same_type(T, b)
    GC.@preserve x y @check LibArr.arr_matmul_into(c, x, y, stream())
    c
end
# As BLAS: with β = 0 nothing of c is read, with α = 0 nothing of a and b.
function multiply!(c, a, b, α, β)
    iszero(β) && isone(α) && return multiply!(c, a, b)
    if iszero(α)
        size(c) == product_size(a, b) && size(a, 2) == size(b, 1) || throw(DimensionMismatch(
            "mul!: $(size(c)) of $(size(a)) times $(size(b))"))
        return iszero(β) ? fill!(c, zero(eltype(c))) : isone(β) ? c : (c .= c .* β)
    end
    p = a * b
    iszero(β) ? (c .= p .* α) : (c .= p .* α .+ c .* β)
    unsafe_free!(p)
    c
end
LinearAlgebra.mul!(c::Mat, a::Mat, b::Mat) = multiply!(c, a, b)
LinearAlgebra.mul!(c::Vect, a::Mat, b::Vect) = multiply!(c, a, b)
LinearAlgebra.mul!(c::Mat, a::Mat, b::Mat, α::Number, β::Number) = multiply!(c, a, b, α, β)
LinearAlgebra.mul!(c::Vect, a::Mat, b::Vect, α::Number, β::Number) = multiply!(c, a, b, α, β)

# LinearAlgebra has methods for complex arrays with real ones, beside which those above would be ambiguous.
for R in (Float32, Float64), N in (1, 2)
    @eval LinearAlgebra.mul!(c::ArrArray{Complex{$R},$N}, a::ArrArray{Complex{$R},2}, b::ArrArray{$R,$N}, α::Real, β::Real) =
        multiply!(c, a, b, α, β)
end

# The functions that gemm knows.
const ACTIVATIONS = (none = LibArr.ARR_ACTIVATION_NONE, relu = LibArr.ARR_ACTIVATION_RELU, gelu = LibArr.ARR_ACTIVATION_GELU,
                     gelu_tanh = LibArr.ARR_ACTIVATION_GELU_TANH, silu = LibArr.ARR_ACTIVATION_SILU,
                     sigmoid = LibArr.ARR_ACTIVATION_SIGMOID, tanh = LibArr.ARR_ACTIVATION_TANH)
activation_number(f::Symbol) = haskey(ACTIVATIONS, f) ? ACTIVATIONS[f] :
    throw(ArgumentError("activation is :$f, expected one of $(join(map(repr, keys(ACTIVATIONS)), ", "))"))

"""
    Arr.gemm(a, b; alpha = nothing, beta = nothing, c = nothing, activation = :none, fast = false)

Computes `activation.(alpha * a * b .+ beta .* c)`: the product, with what the backend does of the rest, then one pass over it.
`c` broadcasts as in Julia, so a vector is added to every column; numbers take the arrays' type. The activation is `:none`,
`:relu`, `:gelu`, `:gelu_tanh`, `:silu`, `:sigmoid` or `:tanh`; `fast`: as a library of the device does it, where it does
(cuBLASLt: `:relu`, perhaps 0 for NaN, and `:gelu_tanh`, approximately).
"""
gemm(a::Mat, b::Union{Mat,Vect}; kw...) =
    with_epilogue((args...) -> made(out -> @check LibArr.arr_gemm(args..., stream(), out)), a, b; kw...)

"""
    Arr.gemm!(z, a, b; alpha = nothing, beta = nothing, c = nothing, activation = :none, fast = false)

Computes `Arr.gemm` into an array of the product's size, which may be `c`.
"""
function gemm!(z::AnyArr, a::Mat, b::Union{Mat,Vect}; kw...)
    with_epilogue((args...) -> (@check LibArr.arr_gemm_into(z, args..., stream())), a, b; kw...)
    z
end

# f of the arguments of a product and of what comes after it, which live that long.
function with_epilogue(f, a, b; alpha = nothing, beta = nothing, c = nothing, activation::Symbol = :none,
                       fast::Bool = false)
    T, number = product_type(eltype(a), eltype(b)), activation_number(activation) | (fast ? LibArr.ARR_ACTIVATION_FAST : 0)
    x, y = same_type(T, a), same_type(T, b)
    added = c isa Vect && b isa Mat ? reshape(column_major(c), (length(c), 1)) : c
    factor(s) = s === nothing ? C_NULL : Ref(weak(value(s isa Integer ? Int64(s) : s)))
    GC.@preserve x y f(x, y, factor(alpha), factor(beta), added === nothing ? NO_ARRAY : added, number)
end

LinearAlgebra.rmul!(a::AnyArr, s::Number) = (a .= a .* s)
LinearAlgebra.lmul!(s::Number, a::AnyArr) = (a .= s .* a)
LinearAlgebra.axpy!(s::Number, x::AnyArr, y::AnyArr) = (y .= s .* x .+ y)
LinearAlgebra.axpby!(s::Number, x::AnyArr, t::Number, y::AnyArr) = (y .= s .* x .+ t .* y)

# Rotations and reflections of the plane of each pair of elements.
for (f, second) in ((:rotate!, :(c .* y .- conj(s) .* x)), (:reflect!, :(conj(s) .* x .- c .* y)))
    @eval function LinearAlgebra.$f(x::AnyArr, y::AnyArr, c::Number, s::Number)
        length(x) == length(y) || throw(DimensionMismatch($(string(f)) * ": lengths $(length(x)) and $(length(y))"))
        first = c .* x .+ s .* y
        y .= $second
        x .= first
        unsafe_free!(first)
        x, y
    end
end

function LinearAlgebra.dot(x::AnyArr, y::AnyArr)
    length(x) == length(y) || throw(DimensionMismatch("dot: lengths $(length(x)) and $(length(y))"))
    mapreduce((u, v) -> conj(u) * v, +, x, y)
end

"""Returns the p-norm of the elements, p = 1, 2, Inf, -Inf or any other number; of integers in floats."""
function LinearAlgebra.norm(a::AnyArr{T}, p::Real = 2) where {T}
    R = float(real(T))
    isempty(a) && return zero(R)
    p == 2 && return norm2(a, R)
    p == 1 && return R(mapreduce(magnitude, +, a))
    p == Inf && return R(mapreduce(magnitude, max, a))
    p == -Inf && return R(mapreduce(magnitude, min, a))
    p == 0 && return R(count(x -> negated(x == zero(x)), a))
    normp(a, R, Float64(p))
end
magnitude(x) = abs(float(x))

# Divided by the largest element, or for negative p the smallest, where powers would overflow or vanish.
function normp(a::AnyArr, R, p::Float64)
    m = 1.0
    if abs(p) > 1
        extreme = norm(a, p > 1 ? Inf : -Inf)
        (iszero(extreme) || isinf(extreme)) && return extreme
        isnan(extreme) || floatmin(Float64) < Float64(extreme)^p * length(a) < Inf || (m = Float64(extreme))
    end
    R(m * mapreduce(x -> (Float64(magnitude(x)) / m)^p, +, a)^(1 / p))
end
# Divided by the largest element where squares would overflow or lose digits.
function norm2(a::AnyArr, R)
    s = sqrt(R(mapreduce(x -> abs2(float(x)), +, a)))
    sqrt(floatmin(R) / eps(R)) < s < R(Inf) && return s
    m = R(mapreduce(magnitude, max, a))
    (iszero(m) || !isfinite(m)) && return m
    m * sqrt(R(mapreduce(x -> abs2(float(x) / m), +, a)))
end
LinearAlgebra.norm1(a::AnyArr) = norm(a, 1)
LinearAlgebra.norm2(a::AnyArr) = norm(a, 2)
LinearAlgebra.normInf(a::AnyArr) = norm(a, Inf)

"""Returns the array divided by its norm, as LinearAlgebra divides."""
LinearAlgebra.normalize(a::AnyArr, p::Real = 2) = LinearAlgebra.normalize!(float.(a), p)
function LinearAlgebra.normalize!(a::AnyArr, p::Real = 2)
    n = norm(a, p)
    min_norm = inv(prevfloat(typemax(n)))
    n >= min_norm && return rmul!(a, inv(n))
    scale = eps(one(n)) / min_norm               # 1 / n alone would be infinite
    rmul!(rmul!(a, scale), inv(n * scale))
end

for (f, g) in ((:transpose!, :transpose), (:adjoint!, :adjoint))
    # A vector is one column.
    @eval LinearAlgebra.$f(b::AnyArr, a::AnyArr) = (size(b, 1), size(b, 2)) == (size(a, 2), size(a, 1)) ?
        copyto!(b, reshape($g(ndims(b) == 1 ? vec(a) : a), size(b))) :
        throw(DimensionMismatch($(string(f)) * ": $(size(b)) of $(size(a))"))
end

# A multiple of the identity added to a square matrix.
for op in (:+, :-)
    @eval Base.$op(J::UniformScaling, a::Mat) = (LinearAlgebra.checksquare(a); broadcast($op, Ref(J), a))
end
Base.:+(a::Mat, J::UniformScaling) = (LinearAlgebra.checksquare(a); broadcast(+, a, Ref(J)))
Base.:-(a::Mat, J::UniformScaling) = a + (-J)

# ----------------------------------------------------------------------- traces, diagonals, products

"""Returns a number from the array of one element that f(out) makes."""
function number(f)
    r = made(f)
    x = item(r)
    unsafe_free!(r)
    x
end

function LinearAlgebra.tr(a::Mat)
    size(a, 1) == size(a, 2) || throw(DimensionMismatch("tr: a matrix of $(size(a, 1)) x $(size(a, 2))"))
    narrow(+, eltype(a), number(out -> @check LibArr.arr_trace(a, Int64(0), Int32(0), Int32(1), Int32(0), stream(), out)))
end
LinearAlgebra.diag(a::Mat, k::Integer = 0) =
    made(out -> @check LibArr.arr_diagonal(a, Int64(k), Int32(0), Int32(1), out))
LinearAlgebra.diagm(v::Vect) = LinearAlgebra.diagm(0 => v)
function LinearAlgebra.diagm(parts::Pair{<:Integer,<:Vect}...)
    n = maximum(length(v) + abs(k) for (k, v) in parts)
    LinearAlgebra.diagm(n, n, parts...)
end
LinearAlgebra.tril(a::Mat, k::Integer = 0) = made(out -> @check LibArr.arr_tril(a, Int64(k), stream(), out))
LinearAlgebra.triu(a::Mat, k::Integer = 0) = made(out -> @check LibArr.arr_triu(a, Int64(k), stream(), out))

# Dimensions that one operand lacks come first for the library and last in Julia, so only equals meet.
LinearAlgebra.kron(a::Mat, b::Mat) = made(out -> @check LibArr.arr_kron(a, b, stream(), out))
LinearAlgebra.kron(a::Vect, b::Vect) = made(out -> @check LibArr.arr_kron(a, b, stream(), out))

Base.:^(a::Mat, n::Integer) = made(out -> @check LibArr.arr_matrix_power(a, Int64(n), stream(), out))

"""Returns the norm of a matrix that vectors' norms give: `p` 1 (columns) or Inf (rows)."""
LinearAlgebra.opnorm(a::Mat, p::Real = 2) = isempty(a) ? zero(norm(zero(eltype(a)))) :
    number(out -> @check LibArr.arr_matrix_norm(a, LibArr.ARR_NORM_P, Float64(p), false, stream(), out))

"""
    Arr.einsum("ij,jk->ik", a, b...)

Computes a sum of products by NumPy's subscripts; several arrays are contracted in a good order.
"""
function einsum(subscripts::AbstractString, arrays::AnyArr...)
    list = LibArr.arr_array[a.handle for a in arrays]
    made(out -> GC.@preserve arrays @check LibArr.arr_einsum(subscripts, Int32(length(list)), list,
                                                             LibArr.ARR_EINSUM_AUTO, stream(), out))
end

"""
    Arr.einsum_path("ij,jk,kl->il", a, b...)

Returns the order in which [`Arr.einsum`](@ref) contracts: a tuple of indices for each step, counted from 1 in the
remaining list, to whose end the result goes; and how many multiplications and additions that takes, and one pass over
everything.
"""
function einsum_path(subscripts::AbstractString, arrays::AnyArr...)
    list, cost, naive = LibArr.arr_array[a.handle for a in arrays], Ref(0.0), Ref(0.0)
    steps = GC.@preserve arrays fetch_text((capacity, text, n) -> LibArr.arr_einsum_path(
        subscripts, Int32(length(list)), list, LibArr.ARR_EINSUM_AUTO, capacity, text, n, cost, naive))
    operands_of(step) = Tuple(parse(Int, m.match) + 1 for m in eachmatch(r"\d+", step))
    (steps = [operands_of(m.match) for m in eachmatch(r"\([^)]*\)", steps)], cost = cost[], naive = naive[])
end

"""
    Arr.tensordot(a, b, dims_a, dims_b)

Returns the sum of products over dimensions `dims_a` of `a` and `dims_b` of `b`, pair by pair.
"""
function tensordot(a::AnyArr, b::AnyArr, dims_a, dims_b)
    p, q = Int32[axis(d) for d in dims_a], Int32[axis(d) for d in dims_b]
    length(p) == length(q) || throw(DimensionMismatch("tensordot: $(length(p)) and $(length(q)) dimensions"))
    made(out -> @check LibArr.arr_tensordot(a, b, Int32(length(p)), p, q, stream(), out))
end

"""Returns the Kronecker products of the columns of two matrices (Khatri and Rao)."""
khatri_rao(a::Mat, b::Mat) = made(out -> @check LibArr.arr_khatri_rao(a, b, stream(), out))

"""
    Arr.multi_dot(a, b, c...)

Returns the product of matrices, in the order that takes the fewest multiplications; the first and the last may be vectors.
"""
function multi_dot(factors::Union{Mat,Vect}...)
    list = LibArr.arr_array[a.handle for a in factors]
    made(out -> GC.@preserve factors @check LibArr.arr_multi_dot(Int32(length(list)), list, stream(), out))
end
