# SPDX-License-Identifier: MIT
# branches.jl: branches on elements. A function runs both branches, and each element takes the result of its branch.

# A way that ends in an exception, which is an error only where an element takes it.
struct Thrown
    error::Any
end

const MAX_BRANCHES = 20
function both_ways(w::Walk, c::Sym, yes::Int, no::Int)
    t = c.trace
    (t.branches += 1) <= MAX_BRANCHES || untraceable("it branches on elements more than $MAX_BRANCHES times" * location(w))
    x, y = one_way(w, c, true, yes), one_way(w, c, false, no)
    x isa Thrown && y isa Thrown && throw(x.error)
    x isa Thrown ? y : y isa Thrown ? x : merged(c, x, y, w)
end
function one_way(w::Walk, c::Sym, taken::Bool, at::Int)
    t = c.trace
    push!(t.path, c => taken)
    before = length(t.checks)
    try
        follow(Walk(w.code, copy(w.slots), copy(w.values), Level(w.depth.depth, true)), at)
    catch e
        e isa Union{TraceError,ArrError} && rethrow()
        resize!(t.checks, before)
        push!(t.checks, (bad = taken_by(t), error = e))
        Thrown(e)
    finally
        pop!(t.path)
    end
end
# True for the elements whose way is followed now.
taken_by(t::Trace) = reduce(&, Any[taken ? c : negated(c) for (c, taken) in t.path])

# A value for each element: the one of its way.
function merged(c::Sym, @nospecialize(x), @nospecialize(y), w::Walk)
    x isa Sym || y isa Sym || x !== y || return x
    x isa Number && y isa Number && return has_parts(x) && has_parts(y) && numtype(x) === numtype(y) ?
        complex_of(real(numtype(x)), map((u, v) -> ifelse(c, u, v), parts(x), parts(y))...) : ifelse(c, x, y)
    x isa Tuple && y isa Tuple && length(x) == length(y) && return map((u, v) -> merged(c, u, v, w), x, y)
    x isa NamedTuple && y isa NamedTuple && keys(x) == keys(y) && return map((u, v) -> merged(c, u, v, w), x, y)
    untraceable("a branch on an element gives a $(describe(x)) or a $(describe(y))" * location(w))
end

# Both ways are followed one after the other: neither may leave anything behind for the other one.
const READERS = Any[getindex, getproperty, getfield, length, size, axes, ndims, eltype, first, last, isempty, haskey, get, in, iterate,
    isdefined, firstindex, lastindex, eachindex, isassigned]
may_write(@nospecialize(f), args) = !any(g -> g === f, READERS) && !(unchanging(f) && all(unchanging, args))
unchanging(@nospecialize(x)) = all_steady(x) || x isa Union{AbstractString,Module,Exception} || x isa Tuple && all(unchanging, x)

# The error of a branch for the element at an index.
thrown_at(e, value) = e
thrown_at(e::DomainError, value) = e.val isa Sym ? DomainError(value(e.val), e.msg) : e
