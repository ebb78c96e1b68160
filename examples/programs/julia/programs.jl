# SPDX-License-Identifier: MIT
# programs.jl PROGRAMS FOLDER NAME ... - runs PROGRAMS/NAME.jl on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
using Arr

programs, folder = ARGS
for name in ARGS[3:end]
    include(joinpath(programs, name * ".jl"))
    input = Arr.load(joinpath(folder, name * ".npy"))
    program = getfield(Main, Symbol(name))
    Arr.save(joinpath(folder, name * "_result.npy"), Base.invokelatest(program, input))
end
