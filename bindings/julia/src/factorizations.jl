# SPDX-License-Identifier: MIT
# factorizations.jl: LinearAlgebra's names for decompositions of matrices.
#
# The methods of LinearAlgebra's own structs go element by element. Here `lu`, `cholesky`, `qr` and `svd` give structs that solve
# by their factors, `eigen` LinearAlgebra's Eigen, all taken apart as there: `Q, R = qr(a)`.

failure(check::Bool) = check ? LibArr.ARR_LINALG_ERROR : LibArr.ARR_LINALG_NAN

LinearAlgebra.issymmetric(a::Mat) = size(a, 1) == size(a, 2) && all(a .== transpose(a))
LinearAlgebra.ishermitian(a::Mat) = size(a, 1) == size(a, 2) && all(a .== a')

# One triangle of the array is the matrix.
const SelfAdjoint = Union{Symmetric{<:Real,<:Mat},Hermitian{<:Any,<:Mat}}

# ------------------------------------------------------------------------------------------------ LU

"""
    Arr.LU

The result of `lu(a)`, `L, U, p = lu(a)`: the order of the rows `p` is a vector of Julia, and `L * U` is `a[p, :]`. `F \\ b`,
`det(F)` and `inv(F)` use the factors again.
"""
struct LU{T,M<:Mat{T},P<:Vect{Int32}} <: Factorization{T}
    factors::M
    pivots::P
end

"""
    lu(a; check = true)

Returns an [`Arr.LU`](@ref) of a matrix of Arr. With `check` a singular matrix is a `SingularException`.
"""
function LinearAlgebra.lu(a::Mat; check::Bool = true)
    F = LU(made((f, p) -> @check(LibArr.arr_lu_factor(a, stream(), f, p)), 2)...)
    at = check ? findfirst(iszero, Base.inferencebarrier(diagonal)(F.factors)::Vector) : nothing
    at === nothing || throw(SingularException(at))
    F
end

diagonal(a) = Array(diag(a))

Base.size(F::LU, d::Integer...) = size(F.factors, d...)
Base.iterate(F::LU, at = 1) = at > 3 ? nothing : (getproperty(F, (:L, :U, :p)[at]), at + 1)
Base.propertynames(::LU, private::Bool = false) = (:L, :U, :p, (private ? fieldnames(LU) : ())...)
function Base.getproperty(F::LU, name::Symbol)
    name === :p && return row_order(Array(F.pivots), size(F, 1))
    name in (:L, :U) || return getfield(F, name)
    f, k = F.factors, minimum(size(F))
    name === :U ? triu(view(f, 1:k, :)) : tril(view(f, :, 1:k), -1) .+ identity_of(f, k)
end
identity_of(f::Mat{T}, columns) where {T} = ArrArray{T}(I, size(f, 1), columns; device = device(f))

# The exchanges of rows, one after the other; the library counts from 0.
function row_order(pivots, n)
    p = collect(1:n)
    for (i, j) in enumerate(pivots)
        p[i], p[j+1] = p[j+1], p[i]
    end
    p
end

function lu_solve(F::LU, b::AnyArr, op = LibArr.ARR_MATRIX_PLAIN)
    x, y = alike(F.factors, b)
    made(out -> @check LibArr.arr_lu_solve(x, F.pivots, y, op, stream(), out))
end

# The transpose or adjoint of the matrix, solved by the same factors.
struct TurnedLU{T,F<:LU{T}} <: Factorization{T}
    lu::F
    op::Int32
end
Base.transpose(F::LU) = TurnedLU(F, LibArr.ARR_MATRIX_TRANSPOSED)
Base.adjoint(F::LU) = TurnedLU(F, LibArr.ARR_MATRIX_ADJOINT)
Base.size(F::TurnedLU, d::Integer...) = size(F.lu, d...)
turned_lu_solve(F::TurnedLU, b::AnyArr) = lu_solve(F.lu, b, F.op)

function LinearAlgebra.det(F::LU)
    LinearAlgebra.checksquare(F.factors)
    exchanges = count(((i, j),) -> j + 1 != i, enumerate(Array(F.pivots)))
    (-1)^exchanges * prod(diag(F.factors))
end

# ------------------------------------------------------------------------------------------ Cholesky

"""
    Arr.Cholesky

The result of `cholesky(a)`, `L, U = cholesky(a)`: `L * U` is `a`, and `U` is `L'`. `F \\ b`, `det(F)`, `logdet(F)` and
`inv(F)` use the factor again.
"""
struct Cholesky{T,M<:Mat{T}} <: Factorization{T}
    L::M
end

"""
    cholesky(a; check = true)

Returns an [`Arr.Cholesky`](@ref) of a matrix of Arr, or of one triangle of it: `cholesky(Symmetric(a))`. Without
`check` the factor of a matrix that is not positive definite is nan.
"""
function LinearAlgebra.cholesky(a::Mat; check::Bool = true)
    check && !ishermitian(a) && throw(PosDefException(-1))      # not Hermitian
    cholesky(Hermitian(a, :L); check = check)
end
function LinearAlgebra.cholesky(a::SelfAdjoint; check::Bool = true)
    upper = a.uplo == 'U'
    f = made(out -> @check LibArr.arr_cholesky(a.data, upper, failure(check), stream(), out))
    Cholesky(upper ? packed(f') : f)
end

Base.size(F::Cholesky, d::Integer...) = size(F.L, d...)
Base.iterate(F::Cholesky, at = 1) = at > 2 ? nothing : (getproperty(F, (:L, :U)[at]), at + 1)
Base.propertynames(::Cholesky, private::Bool = false) = (:L, :U)
Base.getproperty(F::Cholesky, name::Symbol) = name === :U ? getfield(F, :L)' : getfield(F, name)

cholesky_solve(F::Cholesky, b::AnyArr) =
    solve_triangular(F.L, solve_triangular(F.L, b, true, false), true, false, LibArr.ARR_MATRIX_ADJOINT)
LinearAlgebra.logdet(F::Cholesky) = 2 * mapreduce(x -> log(real(x)), +, diag(F.L))
LinearAlgebra.det(F::Cholesky) = abs2(prod(diag(F.L)))

Base.adjoint(F::Cholesky) = F
Base.transpose(F::Cholesky{<:Real}) = F

# -------------------------------------------------------------------- orthogonal and diagonal factors

"""
    qr(a; full = false)

Returns an [`Arr.QR`](@ref) of a matrix of Arr: `Q` has as many columns as `a` or, with `full`, as rows.
"""
LinearAlgebra.qr(a::Mat; full::Bool = false) = QR(made(2) do q, r
    @check LibArr.arr_qr(a, full ? LibArr.ARR_QR_COMPLETE : LibArr.ARR_QR_REDUCED, stream(), q, r)
end...)

"""
    Arr.QR

The result of `qr(a)`, `Q, R = qr(a)`. `F \\ b` is the solution of least squares by the factors, the shortest of several.
"""
struct QR{T,M<:Mat{T}} <: Factorization{T}
    Q::M
    R::M
end
Base.size(F::QR) = (size(F.Q, 1), size(F.R, 2))
Base.size(F::QR, d::Integer) = d <= 2 ? size(F)[d] : 1
Base.iterate(F::QR, at = 1) = at > 2 ? nothing : (getfield(F, at), at + 1)
function qr_solve(F::QR, b::AnyArr)
    m, n = size(F)
    size(b, 1) == m || throw(DimensionMismatch("\\: $((m, n)) and $(size(b))"))
    k = min(m, n)
    y = view(F.Q, :, 1:k)' * b
    r = view(F.R, 1:k, :)
    m < n ? least_squares(alike(r, y)...) : solve_triangular(r, y, false, false)
end

"""
    svd(a; full = false)

Returns an [`Arr.SVD`](@ref) of a matrix of Arr; with `full` all columns of `U` and `V` are there.
"""
function LinearAlgebra.svd(a::Mat; full::Bool = false)
    U, S, Vt = made(3) do u, s, vh
        @check LibArr.arr_svd(a, full, LibArr.ARR_LINALG_ERROR, stream(), u, s, vh)
    end
    SVD(U, S, Vt)
end

"""
    Arr.SVD

The result of `svd(a)`, `U, S, V = svd(a)`: `a` is `U * Diagonal(S) * Vt`; `S` is descending, and `V` is `Vt'`. `F \\ b` is the
shortest solution of least squares; singular values up to `eps()` times the largest count as 0.
"""
struct SVD{T,M<:Mat{T},V<:Vect} <: Factorization{T}
    U::M
    S::V
    Vt::M
end
Base.size(F::SVD) = (size(F.U, 1), size(F.Vt, 2))
Base.size(F::SVD, d::Integer) = d <= 2 ? size(F)[d] : 1
Base.iterate(F::SVD, at = 1) = at > 3 ? nothing : (getproperty(F, (:U, :S, :V)[at]), at + 1)
Base.propertynames(::SVD, private::Bool = false) = (:U, :S, :V, :Vt)
Base.getproperty(F::SVD, name::Symbol) = name === :V ? getfield(F, :Vt)' : getfield(F, name)
function svd_solve(F::SVD, b::AnyArr)
    size(b, 1) == size(F, 1) || throw(DimensionMismatch("\\: $(size(F)) and $(size(b))"))
    k = length(F.S)
    y = view(F.U, :, 1:k)' * b
    limit = eps(eltype(F.S)) .* maximum(F.S; dims = 1)
    view(F.Vt, 1:k, :)' * (ifelse.(F.S .> limit, 1 ./ F.S, 0) .* y)
end

for (F, f) in ((:LU, :lu_solve), (:TurnedLU, :turned_lu_solve), (:Cholesky, :cholesky_solve), (:QR, :qr_solve),
               (:SVD, :svd_solve))
    for B in (:Mat, :Vect)
        @eval begin
            Base.:\(F::$F, b::$B) = $f(F, b)
            LinearAlgebra.ldiv!(F::$F, b::$B) = put_solution!(b, $f(F, b))
            LinearAlgebra.ldiv!(y::$B, F::$F, b::$B) = put_solution!(y, $f(F, b))
        end
    end
    @eval Base.show(io::IO, ::MIME"text/plain", F::$F) =
        print(io, join(size(F), "×"), " Arr.", $(string(F)), "{", eltype(F), "}")
end
put_solution!(y, x) = size(y) == size(x) ? copyto!(y, x) :
    throw(DimensionMismatch("ldiv!: a solution of size $(size(x)) into $(size(y))"))
for F in (:LU, :Cholesky)
    @eval begin
        LinearAlgebra.inv(F::$F) = F \ identity_of(getfield(F, 1), size(F, 1))
        Base.:/(b::Mat, F::$F) = packed((F' \ b')')
        LinearAlgebra.rdiv!(b::Mat, F::$F) = copyto!(b, b / F)
    end
end
LinearAlgebra.svdvals(a::Mat) = made(out -> @check LibArr.arr_svdvals(a, LibArr.ARR_LINALG_ERROR, stream(), out))

"""
    eigen(a)
    eigvals(a)

Returns `Eigen` of a matrix of Arr. Of a Hermitian one, `Symmetric(a)` and `Hermitian(a)` included, the values are real and
ascending; of another one values and vectors are complex, in no order.
"""
LinearAlgebra.eigen(a::Mat) = ishermitian(a) ? eigen(Hermitian(a)) : Eigen(made(2) do values, vectors
    @check LibArr.arr_eig(a, LibArr.ARR_LINALG_ERROR, stream(), values, vectors)
end...)
LinearAlgebra.eigvals(a::Mat) = ishermitian(a) ? eigvals(Hermitian(a)) :
    made(out -> @check LibArr.arr_eigvals(a, LibArr.ARR_LINALG_ERROR, stream(), out))
@doc (@doc LinearAlgebra.eigen(::Mat)) LinearAlgebra.eigvals(::Mat)

"""
    schur(a)

Returns `Schur` of a matrix of Arr: the complex form, also of a real matrix. Its values are an array of the host.
"""
function LinearAlgebra.schur(a::Mat)
    t, q = made((t, q) -> @check(LibArr.arr_schur(a, LibArr.ARR_LINALG_ERROR, stream(), t, q)), 2)
    Schur(t, q, Array(diag(t)))
end

LinearAlgebra.eigen(a::SelfAdjoint) = Eigen(made(2) do values, vectors
    @check LibArr.arr_eigh(a.data, a.uplo == 'L', LibArr.ARR_LINALG_ERROR, stream(), values, vectors)
end...)
LinearAlgebra.eigvals(a::SelfAdjoint) =
    made(out -> @check LibArr.arr_eigvalsh(a.data, a.uplo == 'L', LibArr.ARR_LINALG_ERROR, stream(), out))
