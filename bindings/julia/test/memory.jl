# SPDX-License-Identifier: MIT
# memory.jl: use after free, the collector under a limit, running out of memory.

const MiB = 2^20

@testset "use after free" begin
    a = ArrArray([1.0, 2.0, 3.0])
    v = view(a, 2:3)
    Arr.unsafe_free!(a)
    for use in (() -> sum(a), () -> Array(a), () -> a .+ 1, () -> copy(a), () -> view(a, 1:2), () -> pointer(a))
        @test occursin("freed", thrown(use, Arr.HandleError))
    end
    @test Array(v) == [2, 3]
    @test Arr.unsafe_free!(a) === nothing
    @test occursin("freed", sprint(show, MIME"text/plain"(), a))
    @test works()
end

function with_limit(f, bytes)
    GC.gc()
    Arr.memory_limit!(bytes, HOST)
    try
        f()
    finally
        Arr.memory_limit!(0, HOST)
    end
end

@testset "10,000 arrays under a limit" begin
    with_limit(256MiB) do
        last = 0.0
        for i in 1:10_000
            a = Arr.fill(Float64(i), MiB ÷ 8; device = HOST)     # 1 MiB each: ten gigabytes in all
            last = i % 1000 == 0 ? sum(a) : last
        end
        @test last == 10_000 * (MiB ÷ 8)
        @test Arr.memory_info(HOST).peak <= 256MiB
        for i in 1:2_000                                          # and by operators, which make them unseen
            b = Arr.ones(MiB ÷ 8; device = HOST) .+ i
        end
    end
    @test works()
end

@testset "out of memory" begin
    with_limit(64MiB) do
        held = []
        text = thrown(Arr.MemoryError) do
            for i in 1:100
                push!(held, Arr.zeros(MiB ÷ 8; device = HOST))
            end
        end
        @test startswith(text, "Arr.MemoryError: Arr.fill: ")
        @test 16 <= length(held) <= 64
        Arr.unsafe_free!(pop!(held))
        @test all(a -> sum(a) == 0, held)                         # the former contents are intact
        empty!(held)
        @test sum(Arr.ones(4 * MiB ÷ 8; device = HOST)) == 4 * MiB ÷ 8   # and room comes back by itself
    end
    @test_throws Arr.MemoryError Arr.zeros(2^50)
    @test_throws Union{Arr.MemoryError,DimensionMismatch} ArrArray{Float64}(undef, 2^62, 2^62)
    @test works()
end

# Temporaries that nobody refers to are collected though the machine has room: what Julia sees of each is a few words.
@testset "temporaries are collected" begin
    GC.gc()
    Arr.trim_memory(HOST)
    start, before = Arr.memory_info(HOST).in_use, Arr.COLLECTIONS.count
    peak = 0
    for i in 1:30
        a = Arr.ones(12_500_000; device = HOST) .+ i              # 200 MB
        peak = max(peak, Arr.memory_info(HOST).in_use - start)
    end
    @test peak < 1536MiB
    @test 1 <= Arr.COLLECTIONS.count - before <= 30
    # Live objects are kept, and the limit rises only as they grow.
    before = Arr.COLLECTIONS.count
    held = [Arr.ones(2^20 ÷ 8; device = HOST) for _ in 1:1000]    # 1 GB
    @test Arr.COLLECTIONS.count - before <= 12
    @test all(a -> sum(view(a, 1:10)) == 10, held)
    for i in 1:100
        Arr.ones(2^20 ÷ 8; device = HOST)
    end
    @test Arr.COLLECTIONS.count - before <= 14
end

# The same in a process that has little: an address space, a control group.
const LOOP = """
    using Arr
    for i in 1:60
        a = Arr.ones(10_000_000; device = Arr.Device(:host)) .+ i
    end
    print("collected")
    """
loop_of_temporaries() = `$(Base.julia_cmd()) --startup-file=no --project=$(Base.active_project()) -e $LOOP`
succeeds(command) = (out = IOBuffer(); p = run(pipeline(ignorestatus(command); stdout = out)); (success(p), String(take!(out))))

@testset "temporaries in a small address space" begin
    @test succeeds(`bash -c 'ulimit -v 6000000; exec "$@"' bash $(loop_of_temporaries())`) == (true, "collected")
end

# A control group of this process with that limit of bytes, or nothing where none can be made.
function small_group(bytes)
    for (root, limit) in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"))
        isfile(joinpath(root, "cgroup.procs")) || continue
        folder = joinpath(root, "arr_julia_$(getpid())")
        try
            mkdir(folder)
            isfile(joinpath(folder, limit)) || error("no limit")
            write(joinpath(folder, limit), string(bytes))
            return folder
        catch
            isdir(folder) && rm(folder; force = true)
        end
    end
    nothing
end
@testset "temporaries in a small control group" begin
    folder = small_group(1200MiB)
    if folder === nothing
        println("skipped: no control group can be made here")
        @test_skip false
    else
        try
            command = `sh -c 'echo $$ > "$1"/cgroup.procs && shift && exec "$@"' sh $folder $(loop_of_temporaries())`
            @test succeeds(command) == (true, "collected")
        finally
            # The group is busy until the system has cleaned up after the process.
            timedwait(() -> (try; rm(folder); catch; end; !isdir(folder)), 10.0)
        end
    end
end

# The cost of a view does not grow with the arrays that are alive.
@testset "many arrays alive" begin
    a = Arr.ones(10; device = HOST)
    time_of_views() = minimum(@elapsed(foreach(_ -> view(a, 2:3), 1:20)) for _ in 1:20)
    view(a, 2:3)
    few = time_of_views()
    held = [Arr.ones(1; device = HOST) for _ in 1:30_000]
    GC.gc()
    @test time_of_views() < 5few
    @test length(held) == 30_000
end

@noinline function churn()
    for i in 1:100
        a = ArrArray(rand(10, 10))
        b = sin.(a') .+ view(a, 1:10, 10:-1:1)
        sum(b; dims = 1), maximum(b), a == b
        try
            a .+ ArrArray(rand(3))
        catch
        end
    end
end
@testset "no handle is left behind" begin
    GC.gc()
    before = LibArr.arr_live_handles()
    churn()
    GC.gc()
    @test LibArr.arr_live_handles() <= before
end

@testset "statistics" begin
    a = Arr.zeros(MiB ÷ 8; device = HOST)
    m = Arr.memory_info(HOST)
    @test m.in_use >= MiB
    @test m.peak >= m.in_use
    Arr.unsafe_free!(a)
    @test Arr.memory_info(HOST).in_use <= m.in_use - MiB
    Arr.trim_memory(HOST)
    @test Arr.memory_info(HOST).cached == 0
end

@testset "pool" begin
    Arr.reset_peak_memory!(HOST)
    before = Arr.pool_info(HOST)
    a = Arr.zeros(MiB ÷ 8; device = HOST)
    m = Arr.pool_info(HOST)
    @test m.in_use >= before.in_use + MiB
    @test m.peak >= m.in_use && m.reserved >= m.in_use
    @test m.allocations == before.allocations + 1
    Arr.unsafe_free!(a)
    Arr.memory_limit!(fraction = 0.5, device = HOST)
    @test Arr.pool_info(HOST).limit == Arr.memory_info(HOST).total ÷ 2
    Arr.memory_limit!(0, HOST)
    @test_throws ArgumentError Arr.memory_limit!(fraction = 2, device = HOST)
end

@testset "memory hooks" begin
    x, table = Arr.memory_profile(() -> Arr.zeros(1000; device = HOST))
    @test occursin(r"arr_zeros 1 8000 8000 8000|arr_\w+ 1 8000 8000 8000", table)
    mktempdir() do folder
        path = joinpath(folder, "log")
        Arr.memory_debug(() -> Arr.unsafe_free!(Arr.zeros(1000; device = HOST)), path)
        lines = readlines(path)
        @test startswith(lines[1], "alloc 8000 bytes on host")
        @test any(startswith("free 8000 bytes on host"), lines)
    end
    @test sum(x) == 0
end

# The library calls this. Small arrays come and go on this thread alone, so that Julia's functions will do here.
told(ctx::Ptr{Int64}, event::Int32, type::Int32, ::Int32, bytes::Int64, ::Ptr{Cvoid}, ::Ptr{UInt8})::Cvoid =
    (unsafe_store!(ctx, unsafe_load(ctx, event) + type * bytes, event); nothing)
dropped(ctx::Ptr{Int64})::Cvoid = (unsafe_store!(ctx, unsafe_load(ctx, 3) + 1, 3); nothing)
function give_memory(ctx::Ptr{Int64}, bytes::Int64, ::Int32, ::Ptr{Cvoid}, out::Ptr{Ptr{Cvoid}})::Int32
    unsafe_store!(ctx, unsafe_load(ctx, 1) + bytes, 1)
    bytes > MiB ? Int32(77) : ccall(:posix_memalign, Cint, (Ptr{Ptr{Cvoid}}, Csize_t, Csize_t), out, 256, bytes)
end
function take_memory(ctx::Ptr{Int64}, data::Ptr{Cvoid}, bytes::Int64, ::Int32, ::Ptr{Cvoid})::Cvoid
    unsafe_store!(ctx, unsafe_load(ctx, 2) + bytes, 2)
    Libc.free(data)
end
const DROPPED = @cfunction(dropped, Cvoid, (Ptr{Int64},))

@testset "functions that are told of memory" begin
    hook = @cfunction(told, Cvoid, (Ptr{Int64}, Int32, Int32, Int32, Int64, Ptr{Cvoid}, Ptr{UInt8}))
    GC.gc()
    books = zeros(Int64, 3)                     # allocated, freed, dropped
    GC.@preserve books begin
        value = Arr.memory_hook(hook; ctx = Ptr{Cvoid}(pointer(books)), drop = DROPPED) do
            Arr.unsafe_free!(Arr.zeros(1000; device = HOST))
            7
        end
        @test (value, books) == (7, [8000, 8000, 1])
        Arr.unsafe_free!(Arr.zeros(1000; device = HOST))
        @test_throws ErrorException Arr.memory_hook(() -> error("mine"), hook; ctx = Ptr{Cvoid}(pointer(books)), drop = DROPPED)
        @test books == [8000, 8000, 2]
    end
    @test_throws ArgumentError Arr.memory_hook(() -> nothing, C_NULL)
end

@testset "allocators" begin
    @test Arr.allocator(HOST) === :pool
    for kind in (:direct, :managed, :pool)
        Arr.allocator!(kind, HOST)
        @test Arr.allocator(HOST) === kind
        @test sum(Arr.ones(1000; device = HOST)) == 1000
    end
    @test occursin("the host has no driver", thrown(() -> Arr.allocator!(:stream_ordered, HOST), Arr.UnsupportedError))
    @test_throws ArgumentError Arr.allocator!(:external, HOST)
    allocate = @cfunction(give_memory, Int32, (Ptr{Int64}, Int64, Int32, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}))
    free = @cfunction(take_memory, Cvoid, (Ptr{Int64}, Ptr{Cvoid}, Int64, Int32, Ptr{Cvoid}))
    GC.gc()
    books = zeros(Int64, 3)
    GC.@preserve books begin
        Arr.allocator!(allocate, free, HOST; drop = DROPPED, ctx = Ptr{Cvoid}(pointer(books)))
        @test Arr.allocator(HOST) === :external
        a = Arr.ones(1000; device = HOST)
        @test books[1] >= 8000 && books[2] < books[1]
        @test occursin("status 77", thrown(() -> Arr.zeros(MiB; device = HOST), Arr.MemoryError))
        Arr.allocator!(:pool, HOST)
        @test books[3] == 0                     # a still has memory of it
        @test sum(a) == 1000
        Arr.unsafe_free!(a)
        @test books[3] == 1
    end
    @test Arr.allocator(HOST) === :pool && works()
end

@noinline function use_pinned(books)
    h = HostArray(Float64, 1000)
    @test books[1] >= 8000 && books[2] == 0
    @test occursin("with status 77", thrown(() -> HostArray(Float64, MiB), Arr.MemoryError))
    Arr.pinned_allocator!(nothing)
    h[1000] = 7
    @test books[3] == 0 && h[1000] == 7         # h still has memory of it
end

@testset "an allocator of page-locked memory" begin
    allocate = @cfunction(give_memory, Int32, (Ptr{Int64}, Int64, Int32, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}))
    free = @cfunction(take_memory, Cvoid, (Ptr{Int64}, Ptr{Cvoid}, Int64, Int32, Ptr{Cvoid}))
    GC.gc()
    books = zeros(Int64, 3)
    GC.@preserve books begin
        @test Arr.pinned_allocator!(allocate, free; drop = DROPPED, ctx = Ptr{Cvoid}(pointer(books))) === nothing
        use_pinned(books)
        for _ in 1:3
            GC.gc()
        end
        @test books[3] == 1
    end
end

logged(ctx::Ptr{Int64}, level::Int32, line::Ptr{UInt8})::Cvoid =
    (unsafe_store!(ctx, unsafe_load(ctx, 1) + occursin("is chosen", unsafe_string(line)) * level, 1); nothing)

@testset "the log" begin
    log = @cfunction(logged, Cvoid, (Ptr{Int64}, Int32, Ptr{UInt8}))
    choose() = LibArr.arr_device_select(Int32(0), Ref(Arr.Device(:host)))
    books = zeros(Int64, 3)
    GC.@preserve books begin
        ctx = Ptr{Cvoid}(pointer(books))
        @test Arr.log!(log; drop = DROPPED, ctx) === nothing
        choose()
        @test books == [LibArr.ARR_LOG_INFO, 0, 0]
        Arr.log!(log; level = :warning, drop = DROPPED, ctx)
        choose()
        @test books == [LibArr.ARR_LOG_INFO, 0, 1]
        @test_throws ArgumentError Arr.log!(log; level = :loud)
        Arr.log!(nothing)
        @test books == [LibArr.ARR_LOG_INFO, 0, 2]
    end
end

@testset "size classes" begin
    a = Arr.zeros(UInt8, 300_000; device = HOST)
    i = findfirst(c -> c.largest >= 300_000, Arr.pool_classes(HOST))
    before = Arr.pool_classes(HOST)[i]
    @test before.blocks >= 1 && before.bytes >= 300_000
    Arr.unsafe_free!(a)
    after = Arr.pool_classes(HOST)[i]
    @test (after.allocations, after.blocks) == (before.allocations, before.blocks - 1)
end

@testset "bytes by address" begin
    x, y = UInt8[1, 2, 3, 4], zeros(UInt8, 4)
    GC.@preserve x y begin
        Arr.unsafe_copy_bytes!(pointer(y), pointer(x), 4, :from_host, HOST)
        @test y == x
        Arr.unsafe_set_bytes!(pointer(y), 7, 2, HOST)
        synchronize(HOST)
        @test y == [7, 7, 3, 4]
        Arr.unsafe_copy_bytes!(pointer(y), pointer(x), 4, :on_device, HOST; async = true)
        synchronize(HOST)
        @test y == x
        @test_throws ArgumentError Arr.unsafe_set_bytes!(pointer(y), 256, 2, HOST)
        @test_throws ArgumentError Arr.unsafe_copy_bytes!(pointer(y), pointer(x), 4, :sideways, HOST)
    end
end

@testset "managed memory, columns at a pitch" begin
    a = Arr.ones(10; device = HOST)
    @test Arr.ismanaged(a)
    @test Arr.prefetch!(a, HOST) === a && Arr.advise!(a, :read_mostly, HOST) === a
    @test_throws ArgumentError Arr.advise!(a, :hurry, HOST)
    p = Arr.pitched(5, 3; device = HOST)
    @test p isa ArrStrided{Float64,2} && size(p) == (5, 3) && strides(p) == (1, 8)
    fill!(p, 2)
    @test Array(p) == fill(2.0, 5, 3)
    @test size(Arr.pitched(Float32, 7; device = HOST)) == (7,)
end

@testset "what devices and streams are" begin
    p = Arr.device_info(HOST)
    @test p.memory_bytes > 0 && p.multiprocessors > 0 && p.compute_major === nothing
    @test Arr.pci_bus_id(HOST) == "" && Arr.device_uuid(HOST) == ""
    @test_throws Arr.UnsupportedError Arr.device_attribute("WARP_SIZE", HOST)
    @test Arr.priority_range(HOST) == (0, 0)
    @test Arr.details(Arr.Stream(HOST; blocking = true)) == (blocking = true, priority = 0, capturing = false)
end

@testset "allocations of a small broadcast" begin
    # A kept expression needs the leaves of the call, the result and its size; a trace would be tens of thousands of bytes.
    a, b = Arr.zeros(Float32, 16; device = HOST), Arr.zeros(Float32, 16; device = HOST)
    spent(f) = (f(); minimum([@allocated(f()) for _ in 1:20]))
    @test spent(() -> (b .= a .* a .+ 1f0; nothing)) < 2000
    @test spent(() -> (unsafe_free!(a .* a .+ 1f0); nothing)) < 2000
end

@testset "small arrays that nobody refers to are few" begin
    a = ArrArray([1.0, 2.0])
    a .+ 1
    young = Arr.YOUNG
    GC.gc()
    young.made, young.step, young.slow = 0, Arr.MIN_YOUNG, 0
    before, peak, steps = LibArr.arr_live_handles(), 0, 0
    for i in 1:60_000
        a .+ 1
        steps = max(steps, young.step)
        peak = max(peak, LibArr.arr_live_handles() - before)
    end
    # Each collection finds all that were made since the last one.
    @test peak <= 2 * steps
    @test steps < 60_000
    @test Arr.next_step(4096, 0) == 2048 && Arr.next_step(2048, 0) == 2048      # sooner again, but not at once
    @test Arr.next_step(4096, 1) == 4096 && Arr.next_step(4096, 2) == 8192
    @test Arr.next_step(Arr.MAX_YOUNG, 9) == Arr.MAX_YOUNG
end

@testset "nor are large ones" begin
    a, mib = Arr.zeros(2^17; device = HOST), 2^20
    young = Arr.YOUNG
    GC.gc()
    young.made, young.step, young.slow = 0, Arr.MIN_YOUNG, 0
    before, peak, steps = Arr.memory_info(HOST).in_use, 0, 0
    for i in 1:2000
        a .+ 1
        steps = max(steps, young.step)
        peak = max(peak, Arr.memory_info(HOST).in_use - before)
    end
    @test peak <= 2 * steps * Arr.BYTES_OF_ONE + 4mib && steps < 2000 * mib ÷ Arr.BYTES_OF_ONE
    young.made = 0
    foreach(_ -> reshape(a, 2, :), 1:100)           # the memory is that of a
    @test young.made < 200
end
