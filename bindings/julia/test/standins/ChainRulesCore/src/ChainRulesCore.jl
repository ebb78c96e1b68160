# SPDX-License-Identifier: MIT
# ChainRulesCore.jl: a stand-in for the interface of ChainRulesCore, for tests: rules, tangents, projections.
module ChainRulesCore

export rrule, NoTangent, ZeroTangent, AbstractZero, ProjectTo, @non_differentiable, @thunk, unthunk

abstract type AbstractTangent end
abstract type AbstractZero <: AbstractTangent end
struct NoTangent <: AbstractZero end
struct ZeroTangent <: AbstractZero end

struct Thunk{F} <: AbstractTangent
    f::F
end
macro thunk(expression)
    :(Thunk(() -> $(esc(expression))))
end
unthunk(x) = x
unthunk(x::Thunk) = x.f()

rrule(::Any, ::Vararg{Any}; kw...) = nothing

# Properties say what a derivative is projected to.
struct ProjectTo{P,D<:NamedTuple}
    info::D
end
ProjectTo{P}(info::D) where {P,D<:NamedTuple} = ProjectTo{P,D}(info)
ProjectTo{P}(; info...) where {P} = ProjectTo{P}((; info...))
Base.getproperty(p::ProjectTo, name::Symbol) = getproperty(getfield(p, :info), name)
(p::ProjectTo{NoTangent})(dx) = NoTangent()
(p::ProjectTo)(dx::AbstractZero) = dx
(p::ProjectTo)(dx::Thunk) = p(unthunk(dx))
ProjectTo(x::AbstractArray{T}) where {T<:Number} = ProjectTo{AbstractArray}(; element = T, axes = axes(x))
(p::ProjectTo{AbstractArray})(dx::AbstractArray) = convert.(p.element, p.element <: Real ? real.(dx) : dx)

macro non_differentiable(call)
    f, arguments = call.args[1], map(esc, call.args[2:end])
    :(ChainRulesCore.rrule(::typeof($(esc(f))), $(arguments...); kw...) = no_rule($(esc(f)), $(length(arguments))))
end
no_rule(f, n) = f

end
