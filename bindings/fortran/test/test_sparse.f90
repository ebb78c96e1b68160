! SPDX-License-Identifier: MIT
! test_sparse.f90: sparse matrices against Fortran's own computation with dense ones; parts that count from 1; handles.
program test_sparse
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    type :: pair
        type(arr_sparse) :: p, q
    end type pair
    integer, parameter :: ROW(5) = [1, 2, 2, 4, 4], COL(5) = [3, 1, 3, 2, 3]
    real(real64), parameter :: VALUES(5) = [1.5_real64, -2.0_real64, 3.0_real64, 4.0_real64, 0.5_real64]
    real(real64) :: m(4, 3), n(3, 4)
    integer :: i
    m = 0
    do i = 1, 5
        m(ROW(i), COL(i)) = VALUES(i)
    end do
    n = transpose(cshift(m, 1, 2))
    n(2, :) = 0
    call each('construction', construction)
    call each('parts', parts)
    call each('blocks', blocks)
    call each('indices', indices)
    call each('joins', joins)
    call each('equations', equations)
    call each('products', products)
    call each('arithmetic', arithmetic)
    call each('scales', scales)
    call each('reductions', reductions)
    call each('conversions', conversions)
    call each('random', random_norms_files)
    call each('hermitian', hermitian_factors)
    call failures()
    call ownership()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    ! The matrix m.
    function sample() result(a)
        type(arr_sparse) :: a
        a = arr_sparse_coo(4, 3, arr_upload(VALUES), arr_upload(ROW), arr_upload(COL))
        call arr_give(a)
    end function sample

    subroutine same_matrix(a, h, what)
        type(arr_sparse), intent(in) :: a
        real(real64), intent(in) :: h(:, :)
        character(len=*), intent(in) :: what
        real(real64) :: g(size(h, 1), size(h, 2))
        g = a
        call expect(all(abs(g - h) <= 1e-14_real64 * (1 + abs(h))), what)
    end subroutine same_matrix

    subroutine construction()
        type(arr_sparse) :: a
        type(arr_array) :: d
        real(real64) :: h(4, 3)
        integer :: k
        a = sample()
        call same_matrix(a, m, 'coordinates')
        call expect(all(shape(a) == [4, 3]) .and. size(a) == 12 .and. size(a, 1) == 4 .and. size(a, 2) == 3, 'extents')
        call expect(arr_nnz(a) == 5 .and. arr_dtype(a) == ARR_FLOAT64 .and. arr_alive(a), 'properties')
        d = a
        call expect(all(arr_strides(d) == [1, 4]), 'a dense array is in column-major order')
        call same(d, m, 'assignment to an array')
        h = transpose(arr_to_csr(arr_upload(n)))
        call expect(all(h == transpose(n)), 'assignment of a result to a host array')
        call same_matrix(arr_sparse_csr(4, 3, arr_upload(VALUES), arr_upload(COL), arr_upload([1, 2, 4, 4, 6])), m, 'rows')
        call same_matrix(arr_sparse_csc(3_int64, 4_int8, arr_upload(VALUES), arr_upload(int(COL, int64)), &
            arr_upload([1_int64, 2_int64, 4_int64, 4_int64, 6_int64])), transpose(m), 'columns, indices of 64 bits')
        call same_matrix(arr_sparse_coo(4, 3, arr_upload(VALUES), arr_astype(arr_upload(ROW), ARR_UINT8), &
            arr_upload(int(COL, int16))), m, 'narrow indices')
        h = 0
        do k = 1, 2
            h(k, k + 1) = 1
        end do
        call same_matrix(arr_sparse_eye(4, 3, k=1), h, 'eye')
        do k = 1, 3
            h(k, k) = 7
            h(k + 1, k) = k
        end do
        call same_matrix(arr_sparse_diags(4, 3, [arr_upload([7.0_real64]), arr_upload([1.0_real64]), arr_arange(1, 4)], &
            [0, 1, -1]), h, 'diagonals')
    end subroutine construction

    subroutine parts()
        type(arr_sparse) :: a
        integer :: list(5), ends(5)
        real(real64) :: x(5)
        type(arr_array) :: data
        a = sample()
        list = arr_sparse_part(a, ARR_SPARSE_PART_ROW)
        call expect(all(list == ROW), 'row')
        list = arr_sparse_part(a, ARR_SPARSE_PART_COL)
        call expect(all(list == COL), 'col')
        a = arr_to_csr(a)
        list = arr_sparse_part(a, ARR_SPARSE_PART_INDICES)
        ends = arr_sparse_part(a, ARR_SPARSE_PART_INDPTR)
        x = arr_sparse_part(a, ARR_SPARSE_PART_DATA)
        call expect(all(list == COL) .and. all(ends == [1, 2, 4, 4, 6]) .and. all(x == VALUES), 'compressed rows')
        data = arr_sparse_part(a, ARR_SPARSE_PART_DATA)
        call arr_assign(data, 2 * VALUES)
        call same_matrix(a, 2 * m, 'data are shared')
    end subroutine parts

    ! The parts of SciPy's dia_array and bsr_array, in and out.
    subroutine blocks()
        type(arr_sparse) :: a, b
        type(arr_array) :: data, offsets, indices, indptr
        real(real64) :: cells(2, 2, 1), wide(4, 4)
        integer :: list(2), ends(3)
        a = sample()
        call arr_sparse_to_dia(a, data, offsets)
        call same_matrix(arr_sparse_dia(4, 3, data, offsets), m, 'diagonals in and out')
        call expect(all(shape(data) == [size(offsets), 3_int64]), 'their shape')
        wide = 0
        wide(3, 2) = 5
        wide(4, 1) = 6
        wide(1, 4) = 7
        call arr_sparse_to_bsr(arr_to_csr(arr_upload(wide)), 2, 2, data, indices, indptr)
        list = indices
        ends = indptr
        call expect(all(list == [2, 1]) .and. all(ends == [1, 2, 3]), 'blocks count from 1')
        call same_matrix(arr_sparse_bsr(4, 4, data, indices, indptr), wide, 'blocks in and out')
        cells(:, :, 1) = reshape([1, 2, 3, 4], [2, 2])
        b = arr_sparse_bsr(2, 4, arr_permute(arr_upload(cells), [3, 1, 2]), arr_upload([2]), arr_upload([1, 2]))
        wide = 0
        wide(:2, 3:) = cells(:, :, 1)
        call same_matrix(b, wide(:2, :), 'a block')
        b = arr_sparse_with_data(a, arr_upload(3 * VALUES))
        call same_matrix(b, 3 * m, 'other values')
    end subroutine blocks

    subroutine indices()
        type(arr_sparse) :: a, b
        type(arr_array) :: list
        real(real64) :: h(4, 3), x, v(2)
        integer :: some(3)
        a = arr_to_csr(sample())
        some = [4, 2, 2]
        list = some
        call same_matrix(arr_get(a, arr_span(2, 4), [3, 1]), m(2:4, [3, 1]), 'a range and a list')
        call same_matrix(arr_get(a, list), m(some, :), 'a list')
        call same_matrix(arr_get(a, some, [3, 3, 2]), m(some, [3, 3, 2]), 'two lists')
        call same_matrix(arr_get(a, arr_span(step=-2), 3), m(4:1:-2, 3:3), 'a step, a column')
        call same_matrix(arr_get(transpose(a), ARR_END, arr_span(ARR_END - 1)), transpose(m(3:4, 3:3)), 'positions from the end')
        call same_matrix(arr_get(a, m(:, 3) > 1, arr_span()), m([1, 2], :), 'logicals')
        call same_matrix(arr_get(a, arr_upload(m(:, 3) > 1), arr_upload([.true., .false., .true.])), m([1, 2], [1, 3]), 'masks')
        x = arr_item(a, [2, 3])
        call expect(abs(x - m(2, 3)) < 1e-14_real64, 'an element')
        v = arr_sparse_elements(a, arr_upload([1, 4]), arr_upload([3, 2]))
        call expect(all(abs(v - [m(1, 3), m(4, 2)]) < 1e-14_real64), 'elements')
        b = a
        h = m
        h(2:3, [1, 3]) = 7
        call arr_set(a, 7, arr_span(2, 3), [1, 3])
        call same_matrix(a, h, 'a number')
        call same_matrix(b, m, 'the other name has the old matrix')
        h([4, 1], :) = transpose(n(:, [1, 2]))
        call arr_set(a, arr_upload(h([4, 1], :)), [4, 1])
        call same_matrix(a, h, 'an array')
        h(4:1:-1, 2:3) = m(:, 1:2)
        call arr_set(a, arr_to_csr(arr_upload(m(:, 1:2))), arr_span(step=-1), arr_span(2, 3))
        call same_matrix(a, h, 'a block')
        h([3, 1], [2, 1]) = m([1, 2], [3, 1])
        call arr_set(a, arr_get(b, [1, 2], [3, 1]), [3, 1], [2, 1])
        call same_matrix(a, h, 'a block at two lists')
        h(1, 1) = 9
        call arr_set(a, 9.0_real64, 1, 1)
        call arr_set(a, 0, 4, arr_span(step=-1))
        h(4, :) = 0
        call same_matrix(a, h, 'an element; zeros')
        a = arr_sparse_with_elements(b, arr_upload([1, 2]), arr_upload([1, 2]), -1)
        h = m
        h(1, 1) = -1
        h(2, 2) = -1
        call same_matrix(a, h, 'pairs')
    end subroutine indices

    subroutine joins()
        type(arr_sparse) :: a, b, none
        type(arr_array) :: d
        real(real64) :: h(8, 3), g(4, 6), k(16, 9), big(8, 6), s(3, 3), c(6, 2)
        integer :: j
        a = sample()
        b = arr_to_csr(arr_upload(transpose(n)))
        h(:4, :) = m
        h(5:, :) = transpose(n)
        call same_matrix(arr_concat([a, b]), h, 'below each other')
        g(:, :3) = m
        g(:, 4:) = 2 * m
        call same_matrix(arr_concat([a, 2 * a], dim=2), g, 'beside each other')
        big = 0
        big(:4, :3) = m
        big(5:, 4:) = transpose(n)
        call same_matrix(arr_block_diag([a, b]), big, 'along the diagonal')
        big(5:, :3) = m
        call same_matrix(arr_sparse_block([a, none, a, b], columns=2), big, 'blocks')
        k = reshape([((m((i - 1) / 4 + 1, (j - 1) / 3 + 1) * m(mod(i - 1, 4) + 1, mod(j - 1, 3) + 1), i=1, 16), j=1, 9)], &
            [16, 9])
        call same_matrix(arr_kron(a, a), k, 'a Kronecker product')
        s = matmul(transpose(m), m)
        call same_matrix(arr_matrix_power(matmul(transpose(a), a), 3), matmul(s, matmul(s, s)), 'a power')
        s = 0
        s(1, 1) = 1
        call same_matrix(arr_sparse_kronsum(arr_to_csr(arr_upload(s)), arr_sparse_eye(1)), s + &
            reshape([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3]), 'a Kronecker sum')
        call same(arr_diagonal(a, k=1), [m(1, 2), m(2, 3)], 'a diagonal')
        d = arr_upload([5, 6])
        h(:4, :) = m
        h(2, 1) = 5
        h(3, 2) = 6
        call same_matrix(arr_sparse_with_diagonal(a, d, k=-1), h(:4, :), 'another diagonal')
        h(:4, :) = reshape([((merge(m(i, j), 0.0_real64, j <= i), i=1, 4), j=1, 3)], [4, 3])
        call same_matrix(arr_tril(a), h(:4, :), 'the lower triangle')
        call same_matrix(arr_triu(a, k=1), m - h(:4, :), 'the upper one')
        c = reshape(m, [6, 2])
        call same_matrix(reshape(a, [6, 2]), c, 'another shape')
    end subroutine joins

    subroutine equations()
        type(arr_sparse) :: a, lower, upper
        type(arr_sparse_factor) :: f, g
        type(arr_array) :: b, x, sign, logdet, perm_r, perm_c
        type(arr_error) :: err
        real(real64) :: s(3, 3), right(3), h(3), l(3, 3), u(3, 3)
        integer :: p(3), q(3)
        s = reshape([2, 1, 0, -1, 3, 1, 0, 1, 4], [3, 3])
        right = [1, 2, 3]
        b = right
        a = arr_to_csc(arr_upload(s))
        call arr_sparse_ilu0(a, f)
        h = arr_solve(f, b)
        call expect(maxval(abs(matmul(s, h) - right)) < 1e-12_real64, 'factors without fill, exact for three diagonals')
        h = arr_solve(f, b, op=ARR_MATRIX_TRANSPOSED)
        call expect(maxval(abs(matmul(h, s) - right)) < 1e-12_real64, 'the transpose')
        call arr_sparse_factor_parts(f, lower, upper, perm_r, perm_c)
        l = lower
        u = upper
        p = perm_r
        q = perm_c
        call expect(maxval(abs(matmul(l, u) - s)) < 1e-12_real64 .and. all(p == [1, 2, 3]) .and. all(q == p), 'their parts')
        call arr_sparse_ilut(a, g)
        h = arr_solve(g, b)
        call expect(maxval(abs(matmul(s, h) - right)) < 1e-12_real64, 'factors with thresholds')
        call arr_sparse_ilut(a, g, drop_tol=0d0, ordering=ARR_FILL_NATURAL)
        h = arr_solve(g, b, op=ARR_MATRIX_TRANSPOSED)
        call expect(maxval(abs(matmul(h, s) - right)) < 1e-12_real64, 'the transpose of these')
        call arr_sparse_ilut(a, g, fill_factor=0.5d0, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_ilut: argument fill_factor: 0.5', 'less than the matrix')
        h = arr_solve_triangular(a, b, lower=.true.)
        l = reshape([2, 1, 0, 0, 3, 1, 0, 0, 4], [3, 3])
        call expect(maxval(abs(matmul(l, h) - right)) < 1e-12_real64, 'a triangle')
        call arr_sparse_ic0(matmul(transpose(a), a), g)
        call arr_sparse_refactor(f, 2 * a, g)
        h = arr_solve(g, b)
        call expect(maxval(abs(2 * matmul(s, h) - right)) < 1e-12_real64, 'other values')
        call g%release()
        x = arr_solve(g, b, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_sparse_factor_solve: argument factor', 'no factors')
        call arr_sparse_lu(a, g, permc_spec=ARR_PERMC_NATURAL, diag_pivot_thresh=0.5, err=err)
        if (err%status /= ARR_E_UNAVAILABLE) then          ! SuperLU is there
            call expect(.not. err%failed(), 'LU factors')
            h = arr_solve(g, b)
            call expect(maxval(abs(matmul(s, h) - right)) < 1e-12_real64, 'a solution by them')
            call arr_slogdet(g, sign, logdet)
            call same(arr_expand_dims(sign * exp(logdet), 1), [26.0_real64], 'a determinant')
            h = arr_solve(a, b)
            call expect(maxval(abs(matmul(s, h) - right)) < 1e-12_real64, 'a solution of a matrix')
            call arr_sparse_lu(arr_sparse_eliminate_zeros(0 * a), g, err=err)
            call expect_failure(err, ARR_E_LINALG, 'arr_sparse_lu', 'a singular matrix')
        end if
        call f%release()
        call g%release()
    end subroutine equations

    subroutine products()
        type(arr_sparse) :: a, b
        type(arr_array) :: x, y
        real(real64) :: v(3), w(4), z(3, 2)
        v = [1.0_real64, -2.0_real64, 0.5_real64]
        w = [1.0_real64, 2.0_real64, 3.0_real64, -1.0_real64]
        z = reshape([1, 2, 3, 4, 5, 6], [3, 2])
        a = sample()
        b = arr_to_csc(arr_upload(n))
        x = v
        y = w
        call same(matmul(a, x), matmul(m, v), 'a matrix and a vector')
        call same(matmul(y, a), matmul(w, m), 'a vector and a matrix')
        call same(matmul(a, arr_upload(z)), matmul(m, z), 'a matrix and a dense one')
        call same(matmul(arr_upload(transpose(z)), transpose(a)), matmul(transpose(z), transpose(m)), 'a dense matrix and one')
        call same(matmul(a, z), matmul(m, z), 'a host array')
        call same(matmul(int(w), a * 1), matmul(int(w), m), 'integers of the host')
        call same_matrix(matmul(a, b), matmul(m, n), 'two matrices')
        call same_matrix(matmul(transpose(matmul(b, a) - matmul(b, a * 2)), b), -matmul(transpose(matmul(n, m)), n), &
            'expressions')
        y = w
        call arr_sparse_matmul_into(y, a, x, alpha=2, beta=-1.0_real64)
        call same(y, 2 * matmul(m, v) - w, 'a product into an array')
        call arr_sparse_matmul_into(y, a, x)
        call same(y, matmul(m, v), 'without factors')
    end subroutine products

    subroutine arithmetic()
        type(arr_sparse) :: a, b
        a = sample()
        b = arr_to_csr(arr_upload(transpose(n)))
        call same_matrix(a + b, m + transpose(n), 'a sum')
        call same_matrix(a - b, m - transpose(n), 'a difference')
        call same_matrix(a * b, m * transpose(n), 'an element-wise product')
        call same_matrix(-a, -m, 'negative')
        call expect(arr_nnz(a - a) == 0, 'elements that are 0 are not stored')
        call same_matrix(arr_sparse_unary('absolute', a), abs(m), 'an op of one operand')
        call same_matrix(arr_sparse_binary('maximum', a, b), max(m, transpose(n)), 'an op of two operands')
        call same_matrix(arr_sparse_scale('fmod', a, 2), mod(m, 2.0_real64), 'an op with a number')
    end subroutine arithmetic

    subroutine scales()
        type(arr_sparse) :: a
        type(arr_array) :: columns
        real(real64) :: c(3), wide(4, 3)
        a = sample()
        c = [2.0_real64, 3.0_real64, 4.0_real64]
        columns = c
        wide = spread(c, 1, 4)
        call same_matrix(2 * a, 2 * m, 'a number first')
        call same_matrix(a * 0.5, m / 2, 'a number last')
        call same_matrix(a / 4.0_real64, m / 4, 'a quotient')
        call same_matrix(a**2, m**2, 'a power')
        call same_matrix(a * columns, m * wide, 'columns are scaled')
        call same_matrix(c * a, m * wide, 'by a host array')
        call same_matrix(a / columns, m / wide, 'columns are divided')
        call expect(arr_dtype(arr_astype(a, ARR_FLOAT32) * 2) == ARR_FLOAT32, 'an integer does not widen')
        call expect(arr_dtype(arr_astype(a, ARR_FLOAT32) * 2.0_real64) == ARR_FLOAT64, 'a wider number does')
        call expect(arr_dtype(a * (1.0, 2.0)) == ARR_COMPLEX128, 'nor do complex numbers')
    end subroutine scales

    subroutine reductions()
        type(arr_sparse) :: a
        real(real64) :: total
        integer :: counts(3)
        a = sample()
        total = sum(a)
        call expect(abs(total - sum(m)) < 1e-14_real64, 'the sum of all')
        call same(sum(a, dim=1), sum(m, 1), 'sums over the rows')
        call same(sum(a, 2), sum(m, 2), 'sums over the columns')
        call same(maxval(a, dim=1), maxval(m, 1), 'maxval')
        call same(minval(a, dim=2), minval(m, 2), 'minval')
        call same(product(a, dim=1), product(m, 1), 'product')
        counts = count(a, dim=1)
        call expect(all(counts == [1, 1, 3]), 'count')
        call same(arr_sparse_reduce(ARR_REDUCTION_MEAN, a, dim=1), sum(m, 1) / 4, 'mean')
    end subroutine reductions

    subroutine conversions()
        type(arr_sparse) :: a, b
        type(arr_sparse_properties) :: info
        a = arr_sparse_coo(4, 3, arr_upload([VALUES, VALUES]), arr_upload([ROW, ROW]), arr_upload([COL, COL]))
        call expect(.not. arr_sparse_is_canonical(a), 'elements of one row and column')
        b = arr_sparse_sum_duplicates(a)
        call expect(arr_sparse_is_canonical(b) .and. arr_nnz(b) == 5, 'they are added')
        call same_matrix(b, 2 * m, 'the same matrix')
        call same_matrix(arr_to_csc(a), 2 * m, 'compressed columns')
        info = arr_sparse_info(arr_to_csc(a))
        call expect(info%format == ARR_SPARSE_CSC_NUMBER .and. info%rows == 4 .and. info%nnz == 5, 'their format')
        info = arr_sparse_info(transpose(arr_to_csc(a)))
        call expect(info%format == ARR_SPARSE_CSR_NUMBER .and. info%rows == 3, 'that of the transpose')
        info = arr_sparse_info(arr_to_coo(b))
        call expect(info%format == ARR_SPARSE_COO_NUMBER .and. arr_dtype(info%index_dtype) == ARR_INT32, 'coordinates')
        b = b * arr_upload([1, 0, 1])
        call expect(arr_nnz(b) == 5 .and. arr_nnz(arr_sparse_eliminate_zeros(b)) == 4, 'stored zeros')
    end subroutine conversions

    subroutine failures()
        type(arr_sparse) :: a, b
        type(arr_array) :: z, one, two
        type(arr_error) :: err
        a = sample()
        one = [1.0_real64]
        two = [3]
        b = arr_sparse_coo(2, 2, one, two, arr_upload([1]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_coo: argument row: 3 at position 1, expected 1 to 2', 'a row')
        call expect(.not. arr_alive(b), 'a matrix that was refused')
        b = arr_sparse_coo(2, 300, one, arr_upload([1]), arr_astype(arr_upload([0]), ARR_UINT8), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument col: 0 at position 1, expected 1 to 300', '0 is no index')
        b = arr_sparse_csr(2, 2, one, arr_upload([1]), arr_upload([0, 1, 2]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument indptr: 0 at position 1, expected 1', 'pointers from 0')
        b = arr_sparse_csr(2, 2, one, arr_upload([1]), arr_upload([1, 1, 1]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, &
            'argument indptr: 1 at position 3, expected one more than the number of indices, 2', 'pointers that end early')
        b = arr_sparse_csr(3, 2, arr_ones([2]), arr_upload([1, 1]), arr_upload([1, 3, 2, 3]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument indptr: 2 at position 3, less than the one before, 3', 'they fall')
        b = arr_sparse_csr(2, 2, one, arr_upload([.true.]), arr_upload([1, 1, 2]), err=err)
        call expect_failure(err, ARR_E_DTYPE, 'argument indices: got bool, expected integers', 'logicals')
        b = arr_sparse_coo(2.5, 2, one, two, two, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_sparse_coo: argument rows: expected an integer', 'rows')
        b = arr_sparse_bsr(2, 2, arr_ones([1, 2, 2]), arr_upload([2]), arr_upload([1, 2]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_bsr: argument indices: 2 at position 1, expected 1', 'a block')
        b = arr_sparse_with_data(a, one, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sparse_with_data: argument data', 'other values')
        b = arr_get(a, 0, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_get: argument s1: position 0 of a dimension of extent 4', 'no row')
        b = arr_get(a, arr_span(1, 5), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_get: subscripts: out of bounds for shape (4,3)', 'a range')
        b = arr_get(a, 1, [1, 4], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_get: argument s2: position 4 of a dimension of extent 3', 'a column')
        b = arr_get(a, 'one', err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_get: argument s1: an integer, arr_span', 'a text')
        z = arr_item(a, [1, 0], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_item: argument s2: position 0', 'an element')
        z = arr_sparse_elements(a, arr_upload([0]), arr_upload([1]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_elements: argument rows', 'elements')
        call arr_set(a, arr_sparse_eye(2), arr_span(), 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sparse_with_items: argument block', 'a block')
        call arr_set(a, arr_ones([2]), 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sparse_with_elements: argument value', 'values')
        call same_matrix(a, m, 'the matrix is what it was')
        b = arr_sparse_diags(3, 3, [one], [0, 1], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_diags: argument offsets', 'offsets')
        z = matmul(a, arr_ones([4]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sparse_matmul: argument x: 4 rows', 'a product')
        z = sum(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'argument dim: dimension 3', 'a dimension')
        z = arr_sparse_part(a, ARR_SPARSE_PART_INDPTR, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_sparse_part: argument part', 'a part')
        b = arr_sparse_unary('cos', a, err=err)
        call expect_failure(err, ARR_E_UNSUPPORTED, 'arr_sparse_unary', 'a dense result')
        call arr_release(b)
        b = transpose(b, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'expected a sparse matrix, got a variable that holds none', 'no matrix')
        call expect(size(a, 3, err=err) == 0, 'the size along no dimension')
        call expect_failure(err, ARR_E_ARGUMENT, 'size: argument dim', 'its error')
    end subroutine failures

    ! Each statement leaves as many handles as there are variables.
    subroutine random_norms_files()
        type(arr_sparse) :: a, b
        real(real64) :: h(30, 20), rows(30), x
        type(arr_error) :: err
        integer :: unit
        a = arr_sparse_random(30, 20, density=0.1)
        call expect(arr_nnz(a) == 60, 'a random matrix')
        h = a
        x = arr_norm(a)
        call expect(abs(x - norm2(h)) < 1e-12, 'the Frobenius norm')
        x = arr_norm(a, ord=1)
        call expect(abs(x - maxval(sum(abs(h), dim=1))) < 1e-12, 'the 1-norm')
        rows = arr_norm(a, dim=2)
        call expect(all(abs(rows - norm2(h, dim=2)) < 1e-12), 'the norms of the rows')
        call arr_sparse_save_mtx(a, 'test_sparse.mtx', comment='from Fortran')
        b = arr_sparse_load_mtx('test_sparse.mtx')
        call same_matrix(b, h, 'a MatrixMarket file')
        open (newunit=unit, file='test_sparse.mtx')
        close (unit, status='delete')
        b = arr_sparse_load_mtx('test_sparse.mtx', err=err)
        call expect(err%failed(), 'a file that is gone')
    end subroutine random_norms_files

    subroutine hermitian_factors()
        type(arr_sparse) :: a, x
        type(arr_sparse_factor) :: f
        type(arr_expr) :: e
        type(arr_array) :: none
        real(real64) :: h(4, 4), g(4, 4), y(4)
        type(arr_error) :: err
        h = 0
        do i = 1, 4
            h(i, i) = 4 + i
            if (i < 4) h(i:i + 1, i:i + 1) = h(i:i + 1, i:i + 1) + reshape([0.0, -1.0, -1.0, 0.0], [2, 2])
        end do
        a = arr_to_csr(arr_upload(h))
        call arr_sparse_cholesky(a, f)
        y = arr_solve(f, arr_upload([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64]))
        call expect(all(abs(matmul(h, y) - [1, 2, 3, 4]) < 1e-12), 'a Cholesky factor')
        x = arr_solve(f, a)
        g = x
        call expect(all(abs(matmul(h, g) - h) < 1e-12), 'a sparse right-hand side')
        call f%release()
        call arr_sparse_ldl(-a, f, upper=.true.)
        y = arr_solve(f, arr_upload([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64]))
        call expect(all(abs(matmul(h, y) + [1, 2, 3, 4]) < 1e-12), 'an L D L'' factor')
        call f%release()
        call arr_sparse_cholesky(-a, f, err=err)
        call expect(err%failed(), 'not positive definite')
        y = arr_sparse_semiring_matmul(ARR_REDUCTION_MIN, 'add', a, arr_full([4], 1.0_real64))
        call expect(all(abs(y - 1 - minval(merge(h, huge(1.0_real64), abs(h) > 0), dim=2)) < 1e-12), 'min and add')
        x = arr_sparse_semiring_product(ARR_REDUCTION_SUM, 'multiply', a, a)
        g = x
        call expect(all(abs(g - matmul(h, h)) < 1e-12), 'sum and multiply')
        g = arr_sparse_semiring_product(ARR_REDUCTION_SUM, 'multiply', a, a, mask=a, complement=.true.)
        call expect(all(abs(g - merge(0.0_real64, matmul(h, h), abs(h) > 0)) < 1e-12), 'the complement of a mask')
        call e%create()
        y = e%product(max(e%input(1) + e%input(2), 0d0), a, arr_ones([4]), [arr_upload([1d0, -200d0, 3d0, 0d0])])
        call expect(all(abs(y - max(sum(h, 2) + [1d0, -200d0, 3d0, 0d0], 0d0)) < 1e-12), 'an expression of a product')
        y = e%product(2 * e%input(1), a, arr_ones([4]))
        call expect(all(abs(y - 2 * sum(h, 2)) < 1e-12), 'of the product alone')
        x = a
        none = e%product(e%input(1), x, arr_ones([3]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sparse_matmul_expr: argument x', 'a vector of another length')
    end subroutine hermitian_factors

    subroutine ownership()
        type(arr_sparse) :: a, b, list(2)
        type(arr_sparse), allocatable :: many(:)
        type(pair) :: f
        integer(int64) :: before
        real(real64) :: h(4, 3)
        a = sample()
        before = arr_live_handles()
        b = a
        call expect(arr_live_handles() == before + 1, 'another name')
        b = b
        a = a * 2
        call expect(arr_live_handles() == before + 1, 'assigned again')
        call same_matrix(b, m, 'the other name has the old matrix')
        h = a + matmul(a, matmul(transpose(a), a))
        call expect(arr_live_handles() == before + 1, 'an expression')
        list(1) = a
        list(2) = list(1)
        f%p = list(2)
        f%q = -f%p
        call expect(arr_live_handles() == before + 5, 'elements and components')
        call same_matrix(f%q, -2 * m, 'a component')
        many = [a, -b]
        many = [many, a + b]
        call same_matrix(many(1) + many(2) + many(3), 4 * m, 'a list that gets longer')
        list = many(2:3)
        call expect(arr_live_handles() == before + 8, 'lists')
        deallocate (many)
        call same_matrix(list(2), 3 * m, 'an element of a list that is gone')
        call arr_release(list)
        call arr_release(b)
        call expect(arr_live_handles() == before + 2, 'released')
        call arr_scope_begin()
        b = a
        f%q = a * 3
        call arr_keep(f%q)
        call arr_scope_end()
        call expect(arr_alive(f%q) .and. .not. arr_alive(b), 'a scope')
    end subroutine ownership
end program test_sparse
