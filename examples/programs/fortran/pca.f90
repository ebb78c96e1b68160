! SPDX-License-Identifier: MIT
! Principal components of a table: their shares of the variance, and the largest score of each.
function pca(table) result(z)
    use arr
    type(arr_array), intent(in) :: table
    type(arr_array) :: z, centred, u, s, vh, scores, share
    type(arr_span), parameter :: components = arr_span(1, 2)
    centred = table - arr_mean(table, dim=1)
    call arr_svd(centred, u, s, vh)
    scores = matmul(centred, transpose(arr_get(vh, components)))
    share = s**2 / sum(s**2)
    call arr_give(z, arr_stack([arr_get(share, components), arr_max_abs(scores, dim=1)], dim=1))
end function pca
