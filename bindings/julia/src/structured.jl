# SPDX-License-Identifier: MIT
# structured.jl: LinearAlgebra's matrices with a structure, made of arrays of Arr. LinearAlgebra's own methods for them go
# element by element, or call LAPACK of the host; here they are whole matrices where it matters.

const TRIANGULAR = (:UpperTriangular, :LowerTriangular, :UnitUpperTriangular, :UnitLowerTriangular)
const BANDED = (:Bidiagonal, :Tridiagonal, :SymTridiagonal)
const Triangular = Union{(@eval($W{<:Any,<:Mat}) for W in TRIANGULAR)...}
const Banded = Union{(@eval($W{<:Any,<:Vect}) for W in BANDED)...}
const DiagonalOf = Diagonal{<:Any,<:Vect}
const Reflected = Union{Symmetric{<:Any,<:Mat},Hermitian{<:Any,<:Mat}}
const Structured = Union{Reflected,Triangular,Banded,DiagonalOf}

# The types as methods name them, so narrow that none of LinearAlgebra's is as specific.
const STRUCTURES = Tuple(:($W{T,<:$A{T}} where {T<:Number}) for (W, A) in (
    (:Symmetric, :Mat), (:Hermitian, :Mat), (:Diagonal, :Vect), (TRIANGULAR .=> :Mat)..., (BANDED .=> :Vect)...))
# Those for which LinearAlgebra calls BLAS and LAPACK of the host, by their storage.
const FOR_BLAS = (:Symmetric, :Hermitian, TRIANGULAR...)

# The arrays that one is made of, and one made of other arrays.
storage(x::Union{Reflected,Triangular}) = parent(x)
storage(x::DiagonalOf) = x.diag
storage(x::Bidiagonal) = x.dv
storage(x::Tridiagonal) = x.d
storage(x::SymTridiagonal) = x.dv
remade(f, x::Reflected) = (nameof(typeof(x)) === :Symmetric ? Symmetric : Hermitian)(f(x.data), Symbol(x.uplo))
remade(f, x::DiagonalOf) = Diagonal(f(x.diag))
remade(f, x::Bidiagonal) = Bidiagonal(f(x.dv), f(x.ev), Symbol(x.uplo))
remade(f, x::Tridiagonal) = Tridiagonal(f(x.dl), f(x.d), f(x.du))
remade(f, x::SymTridiagonal) = SymTridiagonal(f(x.dv), f(x.ev))
for W in TRIANGULAR
    @eval remade(f, x::$W{<:Any,<:Mat}) = $W(f(parent(x)))
end
device(x::Structured) = device(storage(x))

# ------------------------------------------------------------------------------------- all elements

"""Returns the matrix with all its elements, as a new array of Arr."""
full_matrix(x::DiagonalOf) = LinearAlgebra.diagm(x.diag)
full_matrix(x::Bidiagonal) = diagonals(x.dv, (x.uplo == 'U' ? 1 : -1) => x.ev)
full_matrix(x::Tridiagonal) = diagonals(x.d, -1 => x.dl, 1 => x.du)
function full_matrix(x::SymTridiagonal)
    side = view(x.ev, 1:max(length(x.dv) - 1, 0))
    diagonals(x.dv, -1 => side, 1 => side)
end
diagonals(middle, sides...) = length(middle) > 1 ? LinearAlgebra.diagm(0 => middle, sides...) : LinearAlgebra.diagm(middle)
full_matrix(x::UpperTriangular) = triu(parent(x))
full_matrix(x::LowerTriangular) = tril(parent(x))
full_matrix(x::UnitUpperTriangular) = triu(parent(x), 1) + I
full_matrix(x::UnitLowerTriangular) = tril(parent(x), -1) + I
function full_matrix(x::Reflected)
    a, n = parent(x), size(x, 1)
    below(k) = tri(Bool, n, n, k; device = device(a))
    kept = x.uplo == 'L' ? below(0) : .!below(-1)
    x isa Symmetric && return ifelse.(kept, a, transpose(a))
    m = ifelse.(kept, a, a')
    eltype(a) <: Real ? m : ifelse.(below(0) .& .!below(-1), complex.(real.(m)), m)
end

ArrArray{T,2}(x::Structured; device::DeviceLike = device(x)) where {T} = moved(same_type(T, full_matrix(x)), Device(device))
moved(a::AnyArr, to::Device) = device(a) == to ? column_major(a) : copy_to(a, to)
for A in (:AnyArr, :Array)
    @eval Base.copyto!(to::$A, x::Structured) = copyto!(to, full_matrix(x))
end
# The elements of a triangle; the others of the array below stay.
for (W, inner, k, outer) in ((:UpperTriangular, :triu, 0, :tril), (:UnitUpperTriangular, :triu, 1, :tril),
                             (:LowerTriangular, :tril, 0, :triu), (:UnitLowerTriangular, :tril, 1, :triu))
    one_side, other_side = inner === :triu ? (k, k - 1) : (-k, 1 - k)
    @eval Base.copyto!(to::T, x::T) where {T<:$W{<:Any,<:Mat}} =
        (parent(to) .= $inner(parent(x), $one_side) .+ $outer(parent(to), $other_side); to)
end
for W in STRUCTURES
    @eval begin
        Base.Array{S,2}(x::$W) where {S} = Array{S,2}(full_matrix(x))
        Base.Array{S}(x::$W) where {S} = Array{S,2}(full_matrix(x))
        Base.Matrix(x::$W) = Array(full_matrix(x))
        Base.Array(x::$W) = Array(full_matrix(x))
        Base.collect(x::$W) = Array(full_matrix(x))
        Broadcast.BroadcastStyle(::Type{<:$W}) = ArrStyle{2}()
        Base.show(io::IO, x::$W) = show(io, remade(a -> shown(io, a), x))
        Base.print_array(io::IO, x::$W) = Base.print_array(io, remade(a -> shown(io, a), x))
    end
end
walk(t::Trace, x::Structured) = input(t, full_matrix(x))
first_array(x::Structured) = storage(x)

for f in (:(==), :isequal, :isapprox), (X, Y) in ((:Structured, :AnyArr), (:AnyArr, :Structured))
    @eval Base.$f(x::$X, y::$Y; kw...) = $f(whole_array(x), whole_array(y); kw...)
end
whole_array(a::AnyArr) = a
whole_array(x::Structured) = full_matrix(x)

# ------------------------------------------------------------------------------- products, equations

solved(x::Triangular, b) = solve_triangular(parent(x), b, triangle(x)...)
triangle(::UpperTriangular) = (false, false)
triangle(::LowerTriangular) = (true, false)
triangle(::UnitUpperTriangular) = (false, true)
triangle(::UnitLowerTriangular) = (true, true)
solved(x::Union{Reflected,Banded}, b) = full_matrix(x) \ b
function solved(x::DiagonalOf, b)
    size(b, 1) == length(x.diag) || throw(DimensionMismatch("\\: $(size(x)) and $(size(b))"))
    at = findfirst(iszero, x.diag)
    at === nothing || throw(SingularException(at))
    x.diag .\ b
end
multiplied(x::Structured, b) = full_matrix(x) * b
multiplied(x::DiagonalOf, b) = size(b, 1) == length(x.diag) ? x.diag .* b :
    throw(DimensionMismatch("*: $(size(x)) and $(size(b))"))
multiplied(a::AnyArr, x::Structured) = a * full_matrix(x)
divided(a, x::Structured) = a / full_matrix(x)
divided(a, x::DiagonalOf) = packed(transpose(solved(x, transpose(a))))

# Methods for a structure X with matrices M and vectors V: LinearAlgebra's own name as narrow types.
function define_products(X, M, V)
    for B in (M, V)
        @eval begin
            Base.:*(x::$X, b::$B) where {T<:Number} = multiplied(x, b)
            Base.:\(x::$X, b::$B) where {T<:Number} = solved(x, b)
            LinearAlgebra.ldiv!(x::$X, b::$B) where {T<:Number} = copyto!(b, solved(x, b))
            LinearAlgebra.ldiv!(y::$B, x::$X, b::$B) where {T<:Number} = copyto!(y, solved(x, b))
            LinearAlgebra.lmul!(x::$X, b::$B) where {T<:Number} = copyto!(b, multiplied(x, b))
            LinearAlgebra.mul!(y::$B, x::$X, b::$B) where {T<:Number} = LinearAlgebra.mul!(y, full_matrix(x), b)
            LinearAlgebra.mul!(y::$B, x::$X, b::$B, α::Number, β::Number) where {T<:Number} =
                LinearAlgebra.mul!(y, full_matrix(x), b, α, β)
        end
    end
    @eval begin
        Base.:*(a::$M, x::$X) where {T<:Number} = multiplied(a, x)
        Base.:/(a::$M, x::$X) where {T<:Number} = divided(a, x)
        LinearAlgebra.rdiv!(a::$M, x::$X) where {T<:Number} = copyto!(a, divided(a, x))
        LinearAlgebra.rmul!(a::$M, x::$X) where {T<:Number} = copyto!(a, multiplied(a, x))
        LinearAlgebra.mul!(y::$M, a::$M, x::$X) where {T<:Number} = LinearAlgebra.mul!(y, a, full_matrix(x))
        LinearAlgebra.mul!(y::$M, a::$M, x::$X, α::Number, β::Number) where {T<:Number} =
            LinearAlgebra.mul!(y, a, full_matrix(x), α, β)
    end
end
function define_numbers(X)
    for f in (X.args[1].args[1] in (:Diagonal, TRIANGULAR...) ? () : (:det,))
        @eval LinearAlgebra.$f(x::$X; kw...) = LinearAlgebra.$f(full_matrix(x); kw...)
    end
    @eval LinearAlgebra.tr(x::$X) = sum(LinearAlgebra.diag(full_matrix(x)))      # wider than tr of small integers
    for f in (:logdet, :logabsdet, :rank, :pinv, :svd, :svdvals, :qr, :lu)
        @eval LinearAlgebra.$f(x::$X; kw...) = LinearAlgebra.$f(full_matrix(x); kw...)
    end
    for f in (:norm, :cond, :opnorm)
        @eval LinearAlgebra.$f(x::$X, p::Real = 2) = LinearAlgebra.$f(full_matrix(x), p)
    end
end
for W in STRUCTURES
    X = W.args[1]
    define_products(X, :(Mat{<:Number}), :(Vect{<:Number}))
    define_numbers(W)
    X.args[1] in FOR_BLAS && define_products(:($(X.args[1]){T,ArrArray{T,2}}), :(ArrArray{T,2}), :(ArrArray{T,1}))
    for op in (:*, :/)
        @eval Base.$op(a::Row, x::$W) = $op(a, full_matrix(x))
    end
end
for W in (:(Symmetric{T,<:Mat{T}} where {T<:Real}), :(Hermitian{T,<:Mat{T}} where {T<:Real}),
          :(Hermitian{Complex{T},<:Mat{Complex{T}}} where {T<:Real}))
    @eval LinearAlgebra.det(x::$W) = LinearAlgebra.det(full_matrix(x))
    @eval LinearAlgebra.svd(x::$W; kw...) = LinearAlgebra.svd(full_matrix(x); kw...)
end
# The product of the diagonal, which stays in integers.
LinearAlgebra.det(x::Diagonal{T,<:Vect{T}}) where {T<:Number} = prod(x.diag)
for W in TRIANGULAR
    @eval LinearAlgebra.det(x::$W{T,<:Mat{T}}) where {T<:Number} =
        $(startswith(string(W), "Unit") ? :(one(T)) : :(prod(diag(parent(x)))))
end
for W in TRIANGULAR
    @eval LinearAlgebra.cond(x::$W{T,<:Mat{T}}, p::Real = 2) where {T<:LinearAlgebra.BlasFloat} =
        LinearAlgebra.cond(full_matrix(x), p)
end
for R in (:Real, :Complex)
    @eval LinearAlgebra.logdet(x::Diagonal{T,<:Vect{T}}) where {T<:$R} = LinearAlgebra.logdet(full_matrix(x))
end
for W in TRIANGULAR
    @eval LinearAlgebra.inv(x::$W{<:Any,<:Mat}) = $W(solved(x, identity_of(parent(x), size(x, 1))))
end
LinearAlgebra.inv(x::Reflected) = remade(_ -> inv(full_matrix(x)), x)
function LinearAlgebra.cholesky(x::DiagonalOf; check::Bool = true)
    bad = findfirst(x.diag .<= 0)
    check && bad !== nothing && throw(LinearAlgebra.PosDefException(bad))
    LinearAlgebra.Cholesky(Diagonal(sqrt.(x.diag)), 'U', something(bad, 0))
end
by_roots!(F, b) = (b ./= abs2.(F.factors.diag); b)
LinearAlgebra.ldiv!(F::LinearAlgebra.Cholesky{<:Any,<:DiagonalOf}, b::AnyArr) = by_roots!(F, b)
LinearAlgebra.ldiv!(F::LinearAlgebra.Cholesky{T,<:DiagonalOf}, b::Union{ArrArray{T,1},ArrArray{T,2}}) where {T<:LinearAlgebra.BlasFloat} =
    by_roots!(F, b)
LinearAlgebra.inv(x::DiagonalOf) = Diagonal(solved(x, one.(x.diag)))
LinearAlgebra.lmul!(s::Number, x::DiagonalOf) = (LinearAlgebra.lmul!(s, x.diag); x)
LinearAlgebra.rmul!(x::DiagonalOf, s::Number) = (LinearAlgebra.rmul!(x.diag, s); x)

# ------------------------------------------------------------- what LinearAlgebra does element by element

Base.similar(x::Hermitian{<:Any,<:Mat}, ::Type{T}) where {T} = Hermitian(fill!(similar(x.data, T), 0), Symbol(x.uplo))
Base.similar(x::Hermitian{<:Any,<:Mat}) = similar(x, eltype(x))
for W in FOR_BLAS, f in (:istriu, :istril)
    @eval LinearAlgebra.$f(x::$W{<:Any,<:Mat}, k::Integer = 0) = LinearAlgebra.$f(full_matrix(x), k)
end
for W in TRIANGULAR, V in TRIANGULAR
    @eval LinearAlgebra.mul!(y::Mat, a::$W{<:Any,<:Mat}, b::$V{<:Any,<:Mat}, α::Number, β::Number) =
        LinearAlgebra.mul!(y, full_matrix(a), full_matrix(b), α, β)
end
