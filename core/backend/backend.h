// SPDX-License-Identifier: MIT
// The seam between the core and a backend: one versioned struct of function pointers. A backend sees this
// header, expr/, array/ and base/, never the ops or another backend. Both sides are built together; the
// version and size are checked all the same before the first call.
//
// Every function returns a status. On failure it has put one line of text, without the name of a public
// function, into `*error` of the call (see seam()); nothing has been enqueued or allocated then. No
// function throws across the seam. ARR_E_UNSUPPORTED declines; nothing else is tried in silence.
#pragma once

#include <complex>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "arr/linalg.h"
#include "array/array.h"
#include "backend/fft.h"
#include "base/disk_cache.h"
#include "expr/program.h"

namespace arr {

inline constexpr int32_t backend_abi_version = 9;

// Text of the last failure of a backend function on this thread; owned by the core.
struct BackendError {
  std::string text;
};

// One operand of a call: memory with strides, a scalar by value, or a ramp.
struct Operand {
  void* data = nullptr;              // element (0,..,0); nullptr: `value` instead
  const int64_t* strides = nullptr;  // bytes, one per dimension of the call
  Scalar value;                      // when data is nullptr
  // Instead of memory the addresses themselves, counted from ramp_at(0): int64 numbers that grow by the
  // strides. An input of an element-wise call may be one.
  bool ramp = false;
};
inline char* ramp_at(int64_t number) {
  return reinterpret_cast<char*>((uintptr_t{1} << 62) + static_cast<uintptr_t>(number));
}
inline int64_t ramp_number(const void* at) {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(at) - (uintptr_t{1} << 62));
}

// for i in shape: outputs[i] = program(inputs[i]). Dimensions are collapsed: none has extent 0 or 1 (ndim 0
// is one element), slowest first. An output may be the same memory as an input with the same strides, and
// overlaps nothing else. Casts to the outputs' dtypes are part of the program.
struct ElementwiseCall {
  const Program* program = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the program's inputs, then its outputs
  bool nontemporal = false;           // nobody reads the results soon
};

// A transform with a program in front of it and one behind, in one go: `load` makes what is transformed, and
// `store` what is written of the scaled transform. At least one of the two is there. Both sides of the
// transform are contiguous in C order, and their shapes have the same dimensions, none of extent 0. The
// output shares no memory with any input.
struct FusedFftCall {
  FftCall
      transform;  // in: what is transformed where there is no `load`; out: where that goes without `store`
  int32_t ndim = 0;
  const int64_t *in_shape = nullptr, *out_shape = nullptr;
  const Program* load = nullptr;   // its output has the transform's type
  const Operand* in = nullptr;     // the inputs of it, with strides over in_shape
  const Program* store = nullptr;  // its first input is the transform
  const Operand* more = nullptr;   // its other inputs and its output, with strides over out_shape
};

// out[i] = finish(combine over j of map(inputs[i, j])): the first `nkept` dimensions are kept, the others
// reduced. The map's one output has the dtype `acc`. Extents of 1 are dropped; an extent may be 0 only
// among the reduced, and then out is filled with what reducing nothing gives.
struct ReduceCall {
  const ReductionInfo* reduction = nullptr;
  const Program* map = nullptr;
  DType acc = DType::none, out = DType::none;
  int32_t ndim = 0, nkept = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand output;                     // strides over the kept dimensions
  const int64_t* index_strides =
      nullptr;            // INDEX: what a step along each reduced dimension adds to the position
  double correction = 0;  // p of the row's formula finish
  Scalar initial;         // VALUE: combined with the elements, of dtype `acc`; none where its dtype is none
};

// out[.., i] = combine over j <= i of map(inputs[.., j]), along the last of `ndim` dimensions, of which there
// is at least one; the others count through independent sequences. No extent is 0. The reduction is of kind
// VALUE and its finish does nothing. The map's one output has the dtype `acc`. The output may be the memory
// of an input with the same strides and item size, and overlaps nothing else. Other starts and directions
// are views: an initial value is written in front, a reversed scan has negative strides.
struct ScanCall {
  const ReductionInfo* reduction = nullptr;
  const Program* map = nullptr;
  DType acc = DType::none, out = DType::none;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand output;
};

// for i in shape, in row-major order: the element at target.data + offset + sum over d of i[d] *
// target.strides[d] becomes combine(that element, values...), where (offset, values...) = map(inputs[i]).
// offset is in bytes and int64; every element that is met lies in the target. combine's one output has the
// type of its first input, which is the target's. Several i may meet one element: they combine in order,
// except on a device that is parallel by nature, where each counts once, in no fixed order. Dimensions over
// which the offset does not change meet different elements. The target overlaps no input.
struct ScatterCall {
  const Program* map = nullptr;
  const Program* combine = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand target;                     // strides over the dimensions, 0 where the offset alone tells
  int64_t dense = 0;  // elements of the target where it is a block that begins at its data, else 0
};

// What cuBLAS computes a product in; the host and kernels know the first only.
enum class MatmulCompute : int32_t {
  standard = ARR_COMPUTE_DEFAULT,
  pedantic = ARR_COMPUTE_PEDANTIC,
  float16 = ARR_COMPUTE_FLOAT16,
  bfloat16 = ARR_COMPUTE_BFLOAT16,
  tf32 = ARR_COMPUTE_TF32
};

// What a product may do to each of its elements before they are rounded: max(x, 0), with any result for nan,
// and the tanh form of gelu, as a library approximates it.
enum class MatmulActivation : int32_t { none, relu, gelu_tanh };

// c[b] = a[b] @ b[b] for every batch index b; strides in bytes, any, also 0 for batches.
struct MatmulCall {
  DType dtype = DType::none;
  MatmulCompute compute = MatmulCompute::standard;
  int64_t m = 0, n = 0, k = 0;
  int32_t nbatch = 0;
  const int64_t* batch_shape = nullptr;
  struct Matrix {
    void* data = nullptr;
    int64_t row = 0, column = 0;     // bytes from a row (column) to the next
    const int64_t* batch = nullptr;  // bytes per batch dimension
  } a, b, c;
  // c[b] = activation(alpha a[b] @ b[b] + beta added[b]). Other than these only where matmul_takes says so,
  // and no 0 that is to meet nan or inf: BLAS does not read what it multiplies with 0.
  std::complex<double> alpha = 1, beta = 0;
  Matrix added;  // its strides may be 0; without data c itself, else it shares no memory with c
  MatmulActivation activation = MatmulActivation::none;
};

struct MemoryStats {
  int64_t in_use = 0;  // bytes given out
  int64_t cached = 0;  // bytes kept for reuse
  int64_t peak = 0;    // most bytes in use so far
  int64_t limit = 0;   // most bytes in use allowed, 0: none
  int64_t total = 0;   // of the device, bytes
  int64_t free = 0;    // of the device, bytes
};

struct ArgumentMemory;           // backend/kernels.h
enum class ImageKind : int32_t;  // backend/kernels.h
struct BlocksCall;               // backend/row_pipeline.h
struct KernelParam;              // backend/kernels.h
struct LaunchConfig;             // backend/kernels.h
struct LinalgCall;               // backend/linalg.h
struct LowLevel;                 // backend/low.h
struct ModuleCall;               // backend/kernels.h
struct QuantileCall;             // backend/sorting.h
struct SegmentsCall;             // backend/segments.h

struct Backend {
  int64_t struct_size;
  int32_t abi_version;
  int32_t device_type;  // ARR_HOST, ARR_CUDA
  const char* name;
  // Calls run before they return, in the caller's order: streams and events need no tracking.
  bool synchronous;

  // Devices. probe: loads what is needed and reports, a line per thing tried; ARR_OK when it works.
  int32_t (*probe)(std::string* report, BackendError*);
  int32_t (*device_count)(int32_t* count, BackendError*);
  int32_t (*device_name)(int32_t device, std::string* name, BackendError*);

  // Streams; a stream is a backend's own pointer, nullptr the device's default stream.
  int32_t (*stream_create)(int32_t device, int32_t flags, void** stream, BackendError*);
  int32_t (*stream_wrap)(int32_t device, void* native, void** stream, BackendError*);
  int32_t (*stream_destroy)(int32_t device, void* stream, BackendError*);
  int32_t (*stream_native)(int32_t device, void* stream, void** native, BackendError*);
  int32_t (*stream_sync)(int32_t device, void* stream, BackendError*);
  int32_t (*stream_query)(int32_t device, void* stream, int32_t* done, BackendError*);
  // `waiter` goes on only after all that was enqueued in `first` so far.
  int32_t (*stream_wait_stream)(int32_t device, void* waiter, void* first, BackendError*);
  int32_t (*event_create)(int32_t device, int32_t flags, void** event, BackendError*);
  int32_t (*event_destroy)(int32_t device, void* event, BackendError*);
  int32_t (*event_record)(int32_t device, void* event, void* stream, BackendError*);
  int32_t (*event_sync)(int32_t device, void* event, BackendError*);
  int32_t (*event_query)(int32_t device, void* event, int32_t* done, BackendError*);
  int32_t (*stream_wait_event)(int32_t device, void* stream, void* event, BackendError*);
  int32_t (*event_elapsed)(int32_t device, void* start, void* stop, double* milliseconds, BackendError*);
  int32_t (*device_sync)(int32_t device, BackendError*);

  // Memory, pooled, aligned to 256 bytes. release: may be reused by work on `stream` at once, by other
  // streams after it; takes what allocate gave, with the same size.
  int32_t (*allocate)(int32_t device, int64_t bytes, void* stream, void** data, BackendError*);
  int32_t (*release)(int32_t device, void* data, int64_t bytes, void* stream, BackendError*);
  int32_t (*memory_stats)(int32_t device, MemoryStats* stats, BackendError*);
  int32_t (*memory_limit)(int32_t device, int64_t bytes, BackendError*);
  int32_t (*memory_trim)(int32_t device, BackendError*);
  // Bytes to and from ordinary host memory, and within one device. From and to the host: returns when the
  // host memory has been read or written.
  int32_t (*copy_from_host)(int32_t device, void* to, const void* host, int64_t bytes, void* stream,
                            BackendError*);
  int32_t (*copy_to_host)(int32_t device, void* host, const void* from, int64_t bytes, void* stream,
                          BackendError*);
  int32_t (*copy_on_device)(int32_t device, void* to, const void* from, int64_t bytes, void* stream,
                            BackendError*);

  // Work.
  int32_t (*elementwise)(int32_t device, const ElementwiseCall*, void* stream, BackendError*);
  int32_t (*reduce)(int32_t device, const ReduceCall*, void* stream, BackendError*);
  int32_t (*scan)(int32_t device, const ScanCall*, void* stream, BackendError*);
  int32_t (*segments)(int32_t device, const SegmentsCall*, void* stream, BackendError*);
  int32_t (*scatter)(int32_t device, const ScatterCall*, void* stream, BackendError*);
  int32_t (*matmul)(int32_t device, const MatmulCall*, void* stream, BackendError*);
  int32_t (*quantiles)(int32_t device, const QuantileCall*, void* stream, BackendError*);
  int32_t (*linalg)(int32_t device, const LinalgCall*, void* stream, BackendError*);
  int32_t (*fft)(int32_t device, const FftCall*, void* stream, BackendError*);
  int32_t (*blocks)(int32_t device, const BlocksCall*, void* stream, BackendError*);
  // Whether that is worth it for the space and array 0 of a call whose steps are not there yet.
  bool (*suits_blocks)(const BlocksCall*);
  // nullptr where a backend has none: they are made of fft and programs then.
  int32_t (*cosine)(int32_t device, const CosineCall*, void* stream, BackendError*);

  // Makes the plans that fft takes for such a call, whatever memory it gets, and adds them to the book, which
  // is made if there is none.
  int32_t (*fft_plan)(int32_t device, const FftCall*, std::shared_ptr<PlanBook>* book, BackendError*);

  // Plans of transforms that are kept for reuse. limit: the longest unused go first.
  int32_t (*fft_cache_stats)(int32_t device, FftCacheStats* stats, BackendError*);
  int32_t (*fft_cache_limit)(int32_t device, int64_t plans, int64_t bytes, BackendError*);
  int32_t (*fft_cache_clear)(int32_t device, BackendError*);
  // What goes into plans from now on, and before.
  int32_t (*fft_plan_effort)(int32_t device, FftEffort effort, FftEffort* before, BackendError*);
  // What making plans has taught, as text; import of nullptr forgets it.
  int32_t (*fft_wisdom)(int32_t device, std::string* text, BackendError*);
  int32_t (*fft_wisdom_import)(int32_t device, const char* text, BackendError*);

  // User kernels. log gets the compiler's messages, also on success. A kernel lives with its module.
  int32_t (*module_create)(int32_t device, const ModuleCall*, void** module, std::string* log, BackendError*);
  int32_t (*module_destroy)(int32_t device, void* module, BackendError*);
  // The image of a kind (PTX, cubin, LTO-IR) that source compiles to; nothing is loaded.
  int32_t (*module_image)(int32_t device, const ModuleCall*, ImageKind kind, std::string* image,
                          std::string* log, BackendError*);
  // A __device__, __constant__ or __managed__ variable: its address on the device.
  int32_t (*module_global)(int32_t device, void* module, const char* name, void** address, int64_t* bytes,
                           BackendError*);
  int32_t (*module_kernel)(int32_t device, void* module, const char* name, void** kernel, BackendError*);
  // *known 0: nothing can be said of the parameters.
  int32_t (*kernel_params)(int32_t device, void* kernel, std::vector<KernelParam>* params, int32_t* known,
                           BackendError*);
  int32_t (*kernel_attribute)(int32_t device, void* kernel, int32_t attribute, int64_t* value, BackendError*);
  int32_t (*kernel_set_attribute)(int32_t device, void* kernel, int32_t attribute, int64_t value,
                                  BackendError*);
  // How many blocks of `threads` threads a multiprocessor runs at once.
  int32_t (*kernel_occupancy)(int32_t device, void* kernel, int32_t threads, int64_t shared_bytes,
                              int32_t* blocks, BackendError*);
  // The threads, at most `most` (0: no limit), that keep most of a multiprocessor busy, and the blocks that
  // fill the device with them.
  int32_t (*kernel_block_size)(int32_t device, void* kernel, int64_t shared_bytes, int32_t most,
                               int32_t* threads, int32_t* blocks, BackendError*);
  int32_t (*kernel_launch)(int32_t device, void* kernel, const LaunchConfig*, int32_t nargs,
                           void* const* args, void* stream, BackendError*);

  // Programs. They work without a device. ..._text: the source that would be compiled for a call, of
  // which only shapes, strides and alignments are looked at; a backend without such a text leaves it null.
  int32_t (*program_text)(const ElementwiseCall*, std::string* text, BackendError*);
  int32_t (*reduce_text)(const ReduceCall*, std::string* text, BackendError*);
  int32_t (*scan_text)(const ScanCall*, std::string* text, BackendError*);
  int32_t (*kernel_count)(int64_t* kernels, BackendError*);     // compiled or loaded for programs so far
  int32_t (*cache_counts)(CacheCounts* counts, BackendError*);  // of this backend's module

  // What only the low-level interface needs: details of memory, streams and devices.
  const LowLevel* low;

  // *takes: whether matmul would take the call's alpha, beta, added and activation. nullptr where a backend
  // never does.
  int32_t (*matmul_takes)(int32_t device, const MatmulCall*, int32_t* takes, BackendError*);

  // The plans that are kept, the one used last in front; drops one. *dropped 0: there is none of that id.
  int32_t (*fft_cache_plans)(int32_t device, std::vector<FftCachePlan>* plans, BackendError*);
  int32_t (*fft_cache_drop)(int32_t device, int64_t id, int32_t* dropped, BackendError*);

  // *taken 0: this is for passes of their own, and nothing has been enqueued. nullptr where a backend has
  // nothing else.
  int32_t (*fft_fused)(int32_t device, const FusedFftCall*, int32_t* taken, void* stream, BackendError*);
};

// The host's, linked in.
const Backend& host_backend();

// What a backend module exports under the name arr_backend_open: its struct, or nullptr with a reason.
using BackendOpen = const Backend* (*)(int32_t abi_version, int64_t struct_size, std::string* reason);

// Notes a failure's text. Where there is no memory for it, what is said fits into the string itself.
inline void note_failure(BackendError* error, const char* text) noexcept {
  try {
    error->text = text;
  } catch (const std::bad_alloc&) {
    error->text.assign("no host memory");
  }
}

// Runs a backend function's body; exceptions become a status and a text.
template <class Body>
int32_t seam(BackendError* error, Body&& body) noexcept {
  try {
    body();
    return ARR_OK;
  } catch (const Error& e) {
    note_failure(error, e.what());
    return e.status();
  } catch (const std::bad_alloc&) {
    note_failure(error, "out of host memory");
    return ARR_E_MEMORY;
  } catch (const std::length_error&) {
    note_failure(error, "out of host memory: more elements than any memory holds");
    return ARR_E_MEMORY;
  } catch (const std::exception& e) {
    note_failure(error, e.what());
    return ARR_E_INTERNAL;
  } catch (...) {
    note_failure(error, "unknown exception");
    return ARR_E_INTERNAL;
  }
}

}  // namespace arr
