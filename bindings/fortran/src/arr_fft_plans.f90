! SPDX-License-Identifier: MIT
! arr_fft_plans.f90: what goes into plans of transforms, and what measuring has taught.
module arr_fft_plans
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c_fft, only: c_effort => arr_fft_plan_effort, c_wisdom => arr_fft_wisdom, &
        c_import => arr_fft_wisdom_import, c_forget => arr_fft_wisdom_forget
    use arr_errors, only: arr_error, check, fail
    implicit none
    private
    public :: arr_fft_plan_effort, arr_fft_wisdom, arr_fft_wisdom_import, arr_fft_wisdom_forget

    interface arr_fft_plan_effort
        module procedure plan_effort
    end interface arr_fft_plan_effort

    interface arr_fft_wisdom
        module procedure wisdom
    end interface arr_fft_wisdom

    interface arr_fft_wisdom_import
        module procedure wisdom_import
    end interface arr_fft_wisdom_import

    interface arr_fft_wisdom_forget
        module procedure wisdom_forget
    end interface arr_fft_wisdom_forget

contains

    ! How plans are made from now on: ARR_FFT_ESTIMATE by rules, ARR_FFT_MEASURE the fastest of some, ARR_FFT_PATIENT of
    ! many; before is what it was. Kept plans that less went into are made anew when they are next needed.
    subroutine plan_effort(effort, before, device, err)
        integer(c_int32_t), intent(in) :: effort
        integer(c_int32_t), intent(out), optional :: before
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: was
        was = ARR_FFT_ESTIMATE
        call check(c_effort(device, effort, was), err)
        if (present(before)) before = was
    end subroutine plan_effort

    ! What measured plans have taught, as text for arr_fft_wisdom_import in another process.
    function wisdom(device, err) result(text)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char), allocatable :: bytes(:)
        type(arr_error) :: problem
        integer(int64) :: length, i
        length = 0
        call check(c_wisdom(device, 0_int64, length=length), problem)
        allocate (bytes(length + 1))
        if (.not. problem%failed()) call check(c_wisdom(device, size(bytes, kind=int64), bytes, length), problem)
        ! Another thread may have learnt more in between; the text is cut then.
        length = min(length, size(bytes, kind=int64) - 1)
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = bytes(i)
        end do
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function wisdom

    ! Adds it to what is known.
    subroutine wisdom_import(text, device, err)
        character(len=*), intent(in) :: text
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_import(device, text // c_null_char), err)
    end subroutine wisdom_import

    ! Forgets it; plans that are kept stay.
    subroutine wisdom_forget(device, err)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_forget(device), err)
    end subroutine wisdom_forget
end module arr_fft_plans
