// SPDX-License-Identifier: MIT
// The fake driver: pages that processes share.
#include "sharing.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

namespace arr::fake {
namespace {

size_t pages(size_t bytes) { return (bytes + page - 1) / page * page; }

// The file of a name, opened anew; -1: it is gone, or another.
int open_file(const ShareName& name) {
  const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.file);
  struct stat is {};
  // The file is checked before it is opened, for the number may be wrong: opening a pipe would wait.
  if (stat(path.c_str(), &is) != 0 || !S_ISREG(is.st_mode)) return -1;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return -1;
  if (fstat(file, &is) == 0 && is.st_ino == name.inode &&
      static_cast<uint64_t>(is.st_size) == pages(name.bytes)) {
    return file;
  }
  close(file);
  return -1;
}

const Mark& mark_of(const Shared& s) { return *static_cast<const Mark*>(s.data()); }

}  // namespace

std::unique_ptr<Shared> Shared::make(void* at, size_t bytes) {
  std::unique_ptr<Shared> s(new Shared);
  s->file_ = memfd_create("arr-fake-cuda", MFD_CLOEXEC);
  struct stat is {};
  if (s->file_ < 0 || ftruncate(s->file_, static_cast<off_t>(pages(bytes))) != 0 ||
      fstat(s->file_, &is) != 0) {
    return nullptr;
  }
  // The contents stay.
  if (at != nullptr && pwrite(s->file_, at, bytes, 0) != static_cast<ssize_t>(bytes)) return nullptr;
  void* p = mmap(at, pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | (at != nullptr ? MAP_FIXED : 0),
                 s->file_, 0);
  if (p == MAP_FAILED) return nullptr;
  s->data_ = p;
  s->placed_ = at != nullptr;
  s->name_.process = getpid();
  s->name_.file = s->file_;
  s->name_.inode = is.st_ino;
  s->name_.bytes = bytes;
  return s;
}

std::unique_ptr<Shared> Shared::open(const ShareName& name) {
  const ShareName right;
  if (std::memcmp(name.magic, right.magic, sizeof right.magic) != 0 || name.bytes == 0) return nullptr;
  const int file = open_file(name);
  if (file < 0) return nullptr;
  void* p = mmap(nullptr, pages(name.bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (p == MAP_FAILED) return nullptr;
  std::unique_ptr<Shared> s(new Shared);
  s->data_ = p;
  s->name_ = name;
  return s;
}

Shared::~Shared() {
  if (data_ != nullptr && placed_) {
    mmap(data_, pages(name_.bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  } else if (data_ != nullptr) {
    munmap(data_, pages(name_.bytes));
  }
  if (file_ >= 0) close(file_);
}

bool Shared::held() const {
  const int file = open_file(name_);
  if (file >= 0) close(file);
  return file >= 0;
}

bool reached(const Shared& mark) { return mark_of(mark).reached >= mark_of(mark).recorded; }

void wait_for(const Shared& mark) {
  const uint64_t until = mark_of(mark).recorded;
  while (mark_of(mark).reached < until && mark.held()) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace arr::fake
