// SPDX-License-Identifier: MIT
// The program of an update at an index, as a function of the element. Generated lines and operands.cuh go
// before it.

enum class arr_update { swap, add, subtract, bitwise_and, bitwise_or, bitwise_xor, minimum, maximum };

// The map's results for an element: the byte offset, and the values to combine.
typedef arr_values<arr_outputs> arr_results;

template <int Offset, int... K>
ARR_FN T arr_combined(T seen, arr_results& r, arr_list<Offset, K...>) {
  T next;
  arr_combine::arr_body(seen, arr_get<K>(r)..., next);
  return next;
}
