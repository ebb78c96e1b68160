! SPDX-License-Identifier: MIT
! Conjugate gradients for the five-point Laplacian of a grid.
module program_cg
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function laplace(p) result(q)
        type(arr_array), intent(in) :: p
        type(arr_array) :: q
        integer :: n, m
        n = int(size(p, 1))
        m = int(size(p, 2))
        q = 4 * p
        call arr_update('subtract', q, arr_get(p, arr_span(1, n - 1)), arr_span(2, n))
        call arr_update('subtract', q, arr_get(p, arr_span(2, n)), arr_span(1, n - 1))
        call arr_update('subtract', q, arr_get(p, arr_span(), arr_span(1, m - 1)), arr_span(), arr_span(2, m))
        call arr_update('subtract', q, arr_get(p, arr_span(), arr_span(2, m)), arr_span(), arr_span(1, m - 1))
        call arr_give(q)
    end function laplace

    function cg(b) result(x)
        type(arr_array), intent(in) :: b
        type(arr_array) :: x, r, p, q
        real(dp), parameter :: tolerance = 1e-10_dp
        real(dp) :: rho, previous, alpha
        x = 0 * b
        r = b
        p = b
        rho = sum(r * r)
        do while (rho > tolerance**2)
            q = laplace(p)
            alpha = sum(p * q)
            alpha = rho / alpha
            x = x + alpha * p
            r = r - alpha * q
            previous = rho
            rho = sum(r * r)
            p = r + rho / previous * p
        end do
    end function cg
end module program_cg
