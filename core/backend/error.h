// SPDX-License-Identifier: MIT
// Failures of backend functions: a status, and one line of text for the caller.
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "base/error.h"

namespace arr {

// The text of the failure of one call. The caller owns it.
struct BackendError {
  std::string text;
};

// Stores a failure's text. Without memory it stores a shorter text that needs no allocation.
inline void note_failure(BackendError* error, const char* text) noexcept {
  try {
    error->text = text;
  } catch (const std::bad_alloc&) {
    error->text.assign("no host memory");
  }
}

// Runs the body of a backend function; converts exceptions to a status and a text.
template <class Body>
int32_t translate_exceptions(BackendError* error, Body&& body) noexcept {
  try {
    body();
    return ARR_OK;
  } catch (const Error& e) {
    note_failure(error, e.what());
    return e.status();
  } catch (const std::bad_alloc&) {
    note_failure(error, "out of host memory");
    return ARR_E_MEMORY;
  } catch (const std::length_error&) {
    note_failure(error, "out of host memory: more elements than any memory holds");
    return ARR_E_MEMORY;
  } catch (const std::exception& e) {
    note_failure(error, e.what());
    return ARR_E_INTERNAL;
  } catch (...) {
    note_failure(error, "unknown exception");
    return ARR_E_INTERNAL;
  }
}

}  // namespace arr
