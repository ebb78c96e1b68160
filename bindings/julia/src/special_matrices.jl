# SPDX-License-Identifier: MIT
# special_matrices.jl: matrices made of vectors or of their size; bandwidths. tril and triu are in linalg.jl.

# ---------------------------------------------------------------------------------------- of vectors

"""
    Arr.toeplitz(c, r = conj(c))

Returns the matrix that is constant along diagonals, with the first column `c` and the first row `r`, of which the first
element does not count.
"""
toeplitz(c::Vect) = made(out -> @check LibArr.arr_toeplitz(c, NO_ARRAY, stream(), out))
toeplitz(c::Vect, r::Vect) = of_pair(LibArr.arr_toeplitz, c, r)

"""
    Arr.hankel(c, r = zero(c))

Returns the matrix that is constant along the other diagonals, with the first column `c` and the last row `r`, of which the
first element does not count.
"""
hankel(c::Vect) = made(out -> @check LibArr.arr_hankel(c, NO_ARRAY, stream(), out))
hankel(c::Vect, r::Vect) = of_pair(LibArr.arr_hankel, c, r)

"""
    Arr.leslie(f, s)

Returns the Leslie matrix: fecundity `f` in the first row, survival `s`, one element less, below the diagonal.
"""
leslie(f::Vect, s::Vect) = of_pair(LibArr.arr_leslie, f, s)

# In Julia's common type.
function of_pair(entry, a::Vect, b::Vect)
    x, y = alike(a, b)
    made(out -> @check entry(x, y, stream(), out))
end

"""
    Arr.convolution_matrix(a, n; mode = :full)

Returns the matrix whose product with a vector of `n` elements is the convolution of both; the modes are those of
[`Arr.conv`](@ref).
"""
convolution_matrix(a::Vect, n::Integer; mode::Symbol = :full) =
    made(out -> @check LibArr.arr_convolution_matrix(a, Int64(n), mode_number(mode), stream(), out))

"""
    Arr.block_diag(blocks...)

Matrices along the diagonal, zeros elsewhere.
"""
function block_diag(blocks::Mat...)
    T = promote_type(map(eltype, blocks)...)
    same = map(b -> same_type(T, b), blocks)
    list = LibArr.arr_array[b.handle for b in same]
    made(out -> GC.@preserve same @check LibArr.arr_block_diag(Int32(length(list)), list, stream(), out))
end

"""
    Arr.bandwidth(a)

Returns `(lower, upper)`, the number of diagonals below and above the main one up to the last that is not all zeros.
"""
function bandwidth(a::Mat)
    lower, upper = Ref{Int64}(0), Ref{Int64}(0)
    @check LibArr.arr_bandwidth(a, stream(), lower, upper)
    (lower = Int(lower[]), upper = Int(upper[]))
end

# ------------------------------------------------------------------------------------- of their size

"""
    Arr.tri([T = Float64], rows, columns = rows, k = 0; device)

Ones on diagonal `k` and below it, zeros elsewhere.
"""
tri(::Type{T}, rows::Integer, columns::Integer = rows, k::Integer = 0; device::DeviceLike = device()) where {T} =
    made(out -> @check LibArr.arr_tri(Int64(rows), how_many(columns), Int64(k), dtype(T), Ref(Device(device)), stream(), out))
tri(rows::Integer, size::Integer...; kw...) = tri(Float64, rows, size...; kw...)

const DFT_SCALES = (none = LibArr.ARR_DFT_UNSCALED, sqrtn = LibArr.ARR_DFT_SQRTN, n = LibArr.ARR_DFT_N)
scale_number(scale::Symbol) = haskey(DFT_SCALES, scale) ? DFT_SCALES[scale] :
    throw(ArgumentError("scale $(repr(scale)): expected :none, :sqrtn or :n"))

"""
    Arr.dft([T = ComplexF64], n; scale = :none, device)

Returns the matrix of the discrete Fourier transform, `cis(-2π * (j - 1) * (k - 1) / n)`; divided by `sqrt(n)`, which makes it
unitary, with `:sqrtn`, by `n` with `:n`.
"""
dft(::Type{T}, n::Integer; scale::Symbol = :none, device::DeviceLike = device()) where {T} =
    made(out -> @check LibArr.arr_dft(Int64(n), scale_number(scale), dtype(T), Ref(Device(device)), stream(), out))
dft(n::Integer; kw...) = dft(ComplexF64, n; kw...)
