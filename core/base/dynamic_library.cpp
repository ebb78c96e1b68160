// SPDX-License-Identifier: MIT
#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cfenv>
#include <cstdlib>
#include <cstring>

#include "arr/base.h"
#include "base/environment.h"
#include "base/error.h"

namespace arr {

namespace {

constexpr int transient[] = {EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR};

// The error number in a message of the loader, which ends with strerror's text in the program's locale.
int number_in(const std::string& message) {
  for (const int number : transient) {
    if (message.find(std::strerror(number)) != std::string::npos) return number;
  }
  return 0;
}

}  // namespace

const char* transient_error(int number) noexcept {
  for (const int one : transient) {
    if (one == number) return std::strerror(number);
  }
  return nullptr;
}

void throw_if_transient(int number, const std::string& what) {
  if (const char* words = transient_error(number)) {
    fail(number == ENOMEM || number == EAGAIN ? ARR_E_MEMORY : ARR_E_IO, what, ": ", words);
  }
}

void check_descriptors(const std::string& what) {
  constexpr int needed = 16;
  int open_now[needed], n = 0, number = 0;
  while (n < needed && number == 0) {
    open_now[n] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    open_now[n] < 0 ? number = errno : ++n;
  }
  while (n > 0) close(open_now[--n]);
  throw_if_transient(number, what);
}

void* open_dynamic_library(const std::string& path, std::string* why, Visibility symbols) {
  std::fenv_t before;
  const bool held = std::fegetenv(&before) == 0;
  void* library = dlopen(path.c_str(), RTLD_NOW | (symbols == Visibility::global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (held) std::fesetenv(&before);
  if (library != nullptr) return library;
  const char* message = dlerror();
  *why = message != nullptr ? message : path + ": not opened";
  throw_if_transient(number_in(*why), path);
  return nullptr;
}

std::string companion_path(const char* file) {
  Dl_info where{};
  const auto* self = reinterpret_cast<const void*>(&companion_path);
  if (dladdr(self, &where) == 0 || where.dli_fname == nullptr) return {};
  std::string library = where.dli_fname;
  char* resolved = realpath(library.c_str(), nullptr);
  if (resolved != nullptr) library = resolved;
  std::free(resolved);  // NOLINT: realpath allocates
  const size_t slash = library.rfind('/');
  if (slash == std::string::npos) return {};
  const std::string folder = library.substr(0, slash + 1);
  const std::string installed = text(folder, "arr-", ARR_VERSION_MAJOR, "/", file);
  return access(installed.c_str(), F_OK) == 0 ? installed : folder + file;
}

std::string library_path(const char* variable, const char* otherwise, std::string* report) {
  std::string path = environment(variable);
  if (path.empty() || path[0] == '/') return path.empty() ? otherwise : path;
  *report += text(variable, ": not an absolute path, ignored\n");
  return otherwise;
}

void* SymbolTable::find(std::string_view name) const {
  return dlsym(library_, (prefix_ + std::string(name) + suffix_).c_str());
}

void* SymbolTable::required(std::string_view name) {
  void* address = find(name);
  if (address == nullptr && missing_.empty()) missing_ = prefix_ + std::string(name) + suffix_;
  return address;
}

std::string one_line(std::string_view report) {
  std::string line;
  for (const char c : report) {
    if (c == '\n') {
      line += "; ";
    } else if (c != ' ' || (!line.empty() && line.back() != ' ')) {
      line += c;
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  return line;
}

}  // namespace arr
