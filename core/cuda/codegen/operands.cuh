// SPDX-License-Identifier: MIT
// How a kernel reads and writes the operands of its program. Generated lines go before it (codegen/emit.cpp):
// arr_body, arr_operand<K> of each operand with its type, its access, its first word and whether its address
// is the element, the lists arr_inputs and arr_outputs, and operand_count.

template <int K>
using arr_element_of = typename arr_operand<K>::type;
template <int K>
constexpr bool arr_has_address =
    arr_operand<K>::access != arr_access::immediate&& arr_operand<K>::access != arr_access::function_argument;

// The operands' addresses at some indices; for a ramp its value there.
struct arr_addresses {
  char* of[operand_count > 0 ? operand_count : 1];
};

template <int K, int N>
ARR_FN char* arr_address(const arr_params& p, const arr_indices<N>& x) {
  constexpr int word = arr_operand<K>::word;
  if constexpr (arr_has_address<K>) {
    return (char*)p.w[word] + arr_offset<arr_index>(p, word + 1, x);
  } else {
    return nullptr;
  }
}
// At the indices x of the first N dimensions.
template <int N, int... K>
ARR_FN arr_addresses arr_locate(const arr_params& p, const arr_indices<N>& x, arr_list<K...>) {
  arr_addresses a;
  ((a.of[K] = arr_address<K>(p, x)), ...);
  return a;
}

// Operand K at the indices x of the dimensions from number First on.
template <int K, int First, int N>
ARR_FN arr_element_of<K> arr_load(const arr_params& p, const arr_addresses& a, const arr_indices<N>& x) {
  typedef arr_element_of<K> T;
  constexpr arr_access access = arr_operand<K>::access;
  constexpr int word = arr_operand<K>::word;
  if constexpr (access == arr_access::immediate) {
    return arr_word<T>(p.w + word);
  } else if constexpr (access == arr_access::ramp) {
    return (T)(a.of[K] + arr_offset<arr_index>(p, word + 1 + First, x));
  } else if constexpr (arr_operand<K>::load_base) {
    return T{a.of[K] + arr_offset<arr_index>(p, word + 1 + First, x), 0};
  } else {
    return *(const T*)(a.of[K] + arr_offset<arr_index>(p, word + 1 + First, x));
  }
}
template <int K, int First, int N>
ARR_FN void arr_store(const arr_params& p, const arr_addresses& a, const arr_indices<N>& x,
                      arr_element_of<K> value) {
  *(arr_element_of<K>*)(a.of[K] + arr_offset<arr_index>(p, arr_operand<K>::word + 1 + First, x)) = value;
}

// The program of the elements at these indices; its only output goes to m.
template <int First, int N, class T, int... K>
ARR_FN void arr_map(const arr_params& p, const arr_addresses& a, const arr_indices<N>& x, T& m,
                    arr_list<K...>) {
  arr_body(arr_load<K, First>(p, a, x)..., m);
}

// V elements of operand K from index j of dimension First on, the last one: read at once where they are
// contiguous, and one by one elsewhere.
template <int K, int First, int V>
struct arr_vector {
  static constexpr bool packed = arr_operand<K>::access == arr_access::contiguous;
  typedef arr_element_of<K> T;
  const arr_params& p;
  const arr_addresses& a;
  arr_index j;
  arr_pack<T, packed ? V : 1> pack;

  ARR_FN arr_vector(const arr_params& params, const arr_addresses& addresses, arr_index first)
      : p(params), a(addresses), j(first) {
    if constexpr (packed) pack = *(const arr_pack<T, V>*)((const T*)a.of[K] + j);
  }
  ARR_FN T operator[](int k) const {
    if constexpr (packed) {
      return pack.v[k];
    } else {
      return arr_load<K, First>(p, a, arr_indices<1>{{(arr_unsigned)(j + k)}});
    }
  }
};
template <int V, class T, class... X>
ARR_FN void arr_map_each(T* m, const X&... x) {
#pragma unroll
  for (int k = 0; k < V; ++k) arr_body(x[k]..., m[k]);
}
// The program of V elements from index j on, all of which are there.
template <int First, int V, class T, int... K>
ARR_FN void arr_map_vector(const arr_params& p, const arr_addresses& a, arr_index j, T* m, arr_list<K...>) {
  arr_map_each<V>(m, arr_vector<K, First, V>(p, a, j)...);
}

// A variable for each of some operands.
template <int K, class T>
struct arr_member {
  T value;
};
template <class List>
struct arr_values;
template <int... K>
struct arr_values<arr_list<K...>> : arr_member<K, arr_element_of<K>>... {};
template <int K, class T>
ARR_FN T& arr_get(arr_member<K, T>& m) {
  return m.value;
}
