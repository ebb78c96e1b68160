# SPDX-License-Identifier: MIT
"""memory_table.py - every public function, once: the suite in which each of its allocations fails, by
short_of_memory.py, or why it has none. It compares itself with what libarr exports.

A suite fails where a function of its line never failed in it; and any suite where one did that has no allocations.
"memory_..." are the suites that are for this alone: a new function goes there.
"""
import pathlib
import re
import sys

# Suite -> functions without their arr_. On the host; NAME.cuda over the fake CUDA.
SUITES = {
    "arrays": """
        item_f64 item_i64 value_get_f64 value_get_i64
        arange assign broadcast_to expr_input expr_op expr_run eye fill full linspace ones to_device transpose
        zeros""",
    "bits": """
        average_returned corrcoef cov packbits real_if_close unpackbits""",
    "calculus": """
        convolve correlate cross cumulative_trapezoid diff ediff1d gradient matvec trapezoid unwrap vecdot
        vecmat""",
    "captures": """
        stream_wait_event stream_wait_stream""",
    "destinations": """
        cov_into diff_into expr_run_many_into expr_scan_into gradient_into median_into nanmedian_into
        nanpercentile_into nanquantile_into percentile_into quantile_into trapezoid_into ufunc_outer_into""",
    "dtypes": """
        can_cast dtype_find finfo iinfo isdtype kind_find op_types result_type struct_layout ufunc wrap""",
    "einsum": """
        einsum_path""",
    "expressions": """
        expr_describe expr_info expr_nvars expr_parse expr_describe_reduce expr_describe_scan expr_reduce expr_reduce_into expr_reduce_with
        expr_reduce_with_into expr_source_reduce expr_source_scan expr_run_many expr_scan
        expr_source expr_var""",
    "fft": """
        fft fft_cache_drop fft_cache_info fft_cache_plans fftfreq fftn fftshift hfft hfftn ifft
        ifftn ifftshift ihfft ihfftn irfft irfftn next_fast_len rfft rfftfreq rfftn""",
    "fft_efforts": """
        fft_plan_effort fft_wisdom fft_wisdom_import""",
    "fft_fused": """
        expand_dims fft_plan_execute_fused set""",
    "fft_plans": """
        fft_plan_create fft_plan_execute fft_plan_info fft_plan_output""",
    "fftconvolve": """
        fftconvolve oaconvolve""",
    "fuse_cases": """
        fuse_begin""",
    "hankel": """
        fht fhtoffset ifht""",
    "histograms": """
        histogram histogram2d histogram_bin_edges histogramdd""",
    "least_squares": """
        cond expm lstsq matrix_rank pinv tensorinv tensorsolve""",
    "linalg": """
        cholesky det eig eigh eigvals eigvalsh inv lu lu_factor lu_solve qr slogdet solve solve_triangular svd
        svdvals""",
    "memory_families": """
        absolute absolute_into add add_into add_v all all_into angle angle_into any any_into arccos arccos_into
        arccosh arccosh_into arcsin arcsin_into arcsinh arcsinh_into arctan arctan2 arctan2_into arctan2_v
        arctan_into arctanh arctanh_into argmax argmax_into argmin argmin_into astype beta beta_into beta_v
        betaln betaln_into betaln_v bincount bitwise_and bitwise_and_into bitwise_and_reduce
        bitwise_and_reduce_into bitwise_and_v bitwise_count bitwise_count_into bitwise_or bitwise_or_into
        bitwise_or_reduce bitwise_or_reduce_into bitwise_or_v bitwise_xor bitwise_xor_into bitwise_xor_reduce
        bitwise_xor_reduce_into bitwise_xor_v cbrt cbrt_into ceil ceil_into clip clip_into clip_v conjugate
        conjugate_into copy copysign copysign_into copysign_v cos cos_into cosh cosh_into count_nonzero
        count_nonzero_into cummax cummax_into cummin cummin_into cumprod cumprod_into cumsum cumsum_into
        cumulative_prod cumulative_prod_into cumulative_sum cumulative_sum_into dct dctn degrees degrees_into
        digamma digamma_into divide divide_into divide_v dst dstn entr entr_into equal equal_into equal_v erf
        erf_into erfc erfc_into erfcinv erfcinv_into erfinv erfinv_into exp exp10 exp10_into exp2 exp2_into
        exp_into expit expit_into expm1 expm1_into fabs fabs_into float_power float_power_into float_power_v
        floor floor_divide floor_divide_into floor_divide_v floor_into fmax fmax_into fmax_v fmin fmin_into
        fmin_v fmod fmod_into fmod_v frexp_exponent frexp_mantissa frexp_mantissa_into from_host gamma
        gamma_into gammaln gammaln_into gcd gcd_into gcd_reduce gcd_reduce_into gcd_v generator_create
        generator_jumped get greater greater_equal greater_equal_into greater_equal_v greater_into greater_v
        heaviside heaviside_into heaviside_v huber huber_into huber_v hypot hypot_into hypot_reduce
        hypot_reduce_into hypot_v i0 i0_into i0e i0e_into i1 i1_into i1e i1e_into idct idctn idst idstn imag
        imag_into invert invert_into iscomplex iscomplex_into isfinite isfinite_into isinf isinf_into isnan
        isnan_into isneginf isneginf_into isposinf isposinf_into isreal isreal_into j0 j0_into j1 j1_into k0
        k0_into k1 k1_into kl_div kl_div_into kl_div_v lcm lcm_into lcm_reduce lcm_reduce_into lcm_v ldexp
        ldexp_v left_shift left_shift_into left_shift_v less less_equal less_equal_into less_equal_v less_into
        less_v log log10 log10_into log1p log1p_into log2 log2_into log_expit log_expit_into log_into log_ndtr
        log_ndtr_into logaddexp logaddexp2 logaddexp2_into logaddexp2_reduce logaddexp2_reduce_into logaddexp2_v
        logaddexp_into logaddexp_v logcumsumexp logcumsumexp_into logical_and logical_and_into logical_and_v
        logical_not logical_not_into logical_or logical_or_into logical_or_v logical_xor logical_xor_into
        logical_xor_reduce logical_xor_reduce_into logical_xor_v logit logit_into logsumexp logsumexp_into
        matmul_into max max_abs max_abs_into max_into maximum maximum_into maximum_v mean mean_into median min
        min_abs min_abs_into min_into minimum minimum_into minimum_v modf_fraction modf_fraction_into
        modf_integral modf_integral_into multiply multiply_into multiply_v nanargmax nanargmax_into nanargmin
        nanargmin_into nancumprod nancumprod_into nancumsum nancumsum_into nanmax nanmax_into nanmean
        nanmean_into nanmedian nanmin nanmin_into nanpercentile nanpercentile_weighted nanpercentile_weighted_into
        nanprod nanprod_into nanquantile nanquantile_weighted nanquantile_weighted_into nanstd
        nanstd_into nansum nansum_into nanvar nanvar_into ndtr ndtr_into ndtri ndtri_into negative negative_into
        nextafter nextafter_into nextafter_v norm2 norm2_into not_equal not_equal_into not_equal_v percentile
        percentile_weighted percentile_weighted_into positive positive_into power power_into power_v prod prod_into pseudo_huber pseudo_huber_into
        pseudo_huber_v ptp ptp_into quantile quantile_weighted quantile_weighted_into radians radians_into random_beta random_beta_into random_binomial
        random_binomial_into random_bits random_bits_into random_chisquare random_chisquare_into random_choice
        random_choice_into random_dirichlet random_dirichlet_into random_draw random_draw_into
        random_exponential random_exponential_into random_f random_f_into random_gamma random_gamma_into
        random_geometric random_geometric_into random_gumbel random_gumbel_into random_hypergeometric
        random_hypergeometric_into random_integers random_integers_into random_laplace random_laplace_into
        random_logistic random_logistic_into random_lognormal random_lognormal_into random_logseries
        random_logseries_into random_multinomial random_multinomial_into random_multivariate_hypergeometric
        random_multivariate_hypergeometric_into random_multivariate_normal random_multivariate_normal_into
        random_negative_binomial random_negative_binomial_into random_noncentral_chisquare
        random_noncentral_chisquare_into random_noncentral_f random_noncentral_f_into random_normal
        random_normal_into random_pareto random_pareto_into random_permutation random_permutation_into
        random_permuted random_permuted_into random_poisson random_poisson_into random_power random_power_into random_random
        random_random_into random_rayleigh random_rayleigh_into random_sample random_sample_into random_shuffle
        random_standard_cauchy random_standard_cauchy_into random_standard_exponential
        random_standard_exponential_into random_standard_gamma random_standard_gamma_into random_standard_normal
        random_standard_normal_into random_standard_t random_standard_t_into random_triangular
        random_triangular_into random_uniform random_uniform_into random_vonmises random_vonmises_into
        random_wald random_wald_into random_weibull random_weibull_into random_zipf random_zipf_into real
        real_into reciprocal reciprocal_into reduce reduce_into rel_entr rel_entr_into rel_entr_v remainder
        remainder_into remainder_v reshape right_shift right_shift_into right_shift_v rint rint_into select sign
        sign_into signbit signbit_into sin sin_into sinc sinc_into sinh sinh_into slice spacing spacing_into
        sqrt sqrt_into square square_into std std_into subtract subtract_into subtract_v sum sum_abs
        sum_abs_into sum_into sum_squares sum_squares_into tan tan_into tanh tanh_into trunc trunc_into
        ufunc_accumulate ufunc_accumulate_into ufunc_at ufunc_reduceat ufunc_reduceat_into var var_into where
        where_into where_v xlog1py xlog1py_into xlog1py_v xlogy xlogy_into xlogy_v y0 y0_into y1 y1_into""",
    "memory_handles": """
        benchmark build_info contiguous create create_pitched device_attribute device_find_pci device_limit
        device_list device_name device_peer device_set_limit device_sync empty_like error_take event_create
        event_native event_record fft_cache_limit fft_wisdom_forget format from_dlpack from_dlpack_legacy
        full_like fuse_end graph_begin graph_dot graph_end graph_launch graph_native graph_update ipc_export
        ipc_export_event ipc_import ipc_import_event library_function library_handle library_toolkit
        cache_set_store library_version load_npy log_set memory_copy memory_hook_add memory_hook_debug memory_hook_profile
        memory_hook_remove memory_info memory_limit_fraction memory_pool_classes memory_pool_info
        memory_profile_report memory_set memory_set_allocator_functions ones_like pinned_create
        memory_limit pinned_device_data pinned_limit pinned_register pinned_set_allocator_functions save_npy squeeze stream_create stream_create_priority
        stream_native stream_wrap texels_create texture_create to_dlpack to_dlpack_legacy trace_end zeros_like""",
    "memory_handles.cuda": """
        device_count device_info device_pci device_uuid graph_release memory_trim texels_release texture_release""",
    "memory_kernels": """
        cache_clear cache_directory cache_info elementwise_kernel elementwise_kernel_run expr_create expr_index expr_run_into launch_linear launch_raw
        launch_raw_options module_create module_global module_global_array module_image module_kernel
        module_link module_load module_load_file reduction_kernel reduction_kernel_run user_kernel_source""",
    "polynomials": """
        as_series poly polyadd polycompanion polydegree polyder polydiv polyfit polyfit_cov polyfit_full polyint
        polymul polynomial_val polypow polysub polytrim polyval polyvalfromroots polyvander roots trimcoef
        trimseq vander""",
    "products": """
        diagonal dot einsum gemm gemm_into inner khatri_rao kron matmul matrix_norm matrix_power
        matrix_transpose multi_dot norm outer tensordot trace vdot""",
    "programs": """
        expr_cast expr_constant""",
    "random_numbers": """
        generator_create_of generator_get_state generator_seed generator_spawn""",
    "memory_kernels.cuda": """
        module_release user_kernel_release""",
    "ranges": """
        mark mark_color range_end range_pop range_push range_push_color range_start trace_begin""",
    "reduction_options": """
        average log_softmax logsumexp_signed logsumexp_weighted softmax ufunc_reduce vector_norm""",
    "search": """
        digitize interp searchsorted""",
    "special_matrices": """
        bandwidth bartlett blackman block_diag circulant companion convolution_matrix dft fiedler
        fiedler_companion hadamard hamming hankel hanning helmert hilbert kaiser leslie toeplitz tri tril triu""",
    "textures": """
        flip surface_create texels_copy_from texels_copy_to texture_of_array""",
    "ufuncs": """
        allclose angle_degrees array_equal array_equiv divmod frexp isclose modf nan_to_num nan_to_num_into
        round round_into ufunc_into ufunc_outer ufunc_pair_into""",
}
# Why -> functions that ask for no memory.
NOTHING = {
    "reads or sets fields of what there is, or writes into what the caller gave": """
        array_device array_dtype array_flags backend_probe data device_peer_possible
        device_select error_status error_text fft_cache_clear fuse_flush fuse_info generator_set_state
        is_managed is_pinned iscomplexobj isfortran isrealobj item kernel_attribute kernel_block_size
        kernel_occupancy kernel_params kernel_set_attribute last_error last_status live_handles live_objects
        matmul_compute_type matmul_set_compute_type memory_allocator memory_device memory_pressure
        memory_reset_peak memory_set_allocator module_log nbytes ndim pinned_info pinned_trim retain shape size
        stream_details stream_device strides texels_info texture_info texture_native""",
    "looks up what is in tables of the library": """
        check_abi dtype_info min_scalar_type op_find op_info promote_types reduction_find reduction_info
        status_name version""",
    "gives back": """
        error_release event_release expr_release fft_plan_release generator_release kernel_release
        pinned_unregister release stream_release""",
    "passes on to the backend, which has what it needs": """
        array_sync event_elapsed event_query event_sync generator_advance graph_upload memory_advise memory_prefetch
        profiler_start profiler_stop stream_host_function stream_priority_range stream_query stream_sync""",
    "the result is of another type than what it could lie in, and is written straight to where it is wanted": """
        frexp_exponent_into ldexp_into""",
    "writes into the caller's arr_value": """
        value_array value_bits value_bool value_bytes value_c128 value_f32 value_f64 value_i32
        value_i64 value_pointer value_texture value_weak""",
}


def functions(words):
    return ["arr_" + w for w in words.split()]


def main():
    exported = re.findall(r"^    (arr_\w+);", (pathlib.Path(__file__).resolve().parents[2] / "capi" / "exports.map").read_text(), re.M)
    named = [f for words in [*SUITES.values(), *NOTHING.values()] for f in functions(words)]
    wrong = [f"{f} is in no line" for f in exported if f not in named]
    wrong += [f"{f} is not exported" for f in named if f not in exported]
    wrong += [f"{f} is in {named.count(f)} lines" for f in dict.fromkeys(named) if named.count(f) > 1]
    for w in wrong:
        print(f"FAILED {w}")
    print(f"{len(exported)} functions, {len(wrong)} faults")
    return 1 if wrong or not exported else 0


if __name__ == "__main__":
    sys.exit(main())
