# SPDX-License-Identifier: MIT
# runtests.jl [NAME...] - runs the named files of tests, or all. The library is the one that ARR_LIBRARY names.
using Test, Arr, LinearAlgebra, Random, Statistics
using Arr: LibArr

const HERE = @__DIR__
const FILES = ["layout", "absent", "arrays", "operations", "broadcast", "plans", "tuples", "wrappers", "semantics", "collections", "lists", "selections", "finding", "reductions", "scans", "calculus", "fft", "statistics", "numeric", "dtypes", "polynomials", "special_matrices", "joining", "search", "sort", "sets", "random",
               "linalg", "factorizations", "structured", "expressions", "fuse", "comm", "dist", "dist_sparse", "graphs", "profile", "memory", "sharing", "processes",
               "kernels", "textures", "user_kernels", "sparse", "sparse_structure", "sparse_factor", "sparse_graph", "iterative", "devices", "text", "functions", "names", "mistakes", "extensions", "docstrings", "latency"]
const GROUPS = [splitext(f)[1] for f in readdir(joinpath(HERE, "groups")) if f != "adapter.jl"]
const HOST = Arr.Device(:host)

"""The exception that f() throws, which must be of type E, as text."""
function thrown(f, E)
    try
        f()
    catch e
        e isa E || rethrow()
        return sprint(showerror, e)
    end
    error("no exception; expected $E")
end

"""True if the library still computes."""
works() = Array(ArrArray([1, 2, 3]) .+ 1) == [2, 3, 4]

Random.seed!(1)
@testset "Arr" begin
    for name in (isempty(ARGS) ? [FILES; "groups/" .* GROUPS] : ARGS)
        @testset "$name" begin
            include(joinpath(HERE, name * ".jl"))
        end
    end
end
