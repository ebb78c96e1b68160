! SPDX-License-Identifier: MIT
! arr_communicators.f90: making communicators, and collective operations on arrays that are divided along a dimension.
module arr_communicators
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_local => arr_comm_local, c_shrink => arr_comm_shrink, c_all_gather => arr_comm_all_gather, &
        c_gather => arr_comm_gather, c_scatter => arr_comm_scatter, c_reduce_scatter => arr_comm_reduce_scatter, &
        c_all_to_all => arr_comm_all_to_all, c_exchange_halo => arr_comm_exchange_halo, c_nccl_id => arr_comm_nccl_id, &
        c_nccl_id_file => arr_comm_nccl_id_file, c_nccl_id_tcp => arr_comm_nccl_id_tcp, &
        c_sparse_all_to_all => arr_comm_sparse_all_to_all, &
        c_nccl => arr_comm_nccl, c_nccl_with => arr_comm_nccl_with
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, handle_of, stream_of
    use arr_arguments, only: done_if
    use arr_counting, only: axis_of
    use arr_functions, only: arr_comm
    use arr_handle_types, only: arr_sparse
    implicit none
    private
    public :: arr_comm_sparse_all_to_all, arr_comm_local, arr_comm_shrink, arr_comm_all_gather, arr_comm_gather, arr_comm_scatter, &
        arr_comm_reduce_scatter, arr_comm_all_to_all, arr_comm_exchange_halo, arr_comm_nccl_id, arr_comm_nccl_id_file, &
        arr_comm_nccl_id_tcp, arr_comm_nccl, arr_comm_nccl_with

    ! Makes a communicator of ranks in this process; comms(r + 1) is that of rank r, usually of a thread.
    interface arr_comm_local
        module procedure comm_local
    end interface arr_comm_local

    ! Makes a communicator without some ranks, which count from 0. Only the others call it.
    interface arr_comm_shrink
        module procedure comm_shrink
    end interface arr_comm_shrink

    ! Joins the arrays of all ranks along a dimension, the last one if dim is absent. counts has the extent of each part; without
    ! it all are equal.
    interface arr_comm_all_gather
        module procedure comm_all_gather
    end interface arr_comm_all_gather

    ! The same; the result is that of rank root, and other ranks need no dst.
    interface arr_comm_gather
        module procedure comm_gather
    end interface arr_comm_gather

    ! Divides the array of rank root along a dimension; other ranks need no src.
    interface arr_comm_scatter
        module procedure comm_scatter
    end interface arr_comm_scatter

    ! Combines the arrays of all ranks element by element, and divides the result along a dimension.
    interface arr_comm_reduce_scatter
        module procedure comm_reduce_scatter
    end interface arr_comm_reduce_scatter

    ! Sends a part along a dimension to each rank, and joins the parts that arrive.
    interface arr_comm_all_to_all
        module procedure comm_all_to_all
    end interface arr_comm_all_to_all

    ! Sends a matrix to each rank, or one that is not made for none, and returns those that arrive.
    interface arr_comm_sparse_all_to_all
        module procedure comm_sparse_all_to_all
    end interface arr_comm_sparse_all_to_all

    ! Fills the outer layers of an array with the values of neighbours in a grid of ranks, which divides dimensions. The grid is
    ! in row-major order: the rank's number changes fastest along its last dimension.
    interface arr_comm_exchange_halo
        module procedure comm_exchange_halo
    end interface arr_comm_exchange_halo

    ! Makes an id of NCCL, 128 bytes, which the ranks of one communicator are given.
    interface arr_comm_nccl_id
        module procedure comm_nccl_id
    end interface arr_comm_nccl_id

    ! Returns the id of rank 0 on each of the processes, which share the folder of a path. Ranks count from 0. Without
    ! seconds there is no time limit.
    interface arr_comm_nccl_id_file
        module procedure comm_nccl_id_file
    end interface arr_comm_nccl_id_file

    ! The same by TCP: rank 0 listens at an address, 'host:port', for those that know the token.
    interface arr_comm_nccl_id_tcp
        module procedure comm_nccl_id_tcp
    end interface arr_comm_nccl_id_tcp

    ! Makes a communicator of GPUs by NCCL, with an id.
    interface arr_comm_nccl
        module procedure comm_nccl
    end interface arr_comm_nccl

    ! Makes a communicator of GPUs by NCCL with the ranks of another communicator, which brings the id.
    interface arr_comm_nccl_with
        module procedure comm_nccl_with
    end interface arr_comm_nccl_with

contains

    subroutine comm_nccl_id(id, err)
        character(len=128), intent(out) :: id
        type(arr_error), intent(out), optional :: err
        character(kind=c_char) :: bytes(128)
        type(arr_error) :: problem
        call check(c_nccl_id(bytes), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
        if (.not. problem%failed()) id = transfer(bytes, id)
    end subroutine comm_nccl_id

    subroutine comm_nccl_id_file(id, size, rank, path, seconds, err)
        character(len=128), intent(out) :: id
        integer, intent(in) :: size, rank
        character(len=*), intent(in) :: path
        real(c_double), intent(in), optional :: seconds
        type(arr_error), intent(out), optional :: err
        character(kind=c_char) :: bytes(128)
        type(arr_error) :: problem
        call check(c_nccl_id_file(int(size, c_int32_t), int(rank, c_int32_t), path, &
            len_trim(path, kind=c_int64_t), limit(seconds), bytes), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
        if (.not. problem%failed()) id = transfer(bytes, id)
    end subroutine comm_nccl_id_file

    subroutine comm_nccl_id_tcp(id, size, rank, address, token, seconds, err)
        character(len=128), intent(out) :: id
        integer, intent(in) :: size, rank
        character(len=*), intent(in) :: address, token
        real(c_double), intent(in), optional :: seconds
        type(arr_error), intent(out), optional :: err
        character(kind=c_char) :: bytes(128)
        type(arr_error) :: problem
        call check(c_nccl_id_tcp(int(size, c_int32_t), int(rank, c_int32_t), address // c_null_char, &
            token // c_null_char, limit(seconds), bytes), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
        if (.not. problem%failed()) id = transfer(bytes, id)
    end subroutine comm_nccl_id_tcp

    subroutine comm_nccl(new, size, rank, id, device, err)
        type(arr_comm), intent(inout) :: new
        integer, intent(in) :: size, rank
        character(len=128), intent(in) :: id
        type(arr_device), intent(in) :: device
        type(arr_error), intent(out), optional :: err
        character(kind=c_char) :: bytes(128)
        type(arr_error) :: problem
        bytes = transfer(id, bytes)
        call new%release()
        call check(c_nccl(int(size, c_int32_t), int(rank, c_int32_t), bytes, device, new%handle), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_nccl

    subroutine comm_nccl_with(comm, new, device, err)
        type(arr_comm), intent(in) :: comm
        type(arr_comm), intent(inout) :: new
        type(arr_device), intent(in) :: device
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        call new%release()
        call check(c_nccl_with(comm%handle, device, new%handle), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_nccl_with

    subroutine comm_local(comms, size, device, err)
        type(arr_comm), intent(out), allocatable :: comms(:)
        integer, intent(in) :: size
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_device), allocatable :: devices(:)
        type(arr_comm_handle), allocatable :: handles(:)
        type(arr_error) :: problem
        integer :: r
        allocate (handles(max(size, 0)))
        if (present(device)) allocate (devices(max(size, 0)), source=device)
        call check(c_local(int(size, c_int32_t), devices, handles), problem)
        if (.not. problem%failed()) then
            allocate (comms(size))
            do r = 1, size
                comms(r)%handle = handles(r)
            end do
        end if
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_local

    subroutine comm_shrink(comm, new, excluded, err)
        type(arr_comm), intent(in) :: comm
        type(arr_comm), intent(inout) :: new
        integer, intent(in) :: excluded(:)
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        call new%release()
        call check(c_shrink(comm%handle, size(excluded, kind=c_int32_t), int(excluded, c_int32_t), new%handle), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_shrink

    subroutine comm_all_gather(comm, dst, src, dim, counts, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_array), intent(in) :: dst, src
        integer, intent(in), optional :: dim, counts(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: n(:)
        type(arr_error) :: problem
        call list(counts, n)
        call check(c_all_gather(comm%handle, dst%handle, src%handle, axis_or_last(dim), size(n, kind=c_int32_t), n, &
            stream_of(stream)), problem)
        call done(dst)
        call done(src)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_all_gather

    subroutine comm_gather(comm, src, dst, dim, counts, root, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_array), intent(in) :: src
        type(arr_array), intent(in), optional :: dst
        integer, intent(in), optional :: dim, counts(:), root
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: n(:)
        type(arr_error) :: problem
        call list(counts, n)
        call check(c_gather(comm%handle, handle_of(dst), src%handle, axis_or_last(dim), size(n, kind=c_int32_t), n, &
            choice(root, 0), stream_of(stream)), problem)
        call done_if(dst)
        call done(src)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_gather

    subroutine comm_scatter(comm, dst, src, dim, counts, root, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_array), intent(in) :: dst
        type(arr_array), intent(in), optional :: src
        integer, intent(in), optional :: dim, counts(:), root
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: n(:)
        type(arr_error) :: problem
        call list(counts, n)
        call check(c_scatter(comm%handle, dst%handle, handle_of(src), axis_or_last(dim), size(n, kind=c_int32_t), n, &
            choice(root, 0), stream_of(stream)), problem)
        call done(dst)
        call done_if(src)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_scatter

    subroutine comm_reduce_scatter(comm, dst, src, dim, counts, reduction, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_array), intent(in) :: dst, src
        integer, intent(in), optional :: dim, counts(:)
        integer(c_int32_t), intent(in), optional :: reduction
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: n(:)
        type(arr_error) :: problem
        call list(counts, n)
        call check(c_reduce_scatter(comm%handle, dst%handle, src%handle, axis_or_last(dim), size(n, kind=c_int32_t), n, &
            choice(reduction, ARR_REDUCTION_SUM), stream_of(stream)), problem)
        call done(dst)
        call done(src)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_reduce_scatter

    subroutine comm_all_to_all(comm, dst, src, dim, send_counts, recv_counts, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_array), intent(in) :: dst, src
        integer, intent(in), optional :: dim, send_counts(:), recv_counts(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: sent(:), received(:)
        type(arr_error) :: problem
        call list(send_counts, sent)
        call list(recv_counts, received)
        if (size(sent) == size(received)) then
            call check(c_all_to_all(comm%handle, dst%handle, src%handle, axis_or_last(dim), size(sent, kind=c_int32_t), &
                sent, received, stream_of(stream)), problem)
        else
            call fail(ARR_E_ARGUMENT, 'arr_comm_all_to_all: arguments send_counts and recv_counts differ in length', problem)
        end if
        call done(dst)
        call done(src)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_all_to_all

    subroutine comm_sparse_all_to_all(comm, matrices, arrived, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_sparse), intent(in) :: matrices(:)
        type(arr_sparse), intent(out), allocatable :: arrived(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse_handle) :: given(size(matrices)), got(size(matrices))
        type(arr_error) :: problem
        integer :: i
        do i = 1, size(matrices)
            given(i) = matrices(i)%handle
        end do
        call check(c_sparse_all_to_all(comm%handle, size(given, kind=c_int32_t), given, stream_of(stream), got), problem)
        allocate (arrived(size(matrices)))
        if (.not. problem%failed()) then
            do i = 1, size(matrices)
                arrived(i)%handle = got(i)
            end do
        end if
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_sparse_all_to_all

    subroutine comm_exchange_halo(comm, a, dims, grid, widths, periodic, stream, err)
        type(arr_comm), intent(in) :: comm
        type(arr_array), intent(in) :: a
        integer, intent(in) :: dims(:), grid(:), widths(:)
        logical, intent(in), optional :: periodic(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t), allocatable :: wraps(:)
        type(arr_error) :: problem
        allocate (wraps(size(dims)), source=0_c_int32_t)
        if (size(grid) /= size(dims) .or. size(widths) /= size(dims)) then
            call fail(ARR_E_ARGUMENT, 'arr_comm_exchange_halo: arguments dims, grid and widths differ in length', problem)
        else if (present(periodic)) then
            if (size(periodic) == size(dims)) then
                wraps = merge(1_c_int32_t, 0_c_int32_t, periodic)
            else
                call fail(ARR_E_ARGUMENT, 'arr_comm_exchange_halo: arguments dims and periodic differ in length', problem)
            end if
        end if
        if (.not. problem%failed()) call check(c_exchange_halo(comm%handle, a%handle, size(dims, kind=c_int32_t), &
            axis_of(dims), int(grid, c_int32_t), int(widths, c_int64_t), wraps, stream_of(stream)), problem)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine comm_exchange_halo

    function limit(seconds)
        real(c_double), intent(in), optional :: seconds
        real(c_double) :: limit
        limit = 0
        if (present(seconds)) limit = seconds
    end function limit

    subroutine list(given, n)
        integer, intent(in), optional :: given(:)
        integer(c_int64_t), intent(out), allocatable :: n(:)
        if (present(given)) then
            n = given
        else
            allocate (n(0))
        end if
    end subroutine list

    function axis_or_last(dim) result(axis)
        integer, intent(in), optional :: dim
        integer(c_int32_t) :: axis
        axis = -1
        if (present(dim)) axis = axis_of(dim)
    end function axis_or_last
end module arr_communicators
