! SPDX-License-Identifier: MIT
! arr_creation.f90: new arrays. They are column-major; dtype defaults to ARR_FLOAT64 and device to the host.
module arr_creation
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_wrap => arr_wrap
    use arr_element_types, only: dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array
    implicit none
    private
    public :: arr_wrap

    ! call arr_wrap(a, pointer, dtype, shape, strides, device): memory of OpenACC, CUDA Fortran or another library.
    interface arr_wrap
        module procedure wrap_pointer
    end interface arr_wrap

contains

    ! Strides are in elements; without them the memory is column-major. It must stay valid while a and its views live.
    subroutine wrap_pointer(a, pointer, dtype, shape, strides, device, err)
        type(arr_array), intent(inout) :: a
        type(c_ptr), intent(in) :: pointer
        type(arr_dtype), intent(in) :: dtype
        integer(int64), intent(in) :: shape(:)
        integer(int64), intent(in), optional :: strides(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(int64) :: steps(size(shape))
        type(arr_array) :: new
        type(arr_error) :: problem
        integer :: i
        steps = [(product(shape(:i - 1)), i = 1, size(shape))]
        if (present(strides)) then
            if (size(strides) /= size(shape)) then
                call fail(ARR_E_SHAPE, 'arr_wrap: argument strides: expected as many as shape has', err)
                return
            end if
            steps = strides
        end if
        call check(c_wrap(pointer, dtype_number(dtype), size(shape, kind=c_int32_t), shape, steps, device, c_null_funptr, &
            c_null_ptr, new%handle), problem)
        if (problem%failed()) then
            call fail(problem%status, problem%message, err)
        else
            a = new
        end if
    end subroutine wrap_pointer
end module arr_creation
