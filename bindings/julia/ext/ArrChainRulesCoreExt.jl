# SPDX-License-Identifier: MIT
# ArrChainRulesCoreExt.jl: derivatives of what only Arr has: moves to and from a device, transforms, softmax.
module ArrChainRulesCoreExt

using Arr
using Arr: AnyArr
isdefined(Base, :get_extension) ? (using ChainRulesCore) : (using ..ChainRulesCore)

# Derivatives with respect to an array lie on its device, in its element type and with its size.
ChainRulesCore.ProjectTo(a::AnyArr{T}) where {T<:Union{AbstractFloat,Complex}} =
    ProjectTo{ArrArray}(; element = T, size = size(a), device = Arr.device(a))
ChainRulesCore.ProjectTo(::AnyArr{Bool}) = ProjectTo{NoTangent}()
(p::ProjectTo{ArrArray})(dx::AbstractArray) = projected(p.element, p.size, p.device, dx)
function projected(::Type{T}, size_, device, dx) where {T}
    length(dx) == prod(size_) || throw(DimensionMismatch("a derivative of size $(size(dx)) of an array of size $size_"))
    there = dx isa AnyArr && Arr.device(dx) == device ? dx : ArrArray(dx; device = device)
    same = eltype(there) === T ? there : T <: Real ? T.(real.(there)) : T.(there)
    size(same) == size_ ? same : reshape(same, size_)
end

# Integers have no derivatives.
back_to(x::AbstractArray{<:Union{AbstractFloat,Complex}}) = ProjectTo(x)
back_to(x) = _ -> NoTangent()

function ChainRulesCore.rrule(T::Type{<:ArrArray}, x::AbstractArray; kw...)
    back = x isa AnyArr ? back_to(x) : dy -> dy isa AbstractArray ? back_to(x)(Array(dy)) : dy
    T(x; kw...), dy -> (NoTangent(), back(unthunk(dy)))
end
for f in (Array, collect)
    @eval ChainRulesCore.rrule(::$(f === Array ? :(Type{Array}) : :(typeof(collect))), a::AnyArr) =
        $f(a), dy -> (NoTangent(), back_to(a)(unthunk(dy)))
end

# The transposes of the transforms: the sums of a transform of a derivative run the other way.
for (f, g) in ((:fft, :bfft), (:bfft, :fft))
    @eval function ChainRulesCore.rrule(::typeof(Arr.$f), a::AnyArr, dims = 1:ndims(a))
        Arr.$f(a, dims), dy -> (NoTangent(), back_to(a)(Arr.$g(unthunk(dy), dims)), NoTangent())
    end
end
function ChainRulesCore.rrule(::typeof(Arr.ifft), a::AnyArr, dims = 1:ndims(a))
    n = prod(size(a, d) for d in dims)
    Arr.ifft(a, dims), dy -> (NoTangent(), back_to(a)(Arr.fft(unthunk(dy), dims) ./ n), NoTangent())
end

function ChainRulesCore.rrule(::typeof(Arr.softmax), a::AnyArr; dims = 1)
    y = Arr.softmax(a; dims = dims)
    y, dy -> (NoTangent(), (g = unthunk(dy) .* y; back_to(a)(g .- y .* sum(g; dims = dims))))
end
function ChainRulesCore.rrule(::typeof(Arr.log_softmax), a::AnyArr; dims = 1)
    y = Arr.log_softmax(a; dims = dims)
    y, dy -> (NoTangent(), (g = unthunk(dy); back_to(a)(g .- exp.(y) .* sum(g; dims = dims))))
end

ChainRulesCore.@non_differentiable Arr.device(::Any...)
ChainRulesCore.@non_differentiable Arr.zeros(::Any...)
ChainRulesCore.@non_differentiable Arr.ones(::Any...)

end
