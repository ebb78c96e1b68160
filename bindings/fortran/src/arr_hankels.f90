! SPDX-License-Identifier: MIT
! arr_hankels.f90: Hankel transforms of samples at logarithmic distances.
!
! Distances grow by exp(dln); mu is the order of the Bessel function. offset, 0 if it is not given, is the logarithm of the
! product of the middles of the distances and the frequencies, bias the exponent of a power law that is taken out.
module arr_hankels
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_hankel, only: c_fht => arr_fht, c_ifht => arr_ifht, c_fhtoffset => arr_fhtoffset
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, ended, stream_of
    use arr_engine, only: axis_of
    implicit none
    private
    public :: arr_fht, arr_ifht, arr_fhtoffset

    abstract interface
        function c_hankel(a, dln, mu, offset, bias, axis, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            real(c_double), value :: dln, mu, offset, bias
            integer(c_int32_t), value :: axis
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_hankel
    end interface

    interface arr_fht
        module procedure fht
    end interface arr_fht

    interface arr_ifht
        module procedure ifht
    end interface arr_ifht

    interface arr_fhtoffset
        module procedure fhtoffset
    end interface arr_fhtoffset

contains

    pure function or_0(given) result(number)
        real(real64), intent(in), optional :: given
        real(c_double) :: number
        number = 0
        if (present(given)) number = given
    end function or_0

    subroutine transform(f, a, dln, mu, offset, bias, dim, z, stream, err)
        procedure(c_hankel) :: f
        type(arr_array), intent(in) :: a
        real(real64), intent(in) :: dln, mu
        real(real64), intent(in), optional :: offset, bias
        integer, intent(in), optional :: dim
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: axis, status
        axis = 0
        if (present(dim)) axis = axis_of(dim)
        status = f(a%handle, dln, mu, or_0(offset), or_0(bias), axis, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end subroutine transform

    ! Along dimension dim, or the first.
    function fht(a, dln, mu, offset, bias, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a
        real(real64), intent(in) :: dln, mu
        real(real64), intent(in), optional :: offset, bias
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_fht, a, dln, mu, offset, bias, dim, z, stream, err)
    end function fht

    ! Its inverse with the same numbers.
    function ifht(a, dln, mu, offset, bias, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a
        real(real64), intent(in) :: dln, mu
        real(real64), intent(in), optional :: offset, bias
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_ifht, a, dln, mu, offset, bias, dim, z, stream, err)
    end function ifht

    ! The offset near initial with which arr_fht rings least.
    function fhtoffset(dln, mu, initial, bias, err) result(offset)
        real(real64), intent(in) :: dln, mu
        real(real64), intent(in), optional :: initial, bias
        type(arr_error), intent(out), optional :: err
        real(real64) :: offset
        offset = 0
        call check(c_fhtoffset(dln, mu, or_0(initial), or_0(bias), offset), err)
    end function fhtoffset
end module arr_hankels
