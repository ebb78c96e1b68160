! SPDX-License-Identifier: MIT
! arr_memory_kinds.f90: managed memory, which moves between host and device; columns at a pitch; memory and events that
! other processes open.
module arr_memory_kinds
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int64
    use arr_c_types
    use arr_c_array, only: c_release => arr_release, c_pitched => arr_create_pitched
    use arr_c_view, only: c_transpose => arr_transpose
    use arr_c_device, only: c_event_release => arr_event_release
    use arr_c_managed, only: c_is_managed => arr_is_managed, c_prefetch => arr_memory_prefetch, &
        c_advise => arr_memory_advise
    use arr_c_ipc, only: c_export => arr_ipc_export, c_import => arr_ipc_import, &
        c_export_event => arr_ipc_export_event, c_import_event => arr_ipc_import_event
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    use arr_devices, only: arr_event
    implicit none
    private
    public :: arr_is_managed, arr_memory_prefetch, arr_memory_advise, arr_pitched
    public :: arr_ipc_export, arr_ipc_import, arr_ipc_export_event, arr_ipc_import_event

    ! Whether the host and the array's device both reach the elements at one address: managed memory, by
    ! ARR_ALLOCATOR_MANAGED or wrapped, and all memory of the host.
    interface arr_is_managed
        module procedure is_managed
    end interface arr_is_managed

    ! Moves managed memory to where it will be used next, the host if no device is given, in stream order. Nothing happens
    ! to arrays of the host.
    interface arr_memory_prefetch
        module procedure prefetch
    end interface arr_memory_prefetch

    ! Tells the driver how managed memory will be used: ARR_ADVISE_..., by the device, the host if none is given. Nothing
    ! happens to arrays of the host.
    interface arr_memory_advise
        module procedure advise
    end interface arr_memory_advise

    ! arr_pitched(shape, dtype, device, stream, err): elements as the memory happens to be, in columns, along dimension 1,
    ! that each begin at a multiple of 512 bytes on a GPU and of 64 on the host; arr_strides tells the pitch.
    interface arr_pitched
        module procedure pitched_4
        module procedure pitched_8
    end interface arr_pitched

    ! A handle, bytes to send by any means, by which another process on this machine opens an array on a GPU. The array
    ! must live until the others have released theirs, and who writes must be waited for before the others read.
    interface arr_ipc_export
        module procedure export_array
    end interface arr_ipc_export

    ! Opens an array of another process, which is to be trusted; it is closed with the last array that uses its memory.
    interface arr_ipc_import
        module procedure import_array
    end interface arr_ipc_import

    ! The same of an event made with shared=.true.
    interface arr_ipc_export_event
        module procedure export_event
    end interface arr_ipc_export_event

    ! Opens an event of another process.
    interface arr_ipc_import_event
        module procedure import_event
    end interface arr_ipc_import_event

contains

    function is_managed(a, err) result(yes)
        type(arr_array), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: answer
        answer = 0
        call check(c_is_managed(a%handle, answer), err)
        call done(a)
        yes = answer /= 0
    end function is_managed

    subroutine prefetch(a, device, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_prefetch(a%handle, device, stream_of(stream)), err)
        call done(a)
    end subroutine prefetch

    subroutine advise(a, advice, device, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in) :: advice
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_advise(a%handle, advice, device), err)
        call done(a)
    end subroutine advise

    ! The library's rows are Fortran's columns.
    function pitched_8(shape, dtype, device, stream, err) result(a)
        integer(int64), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        call check(c_pitched(choice(dtype, ARR_FLOAT64), size(shape, kind=c_int32_t), shape(size(shape):1:-1), device, &
            stream_of(stream), rows), problem)
        if (.not. problem%failed()) then
            call check(c_transpose(rows, 0_c_int32_t, out=a%handle), problem)
            status = c_release(rows)
        end if
        a%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function pitched_8

    function pitched_4(shape, dtype, device, stream, err) result(a)
        integer, intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        a = pitched_8(int(shape, int64), dtype, device, stream, err)
        a%temporary = .true.
    end function pitched_4

    subroutine export_array(a, handle, err)
        type(arr_array), intent(in) :: a
        integer(int8), allocatable, target, intent(out) :: handle(:)
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(int64) :: length
        length = 0
        call check(c_export(a%handle, 0_int64, c_null_ptr, length), problem)
        allocate (handle(length), source=0_int8)
        if (.not. problem%failed()) call check(c_export(a%handle, length, c_loc(handle), length), problem)
        call done(a)
        if (.not. problem%failed()) return
        handle = handle(:0)
        call fail(problem%status, problem%message, err)
    end subroutine export_array

    function import_array(handle, device, err) result(a)
        integer(int8), intent(in) :: handle(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        integer(int8), target :: bytes(size(handle) + 1)   ! never of no size
        bytes(:size(handle)) = handle
        call check(c_import(c_loc(bytes), size(handle, kind=int64), device, a%handle), err)
        a%temporary = .true.
    end function import_array

    subroutine export_event(event, handle, err)
        type(arr_event), intent(in) :: event
        integer(int8), allocatable, target, intent(out) :: handle(:)
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(int64) :: length
        length = 0
        call check(c_export_event(event%handle, 0_int64, c_null_ptr, length), problem)
        allocate (handle(length), source=0_int8)
        if (.not. problem%failed()) call check(c_export_event(event%handle, length, c_loc(handle), length), problem)
        if (.not. problem%failed()) return
        handle = handle(:0)
        call fail(problem%status, problem%message, err)
    end subroutine export_event

    subroutine import_event(event, handle, device, err)
        type(arr_event), intent(inout) :: event
        integer(int8), intent(in) :: handle(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(int8), target :: bytes(size(handle) + 1)
        integer(c_int32_t) :: status
        if (c_associated(event%handle%ptr)) status = c_event_release(event%handle)
        event%handle%ptr = c_null_ptr
        bytes(:size(handle)) = handle
        call check(c_import_event(c_loc(bytes), size(handle, kind=int64), device, event%handle), err)
    end subroutine import_event
end module arr_memory_kinds
