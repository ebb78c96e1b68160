// SPDX-License-Identifier: MIT
// Processes that have no communicator yet: rank 0 gives all of them an id, once all have come.
#pragma once

#include <string>
#include <string_view>

#include "ops/comm/deadline.h"

namespace arr {

// An id that rank 0 has made, or why it has none.
struct Offer {
  char there = 0;
  char bytes[255] = {};  // the id, or a text that ends with NUL
};

Offer refusal(std::string_view why);

struct Rendezvous {
  int32_t size = 1, rank = 0;
  double seconds = 0;  // that a rank waits; 0: without limit
};

// Each returns rank 0's offer; own: that of rank 0. Throws ARR_E_LOST with the missing ranks if some do not
// come.
//
// In the folder of `path`, which all ranks share: see rendezvous_file.cpp.
Offer meet_by_file(const Rendezvous& at, const std::string& path, const Offer& own);
// At rank 0's address, "host:port", for connections that know the token.
Offer meet_by_tcp(const Rendezvous& at, std::string_view address, std::string_view token, const Offer& own);

// Closed at the end.
class OwnedFd {
 public:
  explicit OwnedFd(int fd = -1) noexcept : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(other.release()) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept;
  OwnedFd(const OwnedFd&) = delete;
  OwnedFd& operator=(const OwnedFd&) = delete;
  ~OwnedFd();
  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }

 private:
  int release() noexcept;
  int fd_;
};

}  // namespace arr
