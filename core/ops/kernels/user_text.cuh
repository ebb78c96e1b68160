// SPDX-License-Identifier: MIT
// The text before users' kernels: raw arguments, and the index of an element. Compiled by NVRTC,
// and by a host compiler that knows the CUDA keywords; it includes nothing.
#define ARR_USER static __device__ __forceinline__

// A raw argument with N dimensions; C: its elements are contiguous in row-major order.
template <class T, int N, bool C>
struct arr_raw {
  T* arr_data;
  long long arr_size, arr_shape[N > 0 ? N : 1], arr_strides[N > 0 ? N : 1];  // strides in bytes

  __device__ __forceinline__ long long size() const { return arr_size; }
  __device__ __forceinline__ const long long* shape() const { return arr_shape; }
  __device__ __forceinline__ const long long* strides() const { return arr_strides; }
  // Element number i in row-major order.
  __device__ __forceinline__ T& operator[](long long i) const {
    if (C) return arr_data[i];
    long long arr_at = 0;
    for (int d = N - 1; d > 0; --d) {
      long long q = i / arr_shape[d];
      arr_at += (i - q * arr_shape[d]) * arr_strides[d];
      i = q;
    }
    if (N > 0) arr_at += i * arr_strides[0];
    return *(T*)((char*)arr_data + arr_at);
  }
  // The element at an index per dimension: x[_ind.get()], or an array of N integers.
  template <class I>
  __device__ __forceinline__ T& operator[](const I* index) const {
    long long arr_at = 0;
    for (int d = 0; d < N; ++d) arr_at += index[d] * arr_strides[d];
    return *(T*)((char*)arr_data + arr_at);
  }
};

// The space of a call: an element's index per dimension.
template <int N>
struct arr_indexer {
  long long arr_size, arr_shape[N > 0 ? N : 1], arr_at[N > 0 ? N : 1];
  static const int ndim = N;
  __device__ __forceinline__ long long size() const { return arr_size; }
  __device__ __forceinline__ const long long* shape() const { return arr_shape; }
  __device__ __forceinline__ const long long* get() const { return arr_at; }
};
