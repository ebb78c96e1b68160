! SPDX-License-Identifier: MIT
! arr_cosines.f90: cosine and sine transforms of types 1 to 4 along one and several dimensions.
!
! kind is the type, 2 if it is not given. Transforms of one dimension work along dimension 1 where no dim is given; n elements
! are transformed, more are left out and missing ones are 0. norm, ARR_FFT_..., says where the factor goes: to the inverse
! if it is not given. orthogonalize scales the ends by the root of 2 where that makes the transform orthogonal but for its
! factor; if it is not given, with ARR_FFT_ORTHO.
module arr_cosines
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_cosine, only: c_dct => arr_dct, c_idct => arr_idct, c_dst => arr_dst, c_idst => arr_idst, &
        c_dctn => arr_dctn, c_idctn => arr_idctn, c_dstn => arr_dstn, c_idstn => arr_idstn
    use arr_errors, only: arr_error, fail
    use arr_types, only: arr_array, arr_stream, done, ended, stream_of
    use arr_engine, only: axis_of
    use arr_fourier, only: lay_out
    implicit none
    private
    public :: arr_dct, arr_idct, arr_dst, arr_idst, arr_dctn, arr_idctn, arr_dstn, arr_idstn

    abstract interface
        function c_cosine(a, type, n, axis, norm, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: type
            integer(c_int64_t), value :: n
            integer(c_int32_t), value :: axis, norm
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_cosine

        function c_cosine_all(a, type, naxes, s, axes, norm, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: type, naxes
            integer(c_int64_t), intent(in), optional :: s(*)
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t), value :: norm
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_cosine_all
    end interface

    interface arr_dct
        module procedure dct
    end interface arr_dct

    interface arr_idct
        module procedure idct
    end interface arr_idct

    interface arr_dst
        module procedure dst
    end interface arr_dst

    interface arr_idst
        module procedure idst
    end interface arr_idst

    interface arr_dctn
        module procedure dctn
    end interface arr_dctn

    interface arr_idctn
        module procedure idctn
    end interface arr_idctn

    interface arr_dstn
        module procedure dstn
    end interface arr_dstn

    interface arr_idstn
        module procedure idstn
    end interface arr_idstn

contains

    pure function which(kind) result(code)
        integer, intent(in), optional :: kind
        integer(c_int32_t) :: code
        code = 2
        if (present(kind)) code = kind
    end function which

    pure function norm_of(norm, orthogonalize) result(code)
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        integer(c_int32_t) :: code
        code = ARR_FFT_BACKWARD
        if (present(norm)) code = norm
        if (present(orthogonalize)) code = code + merge(ARR_COSINE_ORTHOGONAL, ARR_COSINE_PLAIN, orthogonalize)
    end function norm_of

    subroutine transform(f, a, kind, n, dim, norm, z, stream, err)
        procedure(c_cosine) :: f
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, n, dim
        integer(c_int32_t), intent(in) :: norm
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t) :: elements
        integer(c_int32_t) :: axis, status
        elements = -1
        if (present(n)) elements = n
        axis = 0
        if (present(dim)) axis = axis_of(dim)
        status = f(a%handle, which(kind), elements, axis, norm, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end subroutine transform

    subroutine transform_all(f, name, a, kind, s, dim, norm, z, stream, err)
        procedure(c_cosine_all) :: f
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, s(:), dim(:)
        integer(c_int32_t), intent(in) :: norm
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
            call fail(ARR_E_ARGUMENT, name // ': s: an extent is expected for each of the dimensions', err)
            return
        end if
        status = f(a%handle, which(kind), size(axes, kind=c_int32_t), extents, axes, norm, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end subroutine transform_all

    ! The cosine transform along dim.
    function dct(a, kind, n, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, n, dim
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_dct, a, kind, n, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function dct

    ! Its inverse, of the same type and norm.
    function idct(a, kind, n, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, n, dim
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_idct, a, kind, n, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function idct

    ! The sine transform along dim.
    function dst(a, kind, n, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, n, dim
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_dst, a, kind, n, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function dst

    ! Its inverse, of the same type and norm.
    function idst(a, kind, n, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, n, dim
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform(c_idst, a, kind, n, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function idst

    ! The cosine transform along the dimensions dim, or all, with s elements along each.
    function dctn(a, kind, s, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_dctn, 'arr_dctn', a, kind, s, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function dctn

    ! Its inverse.
    function idctn(a, kind, s, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_idctn, 'arr_idctn', a, kind, s, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function idctn

    ! The sine transform along the dimensions dim, or all, with s elements along each.
    function dstn(a, kind, s, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_dstn, 'arr_dstn', a, kind, s, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function dstn

    ! Its inverse.
    function idstn(a, kind, s, dim, norm, orthogonalize, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind, s(:), dim(:)
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call transform_all(c_idstn, 'arr_idstn', a, kind, s, dim, norm_of(norm, orthogonalize), z, stream, err)
    end function idstn
end module arr_cosines
