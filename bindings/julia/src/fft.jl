# SPDX-License-Identifier: MIT
# fft.jl: AbstractFFTs' names for Fourier transforms of arrays of Arr; FFTW.jl's for cosines; convolution.

# The library's axes of some dimensions: the one that transforms of reals halve is Julia's first and the library's last.
transformed(a::AnyArr, dims) = Int32[axis(along(a, d)) for d in reverse((dims...,))]
# The number of elements of the result along the halved dimension; -1 keeps the length of the others.
reals(axes, d::Integer) = Int64[i == length(axes) ? d : -1 for i in eachindex(axes)]

for (f, entry, norm, text) in (
    (:fft, :arr_fftn, :ARR_FFT_BACKWARD, "Fourier transform"),
    (:ifft, :arr_ifftn, :ARR_FFT_BACKWARD, "Inverse transform"),
    (:bfft, :arr_ifftn, :ARR_FFT_FORWARD, "Inverse transform without its factor"),
    (:rfft, :arr_rfftn, :ARR_FFT_BACKWARD, "Transform of reals: the first n ÷ 2 + 1 elements along the first of `dims`"),
)
    @eval begin
        """
            Arr.$($(string(f)))(a, dims = 1:ndims(a))

        $($text), as in AbstractFFTs.
        """
        function $f(a::AnyArr, dims = 1:ndims(a))
            axes = transformed(a, dims)
            made(out -> @check LibArr.$entry(a, Int32(length(axes)), C_NULL, axes, LibArr.$norm, stream(), out))
        end
    end
end

for (f, norm, text) in ((:irfft, :ARR_FFT_BACKWARD, ""), (:brfft, :ARR_FFT_FORWARD, " without its factor"))
    @eval begin
        """
            Arr.$($(string(f)))(a, d, dims = 1:ndims(a))

        Inverse of `rfft`$($text), as in AbstractFFTs: reals, `d` of them along the first of `dims`.
        """
        function $f(a::AnyArr, d::Integer, dims = 1:ndims(a))
            axes = transformed(a, dims)
            made(out -> @check LibArr.arr_irfftn(a, Int32(length(axes)), reals(axes, d), axes, LibArr.$norm, stream(), out))
        end
    end
end

for (f, entry) in ((:fftshift, :arr_fftshift), (:ifftshift, :arr_ifftshift))
    @eval begin
        """
            Arr.$($(string(f)))(a, dims = 1:ndims(a))

        As in AbstractFFTs: frequency 0 to the middle of each dimension, or back.
        """
        function $f(a::AnyArr, dims = 1:ndims(a))
            axes = transformed(a, dims)
            made(out -> @check LibArr.$entry(a, Int32(length(axes)), axes, stream(), out))
        end
    end
end

# --------------------------------------------------------------------------- cosines and sines

const NORMS = (backward = LibArr.ARR_FFT_BACKWARD, ortho = LibArr.ARR_FFT_ORTHO, forward = LibArr.ARR_FFT_FORWARD)
norm_number(norm::Symbol) = haskey(NORMS, norm) ? NORMS[norm] :
    throw(ArgumentError("norm $(repr(norm)): expected :backward, :ortho or :forward"))
cosine_norm(norm, orthogonalize) =
    norm_number(norm) + (orthogonalize ? LibArr.ARR_COSINE_ORTHOGONAL : LibArr.ARR_COSINE_PLAIN)

for (f, entry, text) in (
    (:dct, :arr_dctn, "Cosine transform"), (:idct, :arr_idctn, "Inverse cosine transform"),
    (:dst, :arr_dstn, "Sine transform"), (:idst, :arr_idstn, "Inverse sine transform"),
)
    @eval begin
        """
            Arr.$($(string(f)))(a, dims = 1:ndims(a); type = 2, norm = :ortho, orthogonalize = norm === :ortho)

        $($text) of type 1, 2, 3 or 4. The norm is `:ortho`, as in FFTW.jl, `:backward` or `:forward`. `orthogonalize`
        scales the ends by the root of 2 where that makes the transform orthogonal up to its factor.
        """
        function $f(a::AnyArr, dims = 1:ndims(a); type::Integer = 2, norm::Symbol = :ortho, orthogonalize::Bool = norm === :ortho)
            axes, how = transformed(a, dims), cosine_norm(norm, orthogonalize)
            made(out -> @check LibArr.$entry(a, Int32(type), Int32(length(axes)), C_NULL, axes, how, stream(), out))
        end
    end
end

# --------------------------------------------------------------------------- Hankel transforms

for (f, entry, text) in ((:fht, :arr_fht, "Hankel transform"), (:ifht, :arr_ifht, "Inverse Hankel transform"))
    @eval begin
        """
            Arr.$($(string(f)))(a, dln, mu, dim = 1; offset = 0, bias = 0)

        $($text) of order `mu` along a dimension, of samples at distances that grow by `exp(dln)`. `offset` is the logarithm
        of the product of the middles of the distances and the frequencies, see `Arr.fhtoffset`; `bias` the exponent of a
        power law that is taken out.
        """
        function $f(a::AnyArr, dln::Real, mu::Real, dim::Integer = 1; offset::Real = 0, bias::Real = 0)
            numbers = map(Float64, (dln, mu, offset, bias))
            made(out -> @check LibArr.$entry(a, numbers..., axis(along(a, dim)), stream(), out))
        end
    end
end

"""
    Arr.fhtoffset(dln, mu; initial = 0, bias = 0)

Returns the offset nearest to `initial` with which `Arr.fht` rings least.
"""
function fhtoffset(dln::Real, mu::Real; initial::Real = 0, bias::Real = 0)
    offset = Ref(0.0)
    @check LibArr.arr_fhtoffset(map(Float64, (dln, mu, initial, bias))..., offset)
    offset[]
end

# --------------------------------------------------------------------------- convolution

for (f, entry, text) in ((:fftconvolve, :arr_fftconvolve, "Fourier transforms"),
                         (:oaconvolve, :arr_oaconvolve, "Fourier transforms of blocks, for arrays of very different sizes"))
    @eval begin
        """
            Arr.$($(string(f)))(a, v, dims = 1:ndims(a); mode = :full)

        Convolution along `dims` by $($text): every overlap (`:full`), the middle of these, of the size of `a` (`:same`), or
        where one array lies within the other (`:valid`). Along other dimensions the arrays broadcast.
        """
        function $f(a::AnyArr, v::AnyArr, dims = 1:ndims(a); mode::Symbol = :full)
            axes = transformed(a, dims)
            made(out -> @check LibArr.$entry(a, v, mode_number(mode), Int32(length(axes)), axes, stream(), out))
        end
    end
end

# --------------------------------------------------------------------------- plans

const EFFORTS = (estimate = LibArr.ARR_FFT_ESTIMATE, measure = LibArr.ARR_FFT_MEASURE, patient = LibArr.ARR_FFT_PATIENT)

"""
    Arr.fft_effort!(effort)

Sets how the host's plans are made from now on: `:estimate`d by rules, the fastest of some that are `:measure`d, or of many
(`:patient`). Returns the earlier one. Kept plans that less went into are made anew when they are next needed; better ones stay.
"""
function fft_effort!(effort::Symbol)
    haskey(EFFORTS, effort) || throw(ArgumentError("effort is :$effort, expected :estimate, :measure or :patient"))
    before = Ref(Int32(0))
    @check LibArr.arr_fft_plan_effort(C_NULL, EFFORTS[effort], before)
    keys(EFFORTS)[before[]+1]
end

"""Returns the results of measured plans, as text for `Arr.import_fft_wisdom` in another process."""
fft_wisdom() = fetch_text((capacity, text, length) -> LibArr.arr_fft_wisdom(C_NULL, capacity, text, length))

"""Adds what `Arr.fft_wisdom` gave to what is known."""
import_fft_wisdom(text::AbstractString) = (@check LibArr.arr_fft_wisdom_import(C_NULL, String(text)); nothing)

"""Forgets it; plans that are kept stay."""
forget_fft_wisdom() = (@check LibArr.arr_fft_wisdom_forget(C_NULL); nothing)
