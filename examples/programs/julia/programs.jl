# SPDX-License-Identifier: MIT
# programs.jl FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
using Arr

for name in ARGS[2:end]
    include(joinpath(@__DIR__, name * ".jl"))
    input = Arr.load(joinpath(ARGS[1], name * ".npy"))
    program = getfield(Main, Symbol(name))
    Arr.save(joinpath(ARGS[1], name * "_result.npy"), Base.invokelatest(program, input))
end
