! SPDX-License-Identifier: MIT
! arr_pinning.f90: arrays of the host in page-locked memory, and the pool that they come from.
module arr_pinning
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_register => arr_pinned_register, c_unregister => arr_pinned_unregister, &
        c_set_functions => arr_pinned_set_allocator_functions
    use arr_allocators, only: arr_allocate_procedure, arr_release_procedure, arr_drop_procedure
    use arr_errors, only: arr_error, check, fail
    use arr_arguments, only: bits
    use arr_host_memory, only: host_array, describe
    implicit none
    private
    public :: arr_pinned_register, arr_pinned_unregister
    public :: arr_pinned_set_allocator_functions, arr_pinned_reset_allocator

    ! New page-locked memory comes from procedures of the program, of modules and with bind(c), also where no GPU works, as of
    ! arr_memory_set_allocator_functions; device 0, no stream. It goes back to them as soon as its array is released. drop is
    ! called when others have been set and all memory is back, not where this fails.
    interface arr_pinned_set_allocator_functions
        module procedure set_allocator_functions
    end interface arr_pinned_set_allocator_functions

    ! The driver is asked again.
    interface arr_pinned_reset_allocator
        module procedure reset_allocator
    end interface arr_pinned_reset_allocator

    ! Locks the memory of a contiguous host array for every GPU. h needs the target attribute, and must be unregistered
    ! before it goes. With mapped GPUs may use it in place; with read_only they will not write there.
    interface arr_pinned_register
        module procedure pinned_register
    end interface arr_pinned_register

    ! Unlocks the memory. Copies that were not waited for must be done.
    interface arr_pinned_unregister
        module procedure pinned_unregister
    end interface arr_pinned_unregister

contains

    subroutine set_allocator_functions(allocate, release, drop, ctx, err)
        procedure(arr_allocate_procedure) :: allocate
        procedure(arr_release_procedure) :: release
        procedure(arr_drop_procedure), optional :: drop
        type(c_ptr), intent(in), optional :: ctx
        type(arr_error), intent(out), optional :: err
        type(c_funptr) :: last
        type(c_ptr) :: context
        last = c_null_funptr
        context = c_null_ptr
        if (present(drop)) last = c_funloc(drop)
        if (present(ctx)) context = ctx
        call check(c_set_functions(c_funloc(allocate), c_funloc(release), last, context), err)
    end subroutine set_allocator_functions

    subroutine reset_allocator(err)
        type(arr_error), intent(out), optional :: err
        call check(c_set_functions(c_null_funptr, c_null_funptr, c_null_funptr, c_null_ptr), err)
    end subroutine reset_allocator

    subroutine pinned_register(h, mapped, read_only, err)
        type(*), intent(in), target :: h(..)
        logical, intent(in), optional :: mapped, read_only
        type(arr_error), intent(out), optional :: err
        type(host_array) :: view
        view = describe(h)
        if (view%packed /= 1) then
            call fail(ARR_E_SHAPE, 'arr_pinned_register: h: not contiguous', err)
            return
        end if
        call check(c_register(view%data, view%bytes * product(view%extents(:view%rank)), &
            bits(mapped, ARR_PINNED_MAPPED) + bits(read_only, ARR_PINNED_READ_ONLY)), err)
    end subroutine pinned_register

    subroutine pinned_unregister(h, err)
        type(*), intent(in), target :: h(..)
        type(arr_error), intent(out), optional :: err
        type(host_array) :: view
        view = describe(h)
        call check(c_unregister(view%data), err)
    end subroutine pinned_unregister
end module arr_pinning
