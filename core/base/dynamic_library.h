// SPDX-License-Identifier: MIT
// Opens other libraries at run time and looks up their functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace arr {

// Local: only the library's own handle finds its symbols. Global: libraries that it opens itself do too.
enum class Visibility { local, global };

// dlopen() with RTLD_NOW. Returns nullptr with the loader's message in *why. Throws if the
// cause is not the library and may be temporary, so that the caller does not remember the failure: ARR_E_IO
// without a free file descriptor, ARR_E_MEMORY without memory. Restores the calling thread's floating-point
// environment, which libraries linked with -ffast-math change.
void* open_dynamic_library(const std::string& path, std::string* why, Visibility symbols = Visibility::local);

// The path in an environment variable, or `otherwise`. A path that is not absolute is ignored, with a line in
// the report.
std::string library_path(const char* variable, const char* otherwise, std::string* report);

// The path of a library that comes with libarr: in the folder arr-N beside libarr.so.N (installed), or
// directly beside it (built). Symbolic links to libarr are resolved. Empty if the path of libarr is not
// known.
std::string companion_path(const char* file);

// Looks up symbols of a library and remembers the first missing one.
class SymbolTable {
 public:
  explicit SymbolTable(void* library, std::string prefix = {}, std::string suffix = {})
      : library_(library), prefix_(std::move(prefix)), suffix_(std::move(suffix)) {}
  // The address of prefix + name + suffix, or nullptr.
  [[nodiscard]] void* find(std::string_view name) const;
  // Sets the pointer to a required function.
  template <class F>
  void require(F** function, std::string_view name) {
    *function = reinterpret_cast<F*>(required(name));
  }
  // Empty if all required symbols exist.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* required(std::string_view name);

  void* library_;
  std::string prefix_, suffix_, missing_;
};

// A report of several lines as one, for errors: the lines joined by "; ".
std::string one_line(std::string_view report);

// The text of an error number if the error may be temporary: no descriptor, no memory, an interruption;
// otherwise nullptr.
const char* transient_error(int number) noexcept;
// Throws ARR_E_IO or ARR_E_MEMORY with "what: text" for such an error.
void throw_if_transient(int number, const std::string& what);
// Throws also if the process has too few free file descriptors, which explains why `what` has failed.
void check_descriptors(const std::string& what);

}  // namespace arr
