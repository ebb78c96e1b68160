# SPDX-License-Identifier: MIT
# sparse_factor.jl: equations with sparse matrices: LU factors, incomplete ones, triangles. LinearAlgebra's names.

"""
    Arr.SparseLU{T}

Factors of a sparse matrix, by `lu(A)`, [`Arr.ilu0`](@ref) or [`Arr.ic0`](@ref). `F \\ b`, `F' \\ b`,
`transpose(F) \\ b` and `ldiv!` solve, for a vector or for each column of a matrix; `L, U, p, q = F` are the factors: `L * U` is
`A[p, q]`. `lu!(F, A)` takes another matrix with elements of the same indices. Solvers take factors as `Pl`.
"""
mutable struct SparseLU{T} <: Factorization{T}
    handle::LibArr.arr_sparse_factor
    n::Int
    nnz::Int
    SparseLU{T}(h::LibArr.arr_sparse_factor, n::Int, nnz::Int) where {T} = registered(new{T}(h, n, nnz))
end
release(F::SparseLU) = (LibArr.arr_sparse_factor_release(F.handle); nothing)
unsafe_free!(F::SparseLU) = finish(F)
Base.cconvert(::Type{LibArr.arr_sparse_factor}, F::SparseLU) = F
Base.unsafe_convert(::Type{LibArr.arr_sparse_factor}, F::SparseLU) = getfield(F, :handle)
Base.size(F::SparseLU) = (getfield(F, :n), getfield(F, :n))
Base.size(F::SparseLU, d::Integer) = d <= 2 ? getfield(F, :n) : 1
Base.show(@nospecialize(io::IO), F::SparseLU{T}) where {T} = print(io, Base.dims2string(size(F)), " Arr.SparseLU{", T, "}",
    F.handle.ptr == NO_HANDLE ? " (freed)" : " with $(F.nnz) stored elements")
Base.show(@nospecialize(io::IO), ::MIME"text/plain", F::SparseLU) = show(io, F)

inverse_operator(F::SparseLU, b) = linop_made(out -> @check LibArr.arr_linop_from_factor(F, out))

# The factors that f(out) makes.
function factors_made(@nospecialize(f))
    out = Ref(LibArr.arr_sparse_factor())
    f(out)
    p = Ref(LibArr.arr_sparse_factor_properties(sizeof(LibArr.arr_sparse_factor_properties), 0, 0, 0, 0))
    @check LibArr.arr_sparse_factor_info(out[], p)
    T, i = eltype_of(p[].dtype), p[]
    relieve_pressure(i.nnz * (sizeof(T) + sizeof(Int32)))
    SparseLU{T}(out[], Int(i.n), Int(i.nnz))
end

"""
    lu(A; order = :colamd, threshold = 1, symmetric = false, equilibrate = false)

Returns the factors of a sparse matrix of Arr, an [`Arr.SparseLU`](@ref). SuperLU computes them, which is opened at run time. The
order of columns is `:colamd`, `:natural`, `:mmd_ata` or, for symmetric patterns, `:mmd_at_plus_a`. The element of the diagonal is
the pivot if it has at least the part `threshold`, 0 to 1, of the largest of its column. `equilibrate` scales rows and columns
first; `symmetric` is for small thresholds.
"""
function LinearAlgebra.lu(A::SparseMatrix; order::Symbol = :colamd, threshold::Real = 1, symmetric::Bool = false,
                          equilibrate::Bool = false)
    number, least = chosen("ARR_PERMC_", order), Ref(Float64(threshold))
    GC.@preserve least begin
        options = Ref(LibArr.arr_sparse_lu_options(sizeof(LibArr.arr_sparse_lu_options), Base.unsafe_convert(Ptr{Float64}, least),
                                                   number, Int32(equilibrate), Int32(symmetric), Int32(0)))
        factors_made(out -> @check LibArr.arr_sparse_lu(A, options, stream(), out))
    end
end

"""
    Arr.ilu0(A)
    Arr.ic0(A)

Return incomplete factors with elements only where `A` has some: L and U, or for a Hermitian, positive definite matrix, of which only
the lower triangle is read, L and L'. No other library is needed.
"""
ilu0(A::SparseMatrix) = factors_made(out -> @check LibArr.arr_sparse_ilu0(A, stream(), out))
ic0(A::SparseMatrix) = factors_made(out -> @check LibArr.arr_sparse_ic0(A, stream(), out))
@doc (@doc ilu0) ic0

"""
    Arr.ilut(A; drop_tol = 1e-4, fill_factor = 10, threshold = 0.1, order = :amd)

Returns incomplete LU factors with thresholds: elements below `drop_tol` times the largest of their row are dropped, and the factors have
at most `fill_factor` times as many as `A`. The element of the diagonal is the pivot if it has at least the part `threshold` of the
largest; otherwise columns are exchanged. The order is `:amd` or `:natural`. No other library is needed.
"""
ilut(A::SparseMatrix; drop_tol::Real = 1e-4, fill_factor::Real = 10, threshold::Real = 0.1, order::Symbol = :amd) =
    factors_made(out -> @check LibArr.arr_sparse_ilut(A, Float64(drop_tol), Float64(fill_factor), Float64(threshold),
                                                      chosen("ARR_FILL_", order), stream(), out))

"""
    cholesky(A; upper = false, order = :amd)
    ldlt(A; upper = false, order = :amd)

Return the factors of a Hermitian sparse matrix of Arr, of which one triangle is read: `F.L * F.U` is `A[F.p, F.p]`, where `F.U` is
`L'`, or for `ldlt` `D * L'`. `cholesky` needs a positive definite matrix; `ldlt` does not exchange rows for the sake of pivots, and
a pivot of about 0 is an error. The order is `:amd`, approximate minimum degree, or `:natural`. No other library is needed.
"""
LinearAlgebra.cholesky(A::SparseMatrix; upper::Bool = false, order::Symbol = :amd) =
    factors_made(out -> @check LibArr.arr_sparse_cholesky(A, upper, chosen("ARR_FILL_", order), stream(), out))
LinearAlgebra.ldlt(A::SparseMatrix; upper::Bool = false, order::Symbol = :amd) =
    factors_made(out -> @check LibArr.arr_sparse_ldl(A, upper, chosen("ARR_FILL_", order), stream(), out))
@doc (@doc LinearAlgebra.cholesky(::SparseMatrix)) LinearAlgebra.ldlt(::SparseMatrix)

function LinearAlgebra.lu!(F::SparseLU{T}, A::SparseMatrix) where {T}
    G = factors_made(out -> @check LibArr.arr_sparse_refactor(F, A, stream(), out))
    F.handle, G.handle = G.handle, F.handle
    setfield!(F, :nnz, getfield(G, :nnz))
    finish(G)
    F
end

# ------------------------------------------------------------------------------------------- parts

function factor_parts(F::SparseLU, which::Int)
    outs = (Ref(LibArr.arr_sparse()), Ref(LibArr.arr_sparse()), Ref(LibArr.arr_array()), Ref(LibArr.arr_array()))
    @check LibArr.arr_sparse_factor_parts(F, stream(), (k == which ? outs[k] : C_NULL for k in 1:4)...)
    which <= 2 ? sparse_adopted(outs[which][]) : invperm(Array(adopt(outs[which][])) .+ 1)
end
Base.propertynames(::SparseLU, private::Bool = false) = (:L, :U, :p, :q)
function Base.getproperty(F::SparseLU, name::Symbol)
    at = findfirst(==(name), (:L, :U, :p, :q))
    at === nothing ? getfield(F, name) : factor_parts(F, at)
end
Base.iterate(F::SparseLU, at = 1) = at > 4 ? nothing : (factor_parts(F, at), at + 1)

function LinearAlgebra.logabsdet(F::SparseLU)
    sign, value = made((s, v) -> @check(LibArr.arr_sparse_factor_slogdet(F, stream(), s, v)), 2)
    number_of(value), number_of(sign)
end
LinearAlgebra.det(F::SparseLU) = ((value, sign) = logabsdet(F); sign * exp(value))
function LinearAlgebra.logdet(F::SparseLU)
    value, sign = logabsdet(F)
    value + log(sign)
end
LinearAlgebra.logabsdet(A::SparseMatrix) = logabsdet(lu(A))
LinearAlgebra.det(A::SparseMatrix) = det(lu(A))
LinearAlgebra.logdet(A::SparseMatrix) = logdet(lu(A))

# --------------------------------------------------------------------------------------- equations

# The transpose or the adjoint of factors.
struct TurnedSparseLU{T} <: Factorization{T}
    factors::SparseLU{T}
    op::Int32
end
Base.transpose(F::SparseLU{T}) where {T} = TurnedSparseLU{T}(F, LibArr.ARR_MATRIX_TRANSPOSED)
Base.adjoint(F::SparseLU{T}) where {T} = TurnedSparseLU{T}(F, LibArr.ARR_MATRIX_ADJOINT)
Base.size(F::TurnedSparseLU, d::Integer...) = size(F.factors, d...)

sparse_lu_solve(F::SparseLU, b::AnyArr, op = LibArr.ARR_MATRIX_PLAIN) =
    made(out -> @check LibArr.arr_sparse_factor_solve(F, b, op, stream(), out))
sparse_lu_solve(F::TurnedSparseLU, b::AnyArr) = sparse_lu_solve(F.factors, b, F.op)
function sparse_solve(A::SparseMatrix, b::AnyArr)
    T = equation_type(A, b)
    B, right = of_type(T, A), same_type(T, b)
    made(out -> @check LibArr.arr_sparse_solve(B, right, stream(), out))
end
function sparse_solve_triangular(A::SparseMatrix, b::AnyArr, lower::Bool, unit::Bool)
    T, flags = equation_type(A, b), lower * LibArr.ARR_TRIANGULAR_LOWER | unit * LibArr.ARR_TRIANGULAR_UNIT_DIAGONAL
    B, right = of_type(T, A), same_type(T, b)
    made(out -> @check LibArr.arr_sparse_solve_triangular(B, right, flags, LibArr.ARR_MATRIX_PLAIN, stream(), out))
end
function Base.:\(A::SparseMatrix, B::SparseMatrix)
    T = equation_type(A, B)
    X, Y = of_type(T, A), of_type(T, B)
    sparse_made(out -> @check LibArr.arr_sparse_solve_sparse(X, Y, stream(), out))
end
sparse_lu_solve_sparse(F::SparseLU, B, op = LibArr.ARR_MATRIX_PLAIN) =
    sparse_made(out -> @check LibArr.arr_sparse_factor_solve_sparse(F, B, op, stream(), out))
Base.:\(F::SparseLU, B::SparseMatrix) = sparse_lu_solve_sparse(F, B)
Base.:\(F::TurnedSparseLU, B::SparseMatrix) = sparse_lu_solve_sparse(F.factors, B, F.op)
for B in (:Vect, :Mat)
    @eval Base.:\(A::SparseMatrix, b::$B) = sparse_solve(A, b)
    for F in (:SparseLU, :TurnedSparseLU)
        @eval begin
            Base.:\(F::$F, b::$B) = sparse_lu_solve(F, b)
            LinearAlgebra.ldiv!(F::$F, b::$B) = put_solution!(b, sparse_lu_solve(F, b))
            LinearAlgebra.ldiv!(y::$B, F::$F, b::$B) = put_solution!(y, sparse_lu_solve(F, b))
        end
    end
    for W in TRIANGULAR
        @eval Base.:\(x::$W{T,<:SparseMatrix{T}}, b::$B) where {T<:Number} = sparse_solve_triangular(parent(x), b, triangle(x)...)
    end
end
for (W, turned) in ((:LowerTriangular, :UpperTriangular), (:UpperTriangular, :LowerTriangular),
                    (:UnitLowerTriangular, :UnitUpperTriangular), (:UnitUpperTriangular, :UnitLowerTriangular)), f in (:transpose, :adjoint)
    @eval Base.$f(x::$W{<:Any,<:SparseMatrix}) = $turned($f(parent(x)))
end
Base.:/(b::Mat, A::SparseMatrix) = packed(transpose(transpose(A) \ transpose(b)))
