# SPDX-License-Identifier: MIT
# profile.jl: traces, ranges, benchmarks, profilers; limits; page-locked memory.

@testset "traces" begin
    a = ArrArray(ones(Float32, 100); device = HOST)
    mktempdir() do folder
        path = joinpath(folder, "trace.json")
        Arr.trace(path) do
            Arr.profiled(HOST) do
                Arr.ranged("outer") do
                    a .* a
                    Arr.mark("a point")
                    Arr.mark("a red point"; color = 0xffff0000)
                    shared = Arr.start_range("shared"; color = 0xff00ff00)
                    Arr.end_range(shared)
                    @test Arr.ranged(() -> 7, "green"; color = 0xff00ff00) == 7
                end
            end
        end
        json = read(path, String)
        @test occursin("\"name\":\"outer\"", json) && occursin("\"name\":\"a point\"", json)
        @test all(occursin("\"name\":\"$name\"", json) for name in ("a red point", "shared", "green"))
        @test_throws ErrorException Arr.ranged(() -> error("mine"), "failing")
        @test_throws ErrorException Arr.profiled(() -> error("mine"), HOST)
        @test_throws ArgumentError Arr.@check LibArr.arr_range_pop()   # none is left open
    end
end

@testset "benchmarks" begin
    a, runs = ArrArray(ones(Float32, 1000); device = HOST), 0
    r = Arr.benchmark(HOST; repeats = 20, warmup = 5, seconds = 100) do
        runs += 1
        a .= a .* 1
    end
    @test (runs, r.repeats) == (25, 20)
    @test 0 < r.host.min <= r.host.median <= r.host.max
    @test 0 <= r.device.min <= r.device.mean <= r.device.max
    @test thrown(() -> Arr.benchmark(() -> error("mine"), HOST; warmup = 0), ErrorException) == "mine"
    @test_throws ArgumentError Arr.benchmark(() -> nothing, HOST; repeats = 0)
    @test_throws ArgumentError Arr.benchmark(() -> nothing, HOST; warmup = -1)
    @test works()
end

@testset "limits" begin
    @test_throws Arr.UnsupportedError Arr.device_limit(:stack_bytes, HOST)
    @test_throws ArgumentError Arr.device_limit!(:heap_bytes, -1, HOST)
    @test_throws ArgumentError Arr.device_limit(:no_such_limit, HOST)
end

@testset "page-locked memory" begin
    h = HostArray(Float32, 3, 4; mapped = true)
    h .= reshape(1:12, 3, 4)
    @test Array(h) == reshape(1:12, 3, 4)
    a = ArrArray{Float32}(undef, 3, 4)
    copyto!(a, h)
    @test Array(a) == Array(h)
    @test !Arr.ispinned(ArrArray(ones(3); device = HOST))
    if Arr.ispinned(h)
        @test Arr.pinned_info().in_use >= 48
        Arr.pinned_limit!(4096)
        @test_throws Arr.MemoryError HostArray(UInt8, 2^20)
    else
        @test_throws Arr.UnavailableError HostArray(Float32, 3; required = true)
        @test Arr.pinned_info().in_use == 0
    end
    Arr.pinned_limit!(0)
    Arr.trim_pinned()
    @test works()
end
