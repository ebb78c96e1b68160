// SPDX-License-Identifier: MIT
// Kernels that users write as pieces of C++: element-wise, or as a reduction. The pieces become CUDA C++ text
// for the dtypes and layouts of each call; the kernel keeps the compiled variants.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ops/elementwise/elementwise.h"
#include "runtime/modules.h"

namespace arr {

// "raw T x": one parameter of a user's kernel.
struct UserParam {
  std::string name;
  DType dtype = DType::none;  // none: the arguments bind `placeholder`
  std::string placeholder;
  bool raw = false;  // indexed by the user's code
};
// Parses parameters; errors name the argument and the column.
std::vector<UserParam> parse_params(std::string_view text, const char* argument);
// True if the code has this identifier, outside of comments and strings.
bool mentions(std::string_view code, std::string_view identifier);

// The way in which the code accesses the argument of a parameter.
enum class Reach : uint8_t { scalar, raw, contiguous, uniform, strided };
struct UserArgument {
  Reach reach = Reach::scalar;
  DType dtype = DType::none;
  int32_t ndim = 0;            // raw
  bool raw_contiguous = true;  // raw
};

// The arguments of a launch, packed in the order of a kernel's parameters.
class Packed {
 public:
  void add(const Array* a) { list_.push_back({a, nullptr, 0}); }
  // leads_to: the memory to which an address among the bytes points.
  void add_bytes(const void* data, size_t n, const ArgumentMemory& leads_to = {});
  void add(int64_t x) { add_bytes(&x, sizeof(x)); }
  void add(const Scalar& s) { add_bytes(&s.lo, static_cast<size_t>(item_size(s.dtype))); }
  // An array that the code indexes itself; q: the queue in which it is used.
  void add_raw(const Array& a, const Queue& q);
  // Sets the name of the last argument for messages; the string must outlive the call.
  void name_last(const char* name) { list_.back().memory.name = name; }
  [[nodiscard]] std::span<const KernelArgument> list();

 private:
  std::vector<std::vector<char>> bytes_;
  std::vector<KernelArgument> list_;
};

// The common part of users' kernels: parameters, options, the compiled variants.
class UserKernel : public Object {
 public:
  struct Pieces {
    std::string name, preamble;
    std::vector<std::string> options;
    bool keep_dims = false;  // _ind has the dimensions of the arrays, without merging
  };
  UserKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces);
  [[nodiscard]] size_t nin() const { return in_.size(); }
  [[nodiscard]] size_t nout() const { return out_.size(); }
  // The source text compiled last; "" before the first call.
  [[nodiscard]] std::string source() const;

 protected:
  // The arguments of a call: inputs, then outputs if they are given.
  struct Call {
    std::span<const Input> args;
    std::vector<UserArgument> as;  // one per parameter, including outputs that are not given
    std::vector<Scalar> scalars;   // numbers in the parameters' dtypes
    Device device;
  };
  [[nodiscard]] const UserParam& param(size_t k) const { return k < nin() ? in_[k] : out_[k - nin()]; }
  // Checks the number and dtypes of the arguments and binds the placeholders.
  [[nodiscard]] Call bind(std::span<const Input> args, Device device) const;
  // The kernels of a variant by its key; source() makes the text and names the entries.
  template <class Source>
  const std::vector<Ref<Kernel>>& compiled(const std::string& key, Device device, Source&& source,
                                           std::span<const std::string> names, std::string* log) {
    const std::lock_guard lock(mutex_);
    auto at = variants_.find(key);
    if (at == variants_.end()) at = variants_.emplace(key, build(source(), device, names, log)).first;
    return at->second;
  }
  // The kernel's name in the text, because the user's may be one that CUDA has, such as norm.
  [[nodiscard]] std::string entry() const { return "arr_kernel_" + pieces_.name; }
  // The text before a kernel: helper types, placeholders, the user's preamble.
  [[nodiscard]] std::string head(const Call& c, std::string_view more_types) const;
  // "float x" and so on, as a kernel parameter.
  [[nodiscard]] std::string declaration(const Call& c, size_t k) const;
  // Packs the user's parameters: numbers, addresses of arrays, descriptions of raw ones. q: the queue in
  // which they are used.
  void pack(const Call& c, std::span<const Array* const> arrays, const Queue& q, Packed* packed) const;
  // The key of a variant of the text, which the caller extends.
  [[nodiscard]] static std::string key_of(const Call& c);

  const std::vector<UserParam> in_, out_;
  const Pieces pieces_;

 private:
  std::vector<Ref<Kernel>> build(const std::string& text, Device device, std::span<const std::string> names,
                                 std::string* log);
  mutable std::mutex mutex_;  // guards the following members
  std::map<std::string, std::vector<Ref<Kernel>>> variants_;
  std::string last_source_;
};

const char* user_type(DType d) noexcept;  // "complex<float>"

class ElementwiseKernel final : public UserKernel {
 public:
  struct Code {
    std::string operation, loop_prep, after_loop;
  };
  ElementwiseKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces, Code code);
  // args: nin() inputs, or nin() + nout() with the arrays to write. size -1: determined by the arguments.
  // log: that of a failed compilation.
  std::vector<Ref<Array>> run(std::span<const Input> args, int64_t size, int32_t block, Device device,
                              Stream* stream, std::string* log);

 private:
  struct Plan;
  void make_outputs(Call& c, Plan* p, int64_t size, Stream* stream) const;
  void arrange(Call& c, Plan* p) const;
  [[nodiscard]] std::string text(const Call& c, const Plan& p) const;
  const Code code_;
  const bool indexes_;  // the code may use an element's index per dimension
  const bool ordered_;  // it may use an element's row-major index
};

class ReductionKernel final : public UserKernel {
 public:
  struct Code {
    std::string map, reduce, post, identity, type;
  };
  ReductionKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces, Code code);
  std::vector<Ref<Array>> run(std::span<const Input> args, int32_t naxes, const int32_t* axes, bool keepdims,
                              Device device, Stream* stream, std::string* log);

 private:
  struct Plan;
  struct Lists;
  Plan plan(const Call& c, std::span<const Input> args, int32_t naxes, const int32_t* axes) const;
  static std::vector<int64_t> layout(const Call& c, const Plan& p);
  void make_outputs(Call& c, Plan* p, bool keepdims, Stream* stream) const;
  [[nodiscard]] Lists lists(const Call& c, const Plan& p) const;
  [[nodiscard]] std::string text(const Call& c, const Plan& p) const;
  [[nodiscard]] std::string kernels(const Plan& p, const Lists& l) const;
  const Code code_;
};

}  // namespace arr
