# SPDX-License-Identifier: MIT
# solvers.jl: LinearAlgebra's names for equations, inverses, determinants and functions of matrices.
#
# A matrix without such a result is LinearAlgebra's exception, or Arr.LinalgError with the library's text.

# f(out...) makes n arrays.
function made(f, n::Integer)
    outs = [Ref(LibArr.arr_array()) for _ in 1:n]
    f(outs...)
    arrays = map(out -> adopt(out[]), outs)
    relieve_pressure()
    Tuple(packed(a) for a in arrays)
end

# Both operands in Julia's common type, where NumPy's would be wider: Float32 with Int64.
function alike(a::AnyArr, b::AnyArr)
    T = promote_type(eltype(a), eltype(b))
    same_type(T, a), same_type(T, b)
end

# ------------------------------------------------------------------------------- equations, inverses

LinearAlgebra.inv(a::Mat) = made(out -> @check LibArr.arr_inv(a, LibArr.ARR_LINALG_ERROR, stream(), out))

# As in LinearAlgebra: one solution of a square matrix, of another one the shortest of the least squares.
for B in (Mat, Vect)
    @eval Base.:\(a::Mat, b::$B) = size(a, 1) == size(a, 2) ? solve(alike(a, b)...) : least_squares(alike(a, b)...)
end
Base.:/(b::Mat, a::Mat) = packed(transpose(transpose(a) \ transpose(b)))

solve(a::Mat, b::AnyArr) = made(out -> @check LibArr.arr_solve(a, b, LibArr.ARR_LINALG_ERROR, stream(), out))
least_squares(a::Mat, b::AnyArr) =
    first(made((x, rest...) -> @check(LibArr.arr_lstsq(a, b, -1.0, stream(), x, rest...)), 4))

for (W, turned) in ((:LowerTriangular, :UpperTriangular), (:UpperTriangular, :LowerTriangular),
                    (:UnitLowerTriangular, :UnitUpperTriangular), (:UnitUpperTriangular, :UnitLowerTriangular))
    for f in (:transpose, :adjoint)
        @eval Base.$f(a::$W{<:Any,<:Mat}) = $turned($f(parent(a)))
    end
end
solve_triangular(a::Mat, b::AnyArr, lower, unit, op = LibArr.ARR_MATRIX_PLAIN) = let (x, y) = alike(a, b)
    flags = lower * LibArr.ARR_TRIANGULAR_LOWER | unit * LibArr.ARR_TRIANGULAR_UNIT_DIAGONAL
    made(out -> @check LibArr.arr_solve_triangular(x, y, flags, op, LibArr.ARR_LINALG_ERROR, stream(), out))
end

"""
    Arr.tensorsolve(a, b; dims = ())

Returns `x` with `a x = b`, where `a` is a matrix whose rows are the dimensions of `b` and whose columns those of `x`;
`dims` of `a` are moved after its others first.
"""
tensorsolve(a::AnyArr, b::AnyArr; dims = ()) = let (x, y) = alike(a, b), axes = Int32[axis(d) for d in dims]
    made(out -> @check LibArr.arr_tensorsolve(x, y, Int32(length(axes)), axes, stream(), out))
end

"""
    Arr.tensorinv(a, n = 2)

Returns the inverse as of a matrix whose rows are the first `n` dimensions; the result has the others first.
"""
tensorinv(a::AnyArr, n::Integer = 2) = made(out -> @check LibArr.arr_tensorinv(a, Int32(n), stream(), out))

"""
    pinv(a; rtol = eps() * minimum(size(a)))

Returns the pseudoinverse; singular values up to `rtol` times the largest count as 0.
"""
LinearAlgebra.pinv(a::Mat; rtol::Real = smallest_ratio(a)) =
    made(out -> @check LibArr.arr_pinv(a, Float64(rtol), stream(), out))
smallest_ratio(a::Mat{T}) where {T} = eps(real(float(one(T)))) * minimum(size(a))

# The singular values come to the host: there are few, and the limit depends on the first.
function LinearAlgebra.rank(a::Mat; atol::Real = 0, rtol::Real = iszero(atol) ? smallest_ratio(a) : 0)
    isempty(a) && return 0
    s = Array(svdvals(a))
    count(>(max(atol, rtol * s[1])), s)
end

LinearAlgebra.cond(a::Mat, p::Real = 2) =
    number(out -> @check LibArr.arr_cond(a, LibArr.ARR_NORM_P, Float64(p), stream(), out))

"""
    exp(a), for a matrix of Arr

Returns the exponential of a square matrix; `exp.(a)` is that of its elements.
"""
Base.exp(a::Mat) = made(out -> @check LibArr.arr_expm(a, stream(), out))

"""
    log(a), for a matrix of Arr

Returns the principal logarithm of a square matrix. It is complex, also where LinearAlgebra's is real because of the
values: `real.(log(a))`. `Arr.logm` takes stacks of matrices.
"""
Base.log(a::Mat) = logm(a)

# As in LinearAlgebra: of a matrix, not of its elements.
for (f, g) in ((:cos, :cosm), (:sin, :sinm), (:tan, :tanm), (:cosh, :coshm), (:sinh, :sinhm), (:tanh, :tanhm))
    @eval Base.$f(a::Mat) = $g(a)
end
Base.sincos(a::Mat) = (sin(a), cos(a))

"""
    sylvester(a, b, c), lyap(a, c)

Return the solutions of `a x + x b + c = 0` and `a x + x a' + c = 0`, with LinearAlgebra's signs.
`Arr.solve_sylvester` and `Arr.solve_continuous_lyapunov` have `q = -c` and take stacks of matrices.
"""
LinearAlgebra.sylvester(a::Mat, b::Mat, c::Mat) = solve_sylvester(a, b, -c)
LinearAlgebra.lyap(a::Mat, c::Mat) = solve_continuous_lyapunov(a, -c)
@doc (@doc LinearAlgebra.sylvester(::Mat, ::Mat, ::Mat)) LinearAlgebra.lyap(::Mat, ::Mat)

# -------------------------------------------------------------------------------------- determinants

LinearAlgebra.det(a::Mat) = number(out -> @check LibArr.arr_det(a, stream(), out))
function LinearAlgebra.logabsdet(a::Mat)
    sign, value = made((s, v) -> @check(LibArr.arr_slogdet(a, stream(), s, v)), 2)
    number_of(value), number_of(sign)
end
function LinearAlgebra.logdet(a::Mat)
    value, sign = logabsdet(a)
    value + log(sign)
end
