! SPDX-License-Identifier: MIT
! test_device.f90: raw kernels, fused expressions, streams and events, .npy files, DLPack.
program test_device
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    character(len=*), parameter :: saxpy = &
        'extern "C" __global__ void saxpy(long long n, float a, const float* x, float* y) {' // new_line('a') // &
        '  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;' // new_line('a') // &
        '  if (i < n) y[i] = OFFSET + a * x[i] + y[i];' // new_line('a') // '}'
    call kernels()
    call bad_kernels()
    call expressions()
    call broken_expressions()
    call streams()
    call files()
    call dlpack()
    call devices()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine kernels()
        type(arr_module) :: module
        type(arr_kernel) :: kernel
        type(arr_array) :: x, y
        type(arr_error) :: err
        integer, parameter :: n = 1000
        integer :: i
        real(real32) :: h(n)
        call module%create(saxpy, options=[character(len=20) :: '-DOFFSET=1', '-DUNUSED'], err=err)
        if (err%status == ARR_E_UNAVAILABLE) then
            print '(2a)', 'skipped: ', err%message
            return
        end if
        call expect(.not. err%failed(), 'a module')
        call module%kernel('saxpy', kernel)
        x = [(real(i), i=1, n)]
        y = arr_zeros([n], ARR_FLOAT32)
        call kernel%launch([4], [256], [arr_arg(int(n, int64)), arr_arg(2.0), arr_arg(x), arr_arg(y)])
        h = y
        call expect(all(h == [(2.0 * i + 1, i=1, n)]), 'saxpy')
        call kernel%launch([4], [256], [arr_arg(int(n, int64)), arr_arg(1.0), arr_arg(x * 2), arr_arg_pointer(arr_data(y))])
        h = y
        call expect(all(h == [(4.0 * i + 2, i=1, n)]), 'a temporary and a raw address as arguments')
        call kernel%launch([4], [256], [arr_arg(x)], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_launch_raw', 'too few arguments')
        call expect(kernel%attribute(ARR_KERNEL_MAX_THREADS) == 1024, 'an attribute')
        call kernel%set_attribute(ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 60000_int64)
        call expect(kernel%attribute(ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES) == 60000, 'an attribute that was set')
        call expect(kernel%block_size(128) == 128 .and. kernel%occupancy(128) >= 1, 'occupancy')
        call kernel%launch([1, 1, 1, 1], [256], [arr_arg(x)], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'grid', 'a grid of four dimensions')
        call kernel%launch([4], [256], [arr_arg('x')], err=err)
        call expect_failure(err, ARR_E_DTYPE, 'not a number', 'text as an argument')
    end subroutine kernels

    subroutine bad_kernels()
        type(arr_module) :: module
        type(arr_kernel) :: kernel
        type(arr_error) :: err
        call module%create('extern "C" __global__ void f(float* x) { x[0] = nonsense; }', err=err)
        if (err%status /= ARR_E_UNAVAILABLE) then
            call expect_failure(err, ARR_E_COMPILE, 'nonsense', 'source that does not compile')
            call expect(index(arr_module_log(), 'nonsense') > 0, 'the log')
        end if
        call module%kernel('f', kernel, err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_module_kernel', 'a kernel of no module')
        call module%load_file('/nonexistent/k.cu', defines=['N=4'], standard=17, err=err)
        call expect_failure(err, ARR_E_IO, 'arr_module_load_file', 'a file of a module that is not there')
        call module%create_from_file('/nonexistent/k.cu', err=err)
        call expect_failure(err, ARR_E_IO, '/nonexistent/k.cu', 'a file that is not there')
    end subroutine bad_kernels

    subroutine expressions()
        type(arr_expr) :: e
        type(arr_node) :: x, y
        type(arr_array) :: a, b, r, at
        real(real64) :: p(5), q(5), h(5)
        integer :: i(5)
        p = [1, 2, 3, 4, 5]
        q = [5, 3, 1, -1, -3]
        a = p; b = q
        call e%create()
        x = e%input(1)
        y = e%input(2)
        h = e%run(2 * sin(x) + y**2 - max(x, 2.5), [a, b])
        call expect(all(abs(h - (2 * sin(p) + q**2 - max(p, 2.5_real64))) < 1e-14_real64), 'a fused expression')
        h = e%run(merge(x, -y, x > y), [a * 1, b + 0])
        call expect(all(h == merge(p, -q, p > q)), 'merge, temporaries as inputs')
        i = e%run(arr_cast(x / 2, ARR_INT32), [a])
        call expect(all(i == int(p / 2)), 'a cast')
        r = arr_zeros([5])
        call e%run_into(arr_section(r, [arr_span(1, 3)]), x + y, [arr_section(a, [arr_span(1, 3)]), &
            arr_section(b, [arr_span(1, 3)])])
        h = r
        call expect(all(h == [6, 5, 4, 0, 0]), 'into a section')
        call expect(len(e%describe(x + y, [a, b])) > 0, 'describe')
        at = [4, 0, -1, 2, 2]
        h = e%run(e%gather(1, [e%input(3)]) * 2 + y, [a, b, at])
        call expect(all(h == 2 * p([5, 1, 5, 3, 3]) + q), 'a gather')
        h = arr_evaluate('k*x + y', 2, a, b + 0)
        call expect(all(h == 2 * p + q), 'a formula with a number and a temporary')
        call arr_evaluate_into(r, 'x / k', a, 2.0)
        h = r
        call expect(all(h == p / 2), 'a formula into an array')
        r = e%run(x * 2, [arr_astype(a, ARR_FLOAT32)])
        call expect(arr_dtype(r) == ARR_FLOAT32, 'plain numbers are weak')
    end subroutine expressions

    subroutine broken_expressions()
        type(arr_expr) :: e, other
        type(arr_array) :: a
        type(arr_error) :: err
        a = [1.0, 2.0]
        call e%create()
        call other%create()
        a = e%run(e%input(1) + other%input(1), [a], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'different expressions', 'nodes of two expressions')
        a = [1.0, 2.0]
        a = e%run(e%input(0), [a], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_expr_input', 'input 0')
        a = [1.0, 2.0]
        a = e%run(e%input(2), [a], err=err)
        call expect(err%failed(), 'an input that run does not get')
    end subroutine broken_expressions

    subroutine streams()
        type(arr_stream) :: stream, other
        type(arr_event) :: start, stop
        type(arr_array) :: a
        real(real64) :: h(3)
        call arr_stream_create(stream)
        call arr_event_create(start, timing=.true.)
        call arr_event_create(stop, timing=.true.)
        call arr_record(start, stream)
        a = arr_ones([3], stream=stream)
        a = arr_add(a, 1, stream=stream)
        a = sum(a, stream=stream, keepdims=.true.)
        call arr_record(stop, stream)
        call arr_wait(stream, stop)
        call arr_stream_create(other)
        call arr_wait(other, stream)
        call arr_sync(other)
        call arr_sync(stop)
        call arr_sync(stream)
        call expect(arr_done(stream) .and. arr_done(stop), 'done')
        call expect(arr_elapsed(start, stop) >= 0, 'elapsed')
        h = arr_broadcast_to(a, [3])
        call expect(all(h == 6), 'work in a stream')
    end subroutine streams

    subroutine files()
        type(arr_array) :: a
        real(real64) :: h(3, 4), g(3, 4)
        character(len=*), parameter :: path = 'test_fortran.npy'
        integer :: i, unit
        h = reshape([(real(i, real64), i=1, 12)], [3, 4])
        a = h
        call arr_save_npy(a, path)
        g = arr_load_npy(path)
        call expect(all(g == h), 'column-major file')
        call expect(all(arr_strides(arr_load_npy(path)) == [1, 3]), 'keeps its order')
        call arr_save_npy(arr_contiguous(a * 2, ARR_ORDER_C), path)
        g = arr_load_npy(path)
        call expect(all(g == 2 * h) .and. all(arr_strides(arr_load_npy(path)) == [4, 1]), 'row-major file')
        open (newunit=unit, file=path)
        close (unit, status='delete')
    end subroutine files

    subroutine dlpack()
        type(arr_array) :: a, b, c
        type(c_ptr) :: address, tensor
        type(arr_error) :: err
        real(real64) :: x
        logical :: old
        integer :: turn
        do turn = 0, 1
            old = turn == 1
            a = reshape([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64, 5.0_real64, 6.0_real64], [2, 3])
            tensor = arr_to_dlpack(transpose(a), unversioned=old)
            b = arr_from_dlpack(tensor, unversioned=old)
            address = arr_data(a)
            call expect(c_associated(address, arr_data(b)), 'the same memory')
            call expect(all(shape(b) == [3, 2]) .and. all(arr_strides(b) == [2, 1]), 'shape and strides')
            call arr_fill(b, 5)
            x = sum(a)
            call expect(x == 30, 'a write is seen on the other side')
            call arr_release(a)
            x = sum(b)
            call expect(x == 30, 'the importer keeps the memory alive')
            tensor = arr_to_dlpack(b, copy=.true., unversioned=old)
            c = arr_from_dlpack(tensor, unversioned=old, readonly=.true.)
            address = arr_data(c)
            call expect(.not. c_associated(address, arr_data(b)), 'a copy')
        end do
        c = arr_from_dlpack(c_null_ptr, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_from_dlpack', 'no tensor')
        tensor = arr_to_dlpack(spread(b, 1, 2), unversioned=.true., err=err)
        call expect_failure(err, ARR_E_READONLY, 'arr_to_dlpack_legacy', 'read-only, which the old struct cannot say')
    end subroutine dlpack

    subroutine devices()
        type(arr_device) :: device
        type(arr_array) :: a
        type(arr_error) :: err
        device = arr_device_of(arr_ones([1]))
        call expect(device%type == ARR_HOST .and. arr_device_count(ARR_HOST) == 1, 'the host')
        call expect(len(arr_device_name(device)) > 0 .and. len(arr_backend_report(ARR_CUDA)) > 0, 'names')
        call expect(arr_version() >= ARR_VERSION_NUMBER .and. len(arr_build_info()) > 0, 'version')
        a = arr_to_device(arr_ones([2]), device)
        call arr_sync(device)
        call expect(size(a) == 2, 'to the same device')
        a = arr_ones([2], device=arr_device(ARR_CUDA, 99), err=err)
        call expect(err%failed(), 'a device that is not there')
    end subroutine devices
end program test_device
