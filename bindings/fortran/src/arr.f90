! SPDX-License-Identifier: MIT
! arr.f90: module arr, all that a program uses: arrays on GPUs and on the host, with Fortran's names.
module arr
    use arr_constants
    use arr_errors, only: arr_error, arr_status_name, arr_c_text => c_text
    use arr_types, only: arr_array, arr_stream, arr_release, arr_give, arr_consume => done, arr_scope_begin, &
        arr_scope_end, arr_keep, &
        arr_live_handles
    use arr_handle_types, only: arr_sparse, arr_linop, arr_release, arr_give, arr_consume => done, arr_keep
    use arr_list_assignment
    use arr_printing, only: write(formatted)
    use arr_kinds, only: assignment(=), arr_upload, arr_download, arr_download_allocate, arr_assign, arr_wrap, arr_pointer
    use arr_creation
    use arr_queries
    use arr_dtypes
    use arr_views, only: spread, arr_span, arr_section, arr_item, arr_unstack, ARR_END
    use arr_indexing
    use arr_packing
    use arr_locations
    use arr_ops
    use arr_operators
    use arr_reductions
    use arr_scans
    use arr_functions
    use arr_calculus
    use arr_numeric
    use arr_rearranging
    use arr_random
    use arr_products
    use arr_mixed_products
    use arr_masked_reductions
    use arr_intrinsics
    use arr_conversions
    use arr_sparse_matrices, only: size, shape, arr_nnz, arr_alive, arr_sparse_part, arr_sparse_diags
    use arr_sparse_operators
    use arr_sparse_arrays
    use arr_sparse_indexing
    use arr_linear_operators, only: arr_linop_from_function, arr_linop_function, arr_solve_callback, assignment(=), &
        operator(+), operator(-), size, shape, arr_alive
    use arr_fft_plans
    use arr_polynomials
    use arr_histograms
    use arr_expressions, only: arr_expr, arr_node, arr_cast, arr_evaluate, arr_evaluate_into
    use arr_nodes
    use arr_textures
    use arr_kernels
    use arr_user_kernels
    use arr_devices
    use arr_device_lists
    use arr_communicators
    use arr_distributed
    use arr_graphs
    use arr_profiling
    use arr_pinning
    use arr_allocators
    use arr_memory_hooks
    use arr_logging
    use arr_memory_kinds
    use arr_libraries
    use arr_files
    implicit none
    public
end module arr
