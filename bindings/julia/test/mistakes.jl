# SPDX-License-Identifier: MIT
# mistakes.jl: the rows of the guide's table of mistakes: what each throws, its text, and that the code it gives instead runs.

const GUIDE = joinpath(HERE, "..", "..", "..", "docs", "guides", "julia.md")
const MAX_LINES = 9

# The rows of the table under a heading: the cells of each.
function rows_under(heading)
    section = split(split(read(GUIDE, String), "\n## $heading\n")[2], "\n## ")[1]
    [split(strip(line, ['|', ' ']), " | ") for line in split(section, '\n') if startswith(line, "| `")]
end
code(cell) = strip(cell, '`')

# A module with the arrays of the table.
function setting()
    m = Module()
    Core.eval(m, :(using Arr, LinearAlgebra, Statistics))
    Core.eval(m, :((a, v, n, x) = (ArrArray([1.0 2; 3 4]), ArrArray([3.0, 1, 2]), ArrArray([3, 1, 2]), [1.0, 2, 3])))
    m
end

# The text of what code throws, which must be of a type; it names the user's functions, and is short.
function complaint(code, type)
    e = try include_string(setting(), code); nothing catch e e end
    e isa LoadError && (e = e.error)
    @test e isa Core.eval(setting(), Meta.parse(type))
    text = sprint(showerror, e)
    @test !occursin("arr_", text) && count(==('\n'), text) < MAX_LINES
    text
end

mistakes = rows_under("Mistakes")
@testset "$(code(mistake))" for (mistake, says, instead) in mistakes
    type, text = match(r"^`([\w.]+)`: (.*)$", says).captures
    type == "TraceError" || type == "ScalarIndexingError" ? (type = "Arr." * type) : type
    got = complaint(code(mistake), type)
    occursin(text, got) || println(got)
    @test occursin(text, got)
    @test include_string(setting(), code(instead)) !== nothing
end

@testset "texts name Julia's functions" begin
    @test length(mistakes) >= 20 && works()
    @test Arr.in_julia_words("arr_softmax: argument axes: axis 1 of an array with 1 dimensions") ==
        "Arr.softmax: argument dims: dimension 2 of an array with 1 dimensions"
    @test Arr.in_julia_words("arr_add_into: argument b: no") == "+: argument b: no" && Arr.in_julia_words("text") == "text"
    @test startswith(thrown(() -> rand!(Arr.Generator(1), ArrArray([1, 2]), 3:2), ArgumentError), "ArgumentError: ")
    @test occursin("draw!: :gamma has 2 parameters, got 1", thrown(() -> Arr.draw!(:gamma, ArrArray([1.0]), 2), ArgumentError))
    @test occursin(":gama is no distribution", thrown(() -> Arr.draw!(:gama, ArrArray([1.0])), ArgumentError))
    @test_throws ArgumentError cumsum(ArrArray([1 2]); dims = 0)
end
