! SPDX-License-Identifier: MIT
! Conjugate gradients for the five-point Laplacian of a grid.
function cg(b) result(x)
    use arr
    type(arr_array), intent(in) :: b
    type(arr_array) :: x, r, p, q, wide, around
    type(arr_span), parameter :: inner = arr_span(2, ARR_END - 1), before = arr_span(1, ARR_END - 2), after = arr_span(3)
    double precision :: rho, previous, alpha
    x = 0 * b
    r = b
    p = b
    rho = sum(r * r)
    do while (rho > 1d-10**2)
        wide = arr_pad(p, [1, 1, 1, 1])
        around = arr_get(wide, after, inner) + arr_get(wide, before, inner)
        q = 4 * p - around - arr_get(wide, inner, after) - arr_get(wide, inner, before)
        alpha = rho / sum(p * q)
        x = x + alpha * p
        r = r - alpha * q
        previous = rho
        rho = sum(r * r)
        p = r + rho / previous * p
    end do
    call arr_give(x)
end function cg
