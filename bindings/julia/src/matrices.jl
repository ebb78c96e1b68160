# SPDX-License-Identifier: MIT
# matrices.jl: LinearAlgebra's names for questions about a matrix, its triangles and multiples, by whole-array calls.

# ---------------------------------------------------------------------------------------- identities

Base.:(==)(a::Mat, J::UniformScaling) = size(a, 1) == size(a, 2) && all(a .== J)
Base.:(==)(J::UniformScaling, a::Mat) = a == J
Base.isone(a::Mat) = a == I

Base.copyto!(a::Mat{T}, J::UniformScaling) where {T} = copyto!(a, ArrArray{T}(J, size(a)...; device = device(a)))

# A structure stays where adding to the diagonal keeps it; of unit triangles the plain ones.
const Unit = Union{UnitUpperTriangular{<:Any,<:Mat},UnitLowerTriangular{<:Any,<:Mat}}
plain_triangle(x::Unit) = x isa UnitUpperTriangular ? UpperTriangular(full_matrix(x)) : LowerTriangular(full_matrix(x))
plus_identity(x::Unit, J) = plus_identity(plain_triangle(x), J)
plus_identity(x::Union{Triangular,Symmetric{<:Any,<:Mat}}, J) = remade(a -> a + J, x)
plus_identity(x::Hermitian{<:Any,<:Mat}, J) = J.λ isa Real ? remade(a -> a + J, x) : full_matrix(x) + J
plus_identity(x, J) = x + J
for W in STRUCTURES
    name = W.args[1].args[1]
    for S in (name === :Hermitian ? (:UniformScaling, :(UniformScaling{<:Complex})) : (:UniformScaling,))
        @eval Base.:-(J::$S, x::$W) = plus_identity(-x, J)
        name in (:Diagonal, BANDED...) && continue       # LinearAlgebra adds to the diagonal as a whole
        @eval begin
            Base.:+(x::$W, J::$S) = plus_identity(x, J)
            Base.:+(J::$S, x::$W) = plus_identity(x, J)
            Base.:-(x::$W, J::$S) = plus_identity(x, -J)
        end
    end
    name in BANDED && @eval Base.:-(x::$W) = remade(a -> -a, x)
    name in (:UnitUpperTriangular, :UnitLowerTriangular) && @eval begin
        Base.:-(x::$W) = -plain_triangle(x)
        Base.:*(s::Number, x::$W) = s * plain_triangle(x)
        Base.:*(x::$W, s::Number) = plain_triangle(x) * s
        Base.:/(x::$W, s::Number) = plain_triangle(x) / s
        Base.:\(s::Number, x::$W) = s \ plain_triangle(x)
    end
end

# -------------------------------------------------------------------------------- elements of structures

const Part = Union{Colon,AbstractVector{<:Integer}}
for W in STRUCTURES
    @eval begin
        Base.mapreduce(f, op, x::$W; kw...) = mapreduce(f, op, full_matrix(x); kw...)
        Base.map(f, x::$W, rest::Union{Structured,AnyArr}...) = Broadcast.broadcast(f, x, rest...)
        Base.getindex(x::$W, i::Part, j::Part) = full_matrix(x)[i, j]
        Base.getindex(x::$W, i::Part, j::Integer) = full_matrix(x)[i, j]
        Base.getindex(x::$W, i::Integer, j::Part) = full_matrix(x)[i, j]
        Base.mapreducedim!(f, op, r::AnyArr, x::$W) = Base.mapreducedim!(f, op, r, full_matrix(x))
    end
    # A copy, so that it may not be written: what is written there would not be in the structure.
    for (I, J) in ((:Part, :Part), (:Part, :Integer), (:Integer, :Part))
        @eval Base.view(x::$W, i::$I, j::$J) = readonly(full_matrix(x)[i, j])
    end
    for f in (:any, :all, :count, :extrema)
        @eval Base.$f(x::$W; kw...) = $f(full_matrix(x); kw...)
        @eval Base.$f(f::Function, x::$W; kw...) = $f(f, full_matrix(x); kw...)
    end
    for f in (:sum, :maximum, :minimum, :prod)
        @eval Base.$f(x::$W; kw...) = $f(full_matrix(x); kw...)
        @eval Base.$f(f::Function, x::$W; kw...) = $f(f, full_matrix(x); kw...)
    end
end

# ------------------------------------------------------------------------------------------ triangles

LinearAlgebra.istriu(a::Mat, k::Integer = 0) = iszero(tril(a, k - 1))
LinearAlgebra.istril(a::Mat, k::Integer = 0) = iszero(triu(a, k + 1))
LinearAlgebra.isdiag(a::Mat) = istriu(a) && istril(a)
LinearAlgebra.isbanded(a::Mat, kl::Integer, ku::Integer) = istriu(a, kl) && istril(a, ku)
LinearAlgebra.tril!(a::Mat, k::Integer = 0) = copyto!(a, tril(a, k))
LinearAlgebra.triu!(a::Mat, k::Integer = 0) = copyto!(a, triu(a, k))
function LinearAlgebra.copytri!(a::Mat, uplo::AbstractChar, conjugate::Bool = false)
    uplo in ('U', 'L') || throw(ArgumentError("copytri!: uplo is '$uplo', expected 'U' or 'L'"))
    upper = uplo == 'U'
    turned = conjugate ? adjoint : transpose
    copyto!(a, upper ? triu(a) .+ turned(triu(a, 1)) : tril(a) .+ turned(tril(a, -1)))
end
Base.iszero(a::AnyArr) = !any(x -> negated(x == zero(x)), a)

LinearAlgebra.isposdef(a::Mat) = ishermitian(a) && positive(() -> cholesky(a))
LinearAlgebra.isposdef(x::Reflected) = isposdef(full_matrix(x))
function positive(f)
    try
        f()
        true
    catch e
        e isa Union{LinalgError,PosDefException} || rethrow()
        false
    end
end

"""Returns the structure that a matrix has, or its factors, as LinearAlgebra chooses them: all solve equations."""
function LinearAlgebra.factorize(a::Mat)
    size(a, 1) == size(a, 2) || return qr(a)
    istriu(a) && return istril(a) ? Diagonal(copy(diag(a))) : UpperTriangular(a)
    istril(a) && return LowerTriangular(a)
    isposdef(a) ? cholesky(a) : lu(a)
end

"""Returns the square root: of a Hermitian matrix complex where an eigenvalue is negative, of others always (`Arr.sqrtm`)."""
Base.sqrt(a::Mat) = ishermitian(a) ? of_eigenvalues(sqrt, a) : sqrtm(a)
"""
Returns a power of a matrix. Powers that are no integers are complex, except those of a Hermitian matrix without negative
eigenvalues. `Arr.fractional_matrix_power` takes stacks of matrices.
"""
function Base.:^(a::Mat, p::Real)
    isinteger(p) && return a^Integer(p)
    ishermitian(a) || return fractional_matrix_power(a, p)
    power = of_eigenvalues(x -> x^p, a)
    eltype(power) == eltype(a) ? (eltype(a) <: Real ? Symmetric(power) : Hermitian(power)) : power  # as in Base
end
# A function of a Hermitian matrix whose values are complex for negative numbers.
function of_eigenvalues(f, a::Mat)
    F = eigen(Hermitian(a))
    r = any(x -> x < 0, F.values) ? f.(complex.(F.values)) : f.(F.values)
    F.vectors * (r .* F.vectors')
end
for W in (:(Symmetric{T,<:Mat{T}} where {T<:Real}), :(Hermitian{T,<:Mat{T}} where {T<:Real}),
          :(Hermitian{Complex{T},<:Mat{Complex{T}}} where {T<:Real}))
    @eval Base.sqrt(x::$W) = sqrt(full_matrix(x))
end

"""Returns a basis of the vectors that a matrix maps to zero, as columns."""
function LinearAlgebra.nullspace(a::Mat; atol::Real = 0.0, rtol::Real = iszero(atol) ? smallest_ratio(a) : 0.0)
    F = svd(a; full = true)
    values = Array(F.S)                        # few
    largest = isempty(values) ? zero(eltype(values)) : values[1]
    found = count(s -> s > max(atol, rtol * largest), values)
    Base.inferencebarrier(adjoint_of_rows)(F.Vt, found+1:size(a, 2))
end

adjoint_of_rows(a, rows) = copy(view(a, rows, :)')

# ------------------------------------------------------------------------------------------ multiples

LinearAlgebra.ldiv!(s::Number, a::AnyArr) = (a .= s .\ a)
LinearAlgebra.rdiv!(a::AnyArr, s::Number) = (a .= a ./ s)
for (A, B, product) in ((:(a::AnyArr), :(s::Number), :(a .* s)), (:(s::Number), :(a::AnyArr), :(s .* a)))
    @eval LinearAlgebra.mul!(c::AnyArr, $A, $B) = same_shape(c, a, () -> c .= $product)
    @eval function LinearAlgebra.mul!(c::AnyArr, $A, $B, α::Number, β::Number)
        same_shape(c, a, () -> iszero(β) ? (c .= ($product) .* α) : (c .= ($product) .* α .+ c .* β))
    end
end
same_shape(c, a, f) = size(c) == size(a) ? f() :
    throw(DimensionMismatch("mul!: $(size(c)) of a number times $(size(a))"))

LinearAlgebra.diagm(m::Integer, n::Integer, v::Vect) = LinearAlgebra.diagm(m, n, 0 => v)
function LinearAlgebra.diagm(m::Integer, n::Integer, parts::Pair{<:Integer,<:Vect}...)
    min_size(k, v) = (length(v) + max(-k, 0), length(v) + max(k, 0))
    all(p -> all(min_size(p...) .<= (m, n)), parts) || throw(DimensionMismatch(
        "diagm: a matrix of $m x $n is too small for diagonals $(map(p -> p[1] => length(p[2]), parts))"))
    to = fill(zero(promote_type(map(p -> eltype(p[2]), parts)...)), m, n; device = device(last(first(parts))))
    for (k, v) in parts
        isempty(v) && continue
        start = k < 0 ? 1 - k : 1 + k * m
        line = view(vec(to), start:m+1:start+(length(v)-1)*(m+1))
        line .= line .+ v                       # one diagonal may be given twice
    end
    to
end
