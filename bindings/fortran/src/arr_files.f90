! SPDX-License-Identifier: MIT
! arr_files.f90: .npy files, and DLPack: arrays of other libraries in the same process.
module arr_files
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_to => arr_to_dlpack, c_to_legacy => arr_to_dlpack_legacy, c_from => arr_from_dlpack, &
        c_from_legacy => arr_from_dlpack_legacy
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, done
    implicit none
    private
    public :: arr_to_dlpack, arr_from_dlpack

    ! A DLManagedTensorVersioned that shares the memory; whoever gets it calls its deleter, once.
    interface arr_to_dlpack
        module procedure to_dlpack
    end interface arr_to_dlpack

    ! An array that shares the memory of a DLManagedTensorVersioned and calls its deleter at the end.
    interface arr_from_dlpack
        module procedure from_dlpack
    end interface arr_from_dlpack

contains

    ! consumer is DLPack's token of the stream that will use it: -1 (none) if it is left out.
    ! unversioned=.true. returns the older DLManagedTensor.
    function to_dlpack(a, copy, consumer, unversioned, err) result(tensor)
        type(arr_array), intent(in) :: a
        logical, intent(in), optional :: copy
        integer(int64), intent(in), optional :: consumer
        logical, intent(in), optional :: unversioned
        type(arr_error), intent(out), optional :: err
        type(c_ptr) :: tensor
        integer(int64) :: token
        integer(c_int32_t) :: flags
        token = -1
        if (present(consumer)) token = consumer
        flags = 0
        if (present(copy)) flags = merge(ARR_DLPACK_COPY, 0_c_int32_t, copy)
        tensor = c_null_ptr
        if (is_set(unversioned)) then
            call check(c_to_legacy(a%handle, token, flags, tensor), err)
        else
            call check(c_to(a%handle, token, flags, tensor), err)
        end if
        call done(a)
    end function to_dlpack

    pure function is_set(option) result(yes)
        logical, intent(in), optional :: option
        logical :: yes
        yes = .false.
        if (present(option)) yes = option
    end function is_set

    ! ready is DLPack's token of the stream whose work comes first; readonly matters for unversioned tensors only,
    ! as the others say it themselves.
    function from_dlpack(tensor, ready, unversioned, readonly, err) result(a)
        type(c_ptr), intent(in) :: tensor
        integer(int64), intent(in), optional :: ready
        logical, intent(in), optional :: unversioned, readonly
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        integer(int64) :: token
        token = -1
        if (present(ready)) token = ready
        if (is_set(unversioned)) then
            call check(c_from_legacy(tensor, token, merge(ARR_DLPACK_READONLY, 0_c_int32_t, is_set(readonly)), &
                a%handle), err)
        else
            call check(c_from(tensor, token, a%handle), err)
        end if
        a%temporary = .true.
    end function from_dlpack
end module arr_files
