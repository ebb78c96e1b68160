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
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c, only: c_texture => arr_texture_create, c_of_array => arr_texture_of_array
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, choice, done
    use arr_arguments, only: drop, one_if, reversed
    use arr_functions, only: arr_texels_base, arr_texture_base
    implicit none
    private
    public :: arr_texels, arr_texture

    ! Memory of texels. Pass it on, do not copy it: the first copy that goes ends it.
    type, extends(arr_texels_base) :: arr_texels
    end type arr_texels

    ! A texture or a surface, for arr_arg. Pass it on, do not copy it.
    type, extends(arr_texture_base) :: arr_texture
    contains
        procedure :: create => create_texture
        procedure :: create_of_array
    end type arr_texture

contains

    ! Options of a texture, from the arguments that its procedures have in common.
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
        o%filter = one_if(linear)
        o%read = one_if(read_normalized)
        o%normalized = one_if(normalized)
        o%srgb = one_if(srgb)
        if (.not. present(border)) return
        o%border_r = border(1)
        o%border_g = border(2)
        o%border_b = border(3)
        o%border_a = border(4)
    end function options_of

    ! Makes a texture of texels, for tex1D, tex2D or tex3D; it keeps them alive. address: ARR_ADDRESS_... of each dimension.
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

    ! Makes a texture of an array's own memory, which it keeps alive: of one dimension for tex1Dfetch, of two for tex2D, and
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
        call self%release()
        call reversed(a, rows, problem)
        if (.not. problem%failed()) call check(c_of_array(rows, choice(channels, 1), options_of(address, linear, &
            read_normalized, normalized, border=border), self%handle), problem)
        call drop(rows)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine create_of_array
end module arr_textures
