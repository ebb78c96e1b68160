// SPDX-License-Identifier: MIT
#include "host/kernels/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "host/kernels/process.h"

namespace arr::host_kernels {
namespace {

constexpr char magic[8] = {'A', 'R', 'R', 'H', 'K', '0', '0', '1'};
constexpr off_t most_bytes = 64 << 20;         // of one entry
constexpr off_t most_total_bytes = 256 << 20;  // of all; the oldest go first

struct Header {
  char magic[8];
  uint8_t key[32];
  uint64_t bytes;
  uint8_t digest[32];  // finds damage; permissions keep attackers out
};

struct File {  // a descriptor, closed at the end
  int fd;
  explicit File(int f) : fd(f) {}
  ~File() {
    if (fd >= 0) close(fd);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

std::string base_path() {
  std::string path = environment("ARR_CACHE_DIR");
  if (!path.empty()) return path;
  path = environment("XDG_CACHE_HOME");
  if (!path.empty()) return path + "/arr";
  path = environment("HOME");
  return path.empty() ? path : path + "/.cache/arr";
}

void make_directories(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    mkdir(path.substr(0, slash).c_str(), 0700);
  mkdir(path.c_str(), 0700);
}

// Opened once, looked at through the descriptor and used through it: no path is followed a second time.
int open_own_directory(int at, const char* path, std::string& reason) {
  const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    reason =
        text("cache directory ", path, ": ",
             errno == ENOTDIR || errno == ELOOP ? "a symbolic link or no directory" : std::strerror(errno));
    return -1;
  }
  struct stat info {};
  if (fstat(fd, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return fd;
  reason = text("cache directory ", path, ": owned or writable by others");
  close(fd);
  return -1;
}

bool read_exactly(int fd, void* to, size_t n) {
  auto* p = static_cast<char*>(to);
  while (n > 0) {
    const ssize_t got = read(fd, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    n -= static_cast<size_t>(got);
  }
  return true;
}

bool write_exactly(int fd, const void* from, size_t n) {
  const auto* p = static_cast<const char*>(from);
  while (n > 0) {
    const ssize_t put = write(fd, p, n);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    p += put;
    n -= static_cast<size_t>(put);
  }
  return true;
}

std::string entry_name(const Digest& key) { return hex(key) + ".image"; }

bool is_own_plain_file(const struct stat& info) {
  // No link is left when another process has replaced the entry since it was opened.
  return S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink <= 1 &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool read_entry(int fd, const Digest& key, std::string& image) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || !is_own_plain_file(info) || info.st_size > most_bytes) return false;
  Header header{};
  if (!read_exactly(fd, &header, sizeof header)) return false;
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 || std::memcmp(header.key, key.data(), 32) != 0 ||
      header.bytes != static_cast<uint64_t>(info.st_size) - sizeof header)
    return false;
  image.resize(header.bytes);
  if (!read_exactly(fd, image.data(), image.size())) return false;
  const Digest digest = sha256(image);
  return std::memcmp(header.digest, digest.data(), 32) == 0;
}

struct Entry {
  std::string name;
  off_t bytes;
  timespec used;
};

// Removes the entries longest unused until three quarters of the limit are left.
void trim(int directory) {
  const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) return;
  std::vector<Entry> entries;
  off_t total = 0;
  while (const dirent* item = readdir(stream)) {
    struct stat info {};
    if (fstatat(directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) continue;
    entries.push_back({item->d_name, info.st_size, info.st_mtim});
    total += info.st_size;
  }
  closedir(stream);
  if (total <= most_total_bytes) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    if (total <= most_total_bytes / 4 * 3) break;
    if (unlinkat(directory, entry.name.c_str(), 0) == 0) total -= entry.bytes;
  }
}

}  // namespace

DiskCache::DiskCache() {
  const std::string base = base_path();
  if (base.empty() || base[0] != '/') {
    reason_ = base.empty() ? "no cache directory: neither ARR_CACHE_DIR nor HOME is set"
                           : text("cache directory ", base, ": not an absolute path");
    return;
  }
  make_directories(base);
  const File outer(open_own_directory(AT_FDCWD, base.c_str(), reason_));
  if (outer.fd < 0) return;
  mkdirat(outer.fd, "host-kernels", 0700);
  directory_ = open_own_directory(outer.fd, "host-kernels", reason_);
}

DiskCache::~DiskCache() {
  if (directory_ >= 0) close(directory_);
}

std::optional<std::string> DiskCache::get(const Digest& key) const {
  if (directory_ < 0) return std::nullopt;
  const std::string name = entry_name(key);
  const File file(openat(directory_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) return std::nullopt;
  std::string image;
  if (!read_entry(file.fd, key, image)) {
    unlinkat(directory_, name.c_str(), 0);
    return std::nullopt;
  }
  futimens(file.fd, nullptr);  // the order in which entries go
  return image;
}

// A whole file appears under the name or none: written under another name, then renamed. That the disk is
// full or the directory gone only means that the next process compiles again.
void DiskCache::put(const Digest& key, std::string_view image) const {
  if (directory_ < 0) return;
  static std::atomic<unsigned> counter{0};
  const unsigned turn = counter++;
  const std::string name = entry_name(key), temporary = text(name, ".", getpid(), ".", turn);
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  std::memcpy(header.key, key.data(), 32);
  header.bytes = image.size();
  const Digest digest = sha256(image);
  std::memcpy(header.digest, digest.data(), 32);
  bool written = false;
  {
    const File file(
        openat(directory_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.fd < 0) return;
    written =
        write_exactly(file.fd, &header, sizeof header) && write_exactly(file.fd, image.data(), image.size());
  }
  if (!written || renameat(directory_, temporary.c_str(), directory_, name.c_str()) != 0)
    unlinkat(directory_, temporary.c_str(), 0);
  if (turn % 64 == 0) trim(directory_);
}

}  // namespace arr::host_kernels
