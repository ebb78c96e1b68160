// SPDX-License-Identifier: MIT
// Element types and reductions of libarr as those of an MPI.
#include <array>
#include <atomic>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/fork.h"
#include "ops/comm/mpi_library.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// The operations that call libarr, by the name of the op.
constexpr const char* own_names[] = {"add", "multiply", "minimum", "maximum", "fmin", "fmax", "logaddexp2"};
constexpr size_t own_count = std::size(own_names);
constexpr DType own_types[] = {DType::float16_, DType::bfloat16_};

void combine_memory(const char* name, void* in, void* inout, int64_t n, const MpiHandle* type) noexcept;
template <size_t I>
void own_function(void* in, void* inout, int* n, MpiHandle* type) {
  combine_memory(own_names[I], in, inout, *n, type);
}

// Made once MPI is initialised, and freed by MPI_Finalize.
struct Objects {
  std::array<MpiHandle, dtype_limit> types{};  // by the number of the element type
  std::array<MpiHandle, own_count> operations{};

  MpiHandle& type(DType d) { return types[static_cast<size_t>(d)]; }
};

void set_native_types(const Mpi& m, Objects* o) {
  o->type(DType::bool_) = m.byte;
  o->type(DType::int8_) = m.int8;
  o->type(DType::int16_) = m.int16;
  o->type(DType::int32_) = m.int32;
  o->type(DType::int64_) = m.int64;
  o->type(DType::uint8_) = m.uint8;
  o->type(DType::uint16_) = m.uint16;
  o->type(DType::uint32_) = m.uint32;
  o->type(DType::uint64_) = m.uint64;
  o->type(DType::float32_) = m.float32;
  o->type(DType::float64_) = m.float64;
  o->type(DType::complex64_) = m.complex64;
  o->type(DType::complex128_) = m.complex128;
}

template <size_t... I>
void make_operations(const Mpi& m, Objects* o, std::index_sequence<I...>) {
  (mpi_check(m, m.MPI_Op_create(own_function<I>, 1, &o->operations[I])), ...);
}

// The attributes of MPI_COMM_SELF are deleted first in MPI_Finalize.
int free_objects(MpiHandle, int, void* objects, void*) {
  const Mpi& m = mpi();
  auto* o = static_cast<Objects*>(objects);
  for (const DType d : own_types) m.MPI_Type_free(&o->type(d));
  for (MpiHandle& op : o->operations) m.MPI_Op_free(&op);
  return 0;
}
int copy_nothing(MpiHandle, int, void*, void*, void*, int* copied) {
  *copied = 0;
  return 0;
}

Objects* make_objects(const Mpi& m) {
  static Objects o;
  set_native_types(m, &o);
  for (const DType d : own_types) {
    mpi_check(m, m.MPI_Type_contiguous(static_cast<int>(item_size(d)), m.byte, &o.type(d)));
    mpi_check(m, m.MPI_Type_commit(&o.type(d)));
  }
  make_operations(m, &o, std::make_index_sequence<own_count>());
  int key = 0;
  mpi_check(m, m.MPI_Comm_create_keyval(copy_nothing, free_objects, &key, nullptr));
  mpi_check(m, m.MPI_Comm_set_attr(m.comm_self, key, &o));
  return &o;
}

const Objects& objects(const Mpi& m) {
  static const Objects* made = make_objects(m);
  return *made;
}

DType dtype_of(const Mpi& m, const MpiHandle* given) {
  const MpiHandle type = m.abi == MpiAbi::mpich ? *reinterpret_cast<const uint32_t*>(given) : *given;
  const auto& all = objects(m).types;
  for (size_t d = 0; d < all.size(); ++d) {
    if (m.clean(all[d]) == type) return static_cast<DType>(d);
  }
  fail(ARR_E_DTYPE, "MPI combines elements of a type that is not libarr's");
}

// MPI cannot be told that an operation has failed.
std::atomic<arr_status> failure{ARR_OK};

// inout = op(in, inout), by libarr's own loops.
void combine_memory(const char* name, void* in, void* inout, int64_t n, const MpiHandle* type) noexcept {
  try {
    const DType d = dtype_of(mpi(), type);
    const Device host;
    const Ref<Array> a = wrap_array(in, d, {&n, 1}, {}, false, host, nullptr, nullptr, true);
    const Ref<Array> b = wrap_array(inout, d, {&n, 1}, {}, false, host, nullptr, nullptr, false);
    const Input both[] = {{a.get(), {}, false}, {b.get(), {}, false}};
    elementwise_into(*b, *op_find(name), both, nullptr);
    read_here(*b->buffer);
  } catch (const Error& e) {
    failure.store(e.status());
  } catch (...) {
    failure.store(ARR_E_MEMORY);
  }
}

MpiHandle own_operation(const Mpi& m, std::string_view name) {
  for (size_t i = 0; i < own_count; ++i) {
    if (own_names[i] == name) return objects(m).operations[i];
  }
  fail(ARR_E_INTERNAL, "no operation of MPI for ", name);
}

// The library's operation with the same results, except for the order of rounding; 0: none. A truth value is
// a byte, 0 or 1.
MpiHandle native(const Mpi& m, std::string_view op, DType d) {
  const bool truth = kind(d) == DKind::BOOL;
  // Open MPI's sums of short integers do not wrap.
  const bool real = (is_integer(d) || is_floating(d)) && item_size(d) >= 4;
  if (op == "bitwise_and" || (truth && (op == "logical_and" || op == "multiply"))) return m.band;
  if (op == "bitwise_or" || (truth && (op == "logical_or" || op == "add"))) return m.bor;
  if (op == "bitwise_xor" || (truth && op == "logical_xor")) return m.bxor;
  if (op == "minimum" || op == "fmin") return truth ? m.band : is_integer(d) ? m.min : 0;
  if (op == "maximum" || op == "fmax") return truth ? m.bor : is_integer(d) ? m.max : 0;
  if (op == "add" && (real || is_complex(d))) return m.sum;
  return op == "multiply" && real ? m.prod : 0;
}

}  // namespace

MpiHandle mpi_type(const Mpi& m, DType d) { return objects(m).types[static_cast<size_t>(d)]; }

MpiHandle mpi_operation(const Mpi& m, const Combination& by, DType d) {
  const MpiHandle one = native(m, by.op->name, d);
  return one != 0 ? one : own_operation(m, by.op->name);
}

void mpi_check_operations() {
  if (failure.load(std::memory_order_relaxed) == ARR_OK) [[likely]]
    return;
  const arr_status status = failure.exchange(ARR_OK);
  fail(status, "the elements of ranks could not be combined",
       status == ARR_E_MEMORY ? ": out of memory" : "");
}

}  // namespace arr
