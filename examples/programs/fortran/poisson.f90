! SPDX-License-Identifier: MIT
! Poisson's equation on an L-shaped domain: a grid without its last quarter, u = 0 around it.
function poisson(f) result(u)
    use arr
    type(arr_array), intent(in) :: f
    type(arr_array) :: u, inside, at
    type(arr_sparse) :: line, a
    integer :: n
    n = int(size(f, 1))
    line = arr_sparse_diags(n, n, [arr_full([1], -1d0), arr_full([1], 2d0), arr_full([1], -1d0)], [-1, 0, 1])
    inside = arr_full([n, n], .true.)
    call arr_set(inside, .false., arr_span(n / 2 + 1), arr_span(n / 2 + 1))
    at = reshape(inside, [n * n])
    a = arr_get(arr_sparse_kronsum(line, line), at, at)
    u = arr_solve_cg(a, pack(f, inside) / (n + 1)**2, rtol=1d-12)
    call arr_give(u, unpack(u, inside, 0))
end function poisson
