! SPDX-License-Identifier: MIT
! arr_device_lists.f90: lists of devices and waiting for one; the plans of transforms that a device keeps.
module arr_device_lists
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c_device, only: c_list => arr_device_list
    use arr_c_fft, only: c_cache_info => arr_fft_cache_info, c_cache_limit => arr_fft_cache_limit, &
        c_cache_clear => arr_fft_cache_clear, c_cache_plans => arr_fft_cache_plans, c_cache_drop => arr_fft_cache_drop
    use arr_errors, only: arr_error, check, fail
    implicit none
    private
    public :: arr_device_list, arr_fft_cache_info, arr_fft_cache_limit, arr_fft_cache_clear
    public :: arr_fft_cache_plan, arr_fft_cache_plans, arr_fft_cache_drop

    ! A plan that a device keeps.
    type :: arr_fft_cache_plan
        integer(int64) :: id = 0                   ! for arr_fft_cache_drop, never another's
        integer(c_int32_t) :: kind = -1            ! ARR_FFT_C2C, _R2C, _C2R; -1: a table that transforms on the host share
        integer(c_int32_t) :: real = 0             ! ARR_FLOAT32 or ARR_FLOAT64: of the numbers, or of their parts
        integer(int64) :: lengths(3) = 0           ! of one transform, in the library's order of axes, 0 behind the last
        integer(int64) :: transforms = 0           ! made at once
        integer(int64) :: bytes = 0                ! as far as it is known
    end type arr_fft_cache_plan

    interface arr_device_list
        module procedure device_list
    end interface arr_device_list

    interface arr_fft_cache_info
        module procedure cache_info
    end interface arr_fft_cache_info

    interface arr_fft_cache_limit
        module procedure cache_limit
    end interface arr_fft_cache_limit

    ! The plans of transforms that a device keeps, the one used last first.
    interface arr_fft_cache_plans
        module procedure cache_plans
    end interface arr_fft_cache_plans

    ! Drops one of them. A plan in use stays until it is done.
    interface arr_fft_cache_drop
        module procedure cache_drop
    end interface arr_fft_cache_drop

    interface arr_fft_cache_clear
        module procedure cache_clear
    end interface arr_fft_cache_clear

contains

    ! The devices, GPUs first: of kind ARR_HOST or ARR_CUDA, of at least a compute capability (90 for 9.0) and so many
    ! bytes in all or free now, whose name contains name. Where there is none, one is waited for, so many seconds.
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

    ! Hits, misses, and what is kept and allowed; -1 for no limit.
    function cache_info(device, err) result(stats)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_fft_cache_stats) :: stats
        stats%struct_size = c_sizeof(stats)
        call check(c_cache_info(device, stats), err)
    end function cache_info

    ! Most plans and bytes of them; -1 or absent for no limit.
    subroutine cache_limit(plans, bytes, device, err)
        integer(int64), intent(in), optional :: plans, bytes
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t) :: most_plans, most_bytes
        most_plans = -1
        most_bytes = -1
        if (present(plans)) most_plans = plans
        if (present(bytes)) most_bytes = bytes
        call check(c_cache_limit(device, most_plans, most_bytes), err)
    end subroutine cache_limit

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
        plans = [(arr_fft_cache_plan(ids(i), kinds(i), reals(i), lengths(3 * i - 2:3 * i), transforms(i), bytes(i)), i=1, n)]
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine cache_plans

    subroutine cache_drop(id, device, err)
        integer(int64), intent(in) :: id
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_cache_drop(device, id), err)
    end subroutine cache_drop

    subroutine cache_clear(device, err)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_cache_clear(device), err)
    end subroutine cache_clear
end module arr_device_lists
