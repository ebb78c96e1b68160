# SPDX-License-Identifier: MIT
# interpret.jl: runs functions on symbolic numbers as Julia runs them on elements. Which method is called, what `isa` and
# `typeof` say and what a type parameter is follow from the elements' types: so a function whose method is for Float64
# takes that one, though no symbolic number is a Float64. Functions without symbolic numbers are called as they are, those
# with methods of this package for symbolic numbers too; of all others Julia's lowered code is walked, once for a broadcast.

# ---------------------------------------------------------------------- what stands for which elements

# The type with elements in place of symbolic numbers.
function type_of_elements(@nospecialize(T))
    T isa DataType || return T
    T.name === SYM_NAME && isconcretetype(T) && return T.parameters[1]
    any(p -> type_of_elements(p) !== p, T.parameters) || return T
    T.name.wrapper{map(type_of_elements, Tuple(T.parameters))...}
end
const SYM_NAME = Base.unwrap_unionall(Sym).name
const Plain = Union{Real,Complex{<:Real},AbstractString,Symbol,Type,Module,Nothing,Val,AbstractRange}

"""True if a value is a symbolic number or holds one: in a tuple, a closure, a struct, an array."""
symbolic(@nospecialize(x), depth::Int = 8) = x isa Sym || !(x isa Plain) && holds_symbol(x, depth)
function holds_symbol(@nospecialize(x), depth)
    T = typeof(x)
    (isbitstype(T) || depth == 0) && return false
    x isa Trace && return false
    x isa Array && return !isbitstype(eltype(x)) && !(eltype(x) <: Plain) &&
        any(i -> isassigned(x, i) && symbolic(x[i], depth - 1), eachindex(x))
    isstructtype(T) || return false
    any(i -> isdefined(x, i) && symbolic(getfield(x, i), depth - 1), 1:nfields(x))
end

function any_symbolic(args::Vector{Any})
    for x in args
        symbolic(x) && return true
    end
    false
end

# Cached methods of calls, by the types of a function and its arguments, until methods are defined.
struct Code
    method::Method
    lowered::Core.CodeInfo
    parameters::Core.SimpleVector
end
const OURS = IdDict{Any,Any}()
const CODES = IdDict{Any,Any}()
const KNOWN_WORLD = Ref(UInt(0))
const KNOWN_LOCK = ReentrantLock()
has_method_here(@nospecialize(types)) = known(has_own_method, OURS, types)::Bool
code_for(@nospecialize(types)) = known(code_of, CODES, types)::Union{Nothing,Code}
function known(@nospecialize(f), table::IdDict{Any,Any}, @nospecialize(key))
    lock(KNOWN_LOCK)
    try
        world = ccall(:jl_get_world_counter, UInt, ())
        world == KNOWN_WORLD[] || (empty!(OURS); empty!(CODES); KNOWN_WORLD[] = world)
        found = get(table, key, table)
        found === table ? (table[key] = f(key)) : found
    finally
        unlock(KNOWN_LOCK)
    end
end
function method_of(@nospecialize(types))
    if VERSION < v"1.7"                         # which(types) is newer
        found = ccall(:jl_gf_invoke_lookup, Any, (Any, UInt), types, typemax(UInt))
        return found isa Union{Method,Nothing} ? found : found.func
    end
    try
        which(types)
    catch e
        e isa ErrorException || rethrow()
        nothing
    end
end
has_own_method(@nospecialize(types)) = (m = method_of(types); m !== nothing && m.module === @__MODULE__)
function code_of(@nospecialize(types))
    m = method_of(types)
    m === nothing ? nothing : code_of(m, types)
end
function code_of(m::Method, @nospecialize(types))
    parameters = ccall(:jl_type_intersection_with_env, Any, (Any, Any), types, m.sig)[2]
    if isdefined(m, :generator)
        f, rest = types.parameters[1], Tuple{types.parameters[2:end]...}
        isdefined(f, :instance) || return nothing
        return Code(m, only(code_lowered(f.instance, rest)), parameters)
    end
    isdefined(m, :source) ? Code(m, lowered_code(m), parameters) : nothing
end
lowered_code(m::Method) = isdefined(Base, :uncompressed_ir) ? Base.uncompressed_ir(m) : Base.uncompressed_ast(m)

# ------------------------------------------------------------------------------------------------- calls

const DEEPEST = 200
untraceable(why) = throw(TraceError(nothing, why))
named(@nospecialize(f)) = f isa Type ? string(f) : string(nameof(f))

# The depth of the calls that are walked, and true in a branch on an element.
struct Level
    depth::Int
    branch::Bool
end
deeper(l::Level) = Level(l.depth + 1, l.branch)

function run_call(@nospecialize(f), args::Vector{Any}, depth::Level)
    # In a branch on an element other functions than Base's are walked too, so that nothing changes unseen.
    if !(any_symbolic(args) || symbolic(f)) && (!depth.branch || of_base(f, args))
        depth.branch && may_write(f, args) && untraceable("it calls $(called(f)) in a branch on an element, which might change memory")
        note_call(f, args)
        return f(args...)
    end
    f isa Core.IntrinsicFunction && untraceable("Julia computes it by the instruction $(named(f)), which is no operation of Arr")
    f isa Core.Builtin && return run_builtin(f, args, depth)
    own = with_method_here(f, args)
    own === nothing || (all(all_steady, args) || unsteady!(); return own(args...))
    types = call_type(seen_as, f, args)
    code = code_for(types)
    code === nothing && untraceable("there is no $(called(f)) for $(join(map(describe, args), ", "))")
    depth.depth < DEEPEST || untraceable("its calls of $(called(f)) go too deep")
    depth.depth == 1 || return walk_code(code, f, args, deeper(depth))
    try
        walk_code(code, f, args, deeper(depth))
    catch e
        e isa TraceError && e.f === nothing || rethrow()
        untraceable("it calls $(called(f)), where " * e.why)
    end
end
# The function, or what stands in for it, that has a method of this package for these arguments; else nothing.
function with_method_here(@nospecialize(f), args::Vector{Any})
    has_method_here(call_type(Core.Typeof, f, args)) && return f
    g = get(STAND_INS, f, nothing)
    g !== nothing && has_method_here(call_type(Core.Typeof, g, args)) ? g : nothing
end
# The type of a call, with the types that `type_of` returns for the function and the arguments.
function call_type(@nospecialize(type_of), @nospecialize(f), args::Vector{Any})
    types = Any[type_of(f)]
    for x in args
        push!(types, type_of(x))
    end
    Tuple{types...}
end
seen_as(@nospecialize(x)) = x isa Type ? Core.Typeof(x) : type_of_elements(typeof(x))
called(@nospecialize(f)) = f isa Function || f isa Type ? named(f) : string(typeof(f))

# Builtins that look at what a value is, or call; the others take symbolic numbers as they take anything.
function run_builtin(@nospecialize(f), args::Vector{Any}, depth)
    f === isa && return type_of_elements(typeof(args[1])) <: args[2]
    f === typeof && return type_of_elements(typeof(args[1]))
    f === (===) && return identical(args[1], args[2])
    f === typeassert && return type_of_elements(typeof(args[1])) <: args[2] ? args[1] :
        untraceable("a $(describe(args[1])) is declared to be a $(args[2])")
    f === Core.ifelse && args[1] isa Sym && return ifelse(args...)
    f === Core.sizeof && args[1] isa Sym && return sizeof(numtype(args[1]))
    f === getfield && args[1] isa Sym && return part(args[1], args[2])
    f === invoke && return run_invoke(args[1], args[2], args[3:end], depth)
    name = nameof(f)
    name === :_apply_iterate && return run_call(args[2], splatted(args[3:end], depth), depth)
    name in (:_apply, :_apply_pure) && return run_call(args[1], splatted(args[2:end], depth), depth)
    if name in (:setfield!, :arrayset)
        depth.branch && untraceable("it changes a variable of a closure or memory in a branch on an element")
        unsteady!()
    end
    name === :_apply_latest && return run_call(args[1], args[2:end], depth)
    name === :_call_latest && return run_call(args[1], args[2:end], depth)
    f(args...)
end
function identical(@nospecialize(x), @nospecialize(y))
    type_of_elements(typeof(x)) === type_of_elements(typeof(y)) || return false
    x isa Sym && y isa Sym && x.node == y.node && return true
    untraceable("it compares elements by ===")
end
function part(x::Sym{T}, field) where {T}
    T <: Complex || untraceable("it reads the field $field of a $T")
    field in (:re, 1) ? real(x) : imag(x)
end
function run_invoke(@nospecialize(f), @nospecialize(signature), args, depth)
    types = Tuple{seen_as(f),signature.parameters...}
    m = method_of(types)
    code = code_of(m, Tuple{seen_as(f),map(seen_as, args)...})
    code === nothing && untraceable("the code of $(called(f)) is not there")
    walk_code(code, f, args, deeper(depth))
end
function splatted(parts, depth)
    all = Any[]
    for x in parts
        if x isa Union{Tuple,NamedTuple,Core.SimpleVector,Array} || !symbolic(x)
            append!(all, Any[v for v in x])
            continue
        end
        step = run_call(iterate, Any[x], depth)
        while step !== nothing
            push!(all, step[1])
            step = run_call(iterate, Any[x, step[2]], depth)
        end
    end
    all
end

# A struct with symbolic numbers in its fields has them in its type's parameters too.
function new_object(@nospecialize(T), fields)
    T <: Complex && any(symbolic, fields) && return complex_of(real(T), fields...)
    S = all(i -> fields[i] isa fieldtype(T, i), eachindex(fields)) ? T : refitted(T, fields)
    S === nothing && untraceable("a $T cannot hold symbolic numbers")
    ccall(:jl_new_structv, Any, (Any, Ptr{Any}, UInt32), S, fields, length(fields))
end

# The type of the same name whose parameters are the types of the fields declared by them, or nothing.
function refitted(T::DataType, fields)
    T <: NamedTuple && return NamedTuple{T.parameters[1],Tuple{map(typeof, fields)...}}
    general = Base.unwrap_unionall(T.name.wrapper)
    parameters = Any[T.parameters...]
    for (i, x) in enumerate(fields)
        at = findfirst(p -> p === fieldtype(general, i), Any[general.parameters...])
        at === nothing || (parameters[at] = typeof(x))
    end
    S = try
        T.name.wrapper{parameters...}
    catch e
        e isa TypeError || rethrow()
        return nothing
    end
    isconcretetype(S) && all(i -> fields[i] isa fieldtype(S, i), eachindex(fields)) ? S : nothing
end

# ------------------------------------------------------------------------------------------ lowered code

# The statements of lowered code that are read, in the versions of Julia whose documentation (Julia ASTs, lowered form) lists them.
# Anything else is refused, so that code which means something new is never taken for something old.
const READ_BY = v"1.5-" <= VERSION < v"1.13-"
const READ_EXPRESSIONS = (:call, :new, :splatnew, :static_parameter, :boundscheck, :copyast, :isdefined, :throw_undef_if_not,
                          :(=), :return, :gotoifnot)      # the last two before Julia 1.6, then ReturnNode and GotoIfNot
const WITHOUT_VALUE = (:meta, :inbounds, :loopinfo, :line, :gc_preserve_begin, :gc_preserve_end, :global, :const, :inline,
                       :noinline, :aliasscope, :popaliasscope)
# Nodes of code that are no values: those read have their own lines below.
const NODES = (:ReturnNode, :GotoNode, :GotoIfNot, :NewvarNode, :EnterNode, :PhiNode, :PhiCNode, :PiNode, :UpsilonNode, :TypedSlot,
               :CodeInfo, :MethodInstance)

mutable struct Walk
    code::Code
    slots::Vector{Any}
    values::Vector{Any}
    depth::Level
end

function walk_code(code::Code, @nospecialize(f), args, depth::Level)
    READ_BY || untraceable("its code is that of Julia $VERSION, which this version of Arr cannot read")
    statements, m = code.lowered.code, code.method
    w = Walk(code, Vector{Any}(undef, length(code.lowered.slotnames)), Vector{Any}(undef, length(statements)), depth)
    w.slots[1] = f
    n = m.isva ? Int(m.nargs) - 2 : length(args)
    foreach(i -> w.slots[i+1] = args[i], 1:n)
    m.isva && (w.slots[n+2] = Tuple(args[n+1:end]))
    follow(w, 1)
end

# Runs statements from one on until the function returns.
function follow(w::Walk, at::Int)
    statements = w.code.lowered.code
    while true
        s = statements[at]
        finish = result_of(s)
        finish === nothing || return value_of(w, something(finish))
        branch = branch_of(s)
        if branch === nothing
            at = step!(w, s, at)
            continue
        end
        c = value_of(w, branch[1])
        c isa Sym && numtype(c) === Bool && return both_ways(w, c, at + 1, branch[2])
        c isa Bool || throw(TypeError(:if, "", Bool, c))
        at = c ? at + 1 : branch[2]
    end
end
# Julia 1.6 has types for what are expressions before.
result_of(@nospecialize(s)) = s isa Expr ? (s.head === :return ? Some(s.args[1]) : nothing) :
    nameof(typeof(s)) === :ReturnNode ? Some(s.val) : nothing
branch_of(@nospecialize(s)) = s isa Expr ? (s.head === :gotoifnot ? (s.args[1], s.args[2]) : nothing) :
    nameof(typeof(s)) === :GotoIfNot ? (s.cond, s.dest) : nothing
function step!(w::Walk, @nospecialize(s), at)
    s isa Core.GotoNode && return s.label
    if s isa Expr && s.head === :(=)
        assign!(w, s.args[1], value_of(w, s.args[2]))
    elseif !(s isa Core.NewvarNode)
        w.values[at] = value_of(w, s)
    end
    at + 1
end
location(w::Walk) = w.depth.depth == 1 ? "" : ", in $(w.code.method.name)"
function assign!(w::Walk, @nospecialize(to), @nospecialize(x))
    to isa Core.SlotNumber && return w.slots[to.id] = x
    to isa GlobalRef || untraceable("it assigns to a $(typeof(to))")
    w.depth.branch && untraceable("it assigns to a global variable in a branch on an element")
    unsteady!()
    Core.eval(to.mod, :($(to.name) = $(QuoteNode(x))))
end

function value_of(w::Walk, @nospecialize(x))
    x isa Core.SSAValue && return w.values[x.id]
    x isa Union{Core.SlotNumber} && return slot(w, x.id)
    x isa GlobalRef && return global_value(x.mod, x.name)
    x isa QuoteNode && return x.value
    x isa Symbol && return global_value(w.code.method.module, x)
    x isa Expr && return expression_of(w, x)
    name = nameof(typeof(x))
    name === :Argument && return slot(w, x.n)
    name in NODES && parentmodule(typeof(x)) === Core && untraceable("its code has a $name" * location(w))
    x
end
global_value(m::Module, name::Symbol) = (isconst(m, name) || unsteady!(); getfield(m, name))
slot(w::Walk, i) = isassigned(w.slots, i) ? w.slots[i] : throw(UndefVarError(w.code.lowered.slotnames[i]))
function expression_of(w::Walk, x::Expr)
    head = x.head
    head in WITHOUT_VALUE && return nothing
    head === :foreigncall && untraceable("it calls a function of C" * location(w))
    head === :enter && untraceable("it catches exceptions" * location(w))
    head in READ_EXPRESSIONS || untraceable("its code has a :$head" * location(w))
    if head === :call
        values = Any[value_of(w, y) for y in x.args]
        return run_call(values[1], values[2:end], w.depth)
    end
    head === :new && return new_object(value_of(w, x.args[1]), Any[value_of(w, y) for y in x.args[2:end]])
    head === :splatnew && return new_object(value_of(w, x.args[1]), Any[value_of(w, x.args[2])...])
    head === :static_parameter && return parameter(w, x.args[1])
    head === :boundscheck && return true
    head === :copyast && return copy(value_of(w, x.args[1]))
    head === :isdefined && return is_defined(w, x.args[1])
    head === :throw_undef_if_not && return value_of(w, x.args[2]) || throw(UndefVarError(x.args[1]))
    untraceable("its code has a :$head in a value" * location(w))
end
function parameter(w::Walk, i)
    p = w.code.parameters[i]
    p isa TypeVar ? throw(UndefVarError(p.name)) : p
end
function is_defined(w::Walk, @nospecialize(x))
    x isa Core.SlotNumber && return isassigned(w.slots, x.id)
    x isa GlobalRef && return isdefined(x.mod, x.name)
    x isa Expr && x.head === :static_parameter && return !(w.code.parameters[x.args[1]] isa TypeVar)
    untraceable("its code asks whether a $(typeof(x)) is defined")
end
