! SPDX-License-Identifier: MIT
! arr_distributed.f90: parts and wholes of distributed arrays, formulas, random numbers, files.
!
!     call arr_decomposition_create(comm, by, [n, n])      ! all ranks divide the last dimension
!     call arr_dist_create(by, u, halo=[1, 1])
!     call arr_dist_exchange(u)
!     part = arr_dist_part(u)
!
! The library's array has the axes in reverse, so that its row-major parts are column-major here.
module arr_distributed
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_shape => arr_decomposition_shape, c_scatter => arr_dist_scatter, c_gather => arr_dist_gather, &
        c_part => arr_dist_part, c_memory => arr_dist_memory, c_apply => arr_dist_apply, c_evaluate => arr_dist_evaluate, &
        c_run => arr_dist_expr_run, c_run_into => arr_dist_expr_run_into, c_draw => arr_dist_random_draw, &
        c_load => arr_dist_load_npy, c_save => arr_dist_save_npy
    use arr_element_types, only: dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    use arr_arguments, only: done_if, drop, length, operation, plain_value, reversed, turned
    use arr_expressions, only: arr_expr, arr_node
    use arr_functions, only: arr_decomposition, arr_dist, arr_generator, arr_dist_create, arr_dist_decomposition, &
        arr_dist_transpose
    implicit none
    private
    public :: arr_decomposition_shape, arr_dist_scatter, arr_dist_gather, arr_dist_part, arr_dist_memory, arr_dist_apply, &
        arr_dist_evaluate, arr_dist_run, arr_dist_run_into, arr_dist_random, arr_dist_load, arr_dist_save

    ! Returns the extents of the part of a rank, from 0; without rank those of the global array.
    interface arr_decomposition_shape
        module procedure decomposition_shape
    end interface arr_decomposition_shape

    ! Divides the array of rank root; other ranks need no src.
    interface arr_dist_scatter
        module procedure dist_scatter
    end interface arr_dist_scatter

    ! Returns the global array on each rank, or on rank root; on others an array that is not there.
    interface arr_dist_gather
        module procedure dist_gather
    end interface arr_dist_gather

    ! Returns this rank's part as a view; offsets, one for each dimension, displace it by up to the width of the halo: offset 1
    ! gives for each element the next one.
    interface arr_dist_part
        module procedure dist_part
    end interface arr_dist_part

    ! Returns this rank's part with its halo as a view.
    interface arr_dist_memory
        module procedure dist_memory
    end interface arr_dist_memory

    ! Applies an op to distributed arrays: call arr_dist_apply('add', z, x, y).
    interface arr_dist_apply
        module procedure dist_apply
    end interface arr_dist_apply

    ! Evaluates a formula for distributed arrays, its variables in the order in which they appear, in one pass over each part.
    interface arr_dist_evaluate
        module procedure dist_evaluate
    end interface arr_dist_evaluate

    ! Computes a node of an expression for distributed arrays.
    interface arr_dist_run
        module procedure dist_run
    end interface arr_dist_run

    ! Writes it into an existing distributed array.
    interface arr_dist_run_into
        module procedure dist_run_into
    end interface arr_dist_run_into

    ! Draws random numbers, those of a whole array, however it is divided. distribution: ARR_DISTRIBUTION_...; p1 and p2 are its
    ! parameters.
    interface arr_dist_random
        module procedure dist_random
    end interface arr_dist_random

    ! Reads a .npy file, of which each rank reads its part.
    interface arr_dist_load
        module procedure dist_load
    end interface arr_dist_load

    ! Writes a .npy file; rank 0 writes it.
    interface arr_dist_save
        module procedure dist_save
    end interface arr_dist_save

contains

    function decomposition_shape(by, rank, err) result(extents)
        type(arr_decomposition), intent(in) :: by
        integer, intent(in), optional :: rank
        type(arr_error), intent(out), optional :: err
        integer, allocatable :: extents(:)
        integer(int64) :: rows(ARR_MAX_NDIM)
        integer(c_int32_t) :: n, of
        n = 0
        of = -1
        if (present(rank)) of = int(rank, c_int32_t)
        call check(c_shape(by%handle, of, ARR_MAX_NDIM, rows, n), err)
        extents = int(rows(n:1:-1))
    end function decomposition_shape

    subroutine dist_scatter(by, new, src, root, stream, err)
        type(arr_decomposition), intent(in) :: by
        type(arr_dist), intent(inout) :: new
        type(arr_array), intent(in), optional :: src
        integer(c_int32_t), intent(in), optional :: root
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        call new%release()
        if (present(src)) call reversed(src, rows, problem)
        if (.not. problem%failed()) call check(c_scatter(by%handle, rows, choice(root, 0), stream_of(stream), new%handle), problem)
        call drop(rows)
        call done_if(src)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_scatter

    function dist_gather(a, root, stream, err) result(whole)
        type(arr_dist), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: root
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: whole
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        call check(c_gather(a%handle, choice(root, -1), stream_of(stream), rows), problem)
        if (c_associated(rows%ptr)) call turned(rows, whole, problem)
        whole%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function dist_gather

    function dist_part(a, offsets, err) result(part)
        type(arr_dist), intent(in) :: a
        integer, intent(in), optional :: offsets(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: part
        integer(c_int64_t), allocatable :: by(:)
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        if (present(offsets)) allocate (by, source=int(offsets(size(offsets):1:-1), c_int64_t))
        call check(c_part(a%handle, length(by), by, rows), problem)
        call turned(rows, part, problem)
        part%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function dist_part

    function dist_memory(a, err) result(memory)
        type(arr_dist), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: memory
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        call check(c_memory(a%handle, rows), problem)
        call turned(rows, memory, problem)
        memory%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function dist_memory

    ! The handles of the operands that are there.
    subroutine collect(list, n, x1, x2, x3, x4, x5, x6)
        type(arr_dist_handle), intent(out) :: list(6)
        integer(c_int32_t), intent(out) :: n
        type(arr_dist), intent(in), optional :: x1, x2, x3, x4, x5, x6
        n = 0
        call add(x1)
        call add(x2)
        call add(x3)
        call add(x4)
        call add(x5)
        call add(x6)
    contains
        subroutine add(x)
            type(arr_dist), intent(in), optional :: x
            if (.not. present(x)) return
            n = n + 1
            list(n) = x%handle
        end subroutine add
    end subroutine collect

    subroutine dist_apply(op, new, x1, x2, x3, stream, err)
        character(len=*), intent(in) :: op
        type(arr_dist), intent(inout) :: new
        type(arr_dist), intent(in) :: x1
        type(arr_dist), intent(in), optional :: x2, x3
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_dist_handle) :: list(6)
        integer(c_int32_t) :: n
        integer(c_int32_t) :: number
        type(arr_error) :: problem
        call new%release()
        call collect(list, n, x1, x2, x3)
        call operation(op, number, problem)
        if (.not. problem%failed()) &
            call check(c_apply(number, n, list, stream_of(stream), new%handle), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_apply

    subroutine dist_evaluate(formula, new, x1, x2, x3, x4, x5, x6, stream, err)
        character(len=*), intent(in) :: formula
        type(arr_dist), intent(inout) :: new
        type(arr_dist), intent(in) :: x1
        type(arr_dist), intent(in), optional :: x2, x3, x4, x5, x6
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_dist_handle) :: list(6)
        integer(c_int32_t) :: n
        call new%release()
        call collect(list, n, x1, x2, x3, x4, x5, x6)
        call check(c_evaluate(formula, len(formula, kind=int64), n, list, stream_of(stream), &
            new%handle), err)
    end subroutine dist_evaluate

    subroutine dist_run(e, z, new, x1, x2, x3, x4, x5, x6, stream, err)
        type(arr_expr), intent(in) :: e
        type(arr_node), intent(in) :: z
        type(arr_dist), intent(inout) :: new
        type(arr_dist), intent(in) :: x1
        type(arr_dist), intent(in), optional :: x2, x3, x4, x5, x6
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_dist_handle) :: list(6)
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        call new%release()
        call collect(list, n, x1, x2, x3, x4, x5, x6)
        problem = z%failure
        if (.not. problem%failed()) &
            call check(c_run(e%handle, z%node, n, list, stream_of(stream), new%handle), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_run

    subroutine dist_run_into(e, z, dst, x1, x2, x3, x4, x5, x6, stream, err)
        type(arr_expr), intent(in) :: e
        type(arr_node), intent(in) :: z
        type(arr_dist), intent(in) :: dst, x1
        type(arr_dist), intent(in), optional :: x2, x3, x4, x5, x6
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_dist_handle) :: list(6)
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        call collect(list, n, x1, x2, x3, x4, x5, x6)
        problem = z%failure
        if (.not. problem%failed()) &
            call check(c_run_into(dst%handle, e%handle, z%node, n, list, stream_of(stream)), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_run_into

    subroutine dist_random(by, new, generator, distribution, p1, p2, dtype, stream, err)
        type(arr_decomposition), intent(in) :: by
        type(arr_dist), intent(inout) :: new
        type(arr_generator), intent(in) :: generator
        integer(c_int32_t), intent(in) :: distribution
        class(*), intent(in), optional :: p1, p2
        type(arr_dtype), intent(in), optional :: dtype
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_value), allocatable :: value
        type(arr_value) :: values(2)
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        call new%release()
        n = merge(2, merge(1, 0, present(p1)), present(p2))
        call plain_value(p1, value, problem)
        if (allocated(value)) values(1) = value
        call plain_value(p2, value, problem)
        if (allocated(value)) values(2) = value
        if (.not. problem%failed()) call check(c_draw(by%handle, generator%handle, distribution, n, values, &
            dtype_number(dtype, 0_c_int32_t), stream_of(stream), new%handle), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_random

    ! The file has its dimensions in Fortran's order, so the array that reads it is the transpose.
    subroutine dist_load(by, new, path, stream, err)
        type(arr_decomposition), intent(in) :: by
        type(arr_dist), intent(inout) :: new
        character(len=*), intent(in) :: path
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_decomposition) :: across
        type(arr_dist) :: model, rows
        type(arr_error) :: problem
        call arr_dist_create(by, model, err=problem)
        if (.not. problem%failed()) call arr_dist_transpose(model, rows, err=problem)
        if (.not. problem%failed()) call arr_dist_decomposition(rows, across, err=problem)
        call rows%release()
        if (.not. problem%failed()) &
            call check(c_load(across%handle, path, len_trim(path, kind=int64), stream_of(stream), rows%handle), problem)
        if (.not. problem%failed()) call arr_dist_transpose(rows, new, err=problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_load

    subroutine dist_save(a, path, stream, err)
        type(arr_dist), intent(in) :: a
        character(len=*), intent(in) :: path
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_dist) :: rows
        type(arr_error) :: problem
        call arr_dist_transpose(a, rows, err=problem)
        if (.not. problem%failed()) &
            call check(c_save(rows%handle, path, len_trim(path, kind=int64), stream_of(stream)), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine dist_save
end module arr_distributed
