! SPDX-License-Identifier: MIT
! test_textures.f90: textures and surfaces in kernels on the host.
program test_textures
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    character(len=*), parameter :: line = new_line('a')
    character(len=*), parameter :: source = &
        'extern "C" __global__ void sample(cudaTextureObject_t t, const float* x, float* out) {' // line // &
        '  out[threadIdx.x] = tex2D<float>(t, x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);' // line // '}' // line // &
        'extern "C" __global__ void layer(cudaTextureObject_t t, float* out) {' // line // &
        '  out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, (int)threadIdx.x - 1);' // line // '}' // line // &
        'extern "C" __global__ void fetch(cudaTextureObject_t t, float2* out) {' // line // &
        '  out[threadIdx.x] = tex1Dfetch<float2>(t, (int)threadIdx.x - 1);' // line // '}' // line // &
        'extern "C" __global__ void mark(cudaSurfaceObject_t s) {' // line // &
        '  surf2Dwrite((int)threadIdx.x, s, (int)threadIdx.x * 4, 1);' // line // '}'
    type(arr_module) :: module
    type(arr_error) :: error
    call module%create(source, err=error)
    if (error%status == ARR_E_UNAVAILABLE) then
        print '(2a)', 'skipped: ', error%message
        stop 77
    end if
    call textures()
    call surfaces()
    call refusals()
    call module%release()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine textures()
        type(arr_kernel) :: sample, fetch
        type(arr_texels) :: texels
        type(arr_texture) :: texture
        type(arr_array) :: image, coordinates, out
        type(arr_error) :: err
        real(real32) :: h(4), pairs(2, 4), beside(2, 6)
        call module%kernel('sample', sample)
        image = reshape([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2])  ! x runs down
        coordinates = [0.5, 0.5, 2.5, 1.5, 1.0, 1.0, -9.0, 0.5]
        out = arr_zeros([4], ARR_FLOAT32)
        call texels%create(ARR_FLOAT32, [3, 2])
        call texels%copy_from(image)
        call texture%create(texels, address=[ARR_ADDRESS_BORDER, ARR_ADDRESS_BORDER], linear=.true., &
            border=[7.0_real64, 0.0_real64, 0.0_real64, 0.0_real64])
        call texels%release()
        call sample%launch([1], [4], [arr_arg(texture), arr_arg(coordinates), arr_arg(out)])
        h = out
        call expect(all(h == [1.0, 6.0, 3.0, 7.0]), 'between texels and outside')
        call texture%create_of_array(image)
        call sample%launch([1], [4], [arr_arg(texture), arr_arg(coordinates), arr_arg(out)])
        h = out
        call expect(all(h == [1.0, 6.0, 5.0, 1.0]), 'the memory of an array')
        call module%kernel('layer', fetch)
        image = reshape([0.0, 1.0, 10.0, 11.0, 100.0, 101.0, 110.0, 111.0], [2, 2, 2])
        call texels%create(ARR_FLOAT32, [2, 2, 2], layered=.true.)
        call texels%copy_from(image)
        call texture%create(texels)
        call fetch%launch([1], [4], [arr_arg(texture), arr_arg(out)])
        h = out
        call expect(all(h == [1.0, 1.0, 101.0, 101.0]), 'layers')
        call module%kernel('fetch', fetch)
        pairs = reshape([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [2, 4])
        image = pairs
        call texture%create_of_array(image, channels=2)
        image = arr_zeros([2, 6], ARR_FLOAT32)
        call fetch%launch([1], [6], [arr_arg(texture), arr_arg(image)])
        beside = image
        call expect(all(beside(:, 2:5) == pairs) .and. all(beside(:, 1) == 0) .and. all(beside(:, 6) == 0), 'by index')
        call texture%create_of_array(coordinates, channels=2, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'a last axis of 2 channels', 'an array without channels')
    end subroutine textures

    subroutine surfaces()
        type(arr_kernel) :: mark
        type(arr_texels) :: texels
        type(arr_texture) :: surface
        type(arr_array) :: a
        integer(int32) :: h(4, 2)
        call module%kernel('mark', mark)
        a = arr_full([4, 2], 9_int32)
        call texels%create(ARR_INT32, [4, 2], surface=.true.)
        call texels%copy_from(a)
        call surface%create_surface(texels)
        call mark%launch([1], [4], [arr_arg(surface)])
        call texels%copy_to(a)
        h = a
        call expect(all(h(:, 1) == 9) .and. all(h(:, 2) == [0, 1, 2, 3]), 'a row that a kernel wrote')
    end subroutine surfaces

    subroutine refusals()
        type(arr_texels) :: texels
        type(arr_texture) :: texture
        type(arr_error) :: err
        call texels%create(ARR_INT32, [4])
        call texture%create(texels, linear=.true., err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'filter is ARR_FILTER_LINEAR', 'a filter of integers')
        call texture%create_surface(texels, err)
        call expect_failure(err, ARR_E_ARGUMENT, 'ARR_TEXELS_SURFACE', 'a surface of plain texels')
        call texels%create(ARR_FLOAT64, [4], err=err)
        call expect_failure(err, ARR_E_DTYPE, 'float64', 'texels of float64')
    end subroutine refusals
end program test_textures
