! SPDX-License-Identifier: MIT
! arr_pinning.f90: arrays of the host in page-locked memory, and the pool that they come from.
module arr_pinning
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c_memory, only: c_create => arr_pinned_create, c_is_pinned => arr_is_pinned, &
        c_data => arr_pinned_device_data, c_info => arr_pinned_info, c_limit => arr_pinned_limit, &
        c_trim => arr_pinned_trim, c_register => arr_pinned_register, c_unregister => arr_pinned_unregister, &
        c_set_functions => arr_pinned_set_allocator_functions
    use arr_allocators, only: arr_allocate_procedure, arr_release_procedure, arr_drop_procedure
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, done
    use arr_host_memory, only: host_array, describe
    implicit none
    private
    public :: arr_pinned, arr_is_pinned, arr_pinned_device_data, arr_pinned_info, arr_pinned_limit, arr_pinned_trim
    public :: arr_pinned_register, arr_pinned_unregister
    public :: arr_pinned_set_allocator_functions, arr_pinned_reset_allocator

    ! arr_pinned(shape, dtype, order, mapped, write_combined, required, err): elements as the memory happens to be, on the
    ! host, where the CUDA driver has locked it so that copies to and from GPUs are quicker. Without a GPU it is ordinary
    ! memory, or with required=.true. an error.
    interface arr_pinned
        module procedure pinned_4
        module procedure pinned_8
    end interface arr_pinned

    interface arr_is_pinned
        module procedure is_pinned
    end interface arr_is_pinned

    ! The address at which a GPU sees the first element of an array made with mapped=.true.
    interface arr_pinned_device_data
        module procedure pinned_device_data
    end interface arr_pinned_device_data

    ! What the pool of page-locked memory, one for all devices, has done.
    interface arr_pinned_info
        module procedure pinned_info
    end interface arr_pinned_info

    ! Most bytes of it that may be in use; 0 for no limit.
    interface arr_pinned_limit
        module procedure pinned_limit
    end interface arr_pinned_limit

    ! Gives what the pool keeps back to the driver.
    interface arr_pinned_trim
        module procedure pinned_trim
    end interface arr_pinned_trim

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

    ! Ends that. Copies that were not waited for must be done.
    interface arr_pinned_unregister
        module procedure pinned_unregister
    end interface arr_pinned_unregister

contains

    pure function flag(set, bit) result(flags)
        logical, intent(in), optional :: set
        integer(c_int32_t), intent(in) :: bit
        integer(c_int32_t) :: flags
        flags = 0
        if (present(set)) flags = merge(bit, 0_c_int32_t, set)
    end function flag

    function pinned_8(shape, dtype, order, mapped, write_combined, required, err) result(a)
        integer(int64), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        logical, intent(in), optional :: mapped, write_combined, required
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        integer(c_int32_t) :: kind, layout, flags
        kind = ARR_FLOAT64
        layout = ARR_ORDER_F
        if (present(dtype)) kind = dtype
        if (present(order)) layout = order
        flags = flag(mapped, ARR_PINNED_MAPPED) + flag(write_combined, ARR_PINNED_WRITE_COMBINED) + &
            flag(required, ARR_PINNED_REQUIRED)
        call check(c_create(kind, size(shape, kind=c_int32_t), shape, layout, flags, a%handle), err)
        a%temporary = .true.
    end function pinned_8

    function pinned_4(shape, dtype, order, mapped, write_combined, required, err) result(a)
        integer, intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        logical, intent(in), optional :: mapped, write_combined, required
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        a = pinned_8(int(shape, int64), dtype, order, mapped, write_combined, required, err)
        a%temporary = .true.
    end function pinned_4

    function is_pinned(a, err) result(yes)
        type(arr_array), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: answer
        answer = 0
        call check(c_is_pinned(a%handle, answer), err)
        call done(a)
        yes = answer /= 0
    end function is_pinned

    function pinned_device_data(a, device, err) result(data)
        type(arr_array), intent(in) :: a
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(c_ptr) :: data
        data = c_null_ptr
        call check(c_data(a%handle, device, data), err)
    end function pinned_device_data

    function pinned_info(err) result(stats)
        type(arr_error), intent(out), optional :: err
        type(arr_memory_pool_stats) :: stats
        stats%struct_size = c_sizeof(stats)
        call check(c_info(stats), err)
    end function pinned_info

    subroutine pinned_limit(bytes, err)
        integer(int64), intent(in) :: bytes
        type(arr_error), intent(out), optional :: err
        call check(c_limit(bytes), err)
    end subroutine pinned_limit

    subroutine pinned_trim(err)
        type(arr_error), intent(out), optional :: err
        call check(c_trim(), err)
    end subroutine pinned_trim

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
            flag(mapped, ARR_PINNED_MAPPED) + flag(read_only, ARR_PINNED_READ_ONLY)), err)
    end subroutine pinned_register

    subroutine pinned_unregister(h, err)
        type(*), intent(in), target :: h(..)
        type(arr_error), intent(out), optional :: err
        type(host_array) :: view
        view = describe(h)
        call check(c_unregister(view%data), err)
    end subroutine pinned_unregister
end module arr_pinning
