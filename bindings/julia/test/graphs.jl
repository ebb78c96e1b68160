# SPDX-License-Identifier: MIT
# graphs.jl: captured work runs when it is launched, on the same memory, and a capture always ends.

const STREAM = Arr.Stream(HOST)

@testset "a time step many times" begin
    x = ArrArray([1.0, 2.0, 4.0]; device = HOST)
    graph, total = Arr.capture(STREAM) do
        @test Arr.details(STREAM).capturing
        x .= x .+ 1
        sum(x; dims = 1)
    end
    @test !Arr.details(STREAM).capturing
    @test Array(x) == [1, 2, 4]                    # nothing has run
    Arr.upload(graph)
    for _ in 1:1000
        Arr.launch(graph, STREAM)
    end
    synchronize(STREAM)
    @test Array(x) == [1001, 1002, 1004]
    @test Array(total) == [3007]
    copyto!(x, [0.0, 0.0, 0.5])
    Arr.launch(graph)                              # in another stream, with inputs read anew
    @test Array(total) == [3.5]
    Arr.unsafe_free!(graph)
    @test_throws Arr.HandleError Arr.launch(graph)
end

@testset "updated and written" begin
    a, b = ArrArray([1.0, 2.0]; device = HOST), ArrArray([10.0, 20.0]; device = HOST)
    graph, first = Arr.capture(() -> a .+ b, STREAM)
    Arr.launch(graph)
    second = Arr.update!(() -> b .* b, graph, STREAM)
    Arr.launch(graph)
    @test (Array(first), Array(second)) == ([11, 22], [100, 400])
    mktempdir() do folder
        path = joinpath(folder, "graph.dot")
        Arr.write_dot(path, graph)
        @test occursin("digraph", read(path, String)) && occursin("multiply", read(path, String))
    end
    @test_throws Arr.UnsupportedError pointer(graph)
end

@testset "a fork, $how" for (how, after) in
                            (("by events", (s, first) -> wait(s, Arr.record!(Arr.Event(HOST), first))), ("by streams", wait))
    x, other = ArrArray([1.0, 2.0]; device = HOST), Arr.Stream(HOST)
    graph, (doubled, squares) = Arr.capture(STREAM) do
        after(other, STREAM)
        @test Arr.details(other).capturing
        squares = Arr.stream!(() -> x .* x, other)
        doubled = x .+ x
        after(STREAM, other)
        doubled, squares
    end
    @test !Arr.details(other).capturing
    copyto!(x, [3.0, 4.0])
    Arr.launch(graph, STREAM)
    @test (Array(doubled), Array(squares)) == ([6, 8], [9, 16])
    @test_throws ArgumentError Arr.capture(() -> after(other, STREAM), STREAM)
    @test !Arr.details(other).capturing
end

@testset "a capture ends" begin
    a = ArrArray(ones(4); device = HOST)
    @test_throws ErrorException Arr.capture(() -> (a .+ 1; error("mine")), STREAM)
    @test !Arr.details(STREAM).capturing
    @test_throws ArgumentError Arr.capture(() -> Array(a .+ 1), STREAM)   # nothing has run
    @test !Arr.details(STREAM).capturing
    graph, b = Arr.capture(() -> a .+ 1, STREAM)
    @test_throws Arr.UnsupportedError Arr.capture(() -> Arr.launch(graph), STREAM)
    @test_throws ErrorException Arr.update!(() -> error("mine"), graph, STREAM)
    Arr.launch(graph)                              # as it was
    @test Array(b) == fill(2.0, 4)
    @test works()
end
