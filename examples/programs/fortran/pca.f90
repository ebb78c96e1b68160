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
        scores = matmul(centred, transpose(arr_get(vh, arr_span(1, components))))
        share = s**2 / sum(s**2)
        z = arr_stack([arr_get(share, arr_span(1, components)), arr_max_abs(scores, dim=1)], dim=1)
    end function pca
end module program_pca
