// SPDX-License-Identifier: MIT
// Memory that processes share: pages of a file that is in no folder (memfd), which others find by the number
// of the process that has it open and of the file in it. When that process closes the file or dies, a handle
// leads nowhere; who has the pages already keeps them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace arr::fake {

inline constexpr size_t page = 4096;

// Contents of a handle of the driver's; the rest of it is 0.
struct ShareName {
  char magic[8] = {'f', 'a', 'k', 'e', ' ', 'i', 'p', 'c'};
  int32_t process = 0, file = -1;
  uint64_t inode = 0, bytes = 0;
};

// A file of pages, mapped. Given away by its name, or opened by one.
class Shared {
 public:
  // At `at`, where whole pages belong to nobody else, or (nullptr) anywhere. nullptr: there are none left.
  static std::unique_ptr<Shared> make(void* at, size_t bytes);
  // nullptr: the name is of none, or its process has closed it.
  static std::unique_ptr<Shared> open(const ShareName& name);
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared();
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] const ShareName& name() const { return name_; }
  // Returns whether this process made it.
  [[nodiscard]] bool own() const { return file_ >= 0; }
  // Returns whether the process that made it still has it.
  [[nodiscard]] bool held() const;

 private:
  Shared() = default;
  void* data_ = nullptr;
  int file_ = -1;
  bool placed_ = false;  // over memory of somebody, who gets plain pages back
  ShareName name_;
};

// The state of an event that its processes share: how often it was recorded, and how often reached.
struct Mark {
  std::atomic<uint64_t> recorded, reached;
};
// Waits until all that was recorded when this is called is reached, or the process that made it is gone.
void wait_for(const Shared& mark);
bool reached(const Shared& mark);

}  // namespace arr::fake
