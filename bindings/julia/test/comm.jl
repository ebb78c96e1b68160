# SPDX-License-Identifier: MIT
# comm.jl: collective operations and messages: of several ranks of this thread, and of a task per rank.

on_host(x) = ArrArray(x; device = HOST)

# A task for each rank.
function on_ranks(work, n)
    tasks = map(c -> (@async work(c, Arr.comm_info(c).rank)), Arr.local_comms(n, HOST))
    map(fetch, tasks)
end

@testset "collectives" begin
    results = on_ranks(3) do c, r
        mine = on_host(Float64[r, 2r])
        all, part, turned = on_host(zeros(6)), on_host(zeros(2)), on_host(zeros(3))
        Arr.all_gather!(all, mine, c)
        Arr.reduce_scatter!(part, all, c; op = max, counts = [2, 2, 2])
        Arr.all_to_all!(turned, on_host(Float64[10r, 10r + 1, 10r + 2]), c)
        scattered = Arr.comm_scatter!(similar(part), r == 0 ? all : nothing, c)
        gathered = Arr.comm_gather!(r == 1 ? similar(all) : nothing, mine, c; root = 1)
        reduced = Arr.comm_reduce!(r == 2 ? similar(mine) : nothing, mine, c; op = *, root = 2)
        first = Arr.comm_broadcast!(on_host([Float64(r)]), c; root = 2)
        flags = Arr.all_reduce(on_host([r == 0, true, false]), c; op = |)
        Arr.comm_barrier(c)
        arrays = (Arr.all_reduce(mine, c), all, part, turned, scattered, gathered, reduced, first, flags, Arr.all_reduce(mine, c; op = :mean))
        map(a -> a === nothing ? nothing : Array(a), arrays)
    end
    for (i, (sum, all, part, turned, scattered, gathered, reduced, first, flags, mean)) in enumerate(results)
        r = i - 1
        @test sum == [3, 6] && mean == [1, 2]
        @test all == [0, 0, 1, 2, 2, 4]
        @test part == scattered == [r, 2r]
        @test turned == [r, 10 + r, 20 + r]
        @test gathered == (r == 1 ? all : nothing) && reduced == (r == 2 ? [0, 0] : nothing)
        @test first == [2] && flags == [true, true, false]
    end
    columns = on_ranks(2) do c, r
        Array(Arr.all_gather!(on_host(zeros(3, 2)), on_host(fill(Float64(r), 3, 1)), c))
    end
    @test all(x -> x == [0 1; 0 1; 0 1], columns)
end

@testset "messages and groups" begin
    halos = on_ranks(2) do c, r
        other = 1 - r
        mine, got = on_host(fill(Float64(r), 4)), on_host(zeros(4))
        Arr.comm_send_recv!(got, mine, c; sender = other, receiver = other)
        sent = Array(got)
        value = Arr.comm_group(c; meanwhile = () -> 6 * 7) do
            Arr.comm_send(mine, other, c)
            Arr.comm_recv!(got, other, c)
        end
        Arr.exchange_halo!(mine, c; grid = (2,), periodic = true)
        (sent, value, Array(mine))
    end
    for (i, (sent, value, halo)) in enumerate(halos)
        r, other = i - 1, 2 - i
        @test sent == fill(other, 4) && value == 42
        @test halo == [other, r, r, other]
    end
    alone = Arr.local_comms(1, HOST)[1]      # with more ranks these wait in C, for other threads
    @test Arr.comm_info(Arr.comm_split(alone, 3)).size == Arr.comm_info(Arr.comm_duplicate(alone)).size == 1
    comms = Arr.local_comms(2, HOST)
    arrays = [on_host([1.0]), on_host([2.0])]
    Arr.comm_groups(comms) do
        foreach((c, a) -> Arr.all_reduce!(a, a, c), comms, arrays)
    end
    @test map(Array, arrays) == [[3], [3]]
end

@testset "sparse matrices" begin     # of one rank: several wait in C, for other threads
    alone = Arr.local_comms(1, HOST)[1]
    A = Arr.sparse(on_host([1.0 0; 0 2]))
    for B in (Arr.sparse_broadcast(A, alone), Arr.sparse_all_reduce(A, alone), Arr.sparse_reduce(A, alone), Arr.sparse_all_to_all([A], alone)[1])
        @test Array(B) == [1 0; 0 2]
    end
    @test Arr.sparse_all_to_all([nothing], alone) == [nothing]
    @test_throws ArgumentError Arr.sparse_send(A, 0, alone)
    @test_throws ArgumentError Arr.sparse_recv(0, alone)
end

@testset "the MPI in use" begin
    lines = try
        split(Arr.mpi_library(), '\n')
    catch e
        e isa Arr.UnavailableError || rethrow()
        ["none", "is", "installed"]
    end
    @test length(lines) >= 3
end

@testset "GPUs by NCCL" begin
    if Arr.device_count(:cuda) > 0
        gpu = Arr.Device(:cuda)
        path = joinpath(mktempdir(), "alone")
        @test Arr.nccl_id() != Arr.nccl_id()
        alone = Arr.nccl_comm(1, 0, Arr.nccl_id(1, 0, path; seconds = 60), gpu)
        a = ArrArray([1.0, 2.0]; device = gpu)
        @test Array(Arr.all_reduce(a, alone)) == [1, 2]
        @test Array(Arr.all_reduce(a, Arr.nccl_comm(Arr.local_comms(1, HOST)[1], gpu))) == [1, 2]
        @test length(Arr.nccl_id(1, 0, "127.0.0.1:1", "a secret of this test")) == 128
        @test occursin("rank 1 of 2 waited 0.05 s for rank 0", thrown(() -> Arr.nccl_id(2, 1, path; seconds = 0.05), Arr.LostError))
        @test_throws ArgumentError Arr.nccl_comm(1, 0, zeros(UInt8, 5), gpu)
    else
        @test_throws Arr.UnavailableError Arr.nccl_id()
    end
end

@testset "failures" begin
    comms = Arr.local_comms(2, HOST)
    Arr.comm_timeout!(comms[1], 0.05)
    @test Arr.comm_info(comms[1]).timeout == 0.05
    err = try
        Arr.comm_barrier(comms[1])
    catch e
        sprint(showerror, e)
    end
    @test occursin("rank 0 of 2 waited 0.05 s in arr_comm_barrier for rank 1", err)
    @test Arr.comm_info(comms[2]).failed
    @test Arr.comm_info(Arr.comm_shrink(comms[1], [1])).size == 1
    Arr.comm_abort(comms[2])
    a = on_host([1.0])
    @test_throws ArgumentError Arr.all_reduce(a, comms[1]; op = sin)
    @test_throws ArgumentError Arr.exchange_halo!(a, comms[1]; grid = (1, 2), width = [1])
    Arr.unsafe_free!(comms[1])
    @test_throws Arr.HandleError Arr.comm_barrier(comms[1])
end
