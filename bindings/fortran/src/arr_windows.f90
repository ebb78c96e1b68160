! SPDX-License-Identifier: MIT
! arr_windows.f90: windows for spectra, by NumPy's formulas: symmetric, of n points, t from -1 to 1.
!
! A dtype that is not given is float64, a device the host.
module arr_windows
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_windows, only: c_bartlett => arr_bartlett, c_blackman => arr_blackman, c_hamming => arr_hamming, &
        c_hanning => arr_hanning, c_kaiser => arr_kaiser
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, choice, stream_of
    implicit none
    private
    public :: arr_bartlett, arr_blackman, arr_hamming, arr_hanning, arr_kaiser

    interface arr_bartlett
        module procedure bartlett
    end interface arr_bartlett

    interface arr_blackman
        module procedure blackman
    end interface arr_blackman

    interface arr_hamming
        module procedure hamming
    end interface arr_hamming

    interface arr_hanning
        module procedure hanning
    end interface arr_hanning

    interface arr_kaiser
        module procedure kaiser
    end interface arr_kaiser

contains

    ! A triangle, 0 at both ends.
    function bartlett(n, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_bartlett(int(n, c_int64_t), choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function bartlett

    ! 0.42 + 0.5 cos(pi t) + 0.08 cos(2 pi t).
    function blackman(n, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_blackman(int(n, c_int64_t), choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function blackman

    ! 0.54 + 0.46 cos(pi t).
    function hamming(n, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_hamming(int(n, c_int64_t), choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function hamming

    ! Von Hann's: 0.5 + 0.5 cos(pi t).
    function hanning(n, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_hanning(int(n, c_int64_t), choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function hanning

    ! i0(beta sqrt(1 - t * t)) / i0(beta); beta is 0 for a rectangle, 5 for one like Hamming's, 8.6 like Blackman's.
    function kaiser(n, beta, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        real(real64), intent(in) :: beta
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_kaiser(int(n, c_int64_t), beta, choice(dtype, 0_c_int32_t), device, &
            stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function kaiser
end module arr_windows
