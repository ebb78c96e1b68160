! SPDX-License-Identifier: MIT
! arr_fourier.f90: Fourier transforms along one and several dimensions.
!
! Transforms of one dimension work along dimension 1 where no dim is given; n elements are transformed, more are left out
! and missing ones are 0. norm, ARR_FFT_..., says where the factor 1 / n goes: to the inverse if it is not given.
module arr_fourier
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_fft, only: c_fft => arr_fft, c_ifft => arr_ifft, c_rfft => arr_rfft, c_irfft => arr_irfft, &
        c_fftn => arr_fftn, c_ifftn => arr_ifftn, c_rfftn => arr_rfftn, c_irfftn => arr_irfftn, &
        c_fftshift => arr_fftshift, c_ifftshift => arr_ifftshift, c_fftfreq => arr_fftfreq, c_rfftfreq => arr_rfftfreq, &
        c_hfft => arr_hfft, c_ihfft => arr_ihfft, c_hfftn => arr_hfftn, c_ihfftn => arr_ihfftn, &
        c_next_fast_len => arr_next_fast_len
    use arr_c_array, only: c_ndim => arr_ndim
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, ended, stream_of
    use arr_engine, only: axis_of
    use arr_statistics, only: length
    implicit none
    private
    public :: arr_fft, arr_ifft, arr_rfft, arr_irfft, arr_fftn, arr_ifftn, arr_rfftn, arr_irfftn
    public :: arr_fftshift, arr_ifftshift, arr_fftfreq, arr_rfftfreq, arr_hfft, arr_ihfft, arr_hfftn, arr_ihfftn
    public :: arr_next_fast_len
    public :: lay_out

    abstract interface
        function c_transform(a, n, axis, norm, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int64_t), value :: n
            integer(c_int32_t), value :: axis, norm
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_transform

        function c_transform_all(a, naxes, s, axes, norm, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: naxes
            integer(c_int64_t), intent(in), optional :: s(*)
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t), value :: norm
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_transform_all
    end interface

    interface arr_fft
        module procedure fft
    end interface arr_fft

    interface arr_ifft
        module procedure ifft
    end interface arr_ifft

    interface arr_rfft
        module procedure rfft
    end interface arr_rfft

    interface arr_irfft
        module procedure irfft
    end interface arr_irfft

    interface arr_fftn
        module procedure fftn
    end interface arr_fftn

    interface arr_ifftn
        module procedure ifftn
    end interface arr_ifftn

    interface arr_rfftn
        module procedure rfftn
    end interface arr_rfftn

    interface arr_irfftn
        module procedure irfftn
    end interface arr_irfftn

    interface arr_fftshift
        module procedure fftshift
    end interface arr_fftshift

    interface arr_ifftshift
        module procedure ifftshift
    end interface arr_ifftshift

    interface arr_fftfreq
        module procedure fftfreq
    end interface arr_fftfreq

    interface arr_hfft
        module procedure hfft
    end interface arr_hfft
    interface arr_ihfft
        module procedure ihfft
    end interface arr_ihfft
    interface arr_hfftn
        module procedure hfftn
    end interface arr_hfftn
    interface arr_ihfftn
        module procedure ihfftn
    end interface arr_ihfftn
    interface arr_next_fast_len
        module procedure next_fast_len
    end interface arr_next_fast_len

    interface arr_rfftfreq
        module procedure rfftfreq
    end interface arr_rfftfreq

contains

    pure function factor(norm) result(code)
        integer(c_int32_t), intent(in), optional :: norm
        integer(c_int32_t) :: code
        code = ARR_FFT_BACKWARD
        if (present(norm)) code = norm
    end function factor

    subroutine transform(f, a, n, dim, norm, z, stream, err)
        procedure(c_transform) :: f
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t) :: elements
        integer(c_int32_t) :: axis, status
        elements = -1
        if (present(n)) elements = n
        axis = 0
        if (present(dim)) axis = axis_of(dim)
        status = f(a%handle, elements, axis, factor(norm), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end subroutine transform

    ! The dimension that transforms of reals halve is the library's last: the dimensions go to it in reverse. Not good if
    ! there are not as many extents as dimensions.
    subroutine lay_out(a, s, dim, axes, extents, good)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(out), allocatable :: axes(:)
        integer(c_int64_t), intent(out), allocatable :: extents(:)
        logical, intent(out) :: good
        integer(c_int32_t) :: n
        integer :: i
        n = 0
        if (c_ndim(a%handle, n) /= ARR_OK) n = 0           ! the call that follows says so
        if (present(dim)) then
            axes = axis_of(dim(size(dim):1:-1))
        else
            axes = [(int(i - 1, c_int32_t), i = n, 1, -1)]
        end if
        allocate (extents(size(axes)), source=-1_c_int64_t)
        if (present(s)) extents = s(size(s):1:-1)
        good = size(extents) == size(axes)
    end subroutine lay_out

    subroutine transform_all(f, a, s, dim, norm, z, stream, err)
        procedure(c_transform_all) :: f
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int64_t), allocatable :: extents(:)
        integer(c_int32_t) :: status
        logical :: good
        call lay_out(a, s, dim, axes, extents, good)
        if (.not. good) then
            call done(a)
            call fail(ARR_E_ARGUMENT, 'arr_fftn: s: an extent is expected for each of the dimensions', err)
            return
        end if
        status = f(a%handle, size(axes, kind=c_int32_t), extents, axes, factor(norm), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end subroutine transform_all

    ! Along dim, complex.
    function fft(a, n, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_fft, a, n, dim, norm, z, stream, err)
    end function fft

    ! Its inverse.
    function ifft(a, n, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_ifft, a, n, dim, norm, z, stream, err)
    end function ifft

    ! Of reals: the first n / 2 + 1 elements, of which the others are the conjugates.
    function rfft(a, n, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_rfft, a, n, dim, norm, z, stream, err)
    end function rfft

    ! Its inverse: n reals, without n an even number of them.
    function irfft(a, n, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_irfft, a, n, dim, norm, z, stream, err)
    end function irfft

    ! The spectrum, n reals, of a signal that is its own mirrored conjugate, of which a is the first half.
    function hfft(a, n, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_hfft, a, n, dim, norm, z, stream, err)
    end function hfft

    ! And back: the first half of a signal whose spectrum is real.
    function ihfft(a, n, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: n, dim
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_ihfft, a, n, dim, norm, z, stream, err)
    end function ihfft

    ! The least length from n on that transforms are fast of; real: of reals.
    function next_fast_len(n, real, err) result(least)
        integer, intent(in) :: n
        logical, intent(in), optional :: real
        type(arr_error), intent(out), optional :: err
        integer :: least
        integer(c_int64_t) :: found
        integer(c_int32_t) :: of_reals
        of_reals = 0
        if (present(real)) of_reals = merge(1_c_int32_t, 0_c_int32_t, real)
        found = 0
        call check(c_next_fast_len(int(n, c_int64_t), of_reals, found), err)
        least = int(found)
    end function next_fast_len

    ! Along the dimensions dim, or all, with s elements along each.
    function fftn(a, s, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_fftn, a, s, dim, norm, z, stream, err)
    end function fftn

    ! Its inverse.
    function ifftn(a, s, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_ifftn, a, s, dim, norm, z, stream, err)
    end function ifftn

    ! Of reals: the first n / 2 + 1 elements along the first of the dimensions.
    function rfftn(a, s, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_rfftn, a, s, dim, norm, z, stream, err)
    end function rfftn

    ! Its inverse.
    function irfftn(a, s, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_irfftn, a, s, dim, norm, z, stream, err)
    end function irfftn

    ! arr_hfft along the first of the dimensions, the complex transform along the others; s: of the result.
    function hfftn(a, s, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_hfftn, a, s, dim, norm, z, stream, err)
    end function hfftn

    ! And back.
    function ihfftn(a, s, dim, norm, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_ihfftn, a, s, dim, norm, z, stream, err)
    end function ihfftn

    ! Frequency 0 to the middle of the dimensions, or of all.
    function fftshift(a, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: status
        if (present(dim)) axes = axis_of(dim)
        status = c_fftshift(a%handle, length(axes), axes, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function fftshift

    ! And back.
    function ifftshift(a, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: status
        if (present(dim)) axes = axis_of(dim)
        status = c_ifftshift(a%handle, length(axes), axes, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function ifftshift

    ! The frequencies of the elements of arr_fft of n samples at a distance d.
    function fftfreq(n, d, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        real(real64), intent(in), optional :: d
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: distance
        integer(c_int32_t) :: kind
        distance = 1
        if (present(d)) distance = d
        kind = ARR_FLOAT64
        if (present(dtype)) kind = dtype
        call check(c_fftfreq(int(n, c_int64_t), distance, kind, device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function fftfreq

    ! Those of arr_rfft.
    function rfftfreq(n, d, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        real(real64), intent(in), optional :: d
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: distance
        integer(c_int32_t) :: kind
        distance = 1
        if (present(d)) distance = d
        kind = ARR_FLOAT64
        if (present(dtype)) kind = dtype
        call check(c_rfftfreq(int(n, c_int64_t), distance, kind, device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function rfftfreq
end module arr_fourier
