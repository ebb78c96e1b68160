! SPDX-License-Identifier: MIT
! test_hidden.f90: without the library every call returns an error with the paths that were tried, and nothing crashes.
program test_hidden
    use, intrinsic :: iso_c_binding
    use arr
    use testing
    implicit none
    type(arr_array) :: a, b
    type(arr_error) :: err
    type(arr_module) :: module
    type(arr_expr) :: e
    type(arr_stream) :: stream
    type(arr_device) :: device
    real :: h(2)
    h = [1, 2]
    call expect(.not. arr_available(err), 'not available')
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'the reason')
    call expect(index(err%message, '/nonexistent/libarr.so') > 0, 'what was tried')
    a = arr_upload(h, err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'upload')
    a = arr_zeros([2, 3], err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'zeros')
    b = arr_add(a, 1, err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'an op')
    b = sum(a, err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'a reduction')
    call arr_download(a, h, err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'download')
    device = arr_device_select(err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'a device')
    call module%create('', err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'a module')
    call e%create(err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'an expression')
    call arr_stream_create(stream, err=err)
    call expect_failure(err, ARR_E_UNAVAILABLE, 'libarr is not available', 'a stream')
    call expect(arr_live_handles() == 0 .and. arr_version() == 0, 'counts')
    call expect(arr_status_name(ARR_E_SHAPE) == '', 'names come from the library')
    call finish()
end program test_hidden
