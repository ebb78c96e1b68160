# SPDX-License-Identifier: MIT
# trace.jl: numbers that stand for the elements of arrays. A Julia function called once with them leaves
# behind one expression of the library, which then runs over all elements in one pass.

mutable struct Trace
    handle::LibArr.arr_expr
    inputs::Vector{Any}          # the arrays, in the order of the expression's inputs
    checks::Vector{Any}          # what must hold of the elements: see converted
    parts::Vector{Any}           # complex numbers that are known by their parts: see complex.jl
    path::Vector{Any}            # the branches that are followed now: see branches.jl
    branches::Int                # so far
    square::Bool                 # the result must be a square matrix: it adds an identity
    plan::Any                    # to which the expression belongs: see plans.jl
    device::Device               # where what is no array of Arr is moved to
    writes::Any                  # the elements that setindex! of a wrapper writes: see wrapped.jl
end

function Trace(device::Device)
    out = Ref(LibArr.arr_expr())
    @check LibArr.arr_expr_create(out)
    Trace(out[], Any[], Any[], Any[], Any[], 0, false, nothing, device, nothing)
end
release(t::Trace) = (t.plan === nothing && LibArr.arr_expr_release(t.handle); nothing)

"""
    Sym{T} <: Real

A number of type `T` that is not known yet: the node of an expression. Functions meet it while they are traced, as if it
were a `T`: see interpret.jl.
"""
struct Sym{T} <: Real
    trace::Trace
    node::Int32                  # below 0: see complex.jl
end

numtype(::Sym{T}) where {T} = T
numtype(x::Number) = typeof(x)
Base.show(io::IO, x::Sym{T}) where {T} = print(io, "Sym{", T, "}(", x.node, ")")

"""
    TraceError

A function in a broadcast, `map` or `mapreduce` cannot be turned into an expression of the library.
"""
struct TraceError <: Exception
    f::Any
    why::String
end
Base.showerror(io::IO, e::TraceError) = print(io, "TraceError: the function ", e.f, " cannot run on arrays of Arr: ",
    e.why, ". It may use the operations of Arr.operations(), branches on elements and functions made of these; write a choice as ",
    "ifelse(condition, x, y) where a branch is refused")

# -------------------------------------------------------------------------------------------- nodes

function input(t::Trace, @nospecialize(a::AbstractArray))
    at = index_of(t.inputs, a)
    at == 0 && (push!(t.inputs, a); at = length(t.inputs))
    node = Ref{Int32}(0)
    @check LibArr.arr_expr_input(t.handle, Int32(at - 1), node)
    Sym{typeof(a).parameters[1]}(t, node[])
end

# The index of what is the same object, or 0.
function index_of(list::Vector{Any}, @nospecialize(x))
    for i in 1:length(list)
        list[i] === x && return i
    end
    0
end

# An array that is read at traced positions, so that its dimensions are not those of the result.
struct WholeInput{A}
    array::A
end

function whole(t::Trace, a::AnyArr)
    at = findfirst(x -> x isa WholeInput && x.array === a, t.inputs)
    at === nothing && (push!(t.inputs, WholeInput(a)); at = length(t.inputs))
    Int32(at - 1)
end

# Positions count from 1, and none from the end: as numbers without a sign those below 1 are out of range.
# Elements that do not take the branch which reads have a position too.
position_node(t::Trace, i::Sym) = as(UInt64, t, as(Int64, t, isempty(t.path) ? i : ifelse(taken_by(t), i, one(i))) - 1)
position_node(t::Trace, i::Integer) = as(UInt64, t, i - 1)

# a[i, j] of a traced function: a gather of the expression.
function gathered(a::AnyArr{T,N}, at::Vector{Any}) where {T,N}
    t = trace_of(at)
    all(i -> numtype(i) <: Integer && numtype(i) !== Bool, at) || throw(ArgumentError("getindex: positions of type " *
        "$(join(map(numtype, at), ", ")), expected integers"))
    length(at) == N || throw(ArgumentError("getindex: $(length(at)) positions in an array of $N dimensions"))
    nodes, made = Int32[node(position_node(t, i)) for i in at], Ref{Int32}(0)
    @check LibArr.arr_expr_gather(t.handle, whole(t, a), Int32(N), nodes, LibArr.ARR_BOUNDS_RAISE, made)
    Sym{T}(t, made[])
end
Base.getindex(a::AnyArr, i::Sym, rest::Union{Sym,Integer}...) = gathered(a, Any[i, rest...])
Base.getindex(a::AnyArr, i::Integer, j::Sym, rest::Union{Sym,Integer}...) = gathered(a, Any[i, j, rest...])
Base.getindex(a::AnyArr, i::Integer, j::Integer, k::Sym, rest::Union{Sym,Integer}...) = gathered(a, Any[i, j, k, rest...])
Base.setindex!(a::AnyArr, x, i::Sym, rest::Union{Sym,Integer}...) = noted(a, x, Any[i, rest...])
Base.setindex!(a::AnyArr, x, i::Integer, j::Sym, rest::Union{Sym,Integer}...) = noted(a, x, Any[i, j, rest...])
Base.setindex!(a::AnyArr, x, i::Integer, j::Integer, k::Sym, rest::Union{Sym,Integer}...) = noted(a, x, Any[i, j, k, rest...])

# A number as a node of exactly type R. Tracing is not compiled anew for each type: @nospecialize.
function as(@nospecialize(R::Type), t::Trace, @nospecialize(x::Sym))
    R === numtype(x) && return x
    has_parts(x) && R <: Complex && return complex_of(real(R), parts(x)...)
    made = Ref{Int32}(0)
    @check LibArr.arr_expr_cast(t.handle, node(x), dtype(R), made)
    Sym{R}(t, made[])
end
function as(@nospecialize(R::Type), t::Trace, @nospecialize(x::Number))
    node, constant = Ref{Int32}(0), Ref(value(convert(R, x))::Value)
    @check LibArr.arr_expr_constant(t.handle, constant, node)
    Sym{R}(t, node[])
end

function emit(t::Trace, number::Int32, @nospecialize(R::Type), nodes::Vector{Int32})
    node = Ref{Int32}(0)
    @check LibArr.arr_expr_op(t.handle, number, Int32(length(nodes)), nodes, node)
    Sym{R}(t, node[])
end

# ------------------------------------------------------------------------- operations of the table

# Julia's names of operations, where the table has another one.
const JULIA_NAMES = Dict{Symbol,Symbol}(
    :add => :+, :subtract => :-, :multiply => :*, :divide => :/, :floor_divide => :fld, :remainder => :mod,
    :power => :^, :negative => :-, :positive => :+, :absolute => :abs, :equal => :(==), :not_equal => :(!=),
    :less => :<, :less_equal => :(<=), :greater => :>, :greater_equal => :(>=), :logical_not => :!,
    :bitwise_and => :&, :bitwise_or => :|, :bitwise_xor => :xor, :invert => :~, :left_shift => :<<,
    :right_shift => :>>, :minimum => :min, :maximum => :max, :clip => :clamp, :where => :ifelse,
    :conjugate => :conj, :arcsin => :asin, :arccos => :acos, :arctan => :atan, :arctan2 => :atan, :arcsinh => :asinh,
    :arccosh => :acosh, :arctanh => :atanh, :degrees => :rad2deg, :radians => :deg2rad)

julia_name(row) = get(JULIA_NAMES, row.name, row.name)
inbase(row) = isdefined(Base, julia_name(row)) && getfield(Base, julia_name(row)) isa Function

"""
    Arr.operations()

Returns the element-wise operations: the function to write, and what it does.
"""
operations() = [string(inbase(r) ? "" : "Arr.", julia_name(r)) => r.doc for r in LibArr.OPS]

# The type of the result, and the one that an operation computes in: what Julia's own function returns; else,
# for what Julia does not have, the operands' common type; lifted into the operation's domain.
# Asking Julia takes long, so each answer is kept.
const COMPUTED = IdDict{Any,Any}()
const COMPUTED_LOCK = ReentrantLock()
function computing(row, @nospecialize(f), types::Vector{Any})
    key = (row.number, types...)
    lock(COMPUTED_LOCK)
    try
        found = get(COMPUTED, key, nothing)
        found === nothing && (found = COMPUTED[key] = compute(row, f, types))
        found::Tuple{Type,Type}
    finally
        unlock(COMPUTED_LOCK)
    end
end
function compute(row, @nospecialize(f), types::Vector{Any})
    if inbase(row)
        R = Base.promote_op(f, types...)
        R === Union{} && throw(ArgumentError("there is no $f for $(join(types, ", "))"))
    end
    if row.output === :SAME && inbase(row)
        # Real results of complex operands: not the operation on real ones.
        cut = !(R <: Complex) && any(T -> T <: Complex, types)
        R in ELTYPES && !cut && return R, lifted(row, R)
    end
    T = lifted(row, promote_type(types...))
    given(row, T), T
end
# The type of the library's result where it computes in T.
given(row, @nospecialize(T)) = row.output === :BOOL ? Bool : row.output === :REAL ? real(T) :
    row.output === :INT32 ? Int32 : row.output === :UINT8 ? UInt8 : T
function lifted(row, @nospecialize(T))
    row.lift === :WIDE && return T <: Complex ? ComplexF64 : Float64
    T in ELTYPES && kind(T) in row.domain && return T
    T === Bool && 'I' in row.domain && return Int
    T <: Union{Bool,Integer,AbstractIrrational,Rational} && 'F' in row.domain && return float(T)
    throw(ArgumentError("$(row.name) is not defined for $T"))
end

trace_of(args) = args[findfirst(x -> x isa Sym, args)].trace

# The methods of the functions call this, which inference cannot look into: it would do so for each method.
const APPLY = Ref{Any}(nothing)
function apply(row, @nospecialize(f), args::Vector{Any})
    t = trace_of(args)
    length(args) == 1 && has_parts(args[1]) && haskey(OF_PARTS, row.name) && return OF_PARTS[row.name](parts(args[1])...)
    types = Any[numtype(x) for x in args]
    if row.inputs === :COND
        types[1] === Bool || throw(ArgumentError("$(julia_name(row)): condition of type $(types[1]), expected Bool"))
        R = T = lifted(row, promote_type(types[2:end]...))
        computed = Any[Bool, T, T]
    elseif row.inputs === :INT64
        types[end] <: Integer || throw(ArgumentError("$(julia_name(row)): $(types[end]), expected an integer"))
        R = T = lifted(row, types[1])
        computed = Any[T, Int64]
    elseif row.name in COMPARISONS && types[1] !== types[2] && all(T -> T <: Real, types)
        return compared(t, row.name, args...)
    else
        R, T = computing(row, f, types)
        row.name === :multiply && count(==(Bool), types) == 1 && !(T <: Integer) && return strong_product(t, R, args...)
        computed = fill!(similar(types), T)
    end
    operands = Any[as(C, t, x) for (C, x) in zip(computed, args)]
    row.name === :clip && return clamped(operands...)
    y = as(R, t, emit(t, row.number, given(row, T), Int32[node(x) for x in operands]))
    row.name in (:maximum, :minimum) && R <: AbstractFloat ? zero_of_sign(row.name, y, args, operands) : y
end

const COMPARISONS = (:equal, :not_equal, :less, :less_equal, :greater, :greater_equal)
# Operations whose functions in Base mean more, or something else: see semantics.jl.
const OWN_MEANING = (:left_shift, :right_shift)

APPLY[] = apply

# Concrete types, so that no method of Base for abstract ones is as specific.
const PLAIN = (ELTYPES..., Complex{Bool}, Complex{Int}, Rational{Int}, typeof(π), typeof(ℯ))

# ifelse is no generic function before Julia 1.8, and where broadcasting meets it there it is a builtin.
const EXTENDS_IFELSE = !(Base.ifelse isa Core.Builtin)

if !EXTENDS_IFELSE
    """
        Arr.ifelse(condition, x, y)

    Base's `ifelse`, for functions that arrays are mapped by: before Julia 1.8 that is a builtin.
    """
    ifelse(c::Bool, x, y) = Base.ifelse(c, x, y)
end

# Functions of Base that have no method for symbolic numbers, because Julia would compile anew all that calls them: half of
# Base. Traced functions that call them get these; this package itself writes `negated(x)` and `not_equal(x, y)` for elements.
function logical_not end
function not_equal end
const STAND_INS = IdDict{Any,Any}((!) => logical_not, (!=) => not_equal)
negated(x) = x isa Sym ? logical_not(x) : !x

for row in LibArr.OPS
    row.name in OWN_MEANING && continue
    name = julia_name(row)
    if name === :ifelse && !EXTENDS_IFELSE
        f = name
    elseif name in (:!, :(!=))
        f = row.name
    elseif inbase(row)
        f = :(Base.$name)
    else
        f = name
        @eval @doc $("    Arr.$name\n\nElement-wise: $(row.doc) Write `Arr.$name.(...)`.") function $name end
    end
    meant = name in (:!, :(!=)) ? :(Base.$name) : f
    if row.arity == 1
        @eval $f(@nospecialize(x::Sym)) = APPLY[]($row, $meant, Any[x])
    elseif row.arity == 2
        @eval $f(@nospecialize(x::Sym), @nospecialize(y::Sym)) = APPLY[]($row, $meant, Any[x, y])
        for S in PLAIN
            @eval $f(@nospecialize(x::Sym), y::$S) = APPLY[]($row, $meant, Any[x, y])
            @eval $f(x::$S, @nospecialize(y::Sym)) = APPLY[]($row, $meant, Any[x, y])
        end
    else
        first = row.inputs === :COND ? :Bool : :Number
        for (A, B, C) in Iterators.product((:Sym, first), (:Sym, :Number), (:Sym, :Number))
            :Sym in (A, B, C) || continue
            @eval $f(@nospecialize(x::$A), @nospecialize(y::$B), @nospecialize(z::$C)) = APPLY[]($row, $meant, Any[x, y, z])
        end
    end
end

# ------------------------------------------------------------------------------ calling a function

call(@nospecialize(f), args::Vector{Any}) = any_symbolic(args) ? traced(f, args) : (note_call(f, args); f(args...))

function traced(@nospecialize(f), args::Vector{Any})
    y = run_traced(f, args)
    y isa Results && return y
    throw(TraceError(f, "it gives a $(type_of_elements(typeof(y))), expected numbers or a tuple of them"))
end
function run_traced(@nospecialize(f), args::Vector{Any})
    try
        run_call(f, args, Level(0, false))
    catch e
        e isa TraceError && e.f === nothing && throw(TraceError(f, e.why))
        e isa TypeError && e.func === :arrayref && throw(TraceError(f, "it reads an array of Julia at an index that is an element; " *
            "read ArrArray(x) instead"))
        e isa TypeError && throw(TraceError(f, "it puts an element where $(e.func) needs a $(e.expected)"))
        e isa MethodError && throw(TraceError(f, "there is no $(e.f) for $(join(map(describe, e.args), ", "))"))
        e isa ArgumentError && throw(TraceError(f, e.msg))
        e isa UnsupportedError && throw(TraceError(f, e.msg))
        rethrow()
    end
end
describe(@nospecialize(x)) = x isa Number ? string(numtype(x)) : string(type_of_elements(typeof(x)))

# Values that a traced function may give.
const Results = Union{Number,Tuple,NamedTuple}
one_number(@nospecialize(f), @nospecialize(x)) = x isa Number ? x :
    throw(TraceError(f, "it gives a $(type_of_elements(typeof(x))), expected a number"))
