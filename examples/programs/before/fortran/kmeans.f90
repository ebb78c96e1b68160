! SPDX-License-Identifier: MIT
! k-means: ten rounds of Lloyd's algorithm, from the first three points.
module program_kmeans
    use arr
    implicit none
contains
    function kmeans(points) result(centres)
        type(arr_array), intent(in) :: points
        type(arr_array) :: centres, rows, names, distances, nearest, members
        integer, parameter :: k = 3, rounds = 10
        integer :: round
        rows = spread(points, 2, 1)
        names = arr_arange(1, k + 1)
        centres = arr_section(points, [arr_span(1, k)])
        do round = 1, rounds
            distances = sum((rows - spread(centres, 1, 1))**2, dim=3)
            nearest = arr_argmin(distances, dim=2, keepdims=.true.)
            members = arr_astype(spread(names, 1, 1) == nearest, ARR_FLOAT64)
            centres = matmul(transpose(members), points) / spread(sum(members, dim=1), 2, 1)
        end do
        call arr_consume(points)
        call arr_give(centres)
    end function kmeans
end module program_kmeans
