! SPDX-License-Identifier: MIT
! arr_fusing.f90: scopes whose element-wise calls are recorded and run together.
module arr_fusing
    use, intrinsic :: iso_c_binding, only: c_int32_t, c_sizeof
    use arr_c_types, only: arr_fuse_stats, ARR_FUSE_REORDER, ARR_FUSE_SHARED
    use arr_c_fuse, only: c_begin => arr_fuse_begin, c_end => arr_fuse_end, c_flush => arr_fuse_flush, &
        c_info => arr_fuse_info
    use arr_errors, only: arr_error, check
    implicit none
    private
    public :: arr_fuse_begin, arr_fuse_end, arr_fuse_flush, arr_fuse_info

    ! From here to arr_fuse_end element-wise calls and operators of this thread are recorded, and what is wanted of
    ! them runs at its end in as few passes as there is room for; values are the same in every bit. shared and
    ! reorder as ARR_FUSE_SHARED and ARR_FUSE_REORDER of the C API.
    interface arr_fuse_begin
        module procedure fuse_begin
    end interface arr_fuse_begin

    interface arr_fuse_end
        module procedure fuse_end
    end interface arr_fuse_end

    ! Runs what is recorded so far.
    interface arr_fuse_flush
        module procedure fuse_flush
    end interface arr_fuse_flush

    interface arr_fuse_info
        module procedure fuse_info
    end interface arr_fuse_info

contains

    subroutine fuse_begin(shared, reorder, err)
        logical, intent(in), optional :: shared, reorder
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: flags
        flags = 0
        if (present(shared)) flags = ior(flags, merge(ARR_FUSE_SHARED, 0_c_int32_t, shared))
        if (present(reorder)) flags = ior(flags, merge(ARR_FUSE_REORDER, 0_c_int32_t, reorder))
        call check(c_begin(flags), err)
    end subroutine fuse_begin

    subroutine fuse_end(err)
        type(arr_error), intent(out), optional :: err
        call check(c_end(), err)
    end subroutine fuse_end

    subroutine fuse_flush(err)
        type(arr_error), intent(out), optional :: err
        call check(c_flush(), err)
    end subroutine fuse_flush

    function fuse_info(err) result(stats)
        type(arr_error), intent(out), optional :: err
        type(arr_fuse_stats) :: stats
        stats%struct_size = c_sizeof(stats)
        call check(c_info(stats), err)
    end function fuse_info
end module arr_fusing
