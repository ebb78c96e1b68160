# SPDX-License-Identifier: MIT
# plans.jl: broadcasts that ran before. To trace a function takes longer than to run it on a small array, so the
# expression is kept for the next broadcast of the same functions, numbers and types of arrays.
using Base.Broadcast: Broadcast, Broadcasted, AbstractArrayStyle, BroadcastStyle

mutable struct Plan
    handle::LibArr.arr_expr
    node::Int32
    result::DataType             # of the elements
    array::DataType              # of the result
    steady::Vector{Any}          # the functions and numbers, in the order of the tree
    pattern::Vector{Int}         # the input that each array of the tree is
    inputs::Int
    simple::Bool                 # all arrays are ArrArray of the result's rank
end
release(p::Plan) = (LibArr.arr_expr_release(p.handle); nothing)

# Read without a lock: to add a plan, the table is replaced by a copy. Functions that are defined anew empty it.
struct Plans
    world::UInt
    by_type::IdDict{Any,Vector{Plan}}
end
const PLANS = Ref(Plans(0, IdDict{Any,Vector{Plan}}()))
const PLANS_LOCK = ReentrantLock()
const MAX_PLANS, MAX_OF_A_TYPE = 1024, 4
world() = ccall(:jl_get_world_counter, UInt, ())

# ------------------------------------------------------------------------------- the leaves of a broadcast

# Values that are the same whenever they are identical; of other leaves nothing is kept.
steady(@nospecialize(x)) = x isa Type || x isa Symbol || (isbits(x) && !(x isa Ptr))

struct Leaves
    arrays::Vector{Any}
    steady::Vector{Any}
end
# False where a broadcast has a leaf that no plan can have.
function gather!(l::Leaves, @nospecialize(bc::Broadcasted))
    f, arguments = getfield(bc, :f), getfield(bc, :args)
    steady(f) || return false
    push!(l.steady, f)
    for i in 1:nfields(arguments)
        x = getfield(arguments, i)
        if x isa ArrArray || x isa WithStrides
            push!(l.arrays, x)
        elseif x isa Broadcasted
            gather!(l, x) || return false
        else
            x isa Base.RefValue && (x = x[])
            steady(x) && !(x isa AbstractRange || x isa Tuple) || return false
            push!(l.steady, x)
        end
    end
    true
end

# The inputs of a trace by the arrays of its tree: an array that comes twice is one input.
function same_pattern(p::Plan, arrays::Vector{Any})
    highest = 0
    for (i, k) in enumerate(p.pattern)
        a = arrays[i]
        if k > highest
            highest = k
            any(j -> arrays[j] === a, 1:i-1) && return false
        else
            arrays[findfirst(==(k), p.pattern)::Int] === a || return false
        end
    end
    true
end
same_steady(x::Vector{Any}, y::Vector{Any}) = length(x) == length(y) && all(i -> x[i] === y[i], eachindex(x))

function plan_of(@nospecialize(type), l::Leaves)
    plans = PLANS[]
    plans.world == world() || return nothing
    for p in get(plans.by_type, type, NO_PLANS)
        same_steady(p.steady, l.steady) && same_pattern(p, l.arrays) && return p
    end
    nothing
end
const NO_PLANS = Plan[]
# True where a plan of the type would be another's room: its numbers change with each call.
is_full(@nospecialize(type)) = (plans = PLANS[]; plans.world == world() &&
    length(get(plans.by_type, type, NO_PLANS)) >= MAX_OF_A_TYPE)

# ---------------------------------------------------------------------------------------- keeping a plan

# Counts what a traced function read or called that may be another the next time.
const UNSTEADY = Threads.Atomic{Int}(0)
unsteady!() = (Threads.atomic_add!(UNSTEADY, 1); nothing)

# Calls without symbolic numbers: those of Base with values that do not change.
function note_call(@nospecialize(f), args::Vector{Any})
    f in (getproperty, getfield) && args[1] isa Module && return isconst(args...) ? nothing : unsteady!()
    isempty(args) | !all(all_steady, args) | !all_steady(f) && return unsteady!()
    of_base(f, args) || unsteady!()
end
function of_base(@nospecialize(f), args)
    f isa Core.Builtin && return true
    m = method_of(Tuple{Core.Typeof(f),map(Core.Typeof, args)...})
    m === nothing || Base.moduleroot(m.module) in (Base, Core, @__MODULE__)
end
all_steady(@nospecialize(x)) = steady(x) || x isa Sym || x isa Tuple && all(all_steady, x)

# Keeps a traced expression as a plan of its broadcast's type, if nothing in it may differ the next time. The plan owns it.
function keep_plan!(t::Trace, @nospecialize(bc::Broadcasted), l::Leaves, before::Int, node::Int32, T::DataType, A::DataType)
    before == UNSTEADY[] && isempty(t.checks) && isempty(t.parts) && !t.square && all(x -> x isa AnyArr, t.inputs) || return
    pattern, simple = Int[], true
    for a in l.arrays
        push!(pattern, index_of(t.inputs, a))
        simple &= a isa ArrArray && ndims_of(typeof(a)) == ndims_of(A)
    end
    length(t.inputs) == maximum(pattern) && !(0 in pattern) || return
    plan = Plan(t.handle, node, T, A, l.steady, pattern, length(t.inputs), simple)
    lock(PLANS_LOCK)
    try
        t.plan = add_plan!(typeof(bc), plan)
    finally
        unlock(PLANS_LOCK)
    end
    nothing
end
# The plan in the table; nothing where it has no room for another of the type.
function add_plan!(@nospecialize(type), plan::Plan)
    plans, now = PLANS[], world()
    table = plans.world == now && length(plans.by_type) < MAX_PLANS ? copy(plans.by_type) : IdDict{Any,Vector{Plan}}()
    others = get(table, type, NO_PLANS)
    length(others) < MAX_OF_A_TYPE || return nothing
    table[type] = push!(copy(others), plan)
    PLANS[] = Plans(now, table)
    finalizer(finish, plan)
end
# ---------------------------------------------------------------------------------------- running a plan

# The handle is the first field of an array, the dimensions of an ArrArray follow.
handle_of(@nospecialize(a)) = unsafe_load(Ptr{LibArr.arr_array}(pointer_from_objref(a)))
function same_size(@nospecialize(a), @nospecialize(b), n::Int)
    p, q = Ptr{Int}(pointer_from_objref(a)), Ptr{Int}(pointer_from_objref(b))
    all(i -> unsafe_load(p, i) == unsafe_load(q, i), 2:n+1)
end
const DIMS_FOLLOW = fieldoffset(ArrArray{Float64,1}, 1) == 0 && fieldoffset(ArrArray{Float64,1}, 2) == sizeof(Int)

# The handles of a plan's inputs where all arrays have one size, else nothing.
function simple_inputs(p::Plan, arrays::Vector{Any})
    p.simple && DIMS_FOLLOW || return nothing
    first, n = arrays[1], ndims_of(p.array)
    handles = Vector{LibArr.arr_array}(undef, p.inputs)
    for (i, k) in enumerate(p.pattern)
        same_size(first, arrays[i], n) || return nothing
        handles[k] = handle_of(arrays[i])
    end
    handles
end
ndims_of(A::DataType) = A.parameters[2]::Int

# A trace of the plan's expression with these arrays, for the general way.
function trace_of_plan(p::Plan, arrays::Vector{Any})
    inputs = Vector{Any}(undef, p.inputs)
    foreach(i -> inputs[p.pattern[i]] = arrays[i], eachindex(arrays))
    Trace(p.handle, inputs, Any[], Any[], Any[], 0, false, p, device(arrays[1]), nothing)
end

function run_new(p::Plan, l::Leaves, @nospecialize(bc::Broadcasted))
    handles = simple_inputs(p, l.arrays)
    if handles === nothing
        t = trace_of_plan(p, l.arrays)
        return GC.@preserve p new_results(t, nothing, Sym{p.result}(t, p.node), sizes(bc))
    end
    out = Ref(LibArr.arr_array())
    GC.@preserve p l @check LibArr.arr_expr_run(p.handle, p.node, Int32(p.inputs), handles, stream(), out)
    a = p.array(out[], getfield(l.arrays[1], :dims))
    relieve_pressure(sizeof(p.result) * length(a)::Int)
    a
end
function run_into!(dest::AnyArr, p::Plan, l::Leaves)
    handles = dest isa ArrArray && ndims(dest) == ndims_of(p.array) && same_size(dest, l.arrays[1], ndims(dest)) ? simple_inputs(p, l.arrays) : nothing
    if handles === nothing
        t = trace_of_plan(p, l.arrays)
        return GC.@preserve p run!(dest, t, Sym{p.result}(t, p.node))
    end
    GC.@preserve p l @check LibArr.arr_expr_run_into(dest, p.handle, p.node, Int32(p.inputs), handles, stream())
    dest
end
