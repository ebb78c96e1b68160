# SPDX-License-Identifier: MIT
# programs.jl FOLDER NAME ... - runs the programs of those names on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
using Arr

folder = ARGS[1]
for name in ARGS[2:end]
    include(joinpath(@__DIR__, name * ".jl"))
    input = Arr.load(joinpath(folder, name * ".npy"))
    program = getfield(Main, Symbol(name))
    Arr.save(joinpath(folder, name * "_result.npy"), Base.invokelatest(program, input))
end
