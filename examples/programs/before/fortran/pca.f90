! SPDX-License-Identifier: MIT
! Principal components of a table: their shares of the variance, and the largest score of each.
module program_pca
    use arr
    implicit none
contains
    function pca(table) result(z)
        type(arr_array), intent(in) :: table
        type(arr_array) :: z, centred, u, s, vh, scores, share
        integer, parameter :: components = 2
        centred = table - arr_mean(table, dim=1, keepdims=.true.)
        call arr_svd(centred, u, s, vh)
        scores = matmul(centred, transpose(arr_section(vh, [arr_span(1, components)])))
        share = s**2 / sum(s**2)
        z = arr_zeros([2, components], ARR_FLOAT64)
        call arr_assign(arr_select(z, 1, 1), arr_section(share, [arr_span(1, components)]))
        call arr_assign(arr_select(z, 1, 2), arr_max_abs(scores, dim=1))
        call arr_consume(table)
        call arr_give(z)
    end function pca
end module program_pca
