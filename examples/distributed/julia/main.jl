# SPDX-License-Identifier: MIT
# mpiexec -n RANKS julia main.jl NAME N STEPS: runs a program on as many processes; without mpiexec on one. Prints its number and
# the seconds that it took.
using Arr

include("heat.jl")
include("fft.jl")

function main(name, n, steps)
    comm = try
        Arr.mpi_comm()
    catch e
        e isa Arr.UnavailableError || rethrow()
        only(Arr.local_comms(1))
    end
    program, at = Dict("heat" => heat, "fft" => fft)[name], Arr.comm_info(comm)
    number = Ref(0.0)
    seconds = @elapsed number[] = program(comm, n, steps)
    at.rank == 0 && println("$name: $(number[]) in $(round(seconds; digits = 4)) s on $(at.size)")
end
main(ARGS[1], parse.(Int, ARGS[2:3])...)
