// SPDX-License-Identifier: MIT
// Opening other libraries.
#pragma once

#include <string>

namespace arr {

// dlopen() with RTLD_NOW and RTLD_LOCAL. nullptr with the loader's message in *why. Throws where the failure
// says nothing of the library, so that nobody remembers it: ARR_E_IO without a file descriptor left,
// ARR_E_MEMORY without memory. The calling thread's floating-point environment stays as it is, which
// libraries that are linked with -ffast-math would change.
void* open_shared(const std::string& path, std::string* why);

// The error number's text where it will pass: no descriptor, no memory, an interruption; else nullptr.
const char* passing_error(int number) noexcept;
// Throws ARR_E_IO or ARR_E_MEMORY with "what: text" where it will.
void throw_if_passing(int number, const std::string& what);
// Throws likewise where the process may not have the few file descriptors that a program or a library which
// has failed needs.
void check_descriptors(const std::string& what);

}  // namespace arr
