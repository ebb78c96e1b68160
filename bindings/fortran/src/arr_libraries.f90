! SPDX-License-Identifier: MIT
! arr_libraries.f90: the vendor's libraries that libarr opens, for calls of one's own. The host has none.
!
!     call c_f_procpointer(arr_library_function(ARR_LIBRARY_CUBLAS, 'cublasGetVersion_v2', gpu), version)
!     status = version(arr_library_handle(ARR_LIBRARY_CUBLAS, gpu, stream), number)
module arr_libraries
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_function => arr_library_function, c_version => arr_library_version
    use arr_errors, only: arr_error, check
    implicit none
    private
    public :: arr_library_function, arr_library_version

    ! The address of a function by its name in a library, ARR_LIBRARY_..., valid until the program ends. It is to be called
    ! with the device's context current where the library asks for that.
    interface arr_library_function
        module procedure library_function
    end interface arr_library_function

    ! Returns the three numbers of the version that a library reports; for the driver, of the CUDA that it supports.
    interface arr_library_version
        module procedure library_version
    end interface arr_library_version

contains

    function library_function(library, name, device, err) result(address)
        integer(c_int32_t), intent(in) :: library
        character(len=*), intent(in) :: name
        type(arr_device), intent(in) :: device
        type(arr_error), intent(out), optional :: err
        type(c_funptr) :: address
        type(c_ptr) :: found
        found = c_null_ptr
        call check(c_function(device, library, name, len_trim(name, kind=int64), found), err)
        address = transfer(found, c_null_funptr)
    end function library_function

    function library_version(library, device, err) result(numbers)
        integer(c_int32_t), intent(in) :: library
        type(arr_device), intent(in) :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: numbers(3)
        numbers = 0
        call check(c_version(device, library, numbers(1), numbers(2), numbers(3)), err)
    end function library_version
end module arr_libraries
