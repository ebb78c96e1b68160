// SPDX-License-Identifier: MIT
// One shared object in memory: loading it from bytes, and what its sync sites say of each kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/shim/abi.h"

namespace arr::host_kernels {

// A thread-local variable of an image: the user's __shared__ (`shared`), or one of the library.
struct ThreadVariable {
  std::string name;  // as in the source
  uint64_t offset, bytes;
  bool shared;
};

class Object {
 public:
  // Loads a private copy: two objects from the same bytes have their own variables.
  // `checked`: the image calls the runtime for each access to memory. `lines`: it has line numbers.
  Object(std::string_view bytes, bool checked, bool lines = false);
  ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  [[nodiscard]] const arr_host::Image& table() const { return *table_; }
  // True if entry i may reach a barrier or warp function.
  [[nodiscard]] bool syncs(size_t i) const { return syncs_[i]; }
  // The reason why the pass has no loop form of entry i; empty if it has one, and in images made without the
  // pass.
  [[nodiscard]] std::string_view refusal(size_t i) const {
    const char* const* why = table_->entries[i].refusal;
    return why != nullptr && *why != nullptr ? *why : std::string_view();
  }
  // The size of all __shared__ variables of known size.
  [[nodiscard]] uint64_t static_shared_bytes() const { return static_shared_bytes_; }
  [[nodiscard]] const std::vector<ThreadVariable>& thread_variables() const { return variables_; }
  // The loader's number of the image among those with thread-local variables; 0: it has none.
  [[nodiscard]] uint64_t thread_module() const { return thread_module_; }
  [[nodiscard]] bool checked() const { return checked_; }
  // The bytes of an object that is checked or has line numbers.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  // The address of the image's start.
  [[nodiscard]] uintptr_t base() const { return base_; }

 private:
  void read_sites(std::string_view bytes);

  void* handle_ = nullptr;
  const arr_host::Image* table_ = nullptr;
  std::vector<bool> syncs_;
  std::vector<ThreadVariable> variables_;
  uint64_t static_shared_bytes_ = 0, thread_module_ = 0;
  std::string bytes_;
  bool checked_;
  uintptr_t base_ = 0;
};

// Makes the calling thread's copies of an image's thread-local variables, before the image's code asks for
// them: the loader makes them at a thread's first access, with vector registers that clang takes to be
// preserved (it counts the call of __tls_get_addr as changing xmm0 to xmm15 alone).
// Returns where they begin; null without any.
void* make_thread_variables(uint64_t module);

}  // namespace arr::host_kernels
