! SPDX-License-Identifier: MIT
! test_graphs.f90: captured work, traces and benchmarks, page-locked memory, limits.
program test_graphs
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    type(arr_array) :: timed
    integer :: runs = 0
    call time_steps()
    call updates()
    call captures_end()
    call traces()
    call benchmarks()
    call cache_and_limits()
    call pinned()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine time_steps()
        type(arr_stream) :: stream
        type(arr_graph) :: graph
        type(arr_array) :: x, total
        real(real64) :: h(3), s
        integer :: i
        x = [1.0_real64, 2.0_real64, 4.0_real64]
        call arr_stream_create(stream)
        call arr_graph_begin(stream)
        call expect(arr_capturing(stream), 'it is being captured')
        call arr_assign(x, arr_add(x, 1, stream=stream), stream=stream)
        total = sum(x, stream=stream)
        call arr_graph_end(stream, graph)
        call expect(.not. arr_capturing(stream), 'it is captured')
        h = x
        call expect(all(h == [1, 2, 4]), 'nothing has run')
        call arr_graph_upload(graph)
        do i = 1, 1000
            call arr_graph_launch(graph, stream)
        end do
        call arr_sync(stream)
        h = x
        s = total
        call expect(all(h == [1001, 1002, 1004]) .and. s == 3007, 'a thousand steps')
        call arr_fill(x, 0)
        call arr_graph_launch(graph)
        s = total
        call expect(s == 3, 'inputs are read anew')
    end subroutine time_steps

    subroutine updates()
        type(arr_stream) :: stream
        type(arr_graph) :: graph
        type(arr_array) :: a, b, first, second
        type(arr_error) :: err
        real(real64) :: h(2)
        character(len=80) :: line
        integer :: unit
        a = [1.0_real64, 2.0_real64]
        b = [10.0_real64, 20.0_real64]
        call arr_stream_create(stream)
        call arr_graph_begin(stream)
        first = arr_add(a, b, stream=stream)
        call arr_graph_end(stream, graph)
        call arr_graph_begin(stream)
        second = arr_multiply(b, b, stream=stream)
        call arr_graph_update(graph, stream)
        call arr_graph_update(graph, stream, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'is not being captured', 'an update without a capture')
        call arr_graph_launch(graph, stream)
        h = second
        call expect(all(h == [100, 400]), 'other work')
        call arr_graph_dot(graph, 'test_fortran.dot')
        open (newunit=unit, file='test_fortran.dot')
        read (unit, '(a)') line
        close (unit, status='delete')
        call expect(index(line, 'digraph') == 1, 'a graph as text')
        call arr_graph_dot(graph, '/no/such/folder/graph.dot', err)
        call expect_failure(err, ARR_E_IO, '/no/such/folder', 'a file that cannot be')
    end subroutine updates

    subroutine captures_end()
        type(arr_stream) :: stream
        type(arr_graph) :: graph
        type(arr_array) :: a, b
        type(arr_error) :: err
        a = arr_ones([4])
        call arr_stream_create(stream)
        call arr_graph_end(stream, graph, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'is not being captured', 'an end without a begin')
        call arr_graph_launch(graph, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_graph_launch', 'no graph')
        call arr_graph_begin(stream)
        call arr_sync(stream, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_stream_sync', 'a wait for what is captured')
        call arr_graph_begin(stream, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_graph_begin', 'a capture in a capture')
        b = arr_add(a, 1, stream=stream)
        call arr_graph_end(stream, graph)
        call arr_graph_begin(stream)        ! the stream's end is this capture's too
        call expect(all(arr_priority_range() == 0), 'priorities of the host')
    end subroutine captures_end

    subroutine traces()
        type(arr_array) :: a
        type(arr_error) :: err
        character(len=*), parameter :: path = 'test_fortran.json'
        character(len=:), allocatable :: json
        integer :: unit, bytes
        a = arr_ones([100])
        call arr_trace_begin()
        call arr_trace_begin(err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_trace_begin', 'a second trace')
        call arr_profiler_start()
        call arr_range_push('outer')
        a = a * 2
        call arr_mark('a point')
        call arr_range_pop()
        call arr_profiler_stop()
        call arr_trace_end(path)
        inquire (file=path, size=bytes)
        allocate (character(len=bytes) :: json)
        open (newunit=unit, file=path, access='stream', form='unformatted')
        read (unit) json
        close (unit, status='delete')
        call expect(index(json, '"name":"outer"') > 0 .and. index(json, '"name":"a point"') > 0, 'ranges and marks')
        call arr_trace_begin()
        call arr_trace_end()
        call arr_trace_end(path, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_trace_end', 'no trace')
        call arr_range_pop(err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_range_pop', 'no range')
    end subroutine traces

    subroutine work()
        runs = runs + 1
        timed = timed * 1
    end subroutine work

    subroutine benchmarks()
        type(arr_benchmark_result) :: t
        type(arr_error) :: err
        timed = arr_ones([1000])
        t = arr_benchmark(work, repeats=20, warmup=5, seconds=100.0_real64)
        call expect(runs == 25 .and. t%repeats == 20, 'runs')
        call expect(t%host_min > 0 .and. t%host_min <= t%host_median .and. t%host_median <= t%host_max, 'times')
        runs = 0
        t = arr_benchmark(work, repeats=1, warmup=0)
        call expect(runs == 1, 'no warm-up')
        t = arr_benchmark(work, repeats=-1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_benchmark', 'negative repeats')
        call arr_release(timed)
    end subroutine benchmarks

    subroutine cache_and_limits()
        type(arr_cache_stats) :: stats
        type(arr_error) :: err
        character(len=:), allocatable :: path
        integer(int64) :: bytes
        stats = arr_cache_info()
        path = arr_cache_directory()
        call expect(stats%entries >= 0 .and. stats%limit >= 0 .and. len(path) >= 0, 'the cache')
        bytes = arr_device_limit(ARR_LIMIT_STACK_BYTES, err=err)
        call expect_failure(err, ARR_E_UNSUPPORTED, 'arr_device_limit', 'a limit of the host')
        call arr_device_set_limit(ARR_LIMIT_HEAP_BYTES, -1_int64, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'expected 0 or more', 'a negative limit')
    end subroutine cache_and_limits

    subroutine pinned()
        type(arr_array) :: a
        type(arr_error) :: err
        type(arr_memory_pool_stats) :: stats
        real(real32), target :: h(3, 4)
        a = arr_pinned([3, 4], ARR_FLOAT32, mapped=.true.)
        call arr_fill(a, 7)
        h = a
        call expect(all(h == 7), 'an array in page-locked memory')
        call expect(.not. arr_is_pinned(arr_ones([3])), 'other memory')
        stats = arr_pinned_info()
        if (arr_is_pinned(a)) then
            call expect(stats%in_use >= 48 .and. c_associated(arr_pinned_device_data(a)), 'the pool')
            call arr_pinned_limit(4096_int64)
            a = arr_pinned([2**20], err=err)
            call expect_failure(err, ARR_E_MEMORY, 'arr_pinned_create', 'more than the limit')
        else
            call expect(stats%in_use == 0, 'the pool without a GPU')
            a = arr_pinned([3], required=.true., err=err)
            call expect_failure(err, ARR_E_UNAVAILABLE, 'arr_pinned_create', 'no GPU')
            call arr_pinned_register(h, err=err)
            call expect_failure(err, ARR_E_UNAVAILABLE, 'arr_pinned_register', 'nobody to lock memory')
        end if
        call arr_pinned_register(h(::2, :), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'not contiguous', 'memory with gaps')
        call arr_pinned_limit(0_int64)
        call arr_pinned_trim()
    end subroutine pinned
end program test_graphs
