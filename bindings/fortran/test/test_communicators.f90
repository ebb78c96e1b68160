! SPDX-License-Identifier: MIT
! test_communicators.f90: collective operations and messages. Ranks are called by one thread, in groups.
program test_communicators
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    call collectives()
    call messages()
    call matrices()
    call failures()
    if (arr_device_count(ARR_CUDA) > 0) call gpus()
    call sparse_matrices()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine begin(comms)
        type(arr_comm), intent(in) :: comms(:)
        integer :: r
        do r = 1, size(comms)
            call arr_comm_group_begin(comms(r))
        end do
    end subroutine begin

    subroutine finish_group(comms)
        type(arr_comm), intent(in) :: comms(:)
        integer :: r
        do r = 1, size(comms)
            call arr_comm_group_start(comms(r))
        end do
        do r = 1, size(comms)
            call arr_comm_group_end(comms(r))
        end do
    end subroutine finish_group

    subroutine collectives()
        type(arr_comm), allocatable :: comms(:)
        type(arr_array) :: part(2), total(2), whole(2), back(2), piece(2), turned(2)
        type(arr_comm_properties) :: info
        real(real64) :: h(3), joined(3, 2), column(3)
        integer :: r
        call arr_comm_local(comms, 2)
        info = arr_comm_info(comms(2))
        call expect(info%size == 2 .and. info%rank == 1 .and. info%failed == 0, 'what a communicator is')
        do r = 1, 2
            part(r) = real([1, 2, 3]*r, real64)
            total(r) = arr_zeros_like(part(r))
            whole(r) = arr_zeros([3, 2])
            back(r) = arr_zeros([3, 1])
            piece(r) = arr_zeros([3])
            turned(r) = arr_zeros([3, 2])
        end do
        call begin(comms)
        do r = 1, 2
            call arr_comm_all_reduce(comms(r), total(r), part(r))
            call arr_comm_all_gather(comms(r), whole(r), reshape(part(r), [3, 1]))
        end do
        call finish_group(comms)
        h = total(2)
        call expect(all(h == [3, 6, 9]), 'sums')
        joined = whole(1)
        call expect(all(joined(:, 2) == [2, 4, 6]), 'columns of the ranks')
        call begin(comms)
        do r = 1, 2
            call arr_comm_reduce_scatter(comms(r), back(r), whole(r), reduction=ARR_REDUCTION_MAX)
            call arr_comm_all_to_all(comms(r), turned(r), whole(r), send_counts=[1, 1], recv_counts=[1, 1])
        end do
        call arr_comm_scatter(comms(1), back(1), whole(1), root=0)
        call arr_comm_scatter(comms(2), back(2))
        call arr_comm_gather(comms(1), back(1), root=1)
        call arr_comm_gather(comms(2), back(2), whole(2), root=1)
        call arr_comm_reduce(comms(1), part(1), total(1), reduction=ARR_REDUCTION_MIN)
        call arr_comm_reduce(comms(2), part(2), reduction=ARR_REDUCTION_MIN)
        call arr_comm_broadcast(comms(1), part(1), root=1)
        call arr_comm_broadcast(comms(2), part(2), root=1)
        call arr_comm_barrier(comms(1))
        call arr_comm_barrier(comms(2))
        call finish_group(comms)
        joined = turned(1)
        call expect(all(joined(:, 1) == joined(:, 2)), 'first columns of all')
        h = total(1)
        call expect(all(h == [1, 2, 3]), 'least')
        h = part(1)
        call expect(all(h == [2, 4, 6]), 'broadcast')
        column = reshape(back(2), [3])
        call expect(all(column == [2, 4, 6]), 'scattered')
    end subroutine collectives

    subroutine messages()
        type(arr_comm), allocatable :: comms(:)
        type(arr_comm) :: alone
        type(arr_comm_properties) :: info
        type(arr_array) :: a(2), b(2)
        real(real64) :: h(4)
        integer :: r
        call arr_comm_local(comms, 2)
        do r = 1, 2
            a(r) = spread(real(r, real64), 1, 4)
            b(r) = arr_zeros([4])
        end do
        call begin(comms)
        do r = 1, 2
            call arr_comm_send(comms(r), a(r), receiver=2 - r)
            call arr_comm_recv(comms(r), b(r), sender=2 - r)
            call arr_comm_exchange_halo(comms(r), a(r), dims=[1], grid=[2], widths=[1], periodic=[.true.])
        end do
        call finish_group(comms)
        h = b(1)
        call expect(all(h == 2), 'a message')
        h = a(1)
        call expect(all(h == [2, 1, 1, 2]), 'a halo')
        call begin(comms)
        call arr_comm_send_recv(comms(1), b(1), a(1), sender=1, receiver=-1)
        call arr_comm_send_recv(comms(2), b(2), a(2), sender=-1, receiver=0)
        call finish_group(comms)
        h = b(1)
        call expect(all(h == [1, 2, 2, 1]), 'to one side')
        call arr_comm_shrink(comms(1), alone, [1])
        info = arr_comm_info(alone)
        call expect(info%size == 1, 'without the other')
        deallocate (comms)
        call arr_comm_local(comms, 1)
        call arr_comm_split(comms(1), alone, color=3)
        call arr_comm_duplicate(comms(1), alone)
        info = arr_comm_info(alone)
        call expect(info%size == 1 .and. info%rank == 0, 'a duplicate')
    end subroutine messages

    ! There is one rank: several ranks of a thread would wait for each other.
    subroutine matrices()
        type(arr_comm), allocatable :: comms(:)
        type(arr_sparse) :: a, b
        type(arr_sparse), allocatable :: all_(:)
        type(arr_error) :: err
        type(arr_array) :: d
        real(real64) :: h(2, 2)
        call arr_comm_local(comms, 1)
        a = arr_sparse_eye(2)
        b = arr_comm_sparse_broadcast(comms(1), a)
        b = arr_comm_sparse_reduce(comms(1), b)
        call arr_comm_sparse_all_to_all(comms(1), [b], all_)
        d = arr_to_dense(all_(1))
        h = d
        call expect(all(h == reshape([1, 0, 0, 1], [2, 2])), 'a sum of matrices')
        call arr_comm_sparse_send(comms(1), a, 0, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'a matrix for itself')
    end subroutine matrices

    ! A rank alone, whose id comes in each way.
    subroutine gpus()
        type(arr_comm), allocatable :: host(:)
        type(arr_comm) :: c
        type(arr_comm_properties) :: info
        type(arr_device) :: gpu
        type(arr_array) :: a, total
        type(arr_error) :: err
        character(len=128) :: first, second
        real(real64) :: h(3)
        gpu = arr_device(ARR_CUDA, 0)
        call arr_comm_nccl_id(first)
        call arr_comm_nccl_id_file(second, 1, 0, '/nonexistent/alone')
        call expect(first /= second, 'ids')
        call arr_comm_nccl(c, 1, 0, second, gpu)
        a = real([1, 2, 3], real64)
        a = arr_to_device(a, gpu)
        total = arr_zeros_like(a)
        call arr_comm_all_reduce(c, total, a)
        h = total
        call expect(all(h == [1, 2, 3]), 'a sum of a GPU')
        call arr_comm_nccl_id_tcp(second, 1, 0, '127.0.0.1:1', 'a secret of this test')
        call arr_comm_local(host, 1)
        call arr_comm_nccl_with(host(1), c, gpu)
        info = arr_comm_info(c)
        call expect(info%engine == ARR_COMM_NCCL_NUMBER .and. info%size == 1, 'with the ranks of another communicator')
        call arr_comm_nccl_id_file(second, 2, 1, '/nonexistent/meeting', seconds=0.05_real64, err=err)
        call expect(err%status == ARR_E_IO, 'no folder')
        call arr_comm_nccl_id_tcp(second, 2, 1, '127.0.0.1:1', 'short', err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'a short token')
    end subroutine gpus

    subroutine failures()
        type(arr_comm), allocatable :: comms(:)
        type(arr_comm_properties) :: info
        type(arr_array) :: a
        type(arr_error) :: err
        call arr_comm_local(comms, 2)
        call arr_comm_set_timeout(comms(1), 0.05_real64)
        call arr_comm_barrier(comms(1), err=err)
        call expect(err%status == ARR_E_LOST, 'a rank that does not come')
        call arr_comm_abort(comms(2))
        info = arr_comm_info(comms(2))
        call expect(info%failed == 1, 'failed')
        a = arr_zeros([4])
        call arr_comm_exchange_halo(comms(1), a, dims=[1], grid=[2, 1], widths=[1], err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'lists of different lengths')
        call arr_comm_all_to_all(comms(1), a, a, send_counts=[1, 1], err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'counts of one side')
        call arr_comm_local(comms, 0, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'no ranks')
    end subroutine failures
    ! One rank: a thread that has several would wait for itself.
    subroutine sparse_matrices()
        type(arr_comm), allocatable :: comms(:)
        type(arr_dist_sparse) :: a
        type(arr_dist_sparse_properties) :: info
        type(arr_linop) :: op
        type(arr_sparse) :: rows, block
        type(arr_array) :: x, y, dst
        type(arr_error) :: err
        real(real64) :: h(2)
        call arr_comm_local(comms, 1)
        rows = arr_to_coo(arr_upload(reshape([4.0_real64, 1.0_real64, 2.0_real64, 3.0_real64], [2, 2])))
        call arr_dist_sparse_create(a, comms(1), rows, [2])
        x = arr_upload([1.0_real64, 2.0_real64])
        y = arr_dist_sparse_matmul(a, x)
        h = y
        call expect(all(h == [8.0_real64, 7.0_real64]), 'product of a sparse matrix over ranks')
        dst = arr_zeros([2])
        call arr_dist_sparse_matmul_into(dst, a, x, op=ARR_MATRIX_TRANSPOSED)
        h = dst
        call expect(all(h == [6.0_real64, 8.0_real64]), 'product of its transpose')
        op = arr_linop_from_dist_sparse(a)
        x = arr_solve_gmres(op, y)
        h = x
        call expect(all(abs(h - [1.0_real64, 2.0_real64]) < 1e-4_real64), 'solution over ranks')
        info = arr_dist_sparse_info(a)
        call expect(info%whole_nnz == 4 .and. info%received == 0, 'properties of a sparse matrix over ranks')
        block = arr_dist_sparse_block(a)
        op = arr_linop_over(arr_linop_from_sparse(block), comms(1))
        call arr_dist_sparse_create(a, comms(1), rows, [1, 1], err=err)
        call expect(err%failed(), 'counts of two ranks')
    end subroutine sparse_matrices

end program test_communicators
