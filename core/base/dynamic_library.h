// SPDX-License-Identifier: MIT
// Opening other libraries at run time, and looking their functions up.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace arr {

// dlopen() with RTLD_NOW and RTLD_LOCAL. Returns nullptr with the loader's message in *why. Throws where the
// reason is not in the library and may pass, so that the caller does not remember the failure: ARR_E_IO
// without a file descriptor left, ARR_E_MEMORY without memory. The calling thread's floating-point
// environment stays as it is, which libraries that are linked with -ffast-math would change.
void* open_dynamic_library(const std::string& path, std::string* why);

// The path in the variable of the environment, or `otherwise`. A path that is not absolute is ignored, with a
// line in the report.
std::string library_path(const char* variable, const char* otherwise, std::string* report);

// The path of a library that comes with libarr: in the folder arr-N beside libarr.so.N, as installed, else
// directly beside it, as built. Links to libarr are followed. Empty if the path of libarr is not known.
std::string companion_path(const char* file);

// Looks up symbols of a library and remembers the first that is missing.
class SymbolTable {
 public:
  explicit SymbolTable(void* library, std::string prefix = {}, std::string suffix = {})
      : library_(library), prefix_(std::move(prefix)), suffix_(std::move(suffix)) {}
  // The address of prefix + name + suffix, or nullptr.
  [[nodiscard]] void* find(std::string_view name) const;
  // Sets the pointer to a function that is needed.
  template <class F>
  void require(F** function, std::string_view name) {
    *function = reinterpret_cast<F*>(required(name));
  }
  // Empty where all required symbols are there.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* required(std::string_view name);

  void* library_;
  std::string prefix_, suffix_, missing_;
};

// A report of several lines as one, for errors: its lines with "; " between them.
std::string one_line(std::string_view report);

// The error number's text where the error may pass: no descriptor, no memory, an interruption; else nullptr.
const char* transient_error(int number) noexcept;
// Throws ARR_E_IO or ARR_E_MEMORY with "what: text" for such an error.
void throw_if_transient(int number, const std::string& what);
// Throws also where the process has not enough file descriptors left, which explains why `what` has
// failed.
void check_descriptors(const std::string& what);

}  // namespace arr
