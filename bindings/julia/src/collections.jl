# SPDX-License-Identifier: MIT
# collections.jl: arrays as collections, under Base's names: equality, search, order, copies in another arrangement.

# ------------------------------------------------------------------------------------------ equality

Base.:(==)(a::AnyArr, b::AnyArr) = size(a) == size(b) && all(a .== b)
Base.isequal(a::AnyArr, b::AnyArr) = size(a) == size(b) && all(isequal.(a, b))
# With an array of Julia's: here, so that nothing is compared element by element.
for f in (:(==), :isequal)
    @eval Base.$f(a::AnyArr, b::AbstractArray) = size(a) == size(b) && $f(Array(a), b)
    @eval Base.$f(a::AbstractArray, b::AnyArr) = size(a) == size(b) && $f(a, Array(b))
end
Base.hash(a::AnyArr, h::UInt) = hash(Array(a), h)

"""
    isapprox(a, b; atol = 0, rtol, nans = false)

Compares arrays like Base's `isapprox`: by the norm of the difference, or element by element if the norm is not finite.
"""
function Base.isapprox(a::AnyArr, b::AnyArr; atol::Real = 0, rtol::Real = Base.rtoldefault(eltype(a), eltype(b), atol),
                       nans::Bool = false, norm::Function = LinearAlgebra.norm)
    size(a) == size(b) || throw(DimensionMismatch("isapprox: $(size(a)) and $(size(b))"))
    d = norm(a .- b)
    isfinite(d) && return d <= max(atol, rtol * max(norm(a), norm(b)))
    T = promote_type(float(real(eltype(a))), float(real(eltype(b))))
    all(map((x, y) -> close(x, y, T(atol), T(rtol), nans), a, b))
end
Base.isapprox(a::AnyArr, b::AbstractArray; kw...) = isapprox(a, ArrArray(b; device = device(a)); kw...)
Base.isapprox(a::AbstractArray, b::AnyArr; kw...) = isapprox(ArrArray(a; device = device(b)), b; kw...)
function close(x, y, atol, rtol, nans)
    near = (x == y) | (isfinite(x) & isfinite(y) & (abs(x - y) <= max(atol, rtol * max(abs(x), abs(y)))))
    nans ? near | (isnan(x) & isnan(y)) : near
end

# -------------------------------------------------------------------------------------------- search

Base.in(x::Number, a::AnyArr) = any(a .== x)
Base.findfirst(a::AnyArr) = findfirst(identity, a)
Base.findlast(a::AnyArr) = findlast(identity, a)
Base.findfirst(f::Function, a::AnyArr) = first_true(truths(map(f, a)))
function Base.findlast(f::Function, a::AnyArr)
    found = truths(map(f, a))
    at = first_true(reverse(found))
    at === nothing && return nothing
    ndims(a) == 1 ? length(a) + 1 - at : CartesianIndex(size(a) .+ 1 .- Tuple(at))
end
first_true(found) = any(found) ? position(:argmax, found) : nothing

function Base.issorted(a::Vect; lt = isless, by = identity, rev::Bool = false, order = Base.Order.Forward)
    order in (Base.Order.Forward, Base.Order.Reverse) || throw(ArgumentError(
        "issorted: order is $order, expected Base.Order.Forward or Base.Order.Reverse, or lt, by and rev"))
    falls = rev != (order === Base.Order.Reverse)
    n = length(a)
    n < 2 && return true
    wrong(x, y) = falls ? lt(by(x), by(y)) : lt(by(y), by(x))
    !any(map(wrong, view(a, 1:n-1), view(a, 2:n)))
end

# ------------------------------------------------------------------------------- other arrangements

function Base.copy!(dest::Vect, src::Vect)
    length(dest) == length(src) || throw(DimensionMismatch(
        "copy!: $(length(dest)) elements for $(length(src)), and arrays of Arr cannot be resized; copy(src) makes a new one"))
    copyto!(dest, src)
end
function Base.copy!(dest::AnyArr, src::AnyArr)
    size(dest) == size(src) || throw(ArgumentError("copy!: sizes $(size(dest)) and $(size(src))"))
    copyto!(dest, src)
end
Base.clamp!(a::AnyArr, low, high) = (a .= clamp.(a, low, high))

Base.circshift(a::AnyArr, shift::Real) = shifted_in_circles(a, (shift,))
Base.circshift(a::AnyArr, shifts::Tuple{Vararg{Integer}}) = shifted_in_circles(a, shifts)
Base.circshift(a::AnyArr, shifts) = shifted_in_circles(a, shifts)
function shifted_in_circles(a, shifts)
    for (d, shift) in enumerate(shifts)
        a = rolled(a, d, Int(shift))
    end
    copy(a)
end
function rolled(a::AnyArr, d::Int, shift::Int)
    n = size(a, d)
    k = n == 0 ? 0 : mod(shift, n)
    k == 0 && return a
    out = similar(a)
    part(x, r) = view(x, ntuple(i -> i == d ? r : Colon(), ndims(x))...)
    copyto!(part(out, 1:k), part(a, n-k+1:n))
    copyto!(part(out, k+1:n), part(a, 1:n-k))
    out
end

Base.rotl90(a::Mat) = reverse(transpose(a); dims = 1)
Base.rotr90(a::Mat) = reverse(transpose(a); dims = 2)
Base.rot180(a::Mat) = reverse(a)
function Base.rotl90(a::Mat, k::Integer)
    k = mod(k, 4)
    k == 1 ? rotl90(a) : k == 2 ? rot180(a) : k == 3 ? rotr90(a) : copy(a)
end
Base.rotr90(a::Mat, k::Integer) = rotl90(a, -k)
Base.rot180(a::Mat, k::Integer) = isodd(k) ? rot180(a) : copy(a)

Base.repeat(a::AnyArr, counts::Integer...) = repeat(a; outer = counts)
function Base.repeat(a::AnyArr; inner = nothing, outer = nothing)
    times(c) = c === nothing ? () : Tuple(Int.(c))
    i, o = times(inner), times(outer)
    all(>=(0), (i..., o...)) || throw(ArgumentError("repeat: counts $i and $o, expected none below 0"))
    N = max(ndims(a), length(i), length(o))
    at(c, d) = d <= length(c) ? c[d] : 1
    dims = ntuple(d -> (at(i, d), size(a, d), at(o, d)), N)
    out = similar(a, ntuple(d -> prod(dims[d]), N))
    isempty(out) && return out
    # Each dimension is three: repeated elements, elements, repeated wholes.
    source = reshape(column_major(a), Tuple(Iterators.flatten((1, d[2], 1) for d in dims)))
    reshape(out, Tuple(Iterators.flatten(dims))) .= source
    out
end

# The same memory as another type. The first dimension becomes longer or shorter where the types have other sizes, as in Base.
function Base.reinterpret(::Type{T}, a::AnyArr{S,N}) where {T,S,N}
    dtype(T)
    if sizeof(T) != sizeof(S)
        N > 0 || throw(ArgumentError("reinterpret: $T has $(sizeof(T)) bytes, expected $(sizeof(S)) as $S has: the array has no dimensions"))
        size(a, 1) * sizeof(S) % sizeof(T) == 0 || throw(ArgumentError(
            "reinterpret: the first dimension has $(size(a, 1)) elements of $S, which are no whole number of $T"))
        isempty(a) || size(a, 1) == 1 || stride(a, 1) == 1 || throw(ArgumentError(
            "reinterpret: the strides are $(strides(a)), expected a first one of 1; reinterpret copy(a)"))
    end
    b = reinterpret_as(T, a)::ArrStrided{T,N}
    a isa ArrArray ? as_array(b) : b
end

"""
    mapslices(f, a; dims)

Applies `f` to slices like Base's `mapslices`. `f` gets a copy of each slice, and returns an array or a number.
"""
function Base.mapslices(f, a::AnyArr{<:Any,N}; dims) where {N}
    inner = Tuple(Int(d) for d in dims)
    all(d -> 1 <= d <= N, inner) || throw(ArgumentError("mapslices: dims $dims of an array with $N dimensions"))
    others = CartesianIndices(ntuple(d -> d in inner ? 1 : size(a, d), N))
    isempty(a) && throw(ArgumentError("mapslices: the array has no elements"))
    at(i) = ntuple(d -> d in inner ? Colon() : i[d], N)
    results = [f(a[at(i)...]) for i in others]
    if !(first(results) isa AbstractArray)
        numbers = map(identity, results)
        return copyto!(similar(a, eltype(numbers), size(numbers)), numbers)
    end
    lengths, of = collect(size(results[1])), sort(unique([inner...]))
    length(lengths) <= length(of) || throw(DimensionMismatch("mapslices: f returns $(length(lengths)) dimensions of $(length(of))"))
    extent(d) = (k = findfirst(==(d), of); k === nothing ? size(a, d) : get(lengths, k, 1))
    out = similar(a, eltype(results[1]), ntuple(extent, N))
    for i in others
        size(results[i]) == Tuple(lengths) || throw(DimensionMismatch("mapslices: sizes $(size(results[i])) and $(Tuple(lengths))"))
        out[at(i)...] = reshape(results[i], ntuple(k -> get(lengths, k, 1), length(of)))
    end
    out
end
