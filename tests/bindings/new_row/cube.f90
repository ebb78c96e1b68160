! SPDX-License-Identifier: MIT
! cube.f90: calls the op that new_row.sh adds to the table.
program cube
    use, intrinsic :: iso_c_binding
    use arr_c
    implicit none
    real(c_double), target :: in(3) = [-2.0_c_double, 3.0_c_double, 0.5_c_double], out(3) = 0
    type(arr_array_handle) :: x, y
    type(arr_stream_handle) :: stream

    call check(arr_from_host(c_loc(in), 24_c_int64_t, ARR_FLOAT64, 1, [3_c_int64_t], ARR_ORDER_F, stream=stream, out=x))
    call check(arr_cube(x, stream, y))
    call check(arr_get(y, ARR_ORDER_F, c_loc(out), 24_c_int64_t, stream))
    call check(arr_release(x))
    call check(arr_release(y))
    print '(a,3(1x,g0),a,i0)', 'Fortran:', out, ', op ', ARR_OP_CUBE
    if (any(abs(out - in**3) > 0) .or. ARR_OP_CUBE /= 500) error stop 1

contains

    subroutine check(status)
        integer(c_int32_t), intent(in) :: status
        if (status == ARR_OK) return
        print '(a,i0)', 'status ', status
        error stop 1
    end subroutine check
end program cube
