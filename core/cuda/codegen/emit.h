// SPDX-License-Identifier: MIT
// CUDA C++ text of programs, and the layout of a kernel's parameters. A family's kernel is a .cuh file; these
// functions make the lines before it: types, constants, the program and its operands.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/ops.h"
#include "expr/program.h"

namespace arr::cuda {

// The way in which a kernel accesses an operand. arr_access of codegen/device_text.cuh has the same numbers.
enum class Access : uint8_t {
  contiguous = 0,         // contiguous along the fastest dimension
  uniform = 1,            // one element for the whole fastest dimension
  immediate = 2,          // a scalar in the parameters
  strided = 3,            // any strides
  transposed = 4,         // through a tile of shared memory
  ramp = 5,               // no memory: the address is the element
  unaligned = 6,          // contiguous, but wide accesses are not possible: read element by element
  function_argument = 7,  // no memory: an argument of the device function
};

// The access of each operand, without an allocation: every call makes a new list.
class AccessList {
 public:
  AccessList() = default;
  AccessList(std::initializer_list<Access> list) {
    for (Access a : list) push_back(a);
  }
  void assign(size_t n, Access a) {
    if (n > at_.size()) fail(ARR_E_INTERNAL, "a kernel of ", n, " operands");
    size_ = n;
    for (size_t i = 0; i < n; ++i) at_[i] = a;
  }
  void push_back(Access a) { at_.at(size_++) = a; }
  [[nodiscard]] size_t size() const { return size_; }
  Access& operator[](size_t i) { return at_[i]; }
  Access operator[](size_t i) const { return at_[i]; }
  [[nodiscard]] Access& back() { return at_[size_ - 1]; }
  [[nodiscard]] const Access* begin() const { return at_.data(); }
  [[nodiscard]] const Access* end() const { return at_.data() + size_; }

 private:
  std::array<Access, Program::max_inputs + Program::max_outputs> at_{};
  size_t size_ = 0;
};

// A kernel has one parameter, an array of 8-byte words. The generated text and the launcher both take the
// positions of the values from here.
struct Words {
  int32_t count = 0;
  std::vector<int32_t> pointer;  // address of each operand; an immediate has two words from here
  std::vector<int32_t> stride;   // first stride of each operand
  int32_t extent = 0;  // extent of the first dimension, then its reciprocal, then the next dimension's ...
  int32_t output = 0, steps = 0;  // reductions: the output's first stride; what a step adds to a position
  // Appends an address and `strides` strides for each operand, and two words for an immediate.
  void add_operands(const AccessList& access, int32_t strides);
};

inline constexpr int32_t block_threads = 256;

// The lines before a kernel, and the kernel. Constants are constexpr, so that the .cuh file can choose by
// `if constexpr` and template arguments and the compiled kernel has no choice left.
class Prologue {
 public:
  Prologue& type(const char* name, DType d);
  Prologue& constant(const char* name, int64_t value);
  Prologue& flag(const char* name, bool value);
  Prologue& text(std::string_view lines);
  // `struct arr_params` of that many words; arr_index and arr_unsigned, of 64 bits where `wide`.
  Prologue& parameters(int32_t words, bool wide);
  // arr_operand<K> for each operand of a program: its type, its access and its first word; and the list
  // arr_inputs. `access` has the program's inputs, and its outputs after them where the kernel stores them.
  Prologue& operands(const Program& p, const AccessList& access, const Words& w);
  // The whole text: these lines, then the file of the kernel.
  std::string with(std::initializer_list<std::string_view> files);

 private:
  std::string lines_;
};

// The program as a function arr_body(i0, i1, ..., o0&, ...), after the functions of its ops.
std::string emit_program(const Program& p);

// True if operand k is the base address of a load: its address is used, not the element.
inline bool is_load_base(const Program& p, size_t k) {
  return k < p.inputs.size() && (p.load_bases >> k & 1U) != 0;
}

// Bytes of the elements that are loaded from input k.
int64_t load_item(const Program& p, size_t k);

// The dtype of output k of a program, and of operand k: inputs first, then outputs.
DType output_type(const Program& p, size_t k);
DType operand_type(const Program& p, size_t k);
// The name of the type that the kernel reads or writes it as.
const char* operand_text(const Program& p, size_t k);

// Statements that split an index into the indices prefix0, prefix1, ... of `dims` dimensions whose extents
// and reciprocals begin at word `at`; and the sum of these times the strides that begin at word `at`.
std::string emit_split(const char* indent, const char* index, const char* prefix, int32_t dims, int32_t at,
                       bool wide);
std::string emit_offset(const char* prefix, int32_t dims, int32_t at, bool wide);

// The parameter of arr_divide for extents below 2^31.
uint64_t reciprocal(int64_t extent) noexcept;
// The parameter of arr_divide_wide for extents below 2^63.
uint64_t wide_reciprocal(int64_t extent) noexcept;

}  // namespace arr::cuda
