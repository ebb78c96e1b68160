# SPDX-License-Identifier: MIT
# devices.jl: choosing devices, MLDataDevices' names, preferences, scopes.

struct Layer{W,B}
    weights::W
    bias::B
    name::String
end
mutable struct State
    model::Any
    step::Int
end

struct Pinned{A<:AbstractMatrix}
    x::A
    n::Int
    Pinned(x::A) where {A} = new{A}(x, length(x))     # no constructor of all fields
end
struct Narrow
    x::Matrix{Float32}
end

# The command with changed variables; Base's addenv is younger than Julia 1.5.
function with_variables(command, changes...)
    all = Dict{String,String}(ENV)
    foreach(((k, v),) -> v === nothing ? delete!(all, k) : (all[k] = v), changes)
    setenv(command, all; dir = pwd())
end

@testset "devices" begin
    @test HOST in Arr.all_devices()
    @test Arr.device_count(:host) == 1
    @test !isempty(Arr.device_name(HOST))
    @test Arr.backend_report(:host).state === :working
    @test Arr.backend_report(:cuda).state in (:working, :broken, :absent)
    @test occursin("0.1", Arr.build_info())
    @test Arr.device!(() -> Arr.device(), HOST) == HOST
    @test Arr.device(ArrArray([1]; device = HOST)) == HOST
    @test_throws ArgumentError Arr.Device(:abacus)
    @test_throws Arr.ArrError Arr.zeros(2; device = Arr.Device(:cuda, 99))
    @test synchronize(HOST) === nothing
    @test sprint(show, HOST) == "Device(:host)"
end

@testset "moving" begin
    host = Arr.ArrDevice(HOST)
    cpu = cpu_device()
    w = rand(Float32, 2, 2)
    layer = Layer(w, [1.0], "first")
    moved = host((layer, (a = 1, b = [1 2]), Dict(:k => [3]), "text", 1:3, [w, w]))
    @test moved[1] isa Layer{ArrArray{Float32,2},ArrArray{Float64,1}}
    @test moved[1].name == "first"
    @test moved[2].b isa ArrArray{Int,2} && moved[2].a === 1
    @test moved[3][:k] isa ArrArray
    @test moved[4] == "text" && moved[5] === 1:3
    @test moved[6][1] === moved[6][2] === moved[1].weights       # one array stays one array
    back = cpu(moved)
    @test back[1].weights == w && back[1].weights isa Array
    @test back[2] == (a = 1, b = [1 2])
    state = host(State(layer, 3))
    @test state isa State && state.model.weights isa ArrArray && state.step == 3
    @test host(moved[1]) === moved[1]
    f = let w = w
        v -> sum(w) + v
    end
    @test host(f)(1) ≈ f(1)
    # Values that are not arrays stay as they are, and structures keep their structure.
    @test host(Set([1, 2])) == Set([1, 2]) && host(Set([[1.0]])) isa Set
    @test first(host(Set([[1.0]]))) isa ArrArray
    rng = Random.MersenneTwister(1)
    @test host((rng = rng, w = w)).rng === rng
    for W in (UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, Symmetric, Hermitian)
        m = host(W(w))
        @test m isa W{Float32,<:ArrArray} && cpu(m) == W(w) && cpu(m) isa W
    end
    @test host(Symmetric(w, :L)).uplo == 'L' && host(Diagonal([1.0, 2.0])) isa Diagonal{Float64,<:ArrArray}
    @test host(w') isa ArrArray && host(view(w, 1, :)) isa ArrArray && host(w .> 0) isa ArrArray{Bool}
    @test occursin("Tridiagonal", thrown(() -> host(Tridiagonal([1.0], [1.0, 2.0], [1.0])), ArgumentError))
    circle = Any[w]
    push!(circle, circle)
    @test occursin("itself", thrown(() -> host(circle), ArgumentError))
    knot = State(nothing, 1)
    knot.model = knot
    @test host(knot) === knot                                    # nothing to move
    knot.model = (knot, w)
    @test occursin("itself", thrown(() -> host(knot), ArgumentError))
    long = nothing
    foreach(i -> long = State(long, i), 1:100_000)
    @test host(long) === long
    @test host(Base.Fix2(+, w)) isa Base.Fix2 && host(Base.Fix2(+, w)).x isa ArrArray
    @test host(Pinned(w)).x isa ArrArray
    @test occursin("Narrow", thrown(() -> host(Narrow(w)), ArgumentError))
    @test Arr.get_device(moved[1].weights) == host
    @test functional(cpu) && functional(host) && !functional(Arr.ArrDevice(Arr.Device(:cuda, 99)))
end

@testset "the GPU" begin
    reset_gpu_device!()
    @test supported_gpu_backends() == ("CUDA",)
    if functional("CUDA")
        @test gpu_device(; force = true) isa Arr.ArrDevice
        @test Array(gpu_device()([1, 2]) .+ 1) == [2, 3]
    else
        @test occursin("no GPU", thrown(() -> gpu_device(; force = true), ArgumentError))
        @test (@test_logs (:warn,) gpu_device()) === cpu_device()
    end
    @test_throws ArgumentError functional("Abacus")
end

@testset "the device of a structure" begin
    a = ArrArray([1.0, 2])
    here = Arr.ArrDevice(HOST)
    for x in (a, (w = a,), (a, "text", [a]), Layer(a, 1, "l"), Dict(:k => a), Symmetric(ArrArray([1.0 2; 2 1])), view(a, [1]))
        @test Arr.get_device(x) == here
    end
    @test Arr.get_device((w = [1.0],)) == cpu_device() && Arr.get_device((1, "text", nothing)) === nothing
    @test occursin("one device", thrown(() -> Arr.get_device((a, [1.0])), ArgumentError))
end

@testset "preferences" begin
    mktempdir() do dir
        work = mkdir(joinpath(dir, "work"))
        cd(work) do
            @test Arr.preferences_file(nothing) == joinpath(pwd(), "LocalPreferences.toml")
            @test Arr.preferences_file(joinpath(dir, "Project.toml")) == joinpath(dir, "LocalPreferences.toml")
            # A process without a project, in which Arr is a package of a folder, as where it is installed.
            packages = mkdir(joinpath(dir, "packages"))
            symlink(dirname(dirname(pathof(Arr))), joinpath(packages, "Arr"))
            run(with_variables(`$(Base.julia_cmd()) --startup-file=no -e 'using Arr; gpu_backend!("CUDA")'`,
                               "JULIA_LOAD_PATH" => packages * ":@stdlib", "JULIA_PROJECT" => nothing))
        end
        @test readdir(work) == ["LocalPreferences.toml"] && readdir(dir) == ["packages", "work"]
    end
    mktempdir() do dir
        file = joinpath(dir, "LocalPreferences.toml")
        write(file, "[Other]\ngpu_backend = \"Metal\"\n\n[Arr] # ours\nverbose = true\n")
        @test Arr.preferred_backend(file) === nothing
        gpu_backend!("CUDA"; file = file)
        gpu_backend!("CUDA"; file = file)
        @test Arr.preferred_backend(file) == "CUDA"
        @test read(file, String) == "[Other]\ngpu_backend = \"Metal\"\n\n[Arr] # ours\ngpu_backend = \"CUDA\"\nverbose = true\n"
        gpu_backend!(; file = file)
        @test Arr.preferred_backend(file) === nothing
        @test occursin("Metal", read(file, String))
        gpu_backend!("cuda"; file = joinpath(dir, "new.toml"))
        @test Arr.preferred_backend(joinpath(dir, "new.toml")) == "cuda"
        @test_throws ArgumentError gpu_backend!("Abacus"; file = file)
    end
end

@testset "a block frees what it made" begin
    outside = ArrArray([1.0, 2.0])
    sum(outside .+ 1)  # keeps the expression of this broadcast, which outlives the block
    GC.gc()
    leak, others, n = Ref{Any}(), Ref{Any}(), LibArr.arr_live_handles()
    result = devices(; nmax = 1, status = :all) do devlist
        @test length(devlist) == 1
        leak[] = ArrArray(rand(100))
        view(leak[], 1:2)
        m = Arr.RawModule("extern \"C\" __global__ void f() {}")
        others[] = (m, m["f"], Arr.Stream(), Arr.Event(), Arr.Texels(Float32, 4),
                    Arr.ElementwiseKernel("T x", "T y", "y = x"))
        sum(outside .+ 1)
    end
    @test result == 5
    @test_throws Arr.HandleError sum(leak[])
    @test_throws Arr.HandleError synchronize(others[][3])
    @test_throws Arr.HandleError synchronize(others[][4])
    @test_throws Arr.HandleError others[][1]["f"]
    @test_throws Arr.HandleError others[][2](; threads = 1)
    GC.gc()  # a function that was defined since has emptied the list of expressions
    @test LibArr.arr_live_handles() == n
    @test sum(outside) == 3
    @test_throws ErrorException devices(devlist -> error("from the block"))
    @test_throws ArgumentError devices(devlist -> 1; filter = d -> false)
    @test_throws ArgumentError devices(; status = :shiny)
    @test devices(; nmax = 0) == []
    @test devices(l -> length(l), d -> true; nmax = 1) == 1
    @test_throws ArgumentError devices(l -> length(l), d -> false; nmax = 1)
    @test devices(; timeout = 5) == devices()             # no wait where there is one
    @test HOST in Arr.device_list() && Arr.device_list(; type = :host) == [HOST]
    @test Arr.device_list(; type = :host, compute = 10) == Arr.device_list(; name = "no such name") == []
    @test Arr.device_list(; type = :host, name = first(split(Arr.device_name(HOST)))) == [HOST]
    @test Arr.device_list(; type = :host, memory_bytes = 1, free_bytes = 1) == [HOST]
    from, later = time(), Ref(false)
    other = @async (sleep(0.05); later[] = true)          # runs while this one waits
    @test Arr.device_list(; memory_bytes = typemax(Int), timeout = 0.3) == [] && time() - from >= 0.3 && later[]
    tries = Ref(0)
    @test length(devices(; filter = d -> (tries[] += 1) > 2, timeout = 60)) == 1 && tries[] == 3
    wait(other)
    @test works()
end

@testset "devices by their type" begin
    for a in (Arr.zeros(2; device = :host), ArrArray([1, 2]; device = :host), ArrArray{Int}(undef, 2; device = :host),
              Arr.fill(1, 2; device = :host), Arr.rand(2; device = :host), Arr.tri(2; device = :host), Arr.hanning(3; device = :host))
        @test Arr.device(a) == HOST
    end
    @test Arr.device!(() -> Arr.device(), :host) == HOST
    @test Arr.Stream(:host) isa Arr.Stream && Arr.fft_cache(:host) == Arr.fft_cache(HOST)
    for f in (Arr.device_name, Arr.device_info, Arr.pci_bus_id, Arr.device_uuid, d -> keys(Arr.memory_info(d)), d -> keys(Arr.pool_info(d)),
              synchronize, Arr.trim_memory, Arr.allocator, Arr.priority_range, d -> keys(Arr.benchmark(() -> 1, d; repeats = 1)),
              d -> Arr.memory_limit!(0, d), Arr.reset_peak_memory!, d -> Arr.prefetch!(Arr.zeros(2; device = d), d) isa ArrArray)
        @test f(:host) == f(HOST)
    end
    @test occursin(":host or :cuda", thrown(() -> Arr.zeros(2; device = :gpu), ArgumentError))
end
