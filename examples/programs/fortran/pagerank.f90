! SPDX-License-Identifier: MIT
! PageRank of a graph of 60 nodes, whose edges lead from the nodes of the first row to those of the second.
function pagerank(edges) result(rank)
    use arr
    type(arr_array), intent(in) :: edges
    type(arr_array) :: rank, ends, degree, lost
    type(arr_sparse) :: links
    integer, parameter :: n = 60
    double precision, parameter :: damping = 0.85d0
    integer :: i
    ends = arr_astype(edges, ARR_INT64) + 1
    links = arr_to_csr(arr_sparse_coo(n, n, arr_ones([size(edges, 2)]), arr_get(ends, 2), arr_get(ends, 1)))
    degree = sum(links, dim=1)
    rank = arr_full([n], 1d0 / n)
    do i = 1, 50
        lost = sum(merge(rank, 0d0, degree == 0))
        rank = damping * (matmul(links, rank / max(degree, 1d0)) + lost / n) + (1 - damping) / n
    end do
    call arr_give(rank)
end function pagerank
