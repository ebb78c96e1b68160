// SPDX-License-Identifier: MIT
// Reads and replaces regular files by POSIX calls.
#include "io/file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/utf8.h"

namespace arr::io {

namespace {

constexpr int64_t max_moved = int64_t{1} << 30;  // Linux moves at most 2 GiB in one call

[[noreturn]] void fail_errno(const std::string& shown, const char* what) {
  int code = errno;
  arr::fail(ARR_E_IO, shown, ": ", what, ": ", std::system_category().message(code));
}

std::string plain(std::string_view path) {
  if (path.empty()) arr::fail(ARR_E_ARGUMENT, "argument path: empty");
  if (path.find('\0') != std::string_view::npos) {
    arr::fail(ARR_E_ARGUMENT, "argument path: ", shown(path), " has a NUL inside");
  }
  return std::string(path);
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "is a directory";
  if (S_ISFIFO(mode)) return "is a FIFO";
  if (S_ISSOCK(mode)) return "is a socket";
  return "is a device";
}

std::string_view name_in(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string shown(std::string_view path) {
  constexpr size_t max_size = 200;
  std::string out = "\"";
  auto put = [&](std::string_view part) {
    for (char c : part) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  };
  if (path.size() <= max_size) {
    put(path);
  } else {
    put(cut(path, max_size / 2));
    out += "...";
    put(path.substr(cut(path, path.size() - max_size / 2).size()));
  }
  return out + '"';
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

// O_NONBLOCK, because opening a FIFO must not wait for a writer; it has no effect on regular files.
Reader::Reader(std::string_view path)
    : shown_(shown(path)), file_(open(plain(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (!file_.valid()) fail_errno(shown_, "cannot be opened");
  struct stat s {};
  if (fstat(file_.get(), &s) != 0) fail_errno(shown_, "cannot be examined");
  if (!S_ISREG(s.st_mode)) fail(ARR_E_IO, shown_, ": ", kind_of(s.st_mode), ", expected a regular file");
  size_ = s.st_size;
}

void Reader::read(void* to, int64_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    ssize_t n = ::read(file_.get(), at, static_cast<size_t>(std::min(bytes, max_moved)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_errno(shown_, "cannot be read");
    if (n == 0) fail(ARR_E_IO, shown_, ": ends ", bytes, " bytes early, it was cut while it was read");
    at += n;
    at_ += n;
    bytes -= n;
  }
}

void Reader::seek(int64_t at) {
  if (lseek(file_.get(), at, SEEK_SET) < 0) fail_errno(shown_, "cannot be read");
  at_ = at;
}

std::string Reader::read_rest() {
  std::string text(static_cast<size_t>(size_ - at_), '\0');
  read(text.data(), size_ - at_);
  check_unchanged();
  return text;
}

void Reader::check_unchanged() {
  struct stat s {};
  if (fstat(file_.get(), &s) != 0) fail_errno(shown_, "cannot be examined");
  if (s.st_size != size_) {
    fail(ARR_E_IO, shown_, ": was ", size_, " bytes long and is ", s.st_size,
         " now, it changed while it was read");
  }
}

Descriptor Writer::open_folder(std::string_view path, const std::string& shown) {
  std::string given = plain(path);
  size_t slash = given.rfind('/');
  std::string folder = slash == std::string::npos ? "." : given.substr(0, slash + 1);
  int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail_errno(shown, "its folder cannot be opened");
  return Descriptor(fd);
}

Writer::Writer(std::string_view path)
    : shown_(shown(path)), name_(name_in(path)), folder_(open_folder(path, shown_)), file_(create()) {}

int Writer::create() {
  if (name_.empty() || name_ == "." || name_ == "..") {
    fail(ARR_E_IO, shown_, ": is a directory, expected a file name");
  }
  struct stat s {};
  bool exists = fstatat(folder_.get(), name_.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0;
  if (!exists && errno != ENOENT) fail_errno(shown_, "cannot be examined");
  // Renaming onto /dev/null or a FIFO would destroy it.
  if (exists && !S_ISREG(s.st_mode) && !S_ISLNK(s.st_mode)) {
    fail(ARR_E_IO, shown_, ": ", kind_of(s.st_mode), ", expected a regular file or nothing");
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
      fail_errno(shown_, "no random name to write under");
    }
    temporary_ = text(".arr-", random, ".tmp");
    int fd =
        openat(folder_.get(), temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) fail_errno(shown_, "cannot be created");
    pending_ = true;
    // Keeps the permissions of a file that others may not read.
    if (exists && S_ISREG(s.st_mode) && fchmod(fd, s.st_mode & 0777) != 0) {
      int code = errno;
      close(fd);
      unlinkat(folder_.get(), temporary_.c_str(), 0);
      errno = code;
      fail_errno(shown_, "its permissions cannot be kept");
    }
    return fd;
  }
  fail(ARR_E_IO, shown_, ": no free name to write under");
}

Writer::~Writer() {
  if (pending_) unlinkat(folder_.get(), temporary_.c_str(), 0);
}

void Writer::write(const void* from, int64_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    ssize_t n = ::write(file_.get(), at, static_cast<size_t>(std::min(bytes, max_moved)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_errno(shown_, "cannot be written");
    at += n;
    bytes -= n;
  }
}

void Writer::rewrite(const void* from, int64_t bytes, int64_t at) {
  const auto* next = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t n = ::pwrite(file_.get(), next, static_cast<size_t>(std::min(bytes, max_moved)), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_errno(shown_, "cannot be written");
    next += n;
    at += n;
    bytes -= n;
  }
}

void Writer::commit() {
  if (fsync(file_.get()) != 0) fail_errno(shown_, "cannot be written to the disk");
  if (renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0) {
    fail_errno(shown_, "cannot be replaced");
  }
  pending_ = false;
  // So that the new name survives a crash. Not every file system supports it; the data is safe either way.
  (void)fsync(folder_.get());
}

}  // namespace arr::io
