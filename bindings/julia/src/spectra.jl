# SPDX-License-Identifier: MIT
# spectra.jl: least squares, eigenvalues, singular values and functions of linear operators, by iterative methods.

"""
    Arr.lsqr(A, b; x0, damp = 0, atol = 1e-6, btol = 1e-6, conlim = 1e8, maxiter, callback, log = false)
    Arr.lsmr(A, b; ...)

Return the `x` that minimizes `norm(A x - b)`, or with `damp` that norm with the one of `damp * x`; with `log` `(x, history)`. `A` is a
matrix or an operator that has an adjoint. `atol` and `btol` are relative errors of `A` and `b`; `conlim` limits the condition number.
`history` has `istop`, SciPy's number of the rule that ended the method, `iters`, and estimates `r1norm`, `r2norm`, `anorm`,
`acond`, `arnorm`, `xnorm`. `lsqr!(x, A, b)` and `lsmr!` start with `x`, except if it is `initially_zero`.
"""
lsqr(A, b::Vect; kw...) = fitted_by(lsqr_entry, A, b; kw...)
lsmr(A, b::Vect; kw...) = fitted_by(LibArr.arr_solve_lsmr, A, b; kw...)
lsqr_entry(a, b, options, s, out, info) = LibArr.arr_solve_lsqr(a, b, options, s, out, C_NULL, info)
lsqr!(x::Vect, A, b::Vect; initially_zero::Bool = false, kw...) = put_found!(x, lsqr(A, b; x0 = initially_zero ? nothing : x, kw...))
lsmr!(x::Vect, A, b::Vect; initially_zero::Bool = false, kw...) = put_found!(x, lsmr(A, b; x0 = initially_zero ? nothing : x, kw...))
put_found!(x, found::Tuple) = (put_found!(x, found[1]), found[2])
put_found!(x, found) = put_solution!(x, found)
for f in (:lsqr!, :lsmr, :lsmr!)
    @eval @doc (@doc lsqr) $f
end

function fitted_by(@nospecialize(entry), @nospecialize(A), b::Vect; x0::Union{Nothing,Vect} = nothing, damp::Real = 0,
                          atol::Real = 1e-6, btol::Real = 1e-6, conlim::Real = 1e8, maxiter::Union{Nothing,Integer} = nothing,
                          @nospecialize(callback = nothing), log::Bool = false)
    op, right, watcher = as_operator(A, b), same_type(equation_type(A, b), b), Watcher(callback, Float64[])
    call = callback === nothing ? C_NULL : @cfunction(run_watcher, Bool, (Ptr{Cvoid}, Int64, Float64))
    options = Ref(LibArr.arr_lsqr_options(sizeof(LibArr.arr_lsqr_options), Float64(damp), tolerance(atol), tolerance(btol),
        tolerance(conlim), limit(maxiter), x0 === nothing ? NO_ARRAY : x0.handle, call, pointer_from_objref(watcher)))
    info = Ref(LibArr.arr_lsqr_info(sizeof(LibArr.arr_lsqr_info), 0, 0, ntuple(_ -> 0.0, 6)...))
    x = GC.@preserve op x0 watcher found_by(out -> entry(op, right, options, stream(), out, info))
    i = info[]
    log ? (x, (istop = Int(i.istop), iters = Int(i.iterations), r1norm = i.r1norm, r2norm = i.r2norm, anorm = i.anorm, acond = i.acond,
               arnorm = i.arnorm, xnorm = i.xnorm)) : x
end

const EIGENVALUES = (LM = LibArr.ARR_EIGEN_LM, SM = LibArr.ARR_EIGEN_SM, LA = LibArr.ARR_EIGEN_LA, LR = LibArr.ARR_EIGEN_LA,
                     SA = LibArr.ARR_EIGEN_SA, SR = LibArr.ARR_EIGEN_SA, BE = LibArr.ARR_EIGEN_BE)

# f(options, outs...) makes arrays, in which the library may call functions of Julia.
function spectrum(@nospecialize(f), n::Int, ncv::Integer, tol::Real, maxiter::Integer, v0)
    options = Ref(LibArr.arr_eigsh_options(sizeof(LibArr.arr_eigsh_options), Int64(ncv), Int64(maxiter), Float64(tol),
                                           v0 === nothing ? NO_ARRAY : v0.handle))
    GC.@preserve v0 made((outs...) -> @check(calling(() -> f(options, outs...))), n)
end

"""
    Arr.eigsh(A; nev = 6, which = :LM, ncv, tol, maxiter, v0)

Returns `nev` eigenvalues, ascending, and eigenvectors of a Hermitian operator as `Eigen`, so that `values, vectors = Arr.eigsh(A)`.
`which` are those of largest or smallest magnitude (`:LM`, `:SM`), the largest or smallest (`:LR`, `:SR`), or of both ends (`:BE`).
`ncv` is the number of vectors of the basis, `v0` the first.
"""
function eigsh(A; nev::Integer = 6, which::Symbol = :LM, ncv::Integer = 0, tol::Real = 0, maxiter::Integer = 0, v0 = nothing)
    op, number = LinearOperator(A), chosen("which", EIGENVALUES, which)
    Eigen(spectrum(2, ncv, tol, maxiter, v0) do options, values, vectors
        LibArr.arr_eigsh(op, Int64(nev), number, options, stream(), values, vectors)
    end...)
end

const GENERAL_EIGENVALUES = (LM = LibArr.ARR_EIGEN_LM, SM = LibArr.ARR_EIGEN_SM, LR = LibArr.ARR_EIGEN_LR, SR = LibArr.ARR_EIGEN_SR,
                             LI = LibArr.ARR_EIGEN_LI, SI = LibArr.ARR_EIGEN_SI)

"""
    Arr.eigs(A; nev = 6, which = :LM, ncv, tol, maxiter, v0)

Returns `nev` eigenvalues, complex, the most wanted first, and eigenvectors of any square operator as `Eigen`. `which` are those of
largest or smallest magnitude (`:LM`, `:SM`), real part (`:LR`, `:SR`) or imaginary part (`:LI`, `:SI`; of a real operator, their
magnitudes). Other keywords are those of [`Arr.eigsh`](@ref).
"""
function eigs(A; nev::Integer = 6, which::Symbol = :LM, ncv::Integer = 0, tol::Real = 0, maxiter::Integer = 0, v0 = nothing)
    op, number = LinearOperator(A), chosen("which", GENERAL_EIGENVALUES, which)
    Eigen(spectrum(2, ncv, tol, maxiter, v0) do options, values, vectors
        LibArr.arr_eigs(op, Int64(nev), number, options, stream(), values, vectors)
    end...)
end

"""
    Arr.svds(A; nsv = 6, which = :LM, ncv, tol, maxiter, v0)

Returns `nsv` singular values, descending, and vectors of an operator that has an adjoint as an [`Arr.SVD`](@ref), so that
`U, S, V = Arr.svds(A)`. `which` are the largest, `:LM`, or the smallest, `:SM`.
"""
function svds(A; nsv::Integer = 6, which::Symbol = :LM, ncv::Integer = 0, tol::Real = 0, maxiter::Integer = 0, v0 = nothing)
    op, number = LinearOperator(A), chosen("which", EIGENVALUES, which)
    U, S, Vt = spectrum(3, ncv, tol, maxiter, v0) do options, u, s, vh
        LibArr.arr_svds(op, Int64(nsv), number, options, stream(), u, s, vh)
    end
    SVD(reverse(U; dims = 2), reverse(S), reverse(Vt; dims = 1))
end

"""
    Arr.lobpcg(A, largest::Bool, X; B, P, tol, maxiter = 20)

Returns the extreme eigenvalues of a Hermitian operator, as many as `X` has columns, and the eigenvectors, as `Eigen`: the largest
descending or the smallest ascending, from approximate eigenvectors `X`. With `B`, a Hermitian, positive definite operator, those of
`A x = λ B x`. `P` is a preconditioner as `Pl` of [`Arr.cg`](@ref). The vectors may be less exact than `tol` after `maxiter` iterations.
"""
function lobpcg(A, largest::Bool, X::Mat; B = nothing, P = nothing, tol::Real = 0, maxiter::Integer = 20)
    op, first = LinearOperator(A), float(view(X, :, 1))
    b, m = B === nothing ? nothing : LinearOperator(B), P === nothing ? nothing : inverse_operator(P, first)
    handle(x) = x === nothing ? LibArr.arr_linop() : x.handle
    options = Ref(LibArr.arr_lobpcg_options(sizeof(LibArr.arr_lobpcg_options), handle(b), handle(m), Int64(!largest), Float64(tol),
                                            Int64(maxiter)))
    call(values, vectors) = @check calling(() -> LibArr.arr_lobpcg(op, X, options, stream(), values, vectors, C_NULL))
    Eigen(GC.@preserve(b, m, made(call, 2))...)
end

"""
    Arr.opnorm1est(A; t = 2, itmax = 5)

Returns an estimate of `opnorm(A, 1)`, of an operator that has an adjoint. It is not above the norm, and mostly equal to it. Products
have `t` vectors at a time.
"""
function opnorm1est(A; t::Integer = 2, itmax::Integer = 5)
    op, estimate = LinearOperator(A), Ref(0.0)
    @check calling(() -> LibArr.arr_onenormest(op, Int64(t), Int64(itmax), stream(), estimate, C_NULL, C_NULL))
    estimate[]
end

"""
    Arr.expm_multiply(A, b; trace)
    Arr.expm_multiply(A, b, times::AbstractRange; trace)

Returns `exp(A) * b`, or `exp(t * A) * b` for each `t` of `times` along a last dimension, without the exponential. `A` is a matrix, or an
operator that has an adjoint; `trace`, about that of the operator, makes it cheaper.
"""
expm_multiply(A, b::Union{Vect,Mat}; trace::Union{Nothing,Number} = nothing) = expm_times(A, b, trace, 0, 0.0, 0.0)
function expm_multiply(A, b::Union{Vect,Mat}, times::AbstractRange; trace::Union{Nothing,Number} = nothing)
    length(times) < 2 && throw(ArgumentError("Arr.expm_multiply: $(length(times)) times, expected 2 or more"))
    all_of_them = expm_times(A, b, trace, length(times), Float64(first(times)), Float64(last(times)))
    packed(permutedims(all_of_them, (2:ndims(all_of_them)..., 1)))
end
function expm_times(@nospecialize(A), @nospecialize(b), trace, num::Int, from::Float64, to::Float64)
    op, right = as_operator(A, b isa Mat ? view(b, :, 1) : b), same_type(equation_type(A, b), b)
    re, im_ = Ref(trace === nothing ? 0.0 : Float64(real(trace))), Ref(trace === nothing ? 0.0 : Float64(imag(trace)))
    at(r) = trace === nothing ? Ptr{Float64}(C_NULL) : Base.unsafe_convert(Ptr{Float64}, r)
    GC.@preserve re im_ begin
        options = Ref(LibArr.arr_expm_options(sizeof(LibArr.arr_expm_options), num, from, to, 0, at(re), at(im_)))
        made(out -> @check(calling(() -> LibArr.arr_expm_multiply(op, right, options, stream(), out))))
    end
end
