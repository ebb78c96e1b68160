// SPDX-License-Identifier: MIT
// Updates of an array at indices: a thread per element, and an atomic update each.
//
// indexing/emit_scatter.cpp generates the lines before it: the map program and its operands, of which the
// first output is the byte offset of the element to update and the others are what it is combined with; the
// program of the update in namespace arr_combine; the element's type T, the word W that holds it, and update,
// the atomic operation. Before it goes scatter_swap.cuh or scatter_locked.cuh, too.

// The device's atomicAdd of float32 treats subnormal numbers as 0 (PTX ISA, atom.add.f32 of global memory).
// For summands of at least 2^-100 it is still exact: a subnormal element is less than half of such a number's
// last digit, and the sum of two numbers is a multiple of the last digit of one, so no sum is subnormal.
// Smaller summands use compare-and-swap.
template <class E, class V>
ARR_FN bool arr_adds_exactly(V v) {
  return sizeof(E) != 4 || !((v < 0.0f ? -v : v) < 0x1p-100f);
}

// Updates the element by the device's atomic operation, and returns whether it did.
template <arr_update Update, class E, class V>
ARR_FN bool arr_update_atomically(char* to, V v) {
  constexpr bool subtracts = Update == arr_update::subtract;
  if constexpr (Update == arr_update::add || subtracts) {
    if constexpr (arr_is_complex<E>::value) {
      atomicAdd((double*)to, subtracts ? -v.re : v.re);
      atomicAdd((double*)to + 1, subtracts ? -v.im : v.im);
    } else if constexpr (arr_is_float<E>::value) {
      if (!arr_adds_exactly<E>(v)) return false;
      atomicAdd((E*)to, subtracts ? -v : v);
    } else {
      atomicAdd((W*)to, subtracts ? 0 - (W)v : (W)v);
    }
  } else if constexpr (Update == arr_update::bitwise_and) {
    atomicAnd((W*)to, (W)v);
  } else if constexpr (Update == arr_update::bitwise_or) {
    atomicOr((W*)to, (W)v);
  } else if constexpr (Update == arr_update::bitwise_xor) {
    atomicXor((W*)to, (W)v);
  } else if constexpr (Update == arr_update::minimum) {
    atomicMin((E*)to, v);
  } else {
    atomicMax((E*)to, v);
  }
  return true;
}

template <int Offset, int First, int... Rest>
ARR_FN arr_element_of<First> arr_first_value(arr_results& r, arr_list<Offset, First, Rest...>) {
  return arr_get<First>(r);
}
template <class E>
ARR_FN void arr_apply(char* to, arr_results& r) {
  if constexpr (update != arr_update::swap) {
    if (arr_update_atomically<update, E>(to, arr_first_value(r, arr_outputs()))) return;
  }
  if constexpr (update == arr_update::swap || (arr_is_float<E>::value && sizeof(E) == 4)) {
    arr_update_by_program<E>(to, r);
  }
}

// Maps element x, and updates the element of the target at its indices and the offset from the map.
template <int... In, int Offset, int... Out>
ARR_FN void arr_scatter(const arr_params& p, const arr_indices<dims>& x, arr_list<In...>,
                        arr_list<Offset, Out...>) {
  const arr_addresses a = arr_locate(p, arr_indices<0>(), arr_inputs());
  arr_results r;
  arr_body(arr_load<In, 0>(p, a, x)..., arr_get<Offset>(r), arr_get<Out>(r)...);
  arr_apply<T>((char*)p.w[target_word] + arr_offset<arr_index>(p, target_stride_word, x) + arr_get<Offset>(r),
               r);
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (long long)p.w[0]) return;
  arr_scatter(p, arr_split<dims>(p, extent_word, (arr_unsigned)i), arr_inputs(), arr_outputs());
}
