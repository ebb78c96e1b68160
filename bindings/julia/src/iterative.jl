# SPDX-License-Identifier: MIT
# iterative.jl: iterative solvers of linear equations, by the words of IterativeSolvers.

"""
    Arr.Preconditioner(M)

A preconditioner `P` of which the product with `M`, an approximate inverse, is known: `P \\ x` is `M * x`. `M` is a linear
operator or what [`Arr.LinearOperator`](@ref) takes.
"""
struct Preconditioner{T}
    inverse::LinearOperator{T}
end
Preconditioner(M) = Preconditioner(LinearOperator(M))
Preconditioner(A::SparseMatrix) = Preconditioner(LinearOperator(A))
Base.size(P::Preconditioner, d::Integer...) = size(P.inverse, d...)
Base.:\(P::Preconditioner, x::Union{Vect,Mat}) = P.inverse * x
LinearAlgebra.ldiv!(P::Preconditioner, x::Union{Vect,Mat}) = copyto!(x, P \ x)
LinearAlgebra.ldiv!(y::AnyArr, P::Preconditioner, x::AnyArr) = copyto!(y, P \ x)

"""
    Arr.jacobi(A)

Returns Jacobi's preconditioner of a sparse matrix, which divides by the elements of its diagonal, where these are not 0.
"""
jacobi(A::SparseMatrix) = Preconditioner(linop_made(out -> @check LibArr.arr_linop_jacobi(A, stream(), out)))

"""
    Arr.multigrid(A; strength = 0.08)

Returns a multigrid preconditioner of a symmetric, positive definite sparse matrix, by smoothed aggregation: neighbours whose
elements are at least `strength` times the root of the product of their diagonals' are aggregated.
"""
multigrid(A::SparseMatrix; strength::Real = 0.08) =
    Preconditioner(linop_made(out -> @check LibArr.arr_linop_multigrid(A, Float64(strength), stream(), out)))

# The operands of solvers, and `Pl`, as operators of Julia's type for equations with b.
as_operator(A::LinearOperator, b) = A
as_operator(A::SparseMatrix, b) = LinearOperator(of_type(equation_type(A, b), A))
as_operator(A::Union{Mat,Diagonal{<:Any,<:Vect}}, b) = LinearOperator(A)
as_operator(f::Function, b) = LinearOperator{float(eltype(b))}(f, length(b); device = device(b))
as_operator(A, b) = LinearOperator(A; device = device(b))
equation_type(A, b) = (T = eltype(A); float(T <: Number ? promote_type(T, eltype(b)) : eltype(b)))   # a function has no type

inverse_operator(P::Preconditioner, b) = P.inverse
inverse_operator(f::Function, b) = as_operator(f, b)
inverse_operator(D::Diagonal{<:Any,<:Vect}, b) = LinearOperator(Diagonal(inv.(D.diag)))
inverse_operator(P, b) = as_operator(x -> applicable(\, P, x) ? P \ x : ldiv!(similar(x), P, x), b)
inverse_operator(::LinearOperator, b) =
    throw(ArgumentError("Pl: a linear operator has no \\; that of an approximate inverse is Arr.Preconditioner(M)"))

"""
    Arr.ConvergenceHistory

What a solver has done: `isconverged`; `iters`, the number of iterations; `history[:resnorm]`, the norm of the residual after
each; and `info`, SciPy's code: 0, the number of iterations without convergence, or after a breakdown a negative number.
"""
struct ConvergenceHistory
    isconverged::Bool
    iters::Int
    info::Int
    resnorm::Vector{Float64}
end
Base.getindex(h::ConvergenceHistory, name::Symbol) = getfield(h, name)
Base.show(io::IO, h::ConvergenceHistory) = print(io, h.isconverged ? "Converged" : "Not converged", " after ", h.iters, " iterations.")

# The function that a solver calls after each look at the residual; true ends it.
mutable struct Watcher
    f::Any
    norms::Vector{Float64}
end
function run_watcher(ctx::Ptr{Cvoid}, iterations::Int64, residual::Float64)::Bool
    stop = false
    good = catching() do
        w = unsafe_pointer_to_objref(ctx)::Watcher
        push!(w.norms, residual)
        w.f === nothing || (stop = w.f(Int(iterations), residual) === true)
    end
    stop || !good
end

# 0 selects the library's default, so that a user's 0 is negative.
tolerance(x::Real) = iszero(x) ? -1.0 : Float64(x)
limit(::Nothing) = Int64(0)
limit(n::Integer) = n == 0 ? Int64(-1) : Int64(n)

# The array of the solver f(out), unless a function or the callback has thrown.
function found_by(@nospecialize(f))
    out = Ref(LibArr.arr_array())
    @check calling(() -> f(out))
    x = packed(adopt(out[]))
    throw_caught()
    relieve_pressure(sizeof(x))
    x
end

const ALIKE = (restart = 0, augment = nothing, shift = 0.0)       # what only some methods have
function solved_by(@nospecialize(entry), @nospecialize(A), b::Vect, special = ALIKE;
                   x0::Union{Nothing,Vect} = nothing, @nospecialize(Pl = nothing), reltol::Real = 1e-5, abstol::Real = 0,
                   maxiter::Union{Nothing,Integer} = nothing, check_every::Integer = 0, @nospecialize(callback = nothing),
                   log::Bool = false)
    op, right = as_operator(A, b), same_type(equation_type(A, b), b)
    M = Pl === nothing ? nothing : inverse_operator(Pl, right)
    watcher, watched = Watcher(callback, Float64[]), log || callback !== nothing
    call = watched ? @cfunction(run_watcher, Bool, (Ptr{Cvoid}, Int64, Float64)) : C_NULL
    options = Ref(LibArr.arr_solve_options(sizeof(LibArr.arr_solve_options), tolerance(reltol), Float64(abstol), limit(maxiter),
        x0 === nothing ? NO_ARRAY : x0.handle, M === nothing ? LibArr.arr_linop() : M.handle, Int64(check_every),
        Int64(special.restart), limit(special.augment), Float64(special.shift), call, watched ? pointer_from_objref(watcher) : C_NULL))
    info = Ref(LibArr.arr_solve_info(sizeof(LibArr.arr_solve_info), 0, 0, 0.0))
    x = GC.@preserve op M x0 watcher found_by(out -> (empty!(watcher.norms); entry(op, right, options, stream(), out, info)))
    i = info[]
    log ? (x, ConvergenceHistory(i.info == 0, Int(i.iterations), Int(i.info), watcher.norms)) : x
end

function solved_into!(@nospecialize(entry), x::Vect, @nospecialize(A), b::Vect, special = ALIKE; initially_zero::Bool = false,
                      log::Bool = false, kw...)
    found = solved_by(entry, A, b, special; x0 = initially_zero ? nothing : x, log = log, kw...)
    copyto!(x, log ? found[1] : found)
    log ? (x, found[2]) : x
end

"""
    Arr.cg(A, b; x0, Pl, reltol = 1e-5, abstol = 0, maxiter, callback, log = false, check_every)
    Arr.cg!(x, A, b; initially_zero = false, ...)

Return `x` with `A x = b`, with `log` `(x, history)`, an [`Arr.ConvergenceHistory`](@ref), which says whether the method has
converged. `cg!` starts with `x`, except if it is `initially_zero`, and writes the result there.

| method | for |
|---|---|
| `cg` | a Hermitian, positive definite operator, conjugate gradients |
| `minres(...; shift = 0)` | a Hermitian operator, which may be indefinite or singular; solves `(A - shift * I) x = b` |
| `gmres(...; restart = 20)`, `lgmres(...; restart = 30, augment = 3)`, `bicgstab`, `cgs`, `tfqmr` | any operator |

`A` is a sparse or dense matrix of Arr, a function of a vector, or what [`Arr.LinearOperator`](@ref) takes. The method ends
when the norm of the residual is at most `max(reltol * norm(b), abstol)`, or after `maxiter` iterations, by default `10 * length(b)`
(`minres` 5); in `gmres` and `lgmres` these are cycles of `restart` products. `Pl` is a preconditioner, something with `Pl \\ x`:
`Diagonal(v)`, factors, [`Arr.jacobi`](@ref), [`Arr.Preconditioner`](@ref), or a function that returns this. `callback` is called as
`callback(iteration, residual)`; if it returns `true` the method ends. The host looks at the residual after `check_every` iterations,
by default 1 on the host and 16 on CUDA, with a callback or a log 1.
"""
cg(A, b::Vect; kw...) = solved_by(LibArr.arr_solve_cg, A, b; kw...)
cg!(x::Vect, A, b::Vect; kw...) = solved_into!(LibArr.arr_solve_cg, x, A, b; kw...)
cgs(A, b::Vect; kw...) = solved_by(LibArr.arr_solve_cgs, A, b; kw...)
cgs!(x::Vect, A, b::Vect; kw...) = solved_into!(LibArr.arr_solve_cgs, x, A, b; kw...)
bicgstab(A, b::Vect; kw...) = solved_by(LibArr.arr_solve_bicgstab, A, b; kw...)
bicgstab!(x::Vect, A, b::Vect; kw...) = solved_into!(LibArr.arr_solve_bicgstab, x, A, b; kw...)
gmres(A, b::Vect; restart::Integer = 20, kw...) = solved_by(LibArr.arr_solve_gmres, A, b, restarted(restart); kw...)
gmres!(x::Vect, A, b::Vect; restart::Integer = 20, kw...) = solved_into!(LibArr.arr_solve_gmres, x, A, b, restarted(restart); kw...)
minres(A, b::Vect; shift::Real = 0, kw...) = solved_by(LibArr.arr_solve_minres, A, b, with_shift(shift); kw...)
minres!(x::Vect, A, b::Vect; shift::Real = 0, kw...) = solved_into!(LibArr.arr_solve_minres, x, A, b, with_shift(shift); kw...)
tfqmr(A, b::Vect; kw...) = solved_by(LibArr.arr_solve_tfqmr, A, b; kw...)
tfqmr!(x::Vect, A, b::Vect; kw...) = solved_into!(LibArr.arr_solve_tfqmr, x, A, b; kw...)
lgmres(A, b::Vect; restart::Integer = 30, augment::Integer = 3, kw...) =
    solved_by(LibArr.arr_solve_lgmres, A, b, restarted(restart, augment); kw...)
lgmres!(x::Vect, A, b::Vect; restart::Integer = 30, augment::Integer = 3, kw...) =
    solved_into!(LibArr.arr_solve_lgmres, x, A, b, restarted(restart, augment); kw...)
restarted(n, augment = nothing) =
    (restart = n > 0 ? Int(n) : throw(ArgumentError("restart = $n: expected 1 or more")), augment = augment, shift = 0.0)
with_shift(shift::Real) = (restart = 0, augment = nothing, shift = Float64(shift))
for f in (:cg!, :cgs, :cgs!, :bicgstab, :bicgstab!, :gmres, :gmres!, :minres, :minres!, :tfqmr, :tfqmr!, :lgmres,
          :lgmres!)
    @eval @doc (@doc cg) $f
end
