# SPDX-License-Identifier: MIT
# layout.jl: constants, struct layouts and functions of the generated layer against a C compiler and the library.
import Libdl

const HEADERS = normpath(joinpath(HERE, "..", "..", "..", "capi", "include"))

constants = filter(n -> getfield(LibArr, n) isa Int32, filter(n -> startswith(string(n), "ARR_"), names(LibArr; all = true)))
structs = filter(n -> getfield(LibArr, n) isa DataType && fieldcount(getfield(LibArr, n)) > 1,
                 filter(n -> startswith(string(n), "arr_"), names(LibArr; all = true)))

without_julias(cmd) = setenv(cmd, filter(p -> first(p) != "LD_LIBRARY_PATH", Dict(ENV)))

expected = Dict{String,Int}()
body = String[]
say(name, value, c) = (expected[name] = value; push!(body, "printf(\"$name %lld\\n\", (long long)($c));"))
for c in constants
    say(string(c), getfield(LibArr, c), string(c))
end
for s in structs
    T = getfield(LibArr, s)
    say("sizeof.$s", sizeof(T), "sizeof($s)")
    for (i, f) in enumerate(fieldnames(T))
        say("$s.$f", fieldoffset(T, i), "offsetof($s, $f)")
    end
end

@test length(constants) > 100
@test length(structs) >= 4
mktempdir() do dir
    source, program = joinpath(dir, "layout.c"), joinpath(dir, "layout")
    write(source, "#include <arr/arr.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n$(join(body, "\n"))\nreturn 0; }\n")
    # Julia's own libraries come before the system's in the search path; a compiler must not meet them.
    cc = without_julias(`$(get(ENV, "CC", "cc")) -std=c99 -I$HEADERS $source -o $program`)
    run(cc)
    lines = [split(line) for line in eachline(without_julias(`$program`))]
    @test Dict(string(l[1]) => parse(Int, l[2]) for l in lines) == expected
end

@testset "every function is in the library" begin
    handle = LibArr.library()
    @test length(LibArr.FUNCTIONS) > 100
    @test filter(f -> Libdl.dlsym(handle, f; throw_error = false) === nothing, collect(LibArr.FUNCTIONS)) == Symbol[]
end

@testset "element types" begin
    for T in Arr.ELTYPES
        bytes = Ref{Int32}(0)
        name = Ref{Ptr{UInt8}}(C_NULL)
        @test LibArr.arr_dtype_info(Arr.dtype(T), name, bytes) == LibArr.ARR_OK
        @test bytes[] == sizeof(T)
        @test Arr.eltype_of(Arr.dtype(T)) === T
    end
    @test LibArr.arr_version() == LibArr.ARR_VERSION
end
