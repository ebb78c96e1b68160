// SPDX-License-Identifier: MIT
// The last error of each thread, and checks of arguments.
#include "entry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "base/renaming.h"
#include "base/utf8.h"

namespace arr::capi {

namespace {

constexpr size_t text_capacity = 1024;

struct LastError {
  arr_status status = ARR_OK;
  char text[text_capacity] = "";
};
thread_local LastError last;

struct Parameters {
  std::string_view function, names;   // names: " x y out "
  std::string_view operand, written;  // where there is one only
  [[nodiscard]] bool has(std::string_view name) const {
    for (size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
      if (names[at - 1] == ' ' && names[at + name.size()] == ' ') return true;
    }
    return false;
  }
};
constexpr Parameters all_parameters[] = {
#define ARR_PARAMETERS(function, names, operand, written) {#function, names, operand, written},
#include "parameters.def"
#undef ARR_PARAMETERS
};

const Parameters* parameters_of(std::string_view function) {
  const Parameters* p =
      std::lower_bound(std::begin(all_parameters), std::end(all_parameters), function,
                       [](const Parameters& row, std::string_view wanted) { return row.function < wanted; });
  return p == std::end(all_parameters) || p->function != function ? nullptr : p;
}

// Functions are composed of steps whose errors name an argument of the step. This returns the argument of the
// function that stands for it, if the function has none of that name: the destination, the axes, the options,
// or the only array.
std::string_view stand_in(const Parameters& p, std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"dtype", "dst"},       {"shape", "dst"},     {"ndim", "dst"},       {"dst", "shape"},
      {"axes", "axis"},       {"axis", "axes"},     {"naxes", "axes"},     {"where", "options"},
      {"weights", "options"}, {"order", "options"}, {"casting", "options"}};
  for (const auto& [from, to] : same) {
    if (from == name && p.has(to)) return to;
  }
  if (name == "dst") return p.written;
  constexpr std::string_view operands = " x y z a b c m p v u in src arrays operands axes ndim ";
  const bool is_operand = Parameters{{}, operands, {}, {}}.has(name);
  return is_operand ? p.operand : std::string_view();
}

}  // namespace

arr_status record(const char* function, arr_status status, std::string_view text) noexcept {
  size_t at = 0;
  auto append = [&](std::string_view part) {
    while (!part.empty()) {
      // Text from the caller stays on one line, shows only valid characters and is cut between characters.
      const std::string_view c = first_character(part);
      part.remove_prefix(c.size());
      char escaped[4];
      std::string_view shown = c;
      if (is_control(c)) {
        shown = " ";
      } else if (character_bytes(c) == 0) {
        escape_byte(c[0], escaped);
        shown = {escaped, sizeof escaped};
      }
      if (at + shown.size() >= text_capacity) return;
      std::copy(shown.begin(), shown.end(), last.text + at);
      at += shown.size();
    }
  };
  append(function);
  append(": ");
  // A step of the function may name another argument. If neither renaming() nor stand_in() knows the
  // parameter for it, the text must not name one that the function does not have.
  const Parameters* p = parameters_of(function);
  if (const std::string_view name = argument_of(text); p != nullptr && !name.empty() && !p->has(name)) {
    if (const std::string_view other = stand_in(*p, name); !other.empty()) {
      append("argument ");
      append(other);
      append(": ");
      if (other == "options") {  // the field
        append(name);
        append(": ");
      }
    } else {
      append(name == "shape" ? "the result's shape: " : name == "dst" ? "the result: " : "in a step of it: ");
    }
    text = without_argument(text);
  }
  append(text);
  last.text[at] = 0;
  last.status = status;
  return status;
}

arr_status record_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return record(function, e.status(), e.text());
  } catch (const std::bad_alloc&) {
    return record(function, ARR_E_MEMORY, "out of host memory");
  } catch (const std::length_error&) {
    return record(function, ARR_E_MEMORY, "out of host memory: more elements than any memory holds");
  } catch (const std::exception& e) {
    return record(function, ARR_E_INTERNAL, e.what());
  } catch (...) {
    return record(function, ARR_E_INTERNAL, "unknown exception");
  }
}

void null_pointer(const char* argument) { fail(ARR_E_ARGUMENT, "argument ", argument, ": NULL"); }

void bad_handle(const char* argument, Kind kind, uint64_t name) {
  const char* given = name == 0 ? "NULL" : "released, never valid, or of another kind";
  fail(ARR_E_HANDLE, "argument ", argument, ": expected a live ", kind_name(kind),
       " handle, got one that is ", given);
}

void publish_all(std::vector<Ref<Array>> arrays, arr_array* out) {
  for (Ref<Array>& a : arrays) a = as_result(std::move(a));
  publish_each(std::move(arrays), out);
}

void publish_wanted(std::vector<Wanted> results) {
  std::vector<Ref<Array>> all;
  for (Wanted& w : results) {
    if (w.out != nullptr) all.push_back(std::move(w.array));
  }
  std::vector<arr_array> made(all.size());
  publish_all(std::move(all), made.data());
  size_t next = 0;
  for (const Wanted& w : results) {
    if (w.out != nullptr) *w.out = made[next++];
  }
}

void put_text(std::string_view text, int64_t capacity, char* out, int64_t* length) {
  if (capacity < 0) fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
  if (length != nullptr) *length = static_cast<int64_t>(text.size());
  if (out == nullptr || capacity == 0) return;
  text = cut(text, static_cast<size_t>(capacity) - 1);
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = 0;
}

void put_line(std::string text) {
  text += '\n';
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    throw Error(ARR_E_IO, "standard output cannot be written");
  }
}

std::string_view string_argument(const char* text, int64_t length, const char* argument) {
  check_pointer(text, argument);
  if (length < -1) fail(ARR_E_ARGUMENT, "argument length: ", length, ", expected -1 or more");
  return length < 0 ? std::string_view(text) : std::string_view(text, static_cast<size_t>(length));
}

Shape shape_argument(int32_t ndim, const int64_t* shape) {
  if (ndim < 0 || ndim > max_ndim) {
    fail(ARR_E_SHAPE, "argument ndim: ", ndim, ", expected 0 to ", max_ndim);
  }
  if (ndim > 0) check_pointer(shape, "shape");
  return {shape, static_cast<size_t>(ndim)};
}

std::span<const int32_t> axes_argument(int32_t naxes, const int32_t* axes) {
  if (naxes < 0 || naxes > max_ndim) {
    fail(ARR_E_SHAPE, "argument naxes: ", naxes, ", expected 0 to ", max_ndim);
  }
  return {axes, axes == nullptr ? 0 : static_cast<size_t>(naxes)};
}

Scalar scalar_argument(const arr_value* value, const char* argument) {
  check_pointer(value, argument);
  if ((value->kind & ~ARR_VALUE_WEAK) != ARR_VALUE_SCALAR) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": a value of kind ", value->kind, ", expected a scalar");
  }
  Scalar s;
  s.dtype = dtype_from(value->dtype, argument);
  s.lo = static_cast<uint64_t>(value->lo);
  s.hi = static_cast<uint64_t>(value->hi);
  // Unused bits are cleared, so that equal scalars have equal bits; a bool is 0 or 1.
  int64_t bytes = item_size(s.dtype);
  if (bytes < 16) s.hi = 0;
  if (bytes < 8) s.lo &= (uint64_t{1} << (8 * bytes)) - 1;
  if (s.dtype == DType::bool_) s.lo = s.lo != 0 ? 1 : 0;
  return s;
}

Scalar scalar_as(const arr_value* value, const char* argument, DType d) {
  const Scalar s = scalar_argument(value, argument);
  return is_weak(*value) ? fit_plain(s, d) : convert(s, d);
}

bool is_weak(const arr_value& value) { return (value.kind & ARR_VALUE_WEAK) != 0; }

namespace {

void refuse_imaginary(const Scalar& s, const char* argument) {
  if (!is_complex(s.dtype)) return;
  const auto imag = std::bit_cast<double>(convert(s, DType::complex128_).hi);
  if (imag == 0) return;
  fail(ARR_E_DTYPE, "argument ", argument, ": a complex number with the imaginary part ", imag,
       ", expected a real one");
}

}  // namespace

double exact_f64(const Scalar& s, const char* argument) {
  refuse_imaginary(s, argument);
  const auto x = std::bit_cast<double>(convert(s, DType::float64_).lo);
  if (!is_integer_or_bool(s.dtype)) return x;
  const bool is_signed = kind(s.dtype) != DKind::UINT;
  const uint64_t bits = convert(s, is_signed ? DType::int64_ : DType::uint64_).lo;
  // 2^63 and 2^64 are results of rounding, because no integer of the type has these values.
  const bool same = is_signed ? x < 0x1p63 && static_cast<int64_t>(x) == static_cast<int64_t>(bits)
                              : x < 0x1p64 && static_cast<uint64_t>(x) == bits;
  if (same) return x;
  const std::string number = is_signed ? text(static_cast<int64_t>(bits)) : text(bits);
  fail(ARR_E_ARGUMENT, "argument ", argument, ": ", number, " has no exact float64 value");
}

int64_t exact_i64(const Scalar& s, const char* argument) {
  refuse_imaginary(s, argument);
  if (is_integer_or_bool(s.dtype)) {
    const uint64_t bits = convert(s, kind(s.dtype) == DKind::UINT ? DType::uint64_ : DType::int64_).lo;
    if (kind(s.dtype) != DKind::UINT || bits <= INT64_MAX) return static_cast<int64_t>(bits);
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", bits, " does not fit in int64");
  }
  const auto x = std::bit_cast<double>(convert(s, DType::float64_).lo);
  if (x >= -0x1p63 && x < 0x1p63 && x == std::trunc(x)) return static_cast<int64_t>(x);
  fail(ARR_E_ARGUMENT, "argument ", argument, ": ", x, " has no exact int64 value");
}

Casting casting_argument(int32_t casting) {
  if (casting < ARR_CAST_SAME_KIND || casting > ARR_CAST_UNSAFE) {
    fail(ARR_E_ARGUMENT, "argument casting: ", casting, ", expected one of ARR_CAST_...");
  }
  return static_cast<Casting>(casting);
}

Operands::~Operands() {
  for (size_t i = 0; i < count_; ++i) {
    if (inputs_[i].array != nullptr) handles().unpin(pinned_[i]);
  }
}

Input pin_operand(const arr_value* value, const char* argument, uint64_t* pinned) {
  Input in;
  if (value->kind == ARR_VALUE_ARRAY) {
    auto name = static_cast<uint64_t>(value->lo);
    Object* o = handles().pin(name, Kind::array);
    if (o == nullptr) bad_handle(argument, Kind::array, name);
    in.array = static_cast<Array*>(o);
    *pinned = name;
  } else {
    in.scalar = scalar_argument(value, argument);
    in.weak = is_weak(*value);
  }
  return in;
}

void Operands::add(const arr_value* value, const char* argument) {
  check_pointer(value, argument);
  if (count_ == max_inputs) fail(ARR_E_ARGUMENT, "argument nin: more than ", max_inputs, " operands");
  inputs_[count_] = pin_operand(value, argument, &pinned_[count_]);
  ++count_;
}

}  // namespace arr::capi

using arr::capi::guard;

const char* arr_last_error(void) { return arr::capi::last.text; }

arr_status arr_last_status(void) { return arr::capi::last.status; }

const char* arr_status_name(arr_status status) {
  switch (status) {
#define ARR_STATUS(name, number, meaning) \
  case number:                            \
    return "ARR_" #name;
#include "table/statuses.def"
#undef ARR_STATUS
    default:
      return "unknown status";
  }
}

namespace arr {

// A copy of a failure.
class KeptError : public Object {
 public:
  KeptError(arr_status code, std::string line) : status(code), text(std::move(line)) {}
  const arr_status status;
  const std::string text;
};

template <>
struct capi::KindOf<KeptError> {
  static constexpr Kind kind = Kind::error;
};

}  // namespace arr

arr_status arr_error_take(arr_error* out) {
  return guard("arr_error_take", [&] {
    arr::capi::check_pointer(out, "out");
    const auto& last = arr::capi::last;
    if (last.status == ARR_OK) arr::fail(ARR_E_ARGUMENT, "no call has failed on this thread");
    arr::capi::publish<arr::KeptError>(arr::make<arr::KeptError>(last.status, std::string(last.text)), out);
  });
}

arr_status arr_error_status(arr_error e, arr_status* status) {
  return guard("arr_error_status", [&] {
    arr::capi::check_pointer(status, "status");
    *status = arr::capi::lookup<arr::KeptError>(e, "e")->status;
  });
}

arr_status arr_error_text(arr_error e, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_error_text", [&] {
    auto kept = arr::capi::lookup<arr::KeptError>(e, "e");
    arr::capi::put_text(kept->text, capacity, text, length);
  });
}

arr_status arr_error_release(arr_error e) { return arr::capi::release(e, arr::Kind::error); }
