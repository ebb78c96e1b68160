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
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine transfer_and_ops()
        type(arr_array) :: a, b
        type(arr_stream) :: stream
        type(arr_device) :: place
        real(real64) :: h(4, 6), g(2, 3), back(4, 6), total
        logical :: l(3)
        integer :: i
        h = reshape([(real(i, real64), i=1, 24)], shape(h))
        a = arr_upload(h, device=gpu)
        place = arr_device_of(a)
        call expect(place%type == gpu%type .and. place%index == gpu%index, 'on the GPU')
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
end program test_gpu
