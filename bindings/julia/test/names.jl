# SPDX-License-Identifier: MIT
# names.jl: each function of the C API has a method of this package, or a row in the guide that says what is written in Julia.

const SOURCES = joinpath(HERE, "..", "src")
const TEXT = join(read(joinpath(SOURCES, f), String) for f in readdir(SOURCES) if f != "generated.jl")

# The functions of the library that the package's code calls by name, and those of its tables.
called = Set(filter(f -> occursin(Regex("\\b$f\\b"), TEXT), string.(LibArr.FUNCTIONS)))
element_wise = Set("arr_" * string(row.name) * ending for row in LibArr.OPS for ending in ("", "_into", "_v", "_v_into"))
by_row = Set("arr_" * string(row.name) * ending for row in (LibArr.REDUCTIONS..., LibArr.SCANS...) for ending in ("", "_into"))

# The rows of the guide: a name of C ends with * for all that begin so.
section = split(split(read(joinpath(HERE, "..", "..", "..", "docs", "guides", "julia.md"), String), "\n## Functions of the C API\n")[2], "\n## ")[1]
listed = [m[1] for m in eachmatch(r"`(arr_\w+\*?)`", section)]
stands_for(pattern, name) = endswith(pattern, '*') ? startswith(name, pattern[1:end-1]) : name == pattern

# Functions that are documented here under their own names.
own = Set("arr_" * string(b.var) for b in keys(Base.Docs.meta(Arr)) if b.mod === Arr)

@testset "every function of the C API" begin
    missing_ones = filter(string.(LibArr.FUNCTIONS)) do f
        base = replace(f, r"_into$" => "")
        !(f in called || f in element_wise || f in by_row || base * "_into" in called || base in called || f in own ||
          any(p -> stands_for(p, f), listed))
    end
    @test isempty(missing_ones)
    isempty(missing_ones) || println("neither called nor in the guide: ", missing_ones)
    @test length(LibArr.FUNCTIONS) > 1000
end

@testset "rows of the guide" begin
    for pattern in listed
        @test any(f -> stands_for(pattern, string(f)), LibArr.FUNCTIONS)
        endswith(pattern, '*') || @test !(pattern in called)
    end
end

@testset "what the guide writes: $code" for code in [m[1] for line in split(section, '\n') if startswith(line, "| ") for m in eachmatch(r"`([^`]+)`", split(line, " | ")[2])]
    m = Module()
    Core.eval(m, :(using Arr, LinearAlgebra, Random))
    Core.eval(m, :((a, b, v, n) = (ArrArray([1.0 2; 3 4]), ArrArray([5.0 6; 7 8]), ArrArray([1.0, 2]), ArrArray([3, 1]))))
    @test (include_string(m, code); true)
end

# Errors of these are not seen.
const SILENT = ("check_abi", "last_error", "memory_pressure", "value_array", "status_name")
@testset "errors name functions of Julia" begin
    nameless = filter(collect(called)) do f
        name = replace(f[5:end], r"_into$" => "")
        words = Arr.julia_words(name)
        word = Symbol(replace(words, "Arr." => ""))
        !(name in SILENT) && (startswith(words, "arr_") ||
            !any(m -> isdefined(m, word), startswith(words, "Arr.") ? (Arr,) : (Base, Arr, LinearAlgebra, Statistics, Random)))
    end
    @test isempty(nameless)
    isempty(nameless) || println("no name in Julia: ", nameless)
    strangers = filter(name -> !any(f -> string(f) in ("arr_$name", "arr_$(name)_into"), LibArr.FUNCTIONS), collect(keys(Arr.WORDS)))
    @test isempty(strangers)
    isempty(strangers) || println("in WORDS, not in the library: ", strangers)
end
