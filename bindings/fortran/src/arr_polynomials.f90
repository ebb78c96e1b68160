! SPDX-License-Identifier: MIT
! arr_polynomials.f90: polynomials as vectors of coefficients; Vandermonde matrices.
!
! arr_roots to arr_polyval take and give the coefficient of the highest power first, arr_polynomial_val to arr_as_series
! that of the lowest. Coefficients lie along the first dimension, several polynomials along the others.
module arr_polynomials
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_as_series => arr_as_series
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, all_done, handles, set_unless, stream_of, take_over
    implicit none
    private
    public :: arr_as_series

    interface arr_as_series
        module procedure as_series
    end interface arr_as_series

contains

    ! Vectors of coefficients in one floating type, as many as there are arrays; without their trailing zeros unless
    ! trim is .false.
    subroutine as_series(arrays, series, trim, stream, err)
        type(arr_array), intent(in) :: arrays(:)
        type(arr_array), intent(inout) :: series(:)
        logical, intent(in), optional :: trim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(size(arrays))
        integer :: i
        if (size(series) /= size(arrays)) then
            call all_done(arrays)
            call fail(ARR_E_ARGUMENT, 'arr_as_series: series: as many elements as of arrays are expected', err)
            return
        end if
        call check(c_as_series(size(arrays, kind=c_int32_t), handles(arrays), set_unless(trim), stream_of(stream), &
            size(new, kind=c_int32_t), new), err)
        call all_done(arrays)
        do i = 1, size(new)
            call take_over(series(i), new(i))
        end do
    end subroutine as_series
end module arr_polynomials
