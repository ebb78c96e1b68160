! SPDX-License-Identifier: MIT
! arr_graphs.f90: work of a stream, captured once and launched again and again as a whole.
module arr_graphs
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_details => arr_stream_details, c_range => arr_stream_priority_range
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_stream
    implicit none
    private
    public :: arr_capturing, arr_priority_range

    ! True if the work of a stream is being captured.
    interface arr_capturing
        module procedure stream_capturing
    end interface arr_capturing

    ! Returns the priorities of streams of a device, the lowest first: a lower number goes first.
    interface arr_priority_range
        module procedure priority_range
    end interface arr_priority_range

contains

    function stream_capturing(stream, err) result(yes)
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: flags, priority
        logical(c_bool) :: capturing
        capturing = .false.
        call check(c_details(stream%handle, flags, priority, capturing), err)
        yes = capturing
    end function stream_capturing

    function priority_range(device, err) result(range)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: range(2)
        range = 0
        call check(c_range(device, range(1), range(2)), err)
    end function priority_range
end module arr_graphs
