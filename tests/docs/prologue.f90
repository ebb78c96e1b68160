! SPDX-License-Identifier: MIT
! Names that a fragment in Fortran may use: arrays a, b, x of (4, 3) and h, from which they were copied; variables for its
! results; a device, a stream, a kernel's arguments u and v of (ny, nx). Procedures of the guide are in this module too.
module docs_names
  use, intrinsic :: iso_fortran_env, only: dp => real64, int64
  use arr
  implicit none
  type(arr_array) :: a, b, c, r, x, y, u, v
  real(dp) :: h(4, 3), total
  type(arr_device) :: gpu
  type(arr_stream) :: stream
  type(arr_graph) :: graph
  type(arr_module) :: module
  type(arr_kernel) :: kernel
  integer :: gx = 1, gy = 1, i
  integer(int64) :: ny = 32, nx = 32
contains
  subroutine prepare()
    h = 1
    a = h
    b = h
    x = h
    u = arr_ones([nx, ny])
    v = arr_ones([nx, ny])
  end subroutine prepare
