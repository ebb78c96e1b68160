# SPDX-License-Identifier: MIT
# adapter.jl: runs a function on Julia's arrays and on arrays of Arr, and compares what it returns and what it changes.
#
# The files beside this one ask of Arr what GPUArrays' test groups of the same names ask of an array type: every function
# of Base, LinearAlgebra, Random and Statistics that programs for GPUs call, for each element type. The text is written here.
using Serialization

# A group of tests runs after every fourth commit, and ARR_TEST_SEED is the number of commits.
const TURN = parse(Int, get(ENV, "ARR_TEST_SEED", "0")) ÷ 4
const ASKED = get(ENV, "ARR_TEST_WHOLE", "")
"""
One of the types, another one in the next run; all of them with ARR_TEST_WHOLE=1, and with ARR_TEST_WHOLE=Int16,Float32 those
that it names.
"""
in_turn(types) = ASKED == "1" ? types : isempty(ASKED) ? (types[mod1(TURN, length(types))],) : named(types)
named(types) = filter(T -> string(T) in NAMES, types)
const NAMES = replace.(split(ASKED, ','), r"ComplexF(32|64)" => s -> "Complex{Float$(s[end-1:end])}")

const WHOLES = in_turn((Int16, Int32, Int64))
const REALS = in_turn((Float16, Float32, Float64))
const COMPLEXES = in_turn((ComplexF32, ComplexF64))
const NUMBERS = (WHOLES..., REALS..., COMPLEXES...)
ASKED in ("", "1") || length(NUMBERS) == length(NAMES) || error("ARR_TEST_WHOLE=$ASKED names a type that the tests do not have")
const FOR_LAPACK = (Float32, Float64, ComplexF32, ComplexF64)

"""Random elements: small integers, floats in 0 .. 1, complex numbers of both."""
drawn(::Type{T}, dims::Integer...) where {T<:Integer} = rand(T(1):T(9), dims...)
drawn(::Type{T}, dims::Integer...) where {T} = rand(T, dims...)

"""A random matrix that is positive definite."""
definite(::Type{T}, n::Integer) where {T} = (x = drawn(T, n, n); T.(x * x' + n * I))

# ------------------------------------------------------------------------------------------ to and from

to_arr(x) = x
to_arr(x::Union{Tuple,NamedTuple}) = map(to_arr, x)
to_arr(x::AbstractRange) = x
to_arr(x::DenseArray{<:Number}) = ArrArray(x)
to_arr(x::BitArray) = ArrArray(Array(x))
to_arr(x::Adjoint) = adjoint(to_arr(parent(x)))
to_arr(x::Transpose) = transpose(to_arr(parent(x)))
to_arr(x::SubArray) = view(to_arr(parent(x)), x.indices...)
to_arr(x::Symmetric) = Symmetric(to_arr(x.data), Symbol(x.uplo))
to_arr(x::Hermitian) = Hermitian(to_arr(x.data), Symbol(x.uplo))
to_arr(x::Diagonal) = Diagonal(to_arr(x.diag))
for W in (:UpperTriangular, :LowerTriangular, :UnitUpperTriangular, :UnitLowerTriangular)
    @eval to_arr(x::$W) = $W(to_arr(parent(x)))
end
to_arr(x::Bidiagonal) = Bidiagonal(to_arr(x.dv), to_arr(x.ev), Symbol(x.uplo))
to_arr(x::Tridiagonal) = Tridiagonal(to_arr(x.dl), to_arr(x.d), to_arr(x.du))
to_arr(x::SymTridiagonal) = SymTridiagonal(to_arr(x.dv), to_arr(x.ev))

"""True if the elements of an array are memory of Arr, perhaps in a wrapper of LinearAlgebra or Base."""
in_arr(x) = false
in_arr(x::Union{Arr.AnyArr,ArrSelection,ArrTuples}) = true
in_arr(x::Union{Adjoint,Transpose,Symmetric,Hermitian,UpperTriangular,LowerTriangular,UnitUpperTriangular,UnitLowerTriangular,
                SubArray,Base.ReshapedArray}) = in_arr(parent(x))
in_arr(x::Diagonal) = in_arr(x.diag)
in_arr(x::Union{Bidiagonal,SymTridiagonal}) = in_arr(x.dv)
in_arr(x::Tridiagonal) = in_arr(x.d)

# ------------------------------------------------------------------------------------------- comparison

close_to(x, y) = isequal(x, y)
close_to(x::Tuple, y::Tuple) = all(map(close_to, x, y))
close_to(x::Number, y::Number) =
    x == y || isequal(x, y) || isapprox(x, y; nans = true, rtol = tolerance(typeof(y)), atol = rounding(typeof(y)))
# The size that differences of numbers up to 10 may have where they should be 0.
rounding(::Type{T}) where {T<:Number} = T <: Union{Integer,Rational} ? 0 : 16 * eps(float(real(T)))
tolerance(::Type{T}) where {T<:Number} = T <: Union{Integer,Rational} ? 0 : sqrt(eps(float(real(T))))

agrees(x, y) = isequal(x, y)
agrees(x::Number, y::Number) = typeof(x) === typeof(y) && close_to(x, y)
agrees(x::Union{Tuple,NamedTuple}, y::Union{Tuple,NamedTuple}) =
    length(x) == length(y) && all(map(agrees, Tuple(x), Tuple(y)))
function agrees(x::AbstractArray, y::AbstractArray)
    size(x) == size(y) && eltype(x) === eltype(y) || return false
    eltype(y) in Arr.ELTYPES && !(y isa AbstractRange) && !in_arr(x) && return false    # it has left the device
    a, b = Array(x), Array(y)
    all(i -> close_to_in(a[i], b[i], b), eachindex(a))
end
agrees(x::AbstractRange, y::AbstractRange) = x == y
close_to_in(x, y, all) = close_to(x, y)
# Sums of many elements round by the largest of them.
close_to_in(x::Number, y::Number, all) = close_to(x, y) || abs(x - y) <= tolerance(typeof(y)) * maximum(abs, all)

describe(x) = sprint(show, x; context = :limit => true)
described(x) = (x isa AbstractArray ? string(typeof(x), " ", size(x), " ", describe(Array(x))) : string(typeof(x), " ", describe(x)))

attempt(f, xs) =
    try
        (f(xs...), nothing)
    catch e
        (nothing, e)
    end

"""
    compare(f, xs...; changes = true)

True if `f` returns the same of Julia's arrays `xs` and of these as arrays of Arr, leaves the same in its arguments unless
`changes` is false, and throws the same kind of exception. Results that are arrays of numbers must stay on the device.
"""
function compare(@nospecialize(f), @nospecialize(xs...); changes::Bool = true)
    theirs, ours = map(deepcopy, xs), map(to_arr, map(deepcopy, xs))
    (want, failed), (got, error) = attempt(f, theirs), attempt(f, ours)
    failed isa MethodError && return true        # Base has no such function; Arr may have
    if failed !== nothing
        error !== nothing && same_failure(error, failed) && return true
        println("Julia throws ", typeof(failed), ", Arr ", error === nothing ? "returns " * described(got) : typeof(error))
        return false
    end
    error === nothing || throw(error)
    changed = changes ? [(x, y) for (x, y) in zip(ours, theirs) if y isa AbstractArray] : []
    for (x, y) in ((got, want), changed...)
        agrees(x, y) && continue
        println("Arr: ", described(x), "\nJulia: ", described(y))
        return false
    end
    true
end

# The library names what it refuses; Julia often has no method for it.
same_failure(ours, theirs) = typeof(ours) === typeof(theirs) ||
    (theirs isa Union{LAPACKException,SingularException,PosDefException} && ours isa Union{SingularException,PosDefException,Arr.LinalgError}) ||
    theirs isa Union{ArgumentError,DimensionMismatch,BoundsError} && ours isa Union{ArgumentError,DimensionMismatch,BoundsError}
