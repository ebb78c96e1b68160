! SPDX-License-Identifier: MIT
! arr_profiling.f90: traces, ranges, benchmarks, a word to profilers; the cache of kernels; limits of devices.
module arr_profiling
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c_profile, only: c_trace_begin => arr_trace_begin, c_trace_end => arr_trace_end, &
        c_push => arr_range_push, c_pop => arr_range_pop, c_mark => arr_mark, c_benchmark => arr_benchmark, &
        c_start => arr_profiler_start, c_stop => arr_profiler_stop
    use arr_c_cache, only: c_cache_info => arr_cache_info, c_cache_directory => arr_cache_directory, &
        c_cache_clear => arr_cache_clear
    use arr_c_device, only: c_limit => arr_device_limit, c_set_limit => arr_device_set_limit
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_stream, stream_of
    implicit none
    private
    public :: arr_trace_begin, arr_trace_end, arr_range_push, arr_range_pop, arr_mark, arr_benchmark
    public :: arr_profiler_start, arr_profiler_stop, arr_cache_info, arr_cache_directory, arr_cache_clear
    public :: arr_device_limit, arr_device_set_limit

    ! From here to arr_trace_end what runs is recorded: calls, work on devices with shapes, bytes and times, ranges.
    interface arr_trace_begin
        module procedure trace_begin
    end interface arr_trace_begin

    ! Writes the record, in the format that Chrome and Perfetto open; without a path it is thrown away.
    interface arr_trace_end
        module procedure trace_end
    end interface arr_trace_end

    ! A range of this thread, in the trace and for NVIDIA's tools.
    interface arr_range_push
        module procedure range_push
    end interface arr_range_push

    interface arr_range_pop
        module procedure range_pop
    end interface arr_range_pop

    ! Marks a point in time.
    interface arr_mark
        module procedure mark
    end interface arr_mark

    ! arr_benchmark(work, device, repeats, warmup, seconds, stream, err): times of a subroutine without arguments, which
    ! enqueues in the stream, in nanoseconds of one run: warmup runs (3), then at most repeats (100) of which each is
    ! waited for, and none begins after so many seconds (1).
    interface arr_benchmark
        module procedure benchmark
    end interface arr_benchmark

    ! A profiler that watches the program, such as Nsight with --capture-range=cudaProfilerApi, is to record.
    interface arr_profiler_start
        module procedure profiler_start
    end interface arr_profiler_start

    interface arr_profiler_stop
        module procedure profiler_stop
    end interface arr_profiler_stop

    ! What the cache of compiled kernels holds, and what it did in this process.
    interface arr_cache_info
        module procedure cache_info
    end interface arr_cache_info

    ! Where it is; empty where there can be none.
    interface arr_cache_directory
        module procedure cache_directory
    end interface arr_cache_directory

    ! Removes all its entries; kernels of this process stay.
    interface arr_cache_clear
        module procedure cache_clear
    end interface arr_cache_clear

    ! A limit, ARR_LIMIT_..., of what kernels may use on a device.
    interface arr_device_limit
        module procedure device_limit
    end interface arr_device_limit

    ! Asks for another limit, for all of the program; the driver may round it.
    interface arr_device_set_limit
        module procedure device_set_limit
    end interface arr_device_set_limit

    abstract interface
        subroutine timed_work()
        end subroutine timed_work
    end interface

    ! What the library hands back to run_timed.
    type :: timed
        procedure(timed_work), pointer, nopass :: work => null()
    end type timed

contains

    subroutine trace_begin(err)
        type(arr_error), intent(out), optional :: err
        call check(c_trace_begin(), err)
    end subroutine trace_begin

    subroutine trace_end(path, err)
        character(len=*), intent(in), optional :: path
        type(arr_error), intent(out), optional :: err
        if (present(path)) then
            call check(c_trace_end(trim(path) // c_null_char), err)
        else
            call check(c_trace_end(), err)
        end if
    end subroutine trace_end

    subroutine range_push(name, err)
        character(len=*), intent(in) :: name
        type(arr_error), intent(out), optional :: err
        call check(c_push(trim(name) // c_null_char), err)
    end subroutine range_push

    subroutine range_pop(err)
        type(arr_error), intent(out), optional :: err
        call check(c_pop(), err)
    end subroutine range_pop

    subroutine mark(name, err)
        character(len=*), intent(in) :: name
        type(arr_error), intent(out), optional :: err
        call check(c_mark(trim(name) // c_null_char), err)
    end subroutine mark

    function run_timed(ctx, stream) bind(c) result(status)
        type(c_ptr), value :: ctx
        type(arr_stream_handle), value :: stream
        integer(c_int32_t) :: status
        type(timed), pointer :: what
        call c_f_pointer(ctx, what)
        call what%work()
        status = ARR_OK
        if (c_associated(stream%ptr)) return       ! the work knows its stream itself
    end function run_timed

    function benchmark(work, device, repeats, warmup, seconds, stream, err) result(times)
        procedure(timed_work) :: work
        type(arr_device), intent(in), optional :: device
        integer, intent(in), optional :: repeats, warmup
        real(real64), intent(in), optional :: seconds
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_benchmark_result) :: times
        type(arr_benchmark_options) :: options
        type(timed), target :: what
        options%struct_size = c_sizeof(options)
        times%struct_size = c_sizeof(times)
        options%stream = stream_of(stream)
        if (present(repeats)) options%repeats = repeats
        if (present(seconds)) options%seconds = seconds
        if (present(warmup)) options%warmup = merge(-1, warmup, warmup == 0)   ! the library has 0 for the default
        what%work => work
        call check(c_benchmark(c_funloc(run_timed), c_loc(what), device, options, times), err)
    end function benchmark

    subroutine profiler_start(device, err)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_start(device), err)
    end subroutine profiler_start

    subroutine profiler_stop(device, err)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_stop(device), err)
    end subroutine profiler_stop

    function cache_info(err) result(stats)
        type(arr_error), intent(out), optional :: err
        type(arr_cache_stats) :: stats
        stats%struct_size = c_sizeof(stats)
        call check(c_cache_info(stats), err)
    end function cache_info

    function cache_directory(err) result(path)
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: path
        character(kind=c_char), allocatable :: bytes(:)
        integer(int64) :: length, i
        length = 0
        allocate (bytes(4097))
        call check(c_cache_directory(size(bytes, kind=int64), bytes, length), err)
        length = min(length, size(bytes, kind=int64) - 1)
        allocate (character(len=length) :: path)
        do i = 1, length
            path(i:i) = bytes(i)
        end do
    end function cache_directory

    subroutine cache_clear(err)
        type(arr_error), intent(out), optional :: err
        call check(c_cache_clear(), err)
    end subroutine cache_clear

    function device_limit(limit, device, err) result(value)
        integer(c_int32_t), intent(in) :: limit
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(int64) :: value
        value = 0
        call check(c_limit(device, limit, value), err)
    end function device_limit

    subroutine device_set_limit(limit, value, device, err)
        integer(c_int32_t), intent(in) :: limit
        integer(int64), intent(in) :: value
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_set_limit(device, limit, value), err)
    end subroutine device_set_limit
end module arr_profiling
