! SPDX-License-Identifier: MIT
! arr_device_lists.f90: lists of devices and waiting for one; the plans of transforms that a device keeps.
module arr_device_lists
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c, only: c_list => arr_device_list, c_cache_plans => arr_fft_cache_plans
    use arr_element_types, only: dtype_from
    use arr_errors, only: arr_error, check, fail
    implicit none
    private
    public :: arr_device_list
    public :: arr_fft_cache_plan, arr_fft_cache_plans

    ! A plan that a device keeps.
    type :: arr_fft_cache_plan
        integer(int64) :: id = 0                   ! for arr_fft_cache_drop, never another's
        integer(c_int32_t) :: kind = -1            ! ARR_FFT_C2C, _R2C, _C2R; -1: a table that transforms on the host share
        type(arr_dtype) :: real                    ! ARR_FLOAT32 or ARR_FLOAT64: of the numbers, or of their parts
        integer(int64) :: lengths(3) = 0           ! of one transform, in the library's order of axes, 0 after the last
        integer(int64) :: transforms = 0           ! made at once
        integer(int64) :: bytes = 0                ! as far as it is known
    end type arr_fft_cache_plan

    interface arr_device_list
        module procedure device_list
    end interface arr_device_list

    ! Returns the plans of transforms that a device keeps, the last used first.
    interface arr_fft_cache_plans
        module procedure cache_plans
    end interface arr_fft_cache_plans

contains

    ! Returns the devices, GPUs first: of kind ARR_HOST or ARR_CUDA, of at least a compute capability (90 for 9.0) and these
    ! bytes in all or free now, whose name contains name. Waits for one up to `seconds`.
    function device_list(kind, compute, memory_bytes, free_bytes, name, seconds, err) result(devices)
        integer(c_int32_t), intent(in), optional :: kind
        integer, intent(in), optional :: compute
        integer(int64), intent(in), optional :: memory_bytes, free_bytes
        character(len=*), intent(in), optional, target :: name
        real(real64), intent(in), optional :: seconds
        type(arr_error), intent(out), optional :: err
        type(arr_device), allocatable :: devices(:)
        type(arr_device_filter) :: filter
        type(arr_device) :: found(128)
        integer(c_int32_t) :: n
        real(real64) :: wait
        n = 0
        wait = 0
        if (present(seconds)) wait = seconds
        filter%struct_size = c_sizeof(filter)
        if (present(kind)) filter%type = kind
        if (present(compute)) filter%compute = compute
        if (present(memory_bytes)) filter%memory_bytes = memory_bytes
        if (present(free_bytes)) filter%free_bytes = free_bytes
        if (present(name)) then
            filter%name = c_loc(name)
            filter%name_length = len(name)
        end if
        call check(c_list(filter, wait, size(found, kind=c_int32_t), found, n), err)
        devices = found(:min(n, size(found, kind=c_int32_t)))
    end function device_list

    subroutine cache_plans(plans, device, err)
        type(arr_fft_cache_plan), allocatable, intent(out) :: plans(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t), allocatable :: ids(:), lengths(:), transforms(:), bytes(:)
        integer(c_int32_t), allocatable :: kinds(:), reals(:)
        type(arr_error) :: problem
        integer(c_int32_t) :: n, room, i
        n = 0
        call check(c_cache_plans(device, 0_c_int32_t, count=n), problem)
        room = n                                   ! other threads may plan meanwhile
        allocate (ids(room), transforms(room), bytes(room), lengths(3 * room), source=0_c_int64_t)
        allocate (kinds(room), reals(room), source=0_c_int32_t)
        if (.not. problem%failed()) &
            call check(c_cache_plans(device, room, ids, kinds, reals, lengths, transforms, bytes, n), problem)
        n = min(n, room)
        plans = [(arr_fft_cache_plan(ids(i), kinds(i), dtype_from(reals(i)), lengths(3 * i - 2:3 * i), transforms(i), &
            bytes(i)), i=1, n)]
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine cache_plans
end module arr_device_lists
