# SPDX-License-Identifier: MIT
# linalg.jl: LinearAlgebra's names for what the library computes today.

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
Base.:*(a::Vect, b::Mat) = product(reshape(a isa ArrArray ? a : copy(a), (length(a), 1)), b)

function multiply!(c, a, b)
    T = product_type(eltype(a), eltype(b))
    x, y = same_type(T, a), same_type(T, b)
    GC.@preserve x y @check LibArr.arr_matmul_into(c, x, y, stream())
    c
end
function multiply!(c, a, b, α, β)
    iszero(β) && isone(α) && return multiply!(c, a, b)
    p = a * b
    iszero(β) ? (c .= p .* α) : (c .= p .* α .+ c .* β)
    unsafe_free!(p)
    c
end
LinearAlgebra.mul!(c::Mat, a::Mat, b::Mat) = multiply!(c, a, b)
LinearAlgebra.mul!(c::Vect, a::Mat, b::Vect) = multiply!(c, a, b)
LinearAlgebra.mul!(c::Mat, a::Mat, b::Mat, α::Number, β::Number) = multiply!(c, a, b, α, β)
LinearAlgebra.mul!(c::Vect, a::Mat, b::Vect, α::Number, β::Number) = multiply!(c, a, b, α, β)

LinearAlgebra.rmul!(a::AnyArr, s::Number) = (a .= a .* s)
LinearAlgebra.lmul!(s::Number, a::AnyArr) = (a .= s .* a)
LinearAlgebra.axpy!(s::Number, x::AnyArr, y::AnyArr) = (y .= s .* x .+ y)
LinearAlgebra.axpby!(s::Number, x::AnyArr, t::Number, y::AnyArr) = (y .= s .* x .+ t .* y)

function LinearAlgebra.dot(x::AnyArr, y::AnyArr)
    length(x) == length(y) || throw(DimensionMismatch("dot: lengths $(length(x)) and $(length(y))"))
    mapreduce((u, v) -> conj(u) * v, +, x, y)
end

"""The p-norm of the elements, p = 1, 2, Inf, -Inf or any other number."""
function LinearAlgebra.norm(a::AnyArr{T}, p::Real = 2) where {T}
    R = float(real(T))
    isempty(a) && return zero(R)
    p == 2 && return norm2(a, R)
    p == 1 && return R(mapreduce(abs, +, a))
    p == Inf && return R(mapreduce(abs, max, a))
    p == -Inf && return R(mapreduce(abs, min, a))
    p == 0 && return R(count(x -> x != zero(x), a))
    R(mapreduce(x -> float(abs(x))^R(p), +, a))^(1 / R(p))
end
# Scaled by the largest element where squares would overflow or vanish.
function norm2(a::AnyArr, R)
    s = sqrt(R(mapreduce(x -> abs2(float(x)), +, a)))
    floatmin(R) < s < R(Inf) && return s
    m = R(mapreduce(abs, max, a))
    (iszero(m) || !isfinite(m)) && return m
    m * sqrt(R(mapreduce(x -> abs2(float(x) / m), +, a)))
end
LinearAlgebra.norm1(a::AnyArr) = norm(a, 1)
LinearAlgebra.norm2(a::AnyArr) = norm(a, 2)
LinearAlgebra.normInf(a::AnyArr) = norm(a, Inf)
