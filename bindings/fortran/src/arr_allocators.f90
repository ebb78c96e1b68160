! SPDX-License-Identifier: MIT
! arr_allocators.f90: sources of a device's memory; statistics of its pool; copies and sets by address.
module arr_allocators
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_set_functions => arr_memory_set_allocator_functions, c_classes => arr_memory_pool_classes
    use arr_errors, only: arr_error, check, fail
    implicit none
    private
    public :: arr_memory_set_allocator_functions
    public :: arr_pool_class, arr_memory_pool_classes
    public :: arr_allocate_procedure, arr_release_procedure, arr_drop_procedure

    ! A pool's allocations of one size class.
    type :: arr_pool_class
        integer(int64) :: largest = 0              ! bytes of the largest request so far
        integer(int64) :: allocations = 0          ! so far
        integer(int64) :: blocks = 0               ! in use
        integer(int64) :: bytes = 0                ! in use
    end type arr_pool_class

    abstract interface
        ! Returns 0 and the address, a multiple of 256, or its own status where there is no memory. The stream is a
        ! CUstream on a GPU and NULL on the host; work that is enqueued in it from then on may use the memory.
        function arr_allocate_procedure(ctx, bytes, device_index, stream, address) bind(c) result(status)
            import
            type(c_ptr), value :: ctx
            integer(c_int64_t), value :: bytes
            integer(c_int32_t), value :: device_index
            type(c_ptr), value :: stream
            type(c_ptr), intent(out) :: address
            integer(c_int32_t) :: status
        end function arr_allocate_procedure

        ! Releases the memory, which is free after the work that is in the stream.
        subroutine arr_release_procedure(ctx, address, bytes, device_index, stream) bind(c)
            import
            type(c_ptr), value :: ctx
            type(c_ptr), value :: address
            integer(c_int64_t), value :: bytes
            integer(c_int32_t), value :: device_index
            type(c_ptr), value :: stream
        end subroutine arr_release_procedure

        ! Ends ctx.
        subroutine arr_drop_procedure(ctx) bind(c)
            import
            type(c_ptr), value :: ctx
        end subroutine arr_drop_procedure
    end interface

    ! Sets procedures of modules with bind(c) as the source of new memory, until another allocator is set; drop is
    ! called when that has been done and all memory is back, not where this fails. They run on any thread, several at
    ! once, and call nothing of libarr.
    interface arr_memory_set_allocator_functions
        module procedure set_allocator_functions
    end interface arr_memory_set_allocator_functions

    ! Returns a pool's allocations of each size class that was asked for so far, smallest first.
    interface arr_memory_pool_classes
        module procedure pool_classes
    end interface arr_memory_pool_classes

contains

    subroutine set_allocator_functions(allocate, release, drop, ctx, device, err)
        procedure(arr_allocate_procedure) :: allocate
        procedure(arr_release_procedure) :: release
        procedure(arr_drop_procedure), optional :: drop
        type(c_ptr), intent(in), optional :: ctx
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(c_funptr) :: last
        type(c_ptr) :: context
        last = c_null_funptr
        context = c_null_ptr
        if (present(drop)) last = c_funloc(drop)
        if (present(ctx)) context = ctx
        call check(c_set_functions(device, c_funloc(allocate), c_funloc(release), last, context), err)
    end subroutine set_allocator_functions

    subroutine pool_classes(classes, device, err)
        type(arr_pool_class), allocatable, intent(out) :: classes(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: largest(:), allocations(:), blocks(:), bytes(:)
        type(arr_error) :: problem
        integer(c_int32_t) :: n, room, i
        n = 0
        call check(c_classes(device, 0_c_int32_t, count=n), problem)
        room = n                                   ! other threads may ask for sizes of more classes meanwhile
        allocate (largest(room), allocations(room), blocks(room), bytes(room), source=0_c_int64_t)
        if (.not. problem%failed()) &
            call check(c_classes(device, room, largest, allocations, blocks, bytes, n), problem)
        n = min(n, room)
        classes = [(arr_pool_class(largest(i), allocations(i), blocks(i), bytes(i)), i=1, n)]
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine pool_classes
end module arr_allocators
