# SPDX-License-Identifier: MIT
# expressions.jl: formulas given as text, run on arrays in one pass over memory.

"""
    e = Arr.expression("sqrt(a*a + b*b)")
    e = Arr.expression("a - b", "b", "a")
    e(x, y)
    e(x, y; reduce = :sum, dims = 1)
    e(x, y; scan = :sum, dims = 1)

Makes an expression from a formula in the library's notation, which is Python's with NumPy's names and types; `index(0)`
is the position in the first dimension, counted from 0. The arrays of a call are its variables in the order in which
they appear, or in that of the names given. They broadcast as Julia's do. With `reduce` the result is reduced, over all
or `dims`, with `scan` accumulated along `dims`, and nothing of the full size is stored on the way.
"""
mutable struct Expression
    handle::LibArr.arr_expr
    node::Int32
    text::String
    names::Vector{String}
    function Expression(text::String, names::Vector{String})
        node, out = Ref{Int32}(0), Ref(LibArr.arr_expr())
        GC.@preserve names begin
            pointers = isempty(names) ? C_NULL : Ptr{UInt8}[pointer(n) for n in names]
            @check LibArr.arr_expr_parse(text, Int64(sizeof(text)), Int32(length(names)), pointers, node, out)
        end
        e = finalizer(finish, new(out[], node[], text, names))
        isempty(names) && (e.names = variables(e))
        e
    end
end
expression(text::AbstractString, names...) = Expression(String(text), String[string(n) for n in names])

release(e::Expression) = (LibArr.arr_expr_release(e.handle); nothing)
unsafe_free!(e::Expression) = finish(e)
Base.cconvert(::Type{LibArr.arr_expr}, e::Expression) = e
Base.unsafe_convert(::Type{LibArr.arr_expr}, e::Expression) = e.handle
Base.show(io::IO, e::Expression) = print(io, "Arr.expression(", repr(e.text), ") of ", join(e.names, ", "))

function variables(e::Expression)
    n = Ref{Int32}(0)
    @check LibArr.arr_expr_nvars(e, n)
    [fetch_text((c, text, m) -> LibArr.arr_expr_var(e, Int32(i), c, text, m)) for i in 0:n[]-1]
end

# f(how many, handles) with arrays of one rank.
function with_inputs(f, e::Expression, arrays)
    length(arrays) == length(e.names) ||
        throw(ArgumentError("$e: got $(length(arrays)) arrays, expected $(length(e.names))"))
    N = maximum((0, map(ndims, arrays)...))
    inputs = Any[ranked(a, Val(N)) for a in arrays]
    handles = LibArr.arr_array[a.handle for a in inputs]
    GC.@preserve inputs f(Int32(length(handles)), handles)
end

function (e::Expression)(arrays::AnyArr...; reduce = nothing, scan = nothing, dims = :)
    reduce === nothing || scan === nothing || throw(ArgumentError("reduce and scan: expected one of them"))
    with_inputs(e, arrays) do n, handles
        reduce === nothing || return expression_reduce(e, row_number(reduce), n, handles, dims)
        scan === nothing || return made(out -> @check LibArr.arr_expr_scan(e, e.node, row_number(scan),
            axis(dims === (:) ? 1 : only(dims)), n, handles, stream(), out))
        made(out -> @check LibArr.arr_expr_run(e, e.node, n, handles, stream(), out))
    end
end

function row_number(name::Symbol)
    haskey(REDUCTION_ROWS, name) || throw(ArgumentError("reduction $(repr(name)): none of the library's"))
    REDUCTION_ROWS[name].number
end

function expression_reduce(e, number, n, handles, dims)
    axes = dims === (:) ? Int32[] : axes_of(dims)
    list = isempty(axes) ? C_NULL : axes
    r = made(out -> @check LibArr.arr_expr_reduce(e, e.node, number, Int32(length(axes)), list, dims !== (:), n,
                                                  handles, stream(), out))
    dims === (:) || return r
    x = item(r)
    unsafe_free!(r)
    x
end

"""Returns the program that an expression runs for these arrays, as text."""
program(e::Expression, arrays::AnyArr...) = with_inputs(e, arrays) do n, handles
    fetch_text((c, text, m) -> LibArr.arr_expr_describe(e, e.node, n, handles, c, text, m))
end
