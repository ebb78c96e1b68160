! SPDX-License-Identifier: MIT
! k-means: ten rounds of Lloyd's algorithm, from the first three points.
function kmeans(points) result(centres)
    use arr
    type(arr_array), intent(in) :: points
    type(arr_array) :: centres, distances, nearest, members
    integer, parameter :: k = 3
    integer :: round
    centres = arr_get(points, arr_span(1, k))
    do round = 1, 10
        distances = sum((arr_expand_dims(points, 2) - centres)**2, dim=3)
        nearest = arr_argmin(distances, dim=2)
        members = arr_astype(nearest == arr_expand_dims(arr_arange(1, k + 1), 2), ARR_FLOAT64)
        centres = matmul(members, points) / sum(members, dim=2, keepdims=.true.)
    end do
    call arr_give(centres)
end function kmeans
