// SPDX-License-Identifier: MIT
// Entry to the C API: every public function's body runs in guard(), which turns exceptions into a status and
// a line of text per thread. lookup() turns handles into objects for the time of the call.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

#include "arr/arr.h"
#include "base/call_name.h"
#include "base/float_environment.h"
#include "base/fork.h"
#include "base/handles.h"
#include "ops/elementwise/create.h"
#include "runtime/trace.h"

namespace arr::capi {

// Records the failure for arr_last_error: "function: text", one line, truncated to its capacity. Allocates
// nothing.
arr_status record(const char* function, arr_status status, std::string_view text) noexcept;

// Records the exception that is being handled. Out of line, because the handlers are the same in all
// functions.
arr_status record_exception(const char* function) noexcept;

// Runs a body that may throw and computes nothing in floating point. Returns the status.
template <class Body>
arr_status query(const char* function, Body&& body) noexcept {
  const CallName name(function);
  const TraceCall span(function);
  try {
    if (name.is_first()) [[unlikely]]
      first_call_of_thread();
    body();
    return ARR_OK;
  } catch (...) {
    return record_exception(function);
  }
}

// The same for any body, in the default floating-point environment. Reading the caller's environment takes
// half as long as a query.
template <class Body>
arr_status guard(const char* function, Body&& body) noexcept {
  const DefaultFloats floats;
  return query(function, body);
}

template <class T>
struct KindOf;
template <>
struct KindOf<Array> {
  static constexpr Kind kind = Kind::array;
};
template <>
struct KindOf<Stream> {
  static constexpr Kind kind = Kind::stream;
};
template <>
struct KindOf<Event> {
  static constexpr Kind kind = Kind::event;
};

template <class Handle>
uint64_t bits(Handle h) noexcept {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(h));
}

// The caller must have been compiled with the same layout of the struct.
template <class T>
void check_size(const T& given, const char* argument) {
  if (given.struct_size == static_cast<int64_t>(sizeof(T))) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": struct_size is ", given.struct_size, ", expected ",
       sizeof(T));
}

// Flags among those that a function knows.
inline void check_flags(int32_t flags, int32_t known) {
  if ((flags & ~known) == 0) return;
  fail(ARR_E_ARGUMENT, "argument flags: ", flags, " has unknown bits, expected bits of ", known);
}

[[noreturn]] void bad_handle(const char* argument, Kind kind, uint64_t name);

// The object of a handle, kept alive until the result is destroyed. ARR_E_HANDLE names the argument.
template <class T, class Handle>
Pinned<T> lookup(Handle h, const char* argument) {
  uint64_t name = bits(h);
  Object* o = handles().pin(name, KindOf<T>::kind);
  if (o == nullptr) bad_handle(argument, KindOf<T>::kind, name);
  return {name, static_cast<T*>(o)};
}
inline Pinned<Array> array(arr_array h, const char* argument) { return lookup<Array>(h, argument); }
// NULL is an omitted array: get() returns nullptr.
inline Pinned<Array> optional_array(arr_array h, const char* argument) {
  if (h == nullptr) return {0, nullptr};
  return array(h, argument);
}
// NULL is the default stream: get() returns nullptr.
inline Pinned<Stream> stream(arr_stream h) {
  if (h == nullptr) return {0, nullptr};
  return lookup<Stream>(h, "stream");
}

[[noreturn]] void null_pointer(const char* argument);
template <class T>
void check_pointer(const T* p, const char* argument) {
  if (p == nullptr) null_pointer(argument);
}

// Publishes a new object under a handle.
template <class T, class Handle>
void publish(Ref<T> object, Handle* out) {
  uint64_t name = handles().insert(KindOf<T>::kind, std::move(object));
  *out = reinterpret_cast<Handle>(static_cast<uintptr_t>(name));
}

// Messages of the last compilation that failed on this thread, for arr_module_log.
std::string& failed_log();

// The array for the handle of a result. A result that is an argument, or part of another object, becomes a
// view of it, so that ARR_FLAG_VIEW says that its memory is shared.
inline Ref<Array> as_result(Ref<Array> a) { return a->shared() ? a->view(a->layout) : std::move(a); }
// Publishes several new objects, or none of them.
template <class T, class Handle>
void publish_each(std::vector<Ref<T>> objects, Handle* out) {
  std::vector<Handle> made(objects.size());
  size_t n = 0;
  try {
    for (; n < objects.size(); ++n) publish<T>(std::move(objects[n]), &made[n]);
  } catch (...) {
    while (n-- > 0) handles().release(bits(made[n]), KindOf<T>::kind);
    throw;
  }
  std::copy(made.begin(), made.end(), out);
}
// The same for results, which become views if they are arguments.
void publish_all(std::vector<Ref<Array>> arrays, arr_array* out);
// The same for results with their own addresses, nullptr where one is not wanted.
struct Wanted {
  Ref<Array> array;
  arr_array* out;
};
void publish_wanted(std::vector<Wanted> results);

// A public function whose last argument is an array handle: checks it first, writes it last.
template <class Body>
arr_status make_array(const char* function, arr_array* out, Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    publish<Array>(as_result(body()), out);
  });
}

// Ends a handle without touching the last error. A child of fork() that must not compute keeps the objects:
// their locks may be held without end.
template <class Handle>
arr_status release(Handle h, Kind kind) noexcept {
  if (lost_by_fork()) return ARR_OK;
  if (h == nullptr || handles().release(bits(h), kind)) return ARR_OK;
  return ARR_E_HANDLE;
}

// Copies text to a caller's buffer: cut to fit, always ended by NUL, the whole length reported.
void put_text(std::string_view text, int64_t capacity, char* out, int64_t* length);
// Writes text and the end of a line to the standard output.
void put_line(std::string text);
// A string argument; length -1 when NUL-terminated.
std::string_view string_argument(const char* text, int64_t length, const char* argument);
Shape shape_argument(int32_t ndim, const int64_t* shape);
std::span<const int32_t> axes_argument(int32_t naxes, const int32_t* axes);
Scalar scalar_argument(const arr_value* value, const char* argument);
bool is_weak(const arr_value& value);
// The scalar as that type; a plain number must fit (NumPy's OverflowError).
Scalar scalar_as(const arr_value* value, const char* argument, DType d);
// The number as exactly a float64 or int64. ARR_E_ARGUMENT where it is not representable, ARR_E_DTYPE for a
// complex number with an imaginary part.
double exact_f64(const Scalar& s, const char* argument);
int64_t exact_i64(const Scalar& s, const char* argument);
Casting casting_argument(int32_t casting);

// An operand given as arr_value. Its array is pinned under `pinned`.
Input pin_operand(const arr_value* value, const char* argument, uint64_t* pinned);

// Operands given as arr_value; keeps their arrays pinned.
struct Operands {
  Operands() noexcept {}
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  ~Operands();
  void add(const arr_value* value, const char* argument);
  [[nodiscard]] std::span<const Input> inputs() const { return {inputs_, count_}; }

 private:
  static constexpr size_t max_inputs = 3;
  Input inputs_[max_inputs];
  uint64_t pinned_[max_inputs] = {};
  size_t count_ = 0;
};

}  // namespace arr::capi
