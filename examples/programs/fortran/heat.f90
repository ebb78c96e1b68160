! SPDX-License-Identifier: MIT
! Heat equation: explicit steps on the inner points of a field.
function heat(field) result(u)
    use arr
    type(arr_array), intent(in) :: field
    type(arr_array) :: u, around
    type(arr_span), parameter :: inner = arr_span(2, ARR_END - 1), before = arr_span(1, ARR_END - 2), after = arr_span(3)
    integer :: step
    u = arr_copy(field)
    do step = 1, 100
        around = arr_get(u, after, inner) + arr_get(u, before, inner) + arr_get(u, inner, after) + arr_get(u, inner, before)
        call arr_update('add', u, 0.2d0 * (around - 4 * arr_get(u, inner, inner)), inner, inner)
    end do
    call arr_give(u)
end function heat
