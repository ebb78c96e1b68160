! SPDX-License-Identifier: MIT
! test_gpu.f90: the binding with arrays on a GPU, or on the fake CUDA that stands for one.
program test_gpu
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    type(arr_device) :: gpu
    type(arr_error) :: err
    gpu = arr_device_select(require_gpu=.true., err=err)
    if (err%failed()) then
        print '(2a)', 'skipped: ', err%message
        stop 77, quiet=.true.
    end if
    print '(a)', arr_device_name(gpu)
    call transfer_and_ops()
    call kernels()
    call sharing()
    call kinds_of_memory()
    call processes()
    call libraries()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine transfer_and_ops()
        type(arr_array) :: a, b
        type(arr_stream) :: stream
        type(arr_device) :: device
        real(real64) :: h(4, 6), g(2, 3), back(4, 6), total
        logical :: l(3)
        integer :: i
        h = reshape([(real(i, real64), i=1, 24)], shape(h))
        a = arr_upload(h, device=gpu)
        device = arr_device_of(a)
        call expect(device%type == gpu%type .and. device%index == gpu%index, 'on the GPU')
        back = a * 2 + 1
        call expect(all(back == h * 2 + 1), 'operators')
        b = arr_upload(h(1::2, 6:1:-2), device=gpu)
        g = b
        call expect(all(g == h(1::2, 6:1:-2)), 'a section')
        back = 0
        back(4:1:-3, 2::2) = b
        call expect(all(back(4:1:-3, 2::2) == g), 'into a section')
        l = arr_upload([.true., .false., .true.], device=gpu)
        call expect(all(l .eqv. [.true., .false., .true.]), 'logicals')
        call arr_assign(arr_section(a, [arr_span(2, 3)]), h(1:2, :))
        h(2:3, :) = h(1:2, :)
        back = a
        call expect(all(back == h), 'writing a host section into a section')
        call arr_stream_create(stream, gpu)
        total = sum(arr_multiply(a, a, stream=stream), stream=stream)
        call arr_sync(stream)
        call expect(total == sum(h * h), 'a stream')
        call expect(all(shape(maxloc(a)) == [2]), 'maxloc')
        i = arr_argmax(a)
        call expect(i == 24, 'arr_argmax')
        b = arr_add(a, arr_ones([4, 6]), err=err)
        call expect(err%failed() .and. index(err%message, 'arr_add') > 0, 'arrays of two devices do not mix')
    end subroutine transfer_and_ops

    subroutine kernels()
        type(arr_module) :: module
        type(arr_kernel) :: kernel
        type(arr_array) :: x
        integer(int32) :: h(100)
        integer :: i
        call module%create('extern "C" __global__ void twice(int* x, int n) {' // &
            ' int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }', gpu, err=err)
        if (err%status == ARR_E_UNAVAILABLE) then
            print '(2a)', 'not tested: ', err%message
            return
        end if
        call module%kernel('twice', kernel)
        x = arr_upload([(i, i=1, 100)], device=gpu)
        call kernel%launch([2], [64], [arr_arg(x), arr_arg(100)])
        h = x
        call expect(all(h == [(2 * i, i=1, 100)]), 'a kernel')
    end subroutine kernels

    subroutine sharing()
        type(arr_array) :: a, b
        real(real64), pointer :: p(:)
        type(c_ptr) :: tensor, address
        real(real64) :: total
        a = arr_ones([5], device=gpu)
        call arr_pointer(a, p, err)
        call expect_failure(err, ARR_E_DEVICE, 'not in host memory', 'no host pointer to GPU memory')
        tensor = arr_to_dlpack(a)
        b = arr_from_dlpack(tensor)
        address = arr_data(a)
        call expect(c_associated(address, arr_data(b)), 'DLPack')
        call arr_wrap(b, address, ARR_FLOAT64, [5_int64], device=gpu)
        call arr_fill(b, 3)
        total = sum(a)
        call expect(total == 15, 'a wrapped device address')
    end subroutine sharing

    subroutine kinds_of_memory()
        type(arr_array) :: a
        type(arr_error) :: err
        real(real32), target :: h(5000)
        real(real32) :: total
        a = arr_ones([100], ARR_FLOAT32, device=gpu)
        call expect(.not. arr_is_managed(a), 'memory of the device alone')
        call arr_memory_prefetch(a, gpu, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'managed', 'which cannot move')
        call arr_memory_set_allocator(ARR_ALLOCATOR_MANAGED, gpu)
        a = arr_ones([100], ARR_FLOAT32, device=gpu)
        call arr_memory_set_allocator(ARR_ALLOCATOR_POOL, gpu)
        call expect(arr_is_managed(a), 'managed memory')
        call arr_memory_advise(a, ARR_ADVISE_PREFER, gpu)
        call arr_memory_prefetch(a)
        total = sum(a)
        call expect(total == 100, 'is used on')
        a = arr_zeros([5000], ARR_FLOAT32, device=gpu)
        h = 2
        call arr_pinned_register(h, mapped=.true.)
        call arr_pinned_register(h, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_pinned_register', 'locked already')
        call arr_memory_copy(arr_data(a), c_loc(h), 20000_int64, ARR_COPY_FROM_HOST + ARR_COPY_ASYNC, device=gpu)
        call arr_sync(gpu)
        call arr_pinned_unregister(h)
        call arr_pinned_unregister(h, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_pinned_unregister', 'locked no more')
        total = sum(a)
        call expect(total == 10000, 'a copy from locked memory')
    end subroutine kinds_of_memory

    subroutine processes()
        type(arr_array) :: a, b
        type(arr_event) :: event, other
        type(arr_error) :: err
        integer(int8), allocatable :: handle(:)
        real(real64) :: total
        a = arr_ones([100], device=gpu)
        call arr_ipc_export(a, handle)
        b = arr_ipc_import(handle, gpu, err)           ! the fake opens a process's own, a driver does not
        if (err%failed()) then
            call expect(err%status == ARR_E_ARGUMENT, 'an array of this process')
        else
            total = sum(b)
            call expect(total == 100, 'an array by its handle')
        end if
        b = arr_ipc_import(handle(2:), gpu, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_ipc_import', 'no handle')
        call arr_event_create(event, gpu, shared=.true.)
        call arr_record(event)
        call arr_ipc_export_event(event, handle)
        call arr_ipc_import_event(other, handle, gpu, err)
        if (.not. err%failed()) call arr_sync(other)
        call expect(err%status == ARR_OK .or. err%status == ARR_E_ARGUMENT, 'an event by its handle')
        call arr_event_create(event, gpu)
        call arr_ipc_export_event(event, handle, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_ipc_export_event', 'an event that is not shared')
    end subroutine processes

    subroutine libraries()
        type(arr_stream) :: stream
        type(arr_error) :: err
        type(c_funptr) :: address
        type(c_ptr) :: handle
        address = arr_library_function(ARR_LIBRARY_DRIVER, 'cuInit', gpu)
        call expect(c_associated(address), 'a function of the driver')
        address = arr_library_function(ARR_LIBRARY_DRIVER, 'cuNothing', gpu, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'cuNothing', 'no such function')
        call expect(any(arr_library_version(ARR_LIBRARY_DRIVER, gpu) > 0), 'its version')
        call arr_stream_create(stream, gpu)
        handle = arr_library_handle(ARR_LIBRARY_CUBLAS, gpu, stream)
        call expect(c_associated(handle), 'a handle of cuBLAS')
        call expect(c_associated(handle, arr_library_handle(ARR_LIBRARY_CUBLAS, gpu, stream)), 'the same again')
    end subroutine libraries
end program test_gpu
