# SPDX-License-Identifier: MIT
# fft_plans.jl: Fourier transforms that are planned ahead, under AbstractFFTs' names.

mutable struct PlanHandle
    handle::LibArr.arr_fft_plan
    PlanHandle(handle::LibArr.arr_fft_plan) = finalizer(finish, new(handle))
end
release(p::PlanHandle) = (LibArr.arr_fft_plan_release(p.handle); nothing)
Base.cconvert(::Type{LibArr.arr_fft_plan}, p::PlanHandle) = p
Base.unsafe_convert(::Type{LibArr.arr_fft_plan}, p::PlanHandle) = p.handle

"""
    Arr.FFTPlan{S,T,N}

A Fourier transform of arrays of `S` of one size to arrays of `T`, on one device, by [`Arr.plan_fft`](@ref) and related functions.
What the libraries have planned lives as long as it, whatever becomes of the device's cache of plans.

`p * x` is the transform of an array, `mul!(y, p, x)` writes it into another; both are contiguous. `inv(p)`, `p \\ x` and
`ldiv!(x, p, y)` go back. A complex transform and its inverse share what was planned; of the inverse of one of reals each
`inv(p)` is planned anew. `Arr.unsafe_free!(p)` ends it before it is collected, with its inverse where they share.
"""
struct FFTPlan{S,T,N}
    plan::PlanHandle
    dims::Dims{N}              # of the array without half, which a transform of reals has on one side
    region::Vector{Int}
    inverse::Bool
    norm::Int32
    device::Device
end

halved(dims::Dims, region) = Base.setindex(dims, dims[region[1]] ÷ 2 + 1, region[1])
Base.size(p::FFTPlan{<:Complex,<:Real}) = halved(p.dims, p.region)
Base.size(p::FFTPlan) = p.dims
Base.size(p::FFTPlan, d::Integer) = d <= ndims(p) ? size(p)[d] : 1
output_size(p::FFTPlan{<:Real,<:Complex}) = halved(p.dims, p.region)
output_size(p::FFTPlan) = p.dims
Base.ndims(::FFTPlan{S,T,N}) where {S,T,N} = N
Base.eltype(::Type{<:FFTPlan{S}}) where {S} = S
device(p::FFTPlan) = p.device
unsafe_free!(p::FFTPlan) = finish(p.plan)
Base.show(io::IO, p::FFTPlan{S,T}) where {S,T} =
    print(io, "Arr.FFTPlan of ", join(size(p), "×"), " ", S, " to ", T, " along ", join(p.region, ", "), " on ", label(p.device))

plan_kind(::Type{<:Complex}, ::Type{<:Complex}) = LibArr.ARR_FFT_C2C
plan_kind(::Type{<:Real}, ::Type{<:Complex}) = LibArr.ARR_FFT_R2C
plan_kind(::Type{<:Complex}, ::Type{<:Real}) = LibArr.ARR_FFT_C2R

# The library plans for row-major arrays: axes and extents the other way round.
function planned(S, T, dims::Dims{N}, region::Vector{Int}, inverse::Bool, norm::Int32, d::Device) where {N}
    axes = Int32[N - i for i in reverse(region)]
    out = Ref(LibArr.arr_fft_plan())
    @check LibArr.arr_fft_plan_create(plan_kind(S, T), dtype(real(S)), Int32(N), extents(reverse(dims)), Int32(length(axes)),
                                      axes, Ref(d), out)
    FFTPlan{S,T,N}(PlanHandle(out[]), dims, region, inverse, norm, d)
end
planned_dims(a::AnyArr, dims) = Int[d <= ndims(a) ? along(a, d) : throw(DimensionMismatch(
    "a plan along dimension $d: got an array of $(ndims(a)) dimensions")) for d in (dims...,)]

# The real type that an array's transform is computed in.
transform_real(T::Type) = real(T) <: Union{Float16,BFloat16,Float32} ? Float32 : Float64

for (f, inverse, norm, text) in ((:plan_fft, false, :ARR_FFT_BACKWARD, "fft"), (:plan_ifft, true, :ARR_FFT_BACKWARD, "ifft"),
                                 (:plan_bfft, true, :ARR_FFT_FORWARD, "bfft"))
    @eval begin
        """
            Arr.$($(string(f)))(a, dims = 1:ndims(a))

        Plans `Arr.$($text)` of arrays of the size and type of `a`, on its device: an [`Arr.FFTPlan`](@ref).
        """
        function $f(a::AnyArr{E,N}, dims = 1:ndims(a)) where {E,N}
            C = Complex{transform_real(E)}
            planned(C, C, size(a), planned_dims(a, dims), $inverse, LibArr.$norm, device(a))
        end
    end
end

"""
    Arr.plan_rfft(a, dims = 1:ndims(a))

Plans `Arr.rfft` of arrays of the size and type of `a`, on its device: an [`Arr.FFTPlan`](@ref).
"""
function plan_rfft(a::AnyArr{E,N}, dims = 1:ndims(a)) where {E<:Real,N}
    R = transform_real(E)
    planned(R, Complex{R}, size(a), planned_dims(a, dims), false, LibArr.ARR_FFT_BACKWARD, device(a))
end

for (f, norm, text) in ((:plan_irfft, :ARR_FFT_BACKWARD, "irfft"), (:plan_brfft, :ARR_FFT_FORWARD, "brfft"))
    @eval begin
        """
            Arr.$($(string(f)))(a, d, dims = 1:ndims(a))

        Plans `Arr.$($text)` of arrays of the size and type of `a` to reals, `d` of them along the first of `dims`, on its
        device: an [`Arr.FFTPlan`](@ref).
        """
        function $f(a::AnyArr{E,N}, d::Integer, dims = 1:ndims(a)) where {E<:Complex,N}
            region = planned_dims(a, dims)
            n = isempty(region) ? size(a) : Base.setindex(size(a), Int(d), region[1])
            isempty(region) || halved(n, region) == size(a) || throw(DimensionMismatch(
                "$($(string(f))): $d reals have $(d ÷ 2 + 1) elements along dimension $(region[1]), got $(size(a, region[1]))"))
            R = transform_real(E)
            planned(Complex{R}, R, n, region, true, LibArr.$norm, device(a))
        end
    end
end

function LinearAlgebra.mul!(y::AnyArr, p::FFTPlan, x::AnyArr)
    @check LibArr.arr_fft_plan_execute(p.plan, library_order(x), library_order(y), p.inverse, p.norm, stream())
    y
end
# As in AbstractFFTs arrays of other types are converted first, and those with gaps copied.
Base.:*(p::FFTPlan{S,T,N}, x::AnyArr{<:Any,N}) where {S,T,N} =
    mul!(ArrArray{T,N}(undef, output_size(p); device = p.device), p, x isa ArrArray{S,N} ? x : ArrArray{S,N}(x))

Base.inv(p::FFTPlan{S,T,N}) where {S<:Complex,T<:Complex,N} =
    FFTPlan{T,S,N}(p.plan, p.dims, p.region, !p.inverse, p.norm, p.device)
Base.inv(p::FFTPlan{S,T}) where {S,T} = planned(T, S, p.dims, p.region, !p.inverse, p.norm, p.device)
Base.:\(p::FFTPlan, x::AnyArr) = inv(p) * x
LinearAlgebra.ldiv!(y::AnyArr, p::FFTPlan, x::AnyArr) = mul!(y, inv(p), x)

"""
Returns what the libraries have made for a plan: `plans`, and their `bytes`, on a GPU those of work areas; and how many calls with
programs were `callbacks` of cuFFT.
"""
function details(p::FFTPlan)
    properties = Ref(LibArr.arr_fft_plan_properties(sizeof(LibArr.arr_fft_plan_properties), 0, 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_fft_plan_info(p.plan, properties)
    (plans = properties[].plans, bytes = properties[].bytes, callbacks = properties[].callbacks)
end
