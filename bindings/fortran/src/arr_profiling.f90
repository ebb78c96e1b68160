! SPDX-License-Identifier: MIT
! arr_profiling.f90: traces, ranges, benchmarks, messages to profilers; the cache of kernels; limits of devices.
module arr_profiling
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c, only: c_benchmark => arr_benchmark
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_stream, stream_of
    implicit none
    private
    public :: arr_benchmark

    ! arr_benchmark(work, device, repeats, warmup, seconds, stream, err): times of a subroutine without arguments, which
    ! enqueues in the stream, in nanoseconds of one run: warmup runs (3), then at most repeats (100) of which each is
    ! waited for, and none begins after `seconds` (1).
    interface arr_benchmark
        module procedure benchmark
    end interface arr_benchmark

    abstract interface
        subroutine timed_work()
        end subroutine timed_work
    end interface

    ! The library passes this back to run_timed.
    type :: timed
        procedure(timed_work), pointer, nopass :: work => null()
    end type timed

contains

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
end module arr_profiling
