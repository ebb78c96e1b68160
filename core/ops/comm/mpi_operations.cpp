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

// By the number of the element type.
using Types = std::array<MpiHandle, dtype_limit>;

Types make_types(const Mpi& m) {
  Types t{};
  const auto set = [&](DType d, MpiHandle h) { t[static_cast<size_t>(d)] = h; };
  set(DType::bool_, m.byte);
  set(DType::int8_, m.int8);
  set(DType::int16_, m.int16);
  set(DType::int32_, m.int32);
  set(DType::int64_, m.int64);
  set(DType::uint8_, m.uint8);
  set(DType::uint16_, m.uint16);
  set(DType::uint32_, m.uint32);
  set(DType::uint64_, m.uint64);
  set(DType::float32_, m.float32);
  set(DType::float64_, m.float64);
  set(DType::complex64_, m.complex64);
  set(DType::complex128_, m.complex128);
  for (const DType d : {DType::float16_, DType::bfloat16_}) {
    MpiHandle two = 0;
    mpi_check(m, m.MPI_Type_contiguous(static_cast<int>(item_size(d)), m.byte, &two));
    mpi_check(m, m.MPI_Type_commit(&two));
    set(d, two);
  }
  return t;
}

// Made once MPI is initialised; they live as long as the process.
const Types& types(const Mpi& m) {
  static const Types made = make_types(m);
  return made;
}

DType dtype_of(const Mpi& m, const MpiHandle* given) {
  const MpiHandle type = m.abi == MpiAbi::mpich ? *reinterpret_cast<const uint32_t*>(given) : *given;
  const Types& all = types(m);
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

constexpr const char* own_names[] = {"add", "multiply", "minimum", "maximum", "fmin", "fmax", "logaddexp2"};
constexpr size_t own_count = std::size(own_names);

template <size_t I>
void own_function(void* in, void* inout, int* n, MpiHandle* type) {
  combine_memory(own_names[I], in, inout, *n, type);
}
template <size_t... I>
std::array<MpiHandle, own_count> make_own(const Mpi& m, std::index_sequence<I...>) {
  std::array<MpiHandle, own_count> all{};
  (mpi_check(m, m.MPI_Op_create(own_function<I>, 1, &all[I])), ...);
  return all;
}

MpiHandle own_operation(const Mpi& m, std::string_view name) {
  static const std::array<MpiHandle, own_count> made = make_own(m, std::make_index_sequence<own_count>());
  for (size_t i = 0; i < own_count; ++i) {
    if (own_names[i] == name) return made[i];
  }
  fail(ARR_E_INTERNAL, "no operation of MPI for ", name);
}

// The library's operation with the same results, except for the order of rounding; 0: none. A truth value is
// a byte, 0 or 1.
MpiHandle native(const Mpi& m, std::string_view op, DType d) {
  const bool truth = kind(d) == DKind::BOOL, real = is_integer(d) || (is_floating(d) && !is_half(d));
  if (op == "bitwise_and" || (truth && (op == "logical_and" || op == "multiply"))) return m.band;
  if (op == "bitwise_or" || (truth && (op == "logical_or" || op == "add"))) return m.bor;
  if (op == "bitwise_xor" || (truth && op == "logical_xor")) return m.bxor;
  if (op == "minimum" || op == "fmin") return truth ? m.band : is_integer(d) ? m.min : 0;
  if (op == "maximum" || op == "fmax") return truth ? m.bor : is_integer(d) ? m.max : 0;
  if (op == "add" && (real || is_complex(d))) return m.sum;
  return op == "multiply" && real ? m.prod : 0;
}

}  // namespace

MpiHandle mpi_type(const Mpi& m, DType d) { return types(m)[static_cast<size_t>(d)]; }

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
