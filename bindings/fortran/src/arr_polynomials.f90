! SPDX-License-Identifier: MIT
! arr_polynomials.f90: polynomials as vectors of coefficients; Vandermonde matrices.
!
! arr_roots to arr_polyval take and give the coefficient of the highest power first, arr_polynomial_val to arr_as_series
! that of the lowest. Coefficients lie along the first dimension, several polynomials along the others.
module arr_polynomials
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_polynomial, only: c_roots => arr_roots, c_poly => arr_poly, c_polyfit => arr_polyfit, &
        c_polyadd => arr_polyadd, c_polysub => arr_polysub, c_polymul => arr_polymul, c_polyval => arr_polyval, &
        c_polynomial_val => arr_polynomial_val, c_polyvalfromroots => arr_polyvalfromroots, &
        c_polyvander => arr_polyvander, c_polycompanion => arr_polycompanion, c_trimseq => arr_trimseq, &
        c_trimcoef => arr_trimcoef, c_as_series => arr_as_series, c_vander => arr_vander
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, all_done, choice, ended, handle_of, handles, limit, set_unless, &
        stream_of, take_over
    use arr_engine, only: run1, run2
    use arr_statistics, only: flag
    implicit none
    private
    public :: arr_roots, arr_poly, arr_polyfit, arr_polyadd, arr_polysub, arr_polymul, arr_polyval, &
        arr_polynomial_val, arr_polyvalfromroots, arr_polyvander, arr_polycompanion, arr_trimseq, arr_trimcoef, &
        arr_as_series, arr_vander

    interface arr_roots
        module procedure roots
    end interface arr_roots

    interface arr_poly
        module procedure poly
    end interface arr_poly

    interface arr_polyfit
        module procedure polyfit
    end interface arr_polyfit

    interface arr_polyadd
        module procedure polyadd
    end interface arr_polyadd

    interface arr_polysub
        module procedure polysub
    end interface arr_polysub

    interface arr_polymul
        module procedure polymul
    end interface arr_polymul

    interface arr_polyval
        module procedure polyval
    end interface arr_polyval

    interface arr_polynomial_val
        module procedure polynomial_val
    end interface arr_polynomial_val

    interface arr_polyvalfromroots
        module procedure polyvalfromroots
    end interface arr_polyvalfromroots

    interface arr_polyvander
        module procedure polyvander
    end interface arr_polyvander

    interface arr_polycompanion
        module procedure polycompanion
    end interface arr_polycompanion

    interface arr_trimseq
        module procedure trimseq
    end interface arr_trimseq

    interface arr_trimcoef
        module procedure trimcoef
    end interface arr_trimcoef

    interface arr_as_series
        module procedure as_series
    end interface arr_as_series

    interface arr_vander
        module procedure vander
    end interface arr_vander

contains

    ! The roots, in no order: complex(real32) for coefficients of 32 bits, else complex(real64).
    function roots(p, stream, err) result(z)
        type(arr_array), intent(in) :: p
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_roots, p, z, stream, err)
    end function roots

    ! The polynomial with these roots and a leading 1. Complex roots that are conjugates of each other give real
    ! coefficients.
    function poly(roots, stream, err) result(z)
        type(arr_array), intent(in) :: roots
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_poly, roots, z, stream, err)
    end function poly

    ! The polynomial of least squares through points, of several columns of y one for each; float64 or complex128.
    ! Singular values up to rcond times the largest count as 0, without it up to the epsilon times the number of points;
    ! weights are what the residuals are multiplied by.
    function polyfit(x, y, degree, rcond, weights, stream, err) result(z)
        type(arr_array), intent(in) :: x, y
        integer, intent(in) :: degree
        real(real64), intent(in), optional :: rcond
        type(arr_array), intent(in), optional :: weights
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polyfit(x%handle, y%handle, int(degree, c_int64_t), limit(rcond), handle_of(weights), &
            stream_of(stream), z%handle)
        call ended(status, z, err, x, y, weights)
    end function polyfit

    ! The sum of two polynomials.
    function polyadd(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_polyadd, a, b, z, stream, err)
    end function polyadd

    ! Their difference.
    function polysub(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_polysub, a, b, z, stream, err)
    end function polysub

    ! Their product.
    function polymul(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_polymul, a, b, z, stream, err)
    end function polymul

    ! The values at x. Several polynomials broadcast with x.
    function polyval(p, x, stream, err) result(z)
        type(arr_array), intent(in) :: p, x
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_polyval, p, x, z, stream, err)
    end function polyval

    ! The values at x of each polynomial: the dimensions of c but the first, then those of x. With tensor=.false. they
    ! broadcast.
    function polynomial_val(x, c, tensor, stream, err) result(z)
        type(arr_array), intent(in) :: x, c
        logical, intent(in), optional :: tensor
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polynomial_val(x%handle, c%handle, set_unless(tensor), stream_of(stream), z%handle)
        call ended(status, z, err, x, c)
    end function polynomial_val

    ! The same of polynomials by their roots, products of (x - root).
    function polyvalfromroots(x, roots, tensor, stream, err) result(z)
        type(arr_array), intent(in) :: x, roots
        logical, intent(in), optional :: tensor
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polyvalfromroots(x%handle, roots%handle, set_unless(tensor), stream_of(stream), z%handle)
        call ended(status, z, err, x, roots)
    end function polyvalfromroots

    ! The powers 0 to degree along a new last dimension.
    function polyvander(x, degree, stream, err) result(z)
        type(arr_array), intent(in) :: x
        integer, intent(in) :: degree
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polyvander(x%handle, int(degree, c_int64_t), stream_of(stream), z%handle)
        call ended(status, z, err, x)
    end function polyvander

    ! The companion matrix, whose eigenvalues are the roots.
    function polycompanion(c, stream, err) result(z)
        type(arr_array), intent(in) :: c
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_polycompanion, c, z, stream, err)
    end function polycompanion

    ! A vector without its trailing zeros, of which one stays where there is nothing else; it shares memory.
    function trimseq(c, stream, err) result(z)
        type(arr_array), intent(in) :: c
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_trimseq, c, z, stream, err)
    end function trimseq

    ! Coefficients without trailing ones of a magnitude of at most tol, 0 if it is not given; one 0 where nothing is
    ! left.
    function trimcoef(c, tol, stream, err) result(z)
        type(arr_array), intent(in) :: c
        real(real64), intent(in), optional :: tol
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: most
        integer(c_int32_t) :: status
        most = 0
        if (present(tol)) most = tol
        status = c_trimcoef(c%handle, most, stream_of(stream), z%handle)
        call ended(status, z, err, c)
    end function trimcoef

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

    ! The Vandermonde matrix: the powers 0 to columns - 1, or as many as there are elements, of each element in a row,
    ! the highest first unless increasing. Its type is that of x with int64.
    function vander(x, columns, increasing, stream, err) result(z)
        type(arr_array), intent(in) :: x
        integer, intent(in), optional :: columns
        logical, intent(in), optional :: increasing
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_vander(x%handle, int(choice(columns, -1), c_int64_t), flag(increasing), stream_of(stream), z%handle)
        call ended(status, z, err, x)
    end function vander
end module arr_polynomials
