! SPDX-License-Identifier: MIT
! Conjugate gradients for the five-point Laplacian of a grid.
module program_cg
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    subroutine subtract(q, at, p, from)
        type(arr_array), intent(in) :: q, p
        type(arr_span), intent(in) :: at(:), from(:)
        type(arr_array) :: part
        part = arr_section(q, at)
        call arr_assign(part, part - arr_section(p, from))
    end subroutine subtract

    function laplace(p) result(q)
        type(arr_array), intent(in) :: p
        type(arr_array) :: q
        integer :: n, m
        n = int(size(p, 1))
        m = int(size(p, 2))
        q = 4 * p
        call subtract(q, [arr_span(2, n)], p, [arr_span(1, n - 1)])
        call subtract(q, [arr_span(1, n - 1)], p, [arr_span(2, n)])
        call subtract(q, [arr_span(), arr_span(2, m)], p, [arr_span(), arr_span(1, m - 1)])
        call subtract(q, [arr_span(), arr_span(1, m - 1)], p, [arr_span(), arr_span(2, m)])
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
        call arr_consume(b)
        call arr_give(x)
    end function cg
end module program_cg
