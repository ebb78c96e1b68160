! SPDX-License-Identifier: MIT
! arr_polynomial_calculus.f90: derivatives, integrals, quotients and powers of polynomials, the coefficient of the highest
! power first; all outputs of fits.
module arr_polynomial_calculus
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_polynomial, only: c_polyfit_full => arr_polyfit_full, c_polyfit_cov => arr_polyfit_cov, &
        c_polyder => arr_polyder, c_polyint => arr_polyint, c_polydiv => arr_polydiv, c_polypow => arr_polypow, &
        c_polytrim => arr_polytrim, c_polydegree => arr_polydegree
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, done, ended, handle_of, limit, set_unless, stream_of, take_over
    use arr_engine, only: run1
    implicit none
    private
    public :: arr_polyfit_full, arr_polyfit_cov, arr_polyder, arr_polyint, arr_polydiv, arr_polypow, arr_polytrim, &
        arr_polydegree

    interface arr_polyfit_full
        module procedure polyfit_full
    end interface arr_polyfit_full

    interface arr_polyfit_cov
        module procedure polyfit_cov
    end interface arr_polyfit_cov

    interface arr_polyder
        module procedure polyder
    end interface arr_polyder

    interface arr_polyint
        module procedure polyint
    end interface arr_polyint

    interface arr_polydiv
        module procedure polydiv
    end interface arr_polydiv

    interface arr_polypow
        module procedure polypow
    end interface arr_polypow

    interface arr_polytrim
        module procedure polytrim
    end interface arr_polytrim

    interface arr_polydegree
        module procedure polydegree
    end interface arr_polydegree

contains

    ! arr_polyfit with the sums of squared residuals, the rank and the singular values of the powers, each scaled to length
    ! 1, and the ratio below which singular values counted as 0.
    subroutine polyfit_full(x, y, degree, z, residuals, rank, s, used, rcond, weights, stream, err)
        type(arr_array), intent(in) :: x, y
        integer, intent(in) :: degree
        type(arr_array), intent(inout) :: z
        type(arr_array), intent(inout), optional :: residuals, rank, s
        real(real64), intent(out), optional :: used
        real(real64), intent(in), optional :: rcond
        type(arr_array), intent(in), optional :: weights
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: others(3)
        type(arr_array_handle) :: new(4)
        real(c_double) :: ratio
        integer :: i
        ratio = 0
        call check(c_polyfit_full(x%handle, y%handle, int(degree, c_int64_t), limit(rcond), handle_of(weights), &
            stream_of(stream), new(1), new(2), new(3), new(4), ratio), err)
        call done(x)
        call done(y)
        if (present(weights)) call done(weights)
        call take_over(z, new(1))
        do i = 1, 3
            call take_over(others(i), new(i + 1))
        end do
        if (present(residuals)) residuals = others(1)
        if (present(rank)) rank = others(2)
        if (present(s)) s = others(3)
        if (present(used)) used = ratio
    end subroutine polyfit_full

    ! arr_polyfit with the covariance of the coefficients: from the residuals, of which there are more than coefficients, or
    ! with scaled=.false. for weights that are 1 over the standard deviations.
    subroutine polyfit_cov(x, y, degree, z, covariance, scaled, rcond, weights, stream, err)
        type(arr_array), intent(in) :: x, y
        integer, intent(in) :: degree
        type(arr_array), intent(inout) :: z, covariance
        logical, intent(in), optional :: scaled
        real(real64), intent(in), optional :: rcond
        type(arr_array), intent(in), optional :: weights
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        call check(c_polyfit_cov(x%handle, y%handle, int(degree, c_int64_t), limit(rcond), handle_of(weights), &
            set_unless(scaled), stream_of(stream), new(1), new(2)), err)
        call done(x)
        call done(y)
        if (present(weights)) call done(weights)
        call take_over(z, new(1))
        call take_over(covariance, new(2))
    end subroutine polyfit_cov

    ! The m-th derivative, the first if m is not given; of the type of p with int64.
    function polyder(p, m, stream, err) result(z)
        type(arr_array), intent(in) :: p
        integer, intent(in), optional :: m
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polyder(p%handle, once(m), stream_of(stream), z%handle)
        call ended(status, z, err, p)
    end function polyder

    ! The m-th integral, float64 or complex128. The constants k are one for all or m of them, the first integration's
    ! first; 0 if they are not given.
    function polyint(p, m, k, stream, err) result(z)
        type(arr_array), intent(in) :: p
        integer, intent(in), optional :: m
        type(arr_array), intent(in), optional :: k
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polyint(p%handle, once(m), handle_of(k), stream_of(stream), z%handle)
        call ended(status, z, err, p, k)
    end function polyint

    pure function once(m) result(times)
        integer, intent(in), optional :: m
        integer(c_int64_t) :: times
        times = 1
        if (present(m)) times = m
    end function once

    ! The quotient and the remainder of two polynomials; floating.
    subroutine polydiv(u, v, quotient, remainder, stream, err)
        type(arr_array), intent(in) :: u, v
        type(arr_array), intent(inout) :: quotient, remainder
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        call check(c_polydiv(u%handle, v%handle, stream_of(stream), new(1), new(2)), err)
        call done(u)
        call done(v)
        call take_over(quotient, new(1))
        call take_over(remainder, new(2))
    end subroutine polydiv

    ! The polynomial times itself, n times; of 0 the result is 1.
    function polypow(p, n, stream, err) result(z)
        type(arr_array), intent(in) :: p
        integer, intent(in) :: n
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_polypow(p%handle, int(n, c_int64_t), stream_of(stream), z%handle)
        call ended(status, z, err, p)
    end function polypow

    ! A vector without its leading zeros, of which one stays where there is nothing else; it shares memory.
    function polytrim(p, stream, err) result(z)
        type(arr_array), intent(in) :: p
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_polytrim, p, z, stream, err)
    end function polytrim

    ! The degree, leading zeros left out; 0 of zeros only.
    function polydegree(p, stream, err) result(n)
        type(arr_array), intent(in) :: p
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t) :: n
        n = 0
        call check(c_polydegree(p%handle, stream_of(stream), n), err)
        call done(p)
    end function polydegree
end module arr_polynomial_calculus
