! SPDX-License-Identifier: MIT
! arr_fft_convolution.f90: convolution along dimensions by Fourier transforms, for long arrays.
module arr_fft_convolution
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_signal, only: c_fftconvolve => arr_fftconvolve, c_oaconvolve => arr_oaconvolve
    use arr_errors, only: arr_error
    use arr_types, only: arr_array, arr_stream, choice, ended, stream_of
    use arr_engine, only: axis_of
    use arr_statistics, only: length
    implicit none
    private
    public :: arr_fftconvolve, arr_oaconvolve

    abstract interface
        function c_convolution(a, v, mode, naxes, axes, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a, v
            integer(c_int32_t), value :: mode, naxes
            integer(c_int32_t), intent(in), optional :: axes(*)
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_convolution
    end interface

    interface arr_fftconvolve
        module procedure fftconvolve
    end interface arr_fftconvolve

    interface arr_oaconvolve
        module procedure oaconvolve
    end interface arr_oaconvolve

contains

    subroutine convolve(f, a, v, mode, dim, z, stream, err)
        procedure(c_convolution) :: f
        type(arr_array), intent(in) :: a, v
        integer(c_int32_t), intent(in), optional :: mode
        integer, intent(in), optional :: dim(:)
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: status
        if (present(dim)) axes = axis_of(dim)
        status = f(a%handle, v%handle, choice(mode, ARR_CONVOLVE_FULL), length(axes), axes, stream_of(stream), z%handle)
        call ended(status, z, err, a, v)
    end subroutine convolve

    ! Along the dimensions dim, or all; along others the arrays broadcast. mode is ARR_CONVOLVE_FULL, if it is not given,
    ! _SAME, of the size of a, or _VALID, where one array holds the other.
    function fftconvolve(a, v, mode, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a, v
        integer(c_int32_t), intent(in), optional :: mode
        integer, intent(in), optional :: dim(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call convolve(c_fftconvolve, a, v, mode, dim, z, stream, err)
    end function fftconvolve

    ! The same in blocks of the longer array, for arrays of very different sizes.
    function oaconvolve(a, v, mode, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a, v
        integer(c_int32_t), intent(in), optional :: mode
        integer, intent(in), optional :: dim(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call convolve(c_oaconvolve, a, v, mode, dim, z, stream, err)
    end function oaconvolve
end module arr_fft_convolution
