# SPDX-License-Identifier: MIT
# graphs.jl: work of a stream, captured once and launched again and again as a whole.

"""
    Arr.Graph

Captured work, made by [`Arr.capture`](@ref). The arrays that it uses live as long as it does.
"""
mutable struct Graph
    handle::LibArr.arr_graph
    Graph(handle::LibArr.arr_graph) = registered(new(handle))
end
release(g::Graph) = (LibArr.arr_graph_release(g.handle); nothing)
unsafe_free!(g::Graph) = finish(g)
Base.cconvert(::Type{LibArr.arr_graph}, g::Graph) = g
Base.unsafe_convert(::Type{LibArr.arr_graph}, g::Graph) = g.handle

# Captures what f() asks for in the stream; finish() is to end that. Where f fails the capture ends as well.
function capturing(finish, f, s::Stream)
    @check LibArr.arr_graph_begin(s)
    done = false
    try
        value = stream!(f, s)
        done = true
        finish()
        value
    finally
        if !done
            unwanted = Ref(LibArr.arr_graph())
            LibArr.arr_graph_end(s, unwanted)
            LibArr.arr_graph_release(unwanted[])
        end
    end
end

"""
    Arr.capture(f, s::Stream)

Runs `f()` in the stream `s` without running what it asks of the library: that becomes a graph. Returns `(graph, value)`.
New arrays get their elements when it is launched; none can be read meanwhile. Work in place (`a .+= 1`,
`mul!`) changes arrays that were there before at each [`Arr.launch`](@ref).

    s = Arr.Stream()
    graph, total = Arr.capture(s) do
        x .= x .* 2 .+ y
        sum(x; dims = 1)
    end
    for _ in 1:1000
        Arr.launch(graph, s)
    end
"""
function capture(f, s::Stream)
    out = Ref(LibArr.arr_graph())
    value = capturing(() -> @check(LibArr.arr_graph_end(s, out)), f, s)
    (Graph(out[]), value)
end

"""
    Arr.update!(f, graph, s::Stream)

Captures other work in place of the graph's and returns the value of `f()`. Where it has the same form, calls alike on other
memory, that is much quicker than another graph. On failure the graph is as it was.
"""
update!(f, g::Graph, s::Stream) = capturing(() -> @check(LibArr.arr_graph_update(g, s)), f, s)

"""
    Arr.launch(graph, [s::Stream])

Enqueues all the work of a graph, on the memory that it was captured with: inputs are read anew, results are overwritten.
It comes after its last launch and after the users of its arrays, in any stream.
"""
launch(g::Graph, s = stream()) = @check LibArr.arr_graph_launch(g, s)

"""Brings a graph to the device ahead of its first launch."""
upload(g::Graph, s = stream()) = @check LibArr.arr_graph_upload(g, s)

"""Returns CUDA's handles of a graph, which stay the graph's: `(graph, executable)`, a CUgraph and a CUgraphExec."""
function Base.pointer(g::Graph)
    graph, executable = Ref{Ptr{Cvoid}}(C_NULL), Ref{Ptr{Cvoid}}(C_NULL)
    @check LibArr.arr_graph_native(g, graph, executable)
    (graph = graph[], executable = executable[])
end

"""Writes what is in a graph to a file in Graphviz' language."""
function write_dot(path::AbstractString, g::Graph)
    name = String(path)
    @check LibArr.arr_graph_dot(g, name, Int64(sizeof(name)))
end
