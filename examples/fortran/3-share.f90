! SPDX-License-Identifier: MIT
! 3-share.f90: shares an array with another library by DLPack, without a copy; the library writes into it.
module other_library
    ! Uses DLPack only, nothing of libarr: DLManagedTensorVersioned, version 1.
    use, intrinsic :: iso_c_binding
    implicit none
    type, bind(c) :: managed_tensor
        integer(c_int32_t) :: major, minor
        type(c_ptr) :: context
        type(c_funptr) :: deleter
        integer(c_int64_t) :: flags
        type(c_ptr) :: data
        integer(c_int32_t) :: device_type, device_index, ndim
        integer(c_int8_t) :: code, bits; integer(c_int16_t) :: lanes
        type(c_ptr) :: shape, strides
        integer(c_int64_t) :: byte_offset
    end type managed_tensor
    abstract interface
        subroutine deleter(self) bind(c)
            import :: c_ptr
            type(c_ptr), value :: self
        end subroutine deleter
    end interface
contains
    ! Doubles a vector of float64 in host memory, returns its address, and calls the deleter.
    function double_in_place(handle) result(address)
        type(c_ptr), intent(in) :: handle
        type(c_ptr) :: address
        type(managed_tensor), pointer :: tensor
        integer(c_int64_t), pointer :: extent
        real(c_double), pointer :: x(:)
        procedure(deleter), pointer :: give_back
        call c_f_pointer(handle, tensor)
        if (tensor%major /= 1 .or. tensor%device_type /= 1 .or. tensor%ndim /= 1 .or. tensor%bits /= 64) &
            error stop 'other_library: expected a vector of float64 in host memory'
        call c_f_pointer(tensor%shape, extent)
        call c_f_pointer(tensor%data, x, [extent])
        x = 2 * x
        address = tensor%data
        call c_f_procpointer(tensor%deleter, give_back)
        call give_back(handle)
    end function double_in_place
end module other_library

program share
    use other_library
    use arr
    implicit none
    type(arr_array) :: a
    type(c_ptr) :: seen
    real(c_double) :: largest
    a = arr_linspace(0.0_c_double, 1.0_c_double, 5)
    print *, 'before:', a
    seen = double_in_place(arr_to_dlpack(a))
    if (.not. c_associated(seen, arr_data(a))) error stop 'share: the data was copied'
    print *, 'after: ', a                                ! the same memory
    largest = maxval(a)
    if (abs(largest - 2) > 0) error stop 'share: the write is not seen'
end program share
