! SPDX-License-Identifier: MIT
! k-means: ten rounds of Lloyd's algorithm, from the first three points.
module program_kmeans
    use arr
    implicit none
contains
    function kmeans(points) result(centres)
        type(arr_array), intent(in) :: points
        type(arr_array) :: centres, distances, nearest, members
        integer, parameter :: k = 3, rounds = 10
        integer :: round
        centres = arr_get(points, arr_span(1, k))
        do round = 1, rounds
            distances = sum((arr_expand_dims(points, 2) - arr_expand_dims(centres, 1))**2, dim=3)
            nearest = arr_argmin(distances, dim=2)
            members = arr_astype(arr_arange(1, k + 1) == arr_expand_dims(nearest, 2), ARR_FLOAT64)
            centres = matmul(transpose(members), points) / arr_expand_dims(sum(members, dim=1), 2)
        end do
    end function kmeans
end module program_kmeans
