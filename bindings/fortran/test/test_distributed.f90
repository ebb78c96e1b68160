! SPDX-License-Identifier: MIT
! test_distributed.f90: distributed arrays on 1 to 3 ranks, each of which is a thread, against Fortran's own arrays.
program test_distributed
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: CHECKS = 12
    real(real64) :: a(4, 5)
    integer :: i, n
    a = reshape([(real(i, real64), i=1, 20)], [4, 5])
    do n = 1, 3
        call on_ranks(n)
    end do
    call refusals()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine on_ranks(n)
        integer, intent(in) :: n
        type(arr_comm), allocatable :: comms(:)
        logical :: good(CHECKS, n)
        character(len=20) :: labels(CHECKS)
        integer :: r, k
        labels = [character(len=20) :: 'decompositions', 'moves', 'views', 'formulas', 'reductions', 'scans', 'products', &
            'transforms', 'order', 'halos', 'random numbers', 'files']
        call arr_comm_local(comms, n)
        do r = 1, n
            call arr_comm_set_timeout(comms(r), 60)
        end do
        good = .false.
        !$omp parallel do num_threads(n) schedule(static, 1)
        do r = 1, n
            call one_rank(comms(r), n, good(:, r))
        end do
        !$omp end parallel do
        do k = 1, CHECKS
            call expect(all(good(k, :)), trim(labels(k)))
        end do
    end subroutine on_ranks

    subroutine one_rank(comm, n, good)
        type(arr_comm), intent(in) :: comm
        integer, intent(in) :: n
        logical, intent(out) :: good(CHECKS)
        type(arr_decomposition) :: by
        type(arr_dist) :: d
        type(arr_comm_properties) :: at
        at = arr_comm_info(comm)
        call arr_decomposition_create(comm, by, [4, 5])
        call arr_dist_scatter(by, d, arr_array_of(a))
        good(1) = decompositions(comm, by, n, at%rank)
        good(2) = moves(comm, by, d, n, at%rank)
        good(3) = views(d)
        good(4) = formulas(d)
        good(5) = reductions(d)
        good(6) = scans(d)
        good(7) = products(d)
        good(8) = transforms(d)
        good(9) = order(d)
        good(10) = halos(by, d, at%rank)
        good(11) = random_numbers(by)
        good(12) = files(comm, d, n)
    end subroutine one_rank

    function arr_array_of(h) result(x)
        real(real64), intent(in) :: h(:, :)
        type(arr_array) :: x
        x = h
        call arr_give(x)
    end function arr_array_of

    ! True if the whole array is h.
    function is(d, h) result(yes)
        type(arr_dist), intent(in) :: d
        real(real64), intent(in) :: h(:, :)
        logical :: yes
        type(arr_array) :: whole
        real(real64), allocatable :: got(:, :)
        whole = arr_dist_gather(d)
        yes = all(shape(whole) == shape(h))
        if (.not. yes) return
        allocate (got(size(h, 1), size(h, 2)))
        got = whole
        yes = all(abs(got - h) <= 1e-12 * (1 + abs(h)))
    end function is

    function number(d) result(x)
        type(arr_dist), intent(in) :: d
        real(real64) :: x
        x = arr_dist_gather(d)
    end function number

    function decompositions(comm, by, n, rank) result(yes)
        type(arr_comm), intent(in) :: comm
        type(arr_decomposition), intent(in) :: by
        integer, intent(in) :: n, rank
        logical :: yes
        type(arr_decomposition) :: other
        type(arr_array) :: indices
        integer(int64), allocatable :: h(:)
        integer :: counts(n), extents(2)
        counts = 0
        counts(n) = 4
        yes = all(arr_decomposition_shape(by) == [4, 5])
        extents = arr_decomposition_shape(by, 0)    ! the last dimension is divided
        yes = yes .and. extents(1) == 4 .and. extents(2) == (5 + n - 1) / n
        call arr_decomposition_counts(comm, other, [4, 5], 1, counts)
        extents = arr_decomposition_shape(other, rank)
        yes = yes .and. extents(1) == counts(rank + 1) .and. extents(2) == 5
        call arr_decomposition_owners(comm, other, [4, 5], 2, [0, n - 1, 0, n - 1, 0])
        call arr_decomposition_indices(other, 0, 2, indices)
        allocate (h(merge(5, 3, n == 1)))
        h = indices
        yes = yes .and. h(2) == merge(2, 3, n == 1)
        call arr_decomposition_create(comm, other, [4, 5], grid=[n, 1], blocks=[1, 0])
        yes = yes .and. all(arr_decomposition_shape(other, 0) == [(4 + n - 1) / n, 5])
    end function decompositions

    function moves(comm, by, d, n, rank) result(yes)
        type(arr_comm), intent(in) :: comm
        type(arr_decomposition), intent(in) :: by
        type(arr_dist), intent(in) :: d
        integer, intent(in) :: n, rank
        logical :: yes
        type(arr_decomposition) :: rows, again
        type(arr_dist) :: e, f
        type(arr_array) :: whole
        call arr_decomposition_create(comm, rows, [4, 5], grid=[n, 1])
        call arr_dist_redistribute(d, e, rows)
        yes = is(d, a) .and. is(e, a) .and. all(shape(arr_dist_part(e)) == arr_decomposition_shape(rows, rank))
        call arr_dist_create(by, f)
        call arr_dist_assign(f, e)
        yes = yes .and. is(f, a) .and. arr_dist_dtype(f) == ARR_FLOAT64
        call arr_dist_from_part(by, e, 2 * arr_dist_part(d))
        yes = yes .and. is(e, 2 * a)
        whole = arr_dist_gather(d, root=n - 1)
        yes = yes .and. (arr_alive(whole) .eqv. rank == n - 1)
        call arr_dist_decomposition(d, again)
        yes = yes .and. all(arr_decomposition_shape(again, rank) == arr_decomposition_shape(by, rank))
    end function moves

    function views(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: t, v
        call arr_dist_transpose(d, t)
        call arr_dist_slice(d, v, 2, 2, 4)
        yes = is(t, transpose(a)) .and. is(v, a(:, 2:4))
        call arr_dist_transpose(d, t, order=[1, 2])
        call arr_dist_slice(t, v, 1, 4, 4)
        yes = yes .and. is(v, a(4:4, :))
    end function views

    function formulas(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: z, w
        type(arr_expr) :: e
        type(arr_node) :: x, y
        call arr_dist_evaluate('2 * u + v', z, d, d)
        call arr_dist_apply('add', w, z, d)
        yes = is(z, 3 * a) .and. is(w, 4 * a)
        call e%create()
        x = e%input(1)
        y = e%input(2)
        call arr_dist_run(e, x * y + 1, w, d, z)
        yes = yes .and. is(w, 3 * a**2 + 1)
        call arr_dist_run_into(e, x - y, z, w, d)
        yes = yes .and. is(z, 3 * a**2 + 1 - a)
    end function formulas

    function reductions(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: r
        call arr_dist_reduce(d, r, ARR_REDUCTION_SUM)
        yes = number(r) == sum(a)
        call arr_dist_reduce(d, r, ARR_REDUCTION_MAX, dim=[2], keepdims=.true.)
        yes = yes .and. is(r, reshape(maxval(a, 2), [4, 1]))
        call arr_dist_reduce(d, r, ARR_REDUCTION_SUM, dim=[1], keepdims=.true.)
        yes = yes .and. is(r, reshape(sum(a, 1), [1, 5]))
    end function reductions

    function scans(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: r
        real(real64) :: h(4, 5)
        integer :: j
        h = a
        do j = 2, 5
            h(:, j) = h(:, j) + h(:, j - 1)
        end do
        call arr_dist_accumulate('add', d, r, 2)
        yes = is(r, h)
    end function scans

    function products(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: t, p
        call arr_dist_transpose(d, t)
        call arr_dist_matmul(d, t, p)
        yes = is(p, matmul(a, transpose(a)))
        call arr_dist_matmul(t, d, p)
        yes = yes .and. is(p, matmul(transpose(a), a))
    end function products

    function transforms(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: f, g, r
        type(arr_array) :: whole
        complex(real64) :: h(4, 5)
        call arr_dist_fftn(d, f, dim=[1])
        whole = arr_dist_gather(f)
        h = whole
        yes = all(abs(h(1, :) - sum(a, 1)) < 1e-12) .and. all(abs(h(3, :) - (a(1, :) - a(2, :) + a(3, :) - a(4, :))) < 1e-12)
        call arr_dist_fftn(f, g, dim=[1], inverse=.true., keep=.false.)
        call arr_dist_apply('real', r, g)
        yes = yes .and. is(r, a)
        call arr_dist_rfftn(d, f)
        yes = yes .and. all(shape(arr_dist_gather(f)) == [3, 5])    ! of the first dimension half stays
        call arr_dist_irfftn(f, g, n=4)
        yes = yes .and. is(g, a)
    end function transforms

    function order(d) result(yes)
        type(arr_dist), intent(in) :: d
        logical :: yes
        type(arr_dist) :: m, r
        call arr_dist_apply('negative', m, d)
        call arr_dist_sort(m, r, 2)
        yes = is(r, -a(:, 5:1:-1))
        call arr_dist_sort(m, r, 1)
        yes = yes .and. is(r, -a(4:1:-1, :))
    end function order

    function halos(by, d, rank) result(yes)
        type(arr_decomposition), intent(in) :: by
        type(arr_dist), intent(in) :: d
        integer, intent(in) :: rank
        logical :: yes
        type(arr_dist) :: u
        type(arr_array) :: next, indices
        integer(int64), allocatable :: at(:)
        real(real64), allocatable :: h(:, :)
        integer :: extents(2)
        extents = arr_decomposition_shape(by, rank)
        allocate (at(extents(2)), h(4, extents(2)))
        call arr_decomposition_indices(by, rank, 2, indices)
        at = indices
        call arr_dist_create(by, u, halo=[1, 1])
        call arr_dist_assign(u, d)
        call arr_dist_exchange(u, periodic=[.false., .true.])
        next = arr_dist_part(u, [0, 1])
        h = next
        yes = all(h == a(:, mod(at, 5_int64) + 1))
        call arr_dist_exchange_begin(u, periodic=[.true., .true.])
        call arr_dist_exchange_end(u)
        next = arr_dist_part(u, [-1, 0])
        h = next
        yes = yes .and. all(h(2:4, :) == a(1:3, at)) .and. all(h(1, :) == a(4, at))
        yes = yes .and. all(shape(arr_dist_memory(u)) == [6, extents(2) + 2])
    end function halos

    function random_numbers(by) result(yes)
        type(arr_decomposition), intent(in) :: by
        logical :: yes
        type(arr_dist) :: d
        type(arr_generator) :: g
        type(arr_array) :: alone
        real(real64) :: h(4, 5)
        call arr_generator_create(g, 3_int64)
        call arr_dist_random(by, d, g, ARR_DISTRIBUTION_NORMAL, 1, 2.0)
        call arr_generator_create(g, 3_int64)
        alone = arr_zeros([4, 5])
        call arr_random_fill(alone, ARR_DISTRIBUTION_NORMAL, 1, 2.0, generator=g)
        h = alone
        yes = is(d, h)
    end function random_numbers

    function files(comm, d, n) result(yes)
        type(arr_comm), intent(in) :: comm
        type(arr_dist), intent(in) :: d
        integer, intent(in) :: n
        logical :: yes
        type(arr_decomposition) :: rows
        type(arr_dist) :: read
        character(len=32) :: path
        write (path, '(a,i0,a)') 'test_distributed_', n, '.npy'
        call arr_dist_save(d, path)
        call arr_decomposition_create(comm, rows, [4, 5], grid=[n, 1])
        call arr_dist_load(rows, read, path)
        yes = is(read, a)
    end function files

    subroutine refusals()
        type(arr_comm), allocatable :: comms(:)
        type(arr_decomposition) :: by
        type(arr_dist) :: d, z
        type(arr_array) :: part
        type(arr_error) :: err
        call arr_comm_local(comms, 1)
        call arr_decomposition_create(comms(1), by, [4, 4], grid=[2, 1], err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'a grid of too many ranks')
        call arr_decomposition_create(comms(1), by, [4, 4])
        call arr_decomposition_counts(comms(1), by, [4, 4], 0, [4], err=err)
        call expect(err%status == ARR_E_SHAPE, 'no dimension 0')
        call arr_decomposition_create(comms(1), by, [4, 4])
        call arr_dist_create(by, d)
        part = arr_dist_part(d, [1, 0], err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'an offset without a halo')
        call arr_dist_apply('no such op', z, d, err=err)
        call expect(err%failed(), 'an unknown op')
        call arr_dist_evaluate('u +', z, d, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'no formula')
    end subroutine refusals
end program test_distributed
