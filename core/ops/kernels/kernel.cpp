// SPDX-License-Identifier: MIT
// The common part of users' kernels: binding of placeholders, the text before the kernel, compiled variants,
// packing of arguments.
#include "ops/kernels/kernel.h"

#include <cstring>

#include "base/macros.h"
#include "complex_text.h"
#include "elementary_text.h"
#include "libm_text.h"
#include "math_text.h"
#include "scalar_text.h"
#include "user_text.h"
#include "user_types.h"

namespace arr {

UserKernel::UserKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces)
    : in_(std::move(in)), out_(std::move(out)), pieces_(std::move(pieces)) {
  if (out_.empty()) fail(ARR_E_ARGUMENT, "argument out_params: a kernel has at least one output");
  for (const UserParam& o : out_) {
    for (const UserParam& i : in_) {
      if (i.name == o.name) fail(ARR_E_ARGUMENT, "argument out_params: the name ", o.name, " is used twice");
    }
  }
  if (in_.size() + out_.size() > static_cast<size_t>(Program::max_inputs)) {
    fail(ARR_E_UNSUPPORTED, "argument in_params: ", in_.size() + out_.size(),
         " parameters with the outputs, at most ", Program::max_inputs);
  }
  const std::string& n = pieces_.name;
  bool good = !n.empty() && !(n[0] >= '0' && n[0] <= '9');
  for (char c : n) {
    good = good && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  }
  if (!good) fail(ARR_E_ARGUMENT, "argument name: \"", n, "\" is not the name of a function");
}

std::string UserKernel::source() const {
  const std::lock_guard lock(mutex_);
  return last_source_;
}

UserKernel::Call UserKernel::bind(std::span<const Input> args, Device device) const {
  size_t all = nin() + out_.size();
  if (args.size() != nin() && args.size() != all) {
    fail(ARR_E_ARGUMENT, "argument nargs: kernel ", pieces_.name, " takes ", nin(), " inputs, or ", all,
         " arguments with the outputs, got ", args.size());
  }
  Call c;
  c.args = args;
  c.as.resize(all);
  c.scalars.resize(all);
  c.device = device;
  std::map<std::string, DType> bound;
  // Arrays and typed numbers first; weak scalars take the dtypes that these bind.
  for (size_t k = 0; k < args.size(); ++k) {
    const UserParam& p = param(k);
    const Array* a = args[k].array;
    if (a == nullptr && (k >= nin() || p.raw)) {
      fail(ARR_E_ARGUMENT, "argument args[", k, "]: a number, but ", p.name, " is ",
           p.raw ? "raw" : "an output");
    }
    if (a == nullptr && args[k].weak) continue;
    DType given = a != nullptr ? a->dtype : args[k].scalar.dtype;
    DType wanted = p.dtype != DType::none ? p.dtype : bound.emplace(p.placeholder, given).first->second;
    if (given != wanted) {
      fail(ARR_E_DTYPE, "argument args[", k, "]: ", arr::name(given), ", but ", p.name, " is ", p.placeholder,
           p.dtype != DType::none ? "" : " = ", arr::name(wanted));
    }
    c.as[k].dtype = given;
    c.scalars[k] = args[k].scalar;
  }
  for (size_t k = 0; k < all; ++k) {
    const UserParam& p = param(k);
    if (c.as[k].dtype != DType::none) continue;
    DType wanted = p.dtype;
    if (wanted == DType::none && bound.contains(p.placeholder)) wanted = bound.at(p.placeholder);
    if (wanted == DType::none && k < args.size()) {
      wanted = bound.emplace(p.placeholder, args[k].scalar.dtype).first->second;
    }
    if (wanted == DType::none) {
      fail(ARR_E_DTYPE, "argument args: cannot infer type ", p.placeholder, " of ", p.name);
    }
    c.as[k].dtype = wanted;
    if (k < args.size()) c.scalars[k] = fit_plain(args[k].scalar, wanted);
  }
  for (size_t k = 0; k < args.size(); ++k) {
    const Array* a = args[k].array;
    if (a == nullptr) continue;
    if (k >= nin() && write_obstacle(*a) != nullptr) {
      fail(ARR_E_READONLY, "argument args[", k, "]: ", write_obstacle(*a));
    }
    c.as[k].reach = param(k).raw ? Reach::raw : Reach::strided;
    c.as[k].ndim = a->layout.ndim;
    c.as[k].raw_contiguous = a->layout.is_contiguous(a->item(), Order::C);
  }
  bool some = false;
  for (const Input& in : args) some = some || in.array != nullptr;
  if (some) c.device = common_device(args);
  return c;
}

const char* user_type(DType d) noexcept {
  switch (d) {
    case DType::float16_:
      return "float16";
    case DType::bfloat16_:
      return "bfloat16";
    case DType::complex64_:
      return "complex<float>";
    case DType::complex128_:
      return "complex<double>";
    default:
      return cpp_type(d);
  }
}

std::string UserKernel::head(const Call& c, std::string_view more_types) const {
  std::string out;
  bool special = more_types.find("complex") != std::string_view::npos ||
                 more_types.find("float16") != std::string_view::npos ||
                 mentions(pieces_.preamble, "complex") || mentions(pieces_.preamble, "float16");
  for (const UserArgument& a : c.as) special = special || is_half(a.dtype) || is_complex(a.dtype);
  if (special) {
    out += "namespace arr_generated {\n";
    out.append(user::scalar_text, user::scalar_text_size);
    out.append(user::libm_text, user::libm_text_size);
    out.append(user::math_text, user::math_text_size);
    out.append(user::elementary_text, user::elementary_text_size);
    out.append(user::complex_text, user::complex_text_size);
    out.append(user::user_types, user::user_types_size);
    out +=
        "}\nusing arr_generated::float16;\nusing arr_generated::bfloat16;\nusing arr_generated::complex;\n";
  }
  out.append(user::user_text, user::user_text_size);
  std::map<std::string, DType> placeholders;
  for (size_t k = 0; k < c.as.size(); ++k) {
    if (!param(k).placeholder.empty()) placeholders.emplace(param(k).placeholder, c.as[k].dtype);
  }
  for (const auto& [letter, dtype] : placeholders) {
    out += text("typedef ", user_type(dtype), " ", letter, ";\n");
  }
  for (size_t i = 0; i < pieces_.options.size(); ++i) out += macro_line(pieces_.options, i).value_or("");
  return out + pieces_.preamble + "\n";
}

std::string UserKernel::declaration(const Call& c, size_t k) const {
  const UserArgument& a = c.as[k];
  const char* type = user_type(a.dtype);
  const std::string& name = param(k).name;
  const char* fixed = k < nin() ? "const " : "";
  if (a.reach == Reach::scalar) return text("const ", type, " ", name);
  if (a.reach == Reach::raw) {
    return text("const arr_raw<", fixed, type, ", ", a.ndim, ", ", a.raw_contiguous ? "true" : "false", "> ",
                name);
  }
  return text(fixed, type, "* arr_p_", name);
}

std::string UserKernel::key_of(const Call& c) {
  std::string key = text(c.device.type, ":", c.device.index);
  for (const UserArgument& a : c.as) {
    key += text("|", static_cast<int>(a.dtype), ",", static_cast<int>(a.reach));
    if (a.reach == Reach::raw) key += text(",", a.ndim, ",", a.raw_contiguous);
  }
  return key;
}

std::vector<Ref<Kernel>> UserKernel::build(const std::string& text, Device device,
                                           std::span<const std::string> names, std::string* log) {
  last_source_ = text;
  std::vector<const char*> options;
  for (size_t i = 0; i < pieces_.options.size(); ++i) {
    if (!macro_line(pieces_.options, i)) options.push_back(pieces_.options[i].c_str());
  }
  Ref<Module> module = compile(text, options, device, log);
  std::vector<Ref<Kernel>> out;
  for (const std::string& n : names) out.push_back(find_kernel(module, n));
  return out;
}

void UserKernel::pack(const Call& c, std::span<const Array* const> arrays, const Queue& q,
                      Packed* packed) const {
  for (size_t k = 0; k < c.as.size(); ++k) {
    if (c.as[k].reach == Reach::scalar) {
      packed->add(c.scalars[k]);
    } else if (c.as[k].reach == Reach::raw) {
      packed->add_raw(*arrays[k], q);
    } else {
      packed->add(arrays[k]);
    }
    packed->name_last(param(k).name.c_str());
  }
}

void Packed::add_bytes(const void* data, size_t n, const ArgumentMemory& leads_to) {
  const auto* first = static_cast<const char*>(data);
  bytes_.emplace_back(first, first + n);
  list_.push_back({nullptr, nullptr, static_cast<int64_t>(n), DType::none, false, leads_to});
  list_.back().memory.numbers = true;
}

void Packed::add_raw(const Array& a, const Queue& q) {
  use(*a.buffer, q);
  // The members of arr_raw.
  auto n = static_cast<size_t>(std::max(a.layout.ndim, 1));
  std::vector<int64_t> words(2 + 2 * n, 0);
  words[0] = static_cast<int64_t>(reinterpret_cast<intptr_t>(a.data));
  words[1] = a.layout.size();
  for (size_t d = 0; d < static_cast<size_t>(a.layout.ndim); ++d) {
    words[2 + d] = a.layout.shape[d];
    words[2 + n + d] = a.layout.strides[d];
  }
  add_bytes(words.data(), words.size() * sizeof(int64_t), memory_of(a));
}

std::span<const KernelArgument> Packed::list() {
  constexpr size_t max_bytes = 4000;  // CUDA's 4096, with room for alignment
  size_t at = 0, bytes = 0;
  for (KernelArgument& k : list_) {
    bytes += k.array == nullptr ? bytes_[at].size() : sizeof(void*);
    if (k.array == nullptr) k.bytes = bytes_[at++].data();
  }
  if (bytes > max_bytes) {
    fail(ARR_E_UNSUPPORTED, "argument args: shapes and strides take ", bytes,
         " bytes of a kernel's parameters, at most ", max_bytes);
  }
  return list_;
}

}  // namespace arr
