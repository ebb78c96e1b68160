! SPDX-License-Identifier: MIT
! test_fake.f90 (other | old): a library of another version is refused, one that lacks a function says so.
program test_fake
    use arr
    use testing
    implicit none
    type(arr_array) :: a
    type(arr_error) :: err
    character(len=8) :: which
    call get_command_argument(1, which)
    if (which == 'other') then
        call expect(.not. arr_available(err), 'another version')
        call expect_failure(err, ARR_E_UNAVAILABLE, 'version 9.0.0 is not served', 'the reason')
    else
        call expect(arr_available(err), 'an old library')
        a = arr_zeros([2], err=err)
        call expect_failure(err, ARR_E_UNAVAILABLE, 'arr_zeros: the library that was loaded has no such function', &
            'a function that is not there')
        call expect(arr_live_handles() == 0, 'a count that is not there')
    end if
    call finish()
end program test_fake
