# SPDX-License-Identifier: MIT
# processes.jl: memory and events of other processes, the vendor's libraries, page-locked and managed memory: on a GPU, or
# on the fake CUDA that stands for one; the host refuses.

@testset "other processes, the vendor's libraries" begin
    a = Arr.ones(100; device = HOST)
    @test occursin("Arr.ipc_export: ", thrown(() -> Arr.ipc_export(a), Arr.UnsupportedError))
    @test occursin("Arr.ipc_import: ", thrown(() -> Arr.ipc_import(zeros(UInt8, 64), HOST), ArgumentError))
    @test_throws Arr.UnsupportedError Arr.ipc_export(Arr.Event(HOST))
    @test_throws ArgumentError Arr.ipc_import(Arr.Event, zeros(UInt8, 64), HOST)
    @test occursin("Arr.library_function: ", thrown(() -> Arr.library_function(:cublas, "cublasSgemm_v2", HOST), Arr.UnsupportedError))
    @test_throws Arr.UnsupportedError Arr.library_version(:driver, HOST)
    @test_throws Arr.UnsupportedError Arr.library_handle(:cusolver, HOST)
    @test_throws ArgumentError Arr.library_version(:cudnn, HOST)
    if Arr.device_count(:cuda) > 0
        gpu = Arr.Device(:cuda)
        b = Arr.ones(100; device = gpu)
        @test length(Arr.ipc_export(b)) > 0
        @test_throws Arr.UnsupportedError Arr.ipc_import(Arr.ipc_export(b), HOST)
        e = Arr.Event(gpu; shared = true)
        @test length(Arr.ipc_export(e)) > 0
        @test Arr.library_version(:driver, gpu) >= v"12"
        @test Arr.library_function(:driver, "cuInit", gpu) != C_NULL
        @test occursin("cuNothing", thrown(() -> Arr.library_function(:driver, "cuNothing", gpu), ArgumentError))
        s = Arr.Stream(gpu)
        @test Arr.stream!(() -> Arr.library_handle(:cublas, gpu), s) != C_NULL
        @test Array(Arr.plan_fft(b) * b)[1] == 100
    end
end

@testset "page-locked memory of Julia" begin
    x = rand(Float32, 5000)
    if Arr.device_count(:cuda) > 0
        @test Arr.with_pinned(() -> Arr.ispinned(Arr.wrap(x)), x)
        @test_throws ErrorException Arr.with_pinned(() -> error("mine"), x)
        @test Arr.with_pinned(() -> 7, x) == 7      # a failure has unlocked it
        h = HostArray(Float32, 10; mapped = true)
        @test Arr.device_pointer(h) != C_NULL
    else
        @test_throws Arr.UnavailableError Arr.with_pinned(() -> 7, x)
        @test_throws Arr.ArrError Arr.device_pointer(HostArray(Float32, 10; mapped = true))
    end
end

@testset "managed memory of a GPU" begin
    if Arr.device_count(:cuda) > 0
        gpu = Arr.Device(:cuda)
        a = Arr.ones(100; device = gpu)
        @test !Arr.ismanaged(a)
        @test_throws ArgumentError Arr.prefetch!(a, gpu)
        Arr.allocator!(:managed, gpu)
        b = try
            Arr.ones(100; device = gpu)
        finally
            Arr.allocator!(:pool, gpu)
        end
        @test Arr.ismanaged(b)
        Arr.advise!(b, :prefer, gpu)
        @test sum(Arr.prefetch!(b, HOST)) == 100
    else
        @test_throws Arr.ArrError Arr.allocator!(:managed, Arr.Device(:cuda))
    end
end
