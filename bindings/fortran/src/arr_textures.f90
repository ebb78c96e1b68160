! SPDX-License-Identifier: MIT
! arr_textures.f90: textures and surfaces for kernels. As everywhere the first dimension runs fastest, so that of texels
! is x; the channels of a texel stand before it.
!
!     call texels%create(ARR_UINT8, [640, 480], channels=4)
!     call texels%copy_from(image)                               ! of shape [4, 640, 480]
!     call texture%create(texels, linear=.true., read_normalized=.true.)
!     call k%launch(grid=[40, 30], block=[16, 16], args=[arr_arg(texture), arr_arg(out)])
module arr_textures
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c_array, only: c_release => arr_release
    use arr_c_view, only: c_transpose => arr_transpose
    use arr_c_texture, only: c_create => arr_texels_create, c_copy_from => arr_texels_copy_from, &
        c_copy_to => arr_texels_copy_to, c_texels_release => arr_texels_release, c_texture => arr_texture_create, &
        c_of_array => arr_texture_of_array, c_surface => arr_surface_create, c_texture_release => arr_texture_release
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of
    implicit none
    private
    public :: arr_texels, arr_texture

    ! Memory of texels. Pass it on, do not copy it: the first copy that goes ends it.
    type :: arr_texels
        type(arr_texels_handle) :: handle
    contains
        procedure :: create => create_texels
        procedure :: copy_from
        procedure :: copy_to
        procedure :: release => release_texels
        final :: finalize_texels
    end type arr_texels

    ! A texture or a surface, for arr_arg. Pass it on, do not copy it.
    type :: arr_texture
        type(arr_texture_handle) :: handle
    contains
        procedure :: create => create_texture
        procedure :: create_of_array
        procedure :: create_surface
        procedure :: release => release_texture
        final :: finalize_texture
    end type arr_texture

contains

    ! Uninitialised texels; dims are [width], [width, height] or [width, height, depth]. With surface kernels may write
    ! them.
    subroutine create_texels(self, dtype, dims, channels, surface, device, err)
        class(arr_texels), intent(inout) :: self
        integer(c_int32_t), intent(in) :: dtype
        integer, intent(in) :: dims(:)
        integer, intent(in), optional :: channels
        logical, intent(in), optional :: surface
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: n, flags
        call self%release()
        n = 1
        flags = 0
        if (present(channels)) n = int(channels, c_int32_t)
        if (present(surface)) flags = merge(ARR_TEXELS_SURFACE, 0_c_int32_t, surface)
        call check(c_create(dtype, n, size(dims, kind=c_int32_t), int(dims(size(dims):1:-1), int64), flags, device, &
            self%handle), err)
    end subroutine create_texels

    ! Fills the texels from an array of shape dims, or [channels, dims] where there are 2 or 4.
    subroutine copy_from(self, a, stream, err)
        class(arr_texels), intent(in) :: self
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        call check(c_transpose(a%handle, 0_c_int32_t, out=rows), problem)
        if (.not. problem%failed()) then
            call check(c_copy_from(self%handle, rows, stream_of(stream)), problem)
            status = c_release(rows)
        end if
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine copy_from

    ! Copies the texels into such an array.
    subroutine copy_to(self, a, stream, err)
        class(arr_texels), intent(in) :: self
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        call check(c_transpose(a%handle, 0_c_int32_t, out=rows), problem)
        if (.not. problem%failed()) then
            call check(c_copy_to(self%handle, rows, stream_of(stream)), problem)
            status = c_release(rows)
        end if
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine copy_to

    ! How textures are read, from the arguments that their procedures have in common.
    function options_of(address, linear, read_normalized, normalized, srgb, border) result(o)
        integer(c_int32_t), intent(in), optional :: address(:)
        logical, intent(in), optional :: linear, read_normalized, normalized, srgb
        real(real64), intent(in), optional :: border(4)
        type(arr_texture_options) :: o
        o%struct_size = c_sizeof(o)
        if (present(address)) then
            if (size(address) > 0) o%address_x = address(1)
            if (size(address) > 1) o%address_y = address(2)
            if (size(address) > 2) o%address_z = address(3)
        end if
        o%filter = number(linear)
        o%read = number(read_normalized)
        o%normalized = number(normalized)
        o%srgb = number(srgb)
        if (.not. present(border)) return
        o%border_r = border(1)
        o%border_g = border(2)
        o%border_b = border(3)
        o%border_a = border(4)
    contains
        function number(flag)
            logical, intent(in), optional :: flag
            integer(c_int32_t) :: number
            number = 0
            if (present(flag)) number = merge(1_c_int32_t, 0_c_int32_t, flag)
        end function number
    end function options_of

    ! A texture of texels, for tex1D, tex2D or tex3D; it keeps them alive. address: ARR_ADDRESS_... of each dimension.
    subroutine create_texture(self, texels, address, linear, read_normalized, normalized, srgb, border, err)
        class(arr_texture), intent(inout) :: self
        type(arr_texels), intent(in) :: texels
        integer(c_int32_t), intent(in), optional :: address(:)
        logical, intent(in), optional :: linear, read_normalized, normalized, srgb
        real(real64), intent(in), optional :: border(4)
        type(arr_error), intent(out), optional :: err
        call self%release()
        call check(c_texture(texels%handle, options_of(address, linear, read_normalized, normalized, srgb, border), &
            self%handle), err)
    end subroutine create_texture

    ! A texture of an array's own memory, which it keeps alive: of one dimension for tex1Dfetch, of two for tex2D, and
    ! the channels before them where there are 2 or 4.
    subroutine create_of_array(self, a, channels, address, linear, read_normalized, normalized, border, err)
        class(arr_texture), intent(inout) :: self
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: channels
        integer(c_int32_t), intent(in), optional :: address(:)
        logical, intent(in), optional :: linear, read_normalized, normalized
        real(real64), intent(in), optional :: border(4)
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        integer(c_int32_t) :: n, status
        call self%release()
        n = 1
        if (present(channels)) n = int(channels, c_int32_t)
        call check(c_transpose(a%handle, 0_c_int32_t, out=rows), problem)
        if (.not. problem%failed()) then
            call check(c_of_array(rows, n, options_of(address, linear, read_normalized, normalized, border=border), &
                self%handle), problem)
            status = c_release(rows)
        end if
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine create_of_array

    ! A surface of texels made with surface=.true., for surf2Dread, surf2Dwrite and their kin.
    subroutine create_surface(self, texels, err)
        class(arr_texture), intent(inout) :: self
        type(arr_texels), intent(in) :: texels
        type(arr_error), intent(out), optional :: err
        call self%release()
        call check(c_surface(texels%handle, self%handle), err)
    end subroutine create_surface

    subroutine finalize_texels(self)
        type(arr_texels), intent(inout) :: self
        call self%release()
    end subroutine finalize_texels

    ! Textures and surfaces of them go on.
    subroutine release_texels(self)
        class(arr_texels), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_texels_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_texels

    subroutine finalize_texture(self)
        type(arr_texture), intent(inout) :: self
        call self%release()
    end subroutine finalize_texture

    ! Launches that were given it go on.
    subroutine release_texture(self)
        class(arr_texture), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_texture_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_texture
end module arr_textures
