! SPDX-License-Identifier: MIT
! Heat equation: explicit steps on the inner points of a field.
module program_heat
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function heat(field) result(u)
        type(arr_array), intent(in) :: field
        type(arr_array) :: u, up, down, left, right, inner
        integer :: n, m, step
        n = int(size(field, 1))
        m = int(size(field, 2))
        u = arr_copy(field)
        up = arr_section(u, [arr_span(1, n - 2), arr_span(2, m - 1)])
        down = arr_section(u, [arr_span(3, n), arr_span(2, m - 1)])
        left = arr_section(u, [arr_span(2, n - 1), arr_span(1, m - 2)])
        right = arr_section(u, [arr_span(2, n - 1), arr_span(3, m)])
        inner = arr_section(u, [arr_span(2, n - 1), arr_span(2, m - 1)])
        do step = 1, 100
            call arr_assign(inner, inner + 0.2_dp * (up + down + left + right - 4 * inner))
        end do
        call arr_consume(field)
        call arr_give(u)
    end function heat
end module program_heat
