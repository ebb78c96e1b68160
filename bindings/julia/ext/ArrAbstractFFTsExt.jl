# SPDX-License-Identifier: MIT
# ArrAbstractFFTsExt.jl: AbstractFFTs' transforms and plans of arrays of Arr.
module ArrAbstractFFTsExt

using Arr, LinearAlgebra
using Arr: AnyArr, FFTPlan
isdefined(Base, :get_extension) ? (using AbstractFFTs) : (using ..AbstractFFTs)

"""A plan of Arr as AbstractFFTs knows them; `inplace` ones copy their result over the array."""
struct Plan{T,P<:FFTPlan{T}} <: AbstractFFTs.Plan{T}
    plan::P
    inplace::Bool
end
Plan(plan::P, inplace::Bool = false) where {T,P<:FFTPlan{T}} = Plan{T,P}(plan, inplace)

Base.size(p::Plan) = size(p.plan)
AbstractFFTs.fftdims(p::Plan) = p.plan.region
Base.show(io::IO, p::Plan) = print(io, p.inplace ? "in place: " : "", p.plan)
isdefined(AbstractFFTs, :output_size) && (AbstractFFTs.output_size(p::Plan) = Arr.output_size(p.plan))
if isdefined(AbstractFFTs, :AdjointStyle)
    AbstractFFTs.AdjointStyle(::Plan{<:Complex,<:FFTPlan{<:Complex,<:Complex}}) = AbstractFFTs.FFTAdjointStyle()
    AbstractFFTs.AdjointStyle(::Plan{<:Real}) = AbstractFFTs.RFFTAdjointStyle()
    AbstractFFTs.AdjointStyle(p::Plan{<:Complex,<:FFTPlan{<:Complex,<:Real}}) =
        AbstractFFTs.IRFFTAdjointStyle(Arr.output_size(p.plan)[first(p.plan.region)])
end

Base.:*(p::Plan, x::AnyArr) = p.inplace ? copyto!(x, p.plan * x) : p.plan * x
LinearAlgebra.mul!(y::AnyArr, p::Plan, x::AnyArr) = mul!(y, p.plan, x)
AbstractFFTs.plan_inv(p::Plan) = Plan(inv(p.plan), p.inplace)
Base.inv(p::Plan) = AbstractFFTs.plan_inv(p)
Base.:\(p::Plan, x::AnyArr) = inv(p) * x
LinearAlgebra.ldiv!(y::AnyArr, p::Plan, x::AnyArr) = mul!(y, inv(p), x)

# AbstractFFTs makes ifft and irfft of these, and converts other elements by the two functions below.
AbstractFFTs.plan_fft(x::AnyArr{<:Complex}, region; kw...) = Plan(Arr.plan_fft(x, region))
AbstractFFTs.plan_bfft(x::AnyArr{<:Complex}, region; kw...) = Plan(Arr.plan_bfft(x, region))
AbstractFFTs.plan_fft!(x::AnyArr{<:Complex}, region; kw...) = Plan(Arr.plan_fft(x, region), true)
AbstractFFTs.plan_bfft!(x::AnyArr{<:Complex}, region; kw...) = Plan(Arr.plan_bfft(x, region), true)
AbstractFFTs.plan_rfft(x::AnyArr{<:Real}, region; kw...) = Plan(Arr.plan_rfft(x, region))
AbstractFFTs.plan_brfft(x::AnyArr{<:Complex}, d::Integer, region; kw...) = Plan(Arr.plan_brfft(x, d, region))

AbstractFFTs.complexfloat(x::AnyArr{T}) where {T<:Real} = Complex{Arr.transform_real(T)}.(x)
AbstractFFTs.realfloat(x::AnyArr{T}) where {T<:Union{Integer,Float16,Arr.BFloat16}} = Arr.transform_real(T).(x)

end
