! SPDX-License-Identifier: MIT
! test_sparse_arrays.f90: sparse arrays of three dimensions against Fortran's own computation with dense ones.
program test_sparse_arrays
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    call each('dimensions', more_dimensions)
    call each('extrema', extrema)
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine same_array(a, expected, what)
        type(arr_sparse), intent(in) :: a
        real(real64), intent(in) :: expected(:, :, :)
        character(len=*), intent(in) :: what
        real(real64) :: h(size(expected, 1), size(expected, 2), size(expected, 3))
        type(arr_sparse) :: kept
        kept = a
        call expect(all(arr_sparse_shape(kept) == shape(expected)), what // ': the shape')
        h = arr_to_dense(kept)
        call expect(all(h == expected), what)
    end subroutine same_array

    subroutine more_dimensions()
        type(arr_sparse) :: a, b
        type(arr_array) :: at(3), v
        type(arr_error) :: err
        real(real64) :: t(2, 3, 4), g(2, 2), x
        integer :: j(2)
        t = 0
        t(2, 3, 4) = 5
        t(1, 2, 1) = 7
        v = [5d0, 7d0]
        at(1) = [2, 1]
        at(2) = [3, 2]
        at(3) = [4, 1]
        a = arr_sparse_coo_nd([2, 3, 4], v, at)
        call same_array(a, t, 'coordinates')
        call expect(all(arr_sparse_shape(a) == [2, 3, 4]), 'extents')
        j = arr_sparse_coords(a, 2)
        call expect(all(j == [3, 2]), 'indices count from 1')
        call same_array(arr_sparse_permute_dims(a, [3, 1, 2]), reshape(t, [4, 2, 3], order=[2, 3, 1]), 'other axes')
        call same_array(arr_sparse_reshape_nd(a, [4, 3, 2]), reshape(t, [4, 3, 2]), 'another shape')
        call same_array(arr_sparse_get(a, arr_span(2, 1, -1), [3, 1, 3], [1, 4]), t(2:1:-1, [3, 1, 3], [1, 4]), 'a part')
        b = arr_sparse_get(a, [.false., .true.], arr_span(), 4)
        call expect(all(arr_sparse_shape(b) == [1, 3]), 'a position leaves no dimension')
        x = sum(arr_sparse_get(a, 2, 3, 4))
        call expect(x == 5, 'one element')
        call same_array(arr_sparse_concatenate_nd([a, a + a], dim=3), reshape([t, 2 * t], [2, 3, 8]), 'joined')
        b = arr_sparse_stack([a, a], dim=1)
        call expect(all(arr_sparse_shape(b) == [2, 2, 3, 4]), 'stacked')
        call same_array(arr_sparse_get(b, 2), t, 'a part of these')
        g = arr_to_dense(arr_sparse_tensordot(a, a, [2, 3], [2, 3]))
        call expect(all(g == reshape([49, 0, 0, 25], [2, 2])), 'a tensor product')
        x = arr_sparse_reduce_axes(ARR_REDUCTION_MAX, a)
        call expect(x == 7, 'a reduction')
        b = arr_sparse_get(a, 3, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_get: argument s1: position 3', 'out of range')
        b = arr_sparse_coo_nd([2, 3], v, at, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_coo_nd: argument coords', 'three vectors for two dimensions')
        b = arr_sparse_tensordot(a, a, [1], [2], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sparse_tensordot: argument b_axes', 'other extents')
    end subroutine more_dimensions

    subroutine extrema()
        type(arr_array) :: at(3), v
        type(arr_sparse) :: a
        real(real64) :: t(2, 3, 4)
        integer :: k(3), position
        t = 0
        t(2, 3, 4) = 5
        t(1, 2, 1) = -7
        t(2, 1, 2) = 5
        t(1, 3, 3) = -7
        v = [5d0, -7d0, 5d0, -7d0]
        at(1) = [2, 1, 2, 1]
        at(2) = [3, 2, 1, 3]
        at(3) = [4, 1, 2, 3]
        a = arr_sparse_coo_nd([2, 3, 4], v, at)
        position = arr_sparse_argmax(a)
        call expect(position == maxloc([t], dim=1), 'the first of the largest in array element order')
        position = arr_sparse_argmin(a)
        call expect(position == minloc([t], dim=1), 'the first of the least in array element order')
        k = arr_sparse_argmax(arr_sparse_get(a, 2), dim=2)
        call expect(all(k == maxloc(t(2, :, :), dim=2)), 'the largest along a dimension')
        position = arr_sparse_argmin(arr_sparse_get(a, 1, arr_span(), 3), dim=1)
        call expect(position == minloc(t(1, :, 3), dim=1), 'the least of one dimension')
    end subroutine extrema
end program test_sparse_arrays
