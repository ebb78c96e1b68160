! SPDX-License-Identifier: MIT
! programs.f90: the programs: each makes a result of an array.
module programs
    use arr, only: arr_array
    implicit none
    abstract interface
        function of_array(a) result(z)
            import :: arr_array
            type(arr_array), intent(in) :: a
            type(arr_array) :: z
        end function of_array
    end interface
    procedure(of_array) :: kmeans, cg, navier_stokes, monte_carlo, pca, heat, rk4, blur, &
        pagerank, poisson
end module programs
