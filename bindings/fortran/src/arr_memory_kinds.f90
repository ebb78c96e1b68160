! SPDX-License-Identifier: MIT
! arr_memory_kinds.f90: memory and events that other processes open.
module arr_memory_kinds
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int64
    use arr_c_types
    use arr_c, only: c_event_release => arr_event_release, c_export => arr_ipc_export, c_import => arr_ipc_import, &
        c_export_event => arr_ipc_export_event, c_import_event => arr_ipc_import_event
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, done
    use arr_functions, only: arr_event
    implicit none
    private
    public :: arr_ipc_export, arr_ipc_import, arr_ipc_export_event, arr_ipc_import_event

    ! Returns a handle, bytes to send by any means, with which another process on this machine opens an array on a GPU. The array
    ! must live until the others have released theirs, and who writes must be waited for before the others read.
    interface arr_ipc_export
        module procedure export_array
    end interface arr_ipc_export

    ! Opens an array of another process, which is to be trusted; it is closed with the last array that uses its memory.
    interface arr_ipc_import
        module procedure import_array
    end interface arr_ipc_import

    ! Returns a handle of an event made with shared=.true.
    interface arr_ipc_export_event
        module procedure export_event
    end interface arr_ipc_export_event

    ! Opens an event of another process.
    interface arr_ipc_import_event
        module procedure import_event
    end interface arr_ipc_import_event

contains

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
