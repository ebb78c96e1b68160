! SPDX-License-Identifier: MIT
! arr_devices.f90: the library itself, and the search for its devices.
module arr_devices
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_check_abi => arr_check_abi, c_probe => arr_backend_probe
    use arr_errors, only: arr_error, check
    use arr_arguments, only: as_text
    implicit none
    private
    public :: arr_available, arr_backend_report

    ! True if the library can be loaded and used; err says why not.
    interface arr_available
        module procedure available
    end interface arr_available

    ! Reports the state of a backend, and the steps that were tried.
    interface arr_backend_report
        module procedure backend_report
    end interface arr_backend_report

contains

    function available(err) result(yes)
        type(arr_error), intent(out), optional :: err
        logical :: yes
        type(arr_error) :: problem
        call check(c_check_abi(ARR_VERSION_NUMBER), problem)
        yes = .not. problem%failed()
        if (present(err)) err = problem
    end function available

    function backend_report(type, err) result(text)
        integer(c_int32_t), intent(in) :: type
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char) :: bytes(8192)
        integer(int64) :: length
        integer(c_int32_t) :: state
        length = 0
        call check(c_probe(type, state, size(bytes, kind=int64), bytes, length), err)
        call as_text(bytes, length, text)
    end function backend_report
end module arr_devices
