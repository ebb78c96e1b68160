# SPDX-License-Identifier: MIT
# AbstractFFTs.jl: a stand-in for the interface of AbstractFFTs, for tests: transforms by plans, and what is made of them.
module AbstractFFTs

using LinearAlgebra

export fft, ifft, bfft, fft!, ifft!, bfft!, rfft, irfft, brfft, plan_fft, plan_ifft, plan_bfft, plan_fft!, plan_ifft!, plan_bfft!,
    plan_rfft, plan_irfft, plan_brfft, fftdims, fftshift, ifftshift

abstract type Plan{T} end
Base.eltype(::Type{<:Plan{T}}) where {T} = T
Base.size(p::Plan, d) = size(p)[d]
Base.ndims(p::Plan) = length(size(p))
fftdims(p::Plan) = p.region

function plan_inv end
function output_size end
abstract type AdjointStyle end
struct FFTAdjointStyle <: AdjointStyle end
struct RFFTAdjointStyle <: AdjointStyle end
struct IRFFTAdjointStyle <: AdjointStyle
    dim::Int
end

# Other elements in the floats of transforms; of arrays that no package claims these are Julia's.
complexfloat(x::StridedArray{<:Union{ComplexF32,ComplexF64}}) = x
complexfloat(x::AbstractArray{T}) where {T<:Real} = Array{complex(float(T))}(x)
realfloat(x::StridedArray{<:Union{Float32,Float64}}) = x
realfloat(x::AbstractArray{T}) where {T<:Real} = Array{float(T)}(x)

for f in (:fft, :bfft, :ifft, :fft!, :bfft!, :ifft!, :rfft)
    plan = Symbol(:plan_, f)
    @eval $f(x::AbstractArray, region = 1:ndims(x)) = $plan(x, region) * x
    @eval $plan(x::AbstractArray; kw...) = $plan(x, 1:ndims(x); kw...)
end
for f in (:fft, :bfft, :ifft)
    @eval $f(x::AbstractArray{<:Real}, region = 1:ndims(x)) = $f(complexfloat(x), region)
end
rfft(x::AbstractArray{<:Integer}, region = 1:ndims(x)) = rfft(realfloat(x), region)
for f in (:brfft, :irfft)
    plan = Symbol(:plan_, f)
    @eval $f(x::AbstractArray, d::Integer, region = 1:ndims(x)) = $plan(x, d, region) * x
    @eval $plan(x::AbstractArray, d::Integer; kw...) = $plan(x, d, 1:ndims(x); kw...)
end

struct ScaledPlan{T,P,N} <: Plan{T}
    p::P
    scale::N
    ScaledPlan(p::P, scale::N) where {T,P<:Plan{T},N} = new{T,P,N}(p, scale)
end
Base.size(p::ScaledPlan) = size(p.p)
fftdims(p::ScaledPlan) = fftdims(p.p)
Base.:*(p::ScaledPlan, x::AbstractArray) = rmul!(p.p * x, p.scale)
LinearAlgebra.mul!(y::AbstractArray, p::ScaledPlan, x::AbstractArray) = lmul!(p.scale, mul!(y, p.p, x))
Base.inv(p::ScaledPlan) = ScaledPlan(inv(p.p), inv(p.scale))
Base.:\(p::Plan, x::AbstractArray) = inv(p) * x

normalization(T, dims, region) = one(real(T)) / prod(dims[r] for r in region)
plan_ifft(x::AbstractArray, region; kw...) = ScaledPlan(plan_bfft(x, region; kw...), normalization(eltype(x), size(x), region))
plan_ifft!(x::AbstractArray, region; kw...) = ScaledPlan(plan_bfft!(x, region; kw...), normalization(eltype(x), size(x), region))
plan_irfft(x::AbstractArray, d::Integer, region; kw...) = ScaledPlan(plan_brfft(x, d, region; kw...),
    normalization(eltype(x), ntuple(k -> k == first(region) ? d : size(x, k), ndims(x)), region))

fftshift(x, dims = 1:ndims(x)) = circshift!(similar(x), x, ntuple(d -> d in dims ? size(x, d) ÷ 2 : 0, ndims(x)))
ifftshift(x, dims = 1:ndims(x)) = circshift!(similar(x), x, ntuple(d -> d in dims ? -(size(x, d) ÷ 2) : 0, ndims(x)))

end
