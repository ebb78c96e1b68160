# SPDX-License-Identifier: MIT
# time.jl ROUNDS PROGRAM:SIZE ... - times the programs of examples/programs/julia and those of loops.jl in turns.
# Prints a line per program and size: PROGRAM SIZE DIFFERENCE OURS PEER OURS PEER ..., times in nanoseconds.
using Arr, LinearAlgebra

include("loops.jl")
for name in ("heat", "rk4", "cg", "kmeans")
    include(joinpath(@__DIR__, "..", "..", "..", "..", "examples", "programs", "julia", name * ".jl"))
end

function input(name, n)
    x = [mod(0.618033988749895 * i + 0.754877666246693 * j, 1) for i in 1:n, j in 1:n]
    name == "rk4" && return [x[mod1(i + j, n), mod1(j, n)] + (i == 3 ? 20 : 1) for i in 1:3, j in 1:n*n]
    name == "kmeans" && return [x[mod1(i, n), mod1(j + i ÷ n, n)] + 2 * (i % 3) for i in 1:n*n, j in 1:2]
    x
end

elapsed(f, x) = (start = time_ns(); f(x); time_ns() - start)
ready(f) = x -> Array(f(x))

function compare(name, n, rounds)
    ours, peer = ready(getfield(Main, Symbol(name))), getfield(Loops, Symbol(name))
    x = input(name, n)
    a = ArrArray(x)
    expected = peer(x)
    difference = maximum(abs, ours(a) .- expected) / maximum(abs, expected)
    times = [(elapsed(ours, a), elapsed(peer, x)) for _ in 1:rounds]
    println(join((name, n, difference, Iterators.flatten(times)...), " "))
end

for text in ARGS[2:end]
    name, n = split(text, ":")
    compare(name, parse(Int, n), parse(Int, ARGS[1]))
end
