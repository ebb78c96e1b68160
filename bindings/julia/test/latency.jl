# SPDX-License-Identifier: MIT
# latency.jl: what the first calls of a process cost. Inference allocates in proportion to the methods that it walks, so the
# bytes that Julia allocates count them, the same on a loaded machine; what is compiled is counted by Julia's own list.

# Steps, and the largest number of bytes in MB and of CPU seconds for each. Measured with Julia 1.5: about half of the
# bytes and a third of the seconds. The broadcast took 1270 MB when inference looked into each function of the table.
const FIRST_CALLS = (("using Arr", 350, 4), ("a = ArrArray([1.0, 2.0, 3.0])", 10, 1), ("b = sin.(a) .+ 1", 70, 4), ("a .* 2 .- b", 10, 1),
    ("(x -> x > 1.5 ? x : -x).(b)", 10, 1), ("show(devnull, MIME(\"text/plain\"), b)", 120, 3), ("sum(b)", 20, 1),
    ("sum(abs2, b)", 20, 1), ("b[b .> 1.5]", 50, 2))
const MAX_COMPILED = 200

# Calls whose first takes longest by the table of tests/bench/first_calls.jl, each after `using Arr` and the arrays; the bytes in MB
# are again twice those measured.
const ARRAYS = "a, v = ArrArray([4.0 1.0; 1.0 3.0]), ArrArray([3.0, 1.0, 2.0])"
const SLOWEST = (("findmax(a; dims = 1)", 400), ("filter(>(1), v)", 150), ("sqrt(a)", 250), ("ldiv!(lu(a), ArrArray([1.0, 2.0]))", 500),
    ("a[:, [1, 2]] = ones(2, 2)", 300), ("a[1:2, :] = ones(2, 2)", 200), ("dropdims(sum(a; dims = 1); dims = 1)", 70),
    ("reshape(view(a, 1:2, 1:1), :, 1, 1)", 130), ("sortslices(a; dims = 1)", 400), ("nullspace(a)", 400))
const MAX_SECONDS = 3           # three times those of an idle machine
# The slowest two of examples/programs, from the start of the process to the result.
const PROGRAMS = (("kmeans", "ArrArray(rand(90, 2))"), ("monte_carlo", "ArrArray([80.0, 90.0, 100.0, 110.0, 120.0])"))
const MAX_OF_A_PROGRAM = 8

# A program that prints the bytes and the CPU seconds of each step, each compiled alone.
program_of(steps) = """
    const COSTS = Tuple{Int,Float64}[]
    bytes() = Base.gc_total_bytes(Base.gc_num())
    seconds() = ccall(:clock, Clong, ()) / 1e6
    bytes(), seconds(), push!(COSTS, (bytes(), seconds())), empty!(COSTS)
    """ * join(("let at = bytes(), start = seconds()\n    global a, b, v\n    $(replace(s, "using Arr" => "@eval using Arr"))\n" *
                "    push!(COSTS, (bytes() - at, seconds() - start))\nend\n" for s in steps)) *
    "foreach(c -> println(c[1], \" \", c[2]), COSTS)\n"

# Julia as a user starts it, whatever the options of this process are.
function first_costs(steps, more = "Base")
    julia = get(ENV, "ARR_JULIA", joinpath(Sys.BINDIR, Base.julia_exename()))
    mktempdir() do folder
        script, compiled = joinpath(folder, "first.jl"), joinpath(folder, "compiled")
        write(script, "using $more\n" * program_of(steps))
        command = `$julia --startup-file=no --project=$(dirname(HERE)) --trace-compile=$compiled $script`
        text = withenv(() -> read(command, String), "ARR_DEVICE" => "host")
        costs = [(parse(Int, f[1]), parse(Float64, f[2])) for f in map(split, split(text, '\n'; keepempty = false))]
        costs, count(==('\n'), read(compiled, String))
    end
end

@testset "first calls" begin
    for (call, megabytes) in SLOWEST
        (_, _, (bytes, cpu)), _ = first_costs(("using Arr", ARRAYS, call), "LinearAlgebra")
        good = bytes <= 1e6 * megabytes && cpu <= MAX_SECONDS
        good || println("$call: $(bytes / 1e6) MB in $cpu s, expected at most $megabytes MB in $MAX_SECONDS s")
        @test good
    end
end

@testset "a program" begin
    for (name, input) in PROGRAMS
        file = joinpath(HERE, "..", "..", "..", "examples", "programs", "julia", "$name.jl")
        costs, _ = first_costs(("include($(repr(file)))", "Array(Base.invokelatest($name, $input))"))
        cpu = sum(c -> c[2], costs)
        cpu <= MAX_OF_A_PROGRAM || println("$name: $cpu s, expected at most $MAX_OF_A_PROGRAM")
        @test cpu <= MAX_OF_A_PROGRAM
    end
end

@testset "first calls of a process" begin
    costs, compiled = first_costs(map(first, FIRST_CALLS))
    @test length(costs) == length(FIRST_CALLS)
    for ((step, megabytes, seconds), (bytes, cpu)) in zip(FIRST_CALLS, costs)
        good = bytes <= 1e6 * megabytes && cpu <= seconds
        good || println("$step: $(bytes / 1e6) MB in $cpu s, expected at most $megabytes MB in $seconds s")
        @test good
    end
    @test compiled <= MAX_COMPILED
end
