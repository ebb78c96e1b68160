// SPDX-License-Identifier: MIT
// CuPy's arrays as parameters of kernels: data, extents, strides in bytes. Embedded where a source includes
// cupy/carray.cuh.

template <class T, int N, bool Contiguous = false, bool NarrowIndex = false>
class CArray {
 public:
  static const int ndim = N;
  static const bool c_contiguous = Contiguous;
  typedef decltype((char*)0 - (char*)0) index_t;

  ARR_MEMBER arr_size_t size() const { return size_; }
  ARR_MEMBER const index_t* shape() const { return shape_; }
  ARR_MEMBER const index_t* strides() const { return strides_; }
  ARR_MEMBER T* begin_ptr() { return data_; }
  // One index counts all elements in C's order; one per axis otherwise.
  ARR_MEMBER T& operator[](index_t i) { return data_[offset(i)]; }
  ARR_MEMBER const T& operator[](index_t i) const { return data_[offset(i)]; }
  template <class I>
  ARR_MEMBER T& operator[](const I (&index)[N]) {
    return *element(index);
  }
  template <class I>
  ARR_MEMBER const T& operator[](const I (&index)[N]) const {
    return *element(index);
  }

 private:
  template <class I>
  ARR_MEMBER T* element(const I (&index)[N]) const {
    index_t bytes = 0;
    for (int d = 0; d < N; d++) bytes += strides_[d] * index_t(index[d]);
    return (T*)((char*)data_ + bytes);
  }
  ARR_MEMBER index_t offset(index_t i) const {
    if (Contiguous) return i;
    index_t bytes = 0;
    for (int d = N - 1; d > 0; d--) {
      bytes += strides_[d] * (i % shape_[d]);
      i /= shape_[d];
    }
    return (bytes + strides_[0] * i) / index_t(sizeof(T));
  }
  T* data_;
  index_t size_, shape_[N], strides_[N];
};
template <class T, bool Contiguous, bool NarrowIndex>
class CArray<T, 0, Contiguous, NarrowIndex> {
 public:
  static const int ndim = 0;
  ARR_MEMBER arr_size_t size() const { return size_; }
  ARR_MEMBER T& operator[](decltype((char*)0 - (char*)0)) { return *data_; }
  ARR_MEMBER const T& operator[](decltype((char*)0 - (char*)0)) const { return *data_; }

 private:
  T* data_;
  decltype((char*)0 - (char*)0) size_;
};

// The indices of element `i`, which set() splits by the extents.
template <int N>
class CIndexer {
 public:
  static const int ndim = N;
  typedef decltype((char*)0 - (char*)0) index_t;
  ARR_MEMBER arr_size_t size() const { return size_; }
  ARR_MEMBER void set(index_t i) {
    for (int d = N - 1; d > 0; d--) {
      index_[d] = i % shape_[d];
      i /= shape_[d];
    }
    index_[0] = i;
  }
  ARR_MEMBER const index_t* get() const { return index_; }

 private:
  index_t size_, shape_[N], index_[N];
};
