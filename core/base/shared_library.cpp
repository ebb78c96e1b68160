// SPDX-License-Identifier: MIT
#include "base/shared_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cfenv>
#include <cstring>

#include "base/error.h"

namespace arr {

namespace {

constexpr int passing[] = {EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR};

// The loader's message ends in the words of the error number, in the language of the program.
int number_in(const std::string& message) {
  for (const int number : passing) {
    if (message.find(std::strerror(number)) != std::string::npos) return number;
  }
  return 0;
}

}  // namespace

const char* passing_error(int number) noexcept {
  for (const int one : passing) {
    if (one == number) return std::strerror(number);
  }
  return nullptr;
}

void throw_if_passing(int number, const std::string& what) {
  if (const char* words = passing_error(number)) {
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
  throw_if_passing(number, what);
}

void* open_shared(const std::string& path, std::string* why) {
  std::fenv_t before;
  const bool held = std::fegetenv(&before) == 0;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (held) std::fesetenv(&before);
  if (library != nullptr) return library;
  const char* message = dlerror();
  *why = message != nullptr ? message : path + ": not opened";
  throw_if_passing(number_in(*why), path);
  return nullptr;
}

}  // namespace arr
